"""Two players: common dice, splitting and choosing, the chooser first, going on alone, ranks."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.games.tower_of_mages import GAME, state

from .scene import (
    GAMMA,
    LAST,
    act,
    dice_to_come,
    do,
    legal,
    legal_ids,
    log,
    mixed,
    numbers,
    page,
    read,
    said,
    scene,
    thrown,
    uses,
    view,
)
from .slow_tower import splits
from .test_building import NOWHERE, TOWER
from .test_turns import begun, filled_by, market_phases

TOP = [*TOWER[:-1], "Distorter 3 12 x"]
"""A tower on which the next room at 4 13 reaches the top row."""


# Preparation.


@pytest.mark.rule("TOM-06", "TOM-21", "ALL-02")
def test_the_beginning():
    for seed in range(50):
        s = begun(seed, 2)
        rng = mixed(seed + GAMMA & LAST)
        dice = thrown(rng, 15)
        roller = (mixed(rng + 9 * GAMMA & LAST) >> 32) * 2 >> 32
        common = sorted(dice[9:])
        assert view(s) == {
            **view(scene(page(), page(), asked="split")),
            "rng": rng + 15 * GAMMA & LAST,
            "to_move": roller,
            "roller": roller,
            "common": said(common),
            "filled_0": filled_by("0 0 0 0 0 0", dice[:3]),
            "filled_1": filled_by("0 0 0 0 0 0", dice[4:7]),
            "mark_0": dice[3] - 1,
            "mark_1": dice[7] - 1,
            "events": [
                (0, "setup", sorted(dice[:3]), dice[3] - 1),
                (1, "setup", sorted(dice[4:7]), dice[7] - 1),
                (roller, "lot"),
                (roller, "common", common),
            ],
        }


@pytest.mark.rule("TOM-21")
def test_the_first_roller_is_drawn_by_lot():
    rollers = Counter(int(begun(seed, 2).roller) for seed in range(400))
    assert abs(rollers[0] - 200) < 40 and rollers.total() == 400


# Splits and groups.


@pytest.mark.rule("TOM-21")
def test_ten_splits():
    s = scene(page(), page(), asked="split", seat=1, roller=1, common="1 2 3 4 5 6")
    assert legal(s) == {
        *("split 1 2 3 / 4 5 6", "split 1 2 4 / 3 5 6", "split 1 2 5 / 3 4 6"),
        *("split 1 2 6 / 3 4 5", "split 1 3 4 / 2 5 6", "split 1 3 5 / 2 4 6"),
        *("split 1 3 6 / 2 4 5", "split 1 4 5 / 2 3 6", "split 1 4 6 / 2 3 5"),
        "split 1 5 6 / 2 3 4",
    }
    assert legal_ids(s) == list(range(state.A_SPLIT, state.A_SPLIT + 10))


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize(
    ("common", "wanted"),
    [
        ("3 3 3 3 3 3", ["3 3 3 / 3 3 3"]),
        ("1 1 1 2 2 2", ["1 1 1 / 2 2 2", "1 1 2 / 1 2 2"]),
        ("1 1 1 1 1 6", ["1 1 1 / 1 1 6"]),
        (
            "1 1 2 2 3 3",
            ["1 1 2 / 2 3 3", "1 1 3 / 2 2 3", "1 2 2 / 1 3 3", "1 2 3 / 1 2 3"],
        ),
    ],
)
def test_equal_splits_are_one_action(common, wanted):
    s = scene(page(), page(), asked="split", common=common)
    found = {words.removeprefix("split ") for words in legal(s)}
    assert len(found) == len(legal_ids(s))
    assert found == set(wanted)


@pytest.mark.rule("TOM-21")
def test_all_throws_of_six():
    s = scene(page(), page(), asked="split", common="1 2 3 4 5 6")
    for common in combinations_with_replacement(range(1, 7), 6):
        s.common[:] = common
        words = [GAME.action_text(s, action).removeprefix("split ") for action in legal_ids(s)]
        pairs = [[tuple(numbers(group)) for group in text.split("/")] for text in words]
        assert all(one[0] == common[0] for one, _ in pairs)  # die 0 is in group 1
        found = [("split", *sorted(pair)) for pair in pairs]
        assert len(set(found)) == len(found)
        assert set(found) == splits(list(common))


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("roller", [0, 1])
@pytest.mark.parametrize("number", [1, 2])
def test_the_roller_splits_and_the_other_chooses(roller, number):
    chooser = 1 - roller
    pages = [page(mark=1), page(mark=2)]
    s = scene(*pages, asked="split", seat=roller, roller=roller, common="1 2 2 4 5 6")
    act(
        s,
        "split 1 2 6 / 2 4 5",
        to_move=chooser,
        asked="group",
        split=3,
        events=[(roller, "split", [1, 2, 6], [2, 4, 5])],
    )
    assert legal(s) == {"take group 1", "take group 2"}
    groups = ["1 2 6", "2 4 5"]
    taken, left = groups[number - 1], groups[2 - number]
    act(
        s,
        f"group {number}",
        asked="build",
        split=-1,
        common="",
        **{f"dice_{chooser}": taken, f"dice_{roller}": left},
        events=[(chooser, "group", number, numbers(taken), numbers(left))],
    )


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("action", range(10))
def test_every_split_gives_the_groups_it_says(action):
    s = scene(page(), page(), asked="split", common="1 2 3 4 5 6")
    words = GAME.action_text(s, state.A_SPLIT + action).removeprefix("split ")
    one, two = (numbers(group) for group in words.split("/"))
    assert sorted(one + two) == [1, 2, 3, 4, 5, 6]
    GAME.step(s, state.A_SPLIT + action)
    assert log(s) == [(0, "split", one, two)]
    do(s, "group 2")
    assert (view(s)["dice_1"], view(s)["dice_0"]) == (said(two), said(one))


# Turns.


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("roller", [0, 1])
def test_the_chooser_plays_a_whole_turn_then_the_roller_then_roles_change(roller):
    chooser = 1 - roller
    pages = [page("Light 3 0", mark="Light", hourglasses=1) for _ in range(2)]
    pages[chooser].dice = []
    pages[roller].dice = [1, 1, 1]
    options = {"seat": chooser, "roller": roller, "asked": "place", "building": "Fire"}
    s = scene(*pages, **options, turn=2)
    three = sorted(dice_to_come(s, 3))
    act(
        s,
        "3 2",
        to_move=roller,
        asked="build",
        building="",
        rng=3,
        turn=3,
        **{
            f"adds_{chooser}": ["Fire 3 2"],
            f"hourglasses_{chooser}": 2,
            f"eyes_{chooser}": 1,
            f"filled_{chooser}": filled_by("0 0 0 0 0 0", three),
        },
        events=[
            (chooser, "build", "Fire", (3, 2), "Light"),
            (chooser, "hour", 2),
            (chooser, "eye", 1, three),
            (chooser, "fill", three),
        ],
    )
    for cell in ("3 2", "6 0"):
        do(s, "1 Stairwell")
        do(s, cell)
    do(s, "1 Stairwell")
    # The Time and Market Phase of the roller, and a new throw by the other.
    market, common = sorted(dice_to_come(s, 3)), sorted(dice_to_come(s, 9)[3:])
    act(
        s,
        "9 0",
        to_move=chooser,
        roller=chooser,
        asked="split",
        building="",
        rng=9,
        common=said(common),
        turn=4,
        **{
            f"adds_{roller}": ["Stairwell 9 0"],
            f"hourglasses_{roller}": 2,
            f"eyes_{roller}": 1,
            f"filled_{roller}": filled_by("0 0 0 0 0 0", market),
        },
        events=[
            (roller, "build", "Stairwell", (9, 0), "ground"),
            (roller, "hour", 2),
            (roller, "eye", 1, market),
            (roller, "fill", market),
            (chooser, "common", common),
        ],
    )


@pytest.mark.rule("TOM-21")
def test_the_role_alternates():
    rng = np.random.default_rng(1)
    for seed in range(6):
        s = begun(seed, 2)
        throwers = [event[0] for event in log(s) if event[1] == "common"]
        while s.over == RUNNING:
            GAME.step(s, int(rng.choice(legal_ids(s))))
            throwers += [event[0] for event in log(s) if event[1] == "common"]
        assert len(throwers) > 3
        assert throwers == [(throwers[0] + k) % 2 for k in range(len(throwers))]


# Predictors and Distorters.


@pytest.mark.rule("TOM-15", "TOM-21")
def test_predictors_before_the_common_dice_the_roller_first():
    pages = [page("Predictor 3 0", "Predictor 6 0", mark="Light") for _ in range(2)]
    s = scene(*pages, asked="predict", seat=1, roller=1)
    three = sorted(dice_to_come(s, 3))
    act(
        s,
        "predictor",
        rng=3,
        rooms_1=["Predictor 3 0 x", "Predictor 6 0"],
        eyes_1=1,
        filled_1=filled_by("0 0 0 0 0 0", three),
        events=[
            (1, "cross", "Predictor", "Predictor", (3, 0)),
            (1, "eye", 1, three),
            (1, "fill", three),
        ],
    )
    act(s, "keep", to_move=0, events=[(1, "keep")])
    do(s, "predictor")
    common = sorted(dice_to_come(s, 6))
    act(
        s,
        "keep",
        rng=6,
        to_move=1,
        asked="split",
        thrown=True,
        common=said(common),
        events=[(0, "keep"), (1, "common", common)],
    )


@pytest.mark.rule("TOM-15", "TOM-21")
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("roller", [0, 1])
def test_only_who_has_a_predictor_is_asked(owner, roller):
    pages = [page(*["Predictor 3 0"] * (p == owner), mark="Light") for p in (0, 1)]
    pages[roller].hourglasses = 2
    chooser = 1 - roller
    # The roller of the round before ends it.
    s = scene(*pages, asked="place", building="Light", seat=chooser, roller=chooser)
    do(s, "6 0")
    assert (s.seat, view(s)["asked"], s.roller) == (owner, "predict", roller)
    do(s, "keep")
    assert (s.seat, view(s)["asked"]) == (roller, "split")


@pytest.mark.rule("TOM-16", "TOM-21")
def test_common_dice_cannot_be_rerolled_but_the_own_group_can():
    pages = [page("Distorter 3 0", mark="Light") for _ in range(2)]
    s = scene(*pages, asked="split", common="1 1 1 2 2 2", coming="6 5")
    assert legal(s) == {"split 1 1 1 / 2 2 2", "split 1 1 2 / 1 2 2"}
    do(s, "1 1 1")
    assert legal(s) == {"take group 1", "take group 2"}
    do(s, "group 1")
    # From the start of the own Building Phase; the roller's dice are not the chooser's.
    assert uses(s) == {"1", "1 Stairwell", "reroll 1"}
    act(
        s,
        "reroll 1",
        rng=1,
        dice_1="1 1 6",
        rooms_1=["Distorter 3 0 x"],
        events=[(1, "cross", "Distorter", "Distorter", (3, 0)), (1, "reroll", 1, 6)],
    )
    s.dice[1] = [1, 0, 0, 0, 0, 0]
    do(s, "1 Stairwell")
    do(s, "6 0")
    assert s.seat == 0
    assert uses(s) == {"2", "2 Stairwell", "reroll 2"}
    do(s, "reroll 2")
    assert view(s)["dice_0"] == "2 2 5"


# The end of a page.


@pytest.mark.rule("TOM-12", "TOM-21", "ALL-06")
def test_the_chooser_ends_and_the_roller_goes_on():
    pages = [page("Light 3 0", mark="Light", dice="1 1 1"), page(*TOP, dice="2 3", eyes=5)]
    s = scene(*pages, asked="place", building="Light", seat=1)
    more, columns, count = market_phases(s, "0 0 0 0 0 0", 6, seat=1)
    score = 7 * (-2, -1, 0, 1, 2, 1, 0, -1, -2)[numbers(columns)[0]]
    act(
        s,
        "4 13",
        to_move=0,
        asked="build",
        building="",
        adds_1=["Light 4 13"],
        dice_1="",
        ended_1="top",
        eyes_1=7,
        filled_1=columns,
        score_1=score,
        rng=count,
        turn=1,
        events=[
            (1, "build", "Light", (4, 13), "Distorter"),
            (1, "end", "top"),
            *more,
            (1, "score", score),
        ],
    )
    assert uses(s) == {"1", "1 Stairwell"}
    for cell in ("3 2", "6 0"):
        do(s, "1 Stairwell")
        do(s, cell)
    do(s, "1 Stairwell")
    three = sorted(dice_to_come(s, 3))
    act(
        s,
        "9 0",
        asked="build",
        building="",
        adds_0=["Stairwell 9 0"],
        hourglasses_0=1,
        dice_0=said(three),
        shared=False,
        roller=1,
        rng=3,
        turn=2,
        events=[
            (0, "build", "Stairwell", (9, 0), "ground"),
            (0, "hour", 1),
            (0, "dice", three),
        ],
    )


@pytest.mark.rule("TOM-12", "TOM-15", "TOM-21")
def test_the_roller_ends_and_the_chooser_goes_on_with_own_dice_and_predictors():
    pages = [page("Predictor 3 0", mark="Light"), page(*TOP, dice="2 3", eyes=7)]
    s = scene(*pages, asked="place", building="Light", seat=1, roller=1)
    do(s, "4 13")
    assert view(s)["ended_1"] == "top"
    assert (s.seat, view(s)["asked"]) == (0, "predict")
    assert not s.terminated.any()
    events = do(s, "predictor")
    assert [event[:2] for event in events] == [(0, n) for n in ("cross", "eye", "fill", "dice")]
    assert view(s)["asked"] == "build" and s.dice[0].sum() == 3 and not s.common.any()


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("roller", [0, 1])
@pytest.mark.parametrize("alone", [0, 1])
def test_alone_one_turn_follows_the_other(alone, roller):
    pages = [page(ended="nothing", eyes=7), page(ended="nothing", eyes=7)]
    pages[alone] = page(mark="Light")
    s = scene(*pages, asked="place", building="Light", seat=alone, roller=roller)
    for cell in ("6 0", "9 0"):
        events = do(s, cell)
        assert [event[:2] for event in events[:3]] == [
            (alone, name) for name in ("build", "hour", "dice" if cell == "6 0" else "eye")
        ]
        assert (s.seat, view(s)["asked"], s.dice[alone].sum()) == (alone, "build", 3)
        s.dice[alone] = [1, 0, 0, 0, 0, 0]
        do(s, "1 Stairwell")


@pytest.mark.rule("TOM-12", "TOM-21")
def test_a_seat_that_has_ended_is_asked_no_more():
    rng = np.random.default_rng(2)
    alone = Counter()
    for seed in range(8):
        s = begun(seed, 2)
        while s.over == RUNNING:
            assert not s.terminated.any()
            if s.ended[s.seat]:
                assert view(s)["asked"] == "market"  # one of the Market Phases left
            alone[bool(s.ended.any())] += 1
            GAME.step(s, int(rng.choice(legal_ids(s))))
        assert s.terminated.tolist() == [1, 1] and s.eyes.tolist() == [7, 7]
    assert alone[True] > 20


def last_die(bonus, other_bonus, **options):
    """Seat 0's last action: an Explosion that finds nothing, then time is up."""
    made = page(*NOWHERE, mark="Dark", dice="1", hourglasses=14, eyes=7, bonus=bonus)
    other = page(*NOWHERE, ended="nothing", eyes=7, bonus=other_bonus)
    s = scene(made, other, turn=20, shared=False, roller=1, **options)
    s.score[1] = other_bonus
    return s


