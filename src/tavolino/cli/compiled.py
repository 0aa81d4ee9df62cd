"""What each command needs compiled, in one place, and a message while it is compiled.

Numba compiles a function when it is first called with the types at hand. So each part here is tried on a tiny game, in
the way the command will use it: what is in the cache is loaded, what is not is compiled, and its name is shown.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from tavolino.engine import cache, jit, kernels, tiers
from tavolino.engine.phrases import counted
from tavolino.engine.registry import GAMES
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.records import replay
from tavolino.play.setup import read_setup

if TYPE_CHECKING:
    from rich.console import Console

    from tavolino.bots.position import Position

ALONE = LabSettings(workers=1)


def _moved(key: str) -> Game:
    game = new(key, seed=0)
    game.play(game.legal_moves[0])
    return game


def _deal_of_batch(key: str) -> None:
    setup = read_setup(key)
    states = np.zeros(1, setup.game.rules.STATE)
    kernels.deal_of_batch(states, setup.players, -1, setup.codes, np.uint64(0), 0)


def _refuse(key: str) -> None:
    """Ask of every illegal move why it is illegal."""
    game, folder = new(key, seed=0), GAMES[key]
    for word in (word for action, word in folder.people.WORDS.items() if action < folder.rules.ROLLED):
        try:
            game.action_of(word)
        except IllegalMove:
            continue


def _position(key: str) -> "Position":
    from tavolino.bots.position import Limits, Position

    game = new(key, seed=0)
    return Position(game, game.to_move or 0, "0", Limits(simulations=1))


def _bot(name: str) -> Callable[[str], object]:
    """Let a built-in player make a move."""

    def move(key: str) -> None:
        from tavolino.bots.players import builtin

        builtin(name, key).choose(_position(key))

    return move


def _looking_ahead(key: str) -> None:
    """Let the one who looks ahead make a move, in a style, too, where the game has any."""
    from tavolino.bots.players import styles_of

    for name in ("expert", *(f"expert-{style}" for style in styles_of(key)[:1])):
        _bot(name)(key)


def _with_bots(key: str) -> None:
    """Simulate a game with a bot that answers at once, and one that thinks where a game has no other."""
    from tavolino.bots.players import players_of

    simulate(key, games=1, seed=0, settings=ALONE, bots=["greedy" if "greedy" in players_of(key) else "easy"])


def _training(key: str) -> None:
    """Learn from one game."""
    from tavolino.engine.recipe import Recipe
    from tavolino.lab.training import train

    train(key, GAMES[key].people.PLAYERS[0], Recipe(games=1))


def _studied(key: str) -> None:
    """Study a game with a handful of games."""
    from tavolino.lab.fingerprint import FingerprintSettings, fingerprint
    from tavolino.lab.studies import study

    study(key, games=2, seed=0, settings=ALONE)
    quick = FingerprintSettings(expert_deals=0)
    fingerprint(key, [GAMES[key].people.PLAYERS[0]], 1, 0, how=quick, settings=ALONE)


def _analysed(key: str) -> None:
    """Review the first move of a game."""
    from tavolino.lab.reviewing import review

    review(_moved(key).record(), tries=2)


def _environments(key: str) -> None:
    """Step each environment once."""
    from tavolino.bots.players import thumb_of
    from tavolino.envs.batch import Batch
    from tavolino.envs.env import Env

    batch = Batch(key, size=1, seed=0)
    batch.step(batch.bot(thumb_of(key)))
    Env(key, seed=0).game()
    if find_spec("gymnasium"):
        from tavolino.envs.gymnasium import VectorVersus, Versus

        many = VectorVersus(key)
        many.reset(seed=0)
        many.step(many.bot(thumb_of(key)))
        Versus(key).reset(seed=0)


def _observed(key: str) -> None:
    """Look at a position as learners do."""
    position = _position(key)
    position.word_at(int(position.mask.argmax()))


PARTS: dict[str, Callable[[str], object]] = {
    "dealing": lambda key: new(key, seed=0),
    "moves": _moved,
    "refusals": _refuse,
    "views": lambda key: new(key, seed=0).view(0),
    "records": lambda key: replay(_moved(key).record()),
    "simulation": lambda key: simulate(key, games=1, seed=0, settings=ALONE),
    "deals of a simulation": _deal_of_batch,
    "redealing": lambda key: new(key, seed=0).redeal(0, seed=0),
    "random bot": _bot("random"),
    "rule of thumb": _bot("greedy"),
    "network": _bot("value"),
    "looking ahead": _looking_ahead,
    "tree search": _bot("search"),
    "simulation with bots": _with_bots,
    "training": _training,
    "environments": _environments,
    "observations": _observed,
    "study": _studied,
    "analysis": _analysed,
}

BOTS = {
    "random": "random bot",
    "naive": "rule of thumb",
    "easy": "rule of thumb",
    "greedy": "rule of thumb",
    "medium": "network",
    "value": "network",
    "hard": "network",
    "search": "tree search",
    "expert": "looking ahead",
}
"""What each built-in player needs, in a game that has them all."""

NEEDS: dict[str, tuple[str, ...]] = {
    "simulate": ("simulation",),
    "simulate --records": ("simulation", "deals of a simulation"),
    "simulate --bots": ("simulation", "simulation with bots", "deals of a simulation"),
    "train": ("training",),
    "study": ("study", "looking ahead"),
    "analyse": ("dealing", "moves", "records", "refusals", "views", "looking ahead", "analysis"),
    "check": ("dealing", "moves", "records", "refusals"),
    "replay": ("dealing", "moves", "records", "refusals", "views"),
    "play": ("dealing", "moves", "records", "refusals", "views", "redealing"),
    "serve": ("dealing", "moves", "records", "refusals", "views", "redealing"),
    "hint": ("redealing", "network", "looking ahead"),
    "warm": tuple(part for part in PARTS if part != "training"),
    "warm --all": tuple(PARTS),
}
STRATEGY, NETWORK = ("rule of thumb",), ("network", "looking ahead")
"""The parts that only a game with bots, or with networks, has."""


def _part_of(bot: str) -> str:
    """Return the part that a bot needs; a policy of one's own needs what the environments show."""
    level, _, _ = bot.partition("-")
    return BOTS.get(level, "observations")


