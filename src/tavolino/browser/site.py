"""Write the page as a folder that any web host can serve: client, engine, texts, and what makes it installable.

The folder may stand under any path; nothing in it asks for anything outside it (docs/site.md).
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from tavolino import __version__
from tavolino.bots import wasm
from tavolino.browser.pack import Packs, packs
from tavolino.engine.registry import GAMES
from tavolino.play import text
from tavolino.play.advice import all_words
from tavolino.play.game import own_fields
from tavolino.server.app import STATIC
from tavolino.server.hub import describe_games

LISTED = "engine/index.json"
"""The file by which a folder is known as one of ours: the games, and all files."""
SERVICE_WORKER = Path(__file__).parent / "service_worker.js"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""What the page may load: its own files. So no request leaves the host that serves it."""
MANIFEST = {
    "name": "Tavolino",
    "short_name": "Tavolino",
    "description": "Good games on one small table: against the computer, or on one device with friends.",
    "lang": "en",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#FBF4E8",
    "theme_color": "#FBF4E8",
    "categories": ["games"],
    "icons": [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "icon-maskable.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ],
}


class NoSite(ValueError):
    """The folder cannot be written; the message says why and what would help."""


def write_site(out: Path, tell: Callable[[str], None] = lambda text: None) -> list[Path]:
    """Write the folder and return its files; `tell` hears what is being done.

    An older one of ours is replaced once the new one is ready: a build that fails leaves it as it was.
    """
    if not (STATIC / "index.html").is_file():
        raise NoSite("the page is not built: run make client")
    older = _older(out)
    files = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and path.relative_to(STATIC).parts[0] != "engine"
    }
    files["index.html"] = index(files["index.html"].decode()).encode()
    files["manifest.webmanifest"] = _json(MANIFEST)
    files |= {f"engine/{name}": data for name, data in engine_files(tell).items()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    files[LISTED] = _json({"version": __version__, "games": _games(), "files": [*digests, LISTED, "sw.js"]})
    digests[LISTED] = hashlib.sha256(files[LISTED]).hexdigest()
    files["sw.js"] = service_worker(digests).encode()
    _put(files, out)
    _remove(older - files.keys(), out)
    return [out / name for name in files]


def _older(out: Path) -> set[str]:
    """Return the files of an older site of ours in the folder; NoSite if it holds anything else."""
    if out.exists() and not out.is_dir():
        raise NoSite(f"{out} is a file: name a folder")
    if not out.is_dir() or not any(out.iterdir()):
        return set()
    try:
        return set(json.loads((out / LISTED).read_text("utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise NoSite(f"{out} is not empty and holds no site of Tavolino: name another folder, or empty it") from None


def _put(files: dict[str, bytes], out: Path) -> None:
    """Write all files beside those that are there, then put each into its place.

    The page, the list and the service worker come last: they name the others, which are there by then.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".site-", dir=out) as beside:
        for name, data in files.items():
            file = Path(beside) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        for name in sorted(files, key=("index.html", LISTED, "sw.js").count):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(beside) / name).replace(out / name)


def _remove(names: set[str], out: Path) -> None:
    """Remove these files from the folder, and folders that are empty then."""
    for name in names:
        file = (out / name).resolve()
        if file.is_relative_to(out.resolve()):
            file.unlink(missing_ok=True)
    for folder in sorted((path for path in out.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _json(data: Any) -> bytes:
    return msgspec.json.encode(data)


def _games() -> Any:
    return msgspec.to_builtins(describe_games())


def index(page: str) -> str:
    """Return the page as a folder needs it: paths from here, no server, installable."""
    page = re.sub(r'(src|href)="/', r'\1="./', page)
    head = (
        f'<meta name="tavolino-site" content="{__version__}" />\n'
        f'    <meta http-equiv="Content-Security-Policy" content="{POLICY}" />\n'
        '    <link rel="manifest" href="./manifest.webmanifest" />\n'
        '    <link rel="apple-touch-icon" href="./icon-192.png" />\n'
        "    <title>"
    )
    return page.replace("<title>", head, 1)


def engine_files(tell: Callable[[str], None] = lambda text: None) -> dict[str, bytes]:
    """Return what runs the games in a browser: Python, rules as WebAssembly, networks, texts."""
    made = packs()
    files = {"python.json": _json(made.table), "review.json": _json(made.review)}
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:  # each is built by a process of its own
        modules = dict(zip(made.games, pool.map(lambda key: wasm.module(key, tell), made.games), strict=True))
    for key, pack in made.games.items():
        module = modules[key]
        files[f"{key}/python.json"] = _json(pack)
        files[f"{key}/rules.wasm"] = module.wasm
        files[f"{key}/manifest.json"] = _json(module.manifest)
        for players in GAMES[key].people.PLAYERS:
            if (network := wasm.network(key, players)) is not None:
                files[f"{key}/{players}.net"] = network
        for language in text.LANGUAGES:
            files[f"{key}/rules.{language}.md"] = text.rules_text(GAMES[key].folder, language).encode()
            words = {"title": GAMES[key].title, "words": dict(all_words(GAMES[key], language)), "own": own_fields(key)}
            files[f"{key}/words.{language}.json"] = _json(words)
    return files


_packing = Lock()


@cache
def _packed() -> Packs:
    return packs()


def _packs() -> Packs:
    """Pack once, however many ask at the same time: `ast.parse` may fail in two threads at once (CPython 3.11)."""
    with _packing:
        return _packed()


def engine_file(path: str) -> bytes | None:
    """Return a file for the page of a server, which checks deals, gives hints and reviews games; None if there is none.

    Nothing is built here: a server must not become slow because someone asks.
    """
    key, _, name = path.rpartition("/")
    if path == "index.json":
        ready = [game for game in describe_games() if wasm.found(game["key"]) is not None]
        return _json({"version": __version__, "games": ready})
    if path in ("python.json", "review.json"):
        return _json(_packs().table if path == "python.json" else _packs().review)
    if key not in GAMES:
        return None
    if name == "python.json":
        return _json(_packs().games[key])
    if name.endswith(".net"):
        return next((wasm.network(key, n) for n in GAMES[key].people.PLAYERS if name == f"{n}.net"), None)
    module = wasm.found(key)
    if module is None or name not in ("rules.wasm", "manifest.json"):
        return None
    return module.wasm if name == "rules.wasm" else _json(module.manifest)


def service_worker(digests: dict[str, str]) -> str:
    """Return the worker that keeps these files for when there is no network."""
    short = {name: digest[:32] for name, digest in digests.items()}
    version = hashlib.sha256(json.dumps(short, sort_keys=True).encode()).hexdigest()[:16]
    written = SERVICE_WORKER.read_text("utf-8")
    written = written.replace("const FILES = {};", f"const FILES = {json.dumps(short)};", 1)
    return written.replace("const VERSION = '';", f"const VERSION = '{version}';", 1)
