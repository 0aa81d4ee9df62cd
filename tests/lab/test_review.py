"""The review of a game: the account adds up and cancels, errors are found and priced, nothing hidden is used."""

import json
from typing import Any

import pytest

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Limits, Position
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab import review
from tavolino.lab.account import KINDS, Shift, Weighed, change_of, foreseen
from tavolino.lab.judge import Judge
from tavolino.lab.review_page import review_page
from tavolino.lab.reviewing import review_in_slices
from tavolino.lab.story import Happened, headline, moments, turning_points
from tavolino.play.records import BadRecord
from tests.lab.test_studies import read_page

TRIES = 24
TABLES = [
    (key, *table)
    for key, game in GAMES.items()
    for table in {game.people.PLAYERS[-1]: 20, game.people.PLAYERS[0]: None}.items()
]
"""With the fewest players to the end, with the most for some moves."""


def played(
    game: str, players: int, seed: int, moves: int | None = None, bot: str = "greedy", tries: int = 0, **options: Any
) -> dict[str, Any]:
    """Return the record of a game between equal bots, or of its first moves."""
    made = tavolino.new(game, players, seed=seed, **options)
    one, limits = builtin(bot), Limits(simulations=tries or None)
    while (seat := made.to_move) is not None and (moves is None or len(made.moves) < moves):
        made.play(one.choose(Position(made, seat, f"{seed}/{len(made.moves)}", limits)))
    return made.record()


def adds_up(found: dict[str, Any]) -> None:
    """Check that errors and luck lead from the start to the end, step by step and in all, and that they cancel."""
    curve, seats = found["curve"], range(found["players"])
    assert len(curve) == len(found["steps"]) + 1
    assert all(sum(chances) == pytest.approx(1, abs=1e-9) for chances in curve)
    for step in found["steps"]:
        before, after = curve[step["number"] - 1 : step["number"] + 1]
        assert step["chances"] == after
        for seat in seats:
            change = step["error"][seat] + step["luck"][seat]
            assert after[seat] - before[seat] == pytest.approx(change, abs=1e-9)
            assert step["change"][seat] == pytest.approx(change, abs=1e-9)
        assert sum(step["error"]) == pytest.approx(0, abs=1e-9)
        assert sum(step["luck"]) == pytest.approx(0, abs=1e-9)
    for one in found["account"]:
        parts = one["own_errors"]["value"], one["others_errors"]["value"], one["luck"]["value"]
        assert one["start"] + sum(parts) == pytest.approx(one["end"], abs=1e-9)
        assert parts[0] <= 0 <= parts[1]
        assert sum(one["luck_parts"].values()) == pytest.approx(parts[2], abs=1e-9)
        for name in ("own_errors", "others_errors", "luck"):
            assert one[name]["low"] <= one[name]["value"] <= one[name]["high"]
    for kind in KINDS:
        assert sum(one["luck_parts"][kind] for one in found["account"]) == pytest.approx(0, abs=1e-9)
    lost, given = (sum(one[name]["value"] for one in found["account"]) for name in ("own_errors", "others_errors"))
    assert lost + given == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("game", "players", "moves"), TABLES)
