"""Review a finished game in the browser, by the lab's own modules: the page's worker runs this in MicroPython.

It calls `ask` with a name and JSON; compiled code is reached through `lab.trying`.
"""

import json
from collections.abc import Generator
from typing import Any

from tavolino.lab.reviewing import Slice, review_in_slices
from tavolino.play.records import BadRecord

WORK: list[Generator[Slice, None, dict[str, Any]]] = []
"""The review that is being made."""


def begin(record: dict[str, Any], tries: int) -> None:
    """Begin the review of a record; another one that was begun is given up."""
    WORK[:] = [review_in_slices(record, tries=tries, all_reasons=False)]


def go_on(told: int) -> dict[str, Any]:
    """Judge one move more: return how far the review is and the chances after the first `told`, or the review."""
    try:
        found = next(WORK[0])
    except StopIteration as end:
        return {"review": end.value}
    return {"done": found.done, "more": found.curve[told:]}


def ask(name: str, text: str) -> str:
    """Do one thing for the page: JSON in, JSON out; `refused` says why not."""
    given = json.loads(text)
    try:
        if name == "begin":
            begin(given["record"], given["tries"])
            return "{}"
        return json.dumps(go_on(given["told"]))
    except BadRecord as error:
        return json.dumps({"refused": {"code": "bad_record", "text": str(error), "reason": None, "values": {}}})
