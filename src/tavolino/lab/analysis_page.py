"""The analysis of a game as a page: the curve of chances, each seat's account, every decision and every draw."""

from collections.abc import Sequence
from html import escape

from tavolino.bots.networks import has_networks
from tavolino.intervals import Estimate
from tavolino.lab import plots
from tavolino.lab.analysis import BLUNDER, SLIP, AnalysedStep, Analysis, Summary
from tavolino.lab.page import changes, figures, more, page, paragraph, section, table
from tavolino.lab.plots import Curve, Whisker
from tavolino.play.terminal import seat_names

TAGS = {"best": "best", "fine": "fine", "slip": "slip", "blunder": "blunder"}
SHOWN = 12
"""Decisions and draws named first; the others are in the list of all moves."""


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as a self-contained page; a pure function of the analysis."""
    called = seat_names(analysis.players)
    sections = [
        section("The result", paragraph(_result(analysis, called)), _account(analysis, called), wide=True),
        section(
            "Chances of winning",
            _curve(analysis, called),
            more("How to read it", paragraph(_curve_note())),
            wide=True,
        ),
        section("Where it came from", figures([_parts(one, called) for one in analysis.seats]), wide=True),
        section("Costly decisions", _costly(analysis, called), wide=True),
        section("Luck and bad luck", _lucky(analysis, called), wide=True),
        section("All moves", more("Show them", _moves(analysis, called)), wide=True),
        section("How it was found", *map(paragraph, _method(analysis)), wide=True),
    ]
    lead = f"{analysis.players} players, {len(analysis.steps)} moves, {analysis.tries} sampled worlds per estimate"
    foot = (
        f"<p>The same record, tries ({analysis.tries}) and seed ({escape(str(analysis.seed))}) give the same page on "
        "any "
        "number of cores.</p>"
    )
    return page(f"{analysis.title}: a game analysed", lead, analysis.game, sections, foot, analysis.as_json())


def _result(analysis: Analysis, names: Sequence[str]) -> str:
    if not analysis.over:
        return "The game is not over: the account ends with the last move."
    winners = " and ".join(names[seat] for seat in analysis.winners or ())
    scores = ", ".join(f"{names[seat]} {score}".replace("-", "−") for seat, score in enumerate(analysis.scores))
    who = escape(winners[:1].upper() + winners[1:])
    return f"<b>{who}</b> won ({escape(analysis.ending or '')}). Scores: {escape(scores)}."


def _account(analysis: Analysis, names: Sequence[str]) -> str:
    head = ["", "start", "own play", "draws and dice", "others", "luck in all", "end"]
    rows = [
        [
            f"<b>{escape(names[one.seat])}</b>",
            _chance(one.start),
            _signed(one.skill),
            _signed(one.drawn),
            _signed(one.others),
            _signed(one.luck),
            f"<b>{100 * one.end.value:.1f} %</b>",
        ]
        for one in analysis.seats
    ]
    note = (
        '<p class="q note">In each row start + own play + luck = end, in percentage points of win chance; '
        "luck is draws and dice, and others.</p>"
    )
    return table(head, rows) + note + _choices(analysis, names)


def _choices(analysis: Analysis, names: Sequence[str]) -> str:
    head = ["", "best move", "slips", "blunders", "lost to the best moves"]
    rows = [
        [
            f"<b>{escape(names[one.seat])}</b>",
            f"{one.best} of {one.decisions}",
            str(one.slips),
            str(one.blunders),
            _loss(one.loss),
        ]
        for one in analysis.seats
    ]
    return table(head, rows)


def _chance(found: Estimate) -> str:
    return f"{100 * found.value:.1f} ± {100 * found.half:.1f} %"


def _signed(found: Estimate) -> str:
    if found.value == found.low == found.high == 0:
        return "0"
    kind = "minus" if found.high < 0 else "plus" if found.low > 0 else ""
    text = f"{100 * found.value:+.1f} ± {100 * found.half:.1f}".replace("-", "−")
    return f'<span class="{kind}">{text}</span>' if kind else text


def _curve(analysis: Analysis, names: Sequence[str]) -> str:
    lines = []
    for seat in range(analysis.players):
        points = [(0.0, analysis.start[seat])]
        marks = []
        for step in analysis.steps:
            points.append((float(step.number), step.chances[seat]))
            if step.seat == seat and step.judged and step.judged.verdict == "blunder":
                what = f"{step.number}. {step.word} instead of {step.judged.best}: {changes(step.judged.loss)}"
                marks.append((float(step.number), step.chances[seat].value, what))
        lines.append(Curve(names[seat], points, seat, marks))
    title = "Each seat's chance, move by move; dots are blunders"
    broad = plots.curves(title, lines, "move", plots.plain, size=(900, 300))
    narrow = plots.curves(title, lines, "move", plots.plain)
    return f'<div class="broad">{figures([broad])}</div><div class="narrow">{figures([narrow])}</div>'


def _curve_note() -> str:
    return (
        "Each line is estimated from what that seat could know: its own hand, not those of others. So the lines need "
        "not "
        "add up to 100 %. The band is the 95 % interval of the estimate. A step up or down is skill (a choice of its "
        "own) or luck (a draw, dice, what another seat did and revealed)."
    )


def _parts(one: Summary, names: Sequence[str]) -> str:
    rows = [
        Whisker("own play", one.skill, 0 if one.skill.value >= 0 else 1),
        Whisker("draws and dice", one.drawn, 0 if one.drawn.value >= 0 else 1),
        Whisker("others", one.others, 0 if one.others.value >= 0 else 1),
    ]
    title = f"{names[one.seat]}: from {100 * one.start.value:.0f} % to {100 * one.end.value:.0f} %, in % points"
    return plots.whiskers(title, rows, plots.points, reference=0.0)


def _meaning(step: AnalysedStep) -> str:
    said = [text for text in (step.meaning, step.news) if text]
    return f' <span class="q">{escape("; ".join(said))}</span>' if said else ""


def _costly(analysis: Analysis, names: Sequence[str]) -> str:
    wrong = [step for step in analysis.steps if step.judged and step.judged.verdict in ("slip", "blunder")]
    if not wrong:
        return paragraph("No decision clearly lost anything.")
    wrong.sort(key=lambda step: -step.judged.loss.value if step.judged else 0.0)
    rows = []
    for step in wrong[:SHOWN]:
        if (judged := step.judged) is None or step.seat is None:
            continue
        bad = " bad" if judged.verdict == "blunder" else ""
        rows.append(
            [
                str(step.number),
                escape(names[step.seat]),
                f"<b>{escape(step.word)}</b>{_meaning(step)}",
                f"<b>{escape(judged.best)}</b>",
                _chance(judged.chance),
                _chance(judged.best_chance),
                f'<span class="tag{bad}">{judged.verdict}</span> {_loss(judged.loss)}',
            ]
        )
    head = ["move", "who", "played", "best", "chance with it", "with the best", "loss, % points"]
    rest = len(wrong) - len(rows)
    note = paragraph(f'<span class="q">{rest} more are in the list of all moves.</span>') if rest > 0 else ""
    return table(head, rows, frozenset({1, 2, 3})) + note


def _loss(found: Estimate) -> str:
    return f"{100 * found.value:.1f} ± {100 * found.half:.1f}".replace("-", "−")


def _lucky(analysis: Analysis, names: Sequence[str]) -> str:
    found = [
        (step.drawn[seat], seat, step)
        for step in analysis.steps
        for seat in range(analysis.players)
        if abs(step.drawn[seat]) > 1e-9 and (step.seat == seat or step.seat is None)
    ]
    if not found:
        return paragraph("Nothing was drawn and no dice were rolled.")
    found.sort(key=lambda item: -abs(item[0]))
    rows = [
        [
            str(step.number),
            escape(names[seat]),
            f"<b>{escape(step.word)}</b>{_meaning(step)}",
            _points(change),
        ]
        for change, seat, step in found[:SHOWN]
    ]
    head = ["move", "for", "draw or roll", "luck, % points"]
    return table(head, rows, frozenset({1, 2}))


def _points(change: float) -> str:
    kind = "plus" if change > 0 else "minus"
    return f'<span class="{kind}">{100 * change:+.1f}</span>'.replace("-", "−")


def _moves(analysis: Analysis, names: Sequence[str]) -> str:
    rows = []
    for step in analysis.steps:
        judged = step.judged
        who = "dice" if step.seat is None else names[step.seat]
        verdict = ""
        if judged:
            bad = " bad" if judged.verdict == "blunder" else ""
            verdict = f'<span class="tag{bad}">{TAGS[judged.verdict]}</span>'
        mine = range(analysis.players) if step.seat is None else [step.seat]
        luck = " / ".join(_plain(step.drawn[seat]) for seat in mine)
        rows.append(
            [
                str(step.number),
                escape(who),
                f"<b>{escape(step.word)}</b>{_meaning(step)}",
                escape(judged.best) if judged and judged.verdict != "best" else "",
                verdict,
                _loss(judged.loss) if judged else "",
                _plain(step.skill[step.seat]) if step.seat is not None else "",
                luck,
                " / ".join(f"{100 * chance.value:.0f}" for chance in step.chances),
            ]
        )
    head = ["move", "who", "played", "best", "", "loss", "own play", "draw or dice", "chances after, %"]
    return table(head, rows, frozenset({1, 2, 3, 4}))


def _plain(change: float) -> str:
    return f"{100 * change:+.1f}".replace("-", "−") if abs(change) > 1e-9 else "0"


def _method(analysis: Analysis) -> list[str]:
    set_right = analysis.calibration
    told = (
        "all seats play on by the network until the seat has to decide again; the network's estimate there "
        "counts, or the result if the game is over. The estimate is first corrected by "
        f"{set_right.games:,} games of the bot against itself, by place in the turn order, early and late in the game, "
        "so that on average it says how often a seat wins."
        if has_networks(analysis.game)
        else "all seats play on at random to the end, since no network has learnt this game: take it as a rough guide."
    )
    return [
        f"<b>A chance</b> is estimated from what the seat can know, in {analysis.tries} worlds: what is hidden from it "
        f"is dealt anew, and {told}",
        "<b>The best move</b> is the expert bot's, which sees only what the seat could see, with "
        f"{2 * analysis.tries} tries. <b>The loss</b> is measured in other worlds than those in which it was chosen, "
        f"the same for both moves. From {100 * SLIP:.0f} points on it is called a slip, from {100 * BLUNDER:.0f} on a "
        "blunder, if its interval lies above 0.",
        "<b>Own play</b> compares each move with the one that the network would have played at once: it can be above "
        "0. <b>Luck</b> is every other change: what a draw or the dice brought (draws and dice), and what the others "
        "did and revealed (others). The same estimate in the same worlds is made before and after each step, so the "
        "steps "
        "add up exactly from the start to the end.",
        "<b>Intervals</b> are 95 %. They cover what other sampled worlds and other calibration games would change, but "
        "not what another network would say.",
    ]
