"""Building Phase: dice and mark, where rooms may stand, what is built instead, and effects."""

import pytest

from mages_env.games.tower_of_mages import GAME

from .scene import ROOMS, SHEET, act, cells, do, legal, page, read, room_words, scene, uses, view
from .slow_tower import ELEMENTS, ICONS

# Six elements, Library fits in four places, drawn by their first letters, + for free dots:
#
#  4 |. . . . + . . . + + . . .
#  3 |. . . F F . . . W D D . .
#  2 |. . . F . + . W W + D . .
#  1 |. . . L . A A A . E E . .
#  0 |. . . L . . A . . E E . .
SIX = ("Light 3 0", "Fire 3 2", "Air 6 0", "Water 7 2", "Earth 9 0", "Dark 10 2")
SIX_DOTS = {(4, 4), (5, 2), (8, 4), (9, 2), (9, 4)}

NOWHERE = ("Tower Cap 3 0", "Tower Cap 6 0", "Tower Cap 9 0")
"""A page on which nothing can be built."""


def places(name, *rooms):
    return cells(scene(page(*rooms), asked="place", building=name))


# Dice.


@pytest.mark.rule("TOM-07")
def test_a_die_moves_the_mark_and_its_room_is_built():
    s = scene(page(mark="Light", dice="1 3 4"))
    every = {f"{die}{what}" for die in (1, 3, 4) for what in ("", " Stairwell")}
    assert uses(s) == every
    assert legal(s) >= {"use 1 for Fire", "use 3 for Water", "use 4 for Earth"}
    events = [(0, "use", 3, 3, "Water")]
    act(s, "3", mark=3, dice="1 4", asked="place", building="Water", events=events)
    events = [(0, "build", "Water", (3, 0), "ground")]
    act(s, "3 0", asked="build", building="", adds=["Water 3 0"], events=events)
    assert uses(s) == {"1", "4", "1 Stairwell", "4 Stairwell"}
    assert legal(s) >= {"use 1 for Earth", "use 4 for Laboratory"}


@pytest.mark.rule("TOM-07")
@pytest.mark.parametrize(
    ("order", "rooms"),
    [
        ("1 3 4", ["Fire", "Earth", "Predictor"]),
        ("1 4 3", ["Fire", "Dark", "Predictor"]),
        ("3 1 4", ["Water", "Earth", "Predictor"]),
        ("4 3 1", ["Earth", "Laboratory", "Predictor"]),
    ],
)
def test_the_player_chooses_the_order_of_the_dice(order, rooms):
    s = scene(page(mark="Light", dice="1 3 4"))
    for die, column in zip(order.split(), ("3", "6", "9"), strict=True):
        do(s, die)
        do(s, f"{column} 0")
    assert [room.name for room in read(s, 0).rooms] == rooms
    assert (s.mark[0], s.hourglasses[0]) == (8, 1)


@pytest.mark.rule("TOM-07")
def test_equal_dice_are_used_one_at_a_time():
    s = scene(page(mark="Light", dice="2 2 5"))
    assert uses(s) == {"2", "5", "2 Stairwell", "5 Stairwell"}
    do(s, "2")
    assert view(s)["dice"] == "2 5"
    do(s, "6 0")
    assert uses(s) == {"2", "5", "2 Stairwell", "5 Stairwell"}


@pytest.mark.rule("TOM-07", "ALL-01")
def test_a_room_and_its_only_place_are_asked_all_the_same():
    s = scene(page("Tower Cap 3 0", "Tower Cap 6 0", mark="Light", dice="1"))
    do(s, "1")
    assert view(s)["asked"] == "place" and cells(s) == {(9, 0)}


# Where rooms may stand.


@pytest.mark.rule("TOM-08")
def test_on_free_dots_and_nowhere_else():
    # 2 |. . . + . + . + .
    # 1 |. . . L . A A A .
    # 0 |. . . L . . A . . + . . .
    assert places("Light", "Light 3 0", "Air 6 0") == {(5, 2), (7, 2), (9, 0)}
    assert places("Fire", "Light 3 0", "Air 6 0") == {(3, 2), (5, 2), (7, 2), (9, 0)}


