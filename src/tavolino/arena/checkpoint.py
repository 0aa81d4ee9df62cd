"""The file that an arena resumes from: a line that says what is played, then one line per finished deal."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tavolino.arena.deals import DealResult, Tournament
from tavolino.play.seeds import Seed

FORMAT = "tavolino-arena/1"


@dataclass(frozen=True)
class Checkpoint:
    """An open file of finished deals."""

    done: dict[int, DealResult]
    """What was in it when it was opened."""
    _file: BinaryIO

    def add(self, result: DealResult) -> None:
        """Append a finished deal, so that it survives a kill."""
        try:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, f"cannot be written ({error.strerror})", self._file.name) from None


def header(tournament: Tournament) -> dict[str, Any]:
    """Return what must be the same for an arena to resume."""
    setup = tournament.setup
    return {
        "format": FORMAT,
        "game": setup.key,
        "players": setup.players,
        "bots": list(tournament.bots),
        "seed": tournament.seed,
        "options": setup.options,
        "first": setup.first,
        "seconds": tournament.limits.seconds,
        "simulations": tournament.limits.simulations,
    }


def seed_in(path: Path) -> Seed | None:
    """Return the seed of the arena in a file; None if none has begun there."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        line = file.readline()
    seed = _read_header(path, line).get("seed") if line.endswith(b"\n") else None
    return seed if isinstance(seed, (int, str)) else None


@contextmanager
def open_checkpoint(path: Path, tournament: Tournament) -> Iterator[Checkpoint]:
    """Open a file to resume from, or create it; ValueError if it belongs to another arena.

    A last line that was cut off by a kill is dropped.
    """
    path.touch()
    with path.open("r+b") as file:
        done, end = _read(path, file, tournament)
        file.seek(end)
        file.truncate()
        if end == 0:
            file.write(msgspec.json.encode(header(tournament)) + b"\n")
            file.flush()
        yield Checkpoint(done, file)


def _read(path: Path, file: BinaryIO, tournament: Tournament) -> tuple[dict[int, DealResult], int]:
    """Return the deals in a file, and where its last complete line ends."""
    done: dict[int, DealResult] = {}
    end = 0
    decode = msgspec.json.Decoder(DealResult).decode
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        if number == 1:
            _same(path, _read_header(path, line), header(tournament))
        else:
            try:
                result = decode(line)
            except msgspec.DecodeError as error:
                raise ValueError(f"{path}, line {number}: not a finished deal ({error})") from None
            if len(result.games) != tournament.schedule.games_a_deal:
                raise ValueError(f"{path}, line {number}: a deal must have {tournament.schedule.games_a_deal} games")
            done.setdefault(result.deal, result)
        end += len(line)
    return done, end


def _read_header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{path} is not a file of an arena; --resume takes a new file, or one that an arena wrote")
    return found


def _same(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    wanted = msgspec.json.decode(msgspec.json.encode(wanted))
    for key, value in wanted.items():
        if found.get(key) != value:
            raise ValueError(f"{path} belongs to another arena: its {key} is {found.get(key)!r}, not {value!r}")
