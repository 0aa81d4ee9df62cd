"""Styles of play: what a game must say of them, how little they give up, that they show, and who plays by them."""

import asyncio
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.bots import players
from tavolino.bots.characters import CHARACTERS, STYLED
from tavolino.bots.halving import NOTES
from tavolino.bots.lookahead import weigh
from tavolino.bots.networks import active, load
from tavolino.bots.players import at_once_in, builtin, in_style, players_of, styles_of
from tavolino.bots.policies import STYLE, policy_move
from tavolino.bots.position import Limits, Position
from tavolino.bots.strategy import MAX_CHOICES, STYLES_BY_GAME
from tavolino.bots.styles import EXPERT, NOISE, favourite, lean
from tavolino.bots.thinking import _tried, look_ahead
from tavolino.browser import table as browser_table
from tavolino.engine import tiers
from tavolino.engine.registry import GAMES
from tavolino.play.text import LANGUAGES, own_words
from tavolino.server.bot_pool import BotPool
from tavolino.server.table import BOT_NAMES, Chair
from tavolino.server.thoughts import ADVISER, thought_of
from tests.cases import play_on
from tools.styles import Trial, legal_actions, measure

STYLES = [(key, style) for key in GAMES for style in styles_of(key)]
TABLES = [(key, players) for key in GAMES if styles_of(key) for players in GAMES[key].people.PLAYERS]
every_table = pytest.mark.parametrize(("key", "seats"), TABLES)


def positions(key: str, seats: int, number: int) -> Iterator[tavolino.Game]:
    """Yield random positions in which there is something to decide."""
    for seed in range(number):
        rng = random.Random(seed)
        game = play_on(tavolino.new(key, seats, seed), rng, rng.randrange(70))
        if not game.over and len(game.legal_moves) > 1:
            yield game


def log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(chance / (1 - chance))


def weighed(key: str, seats: int, states: Any) -> tuple[Any, Any]:
    """Return the moves worth playing, and what the network says of them."""
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES)
    n = weigh(states, load(key, seats), active(key), actions, values)
    return actions[:n], values[:n]


@every_table
def test_a_game_says_how_much_a_style_likes_each_move(key: str, seats: int) -> None:
    """From 0 to 1, the same in worlds that look alike to the seat, and not the same for all moves of a game."""
    module = STYLES_BY_GAME[key]
    seen: dict[int, set[float]] = {number: set() for number in range(1, len(module.STYLES) + 1)}
    for game in positions(key, seats, 40):
        seat = game.to_move or 0
        states, other = (one.redeal(seat, "x").bare_state() for one in (game, game.redeal(seat, "another world")))
        for number, liked_by in seen.items():
            for action in legal_actions(states):
                taste = module.likes(states[0], action, number)
                assert 0 <= taste <= 1
                assert taste == module.likes(other[0], action, number)
                liked_by.add(taste)
            for level in (1, 2, EXPERT):
                bound, scale = module.leans(states[0], number, level)
                assert 0 < bound <= 1
                assert scale > 0
    assert all(len(tastes) > 1 for tastes in seen.values())


@every_table
def test_a_style_gives_up_no_more_than_its_bound(key: str, seats: int) -> None:
    """No move passes another that the network says is further ahead."""
    leans = STYLES_BY_GAME[key].leans
    changed = 0
    for game in positions(key, seats, 40):
        states = Position(game, game.to_move or 0, "x").state()
        actions, values = weighed(key, seats, states)
        before = [log_odds(value) for value in values]
        for number in range(1, len(styles_of(key)) + 1):
            for level in (1, 2):
                after, bound = values.copy(), leans(states[0], number, level)[0]
                lean(states[0], actions, after, len(actions), number, level)
                rise = [log_odds(value) - was for value, was in zip(after, before, strict=True)]
                assert all(-1e-6 <= one <= bound + 1e-6 for one in rise), (rise, bound)
                assert before[int(np.argmax(after))] >= max(before) - bound - 1e-6
                changed += int(np.argmax(after)) != int(np.argmax(values))
    assert changed, "no style ever preferred a move"


