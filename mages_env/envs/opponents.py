"""Games in which one seat is the learner's and the others are played inside."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from mages_env.agents.base import Agent
from mages_env.engine import INTERPRETED
from mages_env.engine.kernels import first_illegal
from mages_env.engine.learner_kernels import (
    OUT,
    TURN,
    WAITS,
    advance_rows,
    legal_rows,
    step_seat_rows,
)
from mages_env.game import Game, seed_or_entropy, valid_count, valid_seed

Opponents = str | Agent | Sequence[str | Agent]
"""One for all other seats, or one for each, in order from the seat after the learner's."""

SEATS = ("random", "rotate")


class OpponentBatch:
    """``num_envs`` games, each shown only when it is the learner's turn or the learner is out.

    Args:
        game: the game.
        num_envs: number of games N.
        opponents: names for ``make_agent``, or agents; not used where one plays alone. Those with
            a compiled policy are played without coming back to Python.
        seat: the learner's seat: a number, "random" (drawn anew for each game) or "rotate" (the
            next one in each game of a row).
        num_players: number of seats P, the game's default for None.
        seed: seeds games, seats and opponents; None: fresh entropy.
        encoder: name of the observation, the game's first for None.
        **options: the game's options.

    Buffers (reused: copy what you keep):
        observation: (N, D) float32, what the learner's seat knows, at its end too.
        action_mask: (N, A) int8, all zero where the learner is out.
        learner: (N,) int32, the learner's seat.
        reward: (N,) float32, paid to it since its last decision, on whoever's move.
        terminated, truncated: (N,) bool, the learner is out.
        length: (N,) int64, decisions of all seats so far in the game.
        states: (N,) records.
        game_seed: (N,) uint64.

    Raises:
        ValueError: unknown option, value, encoder, agent, or number of players, seat or opponents.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Opponents = "random",
        seat: int | str = "random",
        num_players: int | None = None,
        seed: int | None = 0,
        encoder: str | None = None,
        **options: Any,
    ) -> None:
        num_envs = valid_count("num_envs", num_envs)
        self.game = game
        self.states = np.repeat(game.new_state(num_players, **options), num_envs)
        self.options = game.config(self.states[0])
        self.num_envs = num_envs
        self.num_players = self.options["num_players"]
        self.encoder = game.encoder(encoder, self.num_players)
        self._seat = _checked_seat(seat, self.num_players)
        self._agents, self._relative = _seated(game, opponents, self.num_players)
        for agent in self._agents:
            agent.check(self.options)
        self._table = game.table(encoder)
        tables = [game.table(encoder, agent.policy) for agent in self._agents]
        self._tables = tables if INTERPRETED else np.array(tables, np.uint64, ndmin=2)
        self._compiled = np.array([agent.policy is not None for agent in self._agents], np.bool_)
        n = num_envs
        self.observation = np.zeros((n, self.encoder.layout.size), np.float32)
        self.action_mask = np.zeros((n, game.num_actions), np.int8)
        self.learner = np.zeros(n, np.int32)
        self.reward = np.zeros(n, np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.length = np.zeros(n, np.int64)
        self.game_seed = np.zeros(n, np.uint64)
        self._status = np.full(n, OUT, np.int8)
        self._players = np.zeros((n, self.num_players), np.int64)
        self._streams = np.zeros(n, np.uint64)
        self._secrets = np.zeros(n, np.uint64)
        self._games = np.zeros(n, np.int64)
        self.seed(seed_or_entropy(seed))

    def seed(self, seed: int) -> None:
        """Begin all sequences of seeds anew; the next ``reset`` uses them."""
        self._seeds = np.random.default_rng(valid_seed(seed))
        self._games[:] = 0

    def reset(self, rows: np.ndarray | None = None, game_seeds: np.ndarray | None = None) -> None:
        """New games, played up to the learner's first turn.

        A game that ends for the learner before it has had a turn is followed by another.

        Args:
            rows: (n,) which rows; None: all.
            game_seeds: (n,) uint64, the seed of each new game itself; None: drawn.
        """
        rows = np.arange(self.num_envs) if rows is None else np.asarray(rows)
        while rows.size:
            numbers = self._seeds.integers(2**64, size=(4, rows.size), dtype=np.uint64)
            self.game_seed[rows] = numbers[0] if game_seeds is None else game_seeds
            self._streams[rows], self._secrets[rows] = numbers[1], numbers[2]
            if self._seat == "random":
                self.learner[rows] = numbers[3] % np.uint64(self.num_players)
            elif self._seat == "rotate":
                self.learner[rows] = (rows + self._games[rows]) % self.num_players
            else:
                self.learner[rows] = self._seat
            self._games[rows] += 1
            after = np.arange(self.num_players) - self.learner[rows, None]
            self._players[rows] = self._relative[after % self.num_players]
            for row in rows:
                self.game.reset(self.states[row], self.game_seed[row])
            self.length[rows] = 0
            self._advance(rows)
            rows, game_seeds = rows[self._status[rows] == OUT], None
        self.reward[:] = 0.0

    def step(self, actions: np.ndarray, check: bool = True) -> np.ndarray:
        """Take the learner's action in every row and play on until it is its turn again.

        Rows that are out, as after the step that ended them, need ``reset`` first.

        Args:
            actions: (N,) integers.
            check: refuse illegal actions; without it they corrupt the game.

        Returns:
            (n,) the rows where the learner is out now.

        Raises:
            IllegalActionError: names the row and the action; no row is stepped.
            RuntimeError: a row is out.
            ValueError: ``actions`` is not (N,) integers.
        """
        if (self._status != TURN).any():
            row = int(np.flatnonzero(self._status != TURN)[0])
            raise RuntimeError(f"the game in row {row} is over or not begun; reset it first")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be ({self.num_envs},) integers, not {given.shape} {given.dtype}"
            )
        actions = np.ascontiguousarray(given, np.int64)
        if check:
            row = first_illegal(self.learner, self.action_mask, actions)
            if row >= 0:
                raise self.illegal_action(row, int(given[row]))
        self.reward[:] = 0.0
        rows = np.arange(self.num_envs)
        self._take(rows, actions)
        self._advance(rows)
        return np.flatnonzero(self._status == OUT)

    def illegal_action(self, row: int, action: Any) -> Exception:
        """The error for an action of the learner that cannot be taken."""
        seat = f"player_{self.learner[row]}"
        return self.game.illegal_action(
            seat if self.num_envs == 1 else f"row {row}, {seat}",
            self.states[row],
            self.action_mask[row],
            action,
        )

    def _take(self, rows: np.ndarray, actions: np.ndarray) -> None:
        step_seat_rows(
            self.states, rows, actions, self.learner, self.reward, self.length, self._table
        )

    def _advance(self, rows: np.ndarray) -> None:
        """Play opponents in ``rows`` until it is the learner's turn or it is out."""
        waiting = rows
        while waiting.size:
            advance_rows(
                self.states,
                waiting,
                self.learner,
                self._players,
                self._tables,
                self._compiled,
                self._streams,
                self.action_mask,
                self.observation,
                self.reward,
                self.length,
                self._status,
                self._table,
            )
            waiting = waiting[self._status[waiting] == WAITS]
            if waiting.size:
                self._ask(waiting)
        over = self._status[rows] == OUT
        seat = self.learner[rows]
        states = self.states[rows]
        self.truncated[rows] = over & (states["truncated"][np.arange(len(rows)), seat] != 0)
        self.terminated[rows] = over & ~self.truncated[rows]

    def _ask(self, rows: np.ndarray) -> None:
        """One decision of agents without a compiled policy in each of ``rows``."""
        from mages_env.training.asking import ask

        players = self._players[rows, self.states["seat"][rows]]
        for k in np.unique(players):
            theirs = rows[players == k]
            states = self.states[theirs]
            mask = np.zeros((theirs.size, self.game.num_actions), np.int8)
            legal_rows(states, mask, self._table)
            actions = ask(self._agents[k], states, mask, self._secrets[theirs], self.length[theirs])
            self._take(theirs, actions)


