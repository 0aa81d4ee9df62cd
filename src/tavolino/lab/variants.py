"""Variants of a game's rules: a small file of changes makes a copy of the game's folder, compiled beside the original.

The copy stands in for the game in a process of its own (`TAVOLINO_RULES`): everything there, bots and judge included,
plays by the changed rules. Both sides of a comparison are such copies, with networks trained by the same quick recipe,
so that each is judged by players who know it, and none knows it better.
"""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate, among
from tavolino.lab.fingerprint import depth_of

MEASURES: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, float]], float]] = {
    "start": ("wins of whoever starts, %", lambda one: one["start"]["places"][0], 100),
    "length": ("moves", lambda one: one["start"]["length"], 1),
    "deal": ("decided by the deal, %", lambda one: one["luck"]["wins"]["deal"], 100),
    "near": ("moves near the best", lambda one: one["shape"]["near"], 1),
    "leader": ("half-time leader wins, %", lambda one: one["shape"]["leader"][1]["wins"], 100),
    "changes": ("changes of the lead", lambda one: one["shape"]["changes"], 1),
    "comebacks": ("comebacks, %", lambda one: one["shape"]["comebacks"], 100),
    "kingmaking": ("decisions that make a king, %", lambda one: one["shape"]["kingmaking"], 100),
    "minutes": ("minutes", lambda one: one["shape"]["minutes"], 1),
    "wait": ("seconds between turns", lambda one: one["shape"]["wait"], 1),
}
"""What is compared: what it is called, where it is found, and what it is multiplied by."""


