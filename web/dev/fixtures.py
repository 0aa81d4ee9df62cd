"""Write tables that were really played, for the boards' dev pages and tests: python web/dev/fixtures.py [GAME…].

Each game's folder here has a `fixture.py` that plays them; what it returns is written beside it, as fixture.json.
"""

import json
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent

if __name__ == "__main__":
    for script in sorted(HERE.glob("*/fixture.py")):
        if not sys.argv[1:] or script.parent.name in sys.argv[1:]:
            played = runpy.run_path(str(script))["fixture"]()
            script.with_suffix(".json").write_text(json.dumps(played, separators=(",", ":")) + "\n")
