"""Broken input: options, records and words of any kind give a clear error, never a crash."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tavolino
from tavolino.engine.registry import GAMES
from tests.cases import Case, play_on

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = [game["key"] for game in tavolino.games()]
NAMES = ["basket", "sock_values", "spare_blacks", "starts", "", "First"]
RECORDS = [
    play_on(case.new(seed), random.Random(seed), moves).record()
    for case in (Case("out-of-sock", 3), Case("face-to-face", 2), Case("orma", 4), Case("orma", 2, {"spare_blacks": 2}))
    for seed, moves in ((1, 10_000), (2, 25))
]


@settings(max_examples=300, deadline=None)
@given(
    key=st.sampled_from(KEYS),
    players=JSON,
    first=JSON,
    options=st.dictionaries(st.sampled_from(NAMES), JSON, max_size=2),
)
def test_any_options(key: str, players: Any, first: Any, options: dict[str, Any]) -> None:
    """A game is made, or a ValueError names what is wrong."""
    try:
        game = tavolino.new(key, players, 1, first=first, **options)
    except ValueError as error:
        assert any(str(part) in str(error) for part in ("players", "first", "option", "must be"))
    else:
        assert game.legal_moves


@settings(max_examples=100, deadline=None)
@given(word=JSON)
def test_any_word(word: Any) -> None:
    """A word that is none is an IllegalMove that shows how moves are written."""
    game = tavolino.new("orma", seed=1)
    before = game.record()
    with pytest.raises(tavolino.IllegalMove, match="moves are written"):
        game.play(word)
    assert game.record() == before


def paths(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [here, *(path for key, value in inner for path in paths(value, (*here, key)))]


@settings(max_examples=600, deadline=None)
@given(data=st.data())
def test_any_damage_to_a_record(data: st.DataObject) -> None:
    """A record with any part replaced, removed or doubled replays legally or is a BadRecord with a reason."""
    record = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from([p for p in paths(record) if p]))
        holder = record
        for key in path[:-1]:
            holder = holder[key]
        how = data.draw(st.sampled_from(["replace", "remove", "double", "swap"]))
        if how == "replace":
            holder[path[-1]] = data.draw(JSON | st.sampled_from(["end", "draw", "keep", "u4", "shake:2", "roll:2,2"]))
        elif how == "remove":
            del holder[path[-1]]
        elif how == "double" and isinstance(holder, list):
            holder.insert(path[-1], holder[path[-1]])
        elif isinstance(holder, list) and len(holder) > 1:
            holder[path[-1]], holder[0] = holder[0], holder[path[-1]]
        if not isinstance(record, dict):
            break
    try:
        game = tavolino.replay(record)
    except tavolino.BadRecord as error:
        assert len(str(error)) > 10
        assert error.move is None or 0 <= error.move < len(record["moves"])
    else:
        again = tavolino.replay(json.loads(json.dumps(game.record())))
        assert again._states.tobytes() == game._states.tobytes()


@settings(max_examples=60, deadline=None)
@given(record=JSON)
def test_anything_as_a_record(record: Any) -> None:
    """Whatever is no record is a BadRecord."""
    with pytest.raises(tavolino.BadRecord):
        tavolino.replay(record)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "tavolino/2"}, "format must be 'tavolino/1', not 'tavolino/2'"),
        ({"game": "chess"}, f"no game 'chess'; there are {', '.join(GAMES)}"),
        ({"seats": 3}, "The Game: Face to Face is for 2 players, not 3"),
        ({"seats": "2"}, "seats must be a whole number, not '2'"),
        ({"first": 2}, "first must be a seat from 0 to 1, not 2"),
        ({"options": {"basket": "plain"}}, "has no option 'basket'; it has first"),
        ({"options": {"first": 1}}, "options.first says 1, but first is 0"),
        ({"deal": {}}, "deal must be an object with exactly: decks"),
        (
            {"deal": {"decks": [[2] * 58, list(range(2, 60))]}},
            r"deal.decks\[0\] must hold each of the cards 2 to 59 once",
        ),
        ({"moves": "end"}, "moves must be a list"),
        ({"moves": ["u2", "u3", "x"]}, r"move 3 \('x'\): 'x' is not a move of The Game: Face to Face"),
        ({"moves": ["u2", "u2"]}, r"move 2 \('u2'\): 2 is not in your hand"),
        ({"moves": ["u2", 3]}, r"move 2 \('3'\): 3 is not a move"),
        ({"moves": ["u2", "end"]}, r"move 2 \('end'\): a turn takes at least 2 cards, 1 laid so far \(F4.1\)"),
        ({"winners": [0]}, "winners is \\[0\\], but the game is not over after move 2"),
        ({"scores": [3, 0]}, r"scores must be \[2, 0\], not \[3, 0\]"),
    ],
)
def test_a_bad_record_says_what_is_wrong(change: dict[str, Any], says: str) -> None:
    """The message names the place and what would be right."""
    record = {
        "format": "tavolino/1",
        "game": "face-to-face",
        "seats": 2,
        "options": {},
        "first": 0,
        "deal": {"decks": [list(range(2, 60)), list(range(59, 1, -1))]},
        "moves": ["u2", "u3"],
        "scores": [2, 0],
        "winners": None,
    }
    assert tavolino.replay(record).moves == ["u2", "u3"]
    with pytest.raises(tavolino.BadRecord, match=says):
        tavolino.replay({**record, **change})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "Orma"}, f"no game 'Orma'; there are {', '.join(GAMES)}"),
        ({"game": "orma", "players": 6}, "Orma is for 2 to 5 players, not 6"),
        ({"game": "out-of-sock", "players": True}, "Out of Sock is for 2 to 4 players, not True"),
        ({"game": "orma", "first": 2}, "first must be a seat from 0 to 1, not 2"),
        ({"game": "orma", "spare_blacks": 10}, "spare_blacks must be 'mixed' or a whole number from 0 to 11 minus"),
        ({"game": "orma", "basket": "plain"}, "Orma has no option 'basket'; it has first, spare_blacks"),
        ({"game": "out-of-sock", "basket": "Plain"}, "basket must be 'aimed' or 'plain' or 'table', not 'Plain'"),
        ({"game": "out-of-sock", "sock_values": [2, 4]}, "sock_values must be six numbers, each 2, 4, 6 or 8"),
        ({"game": "out-of-sock", "sock_values": [2, 2, 2, 2, 2, 3]}, "sock_values must be"),
        ({"game": "orma", "seed": 1.5}, "seed must be a whole number or a string, not 1.5"),
    ],
)
def test_a_wrong_game_says_what_is_allowed(arguments: dict[str, Any], says: str) -> None:
    """The message says what there is instead."""
    with pytest.raises(ValueError, match=says):
        tavolino.new(**{"seed": 1, **arguments})


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0])
def test_a_wrong_seat(seat: Any) -> None:
    """A view is for a seat of this table or a spectator."""
    with pytest.raises(ValueError, match="seat must be from 0 to 1, or None"):
        tavolino.new("orma", seed=1).view(seat)
