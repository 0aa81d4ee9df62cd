"""Search with a policy of your own: Gumbel search over determinised worlds, all of them stepped in one `Batch`.

    python examples/gumbel.py orma --policy orma.onnx --deals 50
    python examples/gumbel.py orma --worlds 12 48 192  # does more search play better?

Hidden information is met by worlds: what the seat to move cannot know is dealt anew in each row (`Batch.redeal`), so no
move is judged by secrets. As in Danihelka et al. (2022), the moves to look at are drawn without repetition by Gumbel
noise on the policy's logits; sequential halving then gives more and more worlds to fewer and fewer of them. Each world
is played to its end by the policy, all worlds of all moves at once. Without `--policy`, a bot that answers at once
plays the worlds out and all moves are equally likely at first.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import tavolino
from tavolino import Batch, Game
from tavolino.bots.players import builtin
from tavolino.bots.policy_files import policy_of
from tavolino.bots.position import Position
from tavolino.play.seeds import derive

MOVES = 8  # looked at
VISITS = 50.0  # how much results count beside the logits, and more with every try, as in that paper


def logits(game: Game, policy: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the legal actions of the seat to move and what the policy thinks of them."""
    seen = tavolino.observe(game)
    legal = np.flatnonzero(seen.mask)
    if policy is None:
        return legal, np.zeros(len(legal))
    rated = policy_of(policy, game.key).rate(seen.observation[None], seen.mask[None])[0]
    return legal, rated[legal].astype(float)


def results(game: Game, actions: np.ndarray, player: str, seed: str) -> np.ndarray:
    """Play each action in a world of its own and on to the end; return the results of the seat to move."""
    seat, size = game.to_move, len(actions)
    worlds = Batch.from_game(game, size, seed)
    worlds.redeal(seat, seed)
    worlds.step(actions)
    found = np.full(size, np.nan)
    while True:
        found = np.where(np.isnan(found) & worlds.done, worlds.rewards[:, seat], found)
        if not np.isnan(found).any():
            return found
        worlds.step(worlds.bot(player))


def choose(game: Game, policy: str | None, player: str, number: int, seed: str) -> str:
    """Return a move for the seat to move, after so many worlds."""
    legal, prior = logits(game, policy)
    rng = np.random.default_rng(derive(seed, game.key, "gumbel"))
    noise = rng.gumbel(size=len(legal))
    left = np.argsort(-(prior + noise))[:MOVES]
    total, tries = np.zeros(len(legal)), np.zeros(len(legal))
    rounds = max(1, int(np.ceil(np.log2(max(2, len(left))))))
    for turn in range(rounds):
        if len(left) == 1:
            break
        tried = np.repeat(left, max(1, number // rounds // len(left)))
        np.add.at(total, tried, results(game, legal[tried], player, f"{seed}/{turn}"))
        np.add.at(tries, tried, 1)
        worth = (1 + total[left] / tries[left]) / 2
        score = prior[left] + noise[left] + (VISITS + tries.max()) * worth
        left = left[np.argsort(-score)][: max(1, len(left) // 2)]
    return Position(game, game.to_move or 0, seed).word_at(int(legal[left[0]]))


def match(given: argparse.Namespace, worlds: int) -> dict[str, float]:
    """Let the search play a bot, with so many worlds per move, each deal from both seats; return how it did."""
    other, won, games = builtin(given.opponent, given.game), 0.0, 0
    for deal in range(given.deals):
        for seat in range(2):
            game = tavolino.new(given.game, 2, seed=f"gumbel/{deal}")
            while (mover := game.to_move) is not None:
                name = f"{deal}/{seat}/{len(game.moves)}"
                if mover != seat:
                    game.play(other.choose(Position(game, mover, name)))
                elif len(game.legal_moves) == 1:
                    game.play(game.legal_moves[0])
                else:
                    game.play(choose(game, given.policy, given.policy or given.play_out, worlds, name))
            games += 1
            won += (seat in (game.winners or ())) / len(game.winners or [0])
    half = 1.96 * float(np.sqrt(won / games * (1 - won / games) / games))
    return {"worlds": worlds, "won": won / games, "half": half, "games": games}


def main() -> None:
    """Let the search play a bot, and say how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--policy", help="a policy's file; by default all moves are equally likely at first")
    parser.add_argument("--play-out", default="greedy", help="who plays the worlds out without a policy")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--worlds", type=int, nargs="+", default=[192], help="worlds per move: each number in turn")
    parser.add_argument("--deals", type=int, default=20, help="deals, each played from both seats")
    parser.add_argument("--curve", type=Path, help="where to keep the results: my.json")
    given = parser.parse_args()
    found = []
    for worlds in given.worlds:
        found.append(match(given, worlds))
        won, half, games = found[-1]["won"], found[-1]["half"], found[-1]["games"]
        print(f"{worlds} worlds, {games} games: wins {won:.1%} ± {half:.1%} against {given.opponent}", flush=True)
        if given.curve:
            given.curve.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
