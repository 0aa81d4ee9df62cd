"""An nginx for the test of the servers behind it: `find` one, or, run as a program, get one.

Tried in this order: one of the system, then Debian's package, unpacked beside the virtual environment's own programs.
Unpacking needs no root's rights and starts no service; only the list of packages may have to be fetched first.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PLACE = Path(sys.prefix) / "nginx"
ELSEWHERE = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
"""Where it often is though the path of a user does not say so."""
PATIENCE = 300


def find() -> str | None:
    """Return the path of an nginx that is there."""
    own = PLACE / "usr" / "sbin" / "nginx"
    return shutil.which("nginx") or shutil.which("nginx", path=ELSEWHERE) or (str(own) if own.exists() else None)


def _try(*command: str) -> bool:
    """Run a command in our place; tell whether it did what it should."""
    try:
        done = subprocess.run(command, cwd=PLACE, timeout=PATIENCE, check=False, capture_output=True)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _unpack() -> None:
    """Fetch Debian's package and unpack it; nothing is left of one that does not run here."""
    PLACE.mkdir(parents=True, exist_ok=True)
    if not _try("apt-get", "download", "nginx") and os.geteuid() == 0:
        print("Fetching Debian's list of packages with root's rights: apt-get update …", flush=True)
        _try("apt-get", "update")
        _try("apt-get", "download", "nginx")
    for package in PLACE.glob("nginx_*.deb"):
        _try("dpkg", "-x", package.name, ".")
    if not _try("usr/sbin/nginx", "-v"):
        shutil.rmtree(PLACE)


def get() -> str | None:
    """Return the path of an nginx, fetched if there is none; None if it cannot be had here."""
    if find() is None and shutil.which("apt-get") and shutil.which("dpkg"):
        print(
            f"Getting nginx for the tests (once): Debian's package, unpacked into {PLACE}, not installed …", flush=True
        )
        _unpack()
    return find()


def main() -> None:
    """Get an nginx, or say that its test will be skipped."""
    if get() is None:
        print("No nginx can be had here: the test that needs it will be skipped. Install one and run it again.")


if __name__ == "__main__":
    main()
