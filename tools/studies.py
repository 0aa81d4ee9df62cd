"""Answer the default questions of the lab anew and write docs/studies/: `python -m tools.studies [NAME …]`."""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, among, stands_out
from tavolino.lab import plots
from tavolino.lab.fingerprint import bots_of
from tavolino.lab.luck import contest_of
from tavolino.lab.page import numbers, percents
from tavolino.lab.playing import play_games, read_lineup
from tavolino.lab.plots import Whisker, plain, standalone, whiskers
from tavolino.lab.report import verdict
from tavolino.lab.shape import ROOM
from tavolino.lab.tally import Tally, tally
from tavolino.play.cores import cores
from tavolino.play.seeds import derive
from tavolino.workers.threads import Threads
from tools.questions import QUESTIONS, measured
from tools.study_page import SEED, Page, table

FOLDER = Path(__file__).parent.parent / "docs" / "studies"
ORDINAL = ("first", "second", "third", "fourth", "fifth")


def counted(game: str, players: int, bot: str, games: int, **options: Any) -> Tally:
    """Play games among equal bots; say so on the way."""
    print(f"  {game}, {players} players, {bot}, {games:,} games {options or ''}", flush=True)
    seed = np.uint64(derive(SEED, game, "study"))
    return tally(read_lineup(game, players, options, [bot]), seed, games, Threads(cores()))


def starting() -> Page:
    """Ask whether it is better to start."""
    sizes = {"greedy": 4_000, "value": 2_000}
    text, drawn, lines = [], {}, []
    tables: list[tuple[str, float, Estimate, Estimate]] = []
    many = sum(len(rules.people.PLAYERS) for rules in GAMES.values())
    for game, rules in GAMES.items():
        text.append(f"## {rules.title}\n")
        rows, whiskered = [], []
        for players in rules.people.PLAYERS:
            fair, starts = 1 / players, []
            for series, (bot, games) in enumerate(sizes.items()):
                found = counted(game, players, bot, games).places
                rows.append(
                    [f"{players}, {bot}", f"{100 * fair:.1f} %", *(percents(p.wins) for p in found)]
                    + [""] * (max(rules.people.PLAYERS) - players)
                )
                start = found[0].wins
                starts.append(start)
                # Against what is fair, so that tables of different size can stand in one plot.
                excess = Estimate(start.value - fair, start.low - fair, start.high - fair)
                whiskered.append(Whisker(f"{players} players, {bot}", excess, series))
                if bot == "value":
                    said = verdict(among(start, many), fair)
                    lines.append(
                        f"- {rules.title}, {players} players: {percents(start)}, {said} the fair {100 * fair:.1f} %"
                    )
            tables.append((f"{rules.title} with {players}", fair, starts[0], starts[1]))
        title = f"{rules.title}: what starting is worth, % points above a fair share"
        drawn[f"starting-{game}"] = whiskers(title, whiskered, plots.points, reference=0.0)
        head = ["players, bots", "fair", *(f"moves {ORDINAL[p]}" for p in range(max(rules.people.PLAYERS)))]
        text += [f"![](starting-{game}.svg)\n", table(head, rows) + "\n"]
    answer = [
        f"**{starting_sentence(tables)}**\n",
        "How often the starter wins, between equal `value` players:\n",
        *lines,
        "",
    ]
    method = (
        f"Each line: {sizes['greedy']:,} games between `greedy` players and {sizes['value']:,} between `value` "
        "players (a rule "
        "of thumb, and a network: docs/bots.md). A random seat starts each game; wins are counted by place in the turn "
        "order; a win shared by two counts half for each. In brackets: 95 % intervals. Clear is what would be so "
        "among all "
        f"{many} tables (Bonferroni)."
    )
    return Page("Is it better to start?", [*answer, method + "\n", *text], drawn)


