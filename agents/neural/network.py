"""Networks over flat observations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import nn


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
