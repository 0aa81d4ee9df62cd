"""The observation of any game: called with a state, `observe` runs the encoder of the state's game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.dispatch import dispatch
from tavolino.engine.fields import Row
from tavolino.engine.jit import INTERPRETED, rule
from tavolino.engine.registry import GAMES, by_state
from tavolino.envs.compiled.generic import encoder_of

ENCODERS: dict[str, Any] = {key: game.part("observation") or encoder_of(game) for key, game in GAMES.items()}
"""The encoder of each game: its own `observation.py`, or one made from the fields of its state."""
_BY_STATE = {state: ENCODERS[game.key] for state, game in by_state().items()}

EIGHT, BYTE = np.uint64(8), np.uint64(255)
SPREAD = np.array([sum((bits >> i & 1) << 8 * i for i in range(8)) for bits in range(256)], np.uint64)
"""For eight bits: each in a byte of its own."""


def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes, and nothing that it may not know. `out` has the encoder's SIZE.

    Nothing is written for what is not there yet (a row, a seat): `out` must be 0 there, as it is if it was 0 when the
    game began and nothing else writes into it.
    """
    _BY_STATE[s.dtype].observe(s, seat, out)


def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are used at all."""
    return int(_BY_STATE[s.dtype].mask_bytes(s))


if not INTERPRETED:
    dispatch(observe, _BY_STATE)
    dispatch(mask_bytes, _BY_STATE)


@rule
def write_mask(s: State, out: NDArray[np.uint64]) -> None:
    """Write one byte per action, 1 if it is legal, eight at a time: `out` is the mask seen as 64-bit numbers.

    Actions that are never legal are not written: `out` must be 0 there.
    """
    for word in range(len(s.legal)):
        bits = np.uint64(s.legal[word])
        for k in range(mask_bytes(s)):
            out[8 * word + k] = SPREAD[bits & BYTE]
            bits >>= EIGHT
