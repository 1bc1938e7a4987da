"""One virtual environment per peer, kept in a cache folder and rebuilt when its pins change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DEFAULT_FOLDER = Path.home() / ".cache" / "mages_env" / "peers"


class InstallError(Exception):
    """A peer's environment could not be made; the message is the installer's last words."""


def ready(folder: Path, peer: str, requirements: tuple[str, ...]) -> Path:
    """The Python of ``peer``'s environment, made first where it is missing or out of date.

    A stamp written last records interpreter and pins, so a half-made environment is made again.

    Raises:
        InstallError: the environment or one of the requirements could not be installed.
    """
    home = folder / peer
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / "mages_env_peer.txt"
    wanted = "\n".join((sys.version, *requirements))
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted and python.exists():
        return python
    _call(sys.executable, "-m", "venv", "--clear", str(home))
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    _call(str(python), "-m", "pip", "install", *quiet, *requirements)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def outside_environment() -> dict[str, str]:
    """This process's environment variables without those that would leak our packages in."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    return kept | {"PYTHONNOUSERSITE": "1"}


def _call(*command: str) -> None:
    done = subprocess.run(command, env=outside_environment(), capture_output=True, text=True)
    if done.returncode:
        words = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        errors = [line for line in words if line.startswith("ERROR")]
        raise InstallError((errors or words or ["no output"])[-1])
