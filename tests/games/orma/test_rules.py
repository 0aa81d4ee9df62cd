"""Orma, clause by clause (text/rules.en.md in its folder); matches (O6) are in tests/play/test_match.py."""

from collections import Counter
from typing import Any

import pytest

import tavolino
from tavolino import BadRecord, Game
from tests.games.tables import COLOURS, HANDS, idle, moves_of, orma, play, refused

RICH = "black*3 green*3 red*3 yellow*3 blue*3 violet*3"  # 18 tokens, and a fourth black one is given
EXAMPLE = "green@b0 red@b0 green@r0 red@r1 red@r1 black@r1 yellow@b1 black@r0"  # printed (O4.2)


def rich(script: str = "", stack: str = "") -> Game:
    """Play with two hands that hold every colour."""
    return orma(script, hands=(RICH, RICH), stack=stack)


def alone(game: Game, script: str, seat: int = 0) -> Game:
    """Play the moves of one seat, each in a turn of its own, while the others lay nothing."""
    for word in script.split():
        while game.to_move != seat:
            idle(game)
        game.play(word)
    return game


def without_stack(seats: int = 5, hands: tuple[str, ...] = (), **options: Any) -> Game:
    """Let everyone draw and keep until the stack is empty and seat 0 is to move."""
    game = orma(hands=hands or ("",) * seats, **options)
    while game.view(None)["stack"]:
        idle(game)
    return game


@pytest.mark.clause("O1.1", "O1.2")
@pytest.mark.parametrize(("players", "hand", "stack"), [(2, 19, 33), (3, 15, 26), (4, 11, 27), (5, 10, 21)])
def test_the_72_tokens_and_how_they_are_dealt(players: int, hand: int, stack: int) -> None:
    """12 of each colour, b0 on the table; each hand has the black token given and what was dealt."""
    several = set()
    for seed in range(20):
        game = tavolino.new("orma", players=players, seed=seed)
        deal = game.record()["deal"]
        assert [len(tokens) for tokens in deal["hands"]] == [hand] * players
        assert len(deal["stack"]) == stack
        everything = Counter(token for tokens in (*deal["hands"], deal["stack"]) for token in tokens)
        assert everything == dict.fromkeys(COLOURS, 12) | {"black": 11}
        assert all("black" in tokens for tokens in deal["hands"])
        several |= {tokens.count("black") for tokens in deal["hands"]}
        view = game.view(None)
        assert (view["hand_sizes"], view["stack"], view["rows"]) == ([hand] * players, stack, [])
        assert view["blacks"] == [{"rows": [], "may_start": list(COLOURS)}]
    assert max(several) > 1  # the spare black ones are shuffled in


@pytest.mark.clause("O1.1")
@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_players(players: int) -> None:
    """No other number of players is dealt."""
    with pytest.raises(ValueError, match="2 to 5 players"):
        tavolino.new("orma", players=players)


@pytest.mark.clause("O1.1", "O1.2")
def test_what_is_no_deal() -> None:
    """Wrong hand sizes, a hand without a black token, a wrong colour or number of tokens make a bad record."""
    record = orma(hands=("green*12", "red*12")).record()
    hands, stack = record["deal"]["hands"], record["deal"]["stack"]
    wrong = [
        ([hands[0][:-1], hands[1]], stack, r"19 tokens \(O1\.2\), not 18"),
        ([["green" if token == "black" else token for token in hands[0]], hands[1]], stack, "black token given"),
        (hands, [*stack, "green"], r"12 green tokens \(O1\.1"),
        (hands, ["pink", *stack[1:]], "list of tokens"),
        (hands[:1], stack, "list of 2 hands"),
    ]
    for some_hands, some_stack, message in wrong:
        with pytest.raises(BadRecord, match=message):
            tavolino.replay(record | {"deal": {"hands": some_hands, "stack": some_stack}})


