"""What an agent is: a function from what seats know to their actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
        config: number of players and options it was made for; None: it plays any.
    """

    name: str
    encoder: str | None = None
    wants_states: bool = False
    policy: Callable | None = None
    config: Mapping[str, Any] | None = None

    def __init__(self, game: Game) -> None:
        self.game = game

    def check(self, config: Mapping[str, Any]) -> None:
        """Refuse a configuration that it was not made for.

        Raises:
            ValueError: names the options that differ, or the observation that does not fit.
        """
        made_for = config if self.config is None else self.config
        different = [name for name in config if made_for.get(name) != config[name]]
        if different:
            raise ValueError(
                f"agent {self.name} was made for "
                + ", ".join(f"{name}={made_for.get(name)!r}" for name in different)
                + "; asked for "
                + ", ".join(f"{name}={config[name]!r}" for name in different)
            )
        if self.encoder is not None:
            self.game.encoder(self.encoder, config["num_players"])

    @abstractmethod
    def act(self, decisions: Decisions) -> np.ndarray:
        """Legal actions (n,) int64; interruptible by KeyboardInterrupt."""
