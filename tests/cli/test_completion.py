"""What the shell completes: games, bots, files."""

import pytest
from click.shell_completion import ShellComplete

import tavolino
from tavolino.bots.players import BUILTIN
from tavolino.cli import cli
from tests.cli.conftest import environment, run_apart

KEYS = [game["key"] for game in tavolino.games()]
GAME_FIRST = [name for name, command in cli.commands.items() if [part.name for part in command.params][:1] == ["game"]]


def completed(*words: str) -> list[tuple[str, str]]:
    """Return what the last word can become, and what kind of thing each is."""
    found = ShellComplete(cli, {}, "tavolino", "_TAVOLINO_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [(item.value, item.type) for item in found]


@pytest.mark.parametrize("command", GAME_FIRST)
def test_games(command: str) -> None:
    """Wherever a command takes one."""
    assert completed(command, "") == [(key, "plain") for key in KEYS]
    assert completed(command, KEYS[0][:2])[0] == (KEYS[0], "plain")
    assert completed(command, "chess") == []


@pytest.mark.parametrize(
    ("command", "option"), [("simulate", "--bots"), ("study", "--bots"), ("arena", "--bots"), ("play", "--against")]
)
def test_bots(command: str, option: str) -> None:
    """The last one of a list."""
    assert completed(command, KEYS[0], option, "") == [(name, "plain") for name in BUILTIN]
    assert completed(command, KEYS[0], option, "greedy,ra") == [("greedy,random", "plain")]


@pytest.mark.parametrize("words", ["check", "replay", "analyse", "verify", "simulate orma --records"])
def test_files(words: str) -> None:
    """The shell itself knows those."""
    assert completed(*words.split(), "gam") == [("gam", "file")]


def test_bash() -> None:
    """As the README has it: the script that bash reads, and what it asks for then."""
    assert "complete -o nosort" in run_apart(env=environment(_TAVOLINO_COMPLETE="bash_source")).out
    env = environment(_TAVOLINO_COMPLETE="bash_complete", COMP_WORDS="tavolino simulate or", COMP_CWORD="2")
    ran = run_apart(env=env)
    assert (ran.code, ran.out) == (0, "plain,orma\n")