def test_the_account_adds_up_and_cancels(game: str, players: int, moves: int | None) -> None:
    record = played(game, players, 3, moves, bot="naive")
    found = review(record, tries=TRIES)
    adds_up(found)
    assert found["over"] == (record["winners"] is not None)
    assert [step["word"] for step in found["steps"]] == record["moves"]
    if found["over"]:
        shares = [1 / len(record["winners"]) if seat in record["winners"] else 0 for seat in range(players)]
        assert [one["end"] for one in found["account"]] == shares
    assert json.loads(json.dumps(found)) == found
    for step in found["steps"]:
        if (decision := step["decision"]) is None:
            continue
        words = [one["word"] for one in decision["candidates"]]
        assert decision["best"] == words[0]
        assert step["word"] in words
        assert min(5, decision["options"]) <= len(words) <= 6
        lines = [tuple(one["line"]) for one in decision["candidates"]]
        assert len(set(lines)) == len(lines)
        assert all(one["line"][0] == one["word"] == one["offer"]["word"] for one in decision["candidates"])
        if decision["verdict"] == "best":
            assert decision["error"]["value"] == 0
    assert 1 <= len(found["moments"]) <= 3
    assert [one["step"] for one in found["moments"]] == sorted(one["step"] for one in found["moments"])


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_lists_five_candidates_or_all_moves(game: str) -> None:
    """Also where the network's own list of turns is short; each has a chance, and its line can be played."""
    players = GAMES[game].people.PLAYERS[0]
    record = played(game, players, 7, bot="random")
    found = review(record, tries=4)
    board = tavolino.replay({**record, "moves": [], "scores": None, "winners": None})
    decisions = 0
    for step in found["steps"]:
        if (decision := step["decision"]) is not None:
            decisions += 1
            assert decision["options"] == len(board.legal_moves)
            shown = decision["candidates"]
            assert len(shown) >= min(5, decision["options"]), f"move {step['number']}"
            assert len({tuple(one["line"]) for one in shown}) == len(shown)
            for one in shown:
                assert len(set(one["line"])) == len(one["line"]), "nothing is left over from a longer turn"
                assert 0 <= one["chance"] <= 1
                assert one["behind"]["low"] <= one["behind"]["value"] <= one["behind"]["high"]
                tried = board.copy()
                for word in one["line"]:
                    if tried.to_move == step["seat"]:  # a turn may be over before its plan is
                        tried.play(word)
        board.play(step["word"])
    assert decisions > 10


def test_every_candidate_of_every_decision_has_reasons() -> None:
    """Without, nothing else changes: where a move lost something, the best and the one played have the same."""
    record = played("orma", 2, 3, moves=8, bot="naive")
    few, all_of_them = review(record, tries=TRIES, all_reasons=False), review(record, tries=TRIES)
    assert few["moments"] == all_of_them["moments"]
    without = compared = 0
    for one, two in zip(few["steps"], all_of_them["steps"], strict=True):
        assert one["chances"] == two["chances"]
        if one["decision"] is not None:
            shown = two["decision"]["candidates"]
            assert [each["word"] for each in one["decision"]["candidates"]] == [each["word"] for each in shown]
            for each, other in zip(one["decision"]["candidates"], shown, strict=True):
                if each["reasons"]:
                    compared += 1
                    assert each["reasons"] == other["reasons"]
            without += sum(not each["reasons"] for each in one["decision"]["candidates"])
            without -= 3 * sum(not each["reasons"] for each in shown)
    assert compared >= 4
    assert without > 0, "most of those without have some then"


