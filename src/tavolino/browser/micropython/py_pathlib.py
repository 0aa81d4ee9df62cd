"""Paths to the texts that the page has put in place; what is not there is simply not a file."""

import os


class Path:
    """A path."""

    def __init__(self, text):
        self._text = str(text)

    def __truediv__(self, name):
        return Path(self._text + "/" + str(name))

    def __str__(self):
        return self._text

    def __hash__(self):
        return hash(self._text)

    def __eq__(self, other):
        return str(self) == str(other)

    @property
    def parent(self):
        """The folder that it is in."""
        return Path(self._text.rpartition("/")[0])

    def is_file(self):
        """Tell whether there is such a file."""
        try:
            return os.stat(self._text)[0] & 0x8000 != 0
        except OSError:
            return False

    def read_text(self, encoding="utf-8"):
        """Return what it holds."""
        with open(self._text) as file:
            return file.read()
