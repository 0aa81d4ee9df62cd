"""Two servers on one PostgreSQL behind a real nginx, as docs/run-it-for-others.md writes it.

Use: `from tests.server.databases import postgres  # noqa: F401` and `from tests.server.proxy import behind_nginx`.
"""

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.server.databases import create, drop
from tests.server.servers import PATIENCE, Server, Zygote, free_port
from tools import nginx

OTHERS = (Path(__file__).parents[2] / "docs" / "run-it-for-others.md").read_text("utf-8")


class Proxied(NamedTuple):
    """What stands behind the address, and the address."""

    url: str
    servers: list[Server]
    database: str


@pytest.fixture
def behind_nginx(zygote: Zygote, postgres: str, tmp_path: Path) -> Iterator[Proxied]:
    """Two servers on one PostgreSQL behind nginx, with the configuration of the page but for the ports."""
    program = nginx.find() or nginx.get()
    if program is None:
        pytest.skip("no nginx, and none can be had here")
    block = re.search(r"```nginx\n(.*?)```", OTHERS, re.DOTALL)
    assert block is not None
    database = create(postgres)
    origins = ["https://tavolino.example"]
    servers = [Server(zygote, database, origins=origins) for _ in range(2)]
    port = free_port()
    text = block.group(1)
    for written, ours in (
        ("127.0.0.1:8017", f"127.0.0.1:{servers[0].port}"),
        ("127.0.0.1:8018", f"127.0.0.1:{servers[1].port}"),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
    ):
        assert text.count(written) == 1
        text = text.replace(written, ours)
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"daemon off; worker_processes 1; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\n"
        f"events {{ worker_connections 512; }}\nhttp {{ {folders}\n{text} }}\n"
    )
    process = subprocess.Popen([program, "-c", str(config), "-p", str(tmp_path), "-e", str(tmp_path / "error.log")])
    url = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            httpx.get(f"{url}/healthz", verify=False).raise_for_status()  # loads no certificates
            break
        except httpx.HTTPError:
            time.sleep(0.05)
    yield Proxied(url, servers, database)
    process.terminate()
    process.wait(PATIENCE)
    for one in servers:
        one.kill()
    drop(database)
