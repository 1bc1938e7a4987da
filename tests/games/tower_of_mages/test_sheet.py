"""The sheet: plan, pieces, Rooms table, market and time track, against one written out anew."""

import re
from importlib.resources import files

import numpy as np
import pytest

from mages_env.games.tower_of_mages import GAME, data, state
from mages_env.games.tower_of_mages.drawing import piece_text, sheet_text

from .scene import ROOMS, SHEET, act, cell_of, cells, legal_ids, page, put, read, scene, uses
from .slow_tower import ELEMENTS, ICONS, SHAPES, Page

RULES = (files("mages_env.games.tower_of_mages") / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.rule("TOM-01")
def test_the_plan():
    assert (data.COLUMNS, data.ROWS, data.GROUND_DOTS) == (13, 15, (3, 6, 9))
    for name in ROOMS:
        s = scene(page(), asked="place", building=name)
        assert cells(s) == {(3, 0), (6, 0), (9, 0)}


@pytest.mark.rule("TOM-02")
@pytest.mark.parametrize("name", SHEET.shapes)
def test_a_piece_cell_by_cell_and_dot_by_dot(name):
    piece = data.PIECES[data.NAMES.index(name)]
    assert sorted(piece.cells) == sorted(SHEET.shapes[name].cells)
    assert sorted(piece.dots) == sorted(SHEET.shapes[name].dots)
    assert (0, 0) in piece.cells and set(piece.dots) <= set(piece.cells)


@pytest.mark.rule("TOM-02")
def test_the_pieces_are_thirteen_and_the_rules_page_lists_them():
    assert tuple(SHEET.shapes) == data.NAMES and len(data.NAMES) == 13
    rows = re.findall(r"^\| ([A-Z][a-z]+(?: Cap)?) +\| (\(.*?) +\| (\(.*|none) +\|$", RULES, re.M)
    wanted = [[part.strip() for part in line.split("|")] for line in SHAPES.strip().splitlines()]
    assert [f"{name} {shape}" for name, shape, _ in rows] == [
        re.sub(r" {2,}", " ", shape) for shape, _ in wanted
    ]
    assert [dots for *_, dots in rows] == [dots or "none" for _, dots in wanted]


@pytest.mark.rule("TOM-02")
@pytest.mark.parametrize(
    ("name", "drawn"),
    [  # # covered, + where a piece may stand next; the base cell is in the middle column
        ("Light", [".+.", ".#.", ".#."]),
        ("Fire", ["..+", ".##", ".#."]),
        ("Air", ["+.+", "###", ".#."]),
        ("Water", ["..+", "..#", ".##"]),
        ("Earth", [".++", ".##", ".##"]),
        ("Dark", ["+..", "##.", ".#."]),
        ("Laboratory", [".+.", ".#.", ".#."]),
        ("Predictor", ["...", "+..", "##."]),
        ("Distorter", ["...", "..+", ".##"]),
        ("Tower Cap", ["...", ".#.", ".#."]),
        ("Observatory", ["...", "###", ".#."]),
        ("Library", [".+.", ".##", ".##"]),
        ("Stairwell", ["...", "+.+", "###"]),
    ],
)
def test_a_piece_as_it_is_built(name, drawn):
    others = ["Light 3 0", "Fire 3 2", "Dark 4 4", "Earth 9 0", "Water 9 2", "Air 10 4"]
    s = scene(page(*others), asked="place", building=name)
    covered, dots = covered_cells(s), free_dots(s)
    GAME.step(s, GAME.parse_action(s, "6 0"))
    assert dots - free_dots(s) == {(6, 0)}
    covered, dots = covered_cells(s) - covered, free_dots(s) - dots
    for up, line in enumerate(reversed(drawn)):
        for right, sign in enumerate(line, start=-1):
            assert ((6 + right, up) in covered) == (sign == "#")
            assert ((6 + right, up) in dots) == (sign == "+")
    assert len(covered) == sum(line.count("#") for line in drawn)
    assert len(dots) == sum(line.count("+") for line in drawn)


def covered_cells(s):
    return {cell_of(int(cell)) for cell in np.flatnonzero(s.plan[0])}


def free_dots(s):
    return {cell_of(int(cell)) for cell in s.dot_cell[0, : s.num_dots[0]]}


@pytest.mark.rule("TOM-03")
def test_the_rooms_table():
    assert SHEET.table == data.ROOMS_TABLE and len(SHEET.table) == 13
    assert SHEET.table[:6] == ELEMENTS
    assert SHEET.table[6] == SHEET.table[12] == "Explosion"


@pytest.mark.rule("TOM-03", "TOM-07")
@pytest.mark.parametrize("mark", range(13))
@pytest.mark.parametrize("die", range(1, 7))
def test_counting_past_the_bottom_goes_on_at_the_top(mark, die):
    s = scene(page("Fire 3 0", mark=mark, dice=f"{die}"))
    row = (SHEET.table * 2)[mark + die]
    assert f"use {die} for {row}" in {GAME.action_text(s, action) for action in legal_ids(s)}
    after = {"mark": (mark + die) % 13, "dice": ""}
    if row == "Explosion":
        act(s, f"{die}", **after, asked="explode", events=[(0, "use", die, after["mark"], row)])
        assert after["mark"] in (6, 12)
    else:
        events = [(0, "use", die, after["mark"], row)]
        act(s, f"{die}", **after, asked="place", building=row, events=events)


@pytest.mark.rule("TOM-04")
def test_the_market_column_by_column():
    assert data.MARKET == (-2, -1, 0, 1, 2, 1, 0, -1, -2)
    for k, element in enumerate(ELEMENTS):
        for filled, value in enumerate(data.MARKET):
            columns = [0] * 6
            columns[k] = filled
            s = scene(page(f"{element} 6 0", filled=" ".join(map(str, columns))))
            assert GAME.scores(s) == [value]


@pytest.mark.rule("TOM-05")
def test_the_time_track():
    assert data.HOURGLASSES == 15
    assert data.EYES == (2, 4, 6, 8, 10, 12, 14) and data.NUM_EYES == 7


def stands(rooms, name, x, y):
    """Whether a piece may have its base at x, y: each clause of the rule by itself."""
    covered = {}
    for room, (a, b) in rooms:
        covered |= {(a + right, b + up): room for right, up in SHEET.shapes[room].cells}
    below = ["ground"] if (x, y) in [(3, 0), (6, 0), (9, 0)] else []
    for room, (a, b) in rooms:
        if (x - a, y - 1 - b) in SHEET.shapes[room].dots:
            below.append(room)
    wanted = [(x + right, y + up) for right, up in SHEET.shapes[name].cells]
    return (
        below not in ([], [name])
        and all(0 <= a < 13 and 0 <= b < 15 for a, b in wanted)
        and not any(cell in covered for cell in wanted)
    )


@pytest.mark.rule("TOM-08")
@pytest.mark.parametrize("seed", range(12))
def test_all_rooms_on_all_cells_of_random_plans(seed):
    rng = np.random.default_rng(seed)
    made = Page(SHEET)
    for _ in range(rng.integers(3, 40)):
        choices = [(name, base) for name in ROOMS for base in sorted(made.places(name))]
        if not choices:
            break
        name, base = choices[rng.integers(len(choices))]
        made.build(name, base)
        if rng.random() < 0.3 and made.rooms[-1].icon:
            made.rooms[-1].crossed = True
    s = scene(made)
    rooms = [(room.name, room.base) for room in made.rooms]
    s.phase = state.PLACE
    for number, name in enumerate(ROOMS):
        s.building = number
        wanted = {(x, y) for x in range(13) for y in range(15) if stands(rooms, name, x, y)}
        assert cells(s) == wanted
        assert (int(s.fitting[0]) >> number) & 1 == bool(wanted)


@pytest.mark.rule("TOM-08")
@pytest.mark.parametrize("seed", range(6))
def test_a_room_is_offered_exactly_if_it_has_a_cell(seed):
    rng = np.random.default_rng(100 + seed)
    made = Page(SHEET)
    while choices := [(name, base) for name in ROOMS for base in sorted(made.places(name))]:
        made.dice = [1, 2, 3, 4, 5, 6]
        for mark in range(13):
            made.mark = mark
            s = GAME.new_state()[0]
            GAME.reset(s, np.uint64(0))
            put(s, 0, made)
            s.phase, s.seat = state.BUILD, 0
            rows = {die: (SHEET.table * 2)[mark + die] for die in made.dice}
            wanted = {
                f"{die}" for die, row in rows.items() if row == "Explosion" or made.places(row)
            }
            if made.places("Stairwell"):
                wanted |= {f"{d} Stairwell" for d, row in rows.items() if row != "Explosion"}
            if made.places("Library") and all(made.working(element) for element in ELEMENTS):
                wanted |= {f"{d} Library" for d, row in rows.items() if row != "Explosion"}
            if made.working("Distorter"):
                wanted |= {f"reroll {die}" for die in made.dice}
            assert uses(s) - {"keep"} == wanted
        for _ in range(8):
            name, base = choices[rng.integers(len(choices))]
            if base in made.places(name):
                made.build(name, base)


def test_the_letters_of_the_pieces_differ():
    assert len({piece.letter for piece in data.PIECES}) == 13


def test_the_drawing_of_the_sheet():
    assert piece_text(data.NAMES.index("Dark")) == " +\n D  D\n   [D]"
    assert piece_text(data.NAMES.index("Stairwell")) == " +     +\n S [S] S"
    text = sheet_text()
    for name in ROOMS:
        assert f"{name}\n{piece_text(data.NAMES.index(name))}" in text
    assert "1 2o 3 4o 5 6o 7 8o 9 10o 11 12o 13 14o 15" in text
    ground = re.search(r"^ ?0 \|(.*)\|$", text, re.M)[1]
    assert [at // 3 for at, sign in enumerate(ground) if sign == "+"] == [3, 6, 9]


def test_the_reconstruction_is_a_page_as_the_model_has_it():
    s = scene(page("Light 3 0", "Fire 3 2 x", "Laboratory 4 4"))
    assert [room.icon for room in read(s, 0).rooms] == ["Light", "Fire", "Fire"]
    assert [ICONS[k] for k in s.piece_icon[0, :3]] == ["Light", "Fire", "Fire"]