@every_table
def test_an_expert_in_a_style_plays_nothing_that_is_clearly_worse(key: str, seats: int) -> None:
    """What it plays was tried as long as the best line, and is behind by two standard errors and its bound at most."""
    changed = 0
    for game in positions(key, seats, 24):
        position = Position(game, game.to_move or 0, "x", Limits(simulations=300))
        best = look_ahead(position)[0]
        states, notes = _tried(position)
        note = notes[0]
        lines = note["lines"][:, 0].tolist()[: int(note["count"])]
        top = max(range(len(lines)), key=lambda i: (note["tried"][i], _mean(note, i)))
        assert position.word(lines[top]) == best.word
        for number in range(1, len(styles_of(key)) + 1):
            pick = int(favourite(states, notes, number))
            allowed = [
                i for i in range(len(lines)) if lines[i] == pick and _as_good(note, top, i, _bound(key, states, number))
            ]
            assert pick == lines[top] or allowed
            changed += pick != lines[top]
    assert changed, "no style ever preferred a line"


def _mean(note: Any, line: int) -> float:
    return float((10 * note["priors"][line] + note["sums"][line]) / (10 + note["tried"][line]))


def _bound(key: str, states: Any, number: int) -> float:
    return float(STYLES_BY_GAME[key].leans(states[0], number, EXPERT)[0])


def _as_good(note: Any, best: int, line: int, bound: float) -> bool:
    worlds = int(note["tried"][best])
    products = note["products"]
    lead = (note["sums"][best] - note["sums"][line]) / worlds
    square = (products[best, best] - 2 * products[best, line] + products[line, line]) / worlds
    error = math.sqrt(max(0.0, square - lead * lead) / worlds)
    behind = log_odds(_mean(note, best)) - log_odds(_mean(note, line))
    return bool(note["tried"][line] == worlds and abs(lead) <= NOISE * error + 1e-9 and behind <= bound + 1e-9)


def test_a_line_clearly_worse_is_never_played() -> None:
    """Made up: two lines tried as long, the second liked; it is played if it is behind by its noise, not by more."""
    key = next(key for key in GAMES if styles_of(key))
    game = next(game for game in positions(key, 2, 40) if len(_tastes(game)) == 2)
    states, tastes = game.bare_state(), _tastes(game)
    for behind, noise, chosen in ((0.0, 0.01, 1), (0.015, 0.01, 1), (0.015, 0.005, 0), (0.1, 0.1, 0)):
        notes = np.zeros(1, NOTES)
        note = notes[0]
        note["lines"][:] = -1
        note["lines"][:2, 0] = tastes[0.0], tastes[1.0]
        note["count"], note["priors"][:2], note["tried"][:2] = 2, 0.5, 400
        first = np.full(400, 0.5)
        second = first - behind + np.array([1, -1] * 200) * noise * math.sqrt(400)
        note["sums"][:2] = first.sum(), second.sum()
        note["products"][:2, :2] = np.stack([first, second]) @ np.stack([first, second]).T
        assert favourite(states, notes, 1) == [tastes[0.0], tastes[1.0]][chosen], (behind, noise)


def _tastes(game: tavolino.Game) -> dict[float, int]:
    """Return an action of each taste of the first style."""
    states = game.bare_state()
    likes = STYLES_BY_GAME[game.key].likes
    return {likes(states[0], action, 1): action for action in legal_actions(states)}


