"""The state behind an observation, as far as it tells it: for the test that it tells all a view does."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tavolino.games.out_of_sock.rules import BAN, CONVERSION, DOUBLE, WINNER


def decode(told: dict[str, Any], seats: int, seat: int) -> Any:
    """Return the fields of the state that views read; taken cards lie on any decks."""
    order = [(s - seat) % seats for s in range(seats)]
    rows = [told["seats"][i] for i in order]
    ended, phase = (np.flatnonzero(told[name]).tolist() for name in ("ending", "phase"))
    to_move, first = (next((s for s in range(seats) if rows[s][k]), -1) for k in (3, 4))
    columns = np.rint(told["columns"][order] * [8, 2, 3, 1, 32]).astype(int)
    socks = np.rint(told["sock_cards"][order] * 2).astype(int)
    taken = []
    for s in range(seats):
        for suit in range(6):
            faces = [face for face, n in zip((2, 4, 6, 8), socks[s, suit], strict=True) for _ in range(n)]
            for face, n in zip((DOUBLE, CONVERSION, BAN), columns[s, suit, 1:4], strict=True):
                faces += [face] * n
            assert sum(face for face in faces if face <= 8) == columns[s, suit, 0]
            taken += [(16 * suit + face, s) for face in faces]
    left = [round(deck[0] * 12) for deck in told["decks"]]
    decks, owners = [], []
    for deck, n in zip(told["decks"], left, strict=True):
        suit, kinds = int(deck[2:8].argmax()), (deck[9:12] > 0).tolist()
        face = next((f for f, is_it in zip((DOUBLE, CONVERSION, BAN), kinds, strict=True) if is_it), round(deck[8] * 8))
        above = [taken.pop() for _ in range(12 - n)]
        decks.append([0] * (n - 1) + ([16 * suit + face] if n else []) + [card for card, _ in above])
        owners.append([-1] * n + [s for _, s in above])
    assert not taken
    return SimpleNamespace(
        seats=seats,
        player=to_move,
        first=first,
        over=int(bool(ended)),
        winners=sum(1 << s for s in range(seats) if rows[s][5]),
        ending=ended[0] if ended else -1,
        scores=[round(row[1] * 100) for row in rows],
        phase=phase[0] if phase else -1,
        holder=(int(told["holder"].argmax()) + seat) % seats,
        aim=round(told["aim"][0] * 8),
        basket=int(told["basket"].argmax()),
        fallen=round(told["fallen"][0] * 8),
        dice=[round(deck[1] * 8) for deck in told["decks"]],
        left=left,
        deck=decks,
        owner=owners,
        socks=columns[:, :, 0].tolist(),
        doubles=columns[:, :, 1].tolist(),
        conversions=columns[:, :, 2].tolist(),
        bans=columns[:, :, 3].tolist(),
        sock_cards=[round(row[2] * 12) for row in rows],
        legal=[sum(1 << s for s in range(seats) if rows[s][6]) << WINNER],
    )
