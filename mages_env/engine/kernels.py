"""Compiled loops over states that serve every game.

``table`` is a function table (``engine.functions``), ``states`` an array of state records. Every
loop runs over rows ``start`` to ``stop`` so that threads can share the rows among them.
"""

from __future__ import annotations

from mages_env.engine.compile import kernel
from mages_env.engine.functions import (
    bind_determinize,
    bind_legal,
    bind_observe,
    bind_observe_full,
    bind_policy,
    bind_reset,
    bind_step,
)
from mages_env.engine.masks import count_legal, nth_legal
from mages_env.engine.random import derive_seed, randbelow_from
from mages_env.engine.state import NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.engine.views import prefetch, prefetch_row, view

ILLEGAL, CHANGED = -2, -1
"""What ``step_one`` returns beside the next seat: refused, or somebody was paid or is out."""

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
"""Autoreset modes, as Gymnasium names them."""


@kernel
def nth_seed(seed, index):
    """Seed number ``index`` of the family that ``seed`` opens (uint64)."""
    return derive_seed(seed, index)


@kernel
def reset_one(states, seed, mask, observation, table):
    """New game in ``states[0]``; fills mask and observation of the seat to move."""
    s = states[0]
    bind_reset(table, states)(s, seed)
    bind_legal(table, states)(s, mask)
    bind_observe(table, states)(s, s.seat, observation)


@kernel
def refresh_one(states, mask, observation, table):
    """Mask and observation of the seat to move, from a state that was put in; zeros once over."""
    s = states[0]
    if s.over == RUNNING:
        bind_legal(table, states)(s, mask)
        bind_observe(table, states)(s, s.seat, observation)
    else:
        mask[:] = 0
        observation[:] = 0.0


@kernel
def step_one(states, action, mask, observation, shown_mask, table):
    """Step ``states[0]`` if ``action`` is legal by ``mask``; then fill what the next seat sees.

    Returns:
        The next seat; ``ILLEGAL`` if nothing was done; ``CHANGED`` if there were payments or
        somebody is out, so that the caller must look.
    """
    if action < 0 or action >= mask.size or mask[action] == 0:
        return ILLEGAL
    s = states[0]
    num_players = s.num_players
    out_before = 0
    for p in range(num_players):
        out_before += s.terminated[p] + s.truncated[p]
    bind_step(table, states)(s, action)
    if s.over != RUNNING:
        mask[:] = 0
        shown_mask[:] = 0
        return CHANGED
    bind_legal(table, states)(s, mask)
    shown_mask[:] = mask
    bind_observe(table, states)(s, s.seat, observation)
    out = 0
    for p in range(num_players):
        out += s.terminated[p] + s.truncated[p]
        if s.rewards[p] != 0.0:
            return CHANGED
    if out != out_before:
        return CHANGED
    return s.seat


@kernel
def observe_rows(states, seats, observation, table, start, stop):
    """Observation of seat ``seats[i]`` in row i; a negative seat leaves zeros."""
    size = observation.shape[1]
    observe = bind_observe(table, states)
    for i in range(start, stop):
        if seats[i] >= 0:
            observe(states[i], seats[i], view(observation, i * size, size))
        else:
            observation[i, :] = 0.0


@kernel
def observe_full_rows(states, observation, table, start, stop):
    """Observation of everything, by row."""
    size = observation.shape[1]
    observe_full = bind_observe_full(table, states)
    for i in range(start, stop):
        observe_full(states[i], view(observation, i * size, size))


@kernel
def determinize_rows(states, seats, seeds, table, start, stop):
    """Redraw, in place, what seat ``seats[i]`` cannot know in row i."""
    determinize = bind_determinize(table, states)
    for i in range(start, stop):
        determinize(states[i], seats[i], seeds[i])


@kernel
def first_illegal(seat, mask, actions):
    """First running row whose action is out of range or not legal; -1 if there is none."""
    for i in range(seat.size):
        if seat[i] != NOBODY:
            a = actions[i]
            if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
                return i
    return -1


