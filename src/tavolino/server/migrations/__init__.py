"""The schema's history: each file in `versions` leads from the one before to the next.

A database is brought up to date when a server starts, without alembic.ini or env.py. To change the schema, add the
next file (never edit an old one), change `database.metadata`, and add its dump (`python -m tests.server.dumps`).
"""

import threading
from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

LOCK = 0x7A70_11_40
"""PostgreSQL's advisory lock: one server migrates, others that start at the same time wait and find it done."""
ALEMBIC = threading.Lock()
"""Its `op` is one for all threads of a process."""


def migrate(connection: Connection) -> None:
    """Bring the database up to date; RuntimeError if it comes from a newer Tavolino.

    The connection must be within `database.transaction`, so that a migration is there as a whole or not at all.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    scripts = _scripts()

    def steps(revision: Any, _: MigrationContext) -> Any:
        return scripts._upgrade_revs("head", revision)

    context = MigrationContext.configure(connection, opts={"fn": steps})
    unknown = set(context.get_current_heads()).difference(known_versions())
    if unknown:
        raise RuntimeError(
            f"This database was written by a newer Tavolino: its version is {max(unknown)}, "
            f"this program knows up to {scripts.get_current_head()}. Update it: pip install --upgrade tavolino"
        )
    with ALEMBIC, Operations.context(context):
        context.run_migrations()


def known_versions() -> list[str]:
    """Return the versions of the schema, oldest first."""
    return [script.revision for script in _scripts().walk_revisions()][::-1]


def _scripts() -> ScriptDirectory:
    here = Path(__file__).parent
    return ScriptDirectory(str(here), version_locations=[str(here / "versions")])
