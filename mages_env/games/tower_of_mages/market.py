"""Dice, common ones too, and the Elemental Market. ``p`` is a page."""

from __future__ import annotations

from numba.core import types

from mages_env.engine import compiled, helper, randbelow
from mages_env.games.tower_of_mages.data import DICE, DIE, ELEMENTS, MARKET_CELLS, VALUES
from mages_env.games.tower_of_mages.state import COMMON_DICE, IN_GROUP_2, RECORD


@compiled(types.void(RECORD, types.int64))
def throw(s, p):
    """Three dice onto the table of ``p``."""
    for _ in range(DICE):
        s.dice[p, randbelow(s, DIE)] += 1


@compiled(types.int64(RECORD, types.int64))
def written(s, p):
    """The dice on the table of ``p`` as the digits of a number, 0 for none."""
    number = 0
    for k in range(DIE):
        for _ in range(s.dice[p, k]):
            number = 10 * number + k + 1
    return number


@compiled(types.void(RECORD, types.int64))
def fill(s, p):
    """TOM-04, TOM-11: a column for each die, up to its last cell."""
    for k in range(DIE):
        s.filled[p, k] = min(s.filled[p, k] + s.dice[p, k], MARKET_CELLS - 1)
        s.dice[p, k] = 0


@helper
def element_values(s, p):
    """What each element is worth by the market as it stands."""
    filled = s.filled[p]
    return (
        VALUES[filled[0]],
        VALUES[filled[1]],
        VALUES[filled[2]],
        VALUES[filled[3]],
        VALUES[filled[4]],
        VALUES[filled[5]],
    )


@compiled(types.int64(RECORD, types.int64))
def points(s, p):
    """TOM-13: the score by the market as it stands."""
    total = int(s.bonus[p])
    values = element_values(s, p)
    for element in range(ELEMENTS):
        total += s.icons[p, element] * values[element]
    return total


@helper
def throw_common(s):
    """TOM-21: the six common dice, sorted."""
    for k in range(COMMON_DICE):
        die = 1 + randbelow(s, DIE)
        at = k
        while at > 0 and s.common[at - 1] > die:
            s.common[at] = s.common[at - 1]
            at -= 1
        s.common[at] = die


@compiled(types.int64(RECORD, types.int64))
def in_digits(s, start):
    """Three of the common dice as the digits of a number."""
    number = 0
    for die in range(start, start + DICE):
        number = 10 * number + int(s.common[die])
    return number


@compiled(types.int64(RECORD, types.int64, types.int64))
def group(s, split, second):
    """A group of the common dice as the digits of a number."""
    number = 0
    for die in range(COMMON_DICE):
        if IN_GROUP_2[split, die] == second:
            number = 10 * number + int(s.common[die])
    return number


@compiled(types.int64(RECORD, types.int64))
def split_key(s, split):
    """The same number for equal splits, whichever group is which."""
    one = 0
    two = 0
    for die in range(COMMON_DICE):
        if IN_GROUP_2[split, die] == 1:
            two += 1 << (3 * int(s.common[die]))
        else:
            one += 1 << (3 * int(s.common[die]))
    return min(one, two)
