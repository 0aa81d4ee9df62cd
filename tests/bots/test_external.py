"""Players of your own, with real processes: good ones play whole games, bad ones lose and leave nothing behind."""

import json
import os
import pathlib
import pickle
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

import tavolino
from tavolino.bots import external
from tavolino.bots.external import External, PlayerFailed, _Process, player
from tavolino.bots.position import Limits, Position
from tests.cases import play_on, random_move

if TYPE_CHECKING:
    from tavolino.bots.players import Player

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PYTHON = shlex.quote(sys.executable)
GAMES = [("out-of-sock", 3), ("face-to-face", 2), ("orma", 2)]
Make = Callable[..., External]


@pytest.fixture
def make() -> Iterator[Make]:
    """Make players that are closed in the end."""
    made: list[External] = []

    def make_one(spec: str, bank: float = 20.0) -> External:
        made.append(player(spec, bank))
        return made[-1]

    yield make_one
    for one in made:
        one.close()


def ask(one: "Player", game: tavolino.Game, seconds: float | None = None) -> str:
    assert game.to_move is not None
    return one.choose(Position(game, game.to_move, "seed", Limits(seconds=seconds)))


def play(one: External, game: tavolino.Game, seat: int = 0) -> int:
    """Play a whole game as the arena does, against players at random; return how often the player was asked."""
    rng = random.Random(1)
    asked = 0
    one.new_game()
    while not game.over:
        if game.to_move == seat:
            game.play(ask(one, game))
            asked += 1
        else:
            game.play(random_move(game, rng))
    assert game.winners is not None
    one.over(game.scores, game.winners, seat)
    return asked


def orma(seed: int = 1) -> tavolino.Game:
    return tavolino.new("orma", 2, seed, first=0)


def gone(pid: int, within: float = 60.0) -> bool:
    """Tell whether a process has ended, or does so in time; a zombie that only awaits its parent has."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        if state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def program(folder: pathlib.Path, source: str, name: str = "bot.py") -> str:
    """Write a program; return the text that names it as a player."""
    file = folder / name
    file.write_text(source)
    return f"cmd:{PYTHON} {shlex.quote(str(file))}"


# Players that play


def first_function(folder: pathlib.Path) -> str:
    return str(EXAMPLES / "first_bot.py")


def named_function(folder: pathlib.Path) -> str:
    (folder / "mine.py").write_text("def last(view, legal_moves):\n    return legal_moves[-1]\n")
    return f"{folder / 'mine.py'}:last"


def python_program(folder: pathlib.Path) -> str:
    return f"cmd:{PYTHON} -I -S {shlex.quote(str(EXAMPLES / 'json_bot.py'))}"  # -I -S: it cannot import tavolino


def node_program(folder: pathlib.Path) -> str:
    if shutil.which("node") is None:
        pytest.skip("node is not on PATH: the example in JavaScript is not run")
    return f"cmd:node {shlex.quote(str(EXAMPLES / 'json_bot.mjs'))}"


@pytest.mark.parametrize("spec", [first_function, named_function, python_program, node_program])
@pytest.mark.parametrize(("key", "players"), GAMES)
def test_good_players_play_whole_games(
    key: str, players: int, spec: Callable[[pathlib.Path], str], tmp_path: pathlib.Path, make: Make
) -> None:
    assert play(make(spec(tmp_path)), tavolino.new(key, players, 4), seat=1)


def test_function_of_a_module(tmp_path: pathlib.Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots").mkdir()
    (tmp_path / "my_bots" / "helper.py").write_text("def first(moves):\n    return moves[0]\n")
    (tmp_path / "my_bots" / "best.py").write_text(
        "from my_bots.helper import first\n\n\ndef pick(view, moves):\n    return first(moves)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert play(make("my_bots.best:pick"), orma())
    assert "my_bots" not in sys.modules


CHATTY = """
import os
print("loading")
def choose(view, legal_moves):
    print("thinking")
    os.write(1, b"deeply")
    view.clear()
    try:
        return input()
    except EOFError:
        return legal_moves[0]
