"""What the bots know about Out of Sock: a beginner's and a good rule of thumb, features and choices by value.

Nothing is hidden but the order of the cards under the tops, and all seats know the same. Both the rule of thumb and
the network look at the end of the round: the rest of a split is played out in mind, the cards that turn up meanwhile
stay unknown, and what lies there then is compared in points or by the network.
"""

from typing import Any

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import rule, shared, wide
from tavolino.engine.lines import single_moves
from tavolino.engine.maths import exp
from tavolino.engine.net import NEAR, WIDE, Features, Net, forward
from tavolino.engine.rng import Stream, randint
from tavolino.games.out_of_sock.mind import (
    CHANCE,
    HIDDEN,
    ROLLS,
    SAMPLES,
    Floats,
    Mind,
    best_rival,
    count_unseen,
    ended,
    following,
    gain,
    imagine,
    kinds_of,
    lead,
    lose,
    lying,
    make_up_mind,
    mean_gain,
    play_round,
    play_split,
    points,
    receive,
    result,
    rival_of,
    sample_of,
    take_back,
    top_card,
    unseen_of,
    without,
)
from tavolino.games.out_of_sock.rules import (
    AIM,
    AIMED,
    CHOOSE,
    CONVERSION,
    DECKS,
    DICE,
    LOWEST,
    NAME,
    ROLL,
    SEATS,
    SHAKE,
    SINGLE,
    SPLIT,
    SUITS,
    TAKE_AT,
    WINNER,
    suit_score,
)

DOUBT = 0.06  # how far to distrust an end of the game that several takes in mind lead to
TURNS, ROUNDS, TRIES = 0, 4, 2000  # how far expert looks ahead, and how often if no limits say so
SEARCH = ("naive", (0.5, 0.1, 2.0))  # how `search` plays out; (explore, noise, widen), not tuned yet
ROUGH = 32  # how roughly a beginner counts, in halves of a point

# The rules of thumb.


@rule
def naive(s: State, rng: Stream) -> int:
    """Take what seems to bring most points now, counted roughly, without a thought for what comes up; aim for four."""
    me = s.player
    if s.phase == SHAKE:
        return AIM + 4
    if s.phase == NAME:
        return name(s)
    best, most = -1, -1000
    for d in range(DECKS):
        if s.dice[d] > 0 and s.left[d] > 0:
            here = 2 * gain(s, me, top_card(s, d, 0)) + randint(rng, ROUGH)
            if here > most:
                best, most = d, here
    if s.phase == CHOOSE:
        if not s.legal[0] >> SINGLE & 1:
            return SPLIT
        single = 2 * gain(s, me, top_card(s, s.fallen - LOWEST, 0)) + randint(rng, ROUGH)
        return SPLIT if s.legal[0] >> SPLIT & 1 and most > single else SINGLE
    return TAKE_AT + LOWEST + best


@rule
def name(s: State) -> int:
    """Name oneself the winner, or whoever may be."""
    if s.legal[0] >> (WINNER + s.player) & 1:
        return WINNER + wide(s.player)
    for seat in range(s.seats):
        if s.legal[0] >> (WINNER + seat) & 1:
            return WINNER + seat
    return -1


@rule
def take_lead(s: State, d: int, dice: int, mind: Mind) -> float:
    """Return the expected lead of the seat to move at the end of a split that it goes on with by a take."""
    me = s.player
    unknown = imagine(s, me, d, 0, mind)
    play_split(s, following(s, me), without(s, dice, d), unknown, mind)
    value = lead(s, me, mind)
    take_back(s, mind, 0)
    return value


@rule
def single_lead(s: State, d: int, mind: Mind) -> float:
    """Return the expected lead after taking the top of a deck and the card under it."""
    me = s.player
    imagine(s, me, d, 0, mind)
    value = lead(s, me, mind)
    if s.left[d] > 0 and not ended(s):
        value += mean_gain(s, me, mind)  # the first card changes what the second is worth
    take_back(s, mind, 0)
    return value


