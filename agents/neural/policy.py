"""What agents with a masked torch policy have in common."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import torch

from mages_env.agents.base import Agent, Decisions
from mages_env.agents.neural.sampling import best_masked, masked_probabilities, sample_masked
from mages_env.game import Game

SMALLEST_BATCH = 16
"""Fewer rows are filled up to this: for a few rows other kernels are used, which round otherwise,
and a decision must not depend on how many are taken along with it."""


class PolicyAgent(Agent):
    """Draws actions from a softmax over legal logits, or takes the best one.

    Args:
        game: the game.
        deterministic: the most probable action instead of a drawn one.
        threads: of torch, for the whole process; None leaves them as they are. Networks as small
            as these are fastest on one.
    """

    def __init__(self, game: Game, deterministic: bool, threads: int | None) -> None:
        super().__init__(game)
        self.deterministic = deterministic
        if threads is not None:
            torch.set_num_threads(threads)

    @abstractmethod
    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """(n, D) float32 -> logits (n, A) float32, not masked."""

    def logits(self, observation: np.ndarray) -> np.ndarray:
        """(n, D) float32 -> (n, A) float32, not masked."""
        n = len(observation)
        rows = np.zeros((max(n, SMALLEST_BATCH), observation.shape[1]), np.float32)
        rows[:n] = observation
        with torch.no_grad():
            return self.forward(torch.from_numpy(rows))[:n].numpy()

    def probabilities(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """The policy: (n, D) float32 and (n, A) int8 -> (n, A) float32, 0 where not legal."""
        logits = self.logits(observation)
        probabilities = np.empty_like(logits)
        masked_probabilities(logits, np.ascontiguousarray(action_mask, np.int8), probabilities)
        return probabilities

    def act(self, decisions: Decisions) -> np.ndarray:
        assert decisions.observation is not None
        actions = np.empty(len(decisions), np.int64)
        logits = self.logits(decisions.observation)
        mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        if self.deterministic:
            best_masked(logits, mask, actions)
        else:
            log_prob = np.empty(len(decisions), np.float32)
            sample_masked(logits, mask, decisions.seeds.copy(), actions, log_prob)
        return actions
