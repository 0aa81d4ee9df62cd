"""What the bots know about Out of Sock: a beginner's and a good rule of thumb, features and choices by value.

Nothing is hidden but the order of the cards under the tops, and all seats know the same. Both the rule of thumb and
the network look at the end of the round: the rest of a split is played out in mind, the cards that turn up meanwhile
stay unknown, and what lies there then is compared in points or by the network.
"""

from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.net import Features, Net, forward
from tavolino.games.jit import State, rule, wide
from tavolino.games.out_of_sock import (
    AIM,
    BAN,
    CHOOSE,
    CONVERSION,
    DECKS,
    DICE,
    DOUBLE,
    LOWEST,
    NAME,
    SEATS,
    SHAKE,
    SINGLE,
    SPLIT,
    SUITS,
    TAKE_AT,
    WINNER,
    score,
    suit_score,
)
from tavolino.games.rng import Stream, randint

Log = NDArray[np.int64]
Floats = NDArray[np.float64]

HIDDEN = 127  # in the log of imagined takes: a card that nobody has seen
ROOM = 16  # more than the takes of a round
SAMPLES = 12

# Rolls to imagine, of 2 to 7 dice, 4 bits a place: a few typical ones, each turned round all six places.
_TYPICAL = {
    2: ("01", "03", "00"),
    3: ("012", "023", "001"),
    4: ("0124", "0013", "0235"),
    5: ("01234", "00124", "00135"),
    6: ("001235", "001245", "001134"),
    7: ("0012345", "0011235", "0001244"),
}
ROLLS = np.array(
    [
        [
            sum(1 << (4 * ((int(die) + turn) % DECKS)) for die in dice)
            for dice, turn in product(_TYPICAL[n], range(DECKS))
        ]
        for n in range(LOWEST, LOWEST + DECKS)
    ],
    np.int64,
)
# CHANCE[aim, n]: how likely n dice fall when so many are aimed for.
CHANCE = np.array(
    [
        [comb(DICE, n) * (aim / DICE) ** n * (1 - aim / DICE) ** (DICE - n) for n in range(DICE + 1)]
        for aim in range(DICE)
    ]
)


# The table in mind: takes are played on the state itself, noted in a log, and taken back from there.


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
def top_card(s: State, d: int, unknown: int) -> int:
    """Return the top card of a deck that is not empty, or HIDDEN."""
    if unknown >> d & 1:
        return HIDDEN
    return wide(s.deck[d, s.left[d] - 1])


@rule
def imagine(s: State, seat: int, d: int, unknown: int, log: Log) -> int:
    """Let a seat take the top of a deck; log[0] counts the takes. Return the decks whose top is unknown then."""
    card = top_card(s, d, unknown)
    if card != HIDDEN:
        give(s, seat, card, 1)
    s.left[d] -= 1
    s.empty += s.left[d] == 0
    log[0] += 1
    log[log[0]] = card | seat << 8 | d << 12
    return unknown | 1 << d


@rule
def take_back(s: State, log: Log, to: int) -> None:
    """Undo the imagined takes after the first `to`."""
    while log[0] > to:
        note = log[log[0]]
        card, seat, d = note & 255, note >> 8 & 15, note >> 12
        log[0] -= 1
        s.empty -= s.left[d] == 0
        s.left[d] += 1
        if card != HIDDEN:
            give(s, seat, card, -1)


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
def mean_gains(s: State, unknown: int, mean: Floats) -> None:
    """Write what an unseen card brings to each seat on average."""
    for seat in range(s.seats):
        total, n = 0, 0
        for d in range(DECKS):
            for i in range(s.left[d] - 1 + (unknown >> d & 1)):
                total += gain(s, seat, wide(s.deck[d, i]))
                n += 1
        mean[seat] = total / max(n, 1)


