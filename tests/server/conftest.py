"""Servers shared by the tests of a worker: one server on SQLite for most tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.servers import Person, Server, Zygote


@pytest.fixture(scope="session")
def server(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite whose bots do not wait."""
    one = Server(zygote, str(tmp_path_factory.mktemp("server") / "tables.sqlite"))
    yield one
    one.kill()


@pytest.fixture
def people(server: Server) -> Iterator[Callable[[str], Person]]:
    """Make people by name."""
    made: list[Person] = []

    def meet(name: str) -> Person:
        made.append(Person(server.url, name))
        return made[-1]

    yield meet
    for one in made:
        one.close()


@pytest.fixture
def sqlite_file(tmp_path: Path) -> str:
    return str(tmp_path / "tables.sqlite")
