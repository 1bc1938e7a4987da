"""Networks over flat observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

from mages_env.training.checkpoint import CheckpointError


class Network(nn.Module):
    """Layers of rectified linear units between an observation and ``outputs`` numbers.

    Args:
        inputs: size D of the observation.
        hidden: width of each hidden layer.
        outputs: size of the last, linear layer.
        last_gain: scale of the last layer's initial weights; a small one starts a policy uniform.
    """

    def __init__(
        self, inputs: int, hidden: Sequence[int], outputs: int, last_gain: float = 1.0
    ) -> None:
        super().__init__()
        sizes = [inputs, *hidden]
        layers: list[nn.Module] = []
        for a, b in pairwise(sizes):
            layers += [_linear(a, b, 2.0**0.5), nn.ReLU()]
        self.layers = nn.Sequential(*layers, _linear(sizes[-1], outputs, last_gain))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """(n, D) float32 -> (n, outputs)."""
        return self.layers(observation)


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def save_weights(module: nn.Module, prefix: str) -> dict[str, np.ndarray]:
    """Copies of a module's weights as arrays, their names after ``prefix`` and a dot."""
    return {f"{prefix}.{name}": t.numpy().copy() for name, t in module.state_dict().items()}


def load_weights(
    module: nn.Module, tensors: Mapping[str, np.ndarray], prefix: str, path: str | Path
) -> None:
    """Put weights from a checkpoint into a module.

    Raises:
        CheckpointError: weights are missing, left over, of other shapes or not finite; names one
            of them.
    """
    start = f"{prefix}."
    found = {name[len(start) :]: t for name, t in tensors.items() if name.startswith(start)}
    state = module.state_dict()
    for name in sorted({*found, *state}):
        here = found[name].shape if name in found else None
        wanted = tuple(state[name].shape) if name in state else None
        if here != wanted:
            raise CheckpointError(
                f"{path} does not fit the network: {start}{name} is {here}, should be {wanted}"
            )
        if not np.isfinite(found[name]).all():
            raise CheckpointError(f"{path} is damaged: {start}{name} holds numbers not finite")
    module.load_state_dict({name: torch.from_numpy(t.copy()) for name, t in found.items()})