@rule
def play_split(s: State, seat: int, dice: int, unknown: int, mean: Floats, log: Log) -> int:
    """Let all seats in turn take what brings most to them plus what it would bring their best rival.

    In a draft of two where each card has its worth that is perfect play. Return the decks whose top is unknown then.
    """
    while dice != 0 and not ended(s):
        rival = best_rival(s, seat)
        best, most = -1, -1e9
        for d in range(DECKS):
            if dice >> (4 * d) & 15:
                card = top_card(s, d, unknown)
                if card == HIDDEN:
                    swing = mean[seat] + mean[rival]
                else:
                    swing = 1.0 * (gain(s, seat, card) + gain(s, rival, card))
                if swing > most:
                    best, most = d, swing
        unknown = imagine(s, seat, best, unknown, log)
        dice = without(s, dice, best)
        seat = following(s, seat)
    return unknown


@rule
def luck(log: Log, seat: int, mean: Floats) -> float:
    """Return what the unseen cards a seat took in mind bring it on average."""
    total = 0.0
    for i in range(1, log[0] + 1):
        if log[i] & 255 == HIDDEN and log[i] >> 8 & 15 == seat:
            total += mean[seat]
    return total


@rule
def lead(s: State, me: int, mean: Floats, log: Log) -> float:
    """Return the points a seat is ahead of its best rival."""
    best = -1e9
    for seat in range(s.seats):
        if seat != me:
            best = max(best, score(s, seat) + luck(log, seat, mean))
    return score(s, me) + luck(log, me, mean) - best


# The rules of thumb.


@rule
def naive(s: State, rng: Stream) -> int:
    """Take what brings most points now, without a thought for the others or for what comes up; aim for four."""
    me = s.player
    if s.phase == SHAKE:
        return AIM + 4
    if s.phase == NAME:
        return name(s)
    best, most = -1, -1000
    for d in range(DECKS):
        if s.dice[d] > 0 and s.left[d] > 0:
            here = 2 * gain(s, me, top_card(s, d, 0)) + randint(rng, 2)  # ties by chance
            if here > most:
                best, most = d, here
    if s.phase == CHOOSE:
        if not s.legal[0] >> SINGLE & 1:
            return SPLIT
        single = 2 * gain(s, me, top_card(s, s.fallen - LOWEST, 0))
        return SPLIT if s.legal[0] >> SPLIT & 1 and most > single else SINGLE
    return TAKE_AT + LOWEST + best


@rule
def name(s: State) -> int:
    """Name oneself the winner, or whoever may be."""
    if s.legal[0] >> (WINNER + s.player) & 1:
        return WINNER + s.player
    for seat in range(s.seats):
        if s.legal[0] >> (WINNER + seat) & 1:
            return WINNER + seat
    return -1


@rule
def take_lead(s: State, d: int, dice: int, mean: Floats, log: Log) -> float:
    """Return the expected lead of the seat to move at the end of a split that it goes on with by a take."""
    me = s.player
    unknown = imagine(s, me, d, 0, log)
    play_split(s, following(s, me), without(s, dice, d), unknown, mean, log)
    value = lead(s, me, mean, log)
    take_back(s, log, 0)
    return value


@rule
def single_lead(s: State, d: int, mean: Floats, log: Log) -> float:
    """Return the expected lead after taking the top of a deck and the card under it."""
    me = s.player
    unknown = imagine(s, me, d, 0, log)
    value = lead(s, me, mean, log)
    if s.left[d] > 0 and not ended(s):
        mean_gains(s, unknown, mean[SEATS:])  # the first card changes what the second is worth
        value += mean[SEATS + me]
    take_back(s, log, 0)
    return value


@rule
def greedy(s: State, rng: Stream) -> int:
    """Choose what leaves the largest expected lead over the best rival in points when the round is over.

    A take counts with what all others take after it; a card nobody has seen counts its mean over those unseen. The aim
    is the one with the best mean over how many dice then fall and where.
    """
    if s.phase == NAME:
        return name(s)
    log, mean = np.zeros(ROOM, np.int64), np.zeros(2 * SEATS, np.float64)
    mean_gains(s, 0, mean)
    if s.phase == SHAKE:
        return AIM + best_aim(s, mean, log)
    dice = lying(s)
    if s.phase == CHOOSE and not s.legal[0] >> SPLIT & 1:
        return SINGLE
    best, most = -1, -1e9
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            value = take_lead(s, d, dice, mean, log)
            if value > most:
                best, most = d, value
    if s.phase == CHOOSE:
        if s.legal[0] >> SINGLE & 1 and single_lead(s, s.fallen - LOWEST, mean, log) > most:
            return SINGLE
        return SPLIT
    return TAKE_AT + LOWEST + best


