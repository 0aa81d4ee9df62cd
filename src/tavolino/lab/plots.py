"""Plots as SVG, drawn from numbers alone: whiskers, histograms, curves, stacked shares.

A plot is 400 units wide, so that its letters can be read on a phone too. Colours come from classes: a page defines them
once (`STYLE`), a file of its own carries them along (`standalone`). Light or dark is the reader's choice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from tavolino.intervals import Estimate

WIDTH = 400
ROW = 26
LIGHT = ("#2757AE", "#BD5109", "#176B4D", "#7A4DB8", "#B5311B")
DARK = ("#8FB6FF", "#FFA45E", "#7FDDB6", "#CDB0F5", "#FF9A84")
MOST_BINS = 32
MOST_RHYTHM, IN_RHYTHM = 6, 0.75
"""The longest rhythm that is looked for, and the share of the numbers that must follow it."""

STYLE = (
    "svg.plot{display:block;width:100%;height:auto;font-family:inherit;font-variant-numeric:tabular-nums}"
    ".plot text{fill:var(--ink);font-size:12px}.plot .q{fill:var(--ink-2)}.plot .e{text-anchor:end}"
    ".plot .m{text-anchor:middle}.plot .grid{stroke:var(--line);stroke-width:1}"
    ".plot .ref{stroke:var(--ink-2);stroke-width:1.5;stroke-dasharray:4 3}"
    ".plot .w{stroke-width:5;stroke-linecap:round;opacity:.38}"
    ".plot .l{fill:none;stroke-width:2.25;stroke-linejoin:round}"
    ".plot .title{font-size:11px;font-weight:650}.plot .band{opacity:.2}.plot .in{fill:var(--in);font-weight:650}"
    + "".join(f".plot .f{i}{{fill:var(--c{i})}}.plot .s{i}{{stroke:var(--c{i})}}" for i in range(len(LIGHT)))
)
"""The classes of all plots; the page defines --ink, --ink-2, --line, --in (on a bar) and --c0 … --c4."""


def _colours(names: Sequence[str]) -> str:
    return "".join(f"--c{i}:{colour};" for i, colour in enumerate(names))


COLOURS_LIGHT, COLOURS_DARK = _colours(LIGHT), _colours(DARK)


@dataclass(frozen=True)
class Whisker:
    """A line of a whisker plot."""

    label: str
    value: Estimate
    series: int = 0
    said: str = ""
    """What stands at its end; by default the value."""


@dataclass(frozen=True)
class Scale:
    """Where numbers lie between two ends of a plot."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        """Return the place of a number; what lies outside is put at the end."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.left + part * (self.right - self.left), 2)


def percent(value: float) -> str:
    """Write a share as an axis has it.

    >>> percent(0.5), percent(0.125)
    ('50 %', '12.5 %')
    """
    return f"{round(100 * value, 6):g} %".replace("-", "−")


def points(value: float) -> str:
    """Write a change of a share, in percentage points, as an axis has it.

    >>> points(0.05), points(-0.05)
    ('+5', '−5')
    """
    return f"{round(100 * value, 6):+g}".replace("-", "−") if value else "0"


def plain(value: float) -> str:
    """Write a number as an axis has it."""
    return f"{round(value, 6):g}".replace("-", "−")


def whole(value: float) -> str:
    """Write a number that is known to no more than its whole part.

    >>> whole(-12.3)
    '−12'
    """
    return f"{value:.0f}".replace("-", "−")


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers from low to high, about so many.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    raw = (high - low) / about
    power = 10.0 ** floor(log10(raw))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= raw * 0.999)
    first = ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, floor(high / step + 1e-9) + 1)]


def _svg(height: float, title: str, parts: Sequence[str], width: int = WIDTH) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {width} {height:g}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, classes: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{classes}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, classes: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{classes}"/>'


