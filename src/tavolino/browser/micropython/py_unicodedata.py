"""What Unicode says of characters, from the browser's own tables."""

import host


def normalize(form, text):
    """Return a text in a normal form."""
    return host.normalize(form, text)


def category(character):
    """Return the first letter of a character's category."""
    return host.category(character)
