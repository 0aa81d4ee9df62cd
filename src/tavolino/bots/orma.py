"""What bots know of Orma: a beginner's move, a rule of thumb, and what the network sees and chooses by.

Everything is judged on a *sketch*: the few numbers of a position that matter, as the seat that has just moved leaves
it. Laying a token changes a copy of the sketch, never the state, and all that is hidden enters it only as a count of
unseen tokens.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.net import Features, Net, forward
from tavolino.games.jit import State, count, lowest, rule, wide
from tavolino.games.orma import BLACK, COLOURS, DRAW, EACH, KEEP, MIXED, NOTHING, PASS, ROW
from tavolino.games.rng import Stream, randint

Sketch = NDArray[np.int64]

# A sketch: six numbers for each of these, black first …
OWN, UNSEEN, LONGEST, SECOND, STARTS, LACKS, NEXT_LIKELY, LIKELY = range(0, 8 * COLOURS, COLOURS)
# … then single ones. TIED: how many rivals have the best score of all rivals. POOL: unseen tokens that may be anywhere,
# that is without the GIVEN black tokens that rivals still hold for sure. HELD, NEXT_HELD: how many of the pool are in
# the hands of all rivals and of the next player.
SEATS, SCORE, BEST, TIED, AHEAD, HAND, LEAST, NEXT, STACK, OPEN, PASSES, GIVEN, POOL, HELD, NEXT_HELD = range(48, 63)
SKETCH = 63


@rule
def measure(s: State, colour: int, changed: int, length: int, sketch: Sketch) -> None:
    """Write the two longest open rows of a colour, taking row `changed` as so long (0: it is closed)."""
    longest = second = 0
    rows = s.place[colour] >> ROW
    while rows:
        r = lowest(rows)
        rows &= rows - 1
        here = length if r == changed else wide(s.row_length[r])
        if here > longest:
            second = longest
            longest = here
        elif here > second:
            second = here
    sketch[LONGEST + colour] = longest
    sketch[SECOND + colour] = second


@rule
def look(s: State, sketch: Sketch) -> None:
    """Sketch the position as the seat to move knows it, a token just drawn in its hand."""
    me = wide(s.player)
    seats = wide(s.seats)
    for colour in range(COLOURS):
        own = wide(s.hand[me, colour])
        sketch[OWN + colour] = own
        sketch[UNSEEN + colour] = EACH - own
        sketch[STARTS + colour] = 0
        if colour != BLACK:
            measure(s, colour, NOTHING, 0, sketch)
            sketch[STARTS + colour] = count(s.place[colour] & ((1 << ROW) - 1))
    sketch[LONGEST] = sketch[SECOND] = 0
    for r in range(s.rows):
        sketch[UNSEEN + s.row_colour[r]] -= wide(s.row_length[r])
    blacks = EACH if s.spare == MIXED else 1 + seats + wide(s.spare)
    given = held = ahead = tied = 0
    best = least = -1
    for seat in range(seats):
        if seat == me:
            continue
        given += s.blacks_laid[seat] == 0
        held += wide(s.hand_size[seat])
        ahead += s.score[seat] > s.score[me]
        if s.score[seat] > best:
            best = wide(s.score[seat])
            tied = 0
        tied += s.score[seat] == best
        if least < 0 or s.hand_size[seat] < least:
            least = wide(s.hand_size[seat])
    after_me = me + 1 if me + 1 < seats else 0
    sketch[UNSEEN + BLACK] = blacks - wide(s.blacks) - sketch[OWN + BLACK] - given
    sketch[SEATS] = seats
    sketch[SCORE] = wide(s.score[me])
    sketch[BEST] = best
    sketch[TIED] = tied
    sketch[AHEAD] = ahead
    sketch[HAND] = wide(s.hand_size[me])
    sketch[LEAST] = least
    sketch[NEXT] = wide(s.hand_size[after_me])
    sketch[STACK] = wide(s.stack_left)
    sketch[OPEN] = count(s.place[BLACK])
    sketch[PASSES] = wide(s.passes)
    sketch[GIVEN] = given
    sketch[POOL] = held - given + wide(s.stack_left)
    sketch[HELD] = held - given
    sketch[NEXT_HELD] = sketch[NEXT] - (1 if s.blacks_laid[after_me] == 0 else 0)
    guess(sketch)


@rule
def likely(unseen: int, held: int, pool: int) -> int:
    """Return a step from 0 to 7 for how many of the unseen tokens of a colour are in a hand, on average."""
    if unseen == 0 or held == 0:
        return 0
    tenths = 10 * unseen * held // pool
    if tenths < 8:
        return 1 if tenths < 3 else 2 if tenths < 5 else 3
    return 4 if tenths < 12 else 5 if tenths < 18 else 6 if tenths < 28 else 7


@rule
def guess(sketch: Sketch) -> None:
    """Write what the rivals may hold of each colour: LACKS, how likely the next player has none, in 1,024ths."""
    pool = max(sketch[POOL], 1)
    free = pool - sketch[NEXT_HELD]
    for colour in range(1, COLOURS):
        lacks = 1024
        for _ in range(sketch[UNSEEN + colour]):
            lacks = lacks * free // pool
        sketch[LACKS + colour] = lacks
        sketch[NEXT_LIKELY + colour] = likely(sketch[UNSEEN + colour], sketch[NEXT_HELD], pool)
        sketch[LIKELY + colour] = likely(sketch[UNSEEN + colour], sketch[HELD], pool)


@rule
def lay(s: State, before: Sketch, colour: int, where: int, after: Sketch) -> int:
    """Sketch what laying a token leaves; return its points."""
    for i in range(SKETCH):
        after[i] = before[i]
    after[OWN + colour] -= 1
    after[HAND] -= 1
    after[PASSES] = 0
    points = 0
    if where < ROW:
        points = 1
        after[OPEN] += 1
        if after[LONGEST + colour] == 0:
            after[LONGEST + colour] = 1
        elif after[SECOND + colour] == 0:
            after[SECOND + colour] = 1
        for other in range(1, COLOURS):
            if s.place[other] >> where & 1 and (other == colour or s.black_rows[where] > 0):
                after[STARTS + other] -= 1
    elif colour != BLACK:
        points = wide(s.row_length[where - ROW]) + 1
        measure(s, colour, where - ROW, points, after)
    else:
        r = where - ROW
        closed, b = wide(s.row_colour[r]), wide(s.row_start[r])
        measure(s, closed, r, 0, after)
        after[OPEN] -= 1
        reopened = s.black_rows[b] == 2 and s.black_open[b] == 1
        for other in range(1, COLOURS):
            after[STARTS + other] += other != closed
            if reopened and not s.black_colours[b] >> other & 1:
                after[STARTS + other] += 1
    after[SCORE] += points
    return points


@rule
def draw(sketch: Sketch, colour: int, number: int) -> None:
    """Move so many tokens of a colour from the stack to the hand in a sketch (-1: back again)."""
    sketch[OWN + colour] += number
    sketch[HAND] += number
    sketch[UNSEEN + colour] -= number
    sketch[POOL] -= number
    sketch[STACK] -= number
    guess(sketch)


@rule
def chance_drawn(s: State, sketch: Sketch, colour: int) -> float:
    """Return the chance that the next token of the stack has a colour, given all that the seat to move knows."""
    if s.spare == MIXED:
        return sketch[UNSEEN + colour] / sketch[POOL]
    spots = wide(s.stack_left)  # where spare black tokens can be: in the stack, or drawn and kept by a rival
    for seat in range(s.seats):
        if seat != s.player:
            spots += s.kept[seat]
    black = sketch[UNSEEN + BLACK] / spots
    if colour == BLACK:
        return black
    coloured = sketch[POOL] - sketch[UNSEEN + BLACK]
    return (1.0 - black) * sketch[UNSEEN + colour] / coloured if coloured > 0 else 0.0


@rule
def final(sketch: Sketch) -> float:
    """Return the mover's share of the win if the game ends here."""
    if sketch[SCORE] == sketch[BEST]:
        return 1.0 / (1 + sketch[TIED])
    return 1.0 if sketch[SCORE] > sketch[BEST] else 0.0


