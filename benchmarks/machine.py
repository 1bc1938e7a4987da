"""What a result has to say of where it was measured."""

from __future__ import annotations

import ast
import datetime
import hashlib
import os
import platform
from importlib import metadata
from pathlib import Path

from mages_env.engine.compile import source_files

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


def code_digest(*modules: str) -> str:
    """Digest of modules and of all they import from here, the same on every machine.

    Comments, docstrings and layout do not count: games played by equal code may be put together.

    Returns:
        16 hexadecimal digits.
    """
    files = {name: path for module in modules for name, path in source_files(module).items()}
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        text = path.read_text(encoding="utf-8")
        digest.update(f"{name}\0{_bare(text) if path.suffix == '.py' else text}\0".encode())
    return digest.hexdigest()[:16]


def _bare(source: str) -> str:
    """The code alone."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                part
                for part in body
                if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
    return ast.dump(tree)


def _cpu_model() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.is_file():
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
