"""Standard streams that are closed, and Ctrl-C at any moment: never a traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.conftest import environment, process

COMMANDS = {"rules orma": "# Orma", "simulate orma --games 2 --records -": '"game":"orma"', "check -": "0 records"}
CLOSED = [">&-", "<&-", "2>&-", "<&- >&- 2>&-"]


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("command", COMMANDS)
def test_closed_streams(command: str) -> None:
    """What would go there is dropped, what would come is at its end; nothing else changes."""
    line = " & ".join(f"({sys.executable} -m tavolino {command} {closed} || echo failed)" for closed in CLOSED)
    done = subprocess.run(
        ["bash", "-c", f"{line} & wait"],
        env=environment(LANG="C"),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "failed" not in done.stdout, done.stdout
    assert "Traceback" not in done.stderr
    assert COMMANDS[command] in done.stdout


def test_ctrl_c_at_any_moment() -> None:
    """From the first import to the last breath: it ends, by the signal or with its code, and says a word at most."""
    ends = set()
    for tenths in range(2, 18, 2):
        with process("simulate", "orma", "--games", 1000, "--seed", 1) as started:
            time.sleep(tenths / 10)
            started.send_signal(signal.SIGINT)
            _, err = started.communicate(timeout=60)
        ends.add(started.returncode)
        # Before that Python itself starts, and finds the module that takes Ctrl-C over.
        ours = "Traceback" not in err or ("/tavolino/" in err and "import starting" not in err)
        assert not ours or err.strip() in ("", "Stopped."), err
    assert ends <= {-signal.SIGINT, 130, 0}
    assert ends & {-signal.SIGINT, 130}, "none was interrupted"


IN_C = """
import os, signal, sys
from tavolino.cli import main

class Stop:
    def find_spec(self, name, *rest):
        if name == "numba._devicearray":  # which another module in C imports
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stop())
signal.signal(signal.SIGINT, signal.SIG_DFL)
main(["simulate", "orma", "--games", "100000000"])
"""


def test_ctrl_c_while_a_module_in_c_is_loaded() -> None:
    """There it would become an ImportError, and a traceback of both."""
    done = subprocess.run(
        [sys.executable, "-c", IN_C], env=environment(), capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr.strip()) == (130, "Stopped.")


def test_programs_of_others_keep_their_ctrl_c() -> None:
    """Only the command changes what Ctrl-C does."""
    code = "import signal, tavolino; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


LOST = """
import time
import click
from tavolino.cli import cli, main

class Callback:
    def __del__(self):
        raise KeyboardInterrupt

@cli.command()
def lose():
    Callback()
    time.sleep(600)

main(["lose"])
"""


def test_ctrl_c_inside_a_callback_is_not_lost() -> None:
    """Where Python cannot raise it, as in the compiler's callbacks, it comes again a moment later."""
    done = subprocess.run(
        [sys.executable, "-c", LOST], env=environment(), capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr.strip()) == (130, "Stopped.")
