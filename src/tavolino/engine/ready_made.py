"""Functions that `people.py` of many games needs, ready-made: an author assigns them to the names of the contract."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tavolino.engine.contract import History, Offer, Plain, Refusal, one_of_each
from tavolino.engine.plain import bits

ReadDeal = Callable[[Any, int, dict[str, Any]], dict[str, Any]]
WriteDeal = Callable[[Plain], dict[str, Any]]
DealBehind = Callable[[Plain, Plain, int | None, History], dict[str, Any]]


def deal_of_digits(
    field: str, shape: tuple[int, int], most: int, **from_options: str
) -> tuple[ReadDeal, WriteDeal, DealBehind]:
    """Make `read_deal`, `write_deal` and `deal_behind` for a deal of one row of numbers per seat, from 1 to `most`.

    The state keeps the rows in a field of this shape for the whole game, and `redeal` leaves what the viewer has seen.
    `most` is at most 9: a record has each row as a text of digits. `from_options` names the fields of the state that an
    option sets, such as `dice="dice"`.
    """
    seats, length = shape

    def read_deal(data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
        rows = one_of_each(data, field)[field]
        if not isinstance(rows, list) or len(rows) != players or not all(_is_row(row) for row in rows):
            raise ValueError(
                f"deal.{field} must be a list of {players} texts, each of {length} digits from 1 to {most}"
            )
        numbers = [[int(digit) for digit in row] for row in rows] + [[0] * length] * (seats - players)
        return {field: numbers, **{name: options[option] for name, option in from_options.items()}}

    def _is_row(row: Any) -> bool:
        return isinstance(row, str) and len(row) == length and re.match(f"[1-{most}]*$", row) is not None

    def write_deal(t: Plain) -> dict[str, Any]:
        return {field: ["".join(map(str, row)) for row in getattr(t, field)[: t.seats]]}

    def deal_behind(t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
        return write_deal(t)

    return read_deal, write_deal, deal_behind


def no_deal() -> tuple[ReadDeal, WriteDeal, DealBehind]:
    """Make `read_deal`, `write_deal` and `deal_behind` for a game that deals nothing: all chance is in the open."""

    def read_deal(data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
        return one_of_each(data)

    def write_deal(t: Plain) -> dict[str, Any]:
        return {}

    def deal_behind(t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
        return {}

    return read_deal, write_deal, deal_behind


def offers_from(words: Mapping[int, str], offer: Callable[[Plain, int], Offer]) -> Callable[[Plain], list[Offer]]:
    """Make `offers` from a function that says of one legal action what would follow."""

    def offers(t: Plain) -> list[Offer]:
        return [{"word": words[action], **offer(t, action)} for action in legal_actions(t)]

    return offers


def legal_actions(t: Plain) -> list[int]:
    """Return the legal actions of a state, ascending."""
    return [64 * i + bit for i, mask in enumerate(t.legal) for bit in bits(mask)]


def slip_like(pattern: str, refusal: Refusal) -> Callable[[str], Refusal | None]:
    """Make `slip`: a word like this pattern that is no move is refused so."""
    return lambda word: refusal if re.match(f"({pattern})$", word) else None


def settled_by_chance(before: Plain, after: Plain) -> bool:
    """Let a move be taken back until chance brings something, or the game is over: `settled` for many games."""
    return bool(before.player < 0 or after.player < 0)
