"""Setups of Out of Sock that its options do not list."""

from typing import Any

MORE: list[tuple[int, dict[str, Any]]] = [(n, {"sock_values": [8, 2, 6, 4, 8, 8]}) for n in (2, 4)]
