"""A game's rules and bots as a WebAssembly module, and its networks, as the page loads them.

The module is made from the same kernels that Python calls (`engine.wasm`). It is taken from the wheel if that carries
it, else from the cache of compiled code, else built. `web/src/local/engine.ts` calls it.
"""

import functools
import hashlib
import json
import os
import platform
import struct
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import types

from tavolino.bots import halving, judging, lookahead, policies, search, styles, thinking
from tavolino.bots.advice import WORLDS
from tavolino.bots.networks import active, has_networks
from tavolino.bots.players import (
    ASK_A_NETWORK,
    LEVELS,
    SEARCH_SIMULATIONS,
    SIMULATIONS,
    at_once_in,
    players_of,
    styles_of,
)
from tavolino.bots.strategy import BY_GAME, MAX_CHOICES, MAX_PLAN
from tavolino.engine import cache, kernels
from tavolino.engine.net import H1, W1
from tavolino.engine.registry import GAMES
from tavolino.engine.wasm import build, capture
from tavolino.engine.wasm.capture import Export, array

CARRIED = cache.PACKAGE / "compiled" / "wasm"
"""Where a wheel carries the modules."""
Tell = Callable[[str], None]


class Module(NamedTuple):
    """A game for the page: the compiled module, and what the page must know to call it, ready for JSON."""

    wasm: bytes
    manifest: dict[str, Any]


def exports(key: str) -> list[Export]:
    """Return what a game's module exports, in the types that the page passes."""
    states = array(GAMES[key].rules.STATE)
    ints, table, streams = array("i8"), array("i8", 2), array("u8")
    floats, net, traces = array("f8"), array("f4"), array("i4", 3)
    notes, tree, rows = array(halving.NOTES), array(search.NODE), array("f8", 2)
    i64, u64 = types.int64, types.uint64
    network = (net, i64)
    return [
        Export("deal", kernels.deal_one, (states, i64, i64, ints, streams)),
        Export("start", kernels.start_one, (states, i64, i64)),
        Export("apply", kernels.apply_one, (states, i64)),
        Export("chance", kernels.chance_one, (states, streams)),
        Export("scores", kernels.scores_one, (states, ints)),
        Export("redeal", kernels.redeal_one, (states, i64, streams)),
        Export("replay", kernels.play_all, (states, ints, i64, ints)),
        Export("random_games", kernels.random_games, (states, i64, i64, ints, u64, i64, table, ints, array("i4", 2))),
        Export("policy_move", policies.policy_move, (states, i64, *network, streams)),
        Export("search", search.think, (states, states, tree, ints, floats, i64, u64, i64)),
        Export("search_roots", search.add_roots, (tree, ints, ints, floats, i64)),
        Export("best_lines", lookahead.best_lines, (states, *network, table, floats)),
        Export(
            "try_lines",
            lookahead.try_lines,
            (states, states, states, *network, table, rows, u64, i64, ints, ints, traces),
        ),
        Export(
            "judge_lines",
            judging.judge_lines,
            (states, states, states, i64, *network, table, array("f8", 3), u64, i64, ints, floats),
        ),
        Export("begin", halving.begin, (notes,)),
        Export("next_slice", halving.next_slice, (notes,)),
        Export("end_round", halving.end_round, (notes,)),
        Export("alive_lines", halving.alive_lines, (notes, table)),
        Export("hear", halving.hear, (notes, rows, i64)),
        Export("rank", halving.rank, (notes, ints, floats, floats)),
        Export("favourite", styles.favourite, (states, notes, i64)),
    ]