@pytest.mark.rule("TOM-08")
def test_within_the_plan_at_its_left():
    # 3 |+ . . +
    # 2 |P P . + .
    # 1 |. S S S
    # 0 |. . P P
    rooms = ("Predictor 3 0", "Stairwell 2 1", "Predictor 1 2")
    rest = {(3, 2), (6, 0), (9, 0)}
    assert places("Light", *rooms) == rest | {(0, 3)}
    assert places("Distorter", *rooms) == rest | {(0, 3)}
    for name in ("Air", "Dark", "Observatory", "Stairwell"):
        assert (0, 3) not in places(name, *rooms)
    assert places("Dark", *rooms) == rest


@pytest.mark.rule("TOM-08")
def test_within_the_plan_at_its_right():
    # 4 |. . . . . . . . . . . . +
    # 3 |. . . . . . . . . . . R R
    # 2 |. . . . . . . . . . . W .
    # 1 |. . . . . . . . . . W W .
    # 0 |. . . + . . + . . R R . .
    rooms = ("Distorter 9 0", "Water 10 1", "Distorter 11 3")
    fits = {name for name in ROOMS if (12, 4) in places(name, *rooms)}
    assert fits == {"Light", "Dark", "Laboratory", "Predictor", "Tower Cap"}


TOWER = (
    *("Light 3 0", "Laboratory 3 2", "Light 3 4", "Laboratory 3 6", "Light 3 8"),
    *("Laboratory 3 10", "Distorter 3 12"),
)


@pytest.mark.rule("TOM-08", "TOM-12")
def test_within_the_plan_at_the_top():
    # 14 |. . . +        below a Predictor, on a tower of seven
    # 13 |. . . P P
    # 12 |. . . R R
    fits = {name for name in ROOMS if (4, 13) in places(name, *TOWER)}
    assert fits == set(ROOMS) - {"Distorter"}
    higher = (*TOWER, "Predictor 4 13")
    fits = {name for name in ROOMS if (3, 14) in places(name, *higher)}
    assert fits == {"Distorter", "Stairwell"}


@pytest.mark.rule("TOM-08")
def test_nothing_overlaps():
    # What reaches to the left at (7, 2) would overlap the Library.
    # 4 |. . . + . + . .
    # 3 |. . . B . Y Y .
    # 2 |. . . B . Y Y +
    # 1 |. . . L . A A A
    # 0 |. . . L . . A . . +
    rooms = ("Light 3 0", "Air 6 0", "Library 5 2", "Laboratory 3 2")
    assert places("Dark", *rooms) == {(3, 4), (5, 4), (9, 0)}
    assert places("Fire", *rooms) == {(3, 4), (5, 4), (7, 2), (9, 0)}
    assert places("Predictor", *rooms) == {(3, 4), (5, 4), (9, 0)}
    assert places("Air", *rooms) == {(3, 4), (5, 4), (9, 0)}


@pytest.mark.rule("TOM-08")
@pytest.mark.parametrize("name", [name for name in ROOMS if SHEET.shapes[name].dots])
def test_not_on_a_room_of_its_own_type(name):
    right, up = SHEET.shapes[name].dots[0]
    dot = (6 + right, 1 + up)
    for other in ROOMS:
        assert (dot in places(other, f"{name} 6 0")) == (other != name)


@pytest.mark.rule("TOM-08", "TOM-14")
def test_a_laboratory_stays_one_whatever_it_copies():
    rooms = ("Light 3 0", "Laboratory 3 2")
    assert (3, 4) in places("Light", *rooms)
    assert (3, 4) not in places("Laboratory", *rooms)
    assert (3, 2) in places("Laboratory", "Light 3 0")


@pytest.mark.rule("TOM-08")
def test_beside_a_room_of_its_own_type_there_is_no_ban():
    # 3 |. . . . . F F F F
    # 2 |. . . . . F . F .
    # 1 |. . . . . A A A
    assert (7, 2) in places("Fire", "Air 6 0", "Fire 5 2")


@pytest.mark.rule("TOM-08")
def test_a_dot_whose_cell_right_above_is_covered_is_gone():
    # The Predictor on the Air lies across the dot of the Fire.
    # 3 |. . . . + .
    # 2 |. . . . P P . +
    # 1 |. . . F F A A A
    # 0 |. . . F . . A . . +
    rooms = ("Fire 3 0", "Air 6 0", "Predictor 5 2")
    assert places("Light", "Fire 3 0", "Air 6 0") == {(4, 2), (5, 2), (7, 2), (9, 0)}
    assert places("Light", *rooms) == {(4, 3), (7, 2), (9, 0)}
    # So it is if the Fire comes last: its dot is never free.
    assert places("Light", "Air 6 0", "Predictor 5 2", "Fire 3 0") == {(4, 3), (7, 2), (9, 0)}