# The beginner and the rule of thumb.


@rule
def naive(s: State, rng: Stream) -> int:
    """Take the most points there are now; draw only when nothing can be laid; never think of who comes next."""
    pick, most, ties = -1, -1, 0
    for colour in range(COLOURS):
        places = s.legal[colour]
        if colour == BLACK:
            places = places >> ROW << ROW
        while places:
            where = lowest(places)
            places &= places - 1
            points = 0
            if colour != BLACK:
                points = 1 if where < ROW else wide(s.row_length[where - ROW]) + 1
            if points > most:
                most = points
                ties = 0
            if points == most:
                ties += 1
                if randint(rng, ties) == 0:
                    pick = 64 * colour + where
    return pick if pick >= 0 else lowest(s.legal[BLACK])


FAITH, SPITE, LATER, BLACK_WORTH, HASTE = 0, 1, 2, 3, 4
THUMB = np.array([0.6, 0.7, 0.3, 0.55, 5.8])


@rule
def promise(sketch: Sketch, k: Any) -> float:
    """Return what the open rows promise the mover in points, less what they promise to the others."""
    left = min(sketch[HAND], sketch[LEAST])
    faith = k[FAITH] * min(1.0, left / k[HASTE])
    total = k[BLACK_WORTH] * sketch[OWN + BLACK] * min(1.0, left / k[HASTE])
    for colour in range(1, COLOURS):
        mine = 1.0 * sketch[OWN + colour]
        theirs = sketch[UNSEEN + colour] * sketch[HELD] / max(sketch[POOL], 1)
        there = sketch[LONGEST + colour] + k[LATER] * (mine + theirs)
        total += faith * (mine - k[SPITE] * theirs) * there
    return total


