"""The Game: Face to Face: rules of thumb, features of a position, and the choice by what the network thinks of it.

Piles are numbered as in the rules, from the mover's side: 0 my ascending, 1 my descending, 2 and 3 theirs. The gap of
a card is how far it pushes a pile of mine on (a step back 10 is −10), or how far it brings one of theirs back.
"""

from typing import Any

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import count, lowest, rule, shared, wide
from tavolino.engine.kernels import Ints
from tavolino.engine.lines import make_room
from tavolino.engine.maths import exp
from tavolino.engine.net import B1, H1, WIDE, Features, Net, add_rows, finish
from tavolino.engine.rng import Stream, randint
from tavolino.games.face_to_face.rules import (
    CARDS,
    END,
    EVERY_CARD,
    HAND,
    MINE_DOWN,
    MINE_UP,
    THEIRS_DOWN,
    THEIRS_UP,
    above,
    below,
    find_moves,
    takes,
)

TURNS, ROUNDS, TRIES = 2, 0, 3000  # how far expert looks ahead, and how often if no limits say so
SEARCH = ("greedy", (0.3, 0.02, 0.6))  # how `search` plays out; (explore, noise, widen), not tuned yet
FREE = 0  # greedy lays a third card for such a gap
MERCY = 4.0  # so much more than the least gap makes a turn unlikely to be played
WINDOWS = (12, 20)  # choose looks at turns whose gaps add up to at most so much more than the least: near, far
NEVER = 1000

