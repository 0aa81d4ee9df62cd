"""The time, as the page has it."""

import host


def monotonic():
    """Return the seconds since some moment."""
    return float(host.now()) / 1000


def time_ns():
    """Return the nanoseconds since the epoch, as far as the page knows them."""
    return int(host.wall()) * 1000000
