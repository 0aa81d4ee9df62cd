"""Measure the fingerprints that ship in the games' folders: `python -m tools.fingerprints [GAME …]`.

What the shipped one already says of the same bots is taken from it, so `--expert-deals K` with another K plays the
steps with `expert` only. All is kept in --work DIR, the games of `expert` one by one: the same command goes on there,
and with more deals none is played twice. Then `make studies ARGS="deepest luck with-five"` writes their pages.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from tavolino.engine.registry import GAMES
from tavolino.lab.fingerprint import FORMAT, FingerprintSettings, about_of, bots_of, fingerprint, judge_of, keep_in
from tavolino.lab.fingerprint_page import FILE
from tavolino.lab.settings import LabSettings, Tell
from tavolino.play.atomic_file import atomic_file
from tools.study_page import SEED

WORK = Path(__file__).parents[1] / "build" / "fingerprints"
GAMES_A_TABLE, EXPERT_DEALS = 1000, 200
"""Per table, and per step of the ladder with `expert`: as many as the other steps have."""


def shipped(key: str) -> dict[str, Any] | None:
    """Return the fingerprint in a game's folder, if there is one that can be read."""
    path = GAMES[key].folder / FILE
    found: dict[str, Any] | None = json.loads(path.read_bytes()) if path.exists() else None
    return found if found is not None and found["format"] == FORMAT else None


def measure(
    key: str, expert_deals: int, workers: int | None, work: Path = WORK, games: int = GAMES_A_TABLE
) -> dict[str, Any]:
    """Measure a game's fingerprint as far as it is not known yet, and keep it in the game's folder."""
    work.mkdir(parents=True, exist_ok=True)
    notes, before = work / f"{key}.json", shipped(key)
    asked = {"games": games, "seed": SEED, "bots": bots_of(key), "judge": judge_of(key)}
    if before is not None and not notes.exists() and about_of(before) == about_of({**before, **asked}):
        keep_in(notes, before)
    how, settings = FingerprintSettings(expert_deals=expert_deals), LabSettings(workers, told_of(key))
    found = fingerprint(key, games=games, seed=SEED, how=how, notebook=notes, settings=settings)
    with atomic_file(GAMES[key].folder / FILE) as file:
        file.write(json.dumps(found).encode())
    return found


def told_of(key: str) -> Tell:
    """Return a function that prints how far the fingerprint of a game is, at every hundredth."""
    shown = [0]

    def tell(done: float) -> None:
        if int(100 * done) > shown[0]:
            shown[0] = int(100 * done)
            print(f"  {key}: {shown[0]} %", flush=True)

    return tell


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the fingerprints that ship in the games' folders.")
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[[], *GAMES], help="by default all")
    parser.add_argument("--expert-deals", type=int, default=EXPERT_DEALS, metavar="K", help="per step with expert")
    parser.add_argument("--workers", type=int, metavar="N", help="cores; by default all")
    parser.add_argument("--work", type=Path, default=WORK, metavar="DIR", help="where results are kept")
    given = parser.parse_args()
    for game in given.games or GAMES:
        print(game, flush=True)
        measure(game, given.expert_deals, given.workers, given.work)
