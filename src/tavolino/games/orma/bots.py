"""What bots know of Orma: a beginner's move, a rule of thumb, and what the network sees and chooses by.

Everything is judged on a *sketch*: the few numbers of a position that matter to a seat, as it leaves it by a move. A
move changes a copy of the sketch, never the state, and all that is hidden enters it only as a count of unseen tokens.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.jit import count, lowest, rule, shared, wide
from tavolino.engine.lines import single_moves
from tavolino.engine.net import WIDE, Features, Net, forward
from tavolino.engine.rng import Stream, randint
from tavolino.games.orma.rules import BLACK, COLOURS, DRAW, EACH, MIXED, NOTHING, PASS, ROW, points

TURNS, ROUNDS, TRIES = 1, 0, 1000  # how far expert looks ahead, and how often if no limits say so
SEARCH = ("greedy", (0.4, 0.05, 1.0))  # how `search` plays out; (explore, noise, widen), not tuned yet

Sketch = NDArray[np.int64]

# A sketch: six numbers for each of these, black first …
OWN, UNSEEN, LONGEST, SECOND, STARTS, LACKS, NEXT_LIKELY, LIKELY = range(0, 8 * COLOURS, COLOURS)
# … then single ones. BEST, TIED, OTHER: the best score of a rival, how many have it, the second best (or
# the same). POOL: unseen tokens that may be anywhere,
# that is without the GIVEN black tokens that rivals still hold for sure. HELD, NEXT_HELD: how many of the pool are in
# the hands of all rivals and of the next player.
SEATS, SCORE, BEST, TIED, OTHER, HAND, LEAST, NEXT, STACK, OPEN, PASSES, GIVEN, POOL, HELD, NEXT_HELD = range(48, 63)
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
    for block in (LONGEST, SECOND, LACKS, NEXT_LIKELY, LIKELY):
        sketch[block + BLACK] = 0
    for r in range(s.rows):
        sketch[UNSEEN + s.row_colour[r]] -= wide(s.row_length[r])
    blacks = EACH if s.spare == MIXED else 1 + seats + wide(s.spare)
    given = held = tied = 0
    best = other = least = -1
    for seat in range(seats):
        if seat == me:
            continue
        given += s.blacks_laid[seat] == 0
        held += wide(s.hand_size[seat])
        if s.score[seat] > best:
            other = best
            best = wide(s.score[seat])
            tied = 0
        elif s.score[seat] > other:
            other = wide(s.score[seat])
        tied += s.score[seat] == best
        if least < 0 or s.hand_size[seat] < least:
            least = wide(s.hand_size[seat])
    after_me = me + 1 if me + 1 < seats else 0
    sketch[UNSEEN + BLACK] = blacks - wide(s.blacks) - sketch[OWN + BLACK] - given
    sketch[SEATS] = seats
    sketch[SCORE] = wide(s.score[me])
    sketch[BEST] = best
    sketch[TIED] = tied
    sketch[OTHER] = other
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
def lay(s: State, before: Sketch, colour: int, where: int, after: Sketch) -> None:
    """Sketch what laying a token leaves."""
    for i in range(SKETCH):
        after[i] = before[i]
    after[OWN + colour] -= 1
    after[HAND] -= 1
    after[PASSES] = 0
    gain = 0
    if where < ROW:
        gain = points(1)
        after[OPEN] += 1
        if after[LONGEST + colour] == 0:
            after[LONGEST + colour] = 1
        elif after[SECOND + colour] == 0:
            after[SECOND + colour] = 1
        for other in range(1, COLOURS):
            if s.place[other] >> where & 1 and (other == colour or s.black_rows[where] > 0):
                after[STARTS + other] -= 1
    elif colour != BLACK:
        length = wide(s.row_length[where - ROW]) + 1
        gain = points(length)
        measure(s, colour, where - ROW, length, after)
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
    after[SCORE] += gain


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
        return float(sketch[UNSEEN + colour] / sketch[POOL])
    spots = wide(s.stack_left)  # where spare black tokens can be: in the stack, or drawn and kept by a rival
    for seat in range(s.seats):
        if seat != s.player:
            spots += s.kept[seat]
    black = float(sketch[UNSEEN + BLACK] / spots)
    if colour == BLACK:
        return black
    coloured = sketch[POOL] - sketch[UNSEEN + BLACK]
    return float((1.0 - black) * sketch[UNSEEN + colour] / coloured) if coloured > 0 else 0.0


@rule
def final(sketch: Sketch) -> float:
    """Return the mover's share of the win if the game ends here."""
    if sketch[SCORE] == sketch[BEST]:
        return float(1.0 / (1 + sketch[TIED]))
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
            gain = 0
            if colour != BLACK:
                gain = points(1 if where < ROW else wide(s.row_length[where - ROW]) + 1)
            if gain > most:
                most = gain
                ties = 0
            if gain == most:
                ties += 1
                if randint(rng, ties) == 0:
                    pick = 64 * colour + where
    return pick if pick >= 0 else lowest(s.legal[BLACK])


