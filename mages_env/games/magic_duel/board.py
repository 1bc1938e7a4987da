"""The board as tables: frames, distance, line of sight, and squares as bits.

A square is ``9 y + x``. A set of squares is two integers of 10 bits a row, rows 0 to 4 and 5 to 8;
the tenth bit of a row is never set, so that shifts do not lead from one edge to the other.
"""

from __future__ import annotations

import numpy as np

from mages_env.games.magic_duel.data import NEXUS, NEXUS_REACH, OBSTACLES, QUARTER_TURNS, WIDTH

SQUARES = WIDTH * WIDTH
MAX_SIDES = max(OBSTACLES)
FEWEST_SIDES = min(OBSTACLES)
UNSEEN = 99
"""In ``SIGHT``: out of sight, whatever the range."""

ROW_BITS = WIDTH + 1
LOW_ROWS = 5
LAST_LOW_ROW = ROW_BITS * (LOW_ROWS - 1)


def square_at(x: int, y: int) -> int:
    return WIDTH * y + x


def turned(square: int, quarters: int) -> int:
    """Where ``square`` comes to lie if the board is turned clockwise."""
    y, x = divmod(square, WIDTH)
    for _ in range(quarters):
        x, y = y, WIDTH - 1 - x
    return square_at(x, y)


_ABSOLUTE = np.array([[turned(f, q) for f in range(SQUARES)] for q in range(4)], np.int8)
_FRAME = np.array([[turned(a, -q % 4) for a in range(SQUARES)] for q in range(4)], np.int8)


def _by_side(table: np.ndarray) -> np.ndarray:
    """By number of sides (less the fewest) and side."""
    by_side = np.zeros((MAX_SIDES - FEWEST_SIDES + 1, MAX_SIDES, SQUARES), np.int8)
    for sides, turns in QUARTER_TURNS.items():
        for side, quarters in enumerate(turns):
            by_side[sides - FEWEST_SIDES, side] = table[quarters]
    return by_side


FRAME = _by_side(_FRAME)
"""A square as a side sees it, its own deployment at y = 0: [sides - 2, side, square]."""
ABSOLUTE = _by_side(_ABSOLUTE)
"""The other way round: [sides - 2, side, square in that side's frame]."""

_X = np.arange(SQUARES) % WIDTH
_Y = np.arange(SQUARES) // WIDTH

DISTANCE = np.maximum(abs(_X[:, None] - _X), abs(_Y[:, None] - _Y)).astype(np.int8)
"""Chebyshev, MGD-17: [square, square]."""


def _sees(obstacles: tuple[tuple[int, int], ...]) -> np.ndarray:
    """MGD-18: [square, square], whether no obstacle comes between.

    In half squares, so that corners are whole: a segment misses the inside of a square exactly if
    it lies, at most touching, on one side of it along x, along y, or across the segment.
    """
    px, py = 2 * _X[:, None], 2 * _Y[:, None]
    qx, qy = px.T, py.T
    clear = np.ones((SQUARES, SQUARES), bool)
    for x, y in obstacles:
        cx, cy = 2 * x, 2 * y
        beside = (np.maximum(px, qx) <= cx - 1) | (np.minimum(px, qx) >= cx + 1)
        below = (np.maximum(py, qy) <= cy - 1) | (np.minimum(py, qy) >= cy + 1)
        across = (qx - px) * (cy - py) - (qy - py) * (cx - px)
        clear &= beside | below | (abs(across) >= abs(qx - px) + abs(qy - py))
    np.fill_diagonal(clear, True)  # MGD-03: the own square
    return clear


SIGHT = np.array(
    [np.where(_sees(OBSTACLES[n]), DISTANCE, UNSEEN) for n in sorted(OBSTACLES)], np.int8
)
"""Distance of squares that see each other, else ``UNSEEN``: [sides - 2, square, square]."""


def bits(squares) -> tuple[int, int]:
    """A set of squares as two integers."""
    halves = [0, 0]
    for square in squares:
        y, x = divmod(int(square), WIDTH)
        halves[y // LOW_ROWS] |= 1 << (ROW_BITS * (y % LOW_ROWS) + x)
    return halves[0], halves[1]


BIT = np.array([bits([a]) for a in range(SQUARES)], np.int64)
"""[square, half]."""
BESIDE = np.array([bits(np.flatnonzero(DISTANCE[a] == 1)) for a in range(SQUARES)], np.int64)
"""The neighbours of a square: [square, half]."""
HALF = np.array([y // LOW_ROWS for y in _Y], np.int8)
SHIFT = np.array([ROW_BITS * (y % LOW_ROWS) + x for x, y in zip(_X, _Y, strict=True)], np.int8)
OPEN = np.array(
    [
        bits(set(range(SQUARES)) - {square_at(x, y) for x, y in OBSTACLES[n]})
        for n in sorted(OBSTACLES)
    ],
    np.int64,
)
"""The squares without an obstacle: [sides - 2, half]."""

NEAR_NEXUS = (DISTANCE[square_at(*NEXUS)] <= NEXUS_REACH).astype(np.int8)
"""MGD-22: [square]."""