@pytest.mark.rule("TOM-12", "TOM-21", "ALL-03", "ALL-04", "ALL-06")
@pytest.mark.parametrize(
    ("bonus", "other", "rewards"), [(5, 4, [1, -1]), (4, 5, [-1, 1]), (-3, -3, [0, 0])]
)
def test_the_game_is_over_when_both_pages_are_and_the_higher_score_wins(bonus, other, rewards):
    s = last_die(bonus, other)
    act(
        s,
        "1",
        to_move=NOBODY,
        roller=NOBODY,
        over=TERMINATED,
        asked="",
        thrown=False,
        mark_0=6,
        dice_0="",
        hourglasses_0=15,
        ended_0="time",
        score_0=bonus,
        turn=21,
        rewards=rewards,
        returns=rewards,
        terminated=[1, 1],
        events=[
            (0, "use", 1, 6, "Explosion"),
            (0, "dud"),
            (0, "hour", 15),
            (0, "end", "time"),
            (0, "score", bonus),
        ],
    )
    assert legal_ids(s) == []


@pytest.mark.rule("ALL-04", "TOM-21")
def test_points_instead_of_places():
    s = last_die(45, 20, reward="score")
    do(s, "1")
    assert view(s)["rewards"] == [0.9, 0.4]
    assert GAME.config(scene(page(), page()))["reward"] == "rank"


