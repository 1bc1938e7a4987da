"""Another sheet: run as a module, plays by a copy of the package whose ``data`` holds it."""

from __future__ import annotations

import ast

import numpy as np

from .slow_tower import Sheet, shapes

SHEET = Sheet(
    columns=11,
    rows=17,
    ground=(2, 6),
    shapes=shapes("""
Light        (0,0) (0,1) (0,2)                | (0,2)
Fire         (0,0) (0,1) (1,1) (2,1)          | (2,1) (1,1)
Air          (0,0) (-1,0) (-2,0)              | (-2,0) (-1,0) (0,0)
Water        (0,0) (1,0) (1,1)                | (1,1)
Earth        (0,0)                            | (0,0)
Dark         (0,0) (0,1) (-1,1)               | (-1,1)
Laboratory   (0,0) (0,1)                      | (0,1)
Predictor    (0,0) (-1,0)                     | (-1,0) (0,0)
Distorter    (0,0) (1,0) (1,1) (1,2)          | (0,0) (1,2)
Tower Cap    (0,0) (0,1)                      | (0,1)
Observatory  (0,0) (-1,1) (0,1) (1,1)         |
Library      (0,0) (1,0)                      | (0,0)
Stairwell    (0,0) (-1,0) (1,0)               | (-1,0) (1,0)
"""),
    table=(
        *("Dark", "Earth", "Water", "Air", "Fire", "Light", "Predictor", "Explosion"),
        *("Laboratory", "Distorter", "Observatory", "Tower Cap"),
    ),
    market=(3, -3, 0, 1),
    hourglasses=11,
    eyes=(1, 4, 6, 7, 10),
)


def as_source(sheet: Sheet, letters: dict[str, str]) -> dict[str, str]:
    """The first half of ``data``: name and value as source text."""
    pieces = [
        f"Piece({name!r}, {letters[name]!r}, {shape.cells!r}, {shape.dots!r})"
        for name, shape in sheet.shapes.items()
    ]
    return {
        "COLUMNS": repr(sheet.columns),
        "ROWS": repr(sheet.rows),
        "GROUND_DOTS": repr(sheet.ground),
        "PIECES": f"({', '.join(pieces)})",
        "ROOMS_TABLE": repr(sheet.table),
        "MARKET": repr(sheet.market),
        "HOURGLASSES": repr(sheet.hourglasses),
        "EYES": repr(sheet.eyes),
    }


def patched(source: str, values: dict[str, str]) -> str:
    """``source`` with other values of these names, each of which it assigns once."""
    lines = source.splitlines()
    left = dict(values)
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in left:
            name = ast.unparse(node.targets[0])
            lines[node.lineno - 1 : node.end_lineno] = [f"{name} = {left.pop(name)}"]
    assert not left, f"not assigned: {left}"
    return "\n".join(lines) + "\n"


def main() -> None:
    from mages_env.games.tower_of_mages import GAME
    from mages_env.testing import check_game

    from . import invariants
    from .test_against_slow_model import MANNERS, at_random, play_beside_the_model

    for seed, manner in enumerate(MANNERS.values()):
        choose = at_random(np.random.default_rng(seed), manner)
        play_beside_the_model(seed, choose, SHEET, num_players=1 + seed % 2)
    check_game(
        GAME, games=1, samples=2, configurations=[{"num_players": 2}], invariant=invariants.check
    )


if __name__ == "__main__":
    main()
