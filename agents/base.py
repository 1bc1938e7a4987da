"""What an agent is: a function from what seats know to their actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mages_env.game import Game


@dataclass(frozen=True)
class Decisions:
    """``n`` decisions to be taken, each for one seat of one game; nothing a seat cannot know.

    Attributes:
        game: the game.
        seats: (n,) int32, who decides.
        action_mask: (n, A) int8.
        seeds: (n,) uint64, the only source of chance an agent uses, so that a decision does not
            depend on which others are taken along with it.
        observation: (n, D) float32 by the agent's encoder; None unless it asks for it.
        states: (n,) information states, records redrawn at random in all that the seat cannot
            know; None unless the agent asks for them.
    """

    game: Game
    seats: np.ndarray
    action_mask: np.ndarray
    seeds: np.ndarray
    observation: np.ndarray | None = None
    states: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.seats)


class Agent(ABC):
    """A player of one game, without memory between decisions.

    Attributes:
        name: for tables and results.
        encoder: name of the observation it wants, or None.
        wants_states: whether it wants information states.
        policy: the same player as a compiled policy, where there is one, for use inside a batch.
    """

    name: str
    encoder: str | None = None
    wants_states: bool = False
    policy: Callable | None = None

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def act(self, decisions: Decisions) -> np.ndarray:
        """Legal actions (n,) int64; interruptible by KeyboardInterrupt."""
