"""The batch as a vectorised environment of Stable-Baselines3, opponents inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from mages_env import get_game
from mages_env.envs.opponents import OpponentBatch, Opponents
from mages_env.game import Game, valid_seed


class SB3VecEnv(VecEnv):
    """``num_envs`` games as one seat of each sees them, for MaskablePPO of sb3-contrib.

    Rows whose game is over for the learner begin another in the same step: ``terminal_observation``
    and ``episode`` (return ``r``, own decisions ``l``) are in their info.

    Args:
        game: the game, or its name.
        num_envs: number of games.
        opponents, seat, num_players, seed, encoder: as for ``OpponentBatch``.
        check: refuse illegal actions; without it they corrupt the game.
        **options: the game's options.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        opponents: Opponents = "random",
        seat: int | str = "random",
        num_players: int | None = None,
        seed: int | None = 0,
        encoder: str | None = None,
        check: bool = True,
        **options: Any,
    ) -> None:
        self.game = get_game(game)
        self.batch = OpponentBatch(
            self.game, num_envs, opponents, seat, num_players, seed, encoder, **options
        )
        self._check = check
        self.render_mode = None
        layout = self.batch.encoder.layout
        num_envs = self.batch.num_envs
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.float32),
            gymnasium.spaces.Discrete(self.game.num_actions),
        )
        self._return = np.zeros(num_envs)
        self._own_decisions = np.zeros(num_envs, np.int64)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """What the next ``reset`` begins with; ValueError if there is no such seed."""
        return super().seed(None if seed is None else valid_seed(seed))

    def reset(self) -> np.ndarray:
        """Observations (N, D) of new games; ``seed(s)`` before it decides which."""
        if self._seeds[0] is not None:
            self.batch.seed(self._seeds[0])
            self._reset_seeds()
        self.batch.reset()
        self._return[:] = 0.0
        self._own_decisions[:] = 0
        return self.batch.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observation (N, D), reward (N,), done (N,), infos.

        A game that its turn limit ends has paid its places, so nothing is left to bootstrap and
        ``TimeLimit.truncated`` is never set.
        """
        batch = self.batch
        over = batch.step(self._actions, check=self._check)
        reward = batch.reward.copy()
        done = batch.terminated | batch.truncated
        self._return += reward
        self._own_decisions += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.size:
            for i in over:
                infos[i] = {
                    "terminal_observation": batch.observation[i].copy(),
                    "episode": {"r": float(self._return[i]), "l": int(self._own_decisions[i])},
                }
            self._return[over] = 0.0
            self._own_decisions[over] = 0
            batch.reset(over)
        return batch.observation.copy(), reward, done, infos

    def action_masks(self) -> np.ndarray:
        """(N, A) bool, the legal actions of every row."""
        return self.batch.action_mask.astype(np.bool_)

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._rows(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Attributes belong to all rows together."""
        if len(self._rows(indices)) != self.num_envs:
            raise ValueError("an attribute can only be set for all rows at once")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """One result for each row; ``action_masks``, which sb3-contrib asks for, is the batch's."""
        if method_name != "action_masks":
            raise AttributeError(f"the rows of {type(self).__name__} have no {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._rows(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None
    ) -> list[bool]:
        """No row is wrapped; that episodes are already counted keeps a Monitor from being asked."""
        return [False for _ in self._rows(indices)]

    def _rows(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))
