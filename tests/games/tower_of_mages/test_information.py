"""What a seat sees as numbers, block by block; nothing is hidden but what the dice will show."""

import numpy as np
import pytest

from mages_env.engine import RUNNING
from mages_env.games.tower_of_mages import GAME, state

from .scene import ROOMS, SHEET, do, legal_ids, page, read, scene, view
from .slow_tower import ELEMENTS, ICONS
from .test_turns import EYES, begun

TABLES = (
    *("asked", "game", "building", "common", "groups", "dice", "mark", "market", "icons"),
    *("fitting", "page"),
)


def observed(s, seat, encoder="standard"):
    encoder = GAME.encoder(encoder)
    out = np.full(encoder.layout.size, np.nan, np.float32)
    encoder.function(s, seat, out)
    assert (out >= encoder.layout.low).all() and (out <= encoder.layout.high).all()
    return encoder.layout.views(out)


def observed_full(s):
    out = np.full(GAME.full.layout.size, np.nan, np.float32)
    GAME.full.function(s, out)
    assert (out >= GAME.full.layout.low).all() and (out <= GAME.full.layout.high).all()
    return GAME.full.layout.views(out)


def assert_blocks(found, wanted):
    assert found.keys() == wanted.keys()
    for name, block in wanted.items():
        np.testing.assert_allclose(found[name], block, rtol=1e-5, atol=1e-6, err_msg=name)


def within(x):
    return min(1.0, max(-1.0, x))


def planes(made):
    """Rooms, free dots and what a Tower Cap would score, as the layout words them."""
    out = np.zeros((3, 15, 13))
    for (x, y), room in made.owners.items():
        number = (1 + ROOMS.index(room.name)) / 13
        out[0, y, x] = -number if room.crossed else number
    for (x, y), room in made.dots().items():
        out[1, y, x] = 1 / 15
        if room:
            down = [room, *room.down()]
            out[1, y, x] += len(down) / 15
            out[2, y, x] = sum(made.value(r.icon) for r in down if r.icon in ELEMENTS) / 30
    return out


def columns(made):
    out = np.zeros((13, 3))
    for x in range(13):
        out[x, 0] = max([0, *(y + 1 for a, y in made.owners if a == x)]) / 15
        rows = [y for a, y in made.dots() if a == x]
        out[x, 1] = min(1, len(rows) / 3)
        out[x, 2] = max([0, *rows]) / 15
    return out


def tables(s, seats, own_move):
    """The tables with the pages of ``seats`` in this order."""
    running = s.over == RUNNING
    asked = np.zeros(7)
    if running:
        asked[s.phase] = 1
    building = np.zeros(13)
    if s.building >= 0:
        building[s.building] = 1
    groups = np.zeros((2, 6))
    if view(s)["asked"] == "group":
        words = GAME.event_text(s, s.events[0])
        parts = words.partition(": ")[2].replace("group 1 is ", "").split(", group 2 is ")
        for k, part in enumerate(parts):
            for die in part.split():
                groups[k, int(die) - 1] += 1 / 3
    out = {
        "asked": asked,
        "game": [
            *(own_move, s.num_players == 2, s.shared, s.thrown),
            s.shared and s.roller == seats[0],
        ],
        "building": building,
        "common": np.array(s.common) / 6,
        "groups": groups,
        "dice": np.zeros((2, 6)),
        "mark": np.zeros((2, 13)),
        "market": np.zeros((2, 6, 2)),
        "icons": np.zeros((2, 8)),
        "fitting": np.zeros((2, 13)),
        "page": np.zeros((2, 7)),
    }
    for k, p in enumerate(seats):
        made = read(s, p)
        out["dice"][k] = [made.dice.count(die) / 3 for die in range(1, 7)]
        out["mark"][k, made.mark] = 1
        out["market"][k] = [[made.filled[e] / 8, made.value(e) / 2] for e in ELEMENTS]
        out["icons"][k] = [min(1, len(made.working(icon)) / 8) for icon in ICONS]
        out["fitting"][k] = [bool(made.places(name)) for name in ROOMS]
        hour = made.hourglasses + 1
        out["page"][k] = [
            *(1, bool(made.ended), made.hourglasses / 15, made.eyes / 7),
            hour in EYES and EYES.index(hour) >= made.eyes,
            within(made.points() / 100),
            within(made.buildings / 100),
        ]
    return out


