// Draws one state of a deal: the table from above, the viewer at the bottom, the others clockwise.

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const NAMES = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const TEAMS = ["A", "B"];
const SVG = "http://www.w3.org/2000/svg";
const cardName = (name) => `${NAMES[name[0]] ?? name[0]} of ${SUITS[name[1]]}`;

function make(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function sign(suit) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#suit-${suit}`);
  svg.setAttribute("class", `sign ${suit}`);
  svg.append(use);
  return svg;
}

function card(name) {
  const [rank, suit] = name;
  const face = make("span", `pc ${suit}`, make("b", "", rank === "T" ? "10" : rank), sign(suit));
  face.dataset.card = name;
  return face;
}

const back = () => make("span", "pc back");

/** A hand is a list of cards, or how many there are and which of them everybody knows. */
function cardsOf(hand) {
  if (Array.isArray(hand)) return hand.map(card);
  const known = hand.known.map((name) => {
    const face = card(name);
    face.classList.add("known");
    face.title = "Everybody saw this card go there";
    return face;
  });
  return [...known, ...Array.from({ length: hand.count - known.length }, back)];
}

const sizeOf = (hand) => (Array.isArray(hand) ? hand.length : hand.count);

function marks(meta, state, seat) {
  const found = [];
  if (state.duraks?.includes(seat)) found.push(["durak", "durak"]);
  if (state.fault?.seat === seat) found.push(["fault", state.fault.verdict.replaceAll("_", " ")]);
  if (state.out.includes(seat)) return [...found, ["out", "out"]];
  if (state.duraks) return found;
  if (seat === state.defender && !meta.own_trumps) found.push(state.taking ? ["takes", "takes"] : ["defends", "defends"]);
  else if (seat === state.attacker) found.push(["attacks", meta.own_trumps ? "leads" : "attacks"]);
  if (state.passed.includes(seat)) found.push(["passed", "passed"]);
  return found;
}

function seatBlock(meta, state, seat) {
  const hand = state.hands[seat];
  const label = make("div", "who", make("span", "name", meta.names[seat]));
  if (meta.own_trumps) label.append(sign(meta.own_trumps[seat]));
  if (meta.teams) label.append(make("span", "team", TEAMS[meta.teams[seat]]));
  if (meta.dealer === seat) label.append(make("span", "dealer", "D"));
  label.append(make("span", "held", String(sizeOf(hand))));
  const pills = make("div", "marks", ...marks(meta, state, seat).map(([kind, text]) => make("span", `mark ${kind}`, text)));
  const cards = make("div", "hand", ...cardsOf(hand));
  cards.style.setProperty("--n", Math.max(sizeOf(hand), 2));
  const block = make("div", "seat", label, cards, pills);
  if (state.to_move === seat) block.classList.add("turn");
  if (meta.teams) block.classList.add(`team-${meta.teams[seat]}`);
  if (state.out.includes(seat)) block.classList.add("gone");
  block.dataset.seat = seat;
  return block;
}

/** Where a seat sits, as an angle: the viewer at the bottom, the next seat clockwise on the left. */
function angleOf(meta, seat) {
  const viewer = typeof meta.perspective === "number" ? meta.perspective : 0;
  return Math.PI / 2 + (2 * Math.PI * ((seat - viewer + meta.seats) % meta.seats)) / meta.seats;
}

function stock(meta, state) {
  const heap = make("div", "talon");
  if (meta.own_trumps) return heap;
  const stack = make("div", "stack-of-cards");
  if (state.turn_up) {
    const trump = card(state.turn_up);
    trump.classList.add("turned");
    stack.append(trump);
  }
  if (state.talon > (state.turn_up ? 1 : 0)) stack.append(back());
  if (stack.childElementCount) heap.append(stack);
  const trumps = make("span", "trumps", "trump ", ...state.trumps.map(sign));
  heap.append(make("span", "label", state.talon ? `talon ${state.talon}` : "talon empty"), trumps);
  return heap;
}

