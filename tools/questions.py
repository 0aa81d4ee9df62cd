"""The questions that people ask of all games, answered from their fingerprints and by forced choices on the same deals.

`python -m tools.studies` makes their pages.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots import policies
from tavolino.bots.lookahead import weigh
from tavolino.bots.strategy import MAX_CHOICES
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, mean_of, stands_out
from tavolino.lab.fingerprint import FORMAT, FingerprintSettings, common_ladder, depth_of, fingerprint, sizes_of
from tavolino.lab.fingerprint_page import FILE, skips_of
from tavolino.lab.page import changes, numbers, percents
from tavolino.lab.played import shares_of
from tavolino.lab.playing import Lineup, dealt, read_lineup
from tavolino.lab.plots import Whisker, plain, whiskers
from tavolino.lab.settings import LabSettings, Tell
from tavolino.play.seeds import derive
from tools.study_page import SEED, Page, table

GAMES_A_TABLE, EXPERT_DEALS = 1000, 16
"""Per table; of an older fingerprint, what it says itself is told."""


def measured(key: str) -> dict[str, Any]:
    """Return a game's fingerprint, made anew unless it is there; it is kept in the game's folder and ships with it."""
    path = GAMES[key].folder / FILE
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_bytes())
        if found["format"] == FORMAT:
            return found
    print(f"  fingerprint of {key}, {GAMES_A_TABLE} games per table", flush=True)
    notes = Path(tempfile.gettempdir()) / f"fingerprint-{key}.json"
    how, one = FingerprintSettings(expert_deals=EXPERT_DEALS), LabSettings(1, told_of(key))
    found = fingerprint(key, games=GAMES_A_TABLE, seed=SEED, how=how, notebook=notes, settings=one)
    path.write_text(json.dumps(found))
    return found


def told_of(key: str) -> Tell:
    """Return a function that prints how far the fingerprint of a game is, at every tenth."""
    shown = [0]

    def tell(done: float) -> None:
        if int(10 * done) > shown[0]:
            shown[0] = int(10 * done)
            print(f"  {key}: {10 * shown[0]} %", flush=True)

    return tell


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
    depths.sort(key=lambda item: -item[1].value)
    first, rest = depths[0], depths[1:]
    level = [title for title, one in rest if one.high > first[1].low]
    said = f"**Deepest is {first[0]}: {numbers(first[1], 0)} Elo from `{ladder[0]}` to `{ladder[-1]}`.**"
    also = f" Not clearly below it: {'; '.join(level)}." if level else " All others are clearly below it."
    skips = [(key, *one) for key in GAMES for one in skips_of(found[key])]
    apart = [one for one in skips if clear(one[3].minus(one[4]))]
    adds_up = (
        f"Strength does not simply add up: of {len(skips)} pairs that leave out a step, {len(apart)} differ from the "
        "sum of the steps when they play directly, so these depths are comparable, not exact."
        if apart
        else f"Strength adds up: none of {len(skips)} pairs that leave out a step differs clearly from its sum."
    )
    sizes = "; ".join(f"{one['title']}: {sizes_of(one['games']).deals} deals per step" for one in found.values())
    experts = [expert_sentence(one) for one in found.values() if "expert" in one["ladder"]]
    method = (
        f"Elo of the steps {', '.join(f'`{bot}`' for bot in ladder)}, added up: one stronger bot among weaker ones, "
        f"each deal in every seating ({sizes}). Where a bot won every game, the step is a lower bound. {adds_up} 95 % "
        f"intervals.{''.join(' ' + one for one in experts)}\n"
    )
    rows = [[title, numbers(one, 0)] for title, one in depths]
    plot = whiskers(f"Elo from {ladder[0]} to {ladder[-1]}", [Whisker(*item) for item in depths], plain)
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
    """Ask how much the deal decides."""
    shares = [(title, number_of(one["luck"]["wins"]["deal"])) for _, title, one in each_table()]
    named = stands_out(shares)
    found = dict(shares)
    said = (
        f"**The deal decides most in {named[0]}, {percents(found[named[0]])}, and less in {named[1]}, "
        f"{percents(found[named[1]])}.**"
        if named
        else "**Between equal players the deal decides little, and no table differs clearly from another.**"
    )
    method = (
        f"Each of {_deals()} deals is played four times by `hard` players, with new dice and choices. Shown "
        "is how much more results differ between deals than between plays of one deal, as a share of who wins "
        "(analysis of variance; deals resampled).\n"
    )
    rows = [[title, percents(one)] for title, one in shares]
    drawn = {"luck": whiskers("The deal's share of who wins", [Whisker(*item) for item in shares])}
    text = [f"{said}\n", "![](luck.svg)\n", table(["", "the deal"], rows) + "\n", method]
    return Page("How much luck is in the deal?", text, drawn)


ASKED = {
    "near": "moves near the best",
    "changes": "changes of the lead",
    "comebacks": "comebacks",
    "kingmaking": "decisions that make a king",
    "wait": "seconds between turns",
    "minutes": "minutes",
}


def with_five() -> Page:
    """Ask whether Orma is worth it with five."""
    tables = [one for key, _, one in each_table() if key == "orma"]
    few, many = tables[0], tables[-1]
    lines = []
    for name, title in ASKED.items():
        if name == "kingmaking":  # there is none with two
            continue
        was, now = number_of(few["shape"][name]), number_of(many["shape"][name])
        change = now.minus(was)
        share = name in ("comebacks", "kingmaking")
        written = percents if share else numbers
        if change.low > 0 or change.high < 0:
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
    answer = (
        f"**With five one waits {numbers(number_of(many['shape']['wait']), 0)} seconds between turns, "
        f"{numbers(number_of(few['shape']['wait']), 0)} with two, and in "
        f"{percents(number_of(many['shape']['kingmaking']), 0)} of the decisions of "
        "those who are out of the running their equally good moves decide between others.**\n"
    )
    more = ["What clearly differs between two and five players:\n", *(lines or ["- nothing"]), ""]
    more.append(f"Whoever starts wins {percents(start)}; fair is 20 %.\n")
    method = (
        "Games of `value` players, judged with all hands open (docs/lab.md). Times from an assumed pace: 8 seconds per "
        "decision, 2 without a choice.\n"
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
    """Say which aims cost something when they are always chosen, and which do not.

    >>> aim_sentence({"always 2": Estimate(-0.161, -0.191, -0.131), "always 5": Estimate(-0.017, -0.047, 0.014)})
    'Always 2 costs 16 points against choosing freely; always 5 makes no clear difference.'
    """
    bad = [(name, one) for name, one in differences.items() if one.high < 0]
    fine = [name for name, one in differences.items() if one.high >= 0]
    costs = ", ".join(f"{name} costs {-100 * one.value:.0f} points" for name, one in bad)
    same = f"{', '.join(fine)} {'makes' if len(fine) == 1 else 'make'} no clear difference" if fine else ""
    said = "; ".join(part for part in (f"{costs} against choosing freely" if costs else "", same) if part)
    return f"{said[:1].upper()}{said[1:]}."


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


def helping() -> Page:
    """Ask when one should help in Face to Face, by forbidding and forcing it on the same deals."""
    key = "face-to-face"
    lineup = read_lineup(key, 2, {}, ["value"])
    assert lineup.policies is not None
    _, net, features = lineup.policies
    room, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)

    def among(allowed: Callable[[bool, float], bool]) -> Callable[[Any], int | None]:
        def pick(states: Any) -> int | None:
            n = int(weigh(states, net, features, room, values))
            gifts = room[:n] >> 6 >= 2  # the piles of the other
            if not gifts.any() or gifts.all():
                return None
            gain = float(values[:n][gifts].max() - values[:n][~gifts].max())
            kind = gifts if allowed(True, gain) else ~gifts
            return int(room[:n][kind][values[:n][kind].argmax()])

        return pick

    rules: dict[str, Callable[[Any], int | None]] = {
        "free choice": lambda states: None,
        "never help": among(lambda gift, gain: False),
        "always help": among(lambda gift, gain: True),
        "help only if it gains 2 points": among(lambda gift, gain: gain >= 0.02),
    }
    results = {
        name: [forced(lineup, deal, deal % 2, pick) for deal in range(HELP_DEALS)] for name, pick in rules.items()
    }
    shares = compared(results)
    free = np.array(results["free choice"])
    rows = [
        [
            name,
            percents(found),
            changes(mean_of((np.array(results[name]) - free).tolist())) if name != "free choice" else "",
        ]
        for name, found in shares
    ]
    never, always = (mean_of((np.array(results[name]) - free).tolist()) for name in ("never help", "always help"))
    clear = [
        f"{name} costs {numbers(Estimate(-100 * one.value, -100 * one.high, -100 * one.low))} points"
        for name, one in (("never helping", never), ("helping whenever one can", always))
        if one.high < 0
    ]
    said = (
        f"**Help when it is better than your own best turn, not by habit: {' and '.join(clear)}.**"
        if clear
        else "**Neither never helping nor always helping differs clearly from choosing freely.**"
    )
    method = (
        f"Two `value` players, {HELP_DEALS} deals. One of them follows the rule where it can choose between a card on "
        "the other's piles and one on its own; "
        "everything else it chooses freely. The same deals for each rule, so the difference is caused by it. 95 % "
        "intervals.\n"
    )
    drawn = {"helping": whiskers("Wins of who follows the rule", [Whisker(*item) for item in shares], reference=0.5)}
    return Page(
        "When should one help in Face to Face?",
        [f"{said}\n", "![](helping.svg)\n", table(["rule", "wins", "less free choice, points"], rows) + "\n", method],
        drawn,
    )


QUESTIONS: dict[str, Callable[[], Page]] = {
    "deepest": deepest,
    "luck": luck,
    "with-five": with_five,
    "aims": aims,
    "helping": helping,
}