@rule
def greedy(s: State, rng: Stream) -> int:
    """Choose what leaves the largest expected lead over the best rival in points when the round is over.

    A take counts with what all others take after it; a card nobody has seen counts its mean over those unseen. The aim
    is the one with the best mean over how many dice then fall and where.
    """
    if s.phase == NAME:
        return name(s)
    mind = make_up_mind(s)
    if s.phase == SHAKE:
        return AIM + best_aim(s, mind)
    dice = lying(s)
    if s.phase == CHOOSE and not s.legal[0] >> SPLIT & 1:
        return SINGLE
    best, most = -1, -1e9
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            value = take_lead(s, d, dice, mind)
            if value > most:
                best, most = d, value
    if s.phase == CHOOSE:
        if s.legal[0] >> SINGLE & 1 and single_lead(s, s.fallen - LOWEST, mind) > most:
            return SINGLE
        return SPLIT
    return TAKE_AT + LOWEST + best


@rule
def answer(s: State, rng: Stream) -> int:
    """Choose like `greedy`, but always aim for four: what others are taken to do in thought."""
    return AIM + 4 if s.phase == SHAKE else greedy(s, rng)


@rule
def leads_by_fallen(s: State, mind: Mind, out: Floats) -> None:
    """Write the lead to expect at the end of the round for each number of dice that may fall."""
    me = s.player
    skipped = lead(s, me, mind)
    for n in range(DICE + 1):
        out[n] = skipped
    for n in range(LOWEST, LOWEST + DECKS):
        single = single_lead(s, n - LOWEST, mind) if s.left[n - LOWEST] > 0 else -1e9
        total = 0.0
        for i in range(ROLLS.shape[1]):
            dice = ROLLS[n - LOWEST, i]
            for d in range(DECKS):
                if s.left[d] == 0:
                    dice &= ~(15 << (4 * d))
            value = single
            if dice != 0:
                play_split(s, me, dice, 0, mind)
                value = max(value, lead(s, me, mind))
                take_back(s, mind, 0)
            total += skipped if value < -1e8 else value
        out[n] = total / ROLLS.shape[1]


@rule
def best_aim(s: State, mind: Mind) -> int:
    """Return how many dice to aim for: the best expected lead at the end of the round."""
    out = np.empty(DICE + 1, np.float64)
    leads_by_fallen(s, mind, out)
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

LEADS, STAGES, GAINS, SWINGS = 33, 9, 13, 9
COLUMN, PROSPECT, PAIR = 1 + 8 * 3 * 2 * 6, 18 * 12 * 3, 6 * 6 * 6
AT_LEAD = 0  # lead over the best rival, by stage
AT_LEAD_2 = AT_LEAD + LEADS * STAGES  # over each other rival
AT_BASKET = AT_LEAD_2 + LEADS  # whose basket comes next, by stage
AT_LEFT = AT_BASKET + SEATS * STAGES  # cards in the two smallest decks
AT_COLUMN = AT_LEFT + 13 * 13  # own columns, the best rival's, the others'
AT_PROSPECT = AT_COLUMN + 3 * COLUMN
AT_PAIR = AT_PROSPECT + 3 * PROSPECT  # my column of a suit and my best rival's
AT_TOP = AT_PAIR + PAIR  # a top: what it brings me, what my best rival, whose basket comes next
AT_HIDDEN = AT_TOP + GAINS * GAINS * 3
AT_KIND = AT_HIDDEN + 3  # a top: its kind, my column of its suit and my best rival's, whose basket comes next
AT_BEST = AT_KIND + 5 * 6 * 6 * 3  # what the two tops most in demand bring me and my best rival, whose basket
N_FEATURES = AT_BEST + SWINGS * SWINGS * 3
MAX_ACTIVE = 1 + 2 + 1 + 1 + (2 * SEATS + 1) * SUITS + 2 * DECKS + 1


@rule
def over(number: int, bound: int) -> int:
    """Return 1 if a number is above a bound, else 0; interpreted, NumPy would not add up truth values."""
    return 1 if number > bound else 0


@rule
def lead_bucket(points: float) -> int:
    """Return one of LEADS classes of a lead, the finer the closer."""
    size = int(abs(points) + 1.0) >> 1
    if size > 6:
        far = over(size, 22) + over(size, 28) + over(size, 36) + over(size, 46) + over(size, 60)
        size = 7 + over(size, 8) + over(size, 10) + over(size, 13) + over(size, 17) + far
    return 16 + size if points >= 0 else 16 - size


@rule
def gain_bucket(points: int) -> int:
    """Return one of GAINS classes of points a card brings."""
    size = abs(points)
    size = over(size, 0) + over(size, 2) + over(size, 4) + over(size, 8) + over(size, 16) + over(size, 32)
    return 6 + size if points >= 0 else 6 - size


