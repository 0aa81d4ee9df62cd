"""The docs do what they say: every Python snippet runs, every command runs, every link leads somewhere.

Pages and their blocks are found, not listed. The blocks of a page run in order, in one folder and one Python namespace.
Numbers of games, tries and the like are made small (`SMALL`). An HTML comment on the line before a block changes that:

    <!-- not run: WHY -->     its commands are only read, its Python only compiled
    <!-- file: NAME -->       it is written to a file, for what follows
    <!-- from: NAME -->       it is a part of a file of ours: each of its lines stands there, in this order
"""

import fnmatch
import functools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import httpx
import pytest

from tavolino.cli import cli
from tests.cli.conftest import Ran, Run, process, run  # noqa: F401
from tests.examples.conftest import commands as installed_commands
from tests.examples.conftest import environment, install
from tests.server.servers import free_port

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MARKER = re.compile(r"<!-- (not run|file|from): (.+?) -->\n\Z")
LANGUAGES = {"python", "sh", "text", "json", "nginx", "ini"}
SMALL = {
    "minutes": 0.001,
    "rows": 8,
    "worlds": 8,
    "deals": 2,
    "games": 8,
    "tries": 4,
    "simulations": 5,
    "seconds": 0.2,
    "moves": 10,
}
"""The most that a snippet gets of each, as an option or an argument."""
DEFAULTS = {"games": 8, "tries": 4, "simulations": 5, "workers": 1}
"""What a command gets that does not say."""
FOLDERS = ("bench", "docs", "examples", "src", "tests", "tools", "web/src")
"""Where the files are that pages name."""
FILE = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|md|json|toml|lock|ts|mjs)|(?:[\w.-]+/)+")
OTHER_FILES = {"file.py", "site/", "build/wheel/", "tavolino/compiled/", "compiled/manifest.json"}
"""Files of the reader's, and what is made."""
SITE = "site"
"""Where a page installs a package."""
EXAMPLES = {"GAME": "orma", "N": "2", "RECORDS": "games.jsonl"}
"""What stands for the words in capitals of a command in the text."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str
    marker: str | None
    said: str
    """What the marker says."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        marker = MARKER.search(text[: found.start()])
        line = text.count("\n", 0, found.start()) + 1
        kind, said = (marker[1], marker[2]) if marker else (None, "")
        yield Block(page.relative_to(ROOT).as_posix(), line, found[1], found[2], kind, said)