def whiskers(
    title: str,
    rows: Sequence[Whisker],
    write: Callable[[float], str] = percent,
    reference: float | None = None,
    ends: tuple[float, float] | None = None,
) -> str:
    """Draw numbers as dots with their intervals as bars, one below the other; a dashed line marks what to compare with.

    `ends` bounds the axis; an interval that goes beyond is cut off there.
    """
    marks = [end for row in rows for end in (row.value.low, row.value.high, row.value.value) if abs(end) < 1e300]
    marks += [] if reference is None else [reference]
    low, high = (min(marks), max(marks)) if ends is None else ends
    pad = 0.06 * (high - low) or 0.5
    if ends is None:
        low, high = low - pad, high + pad
    left = min(240, max(46, 16 + max(7.6 * len(row.label) for row in rows)))
    scale = Scale(low, high, left, WIDTH - 74)
    bottom = 8 + ROW * len(rows)
    parts = []
    for tick in ticks(low, high, 4):
        parts.append(_line(scale(tick), 4, scale(tick), bottom, "grid"))
        parts.append(_text(scale(tick), bottom + 16, write(tick), "q m"))
    if reference is not None:
        parts.append(_line(scale(reference), 2, scale(reference), bottom, "ref"))
    for i, row in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        found = row.value
        parts.append(_text(left - 10, y + 4, row.label, "e"))
        parts.append(_line(scale(found.low), y, scale(found.high), y, f"w s{row.series}"))
        parts.append(f'<circle cx="{scale(found.value):g}" cy="{y:g}" r="4.5" class="f{row.series}"/>')
        parts.append(_text(WIDTH - 4, y + 4, row.said or _short(found.value, write), "e q"))
    return _svg(bottom + 24, title, parts)


def _short(value: float, write: Callable[[float], str]) -> str:
    if write is percent:
        return f"{100 * value:.1f} %"
    if write is points:
        return f"{100 * value:+.1f}".replace("-", "−")
    return whole(value) if write is whole else f"{value:.1f}".replace("-", "−")


