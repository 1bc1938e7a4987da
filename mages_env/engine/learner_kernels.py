"""Compiled loops for learning: opponents inside the batch, and a game's own estimates.

As in ``engine.kernels``, ``table`` is a function table and ``states`` an array of records.
"""

from __future__ import annotations

from mages_env.engine.compile import kernel
from mages_env.engine.functions import (
    bind_evaluate,
    bind_legal,
    bind_observe,
    bind_policy,
    bind_step,
)
from mages_env.engine.state import RUNNING

WAITS, TURN, OUT = 0, 1, 2
"""Status of a row: an opponent without a compiled policy is to move; the learner is; it is out."""


@kernel
def evaluate_rows(states, estimates, table, start, stop):
    """The game's own estimate of every seat's final return, by row."""
    evaluate = bind_evaluate(table, states)
    for i in range(start, stop):
        evaluate(states[i], estimates[i])


@kernel
def step_seat_rows(states, rows, actions, learner, reward, length, table):
    """``actions[k]`` in row ``rows[k]``.

    ``reward`` (N,) adds up what the learner's seat is paid, ``length`` (N,) decisions.
    """
    step = bind_step(table, states)
    for k in range(rows.size):
        s = states[rows[k]]
        step(s, actions[k])
        reward[rows[k]] += s.rewards[learner[rows[k]]]
        length[rows[k]] += 1


@kernel
def advance_rows(
    states,
    rows,
    learner,
    players,
    tables,
    compiled,
    rng,
    mask,
    observation,
    reward,
    length,
    status,
    table,
):
    """Play compiled opponents in each of ``rows`` until it is the learner's turn or it is out.

    Args:
        rows: (n,) which rows.
        learner: (N,) the learner's seat.
        players: (N, P) which of the opponents holds each seat.
        tables: function tables with a policy, one for each opponent.
        compiled: (K,) bool, False where an opponent has no compiled policy.
        rng: (N,) uint64, the streams of the policies.
        mask, observation: (N, A) and (N, D), filled where it is the learner's turn; the
            observation also at its end.
        reward: (N,) adds up what the learner's seat is paid.
        length: (N,) adds up decisions.
        status: (N,) int8, filled: ``WAITS``, ``TURN`` or ``OUT``.
    """
    legal = bind_legal(table, states)
    step = bind_step(table, states)
    observe = bind_observe(table, states)
    for k in range(rows.size):
        i = rows[k]
        s = states[i]
        me = learner[i]
        status[i] = TURN
        while True:
            if s.over != RUNNING or s.terminated[me] != 0 or s.truncated[me] != 0:
                status[i] = OUT
                mask[i, :] = 0
                break
            if s.seat == me:
                legal(s, mask[i])
                break
            player = players[i, s.seat]
            if not compiled[player]:
                status[i] = WAITS
                break
            legal(s, mask[i])
            policy = bind_policy(tables[player], states)
            step(s, policy(s, mask[i], rng[i : i + 1]))
            reward[i] += s.rewards[me]
            length[i] += 1
        if status[i] != WAITS:
            observe(s, me, observation[i])


@kernel
def legal_rows(states, mask, table):
    """Legal actions of the seat to move, by row."""
    legal = bind_legal(table, states)
    for i in range(states.size):
        legal(states[i], mask[i])
