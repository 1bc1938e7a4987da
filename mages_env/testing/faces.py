"""The environments over the game: batch against AEC, copies, refusals, PettingZoo's own tests."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from pettingzoo.utils.env_logger import EnvLogger

from mages_env.engine.state import RUNNING
from mages_env.envs.aec import Env, RawEnv
from mages_env.envs.vector import VectorEnv
from mages_env.game import Game, IllegalActionError
from mages_env.testing.contract import ContractError, Position, describe
from mages_env.testing.play import random_action
from mages_env.testing.views import shown

CONTINUED = 60
"""Decisions for which copies are followed."""

_EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",  # but a Dict, as PettingZoo's own card games have it
    "Observation space for each agent probably should be",  # the same
    "Action mask numpy array is all zeros",  # whoever is out has nothing to choose
)


def check_refusals(here: Position) -> int:
    """``RawEnv`` refuses every action outside the mask and stays as it was; how many there were."""
    env = RawEnv(here.game, **here.config)
    env.set_game_state(here.state)
    _bury(env)
    size = here.game.num_actions
    forbidden: list[Any] = [
        *np.flatnonzero(here.mask == 0).tolist(),
        -1,
        size,
        2 * size,
        None,
        0.5,
        "0",
    ]
    for action in forbidden:
        try:
            env.step(action)
        except IllegalActionError as error:
            here.require(
                env.agent_selection in str(error),
                "refusal",
                f"action {action!r}: the error does not name the agent: {error}",
            )
        else:
            here.require(False, "refusal", f"action {action!r} is accepted against the mask")
        here.same(here.state, env.game_state(), "refusal", f"action {action!r} changes the record")
    return len(forbidden)


def _bury(env: RawEnv) -> None:
    """Step for everybody who is out, as AEC wants it."""
    while env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
        env.step(None)


class _Row:
    """What a row of the batch showed in its running game."""

    def __init__(self, vec: VectorEnv, row: int) -> None:
        self.seed = int(vec.game_seed[row])
        self.seen: list[tuple[int, bytes, bytes]] = []
        self.actions: list[int] = []
        self.paid: list[bytes] = []
        self.look(vec, row)

    def look(self, vec: VectorEnv, row: int) -> None:
        self.seen.append(
            (int(vec.seat[row]), vec.observation[row].tobytes(), vec.action_mask[row].tobytes())
        )


def check_batch(game: Game, config: dict[str, Any], seed: int, rows: int = 2) -> int:
    """Two games in every row, the second in a record already used, replayed in AEC.

    Returns:
        Games replayed.
    """
    vec = VectorEnv(game, rows, seed=seed, **config)
    vec.reset()
    current = [_Row(vec, row) for row in range(rows)]
    finished = np.zeros(rows, np.int64)
    while (finished < 2).any():
        actions = vec.sample_actions().copy()
        vec.step(actions)
        for row, log in enumerate(current):
            log.actions.append(int(actions[row]))
            log.paid.append(vec.rewards[row].tobytes())
            if vec.terminated[row] or vec.truncated[row]:
                if finished[row] < 2:
                    _replay(game, config, log, vec.final_states[row : row + 1])
                finished[row] += 1
                current[row] = _Row(vec, row)
            else:
                log.look(vec, row)
    vec.close()
    return 2 * rows


def _replay(game: Game, config: dict[str, Any], log: _Row, final: np.ndarray) -> None:
    env = RawEnv(game, **config)
    env.reset(seed=log.seed)
    for number, (action, paid) in enumerate(zip(log.actions, log.paid, strict=True)):
        where = f"{describe(game, config)}, seed={log.seed}, decision {number}"
        _bury(env)
        seen = env.last()[0]
        ours = (
            env.possible_agents.index(env.agent_selection),
            seen["observation"].tobytes(),
            seen["action_mask"].tobytes(),
        )
        for name, batch, aec in zip(
            ("seat", "observation", "mask"), log.seen[number], ours, strict=True
        ):
            if batch != aec:
                raise ContractError("batch", f"the {name} of batch and AEC differ", where)
        env.step(action)
        rewards = np.zeros(config["num_players"], np.float32)
        for agent, reward in env.rewards.items():
            rewards[env.possible_agents.index(agent)] = reward
        if rewards.tobytes() != paid:
            raise ContractError("batch", f"AEC pays {rewards.tolist()}, the batch not", where)
    last = env.game_state()
    for seat in range(config["num_players"]):
        if shown(game, last, seat) != shown(game, final, seat):
            raise ContractError("batch", f"the end differs for seat {seat}", where)


def check_copies(game: Game, config: dict[str, Any], seed: int) -> None:
    """copy, deepcopy and pickle of both environments, in the middle of a game."""
    makers: dict[str, Callable[[Any], Any]] = {
        "copy.copy": copy.copy,
        "copy.deepcopy": copy.deepcopy,
        "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    }
    for kind in (RawEnv, Env):
        for how, make in makers.items():
            where = f"{describe(game, config)}, seed={seed}, {kind.__name__}, {how}"
            env = kind(game, **config)
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            _go_on(env, rng, 4)
            before = env.game_state().tobytes()
            other = make(env)
            rng_2 = copy.deepcopy(rng)
            _go_on(other, rng_2, CONTINUED)
            if env.game_state().tobytes() != before:
                raise ContractError("copies", "stepping the copy changes the original", where)
            _go_on(env, rng, CONTINUED)
            same = env.game_state().tobytes() == other.game_state().tobytes()
            if not same or env.rewards != other.rewards or env.agents != other.agents:
                raise ContractError("copies", "the copy goes on otherwise", where)


def _go_on(env: RawEnv, rng: np.random.Generator, decisions: int) -> None:
    for _ in range(decisions):
        observation, _, terminated, truncated, _ = env.last()
        if env.game_state()[0].over != RUNNING:
            return
        out = terminated or truncated
        env.step(None if out else random_action(observation["action_mask"], rng))


def check_pettingzoo(game: Game, config: dict[str, Any]) -> None:
    """``api_test``, ``seed_test``, ``render_test`` and the tests of ``state()``."""
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state, test_state_space

    def make(kind: type[RawEnv] = Env, render_mode: str | None = None) -> RawEnv:
        known = render_mode in kind.metadata["render_modes"]
        return kind(game, render_mode=render_mode if known else None, **config)

    tests: dict[str, Callable[[], Any]] = {
        "api_test of env": lambda: api_test(make(), num_cycles=500),
        "api_test of raw_env": lambda: api_test(make(RawEnv), num_cycles=500),
        "seed_test": lambda: seed_test(make, num_cycles=100),
        "render_test": lambda: render_test(lambda render_mode: make(render_mode=render_mode)),
        "state_test": lambda: (test_state_space(make()), test_state(make(), 10)),
    }
    for name, test in tests.items():
        where = f"{describe(game, config)}, {name}"
        with _quiet(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                test()
            except AssertionError as error:
                raise ContractError("pettingzoo", str(error), where) from error
        for warning in caught:
            text = str(warning.message)
            if not any(expected in text for expected in _EXPECTED_WARNINGS):
                raise ContractError("pettingzoo", f"warning: {text}", where)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without PettingZoo's prints: its tests report, and play illegal actions on purpose."""
    spoken = EnvLogger._output
    queued = len(EnvLogger.mqueue)
    EnvLogger.suppress_output()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        EnvLogger._output = spoken
        del EnvLogger.mqueue[queued:]