# The features: blocks of cards by their distance from a top, then numbers, each exactly and roughly. A block's number
# is followed by those of the next piles: HELD + 3 is my hand by the distance from their descending pile.
SPAN = 64
HELD, DECK, RIVAL_OWN, RIVAL_GIFT, TENS = 0, 4, 6, 8, 10
NUMBERS, WIDTH = 12 * SPAN, 136
TOP, AHEAD, ROOM, SIZES = 0, 4, 8, 10
# Two numbers together, where one means little without the other: room × cards to lay, mine and theirs; how much more
# room than cards, mine × theirs; the cheapest pair × room; their cards near each of their tops × how many they hold.
RACE = NUMBERS + (SIZES + 8) * WIDTH
RIVAL_RACE = RACE + 20 * 15
SLACK = RIVAL_RACE + 20 * 15
PAIR = SLACK + 24 * 24
RIVAL_NEXT = PAIR + 16 * 15
N_FEATURES = RIVAL_NEXT + 8 * 8 * 7
MAX_ACTIVE = 4 * HAND + 6 * CARDS + 2 * HAND + 2 * (SIZES + 8) + 5
NEAR = np.array(
    [30 + np.sign(x) * (min(abs(x), 14) + max(abs(x) - 11, 0) // 4) for x in range(-59, 61)], np.int32
)  # distances up to 14 one by one, further ones in fours
NEXT = 9  # cards fewer steps than this ahead of a top are near it
NOTHING = 7  # an index of no card of a hand


@rule
def gap(pile: int, top: int, card: int) -> int:
    """Return the gap of a card on a pile."""
    return card - top if pile in (MINE_UP, THEIRS_DOWN) else top - card


@rule
def top_of(s: State, pile: int) -> int:
    return wide(s.top[pile ^ (2 * s.player)])


@rule
def naive(s: State, rng: Stream) -> int:
    """Lay the nearest card, one after the other, and end as soon as allowed.

    A beginner looks at one card at a time and does not see that it spoils the next, takes a card 10 back for one that
    is 10 away, gives nothing to the other side unless it must, and never lays a third card.
    """
    if s.legal[0] >> END & 1:
        return END
    best, least = -1, 10 * NEVER
    for pile in range(4):
        cards = s.legal[pile]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            cost = abs(gap(pile, top_of(s, pile), card))
            if pile >= THEIRS_UP:
                cost += NEVER
            if cost < least:
                best, least = 64 * pile + card, cost
    return best


@rule
def cheapest_second(s: State, first_pile: int, first: int) -> int:
    """Return the least gap of a second card after a first one."""
    hand = s.hand[s.player] & ~(1 << first)
    least = NEVER
    for pile in range(4):
        if pile >= THEIRS_UP and (s.helped or first_pile >= THEIRS_UP):
            break
        top = first if pile == first_pile else top_of(s, pile)
        cards = hand & takes(pile, top)
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            least = min(least, gap(pile, top, card))
    return least


@rule
def turn_gap(s: State, pile: int, card: int) -> int:
    """Return the gap of a card, and with it that of the best second one if it is the first of its turn."""
    cost = gap(pile, top_of(s, pile), card)
    return cost + cheapest_second(s, pile, card) if s.turn_cards == 0 else cost


@rule
def least_gap(s: State) -> int:
    """Return the gap of the cheapest way to complete two cards; 0 if two are laid."""
    if s.turn_cards >= 2:
        return 0
    least = NEVER
    for pile in range(4):
        cards = s.legal[pile]
        while cards:
            least = min(least, turn_gap(s, pile, lowest(cards)))
            cards &= cards - 1
    return least


@rule
def greedy(s: State, rng: Stream) -> int:
    """Lay the two cards whose gaps add up to the least, a gift's gap counted in full; then go on only for free.

    After two cards a further one is laid only if it goes back 10, or if it is the very last card: left alone, it
    could never be laid, as a turn takes two.
    """
    me = s.player
    best, least = END, 10 * NEVER
    if s.turn_cards >= 2:
        alone = s.drawn[me] == CARDS and count(s.hand[me]) == 1
        least = NEVER if alone else FREE + 1
    for pile in range(4):
        cards = s.legal[pile] & EVERY_CARD
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            cost = turn_gap(s, pile, card)
            if cost < least:
                best, least = 64 * pile + card, cost
    return best


@rule
def order(s: State, action: int) -> float:
    """Return the gap of a card; the end of the turn comes after steps back and before all others."""
    if action == END:
        return 0.5
    pile, card = action >> 6, action & 63
    return float(gap(pile, top_of(s, pile), card))


@rule
def by_distance(block: int, cards: int, top: int, on: Features, n: int) -> int:
    """Switch on the features of a block that tell how far cards lie from a top; return how many are on now."""
    while cards:
        on[n] = block + NEAR[59 + lowest(cards) - top]
        cards &= cards - 1
        n += 1
    return n


@rule
def playable(up: int, down: int) -> int:
    """Return the cards that one's own piles take."""
    return takes(MINE_UP, up) | takes(MINE_DOWN, down)


@rule
def number(index: int, value: int, on: Features, n: int) -> int:
    """Switch on what says a number, exactly and roughly (near numbers share what is learnt); return how many are on."""
    at = NUMBERS + index * WIDTH
    on[n] = at + value
    on[n + 1] = at + 120 + (value >> 3)
    return n + 2


@rule
def pile_features(s: State, pile: int, top: int, on: Features) -> int:
    """Write the features that only the top of one pile decides, whatever the turn does elsewhere."""
    me = s.player
    rival = EVERY_CARD & ~s.laid[1 - me]
    further = above(top) if pile & 1 == 0 else below(top)
    n = number(TOP + pile, top, on, 0)
    if pile >= THEIRS_UP:
        n = by_distance(SPAN * (RIVAL_OWN + pile - 2), rival, top, on, n)
        return number(AHEAD + pile, count(rival & further), on, n)
    deck = EVERY_CARD & ~(s.laid[me] | s.hand[me])
    n = by_distance(SPAN * (RIVAL_GIFT + pile), rival, top, on, n)
    n = by_distance(SPAN * (DECK + pile), deck, top, on, n)
    return number(AHEAD + pile, count(deck & further), on, n)


@rule
def turn_features(s: State, hand: int, tops: Any, draws: int, on: Features, n: int) -> int:
    """Write, from on[n] up, the features of the hand that is left and of what two tops decide together."""
    me = s.player
    deck = EVERY_CARD & ~(s.laid[me] | s.hand[me])
    rival = EVERY_CARD & ~s.laid[1 - me]
    rival_deck = CARDS - wide(s.drawn[1 - me])
    rival_held = count(rival) - rival_deck
    for pile in range(4):
        n = by_distance(SPAN * (HELD + pile), hand, tops[pile], on, n)
    tens = hand & (hand >> 10)  # the lower cards of pairs 10 apart
    n = by_distance(SPAN * TENS, tens, tops[MINE_UP], on, n)
    n = by_distance(SPAN * (TENS + 1), tens, tops[MINE_DOWN], on, n)
    mine, theirs = deck & playable(tops[0], tops[1]), count(rival & playable(tops[2], tops[3]))
    n = number(ROOM, 59 + tops[MINE_DOWN] - tops[MINE_UP], on, n)
    n = number(ROOM + 1, 59 + tops[THEIRS_DOWN] - tops[THEIRS_UP], on, n)
    n = number(SIZES, 8 * count(hand) + draws, on, n)
    n = number(SIZES + 1, count(deck), on, n)
    n = number(SIZES + 2, 8 * rival_held + min(theirs, 7), on, n)
    n = number(SIZES + 3, rival_deck, on, n)
    n = number(SIZES + 4, theirs, on, n)
    n = number(SIZES + 5, count(mine), on, n)
    n = number(SIZES + 6, 8 * count(hand & above(tops[0])) + count(hand & below(tops[1])), on, n)
    least = pair_gap(hand, tops[0], tops[1])
    n = number(SIZES + 7, min(least, 63), on, n)
    cards, rival_cards = count(hand) + count(deck), count(rival)
    room, rival_room = 58 + tops[MINE_DOWN] - tops[MINE_UP], 58 + tops[THEIRS_DOWN] - tops[THEIRS_UP]
    on[n] = RACE + room // 6 * 15 + cards // 4
    on[n + 1] = RIVAL_RACE + rival_room // 6 * 15 + rival_cards // 4
    on[n + 2] = SLACK + slack(room, cards) * 24 + slack(rival_room, rival_cards)
    on[n + 3] = PAIR + min(least >> 1, 15) * 15 + room // 8
    up, down = tops[THEIRS_UP], tops[THEIRS_DOWN]
    near_up = count(rival & above(up) & below(min(up + NEXT, 60)))
    near_down = count(rival & below(down) & above(max(down - NEXT, 1)))
    on[n + 4] = RIVAL_NEXT + (min(near_up, 7) * 8 + min(near_down, 7)) * 7 + min(rival_held, 6)
    return n + 5


@rule
def slack(room: int, cards: int) -> int:
    """Return a step from 0 to 23 for how much more room than cards there is."""
    return min(max((room - 58 - cards) // 4 + 12, 0), 23)


@rule
def pair_gap(hand: int, up: int, down: int) -> int:
    """Return about the least gap of two cards of a hand on one's own piles."""
    up_1, up_2, down_1, down_2 = NEVER, NEVER, NEVER, NEVER
    on_up = on_down = -1
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if card > up:
            if up_1 == NEVER:
                up_1, on_up = card - up, card
            elif up_2 == NEVER:
                up_2 = card - up
        if card < down:
            down_2 = down_1
            down_1, on_down = down - card, card
    both = up_1 + down_1
    if on_up == on_down:
        both = min(up_1 + down_2, up_2 + down_1)
    return min(both, min(up_2, down_2))


@rule
def draws_after(s: State, hand: int, helped: int) -> int:
    """Return how many cards the mover draws when the turn ends with this hand."""
    wanted = HAND - count(hand) if helped else 2
    return min(wanted, CARDS - wide(s.drawn[s.player]))


@rule
def mistakes(s: State, level: int) -> float:
    """Return the share of beginner's moves of `easy`, and how far `medium` and `hard` misjudge, in log odds."""
    return 0.4 if level == 0 else 0.11 if level == 1 else 0.04


@rule
def plausible(s: State, past: Any, rng: Stream) -> bool:
    """Tell by lot whether the other would have played its last turn so with the cards it has kept here.

    The more its gaps exceed the least its hand would have allowed, the less likely.
    """
    other = 1 - wide(s.player)
    before, after = past[0], past[1]
    laid = after.laid[other] & ~before.laid[other]
    kept = count(after.hand[other]) - (after.drawn[other] - before.drawn[other])
    at = count(s.laid[other])  # its hand follows in the deck, in any order: take the last for those just drawn
    for i in range(at, at + kept):
        laid |= 1 << wide(s.deck[other, i])
    before.hand[other] = laid
    find_moves(before)
    cost = -least_gap(before)
    for pile in range(4):  # gaps on a pile add up to how far its top has come
        cost += gap(pile, wide(before.top[pile ^ (2 * other)]), wide(after.top[pile ^ (2 * other)]))
    return cost <= 0 or randint(rng, 1024) < 1024 * exp(-cost / MERCY)


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of what a finished turn leaves before the draw; 0 while the turn goes on."""
    me = s.player
    hand = wide(s.hand[me])
    helped = wide(s.helped)
    tops = np.empty(4, np.int64)
    for pile in range(4):
        tops[pile] = top_of(s, pile)
    if action != END:
        pile, card = action >> 6, action & 63
        hand &= ~(1 << card)
        if hand != 0 or s.turn_cards == 0 or s.drawn[me] == CARDS:
            return 0  # the turn goes on, or the last card of all is laid
        tops[pile] = card
        if pile >= THEIRS_UP:
            helped = 1
    n = 0
    for pile in range(4):
        n += pile_features(s, pile, tops[pile], on[n:])
    return turn_features(s, hand, tops, draws_after(s, hand, helped), on, n)


@rule
def find_runs(pile: int, top: int, cards: Any, n: int, before: Any, ends: Any) -> None:
    """Find for each set of cards (bit i: cards[i]) that can go on a pile of mine the best one to end with.

    Writes the index of that last card to `ends` (-1: the set does not fit, NOTHING: the empty set), and to
    before[8 · set + i] the index of the one before if cards[i] is to be the last (NOTHING: it is alone, -1: it can't).
    """
    for i in range(8 << n):
        before[i] = -1
    fits = takes(pile, top)
    for i in range(n):
        if fits >> cards[i] & 1:
            before[(8 << i) + i] = NOTHING
    ends[0] = NOTHING
    for chosen in range(1, 1 << n):
        ends[chosen] = -1
        for k in range(n):
            last = k if pile == MINE_UP else n - 1 - k
            if before[8 * chosen + last] < 0:
                continue
            if ends[chosen] < 0:
                ends[chosen] = last
            fits = takes(pile, cards[last])
            for i in range(n):
                if chosen >> i & 1 == 0 and fits >> cards[i] & 1:
                    before[8 * (chosen | 1 << i) + i] = last


@rule
def lay_run(pile: int, chosen: int, last: int, cards: Any, before: Any, plan: Ints, n: int) -> int:
    """Write from plan[n] up the actions that lay a set of cards on a pile, cards[last] last; return where they end."""
    end = n + count(chosen)
    at = end
    while chosen:
        at -= 1
        plan[at] = 64 * pile + cards[last]
        earlier = wide(before[8 * chosen + last])
        chosen &= ~(1 << last)
        last = earlier
    return end


@rule
def note(actions: Any, values: Any, found: int, action: int, value: float) -> int:
    """Keep the best value of each action; return how many actions there are."""
    for i in range(found):
        if actions[i] == action:
            values[i] = max(values[i], value)
            return found
    actions[found] = action
    values[found] = value
    return found + 1


@shared
def weigh_turns(
    s: State,
    net: Net,
    work: Any,
    on: Features,
    actions: Any,
    values: Any,
    plan: Ints,
    far: int,
    lines: Any,
    worths: Any,
) -> tuple[int, int]:
    """Value each way to finish the turn; list the first action of each with the best value that can follow it.

    `lines` gets the best turns, best first, as many as it has room for, `worths` their values. Returns the numbers of
    actions and of turns.

    A turn is a gift or none, a run of cards on my ascending pile, a run on my descending one, listed in this order:
    the piles do not touch each other, so other orders lead to the same. A turn that lays the last card of all is the
    only one listed. What the network's first layer sums over one pile is kept for all turns that leave that top.
    """
    me = s.player
    tops = np.empty((4, 8), np.int64)  # what each pile shows with cards[i] on it, or with NOTHING more
    n = 0
    rest = wide(s.hand[me])
    while rest:
        for pile in range(4):
            tops[pile, n] = lowest(rest)
        rest &= rest - 1
        n += 1
    for pile in range(4):
        tops[pile, NOTHING] = top_of(s, pile)
    cards = tops[0]
    before, ends = np.empty((2, 512), np.int8), np.empty((2, 64), np.int8)
    for pile in range(2):
        find_runs(pile, tops[pile, NOTHING], cards, n, before[pile], ends[pile])
    turn = np.empty(HAND + 2, np.int64)
    best = -1.0
    sums, summed = np.empty((4, 8, H1), np.float32), np.zeros((4, 8), np.int8)
    new = np.empty(4, np.int64)
    found = listed = 0
    needed = 2 - wide(s.turn_cards)
    limit = least_gap(s) + WINDOWS[far]
    last_cards = s.drawn[me] == CARDS
    for gift in range(-1, 2 * n):  # -1: none; 2i, 2i + 1: cards[i] on their ascending, descending pile
        gift_gap, unused, their_up, their_down = 0, (1 << n) - 1, NOTHING, NOTHING
        if gift >= 0:
            i, pile = gift >> 1, THEIRS_UP + (gift & 1)
            if s.helped or takes(pile, tops[pile, NOTHING]) >> cards[i] & 1 == 0:
                continue
            gift_gap = gap(pile, tops[pile, NOTHING], cards[i])
            unused &= ~(1 << i)
            if pile == THEIRS_UP:
                their_up = i
            else:
                their_down = i
        for on_up in range(1 << n):
            if on_up & ~unused or ends[0, on_up] < 0:
                continue
            up = wide(ends[0, on_up])
            up_gap = gift_gap + tops[0, up] - tops[0, NOTHING]
            others = unused & ~on_up
            on_down = others + 1
            while on_down:  # each set of the other cards, from all to none
                on_down = (on_down - 1) & others
                down = wide(ends[1, on_down])
                kept = others & ~on_down
                won = last_cards and kept == 0
                if (
                    down < 0
                    or count(on_up | on_down) + (gift >= 0) < needed
                    or (up_gap + tops[1, NOTHING] - tops[1, down] > limit and not won)
                ):
                    continue
                laid = 0
                if gift >= 0:
                    turn[0] = 64 * (THEIRS_UP + (gift & 1)) + cards[gift >> 1]
                    laid = 1
                laid = lay_run(MINE_UP, on_up, up, cards, before[0], turn, laid)
                laid = lay_run(MINE_DOWN, on_down, down, cards, before[1], turn, laid)
                turn[laid], turn[laid + 1] = END, -1
                if won:
                    plan[: laid + 2] = turn[: laid + 2]
                    actions[0], values[0] = turn[0], 1.0
                    if len(lines) > 0:
                        lines[0, : laid + 2] = turn[: laid + 2]
                        worths[0] = 1.0
                    return 1, 1
                for j in range(H1):
                    work[j] = net[B1 + j]
                for pile in range(4):
                    last = up if pile == 0 else down if pile == 1 else their_up if pile == 2 else their_down
                    new[pile] = tops[pile, last]
                    if summed[pile, last] == 0:
                        summed[pile, last] = 1
                        for j in range(H1):
                            sums[pile, last, j] = 0
                        add_rows(net, on, pile_features(s, pile, new[pile], on), sums[pile, last])
                    for j in range(H1):
                        work[j] += sums[pile, last, j]
                left = 0
                for i in range(n):
                    if kept >> i & 1:
                        left |= 1 << cards[i]
                draws = draws_after(s, left, 1 if s.helped or gift >= 0 else 0)
                add_rows(net, on, turn_features(s, left, new, draws, on, 0), work)
                value = finish(net, work)
                found = note(actions, values, found, turn[0], value)
                at = make_room(lines, worths, listed, value)
                if at >= 0:
                    lines[at, : laid + 2] = turn[: laid + 2]
                    worths[at] = value
                    listed = min(listed + 1, len(lines))
                if value > best:
                    best = value
                    plan[: laid + 2] = turn[: laid + 2]
    return found, listed


@rule
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Ints, far: int) -> int:
    """List the first action of each turn with the best value that can follow it; return their number."""
    lines, worths = np.empty((0, 1), np.int64), np.empty(0, np.float64)
    return weigh_turns(s, net, work, on, actions, values, plan, far, lines, worths)[0]


@rule
def turns(s: State, net: Net, work: Any, on: Features, lines: Any, values: Any) -> int:
    """List the whole turns that the network likes best, best first; return their number."""
    actions, worths, plan = np.empty(128, np.int64), np.empty(128, np.float64), np.empty(HAND + 2, np.int64)
    return weigh_turns(s, net, work, on, actions, worths, plan, WIDE, lines, values)[1]


@rule
def outlook(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    """Return -1: the game has no rounds."""
    return -1.0


answer = greedy
