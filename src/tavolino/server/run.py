"""Run a server in this process: sockets, logs, a clean end."""

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import uvicorn
from starlette.types import ASGIApp

from tavolino.server.app import Server, problem
from tavolino.server.config import Config
from tavolino.server.http_protocol import ConnectionLimits, raise_file_limit
from tavolino.server.messages import MAX_MESSAGE
from tavolino.server.warming import Compiler
from tavolino.server.wire import Wire

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


def own_address() -> str:
    """Return this machine's address on its network, to give to friends; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def uvicorn_config(app: ASGIApp, config: Config) -> uvicorn.Config:
    """Return how uvicorn is to run the application."""
    return ConnectionLimits(config, raise_file_limit(), problem).config(
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
    config: Config, bound: socket.socket, ready: Callable[[], None], compiler: Compiler | None = None
) -> None:
    """Serve on a socket until stopped by a signal; `ready` is called when clients can connect."""
    server = Server(config)
    await server.start(compiler)
    tune_collector()
    try:
        uvicorn_server = _Uvicorn(uvicorn_config(server.app, config))
        serving = asyncio.create_task(uvicorn_server.serve(sockets=[bound]))
        while not uvicorn_server.started and not serving.done():
            await asyncio.sleep(0.01)
        ready()
        await serving
    finally:
        await server.close()


def run(config: Config, host: str, port: int, open_page: bool, tell: Callable[[str], None], compiler: Compiler) -> None:
    """Serve until stopped; RuntimeError if the server cannot start."""
    bound = listen(host, port)
    shown = own_address() if host in ("0.0.0.0", "::") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound.getsockname()[1]}"
    set_up_logs()

    def ready() -> None:
        tell(f"Tavolino is at {address} (Ctrl-C stops it; nothing is lost).")
        if open_page:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    quietly = contextlib.suppress(KeyboardInterrupt)
    with contextlib.closing(bound), asyncio.Runner(loop_factory=fast_loop()) as runner, quietly:
        runner.run(serve(config, bound, ready, compiler))


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of the fast event loop, if there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
