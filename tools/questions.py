"""The questions that people ask of all games, answered from their fingerprints and by forced choices on the same deals.

`python -m tools.studies` makes their pages.
"""

import bisect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tavolino.bots import policies
from tavolino.bots.lookahead import weigh
from tavolino.bots.strategy import MAX_CHOICES
from tavolino.engine import kernels
from tavolino.engine.plain import bits
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, among, mean_of, rate_of, stands_out
from tavolino.lab.fingerprint import bots_of, common_ladder, depth_of, judge_of, sizes_of, unbeaten
from tavolino.lab.fingerprint_page import skips_of
from tavolino.lab.page import changes, numbers, percents
from tavolino.lab.played import shares_of
from tavolino.lab.playing import Lineup, dealt, read_lineup
from tavolino.lab.plots import Whisker, plain, whiskers, whole
from tavolino.play.seeds import derive
from tools.fingerprints import shipped
from tools.study_page import SEED, Page, table


def measured(key: str) -> dict[str, Any]:
    """Return the fingerprint in a game's folder."""
    found = shipped(key)
    if found is None:
        raise ValueError(f"{key} has no fingerprint: python -m tools.fingerprints {key}")
    return found


def older(judged: bool = False) -> str:
    """Say which fingerprints were made with other networks or tries than today's; nothing if none was.

    `judged`: or by another judge of chances.
    """
    found = {key: measured(key) for key in GAMES}
    titles = [
        one["title"]
        for key, one in found.items()
        if one["bots"] != bots_of(key) or (judged and one["judge"] != judge_of(key))
    ]
    return f" The bots of {joined(titles)} have changed since this was measured." if titles else ""


