// A bot without the SDK: plays the legal move that gives the least away.
const readline = require("node:readline");

const RANKS = "23456789TJQKA";
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

function cost(move, trumps) {
  if (move.move === "take") return 1000;
  const worth = (card) => RANKS.indexOf(card[0]) + (trumps.includes(card[1]) ? 20 : 0);
  return (move.cards ?? []).reduce((sum, card) => sum + worth(card), 0);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready" });
  if (message.type === "turn") {
    const [best] = message.legal.sort((a, b) => cost(a, message.trump) - cost(b, message.trump));
    say({ type: "move", turn: message.turn, ...best });
  }
  if (message.type === "match_over") process.exit(0);
});
