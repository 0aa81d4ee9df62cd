// The same player as json_bot.py, in JavaScript:
// tavolino arena face-to-face --bots "random,cmd:node examples/json_bot.mjs" --games 200
import { createInterface } from "node:readline";

// How far a move of Face to Face jumps ahead: less is better, and a step back is best.
function gap(view, move) {
  if (move === "end") return 1.5; // lay on only what costs less than this
  const mine = view.piles[view.seat];
  const theirs = view.piles[1 - view.seat];
  const card = Number(move.slice(1));
  switch (move[0]) {
    case "u": return card - mine.up;
    case "d": return mine.down - card;
    case "U": return theirs.up - card; // a gift: their gain is my loss
    default: return card - theirs.down;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type !== "move") continue; // "hello" before each game, "over" after it: nothing to do here
  const { id, view, legal_moves: moves } = message;
  let best = moves[0];
  if (view.game === "face-to-face") {
    best = moves.reduce((a, b) => (gap(view, b) < gap(view, a) ? b : a));
  }
  console.log(JSON.stringify({ id, move: best }));
}
