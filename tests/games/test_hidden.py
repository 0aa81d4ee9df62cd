"""Secrets: views leak nothing, and `redeal` draws evenly from what a seat cannot know."""

import random
from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest
from scipy.stats import chisquare

import tavolino
from tavolino.games.orma.rules import COLOUR
from tavolino.games.out_of_sock.people import card_word
from tests.cases import CASES, IDS, Case, play_on

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)


def seats_of(case: Case) -> list[int | None]:
    return [None, *range(case.players)]


@every_case
def test_a_redeal_is_a_legal_game(case: Case) -> None:
    """The deal behind a redeal replays to the same table, with the seat's own cards as it saw them come."""
    rng = random.Random(str(case))
    for seed in range(8):
        game = play_on(case.new(seed), rng, rng.randrange(110))
        for seat in seats_of(case):
            other = game.redeal(seat, seed)
            replayed = tavolino.replay(other.record())
            for viewer in seats_of(case):
                assert replayed.view(viewer) == other.view(viewer)
            assert replayed.legal_moves == other.legal_moves
            if case.key == "face-to-face" and seat is not None:
                drawn = 58 - game.view(seat)["draw_piles"][seat]
                mine = [g.record()["deal"]["decks"][seat][:drawn] for g in (game, other)]
                assert mine[0] == mine[1]
            if case.key == "orma" and seat is not None:
                assert sorted(other.record()["deal"]["hands"][seat]) == sorted(game.record()["deal"]["hands"][seat])


def even(counts: Counter[Any], expected: dict[Any, float]) -> None:
    """Assert that counts follow the expected shares (chi-square, one in a million by luck)."""
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    keys = [key for key, share in expected.items() if share * total >= 5]
    seen, want = [counts[key] for key in keys], [expected[key] * total for key in keys]
    rest = total - sum(want)
    if rest >= 5:
        seen.append(total - sum(seen))
        want.append(rest)
    assert chisquare(seen, [w * sum(seen) / sum(want) for w in want]).pvalue > 1e-6


def face_game(moves: int) -> tavolino.Game:
    """Find a game of Face to Face that goes on after so many random moves."""
    for seed in range(100):
        game = play_on(tavolino.new("face-to-face", seed=seed), random.Random(seed), moves)
        if not game.over:
            return game
    raise AssertionError


@pytest.mark.clause("F1.2")
@pytest.mark.parametrize("moves", [0, 7, 20])
def test_face_to_face_redeals_evenly(moves: int) -> None:
    """Each card the other has not laid is equally likely in hand, at each place of the pile, and in pairs."""
    game = face_game(moves)
    me = game.to_move
    assert me is not None
    you = 1 - me
    view = game.view(me)
    unseen = sorted(set(range(2, 60)) - set(view["laid"][you]))
    size = view["hand_sizes"][you]
    held: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    next_card: Counter[int] = Counter()
    own_next: Counter[int] = Counter()
    for seed in range(6000):
        state = game.redealt_state(me, seed)[0]
        hand = [c for c in range(60) if int(state.hand[you]) >> c & 1]
        assert len(hand) == size
        held[random.Random(seed).choice(hand)] += 1
        if moves == 20:
            pairs.update(combinations(hand, 2))
        next_card[int(state.deck[you, state.drawn[you]])] += 1
        own_next[int(state.deck[me, state.drawn[me]])] += 1
    share = {card: 1 / len(unseen) for card in unseen}
    even(held, share)
    even(next_card, share)
    mine = set(range(2, 60)) - set(view["laid"][me]) - set(view["hand"])
    even(own_next, {card: 1 / len(mine) for card in mine})
    if pairs:
        assert len(pairs) == comb(len(unseen), 2)


@pytest.mark.clause("F4.4")
def test_face_to_face_redeals_only_what_can_be() -> None:
    """Seen by the one who waits, the mover's new hand can lay two cards; a loser's new hand cannot."""
    stuck = 0
    for seed in range(60):
        rng = random.Random(seed)
        game = play_on(tavolino.new("face-to-face", seed=seed), rng, rng.randrange(140))
        for viewer in (None, 0, 1):
            other = game.redeal(viewer, seed)
            if not game.over:
                assert other.legal_moves
            elif game.ending == "cannot lay two":
                stuck += 1
                replayed = tavolino.replay(other.record())
                assert replayed.winners == game.winners
    assert stuck > 20


