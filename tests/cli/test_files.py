"""Files that commands read and write: whether they can be written is known before the work, not after it."""

import json
from pathlib import Path

import pytest

import tavolino
from tavolino.play.records import line
from tests.cli.conftest import Run, process, run_apart

LONG = 10**9
"""Games that nobody would wait for."""
WRITERS = {
    "study --out": ["study", "orma", "--games", LONG, "--out"],
    "study --svg": ["study", "orma", "--games", LONG, "--svg"],
    "study --png": ["study", "orma", "--games", LONG, "--png"],
    "analyse --out": ["analyse", "games.jsonl", "--tries", LONG, "--out"],
    "train --out": ["train", "orma", "--games", LONG, "--out"],
    "simulate --records": ["simulate", "orma", "--games", LONG, "--records"],
    "arena --records": ["arena", "orma", "--bots", "greedy,random", "--games", LONG, "--records"],
    "arena --resume": ["arena", "orma", "--bots", "greedy,random", "--games", LONG, "--resume"],
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("command", WRITERS)
def test_what_cannot_be_written_is_said_before_the_work(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there, or is a file; a device; nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    Path("games.jsonl").write_bytes(line(tavolino.new("orma", seed=1).record()))
    Path("file").write_text("as before")
    folder = command.endswith(("--svg", "--png"))
    wrong = ["file/page", "/proc/nowhere/page"] if folder else ["no/page", "file/page", "/proc/nowhere", "."]
    for path in wrong:
        ran = run(*WRITERS[command], path)
        assert (ran.code, ran.out) == (2, "")
        assert f"{path}: cannot be written (" in ran.err or f"'{path}' is a directory" in ran.err, ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "games.jsonl"]
    assert Path("file").read_text() == "as before"


WRITTEN = {
    "simulate": ["simulate", "orma", "--games", 20, "--seed", 1],
    "arena": ["arena", "orma", "--games", 20, "--seed", 1, "--bots", "greedy,random", "--workers", 1],
}


@pytest.mark.parametrize("command", WRITTEN)
def test_records_to_standard_output(command: str, run: Run, tmp_path: Path) -> None:
    """Lines of records and nothing else; the result, table or JSON, is on stderr."""
    args = WRITTEN[command]
    assert run(*args, "--records", tmp_path / "file").code == 0
    ran = run(*args, "--records", "-")
    assert ran.code == 0
    assert ran.out.encode() == (tmp_path / "file").read_bytes()
    assert "seed 1" in ran.err
    ran = run(*args, "--records", "-", "--json")
    assert ran.out.encode() == (tmp_path / "file").read_bytes()
    assert json.loads(ran.err)["games"] == 20
    apart = run_apart("check", "-", typed=run_apart(*args, "--records", "-").out)
    assert apart.out == "20 records, all right\n"


def test_records_into_a_pipe_that_closes(tmp_path: Path) -> None:
    """As with `| head`: it ends quietly, at once."""
    with process("simulate", "orma", "--games", 50_000_000, "--records", "-") as started:
        assert started.stdout is not None
        assert started.stderr is not None
        assert json.loads(started.stdout.readline())["game"] == "orma"
        started.stdout.close()
        assert started.stderr.read() == ""
    assert started.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", WRITTEN)
def test_records_onto_a_full_disk(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = run_apart(*WRITTEN[command], "--records", "-", stdout=full)
    assert (ran.code, "standard output: cannot be written (No space left" in ran.err) == (2, True), ran.err


def test_a_byte_order_mark(run: Run, tmp_path: Path) -> None:
    """As some editors leave it at the start of a file: it is passed over, there and nowhere else."""
    record = line(tavolino.new("orma", seed=1).record())
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbf" + record + record)
    assert run("check", tmp_path / "marked").out == "2 records, all right\n"
    assert run("replay", tmp_path / "marked", "--moves-only").code == 0
    (tmp_path / "marked").write_bytes(record + b"\xef\xbb\xbf" + record)
    ran = run("check", tmp_path / "marked")
    assert (ran.code, ":2: not JSON" in ran.out) == (1, True)
    (tmp_path / "alone").write_bytes(b"\xef\xbb\xbf\n")
    assert run("check", tmp_path / "alone").out == "0 records, nothing to check\n"


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_nothing_is_proved_by_an_empty_file(content: bytes, run: Run, tmp_path: Path) -> None:
    """`verify` of no record is no success."""
    (tmp_path / "empty.jsonl").write_bytes(content)
    ran = run("verify", tmp_path / "empty.jsonl")
    assert (ran.code, ran.out) == (1, "empty.jsonl: it contains no record, so nothing is proved.\n")
