"""The server's HTTP and WebSocket endpoints; OpenAPI at `/api/openapi.json`, as a page at `/api/docs`."""

import re
import secrets
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Request, WebSocket
from fastapi.openapi.utils import get_openapi
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp

from tavolino import __version__
from tavolino.server import replays, reviews
from tavolino.server.answers import (
    GameKey,
    Problem,
    answer,
    described,
    handle_errors,
    problem,
    read_body,
    remember,
    requesting_address,
    wanted_game,
    who_asks,
)
from tavolino.server.api_page import api_page
from tavolino.server.bus import make_bus
from tavolino.server.commands import RequestRefused
from tavolino.server.config import Config
from tavolino.server.descriptions import TableInfo
from tavolino.server.guard import COOKIE, HTTPS_COOKIE, Guard, held_token, identity, is_loopback, new_token
from tavolino.server.hub import Hub
from tavolino.server.identities import WATCHER
from tavolino.server.invitation import PICTURE, invited, preferred
from tavolino.server.lock import FileLock
from tavolino.server.messages import VERSION
from tavolino.server.metrics import CONNECTIONS, refused
from tavolino.server.network import Door, NetworkAddress
from tavolino.server.rooms import RoomInfo
from tavolino.server.session import TRY_LATER, Session, Visitor
from tavolino.server.store import NotSaved, Store
from tavolino.server.table_endpoints import GameInfo, GameText, OpenTable, ShowRecord, TableId, TryAgain, add_tables
from tavolino.server.warming import Compiler
from tavolino.server.wire import EXTENSION

STATIC = Path(str(files("tavolino.server"))) / "static"
NOT_BUILT = (
    "<!doctype html><meta charset=utf-8><title>Tavolino</title><h1>Tavolino</h1>"
    "<p>The server runs, but the page is not built. In the project's folder run <code>make play</code>, "
    "or <code>npm ci && npm run build</code> in <code>web/</code>; then load this page again."
)


class Me(msgspec.Struct, frozen=True):
    """Who this browser is."""

    known: bool
    """Whether it already had an identity."""
    v: int
    """The version of the messages that this server speaks."""
    link: bool
    """Whether you have a personal link: with it, another browser can continue as you."""
    devices: int
    """How many other browsers are known as you."""


class Link(msgspec.Struct, frozen=True):
    """A personal link; it is told only once."""

    token: str
    """Goes into the fragment of an address, `/#me=TOKEN`, which browsers send to no server."""


