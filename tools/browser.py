"""A Chromium for the tests of the page: `find` one, or, run as a program, get one.

Tried in this order: one of the system, Playwright's own, Playwright's download, Debian's package (as root).
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 300


def find() -> str | None:
    """Return the path of a Chromium that is there."""
    if system := next(filter(None, map(shutil.which, NAMES)), None):
        return system
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def _try(*command: str) -> None:
    """Run a command; what it says matters only if no browser is there afterwards."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, timeout=PATIENCE, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> None:
    """Get a browser, or say that the tests of the page will be skipped."""
    if find() is None:
        print("Getting a browser for the tests of the page (once) …", flush=True)
        _try(sys.executable, "-m", "playwright", "install", "chromium")
    if find() is None and shutil.which("apt-get") and os.geteuid() == 0:
        install = ("apt-get", "install", "--yes", "--no-install-recommends", "chromium")
        print(f"Installing Debian's package with root's rights: apt-get update, then {' '.join(install)} …", flush=True)
        _try("apt-get", "update")
        _try(*install)
    if find() is None:
        print("No Chromium can be had here: the tests of the page will be skipped. Install one and run them again.")


if __name__ == "__main__":
    main()
