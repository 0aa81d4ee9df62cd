"""A file that is there as a whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written; it appears under its name only when the block ends well.

    Until then it has another name beside it, which is deleted when the block is left by an error or Ctrl-C. What is no
    regular file (`/dev/stdout`, a named pipe) is written directly, since another file must not take its place.
    """
    path = path.resolve()  # through a link: what it points to is replaced, not the link
    if path.exists() and not path.is_file():
        with path.open("wb") as direct:
            yield direct
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
