"""A fingerprint as a page: one answer per question, over all numbers of players, and the games on one map."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from tavolino.engine.phrases import counted, option_text
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, among
from tavolino.lab import plots
from tavolino.lab.fingerprint import FORMAT, added, common_ladder, depth_of, sizes_of, unbeaten
from tavolino.lab.page import numbers, page, percents
from tavolino.lab.plots import Whisker
from tavolino.lab.report import Part, sections_of
from tavolino.lab.shape import NEAR, OUT, SWAY

Found = Mapping[str, Any]
BOTS = {
    "random": "plays any move",
    "naive": "takes what looks best at once",
    "greedy": "follows a rule of thumb",
    "value": "asks a trained network",
    "expert": "looks ahead with it",
}
"""What the bots of a ladder do, in short."""
FILE = "fingerprint.json"
"""A game's own fingerprint, in its folder: where it stands on the map of all games."""


def fingerprint_page(found: Found) -> str:
    """Return a fingerprint as a self-contained page."""
    parts = list(parts_of(found))
    sections = sections_of([part.answer for part in parts], parts)
    tables = [one["players"] for one in found["tables"]]
    lead = f"{_counts(tables)}, {found['games']:,} games each, seed {found['seed']}"
    foot = (
        f"<p>Made by <code>{escape(command_of(found))}</code>. All games were played by "
        f"<code>{found['player']}</code>, unless a question says otherwise. All intervals are 95 %: in 19 of 20 such "
        "studies they contain the true number. What holds for these bots need not hold for people.</p>"
    )
    return page(f"{found['title']}: a fingerprint", lead, found["game"], sections, foot, found)


def plots_of(found: Found) -> dict[str, str]:
    """Return all plots as files of their own, by name."""
    return {name: plots.standalone(svg) for part in parts_of(found) for name, svg in part.plots}


def command_of(found: Found) -> str:
    """Return the command that makes this fingerprint."""
    tables = [one["players"] for one in found["tables"]]
    everyone = list(GAMES[found["game"]].people.PLAYERS)
    players = "" if tables == everyone else f" --players {','.join(map(str, tables))}"
    until = f" --until {100 * found['until']:g}" if found["until"] else ""
    usual = sizes_of(found["games"]).thought
    expert = "" if found["expert_deals"] == usual else f" --expert-deals {found['expert_deals']}"
    rules = "".join(
        f" --option {option.name}={option_text(found['options'][option.name])}"
        for option in GAMES[found["game"]].people.OPTIONS
        if found["options"][option.name] != option.default
    )
    count = f"--games {found['games']} --seed {found['seed']}"
    return f"tavolino study {found['game']}{players} {count}{rules}{until}{expert}"


def _counts(tables: list[int]) -> str:
    if len(tables) == 1:
        return f"{tables[0]} players"
    return f"{', '.join(map(str, tables[:-1]))} and {tables[-1]} players"


def parts_of(found: Found) -> Iterator[Part]:
    """Yield the questions that can be answered so far."""
    tables = found["tables"]
    for make in (_skill, _decisions, _drama, _kings, _time, _start, _luck):
        if (part := make(found, tables)) is not None:
            yield part
    if (part := _map(found)) is not None:
        yield part


def _at(one: Found) -> str:
    return counted(one["players"], "player")


def _of(part: Mapping[str, Any]) -> Estimate:
    return Estimate(part["value"], part["low"], part["high"])


def _share(part: Mapping[str, Any]) -> str:
    return percents(_of(part), 0)


def _number(part: Mapping[str, Any], digits: int = 1) -> str:
    return numbers(_of(part), digits)


def _span(values: list[tuple[str, str]]) -> str:
    """Say one value, or the first and the last of several."""
    if len(values) == 1:
        return f"<b>{values[0][1]}</b>"
    return f"<b>{values[0][1]}</b> with {values[0][0]}, <b>{values[-1][1]}</b> with {values[-1][0]}"


def skips_of(found: Found) -> list[tuple[int, str, Estimate, Estimate]]:
    """Return the pairs that leave out a step: players, who met whom, what was found directly, the sum of the steps."""
    ladder, skips = found["ladder"], []
    for one in found["tables"]:
        for weak, middle, strong in zip(ladder, ladder[1:], ladder[2:], strict=False):
            direct, low, high = (one.get(f"{a}-{b}") for a, b in ((strong, weak), (middle, weak), (strong, middle)))
            if direct and low and high:
                total = added([_of(low["elo"]), _of(high["elo"])])
                skips.append((one["players"], f"{strong} over {weak}", _of(direct["elo"]), total))
    return skips


