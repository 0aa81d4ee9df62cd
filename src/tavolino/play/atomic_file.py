"""Write a file completely or not at all."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; it appears under its name only if the block succeeds.

    Until then a temporary file stands beside it, which is deleted after an error or Ctrl-C. Anything but a regular file
    (`/dev/stdout`, a named pipe) is written directly, since a file must not take its place.
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


def opened(to: Path | BinaryIO | None) -> contextlib.AbstractContextManager[BinaryIO | None]:
    """Open a target for writing: a file that appears when it is complete, a stream as it is, or nothing."""
    return atomic_file(to) if isinstance(to, Path) else contextlib.nullcontext(to)


def check_writable(path: Path) -> None:
    """Raise the OSError that `atomic_file` would end with, before there is anything to write; change nothing."""
    found = path.resolve()
    code = None
    if found.is_dir():
        code = errno.EISDIR
    elif found.exists() and not found.is_file():
        code = None if os.access(found, os.W_OK) else errno.EACCES  # opened, a named pipe would wait for its reader
    else:
        part = found.with_name(f".{found.name}.{os.getpid()}.part")
        try:
            part.open("xb").close()
            part.unlink()
        except OSError as error:
            code = error.errno
    if code is not None:
        raise OSError(code, f"cannot be written ({os.strerror(code)})", str(path))


def check_folder(path: Path) -> None:
    """Raise the OSError that writing into a folder would end with, even if the folder does not exist yet."""
    there = path.resolve()
    while not there.exists():
        there = there.parent
    try:
        check_writable(there / "file")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