class Continue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Continue as the person who made a link."""

    token: Annotated[str, msgspec.Meta(max_length=64)]


class Server:
    """The whole server: an ASGI application, the tables in memory, the store."""

    def __init__(self, config: Config) -> None:
        process = secrets.token_hex(8)
        self._lock: FileLock | None = None
        self.store = Store(config.database, process=process)
        self.hub = Hub(config, self.store, make_bus(config.database, process), process)
        app = self.api = FastAPI(title="Tavolino", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
        handle_errors(app)
        _add_people(app, self.hub)
        add_tables(app, self.hub)
        self.door = Door(config)
        _add_network(app, self.door)
        _add_site(app, self.hub)
        _add_socket(app, self.hub)
        self.app: ASGIApp = Guard(app, config, problem, self.door.goes_by)

    async def start(self, compiler: Compiler | None = None) -> None:
        """Open the store and listen to the other processes; RuntimeError says why the store cannot be opened.

        With a `compiler`, nobody waits for compiled code: it is made in the background, and games start without it.
        """
        if not self.store.shared:
            self._lock = FileLock(self.store.url.database or "")
        await self.store.start()
        await self.hub.start(compiler)

    async def close(self) -> None:
        """Stop everything; what was acknowledged is stored."""
        await self.hub.close()
        await self.store.close()
        if self._lock is not None:
            self._lock.release()


def _add_people(app: FastAPI, hub: Hub) -> None:
    async def me_now(request: Request, token: str | None = None) -> Me:
        """Describe a browser; `token` is what it has just been given."""
        held = token or held_token(request.cookies)
        who = await hub.identities.who(held)
        link, devices = (False, 0) if who is None else await hub.identities.others(who, held)
        return Me(token is None and who is not None, VERSION, link, devices)

    async def known(request: Request) -> str:
        who = await hub.identities.who(held_token(request.cookies))
        if who is None:
            raise RequestRefused("not_allowed", "this browser sent no cookie that we know", "no_cookie")
        return who

    @app.get("/api/me", openapi_extra=described(Me), tags=["people"])
    async def me(request: Request) -> Response:
        """Say who this browser is; give it an identity (an HttpOnly cookie) if it has none."""
        _, token = await who_asks(request, hub)
        found = Me(False, VERSION, False, 0) if token is not None else await me_now(request)
        return remember(request, answer(found), token)

    @app.post("/api/me/link", openapi_extra=described(Link, 201, 403), tags=["people"], status_code=201)
    async def make_link(request: Request) -> Response:
        """Make your personal link, with which other browsers can continue as you; an earlier one stops working."""
        return answer(Link(await hub.make_link(await known(request), requesting_address(request))), 201)

    @app.delete("/api/me/link", openapi_extra=described(Me, 200, 403), tags=["people"])
    async def revoke_link(request: Request) -> Response:
        """Let your personal link stop working; browsers that came by it stay."""
        await hub.identities.revoke_link(await known(request))
        return answer(await me_now(request))

    @app.delete("/api/me/devices", openapi_extra=described(Me, 200, 403), tags=["people"])
    async def sign_out_others(request: Request) -> Response:
        """Sign all your other browsers out, and let your personal link stop working."""
        who, token = await known(request), held_token(request.cookies) or ""
        await hub.sign_out_others(who, identity(token) or "", token)
        return answer(await me_now(request))

    @app.delete("/api/me", openapi_extra=described(Me, 200, 403), tags=["people"])
    async def forget_me(request: Request) -> Response:
        """Delete all that is stored about you, and leave every table; this browser is a stranger then.

        Tables where nobody else has sat are removed. Where others have, the games stay, without your name and identity.
        """
        await hub.forget(await known(request))
        response = answer(Me(False, VERSION, False, 0))
        for name in (COOKIE, HTTPS_COOKIE):
            if name in request.cookies:
                secure = request.url.scheme == "https"
                response.delete_cookie(name, httponly=True, samesite="lax", secure=secure)
        return response

    @app.post("/api/me/continue", openapi_extra=described(Me, 200, 404, 422, brings=Continue), tags=["people"])
    async def follow_link(request: Request) -> Response:
        """Continue as the person who made a link; this browser's own identity is left behind."""
        asked = await read_body(request, Continue)
        found = await hub.identities.follow(asked.token)
        if found is None:
            raise RequestRefused("not_found", "this link does not work, or not any more", "no_link")
        return remember(request, answer(await me_now(request, found[0])), found[0])


def _add_network(app: FastAPI, door: Door) -> None:
    def client(request: Request) -> str:
        return request.client.host if request.client else ""

    @app.get("/api/network", openapi_extra=described(NetworkAddress), tags=["people"])
    async def reached(request: Request) -> Response:
        """Say whether other devices reach this server; a browser on its own machine is told the address for them."""
        return answer(door.describe(client(request), request.headers))

    @app.post("/api/network", openapi_extra=described(NetworkAddress, 200, 403, 409), tags=["people"])
    async def open_door(request: Request) -> Response:
        """Let other devices in, where the server listens on its own machine only: for a browser there."""
        return answer(await door.open(client(request), request.headers))


