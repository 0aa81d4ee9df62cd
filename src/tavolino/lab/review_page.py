"""The review of a game as a page: the curve of chances, the account, what decided it, every decision and every draw."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tavolino.bots.networks import has_networks
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab import plots
from tavolino.lab.account import BLUNDER, SLIP
from tavolino.lab.page import figures, more, page, paragraph, section, table
from tavolino.lab.plots import Curve
from tavolino.play.advice import Reason, reasons_told
from tavolino.play.terminal import seat_names

Review = Mapping[str, Any]
SHOWN, REASONS = 12, 2
"""Decisions and draws named first, the others are in the list of all moves; reasons told of each candidate."""
LUCK = {
    "deal": "deal",
    "draw": "draws",
    "dice": "dice",
    "hidden": "hidden hands",
    "favour": "whom errors helped",
    "unforeseen": "unforeseen moves",
}
HEADLINES = {
    "unfinished": "The game is not over: {seat} is ahead.",
    "shared": "The win is shared.",
    "comeback": "{seat} won a game that {other} had in hand after move {step}.",
    "one_error": "One error decided it: move {step}, by {other}.",
    "one_draw": "Luck decided it: move {step}.",
    "led_throughout": "{seat} was ahead from start to end.",
    "close": "A close game: {seat} took the lead for good with move {step}.",
}
MOMENTS = {
    "deal": "the deal",
    "error": "an error of {seat}",
    "lucky_draw": "a lucky draw of {seat}",
    "unlucky_draw": "an unlucky draw of {seat}",
    "lucky_dice": "lucky dice for {seat}",
    "unlucky_dice": "unlucky dice for {seat}",
    "hidden": "a move of {seat} that met the hidden hands",
    "surprise": "a move of {seat} that was not expected",
}


def review_page(found: Review) -> str:
    """Return a review as a self-contained page; a pure function of the review."""
    names = seat_names(found["players"])
    sections = [
        section("How it adds up", paragraph(_result(found, names)), _account(found, names), wide=True),
        section(
            "Chances of winning",
            _curve(found, names),
            more("How to read it", paragraph(_curve_note())),
            wide=True,
        ),
        section("What decided it", _moments(found, names), wide=True),
        section("Costly decisions", _costly(found, names), wide=True),
        section("Luck and bad luck", _lucky(found, names), wide=True),
        section("All moves", more("Show them", _moves(found, names)), wide=True),
        section("How it was found", *map(paragraph, _method(found)), wide=True),
    ]
    title = GAMES[found["game"]].title
    lead = f"{found['players']} players, {len(found['steps'])} moves. {told(found, names)}"
    foot = (
        f"<p>The same record, tries ({found['tries']}) and seed ({escape(str(found['seed']))}) give the same page.</p>"
    )
    return page(f"{title}: a game reviewed", lead, found["game"], sections, foot, found)


def told(found: Review, names: Sequence[str]) -> str:
    """Say the headline of a review in English."""
    values = dict(found["headline"]["values"])
    for name in ("seat", "other"):
        if values.get(name) is not None:
            values[name] = names[values[name]]
    said = HEADLINES[found["headline"]["code"]].format(**values)
    return said[:1].upper() + said[1:]


def _result(found: Review, names: Sequence[str]) -> str:
    if not found["over"]:
        return "The game is not over: the account ends with the last move."
    winners = " and ".join(names[seat] for seat in found["winners"] or ())
    scores = ", ".join(f"{names[seat]} {score}".replace("-", "−") for seat, score in enumerate(found["scores"]))
    who = escape(winners[:1].upper() + winners[1:])
    return f"<b>{who}</b> won ({escape(found['ending'] or '')}). Scores: {escape(scores)}."


def _account(found: Review, names: Sequence[str]) -> str:
    head = ["", "start", "own errors", "others’ errors", "luck", "end", "error rate", "best moves", "slips", "blunders"]
    rows = [
        [
            f"<b>{escape(names[one['seat']])}</b>",
            f"{100 * one['start']:.1f}",
            _signed(one["own_errors"]),
            _signed(one["others_errors"]),
            _signed(one["luck"]),
            f"<b>{100 * one['end']:.1f}</b>",
            f"{one['error_rate']:.1f}",
            f"{one['best']} of {one['decisions']}",
            str(one["slips"]),
            str(one["blunders"]),
        ]
        for one in found["account"]
    ]
    kinds = [kind for kind in LUCK if any(abs(one["luck_parts"][kind]) > 1e-9 for one in found["account"])]
    luck = [
        [f"<b>{escape(names[one['seat']])}</b>", *(_plain(one["luck_parts"][kind]) for kind in kinds)]
        for one in found["account"]
    ]
    note = (
        '<p class="q note">In points of win chance (100 is a sure win). For each seat start + own errors + '
        "others’ errors + luck = end, exactly; luck adds up to 0 over the seats. The error rate is that of backgammon: "
        "a thousand times the chance lost per decision.</p>"
    )
    return (
        _for_widths(table(head, rows), _stacked(head, rows))
        + note
        + more("Luck, by kind", table(["", *(LUCK[kind] for kind in kinds)], luck))
    )


def _stacked(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with the cells of each row one below the other: so a phone shows them whole."""
    lines = [
        [row[0] if i == 1 else "", head[i], row[i].replace("<br/>", " ")] for row in rows for i in range(1, len(head))
    ]
    return table(["", "", ""], lines, frozenset({1}))


