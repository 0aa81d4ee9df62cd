"""docs/protocol.md and docs/run-it-for-others.md say what is so: every message, every code; nginx runs as written."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import httpx

from tavolino.server import metrics
from tavolino.server.commands import MOST_MEMBERS
from tavolino.server.config import Config
from tavolino.server.guard import MAX_BODY
from tavolino.server.http_protocol import MAX_HEADER, MAX_HEADERS, RESERVE
from tavolino.server.identities import MOST_DEVICES
from tavolino.server.live import ARRANGE_A_SECOND, ARRANGE_AT_ONCE, EMOTES_A_SECOND, EMOTES_AT_ONCE
from tavolino.server.messages import MAX_MESSAGE, VERSION, Code, Reason
from tests.server.databases import postgres  # noqa: F401
from tests.server.players import playing, seat_people
from tests.server.proxy import OTHERS, Proxied, behind_nginx  # noqa: F401
from tests.server.servers import PATIENCE, Server
from tests.server.test_kill import fold, logs, lost_and_doubled

ROOT = Path(__file__).parent.parent.parent
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")


def test_the_reference_is_the_servers_own() -> None:
    subprocess.run([sys.executable, "tools/protocol.py", "--check"], cwd=ROOT, check=True)
    assert f'"type":"hello","v":{VERSION}' in PROTOCOL
    assert not re.search(r"\|\s*\|$", PROTOCOL.split("## Reference")[1], re.MULTILINE), "a field without a word"


def test_every_code_of_a_refusal_is_described() -> None:
    section = PROTOCOL.split("\n## Refusals")[1].split("\n### ")[0]
    described = set(
        re.findall(r"`([a-z_]+)`", "\n".join(line.split("|")[1] for line in section.splitlines() if "|" in line))
    )
    assert described - {"code"} == set(get_args(Code))
    assert {one for one in get_args(Reason) if f"`{one}`" not in section} == set()


def test_the_limits_and_metrics_are_the_servers() -> None:
    config = Config(database="unused")
    requests, messages = config.requests_a_second, config.messages_a_second
    for limit in (
        f"| connections in total | {config.connections:,}, or the limit of open files less {RESERVE} ",
        f"| HTTP connections per address | {config.connections_each};",
        f"| headers of a request | {MAX_HEADER // 1024} KB, {MAX_HEADERS} lines;",
        f"| time to send a request | {config.request_seconds:g} seconds;",
        f"| emotes per person and table | one every {1 / EMOTES_A_SECOND:g} seconds, bursts of {EMOTES_AT_ONCE:g};",
        f"| changes to the next game per person and table | one every {1 / ARRANGE_A_SECOND:g} seconds, "
        f"bursts of {ARRANGE_AT_ONCE:g};",
        f"| people who have had a seat at a table | {MOST_MEMBERS};",
        f"| tables opened per address | {config.tables_an_hour:g} per hour, bursts of {2 * config.tables_each};",
        f"| personal links made per address | {config.links_an_hour:g} per hour, bursts of {config.links_an_hour:g};",
        f"| devices per person | {MOST_DEVICES};",
        f"| `hello` on a WebSocket | within {config.hello:.0f} seconds",
        f"| requests per address | {requests:g} per second, bursts of {5 * requests:g}",
        f"| WebSockets per address | {config.sockets_each};",
        f"| messages per WebSocket | {messages:g} per second, bursts of {3 * messages:g}",
        f"| open tables per person | {config.tables_each} |",
        f"| body of a request | {MAX_BODY // 1024} KB |",
        f"| message | {MAX_MESSAGE // 1024} KB |",
    ):
        assert limit in OTHERS, limit
    names = set(re.findall(r"\"(tavolino_\w+)\"", Path(metrics.__file__).read_text("utf-8")))
    assert names == {name.removesuffix("_total") for name in re.findall(r"^\| `(tavolino_\w+)", OTHERS, re.MULTILINE)}


def connections(server: Server) -> int:
    """Return how many WebSockets a server has, by its own count."""
    told = re.search(r"^tavolino_connections (\d+)", httpx.get(f"{server.url}/metrics").text, re.MULTILINE)
    assert told is not None
    return int(told[1])


def test_nginx_as_written(behind_nginx: Proxied) -> None:  # noqa: F811
    """Games are played through it, each table at one server; one is killed meanwhile, and all play to the end."""
    url, servers, database = behind_nginx
    people = {"Host": "tavolino.example", "Origin": "https://tavolino.example"}
    body = {"name": "Ada", "settings": {"game": "orma", "seats": ["me", "me"]}}
    assert httpx.post(f"{url}/api/tables", json=body, headers=people).status_code == 201
    assert (
        httpx.post(f"{url}/api/tables", json=body, headers=people | {"Origin": "https://evil.example"}).status_code
        == 403
    )
    assert httpx.get(f"{url}/api/me", headers=people | {"Host": "evil.example"}).status_code == 421
    assert httpx.get(f"{url}/metrics").status_code == 403
    assert httpx.post(f"{url}/api/tables", content=b" " * 20_000).status_code == 413
    assert "secure" not in httpx.get(f"{url}/api/me", headers=people).headers["set-cookie"].lower()
    players = [
        *(one for seed in (1, 2, 3) for one in seat_people([url], "face-to-face", ("me", "open"), 2, seed)),
        *seat_people([url], "orma", ("me", "bot:easy"), 1, 4),
    ]
    for one in players:
        one.again = False

    async def story() -> list[str]:
        async with playing(players):
            async with asyncio.timeout(PATIENCE):
                while any(len(one.moves) < 3 for one in players):
                    await asyncio.sleep(0.01)
            apart = [await asyncio.to_thread(connections, one) for one in servers]
            assert sum(apart) == len(players)
            assert sorted(count % 2 for count in apart) == [0, 1], "the two of a table are at two servers"
            await asyncio.to_thread(servers[0].kill)
            async with asyncio.timeout(PATIENCE):
                while True:
                    answers = [await asyncio.to_thread(httpx.get, f"{url}/api/tables/{one.table}") for one in players]
                    if all(answer.json()["phase"] == "over" for answer in answers):
                        return [answer.json()["secret"] for answer in answers]
                    await asyncio.sleep(0.1)

    assert all(asyncio.run(story()))
    found = asyncio.run(logs(database, {one.table for one in players}))
    for one in players:
        fold(found[one.table])
        assert lost_and_doubled(one, found[one.table]) == (0, 0)
