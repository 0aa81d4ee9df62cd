"""People's pace at a server's tables, as a study uses it: from the times in the log, of people's moves alone."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.server import pace
from tavolino.server.entries import AnyEntry, Began, Moved, Opened
from tavolino.server.pace import pace_at
from tavolino.server.settings import TableSettings
from tavolino.server.store import Row, Store

KEY = "out-of-sock"
CHOICE, FORCED, BOT = 5.0, 1.0, 0.5


def log_of(table: str, away: int | None = None) -> tuple[list[Row], int, int]:
    """Return the log of a game of a person and a bot, and how many decisions and other moves the person made."""
    game = tavolino.new(KEY, 2, "secret", first=0)
    opened = Opened(TableSettings(KEY, ["me", "bot:easy"], game.options), "ann", "Ann")
    rows: list[tuple[float, AnyEntry]] = [(0.0, opened), (1.0, Began("secret", 0))]
    clock, decisions, forced, bot = 1.0, 0, 0, builtin("easy")
    while (seat := game.to_move) is not None:
        choice, before = len(game.legal_moves) > 1, len(game.moves)
        game.play(bot.choose(Position(game, seat, str(before))))
        clock += BOT if seat else CHOICE if choice else FORCED
        if seat == 0:
            decisions, forced = decisions + choice, forced + (not choice)
            if decisions == away and choice:
                clock += 10_000  # left for a walk
        rows.append((clock, Moved(seat, game.moves[before:], by="bot" if seat else "")))
    made = [
        Row(table, i, round(1000 * at), entry, None, "ann" if i == 0 else None) for i, (at, entry) in enumerate(rows)
    ]
    return made, decisions, forced


def stored(file: Path, *logs: list[Row]) -> None:
    async def store() -> None:
        kept = Store(file)
        await kept.start()
        for rows in logs:
            await kept.append(rows[:1], listed=False)
            await kept.append(rows[1:])
        await kept.close()

    asyncio.run(store())


def test_it_is_that_of_peoples_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions and other moves apart; neither a bot's moves nor those of someone who was away count."""
    (one, decisions, forced), (two, *_) = log_of("a"), log_of("b", away=3)
    stored(tmp_path / "tables.sqlite", one, two)
    monkeypatch.setattr(pace, "LEAST", 10)
    found: Any = pace_at(str(tmp_path / "tables.sqlite"), KEY)
    assert found.choice == pytest.approx(CHOICE)
    assert found.forced == pytest.approx(FORCED)
    assert found.moves == 2 * (decisions + forced) - 1
    assert pace_at(str(tmp_path / "tables.sqlite"), "orma") is None, "another game"
    monkeypatch.setattr(pace, "LEAST", 10_000)
    assert pace_at(str(tmp_path / "tables.sqlite"), KEY) is None, "too few"


def test_without_tables_there_is_none(tmp_path: Path) -> None:
    """A file that is not there is not made; one that is no database is told."""
    assert pace_at(str(tmp_path / "none.sqlite"), KEY) is None
    assert not (tmp_path / "none.sqlite").exists()
    (tmp_path / "text").write_text("no database, " * 100)
    with pytest.raises(RuntimeError, match="cannot be read"):
        pace_at(str(tmp_path / "text"), KEY)
