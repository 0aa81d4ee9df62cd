"""https without a proxy: the page, sockets, the redirect from plain http, and a certificate that is renewed."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tavolino.server import tls
from tavolino.server.guard import hsts_for
from tavolino.server.run import fast_loop, listen
from tavolino.server.tls import Certificate, Gate, make_context, redirect
from tests.cli.conftest import Run, environment, run  # noqa: F401
from tests.server.servers import free_port

HERE = Path(__file__).parent / "tls"
CERT, KEY = HERE / "cert.pem", HERE / "key.pem"


def test_serve_speaks_https_and_redirects_http(tmp_path: Path) -> None:
    """One command: pages and sockets on https, a cookie for https only, plain http sent there, a clean end."""
    plain = free_port()
    command = [sys.executable, "-m", "tavolino", "serve", "--host", "0.0.0.0", "--port", "0"]
    command += ["--tls", str(CERT), str(KEY), "--redirect-from", str(plain), "--database", str(tmp_path / "t.sqlite")]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = ""
        while "Tavolino is at" not in said:
            said = process.stderr.readline()
            assert said, "it ended"
        found = re.search(r"https://\S+:(\d+)", said)
        assert found, said
        url = f"https://localhost:{found[1]}"
        trust = ssl.create_default_context(cafile=str(CERT))
        with httpx.Client(base_url=url, verify=trust, timeout=60) as http:
            me = http.get("/api/me")
            assert "secure" in me.headers["set-cookie"].lower()
            token = http.cookies["__Host-tavolino"]
            old = {"Cookie": f"tavolino={token}"}
            moved = httpx.get(f"{url}/api/me", verify=trust, headers=old, timeout=60)  # from before it had this name
            assert moved.json()["known"]
            assert [line.split(";")[0] for line in moved.headers.get_list("set-cookie")] == [
                f"__Host-tavolino={token}",
                'tavolino=""',
            ]
            assert "set-cookie" not in http.get("/api/me").headers
            assert "strict-transport-security" not in me.headers  # this machine has other servers, without https
            named = http.get("/api/me", headers={"Host": "tavolino.example"})
            assert named.headers["strict-transport-security"] == "max-age=31536000"
            assert http.get("/metrics").status_code == 200
            body = {"name": "Ada", "settings": {"game": "face-to-face", "seats": ["me", "bot:easy"]}}
            table = http.post("/api/tables", json=body).json()["id"]
            cookie = {"Cookie": f"__Host-tavolino={http.cookies['__Host-tavolino']}"}
        with connect(f"{url.replace('http', 'ws')}/api/tables/{table}/ws", ssl=trust, additional_headers=cookie) as ws:
            ws.send('{"type":"hello","v":1}')
            assert '"yours":[0]' in str(ws.recv(60))
        moved = httpx.get(f"http://localhost:{plain}/t/x?y=1", timeout=60)
        assert (moved.status_code, moved.headers["location"]) == (308, f"{url}/t/x?y=1")
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        assert process.wait(60) == 0, rest
    assert "Traceback" not in rest


def test_connections_that_agree_on_no_key_take_no_room_from_others() -> None:
    """They count for their address from the first moment; another comes in, and they do once there is room."""

    class Echo(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport  # nobody else holds it
            transport.write(b"hello")

    async def hello(port: int, source: str) -> bytes:
        trust = ssl.create_default_context(cafile=str(CERT))
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=trust, server_hostname="localhost", local_addr=(source, 0)
        )
        said = await reader.read(5)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return said

    async def story() -> None:
        gate, bound = Gate(make_context(Certificate(CERT, KEY)), Echo, str, 5), listen("127.0.0.1", 0)
        gate.open(bound, 100)
        port = bound.getsockname()[1]
        async with asyncio.timeout(60):
            silent = [
                await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0), limit=64)
                for _ in range(20)
            ]
            for reader, _ in silent[5:]:
                with contextlib.suppress(ConnectionError):
                    assert await reader.read() == b""  # closed, while the others are waited for
            assert await hello(port, "127.0.0.3") == b"hello"
            with pytest.raises(OSError):
                await hello(port, "127.0.0.2")
            for _, writer in silent:
                writer.close()
            while True:
                with contextlib.suppress(OSError):
                    assert await hello(port, "127.0.0.2") == b"hello"
                    break
                await asyncio.sleep(0.01)
        gate.close()
        await gate.wait_closed()

    for loop in (fast_loop(), None):
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(story())


def test_what_is_wrong_with_a_certificate_is_said(tmp_path: Path, run: Run) -> None:  # noqa: F811
    other = tmp_path / "none.pem"
    for cert, key, words in ((other, KEY, "cannot be read"), (KEY, KEY, "no PEM files"), (CERT, CERT, "no PEM files")):
        ran = run("serve", "--port", "0", "--tls", cert, key, "--database", tmp_path / "t.sqlite")
        assert ran.code == 2
        assert words in ran.err, ran.err
        assert "Traceback" not in ran.err
    assert "needs --tls" in run("serve", "--redirect-from", "80").err


def test_one_address_does_not_take_the_redirect_from_others() -> None:
    async def redirected(port: int, source: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        said = await reader.read()
        writer.close()
        return said[:12]

    async def story() -> None:
        bound = listen("127.0.0.1", 0)
        port = bound.getsockname()[1]
        async with asyncio.timeout(60), tls.redirecting(bound, 443):
            silent = [
                await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
                for _ in range(tls.REDIRECTS_AT_ONCE + 10)
            ]
            assert await silent[-1][0].read() == b""
            assert await redirected(port, "127.0.0.3") == b"HTTP/1.1 308"
            for _, writer in silent:
                writer.close()

    asyncio.run(story())


def test_only_requests_are_redirected() -> None:
    assert b"location: https://a.example:8017/x\r\n" in redirect(b"GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n", 8017)
    assert b"location: https://[::1]/\r\n" in redirect(b"POST / HTTP/1.1\r\nhost: [::1]:80\r\n\r\n", 443)
    for wrong in (
        b"",
        b"GET /",
        b"GET x HTTP/1.1\r\nHost: a",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b",
        b"\x16\x03\x01",
    ):
        assert redirect(wrong + b"\r\n\r\n", 443).startswith(b"HTTP/1.1 400 ")


def test_browsers_are_told_of_https_for_names_only() -> None:
    assert hsts_for("tavolino.example:8017") == "max-age=31536000"
    for host in (None, "", "localhost", "127.0.0.1:80", "192.168.1.7", "[2001:db8::1]:443"):
        assert hsts_for(host) is None


def test_a_renewed_certificate_is_used_and_a_broken_one_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "LOOK_AGAIN", 0.01)
    mine = Certificate(Path(shutil.copy(CERT, tmp_path)), Path(shutil.copy(KEY, tmp_path)))
    context = make_context(mine)
    loads: list[str] = []
    load = Certificate.load

    def counted(self: Certificate, given: ssl.SSLContext) -> None:
        loads.append("tried")
        load(self, given)
        loads.append("used")

    monkeypatch.setattr(Certificate, "load", counted)

    async def story() -> None:
        watching = asyncio.create_task(mine.watch(context))
        await asyncio.sleep(0.1)
        assert loads == []
        for text, then in (("", ["tried"]), (CERT.read_text(), ["tried", "tried", "used"])):
            mine.chain.write_text(text)
            stamp = time.time() + 10 * len(then)
            for path in (mine.chain, mine.key):
                os.utime(path, (stamp, stamp))
            async with asyncio.timeout(60):
                while loads != then:
                    await asyncio.sleep(0.01)
        watching.cancel()

    asyncio.run(story())
