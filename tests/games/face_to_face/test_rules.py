"""The Game: Face to Face, clause by clause (text/rules.en.md in its folder)."""

import pytest

import tavolino
from tavolino import BadRecord, Game
from tests.games.tables import duel, moves_of, play, refused

CARDS = list(range(2, 60))
# Both play 26 turns of two cards from sorted decks: 52 laid each, 54 to 59 in hand, nothing to draw, seat 0 to move.
LONG = " ".join(f"u{card} u{card + 1} end " * 2 for card in range(2, 54, 2))
# Seat 0 has left itself little room (up 57, down 3), seat 1's piles show 3 and 60; seat 0 is to move.
TIGHT = "u57 d3 end u2 u3 end"


def tight(hand: str, script: str = TIGHT, theirs: str = "2 3") -> Game:
    """Let seat 0 begin a turn in tight places with a hand of six cards."""
    return duel(script, decks=(f"57 3 {hand}", theirs))


def quietly(game: Game, turns: int) -> Game:
    """Play turns that lay the two lowest cards on the mover's ascending pile."""
    for _ in range(turns):
        for _ in range(2):
            game.play(min((word for word in game.legal_moves if word[0] == "u"), key=lambda word: int(word[1:])))
        if game.view(None)["turn"]["cards"]:  # an empty hand has ended the turn by itself
            game.play("end")
    return game


@pytest.mark.clause("F1.1")
def test_each_player_has_the_cards_2_to_59_and_two_piles() -> None:
    """The dealt decks hold each number once, and the piles show 1 and 60."""
    game = tavolino.new("face-to-face", seed=3)
    assert [sorted(deck) for deck in game.record()["deal"]["decks"]] == [CARDS, CARDS]
    assert game.view(None)["piles"] == [{"up": 1, "down": 60}, {"up": 1, "down": 60}]


@pytest.mark.clause("F1.1")
@pytest.mark.parametrize("deck", [CARDS[:-1], [2, *CARDS[:-1]], [60, *CARDS[1:]], ["2", *CARDS[1:]]])
def test_no_other_deck_is_a_deal(deck: list[object]) -> None:
    """A card short, twice there, out of range or a text makes a bad record."""
    record = duel().record()
    record["deal"]["decks"][1] = deck
    with pytest.raises(BadRecord, match=r"decks\[1\].*F1\.1"):
        tavolino.replay(record)


@pytest.mark.clause("F1.1")
@pytest.mark.parametrize("players", [1, 3])
def test_exactly_two_players(players: int) -> None:
    """No other number of players is dealt."""
    with pytest.raises(ValueError, match="for 2 players"):
        tavolino.new("face-to-face", players=players)


@pytest.mark.clause("F1.2")
def test_the_first_six_cards_are_the_hand() -> None:
    """Each hand is the first six of the own deck, in either seat."""
    game = duel(decks=("59 2 30 31 7 8", "10 20 30 40 50 9"))
    assert game.view(0)["hand"] == [2, 7, 8, 30, 31, 59]
    assert game.view(1)["hand"] == [9, 10, 20, 30, 40, 50]
    assert (game.view(None)["hand_sizes"], game.view(None)["draw_piles"]) == ([6, 6], [52, 52])


@pytest.mark.clause("F1.2")
def test_each_shuffles_alone() -> None:
    """The two decks of a game differ, and other seeds deal others."""
    decks = [deck for seed in range(5) for deck in tavolino.new("face-to-face", seed=seed).record()["deal"]["decks"]]
    assert len({tuple(deck) for deck in decks}) == 10
    assert CARDS not in decks


@pytest.mark.clause("F1.2")
def test_hands_and_draw_piles_are_hidden() -> None:
    """Deals that differ only in what a seat cannot see look the same to it."""
    script = "u10 u20 end"
    one = duel(script, decks=("10 20 30 40 50 9 2 3", "4 5 6 7 8 9 10"))
    two = duel(script, decks=("10 20 30 40 50 9 2 3 59 58", "59 58 57 56 55 54 53"))
    three = duel(script, decks=("20 10 31 41 51 8 3 2", "4 5 6 7 8 9 59"))
    assert one.view(0) == two.view(0)
    assert one.view(1) == three.view(1)
    assert one.view(None) == two.view(None) == three.view(None)
    assert one.view(1) != two.view(1)


