"""Out of Sock, points and the end of the game, clause by clause (text/rules.en.md in its folder)."""

import pytest

from tavolino import Game
from tests.games.tables import PLACES, play, refused, sock

ONE_LEFT_IN_2 = "roll:2,3 split take:2 take:3 " + "roll:2,2 single " * 5  # by six rounds


def collected(cards: str) -> Game:
    """Let seat 0 of 2 take an even number of cards by singles, the other seat shaking nothing out."""
    pairs = len(cards.split()) // 2
    words = cards.split()
    script = "".join(f"roll:{','.join('4' * place)} single roll: " for place in [2] * min(pairs, 5) + [3] * (pairs - 5))
    return sock(script, seats=2, decks={2: " ".join(words[:10]), 3: " ".join(words[10:])})


def finished(*hands: str, first: int = 0, last: str = "") -> Game:
    """End a game among 3 by singles at deck 2: each takes four cards, and the basket ends right of `first`."""
    order = [hands[(first + turn) % 3].split()[2 * (turn // 3) : 2 * (turn // 3) + 2] for turn in range(6)]
    return sock("roll:2,2 single " * 6 + last, first=first, decks={2: " ".join(card for two in order for card in two)})


@pytest.mark.clause("S7.1", "S7.2")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("red:6 pink:double", 6),
        ("red:2 red:2 red:4 red:4 red:6 red:8", 26),
        ("red:6 red:double", 12),  # printed: 12 red socks instead of 6
        ("red:6 red:double red:conversion pink:double", -12),  # printed: then from +12 to -12
        ("red:6 red:double red:double pink:double", 24),
        ("red:4 red:4 red:double red:double red:conversion pink:double", -32),  # doubles also double what is minus
        ("yellow:8 yellow:4 yellow:conversion pink:double", -12),  # printed: 12 yellow socks to deduct
        ("yellow:8 yellow:4 yellow:conversion yellow:conversion", 12),  # cancelled by another one
        ("yellow:8 yellow:4 yellow:conversion yellow:conversion yellow:conversion pink:double", -12),  # and minus again
        ("orange:8 orange:ban", 0),  # printed: the 8 orange socks are not added
        ("blue:6 blue:4 blue:conversion blue:ban", 0),  # printed: the 10 blue socks need not be deducted
        ("blue:8 blue:double blue:double blue:ban", 0),
        ("red:double red:conversion blue:ban green:conversion", 0),  # no socks, nothing to double or flip
        ("red:8 blue:double green:8 pink:conversion", 16),  # special cards of other suits do nothing
    ],
)
def test_points_of_a_suit(cards: str, points: int) -> None:
    """The socks add up; Doubles double, Conversions flip, a Ban makes 0."""
    game = collected(cards)
    assert game.scores == [points, 0]
    by_suit = game.view(1)["suit_scores"][0]
    assert sum(by_suit.values()) == points


@pytest.mark.clause("S7.1", "S7.2")
def test_a_finished_game_says_how_its_points_come_about() -> None:
    """By suit: the socks, how often they are doubled and turned, and whether they count plus, minus or nothing."""
    hands = "red:6 red:2 red:double red:conversion", "pink:8 pink:ban blue:double blue:4", "green:conversion " * 3
    game = finished(hands[0], hands[1], hands[2] + "orange:8")
    red, pink, blue, green = (
        game.view(None)["sums"][seat][suit] for seat, suit in ((0, "red"), (1, "pink"), (1, "blue"), (2, "green"))
    )
    assert red == {"socks": [6, 2], "doubled": 1, "turned": 1, "counts": "minus"}
    assert pink == {"socks": [8], "doubled": 0, "turned": 0, "counts": "banned"}
    assert blue == {"socks": [4], "doubled": 1, "turned": 0, "counts": "plus"}
    assert green == {"socks": [], "doubled": 0, "turned": 3, "counts": "nothing"}
    assert "sums" not in collected("red:6 red:double").view(None)  # only when there is nothing to win any more


@pytest.mark.clause("S7.2")
def test_points_do_not_depend_on_the_order_of_taking() -> None:
    """A Conversion before the socks or a Ban before all else works the same."""
    assert collected("red:conversion red:6 red:double pink:ban").scores == [-12, 0]
    assert collected("red:ban red:6 red:8 red:2").scores == [0, 0]


@pytest.mark.clause("S7.3", "S7.1", "S7.2")
def test_the_printed_example_of_52_points() -> None:
    """10 + 0 + 36 − 4 + 2 + 8, suit by suit."""
    game = collected(
        "yellow:6 yellow:4 green:8 green:ban pink:8 pink:6 pink:4 pink:double "
        "red:4 red:conversion orange:2 blue:4 blue:4 blue:conversion blue:conversion green:double"
    )
    assert game.view(None)["suit_scores"][0] == {
        "yellow": 10,
        "green": 0,
        "pink": 36,
        "red": -4,
        "orange": 2,
        "blue": 8,
    }
    assert game.scores == [52, 0]
    assert game.view(None)["sock_cards"] == [10, 0]


@pytest.mark.clause("S8.1")
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("place", PLACES)
def test_with_3_or_4_players_the_first_empty_deck_ends_the_game(seats: int, place: int) -> None:
    """The game is over, or waits for a winner's name, the moment the twelfth card is taken."""
    single = f"roll:{','.join('5' * place)} single "
    game = sock(single * 5, seats=seats)
    assert game.view(None)["phase"] == "roll"
    play(game, single)
    assert game.over or game.view(None)["phase"] == "name"
    assert game.view(None)["decks"][str(place)] == {"top": None, "left": 0, "dice": 0}


@pytest.mark.clause("S8.1")
def test_with_2_players_the_second_empty_deck_ends_the_game() -> None:
    """After one empty deck they play on, until another is gone."""
    game = sock("roll:2,2 single " * 6, seats=2)
    assert (game.over, game.view(None)["phase"]) == (False, "roll")
    play(game, "roll:3,3,3 single " * 5)
    assert (game.over, game.view(None)["phase"]) == (False, "roll")
    play(game, "roll:3,3,3 single")
    assert game.over or game.view(None)["phase"] == "name"
    assert [game.view(None)["decks"][str(place)]["left"] for place in PLACES] == [0, 0, 12, 12, 12, 12]


@pytest.mark.clause("S8.1")
def test_the_game_ends_in_the_middle_of_a_split() -> None:
    """Remaining dice are not taken, and the last card counts."""
    deck = "red:ban red:2 red:2 green:ban green:2 pink:ban pink:2 red:4 red:6 green:4 green:6 yellow:8"
    game = sock(ONE_LEFT_IN_2 + "roll:2,4,5,5 split take:4", decks={2: deck, 3: "pink:4", 4: "pink:6"})
    assert (game.scores, game.over) == ([0, 18, 0], False)  # seat 1: red 2 + 2 + 4 + 6, pink 4
    game.play("take:2")
    assert (game.over, game.scores, game.winners) == (True, [0, 26, 0], [1])
    decks = game.view(None)["decks"]
    assert [(decks[str(place)]["left"], decks[str(place)]["dice"]) for place in PLACES] == [
        (0, 0),
        (11, 0),
        (11, 0),
        (12, 0),
        (12, 0),
        (12, 0),
    ]
    assert "the game is over" in refused(game, "take:5")


@pytest.mark.clause("S8.1", "S5.2")
@pytest.mark.parametrize("seats", [2, 3])
def test_a_single_that_finds_the_ending_card_first_stops_there(seats: int) -> None:
    """One card is taken, the game ends, and no other deck loses a card."""
    script = ONE_LEFT_IN_2
    if seats == 2:  # empty deck 7 before: the second empty deck ends the game
        script = "roll:3,3,3,3,3,3,3 single " * 6 + script
    game = sock(script, seats=seats)
    before = [sum(map(len, column.values())) for column in game.view(None)["columns"]]
    play(game, "roll:4,5 single")
    after = [sum(map(len, column.values())) for column in game.view(None)["columns"]]
    assert after == [before[0] + 1, *before[1:]]
    assert game.over or game.view(None)["phase"] == "name"
    assert game.view(None)["decks"]["2"]["left"] == 0


@pytest.mark.clause("S8.2")
@pytest.mark.parametrize(
    ("hands", "scores", "winner"),
    [
        (
            ("red:2 red:4 red:6 red:8", "blue:8 blue:6 pink:2 pink:4", "green:8 green:6 green:4 green:4"),
            [20, 20, 22],
            2,
        ),
        (
            ("red:8 red:6 red:4 green:8", "red:2 red:2 blue:2 blue:2", "yellow:2 yellow:4 orange:2 orange:4"),
            [26, 8, 12],
            0,
        ),
        (  # all below zero: the least minus wins
            (
                "red:8 red:6 red:conversion red:4",
                "blue:2 blue:conversion pink:2 pink:conversion",
                "green:8 green:conversion green:double green:6",
            ),
            [-18, -4, -28],
            1,
        ),
        (  # more Sock cards, but fewer points
            (
                "red:2 red:2 blue:2 blue:2",
                "yellow:8 yellow:double pink:double pink:ban",
                "red:ban blue:ban green:ban orange:ban",
            ),
            [8, 16, 0],
            1,
        ),
    ],
)
def test_most_points_win(hands: tuple[str, ...], scores: list[int], winner: int) -> None:
    """One seat alone in the lead has won, whatever its cards."""
    game = finished(*hands)
    assert (game.scores, game.winners, game.ending) == (scores, [winner], "most points")
    assert (game.to_move, game.view(None)["phase"]) == (None, None)


@pytest.mark.clause("S8.2")
@pytest.mark.parametrize(
    ("hands", "scores", "socks", "winner"),
    [
        (  # 4 + 4 against 2 + 2 + 2 + 2
            (
                "red:4 blue:4 green:double green:double",
                "red:2 blue:2 pink:2 green:2",
                "red:6 blue:ban pink:ban orange:ban",
            ),
            [8, 8, 6],
            [2, 4, 1],
            1,
        ),
        (  # Sock cards of a banned suit count here
            (
                "red:4 pink:2 pink:ban pink:2",
                "blue:4 green:double green:double green:ban",
                "red:2 blue:2 orange:ban red:ban",
            ),
            [4, 4, 2],
            [3, 1, 2],
            0,
        ),
        (  # the most Sock cards of all are with one who is not in the lead
            (
                "red:8 blue:double blue:double blue:ban",
                "green:6 green:2 pink:double pink:ban",
                "red:2 blue:2 yellow:2 orange:ban",
            ),
            [8, 8, 6],
            [1, 2, 3],
            1,
        ),
    ],
)
def test_a_tie_goes_to_the_most_sock_cards(
    hands: tuple[str, ...], scores: list[int], socks: list[int], winner: int
) -> None:
    """Of those with equal points, the one with more Sock cards wins, banned ones counted, special ones not."""
    game = finished(*hands)
    assert game.view(None)["sock_cards"] == socks
    assert (game.scores, game.winners, game.ending) == (scores, [winner], "tie: most sock cards")


LEVEL = ("red:2 blue:2 pink:2 green:2", "red:2 blue:2 pink:2 green:2")  # 8 points, 4 Sock cards each
THIRD = "yellow:8 orange:double orange:double orange:ban"  # 8 points, 1 Sock card


@pytest.mark.clause("S8.2")
@pytest.mark.parametrize("name", [0, 1])
def test_after_a_full_tie_the_basket_holder_names_the_winner(name: int) -> None:
    """It is a move of the holder, who is not among the tied here, and only the tied can be named."""
    game = finished(*LEVEL, THIRD)
    assert (game.scores, game.over, game.winners, game.ending) == ([8, 8, 8], False, None, None)
    assert (game.to_move, game.legal_moves, game.view(None)["phase"]) == (2, ["winner:0", "winner:1"], "name")
    assert game.view(1)["tied"] == [0, 1]
    refused(game, "winner:2", "S8.2")
    refused(game, "winner:3", "S8.2")
    refused(game, "roll:2,3", "S8.2")
    game.play(f"winner:{name}")
    assert (game.over, game.winners, game.movers[-1], game.view(None)["tied"]) == (True, [name], 2, [])
    assert (game.ending, game.record()["moves"][-1]) == ("tie: named by the basket holder", f"winner:{name}")


@pytest.mark.clause("S8.2")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_who_has_the_basket_at_the_end(first: int) -> None:
    """It is the last round's first player, who may name the other one as well as themselves."""
    game = finished(*LEVEL, THIRD, first=first)
    holder = (first + 2) % 3
    assert (game.to_move, game.view(None)["basket_holder"], game.legal_moves) == (
        holder,
        holder,
        ["winner:0", "winner:1"],
    )


@pytest.mark.clause("S8.2")
def test_all_can_be_tied() -> None:
    """Three seats level in points and Sock cards can all be named."""
    third = "yellow:2 orange:2 pink:ban red:ban"
    level = "red:2 blue:2 pink:double pink:double", "red:2 blue:2 green:double green:double"
    game = finished(*level, third)
    assert (game.scores, game.legal_moves) == ([4, 4, 4], ["winner:0", "winner:1", "winner:2"])


@pytest.mark.clause("S8.2", "S8.1")
def test_the_basket_has_not_passed_on_with_the_rounds_last_die() -> None:
    """The ending card came with the last die, and still that round's first player names the winner."""
    twos = (
        "yellow:double orange:double orange:double green:4 red:4 yellow:double pink:double "
        "green:4 red:4 blue:double blue:double yellow:ban"
    )
    game = sock(ONE_LEFT_IN_2 + "roll:2,3 split take:3", decks={2: twos, 3: "blue:ban pink:double"})
    game.play("take:2")
    assert (game.movers[-1], game.scores, game.view(None)["sock_cards"]) == (1, [0, 8, 8], [0, 2, 2])
    assert (game.to_move, game.view(None)["basket_holder"]) == (0, 0)
    assert game.legal_moves == ["winner:1", "winner:2"]


@pytest.mark.clause("S8.2")
def test_two_players_and_a_full_tie() -> None:
    """With 2 players too the holder names, and nothing of the round is left."""
    decks = {
        2: "red:2 blue:2 red:2 blue:2 pink:2 green:2 pink:2 green:2 red:double orange:ban blue:double yellow:ban",
        3: "pink:double pink:ban green:double green:ban "
        + "red:conversion " * 2
        + "blue:conversion " * 2
        + "yellow:double " * 2
        + "orange:double " * 2,
    }
    game = sock("roll:2,2 single " * 6 + "roll:2,2,2 single " * 6, seats=2, decks=decks)
    # seat 0: red 2 × 2, blue 2, green 2, pink banned; seat 1: red 2, blue 2 × 2, pink 2, green banned
    assert (game.scores, game.view(None)["sock_cards"]) == ([8, 8], [4, 4])
    assert (game.to_move, game.legal_moves) == (1, ["winner:0", "winner:1"])
    assert play(game, "winner:0").winners == [0]


@pytest.mark.clause("S8.2", "S6.2")
def test_the_final_view_and_record() -> None:
    """Winner, scores and ending stand in both, and nobody is to move."""
    game = finished(*LEVEL, THIRD, last="winner:1")
    view, record = game.view(0), game.record()
    assert (view["over"], view["to_move"], view["winners"], view["scores"]) == (True, None, [1], [8, 8, 8])
    assert (record["winners"], record["scores"], len(record["moves"])) == ([1], [8, 8, 8], 13)
    assert "the game is over" in refused(game, "winner:0")