@rule
def leads_by_fallen(s: State, mean: Floats, log: Log, out: Floats) -> None:
    """Write the lead to expect at the end of the round for each number of dice that may fall."""
    me = s.player
    skipped = lead(s, me, mean, log)
    for n in range(DICE + 1):
        out[n] = skipped
    for n in range(LOWEST, LOWEST + DECKS):
        single = single_lead(s, n - LOWEST, mean, log) if s.left[n - LOWEST] > 0 else -1e9
        total = 0.0
        for i in range(ROLLS.shape[1]):
            dice = ROLLS[n - LOWEST, i]
            for d in range(DECKS):
                if s.left[d] == 0:
                    dice &= ~(15 << (4 * d))
            value = single
            if dice != 0:
                play_split(s, me, dice, 0, mean, log)
                value = max(value, lead(s, me, mean, log))
                take_back(s, log, 0)
            total += skipped if value < -1e8 else value
        out[n] = total / ROLLS.shape[1]


@rule
def best_aim(s: State, mean: Floats, log: Log) -> int:
    """Return how many dice to aim for: the best expected lead at the end of the round."""
    out = np.empty(DICE + 1, np.float64)
    leads_by_fallen(s, mean, log, out)
    best, most = 0, -1e9
    for aim in range(2, 8):
        value = 0.0
        for n in range(DICE + 1):
            value += CHANCE[aim, n] * out[n]
        if value > most:
            best, most = aim, value
    return best


@rule
def order(s: State, action: int) -> float:
    """Return how late a search should try a move: takes by points for the mover and its best rival."""
    if action < SPLIT:
        return abs(action - AIM - 4) + 0.0
    if action >= WINNER:
        return 0.0 if action - WINNER == s.player else 1.0
    if action == SPLIT:
        return 0.0
    d = s.fallen - LOWEST if action == SINGLE else action - TAKE_AT - LOWEST
    card = top_card(s, d, 0)
    return -0.1 * gain(s, s.player, card) - (0.0 if action == SINGLE else 0.1 * gain(s, best_rival(s, s.player), card))


# Features: the table at the end of a round (perhaps in mind), seen by one seat.

LEADS, STAGES, GAINS = 25, 9, 9
COLUMN, PROSPECT = 1 + 8 * 3 * 2 * 6, 18 * 12
AT_LEAD = 0  # lead over the best rival, by stage
AT_LEAD_2 = AT_LEAD + LEADS * STAGES  # over each other rival
AT_BASKET = AT_LEAD_2 + LEADS  # whose basket comes next, by stage
AT_LEFT = AT_BASKET + SEATS * STAGES  # cards in the two smallest decks
AT_COLUMN = AT_LEFT + 13 * 13  # own columns, the best rival's, the others'
AT_PROSPECT = AT_COLUMN + 3 * COLUMN
AT_TOP = AT_PROSPECT + 3 * PROSPECT  # a top: what it brings me, what my best rival, whose basket comes next
AT_HIDDEN = AT_TOP + GAINS * GAINS * 3
N_FEATURES = AT_HIDDEN + 3
MAX_ACTIVE = 1 + 2 + 1 + 1 + 2 * SEATS * SUITS + DECKS


@rule
def lead_bucket(points: float) -> int:
    """Return one of LEADS classes of a lead, the finer the closer."""
    size = int(abs(points) + 1.0) >> 1
    if size > 6:
        size = 7 + (size > 8) + (size > 10) + (size > 13) + (size > 17) + (size > 22)
    return 12 + size if points >= 0 else 12 - size


@rule
def gain_bucket(points: int) -> int:
    """Return one of GAINS classes of points a card brings."""
    size = abs(points)
    size = (size > 0) + (size > 4) + (size > 8) + (size > 16)
    return 4 + size if points >= 0 else 4 - size


