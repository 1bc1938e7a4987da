"""What all training runs have in common: resuming, evaluations, checkpoints, reports, stopping."""

from __future__ import annotations

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mages_env.game import Game
from mages_env.training import checkpoint
from mages_env.training.evaluation import Evaluator, yardsticks
from mages_env.training.files import check_folder
from mages_env.training.reporting import Report, stop_request
from mages_env.training.settings import check_ranges

MODEL = "model.safetensors"
"""What an agent plays from."""
RESUME = "resume.safetensors"
"""What a run goes on from."""
EVALUATION_SEED = 2**32
"""Evaluations play the same games every time, none of which is trained on."""
RESUMABLE = ("decisions", "minutes", "threads", "save_every", "evaluate_every", "evaluate_games")
"""Settings that may differ when a run is resumed."""


class Learner(ABC):
    """A run in progress.

    Args:
        game: the game.
        args: settings; a dataclass, each in its range (``settings.RANGES``).
        config: number of players and options.

    Attributes:
        kind: of model, as checkpoints say it.
        title: of the algorithm, for people.
        decisions: taken so far.
        updates: rollouts learned from so far.
        seconds: spent so far; kept by ``train``.

    Raises:
        ValueError: a setting that cannot be.
    """

    kind: str
    title: str

    def __init__(self, game: Game, args: Any, config: Mapping[str, Any]) -> None:
        check_ranges(args)
        self.game, self.args, self.config = game, args, dict(config)
        self.decisions = self.updates = 0
        self.seconds = 0.0

    @property
    def share(self) -> float:
        """Of the run that is done; learning rates follow it."""
        if self.args.minutes:
            return self.seconds / (60 * self.args.minutes)
        return self.decisions / self.args.decisions

    @abstractmethod
    def update(self) -> dict[str, float]:
        """Play a rollout, learn from it, count it; returns statistics by name."""

    @abstractmethod
    def act(self, observation: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """The policy's actions (n,), drawn from the streams ``rng``: see ``evaluation.Policy``."""

    @abstractmethod
    def model(self) -> dict[str, np.ndarray]:
        """The policy's weights by name."""

    @abstractmethod
    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All else that a resumed run needs: arrays, and plain values as for JSON."""

    @abstractmethod
    def set_state(
        self, tensors: Mapping[str, np.ndarray], progress: Mapping[str, Any], path: Path
    ) -> None:
        """Go on from weights and state as ``save`` wrote them to ``path``."""

    @abstractmethod
    def close(self) -> None:
        """Give back what the run used."""

    def save(self, run_dir: Path) -> None:
        """The model, and all that is needed to go on from here."""
        header = {
            **checkpoint.describe(self.game, self.config, self.args.encoder or None),
            "kind": self.kind,
            "network": {"hidden": list(self.args.hidden)},
            "decisions": self.decisions,
            "seconds": round(self.seconds, 1),
            "seed": self.args.seed,
        }
        model = self.model()
        tensors, progress = self.get_state()
        progress |= {"args": asdict(self.args), "updates": self.updates}
        checkpoint.save(run_dir / RESUME, model | tensors, header | {"progress": progress})
        checkpoint.save(run_dir / MODEL, model, header)

    def load(self, run_dir: Path) -> None:
        """Go on from what ``save`` wrote.

        Raises:
            CheckpointError: no such file, or one of another game, configuration or settings.
        """
        path = run_dir / RESUME
        tensors, header = checkpoint.load(path)
        checkpoint.check(header, path, self.game, self.config, self.kind)
        progress = header["progress"]
        made_with, asked = (
            {name: value for name, value in args.items() if name not in RESUMABLE}
            for args in (progress["args"], json.loads(json.dumps(asdict(self.args))))
        )
        different = checkpoint.differences(made_with, asked)
        if different:
            raise checkpoint.CheckpointError(
                f"{run_dir} was trained with other settings: {different}"
            )
        self.decisions, self.seconds = header["decisions"], header["seconds"]
        self.updates = progress["updates"]
        self.set_state(tensors, progress, path)


def train(
    make_learner: type[Learner],
    game: Game,
    args: Any,
    run_dir: str | Path,
    num_players: int | None,
    options: Mapping[str, Any] | None,
    resume: bool,
    quiet: bool,
) -> Path:
    """Run a learner to its end: see ``ppo.train``."""
    run_dir = Path(run_dir)
    check_folder(run_dir)
    config = game.resolve_options(num_players, **(options or {}))
    if not resume and (run_dir / RESUME).exists():
        raise ValueError(
            f"{run_dir} already holds a run: resume it (--resume) or choose another folder"
        )
    learner = make_learner(game, args, config)
    try:
        if resume:
            learner.load(run_dir)
        _go_on(learner, run_dir, quiet)
    finally:
        learner.close()
    return run_dir / MODEL


def _go_on(learner: Learner, run_dir: Path, quiet: bool) -> None:
    args, config = learner.args, learner.config
    players = config["num_players"]
    seats = f"{players} players" if players > 1 else "alone"
    title = f"{learner.title}, {learner.game.title}, {seats}"
    evaluator = Evaluator(
        learner.game,
        yardsticks(learner.game),
        args.evaluate_games,
        EVALUATION_SEED,
        args.encoder or None,
        config,
    )
    run_dir.mkdir(parents=True, exist_ok=True)
    start, began, resumed_at = time.monotonic(), learner.seconds, learner.decisions
    fair = 1 / players if players > 1 else None
    report = Report(run_dir, title, fair, learner.decisions, quiet)
    with report, stop_request() as stop:
        if learner.share >= 1.0:
            report.say(
                f"Nothing left to do: the run has had {learner.seconds / 60:.3g} minutes and "
                f"{learner.decisions:,} decisions; more of them in all go on with it."
            )
        while learner.share < 1.0 and not stop.is_set():
            before = learner.decisions // args.evaluate_every
            statistics = learner.update()
            learner.seconds = began + time.monotonic() - start
            speed = (learner.decisions - resumed_at) / (learner.seconds - began)
            report.scalars(learner.decisions, statistics | {"speed": speed})
            if learner.share >= 1.0 or learner.decisions // args.evaluate_every > before:
                results = evaluator.measure(learner.act)
                report.evaluation(learner.decisions, learner.seconds, results)
            report.advance(learner.share, learner.decisions, speed)
            if learner.updates % args.save_every == 0:
                learner.save(run_dir)
        learner.save(run_dir)
    if learner.share < 1.0:
        report.say(f"Stopped after {learner.decisions:,} decisions and saved to {run_dir}.")
        raise KeyboardInterrupt


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def flat(prefix: str, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Arrays by name, the names after ``prefix`` and a dot."""
    return {
        f"{prefix}.{name}": value.numpy().copy() if isinstance(value, torch.Tensor) else value
        for name, value in values.items()
    }


def below(tensors: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays that ``flat`` put under ``prefix``."""
    start = f"{prefix}."
    return {name[len(start) :]: t for name, t in tensors.items() if name.startswith(start)}


def save_optimizer(optimizer: torch.optim.Optimizer) -> dict[str, np.ndarray]:
    """The optimiser's moments as arrays."""
    moments = optimizer.state_dict()["state"].items()
    return {name: value for i, m in moments for name, value in flat(f"optimizer.{i}", m).items()}


def load_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, np.ndarray]) -> None:
    """Moments from ``save_optimizer`` into an optimiser of the same parameters."""
    state = optimizer.state_dict()
    indices = [i for group in state["param_groups"] for i in group["params"]]
    state["state"] = {i: to_torch(below(tensors, f"optimizer.{i}")) for i in indices}
    optimizer.load_state_dict(state)


def to_torch(arrays: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Tensors with memory of their own."""
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
