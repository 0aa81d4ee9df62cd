"""Kill -9 at any moment: what was acknowledged is there, at its place, once; bots and people go on by themselves."""

import asyncio
import random
from collections import Counter

from tavolino.server.entries import Moved
from tavolino.server.store import Row, Store
from tavolino.server.table import Table
from tests.server.databases import database, postgres  # noqa: F401
from tests.server.players import Player, playing, rest, seat_people
from tests.server.servers import PATIENCE, Server, Zygote

KILLS = 50


async def logs(database: str, tables: set[str]) -> dict[str, list[Row]]:  # noqa: F811
    """Return the logs, read from the database itself."""
    store = Store(database)
    await store.start()
    try:
        return {table: await store.load(table) for table in tables}
    finally:
        await store.close()


def fold(rows: list[Row]) -> Table:
    """Return the table of a log; every move in it must be legal."""
    assert [row.number for row in rows] == list(range(len(rows)))
    table = Table.open(rows[0].table, rows[0].entry)
    for row in rows[1:]:
        table.apply(row.entry, row.at, row.message)
    return table


def lost_and_doubled(player: Player, rows: list[Row]) -> tuple[int, int]:
    """Count the acknowledged moves that are not in the log at their place, and those that are there more than once."""
    lost = doubled = 0
    mine = Counter(row.message for row in rows if row.message is not None)
    for heard in player.moves:
        key = f"{player.who[:16]}:{heard.message['id']}"
        found = [row for row in rows if row.message == key]
        doubled += len(found) > 1
        good = found and isinstance(found[0].entry, Moved) and found[0].entry.words[0] == heard.message["word"]
        if good and heard.answer["type"] == "update":  # says where it stands; `accepted` came after a reconnect
            good = found[0].number == heard.answer["number"] - 1
        lost += not good
    for number, words in player.seen.items():  # also of the others and of bots
        entry = rows[number].entry if number < len(rows) else None
        lost += not (isinstance(entry, Moved) and entry.words == words)
    # Each message once; and no move of this person that nobody sent.
    doubled += sum(count > 1 for count in mine.values())
    said = {heard.message["id"] for heard in player.heard}
    stored = {key.partition(":")[2] for key in mine if key.startswith(player.who[:16])}
    doubled += len({one for one in stored if one.startswith(f"{player.seed}-")} - said)
    return lost, doubled


def test_killed_fifty_times_nothing_is_lost_or_played_twice(zygote: Zygote, database: str) -> None:  # noqa: F811
    server = Server(zygote, database)
    url = [server.url]
    players = [
        *seat_people(url, "face-to-face", ("me", "open"), 2, 1, games=3),
        *seat_people(url, "orma", ("me", "open", "open"), 3, 2),
        *seat_people(url, "out-of-sock", ("me", "open"), 2, 3),
        *seat_people(url, "face-to-face", ("me", "bot:easy"), 1, 4),
        *seat_people(url, "orma", ("me", "bot:easy", "bot:easy"), 1, 5),
        *seat_people(url, "out-of-sock", ("bot:easy", "me", "bot:easy"), 1, 6),
    ]
    rng = random.Random(4)
    in_flight = 0

    async def back(before: list[int]) -> None:
        async with asyncio.timeout(PATIENCE):
            while any(one.connected <= then for one, then in zip(players, before, strict=True)):
                await asyncio.sleep(0.002)

    async def more_moves() -> None:
        """Wait until something was played since the last kill, however slow the machine is."""
        enough = sum(len(one.moves) for one in players) + 12
        async with asyncio.timeout(PATIENCE):
            while sum(len(one.moves) for one in players) < enough:
                await asyncio.sleep(0.002)

    async def story() -> None:
        nonlocal in_flight
        async with playing(players):
            await back([0] * len(players))
            for _ in range(KILLS):
                await asyncio.sleep(rng.uniform(0.0, 0.15))
                await more_moves()
                before = [one.connected for one in players]
                await asyncio.to_thread(server.kill)
                in_flight += any(one.waiting is not None for one in players)
                await asyncio.to_thread(server.start)
                await back(before)
            await asyncio.sleep(0.3)
            await rest(players)

    asyncio.run(story())
    server.kill()
    found = asyncio.run(logs(database, {one.table for one in players}))
    folded = {table: fold(rows) for table, rows in found.items()}
    counts = [lost_and_doubled(one, found[one.table]) for one in players]
    acknowledged = sum(len(one.moves) for one in players)
    bots = sum(isinstance(row.entry, Moved) and row.entry.by == "bot" for rows in found.values() for row in rows)
    print(f"{acknowledged} moves acknowledged, {bots} of bots; {in_flight} kills with messages in flight")
    assert (sum(lost for lost, _ in counts), sum(doubled for _, doubled in counts)) == (0, 0)
    assert [one.refused for one in players] == [[]] * len(players)
    assert in_flight >= KILLS // 2
    assert acknowledged > 500
    assert bots > 100
    assert all(table.number > 20 for table in folded.values())
