"""Measure what the bots' words are worth and write the file of calibrations that ships.

`python -m tools.calibrate [TABLE …]`, such as orma-2; by default all. For each table, `value` plays against itself with
a fixed seed. In all of these games the network is asked as `analyse` asks it; in some, looking ahead is asked as a hint
asks it. What was answered is kept chunk by chunk in --work: a kill loses one chunk, and a second run goes on there.
Do it again, with an empty --work, after a change of the networks, the features or the way to look ahead.

`python -m tools.calibrate --check [TABLE …]` writes nothing: on fresh games, it compares the chances that ship with how
often they came true, in each third of a game and in each tenth of what was said. `--halves` does so without other
games: what was said in each half of those of the calibration is corrected by the other half.
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
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.engine.viewers import ALL_HANDS
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
from tavolino.lab.played import shares_of
from tavolino.lab.playing import Lineup, dealt, play_games, play_on, read_lineup
from tavolino.play.atomic_file import atomic_file
from tavolino.play.game import Game
from tavolino.play.seeds import derive

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "calibration"
TABLES = {f"{key}-{players}": (key, players) for key, folder in GAMES.items() for players in folder.people.PLAYERS}
SEED, CHECK_SEED = 2027, 2028
NETWORK_GAMES, TOLD_GAMES, CHUNK = 8_000, 2_300, 100
TRIES = 150
"""Of the look-ahead that is asked: a hint makes thousands, and says the same (tests/lab/test_calibration.py)."""
FEWEST = 100
"""Positions that a check needs to say something."""
THIRDS = 3
"""Each with one decision that is looked at, in every game."""
LATER = 0.8
"""How often that is a random one of its third, not the first: the first move of a game shall count enough."""
ENDINGS = 4
"""How often each position is played on."""


def asked(lineup: Lineup, base: np.uint64, begin: int, games: int) -> Predictions:
    """Ask for what a hint would say, of its best move, in each third of games, and see how often that seat wins.

    From each such position the game is played on some times: all keep what they hold, and what nobody has seen yet is
    dealt anew. So chance counts for less than in one ending.
    """
    batch = play_games(lineup, base, begin, games, room=ROOM)
    found = []
    for i in range(games):
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
        for third in np.array_split(decisions, THIRDS):
            step = int(luck.choice(third)) if luck.random() < LATER else int(third[0])
            earlier = game.earlier(step)
            seat = earlier.to_move
            assert seat is not None
            position = Position(earlier, seat, f"{base}/{number}/{step}", Limits(simulations=TRIES))
            told = look_ahead(position)[0].chance
            found.append((number, step, position.place, told, endings(lineup, earlier, seat, luck)))
    return predictions_of(found)


def endings(lineup: Lineup, game: Game, seat: int, luck: np.random.Generator) -> float:
    """Return what a seat wins on average when a position is played on some times."""
    won = 0.0
    for _ in range(ENDINGS):
        states, streams = game.bare_state(), luck.integers(0, 1 << 63, 2 + kernels.MAX_SEATS, np.uint64)
        kernels.redeal_one(states, ALL_HANDS, streams[:1])
        play_on(lineup, states, streams[1:2], streams[2:])
        won += float(shares_of(states["winners"], lineup.setup.players)[0, seat]) / ENDINGS
    return won


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
    """Return the calibrations of a table, by whose words they are; without network games that of hints alone."""
    key, players = TABLES[table]
    lineup = read_lineup(key, players, {}, ["value"])
    base = np.uint64(derive(SEED, key, f"calibrate/{players}"))
    told = told_in_games(table, work, told_games, SEED)
    if network_games == 0:
        return {LOOK_AHEAD: told_fit(told, calibration_of(NETWORK, key, players).length, players)}
    answers = chunks(work, f"{table}-network", network_games, lambda at, n: _flat(ask_in_games(lineup, base, at, n)))
    network = network_fit([_answers(flat) for flat in answers], players)
    return {NETWORK: network, LOOK_AHEAD: told_fit(told, network.length, players)}


def told_in_games(table: str, work: Path, games: int, seed: int) -> Predictions:
    """Return what hints say in so many games of a seed, and what came of it."""
    key, players = TABLES[table]
    lineup, base = read_lineup(key, players, {}, ["value"]), np.uint64(derive(seed, key, f"calibrate/{players}"))
    found = chunks(work, f"{table}-told{seed}", games, lambda at, n: asdict(asked(lineup, base, at, n)))
    return joined([Predictions(**flat) for flat in found])


def halves(table: str, work: Path, games: int) -> Iterator[str]:
    """Yield what was said minus what was won in the games of the calibration, each half corrected by the other half."""
    key, players = TABLES[table]
    told, length = told_in_games(table, work, games, SEED), calibration_of(NETWORK, key, players).length
    chances = np.empty(len(told))
    for half in (0, 1):
        there = told.game % 2 == half
        fitted = told_fit(chosen(told, ~there), length, players)
        chances[there] = chances_of(fitted, chosen(told, there))
    yield from gaps(table, told, chances, length)


def chosen(told: Predictions, there: Any) -> Predictions:
    """Return some of the predictions."""
    return Predictions(**{name: numbers[there] for name, numbers in asdict(told).items()})


def chances_of(calibration: Calibration, told: Predictions) -> Any:
    """Return the chances that people would be told."""
    return 1 / (1 + np.exp(-calibration.log_odds(told.said, told.moves, told.place)))


def check(table: str, work: Path, games: int) -> Iterator[str]:
    """Yield what is said minus what was won on fresh games."""
    calibration, told = calibration_of(LOOK_AHEAD, *TABLES[table]), told_in_games(table, work, games, CHECK_SEED)
    yield from gaps(table, told, chances_of(calibration, told), calibration.length)


def gaps(table: str, told: Predictions, chances: Any, length: float) -> Iterator[str]:
    """Yield what was said minus what was won, with half of its 95 % interval and how often."""
    thirds = np.minimum(2, (3 * told.moves / length).astype(int))
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
    parser.add_argument(
        "--games", type=int, default=NETWORK_GAMES, metavar="N", help="games to ask the network in; 0: keep its own"
    )
    parser.add_argument("--told", type=int, default=TOLD_GAMES, metavar="N", help="games to look ahead in")
    parser.add_argument("--check", action="store_true", help="compare what ships with fresh games")
    parser.add_argument("--halves", action="store_true", help="compare each half of the games with the other")
    given = parser.parse_args()
    if wrong := [table for table in given.tables if table not in TABLES]:
        parser.error(f"no table {wrong[0]!r}; there are {', '.join(TABLES)}")
    for table in given.tables or TABLES:
        key, players = TABLES[table]
        if given.check or given.halves:
            compare = check if given.check else halves
            print(*compare(table, given.work, given.told), sep="\n", flush=True)
            continue
        found = measure(table, given.work, given.games, given.told)
        write(found, players, GAMES[key].folder / FILE)
        print(f"{table}: written", flush=True)


if __name__ == "__main__":
    main()