@pytest.mark.rule("TOM-08")
def test_a_room_that_lies_across_both_dots_takes_them():
    # 3 |. . . . +
    # 2 |. . . R R
    # 1 |. . . E E
    # 0 |. . . E E . + . . +
    assert places("Light", "Earth 3 0", "Distorter 3 2") == {(4, 3), (6, 0), (9, 0)}
    assert places("Light", "Earth 3 0") == {(3, 2), (4, 2), (6, 0), (9, 0)}


@pytest.mark.rule("TOM-08")
def test_a_dot_with_an_empty_cell_above_stays_however_narrow():
    # Earth's left dot is free below the Dark's overhang, high enough for nothing but one row.
    # 3 |. . . . . . . . W D D
    # 2 |. . . F . + . W W + D
    made = page(*SIX)
    assert set(made.dots()) == SIX_DOTS
    assert {name for name in ROOMS if (9, 2) in places(name, *SIX)} == set()
    assert (9, 2) in places("Predictor", *[room for room in SIX if "Water" not in room])


# Instead of the room.


@pytest.mark.rule("TOM-09", "TOM-19")
def test_a_library_or_a_stairwell_instead():
    s = scene(page(*SIX, mark="Dark", dice="2 6 6"))
    assert uses(s) == {"2", "6", "2 Library", "6 Library", "2 Stairwell", "6 Stairwell"}
    assert legal(s) >= {"use 2 for Laboratory", "use 6 for Observatory"}


@pytest.mark.rule("TOM-09", "TOM-20")
def test_the_mark_moves_all_the_same_and_a_stairwell_does_nothing():
    s = scene(page("Light 3 0", mark="Light", dice="2 6", filled="3 1 0 0 2 0"))
    events = [(0, "use", 2, 2, "Stairwell")]
    act(s, "2 Stairwell", mark=2, dice="6", asked="place", building="Stairwell", events=events)
    events = [(0, "build", "Stairwell", (3, 2), "Light")]
    act(s, "3 2", asked="build", building="", adds=["Stairwell 3 2"], events=events)
    assert GAME.scores(s) == [1]
    assert s.icons[0].tolist() == [1] + [0] * 7
    assert legal(s) >= {"use 6 for Predictor"}


@pytest.mark.rule("TOM-09", "TOM-10")
def test_not_instead_of_an_explosion():
    for mark, die in (("Dark", 1), ("Observatory", 1), ("Light", 6), ("Explosion", 6)):
        s = scene(page(*SIX, mark=mark, dice=f"{die}"))
        assert uses(s) == {f"{die}"}
        assert legal(s) == {f"use {die} for Explosion"}


@pytest.mark.rule("TOM-09", "TOM-12")
def test_instead_of_a_room_without_a_place():
    # One dot is left, on a Light: no Light fits, which 2 leads to.
    left = ("Light 3 0", "Tower Cap 6 0", "Tower Cap 9 0")
    s = scene(page(*left, mark="Observatory", dice="2 3"))
    assert uses(s) == {"2 Stairwell", "3", "3 Stairwell"}
    assert legal(s) >= {"use 3 for Fire"}
    # It is at the right edge: Air and Stairwell do not fit, a Dark does.
    right = ("Distorter 9 0 x", "Water 10 1", "Distorter 11 3 x", "Tower Cap 3 0", "Tower Cap 6 0")
    s = scene(page(*right, mark="Light", dice="2 4 5"))
    assert legal(s) == {"use 5 for Dark"}


# Explosion.


@pytest.mark.rule("TOM-10")
def test_an_explosion_crosses_out_an_icon_of_the_players_choice():
    s = scene(page("Light 3 0", "Light 6 0", "Predictor 9 0", mark="Dark", dice="1 2 3"))
    events = [(0, "use", 1, 6, "Explosion")]
    act(s, "1", mark=6, dice="2 3", asked="explode", events=events)
    assert legal(s) == {"explode Light", "explode Predictor"}
    act(
        s,
        "explode Light",
        asked="build",
        rooms=["Light 3 0 x", "Light 6 0", "Predictor 9 0"],
        events=[(0, "cross", "Light", "Light", (3, 0))],
    )
    assert uses(s) == {"2", "3", "2 Stairwell", "3 Stairwell"}


