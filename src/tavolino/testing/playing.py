"""Checks of games as they are played: states, records, refusals, offers, events, views."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tavolino.engine.contract import Refusal
from tavolino.engine.registry import GameFolder
from tavolino.play import text
from tavolino.play.game import Game, IllegalMove
from tavolino.play.records import replay
from tavolino.play.telling import events_for
from tavolino.testing.cases import (
    FIELDS,
    GAMES_EACH,
    LONGEST,
    MAX_STATE,
    Broken,
    Case,
    bytes_of,
    need,
    play_on,
    positions,
    random_move,
    told_where,
    unfinished,
)


def state_is_sound(case: Case) -> None:
    """The state has the fields of every game, is small, and each word stands for one action that fits the masks."""
    rules, people = case.game.rules, case.game.people
    state = rules.STATE
    for name in FIELDS:
        need(name in (state.names or ()), f"STATE has no field {name!r}")
    for name in state.names or ():
        wrong = f"records of NumPy have a {name!r} of their own: rename this field of STATE"
        need(not hasattr(np.record, name), wrong)
        base, shape = state[name].subdtype or (state[name], ())
        kind = f"{base.kind}{base.itemsize}"
        need(kind in ("i1", "i2", "i8"), f"the field {name!r} is {kind}: there are i1, i2 and i8")
        need(len(shape) <= 2, f"the field {name!r} has {len(shape)} axes: one or two fit")
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
    """The same seed and moves give the same game; other seeds bring other chance; a copy goes its own way."""
    one, two = (play_on(case.new(seed), random.Random(1)) for seed in (42, "42"))
    need(one.record() == two.record(), f"{case}: seed 42 gives two different games")
    others = [play_on(case.new(seed), random.Random(1)).record() for seed in range(8)]
    if others[0]["deal"]:
        need(
            any(other["deal"] != others[0]["deal"] for other in others), f"{case}: the deal is the same for every seed"
        )
    elif max(case.game.people.WORDS) >= case.game.rules.ROLLED:  # all chance is in the open
        need(
            any(other["moves"] != others[0]["moves"] for other in others), f"{case}: every seed brings the same chance"
        )
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
            if wrong == record["deal"]:  # a game may deal nothing
                continue
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
    folder = game.folder
    for language in text.LANGUAGES:
        sentences, rules = text.own_words(game, language), text.rules_text(folder, language)
        if sentences or language == "en":
            key = f"refused.{refusal.code}"
            need(key in sentences, f"words.{language}.md has no sentence {key}")
            said = text.fill(sentences[key], refusal.values)
            need("{" not in said, f"words.{language}.md leaves a place open in {key}: {said}")
        for clause in refusal.clauses:
            need(_stands_in(rules, clause), f"rules.{language}.md has no clause {clause}")


@cache  # thousands of refusals cite few clauses
def _stands_in(rules: str, clause: str) -> bool:
    return re.search(rf"\b{re.escape(clause)}\b", rules) is not None


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
