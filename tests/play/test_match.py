"""Matches (O6.1) of all three games."""

from typing import Any

import pytest

from tavolino import Game, Match
from tavolino.engine import registry
from tests.games.tables import idle

GAMES = [("out-of-sock", 2), ("out-of-sock", 4), ("face-to-face", 2), ("orma", 2), ("orma", 5)]


def finish(game: Game) -> Game:
    """Play a game to its end by the first legal move."""
    while not game.over:
        game.play(game.legal_moves[0])
    return game


def points(game: Game, *seats: int) -> None:
    """Play a game of Orma in which each of these seats gets 1 point (two at most) and the others none."""
    wanting = set(seats)
    while not game.over:
        if game.to_move in wanting:
            wanting.remove(game.to_move)
            game.play(next(word for word in game.legal_moves if word.endswith("@b0")))
        else:
            idle(game)
    assert game.scores == [int(seat in seats) for seat in range(game.players)]


def lose(game: Game, loser: int) -> None:
    """Play a game of Face to Face in which one seat spoils its piles at once."""

    def harm(word: str) -> int:
        tops: dict[str, int] = game.view(None)["piles"][game.to_move]
        card = int(word[1:])
        return card - tops["up"] if word[0] == "u" else tops["down"] - card

    while not game.over:
        if "end" in game.legal_moves:
            game.play("end")
        else:
            own = [word for word in game.legal_moves if word[0] in "ud"] or game.legal_moves[:1]
            game.play((max if game.to_move == loser else min)(own, key=harm))
    assert game.winners == [1 - loser]


@pytest.mark.clause("O6.1")
@pytest.mark.parametrize(("key", "players"), GAMES)
def test_rotate_lets_a_different_player_start_each_time(key: str, players: int) -> None:
    """The start goes round the table, whatever the totals."""
    match = Match(key, players, games=players + 1, seed=4, first=players - 1)
    starts = [match.game.first]
    while finish(match.game) and not match.over:
        starts.append(match.next_first())
        assert match.next().first == match.game.first == starts[-1]
    assert starts == [players - 1, *range(players)]


@pytest.mark.clause("O6.1")
@pytest.mark.parametrize(("key", "players"), [game for game in GAMES if game[0] != "face-to-face"])
def test_a_match_adds_up_the_points(key: str, players: int) -> None:
    """The totals are the sums of the scores of the games that are over; the highest total wins."""
    match = Match(key, players, games=3, seed=11)
    sums = [0] * players
    for number in range(3):
        assert (match.totals, match.over, match.winners) == (sums, False, None)
        assert len(match.finished) == number
        finish(match.game)
        sums = [total + score for total, score in zip(sums, match.game.scores, strict=True)]
        assert match.totals == sums
        if number < 2:
            match.next()
    assert match.over
    assert match.winners == [seat for seat in range(players) if sums[seat] == max(sums)]


@pytest.mark.clause("O6.1")
def test_a_game_counts_once_it_is_over() -> None:
    """Points of the game being played are not in the totals yet."""
    match = Match("orma", 2, games=2, seed=1, first=0)
    points(match.game, 1)
    game = match.next()
    game.play(next(word for word in game.legal_moves if word.endswith("@b0")))
    assert (sum(game.scores), match.totals) == (1, [0, 1])


@pytest.mark.clause("O6.1", "F5.2")
def test_a_match_of_face_to_face_adds_up_wins() -> None:
    """There the scores decide nothing, so games won are counted."""
    match = Match("face-to-face", games=3, seed=1)
    totals = []
    for loser in (0, 1, 0):
        lose(match.game, loser)
        totals.append(match.totals)
        if not match.over:
            match.next()
    assert totals == [[0, 1], [1, 1], [1, 2]]
    assert match.winners == [1]


@pytest.mark.clause("O6.1")
@pytest.mark.parametrize(
    ("first", "scorers", "start"),
    [
        (0, [(0, 1)], 2),  # 1 1 0: the lowest total
        (2, [(0, 1)], 2),  # also when they started last time
        (0, [(1, 2)], 0),
        (0, [()], 1),  # all equal: the one next after the last starter
        (1, [()], 2),
        (2, [()], 0),
        (0, [(1,)], 2),  # 0 1 0: of seats 0 and 2, seat 2 comes first after seat 0
        (1, [(1,)], 2),
        (2, [(1,)], 0),
        (0, [(0,), (1,)], 2),  # 1 0 0, seat 1 starts; 1 1 0
        (0, [(0,), (0,)], 2),  # 2 0 0: of seats 1 and 2, seat 2 is next after seat 1
        (0, [(1, 2), (0,)], 1),  # 0 1 1, seat 0 starts again; 1 1 1
        (1, [(0, 1), (2,), (0, 2)], 1),  # 1 1 0, seat 2 starts; 1 1 1, seat 0 starts; 2 1 2
    ],
)
def test_trailing_lets_the_lowest_total_start(first: int, scorers: list[tuple[int, ...]], start: int) -> None:
    """Of equals it is the one next after the last starter, and turns go left as ever."""
    match = Match("orma", 3, games=len(scorers) + 1, starts="trailing", first=first, seed=2)
    for seats in scorers:
        points(match.game, *seats)
        match.next()
    assert (match.game.first, match.game.to_move) == (start, start)
    idle(match.game)
    assert match.game.to_move == (start + 1) % 3


