"""Render a table as text, SVG or pixels: the picture from the terminal, on a grid of characters.

The pixels need no library: we have a 5 × 7 font of our own, and draw lines for box-drawing characters.
"""

import io
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME

from tavolino.play.terminal import seat_names, table_of

MODES = ("human", "ansi", "rgb_array", "svg")
COLUMNS = 100
WIDE, HIGH, SCALE = 6, 10, 2  # pixels of a character, each SCALE × SCALE
PAPER, INK = (12, 12, 12), (217, 217, 217)

Colour = tuple[int, int, int]
Cell = tuple[str, Colour, bool]
"""A character, its colour, whether it is bold."""

# Five columns a character, from "!" to "~", two hex digits each; the lowest bit is the top.
FONT = (
    "00005f00000007000700147f147f14242a7f2a12231308646236495620500008070300001c2241000041221c002a1c7f1c2a08083e0808"
    "00807030000808080808000060600020100804023e5149453e00427f400072494949462141494d331814127f1027454545393c4a494931"
    "41211109073649494936464949291e0000140000004034000000081422411414141414004122140802015909063e415d594e7c1211127c"
    "7f494949363e414141227f4141413e7f494949417f090909013e414151737f0808087f00417f41002040413f017f081422417f40404040"
    "7f021c027f7f0408107f3e4141413e7f090909063e4151215e7f09192946264949493203017f01033f4040403f1f2040201f3f4038403f"
    "631408146303047804036159494d43007f4141410204081020004141417f04020102044040404040000307080020545478407f28444438"
    "3844444428384444287f385454541800087e090218a4a49c787f0804047800447d40002040403d007f1028440000417f40007c04780478"
    "7c080404783844444438fc1824241818242418fc7c08040408485454542404043f44243c4040207c1c2040201c3c4030403c4428102844"
    "4c9090907c4464544c440008364100000077000000413608000201020402"
)
LINES = {  # box drawing: left, right, up, down
    "─": "lr", "━": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu", "├": "rud", "└": "ru",
}  # fmt: skip
SHAPES = {
    "●": "1c3e3e3e1c", "■": "7e7e7e7e7e", "▲": "60787e7860", "▼": "061e7e1e06", "▶": "7f3e1c0800", "·": "0000080000",
    "…": "4000400040", "→": "08082a1c08", "×": "2214081422", "±": "44445f4444", "−": "0808080808",
}  # fmt: skip


def cells(view: dict[str, Any], others: Sequence[dict[str, Any]] = ()) -> list[list[Cell]]:
    """Draw a table as a seat sees it (with the hands of `others` open, too) as lines of characters."""
    console = Console(
        file=io.StringIO(), width=COLUMNS, force_terminal=True, color_system="standard", legacy_windows=False
    )
    picture = table_of(view["game"]).picture([view, *others], seat_names(view["seats"]))
    found = []
    for line in console.render_lines(picture, pad=False):
        row: list[Cell] = []
        for segment in line:
            style = segment.style
            colour = INK
            if style and style.color:
                colour = tuple(style.color.get_truecolor(SVG_EXPORT_THEME))  # type: ignore[assignment]
            if style and style.dim:
                colour = (colour[0] * 2 // 3, colour[1] * 2 // 3, colour[2] * 2 // 3)
            row += [(character, colour, bool(style and style.bold)) for character in segment.text]
        found.append(row)
    return found


def ansi(view: dict[str, Any], others: Sequence[dict[str, Any]] = ()) -> str:
    """Draw a table for a terminal, in colours."""
    out = io.StringIO()
    console = Console(file=out, width=COLUMNS, force_terminal=True, color_system="standard", legacy_windows=False)
    console.print(table_of(view["game"]).picture([view, *others], seat_names(view["seats"])))
    return out.getvalue()


def svg(lines: list[list[Cell]]) -> str:
    """Return lines of characters as a self-contained SVG picture."""
    wide, high = 9, 18
    width, height = max(map(len, lines), default=0) * wide + 20, len(lines) * high + 20
    texts = []
    for y, line in enumerate(lines):
        at = 0
        while at < len(line):
            _, colour, bold = line[at]
            end = at
            while end < len(line) and line[end][1:] == (colour, bold):
                end += 1
            text = "".join(character for character, _, _ in line[at:end])
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                place = f'x="{10 + at * wide}" y="{24 + y * high}" textLength="{len(text) * wide}"'
                fill = "#{:02x}{:02x}{:02x}".format(*colour)
                texts.append(f'<text {place} fill="{fill}"{weight} xml:space="preserve">{escape(text)}</text>')
            at = end
    paper = "#{:02x}{:02x}{:02x}".format(*PAPER)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="monospace"'
        f' font-size="15">'
        f'<rect width="{width}" height="{height}" fill="{paper}"/>{"".join(texts)}</svg>'
    )


@cache
def glyph(character: str) -> NDArray[np.bool_]:
    """Return the pixels of a character; an unknown one is an empty box."""
    pixels = np.zeros((HIGH, WIDE), np.bool_)
    if character in LINES:
        middle, centre = HIGH // 2, WIDE // 2
        for way in LINES[character]:
            if way in "lr":
                pixels[middle, : centre + 1 if way == "l" else None][0 if way == "l" else centre :] = True
            else:
                pixels[: middle + 1 if way == "u" else None, centre][0 if way == "u" else middle :] = True
        return pixels
    code = ord(character) - ord("!")
    if character == " ":
        return pixels
    columns = SHAPES.get(character) or (FONT[10 * code : 10 * code + 10] if 0 <= code < 94 else "7f4141417f")
    for x, bits in enumerate(bytes.fromhex(columns)):
        for y in range(8):
            pixels[1 + y, x] = bits >> y & 1
    return pixels


def pixels(lines: list[list[Cell]]) -> NDArray[np.uint8]:
    """Return lines of characters as an RGB picture, always COLUMNS wide."""
    picture = np.empty((max(1, len(lines)) * HIGH, COLUMNS * WIDE, 3), np.uint8)
    picture[:] = PAPER
    for y, line in enumerate(lines):
        for x, (character, colour, _) in enumerate(line[:COLUMNS]):
            if character != " ":
                picture[y * HIGH : (y + 1) * HIGH, x * WIDE : (x + 1) * WIDE][glyph(character)] = colour
    return picture.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


def render(mode: str, view: dict[str, Any], others: Sequence[dict[str, Any]] = ()) -> str | NDArray[np.uint8] | None:
    """Draw a table as a seat sees it, in one of the MODES; `human` prints it."""
    if mode == "ansi":
        return ansi(view, others)
    if mode == "human":
        print(ansi(view, others))
        return None
    return svg(cells(view, others)) if mode == "svg" else pixels(cells(view, others))


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; ValueError lists the modes."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode must be one of {', '.join(MODES)}, or None, not {mode!r}")
    return mode
