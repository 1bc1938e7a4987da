"""Compile decorators and the on-disk cache of compiled code.

Two decorators are all that rules and kernels need:

* ``@compiled(signature, ...)`` for rule functions: compiled at once for explicit signatures.
* ``@kernel`` for engine code that serves every game: specialised per state record on first call.
* ``@helper`` for small functions that are compiled into their callers and generic over records.

Numba looks only at the file of the cached function itself: a change in a helper imported from
another file would go unnoticed. So every module gets a cache folder named by a digest of its own
source, of the sources it imports from this package or its own, of the tables (JSON) beside them,
of the Python, NumPy and Numba versions and of the CPU. With ``NUMBA_DISABLE_JIT=1`` everything
runs as plain Python.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True under ``NUMBA_DISABLE_JIT=1``: rules run as plain Python, for debuggers and coverage."""


def silence_overflow() -> None:
    """The generator wraps around on purpose; interpreted, NumPy would warn, thread by thread."""
    if INTERPRETED:
        np.seterr(over="ignore")


silence_overflow()

_PACKAGE = __name__.partition(".")[0]
_KEPT_DIGESTS = 3
_STALE_SECONDS = 7 * 24 * 3600
_announced = False


def cache_root() -> Path:
    """Folder for compiled code: ``MAGES_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("MAGES_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "mages_env" / "compiled"


def compiled(*signatures: Any) -> Callable[[Callable], Any]:
    """Compile a rule function for explicit signatures, from the cache where it is there."""

    def decorate(function: Callable) -> Any:
        return _jit(function, list(signatures))

    return decorate


def kernel(function: Callable) -> Any:
    """Compile engine code per record type on first call; releases the GIL while it runs."""
    return _jit(function, None)


def helper(function: Callable) -> Any:
    """Compile a small function into each of its callers (so it needs no cache of its own)."""
    return numba.njit(error_model="numpy", inline="always")(function)


def _jit(function: Callable, signatures: list | None) -> Any:
    with _cache_folder(function.__module__) as folder:
        options = {"cache": folder is not None, "nogil": True, "error_model": "numpy"}
        if signatures is None:
            return numba.njit(**options)(function)
        return numba.njit(signatures, **options)(function)


@contextmanager
def _cache_folder(module: str):
    folder = None if INTERPRETED else _module_folder(module)
    before = numba.config.CACHE_DIR
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        numba.config.CACHE_DIR = before


@functools.cache
def _module_folder(module: str) -> Path | None:
    root = cache_root()
    folder = root / f"{module}-{source_digest(module)}"
    fresh = not folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        os.utime(folder)
    except OSError as error:
        _announce_uncached(root, error.strerror or type(error).__name__)
        return None
    if fresh:
        _announce_compiling()
        _prune(root, module)
    return folder


def _announce_compiling() -> None:
    global _announced
    if not _announced:
        _announced = True
        print(
            "mages_env: compiling the rules for this machine "
            "(once, up to a minute a game; later starts take them from the cache)",
            file=sys.stderr,
            flush=True,
        )


@functools.cache
def _announce_uncached(root: Path, reason: str) -> None:
    print(
        f"mages_env: cannot write compiled code to {root} ({reason}); "
        "going on without a cache, every start compiles anew. "
        "Set MAGES_CACHE_DIR to a folder that can be written.",
        file=sys.stderr,
        flush=True,
    )


def _prune(root: Path, module: str) -> None:
    def used(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:
            return 0.0

    kept = sorted(root.glob(f"{module}-*"), key=used, reverse=True)
    for folder in kept[_KEPT_DIGESTS:]:
        if time.time() - used(folder) > _STALE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def source_digest(module: str) -> str:
    """Digest of a module, of what it imports from its own package or this one, of the JSON files
    beside these, and of the platform.

    Args:
        module: dotted name of an imported (or importable) module.

    Returns:
        24 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for part in (
        sys.version,
        np.__version__,
        numba.__version__,
        llvmlite.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
    ):
        digest.update(part.encode() + b"\0")
    for name, path in source_files(module).items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def source_files(module: str) -> dict[str, Path]:
    """What compiled code comes from, by name and in that order: the module, what it imports from
    its own package or this one, and JSON files beside these, which may have become constants.

    Args:
        module: dotted name of an imported (or importable) module.
    """
    roots = {module.partition(".")[0], _PACKAGE}
    found: dict[str, Path] = {}
    todo = [module]
    while todo:
        name = todo.pop()
        if name in found or name.partition(".")[0] not in roots:
            continue
        path = _source_path(name)
        if path is None:
            continue
        found[name] = Path(path)
        todo += _imports(name, path)
    tables = {table for path in found.values() for table in path.parent.glob("*.json")}
    named = {f"{table.parent.name}/{table.name}": table for table in sorted(tables)}
    return dict(sorted(found.items())) | named


def _source_path(name: str) -> str | None:
    loaded = sys.modules.get(name)
    path = getattr(loaded, "__file__", None)
    if path is None and loaded is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            spec = None
        path = spec.origin if spec else None
    return path if path and path.endswith(".py") and os.path.isfile(path) else None


@functools.cache
def _imports(name: str, path: str) -> list[str]:
    is_package = os.path.basename(path) == "__init__.py"
    found = []
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".")
                parts = parts[: len(parts) - node.level + is_package]
                base = ".".join([*parts, base] if base else parts)
            found.append(base)
            found += [f"{base}.{alias.name}" for alias in node.names]
    return found
