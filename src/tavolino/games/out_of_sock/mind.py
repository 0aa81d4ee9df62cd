"""Out of Sock in mind: what a seat knows of the table, and a split played out in thought.

Nothing is hidden but the order of the cards under the tops, and all seats know the same.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.jit import rule, wide
from tavolino.games.out_of_sock.rules import BAN, CONVERSION, DECKS, DOUBLE, ODDS, SEATS, SUITS, score, suit_score

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mind = Ints


HIDDEN = 127  # in the log of imagined takes: a card that nobody has seen
ROOM = 16  # more than the takes of a round
SAMPLES = 12  # cards to try in place of one that nobody has seen
# What a seat keeps in mind while it thinks about a round lies in one array: compiled, each array is seven arguments of
# every call. First the imagined takes: their number, then each as card | seat << 8 | deck << 12.
AT_MEAN = ROOM  # what a card nobody has seen brings to each seat on average
AT_KINDS = AT_MEAN + SEATS  # how many of each card nobody has seen
AT_SAMPLE = AT_KINDS + 16 * SUITS  # some of those, evenly spaced in the order of their codes
AT_UNSEEN = AT_SAMPLE + SAMPLES  # of those, for each suit: conversions, doubles, bans, the sum of socks
AT_MANY = AT_UNSEEN + 4 * SUITS  # how many there are of them in all
AT_SCORE = AT_MANY + 1  # the running scores, with what was taken in mind
AT_BLIND = AT_SCORE + SEATS  # how many cards nobody has seen each seat took in mind
LENGTH = AT_BLIND + SEATS

# Rolls to imagine, of 2 to 7 dice, 4 bits a place: a few typical ones, each turned round all six places.
_TYPICAL = (
    ("01", "03", "00"),
    ("012", "023", "001"),
    ("0124", "0013", "0235"),
    ("01234", "00124", "00135"),
    ("001235", "001245", "001134"),
    ("0012345", "0011235", "0001244"),
)
ROLLS = np.array(
    [
        [sum(1 << (4 * ((int(die) + turn) % DECKS)) for die in dice) for dice, turn in product(typical, range(DECKS))]
        for typical in _TYPICAL
    ],
    np.int64,
)
CHANCE = np.array(ODDS)


# Takes in mind are played on the state itself, noted in a log, and taken back from there.


@rule
def gain(s: State, seat: int, card: int) -> int:
    """Return the points a card would bring to a seat at once."""
    suit, face = card >> 4, card & 15
    if s.bans[seat, suit] > 0:
        return 0
    if face == CONVERSION:
        return -2 * suit_score(s, seat, suit)
    if face == DOUBLE:
        return suit_score(s, seat, suit)
    if face == BAN:
        return -suit_score(s, seat, suit)
    points = face << wide(s.doubles[seat, suit])
    return -points if s.conversions[seat, suit] & 1 else points


@rule
def give(s: State, seat: int, card: int, sign: int) -> None:
    """Add a card to the columns of a seat (sign 1), or take it away again (sign -1)."""
    suit, face = card >> 4, card & 15
    if face == CONVERSION:
        s.conversions[seat, suit] += sign
    elif face == DOUBLE:
        s.doubles[seat, suit] += sign
    elif face == BAN:
        s.bans[seat, suit] += sign
    else:
        s.socks[seat, suit] += sign * face
        s.sock_cards[seat] += sign


@rule
def receive(s: State, seat: int, card: int, mind: Mind) -> None:
    """Add a card to the columns of a seat in mind."""
    mind[AT_SCORE + seat] += gain(s, seat, card)
    give(s, seat, card, 1)


@rule
def lose(s: State, seat: int, card: int, mind: Mind) -> None:
    """Take back the card that a seat received last."""
    give(s, seat, card, -1)
    mind[AT_SCORE + seat] -= gain(s, seat, card)


@rule
def top_card(s: State, d: int, unknown: int) -> int:
    """Return the top card of a deck that is not empty, or HIDDEN."""
    if unknown >> d & 1:
        return HIDDEN
    return wide(s.deck[d, s.left[d] - 1])


@rule
def imagine(s: State, seat: int, d: int, unknown: int, mind: Mind) -> int:
    """Let a seat take the top of a deck; mind[0] counts the takes. Return the decks whose top is unknown then."""
    card = top_card(s, d, unknown)
    if card == HIDDEN:
        mind[AT_BLIND + seat] += 1
    else:
        receive(s, seat, card, mind)
    s.left[d] -= 1
    s.empty += s.left[d] == 0
    mind[0] += 1
    mind[mind[0]] = card | seat << 8 | d << 12
    return unknown | 1 << d


@rule
def take_back(s: State, mind: Mind, to: int) -> None:
    """Undo the imagined takes after the first `to`."""
    while mind[0] > to:
        note = mind[mind[0]]
        card, seat, d = note & 255, note >> 8 & 15, note >> 12
        mind[0] -= 1
        s.empty -= s.left[d] == 0
        s.left[d] += 1
        if card == HIDDEN:
            mind[AT_BLIND + seat] -= 1
        else:
            lose(s, seat, card, mind)


@rule
def ended(s: State) -> bool:
    """Tell whether enough decks are empty (S8.1)."""
    return bool(s.empty >= (2 if s.seats == 2 else 1))


@rule
def lying(s: State) -> int:
    """Return the dice at the decks, 4 bits a deck."""
    dice = 0
    for d in range(DECKS):
        if s.left[d] > 0:
            dice |= wide(s.dice[d]) << (4 * d)
    return dice


@rule
def without(s: State, dice: int, d: int) -> int:
    """Return the dice that lie after a take at deck d; those of an emptied deck go back (S4.3)."""
    if s.left[d] == 0:
        return dice & ~(15 << (4 * d))
    return dice - (1 << (4 * d))


@rule
def only_deck(dice: int) -> int:
    """Return the deck at which all dice lie; -1 if they lie at several."""
    for d in range(DECKS):
        here = 15 << (4 * d)
        if dice & here:
            return d if dice & ~here == 0 else -1
    return -1


@rule
def following(s: State, seat: int) -> int:
    """Return the next seat."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def best_rival(s: State, me: int) -> int:
    """Return the other seat with the most points."""
    best, points = -1, -10000
    for seat in range(s.seats):
        if seat != me:
            here = score(s, seat)
            if here > points:
                best, points = wide(seat), here
    return best


