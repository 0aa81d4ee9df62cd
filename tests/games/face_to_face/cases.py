"""Setups of Face to Face that its options do not list."""

from typing import Any

MORE: list[tuple[int, dict[str, Any]]] = [(2, {"first": 1})]
