"""Preparation, Time and Market Phases, Predictors, Distorters, the end, score and reward."""

from collections import Counter

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.games.tower_of_mages import GAME

from .scene import (
    GAMMA,
    act,
    dice_to_come,
    do,
    legal,
    legal_ids,
    log,
    mixed,
    numbers,
    page,
    put,
    read,
    said,
    scene,
    thrown,
    uses,
    view,
)
from .slow_tower import ELEMENTS
from .test_building import NOWHERE, SIX, TOWER

EYES = (2, 4, 6, 8, 10, 12, 14)

# Two Distorters that still work on a page on which nothing can be built.
#
# 2 |. . . . C . . C . . . C .
# 1 |. . . . C . . C . . . C .
# 0 |. . . R R . R R . . R R .   (the last one is crossed out)
STUCK = (
    *("Distorter 3 0", "Tower Cap 4 1", "Distorter 6 0", "Tower Cap 7 1"),
    *("Distorter 9 0 x", "Tower Cap 10 1"),
)


def begun(seed, num_players=None, **options):
    s = GAME.new_state(num_players, **options)[0]
    GAME.reset(s, np.uint64(seed))
    return s


def filled_by(columns, dice):
    """Columns of the market after some dice."""
    counts = numbers(columns)
    for die in dice:
        counts[die - 1] = min(8, counts[die - 1] + 1)
    return said(counts)


