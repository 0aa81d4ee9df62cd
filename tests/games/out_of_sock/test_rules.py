"""Out of Sock up to the end of a round, clause by clause (text/rules.en.md in its folder).

Points and the end of the game are in test_end.py.
"""

from collections import Counter
from typing import Any

import pytest

import tavolino
from tavolino import BadRecord
from tests.games.tables import PLACES, SPECIALS, SUITS, everything, moves_of, play, refused, sock, sock_deal

EMPTY_2 = "roll:2,2 single " * 6  # deck 2 is empty; with 2 players the basket is back at the first seat
ONE_LEFT_IN_2 = "roll:2,3 split take:2 take:3 " + "roll:2,2 single " * 5  # the same, with one card left in deck 2


def lying(game: tavolino.Game) -> dict[int, int]:
    """Return the places where dice lie, with their number."""
    decks = game.view(None)["decks"]
    return {place: decks[str(place)]["dice"] for place in PLACES if decks[str(place)]["dice"]}


def left(game: tavolino.Game, place: int) -> int:
    """Return the number of cards in a deck."""
    return int(game.view(None)["decks"][str(place)]["left"])


def cards_of(game: tavolino.Game, seat: int) -> list[str]:
    """Return the cards a seat has taken, sorted."""
    return sorted(card for column in game.view(None)["columns"][seat].values() for card in column)


@pytest.mark.clause("S1.1", "S1.2", "S2.1")
def test_the_72_cards_in_six_decks_of_twelve() -> None:
    """Each suit has 3 Conversions, 2 Doubles, 1 Ban and the socks 2, 2, 4, 4, 6, 8."""
    decks = tavolino.new("out-of-sock", seed=5).record()["deal"]["decks"]
    assert list(decks) == ["2", "3", "4", "5", "6", "7"]
    assert [len(deck) for deck in decks.values()] == [12] * 6
    suit = {"conversion": 3, "double": 2, "ban": 1, "2": 2, "4": 2, "6": 1, "8": 1}
    box = Counter(card for deck in decks.values() for card in deck)
    assert box == {f"{name}:{face}": n for name in SUITS for face, n in suit.items()}


@pytest.mark.clause("S1.1")
@pytest.mark.parametrize("card", ["yellow:ban", "blue:8", "pink:10", "violet:2", "red:Double", 7])
def test_no_other_cards_make_a_deal(card: Any) -> None:
    """A card too many of a kind, or one that does not exist, makes a bad record."""
    deal = sock_deal({2: "green:2", 3: "yellow:ban blue:8"})
    deal["decks"]["2"][0] = card
    with pytest.raises(BadRecord, match=r"too many of|no such card"):
        tavolino.replay(sock().record() | {"deal": deal})


@pytest.mark.clause("S1.2")
@pytest.mark.parametrize("values", [[2, 4, 4, 6, 6, 8], [8] * 6, (2, 2, 2, 2, 2, 2)])
def test_option_sock_values(values: Any) -> None:
    """The socks of every suit are those of the box, in the deal and in the points."""
    game = tavolino.new("out-of-sock", seed=1, sock_values=values)
    record = game.record()
    assert record["options"] == {"sock_values": list(values)}
    box = Counter(card for deck in record["deal"]["decks"].values() for card in deck)
    assert box == Counter(f"{suit}:{face}" for suit in SUITS for face in (*SPECIALS, *values))
    pair = f"red:{values[-1]} green:{values[-2]}"
    assert sock("roll:2,2 single", decks={2: pair}, sock_values=list(values)).scores == [values[-1] + values[-2], 0, 0]
    assert tavolino.replay(record).view(0) == game.view(0)


@pytest.mark.clause("S1.2")
@pytest.mark.parametrize(
    "values", [[2, 2, 4, 4, 6], [2] * 7, [0, 2, 4, 4, 6, 8], [2, 2, 4, 4, 6, 10], [3] * 6, "224468"]
)
def test_sock_values_are_six_even_numbers_up_to_8(values: Any) -> None:
    """Anything else is refused with what is allowed."""
    with pytest.raises(ValueError, match="sock_values must be six numbers, each 2, 4, 6 or 8"):
        tavolino.new("out-of-sock", sock_values=values)


