"""Advice as data: a move, the chance of winning with it, and why; and the sentence for each reason.

All games share the sentences in the folder `words`; a game's own `text/words.en.md` may have better ones.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tavolino.engine.registry import GameFolder
from tavolino.play import text

SHARED = Path(__file__).parent / "words"


class Reason(NamedTuple):
    """Something that speaks for or against a move. The words of a game have a sentence for it: `reason.CODE`.

    The codes and their values are in docs/bots.md. Shares are whole percents of the worlds that were looked at.
    """

    code: str
    values: Mapping[str, Any] = {}


class Advice(NamedTuple):
    """A move and the mover's chance of winning with it, against equals."""

    move: str
    chance: float
    low: float
    """The lower end of the 95 % interval of the chance."""
    high: float
    reasons: list[Reason]
    """The most telling first; none for a move that was hardly looked at."""


@cache
def shared_words(language: str) -> Mapping[str, str]:
    """Return the sentences that all games share, by key."""
    file = SHARED / f"{language}.md"
    return text.sentences_in(file.read_text(encoding="utf-8")) if file.is_file() else {}


@cache
def all_words(game: GameFolder, language: str) -> Mapping[str, str]:
    """Return the sentences of a game and those that all share, by key; English for what a language lacks."""
    return {**shared_words("en"), **shared_words(language), **text.words(game, language)}


def reasons_told(game: GameFolder, reasons: Sequence[Reason], names: Sequence[str], language: str = "en") -> list[str]:
    """Return the sentences for those reasons that people can be told.

    Of an event the game must have a sentence: its code is a program's word.
    """
    words = all_words(game, language)
    keys = [f"reason.{one.code}.{one.values['event']}" if "event" in one.values else "" for one in reasons]
    told = [one for one, key in zip(reasons, keys, strict=True) if not key or key in words]
    return [reason_text(game, one, names, language) for one in told]


def reason_text(game: GameFolder, reason: Reason, names: Sequence[str], language: str = "en") -> str:
    """Return the sentence for a reason, with the players' names."""
    values: dict[str, Any] = {
        name: int(value) if isinstance(value, float) and value.is_integer() else value  # 3 cards, not 3.0
        for name, value in reason.values.items()
    }
    if "seat" in values:
        values["seat"] = names[values["seat"]]
    if "words" in values:
        values["words"] = ", ".join(values["words"])
    own = f"reason.{reason.code}.{values.get('event')}"
    words = all_words(game, language)
    sentence = words.get(own) or words.get(f"reason.{reason.code}", reason.code)
    if "event" in values:
        values["event"] = values["event"].replace("_", " ")
    return text.fill(sentence, values)
