"""What must hold for every game: the conformance suite, for authors of games.

    python -m tavolino.testing my-game

plays a few hundred random games in about a minute, and reports for each check whether it holds; if not, in which setup,
with which seed and after which move. `--quick` tries only the default options. In tests of your own, each check is a
function of a `Case`:

    from tavolino.testing import CHECKS, cases_of

    @pytest.mark.parametrize("check", CHECKS)
    @pytest.mark.parametrize("case", cases_of("my-game"), ids=str)
    def test_conformance(case, check):
        CHECKS[check](case)

Secrecy is tested with worlds that look the same: a game is dealt anew behind a seat's back (`Game.redeal`), and all
that the seat gets must be the same, byte for byte. `tavolino.engine.contract` says what each name of a game must do.
"""

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tavolino.engine import tiers
from tavolino.engine.contract import Refusal
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.plain import bits
from tavolino.engine.registry import GAMES, GameFolder
from tavolino.play import text
from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.records import replay
from tavolino.play.setup import find_game
from tavolino.play.telling import events_for

GAMES_EACH = 6
"""Games played for each check of each setup."""
LONGEST = 20_000
"""Moves after which a random game is taken not to end."""
MAX_STATE = 512
"""The most bytes of a state."""
FIELDS = ("legal", "player", "over", "seats", "first", "winners", "ending")
"""What the state of each game has."""
ONE_IN_A_MILLION = 4.8
"""The standard score that luck exceeds once in a million times."""


QUICK = "--quick"
"""Leaves out all but the default options."""


class Broken(AssertionError):
    """A game does not do what the contract says; the message says where."""


@dataclass(frozen=True)
class Case:
    """A game as it can be set up."""

    key: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.key, str(self.players), *(f"{k}={v}".replace(" ", "") for k, v in self.options.items())])

    def new(self, seed: int | str) -> Game:
        """Deal a game."""
        return new(self.key, self.players, seed, **self.options)

    @property
    def game(self) -> GameFolder:
        """The game's modules."""
        return GAMES[self.key]

    @property
    def viewers(self) -> list[int | None]:
        """Whoever may look at a game: a spectator, and each seat."""
        return [None, *range(self.players)]


def cases_of(key: str) -> list[Case]:
    """Return a game with each number of players, by default and with each other choice of each option."""
    game = find_game(key)
    found = []
    for players in game.people.PLAYERS:
        found.append(Case(game.key, players))
        for option in game.people.OPTIONS:
            others = [value for value in option.choices or () if value != option.default]
            found += [Case(game.key, players, {option.name: value}) for value in others]
    return found


def random_move(game: Game, rng: random.Random) -> str:
    """Choose a legal move."""
    need(game.legal_moves, f"seat {game.to_move} is to move, and no move is legal")
    return rng.choice(game.legal_moves)


def play_on(game: Game, rng: random.Random, moves: int = LONGEST) -> Game:
    """Play random moves, to the end or so many; chance that is due is drawn from the game's seed."""
    for _ in range(moves):
        if game.over:
            break
        if game.chance_due:
            game.roll()
        else:
            game.play(random_move(game, rng))
    return game


def need(holds: object, wrong: str) -> None:
    """Raise Broken if something does not hold."""
    if not holds:
        raise Broken(wrong)


@contextmanager
def told_where(case: Case, seed: int | str, game: Game | None = None) -> Iterator[None]:
    """Say in which setup, with which seed and after which move something went wrong."""
    try:
        yield
    except Exception as error:
        where = f"{case}, seed {seed}"
        if game is not None and game.moves:
            where += f", after move {len(game.moves)} ({game.moves[-1]})"
        said = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
        raise Broken(f"{where}: {said}") from error