@pytest.mark.clause("O1.2", "O3.1", "O3.2")
def test_hands_and_stack_are_hidden() -> None:
    """Deals that differ only in what a seat cannot see look the same to it, also what another one drew."""
    script = "green@b0 draw"
    one = orma(script, hands=("green*3 red*8 blue*7", "yellow*12 violet*6"), stack="red")
    two = orma(script, hands=("green*3 red*8 blue*7", "violet*12 yellow*6"), stack="black")
    three = orma(script, hands=("green*1 red*8 blue*9", "yellow*12 violet*6"), stack="red black black")
    assert one.view(0) == two.view(0)
    assert one.view(1) == three.view(1)
    assert one.view(None) == two.view(None) == three.view(None)
    assert one.view(1)["drawn"] == "red"
    assert two.view(1)["drawn"] == "black"


@pytest.mark.clause("O1.2", "O4.2")
def test_views_after_the_printed_example_and_a_draw() -> None:
    """The tree, the sizes and the points are open; a hand and the token just drawn only to their owner."""
    game = rich(f"{EXAMPLE} draw", stack="violet")
    public = {
        "game": "orma",
        "seats": 2,
        "options": {"spare_blacks": "mixed"},
        "first": 0,
        "to_move": 0,
        "chance_due": False,
        "over": False,
        "scores": [7, 3],
        "winners": None,
        "ending": None,
        "moves": [*EXAMPLE.split(), "draw"],
        "blacks": [
            {"rows": [0, 1], "may_start": ["yellow", "blue", "violet"]},
            {"rows": [1, 2], "may_start": []},
            {"rows": [0], "may_start": ["red", "yellow", "blue", "violet"]},
        ],
        "rows": [
            {"colour": "green", "length": 2, "from": 0, "to": 2},
            {"colour": "red", "length": 3, "from": 0, "to": 1},
            {"colour": "yellow", "length": 1, "from": 1, "to": None},
        ],
        "hand_sizes": [16, 15],
        "stack": 32,
        "drawing": True,
        "passes": 0,
    }
    own = {"black": 4, "green": 1, "red": 2, "yellow": 2, "blue": 3, "violet": 4}
    other = {"black": 2, "green": 3, "red": 1, "yellow": 3, "blue": 3, "violet": 3}
    assert game.view(0) == public | {"seat": 0, "hand": own, "drawn": "violet"}
    assert game.view(1) == public | {"seat": 1, "hand": other, "drawn": None}
    assert game.view(None) == public | {"seat": None, "hand": None, "drawn": None}


@pytest.mark.clause("O1.3")
@pytest.mark.parametrize(("players", "spare"), [(n, spare) for n in HANDS for spare in range(12 - n)])
def test_spare_blacks_as_a_number(players: int, spare: int) -> None:
    """Every hand has exactly one black token, the stack as many as said, and the others are in the box."""
    for seed in range(4):
        game = tavolino.new("orma", players=players, seed=seed, spare_blacks=spare)
        deal = game.record()["deal"]
        assert [tokens.count("black") for tokens in deal["hands"]] == [1] * players
        assert [len(tokens) for tokens in deal["hands"]] == [HANDS[players]] * players
        assert deal["stack"].count("black") == spare
        coloured = Counter(token for tokens in (*deal["hands"], deal["stack"]) for token in tokens if token != "black")
        assert coloured == dict.fromkeys(COLOURS, 12)
        assert game.view(None)["stack"] == 60 - players * (HANDS[players] - 1) + spare
        assert game.record()["options"] == {"spare_blacks": spare}


@pytest.mark.clause("O1.3")
def test_spare_blacks_are_shuffled_into_the_stack() -> None:
    """Over some seeds a spare black token lies first, last and in between."""
    stacks = [tavolino.new("orma", seed=seed, spare_blacks=9).record()["deal"]["stack"] for seed in range(30)]
    assert {i for stack in stacks for i, token in enumerate(stack) if token == "black"} == set(range(33))


@pytest.mark.clause("O1.3")
@pytest.mark.parametrize("spare", [-1, "two", True, 1.5, None])
@pytest.mark.parametrize("players", HANDS)
def test_no_other_spare_blacks(players: int, spare: Any) -> None:
    """A number of 0 to 11 − players or `mixed`, nothing else."""
    for wrong in (spare, 12 - players):
        with pytest.raises(ValueError, match="spare_blacks must be 'mixed' or a whole number from 0 to 11"):
            tavolino.new("orma", players=players, spare_blacks=wrong)


