"""PettingZoo AEC environments over any game.

Two classes, as PettingZoo has it: ``RawEnv`` raises on an illegal action and changes nothing;
``Env`` keeps, in one class, the promises of PettingZoo's wrappers ``TerminateIllegalWrapper``,
``AssertOutOfBoundsWrapper`` and ``OrderEnforcingWrapper``.
"""

from __future__ import annotations

import copy
import operator
import secrets
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from mages_env.engine.kernels import (
    CHANGED,
    ILLEGAL,
    nth_seed,
    observe_full_rows,
    observe_rows,
    refresh_one,
    reset_one,
    step_one,
)
from mages_env.engine.state import RUNNING
from mages_env.envs.checks import check_header
from mages_env.game import Game, valid_seed

_AFTER_RESET = frozenset(
    ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents")
)
ILLEGAL_REWARD = -1.0
"""What a seat is paid whose illegal action ends the game (``Env``)."""


class RawEnv(AECEnv):
    """One game, one seat at a time.

    Args:
        game: the game.
        num_players: number of seats, the game's default for None.
        encoder: name of the observation, the game's first for None.
        render_mode: None or "ansi".
        **options: the game's options.

    Action space: ``Discrete(game.num_actions)``, alike for all agents.

    Observation space: ``Dict(observation: float32 Box (D,), action_mask: int8 Box (A,))``, alike
    for all. ``observe(agent)`` is valid for everyone at any time; the mask is all zero for whoever
    is not to move. Arrays handed out are fresh each step and belong to the caller.

    ``game_seed`` holds what the running game was reset with, None for one put in.

    Rewards: paid when a seat is out, at the end for most games; in ``rewards`` and the cumulative
    rewards right after the step that paid them.

    Methods that look at the game raise RuntimeError before ``reset``.

    Raises:
        ValueError: unknown option, value, encoder, render mode, or number of players.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}
    _error_before_reset: type[Exception] = RuntimeError

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        encoder: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(
                f"render_mode={render_mode!r} must be None or one of "
                f"{', '.join(map(repr, self.metadata['render_modes']))}"
            )
        self.game = game
        self._encoder_name = encoder
        self._state = game.new_state(num_players, **options)
        self.options = game.config(self._state[0])
        game.encoder(encoder, self.options["num_players"])
        self._bind()
        self.metadata = {**type(self).metadata, "name": game.name}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{p}" for p in range(self.options["num_players"])]
        self._seat_of = {agent: p for p, agent in enumerate(self.possible_agents)}
        self._seats = [np.array([p]) for p in range(len(self.possible_agents))]
        layout = self.encoder.layout
        self._observation_size = layout.size
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(
                    layout.low, layout.high, (layout.size,), np.float32
                ),
                "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
            }
        )
        self._action_space = gymnasium.spaces.Discrete(game.num_actions)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._seed = secrets.randbits(64)
        self._games_since_seed = 0
        self.game_seed: int | None = None
        self._has_reset = False

    def _bind(self) -> None:
        self.encoder = self.game.encoder(self._encoder_name)
        self._table = self.game.table(self._encoder_name)
        # Views of single fields: reading an attribute of a record takes microseconds.
        self._fields = {
            name: self._state[name][0] if self._state[name].ndim > 1 else self._state[name]
            for name in ("seat", "over", "rewards", "terminated", "truncated")
        }

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # Copies and pickles hold everything but compiled functions and their addresses.

    def __getstate__(self) -> dict[str, Any]:
        bound = ("encoder", "_table", "_fields")
        return {name: value for name, value in vars(self).items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def __copy__(self) -> RawEnv:
        return copy.deepcopy(self)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        self._seat(agent)
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        self._seat(agent)
        return self._action_space

    def _seat(self, agent: Any) -> int:
        if isinstance(agent, str) and agent in self._seat_of:
            return self._seat_of[agent]
        raise ValueError(f"no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")

    def _need_reset(self, method: str) -> None:
        if not self._has_reset:
            raise self._error_before_reset(f"reset() needs to be called before {method}()")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: 0 to 2**64 - 1; the same seed gives the same game. None goes on from the seed
                given before, or from fresh entropy.
            options: not used; the game's options are set when the environment is made.

        Raises:
            ValueError: no such seed; the running game stays.
        """
        if seed is not None:
            self._seed = self.game_seed = valid_seed(seed)
            self._games_since_seed = 0
        else:
            self._games_since_seed += 1
            self.game_seed = int(nth_seed(np.uint64(self._seed), self._games_since_seed))
        observation, mask = self._fresh()
        reset_one(self._state, np.uint64(self.game_seed), self._mask, observation, self._table)
        self._begin(observation, mask)

    def _fresh(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty(self._observation_size, np.float32), np.empty(self._mask.size, np.int8)

    def _begin(self, observation: np.ndarray, mask: np.ndarray) -> None:
        mask[:] = self._mask
        self._latest = {"observation": observation, "action_mask": mask}
        self._has_reset = True
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self._paid = False
        self.agent_selection = self.possible_agents[max(0, self._fields["seat"][0])]

    def step(self, action: int | None) -> None:
        """Take ``action`` for ``agent_selection``; None, and only None, for an agent that is out.

        Raises:
            IllegalActionError: not an id, or not legal; the state is as it was.
            RuntimeError: the game is over for all.
        """
        agent = self.agent_selection
        if agent not in self.terminations:
            raise RuntimeError("the game is over; reset() begins another")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        observation, mask = self._fresh()
        index = action if type(action) is int else _index(action)
        if not 0 <= index < self._mask.size:  # it may be too big for an int64
            index = -1
        code = step_one(self._state, index, self._mask, observation, mask, self._table)
        if code == ILLEGAL:
            raise self.game.illegal_action(agent, self._state[0], self._mask, action)
        self._latest = {"observation": observation, "action_mask": mask}
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if code == CHANGED:
            self._look()
        else:
            self.agent_selection = self.possible_agents[code]

    def _look(self) -> None:
        """Take over payments and who is out from the state; the dead are stepped first."""
        rewards, terminated, truncated = (
            self._fields[name].tolist() for name in ("rewards", "terminated", "truncated")
        )
        for agent in self.agents:
            p = self._seat_of[agent]
            if not (self.terminations[agent] or self.truncations[agent]):
                self.rewards[agent] = rewards[p]
                self._cumulative_rewards[agent] += rewards[p]
                self._paid = self._paid or rewards[p] != 0.0
            self.terminations[agent] = terminated[p] != 0
            self.truncations[agent] = truncated[p] != 0
        if self._fields["over"][0] == RUNNING:
            self.agent_selection = self.possible_agents[self._fields["seat"][0]]
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent knows: ``observation`` (D,) float32 and ``action_mask`` (A,) int8."""
        try:
            running = not (self.terminations.get(agent, True) or self.truncations.get(agent, True))
        except AttributeError:
            self._need_reset("observe")
            raise
        if agent == self.agent_selection and running:
            return self._latest
        seat = self._seat(agent)
        observation = np.empty((1, self._observation_size), np.float32)
        observe_rows(self._state, self._seats[seat], observation, self._table, 0, 1)
        return {"observation": observation[0], "action_mask": np.zeros(self._mask.size, np.int8)}

    def state(self) -> np.ndarray:
        """Everything, float32 (``game.full.layout.size``,); for critics, no seat may see it."""
        self._need_reset("state")
        full = np.empty((1, self.game.full.layout.size), np.float32)
        observe_full_rows(self._state, full, self._table, 0, 1)
        return full[0]

    @property
    def state_space(self) -> gymnasium.spaces.Box:
        layout = self.game.full.layout
        return gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.float32)

    def game_state(self) -> np.ndarray:
        """A copy of the state record, in an array of one; hides nothing."""
        self._need_reset("game_state")
        return self._state.copy()

    def set_game_state(self, state: np.ndarray) -> None:
        """Go on from a record of this game and configuration.

        The header of the record is checked; the game's own fields are trusted, so a record in
        which they contradict each other gives a game that no rules lead to, or a crash.

        Raises:
            ValueError: a record of another game, of other options, not of a game begun, or with a
                header that no game can have; the running game stays.
        """
        record = np.asarray(state).reshape(-1)
        if record.dtype != self._state.dtype:
            raise ValueError(f"not one state record of {self.game.name}: dtype {record.dtype}")
        if record.size != 1:
            raise ValueError(f"{record.size} records, not one state record of {self.game.name}")
        config = self.game.config(record[0])
        if config != self.options:
            raise ValueError(f"the record holds {config}, the environment {self.options}")
        check_header(record[0])
        self._state[:] = record
        self.game_seed = None
        observation, mask = self._fresh()
        refresh_one(self._state, self._mask, observation, self._table)
        self._begin(observation, mask)
        if any(self._fields[name].any() for name in ("over", "terminated", "truncated")):
            self._look()

    def information_state(self, agent: str, seed: int) -> np.ndarray:
        """A copy of the record with everything redrawn from ``seed`` that the agent cannot know.

        Raises:
            ValueError: no such agent, or no such seed.
        """
        self._need_reset("information_state")
        record = self._state.copy()
        self.game.determinize(record[0], self._seat(agent), np.uint64(valid_seed(seed)))
        return record

    def to_text(self, agent: str | None = None) -> str:
        """The table in words as the agent may see it; None: as anybody may."""
        self._need_reset("to_text")
        return self.game.to_text(self._state[0], None if agent is None else self._seat(agent))

    def to_json(self, agent: str | None = None) -> dict[str, Any]:
        """The same as plain values."""
        self._need_reset("to_json")
        return self.game.to_json(self._state[0], None if agent is None else self._seat(agent))

    def action_text(self, action: int) -> str:
        """An action in words; IllegalActionError if it is no action id."""
        return self.game.action_text(self._state[0], self.game.action_id(action))

    def parse_action(self, text: str) -> int:
        """The action id meant by ``text``; ValueError says what is understood."""
        self._need_reset("parse_action")
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is not understood; an action in words is wanted, a text")
        return self.game.parse_action(self._state[0], text)

    def render(self) -> str | None:
        """With ``render_mode="ansi"`` the table as the seat to move sees it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; make the env with 'ansi'")
            return None
        over = self._state[0].over != RUNNING or not self.agents
        return self.to_text(None if over else self.agent_selection)

    def close(self) -> None:
        """Nothing to release."""

    def __str__(self) -> str:
        return self.game.name


class Env(RawEnv):
    """``RawEnv`` with what PettingZoo's wrapper stack promises.

    * Before ``reset``: attributes raise AttributeError, methods AssertionError.
    * An action that is no member of the action space raises AssertionError. Unlike there, any
      type of integer will do, and a bool is none.
    * An illegal action ends the game for all: its agent is paid ``ILLEGAL_REWARD``, the others 0;
      a warning says which action it was and what was legal. With ``on_illegal="raise"`` it raises
      IllegalActionError and changes nothing, as ``RawEnv`` does.
    * ``agent_iter`` insists on a step between agents; a step after the end only warns.
    """

    _error_before_reset = AssertionError

    def __init__(self, game: Game, *args: Any, on_illegal: str = "terminate", **kwargs: Any):
        if on_illegal not in ("terminate", "raise"):
            raise ValueError(f"on_illegal={on_illegal!r} must be 'terminate' or 'raise'")
        super().__init__(game, *args, **kwargs)
        self._on_illegal = on_illegal
        self._has_updated = False

    def _begin(self, observation: np.ndarray, mask: np.ndarray) -> None:
        super()._begin(observation, mask)
        self._has_updated = True

    def step(self, action: int | None) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None and not self._action_space.contains(action):
                raise AssertionError(f"{agent} is out, its only valid action is None")
        else:
            index = action if type(action) is int else _index(action)
            if not 0 <= index < self._mask.size:
                raise AssertionError(self._out_of_bounds(agent, action))
            if not self._mask[index] and self._on_illegal == "terminate":
                self._end_on_illegal(agent, index)
                return
            action = index
        super().step(action)

    def _out_of_bounds(self, agent: str, action: Any) -> str:
        reason = self.game.illegal_action(agent, self._state[0], self._mask, action)
        return f"action is not in action space: {reason}"

    def _end_on_illegal(self, agent: str, action: int) -> None:
        EnvLogger.warn_on_illegal_move()
        EnvLogger._generic_warning(
            f"[WARNING]: {self.game.illegal_action(agent, self._state[0], self._mask, action)}"
        )
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> np.ndarray:
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | None:
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _checked_agents(self, max_iter)


def _index(action: Any) -> int:
    """An action that is not quite an ``int`` as one; -1 if it is none."""
    if isinstance(action, bool):
        return -1
    try:
        return operator.index(action)
    except TypeError:
        return -1


def _checked_agents(env: Env, max_iter: int) -> Iterator[str]:
    for _ in range(max_iter):
        if not env.agents:
            return
        assert env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        env._has_updated = False
        yield env.agent_selection