@pytest.mark.clause("F1.2", "F3.2", "F4.2")
def test_views_in_the_middle_of_a_turn() -> None:
    """Tops, sizes, what was laid and the turn are open to all; a hand only to its owner."""
    game = duel("u29 d40 end u20 U12", decks=("29 40 2 3 4 5 6 7", "20 12 30 31 32 33 34"))
    public = {
        "game": "face-to-face",
        "seats": 2,
        "options": {},
        "first": 0,
        "to_move": 1,
        "chance_due": False,
        "over": False,
        "scores": [2, 2],
        "winners": None,
        "ending": None,
        "moves": ["u29", "d40", "end", "u20", "U12"],
        "piles": [{"up": 12, "down": 40}, {"up": 20, "down": 60}],
        "left": [{"up": 47, "down": 38}, {"up": 39, "down": 58}],
        "hand_sizes": [6, 4],
        "draw_piles": [50, 52],
        "laid": [[29, 40], [12, 20]],
        "turn": {"cards": 2, "helped": True, "still_to_lay": 0, "may_end": True, "will_draw": 2},
    }
    assert game.view(0) == public | {"seat": 0, "hand": [2, 3, 4, 5, 6, 7]}
    assert game.view(1) == public | {"seat": 1, "hand": [30, 31, 32, 33]}
    assert game.view(None) == public | {"seat": None, "hand": None}


@pytest.mark.clause("F1.2", "F4.1")
def test_view_of_a_turn_not_begun() -> None:
    """Two cards are still to lay, and the end of the turn is not offered."""
    turn = {"cards": 0, "helped": False, "still_to_lay": 2, "may_end": False, "will_draw": 2}
    assert duel().view(0)["turn"] == turn
    assert duel("u2").view(1)["turn"] == turn | {"cards": 1, "still_to_lay": 1}


@pytest.mark.clause("F1.3")
def test_the_starter_is_drawn_at_random() -> None:
    """Over 200 seeds either seat starts about as often."""
    starts = [tavolino.new("face-to-face", seed=seed).to_move for seed in range(200)]
    assert 70 < starts.count(0) < 130
    assert starts.count(0) + starts.count(1) == 200


@pytest.mark.clause("F1.3")
@pytest.mark.parametrize("seat", [0, 1])
def test_option_first_names_the_starter(seat: int) -> None:
    """The named seat starts, and the record says so."""
    for seed in range(5):
        game = tavolino.new("face-to-face", seed=seed, first=seat)
        assert (game.to_move, game.first, game.record()["first"]) == (seat, seat, seat)
    with pytest.raises(ValueError, match="first must be a seat from 0 to 1"):
        tavolino.new("face-to-face", first=2)


@pytest.mark.clause("F2.1")
@pytest.mark.parametrize(
    "cards",
    ["u3 u11 u12 u18 u20 u34", "d54 d50 d48 d41 d40 d37", "u4 u8 u13", "u2 u59", "d59 d2"],
)
def test_any_gap_up_and_down(cards: str) -> None:
    """The printed sequences can be laid as they stand, and so can the widest gaps."""
    game = play(duel(decks=(cards.replace("u", "").replace("d", ""), "")), cards)
    assert game.scores == [len(cards.split()), 0]
    pile = "up" if cards[0] == "u" else "down"
    assert game.view(None)["piles"][0][pile] == int(cards.split()[-1][1:])


@pytest.mark.clause("F2.1", "F2.2")
@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("17 45 26 28", "u17 u28 u45 d17 d26 d28 d45"),  # printed: 17 on 27, 45 on 35
        ("25 34 36 37", "u34 u36 u37 d25 d34"),  # 10 in the pile's own direction is nothing special
        ("16 18 44 46", "u44 u46 d16 d18"),  # 9 and 11 are not 10
        ("2 7 57 59", "u57 u59 d2 d7"),  # nor is 20 or 50
    ],
)
def test_what_my_piles_take(hand: str, legal: str) -> None:
    """On 27 and 35: higher or lower by any gap, backwards by exactly 10."""
    game = duel("u27 d35", decks=(f"27 35 {hand}", ""))
    assert moves_of(game) == {*legal.split(), "end"}
    for card in hand.split():
        for pile in "ud":
            if f"{pile}{card}" not in legal:
                refused(game, f"{pile}{card}", "F2.1", "F2.2")


@pytest.mark.clause("F2.2")
@pytest.mark.parametrize("turn", ["u25 u15 u18 u33 u23 u24", "d30 d40 d38 d12 d22 d21"])
def test_backwards_several_times_in_a_turn(turn: str) -> None:
    """The printed note: a card, back, two cards, back again, a card."""
    cards = turn.replace("u", "").replace("d", "")
    assert duel(turn, decks=(cards, "")).scores == [6, 0]


