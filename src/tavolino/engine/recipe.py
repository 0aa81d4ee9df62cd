"""How a network is made: a game's `recipes.py` holds one recipe per number of players."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How a network is made."""

    games: int
    round_games: int = 256
    """Games played with the same network before it learns from them."""
    seed: int = 1
    lam: float = 0.95
    """How much the end of the game counts, at the beginning, against what the network thinks a turn later."""
    lam_end: float = 0.95
    """The same from the middle of the training on: a network that knows something is the better teacher."""
    epsilon: float = 0.03
    """The share of random moves at the beginning; it falls to 0."""
    rate: float = 0.01
    """The learning rate at the beginning."""
    rate_end: float = 0.001
    guests: float = 0.25
    """The share of games, at the beginning, in which all seats but one are played by rules of thumb."""
    guests_end: float = 0.25
    league: float = 0.0
    """The share of the other games in which all seats but one are played by an earlier self."""
    memory: float = 0.1
    """The network that is kept is a running mean of the one that learns, over this share of the games."""
