"""Training, matches and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["train_ppo", "train_sb3"]


def train_ppo(game: Any, args: Any, run_dir: str | Path, **kwargs: Any) -> Path:
    """Self-play PPO: see ``mages_env.training.ppo.train``."""
    from mages_env.training.ppo import train

    return train(game, args, run_dir, **kwargs)


def train_sb3(game: Any, args: Any, run_dir: str | Path, **kwargs: Any) -> Path:
    """MaskablePPO of sb3-contrib: see ``mages_env.training.sb3_ppo.train``."""
    from mages_env.training.sb3_ppo import train

    return train(game, args, run_dir, **kwargs)
