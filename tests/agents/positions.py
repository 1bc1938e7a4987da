"""Positions in the middle of games, and what agents do in them."""

import numpy as np

from mages_env.agents.base import Agent, Decisions
from mages_env.engine import RUNNING


def random_positions(game, count, seed=0, choice=2, **options):
    """``count`` records (count,) with at least ``choice`` legal actions, from random games."""
    rng = np.random.default_rng(seed)
    mask = np.zeros(game.num_actions, np.int8)
    found = np.zeros(count, game.dtype)
    k = 0
    while True:
        state = game.new_state(**options)[0]
        game.reset(state, rng.integers(2**63, dtype=np.uint64))
        while state.over == RUNNING:
            game.legal(state, mask)
            legal = np.flatnonzero(mask)
            if len(legal) >= choice and rng.random() < 0.1:
                found[k] = state
                k += 1
                if k == count:
                    return found
            game.step(state, int(rng.choice(legal)))


def redrawn(game, states, seed):
    """Copies in which everything is redrawn that the seats to move cannot know."""
    copies = states.copy()
    for i, state in enumerate(copies):
        game.determinize(state, state.seat, np.uint64(seed + i))
    return copies


def masks(game, states):
    found = np.zeros((len(states), game.num_actions), np.int8)
    for state, mask in zip(states, found, strict=True):
        game.legal(state, mask)
    return found


def choices(agent: Agent, states, seed=0):
    """The agent's actions (n,) in ``states``, which are handed over as they are."""
    seeds = np.random.default_rng(seed).integers(2**64, size=len(states), dtype=np.uint64)
    seats = states["seat"].astype(np.int32)
    mask = masks(agent.game, states)
    return agent.act(Decisions(agent.game, seats, mask, seeds, states=states.copy()))


def wins(game, agents, deals, seed=0, **options):
    """Share of first places (n,) by agent; every deal is played once with each in each seat."""
    count = len(agents)
    share = np.zeros(count)
    for deal in range(deals):
        for shift in range(count):
            states = game.new_state(count, **options)
            state = states[0]
            game.reset(state, np.uint64(seed + deal))
            while state.over == RUNNING:
                agent = agents[(state.seat + shift) % count]
                game.step(state, int(choices(agent, states, seed + state.turn)[0]))
            first = state.returns[:count] == state.returns[:count].max()
            share += np.roll(first, shift) / first.sum()
    return share / (deals * count)