@pytest.mark.clause("O6.1")
def test_trailing_in_face_to_face_goes_by_wins() -> None:
    """The loser starts; at one win each, the one who did not start last."""
    match = Match("face-to-face", games=4, starts="trailing", first=1, seed=3)
    starts = [match.game.first]
    for loser in (1, 0, 0):  # wins: 1 0, then 1 1, then 1 2
        lose(match.game, loser)
        starts.append(match.next().first)
    assert starts == [1, 1, 0, 0]


@pytest.mark.clause("O6.1")
def test_trailing_in_out_of_sock_goes_by_points() -> None:
    """Points may be minus; the lowest total starts."""
    for seed in range(8):
        match = Match("out-of-sock", 3, games=2, starts="trailing", seed=seed)
        totals = finish(match.game).scores
        assert totals[match.next().first] == min(totals)


@pytest.mark.clause("O6.1", "O5.1")
def test_equal_totals_share_the_match() -> None:
    """After 1 0 0 and 0 1 0 two have won the match."""
    match = Match("orma", 3, games=2, seed=6)
    points(match.game, 0)
    points(match.next(), 1)
    assert (match.over, match.totals, match.winners) == (True, [1, 1, 0], [0, 1])


@pytest.mark.clause("O6.1", "O1.4")
def test_the_first_starter_is_random_or_named() -> None:
    """Without `first` the seed decides, and all seats occur; the first game of a match is like any other."""
    assert {Match("orma", 5, seed=seed).game.first for seed in range(60)} == set(range(5))
    assert [Match("orma", 5, seed=1, first=seat).game.first for seat in range(5)] == list(range(5))


@pytest.mark.clause("O6.1")
@pytest.mark.parametrize(("key", "players"), GAMES)
def test_a_seed_fixes_the_whole_match(key: str, players: int) -> None:
    """The same seed deals the same games, which all differ; another seed deals others."""
    deals: list[list[dict[str, Any]]] = []
    for seed in (7, 7, 8):
        match = Match(key, players, games=2, seed=seed)
        one = finish(match.game).record()
        deals.append([one, finish(match.next()).record()])
    assert deals[0] == deals[1]
    assert deals[0][0]["deal"] != deals[0][1]["deal"]
    assert deals[0][0]["deal"] != deals[2][0]["deal"]


@pytest.mark.clause("O6.1", "O1.3")
def test_options_hold_for_every_game_of_a_match() -> None:
    """The box is the same in each game."""
    match = Match("orma", 4, games=2, seed=1, spare_blacks=0)
    finish(match.game)
    assert match.game.options == match.next().options == {"spare_blacks": 0}


@pytest.mark.clause("O6.1")
def test_a_match_goes_on_only_when_it_can() -> None:
    """Not before the game is over, and not after the agreed number of games; a refusal changes nothing."""
    match = Match("orma", 2, games=2, seed=1)
    with pytest.raises(ValueError, match="not over"):
        match.next()
    assert (match.finished, match.game.moves) == ([], [])
    points(match.game, 1)
    last = match.next()
    points(last, 1)
    with pytest.raises(ValueError, match="all 2 games of the match have been played"):
        match.next()
    assert match.game is last
    assert (match.totals, len(match.finished)) == ([0, 2], 1)


@pytest.mark.clause("O6.1")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"games": 0}, "games must be a whole number from 1 up, not 0"),
        ({"games": -2}, "games must be"),
        ({"games": True}, "games must be"),
        ({"games": "3"}, "games must be"),
        ({"games": 2.0}, "games must be"),
        ({"starts": "random"}, "starts must be 'rotate' or 'trailing', not 'random'"),
        ({"starts": None}, "starts must be"),
        ({"players": 6}, "2 to 5 players, not 6"),
        ({"first": 2}, "first must be a seat from 0 to 1, not 2"),
        ({"seed": 1.5}, "seed must be"),
        ({"spare_blacks": 10}, "spare_blacks must be"),
        ({"basket": "plain"}, "no option 'basket'"),
    ],
)
def test_what_is_no_match(wrong: dict[str, Any], message: str) -> None:
    """Errors say what is allowed."""
    with pytest.raises(ValueError, match=message):
        Match("orma", **wrong)


@pytest.mark.clause("O6.1")
def test_no_such_game() -> None:
    """A match is of a registered game."""
    with pytest.raises(ValueError, match=f"no game 'chess'; there are {', '.join(registry.GAMES)}"):
        Match("chess")