@pytest.mark.clause("S1.2")
def test_the_deal_must_fit_the_sock_values() -> None:
    """A deal with the usual socks is no deal of another box."""
    with pytest.raises(BadRecord, match=r"too many of yellow:4 .*S1\.2"):
        tavolino.replay(sock().record() | {"options": {"sock_values": [2, 2, 2, 4, 6, 8]}})


@pytest.mark.clause("S1.3", "S3.3")
def test_eight_dice_with_the_faces_2_to_7() -> None:
    """Every handful of 0 to 8 such dice can be typed once, ascending, and nothing else."""
    game = sock()
    assert len(moves_of(game)) == 3003  # 0 to 8 dice of 6 faces: 14 over 6
    assert {"roll:", "roll:2", "roll:7,7,7,7,7,7,7,7", "roll:2,3,4,5,6,7"} <= moves_of(game)
    for word in ("roll:1,2", "roll:7,8", "roll:2,2,2,2,2,2,2,2,2", "roll:3,2"):
        refused(game, word, "S1.3")
    for word in ("roll", "roll:2,,3"):
        assert "not a move" in refused(game, word)


@pytest.mark.clause("S1.1")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_players(players: int) -> None:
    """No other number of players is dealt."""
    with pytest.raises(ValueError, match="2 to 4 players"):
        tavolino.new("out-of-sock", players=players)


@pytest.mark.clause("S2.1")
def test_all_72_cards_are_shuffled_together() -> None:
    """Every suit gets into every deck, and seeds deal differently."""
    deals = [tavolino.new("out-of-sock", seed=seed).record()["deal"]["decks"] for seed in range(40)]
    suits = {(place, card.partition(":")[0]) for deal in deals for place, deck in deal.items() for card in deck}
    assert len(suits) == 36
    assert len({tuple(deal["2"]) for deal in deals}) == 40


@pytest.mark.clause("S2.1")
def test_only_the_top_of_a_deck_is_visible() -> None:
    """Decks that differ under their tops look the same to everyone, until the cards come up."""
    deal = sock_deal({2: "red:2 red:4", 3: "blue:2 blue:4"})
    other = {"decks": {place: [deck[0], *reversed(deck[1:])] for place, deck in deal["decks"].items()}}
    record = sock().record()
    one, two = (tavolino.replay(record | {"deal": some}) for some in (deal, other))
    assert everything(one)[1] == everything(two)[1]
    assert one.view(1)["decks"]["2"] == {"top": "red:2", "left": 12, "dice": 0}
    script = "roll:2,3 split take:2"
    assert play(one, script).view(None)["decks"]["2"]["top"] == "red:4"
    assert play(two, script).view(None)["decks"]["2"]["top"] != "red:4"