@rule
def swing_bucket(points: int) -> int:
    """Return one of SWINGS classes of what a card brings two seats together."""
    low = over(points, -9) + over(points, -1) + over(points, 3) + over(points, 7)
    return low + over(points, 11) + over(points, 17) + over(points, 25) + over(points, 37)


@rule
def kind_of(card: int) -> int:
    """Return one of 5 kinds of cards: few socks, many, conversion, double, ban."""
    face = card & 15
    return face - CONVERSION + 2 if face >= CONVERSION else over(face, 4)


@rule
def column_class(s: State, seat: int, suit: int) -> int:
    """Return one of 6 classes of a column: banned, empty, empty and turned, below zero, a few points, more."""
    if s.bans[seat, suit] > 0:
        return 0
    points = suit_score(s, seat, suit)
    if points == 0:
        return 1 + (wide(s.conversions[seat, suit]) & 1)
    return 3 + over(points, 0) + over(points, 8)


@rule
def stage_of(few: int) -> int:
    """Return one of STAGES classes of the cards to take, at least, until the game ends."""
    few = max(few - 1, 0)
    return few if few < 4 else 4 + over(few, 5) + over(few, 7) + over(few, 10) + over(few, 14)


@rule
def features(s: State, me: int, holder: int, unknown: int, mind: Mind, on: Features) -> int:
    """Write the features of the table for one seat between two rounds, `holder` the next; return their number."""
    unseen = unseen_of(mind)
    rival, ahead = -1, 1e9
    mine = points(s, me, mind)
    few, second = 13, 13
    for d in range(DECKS):
        left = wide(s.left[d])
        if left < few:
            few, second = left, few
        elif left < second:
            second = left
    stage = stage_of(few + second if s.seats == 2 else few)
    phase = over(stage, 3) + over(stage, 6)
    n, at = 1, 1
    for seat in range(s.seats):
        if seat != me:
            here = mine - points(s, seat, mind)
            on[n] = AT_LEAD_2 + lead_bucket(here)
            n += 1
            if here < ahead:
                rival, ahead = wide(seat), here
                at = n - 1
    n -= 1  # the best rival's lead is told by stage instead
    on[at] = on[n]
    on[0] = AT_LEAD + stage * LEADS + lead_bucket(ahead)
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
            size = min(socks >> 1, 5 + over(socks, 11) + over(socks, 15))
            column = (size * 3 + doubles) * 2 + flip
            on[n] = AT_COLUMN + whose * COLUMN + 1 + column * 6 + unseen[4 * suit + 2] * 3 + min(unseen[4 * suit], 2)
            column = ((over(socks, 0) + over(socks, 8)) * 3 + doubles) * 2 + flip
            more = unseen[4 * suit + 3]
            on[n + 1] = AT_PROSPECT + whose * PROSPECT + phase * 216
            on[n + 1] += column * 12 + unseen[4 * suit + 1] * 4 + over(more, 0) + over(more, 8) + over(more, 16)
            n += 2
    for suit in range(SUITS):
        on[n] = AT_PAIR + (column_class(s, me, suit) * 6 + column_class(s, rival, suit)) * 6
        on[n] += unseen[4 * suit + 2] * 3 + min(unseen[4 * suit], 2)
        n += 1
    basket = 0 if holder == me else 1 if holder == rival else 2
    first, next_best = -99, -99
    for d in range(DECKS):
        if s.left[d] > 0:
            card = top_card(s, d, unknown)
            if card == HIDDEN:
                on[n] = AT_HIDDEN + basket
                n += 1
                continue
            to_me, to_rival = gain(s, me, card), gain(s, rival, card)
            on[n] = AT_TOP + (gain_bucket(to_me) * GAINS + gain_bucket(to_rival)) * 3 + basket
            on[n + 1] = AT_KIND + (kind_of(card) * 6 + column_class(s, me, card >> 4)) * 18
            on[n + 1] += column_class(s, rival, card >> 4) * 3 + basket
            n += 2
            if to_me + to_rival > first:
                first, next_best = to_me + to_rival, first
            else:
                next_best = max(next_best, to_me + to_rival)
    on[n] = AT_BEST + (swing_bucket(first) * SWINGS + swing_bucket(next_best)) * 3 + basket
    return n + 1


