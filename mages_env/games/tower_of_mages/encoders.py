"""What a seat sees, as numbers: its own page first. Nothing is hidden in this game."""

from __future__ import annotations

import numpy as np
from numba.core import types

from mages_env.engine import NOBODY, RUNNING, clear, compiled, helper
from mages_env.games.tower_of_mages.building import chain_value
from mages_env.games.tower_of_mages.data import (
    CELLS,
    COLUMN_OF,
    COLUMNS,
    DICE,
    DIE,
    EMPTY_ROW,
    EYE_UNDER,
    HOURGLASSES,
    LEFT,
    MARKET,
    MARKET_CELLS,
    NONE,
    NUM_EYES,
    NUM_ICONS,
    NUM_ROOMS,
    ROW_OF,
    ROWS,
    TABLE_ROWS,
)
from mages_env.games.tower_of_mages.market import element_values, points
from mages_env.games.tower_of_mages.state import (
    COMMON_DICE,
    IN_GROUP_2,
    MAX_PLAYERS,
    PHASES,
    RECORD,
    SIGNATURES,
)
from mages_env.layout import Block, Layout

_PLANES = (
    f"room of the covering piece, its number from 1 / {NUM_ROOMS}, negative once its icon is "
    "crossed out; free dot below, so that a piece may have its base cell here: (1 + pieces down "
    f"to the ground) / {ROWS}; and what a Tower Cap would score there / {max(MARKET) * ROWS}"
)
PLANES = 3
_ASKED = Block(
    "asked", (len(PHASES),), f"what the seat to move is asked: {', '.join(PHASES)} (0: over)"
)
_GAME = Block(
    "game",
    (5,),
    "own move; a second player; dice of this round are common; they are thrown; own throw",
)
_BUILDING = Block("building", (NUM_ROOMS,), "room to be placed")
_COMMON = Block("common", (COMMON_DICE,), f"common dice, sorted, / {DIE}, while they are split")
_GROUPS = Block("groups", (2, DIE), f"groups 1 and 2 of the common dice: number by value / {DICE}")
_DICE = Block("dice", (MAX_PLAYERS, DIE), f"dice on the table by value / {DICE}; own first")
_MARK = Block("mark", (MAX_PLAYERS, TABLE_ROWS), "row of the Rooms table; own first")
_MARKET = Block(
    "market",
    (MAX_PLAYERS, DIE, 2),
    f"by element: filled cells / {MARKET_CELLS - 1}, value / {max(MARKET)}; own first",
)
_ICONS = Block(
    "icons",
    (MAX_PLAYERS, NUM_ICONS),
    f"icons not crossed out / {NUM_ICONS}, at most 1; own first",
)
_FITTING = Block("fitting", (MAX_PLAYERS, NUM_ROOMS), "the room has a cell; own first")
_PAGE = Block(
    "page",
    (MAX_PLAYERS, 7),
    f"in the game; ended; hourglasses / {HOURGLASSES}; eyes / {NUM_EYES}; next hourglass brings a "
    "Market Phase; points by the market as it stands / 100; those for buildings / 100 (both within "
    "1); own first",
)
_TABLES = (
    _ASKED,
    _GAME,
    _BUILDING,
    _COMMON,
    _GROUPS,
    _DICE,
    _MARK,
    _MARKET,
    _ICONS,
    _FITTING,
    _PAGE,
)
_COLUMNS = (
    f"by column: height / {ROWS}, free dots / 3 (at most 1), row above the highest one / {ROWS}"
)

