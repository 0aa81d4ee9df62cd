"""What all endpoints share: who asks, what a request brings, how it is answered or refused."""

from http import HTTPStatus
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import FastAPI, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import Response

from tavolino.engine.registry import GameFolder
from tavolino.play.setup import find_game
from tavolino.server.commands import RequestRefused
from tavolino.server.guard import COOKIE, HTTPS_COOKIE, YEAR, address_of, held_token, identity, new_token
from tavolino.server.hub import Hub
from tavolino.server.messages import Code, Reason, or_unset
from tavolino.server.metrics import refused
from tavolino.server.store import NotSaved

T = TypeVar("T")
GameKey = Annotated[str, InPath(max_length=64)]
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


def handle_errors(app: FastAPI) -> None:
    """Let an application answer every error with a `Problem`."""

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


def described(kind: Any, status: int = 200, *problems: int, brings: type | None = None) -> dict[str, Any]:
    """Return what FastAPI is told about an endpoint: what it answers, and what a request brings, if anything."""

    def as_json(schema: dict[str, Any]) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": schema}}}

    def named(one: type) -> dict[str, Any]:
        return {"$ref": f"#/components/schemas/{one.__name__}"}

    schema = {"type": "array", "items": named(kind[0])} if isinstance(kind, list) else named(kind)
    wrong = {str(code): HTTPStatus(code).phrase for code in (*problems, 413, 429, 503)}
    said: dict[str, Any] = {
        "responses": {
            str(status): {"description": "All right", **as_json(schema)},
            **{code: {"description": phrase, **as_json(named(Problem))} for code, phrase in wrong.items()},
        }
    }
    return said if brings is None else {"requestBody": {**as_json(named(brings)), "required": True}, **said}


def requesting_address(request: HTTPConnection) -> str:
    """Return the address of a request, as limits count addresses."""
    return address_of(request.client.host if request.client else "")


async def who_asks(request: Request, hub: Hub) -> tuple[str, str | None]:
    """Return who is asking, and the token of a new identity if the browser had none that counts."""
    if (known := await hub.identities.who(held_token(request.cookies))) is not None:
        return known, None
    token = new_token()
    who = identity(token)
    assert who is not None
    return who, token


async def read_body(request: Request, kind: type[T]) -> T:
    """Return what a request brings; RequestRefused says what is wrong with it."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RequestRefused("bad_message", str(error)) from None


def remember(request: Request, response: Response, token: str | None) -> Response:
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


def wanted_game(key: str) -> GameFolder:
    """Return the game with a key; RequestRefused says that there is none."""
    try:
        return find_game(key)
    except ValueError as error:
        raise RequestRefused("not_found", str(error)) from None