@pytest.mark.clause("O1.3")
def test_a_deal_must_fit_the_spare_blacks() -> None:
    """No second black token in a hand, and the right number in the stack."""
    mixed = rich().record()
    with pytest.raises(BadRecord, match=r"O1\.3"):
        tavolino.replay(mixed | {"options": {"spare_blacks": 3}})
    numbered = orma(hands=("", ""), spare_blacks=3).record()
    with pytest.raises(BadRecord, match=r"hold 4 black tokens \(O1\.3\), not 3"):
        tavolino.replay(numbered | {"options": {"spare_blacks": 4}})


@pytest.mark.clause("O1.4")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_starter_is_drawn_at_random_or_named(players: int) -> None:
    """Every seat starts about as often over 300 seeds, and option `first` names one."""
    starts = Counter(tavolino.new("orma", players=players, seed=seed).to_move for seed in range(300))
    assert set(starts) == set(range(players))
    assert min(starts.values()) > 0.6 * 300 / players
    for seat in range(players):
        assert tavolino.new("orma", players=players, seed=1, first=seat).to_move == seat
    with pytest.raises(ValueError, match="first must be a seat"):
        tavolino.new("orma", players=players, first=players)


@pytest.mark.clause("O2.1")
def test_a_coloured_token_at_a_black_one_starts_a_row() -> None:
    """At the start only that can be laid; black tokens have no place, least of all at a black one."""
    game = rich()
    assert moves_of(game) == {"draw", *(f"{colour}@b0" for colour in COLOURS)}
    refused(game, "black@b0", "O2.1")
    game.play("violet@b0")
    assert game.view(None)["rows"] == [{"colour": "violet", "length": 1, "from": 0, "to": None}]


@pytest.mark.clause("O2.2", "O2.3", "O2.5")
@pytest.mark.parametrize(
    ("script", "black", "colours"),
    [
        ("", 0, "green red yellow blue violet"),
        ("green@b0", 0, "red yellow blue violet"),  # of different colours
        ("green@b0 red@b0", 0, ""),  # at most two
        ("green@b0 black@r0", 0, "red yellow blue violet"),  # the second of another colour than the closed one
        ("green@b0 black@r0", 1, "red yellow blue violet"),  # the row it closes is one of its two
        ("green@b0 black@r0 red@b1", 1, ""),
        ("green@b0 black@r0 red@b1", 0, "red yellow blue violet"),  # the rows of other tokens do not matter
        ("green@b0 red@b0 black@r0", 0, ""),  # one of two is open
        ("green@b0 red@b0 black@r1", 0, ""),
        ("green@b0 red@b0 black@r0 black@r1", 0, "yellow blue violet"),  # a third at b0
        ("green@b0 red@b0 black@r0 black@r1", 1, "red yellow blue violet"),
        ("green@b0 red@b0 black@r0 black@r1", 2, "green yellow blue violet"),
        ("green@b0 red@b0 black@r0 black@r1 yellow@b0", 0, ""),
        ("green@b0 red@b0 black@r0 black@r1 yellow@b0 black@r2", 0, ""),  # never a fourth
        ("green@b0 black@r0 red@b1 black@r1", 1, "yellow blue violet"),  # a third at b1: its own row leads to b0
        ("green@b0 black@r0 red@b1 black@r1 yellow@b1", 1, ""),
        ("green@b0 black@r0 red@b1 black@r1 yellow@b1 black@r2", 1, ""),
        ("green@b0 black@r0 red@b1 black@r1 yellow@b1 black@r2", 3, "green red blue violet"),
        (EXAMPLE, 0, "yellow blue violet"),  # printed: not green, not red
        (EXAMPLE, 1, ""),  # yellow is still open
        (EXAMPLE, 2, "red yellow blue violet"),  # printed: not green
        (f"{EXAMPLE} black@r2", 1, "green blue violet"),  # red and yellow both lie between black tokens
    ],
)
def test_where_a_row_may_start(script: str, black: int, colours: str) -> None:
    """Two rows of different colours at a black token, a third when both are closed, never a fourth."""
    game = rich(script)
    assert game.view(None)["blacks"][black]["may_start"] == colours.split()
    assert {word for word in game.legal_moves if word.endswith(f"@b{black}")} == {
        f"{colour}@b{black}" for colour in colours.split()
    }


