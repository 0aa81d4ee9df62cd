"""The referee: a slow and literal reading of the rules pages, the test oracle of the compiled engine.

Nothing here may import the project. The comments cite the clauses of the rules pages (S, F, O).
"""

from typing import Any, Protocol

from tests.games.face_to_face.referee import FaceToFace
from tests.games.orma.referee import Orma
from tests.games.out_of_sock.referee import OutOfSock


class Referee(Protocol):
    """What every game's referee offers."""

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when chance is due or the game is over."""

    @property
    def chance_due(self) -> bool:
        """Whether a chance word (roll:...) comes next."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def scores(self) -> list[int]:
        """The scores, seat by seat; running ones while the game lasts."""

    @property
    def winners(self) -> list[int] | None:
        """Every seat that won; None while the game lasts."""

    def legal(self) -> set[str]:
        """All words that may be played now, chance words if chance is due."""

    def play(self, word: str) -> None:
        """Play one word; ValueError if it is not legal."""

    def knowledge(self, seat: int | None) -> dict[str, Any]:
        """Everything public and what this seat alone knows (None: a spectator)."""


def referee(record: dict[str, Any]) -> Referee:
    """Set up the game of a record; its moves, scores and winners are ignored."""
    game = record["game"]
    if game == "out-of-sock":
        return OutOfSock(record)
    if game == "face-to-face":
        return FaceToFace(record)
    if game == "orma":
        return Orma(record)
    raise ValueError(f"no such game: {game!r}")
