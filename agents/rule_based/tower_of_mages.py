"""Tower of Mages: what brings most, by the worth of icons, sites and free dots.

A die is chosen with the others on the table in mind, for the mark moves with each; but every room
as if it were the next to be built.
"""

from __future__ import annotations

import numpy as np
from numba import types

from mages_env.engine import compiled, helper
from mages_env.games.tower_of_mages.building import chain_value
from mages_env.games.tower_of_mages.data import (
    COLUMN_OF,
    DIE,
    DISTORTER_ICON,
    DOT_STEPS,
    ELEMENTS,
    EXPLOSION,
    FITS,
    HEIGHT,
    HIGH,
    ICON_OF,
    LABORATORY,
    LEFT,
    LIBRARY,
    MARKET_CELLS,
    NONE,
    NUM_DOTS,
    NUM_ICONS,
    NUM_ROOMS,
    OBSERVATORY,
    OBSERVATORY_ROOMS,
    PIECES,
    ROOM_AT,
    ROW_OF,
    ROWS,
    STAIRWELL,
    TABLE_ROWS,
    TOWER_CAP,
    WIDE,
)
from mages_env.games.tower_of_mages.evaluation import (
    FINAL,
    HOPE,
    RISE,
    chain_worth,
    dice_left,
    dot_worth,
    icon_worth,
    lacking,
    library_worth,
    market_dice,
    window,
)
from mages_env.games.tower_of_mages.market import element_values
from mages_env.games.tower_of_mages.state import (
    A_CELL,
    A_EXPLODE,
    A_GROUP,
    A_KEEP,
    A_LIBRARY,
    A_REROLL,
    A_ROOM,
    A_SPLIT,
    A_STAIRWELL,
    BUILD,
    COMMON_DICE,
    EXPLODE,
    IN_GROUP_2,
    MARKET,
    PLACE,
    PREDICT,
    RECORD,
    SIGNATURES,
    SPLIT,
)

LAST = 1.0
"""What each die would have brought that cannot be used since the page has ended."""
NEVER = -1e6
"""Less than anything that can be brings."""

SHADOW = np.zeros((NUM_ROOMS, 2 * HIGH, 2 * WIDE - 1), np.int64)
"""What a piece covers of the window around another cell: [room, rows up, columns right].

Rows are counted from -(HIGH - 1), columns from -(WIDE - 1).
"""
for _room, _piece in enumerate(PIECES):
    for _up, _right in np.ndindex(SHADOW.shape[1:]):
        for _x, _y in _piece.cells:
            _column = _x - (_right - (WIDE - 1)) + LEFT
            _row = _y - (_up - (HIGH - 1))
            if 0 <= _column < WIDE and 0 <= _row < HIGH:
                SHADOW[_room, _up, _right] |= 1 << (_column + WIDE * _row)


@helper
def change_of_dots(s, p, room, dot, icon, chain):
    """By how much the free dots are worth more with a room on one of them."""
    cell = int(s.dot_cell[p, dot])
    row = ROW_OF[cell]
    column = COLUMN_OF[cell]
    below = chain_worth(s, p, chain)
    worth = -dot_worth(window(s, p, cell), row, below)
    if 0 <= icon < ELEMENTS:
        below += FINAL[market_dice(s, p), s.filled[p, icon]] + RISE
    for k in range(NUM_DOTS[room]):
        above = cell + DOT_STEPS[room, k]
        y = ROW_OF[above] - row
        x = COLUMN_OF[above] - column
        covered = window(s, p, above) | SHADOW[room, y + HIGH - 1, x + WIDE - 1]
        worth += dot_worth(covered, row + y, below)
    for other in range(s.num_dots[p]):
        at = int(s.dot_cell[p, other])
        y = ROW_OF[at] - row
        x = COLUMN_OF[at] - column
        if other != dot and -HIGH < y < HIGH and -WIDE < x < WIDE:
            covered = window(s, p, at)
            both = covered | SHADOW[room, y + HIGH - 1, x + WIDE - 1]
            if both != covered:
                beside = 0.0
                if s.dot_piece[p, other] != NONE:
                    beside = chain_worth(s, p, int(s.piece_chain[p, s.dot_piece[p, other]]))
                worth += dot_worth(both, row + y, beside) - dot_worth(covered, row + y, beside)
    return worth


