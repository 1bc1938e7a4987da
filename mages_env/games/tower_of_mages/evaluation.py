"""What a page will bring, in points at the end; for roll-outs that stop early.

What an element is worth follows from the dice yet to be thrown for the market. The constants were
fitted together: with them the mean score of the rule-based player, whose choices are made by
these figures, is highest.
"""

from __future__ import annotations

import math

import numpy as np
from numba.core import types

from mages_env.engine import RUNNING, compiled, helper
from mages_env.games.tower_of_mages.data import (
    COLUMN_OF,
    DICE,
    DIE,
    DISTORTER_ICON,
    ELEMENTS,
    FITS,
    GOOD_SCORE,
    HIGH,
    HOURGLASSES,
    LIBRARY_POINTS,
    MARKET,
    MARKET_CELLS,
    NONE,
    NUM_EYES,
    NUM_ROOMS,
    PREDICTOR_ICON,
    ROW_OF,
    ROWS,
    TOWER_CAP,
    WIDE,
    WINDOW,
)
from mages_env.games.tower_of_mages.state import (
    BUILD,
    CHAIN_BITS,
    CHAIN_MASK,
    EXPLODE,
    RECORD,
    SCORE,
    SIGNATURES,
)

SPACE = 2.4
"""A free dot at the ground on which any room fits."""
CAPS = 0.23
"""Share of a chain's worth that a free dot on top of it has, for Tower Caps to come."""
RISE = 0.4
"""By how much an element is worth more when a Tower Cap is built than at the end."""
SET = 15.0
"""One room of each element, for a Library to come ..."""
MISSING = 0.7
"""... of which each that is missing leaves so much ..."""
NEXT_SET = 0.5
"""... and the second one of each adds so much."""
DISTORT = 0.3
"""A Distorter, for each Market Phase to come."""
PREDICTOR = 0.6
"""A Predictor: an Explosion may take it."""
USED = 15
"""Dice yet to be used with which half of what a page offers will be used."""
LATER = 0.0187
"""What they will bring beyond that, by the square of their number."""
SPREAD = 130.0
"""Variance of what a page will bring, if all that it offers were used."""

FINAL = np.zeros((DICE * NUM_EYES + 1, MARKET_CELLS))
"""Expected value of an element at the end: [dice yet to be thrown for the market, filled cells]."""
FINAL[0] = MARKET
for _n in range(1, len(FINAL)):
    _next = np.append(FINAL[_n - 1, 1:], FINAL[_n - 1, -1])
    FINAL[_n] = FINAL[_n - 1] + (_next - FINAL[_n - 1]) / DIE

HOPE = np.array([n / (n + USED) for n in range(DICE * HOURGLASSES + 1)])
"""How much of what a page offers will be used: [dice yet to be used]."""
GROWTH = np.array([int(rooms).bit_count() / NUM_ROOMS for rooms in FITS])
"""Share of the rooms that fit, by covered cells of the window around a dot."""
LOW = np.array([1.0 - row / ROWS for row in range(ROWS + 1)])
"""Share of the plan above a dot, by row."""
SETS = np.array([SET * MISSING**lack for lack in range(ELEMENTS + 1)])
"""One room of each element, by how many are missing."""


@helper
def window(s, p, cell):
    """Covered cells of the window around ``cell``, as FITS has it."""
    row = ROW_OF[cell]
    column = COLUMN_OF[cell]
    covered = 0
    for y in range(HIGH):
        covered |= ((int(s.covered[p, row + y]) >> column) & WINDOW) << (WIDE * y)
    return covered


@helper
def market_dice(s, p):
    """Dice yet to be thrown for the market."""
    return DICE * (NUM_EYES - int(s.eyes[p]))


@helper
def dice_left(s, p):
    """Dice yet to be used for building, those on the table among them."""
    left = DICE * (HOURGLASSES - int(s.hourglasses[p]))
    if p == s.seat and BUILD <= s.phase <= EXPLODE:
        left -= DICE
        for k in range(DIE):
            left += int(s.dice[p, k])
    return left


