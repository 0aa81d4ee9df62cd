"""The server's HTTP and WebSocket endpoints; OpenAPI at `/api/openapi.json`, as a page at `/api/docs`."""

import re
import secrets
from collections import Counter
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import FastAPI, Query, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp

from tavolino import __version__
from tavolino.engine.registry import GameFolder
from tavolino.play import text
from tavolino.play.advice import all_words
from tavolino.play.setup import find_game
from tavolino.server import practice, replays, reviews
from tavolino.server.api_page import api_page
from tavolino.server.bus import make_bus
from tavolino.server.commands import RequestRefused
from tavolino.server.config import Config
from tavolino.server.guard import (
    COOKIE,
    HTTPS_COOKIE,
    YEAR,
    Guard,
    address_of,
    held_token,
    identity,
    is_loopback,
    new_token,
)
from tavolino.server.hub import Hub, describe_games
from tavolino.server.identities import WATCHER
from tavolino.server.invitation import PICTURE, invited, preferred
from tavolino.server.live import Live
from tavolino.server.lock import FileLock
from tavolino.server.messages import VERSION, Code, Reason, TableInfo, or_unset
from tavolino.server.metrics import CONNECTIONS, refused
from tavolino.server.network import Door, NetworkAddress
from tavolino.server.rooms import RoomInfo
from tavolino.server.session import ID, TRY_LATER, Session, Visitor
from tavolino.server.settings import Name, TableSettings
from tavolino.server.store import NotSaved, Store
from tavolino.server.warming import Compiler
from tavolino.server.wire import EXTENSION

T = TypeVar("T")
STATIC = Path(str(files("tavolino.server"))) / "static"
NOT_BUILT = (
    "<!doctype html><meta charset=utf-8><title>Tavolino</title><h1>Tavolino</h1>"
    "<p>The server runs, but the page is not built. In the project's folder run <code>make play</code>, "
    "or <code>npm ci && npm run build</code> in <code>web/</code>; then load this page again."
)
STATUS: dict[Code, int] = {
    "not_found": 404,
    "not_allowed": 403,
    "not_now": 409,
    "not_saved": 503,
    "too_many": 429,
    "too_many_here": 429,
    "too_fast": 429,
    "bad_settings": 422,
    "bad_message": 422,
    "bad_name": 422,
    "bad_record": 422,
}


class OpenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table."""

    name: Name
    settings: TableSettings
    share: bool = False
    """Whether you bring a share of the chance to each deal: docs/fairness.md."""


class TryAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play on from a position of a finished game."""

    name: Name
    moves: Annotated[int, msgspec.Meta(ge=0, le=100_000)]
    """How many of its moves, dice among them, stay as they were."""
    seat: Annotated[int, msgspec.Meta(ge=0, le=100)]
    """Where you sit; bots have the other seats: those that sat there, and a hard one for each person."""


class ShowRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Look at a record from a file."""

    record: dict[str, Any]
    """As `tavolino check` reads it; complete or not."""


class TableId(msgspec.Struct, frozen=True):
    """A table's id: part of the link to share."""

    id: str


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


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; nothing has changed."""

    code: Code
    """A code for programs: docs/protocol.md."""
    text: str
    """In English; the page says it in the reader's language, by `reason` or `code`."""
    reason: Reason | msgspec.UnsetType = msgspec.UNSET
    """Present where people should be told more than the code says."""
    values: dict[str, Any] = {}
    """The values in the sentence."""


class OptionInfo(msgspec.Struct, frozen=True):
    """A rule that can be chosen."""

    name: str
    default: Any
    choices: list[Any] | None
    allowed: str


class GameText(msgspec.Struct, frozen=True):
    """A game's sentences in a language."""

    key: str
    language: str
    title: str
    words: dict[str, str]
    """By key, such as `refused.CODE` or `event.TYPE`; for a missing sentence, use the code."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played."""

    key: str
    title: str
    players: list[int]
    options: list[OptionInfo]
    levels: list[str]
    bots: list[str]
    """The server's own bots for this game, chosen by name."""


def problem(code: Code, text: str, status: int | None = None, reason: Reason | None = None, **values: Any) -> Response:
    """Return the answer to a request that is refused."""
    refused(code)
    said = answer(Problem(code, text, or_unset(reason), values), status or STATUS.get(code, 400))
    if "seconds" in values:
        said.headers["retry-after"] = str(values["seconds"])
    return said


