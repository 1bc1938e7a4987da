"""Pieces, sheet and plans drawn with letters, from the tables in ``data``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mages_env.games.tower_of_mages.data import (
    COLUMNS,
    ELEMENTS,
    EYES,
    GROUND_DOTS,
    HOURGLASSES,
    ICONS,
    MARKET,
    PIECES,
    ROOMS_TABLE,
    ROWS,
)

DOT = "+"
"""Stands where a piece may have its base cell."""


def piece_text(room: int) -> str:
    """The piece: its letter in every cell, the base cell in brackets, DOT above its top dots."""
    piece = PIECES[room]
    above = [(x, y + 1) for x, y in piece.dots]
    columns = sorted({x for x, _ in (*piece.cells, *above)})
    lines = []
    for y in range(max(y for _, y in (*piece.cells, *above)), -1, -1):
        cells = []
        for x in range(columns[0], columns[-1] + 1):
            mark = piece.letter if (x, y) in piece.cells else DOT if (x, y) in above else " "
            cells.append(f"[{mark}]" if (x, y) == (0, 0) else f" {mark} ")
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)


def plan_lines(pieces: Sequence[tuple[int, int, int, bool]], dots: Sequence[int]) -> list[str]:
    """The Building Plan, top row first.

    Args:
        pieces: (room, column, row, crossed out) of the base cells; small letters if crossed out.
        dots: cell numbers where a piece may have its base cell.
    """
    owner: dict[tuple[int, int], int] = {}
    letters: dict[tuple[int, int], str] = {}
    for number, (room, column, row, crossed) in enumerate(pieces):
        for x, y in PIECES[room].cells:
            owner[column + x, row + y] = number
            letter = PIECES[room].letter
            letters[column + x, row + y] = letter.lower() if crossed else letter
    free = {(cell % COLUMNS, cell // COLUMNS) for cell in dots}
    lines = []
    for y in range(ROWS - 1, -1, -1):
        line = f"{y:>2} |"
        for x in range(COLUMNS):
            line += letters.get((x, y), DOT if (x, y) in free else ".")
            joined = (x, y) in owner and owner[x, y] == owner.get((x + 1, y))
            line += "--" if joined else "  "
        lines.append(line + "|")
    lines.append("   +" + "---" * COLUMNS + "+")
    lines.append("    " + "".join(f"{x:<3}" for x in range(COLUMNS)) + " ")
    return lines


def table_lines(mark: int | None = None) -> list[str]:
    """The Rooms table, the row ``mark`` pointed at."""
    return [f"{'>' if row == mark else ' '} {name}" for row, name in enumerate(ROOMS_TABLE)]


def market_lines(filled: Sequence[int] = (0,) * ELEMENTS) -> list[str]:
    """The Elemental Market, top row first: x is a filled cell, the value stands in brackets."""
    lines = []
    for height in range(len(MARKET) - 1, -1, -1):
        value = f"{MARKET[height]:+d}" if MARKET[height] else "0"
        cells = ["x" if height < n else f"[{value}]" if height == n else value for n in filled]
        lines.append(_row(cells))
    return [*lines, _row(ICONS[:ELEMENTS]), _row(range(1, ELEMENTS + 1))]


def _row(cells: Iterable[object]) -> str:
    return "".join(f"{cell!s:^6}" for cell in cells).rstrip()


def time_text(hourglasses: int = 0, eyes: int = 0) -> str:
    """The Time Track: numbers of hourglasses, x once crossed out; o an eye, * a crossed out one."""
    parts = []
    for number in range(1, HOURGLASSES + 1):
        eye = ""
        if number in EYES:
            eye = "*" if EYES.index(number) < eyes else "o"
        parts.append(("x" if number <= hourglasses else str(number)) + eye)
    return " ".join(parts)


def sheet_text() -> str:
    """The whole empty sheet."""
    pieces = [f"{piece.name}\n{piece_text(room)}" for room, piece in enumerate(PIECES)]
    parts = [
        ["Building Plan", *plan_lines([], GROUND_DOTS)],
        ["Rooms", *table_lines()],
        ["Elemental Market", *market_lines()],
        ["Time Track", time_text()],
        ["Pieces", *pieces],
    ]
    return "\n\n".join("\n".join(part) for part in parts)