"""


def test_a_function_may_print_and_read(tmp_path: pathlib.Path, make: Make) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    assert play(make(str(tmp_path / "chatty.py")), orma())


def test_a_function_may_import_tavolino(tmp_path: pathlib.Path, make: Make) -> None:
    (tmp_path / "heavy.py").write_text("import tavolino\ndef choose(view, moves): return tavolino.__version__\n")
    with pytest.raises(PlayerFailed) as failed:
        ask(make(str(tmp_path / "heavy.py")), orma())
    assert failed.value.last_words == f'{{"id":1,"move":"{tavolino.__version__}"}}'


def test_five_lines() -> None:
    place = pathlib.Path(tavolino.__file__).parents[1]
    said = subprocess.run(
        [sys.executable, str(EXAMPLES / "five_lines.py")],
        env={**os.environ, "PYTHONPATH": str(place)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "won by seat" in said


# What is said

NOTES = """
import json, pathlib, sys, time
log = pathlib.Path(__file__).with_name("log").open("a")
print("started", file=log, flush=True)
for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    if message["type"] == "move":
        print(json.dumps({"id": message["id"], "move": message["legal_moves"][0]}), flush=True)
print("stdin closed", file=log, flush=True)
"""


def heard(folder: pathlib.Path) -> list[Any]:
    lines = (folder / "log").read_text().splitlines()
    return [json.loads(line) if line.startswith("{") else line for line in lines]


def test_the_protocol_to_the_letter(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES))
    game = tavolino.new("out-of-sock", 2, 5, first=0, basket="plain")
    view, legal = game.view(0), game.legal_moves
    assert ask(one, game, seconds=3.0) == legal[0]
    one.over([7, 3], [0], 0)
    one.close()
    assert heard(tmp_path) == [
        "started",
        {
            "type": "hello",
            "protocol": "tavolino-bot/1",
            "game": "out-of-sock",
            "seats": 2,
            "options": {"basket": "plain", "sock_values": [2, 2, 4, 4, 6, 8]},
        },
        {"type": "move", "id": 1, "view": view, "legal_moves": legal, "seconds_left": 3.0},
        {"type": "over", "scores": [7, 3], "winners": [0], "seat": 0},
        "stdin closed",
    ]


def test_one_process_serves_game_after_game(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES))
    asked = [play(one, orma(seed)) for seed in (1, 2)]
    game = tavolino.new("face-to-face", 2, 1, first=0)
    ask(one, game)  # without new_game(): another game all the same
    one.close()
    kinds = [line if isinstance(line, str) else line["type"] for line in heard(tmp_path)]
    games = [["hello", *["move"] * number, "over"] for number in asked]
    assert kinds == ["started", *games[0], *games[1], "hello", "move", "stdin closed"]
    ids = [line["id"] for line in heard(tmp_path) if isinstance(line, dict) and line["type"] == "move"]
    assert ids == list(range(1, sum(asked) + 2))


def test_fewer_moves_mean_another_game(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES))
    game = play_on(orma(), random.Random(1), 10)
    ask(one, game)
    ask(one, orma(2))
    one.close()
    assert [line["type"] for line in heard(tmp_path)[1:-1]] == ["hello", "move", "hello", "move"]


def test_nothing_is_over_that_it_was_never_asked_in(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES))
    one.over([1, 0], [0], 0)
    ask(one, orma())
    one.new_game()
    one.over([1, 0], [0], 0)
    one.close()
    assert [line["type"] for line in heard(tmp_path)[1:-1]] == ["hello", "move"]


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_what_is_hidden_is_never_said(key: str, players: int, tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES))
    game = tavolino.new(key, players, "truth")
    play_on(game, random.Random(3), 12)
    assert game.to_move is not None
    for twin in (game, game.redeal(game.to_move, "one"), game.redeal(game.to_move, "two")):
        ask(one, twin)
    one.close()
    questions = [line for line in heard(tmp_path) if isinstance(line, dict) and line["type"] == "move"]
    said = [json.dumps([q["view"], q["legal_moves"]]) for q in questions]
    assert len(said) == 3
    assert len(set(said)) == 1


def test_dice_on_the_table_are_rolled_for_it(make: Make) -> None:
    game = tavolino.new("out-of-sock", 2, 1, basket="table")
    one = make(str(EXAMPLES / "first_bot.py"))
    while game.legal_moves[0] != "roll:":
        game.play(game.legal_moves[0])
    rolled = {one.choose(Position(game, game.to_move or 0, seed)) for seed in "abcdefgh"}
    assert len(rolled) > 3
    assert rolled <= set(game.legal_moves)
    assert one._process is None


# Players that fail

ONCE = """
import json, os, pathlib, signal, subprocess, sys, time
here = pathlib.Path(__file__).parent
with (here / "pids").open("a") as file:
    print(os.getpid(), file=file)