def each_table() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield key, title with players, and fingerprint of every table of every game."""
    for key, game in GAMES.items():
        for one in measured(key)["tables"]:
            yield key, f"{game.title}, {one['players']} players", one


def number_of(part: dict[str, float]) -> Estimate:
    """Return a number of a fingerprint."""
    return Estimate(part["value"], part["low"], part["high"])


def deepest() -> Page:
    """Ask which game is deepest."""
    found = {key: measured(key) for key in GAMES}
    ladder = common_ladder([one["ladder"] for one in found.values()])
    depths = [(title, one) for _, title, at in each_table() if (one := depth_of(at, ladder)) is not None]
    endless = {title for _, title, at in each_table() if unbeaten(at, ladder)}
    depths.sort(key=lambda item: -item[1].value)
    first, rest = depths[0], depths[1:]
    level = [title for title, one in rest if one.high > first[1].low or title in endless]
    most = numbers(first[1], 0, first[0] in endless)
    said = f"**Deepest is {first[0]}: {most} Elo from `{ladder[0]}` to `{ladder[-1]}`.**"
    also = f" Not clearly below it: {'; '.join(level)}." if level else " All others are clearly below it."
    skips = [(key, *one) for key in GAMES for one in skips_of(found[key])]
    apart = [one for one in skips if clear(among(one[3].minus(one[4]), len(skips)))]
    adds_up = (
        f"Strength does not simply add up: of {len(skips)} pairs that leave out a step, {len(apart)} clearly differ "
        "from the sum of the steps when they play directly, so these depths are comparable, not exact."
        if apart
        else f"Strength adds up: none of {len(skips)} pairs that leave out a step differs clearly from its sum."
    )
    sizes = "; ".join(f"{one['title']}: {sizes_of(one['games']).deals} deals per step" for one in found.values())
    experts = [expert_sentence(one) for one in found.values() if "expert" in one["ladder"]]
    method = (
        f"Elo of the steps {', '.join(f'`{bot}`' for bot in ladder)}, added up: one stronger bot among weaker ones, "
        f"each deal in every seating ({sizes}). Where a bot won every game, half a game is taken off, and nobody knows "
        f"the upper end. {adds_up} 95 % "
        f"intervals.{''.join(' ' + one for one in experts)}{older()}\n"
    )
    rows = [[title, numbers(one, 0, title in endless)] for title, one in depths]
    plot = whiskers(f"Elo from {ladder[0]} to {ladder[-1]}", [Whisker(*item) for item in depths], whole)
    return Page(
        "Which game is deepest?",
        [f"{said}{also}\n", "![](deepest.svg)\n", table(["", "Elo"], rows) + "\n", method],
        {"deepest": plot},
    )


def clear(one: Estimate) -> bool:
    """Tell whether a difference is clearly none."""
    return one.low > 0 or one.high < 0


def expert_sentence(found: dict[str, Any]) -> str:
    """Say how much deeper a game is with `expert`, and which expert that is."""
    tables = [(one["players"], number_of(one["expert-value"]["elo"])) for one in found["tables"]]
    steps = ", ".join(f"{numbers(elo, 0)} with {players}" for players, elo in tables)
    bots = found["bots"]
    return (
        f"Beyond `value`, `expert` adds in {found['title']}: {steps} ({found['expert_deals']} deals per step, "
        f"{bots['tries']:,} tries per move, networks {bots['networks']})."
    )


def _deals() -> str:
    """Say how many deals were played several times: what differs between games is told apart."""
    deals = [one["luck"]["deals"] for _, _, one in each_table()]
    return f"{min(deals)}" if min(deals) == max(deals) else f"{min(deals)} to {max(deals)}"


def luck() -> Page:
    """Ask how much luck there is: how often the stronger of two wins, and how much the deal decides."""
    tables = list(each_table())
    duels = [
        (GAMES[key].title, number_of(one["value-greedy"]["wins"])) for key, _, one in tables if one["players"] == 2
    ]
    shares = [(title, number_of(one["luck"]["wins"]["deal"])) for _, title, one in tables]
    beats = joined([f"{percents(wins)} in {title}" for title, wins in duels])
    least, *others = sorted(duels, key=lambda duel: duel[1].value)
    alone = all(wins.minus(least[1]).low > 0 for _, wins in others)
    most = f"Skill wins least in {least[0]}" if alone else "In no game does skill clearly win less than in all others"
    named, found = stands_out(shares), dict(shares)
    deal = (
        f"the deal decides most in {named[0]}, {percents(found[named[0]])}, and less in {named[1]}, "
        f"{percents(found[named[1]])}"
        if named
        else "the deal alone decides little, and no table differs clearly from another"
    )
    method = (
        f"`value` (a network) among `greedy` (a rule of thumb): {tables[0][2]['value-greedy']['deals']} deals, each in "
        f"every seating. The deal: each of {_deals()} deals is played four times by `hard` players, with new dice and "
        "choices. Shown is how much more results differ between deals than between plays of one deal, as a share of "
        "who wins (analysis of variance; deals resampled). The deal is all that is shuffled before the first move, the "
        f"order of what is drawn later included. In brackets: 95 % intervals.{older()}\n"
    )
    rows = [
        [title, percents(number_of(one["value-greedy"]["wins"])), f"{100 / one['players']:.1f} %", percents(share)]
        for (_, title, one), (_, share) in zip(tables, shares, strict=True)
    ]
    drawn = {"luck": whiskers("The deal's share of who wins", [Whisker(*item) for item in shares])}
    head = ["", "one `value` among `greedy` wins", "if all were luck", "the deal"]
    said = f"**{most}: with two players the better one wins {beats}; {deal}.**\n"
    return Page("How much luck is there?", [said, "![](luck.svg)\n", table(head, rows) + "\n", method], drawn)


ASKED = {
    "near": "moves near the best",
    "changes": "changes of the lead",
    "comebacks": "comebacks",
    "kingmaking": "decisions that make a king",
    "wait": "seconds between turns",
    "minutes": "minutes",
}


GAINS = ("near", "changes", "comebacks")
"""What one would play with more people for."""


def differs(was: Estimate, now: Estimate) -> bool:
    """Tell whether a number clearly differs between two tables, among all that are compared (Bonferroni)."""
    return clear(among(now.minus(was), len(ASKED) - 1))  # two make no king


def joined(parts: list[str]) -> str:
    """Write a list as words.

    >>> joined(["one", "two", "three"])
    'one, two and three'
    """
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def with_five() -> Page:
    """Ask whether Orma is worth it with five."""
    tables = [one for key, _, one in each_table() if key == "orma"]
    few, many = tables[0], tables[-1]
    lines = []
    for name, title in ASKED.items():
        if name == "kingmaking":  # there is none with two
            continue
        was, now = number_of(few["shape"][name]), number_of(many["shape"][name])
        written = percents if name == "comebacks" else numbers
        if differs(was, now):
            lines.append(f"- {title}: {written(was)} with two, {written(now)} with five")
    start = number_of(many["start"]["places"][0])
    rows = [
        [
            str(one["players"]),
            *(
                ""
                if n == "kingmaking" and one["players"] == 2  # two make no king
                else percents(number_of(one["shape"][n]))
                if n in ("comebacks", "kingmaking")
                else numbers(number_of(one["shape"][n]))
                for n in ASKED
            ),
        ]
        for one in tables
    ]
    compared = [(name, number_of(few["shape"][name]), number_of(many["shape"][name])) for name in GAINS]
    gains = [f"more {ASKED[name]}" for name, was, now in compared if now.value > was.value and differs(was, now)]
    losses = [f"fewer {ASKED[name]}" for name, was, now in compared if now.value < was.value and differs(was, now)]
    more_or_fewer = joined(gains + losses) or "no more decisions and leads"
    waits = [numbers(number_of(one["shape"]["wait"]), 0) for one in (few, many)]
    answer = (
        f"**{'It is, if you can wait' if gains else 'Hardly'}: with five there are {more_or_fewer} "
        f"than with two, but one waits {waits[1]} seconds between turns, not {waits[0]}; and "
        f"{percents(number_of(many['shape']['kingmaking']), 0)} of the decisions of those who are out of the running "
        "decide between others, by moves that are equally good for themselves.**\n"
    )
    more = ["What clearly differs between two and five players:\n", *(lines or ["- nothing"]), ""]
    beaten = numbers(number_of(many["shape"]["beaten"]))
    more.append(f"A game with five has {beaten} decisions of players who are out of the running (a chance below 5 %).")
    more.append(f"Whoever starts wins {percents(start)}; fair is 20 %.\n")
    method = (
        "Games of `value` players, judged with all hands open (docs/lab.md). What differs would stand out among all "
        f"{len(ASKED) - 1} comparisons (Bonferroni). Times from an assumed pace: 8 seconds per "
        f"decision, 2 without a choice. In brackets: 95 % intervals.{older(judged=True)}\n"
    )
    drawn = {
        "with-five": whiskers(
            "Seconds between two turns",
            [Whisker(f"{one['players']} players", number_of(one["shape"]["wait"])) for one in tables],
            plain,
        )
    }
    return Page(
        "Is Orma worth it with five?",
        [answer, *more, "![](with-five.svg)\n", table(["players", *ASKED.values()], rows) + "\n", method],
        drawn,
    )


AIM_DEALS, HELP_DEALS = 2000, 800


def forced(lineup: Lineup, deal: int, seat: int, pick: Callable[[Any], int | None]) -> float:
    """Play a deal by `value` players and return a seat's win; where `pick` returns an action, the seat plays that."""
    base = np.uint64(derive(SEED, lineup.setup.key, "forced"))
    states = dealt(lineup, base, deal, first=0)
    luck = np.random.default_rng((deal, seat))  # the same for every choice that is forced
    streams = luck.integers(0, 1 << 63, 1 + kernels.MAX_SEATS, np.uint64)
    rng, dice = streams[:1], streams[1:]
    assert lineup.policies is not None
    codes, net, features = lineup.policies
    while not states["over"][0]:
        player = int(states["player"][0])
        action = pick(states) if player == seat else None
        if action is None:
            policy = int(codes[player]) if player >= 0 else policies.RANDOM
            action = int(policies.policy_action(states[0], policy, net, features, rng, dice))
        kernels.apply_one(states, action)
    return float(shares_of(states["winners"], lineup.setup.players)[0, seat])