def prose(page: Path) -> str:
    """Return a page without its blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def small(text: str) -> str:
    """Make the numbers of a snippet small."""

    def least(found: re.Match[str]) -> str:
        name, numbers = found[2], found[4]
        made = [f"{min(float(number.replace('_', '')), SMALL[name]):g}" for number in numbers.split()]
        return f"{found[1]}{name}{found[3]}{' '.join(made)}"

    return re.sub(rf"(\b|--)({'|'.join(SMALL)})([= ])([\d_.]+(?: [\d_.]+)*)", least, text)


def commands(block: Block) -> Iterator[str]:
    """Yield the command lines of a block, without comments and prompts."""
    for line in block.text.replace("\\\n", " ").splitlines():
        command = re.sub(r"\s+#.*$", "", line).strip().removeprefix("$ ").removesuffix(" &")
        if command and not command.startswith("#"):
            yield re.sub(r"^\.venv/bin/", "", command)


def read(command: str) -> None:
    """Read a command of `tavolino` as it would be read, and do nothing.

    A file need not be there, nor arguments: `tavolino prune --days` names an option.
    """
    words = [EXAMPLES.get(word, word) for word in shlex.split(command)[1:]]
    if words[-1] in ("-h", "--help", "--version"):  # they print something and leave
        words.pop()
    if not words:
        return
    with cli.make_context("tavolino", words) as context:
        name, found, rest = cli.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        try:
            found.make_context(name, rest, parent=context).close()
        except click.BadParameter as error:
            if not isinstance(error, click.MissingParameter) and "does not exist" not in error.format_message():
                raise
        except click.BadOptionUsage as error:
            if words[-1] != error.option_name:
                raise


def whole(command: str) -> list[str]:
    """Return the words of a command, with small numbers for those that it leaves to us."""
    words = shlex.split(small(command))
    match words:
        case ["tavolino", name, *_]:
            options = {str(one.name) for one in cli.commands[name].params}
        case ["python", file, *_] if Path(file).is_file():
            options = set(re.findall(r'"--(\w+)"', Path(file).read_text("utf-8")))
        case _:
            options = set()
    for name in sorted((DEFAULTS.keys() & options) - {word[2:] for word in words}):
        words += [f"--{name}", str(DEFAULTS[name])]
    return words


def serve(words: list[str], folder: Path) -> None:
    """Start a server as told, but on a port that is free; it answers, and ends when it is asked to."""
    port = free_port()
    with process(*words[1:], "--port", port, "--database", folder / "tables.sqlite", cwd=folder) as started:
        for _ in range(1200):
            try:
                httpx.get(f"http://127.0.0.1:{port}/healthz", verify=False).raise_for_status()  # loads no certificates
                break
            except httpx.TransportError:
                assert started.poll() is None
                time.sleep(0.05)
        started.send_signal(signal.SIGTERM)
        _, err = started.communicate(timeout=60)
    assert started.returncode == 0, err


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def extras() -> set[str]:
    return set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


def look_at(command: str) -> None:
    """Check a command that is not run here, as far as that goes."""
    words = shlex.split(command)
    match words:
        case ["tavolino", *_]:
            read(command)
        case ["make", *rest]:
            named = {word for word in rest if "=" not in word}
            assert named <= targets(), f"{command}: the Makefile has {sorted(targets())}"
        case ["pip", "install", *rest]:
            asked = {extra for word in rest for extra in re.findall(r"^tavolino\[(\w+)\]", word)}
            assert asked <= extras(), f"{command}: there are {sorted(extras())}"
        case ["python", "-m", "pytest", *rest]:
            files = [word for word in rest if word.endswith(".py")]
            assert files, command
            assert all((ROOT / file).exists() for file in files), command
        case ["python", "-m", module, *_]:
            places = [base / module.replace(".", "/") for base in (ROOT, ROOT / "src")]
            assert any(at.with_suffix(".py").exists() or (at / "__main__.py").exists() for at in places), command
        case ["python", file, *_]:
            assert (ROOT / file).exists(), command


def apart(command: str, folder: Path, env: dict[str, str]) -> None:
    """Run a command line in processes of its own."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    line = small(command) if "|" in command else shlex.join(whole(command))
    shell = ["bash", "-o", "pipefail", "-c", re.sub(r"(^|\| )tavolino ", r"\1python -m tavolino ", line)]
    done = subprocess.run(shell, cwd=folder, env=env | {"PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def stands_in(block: Block, text: str) -> None:
    """Check that a block's lines stand in a file of ours, in this order."""
    rest = text
    for line in block.text.splitlines():
        assert line in rest, f"{block}: {block.said} has no such line (here): {line}"
        rest = rest[rest.index(line) + len(line) :]


def execute(command: str, folder: Path, run: Run, stack: ExitStack) -> Run:  # noqa: F811
    """Run a command line in this folder; return how to run the next: in processes that find what was installed."""
    match shlex.split(command):
        case ["tavolino", "serve", *_] as words:
            serve(words, folder)
        case ["pip", "install", package] if package.startswith("./"):
            site = install(folder / package, folder / SITE)
            go = stack.enter_context(installed_commands(folder / "streams", site, cwd=folder))
            return lambda *words: Ran(0, go(*words), "")
        case ["python" | "echo", *_] if (folder / SITE).exists():
            apart(command, folder, environment(folder / SITE))
        case ["tavolino", *_]:
            done = run(*whole(command)[1:])
            assert done.code == 0, f"{command}\n{done.err}"
        case ["python" | "echo", *_]:
            apart(command, folder, dict(os.environ))
        case ["make" | "pip", *_]:
            look_at(command)
        case _:
            raise AssertionError(f"how is this run? {command}")
    return run


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of libraries that a snippet imports
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_snippet_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:  # noqa: F811
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    with ExitStack() as stack:
        for block in blocks(page):
            assert block.language in LANGUAGES, f"{block}: say what it is: {sorted(LANGUAGES)}"
            if block.marker == "from":
                stands_in(block, (ROOT / block.said).read_text("utf-8"))
            elif block.marker == "file":
                Path(block.said).write_text(block.text, "utf-8")
            elif block.language == "python":
                code = compile("\n" * block.line + small(block.text), str(block), "exec")
                if not block.marker:
                    exec(code, names)
            elif block.language == "sh":
                for command in commands(block):
                    if block.marker or ("node " in command and shutil.which("node") is None):
                        look_at(command)
                    else:
                        run = execute(command, tmp_path, run, stack)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=[*NAMES, "CHANGELOG.md"])
def test_every_command_in_the_text_is_right(page: Path) -> None:
    """Games, options and files that it names exist."""
    for found in re.finditer(r"`(?:\.venv/bin/)?((?:tavolino|make|pip|python) [^`]+)`", prose(page)):
        look_at(found[1].replace("\n", " "))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=[*NAMES, "CHANGELOG.md"])
def test_every_link_leads_somewhere(page: Path) -> None:
    for text, link in re.findall(r"\[([^\]]*)\]\(([^)\s]+)\)", prose(page)):
        if "://" not in link and not link.startswith("#"):
            assert (page.parent / link.partition("#")[0]).exists(), f"[{text}]({link})"


@functools.cache
def our_files() -> list[str]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")] + list(ROOT.iterdir())
    return [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in found]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_file_in_the_text_exists(page: Path) -> None:
    """A file may be named by the end of its path: `play/seeds.py`. GAME and my_game stand for any game."""
    theirs = OTHER_FILES | {block.said for block in blocks(page) if block.marker == "file"}
    for name in re.findall(r"`([^`\n]+)`", prose(page)):
        if FILE.fullmatch(name) and name not in theirs:
            pattern = "*/" + re.sub(r"GAME|my[_-]game", "*", name)
            assert fnmatch.filter(our_files(), pattern), f"{name}: there is no such file"


def test_every_example_is_in_the_docs() -> None:
    """So that it runs in these tests."""
    told = "".join(block.text for page in PAGES for block in blocks(page) if not block.marker)
    missing = [path.name for path in (ROOT / "examples").iterdir() if path.is_file() and path.name not in told]
    assert not missing


def test_few_snippets_are_not_run() -> None:
    left = [block for page in PAGES for block in blocks(page) if block.marker == "not run"]
    assert len(left) <= 6, [str(block) for block in left]
    assert all(len(block.said) > 20 for block in left), "say why"


def test_small_numbers() -> None:
    assert small("--games 1_000_000 --seed 7") == "--games 8 --seed 7"
    assert small("study('orma', games=4000, tries=200, n=9)") == "study('orma', games=8, tries=4, n=9)"
    assert small("--seconds 40 120 --games 2") == "--seconds 0.2 0.2 --games 2"


def test_what_the_first_version_documented_can_still_be_imported() -> None:
    """A program written for 0.1.0 finds what its documentation named."""
    from tavolino.crew.cluster import cluster
    from tavolino.study import analyse, study
    from tavolino.study.simulate import simulate

    assert all(map(callable, (cluster, analyse, study, simulate)))
