"""How well a policy does against fixed opponents, many games at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from mages_env.agents import make_agent
from mages_env.envs.vector import VectorEnv
from mages_env.game import Game

Policy = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(observation (n, D), action_mask (n, A), rng (n,) uint64, advanced in place) -> actions (n,)."""


def compiled_policies(game: Game, names: Iterable[str]) -> dict[str, Callable]:
    """Compiled policies of agents by name.

    Raises:
        ValueError: no such agent for the game, or one that cannot play inside the batch.
    """
    policies = {}
    for name in names:
        policy = make_agent(name, game).policy
        if policy is None:
            raise ValueError(f"agent {name!r} has no compiled policy, so it cannot train with us")
        policies[name] = policy
    return policies


def yardsticks(game: Game) -> dict[str, Callable]:
    """The compiled policies that every run is measured against: those of these that there are."""
    policies: dict[str, Callable] = {}
    for name in ("random", "rule_based"):
        with suppress(ValueError):
            policies |= compiled_policies(game, [name])
    return policies


class Evaluator:
    """Plays a policy in one seat against a compiled opponent in all others, or alone.

    Args:
        game: the game.
        opponents: compiled policies by name.
        games: games against each of them; the policy's seat rotates.
        seed: the same games every time.
        encoder: name of the observation.
        config: number of players and options.
    """

    def __init__(
        self,
        game: Game,
        opponents: Mapping[str, Callable],
        games: int,
        seed: int,
        encoder: str | None,
        config: Mapping[str, Any],
    ) -> None:
        self.opponents = tuple(opponents)
        self._tables = {name: game.table(encoder, policy) for name, policy in opponents.items()}
        self._seed = seed
        self._env = VectorEnv(
            game, games, autoreset="disabled", check=False, encoder=encoder, **config
        )
        self._own = np.arange(games) % self._env.num_players

    def measure(self, policy: Policy) -> dict[str, float]:
        """Share of first places against each opponent, ties shared: 1 / P is a fair share.

        In a game that one plays alone the mean return, by the name "return".
        """
        if self._env.num_players == 1:
            self._play(policy, None)
            return {"return": float(self._env.returns.mean())}
        return {name: self._win_rate(policy, table) for name, table in self._tables.items()}

    def _win_rate(self, policy: Policy, table: Any) -> float:
        self._play(policy, table)
        returns, own = self._env.returns, self._own
        first = returns == returns.max(axis=1, keepdims=True)
        return float((first[np.arange(len(own)), own] / first.sum(axis=1)).mean())

    def _play(self, policy: Policy, table: Any) -> None:
        """All games to their ends; ``table`` holds the opponent's policy."""
        env, own = self._env, self._own
        env.reset(seed=self._seed)
        rng = np.random.default_rng(self._seed).integers(2**64, size=len(own), dtype=np.uint64)
        actions = np.zeros(len(own), np.int64)
        while (running := env.seat >= 0).any():
            mine = env.seat == own
            rows = np.flatnonzero(mine)
            if rows.size:
                streams = rng[rows]
                actions[rows] = policy(env.observation[rows], env.action_mask[rows], streams)
                rng[rows] = streams
            if table is not None:
                env.act(table, running & ~mine, actions)
            env.step(actions)