@rule
def worth(s: State, me: int, unknown: int, mind: Mind, net: Net, work: Any, on: Features) -> float:
    """Return the chance of a seat to win from the end of a round, by the network if the game goes on.

    At a larger table an end that others bring about in mind is not quite sure: there the lead counts a little, too.
    """
    if ended(s):
        won = result(s, me, mind)
        if s.seats == 2 or mind[0] < 2:
            return won
        return (1.0 - DOUBT) * won + DOUBT / (1.0 + exp(-0.1 * lead(s, me, mind)))
    return forward(net, on, features(s, me, following(s, s.holder), unknown, mind, on), work)


@rule
def card_worths(s: State, mind: Mind, net: Net, work: Any, on: Features, worths: Floats) -> float:
    """Write how the mover's chance to win changes if a seat takes the top of a deck, or (last) a card nobody has seen.

    worths[7 · seat + deck]; return the chance if nobody takes anything.
    """
    me = s.player
    now = worth(s, me, 0, mind, net, work, on)
    for seat in range(s.seats):
        for d in range(DECKS):
            if s.left[d] > 0:
                unknown = imagine(s, seat, d, 0, mind)
                worths[7 * seat + d] = worth(s, me, unknown, mind, net, work, on) - now
                take_back(s, mind, 0)
        value = 0.0
        for card in sample_of(mind):
            receive(s, seat, card, mind)
            value += worth(s, me, 0, mind, net, work, on) - now
            lose(s, seat, card, mind)
        worths[7 * seat + 6] = value / SAMPLES
    return now


@rule
def drafted(s: State, rival: int, dice: int, worths: Floats) -> float:
    """Return the change of the mover's chance to win by a split, the worth of each card taken as given."""
    me, total, seen = s.player, 0.0, 0
    seat, deny = me, 1.0 / (s.seats - 1)
    while dice != 0:
        best, most = -1, -1e9
        for d in range(DECKS):
            if dice >> (4 * d) & 15:
                at = 6 if seen >> d & 1 else d
                if seat == me:
                    swing = worths[7 * me + at] - deny * worths[7 * rival + at]
                else:
                    swing = deny * worths[7 * me + at] - worths[7 * seat + at]
                if swing > most:
                    best, most = d, swing
        total += worths[7 * seat + (6 if seen >> best & 1 else best)]
        seen |= 1 << best
        dice -= 1 << (4 * best)
        seat = following(s, seat)
    return total


@rule
def aim_worths(s: State, mind: Mind, net: Net, work: Any, on: Features, values: Any) -> None:
    """Write the chance to win for each aim from 2 to 7: the mean over the dice that may fall."""
    worths = np.zeros(7 * SEATS, np.float64)
    me, rival = s.player, rival_of(s, s.player, mind)
    now = card_worths(s, mind, net, work, on, worths)
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
            split = drafted(s, rival, dice, worths) if dice != 0 else -1e9
            out[n] += 0.0 if max(split, single) < -1e8 else max(split, single)
        out[n] /= ROLLS.shape[1]
    for aim in range(2, 8):
        value = now
        for n in range(DICE + 1):
            value += CHANCE[aim, n] * out[n]
        values[aim - 2] = min(max(value, 0.0), 1.0)


@shared
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Any, far: int) -> int:
    """List the moves with the mover's chance to win, by the network on what will lie there when the round is over."""
    plan[0] = -1
    me = s.player
    if s.phase == NAME:
        actions[0], values[0] = name(s), 1.0 if s.legal[0] >> (WINNER + me) & 1 else 0.0
        return 1
    mind = make_up_mind(s)
    if s.phase == SHAKE:
        if far == NEAR:  # half of all thought would go into aims, and others are hardly better
            actions[0], values[0] = AIM + 4, forward(net, on, features(s, me, me, 0, mind, on), work)
            return 1
        aim_worths(s, mind, net, work, on, values)
        for aim in range(2, 8):
            actions[aim - 2] = AIM + aim
        return 6
    dice, n = lying(s), 0
    for d in range(DECKS):
        if dice >> (4 * d) & 15:
            actions[n] = TAKE_AT + LOWEST + d
            values[n] = take_worth(s, d, dice, mind, net, work, on)
            n += 1
    if s.phase == CHOOSE:
        if n > 0:  # a split is worth its best take
            values[0] = values[:n].max()
            actions[0] = SPLIT
            n = 1
        if s.legal[0] >> SINGLE & 1:
            actions[n], values[n] = SINGLE, single_worth(s, mind, net, work, on, far)
            n += 1
    return n


