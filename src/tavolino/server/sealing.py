"""A deal being prepared: the server's secret is fixed, then every browser's share, then all are opened.

docs/fairness.md has the protocol. Until every awaited browser has sealed its share, nobody has opened one, and whoever
leaves is simply not part of it. After that, nothing can change any more: who does not open has lost the game.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tavolino.play.fairness import commitment, fingerprint


@dataclass
class Round:
    """The preparation of one deal."""

    number: int
    """The number of the entry that began it: its name."""
    secret: str
    first: int | None
    seals: list[str | None]
    """The SHA-256 of each seat's share; None for seats that bring none, or not yet."""
    terms: dict[str, Any] | None = None
    """What is played and who starts, as the fingerprint binds it; None for a deal that an earlier version began."""
    shares: list[str | None] = field(default_factory=list)
    """The shares opened so far, by seat."""
    complete: bool = False
    """Whether every awaited seat has sealed: from now on the seals stand."""

    @property
    def promise(self) -> str:
        """The server's commitment."""
        return commitment(self.secret)

    @property
    def fingerprint(self) -> str | None:
        """What binds everyone; None until the seals stand."""
        return fingerprint(self.promise, self.seals, self.terms) if self.complete else None

    def seal(self, seats: Iterable[int], seal: str) -> None:
        """Take the seal of some seats."""
        for seat in seats:
            self.seals[seat] = seal

    def show(self, seats: Iterable[int], share: str) -> None:
        """Take the share of some seats."""
        for seat in seats:
            self.shares[seat] = share

    def settle(self, awaited: Iterable[int]) -> None:
        """Note which seats are to bring a share, after someone came, left or sealed; then see whether all have."""
        if self.complete:
            return
        seats = set(awaited)
        self.seals = [seal if seat in seats else None for seat, seal in enumerate(self.seals)]
        self.complete = bool(seats) and all(self.seals[seat] is not None for seat in seats)

    def unopened(self, besides: Iterable[int] = ()) -> list[int]:
        """Return the seats that sealed a share and have not opened it, but for some that are about to."""
        soon = set(besides)
        pairs = enumerate(zip(self.seals, self.shares, strict=True))
        return [seat for seat, (seal, share) in pairs if seal is not None and share is None and seat not in soon]
