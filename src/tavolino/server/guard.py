"""Checks on every request: who may come in, how much and how often; and the headers of every answer."""

import hashlib
import ipaddress
import math
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tavolino.server.config import Config
from tavolino.server.messages import Code
from tavolino.server.metrics import ASKING

COOKIE = "tavolino"
HTTPS_COOKIE = f"__Host-{COOKIE}"
"""Its name under https: browsers take it from this very host only, not from a neighbour in the same domain."""
YEAR = 365 * 24 * 3600
HSTS = f"max-age={YEAR}"
MAX_BODY = 16 * 1024
TOO_LARGE = f"a body may have at most {MAX_BODY} bytes"
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def new_token() -> str:
    """Return a new identity for a browser: 128 bits that only its cookie holds."""
    return secrets.token_urlsafe(16)


def held_token(cookies: Mapping[str, str]) -> str | None:
    """Return the token that a browser's cookies hold; under https it may still be in the cookie that http has."""
    return cookies.get(HTTPS_COOKIE) or cookies.get(COOKIE)


def identity(token: str | None) -> str | None:
    """Return the hash of an identity, which is what we store; None if it is not one of ours."""
    if token is None or not 20 <= len(token) <= 64 or not token.isascii():
        return None
    return hashlib.sha256(token.encode()).hexdigest()[:40]


class RateLimits:
    """Limit the rate per key: an average per second, with room for bursts."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._full_at: dict[str, float] = {}  # when each key's bucket is full again

    def allow(self, key: str) -> bool:
        """Take one from a key's bucket if there is one."""
        return self.wait(key) == 0

    def wait(self, key: str) -> int:
        """Take one from a key's bucket, and return 0; or, if there is none, the seconds until there is."""
        now = self._clock()
        full = max(self._full_at.get(key, now), now) + 1 / self._rate
        if (over := full - now - self._burst / self._rate) > 0:
            return math.ceil(over)
        self._full_at[key] = full
        if len(self._full_at) > 10_000:
            self._full_at = {one: at for one, at in self._full_at.items() if at > now}
        return 0


def address_of(host: str) -> str:
    """Return what limits count as one address: for IPv6 a /64 network, as every household has one."""
    try:
        known = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if known.version == 4:
        return host
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, 64), strict=False))


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine only."""
    try:
        known = ipaddress.ip_address(host.strip("[]"))
        return (getattr(known, "ipv4_mapped", None) or known).is_loopback  # as a socket of both families says it
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def origin_allowed(headers: Mapping[str, str], origins: Iterable[str]) -> bool:
    """Whether a page of this origin may act: our own, or one that was configured. Programs send none."""
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and host == headers.get("host")


def host_of(header: str) -> str:
    """Return the name in a Host header, without its port; empty if there is none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def host_allowed(headers: Mapping[str, str], origins: Iterable[str], anywhere: bool) -> bool:
    """Whether the request uses one of our names, so that no foreign name can be pointed at this machine."""
    if not (host := host_of(headers.get("host", ""))):
        return False
    return anywhere or is_loopback(host) or any(urlsplit(origin).hostname == host for origin in origins)


def hsts_for(host: str | None) -> str | None:
    """Return what tells browsers to use https only; None for this machine and bare addresses, where it would linger."""
    name = host_of(host or "")
    return None if is_loopback(name) or not name or name.rpartition(".")[2].isdigit() or ":" in name else HSTS


FILES = 10
"""How many times as many requests are allowed for the page's files, which cost little and are asked for once."""


class Guard:
    """ASGI middleware: limits before, headers after."""

    def __init__(
        self,
        app: ASGIApp,
        config: Config,
        refuse: Callable[[Code, str, int], ASGIApp],
        goes_by: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Guard an application; `goes_by` tells whether it also answers to a name that the settings do not know."""
        self._app = app
        self._goes_by = goes_by
        self._config = config
        self._refuse = refuse
        self._rates = RateLimits(config.requests_a_second, 5 * config.requests_a_second)
        # A page is some thirty files, and everyone at a party comes from one address in the same minute.
        self._files = RateLimits(FILES * config.requests_a_second, 5 * FILES * config.requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        http = scope["type"] == "http"
        ASKING.set((scope.get("client") or ("", 0))[0])  # in a context of this request alone
        given = Headers(scope=scope)
        answer = self._check(scope, given)
        only_https = self._config.tls and hsts_for(given.get("host"))
        body = 0

        async def limited() -> Message:
            nonlocal body
            message = await receive()
            if message["type"] == "http.request":
                body += len(message.get("body", b""))
                if body > MAX_BODY:
                    raise HTTPException(413, TOO_LARGE)
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if only_https:
                    headers["strict-transport-security"] = only_https
            await send(message)

        if not http:
            await (self._app if answer is None else _close)(scope, receive, send)
            return
        if answer is not None:
            await answer(scope, receive, with_headers)
            return
        if scope["method"] == "HEAD":  # as GET; uvicorn leaves the body out
            scope = {**scope, "method": "GET"}
        await self._app(scope, limited, with_headers)

    def _check(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Return the answer to a rejected request."""
        config = self._config
        known = host_allowed(headers, config.origins, config.anywhere)
        if not known and not self._goes_by(host_of(headers.get("host", ""))):
            return self._refuse("bad_host", "this server does not answer to that name (see --origin)", 421)
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not origin_allowed(headers, config.origins):
            return self._refuse("bad_origin", "pages of another site may not act here", 403)
        rates = self._files if scope["path"].startswith("/assets/") else self._rates
        if not rates.allow(address_of((scope.get("client") or ("", 0))[0])):
            return self._refuse("too_fast", "too many requests: wait a moment", 429)
        if int(headers.get("content-length", "0") or 0) > MAX_BODY:
            return self._refuse("too_large", TOO_LARGE, 413)
        return None


async def _close(scope: Scope, receive: Receive, send: Send) -> None:
    """Reject a WebSocket before it is accepted: the client sees 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})
