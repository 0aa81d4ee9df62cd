"""How a server is set up; `tavolino serve --help` explains the few that people change."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Return the folder of what must be kept: `TAVOLINO_DATA`, else the user's data folder."""
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
    """Other origins whose pages may connect, such as `https://tavolino.example`; its own is always allowed."""
    pace: float = 0.7
    """Seconds a bot takes for a move at least."""
    away: float = 60.0
    """Seconds after which someone who left may be replaced by a bot; a table's clock for each move goes first."""
    tables_each: int = 50
    """Tables a person may have open at once."""
    tables_an_hour: float = 120.0
    """Tables an address may open in the long run; at once twice as many as a person may have open."""
    hello: float = 10.0
    """Seconds a socket has to say hello."""
    messages_a_second: float = 20.0
    """Messages a socket may send in the long run; short bursts may be three times as many."""
    requests_a_second: float = 20.0
    """Requests an address may make in the long run; bursts five times as many."""
    connections: int = 20_000
    """Connections at once, of all; fewer where the system allows fewer open files."""
    connections_each: int = 100
    """HTTP connections an address may hold open; those of a proxy are not counted."""
    request_seconds: float = 10.0
    """Seconds in which a request, header and body, must have come."""
    ping: float = 20.0
    """Seconds between two pings of a WebSocket, and for the answer to one."""
    sockets_each: int = 50
    """WebSockets an address may hold open."""
    anywhere: bool = False
    """Reachable under any name, not only this machine's: bound to more than loopback."""
