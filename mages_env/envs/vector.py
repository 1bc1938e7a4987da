"""A batch of games in lock-step, each row showing its seat to move."""

from __future__ import annotations

import weakref
from typing import Any

import gymnasium
import numpy as np

from mages_env.engine.kernels import (
    DISABLED,
    NEXT_STEP,
    SAME_STEP,
    act_rows,
    determinize_rows,
    first_illegal,
    observe_full_rows,
    observe_rows,
    reset_rows,
    sample_rows,
    step_rows,
)
from mages_env.envs.checks import check_arrays
from mages_env.envs.threads import RowThreads
from mages_env.game import Game, seed_or_entropy, valid_count, valid_seed

AUTORESET = {"next_step": NEXT_STEP, "same_step": SAME_STEP, "disabled": DISABLED}

_BUFFERS = (
    "observation",
    "action_mask",
    "seat",
    "rewards",
    "terminated",
    "truncated",
    "length",
    "final_length",
    "game_seed",
    "episode",
)


class VectorEnv:
    """``num_envs`` games of one configuration in buffers that are filled anew by every call.

    Args:
        game: the game.
        num_envs: number of games N.
        num_players: seats P a game, the game's default for None.
        seed: seeds every game of every row; the seeds drawn are in ``game_seed``. None: fresh
            entropy.
        threads: threads that share the rows; results do not depend on it.
        autoreset: as Gymnasium's modes: "same_step" (a row that ends is reset in the same call),
            "next_step" (in the next call, whose action is ignored) or "disabled" (it stays ended
            until ``reset(rows=...)``).
        check: refuse illegal actions; without it they corrupt the game or crash.
        encoder: name of the observation, the game's first for None.
        **options: the game's options.

    Buffers (reused: copy what you keep):
        observation: (N, D) float32, what the seat to move knows, zeros where nobody moves.
        action_mask: (N, A) int8, all zero where nobody moves.
        seat: (N,) int32, seat to move, -1 where the game is over.
        rewards: (N, P) float32, what the last step paid each seat.
        terminated, truncated: (N,) bool, the last step ended the row's game.
        length: (N,) int64, decisions so far in the running game.
        final_length: (N,) int64, decisions of the row's last finished game.
        final_states: (N,) records, how that game ended (``final_observation`` encodes it).
        game_seed: (N,) uint64, ``env.reset(seed=...)`` of an AEC env gives the same game.
        episode: (N,) int64, games begun.

    Raises:
        ValueError: unknown option, value, encoder, mode, or number of players, rows or threads.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_players: int | None = None,
        seed: int | None = 0,
        threads: int = 1,
        autoreset: str = "same_step",
        check: bool = True,
        encoder: str | None = None,
        **options: Any,
    ) -> None:
        num_envs, threads = valid_count("num_envs", num_envs), valid_count("threads", threads)
        if autoreset not in AUTORESET:
            raise ValueError(
                f"autoreset={autoreset!r} must be one of {', '.join(map(repr, AUTORESET))}"
            )
        self.game = game
        self._encoder_name = encoder
        self.states = np.repeat(game.new_state(num_players, **options), num_envs)
        self.options = game.config(self.states[0])
        self.num_envs = num_envs
        self.num_players = self.options["num_players"]
        self.check = check
        self.autoreset = autoreset
        self._mode = AUTORESET[autoreset]
        n, p = num_envs, self.num_players
        self.observation = np.zeros((n, game.encoder(encoder, p).layout.size), np.float32)
        self.action_mask = np.zeros((n, game.num_actions), np.int8)
        self.seat = np.full(n, -1, np.int32)
        self.rewards = np.zeros((n, p), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.length = np.zeros(n, np.int64)
        self.final_length = np.zeros(n, np.int64)
        self.final_states = self.states.copy()
        self.game_seed = np.zeros(n, np.uint64)
        self.episode = np.zeros(n, np.int64)
        self._actions = np.zeros(n, np.int64)
        self._begun = False
        self._set_seed(seed_or_entropy(seed))
        self.threads = min(threads, n)
        self._bind()

    def _bind(self) -> None:
        self.encoder = self.game.encoder(self._encoder_name)
        self._table = self.game.table(self._encoder_name)
        self._row_threads = RowThreads(self.num_envs, self.threads)
        weakref.finalize(self, self._row_threads.close)

    # Copies and pickles hold everything but machine addresses and threads.

    def __getstate__(self) -> dict[str, Any]:
        bound = ("encoder", "_table", "_row_threads")
        return {name: value for name, value in vars(self).items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def _set_seed(self, seed: int) -> None:
        seed = valid_seed(seed)
        self._seed = np.uint64(seed)
        self._rng = np.random.default_rng([seed, 1]).integers(
            2**64, size=self.num_envs, dtype=np.uint64
        )
        self.episode[:] = 0

    @property
    def single_observation_space(self) -> gymnasium.spaces.Box:
        """Of one row of ``observation``."""
        layout = self.encoder.layout
        return gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.float32)

    @property
    def single_action_space(self) -> gymnasium.spaces.Discrete:
        """Of one row's action."""
        return gymnasium.spaces.Discrete(self.game.num_actions)

    def reset(
        self,
        seed: int | None = None,
        rows: np.ndarray | None = None,
        game_seeds: np.ndarray | None = None,
    ) -> VectorEnv:
        """New games in all rows, or where ``rows`` (N,) bool is true.

        Args:
            seed: begin the sequence of seeds anew from this one; only when all rows are reset.
            rows: which rows; None: all.
            game_seeds: (N,) uint64, the seed of each new game itself, for games that are to be
                played again; None: the next seeds of the sequence.

        Returns:
            self, whose buffers are filled.
        """
        if rows is None:
            rows = np.ones(self.num_envs, np.bool_)
        else:
            rows = np.ascontiguousarray(rows, np.bool_)
            if rows.shape != (self.num_envs,):
                raise ValueError(f"rows has shape {rows.shape}, not ({self.num_envs},)")
            if seed is not None:
                raise ValueError("seed= begins all rows anew; leave out rows= with it")
        if game_seeds is not None:
            game_seeds = np.ascontiguousarray(game_seeds, np.uint64)
            if game_seeds.shape != (self.num_envs,):
                raise ValueError(f"game_seeds has shape {game_seeds.shape}, not ({self.num_envs},)")
        if seed is not None:
            self._set_seed(seed)
        if game_seeds is not None:
            self._reset_to(rows, game_seeds)
        else:
            self._row_threads.run(
                reset_rows,
                self.states,
                rows,
                self._seed,
                self.episode,
                self.game_seed,
                self.action_mask,
                self.observation,
                self.seat,
                self._table,
            )
        self.rewards[rows] = 0.0
        self.terminated[rows] = False
        self.truncated[rows] = False
        self.length[rows] = 0
        self._begun = True
        return self

    def _reset_to(self, rows: np.ndarray, game_seeds: np.ndarray) -> None:
        self.game_seed[rows] = game_seeds[rows]
        for i in np.flatnonzero(rows):
            state = self.states[i]
            self.game.reset(state, game_seeds[i])
            self.game.legal(state, self.action_mask[i])
            self.encoder.function(state, state.seat, self.observation[i])
            self.seat[i] = state.seat

    def step(self, actions: np.ndarray) -> VectorEnv:
        """Take ``actions[i]`` for the seat to move in row i; rows that are over ignore theirs.

        Args:
            actions: (N,) integers.

        Returns:
            self, whose buffers are filled.

        Raises:
            RuntimeError: ``reset`` was not called.
            IllegalActionError: names the row and the action; no row is stepped.
            ValueError: ``actions`` is not (N,) integers.
        """
        if not self._begun:
            raise RuntimeError("reset() needs to be called before step()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be ({self.num_envs},) integers, not {given.shape} {given.dtype}"
            )
        self._actions[:] = given
        if self.check:
            row = first_illegal(self.seat, self.action_mask, self._actions)
            if row >= 0:
                raise self.game.illegal_action(
                    f"row {row}, player_{self.seat[row]}",
                    self.states[row],
                    self.action_mask[row],
                    int(given[row]),
                )
        self._row_threads.run(
            step_rows,
            self.states,
            self._actions,
            self._mode,
            self._seed,
            self.episode,
            self.game_seed,
            self.action_mask,
            self.observation,
            self.seat,
            self.rewards,
            self.terminated,
            self.truncated,
            self.length,
            self.final_length,
            self.final_states,
            self._table,
        )
        return self

    def sample_actions(self) -> np.ndarray:
        """Uniformly random legal actions (N,) int64, 0 where nobody moves; a reused buffer.

        Raises:
            RuntimeError: ``reset`` was not called.
        """
        if not self._begun:
            raise RuntimeError("reset() needs to be called before sample_actions()")
        self._row_threads.run(sample_rows, self.action_mask, self._rng, self._actions)
        return self._actions

    def act(self, policy_table: Any, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Fill ``actions`` (N,) int64 with a compiled policy's choice where ``rows`` is true.

        Args:
            policy_table: ``game.table(policy=...)``.
            rows: (N,) bool.
            actions: (N,) int64, changed in place and returned.
        """
        _fits("rows", rows, (self.num_envs,), np.bool_)
        _fits("actions", actions, (self.num_envs,), np.int64)
        self._row_threads.run(
            act_rows, self.states, rows, self.action_mask, self._rng, actions, policy_table
        )
        return actions

    def observe(self, seats: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """What seat ``seats[i]`` knows in row i, to move or not; zeros for a negative seat.

        Args:
            seats: (N,) integers.
            out: (N, D) float32 to fill; None: a new array.
        """
        return self._encode(self.states, seats, out)

    def final_observation(self, seats: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """What seat ``seats[i]`` knew at the end of row i's last finished game."""
        return self._encode(self.final_states, seats, out)

    def _encode(self, states: np.ndarray, seats: np.ndarray, out: np.ndarray | None) -> np.ndarray:
        seats = np.ascontiguousarray(seats, np.int32)
        if out is not None:
            _fits("out", out, self.observation.shape, np.float32)
        if seats.shape != (self.num_envs,) or (seats >= self.num_players).any():
            raise ValueError(f"seats must be ({self.num_envs},) integers below {self.num_players}")
        if out is None:
            out = np.empty_like(self.observation)
        self._row_threads.run(observe_rows, states, seats, out, self._table)
        return out

    def observe_full(self, out: np.ndarray | None = None) -> np.ndarray:
        """Everything, (N, ``game.full.layout.size``) float32; no seat may see it."""
        shape = (self.num_envs, self.game.full.layout.size)
        if out is None:
            out = np.empty(shape, np.float32)
        else:
            _fits("out", out, shape, np.float32)
        self._row_threads.run(observe_full_rows, self.states, out, self._table)
        return out

    def information_states(self, seed: int) -> np.ndarray:
        """Copies of the records, each redrawn from ``seed`` as its seat to move knows it."""
        states = self.states.copy()
        seats = np.maximum(self.seat, 0)
        seeds = np.random.default_rng(valid_seed(seed)).integers(
            2**64, size=self.num_envs, dtype=np.uint64
        )
        self._row_threads.run(determinize_rows, states, seats, seeds, self._table)
        return states

    @property
    def returns(self) -> np.ndarray:
        """(N, P) float32, what each seat was paid in all in the row's last finished game."""
        return self.final_states["returns"][:, : self.num_players]

    def get_state(self) -> dict[str, np.ndarray]:
        """Copies of everything that ``set_state`` needs to go on from here, as plain arrays."""
        kept = {name: getattr(self, name).copy() for name in _BUFFERS}
        return {
            **kept,
            "states": np.frombuffer(self.states.tobytes(), np.uint8),
            "final_states": np.frombuffer(self.final_states.tobytes(), np.uint8),
            "rng": self._rng.copy(),
            "seed": np.array([self._seed], np.uint64),
        }

    def set_state(self, state: dict[str, np.ndarray]) -> None:
        """Go on from ``get_state`` of an environment made with the same arguments.

        Raises:
            ValueError: arrays that are missing or of other types or shapes, or records of another
                configuration; nothing is changed.
        """
        check_arrays(state, self.get_state())
        records = {
            name: np.frombuffer(state[name].tobytes(), self.states.dtype)
            for name in ("states", "final_states")
        }
        for name, given in records.items():
            for option in self.options:
                wrong = np.flatnonzero(given[option] != self.states[option])
                if wrong.size:
                    config = self.game.config(given[wrong[0]])
                    raise ValueError(
                        f"{name} holds {config} in row {wrong[0]}, the environment {self.options}"
                    )
        for name, given in records.items():
            getattr(self, name)[:] = given
        for name in _BUFFERS:
            getattr(self, name)[:] = state[name]
        self._rng[:] = state["rng"]
        self._seed = np.uint64(state["seed"][0])
        self._begun = True

    def close(self) -> None:
        """Ends the threads."""
        self._row_threads.close()


def _fits(name: str, array: np.ndarray, shape: tuple[int, ...], dtype: Any) -> None:
    """Kernels write where they are told to: an array of another kind would corrupt memory."""
    if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous:
        raise ValueError(
            f"{name} must be {shape} {np.dtype(dtype)} in C order, not {array.shape} {array.dtype}"
        )
