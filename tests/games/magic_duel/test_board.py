"""The board: sight, ways, frames and where everybody begins."""

import numpy as np
import pytest

from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.board import ABSOLUTE, FRAME, SIGHT, UNSEEN
from mages_env.games.magic_duel.units import reach

from .scene import legal, named, outcome, scene, square, take
from .slow_board import ALL, OBSTACLES, beside, distance, reachable, sees


def at(name):
    """'c4' is (2, 3)."""
    return "abcdefghi".index(name[0]), int(name[1]) - 1


@pytest.mark.rule("MGD-18", "MGD-17")
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_sight_and_distance_of_all_pairs_of_squares(sides):
    for a, start in enumerate(ALL):
        for b, end in enumerate(ALL[: a + 1]):
            expected = distance(start, end) if sees(start, end, OBSTACLES[sides]) else UNSEEN
            assert SIGHT[sides - 2, a, b] == expected, f"{named(a)} {named(b)}"
    assert (SIGHT[sides - 2] == SIGHT[sides - 2].T).all()


@pytest.mark.rule("MGD-18")
@pytest.mark.parametrize(
    ("start", "end", "seen"),
    [
        # Rocks at c4 g6 d6 f4 a5 i5.
        ("c3", "c5", False),  # straight through
        ("b4", "d4", False),
        ("b3", "d5", False),  # corner to corner of the rock itself
        ("b4", "c5", True),  # past its corner: touching does not block
        ("b3", "c3", True),
        ("c3", "d4", True),  # likewise, on the other side
        ("a3", "c7", True),
        ("b2", "d5", False),  # crosses a tip of it
        ("a1", "i9", True),  # the long diagonal touches none
        ("d4", "e5", True),  # between the corners of no rocks at all
        ("a4", "a6", False),
    ],
)
def test_examples_of_sight(start, end, seen):
    for a, b in ((start, end), (end, start)):
        assert (SIGHT[0, square(a), square(b)] < UNSEEN) == seen
        assert sees(at(a), at(b), OBSTACLES[2]) == seen


@pytest.mark.rule("MGD-18", "MGD-24")
def test_units_do_not_block_sight():
    s = scene("ar a1, wa c1, gu b1", "w1 d1, wa e1")
    take(s, "archers: shoot")
    assert legal(s) == {"target player_1 wizard 1", "target player_1 warriors"}


