"""HMAC with SHA-256, with the functions that MicroPython's own lacks."""

import hashlib
import hmac


def digest(key, message, kind):
    """Return the HMAC of a message."""
    return hmac.new(key, message, hashlib.sha256).digest()


def compare_digest(a, b):
    """Tell whether two digests are the same."""
    return a == b