@pytest.mark.clause("O2.4", "O2.5")
def test_a_row_takes_its_own_colour_or_black() -> None:
    """An open row is lengthened by its colour and closed by black; closed, it takes nothing more."""
    game = rich("green@b0 red@b0")
    assert moves_of(game) == {"draw", "green@r0", "black@r0", "red@r1", "black@r1"}
    play(game, "black@r0")
    assert {word for word in game.legal_moves if word.endswith("@r0")} == set()
    assert {word for word in game.legal_moves if "@r" in word} == {"red@r1", "black@r1"}
    for word in ("green@r0", "black@r0"):
        refused(game, word, "O2.5")
    assert game.view(None)["rows"][0] == {"colour": "green", "length": 1, "from": 0, "to": 1}


@pytest.mark.clause("O2.4")
def test_rows_of_one_colour_are_told_apart() -> None:
    """Two green rows from different black tokens grow and score each on its own."""
    game = rich("green@b0 red@b0 black@r1 green@b1 green@r0 green@r2 green@r2 green@r0")
    assert [(row["colour"], row["length"]) for row in game.view(None)["rows"]] == [
        ("green", 3),
        ("red", 1),
        ("green", 3),
    ]
    assert game.scores == [1 + 0 + 2 + 3, 1 + 1 + 2 + 3]


@pytest.mark.clause("O2.1", "O2.2", "O2.3", "O2.4", "O2.5", "O3.1", "O3.2", "O3.3")
@pytest.mark.parametrize(
    ("script", "word", "clauses"),
    [
        ("green@b0", "green@b0", ("O2.2",)),
        ("green@b0 black@r0", "green@b1", ("O2.2",)),
        ("green@b0 red@b0", "yellow@b0", ("O2.2", "O2.3")),
        ("green@b0 red@b0 black@r0", "yellow@b0", ("O2.2", "O2.3")),
        ("green@b0 red@b0 black@r0 black@r1", "red@b0", ("O2.2",)),
        ("green@b0 red@b0 black@r0 black@r1 yellow@b0 black@r2", "blue@b0", ("O2.3",)),
        ("green@b0", "red@r0", ("O2.4",)),
        ("", "keep", ("O3.2",)),
        ("green@b0 draw keep", "keep", ("O3.2",)),
        ("", "pass", ("O3.3",)),
        ("draw", "draw", ("O3.2",)),
        ("draw", "pass", ("O3.2",)),
        ("draw", "red@b0", ("O3.2",)),  # green was drawn
        ("", "green@r0", ("O2.1", "O2.4")),  # no such row
        ("", "green@b1", ("O2.1", "O2.4")),
    ],
)
def test_refused_moves_cite_their_clause(script: str, word: str, clauses: tuple[str, ...]) -> None:
    """The message says which rule stands against the move, and nothing has changed."""
    refused(rich(script, stack="green"), word, *clauses)


@pytest.mark.clause("O3.1")
def test_only_tokens_of_the_own_hand_are_laid() -> None:
    """A colour that the mover does not hold is not offered."""
    game = orma("green@b0", hands=("green*12 red*6", "yellow*12 blue*6"))
    assert moves_of(game) == {"draw", "yellow@b0", "blue@b0", "black@r0"}
    assert "you hold no red token" in refused(game, "red@b0", "O3.1")


@pytest.mark.clause("O3.1")
def test_a_turn_lays_one_token_or_draws_one() -> None:
    """Drawing is always open while there is a stack, and takes its first token."""
    game = rich(stack="blue violet")
    game.play("green@b0")
    assert (game.to_move, game.view(0)["hand"]["green"], game.view(0)["hand_sizes"]) == (1, 2, [18, 19])
    play(game, "draw")
    assert (game.to_move, game.view(1)["drawn"], game.view(1)["hand"]["blue"]) == (1, "blue", 4)
    assert (game.view(None)["stack"], game.view(None)["hand_sizes"]) == (32, [18, 20])
    play(game, "keep draw")
    assert (game.to_move, game.view(0)["drawn"]) == (0, "violet")


