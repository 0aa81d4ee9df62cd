"""Measure what the bots' words are worth and write the file of calibrations that ships.

`python -m tools.calibrate [TABLE …]`, such as orma-2; by default all. For each table, `value` plays against itself with
a fixed seed. In all of these games the network is asked as `analyse` asks it; in some, looking ahead is asked as a hint
asks it. What was answered is kept chunk by chunk in --work: a kill loses one chunk, and a second run goes on there.
Do it again, with an empty --work, after a change of the networks, the features or the way to look ahead.

`python -m tools.calibrate --check [TABLE …]` writes nothing: on fresh games, it compares the chances that ship with how
often they came true, in each third of a game and in each tenth of what was said.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tavolino.bots.calibration import FILE, LOOK_AHEAD, NETWORK, Calibration, calibration_of
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import look_ahead
from tavolino.engine.registry import GAMES
from tavolino.lab.calibration import (
    ROOM,
    Answers,
    Predictions,
    ask_in_games,
    joined,
    network_fit,
    predictions_of,
    told_fit,
)
from tavolino.lab.playing import Lineup, dealt, play_games, read_lineup
from tavolino.play.atomic_file import atomic_file
from tavolino.play.game import Game
from tavolino.play.seeds import derive

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "calibration"
TABLES = {f"{key}-{players}": (key, players) for key, folder in GAMES.items() for players in folder.people.PLAYERS}
SEED, CHECK_SEED = 2027, 2028
NETWORK_GAMES, TOLD_GAMES, CHUNK = 8_000, 2_000, 500
TRIES = 150
"""Of the look-ahead that is asked: a hint makes thousands, and says the same (tests/lab/test_calibration.py)."""
FEWEST = 100
"""Positions that a check needs to say something."""
PICKS = 2
"""Decisions looked at in each game, besides the first."""


def asked(lineup: Lineup, base: np.uint64, begin: int, games: int) -> Predictions:
    """Ask for what a hint would say, of its best move, at the first and at some other decisions of games."""
    batch = play_games(lineup, base, begin, games, room=ROOM)
    found = []
    for i, shares in enumerate(batch.shares):
        number, luck = begin + i, np.random.default_rng((int(base), begin + i, TRIES))
        game = Game(lineup.setup, dealt(lineup, base, number), None, own_chance=False)
        moves = [
            lineup.setup.game.people.WORDS[int(action)]
            for action in batch.actions[i, : min(int(batch.length[i]), ROOM)]
        ]
        decisions = []
        for step, word in enumerate(moves):
            if game.to_move is not None:
                decisions.append(step)
            game.play_all([word])
        for step in {decisions[0], *luck.choice(decisions, PICKS).tolist()}:
            earlier = game.earlier(step)
            seat = earlier.to_move
            assert seat is not None
            position = Position(earlier, seat, f"{base}/{number}/{step}", Limits(simulations=TRIES))
            told = look_ahead(position)[0].chance
            found.append((number, step, position.place, told, float(shares[seat])))
    return predictions_of(found)


def chunks(work: Path, name: str, games: int, ask: Callable[[int, int], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what was answered, chunk by chunk: as it lies there, or by asking in games `begin` and so many more."""
    work.mkdir(parents=True, exist_ok=True)
    for begin in range(0, games, CHUNK):
        number = min(CHUNK, games - begin)
        path = work / f"{name}-{begin}-{number}.npz"
        if not path.exists():
            began = time.process_time()
            with atomic_file(path) as file:
                np.savez_compressed(file, **ask(begin, number))
            print(f"{path.stem}: {time.process_time() - began:.0f} s", flush=True)
        with np.load(path) as found:
            yield dict(found)


def _flat(answers: Answers) -> dict[str, Any]:
    words = {
        f"{when}_{name}": array for when in ("now", "later") for name, array in asdict(getattr(answers, when)).items()
    }
    return words | {"length": answers.length, "games": answers.games}


def _answers(flat: dict[str, Any]) -> Answers:
    now, later = (
        Predictions(**{name.partition("_")[2]: array for name, array in flat.items() if name.startswith(f"{when}_")})
        for when in ("now", "later")
    )
    return Answers(now, later, int(flat["length"]), int(flat["games"]))