def check_observations(s):
    count = int(s.num_players)
    for seat in range(count):
        seats = [seat, 1 - seat][:count]
        pages = [read(s, p) for p in seats]
        wanted = tables(s, seats, own_move=s.seat == seat)
        other = columns(pages[1]) if count == 2 else np.zeros((13, 3))
        standard = {"plan": planes(pages[0]), **wanted, "other_columns": other}
        assert_blocks(observed(s, seat), standard)
        compact = {**wanted, "columns": [columns(pages[0]), other]}
        assert_blocks(observed(s, seat, "compact"), compact)
    pages = [read(s, p) for p in range(count)]
    assert_blocks(
        observed_full(s),
        {
            "plans": [planes(made) for made in pages] + [np.zeros((3, 15, 13))] * (2 - count),
            "to_move": [s.seat == 0, s.seat == 1],
            **tables(s, range(count), own_move=s.over == RUNNING),
        },
    )


def middle(**more):
    #  4 |. . . + . . . . .
    #  3 |. . . B . . + . +
    #  2 |. . . B . . S S S
    #  1 |. . . l . . F F + .
    #  0 |. . . l . . F . P P
    rooms = ("Light 3 0 x", "Laboratory 3 2", "Fire 6 0", "Predictor 9 0", "Stairwell 7 2")
    values = {"mark": "Air", "dice": "2 2 5", "filled": "4 0 8 1 2 3", "bonus": 13}
    return page(*rooms, **values | {"hourglasses": 3, "eyes": 1} | more)


@pytest.mark.rule("TOM-02", "TOM-08", "TOM-17", "TOM-18")
def test_the_planes():
    plan = observed(scene(middle()), 0)["plan"]
    rooms = np.zeros((15, 13))
    rooms[:2, 3] = -1 / 13  # Light, crossed out
    rooms[2:4, 3] = 7 / 13  # Laboratory
    rooms[0, 6] = rooms[1, 6:8] = 2 / 13  # Fire
    rooms[2, 6:9] = 13 / 13  # Stairwell
    rooms[0, 8:10] = 8 / 13  # Predictor
    np.testing.assert_allclose(plan[0], rooms, rtol=1e-6)
    # Light and its copy at 2 each below (4, 3); Fire at -2 below the Stairwell.
    cells = [(4, 3), (3, 6), (3, 8), (1, 8)]
    for plane, values in ((1, [3, 3, 3, 2]), (2, [4 / 2, -2 / 2, -2 / 2, 0])):
        wanted = np.zeros((15, 13))
        for cell, value in zip(cells, values, strict=True):
            wanted[cell] = value / 15
        np.testing.assert_allclose(plan[plane], wanted, rtol=1e-5)


def test_the_tables():
    seen = observed(scene(middle()), 0)
    assert_blocks(
        {name: seen[name] for name in TABLES},
        {
            "asked": [0, 0, 0, 1, 0, 0, 0],
            "game": [1, 0, 0, 1, 0],
            "building": [0] * 13,
            "common": [0] * 6,
            "groups": np.zeros((2, 6)),
            "dice": [[0, 2 / 3, 0, 0, 1 / 3, 0], [0] * 6],
            "mark": [[0, 0, 1] + [0] * 10, [0] * 13],
            "market": [
                [[4 / 8, 1], [0, -1], [1, -1], [1 / 8, -1 / 2], [2 / 8, 0], [3 / 8, 1 / 2]],
                np.zeros((6, 2)),
            ],
            "icons": [[1 / 8, 1 / 8, 0, 0, 0, 0, 1 / 8, 0], [0] * 8],
            "fitting": [[1] * 13, [0] * 13],
            "page": [[1, 0, 3 / 15, 1 / 7, 1, 13 / 100, 13 / 100], [0] * 7],
        },
    )
    assert not seen["other_columns"].any()


