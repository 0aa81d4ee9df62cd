"""The little of NumPy that `play` uses: one state in an array, and lists of whole numbers."""

import binascii
import struct

int64, uint64, float64 = "q", "Q", "d"


class Numbers:
    """A row of whole numbers."""

    def __init__(self, numbers):
        self._numbers = list(numbers)

    def __getitem__(self, i):
        return Numbers(self._numbers[i]) if isinstance(i, slice) else self._numbers[i]

    def __setitem__(self, i, number):
        self._numbers[i] = number

    def __iter__(self):
        return iter(self._numbers)

    def __len__(self):
        return len(self._numbers)

    def tolist(self):
        """Return them as a plain list."""
        return self._numbers[:]


def array(numbers, kind=None):
    """Make a row of numbers."""
    return Numbers(numbers)


def empty(length, kind=None):
    """Make a row of so many numbers."""
    return Numbers([0] * length)


def zeros(length, kind=None):
    """Make an empty state of this type, or a row of zeros."""
    return States(kind, bytearray(kind.size)) if isinstance(kind, Layout) else Numbers([0] * length)


def frombuffer(raw, kind):
    """Make a state of bytes."""
    return States(kind, raw)


def concatenate(parts):
    """Join states."""
    raw = bytearray()
    for part in parts:
        raw += part.raw
    return States(parts[0].dtype, raw)


class Layout:
    """The type of a game's state: where its fields are."""

    def __init__(self, key, fields):
        self.key = key
        self.format = "<"
        self.places = {}
        at = count = 0
        for name, code, length, width in fields:
            number = max(1, length) * max(1, width)
            self.places[name] = (at, count, code, length, width)
            self.format += "{}{}".format(number, code)
            at += number * {"b": 1, "h": 2, "q": 8}[code]
            count += number
        self.size = at
        self.names = [field[0] for field in fields]

    def read(self, raw):
        """Read all fields into plain numbers and tuples."""
        flat = struct.unpack(self.format, raw)
        made = Plain()
        for name in self.names:
            _, first, _, length, width = self.places[name]
            if width:
                value = tuple(flat[i : i + width] for i in range(first, first + length * width, width))
            elif length:
                value = flat[first : first + length]
            else:
                value = flat[first]
            setattr(made, name, value)
        return made

    def field(self, raw, name):
        """Read one field."""
        at, _, code, length, width = self.places[name]
        number = max(1, length) * max(1, width)
        found = struct.unpack_from("<{}{}".format(number, code), raw, at)
        return Numbers(found) if length else found[0]

    def write(self, raw, name, value):
        """Write one field; a single number fills it."""
        at, _, code, length, width = self.places[name]
        if isinstance(value, int):
            flat = [value] * (max(1, length) * max(1, width))
        else:
            flat = [one for row in value for one in row] if width else list(value)
        struct.pack_into("<{}{}".format(len(flat), code), raw, at, *flat)


class Plain:
    """A state read into plain numbers."""


class States:
    """An array of states, of which the first counts."""

    def __init__(self, kind, raw):
        self.dtype = kind
        self.raw = raw

    def __getitem__(self, name):
        if isinstance(name, slice):
            size = self.dtype.size
            begin, end = name.start or 0, len(self) if name.stop is None else name.stop
            return States(self.dtype, self.raw[begin * size : end * size])
        return (self.dtype.field(self.raw, name),)

    def __setitem__(self, name, value):
        self.dtype.write(self.raw, name, value)

    def __len__(self):
        return len(self.raw) // self.dtype.size

    def copy(self):
        """Return the same once more."""
        return States(self.dtype, bytearray(self.raw))

    def tobytes(self):
        """Return its bytes."""
        return bytes(self.raw)

    def hex(self):
        """Return its bytes in hex, as they go to compiled code and come back."""
        return binascii.hexlify(self.raw).decode()

    def take(self, text):
        """Take bytes in hex."""
        self.raw[:] = binascii.unhexlify(text)