function discard(state) {
  const heap = make("div", "discard");
  if (state.discarded) heap.append(make("div", "stack-of-cards", back()));
  heap.append(make("span", "label", `discard ${state.discarded}`));
  return heap;
}

function middle(state, fresh) {
  const enter = (face, name) => {
    if (fresh.has(name)) face.classList.add("enter");
    return face;
  };
  const pairs = state.table.map(([attack, defence]) => {
    const pair = make("div", defence ? "pair beaten" : "pair", enter(card(attack), attack));
    if (defence) pair.append(enter(card(defence), defence));
    return pair;
  });
  const area = make("div", "pairs", ...pairs);
  if (state.pile.length) {
    const pile = make("div", "pile", ...state.pile.map((name) => enter(card(name), name)));
    pile.style.setProperty("--n", Math.max(state.pile.length, 2));
    area.append(make("div", "pile-box", pile, make("span", "label", `pile ${state.pile.length}`)));
  }
  if (state.shown.length) {
    area.append(make("div", "shown", ...state.shown.map(card), make("span", "label", "shown")));
  }
  return area;
}

/** Cards on the table that were not there before, for them to come in from their seat. */
function freshCards(state, previous) {
  if (!previous) return new Set();
  const old = new Set([...previous.table.flat(), ...previous.pile]);
  return new Set([...state.table.flat(), ...state.pile].filter((name) => name && !old.has(name)));
}

/** Draw `state` into `place`; with `previous`, new cards come in from the seat that played them. */
export function drawTable(place, meta, state, previous) {
  const seats = meta.names.map((_, seat) => {
    const block = seatBlock(meta, state, seat);
    const angle = angleOf(meta, seat);
    block.style.setProperty("--x", Math.cos(angle).toFixed(4));
    block.style.setProperty("--y", Math.sin(angle).toFixed(4));
    if (Math.sin(angle) > 0.99) block.classList.add("near");
    if (Math.abs(Math.cos(angle)) > 0.9) block.classList.add("side");
    return block;
  });
  const centre = make("div", "centre", stock(meta, state), middle(state, freshCards(state, previous)), discard(state));
  if (state.seat !== undefined) {
    const angle = angleOf(meta, state.seat);
    centre.style.setProperty("--from-x", Math.cos(angle).toFixed(3));
    centre.style.setProperty("--from-y", Math.sin(angle).toFixed(3));
  }
  const parts = [make("div", "felt"), centre, ...seats];
  place.dataset.seats = meta.seats;
  place.replaceChildren(...parts);
}

const handWords = (hand) =>
  Array.isArray(hand) ? hand.map(cardName).join(", ") || "no cards" : `${hand.count} cards${hand.known.length ? `, known: ${hand.known.map(cardName).join(", ")}` : ""}`;

/** The state in words, for those who do not see the table. */
export function describe(meta, state) {
  const pairs = state.table.map(([attack, defence]) => cardName(attack) + (defence ? ` beaten by ${cardName(defence)}` : " unbeaten"));
  const seats = meta.names.map((name, seat) => {
    const said = marks(meta, state, seat).map(([, text]) => text);
    const team = meta.teams ? `, team ${TEAMS[meta.teams[seat]]}` : "";
    return `${name}${team}${said.length ? ` (${said.join(", ")})` : ""}: ${handWords(state.hands[seat])}.`;
  });
  const own = meta.own_trumps ? "Own trumps. " : `Trump ${state.trumps.map((suit) => SUITS[suit]).join(" and ")}. `;
  const pile = state.pile.length ? ` Pile of ${state.pile.length}, on top ${cardName(state.pile.at(-1))}.` : "";
  return `${own}Talon ${state.talon}, discard ${state.discarded}. On the table: ${pairs.join("; ") || "nothing"}.${pile} ${seats.join(" ")}`;
}
