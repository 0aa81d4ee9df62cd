"""Players that are programs: random, greedy, search, expert, and those of your own."""
