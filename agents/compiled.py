"""Compiled policies as agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mages_env.agents.base import Agent, Decisions
from mages_env.engine.kernels import act_rows
from mages_env.game import Game


class CompiledAgent(Agent):
    """Plays a compiled policy; for one of your own as for those that come with the package.

    Args:
        game: the game.
        policy: ``(state, mask, rng) -> action``, compiled for ``signatures(game.dtype).policy``.
            It is handed a record of the whole table and must read only what its seat may know.
        name: for tables and results.
    """

    wants_states = True

    def __init__(self, game: Game, policy: Callable, name: str) -> None:
        super().__init__(game)
        self.policy = policy
        self.name = name
        self._bind()

    def _bind(self) -> None:
        self._table = self.game.table(policy=self.policy)

    # Copies and pickles hold everything but machine addresses.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_table"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def act(self, decisions: Decisions) -> np.ndarray:
        n = len(decisions)
        actions = np.zeros(n, np.int64)
        rng = decisions.seeds.copy()
        rows = np.ones(n, np.bool_)
        states, mask = decisions.states, decisions.action_mask
        act_rows(states, rows, mask, rng, actions, self._table, 0, n)
        return actions
