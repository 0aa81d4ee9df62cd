"""A study as a page: every question with its answer, its plot, its numbers and its method."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from tavolino.engine.phrases import option_text
from tavolino.engine.pieces import pieces_of
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, among, stands_out
from tavolino.lab import plots
from tavolino.lab.follow import Effects, Unused
from tavolino.lab.page import changes, figures, more, numbers, page, paragraph, percents, section, table
from tavolino.lab.plots import Curve, Whisker
from tavolino.lab.studies import Study, Variation, above

ORDINAL = ("first", "second", "third", "fourth", "fifth")
PARTS = {
    "deal": "the deal",
    "after": "everything after it",
    "skill": "who plays",
    "rest": "the rest",
}


DIFFERS = {
    "start": "starter's wins above a fair share",
    "length": "moves",
    "points": "starter's points",
    "skill": "stronger bot's wins above a fair share",
}
"""The names of the differences of a variation."""
COUNTED = ("length", "points", "margin")
"""Those that are numbers; the others are shares."""


@dataclass(frozen=True)
class Part:
    """One question of a report."""

    key: str
    heading: str
    answer: str
    """In one or two sentences; may hold tags."""
    plots: list[tuple[str, str]]
    """(name, SVG)."""
    head: list[str]
    rows: list[list[str]]
    method: str
    wide: bool = False


def report(study: Study) -> str:
    """Return a study as a self-contained page; a pure function of the study."""
    sections = sections_of(in_short(study), parts_of(study))
    lead = f"{_players(study)}, {study.sizes.games:,} games, seed {study.seed}"
    return page(f"{study.title}: a study", lead, study.game, sections, _foot(study), study.as_json())


def sections_of(short: Iterable[str], parts: Iterable[Part]) -> list[str]:
    """Return the sections of a page: all in short, then a question each."""
    made = [section("In short", f"<ul>{''.join(f'<li>{line}</li>' for line in short)}</ul>", wide=True)]
    for part in parts:
        made.append(
            section(
                part.heading,
                paragraph(part.answer),
                figures([svg for _, svg in part.plots]),
                more("Numbers", table(part.head, part.rows)) if part.rows else "",
                more("How it was found", paragraph(part.method)),
                wide=part.wide,
            )
        )
    return made


def plots_of(study: Study) -> dict[str, str]:
    """Return all plots of a report as files of their own, by name."""
    return {name: plots.standalone(svg) for part in parts_of(study) for name, svg in part.plots}


def command_of(study: Study) -> str:
    """Return the command that makes this study."""
    words = ["tavolino study", study.game, f"--players {study.players}", f"--games {study.sizes.games}"]
    bots = study.bots if len(set(study.bots)) > 1 else study.bots[:1]
    words.append(f"--bots {','.join(bots)}")
    words.append(f"--seed {study.seed}")
    for option in GAMES[study.game].people.OPTIONS:
        value = study.options[option.name]
        if value != option.default:
            words.append(f"--option {option.name}={option_text(value)}")
    if study.variation:
        values = [variant.value for variant in study.variation.variants]
        words.append(f"--vary {study.variation.option}={('/' if ',' in ''.join(values) else ',').join(values)}")
    return " ".join(words)


def _players(study: Study) -> str:
    bots = " and ".join(dict.fromkeys(study.bots))
    return f"{study.players} players, all {bots}" if len(set(study.bots)) == 1 else f"{study.players} players ({bots})"


def _foot(study: Study) -> str:
    sizes = study.sizes
    return (
        f"<p>Made by <code>{escape(command_of(study))}</code>. The same command gives the same page, on any number of "
        f"cores.</p><p>{sizes.games:,} games counted; the first {sizes.followed:,} of them followed move by move, "
        f"{sizes.decided:,} played on from mid-game; {sizes.mirrored:,} mirrored deals per pair of bots; "
        f"{sizes.repeated:,} deals played {study.luck.plays} times each. All intervals are 95 %: in 19 of 20 such "
        "studies they contain the true number. What holds for these bots need not hold for people.</p>"
    )


def verdict(found: Estimate, fair: float) -> str:
    """Compare a number with what would be fair."""
    if found.low > fair:
        return "more than"
    return "less than" if found.high < fair else "no clear difference from"


def in_short(study: Study) -> list[str]:
    """Return the findings in a few lines."""
    fair = 1 / study.players
    start = study.tally.places[0].wins
    best = study.ladder[-1]
    lines = [
        f"Whoever starts wins <b>{percents(start)}</b>: {verdict(start, fair)} the fair {100 * fair:.1f} %.",
        f"A game takes <b>{study.tally.length.mean.value:.0f}</b> moves; nine out of ten take "
        f"{study.tally.length.low} to "
        f"{study.tally.length.high}.",
        "How games end: "
        + ", ".join(f"<b>{escape(name)}</b> {percents(share)}" for name, share in study.tally.endings.items())
        + ".",
        f"The lead in {_score(study)} changes <b>{numbers(study.followed.leads.changes.mean)}</b> times. "
        f"{_half_time(study)}",
        f"One <b>{best.bot}</b> player among {best.others} wins {percents(best.wins)} (fair: {100 * fair:.1f} %).",
    ]
    if study.variation:
        lines += [_difference(study.variation, i) for i in range(1, len(study.variation.variants))]
    return lines


def _difference(variation: Variation, i: int) -> str:
    first, variant = variation.variants[0], variation.variants[i]
    many = len(variant.differences) * (len(variation.variants) - 1)
    clear = [
        f"{DIFFERS.get(name, name)} {changes(found, times=1 if name in COUNTED else 100)}"
        for name, found in variant.differences.items()
        if among(found, many).low > 0 or among(found, many).high < 0
    ]
    what = "; ".join(clear) if clear else "no clear difference"
    value = f"{variant.value} players" if variation.option == "players" else f"{variation.option} {variant.value}"
    return f"{escape(value)} instead of {escape(first.value)}: {escape(what)}."


def parts_of(study: Study) -> Iterator[Part]:
    """Yield the questions of a report."""
    yield _start(study)
    if len(set(study.bots)) > 1:
        yield _bots(study)
    yield _endings(study)
    yield _length(study)
    yield _points(study)
    yield _leads(study)
    yield _decided(study)
    yield _skill(study)
    yield _luck(study)
    for i, effects in enumerate(study.followed.effects):
        yield _effects(effects, i)
    if study.followed.unused:
        yield _unused(study.followed.unused)
    if study.variation:
        yield _variation(study, study.variation)


def _start(study: Study) -> Part:
    fair, places = 1 / study.players, study.tally.places
    best = max(range(study.players), key=lambda p: places[p].wins.value)
    clear = verdict(among(places[best].wins, study.players), fair)
    answer = (
        f"It is best to move <b>{ORDINAL[best]}</b>: that place wins {percents(places[best].wins)} of the games, where "
        f"{100 * fair:.1f} % would be fair."
        if clear == "more than"
        else "No place in the turn order is clearly better than another in these games."
    )
    rows = [Whisker(f"moves {ORDINAL[p]}", place.wins) for p, place in enumerate(places)]
    return Part(
        "start",
        "Is it better to start?",
        answer,
        [("start", plots.whiskers("Wins by place in the turn order", rows, reference=fair))],
        ["place", "wins", _score(study)],
        [[ORDINAL[p], percents(place.wins, 2), numbers(place.points.mean, 2)] for p, place in enumerate(places)],
        f"{study.tally.games:,} games; a random seat starts each; wins are counted by place in the turn order. A win "
        "shared by two counts half for each. Interval: Wilson's for a share; from the variance if wins are shared.",
    )


def _bots(study: Study) -> Part:
    rows = [Whisker(f"{Path(bot.name).name} ({seat})", bot.wins) for seat, bot in enumerate(study.tally.bots)]
    return Part(
        "bots",
        "Who wins?",
        "The share of wins of each seat, by the bot that sits there; a random seat starts each game.",
        [("bots", plots.whiskers("Wins by bot", rows, reference=1 / study.players))],
        ["seat", "bot", "wins", _score(study)],
        [
            [str(seat), escape(bot.name), percents(bot.wins, 2), numbers(bot.points.mean, 2)]
            for seat, bot in enumerate(study.tally.bots)
        ],
        "The same games, counted by seat.",
    )


def _endings(study: Study) -> Part:
    endings = study.tally.endings
    common = max(endings, key=lambda name: endings[name].value)
    shared = study.tally.shared
    also = f" The win is shared in {percents(shared)}." if shared.value else ""
    rows = [Whisker(name if len(name) < 21 else f"{name[:19]}…", found) for name, found in endings.items()]
    return Part(
        "endings",
        "How do games end?",
        f"Most often: <b>{escape(common)}</b>, {percents(endings[common])}.{also}",
        [("endings", plots.whiskers("How games end", rows, ends=(0.0, 1.0)))],
        ["ending", "share of games"],
        [[escape(name), percents(found, 2)] for name, found in endings.items()],
        f"{study.tally.games:,} games; Wilson's interval for a share.",
    )


def _length(study: Study) -> Part:
    length = study.tally.length
    return Part(
        "length",
        "How long is a game?",
        f"<b>{numbers(length.mean)}</b> moves on average, including rolls; nine games out of ten take {length.low} to "
        f"{length.high}.",
        [("length", plots.histogram("Length of games", [("games", length.counts)], "moves"))],
        ["mean", "standard deviation", "median", "5 % below", "5 % above"],
        [[numbers(length.mean, 2), f"{length.sd:.1f}", f"{length.median:g}", str(length.low), str(length.high)]],
        f"{study.tally.games:,} games; interval of the mean from the variance between games.",
    )


def _points(study: Study) -> Part:
    places, margin, score = study.tally.places, study.tally.margin, _score(study)
    series = [(ORDINAL[p], place.points.counts) for p, place in enumerate(places)]
    return Part(
        "points",
        f"How many {score}?",
        f"Whoever starts ends with <b>{numbers(places[0].points.mean)}</b>. The winner is "
        f"<b>{numbers(margin.mean)}</b> {score} ahead of the best of the others.",
        [
            ("points", plots.histogram(f"{score.capitalize()} by place in the turn order", series, score)),
            ("margin", plots.histogram("The winner, ahead of the next", [("games", margin.counts)], score)),
        ],
        ["", "mean", "standard deviation", "median", "5 % below", "5 % above"],
        [
            [name, numbers(d.mean, 2), f"{d.sd:.1f}", f"{d.median:g}", str(d.low), str(d.high)]
            for name, d in [*((ORDINAL[p], place.points) for p, place in enumerate(places)), ("margin", margin)]
        ],
        f"{study.tally.games:,} games. The margin is 0 if a win is shared.",
    )


def _score(study: Study) -> str:
    return pieces_of(GAMES[study.game]).score


def _leads(study: Study) -> Part:
    leads, score, fair = study.followed.leads, _score(study), 1 / study.players
    curve = [(float(point.at), point.value) for point in leads.leader_wins]
    title = f"How often the leader in {score} wins"
    return Part(
        "leads",
        "Does the lead change hands?",
        f"The lead in {score} changes <b>{numbers(leads.changes.mean)}</b> times per game. {_half_time(study)}",
        [
            ("leads", plots.histogram("Changes of the lead", [("games", leads.changes.counts)], "changes of the lead")),
            *(
                [("leader", plots.curves(title, [Curve("leader", curve)], "moves played", plots.plain, fair))]
                if len(curve) > 1
                else []
            ),
        ],
        ["after moves", "leader wins"],
        [[str(point.at), percents(point.value)] for point in leads.leader_wins],
        f"The first {leads.games:,} games are followed move by move. The leader is the seat that alone has the most "
        f"{score}; "
        "this is checked only when the seat that started begins a turn, so that nobody is ahead by being in the middle "
        "of one. The lead changes when the leader is not the last one that led. The curve uses the latest such moment "
        f"after the same number of moves in all games, and counts those still going ({leads.going:,} at half-time) in "
        "which somebody leads, if they are at least a tenth of all. Asking at a fraction of each game's own length "
        "would give away when it ends.",
    )


def _half_time(study: Study) -> str:
    leads, fair = study.followed.leads, 1 / study.players
    if leads.half_wins is None:
        return f"After {leads.half} moves, half the length of a median game, nobody leads."
    return (
        f"After {leads.half} moves, half the length of a median game, one seat leads in {percents(leads.alone)} of the "
        f"games and wins {percents(leads.half_wins)} of those: {verdict(leads.half_wins, fair)} the fair "
        f"{100 * fair:.1f} %."
    )


def _decided(study: Study) -> Part:
    points, length = study.decided.winner, study.tally.length
    sure = _crossing([(float(point.at), point.value.value) for point in points], 0.8)
    when = f"after <b>{sure:.0f}</b> moves" if sure is not None else f"not even after <b>{points[-1].at}</b> moves"
    return Part(
        "decided",
        "When is the winner decided?",
        f"On average the eventual winner's chance is 80 % {when}, as a spectator sees it; a median game takes "
        f"{length.median:g}.",
        [
            (
                "decided",
                plots.curves(
                    "Chance of the eventual winner",
                    [Curve("winner", [(float(point.at), point.value) for point in points])],
                    "moves played",
                    plots.plain,
                    reference=1 / study.players,
                ),
            )
        ],
        ["after moves", "chance of the eventual winner"],
        [[str(point.at), percents(point.value)] for point in points],
        f"By playing on, not by a network: {study.decided.games:,} games are stopped after the same numbers of moves. "
        f"What a spectator cannot see is dealt anew, and the same bots play on, {study.decided.replays} times. The "
        "plot "
        "shows how often the actual winner wins these; at the start that is a fair share, plus what the places are "
        "worth. Games that are over by then count as decided.",
    )


def _crossing(curve: list[tuple[float, float]], level: float) -> float | None:
    """Return where a curve first reaches a level, if it does."""
    for (x, y), (next_x, next_y) in pairwise(curve):
        if next_y >= level:
            return next_x if next_y <= y else x + (next_x - x) * max(0.0, level - y) / (next_y - y)
    return None


def _skill(study: Study) -> Part:
    rows = [Whisker(f"{match.bot} v. {match.others}", match.wins) for match in study.ladder]
    bars = [
        (f"{match.bot} among {match.others}", [match.variance[name].value for name in ("skill", "deal", "rest")])
        for match in study.ladder
    ]
    top = study.ladder[-1]
    return Part(
        "skill",
        "How much does skill matter?",
        f"One {top.bot} player among {top.others} wins <b>{percents(top.wins)}</b>, where {100 * top.fair:.1f} % "
        "would be fair. "
        f"Who plays explains {percents(top.variance['skill'])} of who wins there, the deal "
        f"{percents(top.variance['deal'])}.",
        [
            ("skill", plots.whiskers("Wins of the stronger bot", rows, reference=top.fair, ends=(0.0, 1.0))),
            (
                "skill-parts",
                plots.stacked("What decides who wins", bars, [PARTS[n] for n in ("skill", "deal", "rest")]),
            ),
        ],
        ["one … among", "deals", "wins", "who plays", "the deal", "the rest"],
        [
            [
                f"{match.bot} among {match.others}",
                f"{match.deals:,}",
                percents(match.wins),
                *(percents(match.variance[name]) for name in ("skill", "deal", "rest")),
            ]
            for match in study.ladder
        ],
        "Bots that answer at once, each a step stronger than the next. Every deal is played once with the stronger "
        "bot in "
        "each seat, so that good cards favour nobody; the deal is the unit of the interval. The variance of who wins "
        "is "
        "split: “who plays” is how much a seat's mean result changes with who sits there; “the deal” is how far a "
        "seat's results on one deal go together whoever sits there (their covariance); the rest is dice, random "
        "choices, and what suits one player but not the other. Intervals of the parts: deals resampled 1,000 times "
        "(bootstrap).",
        wide=False,
    )


def _luck(study: Study) -> Part:
    luck = study.luck
    names = ("deal", "after")
    bars = [
        ("who wins", [luck.wins[name].value for name in names]),
        ("points above the table's mean", [luck.points[name].value for name in names]),
    ]
    dice = bool(GAMES[study.game].rolls)
    after = "new dice and other choices" if dice else "other choices"
    why = (
        "Dice and choices cannot be told apart: after a different choice the same dice mean something else."
        if dice
        else "The order of all cards or tokens is in the deal, so what comes after it is the players' choices alone."
    )
    return Part(
        "luck",
        "How much does the deal decide?",
        f"Between equal players the deal decides <b>{percents(luck.wins['deal'])}</b> of who wins. The rest comes "
        "later, "
        f"from {'dice and choices' if dice else 'the choice between moves that look equally good'}.",
        [("luck", plots.stacked("What decides between equals", bars, [PARTS[name] for name in names]))],
        ["", *(PARTS[name] for name in names)],
        [
            ["who wins", *(percents(luck.wins[name]) for name in names)],
            ["points", *(percents(luck.points[name]) for name in names)],
        ],
        f"{luck.deals:,} deals that seat 0 starts, each played {luck.plays} times by <code>{luck.bot}</code> players "
        f"(whoever else plays in this study), with {after}: they pick at random among moves that look nearly as good "
        "as the best. Bots that never vary would repeat the same game and tell us nothing. How much more results "
        "differ "
        f"between deals than between plays of one deal is the deal's share (analysis of variance). {why} Players who "
        "vary less leave more to the deal. Intervals: deals resampled 1,000 times (bootstrap).",
    )


def _effects(effects: Effects, i: int) -> Part:
    what = (
        "The deal decides this by chance, so for these players the differences are effects."
        if effects.random
        else "This is what goes with winning, not what causes it: a seat that is doing well also takes other things."
    )
    items = effects.items
    strongest = max(items, key=lambda item: abs(item.effect.value) / max(item.effect.half, 1e-9), default=None)
    answer = ""
    if strongest is not None:
        # Among many the strongest looks clear by chance: it is named only if it would be so among all.
        strict = among(strongest.effect, len(items))
        clear = strict.low > 0 or strict.high < 0
        answer = (
            f"Most clearly: <b>{escape(strongest.name)}</b>, {changes(strongest.effect)} points of win chance. "
            if clear
            else "Nothing stands out from chance here. "
        )
    rows = [Whisker(item.name, item.effect, 0 if item.effect.value >= 0 else 1) for item in items]
    chosen = "random" if effects.random else "link"
    return Part(
        f"{chosen}-{i}",
        effects.title,
        f"{answer}{what}",
        [(f"{chosen}-{i}", plots.whiskers(effects.title, rows, plots.points, reference=0.0))] if rows else [],
        ["", "per seat and game" if not effects.random else "share of hands", "change of win chance, % points"],
        [
            [
                escape(item.name),
                f"{item.number:.2f}" if not effects.random else f"{100 * item.number:.1f} %",
                changes(item.effect, 2),
            ]
            for item in items
        ],
        f"{effects.games:,} games followed. Shown: {effects.note}. What is named above stands out even among "
        f"{len(items)} comparisons (Bonferroni); one in twenty of the intervals themselves misses. "
        + (
            "Difference of mean results, the game as the unit."
            if effects.random
            else "Least squares of a seat's result on its counts of all of these at once; "
            "intervals with the game as the unit."
        ),
    )


def _unused(unused: Unused) -> Part:
    named = stands_out(unused.items)
    answer = (
        f"<b>{escape(named[0])}</b> is left over more often than <b>{escape(named[1])}</b>: "
        f"{percents(dict(unused.items)[named[0]])} and {percents(dict(unused.items)[named[1]])}."
        if named
        else "As far as we can tell, no kind is left over more often than another."
    )
    return Part(
        "unused",
        unused.title,
        answer,
        [("unused", plots.whiskers(unused.title, [Whisker(name, found) for name, found in unused.items]))],
        ["", "share never used"],
        [[escape(name), percents(found, 2)] for name, found in unused.items],
        f"{unused.games:,} games followed. Shown: {unused.note}. Interval of the mean over games.",
    )


def _variation(study: Study, variation: Variation) -> Part:
    score, variants = _score(study), variation.variants
    bots = f"{variants[0].match.bot} player among {variants[0].match.others}"
    named = stands_out([(v.value, above(v.match.wins, len(v.tally.places))) for v in variants])
    fair = "points above a fair share"  # which is another one for each number of players
    wins = {
        v.value: f"{changes(above(v.match.wins, len(v.tally.places)))} {fair}"
        if variation.option == "players"
        else percents(v.match.wins)
        for v in variants
    }
    skilled = (
        f"One {bots} wins more often with <b>{escape(named[0])}</b>, {wins[named[0]]}, than with "
        f"<b>{escape(named[1])}</b>, {wins[named[1]]}."
        if named
        else f"As far as we can tell, it makes no difference to how often one {bots} wins."
    )
    lines = [_difference(variation, i) for i in range(1, len(variants))]
    short = [v.value if len(v.value) < 17 else v.value.replace(",", "") for v in variants]
    return Part(
        "vary",
        f"What does {'the number of players' if variation.option == 'players' else variation.option} change?",
        f"{skilled} {' '.join(lines)}",
        [
            (
                "vary-start",
                plots.whiskers(
                    "Wins of whoever starts, less a fair share",
                    [
                        Whisker(n, above(v.tally.places[0].wins, len(v.tally.places)))
                        for n, v in zip(short, variants, strict=True)
                    ],
                    plots.points,
                    reference=0.0,
                ),
            ),
            (
                "vary-length",
                plots.whiskers(
                    "Moves in a game",
                    [Whisker(n, v.tally.length.mean) for n, v in zip(short, variants, strict=True)],
                    plots.plain,
                ),
            ),
            (
                "vary-skill",
                plots.whiskers(
                    f"Wins of one {bots}, less a fair share",
                    [
                        Whisker(n, above(v.match.wins, len(v.tally.places)))
                        for n, v in zip(short, variants, strict=True)
                    ],
                    plots.points,
                    reference=0.0,
                ),
            ),
        ],
        [
            variation.option,
            "starter wins",
            "moves",
            f"{score} of the starter",
            "margin",
            f"{variants[0].match.bot} wins",
            "who plays",
            "the deal",
            *map(escape, variants[0].tally.endings),
        ],
        [
            [
                escape(v.value),
                percents(v.tally.places[0].wins),
                numbers(v.tally.length.mean),
                numbers(v.tally.places[0].points.mean),
                numbers(v.tally.margin.mean),
                percents(v.match.wins),
                percents(v.match.variance["skill"]),
                percents(v.match.variance["deal"]),
                *(percents(found) for found in v.tally.endings.values()),
            ]
            for v in variants
        ],
        "Each value is studied in the same way with games of its own. The plots show how often the starter wins, the "
        "moves "
        f"in a game, and how often one {bots} wins on mirrored deals. Differences are from the first value, with "
        "intervals from both sides (independent games). Only what is clear among all comparisons made here is named "
        "(Bonferroni); one in twenty of the intervals themselves misses.",
        wide=True,
    )
