"""The server's metrics, for Prometheus at `/metrics`."""

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter("tavolino_moves", "Moves played and stored, and moves taken back")
REFUSED = Counter("tavolino_refused", "Messages refused", ["code"])
CONNECTIONS = Gauge("tavolino_connections", "Open WebSockets")
TABLES = Gauge("tavolino_tables", "Tables in memory")
THINKING = Histogram(
    "tavolino_bot_seconds", "Time from asking a bot to its answer", buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
)
