"""The sheet of Tower of Mages as tables: whoever owns a printed one can correct it here.

Everything else follows from the first half of this module: record, actions, observations, texts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Building Plan (TOM-01). A cell is (column, row), both from 0, row 0 at the ground.
COLUMNS = 13
ROWS = 15
GROUND_DOTS = (3, 6, 9)  # columns


class Piece(NamedTuple):
    """A room as it is drawn: cells from the base cell (0, 0), which holds the bottom dot.

    Attributes:
        cells: (right, up) of every cell it covers.
        dots: (right, up) of the cells on whose top edge a top dot sits.
    """

    name: str
    letter: str
    cells: tuple[tuple[int, int], ...]
    dots: tuple[tuple[int, int], ...]


PIECES = (  # TOM-02
    Piece("Light", "L", ((0, 0), (0, 1)), ((0, 1),)),
    Piece("Fire", "F", ((0, 0), (0, 1), (1, 1)), ((1, 1),)),
    Piece("Air", "A", ((0, 0), (0, 1), (-1, 1), (1, 1)), ((-1, 1), (1, 1))),
    Piece("Water", "W", ((0, 0), (1, 0), (1, 1)), ((1, 1),)),
    Piece("Earth", "E", ((0, 0), (1, 0), (0, 1), (1, 1)), ((0, 1), (1, 1))),
    Piece("Dark", "D", ((0, 0), (0, 1), (-1, 1)), ((-1, 1),)),
    Piece("Laboratory", "B", ((0, 0), (0, 1)), ((0, 1),)),
    Piece("Predictor", "P", ((0, 0), (-1, 0)), ((-1, 0),)),
    Piece("Distorter", "R", ((0, 0), (1, 0)), ((1, 0),)),
    Piece("Tower Cap", "C", ((0, 0), (0, 1)), ()),
    Piece("Observatory", "O", ((0, 0), (-1, 1), (0, 1), (1, 1)), ()),
    Piece("Library", "Y", ((0, 0), (1, 0), (0, 1), (1, 1)), ((0, 1),)),
    Piece("Stairwell", "S", ((0, 0), (-1, 0), (1, 0)), ((-1, 0), (1, 0))),
)

ROOMS_TABLE = (  # TOM-03, from the top
    "Light",
    "Fire",
    "Air",
    "Water",
    "Earth",
    "Dark",
    "Explosion",
    "Laboratory",
    "Predictor",
    "Distorter",
    "Tower Cap",
    "Observatory",
    "Explosion",
)
MARKET = (-2, -1, 0, 1, 2, 1, 0, -1, -2)  # TOM-04: of a column, from the bottom
HOURGLASSES = 15  # TOM-05
EYES = (2, 4, 6, 8, 10, 12, 14)  # TOM-05: numbers of the hourglasses with an eye under them
DICE = 3  # TOM-06, TOM-07, TOM-11: for building as for the market
LIBRARY_POINTS = 10  # TOM-19
OBSERVATORY_ROOMS = 3  # TOM-18: for a point
GOOD_SCORE = 50  # what the publisher calls a good first one; a reward of 1

# Rooms and icons by number: a room is its place in PIECES, an icon its place in ICONS.
NAMES = tuple(piece.name for piece in PIECES)
NUM_ROOMS = len(PIECES)
EXPLOSION = NUM_ROOMS  # no room, but in the table
ELEMENTS = 6
LABORATORY, PREDICTOR, DISTORTER, TOWER_CAP, OBSERVATORY, LIBRARY, STAIRWELL = map(
    NAMES.index,
    ("Laboratory", "Predictor", "Distorter", "Tower Cap", "Observatory", "Library", "Stairwell"),
)
ICONS = (*NAMES[:ELEMENTS], "Predictor", "Distorter")
NUM_ICONS = len(ICONS)
PREDICTOR_ICON, DISTORTER_ICON = ICONS.index("Predictor"), ICONS.index("Distorter")
NONE = -1
"""No icon, no room, no piece."""

DIE = 6
"""Sides of a die, and columns of the market."""
NUM_EYES = len(EYES)
MARKET_CELLS = len(MARKET)
TABLE_ROWS = len(ROOMS_TABLE)
MAX_PIECES = DICE * HOURGLASSES
MAX_DOTS = len(GROUND_DOTS) + MAX_PIECES * (max(len(piece.dots) for piece in PIECES) - 1)
CELLS = COLUMNS * ROWS
"""A cell's number is column + COLUMNS x row."""