def _for_widths(broad: str, narrow: str) -> str:
    """Return what a wide window shows, and what a phone shows in its place."""
    return f'<div class="broad">{broad}</div><div class="narrow">{narrow}</div>'


def _signed(found: Mapping[str, float]) -> str:
    value, low, high = found["value"], found["low"], found["high"]
    if value == low == high == 0:
        return "0"
    kind = "minus" if high < 0 else "plus" if low > 0 else ""
    span = f'<span class="q">({100 * low:+.1f} … {100 * high:+.1f})</span>'
    text = f"{100 * value:+.1f}<br/>{span}".replace("-", "−")
    return f'<span class="{kind}">{text}</span>' if kind else text


def _curve(found: Review, names: Sequence[str]) -> str:
    lines = []
    for seat in range(found["players"]):
        points = [(float(i), Estimate(*[chances[seat]] * 3)) for i, chances in enumerate(found["curve"])]
        marks = [
            (float(step["number"]), step["chances"][seat], f"{step['number']}. {step['word']}: {_lost(step)}")
            for step in found["steps"]
            if step["seat"] == seat and step["decision"] and step["decision"]["verdict"] == "blunder"
        ]
        lines.append(Curve(names[seat], points, seat, marks))
    title = "The chances of all seats, move by move; dots are blunders"
    broad = plots.curves(title, lines, "move", plots.plain, size=(900, 300))
    narrow = plots.curves(title, lines, "move", plots.plain)
    return _for_widths(figures([broad]), figures([narrow]))


def _curve_note() -> str:
    return (
        "The table as television would show it: all hands are open, what is still to be drawn or rolled is unknown, "
        "and everyone plays on as the strong bot does, each by its own knowledge. So the lines add up to 100 %. A step "
        "is an error, which is judged by what its seat could know, or luck."
    )


def _moments(found: Review, names: Sequence[str]) -> str:
    if not found["moments"]:
        return paragraph("Nothing changed the chances much.")
    rows = []
    for one in found["moments"]:
        what = MOMENTS[one["code"]].format(seat=names[one["seat"]] if one["seat"] is not None else "nobody")
        better = f", better was <b>{escape(one['better'])}</b>" if one["better"] else ""
        rare = f", {100 * one['rarity']:.0f} in 100 are like that" if one["rarity"] is not None else ""
        move = f"<b>{escape(one['played'])}</b>" if one["played"] else ""
        rows.append(
            [
                str(one["step"]),
                f'<span class="told">{escape(what)} {move}{better}{rare}</span>',
                *(_plain(change) for change in one["change"]),
            ]
        )
    return table(["move", "what", *map(escape, names)], rows, frozenset({1}))


def _lost(step: Mapping[str, Any]) -> str:
    error = step["decision"]["error"]
    return f"{100 * error['value']:.1f} ({100 * error['low']:.1f} … {100 * error['high']:.1f})"


def _costly(found: Review, names: Sequence[str]) -> str:
    wrong = [step for step in found["steps"] if step["decision"] and step["decision"]["error"]["value"] > 0]
    if not wrong:
        return paragraph("No decision clearly lost anything.")
    wrong.sort(key=lambda step: -step["decision"]["error"]["value"])
    told = "".join(_decision(found, step, names) for step in wrong[:SHOWN])
    rest = len(wrong) - SHOWN
    note = paragraph(f'<span class="q">{rest} more are in the list of all moves.</span>') if rest > 0 else ""
    about = '<p class="q">The chances of whoever was to move, with the best moves and the one played, and why.</p>'
    return f'{about}<div class="decisions">{told}</div>{note}'


