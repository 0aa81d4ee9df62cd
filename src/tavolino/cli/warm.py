"""`tavolino warm`: compile everything now."""

import signal
import sys
from collections.abc import Callable
from queue import Empty
from typing import Any

import click

FIRST = "looking ahead"
"""The part of one game that is compiled before all else: most of what the games have in common is in it."""
Tell = Callable[[str, str], None]
"""Hears the game and the name of each function that is compiled; of each part that is done, the game and ""."""


@click.command(short_help="Compile everything now.", epilog="Example: tavolino warm")
@click.option("--all", "training", is_flag=True, help="Also compile what only `tavolino train` needs.")
def warm(training: bool) -> None:
    """Compile the rules of all games now, so that nothing has to wait later.

    That is all that play, bots, environments, simulations, studies and analyses need. Compiled code is kept on disk, so
    this command has nothing to do the next time. The environment variable TAVOLINO_CACHE sets the folder.
    """
    import time

    from tavolino.cli.common import err
    from tavolino.cli.compiled import needs
    from tavolino.engine import cache, jit
    from tavolino.engine.phrases import counted
    from tavolino.engine.registry import GAMES

    what = "warm --all" if training else "warm"
    if jit.INTERPRETED:
        click.echo("The compiler is switched off (NUMBA_DISABLE_JIT): there is nothing to compile.")
        return
    if cache.all_is_there(what):
        cache.sweep()
        click.echo(f"Everything is compiled already, in {cache.cache_root()}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = err()
    compiled = 0
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Drawn only when something happens: a thread that draws must not be there when processes are forked.
    progress = Progress(*columns, console=console, transient=True, auto_refresh=False)
    task = progress.add_task("Compiling", total=sum(len(needs(key, what)) for key in GAMES))
    began = time.monotonic()

    def tell(key: str, name: str) -> None:
        nonlocal compiled
        if not name:
            progress.advance(task)
        else:
            compiled += 1
            progress.update(task, description=f"Compiling {GAMES[key].title}: {name:<22.22}")
            if console.is_terminal:
                progress.start()
            else:
                console.print(f"Compiling {GAMES[key].title}: {name} …", soft_wrap=True)
        progress.refresh()

    try:
        _compile_all(list(GAMES), what, tell)
    finally:
        if progress.live.is_started:
            progress.stop()
    cache.sweep()
    if not compiled:  # all of it was read from there
        cache.note_all_is_there(what)
    done = f"Compiled {counted(compiled, 'function')} in {time.monotonic() - began:.0f} s"
    folder = cache.cache_root()
    if not compiled:
        click.echo(f"Everything is compiled already, in {folder}")
    elif any(any(place.folder.glob("*.nbc")) for place in cache.places()):
        click.echo(f"{done}, kept in {folder}")
    else:
        click.echo(
            f"{done}, but {folder} cannot be written, so they will be compiled again next time."
            " Set TAVOLINO_CACHE to a folder that can be written."
        )


def _compile_all(keys: list[str], what: str, tell: Tell) -> None:
    """Compile what the games have in common, then each game in a process of its own.

    Where processes can be forked, each begins with all that the first one has in memory.
    """
    import multiprocessing

    from tavolino.cli.compiled import needs
    from tavolino.workers.processes import deaf_to_ctrl_c

    if FIRST in needs(keys[0], what):
        compile_parts(keys[0], [FIRST], lambda key, name: tell(key, name) if name else None)
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    told = context.Queue()
    processes = [context.Process(target=_in_process, args=(key, what, told), daemon=True) for key in keys]
    with deaf_to_ctrl_c():
        for process in processes:
            process.start()
    while any(process.is_alive() for process in processes) or not told.empty():
        try:
            tell(*told.get(timeout=0.2))
        except Empty:
            continue
    if any(process.exitcode for process in processes):
        raise click.ClickException("compiling failed; the reason is shown above")


def _in_process(key: str, what: str, told: Any) -> None:
    from tavolino.cli.compiled import needs

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Windows it is not inherited
    compile_parts(key, needs(key, what), lambda *one: told.put(one))


def compile_parts(key: str, parts: list[str], tell: Tell) -> None:
    """Compile or load parts of a game, and tell of each function and each part."""
    from tavolino.cli.compiled import PARTS, without_scipy
    from tavolino.engine import jit

    def watch(name: str) -> None:
        tell(key, name)

    jit.watchers.append(watch)
    try:
        with without_scipy():
            for part in parts:
                PARTS[part](key)
                tell(key, "")
    finally:
        jit.watchers.remove(watch)
