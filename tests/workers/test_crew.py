"""Crews on this machine, and what is said where there is no other."""

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from tavolino.cli import main
from tavolino.workers import Workers, in_order
from tavolino.workers.processes import Processes
from tavolino.workers.threads import Threads

CREWS = [Threads(1), Threads(3), Processes(2)]


def _later(item: int) -> int:
    time.sleep(0.02 if item == 0 else 0)  # the first one is the last to be ready
    return item * item


@pytest.mark.parametrize("crew", CREWS, ids=repr)
def test_in_order_whoever_is_first(crew: Workers) -> None:
    assert list(in_order(crew, _later, range(20))) == [item * item for item in range(20)]
    assert list(in_order(crew, _later, [])) == []


def test_few_are_under_way_at_a_time() -> None:
    """What nobody has asked for yet is hardly begun: memory does not grow with the number of items."""
    begun: list[int] = []
    results = in_order(Threads(2), begun.append, range(1000))
    for _ in range(10):
        next(results)
    time.sleep(0.05)
    assert len(begun) <= 10 + 4


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*args: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(args)
        assert left.value.code == 2
        return capsys.readouterr().err

    return run


ORMA = ("simulate", "orma", "--games", "10", "--seed", "1", "--ray")


def test_without_ray_it_says_how_to_get_it(said: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # Python's way to say: there is none
    assert said(*ORMA, "auto").endswith('pip install "tavolino[ray]"\n')


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_address_where_nobody_answers(said: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Said in one line within seconds: Ray itself would try for minutes."""
    ray: Any = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    text = said(*ORMA, "127.0.0.1:1")
    assert text.startswith("tavolino: no Ray cluster at 127.0.0.1:1: ConnectionError: nobody answers at ")
    assert "Invalid address format" in said(*ORMA, "nowhere")