@rule
def unseen_cards(s: State, unseen: Log) -> None:
    """Write for each suit, of the cards nobody has seen: conversions, doubles, bans and the sum of socks."""
    unseen[:] = 0
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            card = wide(s.deck[d, i])
            at, face = 4 * (card >> 4), card & 15
            if face >= CONVERSION:
                unseen[at + face - CONVERSION] += 1
            else:
                unseen[at + 3] += face


@rule
def stage_of(few: int) -> int:
    """Return one of STAGES classes of the cards to take, at least, until the game ends."""
    few = max(few - 1, 0)
    return few if few < 4 else 4 + (few > 5) + (few > 7) + (few > 10) + (few > 14)


@rule
def features(s: State, me: int, unknown: int, unseen: Log, mean: Floats, log: Log, on: Features) -> int:
    """Write the features of the table for one seat when the round is over; return their number."""
    rival, ahead = -1, 1e9
    mine = score(s, me) + luck(log, me, mean)
    few, second = 13, 13
    for d in range(DECKS):
        left = wide(s.left[d])
        if left < few:
            few, second = left, few
        elif left < second:
            second = left
    stage = stage_of(few + second if s.seats == 2 else few)
    n, at = 1, 1
    for seat in range(s.seats):
        if seat != me:
            here = mine - score(s, seat) - luck(log, seat, mean)
            on[n] = AT_LEAD_2 + lead_bucket(here)
            n += 1
            if here < ahead:
                rival, ahead = wide(seat), here
                at = n - 1
    n -= 1  # the best rival's lead is told by stage instead
    on[at] = on[n]
    on[0] = AT_LEAD + stage * LEADS + lead_bucket(ahead)
    holder = following(s, s.holder)
    on[n] = AT_BASKET + stage * SEATS + (holder - me if holder >= me else holder - me + s.seats)
    on[n + 1] = AT_LEFT + few * 13 + second
    n += 2
    for seat in range(s.seats):
        whose = 0 if seat == me else 1 if seat == rival else 2
        for suit in range(SUITS):
            if s.bans[seat, suit] > 0:
                on[n] = AT_COLUMN + whose * COLUMN
                n += 1
                continue
            socks, doubles, flip = wide(s.socks[seat, suit]), wide(s.doubles[seat, suit]), s.conversions[seat, suit] & 1
            size = min(socks >> 1, 5 + (socks > 11) + (socks > 15))
            column = (size * 3 + doubles) * 2 + flip
            on[n] = AT_COLUMN + whose * COLUMN + 1 + column * 6 + unseen[4 * suit + 2] * 3 + min(unseen[4 * suit], 2)
            column = (((socks > 0) + (socks > 8)) * 3 + doubles) * 2 + flip
            more = unseen[4 * suit + 3]
            on[n + 1] = AT_PROSPECT + whose * PROSPECT
            on[n + 1] += column * 12 + unseen[4 * suit + 1] * 4 + (more > 0) + (more > 8) + (more > 16)
            n += 2
    basket = 0 if holder == me else 1 if holder == rival else 2
    for d in range(DECKS):
        if s.left[d] > 0:
            card = top_card(s, d, unknown)
            if card == HIDDEN:
                on[n] = AT_HIDDEN + basket
            else:
                on[n] = (
                    AT_TOP + (gain_bucket(gain(s, me, card)) * GAINS + gain_bucket(gain(s, rival, card))) * 3 + basket
                )
            n += 1
    return n


@rule
def result(s: State, me: int, mean: Floats, log: Log) -> float:
    """Return the chance of a seat to have won when the game is over, perhaps by cards that nobody has seen."""
    mine = score(s, me) + luck(log, me, mean)
    for seat in range(s.seats):
        if seat != me:
            theirs = score(s, seat) + luck(log, seat, mean)
            if theirs > mine:
                return 0.0
            if theirs == mine and s.sock_cards[seat] > s.sock_cards[me]:
                return 0.0
            if theirs == mine and s.sock_cards[seat] == s.sock_cards[me] and s.holder != me:
                return 0.0  # the holder of the basket names itself
    return 1.0


