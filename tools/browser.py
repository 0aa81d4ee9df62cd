"""A Chromium for the tests of the page: `find` one, or, run as a program, get one.

Tried in this order: one of the system, Playwright's own, Playwright's download, Debian's package (as root). Best is the
one without windows (`chromium-headless-shell`): the same engine, for a third of the processor's time.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 300


def find() -> str | None:
    """Return the path of a Chromium that is there, without windows if possible."""
    if shell := shutil.which(SHELL):
        return shell
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    folder = own.parents[1].name.replace("chromium-", "chromium_headless_shell-")  # beside it, of the same version
    shells = own.parents[2].glob(f"{folder}/*/*headless*shell")
    installed = [*shells, *filter(None, map(shutil.which, NAMES)), *([own] if own.exists() else [])]
    return str(installed[0]) if installed else None


def _try(*command: str) -> None:
    """Run a command; what it says matters only if no browser is there afterwards."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, timeout=PATIENCE, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> None:
    """Get a browser, or say that the tests of the page will be skipped."""
    if find() is None:
        print("Getting a browser for the tests of the page (once) …", flush=True)
        _try(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
    if find() is None and shutil.which("apt-get") and os.geteuid() == 0:
        install = ("apt-get", "install", "--yes", "--no-install-recommends", SHELL)
        print(f"Installing Debian's package with root's rights: apt-get update, then {' '.join(install)} …", flush=True)
        _try("apt-get", "update")
        _try(*install)
    if find() is None:
        print("No Chromium can be had here: the tests of the page will be skipped. Install one and run them again.")


if __name__ == "__main__":
    main()