STANDARD = Layout(
    Block("plan", (PLANES, ROWS, COLUMNS), f"own Building Plan, row 0 at the ground: {_PLANES}"),
    *_TABLES,
    Block("other_columns", (COLUMNS, 3), f"the other's plan {_COLUMNS}"),
    low=-1.0,
)
COMPACT = Layout(
    *_TABLES,
    Block("columns", (MAX_PLAYERS, COLUMNS, 3), f"plan {_COLUMNS}; own first"),
    low=-1.0,
)
BOTH = Layout(
    Block(
        "plans",
        (MAX_PLAYERS, PLANES, ROWS, COLUMNS),
        f"Building Plans, own first, row 0 at the ground: {_PLANES}",
    ),
    *_TABLES,
    low=-1.0,
)
FULL = Layout(
    Block(
        "plans",
        (MAX_PLAYERS, PLANES, ROWS, COLUMNS),
        f"Building Plans from seat 0, row 0 at the ground: {_PLANES}",
    ),
    Block("to_move", (MAX_PLAYERS,), "1 for the seat to move (absolute seats)"),
    *(
        Block(
            block.name,
            block.shape,
            block.meaning.replace("own first", "from seat 0")
            .replace("own move", "game under way")
            .replace("own throw", "thrown by seat 0"),
        )
        for block in _TABLES
    ),
    low=-1.0,
)

_STANDARD_TABLES = STANDARD.start("asked")
_STANDARD_COLUMNS = STANDARD.start("other_columns")
_COMPACT_COLUMNS = COMPACT.start("columns")
_BOTH_TABLES = BOTH.start("asked")
_FULL_MOVE = FULL.start("to_move")
_FULL_TABLES = FULL.start("asked")
# From the start of the tables, which begin the compact layout.
_T_GAME, _T_BUILDING, _T_COMMON, _T_GROUPS, _T_DICE, _T_MARK, _T_MARKET = (
    COMPACT.start(name)
    for name in ("game", "building", "common", "groups", "dice", "mark", "market")
)
_T_ICONS, _T_FITTING, _T_PAGE = (COMPACT.start(name) for name in ("icons", "fitting", "page"))
_PAGE_SIZE = _PAGE.shape[1]
_PLAN = PLANES * CELLS

# Multiplying is several times faster than dividing.
_OF_DIE = 1.0 / DIE
_OF_DICE = 1.0 / DICE
_THIRD = 1.0 / 3.0
_ROOM = np.float32(1 / NUM_ROOMS)  # single ones: twice as many at a time
_OF_ICONS = 1.0 / NUM_ICONS
_OF_ROWS = 1.0 / ROWS
_OF_CELLS = 1.0 / (MARKET_CELLS - 1)
_OF_VALUE = 1.0 / max(MARKET)
_OF_CAP = 1.0 / (max(MARKET) * ROWS)
_OF_HOURS = 1.0 / HOURGLASSES
_OF_EYES = 1.0 / NUM_EYES
_OF_POINTS = 0.01


@helper
def clipped(x):
    return min(1.0, max(-1.0, x))


_FLOATS = types.Array(types.float32, 1, "C")


@helper
def write_plan(s, p, out, at):
    """The planes of page ``p``; zeros before."""
    rooms = out[at : at + CELLS]
    dots = out[at + CELLS : at + _PLAN]
    for cell in range(CELLS):
        rooms[cell] = s.plan[p, cell] * _ROOM
    values = element_values(s, p)
    for dot in range(s.num_dots[p]):
        cell = int(s.dot_cell[p, dot])
        # Without branches: which dots are the ground's is random.
        built = s.dot_piece[p, dot] != NONE
        piece = max(s.dot_piece[p, dot], 0)
        dots[cell] = (1 + s.piece_storey[p, piece] * built) * _OF_ROWS
        dots[cell + CELLS] = chain_value(s.piece_chain[p, piece] * built, values) * _OF_CAP


