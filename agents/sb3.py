"""Policies trained with MaskablePPO of sb3-contrib; importing this module imports SB3."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from mages_env.agents.neural.network import load_weights
from mages_env.agents.neural.policy import PolicyAgent
from mages_env.game import Game
from mages_env.training import checkpoint


def spaces(game: Game, encoder: str | None) -> tuple[gymnasium.Space, gymnasium.Space]:
    """Observation and action space of one seat."""
    layout = game.encoder(encoder).layout
    return (
        gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.float32),
        gymnasium.spaces.Discrete(game.num_actions),
    )


class SB3Agent(PolicyAgent):
    """A MaskablePPO policy: from ``mages train --algo sb3``, or from a zip of your own.

    Args:
        game: the game.
        path: the safetensors file of a run, or a zip that ``MaskablePPO.save`` wrote.
        deterministic: the most probable action instead of a drawn one.
        strict: play only the number of players and options it was trained for (a zip does not
            say which).
        trust: a zip is read by SB3's own loader, which unpickles and so runs whatever code the
            file holds; True says that you know where it comes from.
        encoder: name of the observation a zip was trained on; the game's first for None.
        threads: of torch, for the whole process; None leaves them as they are.

    Raises:
        CheckpointError: no such file, not a checkpoint, or one of another game or encoder; a zip
            without ``trust=True``, or one whose spaces are not those of the game.
    """

    def __init__(
        self,
        game: Game,
        path: str | Path,
        deterministic: bool = False,
        strict: bool = True,
        trust: bool = False,
        encoder: str | None = None,
        threads: int | None = 1,
    ) -> None:
        super().__init__(game, deterministic, threads)
        self.name = f"sb3:{path}"
        if Path(path).suffix == ".zip":
            self.encoder = encoder or next(iter(game.encoders))
            self.network = _load_zip(game, path, self.encoder, trust)
        else:
            tensors, header = checkpoint.load(path)
            checkpoint.check(header, path, game, kind="sb3_ppo")
            self.encoder = header["encoder"]
            self.config = header["config"] if strict else None
            self.network = new_policy(game, self.encoder, header["network"]["hidden"])
            load_weights(self.network, tensors, "policy", path)
        self.network.set_training_mode(False)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return policy_logits(self.network, observation)


def new_policy(game: Game, encoder: str | None, hidden: Sequence[int]) -> MaskableActorCriticPolicy:
    """A fresh policy of the kind that ``training.sb3_ppo`` trains."""
    observation_space, action_space = spaces(game, encoder)
    return MaskableActorCriticPolicy(
        observation_space, action_space, lambda progress: 0.0, net_arch=list(hidden)
    )


def policy_logits(policy: MaskableActorCriticPolicy, observation: torch.Tensor) -> torch.Tensor:
    """(n, D) float32 -> (n, A) float32, not masked."""
    return policy.get_distribution(observation).distribution.logits  # type: ignore[union-attr]


def _load_zip(game: Game, path: str | Path, encoder: str, trust: bool) -> MaskableActorCriticPolicy:
    if not Path(path).is_file():
        raise checkpoint.CheckpointError(f"no model at {path}")
    if not trust:
        raise checkpoint.CheckpointError(
            f"{path} is a zip of SB3, and loading it runs whatever code it holds; if you know "
            "where it comes from, pass trust=True"
        )
    model = MaskablePPO.load(path, device="cpu")
    observation_space, action_space = spaces(game, encoder)
    if model.observation_space != observation_space or model.action_space != action_space:
        raise checkpoint.CheckpointError(
            f"{path} was trained on {model.observation_space} and {model.action_space}; "
            f"{game.name} with the encoder {encoder!r} has {observation_space} and {action_space}"
        )
    return model.policy
