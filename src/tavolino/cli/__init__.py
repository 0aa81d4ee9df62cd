"""The command line: `tavolino`. Each command is a small file in this folder that imports heavy modules when it runs."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any, NoReturn

import click

from tavolino import __version__
from tavolino.cli.analyse import analyse
from tavolino.cli.arena import arena
from tavolino.cli.bench import bench
from tavolino.cli.check import check
from tavolino.cli.evaluate import evaluate
from tavolino.cli.info import list_games, rules
from tavolino.cli.play import play
from tavolino.cli.replay import replay
from tavolino.cli.serve import prune, serve
from tavolino.cli.simulate import simulate
from tavolino.cli.site import site
from tavolino.cli.study import study
from tavolino.cli.train import train
from tavolino.cli.verify import verify
from tavolino.cli.warm import warm


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="For a first game: tavolino",
)
@click.version_option(__version__, message="tavolino %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Tabletop games: play them in the browser or here, against bots and friends; study them by the million.

    Without a command, this opens the tables in a browser, like `tavolino serve --open`.
    """
    if context.invoked_subcommand is None:
        context.invoke(serve, open_page=True)


for _command in (
    list_games,
    rules,
    serve,
    play,
    site,
    simulate,
    arena,
    evaluate,
    study,
    analyse,
    check,
    replay,
    verify,
    warm,
    train,
    bench,
    prune,
):
    cli.add_command(_command)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 for success, 1 for a negative result, 2 for wrong usage or an unusable file."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without some letter shows a ? for it
    quiet = signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # as `tavolino.starting` sets it
    try:
        if quiet:
            signal.signal(signal.SIGINT, _interrupt)
        code = _run(args)
    except KeyboardInterrupt:  # once more, on the way out
        code = 128 + signal.SIGINT
    if quiet:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while Python takes itself down
    sys.exit(code)


def _open_streams() -> None:
    """Give closed standard streams (`tavolino list >&-`) the null device.

    Otherwise the next file that is opened takes the number of one of them, and receives what was meant for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode)  # noqa: SIM115, PTH123 (open for as long as we run)
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Raise Ctrl-C as Python does; if it comes while a module in C is loaded, which tells of it at length, later."""
    while frame is not None:
        if frame.f_code in _LOADING:
            return _repeat()
        frame = frame.f_back
    raise KeyboardInterrupt


_LOADING = (ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__)


def _repeat() -> None:
    """Send Ctrl-C once more, in a moment."""
    threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()


def _interrupt_again(unraisable: Any) -> None:
    """Repeat a Ctrl-C that came inside a callback of the compiler, where it is lost, a moment later."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _repeat()
    else:
        sys.__unraisablehook__(unraisable)


def _run(args: Sequence[str] | None) -> int:
    asked = signal.SIGINT

    def end(*_: object) -> None:
        """End as with Ctrl-C: show the results so far and remove half-written files."""
        nonlocal asked
        asked = signal.SIGTERM
        raise KeyboardInterrupt

    previous, hook = signal.signal(signal.SIGTERM, end), sys.unraisablehook
    sys.unraisablehook = _interrupt_again
    try:
        code = cli.main(args, prog_name="tavolino", standalone_mode=False)
        sys.stdout.flush()
        if asked == signal.SIGTERM:  # a command that ends well at Ctrl-C, as `play` does
            return 128 + asked
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "tavolino"
        return _say(f"{path}: {_sentence(error.format_message())}\nTry '{path} --help'.")
    except click.ClickException as error:
        return _say(f"tavolino: {error.format_message()}")
    except (click.Abort, KeyboardInterrupt):
        _say("Stopped.")
        return 128 + asked  # as shells have it
    except BrokenPipeError:
        # What is left in Python's buffer would meet the same closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1  # as click and rich do where they notice it
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"tavolino: {where}{error.strerror or error}")
    finally:
        signal.signal(signal.SIGTERM, previous)
        sys.unraisablehook = hook


def _say(text: str) -> int:
    click.echo(text, err=True)
    return 2


def _sentence(message: str) -> str:
    return (
        message[:1].lower() + message[1:] if message.startswith(("No such", "Missing", "Invalid", "Got ")) else message
    )