@rule
def worth(
    s: State, me: int, unknown: int, unseen: Log, mean: Floats, log: Log, net: Net, work: Any, on: Features
) -> float:
    """Return the chance of a seat to win from the end of a round, by the network if the game goes on."""
    if ended(s):
        return result(s, me, mean, log)
    return forward(net, on, features(s, me, unknown, unseen, mean, log, on), work)


@rule
def card_worths(
    s: State, unseen: Log, mean: Floats, log: Log, net: Net, work: Any, on: Features, worths: Floats
) -> float:
    """Write how the mover's chance to win changes if a seat takes the top of a deck, or (last) a card nobody has seen.

    worths[7 · seat + deck]; return the chance if nobody takes anything.
    """
    me = s.player
    now = worth(s, me, 0, unseen, mean, log, net, work, on)
    kinds = np.zeros(16 * SUITS, np.int64)
    total = 0
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            kinds[s.deck[d, i]] += 1
            total += 1
    for seat in range(s.seats):
        for d in range(DECKS):
            if s.left[d] > 0:
                unknown = imagine(s, seat, d, 0, log)
                worths[7 * seat + d] = worth(s, me, unknown, unseen, mean, log, net, work, on) - now
                take_back(s, log, 0)
        # A card nobody has seen: the mean over SAMPLES of them, evenly spaced in the order of kinds.
        value, n, passed = 0.0, 0, 0
        for card in range(16 * SUITS):
            passed += SAMPLES * kinds[card]
            if n * total + (total >> 1) < passed:
                give(s, seat, card, 1)
                here = worth(s, me, 0, unseen, mean, log, net, work, on) - now
                give(s, seat, card, -1)
                while n * total + (total >> 1) < passed:
                    value += here
                    n += 1
        worths[7 * seat + 6] = value / max(n, 1)
    return now


@rule
def drafted(s: State, seat: int, dice: int, worths: Floats) -> float:
    """Return the change of the mover's chance to win by a split, the worth of each card taken as given."""
    me, total, seen = s.player, 0.0, 0
    while dice != 0:
        other = best_rival(s, me) if seat == me else seat
        best, most = -1, -1e9
        for d in range(DECKS):
            if dice >> (4 * d) & 15:
                at = 6 if seen >> d & 1 else d
                swing = worths[7 * me + at] - worths[7 * other + at]
                if swing > most:
                    best, most = d, swing
        total += worths[7 * seat + (6 if seen >> best & 1 else best)]
        seen |= 1 << best
        dice -= 1 << (4 * best)
        seat = following(s, seat)
    return total


@rule
def aim_worths(s: State, unseen: Log, mean: Floats, log: Log, net: Net, work: Any, on: Features, values: Any) -> None:
    """Write the chance to win for each aim from 2 to 7: the mean over the dice that may fall."""
    worths = np.zeros(7 * SEATS, np.float64)
    me = s.player
    now = card_worths(s, unseen, mean, log, net, work, on, worths)
    out = np.zeros(DICE + 1, np.float64)
    for n in range(LOWEST, LOWEST + DECKS):
        single = -1e9
        if s.left[n - LOWEST] > 0:
            single = worths[7 * me + n - LOWEST] + (worths[7 * me + 6] if s.left[n - LOWEST] > 1 else 0.0)
        for i in range(ROLLS.shape[1]):
            dice = ROLLS[n - LOWEST, i]
            for d in range(DECKS):
                if s.left[d] == 0:
                    dice &= ~(15 << (4 * d))
            split = drafted(s, me, dice, worths) if dice != 0 else -1e9
            out[n] += 0.0 if max(split, single) < -1e8 else max(split, single)
        out[n] /= ROLLS.shape[1]
    for aim in range(2, 8):
        value = now
        for n in range(DICE + 1):
            value += CHANCE[aim, n] * out[n]
        values[aim - 2] = min(max(value, 0.0), 1.0)


