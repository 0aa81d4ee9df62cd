"""Every game, number of players and option that the conformance tests run over, and random games of them."""

import random
from dataclasses import dataclass, field
from typing import Any

import tavolino


@dataclass(frozen=True)
class Case:
    """A game as it can be set up."""

    key: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.key, str(self.players), *(f"{k}={v}".replace(" ", "") for k, v in self.options.items())])

    def new(self, seed: int | str) -> tavolino.Game:
        return tavolino.new(self.key, self.players, seed, **self.options)


CASES = [
    *(Case("out-of-sock", n, {"basket": basket}) for n in (2, 3, 4) for basket in ("aimed", "plain", "table")),
    *(Case("out-of-sock", n, {"sock_values": [8, 2, 6, 4, 8, 8]}) for n in (2, 4)),
    Case("face-to-face", 2),
    Case("face-to-face", 2, {"first": 1}),
    *(Case("orma", n) for n in (2, 3, 4, 5)),
    *(Case("orma", n, {"spare_blacks": spare}) for n in (2, 3, 4, 5) for spare in (0, 2, 11 - n)),
]
IDS = [str(case) for case in CASES]


def random_move(game: tavolino.Game, rng: random.Random) -> str:
    """Choose a legal move; dice typed in by people are rolled as real ones would fall."""
    legal = game.legal_moves
    if legal[0] == "roll:":
        return "roll:" + ",".join(map(str, sorted(rng.randint(2, 7) for _ in range(8) if rng.random() < 0.5)))
    return rng.choice(legal)


def play_on(game: tavolino.Game, rng: random.Random, moves: int = 10_000) -> tavolino.Game:
    """Play random moves, to the end or so many."""
    for _ in range(moves):
        if game.over:
            break
        game.play(random_move(game, rng))
    return game
