"""Write the dumps of the newest version of the schema."""

import asyncio
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from tavolino.server.migrations import known_versions
from tests.server.databases import Server
from tests.server.dumps import HERE, fill


def main() -> None:
    version = known_versions()[-1]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        asyncio.run(fill(str(file)))
        connection = sqlite3.connect(file)
        _write(version, "sqlite", "\n".join(connection.iterdump()) + "\n")
        connection.close()
    server = Server(Path(tempfile.mkdtemp(prefix="tavolino-")))
    asyncio.run(fill(server.url))
    words = [str(server.programs / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", server.url]
    dumped = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    server.close()
    # Not the settings of the session, some of which an older PostgreSQL does not know.
    noise = ("--", "\\", "SET ", "SELECT pg_catalog.set_config")
    lines = [line for line in dumped.splitlines() if line and not line.startswith(noise)]
    _write(version, "postgresql", "\n".join(lines) + "\n")


def _write(version: str, kind: str, text: str) -> None:
    path = HERE / f"{version}.{kind}.sql"
    path.write_text(text, encoding="utf-8")
    print(path.name)


if __name__ == "__main__":
    main()
