"""What hit points, items and companions are worth; for roll-outs that stop early.

Worth is counted in hit points. The prices are round numbers near a fit to games between
rule-based players of 2 to 8 seats.
"""

from __future__ import annotations

import math

import numpy as np
from numba.core import types

from mages_env.engine import RUNNING, compiled, helper

from .deck import COLUMN
from .defeat import living, sides
from .state import ATTACKER, CARD, NONE, SIGNATURES, SLOTS, rule

WORTH = types.float64
_PRICES = {
    "passive_atk": 4.0,
    "passive_level": 6.0,
    "passive_ac": 4.0,
    "passive_save": 1.5,
    "reduce": 6.0,
    "regen": 7.0,
    "no_dot": 3.0,
    "second_chance": 0.5,
}
ITEM = np.sum([price * CARD[:, COLUMN[name]] for name, price in _PRICES.items()], axis=0)
"""What an item is worth while it is worn, by kind."""
DEFENCE = 4.0
"""A defender, which takes the whole of the attack that fells it ..."""
COVER = 1.0
"""... and each of its hit points."""
BITES = 3.0
"""Turns in which an attacker bites."""
_N, _SIDES, _ATK = (CARD[:, COLUMN[name]] for name in ("n", "sides", "atk"))
BITE = _N * (_SIDES + 1) / 2 * np.clip((10 + _ATK) / 20, 0.05, 0.95)
"""What a companion's attack takes on average, by kind."""
POOL = 0.8
"""A point of Magic Shield."""
CARD_HELD = 1.5
"""A card in hand."""
STEEPNESS = 0.017
"""How much more likely to stay longer a point makes."""


@helper
def body_worth(kind, mode, hp):
    """A companion of so many hit points."""
    if mode == ATTACKER:
        return BITES * BITE[kind]
    return DEFENCE + COVER * hp


@helper
def companion_worth(s, p):
    if s.companion[p] == NONE:
        return 0.0
    return body_worth(int(s.companion[p]), s.mode[p], int(s.companion_hp[p]))


@compiled(rule(1, WORTH))
def strength(s, side):
    """How a side stands: the sum of its living members."""
    total = 0.0
    for p in range(side, s.num_players, sides(s)):
        if s.alive[p] != 0:
            total += int(s.hp[p]) + POOL * int(s.pool[p]) + companion_worth(s, p)
            total += CARD_HELD * int(s.hand_size[p])
            for slot in range(SLOTS):
                if s.items[p, slot] != NONE:
                    total += ITEM[s.items[p, slot]]
    return total


@compiled(SIGNATURES.evaluate)
def evaluate(s, out):
    """Every seat's expected final return.

    ALL-04, DM-38: places; which of two sides stays longer is as likely as their strengths differ.
    """
    for p in range(s.num_players):
        out[p] = s.returns[p]
    if s.over != RUNNING:
        return
    n = sides(s)
    share = 1.0 / (n - 1)
    staying = 0
    for side in range(n):
        staying += living(s, side) > 0
    for side in range(n):
        if living(s, side) == 0:
            continue
        own = strength(s, side)
        value = 1.0 - (staying - 1) * share
        for other in range(n):
            if other != side and living(s, other) > 0:
                lead = STEEPNESS * (own - strength(s, other))
                value += share * lead / math.sqrt(1.0 + lead * lead)
        for p in range(side, s.num_players, n):
            out[p] = value
