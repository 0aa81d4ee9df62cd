"""A short run of bench/chaos.py on each store: whatever breaks, nothing is lost, doubled or out of order."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.server.servers import Zygote

FILE = Path(__file__).parents[2] / "bench" / "chaos.py"


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_everything_breaks_once(zygote: Zygote, store: str) -> None:
    """On PostgreSQL there are two processes: one that is to end hands its people over, and no connection breaks."""
    spec = importlib.util.spec_from_file_location("chaos", FILE)
    assert spec is not None
    assert spec.loader is not None
    chaos = sys.modules["chaos"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(chaos)
    books = chaos.run(store, list(chaos.FAULTS), 0.0, 1, zygote)
    assert (books["lost"], books["doubled"], books["out_of_order"]) == (0, 0, 0)
    assert books["acknowledged"] > 100
    assert all(one["times"] == 1 for one in books["faults"].values())
    if store == "postgresql":
        assert books["faults"]["restart"]["connections_broken"] == 0
