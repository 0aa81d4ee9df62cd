"""Work on a Ray cluster: the same numbers as here, also when a machine goes in the middle."""

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tavolino.arena.arena import RunSettings, arena
from tavolino.bench import Sizes
from tavolino.bench.ray import beside_threads
from tavolino.engine.recipe import Recipe
from tavolino.engine.registry import GAMES
from tavolino.lab import study
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tavolino.lab.training import train
from tavolino.workers import in_order
from tavolino.workers.cluster import Cluster, cluster

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves sockets and files to the end of the process
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class Machines:
    """A cluster of nodes on this machine, to be connected to by its address."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as Nodes

        self._small: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
        self.nodes: Any = Nodes(initialize_head=True, head_node_args=self._small | {"include_dashboard": False})
        self.second: Any = None

    def add(self) -> None:
        if self.second is None:
            self.second = self.nodes.add_node(**self._small)
            self.nodes.wait_for_nodes()

    def lose(self) -> None:
        """Kill the second node, as a pulled plug would."""
        if self.second is not None:
            node, self.second = self.second, None
            self.nodes.remove_node(node, allow_graceful=False)


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    made = Machines()
    try:
        yield made
    finally:
        made.nodes.shutdown()


@pytest.fixture(scope="module")
def connected(machines: Machines) -> Iterator[Cluster]:
    machines.add()
    with cluster(machines.nodes.address) as crew:
        yield crew


@pytest.fixture
def crew(connected: Cluster, machines: Machines) -> Cluster:
    """Two nodes, whatever the test before has lost."""
    machines.add()
    assert connected.cores == connected.nodes == 2
    return connected


def timeless(data: Any) -> Any:
    """Return all that does not depend on the clock."""
    clocks = {"seconds", "ms_per_move", "slowest_ms", "late"}
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in clocks}
    return [timeless(value) for value in data] if isinstance(data, list) else data


class Loss:
    """Loses a node as soon as so much is done, and counts what is told after that."""

    def __init__(self, machines: Machines, when: float) -> None:
        self._machines = machines
        self._when = when
        self.after = 0

    def __call__(self, done: float) -> None:
        if self._machines.second is None:
            self.after += 1
        elif done >= self._when:
            self._machines.lose()


def test_simulate_as_here_though_a_machine_is_lost(crew: Cluster, machines: Machines, tmp_path: Path) -> None:
    """The same numbers, and the same records in the same order."""
    games, seed = 10_000, 7
    loss = Loss(machines, 0.2)
    there = simulate("orma", 3, games, seed, records=tmp_path / "there", settings=LabSettings(crew, loss))
    here = simulate("orma", 3, games, seed, records=tmp_path / "here")
    assert timeless(asdict(here)) == timeless(asdict(there))
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert loss.after > 10


def test_what_it_costs_is_measured(crew: Cluster) -> None:
    """The benchmark's own rows, on tiny sizes."""
    rows = list(beside_threads(crew, lambda _: None, Sizes(ray_games=200, ray_rounds=2, groups=2)))
    assert [row.name for row in rows] == [*(f"Ray overhead: {game}" for game in GAMES), "Ray: leading a group"]
    assert all(row.ours is not None and row.failed is None and row.missing is None for row in rows)


def _slow(item: int) -> tuple[int, str]:
    import ray

    time.sleep(0.05)
    return item * item, ray.get_runtime_context().get_node_id()


@pytest.mark.cluster
def test_a_lost_machine_costs_time_not_work(crew: Cluster, machines: Machines) -> None:
    """Each item is made once, in order, on what is left; and both nodes had worked."""
    found: list[tuple[int, str]] = []
    for made in in_order(crew, _slow, range(100)):
        found.append(made)
        if len(found) == 30:
            machines.lose()
    assert [square for square, _ in found] == [item * item for item in range(100)]
    assert len({node for _, node in found[:30]}) == 2
    assert len({node for _, node in found[-20:]}) == 1


@pytest.mark.cluster
def test_arena_as_here_though_a_machine_is_lost(crew: Cluster, machines: Machines, tmp_path: Path) -> None:
    """Down to the records and the file to go on from, whose deals come in any order."""
    loss = Loss(machines, 200)

    def run(place: str, **how: Any) -> Any:
        settings = RunSettings(records=tmp_path / place, **how)
        return arena("orma", ["greedy", "value"], 600, seed=3, settings=settings)

    state = tmp_path / "state"
    there = run("there", workers=crew, resume=state, progress=lambda progress: loss(progress.games))
    assert timeless(asdict(there)) == timeless(asdict(run("here", workers=1)))
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert len(state.read_bytes().splitlines()) == 1 + there.deals
    assert loss.after


@pytest.mark.cluster
def test_study_as_here_though_a_machine_is_lost(crew: Cluster, machines: Machines) -> None:
    """All its numbers, intervals included."""
    loss = Loss(machines, 0.2)
    how: dict[str, Any] = {"games": 400, "seed": 3}
    assert study("out-of-sock", 3, **how, settings=LabSettings(crew, loss)) == study("out-of-sock", 3, **how)
    assert loss.after


@pytest.mark.cluster
def test_train_as_here_though_a_machine_is_lost(crew: Cluster, machines: Machines) -> None:
    """The same network, byte for byte."""
    loss = Loss(machines, 500)
    recipe = Recipe(games=2000, round_games=250)
    there = train("orma", 2, recipe, workers=crew, tell=lambda progress: loss(progress.done))
    assert there.tobytes() == train("orma", 2, recipe).tobytes()
    assert loss.after


def _fail(item: int) -> int:
    if item == 3:
        raise ValueError("three is too many\nsecond line")
    return item


@pytest.mark.cluster
def test_what_fails_far_away_is_said_in_a_line(crew: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the work, and a node with other code than ours."""
    with pytest.raises(RuntimeError, match=r"^a Ray worker failed: ValueError: three is too many$"):
        list(in_order(crew, _fail, range(10)))
    monkeypatch.setattr("tavolino.workers.cluster.stamp", lambda: "tavolino 9")
    with pytest.raises(RuntimeError, match=r"has different code .* install the same on all nodes$"):
        list(in_order(crew, _fail, range(3)))


@pytest.mark.cluster
def test_leaving_early_leaves_the_crew_at_hand(crew: Cluster) -> None:
    """What is under way, and no more, is done for nobody; then the cores are free."""
    for _ in in_order(crew, _sleep, range(100)):
        break
    assert list(in_order(crew, _fail, range(2))) == [0, 1]


def _sleep(item: int) -> None:
    time.sleep(2)