def _skill(found: Found, tables: list[Any]) -> Part | None:
    ladder = found["ladder"]
    rows, whiskers, depths = [], [], []
    for i, one in enumerate(tables):
        depth = depth_of(one, ladder)
        if depth is None:
            continue
        depths.append((_at(one), f"{numbers(depth, 0, unbeaten(one, ladder))} Elo"))
        steps = []
        for weak, strong in itertools.pairwise(ladder):
            step = one[f"{strong}-{weak}"]
            games = step["deals"] * one["players"]
            all_won = step["wins"]["value"] == 1
            steps.append(f"{numbers(_of(step['elo']), 0, all_won)}; wins {percents(_of(step['wins']))} of {games:,}")
            whiskers.append(
                Whisker(
                    f"{strong} over {weak}, {one['players']}",
                    _of(step["elo"]),
                    i % 5,
                    ">" + plots.whole(step["elo"]["low"]) if all_won else "",
                )
            )
        rows.append([_at(one), numbers(depth, 0, unbeaten(one, ladder)), *steps])
    if not depths:
        return None
    skips = skips_of(found)
    apart = [
        f"{what} with {n} is {numbers(direct, 0)}, the steps add up to {numbers(total, 0)}"
        for n, what, direct, total in skips
        if _clear(among(direct.minus(total), len(skips)))
    ]
    checked = (
        f"Strength does not simply add up: played directly, {'; '.join(apart)}."
        if apart
        else "Strength adds up: played directly, no pair that leaves out a step differs clearly from its sum."
    )
    answer = f"From {ladder[0]} to {ladder[-1]} it is {_span(depths)}."
    answer += " With 100 Elo more one wins 64 of 100 games of two, with 400 more 91."
    if apart:
        answer += f" Not all steps add up: {len(apart)} of {len(skips)} pairs that leave one out are clearly off."
    return Part(
        "skill",
        "How deep is it?",
        answer,
        [("skill", plots.whiskers("Elo of each step, and the number of players", whiskers, plots.whole))],
        ["", "in all", *(f"{strong} over {weak}" for weak, strong in itertools.pairwise(ladder))],
        rows,
        f"{_who(ladder)} One stronger bot among weaker ones, each deal once from every seat; the deal is the unit. Elo "
        "from its odds against each of the others; where it won every game, half a game is taken off, and nobody knows "
        f"the upper end. {escape(checked)} "
        f"{_expert(found)}",
    )


def _who(ladder: Sequence[str]) -> str:
    """Say what the bots of a ladder do."""
    return ", ".join(f"<code>{bot}</code> {BOTS[bot]}" for bot in ladder) + "."


def _expert(found: Found) -> str:
    """Say which expert stands at the top of the ladder, and how much it played."""
    bots = found["bots"]
    if "expert" not in found["ladder"]:
        return "<code>expert</code>, which thinks, was left out."
    network = f" with the networks {bots['networks']}" if bots["networks"] else ""
    thinks = f"<code>expert</code> thinks: {bots['tries']:,} tries per move at most{network}."
    if found["expert_deals"] >= sizes_of(found["games"]).deals:
        return thinks
    return f"{thinks} So its steps are played on {found['expert_deals']:,} deals only, and their intervals are wider."


def _clear(one: Estimate) -> bool:
    return one.low > 0 or one.high < 0


def _decisions(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "shape" in one]
    if not there:
        return None
    near = [(_at(one), _number(one["shape"]["near"])) for one in there]
    return Part(
        "decisions",
        "How rich are its decisions?",
        f"Moves within {100 * NEAR:.0f} points of the best, per decision: {_span(near)}.",
        [
            (
                "decisions",
                plots.whiskers(
                    f"Moves within {100 * NEAR:.0f} points of the best",
                    [Whisker(_at(one), _of(one["shape"]["near"])) for one in there],
                    plots.plain,
                ),
            )
        ],
        ["", "legal moves", f"within {100 * NEAR:.0f} points", "decisions in a game"],
        [[_at(one), *(numbers(_of(one["shape"][name])) for name in ("options", "near", "decisions"))] for one in there],
        "Decisions with more than one legal move; by the network's estimate for the seat to move. Without a network "
        "all legal moves count.",
    )


