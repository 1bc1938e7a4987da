"""The same games once more in another process, interpreted if these were compiled."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mages_env.engine import INTERPRETED
from mages_env.engine.state import RUNNING
from mages_env.envs.aec import RawEnv
from mages_env.game import Game, load_game
from mages_env.testing.contract import ContractError, describe, differing_fields
from mages_env.testing.hidden import redrawn
from mages_env.testing.play import random_action
from mages_env.testing.views import encode, estimates, legal_mask, seat_or_first, shown

STRIDE = 12
"""Views are taken, and states redrawn, at every so many decisions; interpreted they are slow."""

Trace = dict[str, list[Any]]


def trace(game: Game, config: dict[str, Any], seed: int) -> Trace:
    """One random game: per decision the record and the mask, at times everything else."""
    state = game.new_state(**config)
    game.reset(state[0], np.uint64(seed))
    rng = np.random.default_rng(seed)
    kept: Trace = {"record": [], "mask": [], "views": []}
    while True:
        mask = legal_mask(game, state)
        number = len(kept["record"])
        over = state[0].over != RUNNING
        kept["record"].append(state.tobytes())
        kept["mask"].append(mask.tobytes())
        kept["views"].append(_views(game, state, number) if over or number % STRIDE == 0 else None)
        if over:
            return kept
        game.step(state[0], random_action(mask, rng))


def _views(game: Game, state: np.ndarray, number: int) -> dict[str, Any]:
    seat = seat_or_first(state)
    views: dict[str, Any] = {
        f"{kind} for seat {seat}": view for kind, view in shown(game, state, seat).items()
    }
    views["observation of everything"] = encode(game.full, state, None).tobytes()
    if game.evaluate is not None:
        views["evaluate"] = estimates(game, state)
    views["determinize"] = redrawn(game, state, seat, number).tobytes()
    return views


def check_other_process(game: Game, games: list[tuple[dict[str, Any], int]]) -> int:
    """Games (configuration, seed) and a pickled environment give the same in another process.

    Returns:
        Decisions compared.
    """
    env, actions, expected = _pickled_game(game, *games[0])
    answered = _ask(game, {"games": games, "env": env, "actions": actions})
    for (config, seed), other in zip(games, answered["traces"], strict=True):
        _compare(game, config, seed, trace(game, config, seed), other)
    if answered["continued"] != expected:
        where = describe(game, games[0][0])
        raise ContractError(
            "copies", "an env pickled into another process goes on otherwise", where
        )
    return sum(len(other["mask"]) - 1 for other in answered["traces"])


def _pickled_game(game: Game, config: dict[str, Any], seed: int) -> tuple[bytes, list[int], bytes]:
    env = RawEnv(game, **config)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        if env.terminations[env.agent_selection]:
            break
        env.step(random_action(env.last()[0]["action_mask"], rng))
    pickled = pickle.dumps(env)
    actions = []
    while env.game_state()[0].over == RUNNING and not env.terminations[env.agent_selection]:
        actions.append(random_action(env.last()[0]["action_mask"], rng))
        env.step(actions[-1])
    return pickled, actions, env.game_state().tobytes()


def _ask(game: Game, request: dict[str, Any]) -> dict[str, Any]:
    where = game.name
    if game.module == "__main__":
        raise ContractError(
            "interpreted",
            "the game is declared in a script; declare it in a module that can be imported, so "
            "that it can be pickled and played in another process",
            where,
        )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        "PYTHONHASHSEED": "12345",
        "NUMBA_DISABLE_JIT": "0" if INTERPRETED else "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        question, answered = Path(folder, "question"), Path(folder, "answer")
        question.write_bytes(pickle.dumps((game.module, game.name, request)))
        program = f"from {__name__} import answer; answer({str(question)!r}, {str(answered)!r})"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            mode = "compiled" if INTERPRETED else "interpreted"
            raise ContractError("interpreted", f"{mode}, it fails:\n{done.stderr}", where)
        return pickle.loads(answered.read_bytes())


def _compare(game: Game, config: dict[str, Any], seed: int, here: Trace, there: Trace) -> None:
    decisions = zip(*here.values(), *there.values(), strict=False)
    for number, (record, mask, views, record_2, mask_2, views_2) in enumerate(decisions):
        differing = []
        if record != record_2:
            one, other = (np.frombuffer(r, game.dtype) for r in (record, record_2))
            differing += [f"field {name}" for name in differing_fields(one, other)] or ["padding"]
        if mask != mask_2:
            differing.append("the mask")
        for kind, view in (views or {}).items():
            if not _same(view, views_2[kind]):
                differing.append(kind)
        if differing:
            raise ContractError(
                "interpreted",
                f"compiled and interpreted differ in {', '.join(differing)}",
                f"{describe(game, config)}, seed={seed}, decision {number}",
            )


def _same(view: Any, other: Any) -> bool:
    if isinstance(view, np.ndarray):  # functions such as erf differ in their last bits
        return np.allclose(view, other, atol=1e-6)
    return view == other


def answer(question: str, path: str) -> None:
    """What the other process does: answers a pickled question with a file at ``path``."""
    module, name, request = pickle.loads(Path(question).read_bytes())
    game = load_game(module, name)
    env = pickle.loads(request["env"])
    for action in request["actions"]:
        env.step(action)
    traces = [trace(game, config, seed) for config, seed in request["games"]]
    answered = {"traces": traces, "continued": env.game_state().tobytes()}
    Path(path).write_bytes(pickle.dumps(answered))