@pytest.mark.rule("TOM-12", "TOM-19", "TOM-21")
def test_the_longest_that_one_action_can_have():
    # A Library in the top row ends the chooser's page, and the roller can build nothing.
    others = ["Fire 6 0", "Dark 7 2", "Air 9 0", "Earth 10 2", "Water 10 4"]
    pages = [page(*TOP, *others), page(*NOWHERE, mark="Light", dice="1 2 3")]
    s = scene(*pages, asked="place", building="Library", seat=0, roller=1)
    events = do(s, "4 13")
    assert [event[:2] for event in events] == [
        *[(0, "build"), (0, "points"), *[(0, "cross")] * 6, (0, "end")],
        *[(0, "eye"), (0, "fill")] * 7,
        *[(0, "score"), (1, "end"), *[(1, "eye"), (1, "fill")] * 7, (1, "score")],
    ]
    assert s.over == TERMINATED
    assert len(events) <= state.MAX_EVENTS


@pytest.mark.rule("TOM-21")
def test_pages_are_apart():
    pages = [page("Light 3 0", filled="4 0 0 0 0 0"), page("Light 3 0", "Fire 3 2", bonus=7)]
    s = scene(*pages, asked="split", common="1 2 3 4 5 6")
    assert GAME.scores(s) == [2, 7 - 4]
    assert [len(read(s, p).rooms) for p in (0, 1)] == [1, 2]