@pytest.mark.clause("F2.2", "F3.2")
@pytest.mark.parametrize(
    ("mine", "gift", "hand", "legal"),
    [
        ("29 50", "u40 U12 end", "2 3 11 12 13 22", "u2 u13 u22 d2 d3 d11 d12 d13 d22"),  # printed: 12 on 29
        ("10 30", "u40 D45 end", "55 54 46 45 44 35", "u35 u44 u45 u46 u54 u55 d35 d44 d55"),
    ],
)
def test_backwards_from_a_card_the_opponent_laid(mine: str, gift: str, hand: str, legal: str) -> None:
    """The gift is the new top: back 10 counts from it, and an equal card does not fit."""
    up, down = mine.split()
    game = duel(f"u{up} d{down} end {gift}", decks=(f"{mine} {hand}", "40 12 45"))
    theirs = {word for word in game.legal_moves if word[0] in "UD"}
    assert theirs == {f"U{card}" for card in hand.split() if int(card) < 40}
    assert moves_of(game) - theirs == set(legal.split())


@pytest.mark.clause("F2.2", "F3.2")
@pytest.mark.parametrize(
    ("script", "word", "clauses"),
    [
        ("u29 d50 end u40 U12 end", "u12", ("F2.1", "F2.2")),
        ("u29 d30 end u12 D40 end", "d40", ("F2.1", "F2.2")),
        ("u29 d50 end u12 d40 end", "U12", ("F3.2",)),
        ("u29 d50 end u12 d40 end", "D40", ("F3.2",)),
    ],
)
def test_an_equal_card_never_fits(script: str, word: str, clauses: tuple[str, ...]) -> None:
    """Both decks hold every number, so an equal card can come from the other deck; it fits on no pile."""
    refused(duel(script, decks=("29 50 30 12 40", "12 40")), word, *clauses)


@pytest.mark.clause("F3.1")
@pytest.mark.parametrize("second", ["U10", "D56"])
def test_only_one_card_a_turn_for_the_opponent(second: str) -> None:
    """After a gift neither of their piles takes another one, also not after a card of my own."""
    game = duel("u20 d40 end U11", decks=("20 40", "11 10 56 12 13 14"))
    refused(game, second, "F3.1")
    game.play("u12")
    refused(game, second, "F3.1")
    assert not [word for word in game.legal_moves if word[0] in "UD"]


@pytest.mark.clause("F3.2")
def test_a_gift_must_improve_their_pile() -> None:
    """The printed example: below 18 on the ascending pile, above 40 on the descending one, and no back 10."""
    game = duel("u18 d40 end", decks=("18 40", "17 19 28 30 39 41"))
    assert {word for word in game.legal_moves if word[0] in "UD"} == {"U17", "D41"}
    for word in ("U19", "U28", "D39", "D30"):
        refused(game, word, "F3.2")
    assert play(game, "D41").view(None)["piles"][0] == {"up": 18, "down": 41}


@pytest.mark.clause("F3.2")
@pytest.mark.parametrize(("opening", "still"), [("u2 u3", "D"), ("d59 d58", "U"), ("", "UD")])
def test_a_pile_at_its_start_cannot_be_improved(opening: str, still: str) -> None:
    """Nothing is below 1 or above 60, so such a pile takes no gift."""
    game = duel(f"{opening} {'end' if opening else ''}", decks=("2 3 59 58", "2 59 30 31 32 33"))
    assert not [word for word in game.legal_moves if word[0] in still]
    for pile in still:
        refused(game, f"{pile}2", "F3.2")
        refused(game, f"{pile}59", "F3.2")


@pytest.mark.clause("F4.1", "F4.4")
def test_a_turn_takes_at_least_two_cards() -> None:
    """The end is refused after no card and after one, and legal from the second card on."""
    game = duel()
    assert "0 laid so far" in refused(game, "end", "F4.1")
    assert "1 laid so far" in refused(play(game, "u2"), "end", "F4.1")
    assert "end" in play(game, "u3").legal_moves
    assert "end" in play(game, "u4").legal_moves
    assert play(game, "end").to_move == 1


