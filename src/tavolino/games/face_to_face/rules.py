"""The Game: Face to Face. Two seats, each with the cards 2 to 59, an ascending and a descending pile.

The clauses cited (`F4.4`) are those of text/rules.en.md. Bit c of a mask is card c.
A pile is numbered from the mover's side: 0 my ascending, 1 my descending, 2 their ascending, 3 their descending one.
"""

from tavolino.engine.contract import Ints, State
from tavolino.engine.jit import count, lowest, rule, wide
from tavolino.engine.rng import Stream, randint, shuffle
from tavolino.engine.states import begin, finish, record
from tavolino.engine.viewers import is_hidden

STREAMS = ("first", "deal/0", "deal/1")

CARDS, LOWEST, HIGHEST, HAND = 58, 2, 59, 6
MINE_UP, MINE_DOWN, THEIRS_UP, THEIRS_DOWN = range(4)
EVERY_CARD = (1 << 60) - 4  # bits 2 to 59
END = 0  # an action is 64 · pile + card; no card is 0
ALL_LAID, STUCK = range(2)
ROLLED = 1 << 40  # no action is a roll

STATE = record(
    4,  # bit c of entry p of `legal`: card c may go on pile p now; bit END of entry 0: `end`
    ("turn_cards", "i8"),  # cards laid in this turn
    ("helped", "i8"),  # 1: one of them on the other's piles
    ("top", "i8", 4),  # seat 0 up, seat 0 down, seat 1 up, seat 1 down
    ("hand", "i8", 2),
    ("laid", "i8", 2),  # the cards a seat has laid, on whichever piles
    ("drawn", "i8", 2),  # how many cards of its deck a seat has drawn
    ("deck", "i1", (2, CARDS)),  # in drawing order
)


@rule
def above(top: int) -> int:
    return EVERY_CARD & ~((2 << top) - 1)


@rule
def below(top: int) -> int:
    return EVERY_CARD & ((1 << top) - 1)


@rule
def takes(pile: int, top: int) -> int:
    """Return the cards that a pile takes when its top is `top`."""
    if pile == MINE_UP:
        return above(top) | (EVERY_CARD & ((1 << top) >> 10))  # F2.1, F2.2
    if pile == MINE_DOWN:
        return below(top) | (EVERY_CARD & ((1 << top) << 10))  # F2.1, F2.2
    if pile == THEIRS_UP:
        return below(top)  # F3.2
    return above(top)  # F3.2


@rule
def only_with_a_second(s: State) -> None:
    """Remove the first cards after which no second one could be laid (F4.4)."""
    hand = s.hand[s.player]
    theirs = s.legal[THEIRS_UP] | s.legal[THEIRS_DOWN]
    on_up, on_down = s.legal[MINE_UP], s.legal[MINE_DOWN]
    for pile in range(4):
        if pile == MINE_UP:
            others = on_down | theirs
        elif pile == MINE_DOWN:
            others = on_up | theirs
        else:
            others = on_up | on_down  # F3.1: the second must be for me
        if count(others) >= 2:
            continue  # whichever card comes first, another one is left
        cards = s.legal[pile]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            second = others
            if pile <= MINE_DOWN:
                second |= takes(pile, card)  # on the same pile, on top of the first
            if second & hand & ~(1 << card) == 0:
                s.legal[pile] &= ~(1 << card)


@rule
def find_moves(s: State) -> None:
    """Fill `legal` for the seat to move."""
    me = s.player
    hand = s.hand[me]
    s.legal[MINE_UP] = hand & takes(MINE_UP, s.top[2 * me])
    s.legal[MINE_DOWN] = hand & takes(MINE_DOWN, s.top[2 * me + 1])
    if s.helped:  # F3.1
        s.legal[THEIRS_UP] = 0
        s.legal[THEIRS_DOWN] = 0
    else:
        s.legal[THEIRS_UP] = hand & takes(THEIRS_UP, s.top[2 - 2 * me])
        s.legal[THEIRS_DOWN] = hand & takes(THEIRS_DOWN, s.top[3 - 2 * me])
    if s.turn_cards == 0:
        only_with_a_second(s)
    elif s.turn_cards >= 2:
        s.legal[0] |= 1 << END  # F4.1, F4.4


@rule
def can_move(s: State) -> bool:
    found: bool = s.legal[0] | s.legal[1] | s.legal[2] | s.legal[3] != 0
    return found