def rhythm_of(counts: Sequence[tuple[int, int]]) -> int:
    """Return n if most numbers are some multiple of n, plus always the same; 1 if they have no such rhythm.

    Bins of another width hold now more, now fewer of those numbers, and a smooth curve looks like a comb.

    >>> rhythm_of([(n, 10) for n in range(0, 60, 2)] + [(7, 3)]), rhythm_of([(n, 10) for n in range(60)])
    (2, 1)
    """
    common = max(counts, key=lambda pair: pair[1])[0]  # left out: one number alone makes no rhythm
    rest = [(value, count) for value, count in counts if value != common]
    found, span = 1, max(value for value, _ in counts) - min(value for value, _ in counts)
    for n in range(2, min(MOST_RHYTHM, span // 4) + 1):
        classes = [sum(count for value, count in rest if value % n == left) for left in range(n)]
        if max(classes) >= IN_RHYTHM * sum(classes):
            found = n
    return found


def binned(counts: Sequence[tuple[int, int]], low: int, step: int, bins: int) -> list[float]:
    """Return the share of each bin."""
    found = [0.0] * bins
    for value, count in counts:
        found[min(bins - 1, max(0, (value - low) // step))] += count
    total = sum(found)
    return [count / total for count in found]


def histogram(title: str, series: Sequence[tuple[str, Sequence[tuple[int, int]]]], unit: str) -> str:
    """Draw how often each number was seen: bars for one series, outlines for several."""
    low = min(counts[0][0] for _, counts in series)
    high = max(counts[-1][0] for _, counts in series)
    rhythm = rhythm_of([pair for _, counts in series for pair in counts])
    step = rhythm * max(1, ceil((high - low + 1) / rhythm / MOST_BINS))
    bins = (high - low) // step + 1
    shares = [binned(counts, low, step, bins) for _, counts in series]
    top = max(max(line) for line in shares)
    legend = 20 if len(series) > 1 else 0
    base = 150 + legend
    across = Scale(low, low + bins * step, 46, WIDTH - 8)
    up = Scale(0, top * 1.05, base, 10 + legend)
    parts = []
    for tick in ticks(0, top * 1.05, 3):
        parts.append(_line(46, up(tick), WIDTH - 8, up(tick), "grid"))
        parts.append(_text(40, up(tick) + 4, percent(tick), "q e"))
    for tick in ticks(low, high, 5):
        if tick == int(tick):
            begin = low + (int(tick) - low) // step * step  # of the bin it lies in
            parts.append(_text((across(begin) + across(begin + step)) / 2, base + 16, plain(tick), "q m"))
    parts.append(_text((46 + WIDTH - 8) / 2, base + 34, unit, "q m"))
    for i, line in enumerate(shares):
        if len(series) == 1:
            for b, part in enumerate(line):
                x, y = across(low + b * step), up(part)
                width = max(1.0, across(low + (b + 1) * step) - x - 1)
                parts.append(
                    f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{base - y:g}" rx="1.5" class="f{i}"/>'
                )
            continue
        path = [f"M{across(low):g} {base:g}"]
        for b, part in enumerate(line):
            path.append(f"V{up(part):g}H{across(low + (b + 1) * step):g}")
        parts.append(f'<path d="{"".join(path)}V{base:g}" class="l s{i % 5}"/>')
    parts.append(_line(46, base, WIDTH - 8, base, "grid"))
    parts += _legend([name for name, _ in series]) if legend else []
    return _svg(base + 42, title, parts)


LEGEND = 20
"""How high a line of a legend is."""


def _legend(names: Sequence[str], first: int = 0) -> list[str]:
    """Return one line that names series, from the `first` colour on."""
    parts, x = [], 46.0
    for i, name in enumerate(names, first):
        parts.append(f'<circle cx="{x + 5:g}" cy="10" r="5" class="f{i % 5}"/>')
        parts.append(_text(x + 14, 14, name))
        x += _room(name)
    return parts


def _room(name: str) -> float:
    return 26 + 7.2 * len(name)


def _in_lines(names: Sequence[str]) -> list[list[str]]:
    """Share names out among lines of a legend, as many as fit in each."""
    lines: list[list[str]] = []
    for name in names:
        if lines and 46 + sum(map(_room, [*lines[-1], name])) <= WIDTH:
            lines[-1].append(name)
        else:
            lines.append([name])
    return lines


@dataclass(frozen=True)
class Curve:
    """A line over x, with its interval as a band."""

    name: str
    points: Sequence[tuple[float, Estimate]]
    series: int = 0
    marks: Sequence[tuple[float, float, str]] = ()
    """(x, y, what) of dots on it."""


def curves(
    title: str,
    lines: Sequence[Curve],
    unit: str,
    write: Callable[[float], str] = percent,
    reference: float | None = None,
    size: tuple[int, int] = (WIDTH, 170),
) -> str:
    """Draw shares over the course of something; `size` is the width of the plot and the height of its field."""
    width, tall = size
    legend = 20 if len(lines) > 1 else 0
    low, high = lines[0].points[0][0], lines[0].points[-1][0]
    base = tall + legend
    across, up = Scale(low, high if high > low else low + 1, 46, width - 20), Scale(0, 1, base, 10 + legend)
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(_line(46, up(tick), width - 20, up(tick), "grid"))
        parts.append(_text(40, up(tick) + 4, percent(tick), "q e"))
    for tick in ticks(low, high, width // 80):
        parts.append(_text(across(tick), base + 16, write(tick), "q m"))
    parts.append(_text((46 + width - 20) / 2, base + 34, unit, "q m"))
    if reference is not None:
        parts.append(_line(46, up(reference), width - 20, up(reference), "ref"))
    for line in lines:
        there = [f"{across(x):g} {up(e.high):g}" for x, e in line.points]
        back = [f"{across(x):g} {up(e.low):g}" for x, e in reversed(line.points)]
        parts.append(f'<path d="M{"L".join(there + back)}Z" class="band f{line.series}"/>')
        middle = "L".join(f"{across(x):g} {up(e.value):g}" for x, e in line.points)
        parts.append(f'<path d="M{middle}" class="l s{line.series}"/>')
    for line in lines:
        for x, y, what in line.marks:
            parts.append(
                f'<circle cx="{across(x):g}" cy="{up(y):g}" r="5" class="f{line.series} mark">'
                f"<title>{escape(what)}</title></circle>"
            )
    parts += _legend([line.name for line in lines]) if legend else []
    return _svg(base + 42, title, parts, width)


def stacked(title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> str:
    """Draw shares of a whole side by side, one bar a row."""
    parts = _legend(names)
    tall = 52
    for i, (label, shares) in enumerate(rows):
        y = 28 + tall * i
        parts.append(_text(4, y + 10, label, "q"))
        x, whole = 4.0, sum(shares) or 1.0
        for k, part in enumerate(shares):
            width = (WIDTH - 8) * part / whole
            if width <= 0:
                continue
            parts.append(
                f'<rect x="{x:.2f}" y="{y + 16}" width="{max(0.5, width - 1):.2f}" height="22" rx="4" class="f{k}"/>'
            )
            if width > 44:
                parts.append(_text(round(x + width / 2, 2), y + 31, f"{100 * part / whole:.0f} %", "in m"))
            x += width
    return _svg(32 + tall * len(rows), title, parts)


def title_of(svg: str) -> str:
    """Return a plot's title, as it stands in it."""
    return svg.partition("<title>")[2].partition("</title>")[0]


ALONE_LIGHT = f"--ink:#2B1F2E;--ink-2:#62515F;--line:#E3D5C1;--in:#fff;--ground:#FFFDF8;{COLOURS_LIGHT}"
ALONE_DARK = f"--ink:#F6EBDD;--ink-2:#C2B2BE;--line:#4A3C50;--in:#1C1620;--ground:#2A2130;{COLOURS_DARK}"


def standalone(svg: str) -> str:
    """Return a plot as a file of its own: with its colours, for light and dark, and a ground to stand on."""
    style = (
        f"svg{{{ALONE_LIGHT}font-family:system-ui,sans-serif}}"
        f"@media(prefers-color-scheme:dark){{svg{{{ALONE_DARK}}}}}{STYLE}"
    )
    head, _, rest = svg.partition("</title>")
    ground = '<rect x="-8" y="-30" width="100%" height="100%" rx="10" style="fill:var(--ground)"/>'
    title = f'<text x="0" y="-12" class="title">{title_of(svg)}</text>'
    size = head.split('viewBox="0 0 ')[1].split('"')[0].split(" ")
    wide, high = float(size[0]) + 16, float(size[1]) + 38
    head = head.replace(
        f'viewBox="0 0 {size[0]} {size[1]}"',
        f'viewBox="-8 -30 {wide:g} {high:g}" width="{1.4 * wide:g}" height="{1.4 * high:g}"',
    )
    return f"{head}</title><style>{escape(style, quote=False)}</style>{ground}{title}{rest}\n"


FONTS = "Arial,Helvetica,Liberation Sans,DejaVu Sans,Noto Sans,Roboto,Segoe UI"
"""What resvg is to look for: it knows no system-ui."""


def png_of(svg: str) -> bytes:
    """Return a plot that stands alone as a PNG, in its light colours; ImportError where resvg is not installed."""
    import resvg_py

    for name, _, colour in (pair.partition(":") for pair in ALONE_LIGHT.rstrip(";").split(";")):
        svg = svg.replace(f"var({name})", colour)  # resvg knows no variables; what is for the dark it leaves out
    svg = svg.replace("font-family:inherit", f"font-family:{FONTS}").replace("system-ui,sans-serif", FONTS)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


def can_letter() -> bool:
    """Whether a PNG would have letters: resvg takes the system's fonts, and leaves out what it has none for."""
    import resvg_py

    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    letter = f'<text y="15" style="font-family:{FONTS}">A</text>'
    with_letter, without = (resvg_py.svg_to_bytes(svg_string=empty.format(part)) for part in (letter, ""))
    return bool(with_letter != without)


def scatter(title: str, dots: Sequence[tuple[str, str, Estimate, Estimate]], unit: str, up_unit: str) -> str:
    """Draw points (group, label, across, up) with the intervals of both numbers; up is a share. Units name the axes.

    Groups differ in colour and are named above, so that beside each point its label is all.
    """
    groups = list(dict.fromkeys(group for group, *_ in dots))
    lines = _in_lines(groups)
    head = LEGEND * len(lines)
    head += LEGEND  # the axis that goes up is named above it
    left, right, base = 46, WIDTH - 14, 250 + head
    ends = [end for *_, x, _ in dots for end in x.interval]
    across = Scale(min(0.0, *ends), max(ends) * 1.05, left, right)
    top = min(1.0, max(y.high for *_, y in dots) * 1.05)
    up = Scale(0.0, top, base, 10 + head)
    parts = []
    for i, line in enumerate(lines):
        parts.append(f'<g transform="translate(0 {LEGEND * i})">{"".join(_legend(line, groups.index(line[0])))}</g>')
    parts.append(_text(6, head - 4, f"↑ {up_unit}", "q"))
    for tick in ticks(0.0, top):
        parts += [_line(left, up(tick), right, up(tick), "grid"), _text(40, up(tick) + 4, percent(tick), "q e")]
    for tick in ticks(across.low, across.high):
        parts.append(_text(across(tick), base + 16, plain(tick), "q m"))
    parts.append(_text((left + right) / 2, base + 34, f"{unit} →", "q m"))
    for group, label, x, y in dots:
        series = groups.index(group) % len(LIGHT)
        at, height = across(x.value), up(y.value)
        parts.append(_line(across(x.low), height, across(x.high), height, f"w s{series}"))
        parts.append(_line(at, up(y.low), at, up(y.high), f"w s{series}"))
        parts.append(f'<circle cx="{at:g}" cy="{height:g}" r="5" class="f{series}"/>')
        parts.append(_text(at + 7, height - 7, label))
    return _svg(base + 42, title, parts)
