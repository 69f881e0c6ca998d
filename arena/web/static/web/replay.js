// The replay table. The server sends frames that hold only what changed; this draws them and moves between them.

import { drawTable, describe } from "./table.js";

const root = document.getElementById("replay");
const by = (id) => document.getElementById(id);
const lines = [...by("moves").children];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const STEP_MS = 1000;
const ADDRESS_MS = 300;
const SPEEDS = [...by("speed").options].map((option) => Number(option.value));

let meta = null;
let states = [];
let step = Number(root.dataset.step);
let timer = 0;
let addressTimer = 0;
const films = new Map();

async function film(seat) {
  if (!films.has(seat)) {
    const response = await fetch(`${root.dataset.source}?seat=${seat}`);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    films.set(seat, unroll(await response.json()));
  }
  return films.get(seat);
}

/** Frames hold what changed; a state holds everything. Hands change one by one. */
function unroll({ meta, frames }) {
  let now = { hands: {} };
  const states = frames.map((frame) => {
    const { ms, seat, move, ...rest } = frame;
    now = { ...now, ...rest, hands: { ...now.hands, ...frame.hands }, ms, seat, move };
    return now;
  });
  return { meta, states };
}

async function look(seat) {
  try {
    ({ meta, states } = await film(seat));
  } catch (error) {
    by("now").textContent = `The deal could not be loaded: ${error.message}. Reload the page to try again.`;
    return;
  }
  root.dataset.seat = seat;
  for (const link of document.querySelectorAll("[data-keep], #moves a")) {
    const address = new URL(link.href);
    address.searchParams.set("seat", seat);
    link.href = address;
  }
  show(step);
}

function show(wanted, moving = false) {
  const before = step;
  step = Math.max(0, Math.min(wanted, states.length - 1));
  const state = states[step];
  const previous = moving && step === before + 1 && !calm.matches ? states[before] : null;
  drawTable(by("table"), meta, state, previous);
  by("table").setAttribute("aria-label", describe(meta, state));
  const link = lines[step].querySelector("a");
  by("now").replaceChildren(...link.cloneNode(true).childNodes);
  if (state.ms !== undefined) by("now").append(element("span", "time", ` ${state.ms} ms`));
  by("now").className = `now ${state.kind}`;
  by("scrub").value = step;
  by("scrub").setAttribute("aria-valuetext", link.textContent);
  by("count").textContent = `${step} / ${states.length - 1}`;
  for (const current of by("moves").querySelectorAll("[aria-current]")) current.removeAttribute("aria-current");
  link.setAttribute("aria-current", "step");
  keepInView(lines[step]);
  if (step === states.length - 1) pause();
  if (!addressTimer) addressTimer = setTimeout(writeAddress, ADDRESS_MS);
}

/** Browsers refuse too many changes of the address, so it follows a little behind. */
function writeAddress() {
  addressTimer = 0;
  const address = new URL(location);
  address.searchParams.set("step", step);
  address.searchParams.set("seat", root.dataset.seat);
  history.replaceState(null, "", address);
}

function keepInView(line) {
  const list = by("moves");
  const top = line.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 40 || top + line.offsetHeight > list.scrollTop + list.clientHeight - 40) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function play() {
  if (step === states.length - 1) show(0);
  by("now").setAttribute("aria-live", "off");
  playButton("pause", "Pause");
  schedule();
}

function playButton(icon, label) {
  by("play").querySelector("use").setAttribute("href", `#icon-${icon}`);
  by("play").setAttribute("aria-label", label);
}

function schedule() {
  const pace = ["bout", "deal", "fault"].includes(states[step].kind) ? 1.6 : 1;
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    show(step + 1, true);
    if (step < states.length - 1) schedule();
  }, (STEP_MS * pace) / Number(by("speed").value));
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  by("now").setAttribute("aria-live", "polite");
  playButton("play", "Play");
}

const go = (wanted, moving = false) => { pause(); show(wanted, moving); };
const forward = () => go(step + 1, true);
const back = () => go(step - 1);
const toggle = () => (timer ? pause() : play());

function bout(direction) {
  let wanted = step + direction;
  while (wanted > 0 && wanted < states.length - 1 && states[wanted].kind !== "bout") wanted += direction;
  go(wanted);
}

function speed(direction) {
  const place = SPEEDS.indexOf(Number(by("speed").value)) + direction;
  if (SPEEDS[place] !== undefined) by("speed").value = String(SPEEDS[place]);
}

function nextPerspective() {
  const select = by("seat");
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  look(select.value);
}

function help() {
  by("keys").hidden = !by("keys").hidden;
  by("help").setAttribute("aria-expanded", String(!by("keys").hidden));
}

function colours(on) {
  root.classList.toggle("four", on);
  by("colours").setAttribute("aria-pressed", String(on));
  try { localStorage.setItem("four-colours", on ? "1" : ""); } catch { /* storage may be switched off */ }
}

const KEYS = {
  " ": toggle,
  ArrowRight: (event) => (event.shiftKey ? bout(1) : forward()),
  ArrowLeft: (event) => (event.shiftKey ? bout(-1) : back()),
  Home: () => go(0),
  End: () => go(states.length - 1),
  "+": () => speed(1),
  "=": () => speed(1),
  "-": () => speed(-1),
  v: nextPerspective,
  "?": help,
};

function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

document.addEventListener("keydown", (event) => {
  if (!states.length || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, textarea, input")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  const act = KEYS[event.key];
  if (act) {
    event.preventDefault();
    act(event);
  }
});

by("play").addEventListener("click", toggle);
by("forward").addEventListener("click", forward);
by("back").addEventListener("click", back);
by("first").addEventListener("click", () => go(0));
by("end").addEventListener("click", () => go(states.length - 1));
by("help").addEventListener("click", help);
by("colours").addEventListener("click", () => colours(!root.classList.contains("four")));
by("scrub").addEventListener("input", (event) => go(Number(event.target.value)));
by("seat").addEventListener("change", (event) => look(event.target.value));
by("moves").addEventListener("click", (event) => {
  const line = event.target.closest("li");
  if (!line || !states.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(line.value);
});

root.classList.add("ready");
try { colours(localStorage.getItem("four-colours") === "1"); } catch { /* storage may be switched off */ }
look(root.dataset.seat);
