"""Asking an agent for actions: it is handed what its seats may know and nothing else."""

from __future__ import annotations

import hashlib

import numpy as np

from mages_env.agents.base import Agent, Decisions
from mages_env.engine.kernels import determinize_rows, observe_rows
from mages_env.engine.random import mix64

_mix = getattr(mix64, "py_func", mix64)  # the plain function takes whole arrays


def secret_of(game_seed: int) -> int:
    """The number that an agent's seeds in a game are drawn from (uint64).

    It follows from the seed of the game, but the seed, and with it the deal, does not follow from
    it: the generator of the games can be run backwards, a hash cannot.
    """
    digest = hashlib.blake2b(int(game_seed).to_bytes(8, "little"), digest_size=8, person=b"agents")
    return int.from_bytes(digest.digest(), "little")


def decision_seeds(secrets: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Seeds for the agent's own chance and for redrawing what it cannot know.

    Args:
        secrets: (n,) uint64, ``secret_of`` each game.
        numbers: (n,) integers, decisions taken before this one in each game.

    Returns:
        Two (n,) uint64 arrays.
    """
    streams = _mix(np.asarray(secrets, np.uint64))
    steps = np.asarray(numbers, np.uint64) * np.uint64(2)
    return _mix(streams + steps), _mix(streams + steps + np.uint64(1))


def ask(
    agent: Agent,
    states: np.ndarray,
    action_mask: np.ndarray,
    secrets: np.ndarray,
    numbers: np.ndarray,
) -> np.ndarray:
    """The agent's actions for the seats to move.

    Args:
        agent: who decides.
        states: (n,) records, copies that may be changed.
        action_mask: (n, A) int8, a copy likewise.
        secrets, numbers: as for ``decision_seeds``.

    Returns:
        (n,) int64, all legal.

    Raises:
        IllegalActionError: the agent gave an action that is not legal.
        ValueError: it gave something that is not n integers.
    """
    game = agent.game
    n = len(states)
    seats = np.ascontiguousarray(states["seat"], np.int32)
    seeds, redraw = decision_seeds(secrets, numbers)
    legal = action_mask.astype(bool)
    before = states.copy() if agent.wants_states else states
    observation = None
    if agent.encoder is not None:
        observation = np.empty((n, game.encoder(agent.encoder).layout.size), np.float32)
        observe_rows(states, seats, observation, game.table(agent.encoder), 0, n)
    if agent.wants_states:
        determinize_rows(states, seats, redraw, game.table(), 0, n)
    actions = np.asarray(
        agent.act(
            Decisions(
                game=game,
                seats=seats.copy(),
                action_mask=action_mask,
                seeds=seeds,
                observation=observation,
                states=states if agent.wants_states else None,
            )
        )
    )
    if actions.shape != (n,) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"agent {agent.name} must give ({n},) integers, not {actions.shape} {actions.dtype}"
        )
    actions = actions.astype(np.int64)
    inside = (actions >= 0) & (actions < legal.shape[1])
    wrong = np.flatnonzero(~(inside & legal[np.arange(n), np.where(inside, actions, 0)]))
    if len(wrong):
        row = wrong[0]
        raise game.illegal_action(
            f"agent {agent.name} as player_{seats[row]}",
            before[row],
            legal[row],
            int(actions[row]),
        )
    return actions
