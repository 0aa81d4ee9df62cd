"""A game's texts by language: the rules in words, and a sentence for each event, offer and refusal.

They are in the folder `text` of the game: `rules.en.md`, and `words.en.md` with lines such as
`- refused.one_gift: only one card per turn may go on the opponent's piles`. In a sentence, `{card}` stands for a value
and `{n:card|cards}` for the word that fits a number.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tavolino.engine.contract import Refusal
from tavolino.engine.registry import GameFolder

LANGUAGES = ("en", "it", "es")
_LINE = re.compile(r"- ([\w.@:+-]+): (.+)$")
_PLACE = re.compile(r"\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}")


def _read(folder: Path, name: str) -> str | None:
    file = folder / "text" / name
    return file.read_text(encoding="utf-8") if file.is_file() else None


@cache
def rules_text(folder: Path, language: str) -> str:
    """Return the rules of the game in a folder, as Markdown: in a language, else in English, else nothing."""
    return _read(folder, f"rules.{language}.md") or _read(folder, "rules.en.md") or ""


def sentences_in(text: str) -> Mapping[str, str]:
    """Return the sentences of a file, by key."""
    lines = text.split("\n")
    return {match.group(1): match.group(2) for line in lines if (match := _LINE.match(line.strip()))}


@cache
def own_words(game: GameFolder, language: str) -> Mapping[str, str]:
    """Return the sentences that a game has in a language, by key."""
    return sentences_in(_read(game.folder, f"words.{language}.md") or "")


@cache
def words(game: GameFolder, language: str) -> Mapping[str, str]:
    """Return a game's sentences in a language, by key; English for those that it lacks."""
    return {**own_words(game, "en"), **own_words(game, language)}


def fill(sentence: str, values: Mapping[str, Any]) -> str:
    """Put values into the placeholders of a sentence.

    >>> fill("{name} draws {n} {n:card|cards}", {"name": "Zoe", "n": 1})
    'Zoe draws 1 card'
    """

    def put(place: re.Match[str]) -> str:
        name, one, many = (place.group(i) for i in (1, 2, 3))
        value = values.get(name, place.group(0))
        return str(value) if one is None else one if value == 1 else many

    return _PLACE.sub(put, sentence)


def say(game: GameFolder, key: str, values: Mapping[str, Any], language: str = "en") -> str:
    """Return the sentence of a key; if the game has none, the last part of the key, spelled out."""
    sentence = words(game, language).get(key)
    return fill(sentence, values) if sentence else key.rpartition(".")[2].replace("_", " ")


def refused(game: GameFolder, refusal: Refusal, language: str = "en") -> str:
    """Say why a move is refused, and by which clauses."""
    clauses = f" ({', '.join(refusal.clauses)})" if refusal.clauses else ""
    return say(game, f"refused.{refusal.code}", refusal.values, language) + clauses