bad = len((here / "pids").read_text().split()) == 1
asked = 0

def misbehave(message):
    {bad}

def at_start():
    {start}

if bad:
    at_start()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        asked += 1
        if bad and asked == {when}:
            misbehave(message)
            continue
        print(json.dumps({{"id": message["id"], "move": message["legal_moves"][0]}}), flush=True)
"""


def bad(folder: pathlib.Path, what: str = "pass", start: str = "pass", when: int = 1) -> str:
    """Name a program that does something wrong the first time it runs."""
    return program(folder, ONCE.format(bad=what, start=start, when=when))


def pids(folder: pathlib.Path) -> list[int]:
    return [int(word) for word in (folder / "pids").read_text().split()]


HANG = "sys.stderr.write('hm, let me see'); sys.stderr.flush(); time.sleep(60)"
FAILURES = {
    "crashes at start": ({"start": "raise RuntimeError('no model')"}, "error", "RuntimeError: no model"),
    "crashes mid-game": ({"what": "1 / 0", "when": 3}, "error", "ZeroDivisionError: division by zero"),
    "is killed": ({"what": "os.kill(os.getpid(), 11)", "when": 2}, "error", '{"id": 1, "move": "draw"}'),
    "exits after the first move": ({"what": "sys.exit(3)", "when": 2}, "error", '{"id": 1, "move": "draw"}'),
    "closes stdout": ({"what": "os.close(1); time.sleep(60)"}, "error", ""),
    "hangs": ({"what": HANG, "when": 2}, "timeout", "hm, let me see"),
    "hangs and will not go": ({"start": f"signal.signal(15, signal.SIG_IGN); {HANG}"}, "timeout", "hm, let me see"),
    "answers nothing": ({"what": "pass"}, "timeout", ""),
    "forgets the end of the line": ({"what": "print('{}', end='', flush=True)"}, "timeout", "{}"),
    "hears nothing": ({"start": "sys.stdin.close(); time.sleep(60)"}, "timeout", ""),
    "answers broken JSON": ({"what": "print('{\"id\": 1', flush=True)"}, "illegal", '{"id": 1'),
    "answers too deep": ({"what": "print('[' * 100_000, flush=True)"}, "illegal", "[" * 199 + "…"),
    "answers no text at all": ({"what": "os.write(1, bytes([255, 27, 7, 10]))"}, "illegal", "\ufffd??"),
    "answers a list": ({"what": "print([1], flush=True)"}, "illegal", "[1]"),
    "answers another question": (
        {"what": "print(json.dumps({'id': 7, 'move': 'draw'}), flush=True)"},
        "illegal",
        '{"id": 7, "move": "draw"}',
    ),
    "takes true for 1": (
        {"what": 'print(\'{"id": true, "move": "draw"}\', flush=True)'},
        "illegal",
        '{"id": true, "move": "draw"}',
    ),
    "answers an illegal move": (
        {"what": "print(json.dumps({'id': message['id'], 'move': 'pass'}), flush=True)", "when": 2},
        "illegal",
        '{"id": 2, "move": "pass"}',
    ),
    "answers with a number": (
        {"what": "print(json.dumps({'id': message['id'], 'move': 0}), flush=True)"},
        "illegal",
        '{"id": 1, "move": 0}',
    ),
    "answers twice": (
        {"what": 'print(\'{"id": 1, "move": "draw"}\\n\' * 2, end=\'\', flush=True)'},
        "illegal",
        '{"id": 1, "move": "draw"}',
    ),
    "writes a huge line": ({"what": "print('x' * 3_000_000, flush=True)"}, "illegal", "x" * 199 + "…"),
    "floods": ({"start": "[os.write(1, b'y' * 10_000) for _ in iter(int, 1)]"}, "illegal", "y" * 199 + "…"),
    "floods with lines": ({"start": "[os.write(1, b'hi\\n' * 9_000) for _ in iter(int, 1)]"}, "illegal", "hi"),
    "floods stderr": ({"start": "[os.write(2, b'z' * 10_000) for _ in iter(int, 1)]"}, "timeout", "…" + "z" * 199),
}
REASONS = {
    "crashes at start": "it ended or closed its stdout (exit code 1)",
    "is killed": "it ended or closed its stdout (signal 11)",
    "exits after the first move": "it ended or closed its stdout (exit code 3)",
    "closes stdout": "it ended or closed its stdout",
    "answers broken JSON": "its answer is not JSON",
    "answers a list": 'an answer must look like {"id": 1, "move": "draw"}',
    "answers another question": "it answered id 7, but the question was 1",
    "answers with a number": "0 is not among the 6 legal moves",
    "writes a huge line": "a line longer than 1048576 bytes, or many unexpected ones",
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_loses_one_game(name: str, tmp_path: pathlib.Path, make: Make) -> None:
    how, status, words = FAILURES[name]
    one = make(bad(tmp_path, **how), bank=1.0 if status == "timeout" else 20.0)  # type: ignore[arg-type]
    with pytest.raises(PlayerFailed) as failed:
        play(one, orma())
    failure = failed.value
    assert failure.status == status
    assert failure.last_words == words or (": " in words and failure.last_words.endswith(f" {words}"))
    assert len(failure.last_words) <= 200
    assert len(failure.stderr) <= 2048
    assert failure.reason == REASONS.get(name, failure.reason)
    assert str(failure).startswith(f"{status}: {failure.reason}; ")
    assert gone(pids(tmp_path)[0])
    one._bank = 20.0
    one.new_game()
    game = orma(2)
    for _ in range(2):
        game.play(ask(one, game))
        game.play(game.legal_moves[0])
    one.close()
    assert len(pids(tmp_path)) == 2
    assert gone(pids(tmp_path)[1])


def test_a_function_that_raises(tmp_path: pathlib.Path, make: Make) -> None:
    (tmp_path / "bot.py").write_text("def choose(view, legal_moves):\n    return legal_moves[99]\n")
    with pytest.raises(PlayerFailed) as failed:
        play(make(str(tmp_path / "bot.py")), orma())
    assert failed.value.status == "error"
    assert failed.value.last_words.endswith("IndexError: list index out of range")
    with pytest.raises(PlayerFailed, match=r"error: .*has no function 'best'"):
        play(make(f"{tmp_path / 'bot.py'}:best"), orma())


READ = "    message = json.loads(line)"
LEAVE = """
    message = json.loads(line)
    if message["type"] == "over":
        break
