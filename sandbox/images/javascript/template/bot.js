// A Durak bot that plays the lowest card it may. Your own idea goes into choose().
//
// The arena writes one JSON object a line to stdin and reads one JSON object a line from stdout.
// What you write with console.error() is your bot's log: only you can read it.
"use strict";

const RANKS = "23456789TJQKA";

/** How strong a card such as "8S" is: any trump beats any other card. */
function strength(card, trumps) {
  return RANKS.indexOf(card[0]) + (trumps.includes(card[1]) ? 100 : 0);
}

/** The strengths of a move's cards, ascending; empty for take and pass, which come without cards. */
function price(move, trumps) {
  return (move.cards ?? []).map((card) => strength(card, trumps)).sort((a, b) => a - b);
}

function compare(left, right) {
  const at = left.findIndex((value, i) => value !== right[i]);
  return at < 0 ? left.length - right.length : left[at] - (right[at] ?? -1);
}

/**
 * YOUR IDEA GOES HERE. `turn` is all that your seat can see (hand, table, trump, talon, hand_sizes, ...);
 * turn.legal holds every legal move: return one of them.
 */
function choose(turn) {
  const trumps = turn.trump; // suits, such as ["S"]
  const withCards = turn.legal.filter((move) => price(move, trumps).length > 0);
  if (withCards.length === 0) return turn.legal[0]; // take, or pass
  return withCards.sort((a, b) => compare(price(a, trumps), price(b, trumps)))[0];
}

function answer(message) {
  switch (message.type) {
    case "hello": // the rules, the seats, the clock
      return { type: "ready" };
    case "turn":
      return { type: "move", turn: message.turn, ...choose(message) };
    case "match_over":
      process.exit(0);
    default: // "deal" and "deal_over" want no answer, and later versions of the protocol may say more
      return null;
  }
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const reply = answer(JSON.parse(line));
  if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
});
