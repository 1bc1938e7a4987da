"""Information-set Monte Carlo tree search over any game, with any number of seats."""

from __future__ import annotations

import math
import operator
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from mages_env.agents.base import Agent, Decisions
from mages_env.agents.rule_based import rule_based_policy, why_none
from mages_env.agents.search.kernels import iterate, node_dtype, plant, root_statistics
from mages_env.engine.random import derive_seed
from mages_env.engine.state import NOBODY, RUNNING
from mages_env.game import Game, valid_seed

ITERATIONS = 1000
EXPLORATION = 0.3
MAX_NODES = 1 << 18

_ROLLOUTS = ("rule_based", "random")
_NEVER = 1 << 30
_FIRST_CHUNK = 32
_LONGEST_CHUNK = 0.05  # seconds between looks at the clock and for an interrupt


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about the actions at its root.

    Attributes:
        action: the most visited one, of these the one of the highest value.
        visits: (A,) int64; their sum is ``iterations``.
        available: (A,) int64, iterations in which the action could have been chosen.
        values: (A, P) float64, mean result by seat; NaN where never visited.
        iterations: games begun from the root.
        nodes: nodes in the tree, the root among them.
    """

    action: int
    visits: np.ndarray
    available: np.ndarray
    values: np.ndarray
    iterations: int
    nodes: int


class Searcher:
    """Searches one game again and again with the same memory; arguments as for ``search``."""

    def __init__(
        self,
        game: Game,
        iterations: int | None = None,
        time_ms: float | None = None,
        rollout: str | None = None,
        exploration: float = EXPLORATION,
        randomness: float = 0.0,
        horizon: int | str | None = None,
        max_nodes: int = MAX_NODES,
        widening: float | None = None,
    ) -> None:
        if iterations is not None and time_ms is not None:
            raise ValueError("iterations=... and time_ms=... exclude each other")
        if time_ms is None:
            iterations = ITERATIONS if iterations is None else iterations
        self._game = game
        self._iterations = None if iterations is None else _whole("iterations", iterations, 1)
        self._seconds = math.inf if time_ms is None else _real("time_ms", time_ms) / 1000
        self._exploration = _real("exploration", exploration)
        self._widening = _real("widening", game.widening if widening is None else widening)
        randomness = _real("randomness", randomness, 1.0)
        self._policy, self._randomness = _rollout(game, rollout, randomness)
        self._depth, self._stages = _horizon(game, horizon)
        nodes = _whole("max_nodes", max_nodes, game.num_actions + 1)
        if self._iterations is not None:
            nodes = min(nodes, self._iterations + 1)
        self._nodes = np.empty(nodes, node_dtype(game.max_players))
        self._used = np.zeros(1, np.int64)
        self._work = np.empty(1, game.dtype)
        self._mask = np.empty(game.num_actions, np.int8)
        self._result = np.empty(game.max_players, np.float32)
        self._bind()

    def _bind(self) -> None:
        self._table = self._game.table(policy=self._policy)

    # Copies and pickles hold everything but machine addresses.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_table"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def run(self, state: np.ndarray, seat: int, seed: int) -> SearchResult:
        """Search from ``state``, an array of one record in which ``seat`` is to move."""
        rng = np.array([seed], np.uint64)
        span = np.array([math.inf, -math.inf])
        self._used[0] = 1
        plant(self._nodes)
        done = 0
        start = time.perf_counter()
        while chunk := self._chunk(done, time.perf_counter() - start):
            iterate(
                state,
                int(seat),
                chunk,
                self._nodes,
                self._used,
                span,
                self._exploration,
                self._widening,
                self._game.paired,
                np.uint64(derive_seed(np.uint64(seed), np.uint64(1))),
                self._randomness,
                self._depth,
                self._stages,
                self._work,
                self._mask,
                self._result,
                rng,
                self._table,
            )
            done += chunk
        return self._report(done, int(seat), int(state[0]["num_players"]))

    def _chunk(self, done: int, elapsed: float) -> int:
        """Iterations until the next look at the clock; 0: enough."""
        chunk = _FIRST_CHUNK
        if done > 0:
            left = self._seconds - elapsed
            if left <= 0:
                return 0
            chunk = 1 + int(done / elapsed * min(left / 2, _LONGEST_CHUNK))
        return chunk if self._iterations is None else min(chunk, self._iterations - done)

    def _report(self, iterations: int, seat: int, num_players: int) -> SearchResult:
        size = self._game.num_actions
        visits = np.zeros(size, np.int64)
        available = np.zeros(size, np.int64)
        totals = np.zeros((size, num_players))
        root_statistics(self._nodes, visits, available, totals)
        with np.errstate(invalid="ignore"):
            values = totals / visits[:, None]
        seat_values = np.where(visits == visits.max(), values[:, seat], -np.inf)
        return SearchResult(
            int(seat_values.argmax()), visits, available, values, iterations, int(self._used[0])
        )


def search(
    game: Game,
    state: np.ndarray,
    seat: int | None = None,
    *,
    iterations: int | None = None,
    time_ms: float | None = None,
    seed: int = 0,
    rollout: str | None = None,
    exploration: float = EXPLORATION,
    randomness: float = 0.0,
    horizon: int | str | None = None,
    max_nodes: int = MAX_NODES,
    widening: float | None = None,
) -> SearchResult:
    """Search a position for the seat to move, as it knows it.

    Every iteration redraws what the seat cannot know, so the state may be a true one: nothing
    hidden in it has any influence. Opponents are taken to see the actions of all.

    Args:
        game: the game.
        state: a record of the game or an array of one; not changed.
        seat: who searches; None: the seat to move, and no other can.
        iterations: how many games to begin from the root, 1,000 unless ``time_ms`` is given; the
            result then depends on nothing but the arguments.
        time_ms: milliseconds to search for, instead.
        seed: 0 to 2**64 - 1, opens the search's own stream.
        rollout: "rule_based" or "random", how games go on past the tree; None: rule-based where
            the game has such a player.
        exploration: weight of the width of the confidence bounds, in units of the distance
            between the best and the worst result seen.
        randomness: probability of a random action instead of the rule-based player's.
        horizon: how far games are played past the tree before the game's ``evaluate`` steps in:
            a number of decisions, but no further than the stage (round) lasts; "stage"; or "end",
            to play them out. None: the game's own where it has ``evaluate``, else "end".
        max_nodes: size of the memory, 24 bytes and 4 a seat each; once full, the tree stays as
            it is and is still searched.
        widening: a position that was visited n times has tried sqrt(n / widening) of its actions,
            the rule-based player's first; 0: all, one after another. None: the game's own.

    Returns:
        Visits, availability and values of all A actions.

    Raises:
        ValueError: a value that does not fit, or a state in which ``seat`` is not to move.
    """
    root = np.array(state).reshape(-1)
    if root.dtype != game.dtype or root.size != 1:
        raise ValueError(f"state must be one record of {game.name}, not {root.size} {root.dtype}")
    mover = int(root[0]["seat"])
    if mover == NOBODY:
        ended = root[0]["over"] != RUNNING
        raise ValueError(f"the game {'is over' if ended else 'has not begun'}: nobody is to move")
    if seat is not None and seat != mover:
        raise ValueError(f"seat {seat} is not to move, seat {mover} is")
    searcher = Searcher(
        game, iterations, time_ms, rollout, exploration, randomness, horizon, max_nodes, widening
    )
    return searcher.run(root, mover, valid_seed(seed))


class ISMCTSAgent(Agent):
    """Plays what ``search`` visits most; forced moves at once. Arguments as for ``search``."""

    wants_states = True

    def __init__(
        self,
        game: Game,
        iterations: int | None = None,
        time_ms: float | None = None,
        rollout: str | None = None,
        exploration: float = EXPLORATION,
        randomness: float = 0.0,
        horizon: int | str | None = None,
        max_nodes: int = MAX_NODES,
        widening: float | None = None,
    ) -> None:
        super().__init__(game)
        self._searcher = Searcher(
            game,
            iterations,
            time_ms,
            rollout,
            exploration,
            randomness,
            horizon,
            max_nodes,
            widening,
        )
        budget = f"{iterations or ITERATIONS}" if time_ms is None else f"{time_ms:g} ms"
        others = {
            "rollout": (rollout, None),
            "exploration": (exploration, EXPLORATION),
            "randomness": (randomness, 0.0),
            "horizon": (horizon, None),
            "max_nodes": (max_nodes, MAX_NODES),
            "widening": (widening, None),
        }
        named = [f"{name}={given}" for name, (given, usual) in others.items() if given != usual]
        self.name = f"ismcts({', '.join([budget, *named])})"

    def act(self, decisions: Decisions) -> np.ndarray:
        assert decisions.states is not None
        actions = decisions.action_mask.argmax(axis=1)
        for i in np.flatnonzero(decisions.action_mask.sum(axis=1) > 1):
            state = decisions.states[i : i + 1]
            actions[i] = self._searcher.run(state, decisions.seats[i], decisions.seeds[i]).action
        return actions


def _whole(name: str, value: Any, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or number < least:
        raise ValueError(f"{name}={value!r} must be a whole number, at least {least}")
    return number


def _real(name: str, value: Any, most: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        upper = "" if most == math.inf else f", at most {most:g}"
        raise ValueError(f"{name}={value!r} must be a number, at least 0{upper}")
    return float(value)


def _rollout(game: Game, rollout: str | None, randomness: float) -> tuple[Any, float]:
    """Policy of the roll-outs, None for a random one, and how often it is put aside."""
    if rollout not in (None, *_ROLLOUTS):
        raise ValueError(f"rollout={rollout!r} must be one of {', '.join(_ROLLOUTS)}")
    policy = None if rollout == "random" else rule_based_policy(game)
    if rollout == "rule_based" and policy is None:
        raise ValueError(f"rollout='rule_based': {why_none(game)}")
    return policy, 1.0 if policy is None else randomness


def _horizon(game: Game, horizon: int | str | None) -> tuple[int, int]:
    """Decisions and stages until the evaluation."""
    if horizon is None:
        horizon = game.horizon if game.evaluate else "end"
    if horizon == "end":
        return _NEVER, _NEVER
    if not game.evaluate:
        raise ValueError(f"horizon={horizon!r}: {game.name} has no evaluation, only 'end' will do")
    if horizon == "stage":
        return _NEVER, 1
    if isinstance(horizon, str):
        raise ValueError(f"horizon={horizon!r} must be a number, 'stage' or 'end'")
    return _whole("horizon", horizon, 0), 1
