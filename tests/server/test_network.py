"""Letting phones in: a server on this machine only opens up while it runs, only for this machine's own browser."""

import asyncio
import socket
from typing import Any

import httpx
import pytest

from tavolino.server.commands import RequestRefused
from tavolino.server.config import Config
from tavolino.server.network import LOOPBACK, Door, own_address
from tests.server.servers import PATIENCE, Person, Server, Zygote

PAGE = {"host": "localhost:8017", "origin": "http://localhost:8017"}
"""What a browser on this machine sends from the server's own page."""


def door(address: str = "192.0.2.7", fails: Exception | None = None, **config: Any) -> tuple[Door, list[str]]:
    """Return a door that was not opened, and where it listens."""
    made, listening = Door(Config(database="unused.sqlite", **config), lambda: address), list[str]()

    async def listen(where: str) -> None:
        await asyncio.sleep(0)
        if fails is not None:
            raise fails
        listening.append(where)

    made.listen = listen
    return made, listening


def ask(one: Door, client: str = LOOPBACK, **headers: str) -> str:
    """Ask to be let in; return the reason why not, or the address."""
    try:
        return (
            asyncio.run(
                one.open(client, PAGE | {name.replace("_", "-"): text for name, text in headers.items()})
            ).address
            or ""
        )
    except RequestRefused as no:
        return no.reason or no.code


def test_a_browser_on_this_machine_opens_it_once() -> None:
    one, listening = door()
    assert one.describe(LOOPBACK, PAGE).may_open
    assert not one.goes_by("192.0.2.7")

    async def twice() -> None:
        await asyncio.gather(one.open(LOOPBACK, PAGE), one.open("::1", PAGE))

    asyncio.run(twice())
    assert listening == ["192.0.2.7"]
    assert one.goes_by("192.0.2.7")
    assert not one.goes_by("evil.example")
    told = one.describe(LOOPBACK, PAGE)
    assert (told.open, told.address, told.may_open) == (True, "192.0.2.7", False)
    assert one.describe("192.0.2.9", PAGE).address is None


def test_the_address_is_for_browsers_of_this_machine() -> None:
    """Whoever comes from elsewhere knows it already; nobody else is told."""
    one, _ = door(anywhere=True)
    assert one.describe(LOOPBACK, PAGE).address == "192.0.2.7"
    assert one.describe("192.0.2.9", PAGE).address is None
    assert door()[0].describe(LOOPBACK, PAGE).address is None


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        ("192.0.2.9", {}),  # another machine
        (LOOPBACK, {"x_forwarded_for": "192.0.2.9"}),  # through a proxy on this machine
        (LOOPBACK, {"via": "1.1 proxy"}),
        (LOOPBACK, {"host": "evil.example"}),  # a name that was pointed at this machine
        (LOOPBACK, {"sec_fetch_site": "cross-site"}),  # a page of another site
        (LOOPBACK, {"sec_fetch_site": "same-site"}),  # a page of another server on this machine
    ],
)
def test_nobody_else_can(client: str, headers: dict[str, str]) -> None:
    one, listening = door()
    given = PAGE | {name.replace("_", "-"): text for name, text in headers.items()}
    assert not one.describe(client, given).may_open
    assert ask(one, client, **headers) == "not_here"
    assert listening == []


@pytest.mark.parametrize("config", [{"origins": ("https://a.example",)}, {"tls": True}])
def test_a_server_with_a_name_in_the_world_cannot_be_opened(config: dict[str, Any]) -> None:
    """It stands behind a proxy, whose requests come from this machine; or its certificate is for another name."""
    one, listening = door(**config)
    assert not one.describe(LOOPBACK, PAGE).may_open
    assert ask(one) == "not_here"
    assert listening == []


def test_without_a_network_it_says_so_and_stays_as_it_was() -> None:
    one, listening = door(LOOPBACK)
    assert ask(one) == "no_network"
    other, _ = door(fails=OSError("in use"))
    assert ask(other) == "no_network"
    for closed in (one, other):
        assert closed.describe(LOOPBACK, PAGE).may_open
    assert listening == []


def test_a_real_server_opens_while_people_play(zygote: Zygote, sqlite_file: str) -> None:
    """A socket at a table stays; then the table is there under the address in the network, and under no other name."""
    server, address = Server(zygote, sqlite_file), own_address()
    ada = Person(server.url)
    playing, _ = ada.sit_at(ada.open(seats=("me", "bot:easy")))
    asked: dict[str, Any] = {"url": "/api/network", "json": {}}
    assert ada.http.get("/api/network").json() == {"open": False, "address": None, "may_open": True}
    assert ada.http.post(**asked).json()["reason"] == "not_here"  # a program: it names no page
    assert ada.http.post(**asked, headers={"Origin": "https://evil.example"}).json()["code"] == "bad_origin"
    with socket.socket() as nobody:
        assert address == LOOPBACK or nobody.connect_ex((address, server.port)) != 0
    opened = ada.http.post(**asked, headers={"Origin": server.url})
    if address == LOOPBACK:
        assert opened.json()["reason"] == "no_network"
    else:
        assert opened.json() == {"open": True, "address": address, "may_open": False}
        there = f"http://{address}:{server.port}"
        assert httpx.get(f"{there}/api/network", timeout=PATIENCE).json() == {
            "open": True,
            "address": None,
            "may_open": False,
        }
        assert httpx.get(f"{there}/api/me", headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 421
    playing.send(type="ping")
    assert playing.until("pong")
    ada.close()
    server.kill()