@rule
def draw(s: State, seat: int, n: int) -> None:
    """Draw up to n cards, as far as the deck goes (F4.2, F4.3)."""
    for _ in range(min(n, CARDS - s.drawn[seat])):
        s.hand[seat] |= 1 << wide(s.deck[seat, s.drawn[seat]])
        s.drawn[seat] += 1


@rule
def start_turn(s: State, seat: int) -> None:
    s.player = seat
    s.turn_cards = 0
    s.helped = 0
    find_moves(s)
    if not can_move(s):
        finish(s, 1 << (1 - seat), STUCK)  # F4.4, F5.3


@rule
def to_draw(cards: int, drawn: int, helped: int) -> int:
    """Return how many cards are drawn at the end of such a turn, with so many in hand (F4.2, F4.3)."""
    n: int = HAND - cards if helped else 2
    return min(n, CARDS - drawn)


@rule
def end_turn(s: State) -> None:
    me = s.player
    draw(s, me, to_draw(count(s.hand[me]), s.drawn[me], s.helped))
    start_turn(s, 1 - me)


@rule
def start(s: State, seats: int, first: int) -> None:
    """Start with the decks as they lie in `deck` (F1.1, F1.2)."""
    begin(s, seats, first)
    for seat in range(2):
        s.top[2 * seat] = LOWEST - 1
        s.top[2 * seat + 1] = HIGHEST + 1
        draw(s, seat, HAND)
    start_turn(s, first)


@rule
def deal(s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
    """Shuffle and start; `first` is a seat, or -1 for a random one (F1.3)."""
    starter = randint(streams, 2)
    for seat in range(2):
        for i in range(CARDS):
            s.deck[seat, i] = i + LOWEST
        shuffle(streams[1 + seat :], s.deck[seat])
    start(s, seats, starter if first < 0 else first)


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    if action == END:
        end_turn(s)
        return
    me = s.player
    pile, card = action >> 6, action & 63
    s.top[pile ^ (2 * me)] = card
    s.hand[me] &= ~(1 << card)
    s.laid[me] |= 1 << card
    s.turn_cards += 1
    if pile >= THEIRS_UP:
        s.helped = 1
    if s.laid[me] == EVERY_CARD:
        finish(s, 1 << me, ALL_LAID)  # F5.1
    elif s.hand[me] == 0 and s.turn_cards >= 2:
        end_turn(s)  # F4.4
    else:
        find_moves(s)


@rule
def chance(s: State, streams: Stream) -> int:
    return -1  # nothing is left to chance after the deal


@rule
def scores(s: State, out: Ints) -> None:
    """Write how many cards each seat has laid (F5.2)."""
    for seat in range(2):
        out[seat] = count(s.laid[seat])


@rule
def redeal_seat(s: State, seat: int, hidden_hand: bool, rng: Stream) -> None:
    """Shuffle the draw pile of a seat, and its hand with it if that is hidden."""
    held = s.hand[seat]
    size = count(held)
    unseen = EVERY_CARD & ~s.laid[seat]
    known = s.laid[seat]
    i = 0
    while known:  # what was drawn before means nothing now: laid cards first, in one order for all
        s.deck[seat, i] = lowest(known)
        known &= known - 1
        i += 1
    if not hidden_hand:
        unseen &= ~held
        while held:
            s.deck[seat, i] = lowest(held)
            held &= held - 1
            i += 1
    start_at = i
    while unseen:
        s.deck[seat, i] = lowest(unseen)
        unseen &= unseen - 1
        i += 1
    shuffle(rng, s.deck[seat, start_at:])
    if hidden_hand:
        s.hand[seat] = 0
        for j in range(start_at, start_at + size):
            s.hand[seat] |= 1 << wide(s.deck[seat, j])


@rule
def is_possible(s: State) -> bool:
    """Tell whether these hands fit the state of the game: going on, or lost for want of two cards (F4.4)."""
    if s.over == 0:
        find_moves(s)
        return can_move(s)
    if s.ending == ALL_LAID:
        return True
    loser = 1 - lowest(s.winners)
    s.player = loser
    find_moves(s)
    stuck = not can_move(s)
    finish(s, 1 << (1 - loser), STUCK)
    return stuck


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Sample uniformly from all states that look the same to `viewer`: a seat, SPECTATOR or ALL_HANDS."""
    while True:
        for seat in range(2):
            redeal_seat(s, seat, is_hidden(seat, viewer), rng)
        if is_possible(s):
            return
