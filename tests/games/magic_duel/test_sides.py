"""Three and four sides, wizards only, and that no side is better placed than another."""

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.board import BIT
from mages_env.games.magic_duel.state import E_INITIATIVE

from .scene import legal, legal_ids, outcome, scene, take


def phase(s):
    return GAME.to_json(s, None)["phase"]


# Three and four sides (MGD-31).


@pytest.mark.rule("MGD-31", "MGD-20")
def test_sides_act_clockwise_and_those_that_cannot_are_left_out():
    s = scene("w1 c1", "w1 a7", "w1 g9", "w1 i3", to_move=2, holder=2, tokens=[6, 0, 6, 6])
    order = [2]
    for _ in range(3):
        take(s, "wizard 1: gather" if s.power_tokens[s.seat, 0] < 4 else "pass")
        order.append(int(s.seat))
    assert order == [2, 3, 0, 2]
    take(s, "pass", "pass")
    assert (s.seat, s.passed[:4].tolist()) == (0, [0, 0, 1, 1])
    take(s, "pass")
    assert s.turn == 1


@pytest.mark.rule("MGD-31", "MGD-06")
def test_a_counter_is_offered_clockwise_and_the_first_to_accept_is_the_only_one():
    sides = ("w1 e2, gu e3 f3", "w1 b2", "w1 h6", "w1 i1")
    spell = ("wizard 1: cast", "energy", "own guard", "0 tokens")
    s = scene(*sides, to_move=0)
    take(s, *spell)
    assert (s.seat, phase(s)) == (1, "counter")
    take(s, "pass")
    assert (s.seat, phase(s)) == (2, "counter")
    found = outcome(s, "counter with wizard 1, 1 token", dice="6 5- 5-")
    assert found["2w1"] == "h6 f1 p1"
    assert (found["asked"], found["dice"], found["0gu"]) == ("1 activate", 3, "e3 f1")
    s = scene(*sides, to_move=0)
    take(s, *spell, "pass", "pass")
    assert (s.seat, phase(s)) == (3, "counter")
    assert outcome(s, "pass", dice="6")["dice"] == 1


@pytest.mark.rule("MGD-31", "MGD-06")
def test_counters_go_round_from_the_caster_and_past_who_cannot():
    sides = ["w1 h2", "w1 b4 f5", "w1 h6, gu h7 f3", "w1 i4"]
    s = scene(*sides, to_move=2)
    take(s, "wizard 1: cast", "energy", "own guard", "0 tokens")
    assert s.seat == 3
    take(s, "pass")
    assert s.seat == 0
    take(s, "pass")
    assert (s.seat, phase(s)) == (3, "activate")


@pytest.mark.rule("MGD-31", "MGD-04", "MGD-24", "MGD-25")
@pytest.mark.parametrize("to_move", range(4))
def test_target_ids_are_own_units_then_the_opponents_clockwise(to_move):
    s = scene("w1 e4, ar e1", "w1 d5, ar b7", "w1 e6", "w1 f5", to_move=to_move)
    take(s, "wizard 1: cast", "drain")
    ids = {"122": 1, "180": 2, "185": 3}
    first = [int(k) for k in ids]
    near = [a for a in legal_ids(s) if a in first]
    assert near == first
    for action in first:
        ahead = ids[str(action)]
        side = (to_move + ahead) % 4
        assert GAME.action_text(s, action) == f"target player_{side} wizard 1"
    other = s.copy()
    GAME.step(other, 180)
    assert (other.target_side, other.target) == ((to_move + 2) % 4, 0)
    s = scene("w1 e4, ar e1", "w1 d5, ar b7", "w1 e6", "w1 f5", to_move=to_move)
    take(s, "wizard 1: charge")
    assert [a for a in legal_ids(s) if a in (117, *first)] == first


@pytest.mark.rule("MGD-31", "MGD-04")
def test_with_three_sides_there_are_fifteen_targets():
    s = scene("w1 e4", "w1 d5, gu d6", "w1 e6, gu f6", to_move=1)
    take(s, "wizard 1: cast", "drain")
    assert legal(s) == {
        "target player_2 wizard 1",
        "target player_2 guard",
        "target player_0 wizard 1",
    }
    assert legal_ids(s) == [122, 126, 180]