def test_the_next_hourglass_brings_a_market_phase_or_not():
    for hour in range(15):
        for eyes in range(8):
            seen = observed(scene(middle(hourglasses=hour, eyes=eyes)), 0)
            wanted = hour + 1 in EYES and EYES.index(hour + 1) >= eyes
            assert seen["page"][0, 4] == wanted


@pytest.mark.rule("TOM-21")
def test_two_pages_and_what_is_asked():
    other = page("Light 9 0", dice="", mark="Light")
    mine = middle(dice="")
    s = scene(mine, other, asked="split", seat=1, roller=1, common="1 2 2 4 5 6")
    check_observations(s)
    seen = observed(s, 0)
    assert seen["game"].tolist() == [0, 1, 1, 1, 0]
    np.testing.assert_allclose(seen["common"], np.array([1, 2, 2, 4, 5, 6]) / 6, rtol=1e-6)
    assert observed(s, 1)["game"].tolist() == [1, 1, 1, 1, 1]
    np.testing.assert_array_equal(observed(s, 1)["mark"], seen["mark"][::-1])
    do(s, "1 2 6 / 2 4 5")
    check_observations(s)
    groups = [[1 / 3, 1 / 3, 0, 0, 0, 1 / 3], [0, 1 / 3, 0, 1 / 3, 1 / 3, 0]]
    np.testing.assert_allclose(observed(s, 0)["groups"], groups, rtol=1e-6)
    do(s, "group 1")
    check_observations(s)
    dice = observed(s, 0)["dice"]
    np.testing.assert_allclose(dice, np.array([[1, 1, 0, 0, 0, 1], [0, 1, 0, 1, 1, 0]]) / 3)
    do(s, "1 Stairwell")
    assert observed(s, 0)["building"].tolist() == [0] * 12 + [1]
    check_observations(s)


def test_columns_of_the_others_plan():
    s = scene(page(), middle(dice=""), asked="split", common="1 2 3 4 5 6")
    heights = observed(s, 0)["other_columns"][:, 0] * 15
    np.testing.assert_allclose(heights, [0, 0, 0, 4, 0, 0, 3, 3, 3, 1, 0, 0, 0], rtol=1e-5)
    dots = observed(s, 0)["other_columns"][:, 1] * 3
    np.testing.assert_allclose(dots, [0, 0, 0, 1, 0, 0, 1, 0, 2, 0, 0, 0, 0], rtol=1e-5)
    rows = observed(s, 0)["other_columns"][:, 2] * 15
    np.testing.assert_allclose(rows, [0, 0, 0, 4, 0, 0, 3, 0, 3, 0, 0, 0, 0], rtol=1e-5)


@pytest.mark.parametrize("count", [1, 2])
def test_every_block_in_random_games(count):
    rng = np.random.default_rng(7)
    for seed in range(3 - count):
        s = begun(seed, count)
        step = 0
        while s.over == RUNNING:
            GAME.step(s, int(rng.choice(legal_ids(s))))
            step += 1
            if step % 8 == 0 or s.over != RUNNING or view(s)["asked"] == "group":
                check_observations(s)


def test_points_beyond_a_hundred_stay_within_the_layout():
    for bonus, wanted in ((130, 1), (-130, -1)):
        seen = observed(scene(page(bonus=bonus, dice="1")), 0)
        assert seen["page"][0, 5:].tolist() == [wanted, wanted]


def test_many_icons_and_dots_stay_within_the_layout():
    # Nine Distorters with Predictors on them.
    rooms = [f"{('Distorter 3', 'Predictor 4')[n % 2]} {n}" for n in range(13)]
    rooms += [f"{('Distorter 6', 'Predictor 7')[n % 2]} {n}" for n in range(13)]
    s = scene(page(*rooms, dice="1"))
    assert s.icons[0, 6:].tolist() == [12, 14]
    assert observed(s, 0)["icons"][0].tolist() == [0] * 6 + [1, 1]
    check_observations(s)