@pytest.mark.clause("O3.2")
@pytest.mark.parametrize(
    ("script", "stack", "legal"),
    [
        ("draw", "green", "keep green@b0"),  # only the token just drawn, though the hand has every colour
        ("green@b0 draw", "green", "keep green@r0"),
        ("green@b0 draw", "black", "keep black@r0"),
        ("green@b0 black@r0 draw", "red", "keep red@b0 red@b1"),
        ("draw", "black", "keep"),  # it fits nowhere: keep is a move all the same
        ("green@b0 red@b0 draw", "blue", "keep"),
    ],
)
def test_the_token_just_drawn(script: str, stack: str, legal: str) -> None:
    """It may be laid where it fits or kept, and either way the turn is over."""
    game = rich(script, stack)
    me = game.to_move
    assert me is not None
    assert moves_of(game) == set(legal.split())
    for word in legal.split():
        twin = game.copy()
        twin.play(word)
        assert (twin.to_move, twin.view(None)["drawing"], twin.moves[-2:]) == (1 - me, False, ["draw", word])
        assert twin.view(None)["hand_sizes"][me] == game.view(None)["hand_sizes"][me] - (word != "keep")


@pytest.mark.clause("O3.2", "O4.1")
def test_laying_the_token_just_drawn_scores_like_any_other() -> None:
    """The second token of a row brings 2 points, from the stack as from the hand."""
    game = rich("green@b0 draw green@r0", stack="green")
    assert (game.scores, game.to_move) == ([1, 2], 0)


@pytest.mark.clause("O3.3")
def test_passing_only_with_an_empty_stack() -> None:
    """Nothing to draw: the mover lays or passes, also one who could lay."""
    game = without_stack(spare_blacks=0)
    assert game.to_move == 0
    assert {word for word in game.legal_moves if "@" not in word} == {"pass"}
    assert [word for word in game.legal_moves if "@" in word]
    refused(game, "draw", "O3.3")
    game.play("pass")
    assert (game.to_move, game.view(None)["passes"], game.over) == (1, 1, False)


@pytest.mark.clause("O4.1")
def test_a_token_scores_the_length_of_its_row() -> None:
    """1, 2, 3 … for coloured tokens, whoever laid the ones before, and 0 for black."""
    game = orma(hands=("green*12", "yellow*6 blue*6 violet*6"))
    points = []
    for length in range(1, 13):
        before = game.scores[0]
        alone(game, "green@b0" if length == 1 else "green@r0")
        points.append(game.scores[0] - before)
    assert points == list(range(1, 13))
    assert alone(game, "black@r0").scores == [78, 0]
    assert game.view(None)["rows"][0] == {"colour": "green", "length": 12, "from": 0, "to": 1}


@pytest.mark.clause("O4.2", "O4.1")
@pytest.mark.parametrize(("seats", "scores"), [(2, [7, 3]), (3, [4, 4, 2]), (5, [1, 2, 2, 2, 3])])
def test_the_printed_example(seats: int, scores: list[int]) -> None:
    """The points of the printed sequence, whoever lays its tokens."""
    hands = (RICH, RICH) if seats == 2 else ("black green*2 red*2 yellow",) * seats
    game = orma(hands=hands)
    points, total = [], 0
    for word in EXAMPLE.split():
        game.play(word)
        points.append(sum(game.scores) - total)
        total += points[-1]
    assert points == [1, 1, 2, 2, 3, 0, 1, 0]
    assert game.scores == scores
    starts = [node["may_start"] for node in game.view(None)["blacks"]]
    assert starts == [["yellow", "blue", "violet"], [], ["red", "yellow", "blue", "violet"]]


GREENS = "green@b0 " + "green@r0 " * 8
FIVE = ("green*9", "red*9", "", "", "")