@pytest.mark.rule("MGD-31", "MGD-20")
@pytest.mark.parametrize(
    ("held", "dice", "holder", "rolled"),
    [
        (0, "3 9 4 8", 1, 4),
        (2, "9 4 9 8", 2, 4),  # tied with the holder: it keeps it
        (1, "9 4 9 8 3 7", 2, 6),  # tied without it: those two roll again
        (1, "9 3- 9 8- 7 7 8 2-", 0, 8),
        (1, "6 5- 6 6 2- 9 9 4- 5+", 3, 9),
    ],
)
def test_initiative_of_four(held, dice, holder, rolled):
    s = scene("w1 c1", "w1 a7", "w1 g9", "w1 i3", holder=held, passed=[0, 1, 1, 1])
    found = outcome(s, "pass", dice=dice)
    assert (s.holder, s.seat, found["dice"]) == (holder, holder, rolled)


@pytest.mark.rule("MGD-31", "ALL-06")
def test_a_side_that_is_out_rolls_no_initiative_and_keeps_none():
    s = scene("w1 c1", "w1 a7", "", "w1 i3", holder=2, passed=[0, 1, 1, 1])
    found = outcome(s, "pass", dice="4 6 6 2 5")
    assert (s.holder, found["dice"], s.action_tokens[:4].tolist()) == (3, 5, [8, 8, 0, 8])


@pytest.mark.rule("MGD-31", "MGD-22")
@pytest.mark.parametrize(
    ("places", "points"),
    [
        (("w1 e5", "w1 a7", "w1 g9"), [1, 0, 0]),
        (("w1 a1", "w1 e6, w2 d5", "w1 g9"), [0, 1, 0]),
        (("w1 e5", "w1 e6", "w1 g9"), [0, 0, 0]),
        (("w1 e5", "w1 e6 broken", "w1 f5"), [0, 0, 0]),
        (("w1 e5 broken", "w1 e6 broken", "w1 f5"), [0, 0, 1]),
    ],
)
def test_the_nexus_pays_when_one_side_alone_is_there(places, points):
    s = scene(*places, passed=[0, 1, 1])
    take(s, "pass")
    assert s.victory_points[:3].tolist() == points


def shot_at_the_last_wizard(sides, target, points, turn=1, **options):
    """Side 0's archers at c1 shoot a wizard with one hit point and hit."""
    s = scene("ar c1, w2 a9", *sides, points=points, turn=turn, **options)
    take(s, "archers: shoot")
    return s, outcome(s, f"player_{target} wizard 1", dice="7+ 6- 6- 6- 6+")


@pytest.mark.rule("MGD-31", "ALL-06", "ALL-04", "MGD-22")
@pytest.mark.parametrize(
    ("target", "clockwise", "second"), [(1, 2, 0), (2, 1, 0)], ids=["next", "last"]
)
def test_a_side_without_units_is_out_at_once(target, clockwise, second):
    sides = ["w1 g9, wa g8", "w1 i9, wa i8"]
    sides[target - 1] = "w1 c3 hp1"
    s, found = shot_at_the_last_wizard(sides, target, [0, 9, 9])
    assert (found["points"], s.over) == ([4, 9, 9], RUNNING)
    assert s.terminated[:3].tolist() == [0, *(int(k == target) for k in (1, 2))]
    assert s.rewards[:3].tolist() == [0, *(-float(k == target) for k in (1, 2))]
    assert s.seat == clockwise and s.action_tokens[target] == 0
    take(s, "pass")
    assert s.seat == second
    take(s, "pass")
    assert (s.turn, s.action_tokens[target]) == (1, 0)
    assert s.returns[target] == -1