def answer(data: Any, status: int = 200) -> Response:
    """Return data as JSON."""
    return Response(
        msgspec.json.encode(data), status, media_type="application/json", headers={"cache-control": "no-store"}
    )


class Server:
    """The whole server: an ASGI application, the tables in memory, the store."""

    def __init__(self, config: Config) -> None:
        process = secrets.token_hex(8)
        self._lock: FileLock | None = None
        self.store = Store(config.database, process=process)
        self.hub = Hub(config, self.store, make_bus(config.database, process), process)
        app = self.api = FastAPI(title="Tavolino", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
        _handle_errors(app)
        _add_people(app, self.hub)
        _add_tables(app, self.hub)
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


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(RequestRefused)
    async def no(_: Request, error: RequestRefused) -> Response:
        return problem(error.code, str(error), None, error.reason, **error.values)

    @app.exception_handler(NotSaved)
    async def not_saved(_: Request, error: NotSaved) -> Response:
        return problem("not_saved", str(error))

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody hears it

    @app.exception_handler(RequestValidationError)
    async def bad_address(_: Request, error: RequestValidationError) -> Response:
        where = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in error.errors())
        return problem("bad_message", where)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        codes: dict[int, Code] = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
        said = problem(codes.get(error.status_code, "bad_message"), str(error.detail), error.status_code)
        said.headers.update(error.headers or {})  # such as Allow
        return said

    @app.exception_handler(Exception)
    async def broken(_: Request, error: Exception) -> Response:
        return problem("internal", "something went wrong on our side; nothing has changed", 500)


def _said(kind: Any, status: int = 200, *problems: int) -> dict[str, Any]:
    """Return what FastAPI is told about an endpoint's answers."""
    schema = (
        {"type": "array", "items": {"$ref": f"#/components/schemas/{kind[0].__name__}"}}
        if isinstance(kind, list)
        else {"$ref": f"#/components/schemas/{kind.__name__}"}
    )
    wrong = {"$ref": "#/components/schemas/Problem"}
    return {
        "responses": {
            str(status): {"description": "All right", "content": {"application/json": {"schema": schema}}},
            **{
                str(code): {"description": HTTPStatus(code).phrase, "content": {"application/json": {"schema": wrong}}}
                for code in (*problems, 413, 429, 503)
            },
        }
    }


Id = Annotated[str, InPath(pattern=ID, description="A table's id")]


def _address(request: HTTPConnection) -> str:
    """Return the address of a request, as limits count addresses."""
    return address_of(request.client.host if request.client else "")


async def _who(request: Request, hub: Hub) -> tuple[str, str | None]:
    """Return who is asking, and the token of a new identity if the browser had none that counts."""
    if (known := await hub.identities.who(held_token(request.cookies))) is not None:
        return known, None
    token = new_token()
    who = identity(token)
    assert who is not None
    return who, token