def _decision(found: Review, step: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return a decision that lost something: what was played, what was best, and what was considered."""
    decision, who = step["decision"], escape(names[step["seat"]])
    to_move = seat_names(found["players"], step["seat"])  # a reason speaks to who is to move
    lines = [_considered(found["game"], one, to_move) for one in decision["candidates"]]
    played, best = escape(step["word"]), escape(decision["best"])
    head = f"<b>{step['number']}.</b> {who} played <b>{played}</b>, best was <b>{best}</b>"
    lost = f"{_tag(decision['verdict'])} lost {_lost(step)} points"
    return f"<div><p>{head}<br/>{lost}</p><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul></div>"


def _considered(key: str, one: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return a candidate with its chance and the most telling reasons."""
    reasons = [
        Reason(why["code"], why["values"]) for why in one["reasons"] if why["code"] != "then"
    ]  # the line says it
    why = "; ".join(reasons_told(GAMES[key], reasons, names)[:REASONS])
    said = f": {escape(why)}" if why else ""
    return f"<b>{escape(' '.join(one['line']))}</b> {100 * one['chance']:.1f} %{said}"


def _tag(verdict: str) -> str:
    bad = " bad" if verdict == "blunder" else ""
    return f'<span class="tag{bad}">{verdict}</span>'


def _lucky(found: Review, names: Sequence[str]) -> str:
    lucky = [step for step in found["steps"] if step["luck_kind"] in ("draw", "dice")]
    if not lucky:
        return paragraph("Nothing was drawn and no dice were rolled.")
    lucky.sort(key=lambda step: -max(map(abs, step["luck_parts"][step["luck_kind"]])))
    rows = [
        [
            str(step["number"]),
            "dice" if step["seat"] is None else escape(names[step["seat"]]),
            f"<b>{escape(step['word'])}</b>",
            *(_plain(change) for change in step["luck_parts"][step["luck_kind"]]),
        ]
        for step in lucky[:SHOWN]
    ]
    return table(["move", "who", "draw or roll", *map(escape, names)], rows, frozenset({1, 2}))


def _moves(found: Review, names: Sequence[str]) -> str:
    rows = []
    for step in found["steps"]:
        decision = step["decision"]
        rows.append(
            [
                str(step["number"]),
                "dice" if step["seat"] is None else escape(names[step["seat"]]),
                f"<b>{escape(step['word'])}</b>",
                escape(decision["best"]) if decision and decision["verdict"] != "best" else "",
                _tag(decision["verdict"]) if decision else "",
                _lost(step) if decision and decision["error"]["value"] else "",
                " / ".join(_plain(luck) for luck in step["luck"]),
                " / ".join(f"{100 * chance:.0f}" for chance in step["chances"]),
            ]
        )
    head = ["move", "who", "played", "best", "", "lost", "luck", "chances after, %"]
    return f'<div class="scroll">{table(head, rows, frozenset({1, 2, 3, 4}))}</div>'


def _plain(change: float) -> str:
    return f"{100 * change:+.1f}".replace("-", "−") if abs(change) > 5e-4 else "0"


def _method(found: Review) -> list[str]:
    judge = (
        "the lines that the network likes best are played on by everyone, each by its own knowledge; what the network "
        "says to each seat when its turn comes is corrected by games between equals and scaled to add up to 100 %."
        if has_networks(found["game"])
        else "every move is played on to the end at random, since no network has learnt this game: take it as a rough "
        "guide."
    )
    return [
        f"<b>One judge</b> finds the best move and prices the others, in up to {found['tries']} sampled worlds, the "
        f"same for all moves: {judge}",
        "<b>An error</b> is what a move lost against the best one by what its seat could know: hidden things are dealt "
        "anew. It counts only as far as it stands out from the noise of the worlds; "
        f"from {100 * SLIP:.0f} points on it is called a slip, from {100 * BLUNDER:.0f} on a blunder.",
        "<b>Others’ errors</b> are what they lost, shared out by the chances of those who gain. <b>Luck</b> is "
        "everything else: the deal, draws and dice, and how moves met the hidden hands. A draw or roll that moved a "
        "chance far is compared with others that were possible; what any of them would have changed is unforeseen.",
        "<b>Intervals</b> are 95 %: they cover what other sampled worlds would change, not what a better judge would "
        "say.",
    ]
