"""Every sentence of the page's lessons is true where it is said: each step's claims, held against the rules."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tavolino.play.game import Game
from tools.lessons import LESSONS, YOU, Step, lesson_of, walk

WORDS = Path(__file__).parent.parent / "web" / "src" / "games"
MIRTO = 1


class At:
    """The position in which something is said."""

    def __init__(self, step: Step, before: Step | None) -> None:
        self.step, self.game, self.before = step, step.game, before
        self.view: dict[str, Any] = step.game.view(YOU)
        self.offers = {offer["word"]: offer for offer in step.game.offers} if step.game.to_move == YOU else {}

    def wants(self, word: str, **fields: Any) -> bool:
        """Whether this is the move that is asked for, with these consequences."""
        return self.step.want == word and all(self.offers[word][name] == value for name, value in fields.items())

    def played(self) -> Game:
        """Return the game with the wanted move played."""
        return self.game.after(self.step.want)[0]

    def since(self, *words: str) -> bool:
        """Whether Mirto has played these since the step before, in this order, among others' moves."""
        assert self.before is not None
        new = self.game.moves[len(self.before.game.moves) :]
        mine = self.game.movers[len(self.before.game.moves) :]
        return [word for word, seat in zip(new, mine, strict=True) if seat == MIRTO] == list(words)

    def hand_after(self) -> int:
        return len(self.played().view(YOU)["hand"])


Claim = Callable[[At], bool]
FACE: dict[str, Claim] = {
    # You sit below; your piles start at 1 and 60; 58 cards.
    "hello": lambda at: (
        at.view["piles"][YOU] == {"up": 1, "down": 60} and len(at.view["hand"]) + at.view["draw_piles"][YOU] == 58
    ),
    # At least two cards; the 4 goes up, gently: nothing in the hand costs less.
    "up": lambda at: (
        at.view["turn"]["still_to_lay"] == 2
        and at.wants("u4", pile="up", of=YOU)
        and at.offers["u4"]["gap"] == min(one["gap"] for one in at.offers.values() if one["pile"] == "up")
    ),
    "down": lambda at: (
        at.wants("d58", pile="down", of=YOU)
        and at.offers["d58"]["gap"] == min(one["gap"] for one in at.offers.values())
    ),
    # You may lay more; the 24 goes up and spends twenty numbers.
    "gap": lambda at: at.view["turn"]["may_end"] and at.wants("u24", pile="up", of=YOU, gap=20),
    # More would fit, each spends numbers (or goes back); only own piles were used: two are drawn.
    "end": lambda at: (
        at.wants("end", draws=2) and any("card" in one for one in at.offers.values()) and not at.view["turn"]["helped"]
    ),
    # Mirto has played; ten back exactly, from 24 to 14.
    "ten": lambda at: (
        at.since("u8", "d50", "end")
        and at.view["piles"][YOU]["up"] == 24
        and at.wants("u14", pile="up", of=YOU, back=True, gap=-10)
    ),
    # A gift is still to be had in this turn; the 55 helps Mirto's falling pile.
    "gift": lambda at: not at.view["turn"]["helped"] and at.wants("D55", gift=True, pile="down", of=MIRTO),
    # After the gift the hand is filled up to 6.
    "fill": lambda at: at.view["turn"]["helped"] and at.step.want == "end" and at.hand_after() == 6,
    "bye": lambda at: not at.offers,
}
ORMA: dict[str, Claim] = {
    # Tracks walk out of dark tokens: one lies there, and every colour may start beside it.
    "hello": lambda at: len(at.view["blacks"]) == 1 and not at.view["rows"],
    "start": lambda at: at.wants("green@b0", points=1),
    # Mirto made it longer and got 2; the third pays 3.
    "add": lambda at: at.since("green@r0") and at.view["scores"][MIRTO] == 2 and at.wants("green@r0", points=3),
    # A fourth green pays 4; black closes the row, scores nothing, and nobody scores there again.
    "close": lambda at: (
        at.offers["green@r0"]["points"] == 4
        and at.wants("black@r0", points=0, closes=True)
        and all(not word.endswith("@r0") for word in at.played().legal_moves)
    ),
    # The new dark token (b1) takes another colour than the row it closed.
    "grow": lambda at: at.wants("blue@b1", points=1) and "green@b1" not in at.offers,
    # Something could be laid; drawing is instead of that.
    "draw": lambda at: at.wants("draw") and any("@" in word for word in at.offers),
    # Blue was drawn; it may be laid at once or kept; it makes the blue row 2 long.
    "drawn": lambda at: at.view["drawn"] == "blue" and at.wants("blue@r2", points=2) and "keep" in at.offers,
    "bye": lambda at: not at.offers,
}
SOCK: dict[str, Claim] = {
    # Six decks, 2 to 7.
    "hello": lambda at: sorted(map(int, at.view["decks"])) == list(range(2, 8)),
    "shake": lambda at: at.wants("shake:4", aim=4),
    # Four dice fell, each to its deck; you begin to take.
    "split": lambda at: at.view["dice_fallen"] == 4 and at.wants("split") and at.played().to_move == YOU,
    # Deck 3 gives 8 yellow socks.
    "take": lambda at: at.wants("take:3", points=8) and at.view["decks"]["3"]["top"] == "yellow:8",
    # Mirto took one; deck 5 doubles all yellow.
    "double": lambda at: (
        len(at.game.moves) - len(at.before.game.moves if at.before else []) == 2
        and at.view["decks"]["5"]["top"] == "yellow:double"
        and at.wants("take:5")
        and at.played().view(YOU)["suit_scores"][YOU]["yellow"] == 2 * at.view["suit_scores"][YOU]["yellow"]
    ),
    # There are three marks, no more.
    "marks": lambda at: (
        {
            kind
            for deck in at.game.record()["deal"]["decks"].values()
            for kind in (card.partition(":")[2] for card in deck)
            if not kind.isdecimal()
        }
        == {"double", "conversion", "ban"}
    ),
    # Mirto shook and took one card; one die is left, and only its card can be taken.
    "forced": lambda at: (
        at.since("shake:3", "split", "take:4")
        and sum(deck["dice"] for deck in at.view["decks"].values()) == 1
        and list(at.offers) == ["take:7"]
        and at.wants("take:7")
    ),
    "again": lambda at: at.view["basket_holder"] == YOU and at.wants("shake:2", aim=2),
    # Two fives: a split would share deck 5; a single takes two cards of deck 2, for you alone.
    "single": lambda at: (
        at.game.moves[-1] == "roll:5,5"
        and at.offers["split"]["cards"] == {"0": 1, "1": 1}
        and at.wants("single", deck=2)
        and at.offers["single"]["cards"] == {"0": 2, "1": 0}
    ),
    "bye": lambda at: not at.offers,
}
CLAIMS: dict[str, dict[str, Claim]] = {"face-to-face": FACE, "orma": ORMA, "out-of-sock": SOCK}
NUMBERS = {
    "en": "two 2 three 3 third 3 four 4 fourth 4 six 6 ten 10 twenty 20 fives 5",
    "it": "due 2 tre 3 terzo 3 quattro 4 quarto 4 sei 6 dieci 10 venti 20",
    "es": "dos 2 tres 3 tercer 3 cuatro 4 cuarta 4 seis 6 diez 10 veinte 20",
}