def compared(results: dict[str, list[float]]) -> list[tuple[str, Estimate]]:
    """Return the mean of each choice on the same deals."""
    return [(name, mean_of(found, (0.0, 1.0))) for name, found in results.items()]


def aim_sentence(differences: dict[str, Estimate]) -> str:
    """Say which aims do no harm when they are always chosen, and what the others cost.

    >>> aim_sentence({"always 2": Estimate(-0.161, -0.191, -0.131), "always 5": Estimate(-0.017, -0.047, 0.014)})
    'Aim for 5: always to do so makes no clear difference from choosing freely; always 2 costs 16 points.'
    """
    bad = [(name, one) for name, one in differences.items() if one.high < 0]
    fine = [name for name, one in differences.items() if one.high >= 0]
    costs = ", ".join(f"{name} costs {-100 * one.value:.0f} points" for name, one in bad)
    if not fine:
        return f"Do not settle for one aim: against choosing freely {costs}."
    *some, last = [name.removeprefix("always ") for name in fine]
    which = f"{', '.join(some)} or {last}" if some else last
    same = f"always to do so makes no clear difference from choosing freely{'; ' if costs else ''}{costs}"
    return f"Aim for {which}: {same}."


def aims() -> Page:
    """Ask which aim is best in Out of Sock, by forcing each on the same deals."""
    key = "out-of-sock"
    lineup = read_lineup(key, 2, {}, ["value"])
    words = GAMES[key].actions
    choices = {f"always {n}": words[f"shake:{n}"] for n in range(1, 9) if f"shake:{n}" in words}
    results: dict[str, list[float]] = {name: [] for name in [*choices, "free choice"]}
    for name in results:
        wanted = choices.get(name)
        print(f"  {name}", flush=True)

        def pick(states: Any, wanted: int | None = wanted) -> int | None:
            return wanted if wanted is not None and kernels.is_legal(states[0], wanted) else None

        results[name] = [forced(lineup, deal, deal % 2, pick) for deal in range(AIM_DEALS)]
    shares = compared(results)
    free = np.array(results["free choice"])
    rows, differences = [], dict[str, Estimate]()
    for name, found in shares:
        if name != "free choice":
            differences[name] = mean_of((np.array(results[name]) - free).tolist())
        rows.append([name, percents(found), changes(differences[name]) if name in differences else ""])
    said = f"**{aim_sentence(differences)}**"
    method = (
        f"Two `value` players, {AIM_DEALS} deals. One of them always aims for the same number of dice where that is "
        "legal; everything else it chooses freely. "
        "The same deals and dice for each aim, so the aim causes the difference. 95 % intervals; one in "
        "twenty of them misses.\n"
    )
    drawn = {
        "aims": whiskers("Wins of who always aims for so many dice", [Whisker(*item) for item in shares], reference=0.5)
    }
    return Page(
        "Which aim is best in Out of Sock?",
        [f"{said}\n", "![](aims.svg)\n", table(["aim", "wins", "less free choice, points"], rows) + "\n", method],
        drawn,
    )


