"""A comparison of rules as a page: what a change does to each part of the fingerprint."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tavolino.engine.phrases import counted
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab import plots
from tavolino.lab.page import figures, page, paragraph, ranged, section, table
from tavolino.lab.plots import Whisker


def variant_page(found: Mapping[str, Any]) -> str:
    """Return a comparison as a self-contained page."""
    rows: Sequence[Mapping[str, Any]] = found["rows"]
    sections = [
        section("In short", f"<ul>{''.join(f'<li>{line}</li>' for line in in_short(rows))}</ul>", wide=True),
        section("The change", f"<pre><code>{escape(found['changes'])}</code></pre>", wide=True),
    ]
    for players in dict.fromkeys(row["players"] for row in rows):
        mine = [row for row in rows if row["players"] == players]
        marks = [Whisker(row["title"], _in_halves(row), said=_signed(row, interval=False)) for row in mine]
        plot = figures(
            [plots.whiskers("What the change does: less on the left, more on the right", marks, _zero_only, 0.0)]
        )
        sections.append(
            section(
                f"With {players} players",
                f'<div class="modest">{plot}</div>',
                paragraph(
                    "A dot to the right: more of it after the change. Each bar is the 95 % interval of a difference; "
                    "since their units differ, all are drawn in the same width."
                ),
                table(
                    ["", "before", "after", "difference"],
                    [
                        [
                            escape(row["title"]),
                            ranged(Estimate(*row["was"]), _digits(row)),
                            ranged(Estimate(*row["now"]), _digits(row)),
                            _folded(row),
                        ]
                        for row in mine
                    ],
                    words=frozenset({0}),
                ),
                wide=True,
            )
        )
    method = paragraph(
        "Both sides are played by bots that were trained for their rules by the same quick recipe "
        f"({counted(found['training'], 'game')} of self-play per table), so that neither side's players know their "
        f"rules better. Each part is that of a fingerprint with {counted(found['games'], 'game')}; the two sides are "
        "independent. "
        f"Intervals are 95 %. Bold, and called clearly different, is what would stand out among all {len(rows)} "
        "differences that are compared here (Bonferroni); one in twenty of the intervals themselves misses."
    )
    sections.append(section("How it was found", method, wide=True))
    title = GAMES[found["game"]].title
    foot = f"<p>Made by <code>{escape(found['command'])}</code>.</p>"
    return page(f"{title}: {found['name']}", "A change of the rules, measured", found["game"], sections, foot, found)


def in_short(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what clearly changes, and what does not, in a sentence or two per table."""
    lines = []
    for players in dict.fromkeys(row["players"] for row in rows):
        mine = [row for row in rows if row["players"] == players]
        clear = "; ".join(
            f"{escape(row['title'])} <b>{_signed(row)}</b>, from {row['was'][0]:.{_digits(row)}f} to "
            f"{row['now'][0]:.{_digits(row)}f}"
            for row in mine
            if row["clear"]
        )
        level = ", ".join(escape(row["title"].removesuffix(", %")) for row in mine if not row["clear"])
        said = f"clearly different: {clear}." if clear else "no clear difference."
        lines.append(f"With {players} players {said}" + (f" Not clearly: {level}." if clear and level else ""))
    return lines


def _in_halves(row: Mapping[str, Any]) -> Estimate:
    """Return a difference in halves of its interval, so that different units fit one plot."""
    value, low, high = row["difference"]
    half = (high - low) / 2 or 1.0
    return Estimate(value / half, low / half, high / half)


def _folded(row: Mapping[str, Any]) -> str:
    """Write a difference whose interval may stand below it; bold if it is clear."""
    value, interval = _signed(row).split(" ", 1)
    said = f'{value} <span class="whole">{interval}</span>'
    return f'<span class="fold">{f"<b>{said}</b>" if row["clear"] else said}</span>'


def _digits(row: Mapping[str, Any]) -> int:
    """Return how many digits a measure needs: none of a difference's interval should look like 0 if it is not."""
    _, low, high = row["difference"]
    return 0 if high - low >= 100 else 1 if high - low >= 1 else 2


def _zero_only(tick: float) -> str:
    """Write what a line of the plot marks: the bars have different units, so only "no difference" means something."""
    return "" if tick else "no difference"


def _signed(row: Mapping[str, Any], interval: bool = True) -> str:
    value, low, high = (f"{end:+.{_digits(row)}f}".replace("-", "−") for end in row["difference"])
    return f"{value} ({low} to {high})" if interval else value