FAITH, CROWD = 0.6, 0.03  # how much of what a row promises comes true: less with each further rival
SPITE = 0.7  # what the rivals' points count against one's own, shared among them: else a full table waits forever
LATER = 0.3  # how much of its own length the tokens still in hands add to a row on average
BLACK_WORTH = 0.55  # points that a black token in the hand is good for
TIME = 5.8  # with fewer tokens in the smallest hand, less of it all comes true
DRAW_WORTH = 2.5  # roughly, for the order of a search
DECISIVE = 1000.0
NO_NET = np.empty(0, np.float32)  # a constant, so read-only as networks are: `choose` is compiled for those anyway


@rule
def contest(length: int, mine: int, theirs: float, seats: int) -> float:
    """Return what a colour promises in points: whoever holds more of it gains by its row, and more the longer it is."""
    faith, spite = FAITH - CROWD * (seats - 2), SPITE / (seats - 1)
    return faith * (mine - spite * theirs) * (length + LATER * (mine + theirs))


@rule
def promise(sketch: Sketch) -> float:
    """Return what the rows promise the mover in points, less what they promise to the others."""
    pool, seats = max(sketch[POOL], 1), sketch[SEATS]
    total = BLACK_WORTH * sketch[OWN + BLACK]
    for colour in range(1, COLOURS):
        theirs = sketch[UNSEEN + colour] * sketch[HELD] / pool
        total += contest(sketch[LONGEST + colour], sketch[OWN + colour], theirs, seats)
    left = 1.0 * min(sketch[HAND], sketch[LEAST])
    if seats > 2:  # when all but one have passed the end is near; with one rival a pass says nothing
        left *= 1.0 - sketch[PASSES] / seats
    return float(total * min(1.0, left / TIME))


@rule
def greedy(s: State, rng: Stream) -> int:
    """Play for points now and for what the rows then promise: good for whoever holds more of their colours.

    A lay earns its points, makes its row longer and the hand poorer. So it opens something for the others if they
    probably hold the colour, and prepares a follow-up if the own hand does. Black closes a row that promises more to
    the others. Drawing is worth the average over the six colours of the better of keeping and laying the token: often
    more than any lay. The nearer the end, the less promises count; a move that ends the game is played to win it only.
    """
    actions, values = np.empty(MOST, np.int64), np.empty(MOST, np.float64)
    no_work, no_features = np.empty(0, np.float32), np.empty(0, np.int32)
    n = choose(s, NO_NET, no_work, no_features, actions, values, np.empty(1, np.int64), 0)
    pick = 0
    for i in range(1, n):
        if values[i] > values[pick]:
            pick = i
    return actions[pick]


@rule
def order(s: State, action: int) -> float:
    """Return how late a legal move should be tried in a search: by the rule of thumb, for the one colour concerned."""
    colour, where = action >> 6, action & 63
    if colour == BLACK and where < ROW:
        return -DRAW_WORTH if where == DRAW else 0.0
    me = wide(s.player)
    row = where - ROW
    length = wide(s.row_length[row]) if row >= 0 else 0
    gain, mine_less, longer = points(length + 1), 1, 1
    if colour == BLACK:
        colour = wide(s.row_colour[row])
        gain, mine_less, longer = 0, 0, -length
    mine = wide(s.hand[me, colour])
    unseen = EACH - mine
    for r in range(s.rows):
        if s.row_colour[r] == colour:
            unseen -= wide(s.row_length[r])
    held = 0
    for seat in range(s.seats):
        if seat != me:
            held += wide(s.hand_size[seat])
    theirs = unseen * held / max(held + wide(s.stack_left), 1)
    seats = wide(s.seats)
    return contest(length, mine, theirs, seats) - contest(length + longer, mine - mine_less, theirs, seats) - gain


# What the network sees: the same weights for all five colours.

