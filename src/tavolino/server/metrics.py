"""The server's metrics, for Prometheus at `/metrics`."""

import contextlib
import functools
import ipaddress
from collections.abc import Iterator
from contextvars import ContextVar

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, Metric

MOVES = Counter("tavolino_moves", "Moves played and stored, and moves taken back")
REFUSED = Counter("tavolino_refused", "Messages and requests refused", ["code", "address"])
CONNECTIONS = Gauge("tavolino_connections", "Open WebSockets")
TABLES = Gauge("tavolino_tables", "Tables in memory, by phase", ["phase"])
COMMITS = Histogram(
    "tavolino_commit_seconds",
    "Time to store a batch, until the database has it for good",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0),
)
LAG = Histogram(
    "tavolino_loop_lag_seconds",
    "How late the event loop is, measured regularly",
    buckets=(0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2.0),
)
WAITING = Gauge("tavolino_bots_waiting", "Bots and hints that wait for their turn to think")
HINTS = Counter("tavolino_hints", "Hints, by who found them: the server, or the browser of whoever asked", ["by"])
THINKING = Histogram(
    "tavolino_bot_seconds", "Time from asking a bot to its answer", buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
)
ASKING: ContextVar[str] = ContextVar("asking", default="")
"""The address of whoever sent the request being answered."""


class Sent:
    """What was sent on WebSockets. Plain numbers: every message counts, so counting must cost next to nothing."""

    messages = 0
    bytes = 0

    def collect(self) -> Iterator[Metric]:
        """Yield the numbers, when Prometheus asks."""
        yield CounterMetricFamily("tavolino_messages_out", "Messages sent on WebSockets", value=self.messages)
        yield CounterMetricFamily("tavolino_bytes_out", "Bytes sent on WebSockets", value=self.bytes)


SENT = Sent()
REGISTRY.register(SENT)


def refused(code: str, address: str | None = None) -> None:
    """Count a refusal, by the kind of address it went to: of the request being answered, if none is given."""
    REFUSED.labels(code, address_class(ASKING.get() if address is None else address)).inc()


@functools.lru_cache(4096)
def address_class(address: str) -> str:
    """Return what kind of address it is: `loopback`, `private`, `public`, or `unknown`.

    >>> address_class("192.168.1.7"), address_class("2001:4860:4860::/64"), address_class("")
    ('private', 'public', 'unknown')
    >>> address_class("::ffff:127.0.0.1"), address_class("::ffff:192.168.1.7")
    ('loopback', 'private')
    """
    try:
        known = ipaddress.ip_address(address.partition("/")[0].partition("%")[0])
    except ValueError:
        return "unknown"
    known = getattr(known, "ipv4_mapped", None) or known
    return "loopback" if known.is_loopback else "private" if known.is_private else "public"


@contextlib.contextmanager
def asked_by(address: str) -> Iterator[None]:
    """Let refusals within the block count for an address."""
    token = ASKING.set(address)
    try:
        yield
    finally:
        ASKING.reset(token)