"""
TIRE = """
    message = json.loads(line)
    if message.get("id") == 3:
        time.sleep(60)
"""


def test_a_limit_per_move_holds_once_it_has_started(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, "import time; time.sleep(1.5)" + NOTES.replace(READ, TIRE)))
    game = orma()
    for _ in range(2):
        ask(one, game, seconds=1.0)
    with pytest.raises(PlayerFailed, match=r"timeout: no answer in [01]"):
        ask(one, game, seconds=1.0)
    assert [line["seconds_left"] for line in heard(tmp_path)[2:]] == [1.0, 1.0, 1.0]


def test_the_time_bank_is_for_one_game(tmp_path: pathlib.Path, make: Make) -> None:
    one = make(program(tmp_path, NOTES.replace("    log.flush()", "    log.flush()\n    time.sleep(0.2)")), bank=3.0)
    game = orma()
    ask(one, game)
    ask(one, game)
    one.new_game()
    ask(one, game)
    left = [line["seconds_left"] for line in heard(tmp_path) if line != "started" and line["type"] == "move"]
    assert left[0] == left[2] == 3.0
    assert left[1] < 2.81
    one._left = 0.1
    with pytest.raises(PlayerFailed, match=r"timeout: no answer in 0\."):
        ask(one, game)
    with pytest.raises(PlayerFailed, match=r"timeout: no answer in 0\."):
        ask(one, game)


def test_a_program_may_leave_after_each_game(tmp_path: pathlib.Path, make: Make) -> None:
    leaves = NOTES.replace(READ, LEAVE)
    one = make(program(tmp_path, leaves))
    for seed in range(3):
        play(one, orma(seed))
        time.sleep(0.1 * seed)  # whether it has gone by now or not
    one.close()
    assert heard(tmp_path).count("started") == 3


def test_what_a_program_has_started_ends_with_it(tmp_path: pathlib.Path, make: Make) -> None:
    start = "(here / 'child').write_text(str(subprocess.Popen(['sleep', '60']).pid)); raise RuntimeError('early')"
    with pytest.raises(PlayerFailed) as failed:  # though the child still holds its stdout
        ask(make(bad(tmp_path, start=start)), orma())
    assert failed.value.status == "error"
    assert failed.value.last_words.endswith("RuntimeError: early")
    assert gone(int((tmp_path / "child").read_text()))


def test_a_program_that_hears_nothing_blocks_nobody() -> None:
    process = _Process(["sleep", "60"])
    process.tell(b"x" * 3_000_000)
    with pytest.raises(TimeoutError):
        process.ask(b"y" * 3_000_000, time.monotonic() + 0.2)
    process.end()
    process.end()


def test_much_on_stderr_does_no_harm(tmp_path: pathlib.Path, make: Make) -> None:
    (tmp_path / "loud.py").write_text(
        "def choose(view, legal_moves):\n    print('why ' * 50_000)\n    return legal_moves[0]\n"
    )
    assert play(make(str(tmp_path / "loud.py")), orma())


def test_closing_is_quick_for_good_programs_and_sure_for_all(
    tmp_path: pathlib.Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, stubborn = make(str(EXAMPLES / "first_bot.py")), make(program(tmp_path, NOTES + "while True: pass\n"))
    for one, patience in (
        (good, 3600.0),
        (stubborn, 0.1),
    ):  # an hour: closing a good one does not wait for time to pass
        monkeypatch.setattr(external, "PARTING", patience)
        ask(one, orma())
        assert one._process is not None
        pid = one._process._popen.pid
        one.close()
        assert gone(pid)
        one.close()
    assert ask(good, orma())  # it can be used again


def test_a_player_forgotten_leaves_nothing(tmp_path: pathlib.Path) -> None:
    one = player(bad(tmp_path, when=2), bank=5.0)
    ask(one, orma())
    del one
    assert gone(pids(tmp_path)[0])


ARENA = """
import sys, types
from external import player
view = {"game": "orma", "seats": 2, "options": {}, "moves": []}
limits = types.SimpleNamespace(seconds=None)
asked = types.SimpleNamespace(view=view, legal_moves=["draw"], dice_typed=False, seat=0, limits=limits)
player(sys.argv[1]).choose(asked)
"""
STUCK = """
import os, pathlib
def choose(view, legal_moves):
    new = pathlib.Path(__file__).with_name("pids.new")
    new.write_text(str(os.getpid()))
    new.rename(new.with_name("pids"))
    while True:
        pass
