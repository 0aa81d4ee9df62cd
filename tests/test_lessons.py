"""Every sentence of the page's lessons is true where it is said: each step's claims, held against the rules."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tavolino.engine.registry import GAMES
from tavolino.play import text
from tavolino.play.game import Game
from tools.lessons import LESSONS, YOU, Step, lesson_of, refused, walk

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

    def best(self, field: str, least: bool = False, **fields: Any) -> list[str]:
        """Return the moves with the most, or the least, of a field, among those with these consequences."""
        among = {
            word: one[field]
            for word, one in self.offers.items()
            if field in one and all(one.get(name) == value for name, value in fields.items())
        }
        limit = min(among.values()) if least else max(among.values())
        return [word for word, value in among.items() if value == limit]

    def of_card(self, card: int) -> list[dict[str, Any]]:
        return [one for one in self.offers.values() if one.get("card") == card]

    @property
    def refusals(self) -> dict[str, str]:
        """Why the rest of what one may try is refused."""
        tried = LESSONS[self.game.key].tries(self.view)
        return {word: no["why"] for word, no in refused(self.game, tried).items()}

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
    # The falling pile goes back up by ten, from 30 to 40.
    "tenDown": lambda at: at.view["piles"][YOU]["down"] == 30 and at.wants("d40", of=YOU, back=True, gap=-10),
    # What a gift must be; the 52 helps least, by 1; on one's own piles it would cost 46 and fits nowhere else.
    "help": lambda at: (
        at.view["piles"][MIRTO] == {"up": 20, "down": 51}
        and at.wants("D52", gift=True, gap=1)
        and at.best("gap", least=True, gift=True) == ["D52"]
        and [(one["word"], one["gap"]) for one in at.of_card(52) if not one["gift"]] == [("u52", 46)]
        and at.refusals["U25"] == "no_help_up"
        and at.refusals["D45"] == "no_help_down"
    ),
    # No second gift; the hand is filled up to 6 whether one lays more or not.
    "one": lambda at: (
        at.view["turn"]["helped"]
        and set(at.refusals.values()) >= {"one_gift"}
        and not any(one.get("gift") for one in at.offers.values())
        and len(at.game.after("end")[0].view(YOU)["hand"]) == 6
        and at.wants("u9", gap=3)
    ),
    "more": lambda at: at.wants("u12", gap=3),
    # All others cost 13 or more, one exactly that.
    "full": lambda at: at.wants("end", draws=4) and min(one.get("gap", 99) for one in at.offers.values()) == 13,
    "danger": lambda at: not at.offers,
    # An empty draw pile, two cards at least; whoever lays the 41 first cannot lay the 38 any more.
    "rest": lambda at: (
        at.view["draw_piles"][YOU] == 0
        and at.view["turn"]["still_to_lay"] == 2
        and at.wants("u38")
        and not any(word[1:] == "38" for word in at.game.after("u41")[0].legal_moves)
    ),
    "order": lambda at: at.wants("u41", pile="up", of=YOU),
    # Two are laid in this turn and it may go on; the 8 is the last of 58.
    "all": lambda at: (
        at.view["turn"]["may_end"] and at.view["scores"][YOU] == 57 and at.wants("d8", pile="down", of=YOU)
    ),
    "bye": lambda at: at.view["scores"][YOU] == 58 and at.game.winners == [YOU],
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
    "drawn": lambda at: (
        at.view["drawn"] == "blue"
        and at.wants("blue@r2", points=2)
        and set(at.offers) == {"keep", "blue@r2"}
        and at.refusals["red@r1"] == "only_the_drawn"
    ),
    # Two rows leave the middle, so none starts there (O2.2); where Mirto closed red, any other colour may.
    "two": lambda at: (
        [at.view["rows"][r]["colour"] for r in at.view["blacks"][0]["rows"]] == ["green", "red"]
        and at.game.moves[-1] == "black@r1"
        and at.game.movers[-1] == MIRTO
        and not any(word.endswith("@b0") for word in at.offers)
        and at.refusals["yellow@b0"] == "two_rows"
        and at.refusals["red@b1"] == "same_colour"
        and at.wants("yellow@b1", points=1)
    ),
    # Red ends at a dark token, green does not yet; then the middle may have a third (O2.3).
    "shut": lambda at: (
        at.view["rows"][1]["to"] is not None
        and at.view["rows"][0]["to"] is None
        and at.view["blacks"][0]["may_start"] == []
        and at.wants("black@r0", closes=True)
        and at.played().view(YOU)["blacks"][0]["may_start"] != []
    ),
    # Any colour but green and red; after it nothing starts in the middle any more.
    "third": lambda at: (
        set(at.view["blacks"][0]["may_start"]) == {"yellow", "blue", "violet"}
        and at.wants("blue@b0", points=1)
        and at.played().view(YOU)["blacks"][0]["may_start"] == []
        and at.refusals["green@b0"] == "same_colour"
    ),
    "most": lambda at: at.best("points") == ["yellow@r2"] and at.wants("yellow@r2", points=4),
    # One token, violet; with it 41 at best, and the game would be over; Mirto has 43.
    "count": lambda at: (
        at.view["scores"] == [39, 43]
        and {c for c, n in at.view["hand"].items() if n} == {"violet"}
        and max(one.get("points", 0) for one in at.offers.values()) == 2
        and all(at.game.after(word)[0].winners == [MIRTO] for word in at.offers if "@" in word)
        and at.wants("draw")
    ),
    "lucky": lambda at: (
        at.view["drawn"] == "blue" and at.wants("blue@r6", points=6) and at.played().view(YOU)["hand"]["violet"] == 1
    ),
    "finish": lambda at: (
        at.view["scores"] == [45, 44] and at.wants("violet@r9", points=2, ends=True) and at.played().winners == [YOU]
    ),
    "bye": lambda at: at.view["scores"] == [47, 44] and at.game.winners == [YOU],
}
SOCK: dict[str, Claim] = {
    # Six decks, 2 to 7, of which one card each is seen.
    "hello": lambda at: (
        sorted(map(int, at.view["decks"])) == list(range(2, 8))
        and all(set(deck) >= {"top"} and "cards" not in deck for deck in at.view["decks"].values())
    ),
    # 8 dice; for an aim of 4 the mean number that falls is 4.
    "shake": lambda at: (
        at.wants("shake:4", aim=4)
        and max(map(int, at.offers["shake:4"]["chances"])) == 8
        and sum(int(n) * chance for n, chance in at.offers["shake:4"]["chances"].items()) == pytest.approx(4)
    ),
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
    # No die was left, Mirto aimed for 2, one die fell, the turn was skipped: the basket is yours.
    "skip": lambda at: (
        at.since("take:2", "shake:2")
        and at.game.moves[-1] == "roll:5"
        and any(
            event["type"] == "turn_skipped" for event in at.step.frames[-1]["events"] + at.step.frames[-2]["events"]
        )
        and at.view["basket_holder"] == YOU
    ),
    "again": lambda at: at.view["basket_holder"] == YOU and at.wants("shake:2", aim=2),
    # Two fives: a split would share deck 5; a single takes two cards of deck 2, for you alone.
    "single": lambda at: (
        at.game.moves[-1] == "roll:5,5"
        and at.offers["split"]["cards"] == {"0": 1, "1": 1}
        and at.wants("single", deck=2)
        and at.offers["single"]["cards"] == {"0": 2, "1": 0}
    ),
    # Mirto shook and took one card; one die is left, and only its card can be taken.
    "forced": lambda at: (
        at.since("shake:3", "split", "take:4")
        and sum(deck["dice"] for deck in at.view["decks"].values()) == 1
        and list(at.offers) == ["take:7"]
        and at.wants("take:7")
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
    # 8 blue socks that count against you; the second conversion changes the points by 16, nothing else does.
    "flip": lambda at: (
        at.view["suit_scores"][YOU]["blue"] == -8
        and at.view["decks"]["5"]["top"] == "blue:conversion"
        and [word for word, one in at.offers.items() if one["points"] == 16] == ["take:5"]
        and at.wants("take:5")
        and at.played().view(YOU)["suit_scores"][YOU]["blue"] == 8
    ),
    "aim": lambda at: (
        at.view["basket_holder"] == YOU
        and at.wants("shake:2", aim=2)
        and all(at.offers["shake:2"]["chances"][fallen] > 0 for fallen in ("1", "3"))
    ),
    # One card each, you first: orange socks or a green ban.
    "share": lambda at: (
        at.wants("split", cards={"0": 1, "1": 1})
        and at.played().to_move == YOU
        and at.view["decks"]["7"]["top"] == "orange:2"
        and at.view["decks"]["2"]["top"] == "green:ban"
        and set(at.played().legal_moves) == {"take:2", "take:7"}
    ),
    # The ban changes nothing for you; Mirto's green counts 4; after the orange ones only the ban is left for Mirto.
    "leave": lambda at: (
        at.offers["take:2"]["points"] == 0
        and at.view["suit_scores"][MIRTO]["green"] == 4
        and at.wants("take:7", points=2)
        and at.played().legal_moves == ["take:2"]
        and at.played().to_move == MIRTO
    ),
    "gone": lambda at: (
        at.since("take:2")
        and at.before is not None
        and at.view["scores"][MIRTO] == at.before.game.view(YOU)["scores"][MIRTO] - 4
    ),
    # Deck 2 is empty, deck 3 has one card; 50 to 38.
    "late": lambda at: (
        at.view["decks"]["2"]["left"] == 0
        and at.view["decks"]["3"]["left"] == 1
        and at.view["scores"] == [50, 38]
        and at.wants("shake:3")
    ),
    # The last card of deck 3 ends the game, and you win.
    "last": lambda at: (
        at.wants("single", deck=3, ends=True)
        and at.offers["single"]["cards"] == {"0": 1, "1": 0}
        and at.played().winners == [YOU]
    ),
    "bye": lambda at: at.game.winners == [YOU],
}
CLAIMS: dict[str, dict[str, Claim]] = {"face-to-face": FACE, "orma": ORMA, "out-of-sock": SOCK}
NUMBERS = {
    "en": "two 2 three 3 third 3 four 4 fourth 4 six 6 ten 10 twenty 20 fives 5",
    "it": "due 2 tre 3 terzo 3 terza 3 quattro 4 quarto 4 quarta 4 sei 6 dieci 10 venti 20",
    "es": "dos 2 tres 3 tercer 3 tercera 3 cuatro 4 cuarta 4 seis 6 diez 10 veinte 20",
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
def test_a_lesson_answers_every_try(key: str) -> None:
    """Each legal move but the wanted one by what it would do, without what is hidden; all else by why not."""
    lesson = json.loads(lesson_of(key).read_text("utf-8"))
    words = {language: text.words(GAMES[key], language) for language in ("en", "it", "es")}
    for step, shown in zip(walk(key), lesson["steps"], strict=True):
        legal = [offer["word"] for offer in shown["legal"]]
        assert legal == (step.game.legal_moves if step.game.to_move == YOU else [])
        assert not step.want or step.want in legal
        assert set(shown["would"]) == (set(legal) - {step.want} if step.want else set())
        assert not any(
            "cards" in event or event["type"] == "card_shown"
            for one in shown["would"].values()
            for event in one["events"]
        )
        for word, one in shown["would"].items():
            after = step.game.after(word)[0]
            assert one["winners"] == (after.winners if after.over else None)
        tried = LESSONS[key].tries(step.game.view(YOU)) if step.want else []
        assert set(shown["refused"]) == set(tried) - set(legal)
        for no in shown["refused"].values():
            assert all(f"refused.{no['why']}" in said for said in words.values())


@pytest.mark.parametrize("key", list(LESSONS))
def test_the_languages_tell_the_same_numbers(key: str) -> None:
    english = texts(key, "en")
    assert set(english) == set(CLAIMS[key])
    for language in ("it", "es"):
        other = texts(key, language)
        assert set(other) == set(english)
        for step, said in english.items():
            assert numbers(other[step], language) == numbers(said, "en"), (language, step)
