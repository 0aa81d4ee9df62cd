"""Prove that a game was dealt from the secret that its table had committed to: docs/fairness.md."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.records import BadRecord, replay


def commitment(secret: str) -> str:
    """Return what a table shows before the first move: SHA-256 of the secret's text, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fair_part(secret: str, first_drawn: bool) -> dict[str, Any]:
    """Return the part of a record that proves it; `first_drawn` says whether the secret decided who starts."""
    return {"secret": secret, "commitment": commitment(secret), "first_drawn": first_drawn}


def verify(record: Mapping[str, Any], shown: str | None = None) -> Game:
    """Return the game of a record if its deal and dice all come from its secret; BadRecord says what does not.

    `shown` is the commitment you noted before the first move; by default, the one in the record.

    >>> game = new(KEY, seed="0123456789abcdef0123456789abcdef")
    >>> record = game.record() | {"fair": fair_part("0123456789abcdef0123456789abcdef", True)}
    >>> verify(record).moves
    []
    """
    game = replay(record)
    fair = record.get("fair")
    if not isinstance(fair, Mapping) or not isinstance(fair.get("secret"), str):
        raise BadRecord("fair.secret is missing: nothing in this record can prove its deal")
    secret = fair["secret"]
    promised = fair.get("commitment") if shown is None else shown
    if not isinstance(promised, str) or not hmac.compare_digest(promised.lower().encode(), commitment(secret).encode()):
        raise BadRecord("the secret is not the one that the table had committed to: its SHA-256 is different")
    first = None if fair.get("first_drawn") else game.first
    again = new(game.key, game.players, secret, first=first, **game.options)
    if again.first != game.first:
        raise BadRecord(f"according to the secret, seat {again.first} starts, not seat {game.first}")
    if again.record()["deal"] != game.copy().record()["deal"]:
        raise BadRecord("the cards are not those that the secret deals")
    for number, word in enumerate(game.moves):
        if number == len(again.moves):
            try:
                again.play(word)
            except IllegalMove as error:
                raise BadRecord(str(error), number, word) from None
        if again.moves[number] != word:
            raise BadRecord(f"according to the secret, the dice are {again.moves[number]}", number, word)
    return game
