"""The endpoints about games and tables: what can be played, open a table, look at a finished game."""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import FastAPI, Query, Request
from fastapi import Path as InPath
from starlette.responses import Response

from tavolino.play import text
from tavolino.play.advice import all_words
from tavolino.play.game import own_fields
from tavolino.server import practice, replays, reviews
from tavolino.server.answers import (
    GameKey,
    answer,
    described,
    read_body,
    remember,
    requesting_address,
    wanted_game,
    who_asks,
)
from tavolino.server.commands import RequestRefused
from tavolino.server.descriptions import TableInfo
from tavolino.server.hub import Hub, describe_games
from tavolino.server.live import Live
from tavolino.server.rooms import RoomInfo
from tavolino.server.session import ID
from tavolino.server.settings import Name, TableSettings

Id = Annotated[str, InPath(pattern=ID, description="A table's id")]
GameNumber = Annotated[int, InPath(ge=0, le=10_000)]


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
    own: list[str]
    """The fields of a view that only a seat may know; for a spectator they are null."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played."""

    key: str
    title: str
    players: list[int]
    options: list[OptionInfo]
    levels: list[str]
    bots: list[str]
    """The server's own bots for this game, chosen by name."""


def add_tables(app: FastAPI, hub: Hub) -> None:
    """Add the endpoints to an application."""

    async def find(table: str) -> Live:
        if (live := await hub.find(table)) is None:
            raise RequestRefused(
                "not_found", "there is no such table; perhaps it was removed after a while", "no_table"
            )
        return live

    async def infos(ids: list[str], who: str) -> list[TableInfo]:
        found = [await hub.find(table) for table in ids]
        return [live.info(who) for live in found if live is not None]

    @app.get("/api/games", openapi_extra=described([GameInfo]), tags=["games"])
    async def games() -> Response:
        """List the games with their options, the levels of the bots and the server's own bots."""
        return answer(describe_games(hub.config.bots))

    @app.post(
        "/api/tables", openapi_extra=described(TableId, 201, 422, brings=OpenTable), tags=["tables"], status_code=201
    )
    async def open_table(request: Request) -> Response:
        """Open a table. The game begins as soon as no seat is open."""
        asked = await read_body(request, OpenTable)
        who, token = await who_asks(request, hub)
        made = TableId(await hub.open(who, requesting_address(request), asked.name, asked.settings, asked.share))
        return remember(request, answer(made, 201), token)

    @app.get("/api/tables", openapi_extra=described([TableInfo]), tags=["tables"])
    async def lobby(request: Request) -> Response:
        """List the open tables that anyone may join."""
        found = await infos(await hub.open_tables(), (await who_asks(request, hub))[0])
        return answer([info for info in found if any(seat.kind == "open" for seat in info.seats)])

    @app.get("/api/tables/mine", openapi_extra=described([TableInfo]), tags=["tables"])
    async def mine(request: Request) -> Response:
        """List the tables that you opened or have a seat at, the latest first."""
        who, _ = await who_asks(request, hub)
        return answer(await infos(await hub.store.mine(who), who))

    @app.get("/api/tables/{table}", openapi_extra=described(TableInfo, 200, 404, 422), tags=["tables"])
    async def one_table(request: Request, table: Id) -> Response:
        """Describe a table."""
        return answer((await find(table)).info((await who_asks(request, hub))[0]))

    @app.get("/api/tables/{table}/room", openapi_extra=described(RoomInfo, 200, 404, 422), tags=["tables"])
    async def room(request: Request, table: Id) -> Response:
        """Return what a table remembers: its people, results and statistics."""
        return answer((await find(table)).room((await who_asks(request, hub))[0]))

    @app.get(
        "/api/tables/{table}/games/{number}/record",
        openapi_extra=described(replays.Record, 200, 404, 409, 422),
        tags=["after"],
    )
    async def record(table: Id, number: GameNumber) -> Response:
        """Return the record of a finished game, with what `tavolino verify` needs to prove it fair."""
        response = answer(replays.record(await find(table), number))
        response.headers["content-disposition"] = f'attachment; filename="tavolino-{table}-{number}.json"'
        return response

    @app.get(
        "/api/tables/{table}/games/{number}/replay",
        openapi_extra=described(replays.Replay, 200, 404, 409, 422),
        tags=["after"],
    )
    async def replay(
        request: Request,
        table: Id,
        number: GameNumber,
        seat: Annotated[str, Query(pattern="^(all|[0-9]{1,3})$")] = "all",
    ) -> Response:
        """Return a finished game step by step, seen from a seat or with all hands open."""
        who, _ = await who_asks(request, hub)
        return answer(replays.replay(await find(table), number, None if seat == "all" else int(seat), who))

    @app.get(
        "/api/tables/{table}/games/{number}/review",
        openapi_extra=described(reviews.Reviewed, 200, 404, 409, 422),
        tags=["after"],
    )
    async def review(table: Id, number: GameNumber, deeper: bool = False, begin: bool = True) -> Response:
        """Return the review of a finished game as far as it is, and begin it: ask again until `review` is there.

        With `begin=false`, nothing is begun: for a page that makes the review itself, as deeply as `tries` says.
        """
        record = msgspec.to_builtins(replays.record(await find(table), number))
        return answer(hub.reviews.of((table, number, deeper), record, begin))

    @app.post(
        "/api/tables/{table}/games/{number}/again",
        openapi_extra=described(TableId, 201, 404, 409, 422, brings=TryAgain),
        tags=["after"],
        status_code=201,
    )
    async def again(request: Request, table: Id, number: GameNumber) -> Response:
        """Open a table that goes on from a position of a finished game: all as it was dealt, new dice, no seal."""
        asked = await read_body(request, TryAgain)
        who, token = await who_asks(request, hub)
        settings, given = practice.try_again(await find(table), number, asked.moves, asked.seat)
        made = TableId(await hub.open(who, requesting_address(request), asked.name, settings, given=given))
        return remember(request, answer(made, 201), token)

    @app.post(
        "/api/records",
        openapi_extra=described(TableId, 201, 422, brings=ShowRecord),
        tags=["after"],
        status_code=201,
    )
    async def show_record(request: Request) -> Response:
        """Open a closed table that shows a record from a file: its replay, its review, its positions to try again."""
        asked = await read_body(request, ShowRecord)
        who, token = await who_asks(request, hub)
        settings, given = practice.shown(asked.record)
        made = TableId(await hub.open(who, requesting_address(request), given.names[0], settings, given=given))
        return remember(request, answer(made, 201), token)

    markdown = {"description": "All right", "content": {"text/markdown": {"schema": {"type": "string"}}}}
    as_text = described(GameText, 200, 404, 422)
    as_text["responses"]["200"] = markdown

    @app.get("/api/rules/{game}/{language}", openapi_extra=as_text, tags=["games"], response_class=Response)
    async def rules(game: GameKey, language: Literal["en", "it", "es"]) -> Response:
        """Return the rules of a game, as Markdown; in English if they are not available in the language."""
        written = text.rules_text(wanted_game(game).folder, language)
        return Response(written, media_type="text/markdown; charset=utf-8")

    @app.get("/api/games/{game}/text/{language}", openapi_extra=described(GameText, 200, 404, 422), tags=["games"])
    async def game_text(game: GameKey, language: Literal["en", "it", "es"]) -> Response:
        """Return a game's sentences in a language: for refusals, events, offers and the names of things in a view."""
        found = wanted_game(game)
        return answer(GameText(game, language, found.title, dict(all_words(found, language)), own_fields(game)))
