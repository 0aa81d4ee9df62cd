"""Docstrings as Markdown for the API reference: an extension of griffe, which reads them for the site."""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"(^>>> .*?(?=\n[ \t]*\n|\Z))", re.DOTALL | re.MULTILINE)
INDEXED = re.compile(r"(`[^`]*`)|\](\s?)\[")


class Plain(griffe.Extension):
    """Makes code of every doctest, and of no `a[b][c]` a link: our docstrings are plain sentences."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            parts = DOCTEST.split(obj.docstring.value)
            obj.docstring.value = "".join(
                f"```pycon\n{part}\n```"
                if number % 2
                else INDEXED.sub(lambda found: found[1] or rf"]{found[2]}\[", part)
                for number, part in enumerate(parts)
            )
