"""SHA-256, with the method that MicroPython's own lacks."""

import hashlib


class sha256:  # noqa: N801
    """The SHA-256 of some bytes."""

    def __init__(self, data=b""):
        self._digest = hashlib.sha256(data).digest()

    def digest(self):
        """Return its bytes."""
        return self._digest

    def hexdigest(self):
        """Return it in hex."""
        return self._digest.hex()
