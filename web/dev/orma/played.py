"""Play many games of Orma in different ways and write what was laid: python web/dev/orma/played.py GAMES > played.txt.

One game a line: players, way of play, then two letters a laid token: its colour (k is black) and its place, A to L for
black tokens 0 to 11, a to y for rows 0 to 24. `src/games/orma/layout.test.ts` lays them out.
"""

import random
import sys

import tavolino

PLACES = {f"b{b}": "ABCDEFGHIJKL"[b] for b in range(12)} | {f"r{r}": chr(ord("a") + r) for r in range(25)}
LETTER = {"black": "k", "green": "g", "red": "r", "yellow": "y", "blue": "b", "violet": "v"}
WAYS = ("random", "greedy", "half", "laying", "bushy", "hoard")


def choose(rng: random.Random, game: tavolino.Game, way: str) -> str:
    """Pick a legal move in one way of play."""
    legal = game.legal_moves
    lays = [word for word in legal if "@" in word]
    rows = game.view(None)["rows"]
    if way == "half":
        way = rng.choice(("random", "greedy"))
    if not lays or way == "random":
        return rng.choice(legal)

    def points(word: str) -> int:
        colour, place = word.split("@")
        return 0 if colour == "black" else 1 if place[0] == "b" else rows[int(place[1:])]["length"] + 1

    if way == "laying":
        return rng.choice(lays)
    if way == "greedy":
        best = max(map(points, lays))
        return rng.choice([word for word in lays if points(word) == best])
    blacks = [word for word in lays if word.startswith("black")]
    starts = [word for word in lays if "@b" in word]
    if way == "bushy":
        return rng.choice(blacks + starts or lays)
    if longer := [word for word in lays if "@r" in word and word not in blacks]:
        return rng.choice(longer)
    if starts and rng.random() < 0.3:
        return rng.choice(starts)
    least = rng.choice((4, 8, 11, 12))
    if long := [word for word in blacks if rows[int(word.split("@r")[1])]["length"] >= least]:
        return rng.choice(long)
    return rng.choice([word for word in legal if "@" not in word])


def play(seed: int) -> str:
    rng = random.Random(seed)
    players, way = 2 + seed % 4, WAYS[seed // 4 % len(WAYS)]
    options = {"spare_blacks": rng.randrange(12 - players)} if seed % 5 == 0 else {}
    game = tavolino.new("orma", players=players, seed=seed, **options)
    laid = ""
    while not game.over:
        word = choose(rng, game, way)
        colour, _, place = word.partition("@")
        if place:
            laid += LETTER[colour] + PLACES[place]
        game.play(word)
    return f"{players} {way} {laid}"


if __name__ == "__main__":
    for seed in range(int(sys.argv[1])):
        print(play(seed))