# What the rules look up.
LEFT = -min(x for piece in PIECES for x, _ in piece.cells)
WIDE = LEFT + 1 + max(x for piece in PIECES for x, _ in piece.cells)
HIGH = 1 + max(y for piece in PIECES for _, y in piece.cells)
WINDOW = (1 << WIDE) - 1
"""WIDE x HIGH cells around a base cell, LEFT of them to its left, hold any piece."""

COLUMN_OF = np.array([cell % COLUMNS for cell in range(CELLS)], np.int64)
ROW_OF = np.array([cell // COLUMNS for cell in range(CELLS)], np.int64)
ROOM_AT = np.array(
    [EXPLOSION if name == "Explosion" else NAMES.index(name) for name in ROOMS_TABLE], np.int64
)
"""Room, or EXPLOSION, by row of the Rooms table."""
ICON_OF = np.array([ICONS.index(name) if name in ICONS else NONE for name in NAMES], np.int64)
"""Icon by room; a Laboratory has that of the room it stands on."""
VALUES = np.array(MARKET, np.int64)
"""Value of an element by filled cells of its column."""
EYE_UNDER = np.array(
    [EYES.index(n) if n in EYES else NONE for n in range(HOURGLASSES + 1)], np.int64
)
"""Eye, from 0, by number of the hourglass."""
HEIGHT = np.array([1 + max(y for _, y in piece.cells) for piece in PIECES], np.int64)


def _table(sequences: list[list[int]]) -> np.ndarray:
    table = np.zeros((len(sequences), max(map(len, sequences))), np.int64)
    for row, numbers in zip(table, sequences, strict=True):
        row[: len(numbers)] = numbers
    return table


NUM_CELLS = np.array([len(piece.cells) for piece in PIECES], np.int64)
NUM_DOTS = np.array([len(piece.dots) for piece in PIECES], np.int64)
CELL_STEPS = _table([[x + COLUMNS * y for x, y in piece.cells] for piece in PIECES])
"""From the base cell to a piece's cells: [room, NUM_CELLS[room]]."""
DOT_STEPS = _table([[x + COLUMNS * (y + 1) for x, y in piece.dots] for piece in PIECES])
"""From the base cell to the cells right above a piece's top dots: [room, NUM_DOTS[room]]."""


def _in_window(piece: Piece) -> int:
    return sum(1 << (x + LEFT + WIDE * y) for x, y in piece.cells)


FITS = np.array(
    [
        sum(1 << r for r, piece in enumerate(PIECES) if _in_window(piece) & covered == 0)
        for covered in range(1 << (WIDE * HIGH))
    ],
    np.int64,
)
"""Rooms that fit, as bits, by covered cells of the window around the base cell."""
ROW_BITS = np.array(
    [[(_in_window(piece) >> (WIDE * y)) & WINDOW for y in range(HIGH)] for piece in PIECES],
    np.int64,
)
"""What a piece covers of each row of its window: [room, HIGH]."""
EMPTY_ROW = (((1 << LEFT) - 1) | (WINDOW << (LEFT + COLUMNS))) & ((1 << (COLUMNS + WIDE)) - 1)
"""A row of the plan as bits, column x being bit x + LEFT: what lies beside the plan is covered."""
FULL_ROW = (1 << (COLUMNS + WIDE)) - 1
PLAN_ROWS = ROWS + HIGH - 1
"""Rows as bits, with those above the plan that a piece could reach into: FULL_ROW."""