def changed(rules: str, changes: str, title: str) -> str:
    r"""Return the source of rules with changes: constants and functions of the same names, and helpers of their own.

    A constant is set again right after the line that sets it, so that all that is made from it changes too. ValueError
    names what the rules do not have.

    >>> print(changed("A, B = 1, 2\nC = 2 * A\n", "A = 5", "a game"))
    A, B = 1, 2
    A = 5
    C = 2 * A
    <BLANKLINE>
    """
    try:
        wanted = ast.parse(changes)
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno} of the changes is not Python: {error.msg}") from None
    lines = rules.splitlines()
    there = {name: node for node in ast.parse(rules).body for name in _names(node)}
    imports = max((node.end_lineno or 0 for node in ast.parse(rules).body if _imports(node)), default=0)
    edits: list[tuple[int, int, list[str]]] = []  # from, to (not with it), what stands there instead
    new = changes.splitlines()
    for node in wanted.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # what the file is about
        text = new[_first(node) - 1 : node.end_lineno]
        found = [there[name] for name in _names(node) if name in there]
        if isinstance(node, ast.FunctionDef) and found:
            edits.append((_first(found[0]) - 1, found[0].end_lineno or 0, text))
        elif isinstance(node, ast.FunctionDef) or _imports(node):
            edits.append((imports, imports, text))
        elif found and isinstance(node, ast.Assign | ast.AnnAssign):
            after = max(one.end_lineno or 0 for one in found)
            edits.append((after, after, text))
        else:
            have = ", ".join(name for name in there if name.isupper())
            what = ", ".join(_names(node)) or text[0]
            raise ValueError(f"{what}: the rules of {title} have no such name; constants are {have}")
    for begin, end, text in sorted(edits, key=lambda edit: -edit[0]):
        lines[begin:end] = text
    return "\n".join(lines) + "\n"


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def _imports(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _first(node: ast.stmt) -> int:
    """Return the first line of a statement, decorators included."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


@dataclass(frozen=True)
class Side:
    """One side of a comparison."""

    name: str
    folder: Path
    """Where the copy of the game's folder lies."""
    changed: bool
    """Whether its rules are others than the game's."""
    ships: bool
    """Whether the game ships with Tavolino; else it is a package of its own, which the copy stands before."""

    @property
    def environment(self) -> dict[str, str]:
        """What a process must find in its environment to play by these rules."""
        place = str(self.folder.parent)
        if self.ships:
            return {"TAVOLINO_RULES": place}
        return {"PYTHONPATH": os.pathsep.join(filter(None, (place, os.environ.get("PYTHONPATH"))))}

    @property
    def python(self) -> list[str]:
        """What Python must be told: for a package, that the current folder does not come first."""
        return [] if self.ships else ["-P"]


def make_side(key: str, name: str, changes: str | None, into: Path) -> Side:
    """Copy a game's folder with changed rules; None: as they are. Networks are left out: they know other rules.

    ValueError if the copy could not stand in for the game.
    """
    game = GAMES[key]
    ships = game.package.startswith("tavolino.games.")
    if not ships and "." in game.package:
        raise ValueError(f"{game.title} is in the package {game.package}: only a game in a package of its own can vary")
    folder = into / name / game.folder.name
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(game.folder, folder, ignore=shutil.ignore_patterns("__pycache__", "weights", "fingerprint.json"))
    if changes is not None:
        rules = folder / "rules.py"
        rules.write_text(changed(rules.read_text("utf-8"), changes, game.title), "utf-8")
    return Side(name, folder, changes is not None, ships)


def rules_of(side: Side) -> str:
    """Return what tells the rules of a side from all others: a digest of them."""
    return hashlib.sha256(side.folder.joinpath("rules.py").read_bytes()).hexdigest()[:16]


def measured(
    side: Side,
    key: str,
    tables: Sequence[int],
    games: int,
    seed: int,
    training: int,
    tell: Callable[[float], None],
) -> dict[str, Any]:
    """Train networks for one side and measure its fingerprint, in a process that plays by its rules.

    ValueError says what went wrong there.
    """
    asked = {"key": key, "tables": list(tables), "games": games, "seed": seed, "training": training}
    asked["weights"] = str(side.folder / "weights")
    # Bots have room for what the rules allow; a variant may need more, and must not write where nothing is. The rules
    # as they are need no such check: their compiled code is there already.
    checked = {"NUMBA_BOUNDSCHECK": "1"} if side.changed else {}
    process = subprocess.Popen(
        [sys.executable, *side.python, "-m", "tavolino.lab.variant_process", json.dumps(asked)],
        env={**os.environ, **side.environment, **checked},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    found: dict[str, Any] | None = None
    try:
        for line in process.stdout:
            said = json.loads(line)
            if "found" in said:
                found = said["found"]
            else:
                tell(said["done"])
        if process.wait() or found is None:
            last = process.stderr.read().strip().splitlines()[-1:] or ["it ended without a result"]
            raise ValueError(f"the rules of {side.name} do not work: {last[0]}")
        return found
    finally:
        process.kill()


def compared(one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what differs between two fingerprints, table by table, each with its interval.

    A difference is clear if it would be so among all that are compared (Bonferroni): of a dozen, one looks so by chance
    in every other comparison.
    """
    rows: list[dict[str, Any]] = []
    for before, after in zip(one["tables"], other["tables"], strict=True):
        ladder = one["ladder"]
        depths = depth_of(before, ladder), depth_of(after, ladder)
        found = [("depth", f"Elo from {ladder[0]} to {ladder[-1]}", *depths, 1.0)]
        for name, (title, where, unit) in MEASURES.items():
            if name == "kingmaking" and before["players"] < 3:
                continue
            found.append((name, title, Estimate(**where(before)), Estimate(**where(after)), unit))
        for name, title, was, now, unit in found:
            if was is None or now is None:
                continue
            difference = now.minus(was)
            rows.append(
                {
                    "players": before["players"],
                    "name": name,
                    "title": title,
                    "was": [unit * end for end in (was.value, *was.interval)],
                    "now": [unit * end for end in (now.value, *now.interval)],
                    "difference": [unit * end for end in (difference.value, *difference.interval)],
                }
            )
    for row in rows:
        strict = among(Estimate(*row["difference"]), len(rows))
        row["clear"] = strict.low > 0 or strict.high < 0
    return rows
