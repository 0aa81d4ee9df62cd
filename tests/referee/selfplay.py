"""Random games, dealt and played by the referee alone."""

import random
from typing import Any

from tests.games.orma.referee import COLOURS, DEALT
from tests.games.out_of_sock.referee import PLACES, all_cards, roll_word
from tests.referee import referee


def shuffled(things: list[Any], rng: random.Random) -> list[Any]:
    """Copy a list in random order."""
    return rng.sample(things, len(things))


def random_deal(game: str, seats: int, options: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Deal by the rules."""
    if game == "out-of-sock":
        cards = shuffled(all_cards(options.get("sock_values", [2, 2, 4, 4, 6, 8])), rng)  # S2.1
        return {"decks": {str(place): [cards.pop() for _ in range(12)] for place in PLACES}}
    if game == "face-to-face":
        return {"decks": [shuffled(list(range(2, 60)), rng) for _ in range(2)]}  # F1.2
    spare = options.get("spare_blacks", "mixed")
    mixed = ["black"] * (11 - seats) if spare == "mixed" else []  # O1.2, O1.3
    tokens = shuffled(COLOURS * 12 + mixed, rng)
    hands = [["black"] + [tokens.pop() for _ in range(DEALT[seats])] for _ in range(seats)]  # O1.2
    if spare != "mixed":
        tokens = shuffled(tokens + ["black"] * spare, rng)  # O1.3
    return {"hands": hands, "stack": tokens}


def random_roll(chance: float, rng: random.Random) -> str:
    """Shake the basket: each of 8 dice falls out with this chance (S3.3)."""
    return roll_word([rng.choice(PLACES) for _ in range(8) if rng.random() < chance])


def random_record(game: str, seats: int, options: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Play one game of uniformly random legal words and return its record."""
    record: dict[str, Any] = {
        "format": "tavolino/1",
        "game": game,
        "seats": seats,
        "options": dict(options),
        "first": options.get("first", rng.randrange(seats)),
        "deal": random_deal(game, seats, options, rng),
        "moves": [],
    }
    game_now = referee(record)
    while not game_now.over:
        known = game_now.knowledge(None)
        if known.get("phase") == "roll":
            word = random_roll((known["aim"] or 4) / 8, rng)  # S3.3: 1/2 without an aim
        else:
            word = rng.choice(sorted(game_now.legal()))
        game_now.play(word)
        record["moves"].append(word)
    record["scores"] = game_now.scores
    record["winners"] = game_now.winners
    return record
