"""A page of docs/studies/: a question answered, with its plots."""

from dataclasses import dataclass

SEED = 2026


@dataclass(frozen=True)
class Page:
    """A question answered: the text, and the plots it shows by name."""

    title: str
    text: list[str]
    plots: dict[str, str]


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
