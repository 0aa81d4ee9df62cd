"""The review of a finished game over HTTP: it grows, it is kept, and nobody sees one of a game that goes on."""

import asyncio
import sys
import time
from typing import Any

import pytest

from tavolino.server.reviews import Reviews
from tests.server.test_tables import People, play_on, two_at


def test_a_finished_game_is_reviewed_in_slices(people: People) -> None:
    """It is open to anyone who may see the replay; the curve grows until the review is there."""
    table, sockets, seen = two_at(people, "orma")
    http = people("Eve").http
    address = f"/api/tables/{table}/games/0/review"
    refused = http.get(address)
    assert (refused.status_code, refused.json()["reason"]) == (409, "still_played")
    play_on(sockets, seen)
    first = http.get(address).json()
    assert first == {"done": 0.0, "curve": [], "review": None, "tries": first["tries"]}
    so_far: dict[str, Any] = first
    lengths = [0]
    end = time.monotonic() + 240
    while so_far["review"] is None and time.monotonic() < end:
        time.sleep(0.1)
        so_far = http.get(address).json()
        assert len(so_far["curve"]) >= lengths[-1]
        lengths.append(len(so_far["curve"]))
    record = http.get(f"/api/tables/{table}/games/0/record").json()
    review = so_far["review"]
    assert [step["word"] for step in review["steps"]] == record["moves"]
    assert so_far["done"] == 1.0
    assert so_far["curve"] == review["curve"]
    assert len(set(lengths)) > 2, "it came in slices"
    for one in review["account"]:
        parts = one["start"] + sum(one[name]["value"] for name in ("own_errors", "others_errors", "luck"))
        assert parts == pytest.approx(one["end"])
    assert http.get(address).json() == so_far
    assert http.get(f"/api/tables/{table}/games/1/review").status_code == 404


def test_a_review_that_cannot_start_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine has no room for another process, whoever asks later gets a review all the same."""
    monkeypatch.setattr(sys, "executable", "/there/is/no/such/program")

    async def ask_twice() -> None:
        reviews, name = Reviews(tries=1), ("table", 0, False)
        first = reviews.of(name, {})
        await reviews._working[name]
        assert reviews.of(name, {}) is not first, "it goes on waiting for a process that never was"
        await reviews._working[name]

    asyncio.run(ask_twice())
