"""Out of Sock ends with the first empty deck, with two players too."""

DECKS_TO_END = (0, 0, 1, 1, 1)