GIFTS = (2, 5, 10, 20)
"""Sizes of gifts: by how many numbers a card moves the other's pile back. A rule allows those up to one of them."""
SIZES = [f"{low + 1} to {high}" for low, high in itertools.pairwise((0, *GIFTS))] + [f"more than {GIFTS[-1]}"]


def helping_sentence(helped: dict[str, Estimate], differences: dict[str, Estimate]) -> str:
    """Say how often a free player helps, by the smallest gift it can make, and what never and always helping cost."""

    def costs(one: Estimate) -> str:
        if one.low <= 0 <= one.high:
            return "makes no clear difference"
        return f"costs {numbers(Estimate(-100 * one.value, -100 * one.high, -100 * one.low))} points"

    first, last = helped[SIZES[0]], helped[SIZES[-1]]
    when = (
        f"Help while it is cheap: who chooses freely does so in {percents(first, 0)} of the turns in which a card "
        f"moves the other's pile by only {SIZES[0]}, and in {percents(last, 0)} of those in which it takes {SIZES[-1]}"
        if first.minus(last).low > 0
        else "How cheap it is makes no clear difference to whether one should help"
    )
    return (
        f"{when}; never helping {costs(differences['never help'])}, helping whenever one can "
        f"{costs(differences['always help'])}."
    )


