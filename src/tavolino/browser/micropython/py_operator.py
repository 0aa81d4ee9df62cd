"""What is used of `operator`."""


def index(value):
    """Return a whole number; TypeError for anything else."""
    if not isinstance(value, int):
        raise TypeError("a whole number is needed")
    return value


def itemgetter(*keys):
    """Make a function that picks entries."""
    return lambda thing: tuple(thing[key] for key in keys)
