"""MaskablePPO of sb3-contrib on the batch, with opponents inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mages_env.agents.neural.network import load_weights, save_weights
from mages_env.agents.neural.sampling import sample_masked
from mages_env.agents.sb3 import policy_logits
from mages_env.envs.sb3_vec import SB3VecEnv
from mages_env.game import Game
from mages_env.training import run
from mages_env.training.run import MODEL, RESUME, cores, load_optimizer, save_optimizer

__all__ = ["MODEL", "RESUME", "Args", "SB3Learner", "train"]

DIVERGED = "training diverged (weights that are not finite); try a lower learning_rate"


@dataclass
class Args:
    """Settings of a run."""

    decisions: int = 2_000_000
    """Own decisions to train for; the learning rate falls to 0 over them."""
    minutes: float = 0.0
    """Train for this long in all, earlier parts of a resumed run included, instead of a number of
    decisions; 0: by decisions."""
    seed: int = 0
    """Seeds games, weights, sampling and shuffling."""
    threads: int = 0
    """Threads of torch; 0: one for each core."""
    encoder: str = ""
    """Name of the observation; empty: the game's first."""

    opponents: tuple[str, ...] = ("random",)
    """Agents in the other seats: one for all of them, or one for each."""
    seat: str = "rotate"
    """The learner's seat: "rotate", "random", or a number."""
    num_envs: int = 256
    """Games played at once."""
    num_steps: int = 64
    """Own decisions in each of them between two updates."""
    epochs: int = 2
    """Passes over the decisions of an update."""
    minibatch: int = 1024
    """Decisions a gradient step."""
    learning_rate: float = 7e-4
    """Of Adam, at the start."""
    gamma: float = 1.0
    """Discount per own decision; games end, so none is needed."""
    gae_lambda: float = 0.95
    """Between trusting the critic (0) and the outcome (1)."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.02
    """Weight of the entropy bonus."""
    max_grad_norm: float = 0.5
    """Longer gradients are shortened to this."""
    hidden: tuple[int, ...] = (128, 128)
    """Width of each hidden layer, of policy and critic alike."""

    save_every: int = 50
    """Updates between two checkpoints: the most a kill can lose."""
    evaluate_every: int = 200_000
    """Decisions between two evaluations."""
    evaluate_games: int = 600
    """Games against each of the fixed opponents in an evaluation."""


def train(
    game: Game,
    args: Args,
    run_dir: str | Path,
    *,
    num_players: int | None = None,
    options: Mapping[str, Any] | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Path:
    """Train a policy with MaskablePPO; arguments, files and errors as for ``ppo.train``.

    The model is for ``SB3Agent``. A resumed run begins new games, with seeds of their own.
    """
    return run.train(SB3Learner, game, args, run_dir, num_players, options, resume, quiet)


class SB3Learner(run.Learner):
    """A MaskablePPO and its games."""

    kind = "sb3_ppo"
    title = "MaskablePPO"

    def __init__(self, game: Game, args: Args, config: Mapping[str, Any]) -> None:
        super().__init__(game, args, config)
        rows = args.num_envs * args.num_steps
        if 1 in (args.minibatch, rows % args.minibatch):
            raise ValueError(
                f"minibatch={args.minibatch} leaves a single decision by itself (of num_envs * "
                f"num_steps = {rows}), which MaskablePPO cannot learn from; choose a divisor"
            )
        self._threads_before = torch.get_num_threads()
        torch.set_num_threads(args.threads or cores())
        self.env = SB3VecEnv(
            game,
            args.num_envs,
            args.opponents,
            int(args.seat) if args.seat.isdecimal() else args.seat,
            seed=args.seed,
            encoder=args.encoder or None,
            check=False,
            **config,
        )
        self.ppo = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=lambda _: args.learning_rate * max(0.0, 1.0 - self.share),
            n_steps=args.num_steps,
            batch_size=args.minibatch,
            n_epochs=args.epochs,
            gamma=args.gamma,
            gae_lambda=args.gae_lambda,
            clip_range=args.clip,
            ent_coef=args.entropy,
            max_grad_norm=args.max_grad_norm,
            policy_kwargs={"net_arch": list(args.hidden)},
            seed=args.seed,
            device="cpu",
        )
        self._callback: BaseCallback | None = None

    def update(self) -> dict[str, float]:
        ppo = self.ppo
        if self._callback is None:  # the games begin here, so that a resumed run can seed them
            _, self._callback = ppo._setup_learn(self.args.decisions)
        try:
            ppo.collect_rollouts(self.env, self._callback, ppo.rollout_buffer, ppo.n_steps)
            ppo.train()
        except ValueError as error:
            if all(weights.isfinite().all() for weights in ppo.policy.parameters()):
                raise
            raise FloatingPointError(DIVERGED) from error
        self.updates += 1
        self.decisions += ppo.n_steps * ppo.n_envs
        values = ppo.logger.name_to_value.items()
        statistics = {k.removeprefix("train/"): float(v) for k, v in values if "train/" in k}
        ppo.logger.name_to_value.clear()
        return statistics

    def act(self, observation: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            logits = policy_logits(self.ppo.policy, torch.from_numpy(observation)).numpy()
        actions, log_prob = np.empty(len(mask), np.int64), np.empty(len(mask), np.float32)
        sample_masked(logits, mask, rng, actions, log_prob)
        return actions

    def model(self) -> dict[str, np.ndarray]:
        return save_weights(self.ppo.policy, "policy")

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return save_optimizer(self.ppo.policy.optimizer), {}

    def set_state(
        self, tensors: Mapping[str, np.ndarray], progress: Mapping[str, Any], path: Path
    ) -> None:
        load_weights(self.ppo.policy, tensors, "policy", path)
        load_optimizer(self.ppo.policy.optimizer, tensors)
        self.ppo.set_random_seed((self.args.seed + self.decisions) % 2**31)

    def close(self) -> None:
        torch.set_num_threads(self._threads_before)
