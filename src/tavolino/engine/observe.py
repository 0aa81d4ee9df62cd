"""The observation of any game: called with a state, `observe` runs the encoder of the state's game.

There are two versions: 1, the newest, and 0, what environments `-v0` have always shown. In version 1 the actions that
name a seat count from the seat to move, like everything else in an observation.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.dispatch import dispatch
from tavolino.engine.fields import Row
from tavolino.engine.generic_observation import encoder_of, first_encoder_of
from tavolino.engine.jit import INTERPRETED, rule, shared
from tavolino.engine.kernels import States
from tavolino.engine.registry import GAMES, GameFolder, by_state
from tavolino.engine.rows import spread_bytes
from tavolino.engine.tiers import entry

NEWEST = 1


def _first(game: GameFolder) -> Any:
    """Return the encoder of version 0: a game that has only one encoder of its own uses it for both."""
    return game.part("observation_v0") or game.part("observation") or first_encoder_of(game)


ENCODERS: tuple[dict[str, Any], ...] = (
    {key: _first(game) for key, game in GAMES.items()},
    {key: game.part("observation") or encoder_of(game) for key, game in GAMES.items()},
)
"""By version, the encoder of each game: its own file, or one made from the fields of its state."""


@rule
def _names_none(s: State) -> int:
    return -1


@rule
def _observe_whole(s: State, seat: int, before: int, action: int, out: Row) -> None:
    observe(s, seat, out)


_BY_STATE = {
    state: SimpleNamespace(
        observe=ENCODERS[NEWEST][game.key].observe,
        observe_v0=ENCODERS[0][game.key].observe,
        observe_next=getattr(ENCODERS[NEWEST][game.key], "observe_next", _observe_whole),
        seat_actions=getattr(ENCODERS[NEWEST][game.key], "seat_actions", _names_none),
    )
    for state, game in by_state().items()
}


def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes, and nothing that it may not know. `out` has the encoder's SIZE.

    Nothing is written for what is not there yet (a row, a seat): `out` must be 0 there, as it is if it was 0 when the
    game began and nothing else writes into it.
    """
    _BY_STATE[s.dtype].observe(s, seat, out)


def observe_v0(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes in version 0."""
    _BY_STATE[s.dtype].observe_v0(s, seat, out)


def observe_next(s: State, seat: int, before: int, action: int, out: Row) -> None:
    """Write what a seat observes where `out` shows what `before` did, who then played this action; the game goes on.

    By default all is written; a game's own writes only what may have changed.
    """
    _BY_STATE[s.dtype].observe_next(s, seat, before, action, out)


def seat_actions(s: State) -> int:
    """Return the first of the actions that name a seat, one per seat; -1: there are none."""
    return int(_BY_STATE[s.dtype].seat_actions(s))


if not INTERPRETED:
    for _function in (observe, observe_v0, observe_next, seat_actions):
        dispatch(_function, _BY_STATE)


@shared
def write_observation(s: State, seat: int, version: int, out: Row) -> None:
    """Write what a seat observes in a version."""
    if version == 0:
        observe_v0(s, seat, out)
    else:
        observe(s, seat, out)


@rule
def shown_legal(s: State, word: int, version: int) -> int:
    """Return an entry of `legal` as the seat to move is shown it."""
    bits, first = s.legal[word], seat_actions(s)
    if version == 0 or first >> 6 != word or bits >> (first & 63) == 0:
        return bits
    every = (1 << s.seats) - 1
    named = bits >> (first & 63) & every
    turned = (named >> s.player | named << (s.seats - s.player)) & every
    return bits & ~(every << (first & 63)) | turned << (first & 63)


@rule
def shown_action(s: State, action: int, version: int) -> int:
    """Return the number by which the seat to move is shown an action of the rules."""
    first = seat_actions(s)
    if version == 0 or first < 0 or action < first or action >= first + s.seats:
        return action
    return first + (action - first - s.player + s.seats) % s.seats


@rule
def rules_action(s: State, action: int, version: int) -> int:
    """Return the rules' number of an action that the seat to move has chosen; it may be any number."""
    first = seat_actions(s)
    if version == 0 or first < 0 or action < first or action >= first + s.seats:
        return action
    return first + (action - first + s.player) % s.seats


@rule
def write_mask(s: State, version: int, out: NDArray[np.uint64]) -> None:
    """Write one byte per action, 1 if it is legal: `out` is the mask seen as 64-bit numbers."""
    for word in range(len(s.legal)):
        spread_bytes(out, 8 * word, shown_legal(s, word, version))


@rule
def observe_seat(s: State, seat: int, version: int, observation: NDArray[np.float32], mask: NDArray[np.uint64]) -> None:
    """Write what a seat observes and what it may do: nothing if another seat is to move. Both must be 0 before."""
    write_observation(s, seat, version, observation)
    if s.player == seat:
        write_mask(s, version, mask)


@rule
def observe_one(
    states: States, seat: int, version: int, observation: NDArray[np.float32], mask: NDArray[np.uint64]
) -> None:
    """Write what a seat observes in states[0] and what it may do."""
    observe_seat(states[0], seat, version, observation, mask)


@rule
def rules_action_one(states: States, action: int, version: int) -> int:
    """Return the rules' number of an action that the seat to move in states[0] has chosen."""
    return rules_action(states[0], action, version)


observe_state, action_in_state = entry(observe_one), entry(rules_action_one)
"""The same for a game that people play, which may be plain."""
