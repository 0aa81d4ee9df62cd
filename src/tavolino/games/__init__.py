"""The games: one folder each. `engine.registry` finds them; no list of them exists."""

import os

if _rules := os.environ.get("TAVOLINO_RULES"):
    __path__.insert(0, _rules)  # a folder with a game that stands in for one of ours: `tavolino study --rules`
