// Two sockets a match, which lay a card whenever it is their turn: `node players.js PORT MATCHES SECONDS`.
// Prints the moves so far every two seconds after the first two, from `moves 0` on, and at the end what was counted, as JSON.
const { io } = require("socket.io-client");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
let moves = 0;
let bytes = 0;
let waits = [];

function play(match, seat) {
  const socket = io(`http://127.0.0.1:${port}/bench`, { transports: ["websocket"] });
  const id = `match-${match}`;
  let sent = 0;
  const go = (state) => {
    if (sent) {
      moves += 1;
      waits.push(performance.now() - sent);
      sent = 0;
    }
    if (state.ctx.currentPlayer !== seat) return;
    const payload = { type: "lay", args: [state.G.players[seat].hand[0]], playerID: seat, credentials: undefined };
    sent = performance.now();
    socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, id, seat);
  };
  socket.on("sync", (_, info) => go(info.state));
  socket.on("update", (_, state) => go(state));
  socket.on("connect", () => {
    socket.io.engine.on("packet", (packet) => (bytes += packet.data?.length ?? 0));
    socket.emit("sync", id, seat, undefined, 2);
  });
}

for (let match = 0; match < matches; match++) for (const seat of ["0", "1"]) play(match, seat);
setTimeout(() => {
  moves = bytes = 0;
  waits = [];
  console.log("moves 0");
  setInterval(() => console.log(`moves ${moves}`), 2000);
}, 2000);
setTimeout(() => {
  waits.sort((a, b) => a - b);
  const at = (part) => Math.round(100 * waits[Math.floor(part * waits.length)]) / 100;
  console.log(`moves ${moves}`);
  console.log(JSON.stringify({ moves, ms_p50: at(0.5), ms_p99: at(0.99), bytes_per_move: Math.round(bytes / moves) }));
  process.exit(0);
}, 2000 + 1000 * seconds);