@kernel
def reset_rows(states, rows, seed, episode, game_seed, mask, observation, seat, table, start, stop):
    """New games in the rows where ``rows`` is true; each takes the next seed of its row."""
    actions_size, size = mask.shape[1], observation.shape[1]
    reset = bind_reset(table, states)
    legal = bind_legal(table, states)
    observe = bind_observe(table, states)
    for i in range(start, stop):
        if rows[i]:
            s = states[i]
            game_seed[i] = derive_seed(derive_seed(seed, i), episode[i])
            episode[i] += 1
            reset(s, game_seed[i])
            legal(s, view(mask, i * actions_size, actions_size))
            observe(s, s.seat, view(observation, i * size, size))
            seat[i] = s.seat


@kernel
def step_rows(
    states,
    actions,
    mode,
    seed,
    episode,
    game_seed,
    mask,
    observation,
    seat,
    rewards,
    terminated,
    truncated,
    length,
    final_length,
    final_states,
    table,
    start,
    stop,
):
    """Step every running row; rows that end are kept in ``final_states`` and reset by ``mode``."""
    actions_size, size = mask.shape[1], observation.shape[1]
    reset = bind_reset(table, states)
    legal = bind_legal(table, states)
    step = bind_step(table, states)
    observe = bind_observe(table, states)
    num_players = rewards.shape[1]
    for i in range(start, stop):
        prefetch_row(observation, i)
        s = states[i]
        terminated[i] = False
        truncated[i] = False
        renew = False
        if s.over == RUNNING:
            step(s, actions[i])
            length[i] += 1
            for p in range(num_players):
                rewards[i, p] = s.rewards[p]
            if s.over != RUNNING:
                terminated[i] = s.over == TERMINATED
                truncated[i] = s.over == TRUNCATED
                final_length[i] = length[i]
                final_states[i] = s
                renew = mode == SAME_STEP
        else:
            for p in range(num_players):
                rewards[i, p] = 0.0
            renew = mode == NEXT_STEP
        if renew:
            game_seed[i] = derive_seed(derive_seed(seed, i), episode[i])
            episode[i] += 1
            length[i] = 0
            reset(s, game_seed[i])
        prefetch(states, i + 1)  # only now: too many lines asked for at a time hold up the step
        seat[i] = s.seat
        if s.over == RUNNING:
            legal(s, view(mask, i * actions_size, actions_size))
            observe(s, s.seat, view(observation, i * size, size))
        else:
            mask[i, :] = 0
            observation[i, :] = 0.0


@kernel
def sample_rows(mask, rng, actions, start, stop):
    """A uniformly random legal action in every row (0 where none is), row i from ``rng[i]``."""
    size = mask.shape[1]
    for i in range(start, stop):
        legal = count_legal(mask, i * size, size)
        if legal > 0:
            actions[i] = nth_legal(mask, i * size, size, randbelow_from(view(rng, i, 1), legal))
        else:
            actions[i] = 0


@kernel
def act_rows(states, rows, mask, rng, actions, table, start, stop):
    """The policy's action in every running row where ``rows`` is true, row i from ``rng[i]``."""
    size = mask.shape[1]
    policy = bind_policy(table, states)
    for i in range(start, stop):
        if rows[i] and states[i].over == RUNNING:
            actions[i] = policy(states[i], view(mask, i * size, size), view(rng, i, 1))


@kernel
def rollout_rows(states, mask, rng, table, start, stop):
    """Play the rows to the end, in place, by uniformly random legal actions.

    ``mask`` is scratch (A,) int8, ``rng`` uint64[1]. Returns the number of decisions.
    """
    legal = bind_legal(table, states)
    step = bind_step(table, states)
    decisions = 0
    for i in range(start, stop):
        s = states[i]
        while s.over == RUNNING:
            legal(s, mask)
            n = randbelow_from(rng, count_legal(mask, 0, mask.size))
            step(s, nth_legal(mask, 0, mask.size, n))
            decisions += 1
    return decisions