def measure(table: str, work: Path, network_games: int, told_games: int) -> dict[str, Calibration]:
    """Return the calibrations of a table, by whose words they are."""
    key, players = TABLES[table]
    lineup = read_lineup(key, players, {}, ["value"])
    base = np.uint64(derive(SEED, key, f"calibrate/{players}"))
    answers = chunks(work, f"{table}-network", network_games, lambda at, n: _flat(ask_in_games(lineup, base, at, n)))
    network = network_fit([_answers(flat) for flat in answers], players)
    told = chunks(work, f"{table}-told", told_games, lambda at, n: asdict(asked(lineup, base, at, n)))
    look_ahead = told_fit(joined([Predictions(**flat) for flat in told]), network.length, players)
    return {NETWORK: network, LOOK_AHEAD: look_ahead}


def check(table: str, work: Path, games: int) -> Iterator[str]:
    """Yield what was said minus what was won on fresh games, with half of its 95 % interval and how often."""
    key, players = TABLES[table]
    lineup, calibration = read_lineup(key, players, {}, ["value"]), calibration_of(LOOK_AHEAD, key, players)
    base = np.uint64(derive(CHECK_SEED, key, f"calibrate/{players}"))
    found = chunks(work, f"{table}-check", games, lambda at, n: asdict(asked(lineup, base, at, n)))
    told = joined([Predictions(**flat) for flat in found])
    chances = 1 / (1 + np.exp(-calibration.log_odds(told.said, told.moves, told.place)))
    thirds = np.minimum(2, (3 * told.moves / calibration.length).astype(int))
    parts = {
        "first move": told.moves == told.moves.min(),
        **{f"third {third + 1}": thirds == third for third in range(3)},
        **{f"said {10 * tenth} to {10 * tenth + 10} %": (10 * chances).astype(int) == tenth for tenth in range(10)},
    }
    for name, there in parts.items():
        gaps = (chances - told.won)[there]
        if len(gaps) >= FEWEST:
            half = 1.96 * gaps.std() / len(gaps) ** 0.5
            yield f"{table}, {name}: {100 * gaps.mean():+.1f} ± {100 * half:.1f} points, {len(gaps)} positions"


def write(found: dict[str, Calibration], players: int, path: Path) -> None:
    """Write the calibrations of a number of players by whose words they are, beside those that are there."""
    everything: dict[str, dict[str, Any]] = msgspec.json.decode(path.read_bytes()) if path.exists() else {}
    for whose, calibration in found.items():
        everything.setdefault(whose, {})[str(players)] = rounded(asdict(calibration))
    lines = [
        f'"{whose}": {{\n'
        + ",\n".join(f'"{number}": {msgspec.json.encode(tables[number]).decode()}' for number in sorted(tables))
        for whose, tables in everything.items()
    ]
    with atomic_file(path) as file:
        file.write(("{\n" + "\n},\n".join(lines) + "\n}\n}\n").encode())  # a line for each table


def rounded(value: Any) -> Any:
    """Return numbers with five digits: more say nothing."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return {name: rounded(one) for name, one in value.items()} if isinstance(value, dict) else value


def main() -> None:
    """Measure the tables named, or all, and write what ships."""
    parser = argparse.ArgumentParser(description="Measure what the bots' words are worth.")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--work", type=Path, default=WORK, metavar="DIR", help="where what was answered is kept")
    parser.add_argument("--games", type=int, default=NETWORK_GAMES, metavar="N", help="games to ask the network in")
    parser.add_argument("--told", type=int, default=TOLD_GAMES, metavar="N", help="games to look ahead in")
    parser.add_argument("--check", action="store_true", help="compare what ships with fresh games")
    given = parser.parse_args()
    if wrong := [table for table in given.tables if table not in TABLES]:
        parser.error(f"no table {wrong[0]!r}; there are {', '.join(TABLES)}")
    for table in given.tables or TABLES:
        key, players = TABLES[table]
        if given.check:
            print(*check(table, given.work, given.told), sep="\n", flush=True)
            continue
        found = measure(table, given.work, given.games, given.told)
        write(found, players, GAMES[key].folder / FILE)
        print(f"{table}: written", flush=True)


if __name__ == "__main__":
    main()