@helper
def site_worth(s, p, room, dot):
    """What a room on a dot will bring, but for what it brings everywhere."""
    below = s.dot_piece[p, dot]
    chain = 0
    icon = ICON_OF[room]
    worth = 0.0
    if below != NONE:
        chain = int(s.piece_chain[p, below])
        if room == TOWER_CAP:
            worth += chain_value(chain, element_values(s, p))
        elif room == OBSERVATORY:
            worth += int(s.piece_storey[p, below]) // OBSERVATORY_ROOMS
        elif room == LABORATORY:
            icon = int(s.piece_icon[p, below])
            if icon != NONE:
                worth += icon_worth(s, p, icon, 1)
    left = dice_left(s, p)
    if ROW_OF[s.dot_cell[p, dot]] + HEIGHT[room] == ROWS:
        return worth - LAST * left
    return worth + HOPE[left] * change_of_dots(s, p, room, dot, icon, chain)


@compiled(types.Tuple((types.float64, types.int64))(RECORD, types.int64, types.int64))
def best_site(s, p, room):
    """What a room will bring where it brings most, and its base cell there."""
    highest = NEVER
    best = NONE
    for dot in range(s.num_dots[p]):
        below = s.dot_piece[p, dot]
        if below == NONE or s.piece_room[p, below] != room:
            cell = int(s.dot_cell[p, dot])
            if (FITS[window(s, p, cell)] >> room) & 1:
                worth = site_worth(s, p, room, dot)
                if worth > highest:
                    highest = worth
                    best = cell
    if room == LIBRARY:
        highest += library_worth(s, p)
    elif ICON_OF[room] != NONE:
        highest += icon_worth(s, p, ICON_OF[room], 1)
    return highest, best


@compiled(types.Tuple((types.float64, types.int64))(RECORD, types.int64))
def least_icon(s, p):
    """What an Explosion will cost, and the icon to cross out; 0 and NONE if there is none."""
    least = -NEVER
    best = NONE
    for icon in range(NUM_ICONS):
        if s.icons[p, icon] > 0:
            worth = icon_worth(s, p, icon, 0)
            if worth < least:
                least = worth
                best = icon
    return (0.0 if best == NONE else least), best


@compiled(types.Tuple((types.float64, types.float64))(RECORD, types.int64))
def special_worths(s, p):
    """What a Library and a Stairwell will bring."""
    library = NEVER
    if lacking(s, p, 1) == 0:
        library = best_site(s, p, LIBRARY)[0]
    return library, best_site(s, p, STAIRWELL)[0]


@compiled(types.float64(RECORD, types.int64, types.int64, types.float64))
def die_worth(s, p, mark, special):
    """What a die will bring that moves the mark there, if a special building brings ``special``."""
    room = ROOM_AT[mark % TABLE_ROWS]
    if room == EXPLOSION:
        return -least_icon(s, p)[0]
    if (s.fitting[p] >> room) & 1:
        return max(special, best_site(s, p, room)[0])
    return special


@helper
def use_of_die(s, p):
    """The die to use first, and what for.

    Whatever the order, the last die of three takes the mark to the same row.
    """
    mark = int(s.mark[p])
    library, stairwell = special_worths(s, p)
    special = max(library, stairwell)
    later = max(special, -LAST * dice_left(s, p))
    a = 0
    b = 0
    c = 0
    for k in range(DIE):
        for _ in range(s.dice[p, k]):
            c = b
            b = a
            a = k + 1
    worth = die_worth(s, p, mark + a, special)
    die = a
    if b != 0:
        second = worth if b == a else die_worth(s, p, mark + b, special)
        if c == 0:
            if second > worth:
                worth = second
                die = b
        else:
            first = worth
            third = second if c == b else die_worth(s, p, mark + c, special)
            ab = die_worth(s, p, mark + a + b, later)
            ac = ab if c == b else die_worth(s, p, mark + a + c, later)
            bc = ac if b == a else die_worth(s, p, mark + b + c, later)
            most = first + max(ab, ac)
            if second + max(ab, bc) > most:
                most = second + max(ab, bc)
                worth = second
                die = b
            if third + max(ac, bc) > most:
                worth = third
                die = c
    elif s.icons[p, DISTORTER_ICON] > 0:
        mean = 0.0
        for k in range(1, DIE + 1):
            mean += die_worth(s, p, mark + k, later) / DIE
        if mean - icon_worth(s, p, DISTORTER_ICON, 0) > worth:
            return A_REROLL + a - 1
    if ROOM_AT[(mark + die) % TABLE_ROWS] != EXPLOSION:
        if worth == library:
            return A_LIBRARY + die - 1
        if worth == stairwell:
            return A_STAIRWELL + die - 1
    return A_ROOM + die - 1


