"""Who is here and who is away."""

import asyncio
from typing import Any

import pytest

from tavolino.server.entries import Began, Opened, Sat, Sealed, Sealing
from tavolino.server.presence import PresenceTracker
from tavolino.server.settings import ClockSettings, TableSettings
from tavolino.server.table import Table


@pytest.mark.parametrize(
    ("clock", "patience"),
    [(None, 60), (ClockSettings("bank", 300), 60), (ClockSettings("move", 5), 5), (ClockSettings("move", 180), 180)],
)
def test_who_is_away_may_be_replaced_after_the_time_of_a_move(
    clock: ClockSettings | None, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where moves have no time of their own, after a minute."""
    now = 1000.0
    monkeypatch.setattr("tavolino.server.presence.time.monotonic", lambda: now)

    async def story() -> None:
        nonlocal now
        table = Table.open("A" * 16, Opened(TableSettings("face-to-face", ["me", "open"], clock=clock), "ada", "Ada"))
        table.apply(Sat(1, "bob", "Bob"), 1)
        table.apply(Began("0" * 32), 1)
        told: list[Any] = []
        here = PresenceTracker(table, set(), lambda *_: None, told.append, away=60.0, share_seconds=60.0)
        here.left({"bob"})
        now += patience - 1
        assert not here.may_replace(1, {"ada"})
        now += 2
        assert here.may_replace(1, {"ada"})
        assert not here.may_replace(1, {"ada", "bob"})  # back again

    asyncio.run(story())


def test_who_is_here_and_brings_no_share_may_be_replaced_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time begins anew when all have sealed, and when nothing could be stored; who has done their part has time."""
    now = 5_000
    monkeypatch.setattr("tavolino.server.presence.service_ms", lambda: now)

    async def story() -> None:
        nonlocal now
        table = Table.open("A" * 16, Opened(TableSettings("face-to-face", ["me", "open"]), "ada", "Ada", True))
        here = PresenceTracker(table, set(), lambda *_: None, lambda _: None, away=3600.0, share_seconds=60.0)

        def late() -> list[bool]:
            return [here.may_replace(seat, {"ada", "bob"}) for seat in range(2)]

        table.apply(Sat(1, "bob", "Bob", True), 1)
        table.apply(Sealing("0" * 64, terms=True), 1)
        here.ask()
        now += 59_000
        table.apply(Sealed([0], "1" * 64), 1)
        here.ask()
        assert late() == [False, False]
        now += 1_000
        assert late() == [False, True]
        table.apply(Sealed([1], "2" * 64), 1)
        assert late() == [False, False]
        here.ask()
        now += 60_000
        assert late() == [True, True]
        here.ask(again=True)
        assert late() == [False, False]
        here.close()

    asyncio.run(story())
