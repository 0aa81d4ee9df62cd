"""A game whose hidden cards are dealt when they turn up: every chance is an event of its own, with its probability.

A `World` is our record with its unseen cards in some order that means nothing. Before an action that would turn some of
them up is applied, chance says which they are, and they are put where the rules will find them. What chance says is
canonical: cards drawn together come in ascending order, hands are told colour by colour, dice place by place. So there
is one history for each course of a game that differs in anything.
"""

from typing import Any

import numpy as np

from tavolino.engine import kernels
from tavolino.engine.chance_nodes import CHANCE, EVERYONE, Dealer, Event, Log, Outcomes
from tavolino.engine.kernels import States
from tavolino.engine.plain import bits, copied
from tavolino.envs.compiled import steps
from tavolino.envs.env import blank, rewards_of
from tavolino.play.game import Game
from tavolino.play.setup import Setup

FIRST: Event = ("first",)
NOTHING: Event = ()


class World:
    """A game with chance spelled out: `outcomes` where chance is to speak, `legal` where a seat is to move."""

    def __init__(self, setup: Setup, dealer: Dealer) -> None:
        self.setup, self.dealer = setup, dealer
        self.states = np.zeros(1, setup.game.rules.STATE)
        self.begun = self.states
        """The state before the first move; meaningless before."""
        dealer.prepare(self.states[0])
        self.first = setup.starter
        self.todo = ([FIRST] if setup.first is None else []) + dealer.deal()
        self.said: list[int] = []
        self.action = -1
        """What waits for chance; -1: the beginning."""
        self.log: Log = []
        self.played: list[int] = []
        """The actions so far, what chance came to in the middle of the game included."""
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
            return [(seat, 1 / self.setup.players) for seat in range(self.setup.players)]
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
        self.played.append(action)
        self.todo = self.dealer.revealed(self.states[0], after[0])
        if self.todo:
            self.action = action
        else:
            self.states = after
            self._await_chance()

    def _go_on(self) -> None:
        """Chance has said all it had to: let happen what waited for it."""
        said, self.said = self.said, []
        if not self.playing:
            self.playing = True
            self.dealer.begin(self.states, self.first)
            self.begun = copied(self.states)
        elif self.action < 0:
            self.played.append(self.dealer.rolled(said))
            kernels.apply_one(self.states, self.played[-1])
        else:
            kernels.apply_one(self.states, self.action)
        self.action = -1
        self._await_chance()

    def _await_chance(self) -> None:
        """Let chance speak if it is due."""
        if not self.states["over"][0] and not self.states["legal"][0].any():
            self.todo = self.dealer.due(self.states[0])

    def returns(self) -> list[float]:
        """Return what the game came to for each seat; 0 while it goes on."""
        return rewards_of(self.states) if self.over else [0.0] * self.setup.players

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
            return str(self.setup.game.people.WORDS[action])
        return f"first:{action}" if event == FIRST else self.dealer.word(event, action)

    def redealt(self, seat: int, seed: int) -> "World":
        """Return another world that looks the same to a seat, drawn evenly from all that do; a seat must be to move."""
        if self.todo:
            raise ValueError("chance is to speak: there is no seat whose knowledge could be kept")
        twin = self.copy()
        rng = np.array([seed], np.uint64)
        twin.states, twin.begun, twin.log = self.dealer.redealt(self.states, self.begun, self.log, seat, rng)
        return twin

    def game(self) -> Game:
        """Return the game as people handle it, for bots and views; a seat must be to move, in a game of full size."""
        if self.todo:
            raise ValueError("chance is to speak: there is no table to look at")
        game = Game(self.setup, self.begin_again(), None, False)
        game.play_all([self.setup.game.people.WORDS[action] for action in self.played])
        return game

    def begin_again(self) -> States:
        """Return the state before the first move, with all that has turned up since where it lay."""
        states = copied(self.begun)
        for name in self.dealer.unseen:
            states[name] = self.states[name]
        return states

    def copy(self) -> "World":
        """Return the same game, to be played on by itself."""
        twin = World.__new__(World)
        twin.__dict__.update(self.__dict__)
        twin.states = copied(self.states)
        twin.todo, twin.said, twin.log, twin.played = (
            self.todo.copy(),
            self.said.copy(),
            self.log.copy(),
            self.played.copy(),
        )
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "World":
        return self.copy()