def _drama(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "shape" in one]
    if not there:
        return None
    half = [(_at(one), _share(one["shape"]["leader"][1]["wins"])) for one in there]
    back = [(_at(one), _share(one["shape"]["comebacks"])) for one in there]
    rows = []
    for one in there:
        shape = one["shape"]
        leaders = [f"{percents(_of(at['wins']))}, said {100 * at['chance']['value']:.0f} %" for at in shape["leader"]]
        rows.append([_at(one), *leaders, numbers(_of(shape["changes"])), percents(_of(shape["comebacks"]))])
    whiskers = [
        Whisker(f"{one['players']} players, at {100 * at['time']:.0f} %", _of(at["wins"]), i % 5)
        for i, one in enumerate(there)
        for at in one["shape"]["leader"]
    ]
    return Part(
        "drama",
        "Is it open to the end, or does the leader run away?",
        f"Whoever has the best chance at half-time wins {_span(half)}. Games whose winner once had less than half of "
        f"an even share: {_span(back)}.",
        [("drama", plots.whiskers("Wins of whoever leads in chance", whiskers))],
        ["", "leader at 25 %", "at 50 %", "at 75 %", "changes of the lead", "comebacks"],
        rows,
        "After the same numbers of moves in all games (parts of a median game) the judge of reviews says each seat's "
        "chance, with all hands open; <i>said</i> is the mean chance of the leader. Changes of the lead are counted "
        f"between {len(there[0]['shape']['checks'])} looks. {there[0]['shape']['games']} games per number of players.",
    )


def _kings(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "shape" in one and one["players"] > 2]
    if not there:
        return None
    kings = [(_at(one), _share(one["shape"]["kingmaking"])) for one in there]
    often = [(_at(one), _number(one["shape"]["beaten"])) for one in there]
    return Part(
        "kings",
        "Does a loser decide who wins?",
        f"Decisions at which a player with less than {100 * OUT:.0f} % can move another's chance by {100 * SWAY:.0f} "
        f"points or more, by moves that are equally good for itself: {_span(kings)}. Decisions of players that "
        f"far behind, per game: {_span(often)}.",
        [
            (
                "kings",
                plots.whiskers(
                    "Decisions that make a king", [Whisker(_at(one), _of(one["shape"]["kingmaking"])) for one in there]
                ),
            )
        ],
        ["", "decisions that make a king", "of so many in a game"],
        [[_at(one), percents(_of(one["shape"]["kingmaking"])), _number(one["shape"]["beaten"])] for one in there],
        f"At some decisions of a seat whose chance was below {100 * OUT:.0f} % at the latest look, its lines are "
        f"judged with all hands open; those within {100 * NEAR:.0f} points of its best count as equally good. The pair "
        "of moves that differs most for another seat is found in some worlds and measured in others.",
    )


def _time(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "shape" in one]
    if not there:
        return None
    minutes = [(_at(one), f"{one['shape']['minutes']['value']:.0f} minutes") for one in there]
    waits = [(_at(one), f"{one['shape']['wait']['value']:.0f} seconds") for one in there]
    pace = there[0]["shape"]["pace"]
    return Part(
        "time",
        "How long does it take, and how long does one wait?",
        f"About {_span(minutes)}; between two turns one waits {_span(waits)}.",
        [
            (
                "time",
                plots.whiskers(
                    "Minutes", [Whisker(_at(one), _of(one["shape"]["minutes"])) for one in there], plots.plain
                ),
            )
        ],
        ["", "minutes", "seconds of waiting", "moves"],
        [
            [
                _at(one),
                numbers(_of(one["shape"]["minutes"])),
                numbers(_of(one["shape"]["wait"])),
                numbers(_of(one["start"]["length"])) if "start" in one else "",
            ]
            for one in there
        ],
        _paced(pace),
    )


def _paced(pace: Mapping[str, Any]) -> str:
    """Say where the times come from."""
    each = f"{pace['choice']:.3g} seconds per decision, {pace['forced']:.3g} per move without a choice"
    if pace["moves"]:
        return f"At the pace of the people at a server's tables ({counted(pace['moves'], 'move')}): {each}."
    return f"An assumed pace, since nobody has timed these games: {each}. Multiply by your own."


