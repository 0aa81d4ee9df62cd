"""Play at a local table natively and write down every question, every answer and every call of a compiled rule."""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tavolino.bots.position
import tavolino.server.outgoing
from tavolino.bots.networks import has_networks
from tavolino.bots.position import Position
from tavolino.bots.thinking import watch
from tavolino.browser import table as local
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES, by_state

NOW, TODAY = 1000, 5
"""The times that both sides are told: milliseconds of service, and of the day."""
MOST = 2000
WORLDS = 16
"""In how many worlds a hint's moves are tried: fewer than for people, to save time."""
Step = tuple[str, str, str]
"""What was asked, with what, and the answer."""


def hexes(streams: Any) -> list[str]:
    return [f"{int(one):x}" for one in streams]


ARGUMENTS: dict[str, tuple[str, Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "deal_one": ("deal", lambda a: [int(a[0]), int(a[1]), a[2].tolist(), hexes(a[3])], lambda r, a: None),
    "start_one": ("start", lambda a: [int(a[0]), int(a[1])], lambda r, a: None),
    "apply_one": ("apply", lambda a: [int(a[0])], lambda r, a: None),
    "chance_one": ("chance", lambda a: [hexes(a[0])], lambda r, a: int(r)),
    "scores_one": ("scores", lambda a: [len(a[0])], lambda r, a: a[0].tolist()),
    "redeal_one": ("redeal", lambda a: [int(a[0]), hexes(a[1])], lambda r, a: None),
    "play_all": ("play_all", lambda a: [a[0].tolist(), int(a[1])], lambda r, a: a[2][: int(r)].tolist()),
}
"""How the browser's stand-in (`micropython/kernels.py`) asks for each rule, and what it is answered."""


class Session:
    """Tables played natively: `steps` and `calls` are what another Python is compared with."""

    def __init__(self, patch: pytest.MonkeyPatch, seed: int) -> None:
        self.steps: list[Step] = []
        self.calls: dict[str, str] = {}
        self._lot = random.Random(seed)
        count = itertools.count()
        patch.setattr("secrets.token_hex", lambda length: f"{next(count):0{2 * length}x}")
        for module in (local, tavolino.server.outgoing):
            patch.setattr(module, "service_ms", lambda: NOW)
        patch.setattr(local, "wall_ms", lambda: TODAY)
        for name in ARGUMENTS:
            patch.setattr(kernels, name, self._noting(name, getattr(kernels, name)))
        patch.setattr(tavolino.bots.position, "chance_one", kernels.chance_one)

    def _noting(self, name: str, rule: Callable[..., Any]) -> Callable[..., Any]:
        short, asked, answered = ARGUMENTS[name]

        def noted(states: Any, *args: Any) -> Any:
            asking = [by_state()[states.dtype].key, short, states.tobytes().hex(), asked(args)]
            result = rule(states, *args)
            told = f"{states.tobytes().hex()} {json.dumps(answered(result, args))}"
            self.calls[json.dumps(asking, separators=(",", ":"))] = told
            return result

        return noted

    def ask(self, name: str, /, **given: Any) -> Any:
        """Ask as the page's worker does."""
        text = json.dumps(given)
        said = local.ask(name, text)
        self.steps.append((name, text, said))
        return json.loads(said)

    def play(self, key: str, players: int, shared: bool) -> None:
        """Play a whole game, against bots or by turns on one device, with slips, undone moves, hints and questions."""
        table = f"{key}-{players}"
        seats = ["me"] * players if shared else ["me"] + ["bot:medium"] * (players - 1)
        made = self.ask("open", table=table, name="  Zoë\u200b ", settings={"game": key, "seats": seats})
        self.ask("load", table=table, rows=made["rows"])
        hand = Hand(self, table)
        hand.say({"type": "hello", "v": 1})
        for n in itertools.count():
            assert n < MOST
            live = local.TABLES[table].table
            if live.phase != "playing" or live.current is None:
                break
            if hand.next is not None:
                hand.bot(live.current.game, self._lot)
            else:
                self._move(hand, key, n)
        self.ask("info", table=table)
        record = self.ask("record", table=table, game=0)
        for seat in (None, 0):
            self.ask("replay", table=table, game=0, seat=seat)
        self.ask("check", record=record)
        moves = len(record["moves"])
        again = self.ask("again", table=table, game=0, name="Zoë", moves=moves // 2, seat=players - 1)
        self.ask("load", table=f"once-more-{table}", rows=again["rows"])
        self.ask("hear", table=f"once-more-{table}", text='{"type": "hello", "v": 1}')
        self.ask("again", table=table, game=0, name="Zoë", moves=moves, seat=0)
        self.ask("verify", record=record, saw=[[0, 0], [moves // 2, None], [moves, players - 1], [moves + 1, 0]])
        self.ask("verify", record=record | {"first": (record["first"] + 1) % players})
        self.ask("import", table=f"again-{table}", record=record)
        self.ask("import", table=f"wrong-{table}", record=record | {"moves": [*record["moves"], "nonsense"]})

    def _move(self, hand: "Hand", key: str, n: int) -> None:
        lot = self._lot
        words = [offer["word"] for offer in hand.legal if not offer.get("type_in")]
        rolls = GAMES[key].rolls
        word = lot.choice(words or list(rolls))
        chance = lot.random()
        if chance < 0.05:
            word = lot.choice(list(GAMES[key].people.WORDS.values()))
        elif chance < 0.08:
            word = lot.choice(["zz", f"{word}9", "", word.upper()]) or "-"
        elif chance < 0.1:
            hand.say({"type": "recall"})
        elif chance < 0.13:
            hand.hint(key, f"h{n}")
        elif chance < 0.25 and hand.undo:
            hand.say({"type": "undo", "id": f"u{n}", "at": hand.number})
            return
        hand.say({"type": "move", "id": f"m{n}", "at": hand.number, "word": word})


class Hand:
    """Whoever holds the device: what it was told last."""

    def __init__(self, session: Session, table: str) -> None:
        self._session = session
        self._table = table
        self.number = self.undo = 0
        self.legal: list[dict[str, Any]] = []
        self.next: dict[str, Any] | None = None

    def say(self, message: dict[str, Any]) -> None:
        """Say something; where the curtain falls, look."""
        self._hear(self._session.ask("hear", table=self._table, text=json.dumps(message)))

    def hint(self, key: str, message: str) -> None:
        """Ask for a hint, and answer for the thinking worker: two moves, and what happened to them in some worlds."""
        answer = self._session.ask("hear", table=self._table, text=json.dumps({"type": "hint", "id": message}))
        self._hear(answer)
        live = local.TABLES[self._table].table
        if not answer["hint"] or live.current is None or not has_networks(key):
            return
        game, seat = live.current.game, live.to_move
        assert seat is not None
        lines: list[tuple[int, ...]] = [(game.action_of(word),) for word in game.legal_moves[:2]]
        watched = watch(Position(game.copy(), seat, message), lines, WORLDS)
        tried = {
            "lines": [list(line) for line in lines],
            "worlds": [watched.worlds[k : k + 1].tobytes().hex() for k in range(WORLDS)],
            "traces": watched.traces.tolist(),
            "worths": watched.worths.tolist(),
        }
        moves = [[line[0], 0.6, 0.01] for line in lines]
        asked = {"id": message, "number": live.number, "network": True, "moves": moves, "tried": tried}
        self._hear(self._session.ask("hinted", table=self._table, **asked))

    def bot(self, game: Any, lot: random.Random) -> None:
        """Move for the bot whose turn it is."""
        assert self.next is not None
        number, word = self.next["number"], self.next.get("word")
        given = {"word": word} if word is not None else {"action": game.action_of(lot.choice(game.legal_moves))}
        self._hear(self._session.ask("move", table=self._table, number=number, **given))

    def _hear(self, answer: dict[str, Any]) -> None:
        self.next = answer["next"]
        for message in map(json.loads, answer["say"]):
            if message["type"] in ("snapshot", "update"):
                self.number, self.legal, self.undo = message["number"], message["legal"], message["undo"]
            if message.get("curtain") is not None:
                self.say({"type": "look", "seat": message["curtain"]})


def tables() -> Iterator[tuple[str, int, bool]]:
    """Yield what is played: every game with every number of players, by turns against bots and on one device."""
    shared = False
    for key, game in GAMES.items():
        for players in game.people.PLAYERS:
            yield key, players, shared
            shared = not shared