@rule
def judge(after: Sketch, k: Any) -> float:
    if after[HAND] == 0:
        return 1000.0 * (final(after) - 0.5)
    return after[SCORE] + promise(after, k)


@rule
def thumb(s: State, rng: Stream, k: Any) -> int:
    base, after = np.empty(SKETCH, np.int64), np.empty(SKETCH, np.int64)
    look(s, base)
    pick, best = -1, -1e9
    for colour in range(COLOURS):
        places = s.legal[colour]
        if colour == BLACK:
            places = places >> ROW << ROW
        while places:
            where = lowest(places)
            places &= places - 1
            lay(s, base, colour, where, after)
            value = judge(after, k)
            if value > best:
                best = value
                pick = 64 * colour + where
    if s.legal[BLACK] >> DRAW & 1:
        value = 0.0
        for colour in range(COLOURS):
            chance = chance_drawn(s, base, colour)
            if chance > 0:
                draw(base, colour, 1)
                most = judge(base, k)
                places = s.place[colour]
                while places:
                    lay(s, base, colour, lowest(places), after)
                    places &= places - 1
                    most = max(most, judge(after, k))
                draw(base, colour, -1)
                value += chance * most
        if value > best:
            return DRAW
    elif s.legal[BLACK] >> KEEP & 1:
        if judge(base, k) > best:
            return KEEP
    else:
        value = judge(base, k)
        base[PASSES] += 1
        if base[PASSES] == base[SEATS]:
            value = 1000.0 * (final(base) - 0.5)
        if value > best:
            return PASS
    return pick


@rule
def greedy(s: State, rng: Stream) -> int:
    return thumb(s, rng, THUMB)


@rule
def order(s: State, action: int) -> float:
    """Return how late a legal move should be tried in a search: most points first, drawing and keeping early."""
    colour, where = action >> 6, action & 63
    if colour == BLACK:
        if where < ROW:
            return -4.0
        r = where - ROW
        return wide(s.row_length[r]) * (0.5 if s.hand[s.player, s.row_colour[r]] > 0 else -1.0)
    if where < ROW:
        return -1.0
    return -1.0 - wide(s.row_length[where - ROW])


# What the network sees: the same weights for all five colours.

