"""The observation of any game: called with a state, `observe` runs the encoder of the state's game."""

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from tavolino.envs.compiled import face_to_face, orma, out_of_sock
from tavolino.envs.compiled.fields import Row
from tavolino.games import GAMES
from tavolino.games.jit import INTERPRETED, State, rule
from tavolino.games.protocol import dispatch

ENCODERS: dict[str, ModuleType] = {"out-of-sock": out_of_sock, "face-to-face": face_to_face, "orma": orma}
_BY_DTYPE = {GAMES[key].STATE: module for key, module in ENCODERS.items()}

EIGHT, BYTE = np.uint64(8), np.uint64(255)
SPREAD = np.array([sum((bits >> i & 1) << 8 * i for i in range(8)) for bits in range(256)], np.uint64)
"""For eight bits: each alone in a byte."""


def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes: nothing that it may not know. `out` has the encoder's SIZE.

    Of what is not there yet (a row, a seat) nothing is written: `out` must be 0 there, as it is if it was when the game
    began and nothing else is written into it.
    """
    _BY_DTYPE[s.dtype].observe(s, seat, out)


def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return int(_BY_DTYPE[s.dtype].mask_bytes(s))


if not INTERPRETED:
    dispatch(observe, ENCODERS)
    dispatch(mask_bytes, ENCODERS)


@rule
def write_mask(s: State, out: NDArray[np.uint64]) -> None:
    """Write a byte for each action, 1 if it is legal, eight at a time: `out` is the mask seen as 64-bit numbers.

    Actions that never are legal are not written: `out` must be 0 there.
    """
    for word in range(len(s.legal)):
        bits = np.uint64(s.legal[word])
        for k in range(mask_bytes(s)):
            out[8 * word + k] = SPREAD[bits & BYTE]
            bits >>= EIGHT