def _start(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "start" in one]
    if not there:
        return None
    clear = []
    for one in there:
        first, fair = _of(one["start"]["places"][0]), 1 / one["players"]
        if not (strict := among(first, len(there))).low <= fair <= strict.high:
            better = "an advantage" if first.value > fair else "a disadvantage"
            clear.append(f"{better} with {_at(one)} ({percents(first)}, fair {100 * fair:.1f} %)")
    answer = (
        f"Starting is {', '.join(clear)}."
        if clear
        else "Starting makes no clear difference: "
        + _span([(_at(o), percents(_of(o["start"]["places"][0]))) for o in there])
        + "."
    )
    width = max(one["players"] for one in there)
    return Part(
        "start",
        "Is it better to start?",
        answer,
        [
            (
                "start",
                plots.whiskers(
                    "Wins of whoever starts, less a fair share",
                    [Whisker(_at(one), _less(_of(one["start"]["places"][0]), 1 / one["players"])) for one in there],
                    plots.points,
                    reference=0.0,
                ),
            )
        ],
        ["", "games", *(f"place {i + 1}" for i in range(width))],
        [
            [
                _at(one),
                f"{one['start']['games']:,}",
                *(percents(_of(place)) for place in one["start"]["places"]),
                *[""] * (width - one["players"]),
            ]
            for one in there
        ],
        "Games with a random starter, counted by place in the turn order; Wilson's interval. Called an advantage is "
        "what "
        f"would be clear among all tables here ({len(there)}; Bonferroni).",
    )


def _less(one: Estimate, fair: float) -> Estimate:
    return Estimate(one.value - fair, one.low - fair, one.high - fair)


def _luck(found: Found, tables: list[Any]) -> Part | None:
    there = [one for one in tables if "luck" in one]
    if not there:
        return None
    deal = [(_at(one), _share(one["luck"]["wins"]["deal"])) for one in there]
    return Part(
        "luck",
        "How much does the deal decide?",
        f"The deal's share in who wins, between equal players: {_span(deal)}.",
        [
            (
                "luck",
                plots.whiskers(
                    "The deal's share of who wins",
                    [Whisker(_at(one), _of(one["luck"]["wins"]["deal"])) for one in there],
                ),
            )
        ],
        ["", "the deal", "everything after it"],
        [[_at(one), *(percents(_of(one["luck"]["wins"][name])) for name in ("deal", "after"))] for one in there],
        f"Each of {there[0]['luck']['deals']:,} deals is played {there[0]['luck']['plays']} times by "
        f"<code>{there[0]['luck']['bot']}</code> players, with new dice and choices: how much more results differ "
        "between deals than between plays of one deal (analysis of variance; deals resampled). The deal is all that "
        "is shuffled before the first move, the order of what is drawn later included.",
    )


def known() -> dict[str, Any]:
    """Return the fingerprints that ship in the games' folders, by key."""
    there = {key: game.folder.joinpath(FILE) for key, game in GAMES.items()}
    return {key: msgspec.json.decode(file.read_bytes()) for key, file in there.items() if file.is_file()}


def _map(found: Found) -> Part | None:
    """Put the games beside each other: how deep each is, and how often the leader at half-time is overtaken."""
    all_of_them = {**known(), found["game"]: found}.values()
    there = [one for one in all_of_them if one.get("format") == FORMAT and len(one["ladder"]) > 1]
    ladder = common_ladder([one["ladder"] for one in there])
    dots, rows = [], []
    for one in there:
        for at in one["tables"]:
            depth = depth_of(at, ladder)
            if depth is None or "shape" not in at:
                continue
            wins = _of(at["shape"]["leader"][1]["wins"])
            open_ = Estimate(1 - wins.value, 1 - wins.high, 1 - wins.low)
            dots.append((one["title"], str(at["players"]), depth, open_))
            rows.append(
                [escape(one["title"]), str(at["players"]), numbers(depth, 0, unbeaten(at, ladder)), percents(open_)]
            )
    if len({title for title, *_ in dots}) < 2:
        return None
    dots.sort(key=lambda dot: -dot[2].value)
    first, *rest = dots
    level = [f"{title} with {players}" for title, players, depth, _ in rest if depth.high > first[2].low]
    deepest = escape(f"{first[0]} with {first[1]} players")
    also = f", not clearly deeper than {escape(', '.join(level))}" if level else ""
    return Part(
        "map",
        "Where does it stand among the games?",
        f"Deepest from {ladder[0]} to {ladder[-1]} is <b>{deepest}</b>{also}.",
        [
            (
                "map",
                plots.scatter(
                    "Depth, and how often the half-time leader is overtaken",
                    dots,
                    f"Elo from {ladder[0]} to {ladder[-1]}",
                    "half-time leader overtaken",
                ),
            )
        ],
        ["", "players", "depth in Elo", "half-time leader overtaken"],
        rows,
        "The number beside a dot is that of the players. To the right: deeper. Up: more often the leader at half-time "
        "does not win. Bars are 95 % intervals. The other games as they ship.",
    )
