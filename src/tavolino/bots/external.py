"""Players of your own: a Python function, or any program that speaks JSON lines. Protocol: docs/your-own-bot.md.

Either runs in a process of its own, so that it can neither hang nor crash the arena, and it is told only what its seat
may know. This file also runs in the process of a Python function, so it imports only the standard library, and such a
player starts in a few hundredths of a second.
"""

import contextlib
import importlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import queue
import reprlib
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, Literal, NoReturn

if TYPE_CHECKING:
    from tavolino.bots.position import Position

PROTOCOL = "tavolino-bot/1"
BANK = 60.0
"""Seconds that a player may think in one game, by default."""
GRACE = 0.25
"""Seconds added to a limit per move, for the round trip."""
PARTING = 1.0
"""Seconds that a program has to exit by itself once its stdin is closed."""
MORTAL = 0.5
"""Seconds in which a program that has closed its stdout may explain itself on stderr."""
GLANCE = 0.5
"""Seconds of silence after which we check whether a program is still there."""
MAX_LINE = 1 << 20
MAX_WORDS = 200
MAX_STDERR = 2048
CHUNK = 1 << 16

Status = Literal["error", "timeout", "illegal"]


class PlayerFailed(Exception):
    """A player has lost its game by failing; its process has been ended."""

    def __init__(self, status: Status, last_words: str, reason: str = "", stderr: str = "") -> None:
        super().__init__(status, last_words, reason, stderr)
        self.status: Status = status
        self.last_words = last_words
        """The end of its output, on one line and cut short."""
        self.reason = reason
        """What was wrong, as a sentence."""
        self.stderr = stderr
        """The end of what it wrote to stderr."""

    def __str__(self) -> str:
        last = f"its last words: {self.last_words}" if self.last_words else "it wrote nothing"
        return f"{self.status}: {self.reason}; {last}"


class External:
    """A player in a process of its own, which is started when first asked and serves game after game.

    It is used by one thread at a time, in the process that made it. Two seats of a game need two players, or each would
    hear the other's secrets.
    """

    def __init__(self, name: str, argv: list[str], bank: float = BANK, announces: bool = False) -> None:
        self.name = name
        """Its name in tables."""
        self._argv = argv
        self._announces = announces  # its first line says that it is ready
        self._bank = bank
        self._process: _Process | None = None
        self._hello: dict[str, Any] | None = None  # of the game it has been told about
        self._moves = 0  # of that game, when last asked
        self._left = bank  # seconds, of that game
        self._asked = 0

    def start(self) -> None:
        """Start it in advance, if it says when it is ready; ValueError says why it never is."""
        if self._process is not None or not self._announces:
            return
        try:
            self._begin(time.monotonic() + self._bank)
        except TimeoutError:
            reason = f"not ready after {self._bank:g} s"
        except EOFError:
            assert self._process is not None
            self._process.listen(MORTAL)
            said = self._process.complained.decode("utf-8", "replace").strip().splitlines()
            reason = _cut(said[-1].encode()) if said else "it ended before it was ready"
        except OSError as problem:
            reason = f"it cannot be started: {problem}"
        except BaseException:
            self._drop()
            raise
        else:
            return
        self._drop()
        raise ValueError(f"{self.name}: {reason}")

    def new_game(self) -> None:
        """Announce a new game: the time bank is full again."""
        self._hello = None
        self._moves = 0
        self._left = self._bank

    def choose(self, position: "Position") -> str:
        """Return a move for the seat to move; PlayerFailed if it gives none."""
        view, legal = position.view, position.legal_moves
        if position.dice_typed:
            return _rolled(position)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": view["game"],
            "seats": view["seats"],
            "options": view["options"],
        }
        if hello != self._hello or len(view["moves"]) < self._moves:
            self.new_game()
        may_have_left = self._hello is None and self._process is not None
        self._moves = len(view["moves"])
        self._asked += 1
        cap = position.limits.seconds
        question = {
            "type": "move",
            "id": self._asked,
            "view": view,
            "legal_moves": legal,
            "seconds_left": round(max(0.0, self._left if cap is None else min(self._left, cap)), 3),
        }
        begun = time.monotonic()
        try:
            try:
                line = self._ask(hello, question, begun + self._left, cap)
            except EOFError:
                if not may_have_left:
                    raise
                self._drop()  # it has left after the game before, as a program may
                line = self._ask(hello, question, begun + self._left, cap)
            return _read_answer(line, self._asked, legal)
        except TimeoutError:
            self._fail("timeout", f"no answer in {time.monotonic() - begun:.1f} s")
        except EOFError:
            self._fail("error", "it ended or closed its stdout")
        except _Nonsense as nonsense:
            self._fail("illegal", str(nonsense.args[0]), nonsense.args[1])
        except OSError as problem:
            raise PlayerFailed("error", f"it cannot be started: {problem}", "no process") from problem
        except BaseException:  # Ctrl-C above all
            self._drop()
            raise
        finally:
            self._left -= time.monotonic() - begun

    def over(self, scores: list[int], winners: list[int], seat: int) -> None:
        """Tell it how the game ended, and which seat it had, if it has been asked anything in it."""
        if self._process is not None and self._hello is not None:
            self._process.tell(_line({"type": "over", "scores": scores, "winners": winners, "seat": seat}))

    def close(self) -> None:
        """Close its stdin, give it a second to exit, and make sure that it did; it can be used again."""
        process, self._process = self._process, None
        self.new_game()
        if process is not None:
            process.part()

    def _ask(self, hello: dict[str, Any], question: dict[str, Any], deadline: float, cap: float | None) -> bytes:
        lines = _line(question)
        if self._process is None:
            self._begin(deadline)
        elif cap is not None:  # a move that has to wait for the program to start may take all the bank has
            deadline = min(deadline, time.monotonic() + cap + GRACE)
        if self._hello is None:
            lines = _line(hello) + lines
            self._hello = hello
        assert self._process is not None
        return self._process.ask(lines, deadline)

    def _begin(self, deadline: float) -> None:
        self._process = _Process(self._argv)
        self._hello = None
        if self._announces:
            self._process.ask(b"", deadline)

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def _fail(self, status: Status, reason: str, answer: bytes = b"") -> NoReturn:
        said = complained = b""
        if self._process is not None:
            self._process.listen(MORTAL if status == "error" else 0.0)
            said, complained = self._process.said, self._process.complained
            code = self._process.end()
            self._process = None
            if status == "error" and code != -signal.SIGKILL:  # that one was ours
                reason += f" (signal {-code})" if code < 0 else f" (exit code {code})"
        words = _cut(answer) if status == "illegal" else _cut(complained, end=True) or _cut(said)
        raise PlayerFailed(status, words, reason, complained.decode("utf-8", "replace")) from None