def market_phases(s, columns, first, skip=0, seat=0):
    """The Market Phases from eye ``first`` to the last one, with no Distorter.

    Returns:
        Events, columns afterwards, and how many dice fall; ``skip`` dice fall before.
    """
    count = 3 * (8 - first)
    dice = dice_to_come(s, skip + count)[skip:]
    events = []
    for k in range(0, count, 3):
        three = sorted(dice[k : k + 3])
        events += [(seat, "eye", first + k // 3, three), (seat, "fill", three)]
    return events, filled_by(columns, dice), count


OVER = {
    "over": TERMINATED,
    "to_move": NOBODY,
    "asked": "",
    "terminated": [1],
    "dice": "",
    "eyes": 7,
    "thrown": False,  # the next round would begin
}


# Preparation.


@pytest.mark.rule("TOM-01", "TOM-06", "ALL-02")
def test_the_beginning():
    for seed in range(50):
        s = begun(seed)
        *market, mark, one, two, three = thrown(mixed(seed + GAMMA), 7)
        rng = mixed(seed + GAMMA) + 7 * GAMMA & (2**64 - 1)
        assert view(s) == {
            **view(scene(page())),
            "rng": rng,
            "filled": filled_by("0 0 0 0 0 0", market),
            "mark": mark - 1,
            "dice": said(sorted([one, two, three])),
            "events": [
                (0, "setup", sorted(market), mark - 1),
                (0, "dice", sorted([one, two, three])),
            ],
        }


@pytest.mark.rule("TOM-06")
def test_the_mark_begins_on_an_element_and_each_as_often():
    marks = Counter(int(begun(seed).mark[0]) for seed in range(1200))
    assert sorted(marks) == [0, 1, 2, 3, 4, 5]
    assert all(abs(n - 200) < 4 * np.sqrt(200) for n in marks.values())


@pytest.mark.rule("TOM-06", "TOM-07", "TOM-11", "ALL-02")
def test_dice_are_fair():
    counts = {"market": Counter(), "dice": Counter()}
    for seed in range(1000):
        s = begun(seed)
        for die in range(6):
            counts["market"][die] += int(s.filled[0, die])
            counts["dice"][die] += int(s.dice[0, die])
    for found in counts.values():
        assert found.total() == 3000
        assert all(abs(found[die] - 500) < 4 * np.sqrt(500) for die in range(6))


# Market.


@pytest.mark.rule("TOM-04", "TOM-11")
@pytest.mark.parametrize(
    ("coming", "before", "after"),
    [
        ("1 3 6", "0 0 0 0 0 0", "1 0 1 0 0 1"),
        ("2 2 2", "1 1 0 0 0 0", "1 4 0 0 0 0"),
        ("4 4 4", "0 0 0 5 0 0", "0 0 0 8 0 0"),
        ("4 4 4", "0 0 0 6 0 0", "0 0 0 8 0 0"),
        ("4 4 5", "0 0 0 8 1 0", "0 0 0 8 2 0"),
        ("1 2 3", "8 8 8 8 8 8", "8 8 8 8 8 8"),
    ],
)
def test_columns_are_filled_up_to_their_last_cell(coming, before, after):
    s = scene(page("Predictor 3 0", "Tower Cap 2 1", filled=before), asked="predict", coming=coming)
    dice = numbers(coming)
    act(
        s,
        "predictor",
        rng=6,
        rooms=["Predictor 3 0 x", "Tower Cap 2 1"],
        eyes=1,
        filled=after,
        asked="build",
        thrown=True,
        dice=said(sorted(dice_to_come(s, 6)[3:])),
        events=[
            (0, "cross", "Predictor", "Predictor", (3, 0)),
            (0, "eye", 1, dice),
            (0, "fill", dice),
            (0, "dice", sorted(dice_to_come(s, 6)[3:])),
        ],
    )


# Time.


@pytest.mark.rule("TOM-05", "TOM-11", "TOM-15")
@pytest.mark.parametrize("hour", range(1, 15))
def test_which_hourglasses_bring_a_market_phase(hour):
    passed = sum(number < hour for number in EYES)
    for eyes in range(passed, 8):
        made = page("Light 6 0", mark="Explosion", dice="6", hourglasses=hour - 1, eyes=eyes)
        s = scene(made)
        do(s, "6")
        market = hour in EYES and EYES.index(hour) >= eyes
        three, next_ones = sorted(dice_to_come(s, 3)), sorted(dice_to_come(s, 6)[3:])
        events = [(0, "cross", "Light", "Light", (6, 0)), (0, "hour", hour)]
        if market:
            events += [(0, "eye", eyes + 1, three), (0, "fill", three)]
        else:
            next_ones = three
        act(
            s,
            "explode Light",
            rooms=["Light 6 0 x"],
            asked="build",
            rng=6 if market else 3,
            hourglasses=hour,
            eyes=eyes + market,
            filled=filled_by("0 0 0 0 0 0", three if market else []),
            dice=said(next_ones),
            turn=1,
            events=[*events, (0, "dice", next_ones)],
        )


@pytest.mark.rule("TOM-07", "TOM-11")
def test_a_turn_of_three_dice_crosses_out_one_hourglass():
    s = scene(page(mark="Light", dice="1 1 1"))
    for column in (3, 6):
        do(s, "1 Stairwell")
        do(s, f"{column} 0")
        assert (s.hourglasses[0], s.turn) == (0, 0)
    do(s, "1 Stairwell")
    assert s.hourglasses[0] == 0
    do(s, "9 0")
    assert (s.hourglasses[0], s.turn, s.dice[0].sum()) == (1, 1, 3)


# Predictors.


@pytest.mark.rule("TOM-15")
def test_a_predictor_built_last_is_asked_for_before_the_next_dice():
    s = scene(page(dice="", mark=0), asked="place", building="Predictor", coming="2 4 6")
    act(
        s,
        "3 0",
        building="",
        asked="predict",
        thrown=False,
        adds=["Predictor 3 0"],
        hourglasses=1,
        turn=1,
        events=[(0, "build", "Predictor", (3, 0), "ground"), (0, "hour", 1)],
    )
    assert legal(s) == {"use a Predictor", "keep the Predictors"}
    act(
        s,
        "keep",
        asked="build",
        thrown=True,
        rng=3,
        dice="2 4 6",
        events=[(0, "keep"), (0, "dice", [2, 4, 6])],
    )


@pytest.mark.rule("TOM-15")
def test_several_predictors_one_after_the_other():
    made = page("Predictor 3 0", "Predictor 6 0", "Laboratory 5 1", eyes=1, hourglasses=2)
    s = scene(made, asked="predict", turn=2)
    for number, crossed in enumerate(((3, 0), (6, 0)), start=2):
        assert legal(s) == {"use a Predictor", "keep the Predictors"}
        before = view(s)
        three = sorted(dice_to_come(s, 3))
        rooms = [
            room + " x" * (room == f"Predictor {crossed[0]} {crossed[1]}")
            for room in before["rooms"]
        ]
        act(
            s,
            "predictor",
            rng=3,
            rooms=rooms,
            eyes=number,
            filled=filled_by(before["filled"], three),
            events=[
                (0, "cross", "Predictor", "Predictor", crossed),
                (0, "eye", number, three),
                (0, "fill", three),
            ],
        )
    # The last one is the Laboratory's; then dice are thrown without a question.
    events = do(s, "predictor")
    assert [event[:2] for event in events] == [(0, n) for n in ("cross", "eye", "fill", "dice")]
    assert events[0] == (0, "cross", "Predictor", "Laboratory", (5, 1))
    assert (s.eyes[0], view(s)["asked"]) == (4, "build")


@pytest.mark.rule("TOM-15")
def test_predictors_are_of_use_only_while_there_are_eyes():
    made = page("Predictor 3 0", "Predictor 6 0", "Predictor 9 0", eyes=5, hourglasses=3)
    s = scene(made, asked="predict")
    do(s, "predictor")
    assert (s.eyes[0], view(s)["asked"]) == (6, "predict")
    do(s, "predictor")
    assert (s.eyes[0], view(s)["asked"]) == (7, "build")
    assert s.icons[0, 6] == 1
    # With no eye left nobody is asked at the next turn either.
    s = scene(page("Predictor 3 0", eyes=7, hourglasses=4, mark=0), asked="place", building="Light")
    do(s, "6 0")
    assert (view(s)["asked"], s.dice[0].sum()) == ("build", 3)


@pytest.mark.rule("TOM-11", "TOM-15")
def test_what_was_predicted_does_not_come_again():
    s = scene(page("Predictor 3 0", hourglasses=1), asked="predict", coming="1 2 3")
    do(s, "predictor")
    assert (s.eyes[0], view(s)["filled"]) == (1, "1 1 1 0 0 0")
    s.dice[0] = [1, 0, 0, 0, 0, 0]
    do(s, "1 Stairwell")
    assert [event[1] for event in do(s, "6 0")] == ["build", "hour", "dice"]
    assert (s.hourglasses[0], s.eyes[0]) == (2, 1)


# Distorters.


@pytest.mark.rule("TOM-16")
def test_a_building_die_is_rerolled():
    made = page("Distorter 3 0", "Light 6 0", "Distorter 9 0", mark="Light", dice="2 2 5")
    s = scene(made, coming="6 3")
    assert uses(s) == {"2", "5", "2 Stairwell", "5 Stairwell", "reroll 2", "reroll 5"}
    act(
        s,
        "reroll 2",
        rng=1,
        dice="2 5 6",
        rooms=["Distorter 3 0 x", "Light 6 0", "Distorter 9 0"],
        events=[(0, "cross", "Distorter", "Distorter", (3, 0)), (0, "reroll", 2, 6)],
    )
    # A rerolled die again, with another Distorter; then there is none left.
    act(
        s,
        "reroll 6",
        rng=1,
        dice="2 3 5",
        rooms=["Distorter 3 0 x", "Light 6 0", "Distorter 9 0 x"],
        events=[(0, "cross", "Distorter", "Distorter", (9, 0)), (0, "reroll", 6, 3)],
    )
    assert uses(s) == {f"{die}{what}" for die in (2, 3, 5) for what in ("", " Stairwell")}


@pytest.mark.rule("TOM-16")
def test_only_unused_dice_are_rerolled():
    s = scene(page("Distorter 3 0", mark="Light", dice="1 4"))
    do(s, "1")
    # Where the room goes is no moment for a reroll, nor is an Explosion.
    assert not any("reroll" in words for words in legal(s))
    do(s, "6 0")
    assert {words for words in uses(s) if "reroll" in words} == {"reroll 4"}
    s = scene(page("Distorter 3 0", mark="Dark", dice="1 4"))
    do(s, "1")
    assert legal(s) == {"explode Distorter"}


@pytest.mark.rule("TOM-16")
@pytest.mark.parametrize("room", ["Distorter", "Laboratory"])
def test_a_distorter_works_in_the_turn_it_is_built(room):
    below = "Distorter 3 0 x"
    cell = "6 0" if room == "Distorter" else "4 1"
    s = scene(page(below, mark="Light", dice="4 4"), asked="place", building=room, coming="1")
    do(s, cell)
    assert "reroll 4" in uses(s)
    act(
        s,
        "reroll 4",
        rng=1,
        dice="1 4",
        rooms=[below, f"{room} {cell} x"],
        events=[
            (0, "cross", "Distorter", room, tuple(numbers(cell))),
            (0, "reroll", 4, 1),
        ],
    )


@pytest.mark.rule("TOM-11", "TOM-16")
def test_market_dice_are_rerolled_before_they_are_filled():
    made = page("Distorter 3 0", "Distorter 6 0", mark="Light", hourglasses=1)
    s = scene(made, asked="place", building="Light", coming="1 1 4 5")
    act(
        s,
        "9 0",
        rng=3,
        adds=["Light 9 0"],
        building="",
        asked="market",
        hourglasses=2,
        eyes=1,
        dice="1 1 4",
        events=[
            (0, "build", "Light", (9, 0), "ground"),
            (0, "hour", 2),
            (0, "eye", 1, [1, 1, 4]),
        ],
    )
    assert uses(s) == {"reroll 1", "reroll 4", "keep"}
    act(
        s,
        "reroll 1",
        rng=1,
        dice="1 4 5",
        rooms=["Distorter 3 0 x", "Distorter 6 0", "Light 9 0"],
        events=[(0, "cross", "Distorter", "Distorter", (3, 0)), (0, "reroll", 1, 5)],
    )
    assert uses(s) == {"reroll 1", "reroll 4", "reroll 5", "keep"}
    three = sorted(dice_to_come(s, 3))
    act(
        s,
        "keep",
        rng=3,
        filled="1 0 0 1 1 0",
        asked="build",
        dice=said(three),
        turn=1,
        events=[(0, "keep"), (0, "fill", [1, 4, 5]), (0, "dice", three)],
    )


@pytest.mark.rule("TOM-16")
def test_with_the_last_distorter_the_market_is_filled_at_once():
    made = page("Distorter 3 0", "Predictor 6 0")
    s = scene(made, asked="predict", coming="2 2 2 6")
    do(s, "predictor")
    assert view(s)["asked"] == "market"
    three = sorted(dice_to_come(s, 4)[1:])
    act(
        s,
        "reroll 2",
        rng=4,
        rooms=["Distorter 3 0 x", "Predictor 6 0 x"],
        filled="0 2 0 0 0 1",
        asked="build",
        thrown=True,
        dice=said(three),
        events=[
            (0, "cross", "Distorter", "Distorter", (3, 0)),
            (0, "reroll", 2, 6),
            (0, "fill", [2, 2, 6]),
            (0, "dice", three),
        ],
    )


@pytest.mark.rule("TOM-15", "TOM-16")
def test_after_a_predicted_market_phase_another_predictor_is_asked_for():
    made = page("Distorter 3 0", "Predictor 6 0", "Predictor 9 0")
    s = scene(made, asked="predict")
    do(s, "predictor")
    assert view(s)["asked"] == "market"
    do(s, "keep")
    assert (view(s)["asked"], s.eyes[0], s.icons[0, 6:].tolist()) == ("predict", 1, [1, 1])
    do(s, "keep")
    assert view(s)["asked"] == "build"


@pytest.mark.rule("TOM-16")
def test_without_a_distorter_nobody_is_asked():
    s = scene(page("Distorter 3 0 x", mark="Light", dice="4"))
    assert uses(s) == {"4", "4 Stairwell"}


# The end.


@pytest.mark.rule("TOM-12", "TOM-13", "ALL-03", "ALL-04", "ALL-06")
def test_a_room_in_the_top_row_ends_the_game_in_the_middle_of_a_turn():
    # 14 |. . . . .        the Light on the Predictor below reaches row 14
    # 13 |. . . P P
    # 12 |. . . R R
    made = page(*(room.replace("Distorter 3 12", "Distorter 3 12 x") for room in TOWER))
    made.dice, made.hourglasses, made.eyes = [2, 3], 6, 3
    s = scene(made, asked="place", building="Light", turn=6)
    events, columns, count = market_phases(s, "0 0 0 0 0 0", 4)
    score = 7 * (-2, -1, 0, 1, 2, 1, 0, -1, -2)[numbers(columns)[0]]
    act(
        s,
        "4 13",
        **OVER,
        adds=["Light 4 13"],
        building="",
        rng=count,
        filled=columns,
        ended="top",
        score=score,
        turn=7,
        rewards=[round(score / 50, 4)],
        returns=[round(score / 50, 4)],
        events=[
            (0, "build", "Light", (4, 13), "Distorter"),
            (0, "end", "top"),
            *events,
            (0, "score", score),
        ],
    )
    assert legal_ids(s) == []
    assert s.hourglasses[0] == 6


@pytest.mark.rule("TOM-12")
def test_the_row_below_the_top_does_not_end_it():
    made = page(*TOWER, dice="2", mark=0)
    s = scene(made, asked="place", building="Stairwell")
    act(
        s,
        "4 13",
        adds=["Stairwell 4 13"],
        asked="build",
        building="",
        events=[(0, "build", "Stairwell", (4, 13), "Distorter")],
    )


@pytest.mark.rule("TOM-12")
@pytest.mark.parametrize(
    ("room", "below"),
    [
        *(("Stairwell", "Predictor"), ("Distorter", "Predictor"), ("Fire", "Distorter")),
        *(("Earth", "Distorter"), ("Observatory", "Distorter"), ("Laboratory", "Distorter")),
    ],
)
def test_whatever_reaches_the_top_row_ends_it(room, below):
    rooms = [*TOWER[:-1], "Distorter 3 12 x"]
    rooms += ["Predictor 4 13 x"] if below == "Predictor" else []
    s = scene(page(*rooms, dice="1 2"), asked="place", building=room)
    events = do(s, "3 14" if below == "Predictor" else "4 13")
    assert events[0][:3] == (0, "build", room)
    assert (0, "end", "top") in events[:3]
    assert view(s)["ended"] == "top" and s.hourglasses[0] == 0


@pytest.mark.rule("TOM-12", "TOM-17", "TOM-18", "TOM-19")
@pytest.mark.parametrize(
    ("room", "points"), [("Tower Cap", 6 * 2), ("Observatory", 2), ("Library", 10)]
)
def test_the_room_that_ends_it_still_has_its_effect(room, points):
    tower = [*TOWER[:-1], "Distorter 3 12 x"]
    others = ["Fire 6 0", "Dark 7 2", "Air 9 0", "Earth 10 2", "Water 10 4"]
    made = page(*tower, *others, dice="6 6", filled="4 0 0 0 0 0", eyes=7, hourglasses=14)
    s = scene(made, asked="place", building=room)
    events = do(s, "4 13")
    place = events.index((0, "points", room, points))
    assert place == 1
    assert s.bonus[0] == points
    crossed = [("cross", element) for element in ELEMENTS] if room == "Library" else []
    assert [event[1:3] for event in events[2:-2]] == crossed
    assert events[-2] == (0, "end", "top")
    lights = 5 if room == "Library" else 6
    rest = 0 if room == "Library" else -2 * 5
    assert events[-1] == (0, "score", points + 2 * lights + rest)
    assert GAME.scores(s) == [points + 2 * lights + rest]


@pytest.mark.rule("TOM-12", "TOM-16")
def test_a_distorter_in_the_top_row_is_of_use_in_the_market_phases_left():
    rooms = [*TOWER[:-1], "Distorter 3 12 x", "Predictor 4 13 x"]
    s = scene(page(*rooms, dice="1 2", eyes=5, hourglasses=10), asked="place", building="Distorter")
    three = sorted(dice_to_come(s, 3))
    act(
        s,
        "3 14",
        adds=["Distorter 3 14"],
        building="",
        asked="market",
        ended="top",
        rng=3,
        eyes=6,
        dice=said(three),
        events=[
            (0, "build", "Distorter", (3, 14), "Predictor"),
            (0, "end", "top"),
            (0, "eye", 6, three),
        ],
    )
    do(s, "keep")
    assert (view(s)["asked"], s.eyes[0]) == ("market", 7)
    assert do(s, "keep")[-1][1] == "score"
    assert s.over == TERMINATED


@pytest.mark.rule("TOM-11", "TOM-12")
def test_the_last_hourglass_ends_the_game():
    made = page("Light 3 0", mark="Light", hourglasses=14, eyes=7, filled="4 0 0 0 0 0", bonus=3)
    s = scene(made, asked="place", building="Fire", turn=14)
    act(
        s,
        "3 2",
        **OVER,
        building="",
        adds=["Fire 3 2"],
        hourglasses=15,
        ended="time",
        score=3,
        turn=15,
        rewards=[0.06],
        returns=[0.06],
        events=[
            (0, "build", "Fire", (3, 2), "Light"),
            (0, "hour", 15),
            (0, "end", "time"),
            (0, "score", 3),
        ],
    )


@pytest.mark.rule("TOM-12")
def test_the_top_row_comes_before_the_last_hourglass():
    rooms = [*TOWER[:-1], "Distorter 3 12 x"]
    s = scene(page(*rooms, hourglasses=14, eyes=7), asked="place", building="Light")
    events = do(s, "4 13")
    assert [event[1] for event in events] == ["build", "end", "score"]
    assert (view(s)["ended"], s.hourglasses[0]) == ("top", 14)


@pytest.mark.rule("TOM-12")
def test_no_die_that_can_be_used_ends_the_game_right_after_the_throw():
    # The last dot is capped; the next dice lead from Light to Fire, Air and Dark.
    made = page(*NOWHERE[:2], mark="Light", filled="0 0 0 0 0 1")
    s = scene(made, asked="place", building="Tower Cap", coming="1 2 5")
    more, columns, count = market_phases(s, "0 0 0 0 0 1", 1, skip=3)
    act(
        s,
        "9 0",
        **OVER,
        building="",
        adds=["Tower Cap 9 0"],
        hourglasses=1,
        ended="nothing",
        rng=3 + count,
        filled=columns,
        score=0,
        turn=2,
        events=[
            (0, "build", "Tower Cap", (9, 0), "ground"),
            (0, "points", "Tower Cap", 0),
            (0, "hour", 1),
            (0, "dice", [1, 2, 5]),
            (0, "end", "nothing"),
            *more,
            (0, "score", 0),
        ],
    )


@pytest.mark.rule("TOM-10", "TOM-12")
def test_an_explosion_among_the_dice_keeps_the_game_going():
    made = page(*NOWHERE[:2], mark="Light")
    s = scene(made, asked="place", building="Tower Cap", coming="1 2 6")
    do(s, "9 0")
    assert uses(s) == {"6"}
    # After it 1 and 2 lead to Laboratory and Predictor: no place for them.
    events = do(s, "6")
    assert events[:3] == [(0, "use", 6, 6, "Explosion"), (0, "dud"), (0, "end", "nothing")]
    assert (s.hourglasses[0], s.eyes[0], s.over) == (1, 7, TERMINATED)


@pytest.mark.rule("TOM-12", "TOM-16")
def test_with_a_distorter_one_may_reroll_or_keep():
    s = scene(page(*STUCK, mark="Light", dice="1 2 3", eyes=6, hourglasses=12), coming="4 6")
    assert uses(s) == {"reroll 1", "reroll 2", "reroll 3", "keep"}
    act(
        s,
        "reroll 1",
        rng=1,
        dice="2 3 4",
        rooms=["Distorter 3 0 x", *STUCK[1:]],
        events=[(0, "cross", "Distorter", "Distorter", (3, 0)), (0, "reroll", 1, 4)],
    )
    assert uses(s) == {"reroll 2", "reroll 3", "reroll 4", "keep"}
    # A 6 leads to an Explosion: it can be used, and there is nothing to keep.
    act(
        s,
        "reroll 2",
        rng=1,
        dice="3 4 6",
        rooms=["Distorter 3 0 x", STUCK[1], "Distorter 6 0 x", *STUCK[3:]],
        events=[(0, "cross", "Distorter", "Distorter", (6, 0)), (0, "reroll", 2, 6)],
    )
    assert uses(s) == {"6"}


@pytest.mark.rule("TOM-12", "TOM-16")
def test_keeping_ends_the_game_and_the_distorters_remain():
    s = scene(page(*STUCK, mark="Light", dice="1 2 3", eyes=5, hourglasses=12), coming="5 5 6")
    act(
        s,
        "keep",
        rng=3,
        asked="market",
        ended="nothing",
        eyes=6,
        dice="5 5 6",
        events=[(0, "keep"), (0, "end", "nothing"), (0, "eye", 6, [5, 5, 6])],
    )
    assert uses(s) == {"reroll 5", "reroll 6", "keep"}
    do(s, "reroll 5")
    do(s, "keep")
    assert (view(s)["asked"], s.eyes[0], s.over) == ("market", 7, RUNNING)
    # With the last Distorter the rest follows.
    assert [event[1] for event in do(s, "reroll " + view(s)["dice"][0])] == [
        *("cross", "reroll", "fill", "score")
    ]
    assert s.over == TERMINATED


@pytest.mark.rule("TOM-12", "TOM-16")
def test_a_last_reroll_in_vain_ends_the_game():
    rooms = ["Distorter 3 0 x", *STUCK[1:]]
    s = scene(page(*rooms, mark="Light", dice="1 2 3", eyes=7, hourglasses=14), coming="5")
    assert [event[1] for event in do(s, "reroll 3")] == ["cross", "reroll", "end", "score"]
    assert view(s)["ended"] == "nothing"


@pytest.mark.rule("TOM-12")
def test_keep_is_no_way_out_while_a_die_can_be_used():
    for rooms in (("Distorter 3 0",), ("Distorter 3 0", "Tower Cap 6 0", "Tower Cap 9 0")):
        assert "keep" not in uses(scene(page(*rooms, mark="Light", dice="1 2 3")))
    # An Explosion can be used, too, and a Stairwell instead of a Light.
    assert "keep" not in uses(scene(page(*STUCK, mark="Light", dice="1 6")))
    rooms = ("Light 3 0", "Distorter 6 0", "Tower Cap 7 1", "Tower Cap 9 0")
    s = scene(page(*rooms, mark="Explosion", dice="6 1"))
    assert "keep" not in uses(s)


@pytest.mark.rule("TOM-09", "TOM-12", "TOM-19")
def test_a_library_alone_keeps_the_game_going():
    # All dots but one are capped; 2 and 5 lead to Air and Dark. Neither fits on the Dark, nor does
    # a Stairwell.
    # 5 |. . . . C . . . C + . . .
    # 4 |. . . . C . . . C + . . .
    # 3 |. . . F F C . . W D D . .
    # 2 |. . . F . C . W W . D . .
    caps = ("Tower Cap 4 4", "Tower Cap 5 2")
    s = scene(page(*SIX, *caps, dice="2 5"), asked="place", building="Tower Cap")
    do(s, "8 4")
    assert uses(s) == {"2 Library", "5 Library"}
    rooms = [room + " x" * room.startswith("Fire") for room in SIX]
    s = scene(page(*rooms, *caps, dice="2 5"), asked="place", building="Tower Cap")
    assert (0, "end", "nothing") in do(s, "8 4")
    assert (view(s)["ended"], s.hourglasses[0]) == ("nothing", 0)


# Score and reward.


@pytest.mark.rule("TOM-13", "TOM-14")
def test_the_score():
    # Light 2 (one of two crossed out), Fire -2 and its copy, Dark 1; 10 + 3 for buildings; others
    # have no value: a Predictor and its copy, a Stairwell.
    rooms = (
        *("Light 3 0", "Fire 3 2", "Laboratory 4 4", "Light 6 0 x", "Dark 6 2"),
        *("Predictor 9 0", "Laboratory 8 1", "Stairwell 8 3"),
    )
    s = scene(page(*rooms, filled="4 0 4 4 4 5", bonus=13))
    assert GAME.scores(s) == [2 - 2 - 2 + 1 + 13]


@pytest.mark.rule("ALL-04")
@pytest.mark.parametrize(("bonus", "reward"), [(50, 1.0), (75, 1.5), (-10, -0.2), (0, 0.0)])
def test_alone_the_reward_is_the_score_by_fifty(bonus, reward):
    made = page(*NOWHERE, mark="Dark", dice="1", hourglasses=14, eyes=7, bonus=bonus)
    s = scene(made)
    do(s, "1")
    assert view(s)["rewards"] == view(s)["returns"] == [reward]
    assert s.terminated[0] == 1 and not s.truncated.any()
    assert GAME.config(s) == {"num_players": 1, "reward": "score"}


@pytest.mark.rule("TOM-12", "ALL-05")
def test_there_are_seven_market_phases_in_every_game_and_fifteen_turns_at_most():
    rng = np.random.default_rng(5)
    ends = Counter()
    for seed in range(40):
        s = begun(seed)
        seen = Counter()
        while s.over == RUNNING:
            assert not s.truncated.any() and not s.rewards.any()
            GAME.step(s, int(rng.choice(legal_ids(s))))
            seen.update(event[1] for event in log(s))
        ended = view(s)["ended"]
        ends[ended] += 1
        assert seen["eye"] == seen["fill"] == s.eyes[0] == 7
        assert s.turn == seen["hour"] + (ended != "time") <= 15
    assert ends["top"] and ends["nothing"]


@pytest.mark.rule("ALL-02")
def test_the_seed_alone_decides():
    assert begun(3).tobytes() == begun(3).tobytes() != begun(4).tobytes()
    s = begun(9)
    put(s, 0, page("Light 3 0", dice="1 1 1"))
    GAME.reset(s, np.uint64(3))
    again = begun(3)
    again.events[again.num_events :] = s.events[s.num_events :] = 0
    assert s.tobytes() == again.tobytes()
    assert read(s, 0).rooms == []