@pytest.mark.rule("MGD-31", "ALL-04", "ALL-06")
def test_the_last_side_standing_wins_and_earlier_losers_are_behind():
    s, _ = shot_at_the_last_wizard(["w1 c3 hp1", "w1 d3 hp1"], 1, [0, 9, 9])
    assert s.returns[:3].tolist() == [0, -1, 0]
    take(s, "pass", "archers: shoot")
    found = outcome(s, "player_2 wizard 1", dice="7+ 6- 6- 6- 6+")
    assert (s.over, s.seat, found["rewards"]) == (TERMINATED, NOBODY, [1, 0, 0])
    assert s.returns[:3].tolist() == [1, -1, 0]


@pytest.mark.rule("MGD-31", "ALL-04")
@pytest.mark.parametrize(
    ("points", "returns"),
    [
        ([5, 3, 1, 0], [1, 1 / 3, -1 / 3, -1]),
        ([0, 3, 3, 5], [-1, 0, 0, 1]),
        ([2, 2, 2, 2], [0, 0, 0, 0]),
        ([4, 4, 1, 1], [2 / 3, 2 / 3, -2 / 3, -2 / 3]),
        ([4, 1, 4, 4], [1 / 3, -1, 1 / 3, 1 / 3]),
    ],
)
def test_after_six_turns_places_are_paid(points, returns):
    s = scene("w1 c1", "w1 a7", "w1 g9", "w1 i3", points=points, passed=[0, 1, 1, 1], turn=6)
    take(s, "pass")
    assert s.over == TERMINATED
    assert s.returns[:4].tolist() == pytest.approx(returns, abs=1e-6)


@pytest.mark.rule("MGD-31", "ALL-04")
@pytest.mark.parametrize(("count", "most"), [(3, 40), (4, 57)])
def test_score_of_more_sides_is_the_lead_over_the_mean_of_the_others(count, most):
    sides = ["w1 c1", "w1 a7", "w1 g9", "w1 i3"][:count]
    points = [7, 4, 0, 1][:count]
    s = scene(*sides, points=points, passed=[0, 1, 1, 1][:count], turn=6, reward="score")
    take(s, "pass")
    expected = [(p - (sum(points) - p) / (count - 1)) / most for p in points]
    assert s.returns[:count].tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.rule("MGD-31", "MGD-22")
def test_two_sides_that_fall_together_share_places_by_points():
    # Side 0's and side 1's last wizards kill each other; 2 is left.
    for points, returns in (([3, 3, 0], [-0.5, -0.5, 1]), ([4, 3, 0], [0, -1, 1])):
        s = scene("w1 c1 hp1", "w1 c2 hp1", "w1 g9", points=points)
        take(s, "wizard 1: charge")
        outcome(s, "player_1 wizard 1", dice="9- 9-")
        outcome(s, "1 dice", "1 dice", dice="2- 2- 6+ 6+")
        assert s.over == TERMINATED
        assert s.returns[:3].tolist() == returns


@pytest.mark.rule("MGD-31", "MGD-22")
def test_a_kill_pays_whoever_caused_the_last_wound():
    s = scene("ar c1, w1 a1", "ar c3 hp1, w1 i9", "w1 g9", to_move=1)
    take(s, "archers: shoot", "player_0 archers")
    outcome(s, "shoot back", dice="5- 5- 6+ 5- 5- 5- 4+")
    assert s.victory_points[:3].tolist() == [2, 0, 0]


# The pure wizards' duel (MGD-31).


@pytest.mark.rule("MGD-31")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_game_of_wizards_only(count):
    rng = np.random.default_rng(count)
    s = GAME.new_state(count, scenario="wizards")[0]
    GAME.reset(s, np.uint64(count))
    cast = False
    while s.over == RUNNING:
        assert not s.pool[:, 2:].any() and (s.square[:count, 2:] == -1).all()
        ids = legal_ids(s)
        assert not {3, 10, *range(15, 36), 148} & set(ids)
        assert not {a for a in ids if 117 <= a < 127 and (a - 117) % 5 > 1}
        cast |= any(127 <= a < 133 for a in ids)
        GAME.step(s, int(rng.choice(ids)))
    assert cast and s.returns.sum() == pytest.approx(0, abs=1e-6)