def needs(key: str, what: str, bots: Iterable[str] = ()) -> list[str]:
    """Return the parts that a command and its bots need of a game; tree search stands in for what its folder lacks."""
    wanted = (*NEEDS[what], *sorted({_part_of(name) for name in bots}))
    if not set(wanted) & {*STRATEGY, *NETWORK}:
        return list(wanted)
    from tavolino.bots.networks import has_networks
    from tavolino.bots.strategy import knows

    missing = {*(() if knows(key) else (*STRATEGY, "training")), *(() if has_networks(key) else NETWORK)}
    stand_in = {part: None if part == "training" else BOTS["search"] for part in missing}
    return list(dict.fromkeys(found for part in wanted if (found := stand_in.get(part, part)) is not None))


def compiling(console: "Console", keys: Iterable[str], what: str, bots: Iterable[str] = ()) -> int:
    """Load or compile what a command and its bots need of these games; return how many functions were compiled.

    Says nothing if everything is in the cache. Otherwise a line tells which game is being compiled and, on a terminal,
    which function.
    """
    compiled = 0
    for key in keys:
        with without_scipy(), telling(console, GAMES[key].title) as count:
            for part in needs(key, what, bots):
                PARTS[part](key)
        compiled += count()
    if compiled:
        cache.sweep()
    return compiled


def load(key: str, parts: Iterable[str]) -> None:
    """Load parts of a game from disk, for all threads; NotCompiled if anything is missing there."""
    me = threading.get_ident()

    def refuse(name: str) -> None:
        if threading.get_ident() == me:
            raise jit.NotCompiled(f"{name} is not compiled in {cache.cache_root()}")

    jit.watchers.append(refuse)
    try:
        with without_scipy(), tiers.compiled():
            for part in parts:
                PARTS[part](key)
    finally:
        jit.watchers.remove(refuse)


def begin_plain(key: str, what: str, bots: Iterable[str]) -> bool:
    """Play a game by plain rules unless everything a command and its bots need is compiled; tell whether it does."""
    try:
        load(key, needs(key, what, bots))
    except jit.NotCompiled:
        tiers.use_plain(key)
    return tiers.is_plain(key)


@contextmanager
def without_scipy() -> Iterator[None]:
    """Hide SciPy while compiled code is loaded for the first time, unless it is imported already.

    Numba looks for it then, to multiply matrices. The rules multiply none, and the import takes a fifth of a short
    command.
    """
    hidden = "scipy" not in sys.modules
    if hidden:
        sys.modules["scipy"] = None  # type: ignore[assignment]  # Python's way to say: there is none
    try:
        yield
    finally:
        if hidden:
            sys.modules.pop("scipy", None)


@contextmanager
def telling(console: "Console", title: str) -> Iterator[Callable[[], int]]:
    """Show a line as soon as something is compiled inside; yield a function that counts the compiled functions."""
    names: list[str] = []
    status = None
    doing = f"Compiling {title}, once"
    began = time.monotonic()

    def tell(name: str) -> None:
        nonlocal status
        names.append(name)
        if not console.is_terminal:
            if len(names) == 1:
                console.print(f"{doing} …", soft_wrap=True)
            return
        if status is None:
            status = console.status("")
            status.start()
        status.update(f"{doing}: {counted(len(names), 'function')} in {time.monotonic() - began:.0f} s, now {name} …")

    jit.watchers.append(tell)
    try:
        yield lambda: len(names)
    finally:
        jit.watchers.remove(tell)
        if status is not None:
            status.stop()
    if names:
        console.print(f"Compiled {title} in {time.monotonic() - began:.1f} s.", soft_wrap=True)