@pytest.mark.rule("TOM-10")
@pytest.mark.parametrize("icon", ICONS)
def test_icons_that_an_explosion_may_cross_out(icon):
    s = scene(page(f"{icon} 6 0", "Tower Cap 3 0", "Stairwell 9 0", mark="Dark", dice="1 5"))
    do(s, "1")
    assert legal(s) == {f"explode {icon}"}
    events = [(0, "cross", icon, icon, (6, 0))]
    rooms = [f"{icon} 6 0 x", "Tower Cap 3 0", "Stairwell 9 0"]
    act(s, f"explode {icon}", asked="build", rooms=rooms, events=events)
    assert not s.icons[0].any()


@pytest.mark.rule("TOM-10")
def test_what_has_no_icon_or_is_crossed_out_is_no_target():
    # A Laboratory on the ground, a Library, Tower Cap, Stairwell, and a Light crossed out.
    rooms = ("Laboratory 3 0", "Tower Cap 3 2", "Light 6 0 x", "Stairwell 6 2", "Library 9 0")
    s = scene(page(*rooms, mark="Dark", dice="1 5"))
    assert "1" in uses(s)
    events = [(0, "use", 1, 6, "Explosion"), (0, "dud")]
    act(s, "1", mark=6, dice="5", events=events)


@pytest.mark.rule("TOM-10", "TOM-14")
def test_a_laboratory_is_exploded_like_what_it_copies():
    s = scene(page("Fire 3 0 x", "Laboratory 4 2", mark="Observatory", dice="1 5"))
    do(s, "1")
    assert legal(s) == {"explode Fire"}
    events = [(0, "cross", "Fire", "Laboratory", (4, 2))]
    act(s, "fire", asked="build", rooms=["Fire 3 0 x", "Laboratory 4 2 x"], events=events)


@pytest.mark.rule("TOM-10", "TOM-12")
def test_a_die_that_leads_to_an_explosion_can_always_be_used():
    s = scene(page(*NOWHERE, mark="Dark", dice="1 6"))
    assert uses(s) == {"1"}
    # From the Explosion 6 more rows lead to the other one.
    act(s, "1", mark=6, dice="6", events=[(0, "use", 1, 6, "Explosion"), (0, "dud")])
    assert uses(s) == {"6"}


# Laboratory.


@pytest.mark.rule("TOM-14")
@pytest.mark.parametrize(
    ("below", "crossed"),
    [(name, "") for name in (*ICONS, "Library", "Stairwell")] + [(name, " x") for name in ICONS],
)
def test_a_laboratory_takes_the_icon_of_the_room_below(below, crossed):
    right, up = SHEET.shapes[below].dots[-1]
    x, y = 6 + right, up + 1
    room = f"{below} 6 0{crossed}"
    s = scene(page(room, mark="Light", dice="1 1"), asked="place", building="Laboratory")
    icon = below if below in ICONS else None
    act(
        s,
        f"{x} {y}",
        asked="build",
        building="",
        adds=[f"Laboratory {x} {y}"],
        events=[(0, "build", "Laboratory", (x, y), below), (0, "copy", icon)],
    )
    assert read(s, 0).rooms[-1].icon == icon
    wanted = [0] * 8
    if icon:
        wanted[ICONS.index(icon)] = 1 if crossed else 2
    assert s.icons[0].tolist() == wanted


@pytest.mark.rule("TOM-14")
def test_a_laboratory_on_the_ground_has_no_icon():
    s = scene(page("Light 6 0", dice="1"), asked="place", building="Laboratory")
    events = [(0, "build", "Laboratory", (3, 0), "ground"), (0, "copy", None)]
    act(s, "3 0", asked="build", building="", adds=["Laboratory 3 0"], events=events)
    assert s.icons[0].tolist() == [1] + [0] * 7


@pytest.mark.rule("TOM-14")
def test_a_laboratory_two_storeys_up_copies_the_room_right_below():
    rooms = ("Fire 3 0", "Light 4 2")
    s = scene(page(*rooms, dice="1"), asked="place", building="Laboratory")
    events = [(0, "build", "Laboratory", (4, 4), "Light"), (0, "copy", "Light")]
    act(s, "4 4", asked="build", building="", adds=["Laboratory 4 4"], events=events)


