"""The Building Plan: what fits where, building, crossing out. ``p`` is a page."""

from __future__ import annotations

from numba.core import types

from mages_env.engine import ALL, compiled, emit, helper
from mages_env.games.tower_of_mages.data import (
    CELL_STEPS,
    CELLS,
    COLUMN_OF,
    DOT_STEPS,
    ELEMENTS,
    FITS,
    HIGH,
    ICON_OF,
    LABORATORY,
    LIBRARY,
    LIBRARY_POINTS,
    NONE,
    NUM_CELLS,
    NUM_DOTS,
    OBSERVATORY,
    OBSERVATORY_ROOMS,
    ROW_BITS,
    ROW_OF,
    TOWER_CAP,
    WIDE,
    WINDOW,
)
from mages_env.games.tower_of_mages.market import element_values
from mages_env.games.tower_of_mages.state import (
    CHAIN_BITS,
    CHAIN_MASK,
    E_BUILD,
    E_COPY,
    E_CROSS,
    E_POINTS,
    RECORD,
)

# Functions that others call at several places are compiled by themselves, once.


@compiled(types.void(RECORD, *[types.int64] * 5))
def tell(s, p, code, a, b, c):
    """An event of seat ``p``, for all."""
    emit(s, code, ALL, p, a, b, c)


@helper
def rooms_on(s, p, dot):
    """TOM-08: the rooms, as bits, that may stand on a free dot."""
    cell = s.dot_cell[p, dot]
    row = ROW_OF[cell]
    column = COLUMN_OF[cell]
    covered = 0
    for y in range(HIGH):
        covered |= ((int(s.covered[p, row + y]) >> column) & WINDOW) << (WIDE * y)
    rooms = FITS[covered]
    below = s.dot_piece[p, dot]
    if below != NONE:
        rooms &= ~(1 << int(s.piece_room[p, below]))
    return rooms


@compiled(types.void(RECORD, types.int64))
def find_fitting(s, p):
    """Which rooms may stand on which dots, and so which have a cell."""
    fitting = 0
    for dot in range(s.num_dots[p]):
        rooms = rooms_on(s, p, dot)
        s.dot_rooms[p, dot] = rooms
        fitting |= rooms
    s.fitting[p] = fitting


@compiled(types.boolean(RECORD, types.int64))
def six_elements(s, p):
    """TOM-19: what a Library needs."""
    least = s.icons[p, 0]
    for element in range(1, ELEMENTS):
        least = min(least, s.icons[p, element])
    return least > 0


@helper
def chain_value(chain, values):
    """TOM-17: what the elements of a chain are worth at these ``element_values``."""
    value = 0
    for element in range(ELEMENTS):
        value += ((chain >> (CHAIN_BITS * element)) & CHAIN_MASK) * values[element]
    return value


@compiled(types.void(RECORD, types.int64, types.int64))
def cross_out(s, p, icon):
    """The oldest piece with that icon; which of several makes no difference to any rule."""
    n = 0
    while s.piece_icon[p, n] != icon or s.piece_crossed[p, n] != 0:
        n += 1
    s.piece_crossed[p, n] = 1
    s.icons[p, icon] -= 1
    room = s.piece_room[p, n]
    cell = s.piece_cell[p, n]
    for k in range(NUM_CELLS[room]):
        s.plan[p, cell + CELL_STEPS[room, k]] = -1 - room
    tell(s, p, E_CROSS, icon, room, cell)


@helper
def support(s, p, cell):
    """The piece that a piece with its base there stands on, NONE for the ground."""
    for dot in range(s.num_dots[p]):
        if s.dot_cell[p, dot] == cell:
            return s.dot_piece[p, dot]
    return NONE


@helper
def cover(s, p, room, cell):
    for k in range(NUM_CELLS[room]):
        s.plan[p, cell + CELL_STEPS[room, k]] = room + 1
    row = ROW_OF[cell]
    column = COLUMN_OF[cell]
    for y in range(HIGH):
        s.covered[p, row + y] |= ROW_BITS[room, y] << column


@helper
def renew_dots(s, p, room, cell, piece):
    """TOM-08: covered dots are gone, those on top of the new piece come."""
    before = s.num_dots[p]
    kept = 0
    for dot in range(before):
        above = s.dot_cell[p, dot]
        owner = s.dot_piece[p, dot]
        s.dot_cell[p, dot] = 0
        s.dot_piece[p, dot] = 0
        s.dot_rooms[p, dot] = 0
        if s.plan[p, above] == 0:
            s.dot_cell[p, kept] = above
            s.dot_piece[p, kept] = owner
            kept += 1
    for k in range(NUM_DOTS[room]):
        above = cell + DOT_STEPS[room, k]
        if above < CELLS:
            if s.plan[p, above] == 0:
                s.dot_cell[p, kept] = above
                s.dot_piece[p, kept] = piece
                kept += 1
    s.num_dots[p] = kept


@helper
def build(s, p, room, cell):
    """A piece and its effect."""
    below = support(s, p, cell)
    icon = ICON_OF[room]
    chain = 0
    storeys = 0
    on = NONE
    if below != NONE:
        chain = int(s.piece_chain[p, below])
        storeys = int(s.piece_storey[p, below])
        on = s.piece_room[p, below]
        if room == LABORATORY:  # TOM-14
            icon = int(s.piece_icon[p, below])
    tell(s, p, E_BUILD, room, cell, on)
    piece = s.num_pieces[p]
    s.num_pieces[p] += 1
    s.piece_room[p, piece] = room
    s.piece_cell[p, piece] = cell
    s.piece_below[p, piece] = below
    s.piece_icon[p, piece] = icon
    s.piece_storey[p, piece] = storeys + 1
    if icon != NONE:
        s.icons[p, icon] += 1
    if 0 <= icon < ELEMENTS:
        s.piece_chain[p, piece] = chain + (1 << (CHAIN_BITS * icon))
    else:
        s.piece_chain[p, piece] = chain
    cover(s, p, room, cell)
    renew_dots(s, p, room, cell, piece)
    find_fitting(s, p)
    points = 0
    if room == TOWER_CAP:  # TOM-17
        points = chain_value(chain, element_values(s, p))
    elif room == OBSERVATORY:  # TOM-18
        points = storeys // OBSERVATORY_ROOMS
    elif room == LIBRARY:  # TOM-19
        points = LIBRARY_POINTS
    s.bonus[p] += points
    if room == LABORATORY:
        tell(s, p, E_COPY, icon, 0, 0)
    elif room in (TOWER_CAP, OBSERVATORY, LIBRARY):
        tell(s, p, E_POINTS, room, points, 0)
    if room == LIBRARY:
        for element in range(ELEMENTS):
            cross_out(s, p, element)