def bytes_of(data: Any) -> bytes:
    """Return plain data as JSON; Broken if it is not plain."""
    try:
        return json.dumps(data, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise Broken(f"not plain data for JSON ({error}): {data!r:.200}") from None


def positions(case: Case, games: int = GAMES_EACH) -> Iterator[tuple[int, Game, random.Random]]:
    """Yield games that have been played for a while, the start and the end among them."""
    rng = random.Random(str(case))
    length = len(play_on(case.new(0), random.Random(0)).moves)
    for seed in range(games):
        game = case.new(seed)
        with told_where(case, seed, game):
            play_on(game, rng, 0 if seed == 0 else LONGEST if seed == 1 else rng.randrange(length))
        yield seed, game, rng


def unfinished(record: dict[str, Any], moves: int) -> dict[str, Any]:
    """Return the record of a game as it was after so many moves."""
    return {**record, "moves": record["moves"][:moves], "scores": None, "winners": None}


def state_is_sound(case: Case) -> None:
    """The state has the fields of every game, is small, and each word stands for one action that fits the masks."""
    rules, people = case.game.rules, case.game.people
    state = rules.STATE
    for name in FIELDS:
        need(name in (state.names or ()), f"STATE has no field {name!r}")
    need(state.itemsize <= MAX_STATE, f"a state takes {state.itemsize} bytes, more than {MAX_STATE}")
    need(len(rules.STREAMS) <= 16, "there are more than 16 STREAMS")
    need(list(people.PLAYERS) == sorted(set(people.PLAYERS)), "PLAYERS do not ascend")
    words = list(people.WORDS.values())
    twice = [word for word, number in Counter(words).items() if number > 1]
    need(not twice, f"two actions have the word {twice[:1]}")
    room = 64 * state["legal"].shape[0]
    for action, word in people.WORDS.items():
        need(isinstance(word, str) and word and not re.search(r"\s", word), f"{word!r} is no word without spaces")
        need(json.loads(json.dumps(word)) == word, f"{word!r} does not survive JSON")
        if action < rules.ROLLED:
            need(0 <= action < room, f"action {action} ({word}) has no bit in `legal`")
            need(action & 63 != 63, f"action {action} ({word}) would be the sign of its mask: bit 63 must stay free")


def games_end(case: Case) -> None:
    """Random games end, with winners and one of the endings; then nothing is left to do."""
    for seed in range(GAMES_EACH):
        game = case.new(seed)
        with told_where(case, seed, game):
            play_on(game, random.Random(seed))
            need(game.over, f"the game goes on after {LONGEST} random moves")
            need(game.winners and max(game.winners) < case.players, f"the winners are {game.winners}")
            need(
                game.to_move is None and not game.legal_moves and not game.chance_due, "there is still something to do"
            )
            need(game.ending in case.game.people.ENDINGS, f"{game.ending!r} is not among ENDINGS")
            need(len(game.scores) == case.players, "there is not one score for each seat")


def seeds_decide(case: Case) -> None:
    """The same seed and moves give the same game; other seeds give other deals; a copy goes its own way."""
    one, two = (play_on(case.new(seed), random.Random(1)) for seed in (42, "42"))
    need(one.record() == two.record(), f"{case}: seed 42 gives two different games")
    deals = {bytes_of(case.new(seed).record()["deal"]) for seed in range(8)}
    need(len(deals) > 1, f"{case}: the deal is the same for every seed")
    game = case.new(8)
    before, twin = game.record(), game.copy()
    play_on(twin, random.Random(2))
    need(game.record() == before, f"{case}, seed 8: playing a copy changes the game")
    need(play_on(game, random.Random(2)).record() == twin.record(), f"{case}, seed 8: a copy plays otherwise")


def records_replay(case: Case) -> None:
    """A record leads back to the same state at every length, through JSON; undoing is replaying one move less."""
    for seed in range(2):
        game = play_on(case.new(seed), random.Random(seed))
        whole = json.loads(bytes_of(game.record()))
        with told_where(case, seed):
            later = replay(whole)
            need(later.record() == whole, "a replayed game has another record")
            need(later._states.tobytes() == game._states.tobytes(), "a replayed game has another state")
        for length in range(len(whole["moves"]) - 1, -1, -1):
            later.undo()
            with told_where(case, seed, later):
                shorter = replay(unfinished(whole, length))
                need(not shorter.over, "the game was over before its last move")
                need(shorter._states.tobytes() == later._states.tobytes(), "undo and replay lead to different states")


def deals_are_checked(case: Case) -> None:
    """A deal that is none is refused with a ValueError; the one of a record is read as it was written."""
    record = case.new(3).record()
    whole = unfinished(record, 0)
    with told_where(case, 3):
        need(replay(whole).record()["deal"] == record["deal"], "a deal is not read as it was written")
        for wrong in (None, 7, "x", [], {}, {"x": 1}, {**record["deal"], "x": 1}, *_damaged(record["deal"])):
            try:
                replay({**whole, "deal": wrong})
            except ValueError:
                continue
            raise Broken(f"a deal is taken that is none: {wrong!r:.200}")


def _damaged(deal: Any) -> Iterator[Any]:
    """Yield a deal with one part missing or of another kind."""
    for key in deal:
        yield {k: v for k, v in deal.items() if k != key}
        others: list[Any] = [None, 7, [], {}, "x"]
        yield from ({**deal, key: other} for other in others if other != deal[key])


def undo_brings_the_same_chance_back(case: Case) -> None:
    """A move taken back and made again meets the same outcomes of chance."""
    for seed, game, rng in positions(case):
        if game.over:
            continue
        with told_where(case, seed, game):
            before, state, word = game.moves, game._states.tobytes(), random_move(game, rng)
            game.play(word)
            after = game.moves
            game.undo()
            need((game.moves, game._states.tobytes()) == (before, state), f"undoing {word} leads elsewhere")
            game.play(word)
            need(game.moves == after, f"{word}, undone and made again, meets other chance")


def only_legal_moves_play(case: Case) -> None:
    """Of all words exactly the legal ones play; the others are refused by a clause, and nothing changes."""
    words = list(case.game.people.WORDS.values())
    for seed, game, rng in positions(case):
        legal = set(game.legal_moves)
        for word in words if len(words) < 500 else rng.sample(words, 500):
            with told_where(case, seed, game):
                if word in legal:
                    twin = game.copy()
                    twin.play(word)
                    need(word in twin.moves[len(game.moves) :], f"{word} was played, but is not among the moves")
                else:
                    before = game._states.tobytes()
                    refusal = _refused(game, word)
                    need(game._states.tobytes() == before, f"{word} was refused, and yet changed the state")
                    if not game.over:
                        need(refusal is not None, f"{word} is refused without a rule")
                        assert refusal is not None
                        _check_refusal(case.game, word, refusal)


def _refused(game: Game, word: str) -> Refusal | None:
    try:
        game.copy().play(word)
    except IllegalMove as error:
        return error.refusal
    raise Broken(f"{word} is not among the legal moves, and yet plays")


def _check_refusal(game: GameFolder, word: str, refusal: Refusal) -> None:
    """Check that each language has a sentence for it and the clause it cites."""
    need(refusal.clauses, f"{word} is refused by no clause ({refusal.code})")
    bytes_of(dict(refusal.values))
    for language in text.LANGUAGES:
        sentences, rules = text.own_words(game, language), text.rules_text(game.folder, language)
        if sentences or language == "en":
            key = f"refused.{refusal.code}"
            need(key in sentences, f"words.{language}.md has no sentence {key}")
            said = text.fill(sentences[key], refusal.values)
            need("{" not in said, f"words.{language}.md leaves a place open in {key}: {said}")
        for clause in refusal.clauses:
            need(re.search(rf"\b{re.escape(clause)}\b", rules), f"rules.{language}.md has no clause {clause}")


def offers_agree(case: Case) -> None:
    """There is an offer for each legal move, in their order, and what it says is what then happens.

    Where an offer and the first event of the move have a field of the same name, its value is the same.
    """
    for seed, game, rng in positions(case, 4 * GAMES_EACH):
        offers = game.offers
        with told_where(case, seed, game):
            bytes_of(offers)
            words = [offer["word"] for offer in offers]
            typed = game.dice_typed
            need(words == game.legal_moves or (typed and words), f"offers and legal moves differ: {words[:5]}")
            for offer in rng.sample(offers, min(6, len(offers))) if not typed else ():
                told = events_for(game.copy().tell(offer["word"]), game.to_move)[0]
                for name in offer.keys() & told.keys() - {"seat"}:
                    wrong = f"{offer['word']} offers {name} {offer[name]!r}, and {told[name]!r} happens"
                    need(offer[name] == told[name], wrong)


def events_are_plain(case: Case) -> None:
    """What is told of a game is plain data with a type; a secret names its seat."""
    for seed in range(GAMES_EACH):
        game, rng = case.new(seed), random.Random(seed)
        while not game.over:
            with told_where(case, seed, game):
                for event in game.tell(random_move(game, rng)):
                    need(isinstance(event.get("type"), str), f"an event has no type: {event}")
                    secret = event.get("secret")
                    need(secret is None or secret.get("seat") in range(case.players), f"whose secret? {event}")
                    bytes_of(event)


def views_are_plain(case: Case) -> None:
    """Views are plain data, and a spectator's has the same fields as a seat's."""
    for seed, game, _ in positions(case):
        with told_where(case, seed, game):
            fields = {tuple(json.loads(bytes_of(game.view(viewer)))) for viewer in case.viewers}
            need(len(fields) == 1, "views of seats and spectators have different fields")


def secrets_are_kept(case: Case) -> None:
    """In two games that look alike to a seat, it sees, is offered, observes and is told the same, byte for byte."""
    for seed, game, rng in positions(case, 2 * GAMES_EACH):
        for viewer in case.viewers:
            with told_where(case, seed, game):
                one, two = (game.redeal(viewer, f"{seed}/{n}") for n in range(2))
                seen = _seen(case, game, viewer)
                for twin in (one, two, replay(one.record())):
                    for what, found in _seen(case, twin, viewer).items():
                        need(found == seen[what], f"{what} of {_name(viewer)} changes with what it cannot know")
                for word in rng.sample(one.legal_moves, min(3, len(one.legal_moves))):
                    if word in two.legal_moves:
                        _same_news(case, one, two, viewer, word)


def _name(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _seen(case: Case, game: Game, viewer: int | None) -> dict[str, bytes]:
    """Return all that a seat gets of a game."""
    found = {
        "the view": bytes_of(game.view(viewer)),
        "the position": bytes_of(game.position(viewer)),
        "a world to search": game.redealt_state(viewer, 77).tobytes(),
        "how much may be undone": bytes_of(game.may_undo(viewer)),
        "what was told so far": bytes_of(_told(game, viewer)),
    }
    if viewer is not None:
        found["the observation"] = _observation(case, game, viewer)
        if game.to_move == viewer:
            found["the offers"] = bytes_of(game.offers)
            found["a bot's move"] = _advised(game, viewer).encode()
    return found


def _told(game: Game, viewer: int | None) -> list[list[dict[str, Any]]]:
    """Return what a seat was told of each move of a game."""
    again = replay(unfinished(game.record(), 0))
    return [events_for(again.tell(word), viewer) for word in game.moves]


def observations_suffice(case: Case) -> None:
    """What a learner observes says all that the view says but the list of moves."""
    from tavolino.engine.generic_observation import decoded
    from tavolino.engine.observe import ENCODERS, NEWEST

    folder, encoder = GAMES[case.key], ENCODERS[NEWEST][case.key]
    views: dict[tuple[int, bytes], bytes] = {}
    for seed, game, rng in positions(case):
        play_on(game, rng, rng.randrange(30))
        for seat in range(case.players):
            with told_where(case, seed, game):
                row = np.zeros(encoder.SIZE, np.float32)
                encoder.observe(game._states[0], seat, row)
                view = {name: part for name, part in game.view(seat).items() if name != "moves"}
                known = views.setdefault((seat, row.tobytes()), bytes_of(view))
                need(known == bytes_of(view), "two views that differ have the same observation")
                if folder.part("observation") is None:
                    told = view_told(game, decoded(folder, row, case.players, seat), seat)
                    lost = [name for name in view if bytes_of(told[name]) != bytes_of(view[name])]
                    need(not lost, f"the observation does not tell {', '.join(lost)}: name the fields in OPEN, EACH, …")


def view_told(game: Game, told: Any, seat: int) -> dict[str, Any]:
    """Return a seat's view, without the moves, by a state that was read from an observation; the setup is known."""
    people, over = game.setup.game.people, bool(told.over)
    return {
        "game": game.key,
        "seat": seat,
        "seats": game.players,
        "options": game.options,
        "first": told.first,
        "to_move": None if told.player < 0 else told.player,
        "chance_due": told.player < 0 and not over,
        "over": over,
        "scores": told.scores,
        "winners": bits(told.winners) if over else None,
        "ending": people.ENDINGS[told.ending] if over else None,
        **people.open_view(told),
        **people.own_view(told, seat),
    }


def _observation(case: Case, game: Game, seat: int) -> bytes:
    from tavolino.engine.observe import ENCODERS

    rows = []
    for encoders in ENCODERS:
        encoder = encoders[case.key]
        rows.append(np.zeros(encoder.SIZE, np.float32))
        encoder.observe(game._states[0], seat, rows[-1])
        need(np.isfinite(rows[-1]).all(), "an observation has numbers that are not finite")
    return b"".join(row.tobytes() for row in rows)


def _advised(game: Game, seat: int) -> str:
    from tavolino.bots.players import builtin
    from tavolino.bots.position import Limits, Position

    return builtin("easy").choose(Position(game, seat, "testing", Limits(simulations=8)))


def _same_news(case: Case, one: Game, two: Game, viewer: int | None, word: str) -> None:
    """Check what a move tells in worlds that looked alike before it: the same, unless it has shown something.

    What it has shown is in the views after it; and then it cannot be taken back.
    """
    told, games, free = [], [], []
    for game in (one, two):
        twin, _, events = game.after(word)
        told.append(bytes_of(events_for(events, viewer)))
        games.append(twin)
        free.append(twin.may_undo(game.to_move))
    if bytes_of(games[0].view(viewer)) == bytes_of(games[1].view(viewer)):
        need(told[0] == told[1], f"what {word} tells {_name(viewer)} changes with what it cannot know")
    else:
        need(free == [0, 0], f"{word} shows something to {_name(viewer)}, and yet can be taken back")


def redeals_are_games(case: Case) -> None:
    """What is dealt anew is a legal game that its seat could have seen as it did, move by move."""
    for seed, game, rng in positions(case):
        for viewer in case.viewers:
            with told_where(case, seed, game):
                other = game.redeal(viewer, seed)
                replayed = replay(other.record())
                for seat in case.viewers:
                    need(replayed.view(seat) == other.view(seat), "the deal behind a redeal does not lead to it")
                need(replayed.legal_moves == other.legal_moves, "the deal behind a redeal leads to other moves")
                for moves in rng.sample(range(len(game.moves) + 1), min(4, len(game.moves) + 1)):
                    then = game.earlier(moves).view(viewer)
                    need(replayed.earlier(moves).view(viewer) == then, f"{_name(viewer)} saw otherwise at move {moves}")


def redeals_are_even(case: Case, games: int = 300) -> None:
    """At the start of games, what is dealt anew is distributed like what is dealt (chi-square of each part)."""
    for viewer in (None, 0):
        dealt: dict[str, Counter[str]] = {}
        redealt: dict[str, Counter[str]] = {}
        for seed in range(games):
            for into, game in (
                (dealt, case.new(f"one/{seed}")),
                (redealt, case.new(f"two/{seed}").redeal(viewer, seed)),
            ):
                for path, value in _leaves("", game.record()["deal"]):
                    into.setdefault(path, Counter())[value] += 1
        for path in dealt:
            score = _unlike(dealt[path], redealt.get(path, Counter()))
            wrong = f"{case}: dealt anew for {_name(viewer)}, deal{path} differs from deals: {redealt.get(path)}"
            need(score < ONE_IN_A_MILLION, f"{wrong}, not {dealt[path]}")


def redeals_hide_hands(case: Case, games: int = 40) -> None:
    """What a seat alone may know is dealt anew for the others, not left as it is."""
    for viewer in case.viewers:
        for seat in (seat for seat in range(case.players) if seat != viewer):
            true = [bytes_of(case.new(seed).own_position(seat)) for seed in range(games)]
            dealt = [bytes_of(case.new(seed).redeal(viewer, "x").own_position(seat)) for seed in range(games)]
            need(
                true != dealt or len(set(true)) == 1,
                f"{case}: dealt anew for {_name(viewer)}, seat {seat} holds what it held, in {games} games",
            )


def _leaves(path: str, data: Any) -> Iterator[tuple[str, str]]:
    """Yield each part of a deal by its place; a long text is taken letter by letter."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _leaves(f"{path}.{key}", value)
    elif isinstance(data, list) or (isinstance(data, str) and len(data) > 24):
        for i, value in enumerate(data):
            yield from _leaves(f"{path}[{i}]", value)
    else:
        yield path, str(data)


def _unlike(one: Counter[str], two: Counter[str]) -> float:
    """Return the standard score of the chi-square of two samples, by Wilson and Hilferty."""
    rare = [value for value in one | two if one[value] + two[value] < 20]
    kinds = [([value], one[value], two[value]) for value in one | two if value not in rare]
    kinds += [(rare, sum(one[v] for v in rare), sum(two[v] for v in rare))] if rare else []
    a, b = one.total(), two.total()
    chi = sum((x * (b / a) ** 0.5 - y * (a / b) ** 0.5) ** 2 / (x + y) for _, x, y in kinds if x + y) if b else np.inf
    free = len(kinds) - 1
    if free < 1:
        return 0.0 if b else float("inf")
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


def compiled_is_interpreted(case: Case) -> None:
    """The compiled rules and the plain Python they are made from lead to the same bytes, redeals included."""
    if INTERPRETED:
        return

    def played(seed: int) -> tuple[bytes, bytes, list[bytes]]:
        game = play_on(case.new(seed), random.Random(seed))
        middle = game.earlier(len(game.moves) // 2)
        worlds = [middle.redealt_state(viewer, 5).tobytes() for viewer in case.viewers]
        return bytes_of(game.record()), game._states.tobytes(), worlds

    for seed in range(2):
        with told_where(case, seed):
            compiled = played(seed)
            tiers.use_plain(case.key)
            try:
                need(tiers.is_plain(case.key), "the plain rules cannot be used")
                plain = played(seed)
            except Exception as error:
                raise Broken(f"the rules run compiled, but not interpreted: {type(error).__name__}: {error}") from error
            finally:
                tiers.use_compiled(case.key)
            for what, one, two in zip(("records", "states", "redeals"), compiled, plain, strict=True):
                need(one == two, f"compiled and interpreted rules give different {what}")


def bots_play(case: Case) -> None:
    """The levels and `random` play whole games, and only legal moves."""
    from tavolino.bots.players import builtin
    from tavolino.bots.position import Limits, Position

    players = [builtin(name, case.key) for name in ("easy", "random")]
    game = case.new(9)
    while (seat := game.to_move) is not None and len(game.moves) < LONGEST:
        with told_where(case, 9, game):
            position = Position(game, seat, f"testing/{len(game.moves)}", Limits(simulations=8))
            game.play(players[seat % 2].choose(position))
    need(game.over, f"{case}: bots do not come to an end")


CHECKS: dict[str, Callable[[Case], None]] = {
    check.__name__: check
    for check in (
        state_is_sound,
        games_end,
        seeds_decide,
        records_replay,
        deals_are_checked,
        undo_brings_the_same_chance_back,
        only_legal_moves_play,
        offers_agree,
        events_are_plain,
        views_are_plain,
        secrets_are_kept,
        observations_suffice,
        redeals_are_games,
        redeals_are_even,
        redeals_hide_hands,
        compiled_is_interpreted,
        bots_play,
    )
}
"""Each check by its name: it takes a case and raises Broken."""


def failure(case: Case, check: str) -> str | None:
    """Run a check; return what is wrong, None if nothing is."""
    try:
        CHECKS[check](case)
    except Broken as error:
        return str(error)
    except Exception as error:  # of the game, where nothing said where
        return f"{case}: {type(error).__name__}: {error}"
    return None


def main(words: list[str]) -> int:
    """Run all checks on the games named; print what holds and what does not, and return 1 if anything does not."""
    keys = [word for word in words if word != QUICK]
    if not keys:
        print(f"usage: python -m tavolino.testing [{QUICK}] GAME …; there are {', '.join(GAMES)}", file=sys.stderr)
        return 2
    wrong = 0
    for key in keys:
        try:
            cases = [case for case in cases_of(key) if not (QUICK in words and case.options)]
        except ValueError as error:
            print(error, file=sys.stderr)
            return 2
        print(f"{GAMES[key].title}: {len(cases)} setups")
        for check, function in CHECKS.items():
            found = [one for case in cases if (one := failure(case, check)) is not None]
            wrong += len(found)
            print(f"{'BROKEN' if found else 'ok    '} {(function.__doc__ or check).splitlines()[0]}", flush=True)
            for line in found:
                print(f"       {line}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
