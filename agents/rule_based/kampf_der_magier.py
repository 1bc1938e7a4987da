"""Kampf der Magier: the play that costs least, in cards expected to be collected."""

from __future__ import annotations

from mages_env.engine import compiled, helper
from mages_env.games.kampf_der_magier.evaluation import BURDEN
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP,
    A_TOP_BALL,
    ACTION_CARDS,
    BALL,
    JOKER,
    SIGNATURES,
)

TAKEN = (1.25, 0.9)
"""A card taken from the table; like the next two: (draw pile empty, draw pile left)."""
SPENT = (0.4, 0.9)
"""A card laid on the table, whatever its kind: good hands last longer, and it may come back."""
SPLIT = (1.5, 1.75)
"""A card of the same power that is kept: sets are worth more than their cards."""
REUSED = 1.0
"""What the top card of the pile saves, which nobody collects twice."""


@helper
def cost(s, action):
    """Cards that taking ``action`` is going to cost the seat to move."""
    hand = s.hand[s.seat]
    left = 1 if s.draw_pile_size > 0 else 0
    if action == A_TAKE:
        return TAKEN[left] * s.table_size
    if action == A_BALL:
        return -BURDEN[left, BALL]
    if action == A_TOP_BALL:
        return -REUSED
    power = ACTION_CARDS[action, 0]
    naturals = ACTION_CARDS[action, 1]
    jokers = ACTION_CARDS[action, 2]
    total = SPENT[left] * (naturals + jokers) - BURDEN[left, JOKER] * jokers
    if naturals > 0:
        total -= BURDEN[left, power - 1] * naturals
        total += SPLIT[left] * (hand[power - 1] - naturals)
    if action >= A_TOP:
        total -= REUSED
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
            price = cost(s, action)
            if price < least:
                least = price
                best = action
    return best