class _Nonsense(Exception):
    """What a program wrote is not an answer; args: why, and what it wrote."""


class _Process:
    """A running program: lines go in and come out, and nothing of it survives `end`, Ctrl-C or our own exit."""

    def __init__(self, argv: list[str]) -> None:
        # A process group of its own, so that what it starts in turn ends with it.
        popen = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, process_group=0
        )
        self._stdin, self._stdout, self._stderr = map(_at_once, (popen.stdin, popen.stdout, popen.stderr))
        self._popen = popen
        self._unsent = b""
        self._read = b""  # of stdout, not yet handed out
        self._line = b""  # handed out last
        self.complained = b""
        """The end of what it wrote to stderr."""
        self._end = weakref.finalize(self, _end, popen, os.getpid())

    @property
    def said(self) -> bytes:
        """The last thing it wrote to stdout: a line, or the start of one."""
        return self._read or self._line

    def ask(self, lines: bytes, deadline: float) -> bytes:
        """Send lines and return the next line that comes back; EOFError if none can come, TimeoutError if none did."""
        self._unsent += lines
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdout, selectors.EVENT_READ)
            ready.register(self._stderr, selectors.EVENT_READ)
            if self._unsent:
                ready.register(self._stdin, selectors.EVENT_WRITE)
            while self._unsent or b"\n" not in self._read:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                events = ready.select(min(left, GLANCE))
                if not events and self._has_exited():
                    raise EOFError
                for key, _ in events:
                    if key.fileobj is self._stdin:
                        self._send()
                        if not self._unsent:
                            ready.unregister(self._stdin)
                    elif key.fileobj is self._stderr:
                        if not self._hear_stderr():
                            ready.unregister(self._stderr)
                    elif not self._hear_stdout():
                        raise EOFError
        self._line, _, self._read = self._read.partition(b"\n")
        return self._line

    def tell(self, lines: bytes) -> None:
        """Send lines without waiting; what the pipe cannot take now goes with the next question."""
        self._unsent += lines
        self._send()

    def listen(self, seconds: float) -> None:
        """Read its stderr until that is closed or time is up."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._stderr, selectors.EVENT_READ)
            while ready.select(max(0.0, deadline - time.monotonic())):
                if not self._hear_stderr() or time.monotonic() >= deadline:
                    break

    def part(self) -> None:
        """Close its stdin, and end it when it has closed its stdout or time is up."""
        self._unsent = b""
        self._stdin.close()
        deadline = time.monotonic() + PARTING
        with contextlib.suppress(EOFError, TimeoutError, _Nonsense):
            while True:
                self.ask(b"", deadline)
        self.end()

    def end(self) -> int:
        """End it, whatever it does; return its exit code, negative if a signal ended it. Can be called again."""
        self._end()
        return self._popen.returncode or 0

    def _has_exited(self) -> bool:
        """Tell whether it has exited though its stdout is open: something that it started holds it."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13: then time has to run out
            return False
        return os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it listens no more, but may still have something to say
            self._unsent = b""

    def _hear_stdout(self) -> bool:
        heard = self._stdout.read(CHUNK)
        self._read += heard or b""
        if len(self._read) > MAX_LINE:  # nobody has asked for so much
            raise _Nonsense(f"a line longer than {MAX_LINE} bytes, or many unexpected ones", self._read)
        return heard != b""  # None: nothing there after all

    def _hear_stderr(self) -> bool:
        heard = self._stderr.read(CHUNK)
        self.complained = (self.complained + (heard or b""))[-MAX_STDERR:]
        return heard != b""


