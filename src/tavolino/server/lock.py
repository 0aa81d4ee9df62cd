"""One server process per SQLite file: a second one would not hear what the first does."""

import contextlib
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 30, os.SEEK_SET)  # far behind what is written: it can be read by others
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A system lock, which is released when the process ends, however it ends."""

    def __init__(self, database: str) -> None:
        """Take it for a SQLite file; RuntimeError if another process has it."""
        path = Path(os.path.realpath(Path(database).expanduser()))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Not the database itself: closing that would drop the locks that SQLite holds on it.
        self._file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            holder = os.read(self._file, 20).decode(errors="replace").strip()
            os.close(self._file)
            who = f" (process {holder})" if holder.isdecimal() else ""
            raise RuntimeError(
                f"The database {database} is in use by another Tavolino server{who}. Stop that one first, or give this "
                "one another file (--database). Several servers can share one PostgreSQL: docs/run-it-for-others.md"
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Release it. The file stays: deleting it could take the lock away from another process."""
        with contextlib.suppress(OSError):
            os.close(self._file)