@pytest.mark.rule("TOM-13", "TOM-14")
def test_a_copy_of_an_element_scores():
    s = scene(page("Fire 3 0 x", "Laboratory 4 2", "Fire 4 4", filled="0 4 0 0 0 0"))
    assert GAME.scores(s) == [4]


# Tower Cap.


@pytest.mark.rule("TOM-17")
def test_a_tower_cap_scores_the_elements_on_the_way_down():
    #  7 |. . . . . +
    #  6 |. . . . F F
    #  5 |. . + . F .
    #  4 |. . S S S .
    #  3 |. . . B . .
    #  2 |. . . B . + . +
    #  1 |. . . l . A A A
    #  0 |. . . l . . A . . +      l: crossed out
    rooms = ("Light 3 0 x", "Laboratory 3 2", "Stairwell 3 4", "Fire 4 5", "Air 6 0")
    s = scene(page(*rooms, dice="1", filled="4 5 3 0 0 0"), asked="place", building="Tower Cap")
    # Light 2, its copy 2, Fire 1; not the Air beside, which is worth 1 at the end.
    assert GAME.scores(s) == [2 + 1 + 1]
    act(
        s,
        "5 7",
        asked="build",
        building="",
        adds=["Tower Cap 5 7"],
        bonus=5,
        events=[(0, "build", "Tower Cap", (5, 7), "Fire"), (0, "points", "Tower Cap", 5)],
    )
    # The rooms score again at the end, if they are not crossed out.
    assert GAME.scores(s) == [5 + 2 + 1 + 1]


@pytest.mark.rule("TOM-17")
def test_a_tower_cap_may_cost_points():
    s = scene(page("Light 3 0", "Fire 3 2", dice="1"), asked="place", building="Tower Cap")
    events = [(0, "build", "Tower Cap", (4, 4), "Fire"), (0, "points", "Tower Cap", -4)]
    act(s, "4 4", asked="build", building="", adds=["Tower Cap 4 4"], bonus=-4, events=events)


@pytest.mark.rule("TOM-17")
@pytest.mark.parametrize(
    ("rooms", "cell", "below"),
    [
        ((), "3 0", "ground"),
        (("Predictor 3 0", "Laboratory 2 1"), "2 3", "Laboratory"),
        (("Library 3 0", "Stairwell 3 2"), "4 3", "Stairwell"),
        (("Distorter 3 0", "Light 9 0"), "4 1", "Distorter"),
    ],
)
def test_a_tower_cap_on_what_is_no_element(rooms, cell, below):
    s = scene(page(*rooms, dice="1"), asked="place", building="Tower Cap")
    place = tuple(map(int, cell.split()))
    events = [(0, "build", "Tower Cap", place, below), (0, "points", "Tower Cap", 0)]
    act(s, cell, asked="build", building="", adds=[f"Tower Cap {cell}"], events=events)


@pytest.mark.rule("TOM-17", "TOM-04")
@pytest.mark.parametrize("filled", range(9))
@pytest.mark.parametrize("element", ELEMENTS)
def test_a_tower_cap_by_the_market_as_it_stands(element, filled):
    columns = ["0"] * 6
    columns[ELEMENTS.index(element)] = f"{filled}"
    right, up = SHEET.shapes[element].dots[0]
    x, y = 6 + right, up + 1
    made = page(f"{element} 6 0", f"Laboratory {x} {y}", dice="1", filled=" ".join(columns))
    s = scene(made, asked="place", building="Tower Cap")
    do(s, f"{x} {y + 2}")
    assert s.bonus[0] == 2 * (-2, -1, 0, 1, 2, 1, 0, -1, -2)[filled]


# Observatory.


def stack(storeys):
    """Distorters and Predictors on one another, a row each."""
    return [f"{('Distorter 3', 'Predictor 4')[n % 2]} {n}" for n in range(storeys)]


