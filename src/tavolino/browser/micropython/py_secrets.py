"""Random numbers that nobody can guess, from the browser's own source."""

import host


def token_hex(length):
    """Return so many random bytes, in hex."""
    return host.random_hex(length)
