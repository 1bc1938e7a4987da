"""Policies learned with torch; importing this package imports torch."""

from __future__ import annotations

from pathlib import Path

import torch

from mages_env.agents.neural.network import Network, load_weights
from mages_env.agents.neural.policy import PolicyAgent
from mages_env.game import Game
from mages_env.training import checkpoint


class NeuralAgent(PolicyAgent):
    """A policy network from a checkpoint that ``mages train`` wrote.

    Args:
        game: the game.
        path: the safetensors file.
        deterministic: the most probable action instead of a drawn one.
        strict: play only the number of players and options it was trained for.
        threads: of torch, for the whole process; None leaves them as they are.

    Raises:
        CheckpointError: no such file, not a checkpoint, or one of another game or encoder.
    """

    def __init__(
        self,
        game: Game,
        path: str | Path,
        deterministic: bool = False,
        strict: bool = True,
        threads: int | None = 1,
    ) -> None:
        super().__init__(game, deterministic, threads)
        tensors, header = checkpoint.load(path)
        checkpoint.check(header, path, game, kind="ppo")
        self.name = f"neural:{path}"
        self.encoder = header["encoder"]
        self.config = header["config"] if strict else None
        size = game.encoder(self.encoder).layout.size
        self.network = Network(size, header["network"]["hidden"], game.num_actions)
        load_weights(self.network, tensors, "policy", path)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.network(observation)
