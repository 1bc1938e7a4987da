"""What a result has to say of where it was measured."""

from __future__ import annotations

import datetime
import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("mages-env", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3")


def now() -> str:
    """Date and time, UTC, to the minute."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def machine() -> dict:
    """Processor, cores, system, load while measuring began, and versions."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {"python": platform.python_version(), **versions()},
    }


def versions() -> dict[str, str]:
    """Installed versions of the packages that results depend on."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _cpu_model() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.is_file():
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
