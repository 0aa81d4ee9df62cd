"""Several games in a row with their scores added up, for any game."""

from collections.abc import Sequence
from typing import Any

from tavolino.play.game import Game, new
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import read_seat, read_setup

STARTS = ("rotate", "trailing")


def match_totals(adds: str, players: int, games: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """Return the total of each seat after games with these scores and winners: points, or wins."""
    return [
        sum(scores[seat] if adds == "points" else seat in winners for scores, winners in games)
        for seat in range(players)
    ]


def first_of_next(starts: str, last: int, totals: Sequence[int]) -> int:
    """Return the seat that starts the game after one started by `last`."""
    in_turn = [(last + step) % len(totals) for step in range(1, len(totals) + 1)]
    return in_turn[0] if starts == "rotate" else min(in_turn, key=lambda seat: totals[seat])


class Match:
    """A number of games among the same seats.

    `totals` adds up points, or wins in a game whose scores decide nothing. `game` is the one being played; `next`
    begins the following one, which is started by the next seat (`rotate`) or by the lowest total (`trailing`).

    >>> match = Match(KEY, players=3, games=2, seed=5)
    >>> match.game.first, match.totals
    (0, [0, 0, 0])
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        games: int = 3,
        *,
        starts: str = "rotate",
        seed: Seed | None = None,
        first: int | None = None,
        **options: Any,
    ) -> None:
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise ValueError(f"games must be a whole number from 1 up, not {games!r}")
        if starts not in STARTS:
            raise ValueError(f"starts must be 'rotate' or 'trailing', not {starts!r}")
        setup = read_setup(game, players, options)
        self._adds = setup.game.people.MATCH_ADDS
        self.players = setup.players
        self.games = games
        self.starts = starts
        self.seed = check_seed(seed)
        self._options = options
        self._key = game
        self.finished: list[Game] = []
        """The games that are over and counted."""
        self.game = self._deal(None if first is None else read_seat(self.players, first, "first must be a seat"))

    def _deal(self, first: int | None) -> Game:
        seed = f"{derive(self.seed, self._key, f'match/{len(self.finished)}'):016x}"
        return new(self._key, self.players, seed, first=first, **self._options)

    @property
    def totals(self) -> list[int]:
        """The total of each seat so far, including the current game once it is over."""
        done = self.finished + [self.game] * self.game.over
        return match_totals(self._adds, self.players, [(game.scores, game.winners or ()) for game in done])

    @property
    def over(self) -> bool:
        """Whether all games are played."""
        return self.game.over and len(self.finished) + 1 == self.games

    @property
    def winners(self) -> list[int] | None:
        """The seats with the highest total; None while the match goes on."""
        totals = self.totals
        return [seat for seat, total in enumerate(totals) if total == max(totals)] if self.over else None

    def next_first(self) -> int:
        """Return the seat that starts the next game."""
        return first_of_next(self.starts, self.game.first, self.totals)

    def next(self) -> Game:
        """Begin the next game; the current one must be over and not the last."""
        if not self.game.over:
            raise ValueError("the current game is not over")
        if self.over:
            raise ValueError(f"all {self.games} games of the match have been played")
        first = self.next_first()
        self.finished.append(self.game)
        self.game = self._deal(first)
        return self.game