# How many values each has, the last one: or more. L: length of a row, N: own tokens of a colour, FEW: the same,
# roughly, U: unseen ones, M: the rivals' by guess, T: time left by the smallest hand, LEAD: the lead, roughly.
L, N, FEW, U, M, T, LEAD = 11, 8, 4, 13, 8, 6, 15
F_CONTEST = 0  # longest × own × likely in the next hand
F_SECOND = F_CONTEST + L * N * M  # longest × second longest × own
F_STARTS = F_SECOND + L * 4 * FEW  # longest × start places × own
F_SHARE = F_STARTS + L * 4 * FEW  # own × unseen
F_MY_TIME = F_SHARE + N * U  # longest × own × time
F_THEIR_TIME = F_MY_TIME + L * FEW * T  # longest × likely in the next hand × time
F_RIVALS = F_THEIR_TIME + L * M * T  # longest × likely in rivals' hands × own, with more than two players
F_LEAD = F_RIVALS + L * M * FEW  # by 1
F_LEAD_TIME = F_LEAD + 31  # by 5
F_HOPE = F_LEAD_TIME + 25 * T  # lead and promise, by 2
F_HOPE_TIME = F_HOPE + 61  # by 8
F_LEAD_HAND = F_HOPE_TIME + 21 * T
F_LEAD_STACK = F_LEAD_HAND + LEAD * 12
F_LEAD_LEAST = F_LEAD_STACK + LEAD * 6
F_HAND = F_LEAD_LEAST + LEAD * 12
F_LEAST = F_HAND + 26
F_HAND_LEAST = F_LEAST + 22
F_STACK = F_HAND_LEAST + 8 * 8
F_BLACK = F_STACK + 35  # black tokens held × open rows
F_SPARE = F_BLACK + 6 * 8  # unseen black tokens × given ones
F_PASSES = F_SPARE + 10 * 5
F_MINE = F_PASSES + 5  # the most points I could make next × time
F_THREAT = F_MINE + 13 * T  # the points the next player may expect × time
F_NEXT_HAND = F_THREAT + 26 * T
F_OTHER = F_NEXT_HAND + 22  # lead over the second best rival, by 8
N_FEATURES = F_OTHER + 15
MAX_ACTIVE = 5 * 7 + 18


