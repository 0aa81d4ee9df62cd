"""What the commands share: consoles, progress bars, reading options of a game as they are typed."""

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from tavolino.workers import Workers

PATIENCE = 1.0
"""Seconds before a bar is shown: quicker work needs none."""


WIDEST = 100
"""Columns of a terminal that are used: longer lines read badly."""
UNBROKEN = 100_000
"""Columns of a pipe or a file: lines stay whole."""


def out() -> "Console":
    """Return the console for results."""
    return _console(stderr=False)


def err() -> "Console":
    """Return the console for progress and remarks, and for results if stdout is in use: stderr."""
    return _console(stderr=True)


def _console(stderr: bool) -> "Console":
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    if console.is_terminal or "COLUMNS" in os.environ:
        width = min(console.width, WIDEST)
    else:
        width = UNBROKEN
    return Console(stderr=stderr, highlight=False, width=width)


def show(result: "dict[str, Any] | list[RenderableType]", aside: bool) -> None:
    """Print a result, as one JSON object or in parts; `aside`: on stderr, since something else uses stdout."""
    if isinstance(result, dict):
        import msgspec

        click.echo(msgspec.json.encode(result), err=aside)
        return
    console = err() if aside else out()
    for part in result:
        console.print(part)


STDOUT = "-"
to_records = click.option(
    "--records",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write one record per line, as JSON; - is standard output, and the result then goes to stderr.",
)


def read_records(name: str | None) -> Path | BinaryIO | None:
    """Return what to write records to; OSError if it cannot be written."""
    from tavolino.play.atomic_file import check_writable

    if name is None:
        return None
    if name == STDOUT:
        return sys.stdout.buffer
    check_writable(Path(name))
    return Path(name)


@contextmanager
def writing(records: str | None) -> Iterator[None]:
    """Name the file if writing records fails."""
    try:
        yield
    except OSError as error:
        if records is None or error.filename is not None or isinstance(error, BrokenPipeError):
            raise
        where = "standard output" if records == STDOUT else records
        raise OSError(error.errno, f"cannot be written ({error.strerror})", where) from None


def complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the games whose names begin as typed, for completion in the shell."""
    from tavolino.engine.registry import GAMES

    return [key for key in GAMES if key.startswith(incomplete)]


def complete_bots(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the last name in a list of bots, for the shell."""
    from tavolino.bots.players import BUILTIN

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in BUILTIN if name.startswith(last)]


the_game = click.argument("game", shell_complete=complete_game)
RECORDS = click.Path(allow_dash=True)
"""A file of records to read; - is standard input."""

on_ray = click.option(
    "--ray",
    metavar="ADDRESS",
    help="Play on a Ray cluster: host:port; auto is the one on this machine; local starts one here.",
)


@contextmanager
def workers_at(console: "Console", ray: str | None) -> "Iterator[Workers | None]":
    """Yield the workers of a Ray cluster; None without an address: the local cores."""
    if ray is None:
        yield None
        return
    from tavolino.engine.phrases import counted
    from tavolino.workers.cluster import cluster

    try:
        with ExitStack() as held:
            with console.status(f"Connecting to Ray at {ray} …"):
                workers = held.enter_context(cluster(ray))
            have = f"{counted(workers.nodes, 'node')}, {counted(workers.cores, 'core')}"
            console.print(
                f"Ray at {ray}: {have}. A node that has never played first compiles the rules, for about 10 s.",
                soft_wrap=True,
            )
            yield workers
    except RuntimeError as error:  # no cluster, or one that failed
        raise click.ClickException(str(error)) from None


class TellProgress(Protocol):
    """Tells how much is done, and what to call it from now on."""

    def __call__(self, done: float, what: str | None = None, /) -> None: ...


class TimeLeft:
    """How long work will still take, from how far it has come since it first told: not from its latest pace alone.

    >>> clock = TimeLeft(10)
    >>> for done, second in ((2, 0.0), (4, 30.0)): clock.hear(done, second)
    >>> clock.left_in_words(31.0)
    '0:01:29'
    """

    def __init__(self, total: float | None) -> None:
        self._total = total
        self._first: tuple[float, float] | None = None
        self._ends: float | None = None

    def hear(self, done: float, now: float) -> None:
        """Note how much is done."""
        if self._first is None or done <= self._first[0]:  # work that says again that nothing is done begins now
            self._first = done, now
        before, began = self._first
        if self._total and done > before:
            self._ends = now + (now - began) * (self._total - done) / (done - before)

    def left_in_words(self, now: float) -> str:
        """Return the time that is left, as hours, minutes and seconds; dashes while nobody can tell."""
        if self._ends is None:
            return "-:--:--"
        seconds = max(0, round(self._ends - now))
        return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


@contextmanager
def bar(console: "Console", what: str, total: float | None, in_numbers: bool = False) -> Iterator[TellProgress]:
    """Yield a function to call with how much is done; after a second, a terminal shows a bar.

    The bar shows a percentage, or with `in_numbers` the two numbers.
    """
    if not console.is_terminal:
        yield lambda done, what=None: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TaskProgressColumn,
        TextColumn,
    )
    from rich.text import Text

    class Left(ProgressColumn):
        def render(self, _: Task) -> Text:
            return Text(clock.left_in_words(time.monotonic()), style="progress.remaining")

    how_much = MofNCompleteColumn() if in_numbers else TaskProgressColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(20), how_much, Left())
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task(what, total=total)
    began, clock = time.monotonic(), TimeLeft(total)

    def update(done: float, what: str | None = None) -> None:
        progress.update(task, completed=done, description=what)
        clock.hear(done, time.monotonic())
        if not progress.live.is_started and time.monotonic() - began > PATIENCE:
            progress.start()

    try:
        yield update
    finally:
        if progress.live.is_started:
            progress.stop()


def read_value(text: str) -> Any:
    """Read an option's value as typed: a number, numbers separated by commas, `none`, or a word.

    >>> read_value("3"), read_value("2,2,4,4,6,8"), read_value("plain")
    (3, [2, 2, 4, 4, 6, 8], 'plain')
    """
    if "," in text:
        return [read_value(part) for part in text.split(",")]
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        return int(text)
    return None if text.lower() == "none" else text


def read_given(given: tuple[str, ...], first: int | None) -> tuple[dict[str, Any], int | None]:
    """Return the options typed as `key=value`, and separately the seat that starts."""
    options: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise click.ClickException(f"write an option as key=value, such as basket=plain, not {text!r}")
        if name in options:
            raise click.ClickException(f"option {name!r} is given twice")
        options[name] = read_value(value)
    if "first" in options:
        typed = options.pop("first")
        if first is not None and typed != first:
            raise click.ClickException(f"--first {first} contradicts --option first={typed}")
        first = typed
    return options, first


def read_seed(text: str | None) -> int | str | None:
    """Return a seed as typed: a number if it is one, else the text itself."""
    return int(text) if text is not None and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", text) else text