# Symmetry: the board turned, every seat one further, and the same dice.


def turned(s, steps):
    """The position with every side's things given to the side ``steps`` further clockwise."""
    n = int(s.num_players)
    quarters = 2 if n == 2 else 1
    m = s.copy()
    to = [(side + steps) % n for side in range(n)]
    for name in (
        *("action_tokens", "passed", "victory_points", "terminated", "truncated"),
        *("pool", "pool_cap", "fatigue", "broken", "prowess", "speed", "power_tokens"),
        *("morale_tokens", "rewards", "returns"),
    ):
        m[name][to] = s[name][:n]

    def there(square):
        if square < 0:
            return square
        x, y = square % 9, square // 9
        for _ in range(quarters * steps):
            x, y = y, 8 - x
        return 9 * y + x

    for side in range(n):
        m.square[to[side]] = [there(int(at)) for at in s.square[side]]
    m.goal = there(int(s.goal))
    free = [a for a in range(81) if any(s.free & BIT[a])]
    m.free[:] = np.bitwise_or.reduce([BIT[there(a)] for a in free])
    for name in ("seat", "holder", "active", "target_side"):
        if s[name] >= 0:
            m[name] = to[int(s[name])]
    return m


IGNORED = ("rng", "num_events", "events", "holder", "active", "seat")


def differences(s, m):
    """The fields in which ``m`` is not ``s`` turned, but for those that are compared apart."""
    wanted, found = turned(s, 1), m.copy()
    for name in IGNORED:
        found[name] = wanted[name]
    if found.tobytes() == wanted.tobytes():
        return []
    return [n for n in s.dtype.names if not np.array_equal(found[n], wanted[n])]


@pytest.mark.rule("MGD-18", "MGD-19", "MGD-20", "MGD-31")
@pytest.mark.parametrize(("count", "scenario"), [(2, "nexus"), (2, "wizards"), (4, "nexus")])
def test_sides_are_exactly_alike(count, scenario):
    """Turned by a seat, a game goes the same way with the same dice.

    But for the initiative, where the dice belong to seats: they would have to be turned as well.
    So the leader is looked at by itself, then the turned game is given the turned one.
    """
    rng = np.random.default_rng(count)
    encoders = [GAME.encoder(name) for name in GAME.encoders]
    for seed in range(3):
        s = GAME.new_state(count, scenario=scenario)[0]
        GAME.reset(s, np.uint64(seed))
        m = turned(s, 1)
        while s.over == RUNNING:
            assert legal_ids(m) == legal_ids(s)
            for encoder in encoders:
                for seat in (int(s.seat), int(rng.integers(count))):
                    mine, theirs = (np.zeros(encoder.layout.size, np.float32) for _ in "ab")
                    encoder.function(s, seat, mine)
                    encoder.function(m, (seat + 1) % count, theirs)
                    assert np.array_equal(mine, theirs)
            action = int(rng.choice(legal_ids(s)))
            turn = int(s.turn)
            m.rng = s.rng
            GAME.step(s, action)
            GAME.step(m, action)
            assert differences(s, m) == []
            if s.turn > turn and s.over == RUNNING:
                # The same dice, seat by seat: the same seats, unless a tie leaves it to the holder.
                rolls = [
                    [
                        (e[2], e[3])
                        for e in t.events[: t.num_events].tolist()
                        if e[0] == E_INITIATIVE
                    ]
                    for t in (s, m)
                ]
                assert rolls[0][:count] == rolls[1][:count]
                best = max(die for _, die in rolls[0][:count])
                leaders = [seat for seat, die in rolls[0][:count] if die == best]
                if len(leaders) == 1:
                    assert s.holder == m.holder == leaders[0]
                m.holder = m.active = m.seat = (int(s.holder) + 1) % count
            else:
                assert m.rng == s.rng
            assert (m.holder, m.active) == ((s.holder + 1) % count, (s.active + 1) % count)
            if s.over == RUNNING:
                assert m.seat == (s.seat + 1) % count
