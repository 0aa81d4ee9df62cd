"""Records that prove themselves: deal, start and dice come from the secret; the text of the docs says the same."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tavolino import BadRecord, Game, new
from tavolino.play.fairness import commitment, fair_part, joint_seed, terms_of, verify

SECRET = "00112233445566778899aabbccddeeff"
TABLES = [
    ("face-to-face", 2, {}),
    *(("orma", players, options) for players in (2, 3, 4, 5) for options in ({}, {"spare_blacks": 2})),
    *(("out-of-sock", players, {}) for players in (2, 3, 4)),
    ("out-of-sock", 2, {"sock_values": [2, 4, 6, 8, 8, 8]}),
    ("out-of-sock", 3, {"basket": "plain"}),
]


def played(
    key: str, players: int, options: dict[str, Any], shares: list[str | None] | None = None, bound: bool = True
) -> tuple[Game, dict[str, Any]]:
    game, rng = new(key, players, joint_seed(SECRET, shares), **options), random.Random(1)
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    terms = terms_of(game.setup) if shares is not None and bound else None
    return game, game.record() | {"fair": fair_part(SECRET, True, shares, terms=terms)}


def some_shares(players: int) -> list[str | None]:
    """Return the shares of a table whose last seat is a bot's."""
    return [*(commitment(str(seat)) for seat in range(players - 1)), None]


@pytest.mark.parametrize(("key", "players", "options"), TABLES)
def test_a_fair_game_is_proved(key: str, players: int, options: dict[str, Any]) -> None:
    game, record = played(key, players, options)
    assert verify(record).moves == game.moves
    assert verify(record, commitment(SECRET).upper()).winners == game.winners
    game, record = played(key, players, options, some_shares(players))
    assert verify(record, record["fair"]["commitment"]).winners == game.winners
    with pytest.raises(BadRecord, match="the options or who starts are not those"):
        verify(record, commitment(SECRET))
    for name in options:  # another option, and all that follows from it
        other = new(key, players, joint_seed(SECRET, some_shares(players))).record()
        assert name not in other["options"]
        with pytest.raises(BadRecord, match="SHA-256"):
            verify(other | {"fair": record["fair"]})
    with pytest.raises(BadRecord, match="SHA-256"):
        verify(record | {"fair": record["fair"] | {"first_drawn": False}})


@pytest.mark.parametrize(("key", "players", "options"), TABLES)
def test_the_docs_compute_the_same(key: str, players: int, options: dict[str, Any]) -> None:
    """What docs/fairness.md shows is all a stranger needs."""
    text = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    written: dict[str, Any] = {}
    exec(found[1], written)
    some = some_shares(players)
    for shares, bound in ((None, False), (some, False), (some, True)):  # the last as it is now, the others as they were
        _, record = played(key, players, options, shares, bound)
        assert ("terms" in record["fair"]) is bound
        verify(record)
        assert written["fingerprint"](record) == record["fair"]["commitment"]
        assert written["deal"](record) == record["deal"]
        if key == "out-of-sock" and options.get("basket") != "plain":
            assert written["dice"](record) == [word for word in record["moves"] if word.startswith("roll:")]


def test_whatever_was_changed_is_found() -> None:
    _, record = played("out-of-sock", 2, {})
    other = new("out-of-sock", 2, "another", first=record["first"]).record()
    roll = next(i for i, word in enumerate(record["moves"]) if word.startswith("roll:"))
    wrong = record["moves"].copy()
    wrong[roll] = "roll:2,3,4" if wrong[roll] != "roll:2,3,4" else "roll:2,3,5"
    cut = {"moves": wrong[: roll + 1], "scores": None, "winners": None}
    cases: list[tuple[dict[str, Any], str]] = [
        ({"fair": {}}, "fair.secret is missing"),
        ({"fair": fair_part("another", True) | {"commitment": commitment(SECRET)}}, "SHA-256"),
        ({"fair": fair_part("another", True)}, "the secret"),
        ({"deal": other["deal"], "moves": [], "scores": None, "winners": None}, "the cards are not"),
        ({**cut}, "according to the secret, the dice are"),
    ]
    for change, words in cases:
        with pytest.raises(BadRecord, match=words):
            verify(record | change)
    with pytest.raises(BadRecord, match="SHA-256"):
        verify(record, commitment("what I noted"))


def test_who_starts_comes_from_the_secret_unless_the_match_says() -> None:
    game = new("orma", 3, SECRET)
    swapped = new("orma", 3, SECRET, first=(game.first + 1) % 3).record()
    with pytest.raises(BadRecord, match=f"according to the secret, seat {game.first} starts"):
        verify(swapped | {"fair": fair_part(SECRET, True)})
    assert verify(swapped | {"fair": fair_part(SECRET, False)}).first == (game.first + 1) % 3
