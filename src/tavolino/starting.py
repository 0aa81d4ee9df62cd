"""Let Ctrl-C end the command at once and silently while it starts; imported before anything that takes long.

The imports take a second, and a traceback through them helps nobody. `cli.main` handles Ctrl-C from then on. A
program that imports the package is left alone.
"""

import _signal as signal  # type: ignore[import-not-found]  # built in: `signal` imports some files first
import sys


def is_command() -> bool:
    """Tell whether this process was started as `tavolino` or `python -m tavolino`."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":  # so it is called until the module is found
        return "tavolino" in sys.orig_argv
    return name.removesuffix(".exe").endswith(("/tavolino", "\\tavolino", "tavolino/__main__.py"))


if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
