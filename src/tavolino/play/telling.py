"""What happened, as each seat may hear it: games tell everything, and secrets are filtered here."""

from collections.abc import Iterable
from typing import Any


def events_for(events: Iterable[dict[str, Any]], seat: int | None) -> list[dict[str, Any]]:
    """Return events as a seat may hear them: with its own secrets, without those of others; None is a spectator.

    >>> drawn = {"type": "token_drawn", "seat": 1, "stack": 9, "secret": {"seat": 1, "colour": "red"}}
    >>> events_for([drawn], 1)
    [{'type': 'token_drawn', 'seat': 1, 'stack': 9, 'colour': 'red'}]
    >>> events_for([drawn], None)
    [{'type': 'token_drawn', 'seat': 1, 'stack': 9}]
    """
    told = []
    for event in events:
        secret = event.get("secret")
        if secret is None:
            told.append(event)
            continue
        open_part = event.copy()
        del open_part["secret"]
        told.append({**open_part, **secret} if secret["seat"] == seat else open_part)
    return told


def all_events(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events with all secrets, for a game that is over."""
    told = []
    for event in events:
        secret = event.get("secret")
        told += events_for([event], secret["seat"] if secret else None)
    return told