def _checked_seat(seat: int | str, num_players: int) -> int | str:
    if isinstance(seat, str):
        if seat in SEATS:
            return seat
    elif not isinstance(seat, bool):
        try:
            if 0 <= operator.index(seat) < num_players:
                return operator.index(seat)
        except TypeError:
            pass
    raise ValueError(
        f"seat={seat!r} must be 'random', 'rotate' or a number from 0 to {num_players - 1}"
    )


def _seated(game: Game, opponents: Opponents, num_players: int) -> tuple[list[Agent], np.ndarray]:
    """The agents, and (P,) which of them sits how many seats after the learner (entry 0 unused)."""
    from mages_env.agents import make_agent

    given = [opponents] if isinstance(opponents, str | Agent) else opponents
    if not isinstance(given, Sequence) or not all(isinstance(o, str | Agent) for o in given):
        raise ValueError(
            f"opponents={opponents!r} must be the name of an agent, an agent, or a list of these"
        )
    if num_players == 1:  # nobody to seat
        given = given[:0]
    elif len(given) not in (1, num_players - 1):
        raise ValueError(
            f"opponents must be one, or one for each of the {num_players - 1} other seats, "
            f"not {len(given)}"
        )
    agents: list[Agent] = []
    for opponent in given:
        agent = make_agent(opponent, game) if isinstance(opponent, str) else opponent
        if agent.game is not game:
            raise ValueError(f"agent {agent.name} plays {agent.game.name}, not {game.name}")
        agents.append(agent)
    seats = np.arange(num_players - 1) if len(agents) > 1 else np.zeros(num_players - 1, np.int64)
    return agents, np.concatenate([[0], seats])