@compiled(types.int64(RECORD, types.int64, types.int64))
def lacking(s, p, copies):
    """Elements of which there are fewer than so many."""
    count = 0
    for element in range(ELEMENTS):
        count += s.icons[p, element] < copies
    return count


@compiled(types.float64(RECORD, types.int64, types.int64, types.int64))
def icon_worth(s, p, icon, more):
    """What another icon will bring (``more`` is 1), or one that is there (0)."""
    hope = HOPE[dice_left(s, p)]
    if icon == PREDICTOR_ICON:
        return PREDICTOR * hope
    if icon == DISTORTER_ICON:
        return DISTORT * (NUM_EYES - int(s.eyes[p]))
    worth = FINAL[market_dice(s, p), s.filled[p, icon]]
    copies = int(s.icons[p, icon]) + more
    if copies <= 2:
        lack = lacking(s, p, copies) - more
        gain = SETS[lack] - SETS[lack + 1]
        worth += hope * (gain if copies == 1 else NEXT_SET * gain)
    return worth


@helper
def library_worth(s, p):
    """What a Library will bring, less the rooms that it costs."""
    worth = float(LIBRARY_POINTS)
    left = market_dice(s, p)
    for element in range(ELEMENTS):
        worth -= FINAL[left, s.filled[p, element]]
    second = SETS[lacking(s, p, 2)]
    third = SETS[lacking(s, p, 3)]
    change = second + NEXT_SET * third - (SETS[0] + NEXT_SET * second)
    return worth + HOPE[dice_left(s, p)] * change


@helper
def chain_worth(s, p, chain):
    """What a Tower Cap above these elements will bring."""
    worth = 0.0
    left = market_dice(s, p)
    for element in range(ELEMENTS):
        count = (chain >> (CHAIN_BITS * element)) & CHAIN_MASK
        worth += count * (FINAL[left, s.filled[p, element]] + RISE)
    return worth


@helper
def dot_worth(covered, row, chain):
    """A free dot, by its window, its row and the worth of the chain below."""
    worth = SPACE * GROWTH[covered] * LOW[row]
    if chain > 0.0 and (FITS[covered] >> TOWER_CAP) & 1:
        worth += CAPS * chain
    return worth


@compiled(types.float64(RECORD, types.int64))
def page_worth(s, p):
    """The score to be expected of a page."""
    worth = float(s.bonus[p])
    left = market_dice(s, p)
    for element in range(ELEMENTS):
        worth += s.icons[p, element] * FINAL[left, s.filled[p, element]]
    if s.ended[p] != 0:
        return worth
    worth += DISTORT * (NUM_EYES - int(s.eyes[p])) * s.icons[p, DISTORTER_ICON]
    offers = SETS[lacking(s, p, 1)] + NEXT_SET * SETS[lacking(s, p, 2)]
    offers += PREDICTOR * s.icons[p, PREDICTOR_ICON]
    for dot in range(s.num_dots[p]):
        cell = int(s.dot_cell[p, dot])
        below = s.dot_piece[p, dot]
        chain = 0.0
        if below != NONE:
            chain = chain_worth(s, p, int(s.piece_chain[p, below]))
        offers += dot_worth(window(s, p, cell), ROW_OF[cell], chain)
    dice = dice_left(s, p)
    return worth + HOPE[dice] * offers + LATER * dice * dice


@compiled(SIGNATURES.evaluate)
def evaluate(s, out):
    """Every seat's expected final return."""
    if s.over != RUNNING:
        for p in range(s.num_players):
            out[p] = s.returns[p]
    elif s.reward == SCORE:
        for p in range(s.num_players):
            out[p] = page_worth(s, p) / GOOD_SCORE
    else:  # ALL-04: the odds of a normal distribution
        lead = page_worth(s, 0) - page_worth(s, 1)
        variance = 1.0
        for p in range(2):
            if s.ended[p] == 0:
                variance += SPREAD * HOPE[dice_left(s, p)]
        out[0] = math.erf(lead / math.sqrt(2.0 * variance))
        out[1] = -out[0]
