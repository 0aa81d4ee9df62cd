"""Set-up by make: what is there is left alone, what is broken is made anew, and whoever waits sees how far it is."""

import base64
import hashlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import setup

ROOT = Path(setup.__file__).parent.parent
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "tavolino"
version = "0"
"""
BACKEND = """
import pathlib, zipfile
def build_editable(folder, settings=None, metadata=None):
    name = "tavolino-0-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as wheel:
        wheel.writestr("tavolino.pth", str(pathlib.Path("src").absolute()))
        wheel.writestr("tavolino-0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tavolino\\nVersion: 0\\n")
        wheel.writestr("tavolino-0.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr("tavolino-0.dist-info/RECORD", "")
    return name
"""


def write_wheel(folder: Path, name: str) -> str:
    """Write a wheel with one module; return its line in a lock."""
    file = folder / f"{name}-1.0-py3-none-any.whl"
    texts = {
        f"{name}.py": f"name = {name!r}\n",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    with zipfile.ZipFile(file, "w") as wheel:
        for path, text in texts.items():
            wheel.writestr(path, text)
            made = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={made},{len(text)}\n"
        wheel.writestr(f"{name}-1.0.dist-info/RECORD", record + f"{name}-1.0.dist-info/RECORD,,\n")
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> setup.Checkout:
    """Give sources of a small project whose packages are wheels in a folder: nothing comes from the network."""
    root, wheels = tmp_path / "checkout", tmp_path / "wheels"
    (root / "tools").mkdir(parents=True)
    (root / "src").mkdir()
    wheels.mkdir()
    shutil.copy(setup.__file__, root / "tools" / "setup.py")
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "backend.py").write_text(BACKEND)
    small, large = write_wheel(wheels, "small"), write_wheel(wheels, "large")
    (root / "requirements-play.lock").write_text(small)
    (root / "requirements.lock").write_text(small + large)
    (root / "requirements-bench.lock").write_text(small + large)
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(name, value)
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if not shutil.which("uv", path=folder)]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))  # uv does not read pip's settings
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return setup.Checkout(root)


def set_up(here: setup.Checkout, target: str = "setup") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(here.root / "tools" / "setup.py"), target]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def set_up_on_a_terminal(here: setup.Checkout) -> str:
    """Set up and return what a terminal was shown."""
    mine, theirs = pty.openpty()
    command = [sys.executable, str(here.root / "tools" / "setup.py"), "setup"]
    said = b""
    with subprocess.Popen(command, stderr=theirs, stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        while True:
            try:
                read = os.read(mine, 65536)
            except OSError:  # Linux says so when the other end is closed
                read = b""
            if not read:
                break
            said += read
    os.close(mine)
    assert process.returncode == 0, said
    return said.decode()


def imports(here: setup.Checkout, name: str) -> bool:
    return subprocess.run([here.python, "-c", f"import {name}"], capture_output=True).returncode == 0


def test_setting_up_again_costs_nothing_and_what_is_broken_is_noticed(checkout: setup.Checkout) -> None:
    said = set_up_on_a_terminal(checkout)
    assert said.startswith("Setting up, once …\r\n")
    assert said.count("\n") == 2, "a first line and a last; between them one that moves"
    shown = {line.partition(" s  ")[2].strip() for line in said.split("\r") if "Python packages: " in line}
    assert any(re.search(r"fetching|installing", text) for text in shown), shown
    assert len(shown) >= 3, shown
    assert imports(checkout, "small")
    assert imports(checkout, "large")
    for _ in range(2):  # nor does it change anything for whoever needs less
        for target in (setup.DEV, setup.PLAY):
            assert setup.broken(checkout, this_python=True) is None
            assert not setup.lacks_packages(checkout, target)
    before = checkout.stamp.stat().st_mtime_ns
    again = set_up(checkout)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert checkout.stamp.stat().st_mtime_ns == before

    for what, harm in HARMS.items():
        stamp = checkout.stamp.read_bytes()
        undo = harm(checkout)
        assert setup.broken(checkout, this_python=False) == what
        undo()
        checkout.stamp.write_bytes(stamp)
        assert setup.broken(checkout, this_python=False) is None, f"after {what}"

    site = checkout.site()
    assert site is not None
    shutil.rmtree(site / "large-1.0.dist-info")
    assert setup.lacks_packages(checkout, setup.DEV), "a package is gone"

    moved = setup.Checkout(checkout.root.with_name("elsewhere"))
    checkout.root.rename(moved.root)
    assert setup.broken(moved, this_python=False) in ("the folder was moved", "its Python is gone")


def python_gone(here: setup.Checkout) -> Callable[[], object]:
    real = here.python.readlink()
    here.python.unlink()
    here.python.symlink_to("/nowhere/python3")

    def undo() -> None:
        here.python.unlink()
        here.python.symlink_to(real)

    return undo


def other_python(here: setup.Checkout) -> Callable[[], object]:
    """Do what an upgrade of Python does: the packages are where the new one does not look."""
    folder = next((here.venv / "lib").glob("python3*"))
    other = folder.with_name("python3.9")
    folder.rename(other)
    return lambda: other.rename(folder)


def half_done(here: setup.Checkout) -> Callable[[], object]:
    setup.note_unfinished(here)
    return lambda: None


OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"
HARMS = {
    "its Python is gone": python_gone,
    f"its packages are not those of its Python, {OWN}": other_python,
    "it was not finished": half_done,
}


def test_what_is_installed_is_enough_for_whoever_needs_less(checkout: setup.Checkout) -> None:
    """`make play`, `make test`, `make play`: the developers' set comes once and stays."""
    noted = {"project": setup.digest(checkout.root / "pyproject.toml"), "packages": []}
    checkout.venv.mkdir()
    checkout.stamp.write_text(json.dumps(noted | {"locks": checkout.locks(setup.PLAY)}))
    assert not setup.lacks_packages(checkout, setup.PLAY)
    assert setup.lacks_packages(checkout, setup.DEV)
    checkout.stamp.write_text(json.dumps(noted | {"locks": checkout.locks(setup.DEV)}))
    assert not setup.lacks_packages(checkout, setup.PLAY)
    assert not setup.lacks_packages(checkout, setup.DEV)
    assert setup.lacks_packages(checkout, setup.BENCH)
    (checkout.root / "requirements-play.lock").write_text("# other\n")
    assert setup.lacks_packages(checkout, setup.PLAY)

    checkout.modules_stamp.parent.mkdir(parents=True)
    (checkout.web / "package-lock.json").write_text("{}")
    lock = setup.digest(checkout.web / "package-lock.json")
    for have, enough in (("build", {"build"}), ("all", {"build", "all"})):
        checkout.modules_stamp.write_text(json.dumps({"lock": lock, "modules": have}))
        assert {modules for modules in ("build", "all") if not setup.lacks_modules(checkout, modules)} == enough
    (checkout.web / "package-lock.json").write_text("{ }")
    assert setup.lacks_modules(checkout, "build")


def test_stopped_in_the_middle_the_next_run_repairs_it(checkout: setup.Checkout) -> None:
    command = [sys.executable, str(checkout.root / "tools" / "setup.py"), "setup"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not checkout.stamp.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Run the same command again" in said
    assert "Traceback" not in said
    assert setup.broken(checkout, this_python=False) == "it was not finished"
    done = set_up(checkout)
    assert done.returncode == 0, done.stderr
    assert "making .venv anew: it was not finished" in done.stderr
    assert re.search(r"^ +\d+ s  Python packages: ", done.stderr, re.MULTILINE), (
        "it tells how far without a terminal, too"
    )
    assert imports(checkout, "large")


def test_without_a_network_it_says_what_to_do(checkout: setup.Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    monkeypatch.setenv("PIP_RETRIES", "0")
    done = set_up(checkout)
    assert done.returncode == 1
    assert "is this machine online?" in done.stderr
    assert "Traceback" not in done.stderr
    assert setup.broken(checkout, this_python=False) == "it was not finished"


def pins(name: str) -> set[str]:
    """Return what a lock of ours lists."""
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*==\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_each_lock_holds_the_one_before_it_and_no_lock_names_a_registry() -> None:
    play, dev, bench = map(pins, setup.LOCKS)
    assert play < dev < bench
    assert pins(setup.NODE_LOCK)
    for file in (*setup.LOCKS, setup.NODE_LOCK, "web/package-lock.json"):
        text = (ROOT / file).read_text()
        assert '"resolved"' not in text
        assert not re.search(r"--(extra-)?index-url|--find-links", text), file


def test_which_node_builds_the_page() -> None:
    """By what Vite asks for."""
    versions = ("v18.20.4", "v20.18.0", "v20.19.0", "v21.7.3", "v22.3.0", "v22.12.0", "v24.1.0", "")
    assert [version for version in versions if setup.suits(version)] == ["v20.19.0", "v22.12.0", "v24.1.0"]


def test_the_page_is_built_anew_when_its_sources_are_newer(tmp_path: Path) -> None:
    here = setup.Checkout(tmp_path)
    for name in ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "src/a.ts", "src/a.test.ts"):
        file = here.web / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        os.utime(file, (1000, 1000))
    assert setup.lacks_client(here)
    here.client.mkdir(parents=True)
    made = here.client / "index.html"
    made.write_text("")
    os.utime(made, (2000, 2000))
    assert not setup.lacks_client(here)
    os.utime(here.web / "src" / "a.test.ts", (3000, 3000))
    assert not setup.lacks_client(here), "a test is no source of the page"
    os.utime(here.web / "src" / "a.ts", (3000, 3000))
    assert setup.lacks_client(here)