@pytest.mark.rule("TOM-18")
@pytest.mark.parametrize("below", range(13))
def test_an_observatory_scores_a_third_of_the_rooms_below(below):
    s = scene(page(*stack(below), "Light 6 0", dice="1"), asked="place", building="Observatory")
    cell = f"{3 + below % 2} {below}"
    what = "ground" if below == 0 else ("Predictor", "Distorter")[below % 2]
    place = tuple(map(int, cell.split()))
    act(
        s,
        cell,
        asked="build",
        building="",
        adds=[f"Observatory {cell}"],
        bonus=below // 3,
        events=[
            (0, "build", "Observatory", place, what),
            (0, "points", "Observatory", below // 3),
        ],
    )


@pytest.mark.rule("TOM-18")
def test_an_observatory_counts_rooms_of_every_kind_and_crossed_out_ones():
    # Light (crossed out), Laboratory, Library; the rest of the tower is not on the way down.
    rooms = ("Light 3 0 x", "Laboratory 3 2", "Library 3 4", "Air 6 0", "Light 7 2", "Dark 7 4")
    s = scene(page(*rooms, dice="1"), asked="place", building="Observatory")
    do(s, "3 6")
    assert s.bonus[0] == 1


# Library.


@pytest.mark.rule("TOM-19")
def test_a_library_crosses_out_one_of_each_element():
    rooms = (*SIX, "Light 8 4")
    s = scene(page(*rooms, mark="Dark", dice="2 6", filled="4 0 0 0 0 0"))
    do(s, "2 Library")
    assert cells(s) == {(4, 4), (5, 2), (8, 6), (9, 4)}
    crossed = [f"{room} x" for room in SIX]
    bases = [(3, 0), (3, 2), (6, 0), (7, 2), (9, 0), (10, 2)]
    act(
        s,
        "4 4",
        asked="build",
        building="",
        rooms=[*crossed, "Light 8 4", "Library 4 4"],
        bonus=10,
        events=[
            (0, "build", "Library", (4, 4), "Fire"),
            (0, "points", "Library", 10),
            *[(0, "cross", e, e, base) for e, base in zip(ELEMENTS, bases, strict=True)],
        ],
    )
    assert GAME.scores(s) == [12]
    assert uses(s) == {"6", "6 Stairwell"}


@pytest.mark.rule("TOM-19")
@pytest.mark.parametrize("element", ELEMENTS)
def test_a_library_needs_every_element_not_crossed_out(element):
    assert "2 Library" in uses(scene(page(*SIX, mark="Dark", dice="2")))
    rooms = [room + (" x" if room.startswith(element) else "") for room in SIX]
    assert "2 Library" not in uses(scene(page(*rooms, mark="Dark", dice="2")))


@pytest.mark.rule("TOM-19", "TOM-14")
def test_copies_in_laboratories_count_for_a_library():
    rooms = [room + (" x" if room == "Fire 3 2" else "") for room in SIX]
    s = scene(page(*rooms, "Laboratory 4 4", mark="Dark", dice="2 2"))
    do(s, "2 Library")
    assert (4, 6) in cells(s)
    events = do(s, "4 6")
    assert (0, "cross", "Fire", "Laboratory", (4, 4)) in events
    assert [room_words(room)[-1] for room in read(s, 0).rooms] == ["x"] * 7 + ["6"]
    assert "2 Library" not in uses(s)


@pytest.mark.rule("TOM-19")
def test_of_equal_icons_the_oldest_is_crossed_out():
    rooms = (*SIX[:2], "Laboratory 4 4", *SIX[2:], "Light 8 4")
    s = scene(page(*rooms, mark="Dark", dice="2 2"))
    do(s, "2 Library")
    do(s, "5 2")
    crossed = [room_words(room) for room in read(s, 0).rooms if room.crossed]
    assert crossed == [f"{room} x" for room in SIX]
    assert s.icons[0].tolist() == [1, 1] + [0] * 6


@pytest.mark.rule("TOM-19")
def test_a_library_without_a_place_is_not_offered():
    # The dots of SIX are all capped, but for the one under the overhang.
    caps = ("Tower Cap 4 4", "Tower Cap 5 2", "Tower Cap 8 4", "Tower Cap 9 4")
    s = scene(page(*SIX, *caps, mark="Dark", dice="1 2"))
    assert uses(s) == {"1"}


@pytest.mark.rule("TOM-19")
def test_a_second_library():
    rooms = [f"{room} x" for room in SIX]
    more = ("Laboratory 4 4", "Library 5 2")
    s = scene(page(*rooms, *more, mark="Dark", dice="2", bonus=10))
    assert "2 Library" not in uses(s)
    assert GAME.scores(s) == [8]
