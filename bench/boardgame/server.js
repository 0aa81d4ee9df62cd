// boardgame.io's server, in memory, with the smallest game for two that has something to hide: each seat holds cards,
// lays one, draws one. Prints its port when clients can come.
const { Server, Origins } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const game = {
  name: "bench",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({
    piles: [0, 0],
    laid: [0, 0],
    players: { 0: { hand: [1, 2, 3, 4, 5, 6] }, 1: { hand: [1, 2, 3, 4, 5, 6] } },
  }),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    lay: ({ G, playerID }, card) => {
      const { hand } = G.players[playerID];
      hand.splice(hand.indexOf(card), 1);
      hand.push(1 + ((card * 7 + G.laid[playerID]) % 58));
      G.piles[playerID] = card;
      G.laid[playerID] += 1;
    },
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run({ port: 0, host: "127.0.0.1" }).then(({ appServer }) => {
  console.log(`port ${appServer.address().port}`);
});
