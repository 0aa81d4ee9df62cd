"""Run a server in this process: sockets, logs, a clean end."""

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import ssl
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import uvicorn
from starlette.types import ASGIApp

from tavolino.server.answers import problem
from tavolino.server.app import Server
from tavolino.server.config import Config
from tavolino.server.http_protocol import ConnectionLimits, raise_file_limit
from tavolino.server.messages import MAX_MESSAGE
from tavolino.server.network import own_address
from tavolino.server.tls import Certificate, Gate, make_context, redirecting
from tavolino.server.warming import Compiler
from tavolino.server.wire import Wire

HAND_OVER = 10.0
"""Seconds that people have to go to another process, before this one ends."""
_PLAIN = set(logging.makeLogRecord({}).__dict__) | {"message", "color_message", "websocket"}


class JsonLines(logging.Formatter):
    """One JSON object per line, with what a call adds as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "text": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def set_up_logs(level: int = logging.INFO) -> None:
    """Write logs to standard error, one JSON object per line, without table addresses, cookies or secrets."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("tavolino", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level if name != "uvicorn.error" else logging.WARNING)
        logger.propagate = False


class NoSocket(RuntimeError):
    """The address cannot be used; `port_helps` tells whether another port might work."""

    def __init__(self, text: str, port_helps: bool) -> None:
        super().__init__(text)
        self.port_helps = port_helps


def listen(host: str, port: int) -> socket.socket:
    """Return a socket to serve on; NoSocket says why there is none."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with contextlib.ExitStack() as unless_bound:
            made = unless_bound.enter_context(socket.socket(family, socket.SOCK_STREAM))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            unless_bound.pop_all()
    except OSError as error:
        port_helps = error.errno in (errno.EADDRINUSE, errno.EACCES)
        raise NoSocket(f"{host}:{port} cannot be used ({error.strerror or error})", port_helps) from None
    return made


@dataclass(frozen=True)
class Listen:
    """Where to listen, and how."""

    host: str
    port: int
    certificate: Certificate | None = None
    """For https."""
    plain: int | None = None
    """With https: the port on which plain http is redirected, if any."""


def uvicorn_config(app: ASGIApp, config: Config, limits: ConnectionLimits | None = None) -> uvicorn.Config:
    """Return how uvicorn is to run the application; `limits` are those of the configuration, if none are given."""
    return (limits or ConnectionLimits(config, raise_file_limit(), problem)).config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,  # addresses of tables stay out of the logs
        server_header=False,
        ws=Wire,
        ws_max_size=4 * MAX_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=config.ping,
        ws_ping_timeout=config.ping,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )


class _Uvicorn(uvicorn.Server):
    """uvicorn ends when asked, and leaves the ending of the process to us: the store is closed first."""

    def __init__(
        self,
        config: uvicorn.Config,
        hand_over: Callable[[], Coroutine[Any, Any, None]],
        https: tuple[ssl.SSLContext, ConnectionLimits] | None = None,
    ) -> None:
        """Make one; `hand_over` is awaited when nobody can connect any more, and those who are here still are."""
        super().__init__(config)
        self._hand_over = hand_over
        self._https = https
        self._more: list[socket.socket] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; on https through a gate of our own."""
        if self._https is None:
            await super().startup(sockets)
            return
        await super().startup([])
        context, limits = self._https
        gate = Gate(context, self._protocol, limits.count_for, limits.each)
        for one in sockets or []:
            gate.open(one, self.config.backlog)
        self.servers.append(gate)  # type: ignore[arg-type]

    def _protocol(self) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    async def listen_also(self, bound: socket.socket) -> None:
        """Listen on a further socket, too, on plain http; nobody who is connected notices."""
        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(self._protocol, sock=bound, backlog=self.config.backlog))
        self._more.append(bound)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in, let everyone go elsewhere, then end."""
        for server in self.servers:
            server.close()
        for one in [*(sockets or []), *self._more]:
            one.close()
        leaving = asyncio.ensure_future(self._hand_over())
        while not leaving.done() and not self.force_exit:
            await asyncio.wait([leaving], timeout=0.1)
        leaving.cancel()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take Ctrl-C and SIGTERM as a request to end; the second Ctrl-C does not wait for anyone."""
        loop = asyncio.get_running_loop()
        asked = (signal.SIGINT, signal.SIGTERM)
        for number in asked:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in asked:
                loop.remove_signal_handler(number)


def tune_collector() -> None:
    """Let the collector look at what came since the start, not too often, and at all of it often enough.

    Tables and sockets go without it (tests/server/test_memory.py). What is left for it are cycles of libraries: these
    must not pile up in the oldest generation, which is looked through once in 25 times at most.
    """
    gc.collect()
    gc.freeze()  # what is there now stays: not to be looked through again and again
    gc.set_threshold(10_000, 5, 5)


async def serve(
    config: Config,
    bound: socket.socket,
    ready: Callable[[], None],
    compiler: Compiler | None = None,
    certificate: Certificate | None = None,
) -> None:
    """Serve on a socket until stopped by a signal; `ready` is called when clients can connect.

    With a certificate, it speaks https.
    """
    server = Server(config)
    await server.start(compiler)
    tune_collector()
    try:
        limits = ConnectionLimits(config, raise_file_limit(), problem)
        settings, https = uvicorn_config(server.app, config, limits), None
        if certificate is not None:
            https = (make_context(certificate), limits)
            watching = asyncio.create_task(certificate.watch(https[0]))
        uvicorn_server = _Uvicorn(settings, lambda: server.hub.hand_over(HAND_OVER), https)
        port = bound.getsockname()[1]

        async def listen_also(address: str) -> None:
            await uvicorn_server.listen_also(listen(address, port))

        server.door.listen = listen_also
        serving = asyncio.create_task(uvicorn_server.serve(sockets=[bound]))
        while not uvicorn_server.started and not serving.done():
            await asyncio.sleep(0.01)
        ready()
        await serving
    finally:
        if certificate is not None:
            watching.cancel()
        await server.close()


def run(config: Config, at: Listen, open_page: bool, tell: Callable[[str], None], compiler: Compiler) -> None:
    """Serve until stopped; RuntimeError if the server cannot start."""
    if at.certificate is not None:
        make_context(at.certificate)  # what is wrong with it is said before anything begins
    bound = listen(at.host, at.port)
    port = bound.getsockname()[1]
    plain = None if at.plain is None else listen(at.host, at.plain)
    shown = own_address() if at.host in ("0.0.0.0", "::") else at.host
    scheme = "http" if at.certificate is None else "https"
    name = f"[{shown}]" if ":" in shown else shown
    address = f"{scheme}://{name}" + ("" if (scheme, port) == ("https", 443) else f":{port}")
    set_up_logs()

    def ready() -> None:
        tell(f"Tavolino is at {address} (Ctrl-C stops it; nothing is lost).")
        if open_page:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    async def all_of_it() -> None:
        async with contextlib.AsyncExitStack() as beside:
            if plain is not None:
                await beside.enter_async_context(redirecting(plain, port))
            await serve(config, bound, ready, compiler, at.certificate)

    quietly = contextlib.suppress(KeyboardInterrupt)
    with contextlib.closing(bound), asyncio.Runner(loop_factory=fast_loop()) as runner, quietly:
        runner.run(all_of_it())


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of the fast event loop, if there is one."""
    try:
        import uvloop
    except ImportError:
        return None

    return uvloop.new_event_loop
