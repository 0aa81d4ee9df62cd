"""Prove that nobody chose the chance of a game: docs/fairness.md has the protocol and the argument.

All chance comes from one seed. At a table of a server, the seed is made of the server's secret and a share of each
browser; each of them is fixed by its SHA-256 before any other is known.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import json

from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.records import BadRecord, replay
from tavolino.play.setup import Setup, read_setup

Shares = Sequence[str | None]
"""One share per seat: 64 hex digits; None for a seat that brings none, such as a bot's."""
SHARE = "[0-9a-f]{64}"
NONE = "-"
"""What stands for the share, or the seal, of a seat that brings none."""


def commitment(secret: str) -> str:
    """Return the SHA-256 of a text, in hex: what binds its owner without telling it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def joint_seed(secret: str, shares: Shares | None) -> str:
    """Return the seed of a game: HMAC-SHA256 of all shares in seat order, keyed by the secret; or the bare secret.

    `shares` is None where no seat brought one. No two lists of shares give the same message.

    >>> joint_seed("s", None)
    's'
    >>> joint_seed("s", ["0" * 64, None]) == joint_seed("s", [None, "0" * 64])
    False
    """
    if shares is None:
        return secret
    message = "tavolino/2:shares:" + ",".join(share or NONE for share in shares)
    return hmac.digest(secret.encode(), message.encode(), hashlib.sha256).hex()


def terms_of(setup: Setup) -> dict[str, Any]:
    """Return what is played, as a fingerprint binds it: the game, the seats, every option, and who starts.

    `first` is None where chance decides who starts.
    """
    return {"game": setup.key, "seats": setup.players, "options": setup.options, "first": setup.first}


def canonical(value: Any) -> str:
    """Return the one way to write a value as JSON: keys in order, no spaces.

    >>> canonical({"b": [1, "x"], "a": None})
    '{"a":null,"b":[1,"x"]}'
    """
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.encode(value).decode()


def fingerprint(promise: str, seals: Shares | None, terms: Mapping[str, Any] | None = None) -> str:
    """Return what binds everyone, in one value: the server's commitment, each seat's seal and the terms.

    `seals` has the SHA-256 of each share; without any, it is the server's commitment itself. Without `terms`
    (`terms_of`), it is of the form that did not bind them.
    """
    if seals is None:
        return promise
    parts = f"{promise}:{','.join(seal or NONE for seal in seals)}"
    return commitment(f"tavolino/2:deal:{parts}" if terms is None else f"tavolino/3:deal:{parts}:{canonical(terms)}")


def seals_of(shares: Shares | None) -> list[str | None] | None:
    """Return the seal of each share."""
    return None if shares is None else [None if share is None else commitment(share) for share in shares]


def fair_part(
    secret: str,
    first_drawn: bool,
    shares: Shares | None = None,
    seals: Shares | None = None,
    terms: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the part of a record that proves it; `first_drawn` says whether chance decided who starts.

    `seals` are those of all seats, where some were not opened: that game was lost before it was dealt. `terms` are
    those that the fingerprint binds.
    """
    seals = seals_of(shares) if seals is None else seals
    kept = fingerprint(commitment(secret), seals, terms)
    part: dict[str, Any] = {"secret": secret, "commitment": kept, "first_drawn": first_drawn}
    if shares is None or seals is None:
        return part
    withheld = {
        str(seat): seal
        for seat, (seal, share) in enumerate(zip(seals, shares, strict=True))
        if seal is not None and share is None
    }
    bound = {} if terms is None else {"terms": True}
    return part | {"shares": list(shares)} | bound | ({"withheld": withheld} if withheld else {})


def verify(record: Mapping[str, Any], shown: str | None = None) -> Game:
    """Return the game of a record if all its chance comes from its secret and shares; BadRecord says what does not.

    `shown` is the fingerprint that you kept from before the first move; by default, the one in the record. Your
    browser made it from the seals of all seats, its own among them: what fits it has your share in it.

    >>> secret = "0123456789abcdef0123456789abcdef"
    >>> shares = ["a" * 64, None]
    >>> game = new(KEY, 2, seed=joint_seed(secret, shares))
    >>> terms = terms_of(game.setup)
    >>> verify(game.record() | {"fair": fair_part(secret, True, shares, terms=terms)}).moves
    []
    """
    game = replay(record)
    fair = record.get("fair")
    if isinstance(record.get("practice"), Mapping):
        raise BadRecord("practice: this game was taken up from a position of another one, so its deal was not sealed")
    if not isinstance(fair, Mapping) or not isinstance(fair.get("secret"), str):
        raise BadRecord("fair.secret is missing: nothing in this record can prove its deal")
    secret, shares = fair["secret"], read_shares(fair.get("shares"), game.players)
    seals = _with_withheld(seals_of(shares), fair.get("withheld", {}))
    if seals != seals_of(shares) and game.moves:
        raise BadRecord("fair.withheld names seats that did not open their share, but moves were played")
    promised = fair.get("commitment") if shown is None else shown
    first = None if fair.get("first_drawn") else game.first
    terms = terms_of(read_setup(game.key, game.players, game.options, first)) if fair.get("terms") else None
    right = fingerprint(commitment(secret), seals, terms)
    if not isinstance(promised, str) or not hmac.compare_digest(promised.strip().lower().encode(), right.encode()):
        what = "the secret is not the one" if shares is None else "the secret and the shares are not those"
        what = what if terms is None else "the secret, the shares, the options or who starts are not those"
        raise BadRecord(f"{what} that the table had committed to: the SHA-256 is different")
    source = "the secret" if shares is None else "the secret and the shares"
    again = new(game.key, game.players, joint_seed(secret, shares), first=first, **game.options)
    if again.first != game.first:
        raise BadRecord(f"according to {source}, seat {again.first} starts, not seat {game.first}")
    if again.record()["deal"] != game.copy().record()["deal"]:
        raise BadRecord(f"the cards are not those that {source} deal{'s' if shares is None else ''}")
    for number, word in enumerate(game.moves):
        if number == len(again.moves):
            try:
                again.play(word)
            except IllegalMove as error:
                raise BadRecord(str(error), number, word) from None
        if again.moves[number] != word:
            raise BadRecord(f"according to {source}, the dice are {again.moves[number]}", number, word)
    return game


def shares_in(record: Mapping[str, Any]) -> int:
    """Return how many seats of a verified record brought a share of their own."""
    return sum(share is not None for share in record["fair"].get("shares") or ())


def read_shares(given: Any, players: int) -> list[str | None] | None:
    """Return the shares of a record, one for each seat, or None if it has none; BadRecord if they are no shares."""
    if given is None:
        return None
    right = isinstance(given, list) and len(given) == players
    if not right or any(one is not None and (type(one) is not str or not re.fullmatch(SHARE, one)) for one in given):
        raise BadRecord(f"fair.shares must list {players} shares, each 64 hex digits, or null for a seat without one")
    return list(given)


def _with_withheld(seals: list[str | None] | None, withheld: Any) -> list[str | None] | None:
    """Return the seals with those of the seats that did not open theirs."""
    if not withheld:
        return seals
    for seat, seal in withheld.items() if isinstance(withheld, Mapping) else (("", None),):
        known = seals is not None and seat in map(str, range(len(seals))) and seals[int(seat)] is None
        if seals is None or not known or type(seal) is not str or not re.fullmatch(SHARE, seal):
            raise BadRecord("fair.withheld must have the seal, 64 hex digits, of each seat that did not open its share")
        seals[int(seat)] = seal
    return seals