@pytest.mark.clause("O5.1")
def test_the_first_empty_hand_ends_the_game() -> None:
    """The moment it is empty; nobody else has another turn."""
    game = alone(orma(hands=FIVE), GREENS)
    assert (game.view(0)["hand_sizes"][0], game.over) == (1, False)
    alone(game, "black@r0")
    assert (game.over, game.winners, game.scores, game.ending) == (True, [0], [45, 0, 0, 0, 0], "a hand is empty")
    assert (game.to_move, game.legal_moves, game.moves[-1]) == (None, [], "black@r0")
    assert "the game is over" in refused(game, "pass")


@pytest.mark.clause("O5.1")
def test_the_last_token_counts() -> None:
    """A coloured last token scores before the points are compared."""
    game = alone(orma(hands=("green*8 red", "", "", "", "")), "red@b0 black@r0 green@b1 " + "green@r1 " * 6)
    assert (game.over, game.scores[0]) == (False, 29)
    alone(game, "green@r1")
    assert (game.over, game.scores[0]) == (True, 37)


@pytest.mark.clause("O5.1")
def test_most_points_win_not_the_empty_hand() -> None:
    """Seat 1 has laid the longer row when seat 0 runs out."""
    game = orma(hands=("green*5 yellow*4", "red*9", "", "", ""))
    mine = "green@b0 " + "green@r0 " * 4 + "black@r0 " + "yellow@b1 " + "yellow@r2 " * 3
    theirs = "red@b0 " + "red@r1 " * 8
    for one, other in zip(mine.split(), [*theirs.split(), ""], strict=True):
        alone(alone(game, one), other, seat=1)
    assert (game.over, game.scores, game.winners) == (True, [25, 45, 0, 0, 0], [1])


@pytest.mark.clause("O5.1")
def test_equal_leaders_share_the_win() -> None:
    """45 points each by a row of nine: both have won."""
    game = orma(hands=FIVE)
    for one, other in zip(GREENS.split(), ["red@b0", *["red@r1"] * 8], strict=True):
        alone(alone(game, one), other, seat=1)
    alone(game, "black@r0")
    assert (game.over, game.scores, game.winners) == (True, [45, 45, 0, 0, 0], [0, 1])
    assert game.record()["winners"] == [0, 1]


@pytest.mark.clause("O5.1", "O3.2")
def test_drawing_with_one_token_left_keeps_the_game_going() -> None:
    """Whoever draws and lays the drawn token still holds the other one, so no hand is emptied that way."""
    game = orma(hands=("green*10", "red*10", "", ""), stack="blue*10 violet*6 black*4 red")
    for one, other in zip(["green@b0", *["green@r0"] * 9], ["red@b0", *["red@r1"] * 9], strict=True):
        alone(alone(game, one), other, seat=1)
    alone(game, "draw")
    assert (game.view(0)["hand_sizes"][0], game.view(0)["drawn"]) == (2, "red")
    game.play("red@r1")
    assert (game.over, game.to_move, game.view(0)["hand_sizes"][0], game.scores[0]) == (False, 1, 1, 55 + 11)
    assert (alone(game, "black@r0").over, game.winners) == (True, [0])


@pytest.mark.clause("O5.2", "O3.3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_game_ends_when_everyone_has_passed(seats: int) -> None:
    """As many passes in a row as players; without points all share the win."""
    game = without_stack(seats)
    for passed in range(seats):
        assert (game.over, game.view(None)["passes"]) == (False, passed)
        game.play("pass")
    assert (game.over, game.ending, game.winners) == (True, "everyone passed", list(range(seats)))


@pytest.mark.clause("O5.2")
def test_a_lay_interrupts_the_passes() -> None:
    """After two of three have passed and the third lays, three more passes are needed; most points win."""
    game = without_stack(3)
    play(game, "pass pass")
    third = game.to_move
    game.play(next(word for word in game.legal_moves if word.endswith("@b0")))
    assert game.view(None)["passes"] == 0
    play(game, "pass pass")
    assert not game.over
    game.play("pass")
    assert (game.over, game.winners, sorted(game.scores)) == (True, [third], [0, 0, 1])
