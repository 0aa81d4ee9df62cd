"""The page around a report: a single file without scripts, fonts or pictures from elsewhere; light and dark."""

from collections.abc import Sequence
from html import escape
from typing import Any

import msgspec

from tavolino.engine.pieces import pieces_of
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.plots import COLOURS_DARK, COLOURS_LIGHT, STYLE, title_of

LIGHT = (
    "--paper:#FBF4E8;--surface:#FFFDF8;--surface-2:#F4EADA;--line:#E3D5C1;--ink:#2B1F2E;--ink-2:#62515F;"
    "--minus:#B5311B;--plus:#176B4D;--in:#fff;" + COLOURS_LIGHT
)
DARK = (
    "--paper:#1C1620;--surface:#2A2130;--surface-2:#352A3C;--line:#4A3C50;--ink:#F6EBDD;--ink-2:#C2B2BE;"
    "--minus:#FF9A84;--plus:#7FDDB6;--in:#1C1620;" + COLOURS_DARK
)
CSS = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:450 15px/1.5 "Avenir Next",Avenir,"Segoe UI Variable Text",
"Segoe UI",Seravek,Ubuntu,Cantarell,Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:break-word}
header{background:var(--cloth);padding:40px 0 72px}
header>div{padding:0 16px}
header>div,main,footer{max-width:1040px;margin:0 auto}
header p{margin:4px 0 0;color:var(--on-cloth)}
h1{font-size:clamp(1.7rem,5vw,2.25rem);line-height:1.15;font-weight:800;margin:0;letter-spacing:-.01em}
h2{font-size:1.125rem;line-height:1.25;font-weight:800;margin:0 0 8px}
main{padding:0 16px;margin-top:-64px;columns:2 380px;column-gap:16px}
section{background:var(--surface);border-radius:14px;padding:20px;break-inside:avoid;margin:0 0 16px;
box-shadow:0 1px 0 var(--shade),0 3px 8px var(--shade)}
section.wide{column-span:all;margin:16px 0}
section p{margin:0 0 12px;max-width:68ch}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:16px;align-items:start}
figure{margin:0;min-width:0}.modest{max-width:640px}
.narrow{display:none}@media(max-width:640px){.narrow{display:block}.broad{display:none}.range{display:none}}
figcaption{font-size:13px;font-weight:650;color:var(--ink-2);margin:0 0 4px}
b,strong{font-weight:650}
.q{color:var(--ink-2)}
ul{margin:0;padding-left:1.2em}li{margin:4px 0}
details{margin-top:12px;border-top:1px solid var(--line);padding-top:10px}
summary{cursor:pointer;color:var(--ink-2);font-weight:650;padding:4px 0;border-radius:8px}
summary:focus-visible{outline:3px solid var(--ink)}
details p{margin:8px 0;color:var(--ink-2)}
.scroll,pre{overflow-x:auto}
.scroll{background:linear-gradient(var(--surface) 0 0) 0 0/28px 100% no-repeat local,linear-gradient(var(--surface) 0 0)
100% 0/28px 100% no-repeat local,linear-gradient(90deg,var(--line),transparent) 0 0/14px 100% no-repeat,
linear-gradient(270deg,var(--line),transparent) 100% 0/14px 100% no-repeat}
.decisions{columns:2 340px;column-gap:24px;font-size:13px}.decisions>div{break-inside:avoid;margin:0 0 16px}
.decisions p{margin:0 0 4px;font-size:15px}.told{display:block;min-width:11rem}p.note{margin:8px 0 16px}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{white-space:nowrap;padding:5px 8px;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
td:last-child,th:last-child{padding-right:0}
th{color:var(--ink-2);font-weight:650;vertical-align:bottom}
td.t,th.t{text-align:left}td.t{white-space:normal;min-width:5em}td.t:last-child{min-width:14em}
.minus{color:var(--minus)}.plus{color:var(--plus)}
.tag{display:inline-block;border-radius:99px;padding:0 8px;font-size:12px;font-weight:650;
background:var(--surface-2);white-space:nowrap}
.tag.bad{background:var(--minus);color:var(--in)}
code{background:var(--surface-2);border-radius:6px;padding:1px 5px;font-size:13px}
pre{margin:0;white-space:pre-wrap}pre code{background:none;padding:0}.fold{white-space:normal}.whole{white-space:nowrap}
footer{padding:24px 16px 48px;color:var(--ink-2);font-size:13px}
.plot .mark{stroke:var(--surface);stroke-width:2}
@media(max-width:640px){main{padding:0 8px}section{padding:16px 12px}
.plot text{font-size:14px}svg.plot{overflow:visible}}
@media print{body{background:#fff}section{box-shadow:none;break-inside:avoid;border:1px solid var(--line)}}
"""


def page(title: str, lead: str, game: str, sections: Sequence[str], foot: str, data: Any) -> str:
    """Return a whole page; `data` goes with it as JSON, for programs."""
    light, dark = pieces_of(GAMES[game]).cloth
    colours = (
        f":root{{color-scheme:light dark;{LIGHT}--cloth:{light};--on-cloth:#4A3B47;--shade:#2B1F2E1a}}"
        f"@media(prefers-color-scheme:dark){{:root{{{DARK}--cloth:{dark};--on-cloth:#D6C8D2;--shade:#0006}}}}"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(title)}</title><style>{colours}{STYLE}{CSS}</style></head>\n<body>\n"
        f"<header><div><h1>{escape(title)}</h1><p>{escape(lead)}</p></div></header>\n"
        f"<main>\n{chr(10).join(sections)}\n</main>\n<footer>{foot}</footer>\n"
        f'<script type="application/json" id="data">{embedded(data)}</script>\n</body></html>\n'
    )


def embedded(data: Any) -> str:
    """Return data as JSON that can be embedded in a page."""
    text = msgspec.json.encode(data).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def section(heading: str, *parts: str, wide: bool = False) -> str:
    """Return one card of the page."""
    kind = ' class="wide"' if wide else ""
    return f"<section{kind}><h2>{escape(heading)}</h2>{''.join(parts)}</section>"


def figures(plots: Sequence[str]) -> str:
    """Return plots side by side if there is room, each with its title above."""
    shown = (f"<figure><figcaption>{title_of(svg)}</figcaption>{svg}</figure>" for svg in plots)
    return f'<div class="plots">{"".join(shown)}</div>'


def paragraph(text: str) -> str:
    """Return a paragraph; the text may hold tags."""
    return f"<p>{text}</p>"


def more(summary: str, *parts: str) -> str:
    """Return a part that opens on a click."""
    return f"<details><summary>{escape(summary)}</summary>{''.join(parts)}</details>"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: frozenset[int] = frozenset()) -> str:
    """Return a table; the cells may hold tags. The columns in `words` are text, and start at the left."""

    def cells(tag: str, line: Sequence[str]) -> str:
        kinds = (' class="t"' if i in words else "" for i in range(len(line)))
        return "".join(f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, line, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{cells("th", head)}</tr></thead><tbody>{body}</tbody></table></div>'


def ranged(found: Estimate, digits: int = 1) -> str:
    """Write a number with its interval, which a phone leaves out: what it is compared with stands beside it.

    >>> ranged(Estimate(20.0, 19.5, 20.5))
    '20.0<span class="range"> (19.5 to 20.5)</span>'
    """
    value, interval = numbers(found, digits).split(" ", 1)
    return f'{value}<span class="range"> {interval}</span>'


def percents(found: Estimate, digits: int = 1) -> str:
    """Write a share with its interval.

    >>> percents(Estimate(0.5, 0.48, 0.52))
    '50.0 % (48.0 to 52.0)'
    """
    return f"{100 * found.value:.{digits}f} % ({100 * found.low:.{digits}f} to {100 * found.high:.{digits}f})"


def changes(found: Estimate, digits: int = 1, times: int = 100) -> str:
    """Write a change with its interval: of a share in percentage points, of a number (`times=1`) as it is.

    >>> changes(Estimate(-0.05, -0.07, -0.03)), changes(Estimate(18.2, 17.0, 19.4), times=1)
    ('−5.0 (−7.0 to −3.0)', '+18.2 (+17.0 to +19.4)')
    """
    value, low, high = (f"{times * end:+.{digits}f}" for end in (found.value, found.low, found.high))
    return f"{value} ({low} to {high})".replace("-", "−")


def numbers(found: Estimate, digits: int = 1, at_least: bool = False) -> str:
    """Write a number with its interval; `at_least`: of one that has no upper end.

    >>> numbers(Estimate(20.0, 19.5, 20.5)), numbers(Estimate(20.0, 19.5, 20.5), at_least=True)
    ('20.0 (19.5 to 20.5)', '20.0 (19.5 or more)')
    """
    end = "or more" if at_least else f"to {found.high:.{digits}f}"
    return f"{found.value:.{digits}f} ({found.low:.{digits}f} {end})".replace("-", "−")