@pytest.mark.clause("F4.1")
@pytest.mark.parametrize("turn", ["u10 d50 d45 U12", "U12 d50 u10 d45", "d50 U12", "U12 d50"])
def test_any_order_on_any_piles(turn: str) -> None:
    """The printed turn (one up, two down, one for the other) can be laid in any order."""
    game = duel(f"u13 u14 end {turn} end", decks=("13 14", "10 50 45 12 30 31"))
    assert game.view(None)["piles"][0]["up"] == 12
    assert (game.to_move, game.scores[1]) == (0, len(turn.split()))


@pytest.mark.clause("F4.1")
def test_a_card_not_in_hand_cannot_be_laid() -> None:
    """Neither an undealt card nor one laid before is there to lay."""
    game = duel("u2", decks=("2 3 4 5 6 7 8", ""))
    assert "not in your hand" in refused(game, "u8", "F1.2")
    assert "not in your hand" in refused(game, "d2", "F1.2")
    refused(game, "u60", "F1.1")
    refused(game, "u1", "F1.1")


@pytest.mark.clause("F4.2", "F4.4")
@pytest.mark.parametrize(
    ("turn", "drawn", "held"),
    [
        ("u2 u3 end", 2, 6),
        ("u2 u3 u4 end", 2, 5),  # printed: 3 cards on the own piles, 2 drawn
        ("u2 u3 u4 u5 u6 end", 2, 3),
        ("u2 u3 u4 u5 u6 u7", 2, 2),  # an empty hand ends the turn by itself
        ("u2 U3 end", 2, 6),
        ("u2 U3 u4 end", 3, 6),
        ("u2 U3 u4 u5 u6 end", 5, 6),  # printed: 5 cards, one of them for the other, back to 6
        ("u2 U3 u4 u5 u6 u7", 6, 6),
    ],
)
def test_how_many_cards_are_drawn(turn: str, drawn: int, held: int) -> None:
    """Own piles only: 2 cards; with a gift: up to 6; always the next ones of the own deck."""
    game = duel("u50 u51 end", decks=("50 51", "2 3 4 5 6 7 8 9 10 11 12 13"))
    *cards, last = turn.split()
    play(game, " ".join(cards))
    if last == "end":
        assert game.view(None)["turn"]["will_draw"] == drawn
    game.play(last)
    view = game.view(1)
    assert (game.to_move, view["hand_sizes"], view["draw_piles"]) == (0, [6, held], [50, 52 - drawn])
    assert view["hand"][-drawn:] == list(range(8, 8 + drawn))


@pytest.mark.clause("F4.2")
def test_the_draw_pile_runs_out_while_drawing_two() -> None:
    """With one card left to draw, a turn on the own piles brings that one."""
    game = duel("u2 d7 end u2 u3 D59 end", decks=("2 3 4 5 6 59", ""), first=1)  # seat 0 has drawn 3, 49 are left
    quietly(game, 49)  # seat 1 first and last: 24 turns of seat 0, up to 51
    play(game, "u52 u53")
    assert (game.view(0)["draw_piles"][0], game.view(0)["turn"]["will_draw"]) == (1, 1)
    game.play("end")
    assert (game.view(0)["draw_piles"][0], game.view(0)["hand"]) == (0, [54, 55, 56, 57, 58])


@pytest.mark.clause("F4.2")
def test_the_draw_pile_runs_out_while_drawing_up_to_six() -> None:
    """After a gift with one card in hand 5 are wanted; the last 4 are drawn."""
    game = quietly(duel("u2 d7 end", first=1), 48)
    play(game, "u50 u51 u52 D55 u53")
    assert (game.view(0)["draw_piles"][0], game.view(0)["turn"]["will_draw"]) == (4, 4)
    game.play("end")
    assert (game.view(0)["draw_piles"][0], game.view(0)["hand"]) == (0, [54, 56, 57, 58, 59])


@pytest.mark.clause("F4.3")
def test_playing_on_without_a_draw_pile() -> None:
    """Nothing is drawn any more, a gift brings nothing either, and two cards remain the minimum."""
    game = duel(LONG)
    assert game.view(0)["draw_piles"] == [0, 0]
    play(game, "u54")
    refused(game, "end", "F4.1")
    play(game, "u55")
    assert game.view(0)["turn"]["will_draw"] == 0
    play(game, "end")
    assert game.view(0)["hand"] == [56, 57, 58, 59]
    assert (game.over, game.to_move) == (False, 1)


