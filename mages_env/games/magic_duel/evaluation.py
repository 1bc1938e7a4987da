"""What the units on the board will bring, in victory points; for roll-outs that stop early.

All figures are for the whole game to come and shrink with it. They were fitted by least squares to
games of the rule-based player against itself, with random moves among its own.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float64, int64

from mages_env.engine import RUNNING, compiled, helper
from mages_env.games.magic_duel.board import NEAR_NEXUS
from mages_env.games.magic_duel.data import ACTION_TOKENS, TURNS
from mages_env.games.magic_duel.state import (
    HIT_POINTS,
    MAGES,
    MODELS,
    MOST_VICTORY_POINTS,
    RECORD,
    SCORE,
    SIGNATURES,
    SLOTS,
    WORTH,
)

STRENGTH = np.array([6.3, 6.3, 2.9, 8.3, 10.8])
"""A unit that has all its hit points, by slot."""
TIRED = 0.2
"""Fatigue of a whole unit, a victory point that it is worth."""
BROKEN = 0.47
"""Being broken, a victory point that the unit is worth."""
TOKEN = 0.2
"""A power token."""
HOLD = 1.1
"""Being alone at the Nexus."""
MOVE = 0.45
"""Its being one's own action."""
SPREAD = 8.0
"""Standard deviation of the victory points to come, one side's beyond another's ..."""
END_SPREAD = 0.5
"""... and of what is left of it as the game ends."""

_SHARE = 1.0 / (MODELS * HIT_POINTS)


@helper
def time_left(s):
    """Share of the game to come."""
    tokens = 0
    for side in range(s.num_players):
        tokens += int(s.action_tokens[side])
    share = tokens / float(ACTION_TOKENS * s.num_players)
    return (TURNS - 1 - s.turn + share) / TURNS


@helper
def holder_of_nexus(s):
    """MGD-22: the side that alone is there, or -1."""
    holder = -1
    for side in range(s.num_players):
        for slot in range(SLOTS):
            if s.pool[side, slot] > 0 and s.broken[side, slot] == 0:
                if NEAR_NEXUS[s.square[side, slot]]:
                    if holder >= 0 and holder != side:
                        return -1
                    holder = side
    return holder


@compiled(float64(RECORD, int64))
def prospects(s, side):
    """Victory points that a side has and will get, beyond what all will."""
    worth = 0.0
    for slot in range(SLOTS):
        pool = int(s.pool[side, slot])
        if pool > 0:
            tired = TIRED * s.fatigue[side, slot]
            worth += pool * _SHARE[slot] * (STRENGTH[slot] - tired * WORTH[slot])
            if s.broken[side, slot] != 0:
                worth -= BROKEN * WORTH[slot]
    for mage in range(MAGES):
        worth += TOKEN * s.power_tokens[side, mage]
    if holder_of_nexus(s) == side:
        worth += HOLD
    if s.active == side:
        worth += MOVE
    return s.victory_points[side] + time_left(s) * worth


@compiled(SIGNATURES.evaluate)
def evaluate(s, out):
    """Every seat's expected final return: by rank, the mean of its odds against each other one."""
    n = int(s.num_players)
    if s.over != RUNNING:
        for p in range(n):
            out[p] = s.returns[p]
        return
    spread = END_SPREAD + SPREAD * time_left(s)
    for p in range(n):
        total = 0.0
        if s.terminated[p] != 0:
            out[p] = s.returns[p]
            continue
        own = prospects(s, p)
        for q in range(n):
            if q != p:
                lead = own - prospects(s, q)
                if s.reward == SCORE:
                    total += lead / float(MOST_VICTORY_POINTS[n])
                elif s.terminated[q] != 0:
                    total += 1.0
                else:
                    total += math.erf(lead / (math.sqrt(2.0) * spread))
        out[p] = total / (n - 1)