@rule
def rival_of(s: State, me: int, mind: Mind) -> int:
    """Return the other seat with the most points, those in mind included."""
    best, points = -1, -10000
    for seat in range(s.seats):
        if seat != me and mind[AT_SCORE + seat] > points:
            best, points = wide(seat), mind[AT_SCORE + seat]
    return best


@rule
def mean_gain(s: State, seat: int, mind: Mind) -> float:
    """Return what a card nobody has seen brings to a seat on average."""
    total, unseen = 0, unseen_of(mind)
    for suit in range(SUITS):
        here = unseen[4 * suit : 4 * suit + 4]
        if s.bans[seat, suit] == 0:
            socks = here[3] << wide(s.doubles[seat, suit])
            total += suit_score(s, seat, suit) * (here[1] - 2 * here[0] - here[2])
            total += -socks if s.conversions[seat, suit] & 1 else socks
    return total / max(mind[AT_MANY], 1)


@rule
def means_of(mind: Mind) -> Floats:
    """Return what a card nobody has seen brings to each seat on average."""
    return mind[AT_MEAN:AT_KINDS].view(np.float64)


@rule
def kinds_of(mind: Mind) -> Ints:
    """Return how many of each card nobody has seen."""
    return mind[AT_KINDS:AT_SAMPLE]


@rule
def sample_of(mind: Mind) -> Ints:
    """Return some of the cards nobody has seen."""
    return mind[AT_SAMPLE:AT_UNSEEN]


@rule
def unseen_of(mind: Mind) -> Ints:
    """Return for each suit how many conversions, doubles, bans and socks nobody has seen."""
    return mind[AT_UNSEEN:AT_MANY]


@rule
def count_unseen(s: State) -> Mind:
    """Count what nobody has seen, the cards under the tops, and the points of all."""
    mind = np.zeros(LENGTH, np.int64)
    kinds, unseen = kinds_of(mind), unseen_of(mind)
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            card = wide(s.deck[d, i])
            kinds[card] += 1
            mind[AT_MANY] += 1
            at, face = 4 * (card >> 4), card & 15
            if face >= CONVERSION:
                unseen[at + face - CONVERSION] += 1
            else:
                unseen[at + 3] += face
    for seat in range(s.seats):
        mind[AT_SCORE + seat] = score(s, seat)
    return mind