def test_without_a_network_nothing_is_said_for_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reasons come from what strong players would do next: there are none, as in a hint."""
    monkeypatch.setattr("tavolino.lab.judge.has_network", lambda *_: False)
    found = review(played("orma", 2, 3, moves=6, bot="naive"), tries=4)
    shown = [one for step in found["steps"] if step["decision"] for one in step["decision"]["candidates"]]
    assert len(shown) > 10
    assert not any(one["reasons"] for one in shown)


def test_the_page_tells_what_was_considered_and_why() -> None:
    """Each costly decision with its candidates, their chances and reasons; no code of an event among them."""
    found = review(played("out-of-sock", 2, 3, moves=40, bot="random"), tries=TRIES)
    text = " ".join(read_page(review_page(found)).itertext())
    section = text[text.index("Costly decisions") : text.index("Luck and bad luck")]
    costly = [one["decision"] for one in found["steps"] if one["decision"] and one["decision"]["error"]["value"] > 0]
    assert len(costly) >= 3
    worst = max(costly, key=lambda decision: decision["error"]["value"])
    for one in worst["candidates"]:
        assert f"{' '.join(one['line'])} {100 * one['chance']:.1f} %" in " ".join(section.split())
    assert "you score" in section
    assert "turn began" not in section


def test_it_comes_in_slices_and_the_same_seed_gives_the_same() -> None:
    record = played("orma", 3, 5, moves=12)
    slices = list(review_in_slices(record, tries=TRIES))
    assert [one.done for one in slices] == [pytest.approx((i + 1) / 12) for i in range(12)]
    told: list[float] = []
    one = review(record, tries=TRIES, progress=told.append)
    assert told == [part.done for part in slices]
    assert slices[-1].curve[:12] == one["curve"][:12]
    assert one == review(record, tries=TRIES)
    assert review(record, tries=TRIES, seed=2) != one


@pytest.mark.parametrize(("game", "players"), [("out-of-sock", 2), ("face-to-face", 2)])
def test_an_unfinished_game_is_reviewed_up_to_its_last_move(game: str, players: int) -> None:
    found = review(played(game, players, 4, moves=5), tries=TRIES)
    adds_up(found)
    assert not found["over"]
    assert found["headline"]["code"] == "unfinished"
    assert all(0 < one["end"] < 1 for one in found["account"])


def test_a_deal_without_a_move_is_a_review_too() -> None:
    found = review(played("orma", 2, 4, moves=0), tries=TRIES)
    adds_up(found)
    assert found["steps"] == []


def test_a_broken_record_is_told() -> None:
    record = played("orma", 2, 1, moves=3)
    with pytest.raises(BadRecord, match="move 2"):
        review({**record, "moves": [record["moves"][0], "black@b0"]})
    with pytest.raises(ValueError, match="tries must be"):
        review(record, tries=1)


def test_the_experts_own_game_has_nearly_no_errors_and_a_weak_one_has_many() -> None:
    """Backgammon's grandmasters play at a rate of 3 to 4; whoever looks ahead like the judge stays below that."""
    rates = {}
    for bot, tries in (("expert", 200), ("naive", 0)):
        record = played("face-to-face", 2, 1, moves=20, bot=bot, tries=tries)
        account = review(record, tries=64)["account"]
        lost = -sum(one["own_errors"]["value"] for one in account)
        rates[bot] = 1000 * lost / sum(one["decisions"] for one in account)
    assert rates["expert"] < 3
    assert rates["naive"] > 6


def test_the_move_played_is_listed_with_what_its_error_was_found_with() -> None:
    """An error is never larger than what the line of the move is behind: it is that difference, less its noise."""
    found = review(played("face-to-face", 2, 1, moves=60, bot="naive"), tries=64)
    wrong = 0
    for step in found["steps"]:
        if (decision := step["decision"]) is not None and decision["error"]["value"] > 0:
            wrong += 1
            behind = [one["behind"]["value"] for one in decision["candidates"] if one["word"] == step["word"]]
            assert decision["error"]["value"] <= max(behind) + 1e-9, f"move {step['number']}"
    assert wrong > 5


def test_what_can_still_be_done_in_a_turn_is_no_error_yet() -> None:
    """In a turn of several moves a missed chance is counted once: nobody loses more in it than there was to lose."""
    found = review(played("face-to-face", 2, 3, bot="greedy"), tries=TRIES)
    turns: dict[int, list[dict[str, Any]]] = {}
    for step in found["steps"]:
        if step["decision"] is not None:
            turns.setdefault(step["turn"], []).append(step["decision"])
    assert max(map(len, turns.values())) > 2
    lost = {turn: sum(one["error"]["value"] for one in decisions) for turn, decisions in turns.items()}
    for turn, decisions in turns.items():
        assert lost[turn] <= decisions[0]["candidates"][0]["chance"] + 1e-9, f"turn {turn}"
    assert max(lost.values()) > 0.2, "a missed chance there is"


