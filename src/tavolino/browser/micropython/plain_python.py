"""Parts of Python that MicroPython lacks."""

import collections
import itertools
from collections import OrderedDict
from math import ceil, cos, exp, floor, log, pi, pow, sin, sqrt  # noqa: A004, F401 (whoever imports them from `math`)

import host

MISSING = object()
Mapping = dict
Sequence = list
Iterable = list
Iterator = list
Callable = list
chain = itertools.chain


def prod(numbers):
    """Multiply numbers."""
    made = 1
    for number in numbers:
        made *= number
    return made


def comb(n, k):
    """Return in how many ways k of n things can be chosen."""
    made = 1
    for i in range(min(k, n - k)):
        made = made * (n - i) // (i + 1)
    return made if 0 <= k <= n else 0


def namedtuple(name, fields):
    """Make a type of tuples whose entries have names."""
    return collections.namedtuple(name, fields)


def ordered(*pairs):
    """Make a dict that keeps its order, from keys and values in turn."""
    made = OrderedDict()
    for i in range(0, len(pairs), 2):
        made[pairs[i]] = pairs[i + 1]
    return made


def merged(*parts):
    """Make one dict of several."""
    made = OrderedDict()
    for part in parts:
        made.update(part)
    return made


def dict(*args, **named):  # noqa: A001
    """Make a dict that keeps its order."""
    return OrderedDict(*args, **named)


def bit_count(number):
    """Return the number of set bits."""
    return bin(number).count("1")


def bit_length(number):
    """Return the number of bits of a number."""
    return len(bin(abs(number))) - 2 if number else 0


def removeprefix(text, beginning):
    """Return a text without its beginning, if that is it."""
    return text[len(beginning) :] if text.startswith(beginning) else text


def removesuffix(text, end):
    """Return a text without its end, if that is it."""
    return text[: -len(end)] if end and text.endswith(end) else text


def isdecimal(text):
    """Tell whether a text is made of digits."""
    return bool(text) and all(one in "0123456789" for one in text)


def isprintable(text):
    """Tell whether a text shows something for each of its characters."""
    return host.printable(text)


def fullmatch(module, pattern, text):
    """Tell whether a pattern fits all of a text: `re.fullmatch`, by the browser's own patterns, which can count."""
    return host.fits(pattern, text)


def import_module(name):
    """Refuse: what is imported late, by name, is not part of the browser's table."""
    raise ImportError("{} is not here".format(name))


def copy(thing):
    """Return a copy of an object with the same attributes."""
    made = object.__new__(type(thing))
    for name, value in thing.__dict__.items():
        setattr(made, name, value)
    return made


def replace(record, **changes):
    """Return a record with other values in some fields."""
    made = copy(record)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def asdict(record):
    """Return the fields of a record, which hold plain values."""
    return dict((name, getattr(record, name)) for name in record._fields)


def cache(function):
    """Remember what a function returned."""
    return lru_cache(None)(function)


def lru_cache(maxsize=128):
    """Remember what a function returned, for some of its arguments."""

    def remembering(function):
        known = {}

        def remembered(*args):
            if args not in known:
                if maxsize is not None and len(known) >= maxsize:
                    known.clear()
                known[args] = function(*args)
            return known[args]

        return remembered

    return remembering


def combinations_with_replacement(items, length):
    """Yield all choices of so many items, in order, each any number of times."""
    items = tuple(items)
    if length == 0:
        yield ()
        return
    for i, item in enumerate(items):
        for rest in combinations_with_replacement(items[i:], length - 1):
            yield (item,) + rest


def product(*pools, **more):
    """Yield all rows with an entry from each pool."""
    pools = [tuple(pool) for pool in pools] * more.get("repeat", 1)
    rows = [()]
    for pool in pools:
        rows = [row + (one,) for row in rows for one in pool]
    return iter(rows)


def combinations(items, length):
    """Yield all choices of so many items, in order, each once."""
    items = tuple(items)
    if length == 0:
        yield ()
        return
    for i, item in enumerate(items):
        for rest in combinations(items[i + 1 :], length - 1):
            yield (item,) + rest


def pairwise(items):
    """Yield each item with the next."""
    items = list(items)
    return zip(items, items[1:])


class Counter:
    """How often there is each of some things."""

    def __init__(self, things=()):
        self._counts = OrderedDict()
        if isinstance(things, OrderedDict) or hasattr(things, "keys"):
            for thing in things:
                self._counts[thing] = things[thing]
        else:
            for thing in things:
                self._counts[thing] = self._counts.get(thing, 0) + 1

    def __getitem__(self, thing):
        return self._counts.get(thing, 0)

    def __setitem__(self, thing, number):
        self._counts[thing] = number

    def __iter__(self):
        return iter(self._counts)

    def __len__(self):
        return len(self._counts)

    def __bool__(self):
        return bool(self._counts)

    def __contains__(self, thing):
        return thing in self._counts

    def __eq__(self, other):
        return all(self[one] == other[one] for one in list(self) + list(other))

    def keys(self):
        """Return the things."""
        return self._counts.keys()

    def values(self):
        """Return how often each is there."""
        return self._counts.values()

    def items(self):
        """Return the things with how often each is there."""
        return self._counts.items()

    def copy(self):
        """Return an independent copy."""
        return Counter(self._counts)

    def elements(self):
        """Yield each thing as often as it is there."""
        for thing, number in self._counts.items():
            for _ in range(number):
                yield thing

    def _joined(self, other, sign):
        found = OrderedDict()
        for thing in list(self) + [one for one in other if one not in self]:
            number = self[thing] + sign * other[thing]
            if number > 0:
                found[thing] = number
        return Counter(found)

    def __add__(self, other):
        return self._joined(other, 1)

    def __sub__(self, other):
        return self._joined(other, -1)

    def most_common(self, most=None):
        """Return the things with how often each is there, the most frequent first."""
        found = sorted(self._counts.items(), key=lambda item: -item[1])
        return found if most is None else found[:most]