def starting_sentence(tables: list[tuple[str, float, Estimate, Estimate]]) -> str:
    """Say where it is better to start, and where skill changes that, from the fair share and the starter's two shares.

    The first is between `greedy` players, the second between `value` players, who are stronger.

    >>> same, more = Estimate(0.5, 0.48, 0.52), Estimate(0.55, 0.53, 0.57)
    >>> starting_sentence([("A", 0.5, more, same), ("B", 0.5, more, more)])
    'Between strong players starting helps in B, and nowhere else clearly; it helps weaker ones clearly more in A.'
    """
    many = len(tables)
    better = [title for title, fair, _, strong in tables if among(strong, many).low > fair]
    worse = [title for title, fair, _, strong in tables if among(strong, many).high < fair]
    more = [title for title, _, weak, strong in tables if among(weak.minus(strong), many).low > 0]
    less = [title for title, _, weak, strong in tables if among(weak.minus(strong), many).high < 0]
    helps = f"helps in {listed(better)}, and nowhere else clearly" if better else "helps nowhere clearly"
    said = f"Between strong players starting {helps}{f'; it harms in {listed(worse)}' if worse else ''}"
    skill = [f"clearly {word} in {listed(where)}" for word, where in (("more", more), ("less", less)) if where]
    return f"{said}; it helps weaker ones {' and '.join(skill) if skill else 'alike'}."


