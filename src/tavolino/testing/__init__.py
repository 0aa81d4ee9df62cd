"""What must hold for every game: the conformance suite, for authors of games.

    python -m tavolino.testing my-game

plays a few hundred random games in about a minute, and reports for each check whether it holds; if not, in which setup,
with which seed and after which move. `--quick` tries only the default options. In tests of your own, each check is a
function of a `Case`:

    from tavolino.testing import CHECKS, cases_of

    @pytest.mark.parametrize("check", CHECKS)
    @pytest.mark.parametrize("case", cases_of("my-game"), ids=str)
    def test_conformance(case, check):
        CHECKS[check](case)

Secrecy is tested with worlds that look the same: a game is dealt anew behind a seat's back (`Game.redeal`), and all
that the seat gets must be the same, byte for byte. `tavolino.engine.contract` says what each name of a game must do.
"""

import random
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from tavolino.engine import tiers
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.registry import GAMES
from tavolino.testing import playing, secrecy
from tavolino.testing.cases import LONGEST, Broken, Case, bytes_of, cases_of, need, play_on, told_where
from tavolino.testing.secrecy import view_told

__all__ = ["CHECKS", "Broken", "Case", "bytes_of", "cases_of", "failure", "main", "view_told"]

QUICK = "--quick"
"""Leaves out all but the default options."""


def _line_of(case: Case, error: Exception) -> str:
    """Say in which line of the game's own files an error happened."""
    ours = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == case.game.folder
    ]
    return f" ({Path(ours[-1].filename).name}, line {ours[-1].lineno})" if ours else ""


def compiled_is_interpreted(case: Case) -> None:
    """The compiled rules and the plain Python they are made from lead to the same bytes, redeals included."""
    if INTERPRETED:
        return

    def played(seed: int) -> tuple[bytes, bytes, list[bytes]]:
        game = play_on(case.new(seed), random.Random(seed))
        middle = game.earlier(len(game.moves) // 2)
        worlds = [middle.redealt_state(viewer, 5).tobytes() for viewer in case.viewers]
        return bytes_of(game.record()), game._states.tobytes(), worlds

    for seed in range(2):
        with told_where(case, seed):
            compiled = played(seed)
            tiers.use_plain(case.key)
            try:
                need(tiers.is_plain(case.key), "the plain rules cannot be used")
                plain = played(seed)
            except Exception as error:
                said = f"{type(error).__name__}: {error}{_line_of(case, error)}"
                raise Broken(f"the rules run compiled, but not interpreted: {said}") from error
            finally:
                tiers.use_compiled(case.key)
            for what, one, two in zip(("records", "states", "redeals"), compiled, plain, strict=True):
                need(one == two, f"compiled and interpreted rules give different {what}")


def bots_play(case: Case) -> None:
    """The levels and `random` play whole games, and only legal moves."""
    from tavolino.bots.players import builtin
    from tavolino.bots.position import Limits, Position

    players = [builtin(name, case.key) for name in ("easy", "random")]
    game = case.new(9)
    while (seat := game.to_move) is not None and len(game.moves) < LONGEST:
        with told_where(case, 9, game):
            position = Position(game, seat, f"testing/{len(game.moves)}", Limits(simulations=8))
            game.play(players[seat % 2].choose(position))
    need(game.over, f"{case}: bots do not come to an end")


CHECKS: dict[str, Callable[[Case], None]] = {
    check.__name__: check
    for check in (
        playing.state_is_sound,
        playing.games_end,
        playing.seeds_decide,
        playing.records_replay,
        playing.deals_are_checked,
        playing.undo_brings_the_same_chance_back,
        playing.only_legal_moves_play,
        playing.offers_agree,
        playing.events_are_plain,
        playing.views_are_plain,
        secrecy.secrets_are_kept,
        secrecy.observations_suffice,
        secrecy.redeals_are_games,
        secrecy.redeals_are_even,
        secrecy.redeals_hide_hands,
        compiled_is_interpreted,
        bots_play,
    )
}
"""Each check by its name: it takes a case and raises Broken."""


def failure(case: Case, check: str) -> str | None:
    """Run a check; return what is wrong, None if nothing is."""
    try:
        CHECKS[check](case)
    except Broken as error:
        return str(error) if str(error).startswith(str(case)) else f"{case}: {error}"
    except Exception as error:  # of the game, where nothing said where
        return f"{case}: {type(error).__name__}: {error}"
    return None


def main(words: list[str]) -> int:
    """Run all checks on the games named; print what holds and what does not, and return 1 if anything does not."""
    keys = [word for word in words if word != QUICK]
    if not keys:
        print(f"usage: python -m tavolino.testing [{QUICK}] GAME …; there are {', '.join(GAMES)}", file=sys.stderr)
        return 2
    wrong = 0
    for key in keys:
        try:
            cases = [case for case in cases_of(key) if not (QUICK in words and case.options)]
        except ValueError as error:
            print(error, file=sys.stderr)
            return 2
        print(f"{GAMES[key].title}: {len(cases)} setups")
        for check, function in CHECKS.items():
            found = [one for case in cases if (one := failure(case, check)) is not None]
            wrong += len(found)
            print(f"{'BROKEN' if found else 'ok    '} {(function.__doc__ or check).splitlines()[0]}", flush=True)
            for line in found:
                print(f"       {line}", flush=True)
    return 1 if wrong else 0