@pytest.mark.parametrize(("game", "players", "moves"), TABLES)
def test_what_decisions_of_a_turn_share_is_what_each_would_find(
    game: str, players: int, moves: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decisions of a turn that look at the same lines share what was found: to try them again would change nothing."""
    record = played(game, players, 9, moves=min(moves or 16, 16))
    found = review(record, tries=TRIES)
    monkeypatch.setattr(Judge, "_led_here", lambda *_: None)
    assert review(record, tries=TRIES) == found


def test_a_turn_of_several_moves_is_judged_in_less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, asked = Judge._tried, [0, 0]

    def counted(self: Judge, root: Any, lines: Any, worlds: Any) -> Any:
        asked[-1] += len(lines) * (worlds.until - worlds.first)
        return tried(self, root, lines, worlds)

    monkeypatch.setattr(Judge, "_tried", counted)
    record = played("face-to-face", 2, 9, moves=30)
    review(record)
    asked.append(0)
    monkeypatch.setattr(Judge, "_led_here", lambda *_: None)
    review(record)
    assert asked[1] < 0.8 * asked[2]


def named() -> dict[str, Any]:
    """Return the record of a game in which the basket holder is among the tied, and names another as the winner."""
    for seed in range(400):
        game = tavolino.new("out-of-sock", 4, seed=seed, sock_values=[2] * 6)
        bot = builtin("random")
        while (seat := game.to_move) is not None:
            if f"winner:{seat}" in game.legal_moves:
                game.play(next(word for word in game.legal_moves if word != f"winner:{seat}"))
                return game.record()
            game.play(bot.choose(Position(game, seat, f"{seed}/{len(game.moves)}")))
    raise AssertionError("no such game")


def test_a_planted_blunder_is_found_and_priced() -> None:
    """Whoever may name the winner and names another loses the whole game by it."""
    found = review(named(), tries=TRIES)
    step = found["steps"][-1]
    assert step["decision"]["best"] == f"winner:{step['seat']}"
    assert step["decision"]["verdict"] == "blunder"
    assert step["decision"]["error"] == {"value": 1, "low": 1, "high": 1}
    assert step["error"][step["seat"]] == -1
    assert step["luck"] == pytest.approx([0] * 4)
    assert found["moments"][-1]["code"] == "error"
    assert found["moments"][-1]["better"] == f"winner:{step['seat']}"
    assert found["account"][step["seat"]]["blunders"] >= 1


def test_nothing_hidden_is_used_to_judge_a_decision() -> None:
    """Two games that look alike to a seat: its candidates and their prices are the same in both."""
    record = played("face-to-face", 2, 8, moves=9)
    game = tavolino.replay(record)
    seat = game.to_move
    assert seat is not None
    twin = game.redeal(seat, seed=5)
    assert twin.record()["deal"] != record["deal"]
    word = game.legal_moves[0]
    game.play(word)
    twin.play(word)
    one, two = (review(each.record(), tries=TRIES)["steps"][-1]["decision"] for each in (game, twin))
    assert one == two


def test_intervals_of_twelve_seeds_cover_what_all_of_them_find() -> None:
    record = played("face-to-face", 2, 6, moves=14, bot="naive")
    found = [review(record, tries=48, seed=seed)["account"] for seed in range(12)]
    covered = 0
    for seat in range(2):
        errors = [account[seat]["own_errors"] for account in found]
        middle = sum(one["value"] for one in errors) / len(errors)
        covered += sum(one["low"] <= middle <= one["high"] for one in errors)
    assert covered >= 20  # of 24, of which 95 % should: fewer are one chance in forty


def test_moments_and_headlines_are_codes() -> None:
    curve = [[0.5, 0.5], [0.3, 0.7], [0.2, 0.8], [0.45, 0.55], [1.0, 0.0]]
    assert turning_points(curve) == [4]
    told = moments([], [0.0, 0.0], curve)
    assert told == []
    assert headline(curve, [0], told, [1, 2, 3, 4]) == {
        "code": "comeback",
        "values": {"seat": 0, "other": 1, "step": 1, "turn": 1, "chance": 0.3},
    }
    for_a_moment = [[0.5, 0.5], [0.6, 0.4], [0.0, 1.0], [0.6, 0.4], [1.0, 0.0]]
    assert headline(for_a_moment, [0], told, [1, 2, 3, 4])["code"] == "close", "nobody had it in hand"
    assert headline(curve, [0, 1], told, [1, 2, 3])["code"] == "shared"
    assert headline([[0.5, 0.5], [0.6, 0.4], [1.0, 0.0]], [0], told, [1, 2])["code"] == "led_throughout"


def test_an_error_that_moved_no_chance_decided_nothing() -> None:
    """Where nothing comes to light, its price and what the hidden hands made of it are one moment, or none."""
    curve = [[0.5, 0.5], [0.5, 0.5], [0.2, 0.8], [0.6, 0.4], [1.0, 0.0]]
    met = Happened(1, 1, 0, "unforeseen", [-0.4, 0.4], [0.4, -0.4])
    cost = Happened(2, 2, 0, "unforeseen", [-0.4, 0.4], [0.1, -0.1])
    helped = Happened(3, 3, 0, "unforeseen", [-0.1, 0.1], [0.5, -0.5])
    drew = Happened(4, 4, 0, "draw", [-0.1, 0.1], [0.5, -0.5])
    found = Happened(4, 4, 0, "unforeseen", [0.0, 0.0], [0.5, -0.5])
    missed = Happened(4, 4, 1, "unforeseen", [0.0, 0.0], [0.5, -0.5])
    small = Happened(4, 4, 1, "unforeseen", [0.01, -0.01], [0.6, -0.6])
    told = moments([met, cost, helped, small], [0.0, 0.0], curve)
    assert [(one.step, one.code) for one in told] == [(2, "error"), (3, "hidden"), (4, "hidden")]
    assert [one.change[0] for one in told] == pytest.approx([-0.3, 0.4, 0.61])
    assert [one.code for one in moments([drew], [0.0, 0.0], curve)] == ["lucky_draw", "error"]
    for one, code in ((found, "surprise"), (missed, "hidden")):
        alone = moments([one], [0.0, 0.0], curve)
        assert [moment.code for moment in alone] == [code], "what helped its own seat was not hidden from it"
        said = headline([[0.5, 0.5], [0.45, 0.55], [1.0, 0.0]], [0], alone, [1, 4])["code"]
        assert said == "close", "no draw, no error"


def test_what_every_draw_would_have_changed_is_no_luck_of_the_draw() -> None:
    """The account of a step stays as it is; only what sets a draw apart from the others is put down to it."""
    cost = Shift([-0.2, 0.2], {"hidden": [0.1, -0.1], "favour": [0.0, 0.0], "draw": [0.3, -0.3]})
    split = foreseen(cost, "draw", [0.7, 0.3], [0.6, 0.4])
    assert split.error == cost.error
    assert split.luck["draw"] == pytest.approx([0.1, -0.1])
    assert split.luck["unforeseen"] == pytest.approx([0.2, -0.2])
    assert split.lucks == pytest.approx(cost.lucks)


@pytest.mark.parametrize(("game", "players", "seed"), [("face-to-face", 2, 3), ("out-of-sock", 2, 2)])
def test_a_draw_is_told_as_luck_only_if_most_others_were_less_so(game: str, players: int, seed: int) -> None:
    """Games in which the chances moved far at draws that most others would have equalled."""
    found = review(played(game, players, seed), tries=TRIES)
    rarities = [one["rarity"] for one in found["moments"] if one["code"].endswith(("_draw", "_dice"))]
    assert rarities
    assert max(rarities) <= 0.5
    assert any(
        any(step["luck_parts"].get("unforeseen", []))
        for step in found["steps"]
        if step["luck_kind"] in ("draw", "dice")
    ), "a part of what draws changed is put down to the judge"


def test_what_a_move_changed_beyond_its_error_is_told_once() -> None:
    """From where the last move left the chances: as hidden luck beside an error, else as a move not expected."""
    nothing = Estimate(0.0, 0.0, 0.0)
    fine = change_of(0, Weighed(nothing, [], [], [0.9, 0.1], [0.6, 0.4]), [0.5, 0.5], [0.7, 0.3], "draw")
    assert fine.luck["unforeseen"] == pytest.approx([0.1, -0.1])
    assert fine.luck["draw"] == pytest.approx([0.1, -0.1])
    lost = Estimate(0.2, 0.1, 0.3)
    bad = change_of(0, Weighed(lost, [-0.2, 0.2], [0.5, 0.5], [0.9, 0.1], [0.4, 0.6]), [0.5, 0.5], [0.3, 0.7], "draw")
    assert bad.error == pytest.approx([-0.2, 0.2])
    assert bad.luck["hidden"] == pytest.approx([0.1, -0.1])
    assert bad.luck["draw"] == pytest.approx([-0.1, 0.1])
    still = change_of(1, Weighed(nothing, [], [], [0.9, 0.1], [0.6, 0.4]), [0.5, 0.5], [0.6, 0.4], "unforeseen")
    assert still.lucks == pytest.approx([0.1, -0.1])
