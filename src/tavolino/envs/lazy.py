"""A game whose hidden cards are dealt when they turn up: every chance is an event of its own, with its probability.

A `World` is our record with its unseen cards in some order that means nothing. Before an action that would turn some of
them up is applied, chance says which they are, and they are put where the rules will find them. What chance says is
canonical: cards drawn together come in ascending order, hands are told colour by colour, dice place by place. So there
is one history for each course of a game that differs in anything.
"""

from collections.abc import Sequence
from math import comb
from typing import Any, Protocol

import numpy as np

from tavolino.envs.compiled import small, steps
from tavolino.envs.env import blank, shares
from tavolino.envs.setup import Setup
from tavolino.games import face_to_face, kernels, orma, out_of_sock
from tavolino.games.kernels import States
from tavolino.games.rng import Stream
from tavolino.games.spec import bits
from tavolino.play.game import Game

Event = tuple[Any, ...]
"""Something chance has to say: its kind, then what it is about."""
Outcomes = list[tuple[int, float]]
Log = list[tuple[int, int, Event]]
"""What has happened: who (-1: chance), which action or outcome, and of chance what about."""
CHANCE, EVERYONE = -1, -1
FIRST: Event = ("first",)
NOTHING: Event = ()


def copied(states: States) -> States:
    """Copy a record by its bytes."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def chosen(counts: Sequence[int], need: int, at: int) -> Outcomes:
    """Return how many of `need` things drawn are of kind `at`, if none is of an earlier kind: hypergeometric."""
    rest = sum(counts[at + 1 :])
    ways = comb(counts[at] + rest, need)
    return [
        (k, comb(counts[at], k) * comb(rest, need - k) / ways)
        for k in range(min(counts[at], need) + 1)
        if need - k <= rest
    ]


class Dealer(Protocol):
    """What a game needs to deal lazily."""

    def prepare(self, s: Any) -> None:
        """Lay out all cards, none of them dealt."""
        ...

    def deal(self) -> list[Event]:
        """List what chance must say before the game begins."""
        ...

    def begin(self, states: States, first: int) -> None:
        """Begin to play with the cards as they lie."""
        ...

    def revealed(self, before: Any, after: Any) -> list[Event]:
        """List what chance must say before an action leads from one state to the other."""
        ...

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        """Return what chance can say, ascending; `said` is what it has said for the events of this action before."""
        ...

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        """Put what chance said where the rules will find it."""
        ...

    def knows(self, event: Event) -> int:
        """Return the seat that is told of an event, or EVERYONE."""
        ...

    def word(self, event: Event, outcome: int) -> str:
        """Say what chance said."""
        ...

    def redealt(self, world: "World", viewer: int, rng: Stream) -> tuple[States, States, Log]:
        """Return another world that looks the same to a seat: its state, how it began, what happened."""
        ...


class FaceToFace:
    """Cards drawn together in ascending order. Events: (draw, seat, place in the deck, begin, end of those)."""

    def __init__(self, cards: int, hand: int) -> None:
        if not 2 <= cards <= 58 or not 1 <= hand <= min(6, cards):
            raise ValueError(f"cards must be from 2 to 58 and hand from 1 to 6 of them, not {cards} and {hand}")
        self.hand, self.skip = hand, 58 - cards
        low = 2 + self.skip // 2
        self.deck = list(range(low, low + cards))

    def prepare(self, s: Any) -> None:
        outside = [card for card in range(2, 60) if card not in self.deck]
        for seat in range(2):
            s.deck[seat] = outside + self.deck
            s.drawn[seat] = self.skip
            s.laid[seat] = sum(1 << card for card in outside)
            s.top[2 * seat : 2 * seat + 2] = self.deck[0] - 1, self.deck[-1] + 1
        s.seats, s.ending, s.player = 2, -1, -1

    def deal(self) -> list[Event]:
        return [event for seat in range(2) for event in self._draws(seat, self.skip, self.skip + self.hand)]

    def _draws(self, seat: int, begin: int, end: int) -> list[Event]:
        return [("draw", seat, place, begin, end) for place in range(begin, end)]

    def begin(self, states: States, first: int) -> None:
        s = states[0]
        for seat in range(2):
            s.drawn[seat] = self.skip + self.hand
            s.hand[seat] = sum(1 << int(card) for card in s.deck[seat][self.skip : self.skip + self.hand])
        small.begin_face_to_face(states, first)

    def revealed(self, before: Any, after: Any) -> list[Event]:
        me = int(before.player)
        return self._draws(me, int(before.drawn[me]), int(after.drawn[me]))

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        _, seat, place, begin, end = event
        above, more = said[-1] if place > begin else 0, end - place - 1
        cards = sorted(card for card in s.deck[seat][place:].tolist() if card > above)
        ways = comb(len(cards), more + 1)
        return [(card, comb(len(cards) - i - 1, more) / ways) for i, card in enumerate(cards) if len(cards) - i > more]

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        deck, place = s.deck[event[1]], event[2]
        at = place + deck[place:].tolist().index(outcome)
        deck[at], deck[place] = deck[place], outcome

    def knows(self, event: Event) -> int:
        return int(event[1])

    def word(self, event: Event, outcome: int) -> str:
        return f"+{outcome}"

    def redealt(self, world: "World", viewer: int, rng: Stream) -> tuple[States, States, Log]:
        states = copied(world.states)
        kernels.redeal_one(states, viewer, rng)
        s = states[0]
        for seat in range(2):
            deck = world.states[0].deck[seat].tolist()
            drawn = int(s.drawn[seat])
            if seat != viewer:  # the n-th card laid can have been the n-th drawn: at least n were drawn by then
                laid = [action & 63 for who, action, _ in world.log if who == seat and action != face_to_face.END]
                held = [card for card in range(60) if int(s.hand[seat]) >> card & 1]
                deck[self.skip : drawn] = laid + held
            deck[drawn:] = s.deck[seat].tolist()[drawn:]
            s.deck[seat] = deck
        log: Log = []
        for who, action, event in world.log:
            if event and event[0] == "draw" and event[1] != viewer:
                _, seat, place, begin, end = event
                action = sorted(s.deck[seat].tolist()[begin:end])[place - begin]
            log.append((who, action, event))
        return states, world.begun, log


class Orma:
    """Hands colour by colour, the stack token by token. Events: (hand, seat, colour), (stack, seat, number)."""

    def __init__(self, seats: int, spare: int, colours: int, each: int, dealt: int) -> None:
        if not 1 <= colours <= 5 or not 1 <= each <= 12:
            raise ValueError(f"colours must be from 1 to 5 and each from 1 to 12, not {colours} and {each}")
        self.seats, self.spare = seats, spare
        mixed = max(0, each - 1 - seats) if spare == orma.MIXED else 0
        self.box = [mixed, *[each] * colours, *[0] * (5 - colours)]
        self.dealt = dealt or orma.DEALT[seats]
        if self.dealt * seats > sum(self.box):
            raise ValueError(f"there are {sum(self.box)} tokens to deal, not {seats} times {self.dealt}: set `dealt`")

    def prepare(self, s: Any) -> None:
        s.seats, s.spare, s.ending, s.player = self.seats, self.spare, -1, -1
        s.hand[:] = 0
        s.hand[: self.seats, orma.BLACK] = 1
        tokens = [colour for colour in range(6) for _ in range(self.box[colour])]
        s.stack[:] = 0
        s.stack[: len(tokens)] = tokens
        s.stack_left = len(tokens)

    def deal(self) -> list[Event]:
        return [("hand", seat, colour) for seat in range(self.seats) for colour in range(5)]  # violet is the rest

    def begin(self, states: States, first: int) -> None:
        s = states[0]
        if self.spare > 0:
            left = int(s.stack_left)
            s.stack[left : left + self.spare] = orma.BLACK
            s.stack_left = left + self.spare
        kernels.start_one(states, self.seats, first)

    def revealed(self, before: Any, after: Any) -> list[Event]:
        drew = int(before.stack_left) - int(after.stack_left)
        return [("stack", int(before.player), int(before.stack_left))] if drew else []

    def _counts(self, s: Any) -> list[int]:
        return np.bincount(s.stack[: s.stack_left], minlength=6).tolist()  # type: ignore[no-any-return]

    def _need(self, event: Event, said: Sequence[int]) -> int:
        colour = event[2]
        return self.dealt - sum(said[len(said) - colour :] if colour else ())

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        counts = self._counts(s)
        if event[0] == "stack":
            return [(colour, n / sum(counts)) for colour, n in enumerate(counts) if n]
        return chosen(counts, self._need(event, said), event[2])

    def _take(self, s: Any, colour: int, number: int) -> None:
        left = s.stack[: s.stack_left].tolist()
        for _ in range(number):
            left.remove(colour)
        s.stack_left = len(left)
        s.stack[: len(left)] = left

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        if event[0] == "stack":
            top = int(s.stack_left) - 1
            at = s.stack[: top + 1].tolist().index(outcome)
            s.stack[at], s.stack[top] = s.stack[top], outcome
            return
        _, seat, colour = event
        self._take(s, colour, outcome)
        s.hand[seat, colour] += outcome
        if colour == 4:
            rest = self._need(event, said) - outcome
            self._take(s, 5, rest)
            s.hand[seat, 5] += rest

    def knows(self, event: Event) -> int:
        return int(event[1])

    def word(self, event: Event, outcome: int) -> str:
        return f"+{orma.COLOUR[outcome]}" if event[0] == "stack" else f"{orma.COLOUR[event[2]]}:{outcome}"

    def redealt(self, world: "World", viewer: int, rng: Stream) -> tuple[States, States, Log]:
        states, begun = copied(world.states), copied(world.begun)
        kernels.redeal_one(states, viewer, rng)
        s, true = states[0], copied(world.begun)[0]
        size = int(true.stack_left)
        true.stack[:size] = world.states[0].stack[:size]
        history = [(who, orma.WORDS[action]) for who, action, _ in world.log if who != CHANCE]
        deal = orma.deal_behind(s, true, viewer, history)
        codes = [orma.COLOUR.index(token) for token in reversed(deal["stack"])]
        s.stack[:size] = begun[0].stack[:size] = codes
        hands = [[orma.COLOUR.index(token) for token in hand] for hand in deal["hands"]]
        for seat in range(self.seats):
            begun[0].hand[seat] = np.bincount(hands[seat], minlength=6)
        log: Log = []
        for who, action, event in world.log:
            if event and event[0] == "hand":
                action = hands[event[1]].count(event[2]) - (event[2] == orma.BLACK)
            elif event and event[0] == "stack":
                action = codes[event[2] - 1]
            log.append((who, action, event))
        return states, begun, log


class OutOfSock:
    """Cards as they come to lie open, dice place by place.

    Events: (top, deck, place in it) at the start, (card, deck, place in it), (dice, place, aim).
    """

    def __init__(self, seats: int, basket: int, height: int) -> None:
        if not 1 <= height <= out_of_sock.HEIGHT:
            raise ValueError(f"height must be from 1 to {out_of_sock.HEIGHT}, not {height}")
        self.seats, self.basket, self.height = seats, basket, height
        d, c, b = out_of_sock.DOUBLE, out_of_sock.CONVERSION, out_of_sock.BAN
        faces = (4, d, 6, c, 2, b, 8, c, 4, d, 2, c)  # all twelve of a suit; the first ones where decks are low
        self.cards = sorted(16 * suit + face for suit in range(6) for face in faces[:height])

    def prepare(self, s: Any) -> None:
        s.seats, s.basket, s.ending, s.player = self.seats, self.basket, -1, -1
        for d in range(6):
            s.deck[d] = (*self.cards[d * self.height : (d + 1) * self.height], *[0] * (12 - self.height))
        s.left[:] = self.height

    def deal(self) -> list[Event]:
        return [("top", d, self.height - 1) for d in range(6)]

    def begin(self, states: States, first: int) -> None:
        kernels.start_one(states, self.seats, first)
        states[0].left[:] = self.height

    def revealed(self, before: Any, after: Any) -> list[Event]:
        now, then = before.left.tolist(), after.left.tolist()
        return [("card", d, i) for d in range(6) for i in range(now[d] - 2, max(then[d], 1) - 2, -1)]

    def _unseen(self, s: Any, event: Event) -> list[tuple[int, int]]:
        """Return where cards lie that nobody has seen."""
        kind, deck, place = event
        left = s.left.tolist()
        unseen = [n if kind == "top" and d > deck else n - 1 for d, n in enumerate(left)]
        unseen[deck] = place + 1
        return [(d, i) for d in range(6) for i in range(unseen[d])]

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        if event[0] == "dice":
            _, place, aim = event
            dice = out_of_sock.DICE - sum(said)
            share = aim / 48 / (1 - place * aim / 48)  # of the dice that lie at none of the places before
            return [(k, comb(dice, k) * share**k * (1 - share) ** (dice - k)) for k in range(dice + 1)]
        cards = [int(s.deck[d, i]) for d, i in self._unseen(s, event)]
        return [(card, cards.count(card) / len(cards)) for card in sorted(set(cards))]

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        if event[0] != "dice":
            _, deck, place = event
            d, i = next((d, i) for d, i in self._unseen(s, event) if s.deck[d, i] == outcome)
            s.deck[d, i], s.deck[deck, place] = s.deck[deck, place], outcome

    def knows(self, event: Event) -> int:
        return EVERYONE

    def word(self, event: Event, outcome: int) -> str:
        return f"{event[1] + 2}:{outcome if event[0] == 'dice' else out_of_sock.CARD_WORD[outcome]}"

    def redealt(self, world: "World", viewer: int, rng: Stream) -> tuple[States, States, Log]:
        states = copied(world.states)
        kernels.redeal_one(states, viewer, rng)
        return states, copied(world.begun), list(world.log)


class World:
    """A game with chance spelled out: `outcomes` where chance is to speak, `legal` where a seat is to move."""

    def __init__(self, setup: Setup, dealer: Dealer) -> None:
        self.setup, self.dealer = setup, dealer
        self.states = np.zeros(1, setup.rules.STATE)
        self.begun = self.states
        """The state before the first move; meaningless before."""
        dealer.prepare(self.states[0])
        self.first = setup.first
        self.todo = ([FIRST] if setup.first < 0 else []) + dealer.deal()
        self.said: list[int] = []
        self.action = -1
        """What waits for chance; -1: the beginning."""
        self.log: Log = []
        self.playing = False

    @property
    def player(self) -> int:
        """The seat to move, or CHANCE."""
        return CHANCE if self.todo else int(self.states["player"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.todo and bool(self.states["over"][0])

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move, ascending."""
        masks = self.states["legal"][0].tolist()
        return [64 * word + bit for word, mask in enumerate(masks) for bit in bits(mask)]

    def outcomes(self) -> Outcomes:
        """Return what chance can say now, and how likely each is."""
        if self.todo[0] == FIRST:
            return [(seat, 1 / self.setup.seats) for seat in range(self.setup.seats)]
        return self.dealer.outcomes(self.states[0], self.todo[0], self.said)

    def apply(self, action: int) -> None:
        """Play an action, or let chance say an outcome; the caller guarantees that it is possible."""
        if self.todo:
            event = self.todo.pop(0)
            self.log.append((CHANCE, action, event))
            if event == FIRST:
                self.first = action
            else:
                self.dealer.place(self.states[0], event, action, self.said)
                self.said.append(action)
            if not self.todo:
                self._go_on()
            return
        self.log.append((self.player, action, NOTHING))
        after = copied(self.states)
        kernels.apply_one(after, action)
        self.todo = self.dealer.revealed(self.states[0], after[0])
        if self.todo:
            self.action = action
        else:
            self.states = after
            self._dice()

    def _go_on(self) -> None:
        """Chance has said all it had to: let happen what waited for it."""
        said, self.said = self.said, []
        if not self.playing:
            self.playing = True
            self.dealer.begin(self.states, self.first)
            self.begun = copied(self.states)
        elif self.action < 0:
            roll = sum(number << (4 * place) for place, number in enumerate(said))
            kernels.apply_one(self.states, out_of_sock.ROLLED + roll)
        else:
            kernels.apply_one(self.states, self.action)
        self.action = -1
        self._dice()

    def _dice(self) -> None:
        """Shake the basket if dice are to fall."""
        if not self.states["over"][0] and not self.states["legal"][0].any():
            self.todo = [("dice", place, int(self.states["aim"][0])) for place in range(6)]

    def returns(self) -> list[float]:
        """Return what the game came to for each seat; 0 while it goes on."""
        return shares(self.states) if self.over else [0.0] * self.setup.seats

    def observation(self, seat: int) -> Any:
        """Return what a seat observes: zeros before the game has begun."""
        observation, mask = blank(self.setup)
        if self.playing:
            steps.observe_one(self.states, seat, observation, mask)
        return observation

    def known(self, seat: int) -> list[tuple[int, int, Event]]:
        """Return what has happened as far as a seat was told, without what others drew."""
        knows = self.dealer.knows
        return [item for item in self.log if not item[2] or item[2] == FIRST or knows(item[2]) in (seat, EVERYONE)]

    def word(self, who: int, action: int, event: Event) -> str:
        """Say what happened."""
        if who != CHANCE:
            return str(self.setup.rules.WORDS[action])
        return f"first:{action}" if event == FIRST else self.dealer.word(event, action)

    def redealt(self, seat: int, seed: int) -> "World":
        """Return another world that looks the same to a seat, drawn evenly from all that do; a seat must be to move."""
        if self.todo:
            raise ValueError("chance is to speak: there is no seat whose knowledge could be kept")
        twin = self.copy()
        twin.states, twin.begun, twin.log = self.dealer.redealt(self, seat, np.array([seed], np.uint64))
        return twin

    def game(self) -> Game:
        """Return the game as people handle it, for bots and views; a seat must be to move, in a game of full size."""
        if self.todo:
            raise ValueError("chance is to speak: there is no table to look at")
        game = Game(self.setup.rules, dict(self.setup.options), self.begin_again(), None, False)
        words, roll = list[str](), out_of_sock.ROLLED
        for who, action, event in self.log:
            if who != CHANCE:
                words.append(self.setup.rules.WORDS[action])
            elif event[0] == "dice":
                roll += action << (4 * event[1])
                if event[1] == 5:
                    words.append(self.setup.rules.WORDS[roll])
                    roll = out_of_sock.ROLLED
        game.play_all(words)
        return game

    def begin_again(self) -> States:
        """Return the state before the first move, with all that has turned up since where it lay."""
        states = copied(self.begun)
        for name in ("deck", "stack"):
            if name in (states.dtype.names or ()):
                states[name] = self.states[name]
        return states

    def copy(self) -> "World":
        """Return the same game, to be played on by itself."""
        twin = World.__new__(World)
        twin.__dict__.update(self.__dict__)
        twin.states = copied(self.states)
        twin.todo, twin.said, twin.log = self.todo.copy(), self.said.copy(), self.log.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "World":
        return self.copy()