@rule
def make_up_mind(s: State) -> Mind:
    """Count what nobody has seen, what it brings on average, and choose some of it to try."""
    mind = count_unseen(s)
    means, kinds, sample, total = means_of(mind), kinds_of(mind), sample_of(mind), mind[AT_MANY]
    for seat in range(s.seats):
        means[seat] = mean_gain(s, seat, mind)
    n, passed = 0, 0
    for card in range(16 * SUITS):
        passed += kinds[card]
        while n < SAMPLES and (2 * n + 1) * total < 2 * SAMPLES * passed:
            sample[n] = card
            n += 1
    return mind


@rule
def best_swing(s: State, seat: int, dice: int, unknown: int, mind: Mind, deny: float) -> int:
    """Return the deck whose top brings most to a seat, plus a share of what it would bring the best rival."""
    rival, means = rival_of(s, seat, mind), means_of(mind)
    best, most = -1, -1e9
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            card = top_card(s, d, unknown)
            if card == HIDDEN:
                swing = means[seat] + deny * means[rival]
            else:
                swing = gain(s, seat, card) + deny * gain(s, rival, card)
            if swing > most:
                best, most = d, swing
    return best


@rule
def play_split(s: State, seat: int, dice: int, unknown: int, mind: Mind) -> int:
    """Let all seats in turn take what brings most to them plus what it would bring their best rival.

    In a draft of two where each card has its worth that is perfect play. Return the decks whose top is unknown then.
    """
    deny = 1.0 / (s.seats - 1)  # at a larger table, what one leaves goes to someone else more often
    while dice != 0 and not ended(s):
        best = only_deck(dice)
        if best < 0:
            best = best_swing(s, seat, dice, unknown, mind, deny)
        unknown = imagine(s, seat, best, unknown, mind)
        dice = without(s, dice, best)
        seat = following(s, seat)
    return unknown


@rule
def best_lead(s: State, seat: int, dice: int, unknown: int, mind: Mind) -> int:
    """Return the deck after whose take a seat has the largest lead when the split is over."""
    best, most, done = -1, -1e9, mind[0]
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            then = imagine(s, seat, d, unknown, mind)
            play_split(s, following(s, seat), without(s, dice, d), then, mind)
            value = lead(s, seat, mind)
            take_back(s, mind, done)
            if value > most:
                best, most = d, value
    return best


@rule
def play_round(s: State, seat: int, dice: int, unknown: int, mind: Mind) -> int:
    """Let all seats in turn take what leaves them the largest lead when the split is over, as `greedy` does.

    At a table of two that is `play_split`, or nearly. Return the decks whose top is unknown then.
    """
    if s.seats == 2:
        return play_split(s, seat, dice, unknown, mind)
    while dice != 0 and not ended(s):
        best = only_deck(dice)
        if best < 0:
            best = best_lead(s, seat, dice, unknown, mind)
        unknown = imagine(s, seat, best, unknown, mind)
        dice = without(s, dice, best)
        seat = following(s, seat)
    return unknown


@rule
def points(s: State, seat: int, mind: Mind) -> float:
    """Return the score of a seat, with what the unseen cards it took in mind bring on average."""
    total = 1.0 * mind[AT_SCORE + seat]
    for _ in range(mind[AT_BLIND + seat]):
        total += means_of(mind)[seat]
    return total


@rule
def lead(s: State, me: int, mind: Mind) -> float:
    """Return the points a seat is ahead of its best rival."""
    best = -1e9
    for seat in range(s.seats):
        if seat != me:
            best = max(best, points(s, seat, mind))
    return points(s, me, mind) - best


@rule
def result(s: State, me: int, mind: Mind) -> float:
    """Return the chance of a seat to have won when the game is over, perhaps by cards that nobody has seen."""
    mine = points(s, me, mind)
    for seat in range(s.seats):
        if seat != me:
            theirs = points(s, seat, mind)
            if theirs > mine:
                return 0.0
            if theirs == mine and s.sock_cards[seat] > s.sock_cards[me]:
                return 0.0
            if theirs == mine and s.sock_cards[seat] == s.sock_cards[me] and s.holder != me:
                return 0.0  # the holder of the basket names itself
    return 1.0