@rule
def tile(number: int, width: int, tiles: int) -> int:
    """Return which of so many steps of a width a number falls in; 0 is in the middle one."""
    return min(max((number + width * tiles // 2) // width, 0), tiles - 1)


@rule
def rough(lead: int) -> int:
    """Return a step from 0 to 14 for a lead, 7 for none: finer near it, where a point may decide."""
    size = abs(lead)
    if size < 7:
        step = size if size < 2 else 2 if size < 4 else 3
    else:
        step = 4 if size < 12 else 5 if size < 20 else 6 if size < 35 else 7
    return 7 + step if lead > 0 else 7 - step


@rule
def features(sketch: Sketch, on: Features) -> int:
    """Write the features of a sketch; return their number."""
    hand, least, stack = sketch[HAND], sketch[LEAST], sketch[STACK]
    soon = min(hand, least)
    time = soon if soon < 3 else 3 if soon < 6 else 4 if soon < 10 else 5
    n = most = 0
    for colour in range(1, COLOURS):
        longest, own = min(sketch[LONGEST + colour], L - 1), min(sketch[OWN + colour], N - 1)
        unseen, next_likely = sketch[UNSEEN + colour], sketch[NEXT_LIKELY + colour]
        few = min(own, FEW - 1)
        if own > 0 and (longest > 0 or sketch[STARTS + colour] > 0):
            most = max(most, longest + 1)
        on[n] = F_CONTEST + (longest * N + own) * M + next_likely
        on[n + 1] = F_SECOND + (longest * 4 + min(sketch[SECOND + colour], 3)) * FEW + few
        on[n + 2] = F_STARTS + (longest * 4 + min(sketch[STARTS + colour], 3)) * FEW + few
        on[n + 3] = F_SHARE + own * U + unseen
        on[n + 4] = F_MY_TIME + (longest * FEW + few) * T + time
        on[n + 5] = F_THEIR_TIME + (longest * M + next_likely) * T + time
        n += 6
        if sketch[SEATS] > 2:
            on[n] = F_RIVALS + (longest * M + sketch[LIKELY + colour]) * FEW + few
            n += 1
    lead = sketch[SCORE] - sketch[BEST]
    hope = lead + int(promise(sketch))
    by_size = rough(lead)
    on[n] = F_LEAD + tile(lead, 1, 31)
    on[n + 1] = F_LEAD_TIME + tile(lead, 5, 25) * T + time
    on[n + 2] = F_HOPE + tile(hope, 2, 61)
    on[n + 3] = F_HOPE_TIME + tile(hope, 8, 21) * T + time
    on[n + 4] = F_LEAD_HAND + by_size * 12 + min(hand, 11)
    on[n + 5] = F_LEAD_STACK + by_size * 6 + min((stack + 6) // 7, 5)
    on[n + 6] = F_LEAD_LEAST + by_size * 12 + min(least, 11)
    on[n + 7] = F_HAND + min(hand, 25)
    on[n + 8] = F_LEAST + min(least, 21)
    on[n + 9] = F_HAND_LEAST + min(hand, 7) * 8 + min(least, 7)
    on[n + 10] = F_STACK + min(stack, 34)
    on[n + 11] = F_BLACK + min(sketch[OWN + BLACK], 5) * 8 + min(sketch[OPEN], 7)
    on[n + 12] = F_SPARE + min(max(sketch[UNSEEN + BLACK], 0), 9) * 5 + sketch[GIVEN]
    on[n + 13] = F_PASSES + sketch[PASSES]
    on[n + 14] = F_MINE + min(most, 12) * T + time
    on[n + 15] = F_THREAT + threat(sketch) * T + time
    n += 16
    if sketch[SEATS] > 2:
        on[n] = F_NEXT_HAND + min(sketch[NEXT], 21)
        on[n + 1] = F_OTHER + tile(sketch[SCORE] - sketch[OTHER], 8, 15)
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


MOST = 128  # moves listed; there are never that many


@rule
def worth(sketch: Sketch, net: Net, work: Any, on: Features) -> float:
    """Return how good it is for the mover to leave this: its chance to win; without a network, points by thumb."""
    over = sketch[HAND] == 0 or sketch[PASSES] == sketch[SEATS]
    if len(net) == 0:
        return DECISIVE * (final(sketch) - 0.5) if over else sketch[SCORE] - sketch[BEST] + promise(sketch)
    return final(sketch) if over else forward(net, on, features(sketch, on), work)


@rule
def draw_worth(s: State, base: Sketch, after: Sketch, net: Net, work: Any, on: Features) -> float:
    """Return what drawing is worth: on average over the colours, the better of keeping the token and laying it."""
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
            places &= places - 1
            best = max(best, worth(after, net, work, on))
        draw(base, colour, -1)
        total += chance * best
    base[PASSES] = passes
    return total


@shared
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Any, far: int) -> int:
    """List every legal move with the mover's chance to win after it (or its worth by thumb); return their number."""
    plan[0] = -1
    base, after = np.empty(SKETCH, np.int64), np.empty(SKETCH, np.int64)
    look(s, base)
    n = 0
    for colour in range(COLOURS):
        places = s.legal[colour]
        while places and n < MOST:
            where = lowest(places)
            places &= places - 1
            actions[n] = 64 * colour + where
            if actions[n] == DRAW:
                values[n] = draw_worth(s, base, after, net, work, on)
            else:
                leave(s, base, colour, where, after)
                values[n] = worth(after, net, work, on)
            n += 1
    return n


@rule
def leave(s: State, before: Sketch, colour: int, where: int, after: Sketch) -> None:
    """Sketch what any move but drawing leaves."""
    if colour != BLACK or where >= ROW:
        lay(s, before, colour, where, after)
        return
    for i in range(SKETCH):
        after[i] = before[i]
    after[PASSES] = after[PASSES] + 1 if where == PASS else 0


@rule
def turns(s: State, net: Net, work: Any, on: Features, lines: Any, values: Any) -> int:
    """List the moves that the network likes best, best first; return their number."""
    actions, worths, plan = np.empty(MOST, np.int64), np.empty(MOST, np.float64), np.empty(1, np.int64)
    return single_moves(actions, worths, choose(s, net, work, on, actions, worths, plan, WIDE), lines, values)


@rule
def mistakes(s: State, level: int) -> float:
    """Return the share of beginner's moves of `easy`, and how far `medium` and `hard` misjudge, in log odds."""
    if level == 0:
        return 0.85
    if s.seats > 2:
        return 0.2 if level == 1 else 0.05
    return 0.24 if level == 1 else 0.09


@rule
def plausible(s: State, past: Any, rng: Stream) -> bool:
    """Take every world as it comes: colours kept say something, yet not enough to be worth the time."""
    return True


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of what the mover leaves; return their number, 0 after `draw` and at the end of the game."""
    if action == DRAW:
        return 0
    base, after = np.empty(SKETCH, np.int64), np.empty(SKETCH, np.int64)
    look(s, base)
    leave(s, base, action >> 6, action & 63, after)
    if after[HAND] == 0 or after[PASSES] == after[SEATS]:
        return 0
    return features(after, on)


@rule
def outlook(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    """Return -1: the game has no rounds."""
    return -1.0


answer = greedy