"""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_players_end_with_the_arena(by: signal.Signals, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    arena = subprocess.Popen(  # without the rest of tavolino, which takes a second to import
        [sys.executable, "-c", ARENA, str(tmp_path / "stuck.py")],
        cwd=pathlib.Path(external.__file__).parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with arena:
        deadline = time.monotonic() + 60
        while not (tmp_path / "pids").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        arena.send_signal(by)
        said = arena.communicate(timeout=60)[1]
    assert by == signal.SIGKILL or b"KeyboardInterrupt" in said
    assert gone(pids(tmp_path)[0])


def test_a_failure_can_be_sent_between_processes() -> None:
    failure = pickle.loads(pickle.dumps(PlayerFailed("illegal", "{}", "no", "oh\nno")))
    assert (failure.status, failure.last_words, failure.reason, failure.stderr) == ("illegal", "{}", "no", "oh\nno")
    assert str(PlayerFailed("timeout", "", "no answer in 1.0 s")) == "timeout: no answer in 1.0 s; it wrote nothing"


# Names


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("greedy", "'greedy' names no player; write file.py, file.py:function, module:function or cmd:program"),
        (":choose", "names no player"),
        ("bots:", "names no player"),
        ("bots:two words", "names no player"),
        ("nowhere.py", "there is no file"),
        ("nowhere.py:pick", "there is no file"),
        ("no_such_module.x:pick", "there is no module 'no_such_module'"),
        ("cmd:", "cmd: needs a program"),
        ("cmd:no-such-program --fast", "there is no program 'no-such-program'"),
        ("cmd:python 'open", "No closing quotation"),
    ],
)
def test_wrong_names_are_refused_before_any_game(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        player(spec)


def test_a_program_that_cannot_run(tmp_path: pathlib.Path, make: Make) -> None:
    (tmp_path / "broken").write_text("#!/no/such/interpreter\n")
    (tmp_path / "broken").chmod(0o755)
    with pytest.raises(PlayerFailed) as failed:
        ask(make(f"cmd:{tmp_path / 'broken'}"), orma())
    assert failed.value.status == "error"
    assert failed.value.last_words.startswith("it cannot be started: ")


def test_its_name_is_what_was_typed() -> None:
    assert player(str(EXAMPLES / "first_bot.py")).name == str(EXAMPLES / "first_bot.py")
