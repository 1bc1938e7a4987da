"""Positions out of games, and what the actions in them are worth."""

from __future__ import annotations

import numpy as np

import mages_env
from mages_env.agents import make_agent
from mages_env.engine import RUNNING, kernel
from mages_env.engine.functions import bind_determinize, bind_legal, bind_policy, bind_step
from mages_env.engine.random import derive_seed
from mages_env.game import Game


def positions(game: Game, count: int, seed: int, player: str, **options) -> np.ndarray:
    """``count`` records with a choice to make, one of each game that ``player`` plays alone.

    The decision is drawn evenly from all of the game that leave a choice.
    """
    env = mages_env.make_vec(game, count, seed=seed, autoreset="disabled", **options).reset()
    rng = np.random.default_rng(seed)
    table = game.table(policy=make_agent(player, game).policy)
    chosen = env.states.copy()
    choices = np.zeros(count, np.int64)
    actions = np.zeros(count, np.int64)
    while (running := env.seat >= 0).any():
        choice = running & (np.count_nonzero(env.action_mask, axis=1) > 1)
        choices += choice
        # The k-th of a stream replaces what was kept before with probability 1 / k.
        kept = choice & (rng.random(count) * choices < 1)
        chosen[kept] = env.states[kept]
        env.step(env.act(table, running, actions))
    return chosen


def action_values(game: Game, state: np.ndarray, games: int, seed: int, player: str) -> np.ndarray:
    """Mean return (A,) of the seat to move if ``player`` goes on in all seats; NaN if not legal.

    Args:
        game: the game.
        state: array of one record, of which nothing hidden is used.
        games: played from each action, over the same redrawn states.
        seed: of the redrawing.
        player: name of an agent with a compiled policy.
    """
    table = game.table(policy=make_agent(player, game).policy)
    mask = np.zeros(game.num_actions, np.int8)
    game.legal(state[0], mask)
    totals = np.zeros(game.num_actions)
    for action in np.flatnonzero(mask):
        rng = np.array([seed], np.uint64)
        work, scratch = state.copy(), mask.copy()
        totals[action] = total_return(state, work, int(action), games, seed, rng, scratch, table)
    return np.where(mask, totals / games, np.nan)


@kernel
def total_return(root, work, action, games, seed, rng, mask, table):
    """Sum of what the root's seat to move is paid in ``games`` games after ``action``."""
    determinize = bind_determinize(table, root)
    legal = bind_legal(table, root)
    step = bind_step(table, root)
    policy = bind_policy(table, root)
    seat = root[0].seat
    s = work[0]
    total = 0.0
    for i in range(games):
        work[0] = root[0]
        determinize(s, seat, derive_seed(seed, i))
        step(s, action)
        while s.over == RUNNING:
            legal(s, mask)
            step(s, policy(s, mask, rng))
        total += s.returns[seat]
    return total