# Determinising.


def determinized(s, seat, seed):
    redrawn = s.copy()
    GAME.determinize(redrawn, seat, np.uint64(seed))
    return redrawn


@pytest.mark.rule("ALL-02")
@pytest.mark.parametrize("count", [1, 2])
def test_determinising_changes_coming_dice_alone(count):
    assert GAME.perfect_information
    rng = np.random.default_rng(3)
    s = begun(1, count)
    while s.over == RUNNING:
        for seat in range(count if rng.random() < 0.4 else 0):
            other = determinized(s, seat, 5)
            before, after = view(s), view(other)
            assert before.pop("rng") != after.pop("rng")
            assert after == before
            assert GAME.to_text(other, seat) == GAME.to_text(s, seat)
            assert GAME.to_json(other, seat) == GAME.to_json(s, seat)
            for encoder in GAME.encoders:
                assert_blocks(observed(other, seat, encoder), observed(s, seat, encoder))
            # Neither the coming dice nor what earlier steps left behind gets through.
            disguised = s.copy()
            disguised.rng = 77
            disguised.events[disguised.num_events :] = 9
            assert determinized(disguised, seat, 5).tobytes() == other.tobytes()
        GAME.step(s, int(rng.choice(legal_ids(s))))


@pytest.mark.rule("ALL-02")
def test_determinising_reseeds_chance():
    s = scene(middle())
    streams = {int(determinized(s, 0, seed).rng) for seed in range(20)}
    assert len(streams) == 20 and int(s.rng) not in streams


# The estimate of the outcome for searches that stop early.


def estimate(s):
    out = np.full(s.num_players, np.nan, np.float32)
    GAME.evaluate(s, out)
    return out.tolist()


@pytest.mark.parametrize("options", [{}, {"num_players": 2}, {"num_players": 2, "reward": "score"}])
def test_the_estimate_of_a_game_that_is_over_is_its_outcome(options):
    rng = np.random.default_rng(4)
    s = begun(2, **options)
    while s.over == RUNNING:
        found = estimate(s)
        assert np.isfinite(found).all()
        if options.get("reward") is None and len(found) == 2:
            assert sum(found) == pytest.approx(0, abs=1e-6)
        GAME.step(s, int(rng.choice(legal_ids(s))))
    assert estimate(s) == pytest.approx(s.returns[: s.num_players].tolist(), abs=1e-6)


@pytest.mark.parametrize("reward", ["rank", "score"])
def test_the_estimate_prefers_more_points(reward):
    pages = [page("Light 3 0", bonus=n, dice="1 2 3", hourglasses=13, eyes=7) for n in (20, 5)]
    ahead, behind = estimate(scene(*pages, reward=reward))
    assert ahead > behind
    pages[1].filled["Light"] = 4
    closer = estimate(scene(*pages, reward=reward))
    assert closer[1] > behind


@pytest.mark.parametrize("players", [1, 2])
def test_both_plans_are_those_of_each_seat(players):
    rng = np.random.default_rng(players)
    s = begun(3, num_players=players)
    for _ in range(60):
        GAME.step(s, int(rng.choice(legal_ids(s))))
    for seat in range(players):
        both, own = observed(s, seat, "both"), observed(s, seat)
        np.testing.assert_array_equal(both["plans"][0], own["plan"])
        other = observed(s, 1 - seat)["plan"] if players > 1 else np.zeros_like(own["plan"])
        np.testing.assert_array_equal(both["plans"][1], other)
        for name in both.keys() - {"plans"}:
            np.testing.assert_array_equal(both[name], own[name])
    assert both["plans"][0].any()


def test_the_phases_are_those_of_the_layout():
    asked = GAME.encoder("standard").layout["asked"]
    assert asked.shape == (len(state.PHASES),)
    assert all(phase in asked.meaning for phase in state.PHASES)
    assert GAME.encoder("standard").layout["plan"].shape == (3, SHEET.rows, SHEET.columns)
