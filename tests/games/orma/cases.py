"""Setups of Orma that its options do not list."""

from typing import Any

MORE: list[tuple[int, dict[str, Any]]] = [
    (n, {"spare_blacks": spare}) for n in (2, 3, 4, 5) for spare in (0, 2, 11 - n)
]