def smallest_gift(states: Any) -> int:
    """Return by how much the smallest gift that is legal moves the other's pile; 0: there is none."""
    tops = states["top"][0].astype(int).tolist()
    theirs = tops[2:] if int(states["player"][0]) == 0 else tops[:2]
    legal = states["legal"][0].tolist()[2:]
    return min((abs(card - top) for mask, top in zip(legal, theirs, strict=True) for card in bits(mask)), default=0)


def helping() -> Page:
    """Ask when one should help in Face to Face, by forbidding and forcing it on the same deals."""
    key = "face-to-face"
    lineup = read_lineup(key, 2, {}, ["value"])
    assert lineup.policies is not None
    _, net, features = lineup.policies
    room, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)

    def by(most: int) -> Callable[[Any], int | None]:
        """Force a gift wherever one of at most that size is legal, and else forbid it."""

        def pick(states: Any) -> int | None:
            n = int(weigh(states, net, features, room, values))
            pile, card = room[:n] >> 6, room[:n] & 63
            gifts = pile >= 2  # the piles of the other
            if not gifts.any():
                return None
            tops = states["top"][0].astype(np.int64)[2 * (1 - int(states["player"][0])) + np.where(gifts, pile - 2, 0)]
            small = gifts & (abs(card - tops) <= most)
            kind = small if small.any() else ~gifts
            return int(room[:n][kind][values[:n][kind].argmax()]) if kind.any() else None

        return pick

    games: list[list[tuple[str, bool]]] = []  # turns of a free player: the smallest gift there is, whether it helped

    def watch(states: Any) -> None:
        """Note what a free player does, and leave it free."""
        if states["turn_cards"][0] == 0 and (gift := smallest_gift(states)):
            games[-1].append((SIZES[bisect.bisect_left(GIFTS, gift)], False))
        elif states["helped"][0] and games[-1]:
            games[-1][-1] = games[-1][-1][0], True

    rules: dict[str, Callable[[Any], int | None]] = {
        "free choice": watch,
        "never help": by(0),
        **{f"help by at most {size}": by(size) for size in GIFTS},
        "always help": by(64),
    }
    results: dict[str, list[float]] = {name: [] for name in rules}
    for name, pick in rules.items():
        print(f"  {name}", flush=True)
        for deal in range(HELP_DEALS):
            games.append([])
            results[name].append(forced(lineup, deal, deal % 2, pick))
    free = np.array(results["free choice"])
    differences = {name: mean_of((np.array(results[name]) - free).tolist()) for name in rules if name != "free choice"}
    could = {size: np.array([sum(at == size for at, _ in game) for game in games], float) for size in SIZES}
    did = {size: np.array([sum(at == size and one for at, one in game) for game in games], float) for size in SIZES}
    helped = {size: rate_of(did[size], could[size]) for size in SIZES}
    shares = compared(results)
    rows = [
        [name, percents(found), changes(differences[name]) if name in differences else ""] for name, found in shares
    ]
    often = [[size, f"{could[size].sum():,.0f}", percents(one)] for size, one in helped.items()]
    method = (
        f"Two `value` players, {HELP_DEALS} deals. First table: every turn of a free player in which it could help at "
        "once, by the smallest such gift (this is what it does, not what it causes). Second table: one of them follows "
        "the rule: it lays a card on the other's piles as soon as it can lay one that moves the pile by no more than "
        "the rule says (which card, and everything else, it chooses freely), and no other card there unless it has to. "
        "The same deals for each rule, so the difference is caused by it. 95 % intervals, with the deal as the unit.\n"
    )
    drawn = {"helping": whiskers("Wins of who follows the rule", [Whisker(*item) for item in shares], reference=0.5)}
    said = f"**{helping_sentence(helped, differences)}**\n"
    tables = [
        table(["smallest gift", "turns", "a free player helps"], often) + "\n",
        table(["rule", "wins", "less free choice, points"], rows) + "\n",
    ]
    return Page("When should one help in Face to Face?", [said, "![](helping.svg)\n", *tables, method], drawn)


QUESTIONS: dict[str, Callable[[], Page]] = {
    "deepest": deepest,
    "luck": luck,
    "with-five": with_five,
    "aims": aims,
    "helping": helping,
}