@pytest.mark.clause("O1.2")
@pytest.mark.parametrize("moves", [0, 9, 30])
def test_orma_redeals_evenly(moves: int) -> None:
    """A hidden token is of a colour as often as the unseen ones are, in the stack and in the others' hands."""
    game = play_on(tavolino.new("orma", 3, 5), random.Random(6), moves)
    me = 0
    view = game.view(me)
    laid = Counter(word.partition("@")[0] for word in view["moves"] if "@" in word) + Counter({"black": 1})
    unseen = Counter(dict.fromkeys(COLOUR, 12)) - laid - Counter(view["hand"])
    state = game._states[0]
    given = sum(int(state.blacks_laid[seat]) == 0 for seat in (1, 2))
    pool = unseen - Counter({"black": given})
    shares = {colour: n / pool.total() for colour, n in pool.items()}
    first: Counter[str] = Counter()
    hand: Counter[str] = Counter()
    for seed in range(5000):
        other = game.redealt_state(me, seed)[0]
        first[COLOUR[other.stack[other.stack_left - 1]]] += 1
        tokens = [c for c in range(6) for _ in range(int(other.hand[1, c]))]
        if int(other.blacks_laid[1]) == 0:
            tokens.remove(0)  # the one given at the start is no matter of chance
        hand[COLOUR[random.Random(seed).choice(tokens)]] += 1
    even(first, shares)
    even(hand, shares)


@pytest.mark.clause("O1.2", "O1.3")
@pytest.mark.parametrize("spare", ["mixed", 0, 3])
def test_orma_keeps_the_black_given_at_the_start(spare: str | int) -> None:
    """Who has laid no black token from the hand holds one in every redeal; of spare ones no more than were drawn."""
    for seed in range(40):
        rng = random.Random(seed)
        game = play_on(tavolino.new("orma", 4, seed, spare_blacks=spare), rng, rng.randrange(60))
        for again in range(10):
            state = game.redealt_state(0, again)[0]
            for seat in (1, 2, 3):
                mine = [word for mover, word in zip(game.movers, game.moves, strict=True) if mover == seat]
                from_hand = sum(
                    word.startswith("black@") and (i == 0 or mine[i - 1] != "draw") for i, word in enumerate(mine)
                )
                blacks = int(state.hand[seat, 0])
                if from_hand == 0:
                    assert blacks >= 1
                if spare != "mixed":
                    all_blacks = blacks + sum(word.startswith("black@") for word in mine)
                    assert all_blacks <= 1 + mine.count("draw")


@pytest.mark.clause("O1.3")
def test_orma_spare_blacks_are_where_they_can_be() -> None:
    """A token someone drew and kept is a spare black as often as one still in the stack."""
    game = tavolino.new("orma", 2, 4, first=1, spare_blacks=9)
    game.play("draw")
    game.play("keep")
    counts: Counter[bool] = Counter()
    stack = game.view(0)["stack"]
    for seed in range(4000):
        state = game.redealt_state(0, seed)[0]
        counts[int(state.hand[1, 0]) == 2] += 1
    even(counts, {True: 9 / (stack + 1), False: 1 - 9 / (stack + 1)})


@pytest.mark.clause("S2.1")
@pytest.mark.parametrize("moves", [0, 40])
def test_out_of_sock_redeals_evenly(moves: int) -> None:
    """Each unseen card is equally likely next under every top; the tops stay."""
    game = play_on(tavolino.new("out-of-sock", 2, 8), random.Random(8), moves)
    view = game.view(0)
    seen = Counter(card for columns in view["columns"] for cards in columns.values() for card in cards)
    seen += Counter(deck["top"] for deck in view["decks"].values() if deck["top"])
    pool = Counter(card for deck in game.record()["deal"]["decks"].values() for card in deck) - seen
    under = [int(place) - 2 for place, deck in view["decks"].items() if deck["left"] > 1]
    counts: Counter[str] = Counter()
    for seed in range(6000):
        state = game.redealt_state(0, seed)[0]
        d = under[seed % len(under)]
        counts[card_word(int(state.deck[d, state.left[d] - 2]))] += 1
    even(counts, {card: n / pool.total() for card, n in pool.items()})
