"""Sight and ways on the board, slowly: squares are (x, y), nothing shared with ``mages_env``."""

from functools import cache
from math import lcm

OBSTACLES = {
    2: ((2, 3), (6, 5), (3, 5), (5, 3), (0, 4), (8, 4)),
    3: ((2, 3), (5, 2), (6, 5), (3, 6)),
    4: ((2, 3), (5, 2), (6, 5), (3, 6)),
}
PARTS = 2 * lcm(*range(1, 9))
"""Of a segment, so that whole ones end at the edges of squares."""
ALL = [(x, y) for y in range(9) for x in range(9)]


def inside(start, end, centre):
    """Whether the open segment has a point in the open square around ``centre``.

    The stretch of the segment within the strip of each axis, in parts of its length.
    """
    low, high = 0, PARTS
    for p, q, c in zip(start, end, centre, strict=True):
        if p == q:
            if p != c:  # centres: parallel strips are disjoint or the same
                return False
            continue
        ends = sorted((2 * (c - p) + side) * PARTS // (2 * (q - p)) for side in (-1, 1))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high


@cache
def sees(start, end, obstacles):
    """MGD-18; a square sees itself (MGD-03)."""
    return start == end or not any(inside(start, end, centre) for centre in obstacles)


def distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


@cache
def beside(a):
    return [b for b in ALL if distance(a, b) == 1]


def reachable(start, steps, taken):
    """MGD-23: free squares that so many steps through free squares lead to."""
    seen = {start}
    edge = {start}
    for _ in range(steps):
        edge = {b for a in edge for b in beside(a) if b not in taken} - seen
        seen |= edge
    return seen - {start}
