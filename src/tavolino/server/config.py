"""The settings of a server; `tavolino serve --help` explains the few that people change."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tavolino.server.own_bots import OwnBot


def data_folder() -> Path:
    """Return the data folder: `TAVOLINO_DATA`, else the user's."""
    if given := os.environ.get("TAVOLINO_DATA"):
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tavolino"


def default_database() -> str:
    """Return where tables are kept: `TAVOLINO_DATABASE`, else one SQLite file in the data folder."""
    return os.environ.get("TAVOLINO_DATABASE") or str(data_folder() / "tables.sqlite")


@dataclass(frozen=True)
class Config:
    """A server's settings."""

    database: str = field(default_factory=default_database)
    origins: tuple[str, ...] = ()
    """Other origins whose pages may connect, such as `https://tavolino.example`; the server's own is always allowed."""
    pace: float = 0.7
    """The least seconds that a bot takes for a move."""
    away: float = 60.0
    """Seconds after which someone who left may be replaced by a bot; a table's clock per move takes precedence."""
    share_seconds: float = 60.0
    """Seconds that a browser has to seal its share of a deal, and again to open it; then others may go on without."""
    tables_each: int = 50
    """Tables that a person may have open at once."""
    tables_an_hour: float = 120.0
    """Tables that an address may open on average; in a burst, twice as many as a person may have open."""
    links_an_hour: float = 30.0
    """Personal links that an address may make on average, and in a burst."""
    hello: float = 10.0
    """Seconds that a socket has to say hello."""
    messages_a_second: float = 20.0
    """Messages that a socket may send per second on average; three times as many in a burst."""
    requests_a_second: float = 20.0
    """Requests that an address may make per second on average, five times as many in a burst; for the page's files, ten
    times as many of each."""
    connections: int = 20_000
    """Connections at once, in total; fewer if the system allows fewer open files."""
    connections_each: int = 100
    """HTTP connections that an address may hold open; those of a proxy are not counted."""
    request_seconds: float = 10.0
    """Seconds within which a request, header and body, must arrive."""
    ping: float = 20.0
    """Seconds between two pings of a WebSocket, and for the answer to one."""
    sockets_each: int = 50
    """WebSockets that an address may hold open."""
    tls: bool = False
    """Whether it speaks https itself: then browsers are told to use nothing else."""
    metrics_from: tuple[str, ...] = ()
    """Addresses that may read `/metrics`, besides this machine's own."""
    keep: float | None = None
    """Days for which finished tables are kept; None: for ever. Unfinished ones are kept for `keep_unfinished`."""
    keep_unfinished: float = 90.0
    review_tries: int = 192
    """How deep finished games are reviewed: sampled games per line of play (`tavolino.lab.review`); 0: not at all."""
    engine: Callable[[str], bytes | None] | None = None
    """Returns a file of what runs the games in a browser, by its path; None if there is no such file."""
    bots: tuple["OwnBot", ...] = ()
    """Bots that people can choose besides the levels."""
    anywhere: bool = False
    """Whether it is reachable under any name, not only this machine's: bound to more than loopback."""