@pytest.mark.clause("F4.4")
@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("58 59 20 30 40 50", "u58"),  # 59 fits, but 58 would not fit after it
        ("59 49 20 30 40 50", "u59"),  # 49 comes back from 59
        ("47 50 20 30 40 21", "u47"),
        ("13 23 30 31 32 33", "d13"),
        ("2 13 30 31 32 33", "d13 U2"),  # 2 on my own pile would leave no place for 13
        ("2 58 30 31 32 33", "u58 d2 U2"),
        ("2 12 30 31 32 33", "d2"),  # 12 comes back from 2; with 2 given away it has no place
    ],
)
def test_a_first_card_must_leave_a_second(hand: str, legal: str) -> None:
    """Only those first cards are legal after which a second one has a place."""
    assert moves_of(tight(hand)) == set(legal.split())


@pytest.mark.clause("F4.4")
@pytest.mark.parametrize(
    ("hand", "word"), [("58 59 20 30 40 50", "u59"), ("2 13 30 31 32 33", "d2"), ("2 12 30 31 32 33", "U2")]
)
def test_refusing_a_first_card_that_leaves_no_second(hand: str, word: str) -> None:
    """The card fits on the pile, and the message says what is wrong all the same."""
    refused(tight(hand), word, "F4.4")


@pytest.mark.clause("F4.4")
def test_after_the_second_card_the_turn_goes_on_until_end() -> None:
    """A player with no card that fits is still asked for `end`."""
    game = tight("58 59 20 30 40 50", f"{TIGHT} u58 u59")
    assert (game.to_move, game.legal_moves) == (0, ["end"])


@pytest.mark.clause("F4.4", "F5.3", "F3.1")
@pytest.mark.parametrize(
    ("hand", "theirs"),
    [
        ("20 30 40 50 21 31", "u2 u3"),  # nothing fits anywhere
        ("58 30 31 32 33 34", "u2 u3"),  # one card fits and leaves no second
        ("2 30 31 32 33 34", "u2 u3"),  # one card fits on two piles
        ("10 11 50 51 30 31", "u20 d40"),  # four fit, all of them as gifts, and only one gift is allowed
    ],
)
def test_who_cannot_lay_two_cards_loses_at_once(hand: str, theirs: str) -> None:
    """The loss comes at the start of the turn, without a move of the loser."""
    game = tight(hand, f"u57 d3 end {theirs}", "2 3 20 40")
    assert not game.over
    game.play("end")
    assert (game.over, game.winners, game.ending, game.to_move) == (True, [1], "cannot lay two", None)
    assert (game.scores, game.legal_moves, game.view(0)["turn"]) == ([2, 2], [], None)
    assert "the game is over" in refused(game, "u58")


@pytest.mark.clause("F4.4", "F5.2", "F5.3")
def test_a_hand_of_one_card_loses_even_with_57_laid() -> None:
    """The last card would fit, but a turn takes two; more cards laid do not win."""
    game = duel(f"{LONG} u54 u55 u56 end u54 u55 end u57 u58 end u56 u57")
    assert game.view(0)["hand"] == [59]
    assert (game.over, game.scores) == (False, [57, 56])
    game.play("end")
    assert (game.winners, game.scores, game.ending) == ([1], [57, 56], "cannot lay two")


@pytest.mark.clause("F5.1")
def test_the_58th_card_wins_at_once() -> None:
    """The game ends in the middle of the turn, without `end`."""
    game = duel(f"{LONG} u54 u55 u56 u57 u58")
    assert (game.over, game.scores) == (False, [57, 52])
    game.play("u59")
    assert (game.over, game.winners, game.ending, game.scores) == (True, [0], "all 58 laid", [58, 52])
    assert game.record()["moves"][-1] == "u59"


@pytest.mark.clause("F5.1", "F5.2")
@pytest.mark.parametrize("last", ["d54", "U54", "D54"])
def test_a_gift_counts_as_a_card_laid(last: str) -> None:
    """The 58th card may lie on the opponent's pile, and gifts count for the one who laid them."""
    game = quietly(duel("u2 d7 end", first=1), 52)
    assert (game.to_move, game.scores) == (0, [52, 54])
    play(game, "u55 u56 u57 u58 u59")
    assert (game.over, moves_of(game)) == (False, {"d54", "U54", "D54", "end"})
    game.play(last)
    assert (game.winners, game.scores) == ([0], [58, 54])


@pytest.mark.clause("F5.2")
def test_scores_are_the_cards_laid_so_far() -> None:
    """Gifts included, seat by seat, also in the record of a game that is not over."""
    game = duel("u29 d50 end u40 U12 u41 end", decks=("29 50", "40 12 41"))
    assert (game.scores, game.record()["scores"], game.record()["winners"]) == ([2, 3], [2, 3], None)