@every_table
def test_a_style_that_gives_nothing_up_plays_as_none(key: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By plain rules, where what a game says can be changed: with no bound the same moves from the same seeds."""
    module = tiers.plain(f"{GAMES[key].package}.styles")
    monkeypatch.setattr(module, "leans", lambda s, style, level: (0.0, 1.0))
    games = list(positions(key, seats, 6))
    codes, net = at_once_in(key), (load(key, seats), active(key))
    tiers.use_plain(key)
    try:
        for game in games:
            states = Position(game, game.to_move or 0, "x").state()
            for level in ("medium", "hard"):
                plain, styled = (
                    policy_move(states.copy(), code, *net, np.array([5], np.uint64))
                    for code in (codes[level], codes[level] + STYLE)
                )
                assert plain == styled, level
    finally:
        tiers.use_compiled(key)


@pytest.mark.parametrize(("key", "style"), STYLES)
def test_a_style_shows(key: str, style: str) -> None:
    """On fixed deals, a level in a style plays what it likes clearly more often than the same level without."""
    for level in ("medium", "hard"):
        found = measure(Trial(key, 2, style, level), 60, shown=60)
        assert found["likes"] > found["likes_without"] + 0.03, (level, found)
        assert 0.25 < found["won"] < 0.75


@pytest.mark.parametrize("key", GAMES)
def test_each_style_has_its_sentence(key: str) -> None:
    """In every language, and for no other style; names are plain words, so that LEVEL-STYLE can be read."""
    named = set(STYLES_BY_GAME[key].STYLES)
    assert all(name.isalpha() and name.islower() for name in named)
    for language in LANGUAGES:
        words = own_words(GAMES[key], language)
        assert {word.removeprefix("style.") for word in words if word.startswith("style.")} == named
    assert named <= {one.style for one in CHARACTERS}


@pytest.mark.parametrize("key", GAMES)
def test_a_style_that_there_is_not_is_told_in_words(key: str) -> None:
    there = ", ".join(styles_of(key)) or "none"
    for name in ("medium-sleepy", "expert-sleepy", "search-sleepy"):
        with pytest.raises(ValueError, match=f"no player '{name}'.*LEVEL-STYLE.*styles of this game are: {there}"):
            builtin(name, key)
    with pytest.raises(ValueError, match="no player 'sleepy-medium'"):
        builtin("sleepy-medium", key)
    assert in_style("medium", "sleepy", key) == in_style("medium", "", key) == "medium"


def test_levels_alone_have_styles() -> None:
    for key in GAMES:
        expected = {f"{level}-{style}" for level in STYLED for style in styles_of(key)}
        assert {name for name in players_of(key) if "-" in name} == expected


def test_characters_differ() -> None:
    """Five faces for five seats, each at its own tempo; one of them plays plainly."""
    assert tuple(one.name for one in CHARACTERS) == BOT_NAMES
    assert len({one.tempo for one in CHARACTERS}) == len({one.style for one in CHARACTERS}) == len(CHARACTERS)
    assert [one.style for one in CHARACTERS].count("") == 1


def test_a_bot_plays_by_its_name_and_a_substitute_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The character in a seat has its style; who plays for a person, or has another name, has none."""
    for one in CHARACTERS:
        assert Chair(None, one.name, "medium").style == one.style
        assert Chair("somebody", one.name, "medium").style == ""
    assert Chair(None, "7", "medium").style == ""
    asked: list[str] = []

    def ask(name: str, key: str) -> players.Player:
        asked.append(name)
        return builtin(name, key)

    monkeypatch.setattr("tavolino.server.bot_pool.builtin", ask)
    key, style = STYLES[0]
    game = next(positions(key, 2, 10))

    async def play() -> None:
        pool = BotPool(1)
        try:
            for given in (style, "", "sleepy"):
                assert await pool.choose(game.copy(), game.to_move or 0, "medium", "", given) in game.legal_moves
        finally:
            pool.close()

    asyncio.run(play())
    assert asked == [f"medium-{style}", "medium", "medium"]


def test_without_a_server_a_bot_plays_by_its_name_too() -> None:
    """What the page's worker is asked to think of names the style of who sits there; a hint names none."""
    key = STYLES[0][0]
    seats = ["bot:medium", *["bot:hard"] * (GAMES[key].people.PLAYERS[0] - 1)]
    settings = {"game": key, "seats": seats}
    opened = browser_table.do("open", {"table": "t", "name": "Ada", "settings": settings})
    table = browser_table.load("t", opened["rows"])
    thought = table.answer()["next"]
    assert thought["style"] == CHARACTERS[table.table.to_move or 0].style != ""
    assert thought_of(Position(next(positions(key, 2, 10)), 0, "x"), ADVISER)["style"] == ""
