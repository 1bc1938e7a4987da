"""A Gymnasium environment: one seat is the agent's, the others are played inside."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from mages_env.engine.state import NOBODY
from mages_env.envs.aec import ILLEGAL_REWARD
from mages_env.envs.opponents import OpponentBatch, Opponents
from mages_env.game import Game, IllegalActionError, valid_seed

ON_ILLEGAL = ("terminate", "raise")


class SingleEnv(gymnasium.Env):
    """One game as one seat sees it.

    Args:
        game: the game.
        opponents: names for ``make_agent`` or agents, one for all other seats or one for each in
            order from the seat after the agent's; not used where one plays alone.
        seat: the agent's seat: a number, "random" (drawn for each game) or "rotate".
        num_players: number of seats, the game's default for None.
        encoder: name of the observation, the game's first for None.
        on_illegal: an illegal action ends the game with ``ILLEGAL_REWARD`` and a warning that
            says what was legal ("terminate"), or raises and changes nothing ("raise"). What is no
            action id at all always raises.
        render_mode: None or "ansi".
        **options: the game's options.

    Action Space: ``Discrete(game.num_actions)``; ``action_masks()`` and ``info["action_mask"]``
    say which are legal.

    Observation Space: float32 ``Box`` (D,), the named encoding of what the seat knows.

    Rewards: what the seat is paid between its decisions, on whoever's move; at the end for most
    games.

    Episode End: terminated when the seat is out or the game is over; truncated where the game's
    turn limit ends it (its places are paid then, so there is nothing to bootstrap).

    ``info``: ``action_mask`` (A,) int8 and ``seat``.

    Raises:
        ValueError: unknown option, value, encoder, agent, render mode, or number of players.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game,
        opponents: Opponents = "random",
        seat: int | str = "random",
        num_players: int | None = None,
        encoder: str | None = None,
        on_illegal: str = "terminate",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r} must be None or 'ansi'")
        if on_illegal not in ON_ILLEGAL:
            raise ValueError(f"on_illegal={on_illegal!r} must be 'terminate' or 'raise'")
        self.game = game
        self.render_mode = render_mode
        self._on_illegal = on_illegal
        self._batch = OpponentBatch(game, 1, opponents, seat, num_players, None, encoder, **options)
        self.options = self._batch.options
        self.encoder = self._batch.encoder
        layout = self.encoder.layout
        self.observation_space = gymnasium.spaces.Box(
            layout.low, layout.high, (layout.size,), np.float32
        )
        self.action_space = gymnasium.spaces.Discrete(game.num_actions)
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new game, played up to the agent's first turn.

        Args:
            seed: 0 to 2**64 - 1; the same seed and actions give the same game, seats and
                opponents' moves included. None goes on from the seed given before.
            options: not used; the game's options are set when the environment is made.

        Raises:
            ValueError: no such seed; the running game stays.
        """
        if seed is not None:
            seed = valid_seed(seed)
        super().reset(seed=seed)
        game_seeds = None
        if seed is not None:
            self._batch.seed(seed)
            game_seeds = np.array([seed], np.uint64)
        self._batch.reset(game_seeds=game_seeds)
        self._over = False
        return self._batch.observation[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take ``action`` and play on until it is the agent's turn again.

        Raises:
            IllegalActionError: no action id, or not legal and ``on_illegal="raise"``; the state
                is as it was.
            RuntimeError: before ``reset``, or after the end.
        """
        batch = self._batch
        if self._over:
            raise RuntimeError("reset() needs to be called first: no game is running")
        try:
            index = self.game.action_id(action)
        except IllegalActionError:
            raise batch.illegal_action(0, action) from None
        if not batch.action_mask[0, index]:
            error = batch.illegal_action(0, index)
            if self._on_illegal == "raise":
                raise error
            gymnasium.logger.warn(f"{error}; the game ends with reward {ILLEGAL_REWARD}")
            batch.action_mask[0] = 0
            self._over = True
            return batch.observation[0].copy(), ILLEGAL_REWARD, True, False, self._info()
        self._over = batch.step(np.array([index]), check=False).size > 0
        return (
            batch.observation[0].copy(),
            float(batch.reward[0]),
            bool(batch.terminated[0]),
            bool(batch.truncated[0]),
            self._info(),
        )

    def action_masks(self) -> np.ndarray:
        """(A,) bool, the legal actions; the name is what sb3-contrib looks for."""
        return self._batch.action_mask[0].astype(np.bool_)

    @property
    def seat(self) -> int:
        """The agent's seat in the running game."""
        return int(self._batch.learner[0])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.action_mask[0].copy(), "seat": self.seat}

    def game_state(self) -> np.ndarray:
        """A copy of the state record, in an array of one; hides nothing."""
        return self._batch.states.copy()

    def action_text(self, action: int) -> str:
        """An action in words; IllegalActionError if it is no action id."""
        return self.game.action_text(self._batch.states[0], self.game.action_id(action))

    def render(self) -> str | None:
        """With ``render_mode="ansi"`` the table as the agent's seat sees it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; make the env with 'ansi'")
            return None
        begun = self._batch.states[0].seat != NOBODY or self._batch.length[0] > 0
        return self.game.to_text(self._batch.states[0], self.seat) if begun else ""
