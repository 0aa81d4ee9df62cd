"""The games: one folder each. `engine.registry` finds them; no list of them exists."""