@pytest.mark.clause("S2.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_player_is_drawn_at_random(players: int) -> None:
    """Over 300 seeds every seat starts about as often."""
    starts = Counter(tavolino.new("out-of-sock", players=players, seed=seed).to_move for seed in range(300))
    assert set(starts) == set(range(players))
    assert min(starts.values()) > 0.7 * 300 / players


@pytest.mark.clause("S2.2")
def test_option_first_names_the_first_player() -> None:
    """The seat named has the basket first."""
    for seat in range(4):
        game = tavolino.new("out-of-sock", players=4, seed=1, first=seat)
        assert (game.to_move, game.first, game.view(None)["basket_holder"]) == (seat, seat, seat)
    with pytest.raises(ValueError, match="first must be a seat from 0 to 3"):
        tavolino.new("out-of-sock", players=4, first=4)


@pytest.mark.clause("S3.1", "S6.2")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("roll", ["roll:", "roll:5", "roll:2,2,3,4,5,6,7,7"])
def test_0_1_or_8_dice_skip_the_turn(roll: str, seats: int) -> None:
    """The basket passes left, nothing else happens, and the skip is no move."""
    game = sock(roll, seats=seats)
    assert (game.to_move, game.moves, game.movers) == (1, [roll], [0])
    view = game.view(None)
    assert (view["phase"], view["basket_holder"], view["dice_fallen"], lying(game)) == ("roll", 1, 0, {})
    assert [left(game, place) for place in PLACES] == [12] * 6
    assert play(game, f"{roll} " * (seats - 1)).to_move == 0


@pytest.mark.clause("S3.1")
@pytest.mark.parametrize("dice", [0, 1, 8])
def test_a_skipped_shake_lets_the_next_player_aim(dice: int) -> None:
    """With the aimed basket too, the next player shakes."""
    game = sock(f"shake:4 roll:{','.join('3' * dice)}", basket="aimed", first=2)
    assert (game.to_move, game.view(None)["phase"], game.view(None)["aim"]) == (0, "shake", None)


@pytest.mark.clause("S3.2")
@pytest.mark.parametrize("dice", range(2, 8))
def test_2_to_7_dice_leave_the_choice(dice: int) -> None:
    """The holder, and nobody else, chooses between split and single."""
    game = sock(f"roll: roll:{','.join('6' * dice)}")
    assert (game.to_move, game.legal_moves, game.view(None)["phase"]) == (1, ["split", "single"], "choose")
    assert game.view(None)["dice_fallen"] == dice


@pytest.mark.clause("S3.3", "S1.3")
@pytest.mark.parametrize(("script", "chance"), [*((f"shake:{n}", n / 8) for n in range(2, 8)), ("", 0.5)])
def test_how_the_basket_rolls(script: str, chance: float) -> None:
    """Each die falls with the chance aimed for, or 1/2 with the plain basket, on its own; faces are even."""
    rolls = []
    for seed in range(500):
        game = play(tavolino.new("out-of-sock", seed=seed, basket="aimed" if script else "plain"), script)
        word = game.moves[1 if script else 0]
        assert (word[:5], game.movers[: len(script.split()) + 1][-1]) == ("roll:", None)
        rolls.append([int(die) for die in word[5:].split(",") if die])
        assert rolls[-1] == sorted(rolls[-1])
    sizes = [len(roll) for roll in rolls]
    mean = sum(sizes) / 500
    assert mean == pytest.approx(8 * chance, abs=0.3)
    spread = sum((size - mean) ** 2 for size in sizes) / 500
    assert spread == pytest.approx(8 * chance * (1 - chance), rel=0.25)  # dice that fell together would spread wider
    faces = Counter(die for roll in rolls for die in roll)
    assert set(faces) == set(range(2, 8))
    assert all(n == pytest.approx(sum(sizes) / 6, rel=0.2) for n in faces.values())


@pytest.mark.clause("S3.3")
def test_the_aimed_basket_is_the_default() -> None:
    """The player aims for 2 to 7 dice, then the dice fall of themselves."""
    game = tavolino.new("out-of-sock", players=3, seed=2, first=1)
    assert (game.options["basket"], game.to_move) == ("aimed", 1)
    assert game.legal_moves == [f"shake:{n}" for n in range(2, 8)]
    refused(game, "shake:1", "S3.3")
    refused(game, "shake:8", "S3.3")
    refused(game, "roll:2,3", "S3.1")
    game.play("shake:4")
    assert (len(game.moves), game.movers, game.chance_due) == (2, [1, None], False)


@pytest.mark.clause("S3.3")
def test_a_replayed_shake_waits_for_its_dice() -> None:
    """The roll is a chance event: no seat is to move, and it can be given as a word."""
    game = sock("shake:6", basket="aimed")
    assert (game.chance_due, game.to_move, game.legal_moves, game.view(None)["aim"]) == (True, None, [], 6)
    refused(game, "shake:6", "S3.1")
    game.play("roll:2,3")
    assert (game.movers, game.to_move, game.view(None)["aim"]) == ([0, None], 0, 6)


@pytest.mark.clause("S3.3")
def test_the_plain_basket_has_no_aim() -> None:
    """The roll follows at once, without a shake."""
    game = tavolino.new("out-of-sock", players=3, seed=2, basket="plain")
    assert (game.moves[0][:5], game.movers[0], game.legal_moves) == ("roll:", None, ["split", "single"])
    waiting = sock(basket="plain")
    assert (waiting.chance_due, waiting.to_move, waiting.view(None)["aim"]) == (True, None, None)
    refused(waiting, "shake:4", "S3.1")


@pytest.mark.clause("S3.3")
def test_the_table_basket_waits_for_typed_dice() -> None:
    """The roll is a move of the basket holder, also in a new game, and each roll after it."""
    game = tavolino.new("out-of-sock", players=3, seed=2, first=2, basket="table")
    assert (game.to_move, game.chance_due, game.moves) == (2, False, [])
    refused(game, "shake:4", "S3.1")
    play(game, "roll:2,2 single roll: roll:5")
    assert (game.movers, game.to_move) == ([2, 2, 0, 1], 2)


@pytest.mark.clause("S3.3")
def test_no_other_basket() -> None:
    """An unknown basket or option is refused with what there is."""
    with pytest.raises(ValueError, match="basket must be 'aimed' or 'plain' or 'table', not 'deep'"):
        tavolino.new("out-of-sock", basket="deep")
    with pytest.raises(ValueError, match="no option 'dice'"):
        tavolino.new("out-of-sock", dice=9)


@pytest.mark.clause("S4.1")
def test_every_die_goes_to_its_place() -> None:
    """Several may lie at one place."""
    game = sock("roll:2,2,2,5,7 split")
    assert lying(game) == {2: 3, 5: 1, 7: 1}
    assert (game.legal_moves, game.to_move) == (["take:2", "take:5", "take:7"], 0)


@pytest.mark.clause("S4.2", "S6.1")
def test_the_printed_split_of_five_dice_among_three() -> None:
    """Player 1 takes at 2, players 2 and 3 choose, player 1 chooses again, player 2 must take the last."""
    game = sock("roll:2,3,3,5,6 split", decks={2: "red:2", 3: "red:4 red:6", 5: "blue:2", 6: "blue:4"})
    offered = []
    for word in ("take:2", "take:3", "take:6", "take:5", "take:3"):
        offered.append(" ".join(game.legal_moves))
        game.play(word)
    assert offered == [
        "take:2 take:3 take:5 take:6",
        "take:3 take:5 take:6",
        "take:3 take:5 take:6",
        "take:3 take:5",
        "take:3",
    ]
    assert game.movers == [0, 0, 0, 1, 2, 0, 1]
    assert [cards_of(game, seat) for seat in range(3)] == [["blue:2", "red:2"], ["red:4", "red:6"], ["blue:4"]]
    assert (game.to_move, game.view(None)["phase"], lying(game)) == (1, "roll", {})


@pytest.mark.clause("S4.2")
def test_a_die_returned_uncovers_the_next_card() -> None:
    """The taker gets the top card, the place loses one die, and the next card lies open."""
    game = sock("roll:4,4,4 split take:4", decks={4: "red:2 blue:ban"})
    assert (cards_of(game, 0), lying(game)) == (["red:2"], {4: 2})
    assert game.view(None)["decks"]["4"] == {"top": "blue:ban", "left": 11, "dice": 2}
    refused(game, "take:5", "S4.2")


@pytest.mark.clause("S4.2")
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_split_starts_with_the_first_player_and_goes_left(first: int) -> None:
    """Seven dice among four: three players come round twice."""
    game = sock("roll:2,3,4,5,6,7,7 split take:2 take:3 take:4 take:5 take:6 take:7 take:7", seats=4, first=first)
    assert game.movers[2:] == [(first + step) % 4 for step in range(7)]


@pytest.mark.clause("S4.3", "S3.1", "S5.1")
@pytest.mark.parametrize(
    ("roll", "legal"),
    [
        ("roll:2,2,3", "split single"),  # three dice fell: single is at deck 3
        ("roll:2,2,2", "single"),  # no die can lie
        ("roll:2,3", "split"),  # two dice fell, and deck 2 is empty
        ("roll:2,2,2,2,2,2,2", "single"),
        ("roll:3,3", "split"),
    ],
)
def test_choices_with_an_empty_deck(roll: str, legal: str) -> None:
    """Split needs a die that can lie, single a deck with a card; dice of the empty deck still count."""
    game = sock(f"{EMPTY_2} {roll}", seats=2)
    assert (game.to_move, game.legal_moves, game.view(None)["dice_fallen"]) == (0, legal.split(), roll.count(",") + 1)
    for word, clause in (("split", "S4.3"), ("single", "S5.2")):
        if word not in legal:
            refused(game, word, clause)


@pytest.mark.clause("S4.3")
def test_dice_of_an_empty_deck_go_straight_back() -> None:
    """Placed, only the others lie; the round is over when they are taken."""
    game = sock(f"{EMPTY_2} roll:2,2,3,5 split", seats=2)
    assert (lying(game), game.legal_moves) == ({3: 1, 5: 1}, ["take:3", "take:5"])
    refused(game, "take:2", "S4.2")
    play(game, "take:5 take:3")
    assert (game.to_move, game.view(None)["basket_holder"], game.view(None)["phase"]) == (1, 1, "roll")


@pytest.mark.clause("S4.3")
def test_dice_go_back_when_their_deck_is_emptied() -> None:
    """With two cards and three dice at deck 2, the third die is not played; the split goes on elsewhere."""
    game = sock("roll:2,2 single " * 5 + "roll:2,2,2,6 split take:2", seats=2)
    assert (game.to_move, lying(game)) == (0, {2: 2, 6: 1})
    game.play("take:2")
    assert (game.to_move, lying(game), game.legal_moves) == (1, {6: 1}, ["take:6"])
    game.play("take:6")
    assert (game.to_move, game.view(None)["phase"]) == (0, "roll")


@pytest.mark.clause("S4.3", "S6.1")
def test_emptying_a_deck_can_end_the_split() -> None:
    """When all lying dice go back, the round is over, whoever would have been next."""
    game = sock(ONE_LEFT_IN_2 + "roll:2,2,2 split take:2", seats=2)
    assert (left(game, 2), lying(game), game.over) == (0, {}, False)
    assert (game.to_move, game.view(None)["basket_holder"], game.view(None)["phase"]) == (1, 1, "roll")


@pytest.mark.clause("S5.1")
@pytest.mark.parametrize("dice", range(2, 8))
def test_single_takes_two_cards_from_the_deck_of_their_number(dice: int) -> None:
    """The values are ignored; all dice go back and the basket passes left."""
    game = sock(f"roll:{','.join('3' * dice)} single", decks={dice: "green:2 pink:double red:6"})
    assert cards_of(game, 0) == ["green:2", "pink:double"]
    assert [left(game, place) for place in PLACES] == [10 if place == dice else 12 for place in PLACES]
    assert (game.view(None)["decks"][str(dice)]["top"], lying(game), game.to_move) == ("red:6", {}, 1)


@pytest.mark.clause("S5.2")
def test_single_with_one_card_left_takes_that_one() -> None:
    """With 2 players the game goes on when the first deck is emptied so."""
    before = sock(ONE_LEFT_IN_2, seats=2)
    game = sock(ONE_LEFT_IN_2 + "roll:5,7 single", seats=2)
    assert (left(before, 2), left(game, 2), game.over, game.to_move) == (1, 0, False, 1)
    assert len(cards_of(game, 0)) == len(cards_of(before, 0)) + 1
    assert cards_of(game, 1) == cards_of(before, 1)


@pytest.mark.clause("S5.2", "S6.2")
def test_neither_split_nor_single_skips_the_turn() -> None:
    """Two dice that both show the empty deck 2: the basket passes left and there is no move."""
    game = sock(f"{EMPTY_2} roll:2,2", seats=2)
    assert (game.to_move, game.view(None)["phase"], lying(game)) == (1, "roll", {})
    assert game.moves[-2:] == ["single", "roll:2,2"]


@pytest.mark.clause("S6.1")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "round_", ["roll:2,3 single", "roll:2,3 split take:2 take:3", "roll:2,2,7 split take:7 take:2 take:2", "roll:4"]
)
def test_the_basket_passes_left_after_every_round(round_: str, seats: int) -> None:
    """The next holder is the one left of the last, not of the last taker."""
    game = sock(seats=seats, first=seats - 1)
    for holder in range(seats):
        play(game, round_)
        assert (game.to_move, game.view(None)["basket_holder"], game.view(None)["phase"]) == (holder, holder, "roll")


