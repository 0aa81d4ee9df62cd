"""`play`: a whole game from a pipe, wrong moves, undo, leaving, saving."""

import re
from pathlib import Path

import pytest

import tavolino
from tavolino.engine import cache as compiled
from tavolino.play.records import check
from tests.cli.conftest import Run, environment, read, run_apart

KEYS = ("out-of-sock", "face-to-face", "orma")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the last game's record out of the real cache folder; what is compiled is found where it was."""
    monkeypatch.setattr(compiled, "cache_root", lambda: tmp_path / "cache")


@pytest.mark.parametrize("key", KEYS)
def test_a_whole_game_by_numbers(key: str, run: Run, tmp_path: Path) -> None:
    """The first move of the list, again and again, ends every game; the record is saved and right."""
    typed = "1\n" * 2000 if key != "orma" else "2\n1\n" * 1000
    ran = run("play", key, "--seed", 3, "--save", tmp_path / "mine.jsonl", typed=typed)
    assert ran.code == 0
    (record,) = read(tmp_path / "mine.jsonl")
    game = check(record)
    assert game.over
    assert game.winners is not None
    assert f"eat {game.winners[0]}" in ran.out
    assert f"tavolino replay {tmp_path / 'mine.jsonl'}" in ran.out.replace("\n", "")


def test_saved_games_are_added_to_the_file(run: Run, tmp_path: Path) -> None:
    for seed in (1, 2):
        ran = run("play", "orma", "--seed", seed, "--first", 0, "--save", tmp_path / "mine", typed="draw\nkeep\n")
    assert len(read(tmp_path / "mine")) == 2
    assert "--game 2" in ran.out


def test_the_game_is_asked_for(run: Run) -> None:
    ran = run("play", "--seed", 1, typed="chess\n9\n3\nquit\n")
    assert ran.code == 0
    assert "Please type a number from 1 to 3" in ran.out
    assert "Orma" in ran.out
    assert "move>" in ran.out
    assert run("play", typed="").code == 0
    assert "move>" not in run("play", typed="quit\n").out


def test_an_illegal_move_says_why_and_asks_again(run: Run) -> None:
    ran = run("play", "face-to-face", "--seed", 1, "--first", 0, typed="end\nxyzzy\n99\n\nquit\n")
    assert "a turn takes at least 2 cards, 0 laid so far (F4.1)" in ran.out
    assert "'xyzzy' is not a move" in " ".join(ran.out.split())
    assert "the moves are numbered from 1 to" in ran.out
    assert ran.out.count("move>") == 5


def test_words_help_and_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    ran = run("play", "orma", "--seed", 1, "--first", 0, typed="help\nrules\ndraw\nquit\n")
    assert "Moves are written green@b0" in ran.out.replace("\n", " ")
    assert "gettoni" in ran.out
    assert "just drawn" in ran.out


def test_a_hint_shows_the_best_moves_with_chances(run: Run) -> None:
    ran = run("play", "face-to-face", "--seed", 3, "--first", 0, "--against", "easy", typed="?\nquit\n")
    assert re.search(r"\d+\.\d %  [udUD]\d+ +(own|gift)", ran.out)
    assert re.search(r"\n {9}then [udUD]\d+", ran.out)  # a turn is at least two cards
    assert "seat 1 (easy)" in ran.out


def test_who_sits_there_must_be_known(run: Run) -> None:
    ran = run("play", "orma", "--against", "gready", typed="quit\n")
    assert ran.code == 2
    assert "no player 'gready'; there are random" in ran.err
    ran = run("play", "orma", "--against", "easy,hard", typed="quit\n")
    assert "--against names 2 bots for 1 other seat" in ran.err


def test_undo_goes_back_to_my_last_move(run: Run, tmp_path: Path) -> None:
    """Taken back and played again the same way, the others answer the same: the record is as if nothing had been."""
    plain = ["1", "1", "1", "1"]
    for name, typed in (("a", plain), ("b", ["undo", "1", "1", "2", "undo", "undo", "1", "1", "1"])):
        text = "\n".join(typed) + "\n"
        ran = run("play", "out-of-sock", "--seed", 3, "--players", 3, "--save", tmp_path / name, typed=text)
        assert ran.code == 0
    assert "You have no move to take back." in ran.out
    assert read(tmp_path / "a") == read(tmp_path / "b")


def test_only_my_hand_is_open_until_the_end(run: Run) -> None:
    game = tavolino.new("face-to-face", seed=1, first=0)
    ran = run("play", "face-to-face", "--seed", 1, "--first", 0, typed="quit\n")
    mine, theirs = ("  ".join(map(str, game.view(seat)["hand"])) for seat in (0, 1))
    assert mine in ran.out
    assert theirs not in ran.out
    assert "6 cards" in ran.out


def test_real_dice_are_typed_in_for_everyone(run: Run, tmp_path: Path) -> None:
    given = ["--option", "basket=table", "--seed", 4, "--first", 1, "--save", tmp_path / "mine"]
    ran = run("play", "out-of-sock", *given, typed="roll:\nroll:2,3\n")
    assert "For seat 1: shake the real basket and type what fell" in ran.out
    (record,) = read(tmp_path / "mine")
    assert record["moves"][:2] == ["roll:", "roll:2,3"]


def test_leaving_says_how_to_see_the_record(run: Run, tmp_path: Path) -> None:
    ran = run("play", "orma", "--seed", "a b", "--first", 0, "--option", "spare_blacks=2", typed="draw\n")
    assert ran.code == 0
    out = ran.out.replace("\n", " ")
    kept = tmp_path / "cache" / "last-game.jsonl"
    assert f"tavolino replay {kept}" in out
    (record,) = read(kept)
    assert record["moves"] == ["draw"]
    assert "--seed 'a b' --against medium --first 0 --option spare_blacks=2" in out


def test_ctrl_c_leaves_cleanly(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["draw"])

    def ask(prompt: str) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr("tavolino.cli.session.ask", ask)
    ran = run("play", "orma", "--seed", 1, "--first", 0, "--save", tmp_path / "mine")
    assert ran.code == 0
    assert "To watch the game again" in ran.out
    assert len(read(tmp_path / "mine")) == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["chess"], "no game 'chess'"),
        (["orma", "--seat", "2"], "seat must be from 0 to 1, not 2"),
        (["orma", "--players", "1"], "Orma is for 2 to 5 players"),
        (["orma", "--option", "x=1"], "Orma has no option 'x'"),
        (["orma", "--save", "/"], "/ cannot be written"),
        (["orma", "--save", "/nowhere/x"], "/nowhere/x cannot be written"),
    ],
)
def test_wrong_usage(args: list[str], says: str, run: Run) -> None:
    ran = run("play", *args)
    assert ran.code == 2
    assert says in ran.err


def test_it_reads_a_pipe(tmp_path: Path) -> None:
    ran = run_apart("play", "orma", "--seed", "1", "--save", tmp_path / "mine", typed="draw\nkeep\nquit\n")
    assert ran.code == 0
    assert "move>" in ran.out


def test_it_begins_with_nothing_compiled(tmp_path: Path) -> None:
    """With an empty cache and compiling forbidden the table comes, the bot answers, a move is taken back."""
    env = environment(TAVOLINO_COMPILE="never", TAVOLINO_CACHE=str(tmp_path / "empty"))
    ran = run_apart("play", "orma", "--seed", "1", "--first", "0", env=env, typed="draw\nkeep\nundo\nquit\n")
    assert (ran.code, "Compiling" in ran.err) == (0, False)
    assert "Taken back." in ran.out
