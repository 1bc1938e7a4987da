"""Checkpoints: one safetensors file, tensors plus a JSON header that says what they are for.

Loading never unpickles anything, so a checkpoint from elsewhere can do no more than play badly.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from mages_env import __version__
from mages_env.game import Game

HEADER = "mages_env"
FORMAT = 1


class CheckpointError(ValueError):
    """A file that is no checkpoint, or one made for something else; the message says which."""


def describe(game: Game, config: Mapping[str, Any], encoder: str | None) -> dict[str, Any]:
    """The part of a header that says what a policy was made for, and with which versions.

    Args:
        game: the game.
        config: number of players and options, as ``game.resolve_options`` gives them.
        encoder: name of the observation, the game's first for None.
    """
    name = encoder or next(iter(game.encoders))
    versions = {"mages_env": __version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "torch"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "game": game.name,
        "config": dict(config),
        "encoder": name,
        "encoder_digest": game.encoder(name).digest,
        "versions": versions,
    }


def save(path: str | Path, tensors: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> Path:
    """Write a checkpoint so that at any moment either the old file or the new one is there.

    Args:
        path: the file; folders above it are made.
        tensors: arrays of numbers or bool by name.
        header: plain values, as for JSON.

    Returns:
        The path.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: np.asarray(value, order="C") for name, value in tensors.items()}
    data = to_bytes(arrays, {HEADER: json.dumps({"format": FORMAT, **header})})
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def load(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Tensors and header of a checkpoint.

    Raises:
        CheckpointError: no such file, truncated, not a checkpoint of this project, or written by
            a later version of it.
    """
    path = Path(path)
    if not path.is_file():
        raise CheckpointError(f"no checkpoint at {path}")
    try:
        with safe_open(str(path), framework="numpy") as file:
            text = (file.metadata() or {}).get(HEADER)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise CheckpointError(
            f"{path} is truncated or no safetensors file ({error}); checkpoints are written by "
            "`mages train`"
        ) from error
    try:
        header = json.loads(text or "")
        form = int(header["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(
            f"{path} is a safetensors file without the header of a mages_env checkpoint"
        ) from error
    if form > FORMAT:
        raise CheckpointError(
            f"{path} has format {form}; this is mages_env {__version__}, which reads up to "
            f"{FORMAT}: update it"
        )
    return tensors, header


def check(
    header: Mapping[str, Any],
    path: str | Path,
    game: Game,
    config: Mapping[str, Any] | None = None,
    kind: str | None = None,
) -> None:
    """Whether a checkpoint is for this game, configuration and kind of model.

    Args:
        header: as ``load`` gave it.
        path: for the message.
        game: the game it is wanted for.
        config: number of players and options it is wanted for; None: any.
        kind: what ``header["kind"]`` must be; None: anything.

    Raises:
        CheckpointError: says what it was made for and what was asked.
    """
    if kind is not None and header.get("kind") != kind:
        raise CheckpointError(f"{path} holds a {header.get('kind')!r} model, not a {kind!r} one")
    if header.get("game") != game.name:
        raise CheckpointError(f"{path} is for {header.get('game')}, not for {game.name}")
    name = header.get("encoder")
    if name not in game.encoders:
        raise CheckpointError(
            f"{path} wants the encoder {name!r}; {game.name} has {', '.join(game.encoders)}"
        )
    digest = game.encoder(name).digest
    if header.get("encoder_digest") != digest:
        raise CheckpointError(
            f"{path} was trained on another layout of the encoder {name!r} "
            f"(digest {header.get('encoder_digest')}, now {digest}); train it anew, or use the "
            f"version it was made with: mages_env {header.get('versions', {}).get('mages_env')}"
        )
    if config is not None:
        different = differences(header.get("config", {}), config)
        if different:
            raise CheckpointError(f"{path} was trained with other options: {different}")


def differences(made_for: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """The options that differ, in words; empty where none does."""
    return ", ".join(
        f"{name}={made_for.get(name)!r}, asked for {asked.get(name)!r}"
        for name in sorted({*made_for, *asked})
        if made_for.get(name) != asked.get(name)
    )
