"""The little of msgspec that the table uses: records that JSON can say."""

import json as plain_json

UNSET = object()
UnsetType = type(UNSET)


class Struct:
    """A record with named fields."""

    _tag = None
    _omitted = None


class Raw:
    """A piece of JSON that is written already."""

    def __init__(self, text):
        self.text = text


def Meta(**about):  # noqa: N802
    """Return nothing: types are checked where the messages come from."""


def text_of(value):
    """Return a value as JSON."""
    if isinstance(value, Struct):
        parts = []
        if value._tag is not None:
            parts.append("{}:{}".format(plain_json.dumps(value._tag[0]), plain_json.dumps(value._tag[1])))
        for name in value._fields:
            one = getattr(value, name)
            if one is UNSET or (value._omitted is not None and name in value._omitted and value._omitted[name] == one):
                continue
            parts.append('"{}":{}'.format(name, text_of(one)))
        return "{" + ",".join(parts) + "}"
    if isinstance(value, Raw):
        return value.text.decode()
    if isinstance(value, (list, tuple)) and any(isinstance(one, (Struct, Raw)) for one in value):
        return "[" + ",".join(text_of(one) for one in value) + "]"
    return plain_json.dumps(value, separators=(",", ":"))


class Encoder:
    """Writes JSON."""

    def encode(self, value):
        """Return a value as JSON, in bytes."""
        return text_of(value).encode()


class json:  # noqa: N801
    """JSON, both ways."""

    Encoder = Encoder

    @staticmethod
    def encode(value):
        """Return a value as JSON, in bytes."""
        return text_of(value).encode()

    @staticmethod
    def decode(text):
        """Return what JSON says."""
        return plain_json.loads(text)


class structs:  # noqa: N801
    """What is done with records."""

    @staticmethod
    def replace(record, **new):
        """Return a record with other values in some fields."""
        return type(record)(**{name: new.get(name, getattr(record, name)) for name in record._fields})
