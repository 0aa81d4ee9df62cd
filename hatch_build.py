"""Build the browser client into the wheel, so that whoever installs it needs no Node."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def newest(web: Path) -> float:
    """Return when a source of the client was last changed."""
    return max((file.stat().st_mtime for file in (web / "src").rglob("*") if file.is_file()), default=0.0)


class ClientHook(BuildHookInterface[Any]):
    """Runs npm before a wheel or sdist is packed; an editable install is left to `make client`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client unless it is there, newer than its sources (as in an sdist), or the install is editable."""
        built = Path(self.root) / "src" / "tavolino" / "server" / "static" / "index.html"
        web = Path(self.root) / "web"
        if version == "editable" or (built.exists() and built.stat().st_mtime >= newest(web)):
            return
        npm = shutil.which("npm")
        if npm is None:
            if built.exists():
                return
            raise RuntimeError(
                "a wheel carries the built browser client: install Node.js 20 or newer, then build again"
            )
        for task in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            subprocess.run([npm, *task], cwd=web, check=True, stdout=sys.stderr)  # stdout belongs to the build backend
