"""Rules as plain functions: in the browser `people.py` calls the small ones itself, the rest is WebAssembly."""


def uncompiled(function):
    """Return a function of the rules as it is."""
    return function


def wide(number):
    """Return a number: here all are wide."""
    return number


def count(mask):
    """Return the number of set bits."""
    return bin(mask).count("1")


def lowest(mask):
    """Return the index of the lowest set bit; the mask must not be 0."""
    return len(bin(mask & -mask)) - 3


def nth(mask, n):
    """Return the index of the n-th set bit from below, counted from 0; there must be one."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)