async def _body(request: Request, kind: type[T]) -> T:
    """Return what a request brings; RequestRefused says what is wrong with it."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RequestRefused("bad_message", str(error)) from None


def _remember(request: Request, response: Response, token: str | None) -> Response:
    """Give a browser a new token; under https, one that is in the cookie of http moves to that of https."""
    secure = request.url.scheme == "https"
    if token is None and secure and HTTPS_COOKIE not in request.cookies:
        token = request.cookies.get(COOKIE)
    if token is not None:
        name = HTTPS_COOKIE if secure else COOKIE
        response.set_cookie(name, token, max_age=2 * YEAR, httponly=True, samesite="lax", secure=secure)
        if secure and COOKIE in request.cookies:
            response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=True)
    return response


GameKey = Annotated[str, InPath(max_length=64)]


def _game(key: str) -> GameFolder:
    try:
        return find_game(key)
    except ValueError as error:
        raise RequestRefused("not_found", str(error)) from None


def _add_tables(app: FastAPI, hub: Hub) -> None:
    async def find(table: str) -> Live:
        if (live := await hub.find(table)) is None:
            raise RequestRefused(
                "not_found", "there is no such table; perhaps it was removed after a while", "no_table"
            )
        return live

    async def infos(ids: list[str], who: str) -> list[TableInfo]:
        found = [await hub.find(table) for table in ids]
        return [live.info(who) for live in found if live is not None]

    @app.get("/api/games", openapi_extra=_said([GameInfo]), tags=["games"])
    async def games() -> Response:
        """List the games with their options, the levels of the bots and the server's own bots."""
        return answer(describe_games(hub.config.bots))

    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/OpenTable"}}}, "required": True}

    @app.post(
        "/api/tables", openapi_extra={"requestBody": body, **_said(TableId, 201, 422)}, tags=["tables"], status_code=201
    )
    async def open_table(request: Request) -> Response:
        """Open a table. The game begins as soon as no seat is open."""
        asked = await _body(request, OpenTable)
        who, token = await _who(request, hub)
        made = TableId(await hub.open(who, _address(request), asked.name, asked.settings, asked.share))
        return _remember(request, answer(made, 201), token)

    @app.get("/api/tables", openapi_extra=_said([TableInfo]), tags=["tables"])
    async def lobby(request: Request) -> Response:
        """List the open tables that anyone may join."""
        found = await infos(await hub.open_tables(), (await _who(request, hub))[0])
        return answer([info for info in found if any(seat.kind == "open" for seat in info.seats)])

    @app.get("/api/tables/mine", openapi_extra=_said([TableInfo]), tags=["tables"])
    async def mine(request: Request) -> Response:
        """List the tables that you opened or have a seat at, the latest first."""
        who, _ = await _who(request, hub)
        return answer(await infos(await hub.store.mine(who), who))

    @app.get("/api/tables/{table}", openapi_extra=_said(TableInfo, 200, 404, 422), tags=["tables"])
    async def one_table(request: Request, table: Id) -> Response:
        """Describe a table."""
        return answer((await find(table)).info((await _who(request, hub))[0]))

    @app.get("/api/tables/{table}/room", openapi_extra=_said(RoomInfo, 200, 404, 422), tags=["tables"])
    async def room(request: Request, table: Id) -> Response:
        """Return what a table remembers: its people, results and statistics."""
        return answer((await find(table)).room((await _who(request, hub))[0]))

    @app.get(
        "/api/tables/{table}/games/{number}/record",
        openapi_extra=_said(replays.Record, 200, 404, 409, 422),
        tags=["after"],
    )
    async def record(table: Id, number: Annotated[int, InPath(ge=0, le=10_000)]) -> Response:
        """Return the record of a finished game, with what `tavolino verify` needs to prove it fair."""
        response = answer(replays.record(await find(table), number))
        response.headers["content-disposition"] = f'attachment; filename="tavolino-{table}-{number}.json"'
        return response

    @app.get(
        "/api/tables/{table}/games/{number}/replay",
        openapi_extra=_said(replays.Replay, 200, 404, 409, 422),
        tags=["after"],
    )
    async def replay(
        request: Request,
        table: Id,
        number: Annotated[int, InPath(ge=0, le=10_000)],
        seat: Annotated[str, Query(pattern="^(all|[0-9]{1,3})$")] = "all",
    ) -> Response:
        """Return a finished game step by step, seen from a seat or with all hands open."""
        who, _ = await _who(request, hub)
        return answer(replays.replay(await find(table), number, None if seat == "all" else int(seat), who))

    @app.get(
        "/api/tables/{table}/games/{number}/review",
        openapi_extra=_said(reviews.Reviewed, 200, 404, 409, 422),
        tags=["after"],
    )
    async def review(table: Id, number: Annotated[int, InPath(ge=0, le=10_000)], deeper: bool = False) -> Response:
        """Return the review of a finished game as far as it is, and begin it: ask again until `review` is there."""
        record = msgspec.to_builtins(replays.record(await find(table), number))
        return answer(hub.reviews.of((table, number, deeper), record))

    def posted(kind: str) -> dict[str, Any]:
        schema = {"schema": {"$ref": f"#/components/schemas/{kind}"}}
        return {"requestBody": {"content": {"application/json": schema}, "required": True}}

    @app.post(
        "/api/tables/{table}/games/{number}/again",
        openapi_extra={**posted("TryAgain"), **_said(TableId, 201, 404, 409, 422)},
        tags=["after"],
        status_code=201,
    )
    async def again(request: Request, table: Id, number: Annotated[int, InPath(ge=0, le=10_000)]) -> Response:
        """Open a table that goes on from a position of a finished game: all as it was dealt, new dice, no seal."""
        asked = await _body(request, TryAgain)
        who, token = await _who(request, hub)
        settings, given = practice.try_again(await find(table), number, asked.moves, asked.seat)
        made = TableId(await hub.open(who, _address(request), asked.name, settings, given=given))
        return _remember(request, answer(made, 201), token)

    @app.post(
        "/api/records",
        openapi_extra={**posted("ShowRecord"), **_said(TableId, 201, 422)},
        tags=["after"],
        status_code=201,
    )
    async def show_record(request: Request) -> Response:
        """Open a closed table that shows a record from a file: its replay, its review, its positions to try again."""
        asked = await _body(request, ShowRecord)
        who, token = await _who(request, hub)
        settings, given = practice.shown(asked.record)
        made = TableId(await hub.open(who, _address(request), given.names[0], settings, given=given))
        return _remember(request, answer(made, 201), token)

    markdown = {"description": "All right", "content": {"text/markdown": {"schema": {"type": "string"}}}}
    as_text = _said(Me, 200, 404, 422)
    as_text["responses"]["200"] = markdown

    @app.get("/api/rules/{game}/{language}", openapi_extra=as_text, tags=["games"], response_class=Response)
    async def rules(game: GameKey, language: Literal["en", "it", "es"]) -> Response:
        """Return the rules of a game, as Markdown; in English if they are not available in the language."""
        written = text.rules_text(_game(game).folder, language)
        return Response(written, media_type="text/markdown; charset=utf-8")

    @app.get("/api/games/{game}/text/{language}", openapi_extra=_said(GameText, 200, 404, 422), tags=["games"])
    async def game_text(game: GameKey, language: Literal["en", "it", "es"]) -> Response:
        """Return a game's sentences in a language: for refusals, events, offers and the names of things in a view."""
        found = _game(game)
        return answer(GameText(game, language, found.title, dict(all_words(found, language))))


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

    @app.get("/api/me", openapi_extra=_said(Me), tags=["people"])
    async def me(request: Request) -> Response:
        """Say who this browser is; give it an identity (an HttpOnly cookie) if it has none."""
        _, token = await _who(request, hub)
        found = Me(False, VERSION, False, 0) if token is not None else await me_now(request)
        return _remember(request, answer(found), token)

    @app.post("/api/me/link", openapi_extra=_said(Link, 201, 403), tags=["people"], status_code=201)
    async def make_link(request: Request) -> Response:
        """Make your personal link, with which other browsers can continue as you; an earlier one stops working."""
        return answer(Link(await hub.make_link(await known(request), _address(request))), 201)

    @app.delete("/api/me/link", openapi_extra=_said(Me, 200, 403), tags=["people"])
    async def revoke_link(request: Request) -> Response:
        """Let your personal link stop working; browsers that came by it stay."""
        await hub.identities.revoke_link(await known(request))
        return answer(await me_now(request))

    @app.delete("/api/me/devices", openapi_extra=_said(Me, 200, 403), tags=["people"])
    async def sign_out_others(request: Request) -> Response:
        """Sign all your other browsers out, and let your personal link stop working."""
        who, token = await known(request), held_token(request.cookies) or ""
        await hub.sign_out_others(who, identity(token) or "", token)
        return answer(await me_now(request))

    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Continue"}}}, "required": True}

    @app.post("/api/me/continue", openapi_extra={"requestBody": body, **_said(Me, 200, 404, 422)}, tags=["people"])
    async def follow_link(request: Request) -> Response:
        """Continue as the person who made a link; this browser's own identity is left behind."""
        asked = await _body(request, Continue)
        found = await hub.identities.follow(asked.token)
        if found is None:
            raise RequestRefused("not_found", "this link does not work, or not any more", "no_link")
        return _remember(request, answer(await me_now(request, found[0])), found[0])


def _add_network(app: FastAPI, door: Door) -> None:
    def client(request: Request) -> str:
        return request.client.host if request.client else ""

    @app.get("/api/network", openapi_extra=_said(NetworkAddress), tags=["people"])
    async def reached(request: Request) -> Response:
        """Say whether other devices reach this server; a browser on its own machine is told the address for them."""
        return answer(door.describe(client(request), request.headers))

    @app.post("/api/network", openapi_extra=_said(NetworkAddress, 200, 403, 409), tags=["people"])
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
        file = _game(game).folder / PICTURE
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
            told = invited(written, shown, _game(shown.game), origin, language)
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
        address, token = _address(websocket), held_token(websocket.cookies)
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
