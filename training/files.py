"""Whether files can be written and read, found out before the work and not after it."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path


def check_writable(path: Path, option: str) -> None:
    """Whether a file can be written; folders above it need not be there.

    Args:
        path: the file.
        option: what the path was given as, for the message.

    Raises:
        ValueError: it cannot; names the path and why.
    """
    if path.is_dir():
        raise ValueError(f"{option} {path} is a folder; name a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise ValueError(f"{option} {path} must not be written to")
    _check_above(path, option)


def check_folder(path: Path, option: str = "") -> None:
    """Whether files can be written to a folder, which need not be there.

    Raises:
        ValueError: they cannot; names the path and why.
    """
    if path.exists() and not path.is_dir():
        raise ValueError(f"{option} {path} is a file; name a folder".lstrip())
    _check_above(path / "file", option)


def _check_above(path: Path, option: str) -> None:
    """The nearest folder above that is there must let something be made in it."""
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir():
        raise ValueError(f"{option} {path} cannot be written: {above} is a file".lstrip())
    if not os.access(above, os.W_OK | os.X_OK):
        raise ValueError(
            f"{option} {path} cannot be written: no right to write to {above}".lstrip()
        )


def check_readable(path: Path, what: str) -> None:
    """Whether there is a file.

    Raises:
        ValueError: there is none, or a folder; names the path and what is wanted.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name {what}")
    if not path.exists():
        raise ValueError(f"there is no file {path}; name {what}")


def unused(path: Path) -> Path:
    """The path, or the first of "name-2", "name-3", ... where a file is there already."""
    if not path.exists():
        return path
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(other for other in numbered if not other.exists())
