"""`tavolino warm`: compile everything now."""

import click


@click.command(short_help="Compile everything now.", epilog="Example: tavolino warm")
def warm() -> None:
    """Compile the rules of all games now, so that nothing needs to wait later.

    What is compiled is kept on disk; after that this command is done at once. The folder can be chosen with the
    environment variable TAVOLINO_CACHE.
    """
    import time

    from tavolino.cli.common import err
    from tavolino.cli.compiled import PARTS, without_scipy
    from tavolino.games import GAMES, jit

    if jit.INTERPRETED:
        click.echo("The compiler is switched off (NUMBA_DISABLE_JIT): there is nothing to compile.")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = err()
    names: list[str] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task("Compiling", total=len(GAMES) * len(PARTS))
    title = ""

    def tell(name: str) -> None:
        names.append(name)
        if not console.is_terminal:
            console.print(f"Compiling {title}: {name} …", soft_wrap=True)
            return
        progress.update(task, description=f"Compiling {title}: {name:<22.22}")
        progress.start()

    began = time.monotonic()
    jit.watchers.append(tell)
    try:
        with without_scipy():
            for key, rules in GAMES.items():
                title = rules.TITLE
                for part in PARTS.values():
                    part(key)
                    progress.advance(task)
    finally:
        jit.watchers.remove(tell)
        if progress.live.is_started:
            progress.stop()
    jit.sweep()
    cache, done = jit.cache_root(), f"Compiled {len(names)} functions in {time.monotonic() - began:.0f} s"
    if not names:
        click.echo(f"All is compiled already, in {cache}")
    elif any(jit.CACHE["games"].glob("*.nbc")):
        click.echo(f"{done}, kept in {cache}")
    else:
        click.echo(
            f"{done}, but {cache} cannot be written: they will be compiled again next time."
            " Set TAVOLINO_CACHE to a folder that can."
        )