@pytest.mark.clause("S6.2")
def test_forced_choices_are_moves() -> None:
    """The only possible choice and the last die wait for a move and stand in the record."""
    game = sock(f"{EMPTY_2} roll:2,3", seats=2)
    assert game.legal_moves == ["split"]
    game.play("split")
    assert (game.legal_moves, game.to_move) == (["take:3"], 0)
    game.play("take:3")
    assert game.record()["moves"][-3:] == ["roll:2,3", "split", "take:3"]


@pytest.mark.clause("S6.3")
def test_taken_cards_lie_open_in_columns() -> None:
    """Everyone sees them by suit, and the order of taking leaves no trace in a column."""
    decks = ({2: "red:6 red:double", 3: "red:2 blue:ban"}, {2: "red:double red:6", 3: "blue:ban red:2"})
    one, two = (sock("roll:2,2 single roll: roll: roll:3,3,3 single", decks=some) for some in decks)
    empty: dict[str, list[str]] = {suit: [] for suit in SUITS}
    for seat in (None, 0, 1, 2):
        columns = one.view(seat)["columns"]
        assert columns == [empty | {"red": ["red:2", "red:6", "red:double"], "blue": ["blue:ban"]}, empty, empty]
        assert columns == two.view(seat)["columns"]
    assert one.scores == two.scores == [16, 0, 0]


