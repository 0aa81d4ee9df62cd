"""`tavolino serve`: the server where people and bots play; `tavolino prune`: remove old tables."""

from pathlib import Path

import click


@click.command(
    short_help="Open the tables in a browser, for yourself or for others.",
    epilog="Example: tavolino serve --host 0.0.0.0, for friends on your network. More: docs/run-it-for-others.md",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port; 0 takes any free one.  [default: 8017, or 443 with --tls]",
)
@click.option("--database", metavar="URL", help="A SQLite file or postgresql://…; also TAVOLINO_DATABASE.")
@click.option(
    "--origin", "origins", multiple=True, metavar="URL", help="The address that people see, if behind a proxy."
)
@click.option(
    "--tls",
    type=(click.Path(dir_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)),
    metavar="CERT KEY",
    help="Speak https, with this certificate (and chain) and key; renewed files are read again.",
)
@click.option(
    "--redirect-from",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="With --tls: redirect plain http from this port; 0 for none.  [default: 80 if the port is 443]",
)
@click.option("--keep", type=click.FloatRange(0), metavar="DAYS", help="Remove finished tables after so many days.")
@click.option("--metrics-from", multiple=True, metavar="ADDRESS", help="Who may read /metrics besides this machine.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME=FILE",
    help="A bot to choose on the page besides the levels, such as Mine=mine.npz; more than one if given again.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int | None,
    database: str | None,
    origins: tuple[str, ...],
    tls: tuple[Path, Path] | None,
    redirect_from: int | None,
    keep: float | None,
    metrics_from: tuple[str, ...],
    bots: tuple[str, ...],
    open_page: bool,
) -> None:
    """Serve the tables: a page to play on, in real time, with everything stored."""
    from tavolino.cli.compiler import compiler
    from tavolino.server.config import Config, default_database
    from tavolino.server.guard import is_loopback
    from tavolino.server.own_bots import read_own_bots
    from tavolino.server.run import Listen, NoSocket, run
    from tavolino.server.tls import Certificate

    if tls is None and redirect_from is not None:
        raise click.UsageError("--redirect-from needs --tls: without it, there is no https to lead to.")
    if port is None:
        port = 8017 if tls is None else 443
    plain = (80 if tls is not None and port == 443 else 0) if redirect_from is None else redirect_from
    at = Listen(host, port, None if tls is None else Certificate(*tls), plain or None)
    try:
        own = read_own_bots(bots)
    except ValueError as error:
        raise click.UsageError(f"--bot: {error}.") from None
    config = Config(
        database=database or default_database(),
        origins=origins,
        anywhere=not is_loopback(host),
        tls=tls is not None,
        keep=keep,
        metrics_from=metrics_from,
        engine=_engine,
        bots=own,
    )

    try:
        run(config, at, open_page, lambda text: click.echo(text, err=True), compiler())
    except NoSocket as error:
        raise click.ClickException(f"{error}{other_port(host, port) if error.port_helps else ''}") from None
    except RuntimeError as error:
        raise click.ClickException(str(error)) from None


def _engine(path: str) -> bytes | None:
    from tavolino.browser.site import engine_file

    return engine_file(path)


def other_port(host: str, port: int) -> str:
    """Say how to use a port that is free, in the form the command was typed."""
    import os

    from tavolino.server.run import NoSocket, listen

    for other in range(max(port, 8016) + 1, min(max(port, 8016) + 100, 65536)):
        try:
            listen(host, other).close()
        except NoSocket:
            continue
        typed = f'make play ARGS="--port {other}"' if "TAVOLINO_BY_MAKE" in os.environ else f"--port {other}"
        return f"; this one is free: {typed}"
    return "; --port 0 takes any that is free"


@click.command(
    short_help="Remove old tables, finished or abandoned.",
    epilog="Example: tavolino prune --days 90. It can run while a server does.",
)
@click.option(
    "--days",
    type=click.FloatRange(0),
    required=True,
    metavar="DAYS",
    help="Remove finished tables untouched for so many days.",
)
@click.option(
    "--abandoned",
    type=click.FloatRange(1),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Remove unfinished tables untouched for so many days.",
)
@click.option("--database", metavar="URL", help="A SQLite file or postgresql://…; also TAVOLINO_DATABASE.")
def prune(days: float, abandoned: float, database: str | None) -> None:
    """Remove tables for good: finished ones untouched for some time, and those that nobody will finish."""
    import asyncio
    import time

    from tavolino.engine.phrases import counted
    from tavolino.server.config import default_database
    from tavolino.server.store import NotSaved, Store

    async def sweep() -> int:
        store = Store(database or default_database())
        await store.start()
        try:
            now = time.time()
            return await store.prune(int(1000 * (now - 86_400 * days)), int(1000 * (now - 86_400 * abandoned)))
        finally:
            await store.close()

    try:
        gone = asyncio.run(sweep())
    except (RuntimeError, NotSaved) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{counted(gone, 'table')} removed.")