def _at_once(stream: IO[bytes] | None) -> IO[bytes]:
    """Make a stream non-blocking and return it."""
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


def _end(popen: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() != owner:  # a forked copy of us leaves our children alone
        return
    # Before anyone has waited for it: until then its number cannot be given to another.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()
    for stream in (popen.stdin, popen.stdout, popen.stderr):
        if stream is not None:
            stream.close()


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _read_answer(line: bytes, asked: int, legal: list[str]) -> str:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _Nonsense("its answer is not JSON", line) from None
    if not isinstance(answer, dict) or "id" not in answer or "move" not in answer:
        raise _Nonsense(f'an answer must look like {{"id": {asked}, "move": "{legal[0]}"}}', line)
    number, move = answer["id"], answer["move"]
    if type(number) is not int or number != asked:
        raise _Nonsense(f"it answered id {reprlib.repr(number)}, but the question was {asked}", line)
    if not isinstance(move, str) or move not in legal:
        raise _Nonsense(f"{reprlib.repr(move)} is not among the {len(legal)} legal moves", line)
    return move


def _cut(raw: bytes, *, end: bool = False) -> str:
    """Return the start or the end of some bytes as one short line that is safe to print."""
    raw = raw[-4 * MAX_WORDS :] if end else raw[: 4 * MAX_WORDS]
    text = " ".join(raw.decode("utf-8", "replace").split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    if len(text) <= MAX_WORDS:
        return text
    return "…" + text[1 - MAX_WORDS :] if end else text[: MAX_WORDS - 1] + "…"


def _rolled(position: "Position") -> str:
    """Roll the dice that people would type in: a program must not choose them."""
    from tavolino.engine.kernels import MAX_SEATS, chance_one
    from tavolino.play.seeds import streams

    rng = streams(position.seed, position.key, (f"typed/{seat}" for seat in range(MAX_SEATS)))
    return position.word(int(chance_one(position.state(), rng)))


def player(spec: str, bank: float = BANK) -> External:
    """Return the player that a text names: `file.py`, `file.py:function`, `module:function` or `cmd:program …`.

    ValueError says what is wrong with the text. `bank` is how many seconds it may think in one game.
    """
    if os.name != "posix":
        raise ValueError("players of your own need Linux or macOS; on Windows, use WSL")
    if spec.startswith("cmd:"):
        return External(spec, _command(spec.removeprefix("cmd:")), bank)
    target, colon, function = (spec, ":", "choose") if spec.endswith(".py") else spec.rpartition(":")
    if not colon or not target or not function.isidentifier():
        raise ValueError(f"{spec!r} names no player; write file.py, file.py:function, module:function or cmd:program")
    if target.endswith(".py"):
        file = pathlib.Path(target).expanduser().absolute()
        if not file.is_file():
            raise ValueError(f"{spec}: there is no file {file}")
        target = str(file)
    else:
        top = target.partition(".")[0]
        # Looked for, not imported: nothing of a player runs in our process.
        if not importlib.machinery.PathFinder.find_spec(top, [str(pathlib.Path.cwd()), *sys.path]):
            raise ValueError(f"{spec}: there is no module {top!r} here or among the installed ones")
    # By path, not by -m: that would import all of tavolino, compiler included, before it can answer.
    return External(spec, [sys.executable, "-P", __file__, target, function], bank, announces=True)


def _command(command: str) -> list[str]:
    try:
        argv = shlex.split(command)
    except ValueError as problem:
        raise ValueError(f"cmd:{command}: {problem}") from None
    if not argv:
        raise ValueError("cmd: needs a program, as in cmd:python mybot.py")
    if shutil.which(argv[0]) is None:
        raise ValueError(f"cmd:{command}: there is no program {argv[0]!r}")
    return argv


def serve(target: str, function: str) -> None:
    """Answer the questions on stdin with a Python function, until stdin is closed."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    # What the function prints is for people, and what it reads from stdin is nothing.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, lines), daemon=True).start()
    choose = _load(target, function)
    answers.write(_line({"type": "ready"}))
    while line := lines.get():
        message = json.loads(line)
        if message["type"] == "move":
            move = choose(message["view"], message["legal_moves"])
            answers.write(_line({"id": message["id"], "move": move}))


def _listen(questions: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    for line in questions:
        lines.put(line)
    lines.put(b"")
    time.sleep(PARTING)  # nobody is there any more: a function that still thinks need not
    os._exit(1)


def _load(target: str, function: str) -> Callable[[Any, Any], Any]:
    sys.path.append(str(pathlib.Path(__file__).parents[2]))  # so that it can import tavolino, and this one
    if target.endswith(".py"):
        sys.path.insert(0, str(pathlib.Path(target).parent))
        spec = importlib.util.spec_from_file_location("own_player", target)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, str(pathlib.Path.cwd()))
        module = importlib.import_module(target)
    found = getattr(module, function, None)
    if not callable(found):
        raise SystemExit(f"{target} has no function {function!r}")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m tavolino.bots.external FILE.py|MODULE FUNCTION")
    serve(*sys.argv[1:])