@rule
def take_worth(s: State, d: int, dice: int, mind: Mind, net: Net, work: Any, on: Features) -> float:
    """Return the mover's chance to win after a take and the rest of the split in mind.

    If more dice lie at the deck, that is the mean over cards that may turn up there.
    """
    me, seat, top = s.player, following(s, s.player), wide(s.left[d]) - 2
    unknown = imagine(s, me, d, 0, mind)
    dice = without(s, dice, d)
    if dice >> (4 * d) & 15 == 0 or ended(s):
        unknown = play_round(s, seat, dice, unknown, mind)
        value = worth(s, me, unknown, mind, net, work, on)
    else:
        hidden, value = s.deck[d, top], 0.0
        for i in range(0, SAMPLES, 2):
            s.deck[d, top] = sample_of(mind)[i]
            unknown = play_round(s, seat, dice, 0, mind)
            value += worth(s, me, unknown, mind, net, work, on)
            take_back(s, mind, 1)
        s.deck[d, top] = hidden
        value /= SAMPLES // 2
    take_back(s, mind, 0)
    return value


@rule
def single_worth(s: State, mind: Mind, net: Net, work: Any, on: Features, far: int) -> float:
    """Return the mean chance to win after taking the top of a deck and each card that may lie under it.

    Looking NEAR, some of those cards have to do.
    """
    me, d = s.player, s.fallen - LOWEST
    unknown = imagine(s, me, d, 0, mind)
    if s.left[d] == 0 or ended(s):
        value = worth(s, me, unknown, mind, net, work, on)
        take_back(s, mind, 0)
        return value
    s.left[d] -= 1
    s.empty += s.left[d] == 0
    total, cards = 0.0, 0
    for i in range(SAMPLES if far == NEAR else 16 * SUITS):
        card = sample_of(mind)[i] if far == NEAR else i
        number = 1 if far == NEAR else kinds_of(mind)[i]
        if number > 0:
            receive(s, me, card, mind)
            total += number * worth(s, me, unknown, mind, net, work, on)
            lose(s, me, card, mind)
            cards += number
    s.empty -= s.left[d] == 0
    s.left[d] += 1
    take_back(s, mind, 0)
    return total / cards


@rule
def turns(s: State, net: Net, work: Any, on: Features, lines: Any, values: Any) -> int:
    """List the moves that the network likes best, best first; return their number."""
    actions, worths, plan = np.empty(16, np.int64), np.empty(16, np.float64), np.empty(1, np.int64)
    return single_moves(actions, worths, choose(s, net, work, on, actions, worths, plan, WIDE), lines, values)


@rule
def mistakes(s: State, level: int) -> float:
    """Return the share of beginner's moves of `easy`, and how far `medium` and `hard` misjudge, in log odds."""
    return 1.0 if level == 0 else 0.37 if level == 1 else 0.1


@rule
def plausible(s: State, past: Any, rng: Stream) -> bool:
    """Take every world as it comes: no hands are hidden."""
    return True


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of the end of the round that a take leads to, or of the begin of one when shaking.

    0 for other moves, and if the game ends.
    """
    me = s.player
    if s.phase == CHOOSE or s.phase == NAME:
        return 0
    mind = make_up_mind(s)
    if s.phase == SHAKE:
        return features(s, me, me, 0, mind, on)
    d = action - TAKE_AT - LOWEST
    unknown = imagine(s, me, d, 0, mind)
    unknown = play_round(s, following(s, me), without(s, lying(s), d), unknown, mind)
    n = 0 if ended(s) else features(s, me, following(s, s.holder), unknown, mind, on)
    take_back(s, mind, 0)
    return n


@rule
def outlook(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    """Return a seat's chance to win by the network where a round begins; -1 elsewhere."""
    if s.phase != (SHAKE if s.basket == AIMED else ROLL):
        return -1.0
    return _by_network(s, viewer, net, work, on)


@shared
def _by_network(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    """Return a seat's chance to win by the network where a round begins."""
    return forward(net, on, features(s, viewer, s.holder, 0, count_unseen(s), on), work)