@helper
def use_a_die(s, p, mask):
    best = use_of_die(s, p)
    if mask[best] == 0:  # none can be used
        for k in range(DIE):
            if mask[A_REROLL + k] != 0:
                best = A_REROLL + k
    if mask[best] == 0:
        best = A_KEEP
    return best


@helper
def die_worths(s, p):
    """What a die will bring, by row that it takes the mark to."""
    library, stairwell = special_worths(s, p)
    special = max(library, stairwell, -LAST * dice_left(s, p))
    return (
        die_worth(s, p, 0, special),
        die_worth(s, p, 1, special),
        die_worth(s, p, 2, special),
        die_worth(s, p, 3, special),
        die_worth(s, p, 4, special),
        die_worth(s, p, 5, special),
        die_worth(s, p, 6, special),
        die_worth(s, p, 7, special),
        die_worth(s, p, 8, special),
        die_worth(s, p, 9, special),
        die_worth(s, p, 10, special),
        die_worth(s, p, 11, special),
        die_worth(s, p, 12, special),
    )


@helper
def group_worth(s, split, second, mark, worths):
    """What a group of the common dice will bring a page."""
    a = 0
    b = 0
    c = 0
    for die in range(COMMON_DICE):
        if IN_GROUP_2[split, die] == second:
            a = b
            b = c
            c = int(s.common[die])
    one = worths[(mark + a) % TABLE_ROWS]
    two = worths[(mark + b) % TABLE_ROWS]
    three = worths[(mark + c) % TABLE_ROWS]
    most = max(
        max(one, two) + worths[(mark + a + b) % TABLE_ROWS],
        max(one, three) + worths[(mark + a + c) % TABLE_ROWS],
        max(two, three) + worths[(mark + b + c) % TABLE_ROWS],
    )
    return most + worths[(mark + a + b + c) % TABLE_ROWS]


@compiled(types.int64(RECORD))
def split_or_choose(s):
    """The group that is worth most, less what the rest is to the other; the most even split."""
    chooser = int(s.seat)
    if s.phase == SPLIT:
        chooser = 1 - chooser
    own = die_worths(s, chooser)
    other = die_worths(s, 1 - chooser)
    mark = int(s.mark[chooser])
    other_mark = int(s.mark[1 - chooser])
    best = 0
    least = -NEVER
    for split in range(IN_GROUP_2.shape[0]):
        if s.phase == SPLIT or split == s.split:
            one = group_worth(s, split, 0, mark, own) - group_worth(s, split, 1, other_mark, other)
            two = group_worth(s, split, 1, mark, own) - group_worth(s, split, 0, other_mark, other)
            if s.phase != SPLIT:
                return A_GROUP + (two > one)
            if max(one, two) < least:
                least = max(one, two)
                best = split
    return A_SPLIT + best


@compiled(types.float64(RECORD, types.int64, types.int64, types.int64))
def gain_of_fill(s, p, column, dice):
    """What the last of so many dice that fill a column brings."""
    left = market_dice(s, p)
    after = min(int(s.filled[p, column]) + dice, MARKET_CELLS - 1)
    before = min(int(s.filled[p, column]) + dice - 1, MARKET_CELLS - 1)
    return s.icons[p, column] * (FINAL[left, after] - FINAL[left, before])


@helper
def market_choice(s, p):
    """Rerolls the die that costs most against a throw of chance, if a Distorter is worth less."""
    chance = 0.0
    for k in range(DIE):
        chance += gain_of_fill(s, p, k, s.dice[p, k] + 1)
    best = A_KEEP
    most = icon_worth(s, p, DISTORTER_ICON, 0)
    for k in range(DIE):
        if s.dice[p, k] > 0:
            as_it_lies = gain_of_fill(s, p, k, s.dice[p, k])
            rerolled = (chance - gain_of_fill(s, p, k, s.dice[p, k] + 1) + as_it_lies) / DIE
            if rerolled - as_it_lies > most:
                most = rerolled - as_it_lies
                best = A_REROLL + k
    return best


@compiled(SIGNATURES.policy)
def policy(s, mask, rng):
    p = s.seat
    if s.phase == BUILD:
        return use_a_die(s, p, mask)
    if s.phase == PLACE:
        return A_CELL + best_site(s, p, s.building)[1]
    if s.phase == EXPLODE:
        return A_EXPLODE + least_icon(s, p)[1]
    if s.phase == MARKET:
        return market_choice(s, p)
    if s.phase == PREDICT:
        return A_KEEP
    return split_or_choose(s)