@pytest.mark.clause("S2.1", "S4.2", "S6.3", "S7.3")
def test_views_in_the_middle_of_a_split() -> None:
    """All seats and the spectator see the same: decks, dice, columns and running scores."""
    tops = {
        2: "red:6 green:2",
        3: "red:double red:conversion pink:8",
        4: "blue:ban",
        5: "blue:8",
        6: "orange:4",
        7: "yellow:2",
    }
    game = sock("shake:3 roll:2,2,3 single shake:5 roll:2,2,5,7 split take:2", decks=tops, basket="aimed")
    empty: dict[str, list[str]] = {suit: [] for suit in SUITS}
    nothing = dict.fromkeys(SUITS, 0)
    public = {
        "game": "out-of-sock",
        "seats": 3,
        "options": {"basket": "aimed", "sock_values": [2, 2, 4, 4, 6, 8]},
        "first": 0,
        "to_move": 2,
        "chance_due": False,
        "over": False,
        "scores": [0, 6, 0],
        "winners": None,
        "ending": None,
        "moves": ["shake:3", "roll:2,2,3", "single", "shake:5", "roll:2,2,5,7", "split", "take:2"],
        "phase": "take",
        "basket_holder": 1,
        "aim": 5,
        "dice_fallen": 4,
        "decks": {
            "2": {"top": "green:2", "left": 11, "dice": 1},
            "3": {"top": "pink:8", "left": 10, "dice": 0},
            "4": {"top": "blue:ban", "left": 12, "dice": 0},
            "5": {"top": "blue:8", "left": 12, "dice": 1},
            "6": {"top": "orange:4", "left": 12, "dice": 0},
            "7": {"top": "yellow:2", "left": 12, "dice": 1},
        },
        "columns": [empty | {"red": ["red:conversion", "red:double"]}, empty | {"red": ["red:6"]}, empty],
        "suit_scores": [nothing, nothing | {"red": 6}, nothing],
        "sock_cards": [0, 1, 0],
        "tied": [],
    }
    for seat in (None, 0, 1, 2):
        assert game.view(seat) == public | {"seat": seat}


@pytest.mark.clause("S3.1", "S3.2", "S4.2", "S8.2")
@pytest.mark.parametrize(
    ("script", "words", "clause"),
    [
        ("", "split single take:2 winner:0 shake:4", "S3.1"),
        ("roll:2,3,3", "roll:2,3 take:2 winner:0 shake:4", "S3.2"),
        ("roll:2,3,3 split", "split single roll:2,3 winner:0", "S4.2"),
        ("roll:2,3,3 split take:3 take:2", "take:2 take:7", "S4.2"),
    ],
)
def test_moves_out_of_place(script: str, words: str, clause: str) -> None:
    """What it is not the time for is refused, with what it is the time for."""
    for word in words.split():
        refused(sock(script), word, clause)
