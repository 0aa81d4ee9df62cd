"""A game with explicit chance: hidden cards are dealt when they are revealed, each with its probability.

A `World` is our state with its unseen cards in an arbitrary order. Before an action that would reveal some of them is
applied, chance decides which they are, and they are put where the rules will find them. The order of outcomes is
canonical: cards drawn together come in ascending order, hands are dealt colour by colour, dice place by place. So two
histories differ only if the games differ.
"""

from typing import Any

import numpy as np

from tavolino.engine import kernels
from tavolino.engine.chance_nodes import CHANCE, EVERYONE, Dealer, Event, Log, Outcomes
from tavolino.engine.kernels import States
from tavolino.engine.observe import NEWEST, observe_one
from tavolino.engine.plain import bits, copied
from tavolino.envs.env import blank, rewards_of
from tavolino.envs.setup import Form
from tavolino.play.game import Game
from tavolino.play.setup import Setup

FIRST: Event = ("first",)
NOTHING: Event = ()


class World:
    """A game with explicit chance: `outcomes` when chance is due, `legal` when a seat is to move."""

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
        """The action that waits for chance; -1: the beginning."""
        self.log: Log = []
        self.played: list[int] = []
        """The actions so far, including the outcomes of chance during the game."""
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
        """Return the possible outcomes of chance with their probabilities."""
        if self.todo[0] == FIRST:
            return [(seat, 1 / self.setup.players) for seat in range(self.setup.players)]
        return self.dealer.outcomes(self.states[0], self.todo[0], self.said)

    def apply(self, action: int) -> None:
        """Play an action or an outcome of chance; the caller guarantees that it is possible."""
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
        """Continue with what waited for chance."""
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
        """List the outcomes to ask for, if chance is due."""
        if not self.states["over"][0] and not self.states["legal"][0].any():
            self.todo = self.dealer.due(self.states[0])

    def returns(self) -> list[float]:
        """Return the result by seat; 0 while the game goes on."""
        return rewards_of(self.states) if self.over else [0.0] * self.setup.players

    def observation(self, seat: int, version: int = NEWEST) -> Any:
        """Return what a seat observes; zeros before the game has begun."""
        observation, mask = blank(self.setup, Form(self.setup.key, version, False))
        if self.playing:
            observe_one(self.states, seat, version, observation, mask)
        return observation

    def known(self, seat: int) -> list[tuple[int, int, Event]]:
        """Return what has happened as far as a seat was told: without what others drew."""
        knows = self.dealer.knows
        return [item for item in self.log if not item[2] or item[2] == FIRST or knows(item[2]) in (seat, EVERYONE)]

    def word(self, who: int, action: int, event: Event) -> str:
        """Say what happened."""
        if who != CHANCE:
            return str(self.setup.game.people.WORDS[action])
        return f"first:{action}" if event == FIRST else self.dealer.word(event, action)

    def redealt(self, seat: int, seed: int) -> "World":
        """Return a world sampled uniformly from those that look the same to a seat; a seat must be to move."""
        if self.todo:
            raise ValueError("chance is due: no seat is to move whose knowledge could be kept")
        twin = self.copy()
        rng = np.array([seed], np.uint64)
        twin.states, twin.begun, twin.log = self.dealer.redealt(self.states, self.begun, self.log, seat, rng)
        return twin

    def game(self) -> Game:
        """Return the game as a `Game`, for bots and views; a seat must be to move, in a game of full size."""
        if self.todo:
            raise ValueError("chance is due: there is no position to look at")
        game = Game(self.setup, self.begin_again(), None, False)
        game.play_all([self.setup.game.people.WORDS[action] for action in self.played])
        return game

    def begin_again(self) -> States:
        """Return the state before the first move, with everything revealed since in its place."""
        states = copied(self.begun)
        for name in self.dealer.unseen:
            states[name] = self.states[name]
        return states

    def copy(self) -> "World":
        """Return an independent copy of the game."""
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