@functools.cache
def digest_of(key: str) -> str:
    """Return a digest of everything a game's module is made from."""
    digest = hashlib.sha256(cache.digest_of("bots", GAMES[key].folder).encode())
    for path in sorted(Path(capture.__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for one in exports(key):
        digest.update(f"{one.name} {one.function.__module__} {one.function.__name__} {one.arguments}".encode())
    return digest.hexdigest()[:24]


def module(key: str, tell: Tell | None = None) -> Module:
    """Return a game's module, built if it must be: that takes some 20 seconds, and `tell` hears of it before.

    Without `tell`, it is said on the terminal.
    """
    ready = found(key)
    if ready is not None:
        return ready
    (tell or _tell_terminal)(f"Building {GAMES[key].title} for the browser, once …")
    made = build.build(exports, key)
    write(_folder(digest_of(key)), key, made)
    return Module(made.wasm, manifest(key, made.exports))


def found(key: str) -> Module | None:
    """Return a game's module if the wheel carries it or it was built before."""
    digest = digest_of(key)
    made = _read(CARRIED, key, digest)
    if made is None and (made := _read(_folder(digest), key, digest)) is not None:
        os.utime(_folder(digest))  # `cache.sweep` deletes what nobody uses
    return None if made is None else Module(made.wasm, manifest(key, made.exports))


def _folder(digest: str) -> Path:
    """Return where the cache keeps a module: another Python or compiler makes another one."""
    compiler = f"{digest} {platform.python_version()} {np.__version__} {version('llvmlite')}"
    return cache.cache_root() / f"wasm-{hashlib.sha256(compiler.encode()).hexdigest()[:24]}"


def _tell_terminal(what: str) -> None:
    if sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)


def _read(folder: Path, key: str, digest: str) -> build.Built | None:
    """Return the module in a folder if it is there and was made from the sources as they are."""
    try:
        about = json.loads((folder / f"{key}.json").read_text())
        wasm = (folder / f"{key}.wasm").read_bytes()
    except (OSError, ValueError):
        return None
    sound = about["digest"] == digest and about["sha256"] == hashlib.sha256(wasm).hexdigest()
    return build.Built(wasm, about["exports"]) if sound else None


def write(folder: Path, key: str, made: build.Built) -> None:
    """Keep a module in a folder, where it can be written."""
    about = {"digest": digest_of(key), "sha256": hashlib.sha256(made.wasm).hexdigest(), "exports": made.exports}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in ((f"{key}.wasm", made.wasm), (f"{key}.json", json.dumps(about).encode())):
            part = folder / f"{name}.{os.getpid()}"
            part.write_bytes(data)
            part.replace(folder / name)
    except OSError:
        return


def carry(folder: Path, tell: Tell | None = None) -> None:
    """Put the modules of the games that ship into a folder, for a wheel."""
    for key, game in GAMES.items():
        if game.folder.parent == cache.GAMES:
            made = module(key, tell)
            write(folder, key, build.Built(made.wasm, made.manifest["exports"]))


def manifest(key: str, exported: dict[str, Any]) -> dict[str, Any]:
    """Return what the page must know to call a game's module."""
    game, strategy = GAMES[key], BY_GAME[key]
    play_out, settings = strategy.SEARCH
    return {
        "game": key,
        "digest": digest_of(key),
        "players": list(game.people.PLAYERS),
        "streams": list(game.rules.STREAMS),
        "rolled": game.rules.ROLLED,
        "state": _layout(game.rules.STATE),
        "levels": list(LEVELS),
        "bots": {name: _way_of(key, name) for name in players_of(key)},
        "features": active(key),
        "network": {"first": W1, "width": H1},
        "ahead": {
            "how": thinking.way_of(strategy).tolist(),
            "slice": halving.SLICE,
            "notes": _layout(halving.NOTES),
            "trace": thinking.TRACE,
            "worlds": WORLDS,
        },
        "search": {
            "play_out": search.PLAY_OUTS[play_out],
            "how": list(settings),
            "nodes": thinking.TREE_NODES,
            "node": search.NODE.itemsize,
            "slice": thinking.TREE_SLICE,
        },
        "most": {"seats": kernels.MAX_SEATS, "choices": MAX_CHOICES, "plan": MAX_PLAN, "lines": halving.CANDIDATES},
        "exports": exported,
    }


def _layout(record: np.dtype[Any]) -> dict[str, Any]:
    """Return the size of a record, and the place, type and shape of each of its fields."""
    fields = {}
    for name, (kind, offset, *_) in (record.fields or {}).items():
        fields[name] = {"offset": offset, "type": kind.base.str[1:], "shape": list(kind.shape)}
    return {"size": record.itemsize, "fields": fields}


def _way_of(key: str, name: str) -> dict[str, Any]:
    """Return how a bot plays: by a policy that answers at once, by looking ahead, or by searching."""
    level, _, style = name.partition("-")
    if name in at_once_in(key):
        return {"policy": at_once_in(key)[name], "network": level in ASK_A_NETWORK}
    if level == "expert" and has_networks(key):
        number = ("", *styles_of(key)).index(style)
        return {"tries": BY_GAME[key].TRIES, "network": True, "style": number}
    return {"simulations": SIMULATIONS.get(name, SEARCH_SIMULATIONS), "network": False}


def network(key: str, players: int) -> bytes | None:
    """Return the network for a number of players as the page loads it; None if the game has none.

    Little-endian: in 4 bytes each, the number of features and the bytes of a number in their rows; then three arrays,
    one after the other: the layers after the first (float32), the scale of each feature (float32), and a row for each
    (int8 or float16, as in the file).
    """
    file = GAMES[key].folder.joinpath("weights", f"{players}.npz")
    if not has_networks(key) or not file.is_file():
        return None
    with file.open("rb") as opened, np.load(opened) as data:
        rest, scales, rows = data["rest"].astype("<f4"), data["scales"].astype("<f4"), data["rows"]
    if rows.dtype not in (np.int8, np.float16):
        raise ValueError(f"{file} has rows of {rows.dtype}; the page reads int8 and float16")
    head = struct.pack("<II", len(rows), rows.itemsize)
    return head + rest.tobytes() + scales.tobytes() + rows.astype(rows.dtype.newbyteorder("<")).tobytes()
