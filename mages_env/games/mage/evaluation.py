"""What life, court and hand are worth; for roll-outs that stop early.

The weights are rounded from a fit to games between rule-based players of 2 to 6 seats.
"""

from __future__ import annotations

import math

from mages_env.engine import RUNNING, compiled, helper
from mages_env.games.mage.state import (
    COURT,
    DIAMOND,
    HAND,
    JOKER,
    ROYAL,
    ROYALS,
    SHOWN,
    SIGNATURES,
    VALUE,
)

LIFE = 0.05
"""A point of life."""
LAST_LIFE = 0.2
"""What each of the last ten is worth beyond that."""
LAST = 10
IN_PLAY = 0.2
"""A royal in play."""
ATTACK = 0.1
"""A point of its attack, shared among the opponents."""
HEALTH = 0.02
"""A point of its health."""
READY = 0.05
"""A point of a diamond or a royal in hand."""


@helper
def strength(s, p):
    """How seat ``p`` stands, up to a sum that all share."""
    life = int(s.life[p])
    points = LIFE * life + LAST_LIFE * min(life, LAST)
    attack = 0
    for r in range(ROYALS):
        if s.where[ROYAL + r] == COURT + p:
            points += IN_PLAY + HEALTH * (int(s.health[r]) - int(s.damage[r]))
            attack += max(0, int(s.attack[r]))
    points += ATTACK * attack / (s.num_players - 1)
    value = 0
    for c in range(DIAMOND, JOKER):
        if s.where[c] == HAND + p or s.where[c] == SHOWN + p:
            value += int(VALUE[c])
    return points + READY * value


@compiled(SIGNATURES.evaluate)
def evaluate(s, out):
    """Every seat's expected final return, from all hands: meant for redrawn states.

    ALL-04: places; who is ahead of whom is as likely as their strengths differ.
    """
    for p in range(s.num_players):
        out[p] = s.returns[p]
    if s.over != RUNNING:
        return
    staying = 0
    for p in range(s.num_players):
        staying += s.terminated[p] == 0
    share = 1.0 / (s.num_players - 1)
    for p in range(s.num_players):
        if s.terminated[p] == 0:
            out[p] = 1.0 - (staying - 1) * share
    for p in range(s.num_players):
        if s.terminated[p] != 0:
            continue
        own = strength(s, p)
        for q in range(p + 1, s.num_players):
            if s.terminated[q] == 0:
                lead = own - strength(s, q)
                lead *= share / math.sqrt(1.0 + lead * lead)
                out[p] += lead
                out[q] -= lead