def texts(key: str, language: str) -> dict[str, str]:
    """Return the sentences of a lesson in a language, by step."""
    source = (WORDS / key / "text" / f"{language}.ts").read_text("utf-8")
    block = source[source.index("  lesson: {") :]
    return dict(re.findall(r"^    (\w+):\s+'(.*)',$", block, re.MULTILINE))


def numbers(text: str, language: str) -> set[int]:
    """Return the numbers a text names, in figures or words."""
    words = NUMBERS[language].split()
    known = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return {
        int(one) if one.isdecimal() else known[one]
        for one in re.findall(r"\d+|[a-z]+", text.lower())
        if one.isdecimal() or one in known
    }


@pytest.mark.parametrize("key", list(LESSONS))
def test_what_a_lesson_says_is_so(key: str) -> None:
    before = None
    steps = list(walk(key))
    assert [step.text for step in steps] == list(CLAIMS[key])
    for step in steps:
        assert CLAIMS[key][step.text](At(step, before)), f"{key}: what is said at {step.text} is not so"
        before = step


@pytest.mark.parametrize("key", list(LESSONS))
def test_a_lesson_offers_every_legal_move(key: str) -> None:
    """And says of each but the wanted one what it would do; nothing that is hidden."""
    lesson = json.loads(lesson_of(key).read_text("utf-8"))
    for step, shown in zip(walk(key), lesson["steps"], strict=True):
        words = [offer["word"] for offer in shown["legal"]]
        assert words == (step.game.legal_moves if step.game.to_move == YOU else [])
        assert not step.want or step.want in words
        assert set(shown["would"]) == (set(words) - {step.want} if step.want else set())
        assert not any(
            "cards" in event or event["type"] == "card_shown" for events in shown["would"].values() for event in events
        )


@pytest.mark.parametrize("key", list(LESSONS))
def test_the_languages_tell_the_same_numbers(key: str) -> None:
    english = texts(key, "en")
    assert set(english) == set(CLAIMS[key])
    for language in ("it", "es"):
        other = texts(key, language)
        assert set(other) == set(english)
        for step, text in english.items():
            assert numbers(other[step], language) == numbers(text, "en"), (language, step)