@rule
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any) -> int:
    """List the moves with the mover's chance to win, by the network on what will lie there when the round is over."""
    me = s.player
    if s.phase == NAME:
        actions[0], values[0] = name(s), 1.0 if s.legal[0] >> (WINNER + me) & 1 else 0.0
        return 1
    log, mean, unseen = np.zeros(ROOM, np.int64), np.zeros(2 * SEATS, np.float64), np.zeros(4 * SUITS, np.int64)
    mean_gains(s, 0, mean)
    unseen_cards(s, unseen)
    if s.phase == SHAKE:
        aim_worths(s, unseen, mean, log, net, work, on, values)
        for aim in range(2, 8):
            actions[aim - 2] = AIM + aim
        return 6
    dice, n = lying(s), 0
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            actions[n] = TAKE_AT + LOWEST + d
            values[n] = take_worth(s, d, dice, unseen, mean, log, net, work, on)
            n += 1
    if s.phase == CHOOSE:
        if n > 0:  # a split is worth its best take
            values[0] = values[:n].max()
            actions[0] = SPLIT
            n = 1
        if s.legal[0] >> SINGLE & 1:
            actions[n], values[n] = SINGLE, single_worth(s, unseen, mean, log, net, work, on)
            n += 1
    return n


@rule
def take_worth(
    s: State, d: int, dice: int, unseen: Log, mean: Floats, log: Log, net: Net, work: Any, on: Features
) -> float:
    """Return the mover's chance to win after a take and the rest of the split in mind."""
    me, seat = s.player, following(s, s.player)
    unknown = imagine(s, me, d, 0, log)
    dice = without(s, dice, d)
    if s.seats > 2 or dice == 0 or ended(s):
        unknown = play_split(s, seat, dice, unknown, mean, log)
        value = worth(s, me, unknown, unseen, mean, log, net, work, on)
    else:  # of two, the other takes what is worst for the mover
        value = 1.0
        for e in range(DECKS):
            if dice >> (4 * e) & 15:
                after = imagine(s, seat, e, unknown, log)
                after = play_split(s, me, without(s, dice, e), after, mean, log)
                value = min(value, worth(s, me, after, unseen, mean, log, net, work, on))
                take_back(s, log, 1)
    take_back(s, log, 0)
    return value


@rule
def single_worth(s: State, unseen: Log, mean: Floats, log: Log, net: Net, work: Any, on: Features) -> float:
    """Return the mean chance to win after taking the top of a deck and each card that may lie under it."""
    me, d = s.player, s.fallen - LOWEST
    unknown = imagine(s, me, d, 0, log)
    if s.left[d] == 0 or ended(s):
        value = worth(s, me, unknown, unseen, mean, log, net, work, on)
        take_back(s, log, 0)
        return value
    kinds = np.zeros(16 * SUITS, np.int64)
    for i in range(DECKS):
        for j in range(s.left[i] - (i != d)):
            kinds[s.deck[i, j]] += 1
    imagine(s, me, d, unknown, log)
    log[log[0]] = 0  # not by its mean: each card is given below
    total, n = 0.0, 0
    for card in range(16 * SUITS):
        if kinds[card] > 0:
            give(s, me, card, 1)
            total += kinds[card] * worth(s, me, unknown, unseen, mean, log, net, work, on)
            n += kinds[card]
            give(s, me, card, -1)
    log[log[0]] = HIDDEN | me << 8 | d << 12
    take_back(s, log, 0)
    return total / n


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of the end of the round that a take leads to; 0 for other moves and if the game ends."""
    if s.phase == CHOOSE or s.phase == SHAKE or action >= WINNER:
        return 0
    log, mean, unseen = np.zeros(ROOM, np.int64), np.zeros(2 * SEATS, np.float64), np.zeros(4 * SUITS, np.int64)
    mean_gains(s, 0, mean)
    unseen_cards(s, unseen)
    d = action - TAKE_AT - LOWEST
    unknown = imagine(s, s.player, d, 0, log)
    unknown = play_split(s, following(s, s.player), without(s, lying(s), d), unknown, mean, log)
    n = 0 if ended(s) else features(s, s.player, unknown, unseen, mean, log, on)
    take_back(s, log, 0)
    return n