def _add_site(app: FastAPI, hub: Hub) -> None:
    @app.get("/readyz", include_in_schema=False)
    @app.get("/healthz", include_in_schema=False)
    async def readyz() -> Response:
        """Say whether this process is ready: whether it can store what people do, and is not about to end."""
        if hub.leaving:
            return problem("not_now", "this process is about to end", 503)
        text = "nothing can be stored at the moment"
        return answer({"ok": True}) if await hub.store.healthy() else problem("not_saved", text, 503)

    @app.get("/livez", include_in_schema=False)
    async def livez() -> Response:
        """Say that the process answers; as long as it does, there is no need to restart it."""
        return answer({"ok": True})

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        """Return the metrics, to this machine and whoever is configured."""
        host = request.client.host if request.client else ""
        if not is_loopback(host) and host not in hub.config.metrics_from:
            return problem("not_allowed", "metrics are for this machine only (see --metrics-from)", 403)
        hub.count_tables()
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        """Return the description of this API."""
        return answer(schema(app))

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> Response:
        """Return the description as a page."""
        return Response(api_page(schema(app)), media_type="text/html; charset=utf-8")

    @app.get("/invite/{game}.png", include_in_schema=False)
    async def picture(game: GameKey) -> Response:
        """Return the picture that a chat shows with an invitation to a game."""
        file = wanted_game(game).folder / PICTURE
        if not file.is_file():
            return problem("not_found", "this game brings no picture", 404)
        return FileResponse(file, headers={"cache-control": "public, max-age=86400"})

    @app.get("/engine/{path:path}", include_in_schema=False)
    def engine(path: str) -> Response:
        """Return a file of what runs the games in a browser, where there is one: the page checks deals with it."""
        make = hub.config.engine
        data = None if make is None else make(path)
        if data is None and path == "index.json":
            data = b'{"games":[]}'
        if data is None:
            return problem("not_found", "there is no such file", 404)
        kind = "application/wasm" if path.endswith(".wasm") else "application/json"
        return Response(data, media_type=kind, headers={"cache-control": "no-cache"})

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """Return a file of the client, or the page itself, which knows its own addresses and reports wrong ones."""
        if path.startswith("api/"):
            return problem("not_found", "there is no such address", 404)
        a_file = path.startswith("assets/") or "." in path.rpartition("/")[2]
        if a_file and (file := _static(path)) is not None:
            forever = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"cache-control": forever})
        if a_file and "text/html" not in request.headers.get("accept", ""):
            return problem("not_found", "there is no such file", 404)
        if not (STATIC / "index.html").is_file():
            return Response(NOT_BUILT, 503, media_type="text/html; charset=utf-8")
        if (found := re.fullmatch("t/([A-Za-z0-9_-]{16})", path)) and (live := await hub.find(found[1])) is not None:
            shown, origin = live.info(""), str(request.base_url).rstrip("/")
            language = preferred(request.headers.get("accept-language", ""))
            written = (STATIC / "index.html").read_text(encoding="utf-8")
            told = invited(written, shown, wanted_game(shown.game), origin, language)
            headers = {"cache-control": "no-cache", "vary": "Accept-Language"}
            return Response(told, media_type="text/html; charset=utf-8", headers=headers)
        return FileResponse(STATIC / "index.html", 404 if a_file else 200, headers={"cache-control": "no-cache"})


def _static(path: str) -> Path | None:
    """Return a file of the client; None if there is no such file, or it is not part of the client."""
    try:
        file = (STATIC / path).resolve()
        return file if file.is_relative_to(STATIC.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # no name that a file can have
        return None


def schema(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description: the paths from FastAPI, the data from msgspec."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, routes=app.routes)
        kinds = [
            OpenTable,
            TryAgain,
            ShowRecord,
            TableId,
            Me,
            Link,
            Continue,
            Problem,
            GameInfo,
            GameText,
            TableInfo,
            RoomInfo,
            NetworkAddress,
            replays.Record,
            replays.Replay,
            reviews.Reviewed,
        ]
        _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
        made.setdefault("components", {}).setdefault("schemas", {}).update(components)
        app.openapi_schema = made
    return app.openapi_schema


def _add_socket(app: FastAPI, hub: Hub) -> None:
    held: Counter[str] = Counter()

    @app.websocket("/api/tables/{table}/ws")
    async def socket(websocket: WebSocket, table: str) -> None:
        address, token = requesting_address(websocket), held_token(websocket.cookies)
        if held[address] >= hub.config.sockets_each:
            refused("too_many_connections", address)
            await websocket.close(1008)
            return
        held[address] += 1
        CONNECTIONS.inc()

        def gone() -> None:
            CONNECTIONS.dec()
            held[address] -= 1
            if not held[address]:
                del held[address]

        try:
            sign_outs = hub.sign_outs
            who = await hub.identities.who(token) or f"{WATCHER}{new_token()}"
            await websocket.accept()
        except NotSaved:
            gone()
            await websocket.close(TRY_LATER)
            return
        except BaseException:
            gone()
            raise
        visitor = Visitor(who, identity(token) or "", address, sign_outs)
        Session(hub, websocket.scope["extensions"][EXTENSION]["wire"], visitor, table, gone)
