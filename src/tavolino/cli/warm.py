"""`tavolino warm`: compile everything now."""

import signal
from collections.abc import Iterator
from queue import Empty
from typing import Any

import click


@click.command(short_help="Compile everything now.", epilog="Example: tavolino warm")
def warm() -> None:
    """Compile the rules of all games now, so that nothing has to wait later.

    Compiled code is kept on disk, so this command has nothing to do the next time. The environment variable
    TAVOLINO_CACHE sets the folder.
    """
    import time

    from tavolino.cli.common import err
    from tavolino.cli.compiled import needs
    from tavolino.engine import cache, jit
    from tavolino.engine.phrases import counted
    from tavolino.engine.registry import GAMES

    if jit.INTERPRETED:
        click.echo("The compiler is switched off (NUMBA_DISABLE_JIT): there is nothing to compile.")
        return
    if cache.all_is_there():
        cache.sweep()
        click.echo(f"Everything is compiled already, in {cache.cache_root()}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = err()
    compiled = 0
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task("Compiling", total=sum(len(needs(key, "warm")) for key in GAMES))
    began = time.monotonic()
    try:
        for key, name in _on_all_cores(list(GAMES)):
            if not name:
                progress.advance(task)
                continue
            compiled += 1
            if console.is_terminal:
                progress.update(task, description=f"Compiling {GAMES[key].title}: {name:<22.22}")
                progress.start()
            else:
                console.print(f"Compiling {GAMES[key].title}: {name} …", soft_wrap=True)
    finally:
        if progress.live.is_started:
            progress.stop()
    cache.sweep()
    if not compiled:  # all of it was read from there
        cache.note_all_is_there()
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


def _on_all_cores(keys: list[str]) -> Iterator[tuple[str, str]]:
    """Compile each game in a process of its own; yield (game, name) for each function, (game, "") after each part."""
    import multiprocessing

    from tavolino.workers.processes import deaf_to_ctrl_c

    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    processes = [context.Process(target=_compile, args=(key, told), daemon=True) for key in keys]
    with deaf_to_ctrl_c():
        for process in processes:
            process.start()
    while any(process.is_alive() for process in processes) or not told.empty():
        try:
            yield told.get(timeout=0.2)
        except Empty:
            continue
    if any(process.exitcode for process in processes):
        raise click.ClickException("compiling failed; the reason is shown above")


def _compile(key: str, told: Any) -> None:
    from tavolino.cli.compiled import PARTS, needs, without_scipy
    from tavolino.engine import jit

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Windows it is not inherited
    jit.watchers.append(lambda name: told.put((key, name)))
    with without_scipy():
        for part in needs(key, "warm"):
            PARTS[part](key)
            told.put((key, ""))
