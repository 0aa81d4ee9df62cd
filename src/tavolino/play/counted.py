"""How many there are, in words."""


def counted(number: int, thing: str, things: str | None = None) -> str:
    """Write a number of things.

    >>> counted(1, "token"), counted(1500, "token"), counted(2, "die", "dice")
    ('1 token', '1,500 tokens', '2 dice')
    """
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