def listed(names: list[str]) -> str:
    """List names as one reads them.

    >>> listed(["this", "that", "it"])
    'this, that and it'
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


SOCKS = (
    [2, 2, 4, 4, 6, 8],
    [2, 2, 2, 2, 2, 2],
    [4, 4, 4, 6, 6, 6],
    [2, 4, 4, 6, 6, 8],
    [2, 2, 2, 2, 2, 8],
    [2, 2, 2, 8, 8, 8],
    [2, 8, 8, 8, 8, 8],
)


def skill_by_set(wins: list[tuple[str, Estimate]]) -> str:
    """Say which set keeps the luck down most, if any does more than chance would have it among so many."""
    found = dict(wins)
    if (named := stands_out(wins)) is not None:
        best, worst = named
        return (
            f"The better player wins more often with `{best}`, {percents(found[best])}, than with `{worst}`, "
            f"{percents(found[worst])}."
        )
    shares = [100 * one.value for one in found.values()]
    return (
        f"No difference can be told from chance: with every set the better player wins "
        f"{min(shares):.0f} to {max(shares):.0f} % of the games."
    )


def sock_values() -> Page:
    """Ask which sock_values keep the luck down."""
    deals, games = 2000, 2000
    rows, skilled, excess = [], [], []
    for values in SOCKS:
        name = ",".join(map(str, values))
        found = counted("out-of-sock", 2, "greedy", games, sock_values=values)
        lineup = read_lineup("out-of-sock", 2, {"sock_values": values}, ["greedy"])
        match = contest_of(lineup, ("greedy", "naive"), SEED, deals, Threads(cores()))
        skilled.append(Whisker(name, match.wins, 0 if values != SOCKS[0] else 1))
        excess.append((name, match.wins))
        rows.append(
            [
                f"`{name}`" + (" (default)" if values == SOCKS[0] else ""),
                percents(match.wins),
                percents(match.variance["skill"]),
                percents(match.variance["deal"]),
                numbers(found.margin.mean),
                percents(found.endings["most points"]),
            ]
        )
    answer = f"**{skill_by_set(excess)}** More wins for the better player mean less luck.\n"
    head = [
        "sock_values",
        "`greedy` beats `naive`",
        "who plays",
        "the deal",
        "margin",
        "won by points alone",
    ]
    method = (
        f"Two players. Measure of skill: one `greedy` against one `naive` player, {deals:,} deals, each in both "
        "seatings (neither was trained on the default values). “Who plays” and “the deal” are shares of the variance "
        "of who wins: what comes from who sits where, and how far a seat's results on one deal go together whoever "
        f"sits there; the rest is dice, and what both decide together. Margin and ties: {games:,} games between two "
        "`greedy` players. 95 % intervals with the deal as the unit; two sets are called different only if the "
        f"difference would stand out among all {len(SOCKS) * (len(SOCKS) - 1) // 2} pairs (Bonferroni).\n"
    )
    text = [answer, "![](sock-values.svg)\n", table(head, rows) + "\n", method]
    return Page(
        "Which sock_values keep the luck down?",
        text,
        {"sock-values": whiskers("Wins of greedy against naive, by sock_values", skilled)},
    )


def all_laid() -> Page:
    """Ask how often Face to Face ends by all 58 laid."""
    sizes = {"random": 20_000, "naive": 20_000, "greedy": 20_000, "value": 3_000}
    rows, shares, cards = [], {}, []
    for bot, games in sizes.items():
        found = counted("face-to-face", 2, bot, games)
        shares[bot] = found.endings["all 58 laid"]
        points = [place.points for place in found.places]
        cards.append(Whisker(bot, points[0].mean))
        rows.append(
            [
                f"`{bot}`",
                f"{games:,}",
                percents(shares[bot], 2),
                numbers(points[0].mean),
                numbers(found.length.mean),
                numbers(found.margin.mean),
            ]
        )
    answer = (
        f"**Between `greedy` players {percents(shares['greedy'], 2)} of the games, between `value` players "
        f"{percents(shares['value'], 2)}, at random {percents(shares['random'], 2)}.** All others end because "
        "someone cannot "
        "lay two cards.\n"
    )
    head = ["both players", "games", "all 58 laid", "cards laid by the starter", "moves", "cards between the two"]
    drawn = {
        "all-58-laid": whiskers(
            "Games that end with all 58 laid", [Whisker(bot, found) for bot, found in shares.items()]
        ),
        "cards-laid": whiskers("Cards laid by whoever starts", cards, plain),
    }
    method = (
        "Games between two equal players; a random seat starts each. The last column is by how many cards the winner "
        "is ahead. In brackets: 95 % intervals, of shares by Wilson's formula.\n"
    )
    text = [answer, "![](all-58-laid.svg)\n", "![](cards-laid.svg)\n", table(head, rows) + "\n", method]
    return Page("How often does Face to Face end with all 58 cards laid?", text, drawn)


BLACKS: dict[int, tuple[Any, ...]] = {
    2: ("mixed", 0, 3, 6, 9),
    3: ("mixed", 0, 3, 6, 8),
    4: ("mixed", 0, 2, 4, 7),
    5: ("mixed", 0, 2, 4, 6),
}


def blacks_sentence(shorter: list[Estimate], passes: list[Estimate]) -> str:
    """Say what games without spare blacks are, from how many moves less and how many more all-pass endings there are.

    >>> one, none = Estimate(20.0, 19.0, 21.0), Estimate(0.0, -1.0, 1.0)
    >>> blacks_sentence([one, one], [none, one])
    'Without spare blacks games are 20 to 20 moves shorter than with `mixed`; not everywhere do more of them end \
because everyone passes.'
    """
    few, many = (end(one.value for one in shorter) for end in (min, max))
    every = all(one.low > 0 for one in shorter)
    length = f"{few:.0f} to {many:.0f} moves shorter than with `mixed`" if every else "not everywhere shorter"
    more = all(one.low > 0 for one in passes)
    ends = "more of them end" if more else "not everywhere do more of them end"
    return f"Without spare blacks games are {length}; {ends} because everyone passes."


def spare_blacks() -> Page:
    """Ask what spare_blacks do."""
    games, deals = 4000, 500
    text, drawn, lines = [], {}, []
    shorter, passes = [], []
    for players, values in BLACKS.items():
        rows, ended, starts = [], [], []
        by_value: dict[str, Tally] = {}
        for value in values:
            found = by_value[str(value)] = counted("orma", players, "greedy", games, spare_blacks=value)
            lineup = read_lineup("orma", players, {"spare_blacks": value}, ["greedy"])
            match = contest_of(lineup, ("greedy", "naive"), SEED, deals, Threads(cores()))
            ended.append(Whisker(str(value), found.endings["everyone passed"]))
            starts.append(Whisker(str(value), found.places[0].wins))
            rows.append(
                [
                    f"`{value}`",
                    percents(found.places[0].wins),
                    numbers(found.length.mean),
                    numbers(found.places[0].points.mean),
                    numbers(found.margin.mean),
                    percents(found.endings["everyone passed"]),
                    percents(match.wins),
                ]
            )
        none, mixed = by_value["0"], by_value["mixed"]
        shorter.append(mixed.length.mean.minus(none.length.mean))
        passes.append(none.endings["everyone passed"].minus(mixed.endings["everyone passed"]))
        lines.append(
            f"- {players} players: without spare blacks a game takes {none.length.mean.value:.0f} moves, the starter "
            "makes "
            f"{none.places[0].points.mean.value:.0f} points, and everyone passes in "
            f"{100 * none.endings['everyone passed'].value:.0f} % of the games; with `mixed` it is "
            f"{mixed.length.mean.value:.0f} moves, {mixed.places[0].points.mean.value:.0f} points and "
            f"{100 * mixed.endings['everyone passed'].value:.0f} %."
        )
        drawn[f"spare-blacks-{players}"] = whiskers(f"{players} players: games that end because everyone passes", ended)
        head = [
            "spare_blacks",
            "starter wins",
            "moves",
            "points of the starter",
            "margin",
            "everyone passed",
            "one `greedy` among `naive` wins",
        ]
        text += [f"## {players} players\n", f"![](spare-blacks-{players}.svg)\n", table(head, rows) + "\n"]
    method = (
        f"{games:,} games between `greedy` players for each value, each started by a random seat; the last column: "
        f"{deals} "
        "mirrored deals. 95 % intervals. The rule of thumb was not made for games without spare blacks: the points say "
        "as much about it as about the rule.\n"
    )
    answer = f"**{blacks_sentence(shorter, passes)}**\n"
    return Page("What do spare_blacks do?", [answer, *lines, "", method, *text], drawn)


PAGES: dict[str, Callable[[], Page]] = {
    **QUESTIONS,
    "starting": starting,
    "sock-values": sock_values,
    "all-58-laid": all_laid,
    "spare-blacks": spare_blacks,
}
MEASURED: dict[str, tuple[str, ...]] = {"deepest": tuple(GAMES), "luck": tuple(GAMES), "with-five": ("orma",)}
"""The games whose fingerprints a page is made from."""
PLAYED: dict[str, tuple[str, ...]] = {
    "aims": ("out-of-sock",),
    "helping": ("face-to-face",),
    "starting": tuple(GAMES),
    "sock-values": ("out-of-sock",),
    "all-58-laid": ("face-to-face",),
    "spare-blacks": ("orma",),
}
"""The games that bots played for a page."""
THUMBS, FIRST_GAMES = ("random", "naive", "greedy"), 2
"""Bots that follow a rule of thumb, and how many of their games show whether it is still the same."""


def bots_told(name: str) -> str:
    """Say which bots a page is about, so that one can tell whether they have changed since."""
    told = [f"{GAMES[key].title}: networks {measured(key)['bots']['networks']}" for key in MEASURED.get(name, ())]
    told += [
        f"{GAMES[key].title}: networks {bots_of(key)['networks']}, rules of thumb {thumbs_of(key)}"
        for key in PLAYED.get(name, ())
    ]
    return f"Bots: {'; '.join(told)}."


def thumbs_of(key: str) -> str:
    """Return what tells a game's rules of thumb from others: the moves of their first games. That takes no time."""
    digest = hashlib.sha256()
    for players in GAMES[key].people.PLAYERS:
        for bot in THUMBS:
            played = play_games(read_lineup(key, players, {}, [bot]), np.uint64(SEED), 0, FIRST_GAMES, room=ROOM)
            for game, length in zip(played.actions, played.length, strict=True):
                digest.update(game[:length].astype("<i4").tobytes())
    return digest.hexdigest()[:8]


def files(name: str, page: Page) -> Iterator[tuple[Path, str]]:
    """Yield what is written for a page."""
    made = f"Made by `python -m tools.studies {name}` (seed {SEED}); the same command and bots give the same page."
    told = f"{made} `make studies` makes all of them. {bots_told(name)}\n"
    titles = {f"{plot}.svg": plots.title_of(svg) for plot, svg in page.plots.items()}
    text = "\n".join([f"# {page.title}\n", *page.text, told])
    for file, title in titles.items():
        text = text.replace(f"![]({file})", f"![{title}]({file})")
    yield FOLDER / f"{name}.md", text
    for plot, svg in page.plots.items():
        yield FOLDER / f"{plot}.svg", standalone(svg)


def main(names: list[str]) -> None:
    """Write the pages named, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or PAGES:
        if name not in PAGES:
            sys.exit(f"no study {name!r}; there are {', '.join(PAGES)}")
        began = time.process_time()
        print(f"{name} …", flush=True)
        for path, text in files(name, PAGES[name]()):
            path.write_text(text)
        print(f"{name}: {time.process_time() - began:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
