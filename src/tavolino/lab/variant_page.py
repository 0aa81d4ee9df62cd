"""A comparison of rules as a page: what a change does to each part of the fingerprint."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tavolino.engine.phrases import counted
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab import plots
from tavolino.lab.page import figures, numbers, page, paragraph, section, table
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
        marks = [Whisker(f"{row['title']}{' ·' if row['clear'] else ''}", _in_halves(row)) for row in mine]
        sections.append(
            section(
                f"With {players} players",
                figures([plots.whiskers("Differences, in widths of their intervals", marks, plots.plain, 0.0)]),
                table(
                    ["", "rules as they are", "changed", "difference"],
                    [
                        [
                            escape(row["title"]),
                            numbers(Estimate(*row["was"])),
                            numbers(Estimate(*row["now"])),
                            f"<b>{_signed(row['difference'])}</b>" if row["clear"] else _signed(row["difference"]),
                        ]
                        for row in mine
                    ],
                ),
                wide=True,
            )
        )
    method = paragraph(
        "Both sides are played by bots that were trained for their rules by the same quick recipe "
        f"({counted(found['training'], 'game')} of self-play per table), so that neither side's players know their "
        f"rules better. Each part is that of a fingerprint with {counted(found['games'], 'game')}; the two sides are "
        "independent. "
        "Intervals are 95 %; what is bold lies clearly above or below 0. One in twenty that are none looks "
        "clear by chance."
    )
    sections.append(section("How it was found", method, wide=True))
    title = GAMES[found["game"]].title
    foot = f"<p>Made by <code>{escape(found['command'])}</code>.</p>"
    return page(f"{title}: {found['name']}", "A change of the rules, measured", found["game"], sections, foot, found)


def in_short(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what clearly changes, in a sentence per table."""
    lines = []
    for players in dict.fromkeys(row["players"] for row in rows):
        clear = [row for row in rows if row["players"] == players and row["clear"]]
        said = "; ".join(f"{escape(row['title'])} <b>{_signed(row['difference'])}</b>" for row in clear)
        lines.append(f"With {players} players: {said or 'no clear difference'}.")
    return lines


def _in_halves(row: Mapping[str, Any]) -> Estimate:
    """Return a difference in halves of its interval, so that different units fit one plot."""
    value, low, high = row["difference"]
    half = (high - low) / 2 or 1.0
    return Estimate(value / half, low / half, high / half)


def _signed(difference: Sequence[float]) -> str:
    return "{:+.1f} ({:+.1f} to {:+.1f})".format(*difference).replace("-", "−")
