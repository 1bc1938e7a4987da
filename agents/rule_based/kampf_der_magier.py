"""Kampf der Magier: the play that costs least.

Everything has a price in cards collected. The prices are round numbers chosen by hand: what a
person would tell another, not the best that can be found (search and learning are for that).
"""

from __future__ import annotations

from mages_env.engine import compiled, helper
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP,
    A_TOP_BALL,
    ACTION_CARDS,
    SIGNATURES,
)

TAKEN = 1.0
"""A card taken from the table."""
WIZARD = 0.1
"""A point of power spent: low cards go first, and no play is higher than it must be."""
SPECIAL = 1.0
"""A crystal ball or a joker spent."""
KEPT = 0.5
"""A card held back of the power played: sets are strong while they stay together."""
REUSED = -1.0
"""The top card of the own pile, put back into play."""
IDLE = 10.0
"""Leading it alone: if all did, they would take and lead the same card for ever (KDM-17)."""


@helper
def price(s, action):
    """What ``action`` costs the seat to move."""
    if action == A_TAKE:
        return TAKEN * s.table_size
    if action == A_BALL:
        return SPECIAL
    if action == A_TOP_BALL:
        return REUSED if s.table_size > 0 else IDLE
    power = ACTION_CARDS[action, 0]
    naturals = ACTION_CARDS[action, 1]
    jokers = ACTION_CARDS[action, 2]
    if s.table_size == 0 and naturals + jokers == 0:
        return IDLE
    total = WIZARD * power * naturals + SPECIAL * jokers
    if naturals > 0:
        total += KEPT * (s.hand[s.seat, power - 1] - naturals)
    if action >= A_TOP:
        total += REUSED
    return total


@helper
def goes_out(s, action):
    """Whether ``action`` ends the round in the seat's favour (KDM-11)."""
    if action in (A_TAKE, A_TOP_BALL) or s.draw_pile_size > 0:
        return False
    cards = ACTION_CARDS[action, 1] + ACTION_CARDS[action, 2]
    if action == A_BALL:
        cards = 1
    return cards == s.hand_size[s.seat]


@compiled(SIGNATURES.policy)
def policy(s, mask, rng):
    best = -1
    least = 1e9
    for action in range(mask.size):
        if mask[action] != 0:
            if goes_out(s, action):
                return action
            asked = price(s, action)
            if asked < least:
                least = asked
                best = action
    return best