L, N, U, M = (
    11,
    8,
    13,
    8,
)  # lengths of rows, own, unseen and expected rivals' tokens of a colour, the last of each: or more
F_OWN = 0  # longest × own × second longest
F_UNSEEN = F_OWN + L * N * 4  # longest × unseen
F_STARTS = F_UNSEEN + L * U  # longest × start places × own
F_SHARE = F_STARTS + L * 4 * 4  # own × unseen
F_NEXT = F_SHARE + N * U  # longest × likely in the next hand × own
F_RIVALS = F_NEXT + L * M * 4  # the same for all rivals, with more than two players
F_LEAD = F_RIVALS + L * M * 4
F_LEAD_HAND = F_LEAD + 61
F_LEAD_LEAST = F_LEAD_HAND + 15 * 12
F_LEAD_STACK = F_LEAD_LEAST + 15 * 12
F_HAND = F_LEAD_STACK + 15 * 6
F_LEAST = F_HAND + 26
F_HAND_LEAST = F_LEAST + 22
F_STACK = F_HAND_LEAST + 8 * 8
F_BLACK = F_STACK + 35  # black tokens held × open rows
F_SPARE = F_BLACK + 6 * 8  # unseen black tokens × given ones
F_PASSES = F_SPARE + 10 * 5
F_MINE = F_PASSES + 5  # the most points I could make next × own hand
F_THREAT = F_MINE + 13 * 4  # the points the next player may expect × their hand
F_NEXT_HAND = F_THREAT + 26 * 4
F_AHEAD = F_NEXT_HAND + 22
N_FEATURES = F_AHEAD + 5
MAX_ACTIVE = 5 * 6 + 15