@pytest.mark.rule("MGD-23", "MGD-17")
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_reachable_squares_in_random_positions(sides):
    rng = np.random.default_rng(sides)
    empty = [a for a in ALL if a not in OBSTACLES[sides]]
    for _ in range(60):
        count = int(rng.integers(2, 40))
        chosen = [empty[k] for k in rng.choice(len(empty), count, replace=False)]
        s = GAME.new_state(sides)[0]
        taken = set(chosen) | set(OBSTACLES[sides])
        for x, y in set(ALL) - taken:
            s.free[y // 5] |= 1 << (10 * (y % 5) + x)
        for steps in range(8):
            low, high = reach(s, 9 * chosen[0][1] + chosen[0][0], steps)
            found = {(x, y) for x, y in ALL if (low, high)[y // 5] >> (10 * (y % 5) + x) & 1}
            assert found == reachable(chosen[0], steps, taken)


def destinations(s):
    """The legal squares, by name."""
    return {words.removeprefix("to ") for words in legal(s)}


@pytest.mark.rule("MGD-23", "MGD-19")
@pytest.mark.parametrize("unit", ["wizard 1", "archers", "warriors", "guard"])
@pytest.mark.parametrize(("action", "steps"), [("move", 2), ("run", 3)])
@pytest.mark.parametrize("speed", [0, 2, 4])
def test_how_far_units_go(unit, action, steps, speed):
    short = {"wizard 1": "w1", "archers": "ar", "warriors": "wa", "guard": "gu"}[unit]
    # The rock on c4 and the enemies on b2 and d2 are in the way.
    s = scene(f"{short} c2" + f" >{speed}" * (speed > 0), "w1 b2, ar d2")
    take(s, f"{unit}: {action}")
    taken = {at("b2"), at("d2"), *OBSTACLES[2]}
    found = {at(name) for name in destinations(s)}
    assert found == reachable(at("c2"), steps + speed, taken)


@pytest.mark.rule("MGD-23")
def test_ways_lead_around_units_not_through():
    # a1 is shut in but for a2, from which b3 is one step and c3 two.
    s = scene("wa a1", "w1 b1, ar b2, gu i9")
    take(s, "warriors: move")
    assert destinations(s) == {"a2", "a3", "b3"}


@pytest.mark.rule("MGD-23")
def test_a_unit_that_is_shut_in_neither_moves_nor_runs():
    s = scene("wa a1, w1 a2", "w1 b1, ar b2")
    words = legal(s)
    assert not words & {"warriors: move", "warriors: run"}
    assert {"wizard 1: move", "wizard 1: run", "warriors: charge"} <= words


@pytest.mark.rule("MGD-23", "MGD-21")
@pytest.mark.parametrize(("action", "fatigue"), [("move", 1), ("run", 3)])
def test_what_moving_and_running_cost(action, fatigue):
    s = scene("wa c2", "w1 i9")
    assert outcome(s, f"warriors: {action}", "d3") == {
        "0wa": f"d3 f{fatigue}",
        "tokens": [5, 6],
        "asked": "1 activate",
    }


@pytest.mark.rule("MGD-23")
def test_running_tires_when_it_is_chosen():
    s = scene("wa c2 f2", "w1 i9")
    assert outcome(s, "warriors: run")["0wa"] == "c2 f5"


@pytest.mark.rule("MGD-17")
def test_nobody_enters_an_obstacle_or_a_square_that_is_taken():
    s = scene("wa c3, gu d3", "w1 d4, ar i9")
    take(s, "warriors: run")
    assert not destinations(s) & {"c4", "c3", "d3", "d4"}
    assert {"b5", "b4"} <= destinations(s)


@pytest.mark.rule("MGD-19", "MGD-27", "MGD-20", "MGD-31")
@pytest.mark.parametrize(
    ("count", "places"),
    [
        (2, ["c1 g1 e1 d2 f2", "g9 c9 e9 f8 d8"]),
        (3, ["c1 g1 e1 d2 f2", "a7 a3 a5 b6 b4", "g9 c9 e9 f8 d8"]),
        (4, ["c1 g1 e1 d2 f2", "a7 a3 a5 b6 b4", "g9 c9 e9 f8 d8", "i3 i7 i5 h4 h6"]),
    ],
)
@pytest.mark.parametrize("scenario", ["nexus", "wizards"])
def test_where_and_how_everybody_begins(count, places, scenario):
    s = GAME.new_state(count, scenario=scenario)[0]
    GAME.reset(s, np.uint64(5))
    units = 5 if scenario == "nexus" else 2
    full = [[8, 8, 4, 10, 8][:units] + [0] * (5 - units)] * count
    for side, squares in enumerate(places):
        squares = [square(name) for name in squares.split()][:units]
        assert s.square[side].tolist() == squares + [-1] * (5 - units)
    assert s.pool[:count].tolist() == s.pool_cap[:count].tolist() == full
    assert s.power_tokens[:count].tolist() == [[4, 4]] * count
    assert s.action_tokens[:count].tolist() == [8] * count
    for field in (s.fatigue, s.broken, s.prowess, s.speed, s.morale_tokens, s.victory_points):
        assert not field.any()
    assert not s.pool[count:].any()
    assert (s.turn, s.phase, s.seat) == (0, 0, s.holder)


@pytest.mark.rule("MGD-31", "MGD-19")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_side_sees_the_board_as_side_0_does(count):
    """Own units stand at the same squares of the own frame, and frames lead there and back."""
    s = GAME.new_state(count)[0]
    GAME.reset(s, np.uint64(5))
    for side in range(count):
        frame = FRAME[count - 2, side]
        assert frame[s.square[side]].tolist() == s.square[0].tolist()
        assert ABSOLUTE[count - 2, side][frame].tolist() == list(range(81))
        # The same board: neighbours stay neighbours.
        for a, near in ((a, beside(a)) for a in ALL):
            moved = {int(frame[9 * y + x]) for x, y in near}
            x, y = int(frame[9 * a[1] + a[0]]) % 9, int(frame[9 * a[1] + a[0]]) // 9
            assert moved == {9 * v + u for u, v in beside((x, y))}


@pytest.mark.rule("MGD-23", "MGD-31")
@pytest.mark.parametrize(
    ("count", "side", "home", "to"),
    [(2, 1, "e9", "e8"), (3, 1, "a5", "b5"), (3, 2, "e9", "e8"), (4, 3, "i5", "h5")],
)
def test_a_step_ahead_has_the_same_id_for_every_side(count, side, home, to):
    sides = ["w1 a1", *(f"w1 {name}" for name in ("i1", "i9", "a9")[: count - 1])]
    sides[side] += f", ar {home}"
    s = scene(*sides, to_move=side)
    take(s, "archers: move")
    assert GAME.parse_action(s, to) == 36 + 9 * 1 + 4
    GAME.step(s, 36 + 9 * 1 + 4)
    assert named(int(s.square[side, 2])) == to
