"""`tavolino check`: check that every record in a file is a legal game with the right result."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from tavolino.cli.common import RECORDS

if TYPE_CHECKING:
    from rich.console import Console

EVERY = 64  # records between two looks at the clock


@click.command(
    short_help="Check that records are legal games with the right result.", epilog="Example: tavolino check games.jsonl"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=RECORDS)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check that every record in FILE (one per line; - is standard input) is a legal game with the right result.

    Prints FILE:LINE: REASON for each one that is not. The exit code is then 1, or 2 if a file cannot be read.
    """
    from tavolino.cli.common import err
    from tavolino.engine.phrases import counted

    console = err()
    records = 0
    wrong: list[dict[str, Any]] = []
    unreadable: list[str] = []
    for name in files:
        try:
            with open_records(name) as file:
                for line, reason in check_file(console, name, file):
                    records += 1
                    if reason is not None:
                        wrong.append({"file": name, "line": line, "reason": reason})
                        if not as_json:
                            click.echo(f"{name}:{line}: {reason}")
        except BrokenPipeError:
            raise
        except OSError as error:
            unreadable.append(f"{name}: {error.strerror or error}")
            click.echo(f"tavolino check: {unreadable[-1]}", err=True)
    if as_json:
        import msgspec

        result = {"records": records, "wrong": wrong, "unreadable": unreadable}
        click.echo(msgspec.json.encode(result))
    elif records or not unreadable:
        verdict = f"{len(wrong):,} wrong" if wrong else "all right" if records else "nothing to check"
        click.echo(f"{counted(records, 'record')}, {verdict}")
    return 2 if unreadable else 1 if wrong else 0


def open_records(name: str) -> BinaryIO:
    """Open a file of records; `-` is standard input."""
    return open(sys.stdin.fileno(), "rb", closefd=False) if name == "-" else open(name, "rb")  # noqa: PTH123


def check_file(console: "Console", name: str, file: BinaryIO) -> Iterator[tuple[int, str | None]]:
    """Check the records of a file; yield each line number with what is wrong, or None."""
    import os

    from tavolino.cli.common import bar
    from tavolino.cli.compiled import compiling
    from tavolino.engine.registry import GAMES
    from tavolino.play.records import BadRecord, lines_of
    from tavolino.play.records import check as check_record

    ready: set[str] = set()
    size = os.fstat(file.fileno()).st_size  # 0 for a pipe
    with bar(console, f"Checking {name}", size or None) as progress:
        for i, (line, record) in enumerate(lines_of(file)):
            if i % EVERY == 0 and file.seekable():
                progress(file.tell())
            if isinstance(record, BadRecord):
                yield line, str(record)
                continue
            key = record.get("game") if isinstance(record, dict) else None
            if isinstance(key, str) and key in GAMES and key not in ready:
                compiling(console, [key], "check")
                ready.add(key)
            try:
                check_record(record)
            except BadRecord as error:
                yield line, str(error)
            else:
                yield line, None
