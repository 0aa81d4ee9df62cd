"""Bots that a server brings besides the levels: policies and networks as files, each with a name to choose it by."""

from collections.abc import Sequence
from dataclasses import dataclass

from tavolino.bots.players import LEVELS
from tavolino.bots.policy_files import SUFFIXES, game_of, is_policy_file, open_policy
from tavolino.engine.registry import GAMES
from tavolino.server.settings import clean_name


@dataclass(frozen=True)
class OwnBot:
    """A bot that plays by a file."""

    name: str
    file: str
    game: str
    """The key of the only game it can play."""


def read_own_bots(given: Sequence[str]) -> tuple[OwnBot, ...]:
    """Return the bots of texts such as `Mine=mine.npz`; ValueError says which one is wrong, and why."""
    found: list[OwnBot] = []
    for text in given:
        wish, equals, file = text.partition("=")
        if not equals or not is_policy_file(file):
            raise ValueError(
                f"{text!r} is no bot: give a name and a file ({' or '.join(SUFFIXES)}), as in Mine=mine.npz"
            )
        name = clean_name(wish)
        if name in LEVELS:
            raise ValueError(f"{name!r} is a level: give {file} another name")
        if (game := game_of(file)) is None:
            raise ValueError(
                f"{file} does not say for which game it is: write the game's key into it (docs/your-own-bot.md)"
            )
        if game not in GAMES:
            raise ValueError(f"{file} is for {game!r}, and there is no such game here")
        if any((one.name, one.game) == (name, game) for one in found):
            raise ValueError(f"two bots for {GAMES[game].title} are called {name!r}: give one of them another name")
        open_policy(file, game)
        found.append(OwnBot(name, file, game))
    return tuple(found)


def file_of(bots: Sequence[OwnBot], game: str, name: str) -> str | None:
    """Return the file that a bot of this name plays a game by; None if the server has no such bot."""
    return next((one.file for one in bots if one.game == game and one.name == name), None)