@rule
def features(sketch: Sketch, on: Features) -> int:
    """Write the features of a sketch; return their number."""
    n = 0
    most = 0
    for colour in range(1, COLOURS):
        longest, own = min(sketch[LONGEST + colour], L - 1), sketch[OWN + colour]
        unseen = sketch[UNSEEN + colour]
        some, few = min(own, N - 1), min(own, 3)
        if own > 0 and (longest > 0 or sketch[STARTS + colour] > 0):
            most = max(most, longest + 1)
        on[n] = F_OWN + (longest * N + some) * 4 + min(sketch[SECOND + colour], 3)
        on[n + 1] = F_UNSEEN + longest * U + unseen
        on[n + 2] = F_STARTS + (longest * 4 + min(sketch[STARTS + colour], 3)) * 4 + few
        on[n + 3] = F_SHARE + some * U + unseen
        on[n + 4] = F_NEXT + (longest * M + sketch[NEXT_LIKELY + colour]) * 4 + few
        n += 5
        if sketch[SEATS] > 2:
            on[n] = F_RIVALS + (longest * M + sketch[LIKELY + colour]) * 4 + few
            n += 1
    lead = sketch[SCORE] - sketch[BEST]
    step = min(max(lead, -30), 30) + 30
    # Finely near a draw, where a point decides, coarsely beyond.
    size = abs(lead)
    coarse = (
        size
        if size < 2
        else 2
        if size < 4
        else 3
        if size < 7
        else 4
        if size < 12
        else 5
        if size < 20
        else 6
        if size < 35
        else 7
    )
    coarse = 7 + coarse if lead > 0 else 7 - coarse
    hand, least = sketch[HAND], sketch[LEAST]
    on[n] = F_LEAD + step
    on[n + 1] = F_LEAD_HAND + coarse * 12 + min(hand, 11)
    on[n + 2] = F_LEAD_LEAST + coarse * 12 + min(least, 11)
    on[n + 3] = F_LEAD_STACK + coarse * 6 + min((sketch[STACK] + 6) // 7, 5)
    on[n + 4] = F_HAND + min(hand, 25)
    on[n + 5] = F_LEAST + min(least, 21)
    on[n + 6] = F_HAND_LEAST + min(hand, 7) * 8 + min(least, 7)
    on[n + 7] = F_STACK + min(sketch[STACK], 34)
    on[n + 8] = F_BLACK + min(sketch[OWN + BLACK], 5) * 8 + min(sketch[OPEN], 7)
    on[n + 9] = F_SPARE + min(max(sketch[UNSEEN + BLACK], 0), 9) * 5 + sketch[GIVEN]
    on[n + 10] = F_PASSES + sketch[PASSES]
    on[n + 11] = F_MINE + min(most, 12) * 4 + (0 if hand < 2 else 1 if hand < 4 else 2 if hand < 8 else 3)
    near = sketch[NEXT]
    on[n + 12] = F_THREAT + threat(sketch) * 4 + (0 if near < 2 else 1 if near < 4 else 2 if near < 8 else 3)
    n += 13
    if sketch[SEATS] > 2:
        on[n] = F_NEXT_HAND + min(near, 21)
        on[n + 1] = F_AHEAD + sketch[AHEAD]
        n += 2
    return n


@rule
def threat(sketch: Sketch) -> int:
    """Return the points, in halves, that the next player can expect to make: the longest row whose colour they hold."""
    missed, total = 1024, 0
    left = 0b111110
    while left:
        best, longest = 0, -1
        for colour in range(1, COLOURS):
            if left >> colour & 1 and sketch[LONGEST + colour] > longest:
                best, longest = colour, sketch[LONGEST + colour]
        left &= ~(1 << best)
        if longest == 0 and sketch[STARTS + best] == 0:
            continue
        lacks = missed * sketch[LACKS + best] >> 10
        total += (missed - lacks) * (longest + 1)
        missed = lacks
        if missed < 32:
            break
    return min(total >> 9, 25)


@rule
def worth(sketch: Sketch, net: Net, work: Any, on: Features) -> float:
    """Return the mover's chance to win in what it leaves."""
    if sketch[HAND] == 0 or sketch[PASSES] == sketch[SEATS]:
        return final(sketch)
    return forward(net, on, features(sketch, on), work)


@rule
def draw_worth(s: State, base: Sketch, after: Sketch, net: Net, work: Any, on: Features) -> float:
    """Return the chance to win by drawing: over all colours, the better of keeping the token and laying it."""
    total = 0.0
    passes = base[PASSES]
    base[PASSES] = 0
    for colour in range(COLOURS):
        chance = chance_drawn(s, base, colour)
        if chance <= 0.0:
            continue
        draw(base, colour, 1)
        best = worth(base, net, work, on)
        places = s.place[colour]
        while places:
            lay(s, base, colour, lowest(places), after)
            best = max(best, worth(after, net, work, on))
            places &= places - 1
        draw(base, colour, -1)
        total += chance * best
    base[PASSES] = passes
    return total


@rule
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any) -> int:
    """List every legal move with the mover's chance to win after it; return their number."""
    base, after = np.empty(SKETCH, np.int64), np.empty(SKETCH, np.int64)
    look(s, base)
    n = 0
    for colour in range(COLOURS):
        places = s.legal[colour]
        while places and n < len(actions):
            where = lowest(places)
            places &= places - 1
            actions[n] = 64 * colour + where
            if colour != BLACK or where >= ROW:
                lay(s, base, colour, where, after)
                values[n] = worth(after, net, work, on)
            elif where == DRAW:
                values[n] = draw_worth(s, base, after, net, work, on)
            else:
                rest(base, where, after)
                values[n] = worth(after, net, work, on)
            n += 1
    return n


@rule
def rest(before: Sketch, where: int, after: Sketch) -> None:
    """Sketch what keeping the token drawn, or passing, leaves."""
    for i in range(SKETCH):
        after[i] = before[i]
    after[PASSES] = after[PASSES] + 1 if where == PASS else 0


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of what the mover leaves; return their number, 0 after `draw` and at the end of the game."""
    if action == DRAW:
        return 0
    base, after = np.empty(SKETCH, np.int64), np.empty(SKETCH, np.int64)
    look(s, base)
    colour, where = action >> 6, action & 63
    if colour != BLACK or where >= ROW:
        lay(s, base, colour, where, after)
    else:
        rest(base, where, after)
    if after[HAND] == 0 or after[PASSES] == after[SEATS]:
        return 0
    return features(after, on)