@helper
def write_page(s, p, place, out, at):
    """Tables of page ``p``, the first or second one in this frame."""
    mark = at + _T_MARK + TABLE_ROWS * place
    out[mark + int(s.mark[p])] = 1.0
    dice = at + _T_DICE + DIE * place
    market = at + _T_MARKET + 2 * DIE * place
    values = element_values(s, p)
    for k in range(DIE):
        out[dice + k] = s.dice[p, k] * _OF_DICE
        out[market + 2 * k] = s.filled[p, k] * _OF_CELLS
        out[market + 2 * k + 1] = values[k] * _OF_VALUE
    icons = at + _T_ICONS + NUM_ICONS * place
    for icon in range(NUM_ICONS):
        out[icons + icon] = min(1.0, s.icons[p, icon] * _OF_ICONS)
    fitting = at + _T_FITTING + NUM_ROOMS * place
    for room in range(NUM_ROOMS):
        out[fitting + room] = (s.fitting[p] >> room) & 1
    page = at + _T_PAGE + _PAGE_SIZE * place
    out[page] = 1.0
    out[page + 1] = min(s.ended[p], 1)
    out[page + 2] = s.hourglasses[p] * _OF_HOURS
    out[page + 3] = s.eyes[p] * _OF_EYES
    if s.hourglasses[p] < HOURGLASSES:
        out[page + 4] = EYE_UNDER[s.hourglasses[p] + 1] >= s.eyes[p]
    out[page + 5] = clipped(points(s, p) * _OF_POINTS)
    out[page + 6] = clipped(s.bonus[p] * _OF_POINTS)


@helper
def write_tables(s, seat, mover, out, at):
    """All tables, page ``seat`` first; they are zeros before. ``mover``: whose move is told."""
    if s.over == RUNNING:
        out[at + int(s.phase)] = 1.0
    game = at + _T_GAME
    out[game] = s.seat == mover and s.seat != NOBODY
    out[game + 1] = s.num_players - 1
    out[game + 2] = s.shared
    out[game + 3] = s.thrown
    out[game + 4] = s.shared != 0 and s.roller == seat
    if s.building != NONE:
        out[at + _T_BUILDING + int(s.building)] = 1.0
    if s.common[0] != 0:
        for die in range(COMMON_DICE):
            out[at + _T_COMMON + die] = s.common[die] * _OF_DIE
    if s.split != NONE:
        for die in range(COMMON_DICE):
            group = IN_GROUP_2[s.split, die]
            out[at + _T_GROUPS + DIE * group + int(s.common[die]) - 1] += _OF_DICE
    write_page(s, seat, 0, out, at)
    if s.num_players > 1:
        write_page(s, 1 - seat, 1, out, at)


@compiled(types.void(RECORD, types.int64, _FLOATS, types.int64))
def write_columns(s, p, out, at):
    """Heights and dots of page ``p``; zeros before."""
    rows = 0
    while rows < ROWS and s.covered[p, rows] != EMPTY_ROW:
        rows += 1
    for column in range(COLUMNS):
        row = rows
        while row > 0 and (s.covered[p, row - 1] >> (column + LEFT)) & 1 == 0:
            row -= 1
        out[at + 3 * column] = row * _OF_ROWS
    for dot in range(s.num_dots[p]):
        cell = s.dot_cell[p, dot]
        entry = at + 3 * COLUMN_OF[cell]
        out[entry + 1] = min(1.0, float(out[entry + 1]) + _THIRD)
        out[entry + 2] = max(float(out[entry + 2]), ROW_OF[cell] * _OF_ROWS)


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    clear(out)
    write_plan(s, seat, out, 0)
    write_tables(s, seat, seat, out, _STANDARD_TABLES)
    if s.num_players > 1:
        write_columns(s, 1 - seat, out, _STANDARD_COLUMNS)


@compiled(SIGNATURES.observe)
def observe_compact(s, seat, out):
    """Fills ``COMPACT``."""
    clear(out)
    write_tables(s, seat, seat, out, 0)
    p = seat
    for place in range(s.num_players):
        write_columns(s, p, out, _COMPACT_COLUMNS + 3 * COLUMNS * place)
        p = s.num_players - 1 - p


@compiled(SIGNATURES.observe)
def observe_both(s, seat, out):
    """Fills ``BOTH``."""
    clear(out)
    p = seat
    for place in range(s.num_players):
        write_plan(s, p, out, place * _PLAN)
        p = s.num_players - 1 - p
    write_tables(s, seat, seat, out, _BOTH_TABLES)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    clear(out)
    for p in range(s.num_players):
        write_plan(s, p, out, p * _PLAN)
    if s.seat != NOBODY:
        out[_FULL_MOVE + s.seat] = 1.0
    write_tables(s, 0, s.seat, out, _FULL_TABLES)
