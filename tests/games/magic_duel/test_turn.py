"""Turns: whose action it is, tokens and fatigue, initiative, points, and the end of the game."""

import numpy as np
import pytest

from mages_env.engine import RUNNING, TERMINATED
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.state import E_INITIATIVE

from .scene import GAMMA, coming, legal, legal_ids, outcome, scene, take

# Whose action it is (MGD-20).


@pytest.mark.rule("MGD-20")
def test_sides_alternate():
    s = scene("w1 c1", "w1 g9")
    assert outcome(s, "wizard 1: gather")["asked"] == "1 activate"
    assert outcome(s, "wizard 1: gather")["asked"] == "0 activate"
    assert s.action_tokens[:2].tolist() == [5, 5]


@pytest.mark.rule("MGD-20")
def test_who_has_passed_acts_no_more_this_turn():
    s = scene("w1 c1, w2 g1", "w1 g9, w2 c9")
    assert outcome(s, "pass") == {"passed": [1, 0], "asked": "1 activate"}
    cost = {"tokens": [6, 5], "1w1": "g9 f1 p4"}
    assert outcome(s, "wizard 1: gather") == cost
    assert s.seat == 1


@pytest.mark.rule("MGD-20")
def test_who_has_no_token_acts_no_more_this_turn():
    s = scene("w1 c1", "w1 g9", tokens=[1, 3])
    take(s, "wizard 1: gather", "wizard 1: move", "g8")
    assert (s.seat, s.turn) == (1, 0)
    take(s, "wizard 1: move", "g7")
    assert (s.seat, s.turn) == (1, 0)


@pytest.mark.rule("MGD-20")
def test_eight_tokens_are_eight_actions():
    s = scene("w1 c1, w2 g1", "w1 g9", tokens=[8, 8], passed=[0, 1])
    for k in range(8):
        assert (s.turn, s.seat) == (0, 0)
        take(s, f"wizard {1 + k % 2}: move")
        take(s, f"#{legal_ids(s)[0]}")
    assert s.turn == 1


@pytest.mark.rule("MGD-20", "ALL-03")
def test_passing_is_always_possible_when_an_action_is_asked_for():
    s = scene("w1 c1 f5, wa c2 broken f5", "w1 g9")
    assert legal(s) == {"pass"}


@pytest.mark.rule("MGD-20", "MGD-21", "MGD-15", "MGD-16")
def test_the_end_of_a_turn():
    s = scene(
        "w1 c1 f5 >3 +4, wa c2 f1 broken",
        "w1 g9 f2 p0, gu d9 f5 >2, ar e9 +9",
        passed=[0, 1],
        tokens=[4, 3],
    )
    found = outcome(s, "pass", dice="3 7")
    assert found == {
        "0w1": "c1 f3",
        "0wa": "c2 broken",
        "1w1": "g9 p0",
        "1gu": "d9 f3",
        "1ar": "e9",
        "tokens": [8, 8],
        "passed": [0, 0],
        "turn": 2,
        "holder": 1,
        "asked": "1 activate",
        "dice": 2,
    }


@pytest.mark.rule("MGD-20")
@pytest.mark.parametrize(("dice", "holder"), [("8 7", 0), ("7 8", 1), ("10 1", 0), ("1 10", 1)])
@pytest.mark.parametrize("held", [0, 1])
def test_the_higher_die_has_the_initiative(dice, holder, held):
    s = scene("w1 c1", "w1 g9", holder=held, passed=[0, 1])
    outcome(s, "pass", dice=dice)
    assert (s.holder, s.active, s.seat) == (holder, holder, holder)


@pytest.mark.rule("MGD-20")
@pytest.mark.parametrize("held", [0, 1])
def test_on_a_tie_the_holder_keeps_the_initiative(held):
    s = scene("w1 c1", "w1 g9", holder=held, passed=[0, 1])
    assert outcome(s, "pass", dice="6 6 1 9")["dice"] == 2
    assert (s.holder, s.seat) == (held, held)


def start_of(seed):
    """The state of a generator that is seeded, once more."""
    x = (seed + GAMMA) % (1 << 64)
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % (1 << 64)
    return x ^ (x >> 31)


SEEDS = {2: 1500, 3: 300, 4: 300}


@pytest.mark.rule("MGD-20", "MGD-31", "MGD-01", "ALL-02")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_first_initiative_is_rolled_until_somebody_leads(count):
    again = 0
    most = 0
    for seed in range(SEEDS[count]):
        s = GAME.new_state(count)[0]
        GAME.reset(s, np.uint64(seed))
        dice = coming(start_of(seed), 20)
        leaders = list(range(count))
        rolled = 0
        rolls = []
        while len(leaders) > 1:
            rolls.append(dict(zip(leaders, dice[rolled:], strict=False)))
            again += rolled > 0
            rolled += len(leaders)
            highest = max(rolls[-1].values())
            leaders = [side for side in leaders if rolls[-1][side] == highest]
        assert s.holder == s.seat == s.active == leaders[0]
        assert int(s.rng) == (start_of(seed) + rolled * GAMMA) % (1 << 64)
        assert [
            (number, side, die)
            for code, _, side, die, number, _ in s.events[: s.num_events].tolist()
            if code == E_INITIATIVE
        ] == [
            (number, side, die)
            for number, roll in enumerate(rolls, 1)
            if number in (1, 2, len(rolls))  # the last one decides
            for side, die in roll.items()
        ]
        most = max(most, len(rolls))
    assert again > 20
    assert most > 3 or count > 2


# Tokens and fatigue (MGD-21).


@pytest.mark.rule("MGD-21")
@pytest.mark.parametrize(("fatigue", "acts"), [(0, True), (4, True), (5, False)])
def test_a_fatigued_unit_does_not_act(fatigue, acts):
    s = scene(f"w1 c1 f{fatigue}, gu g1 f5", "w1 g9")
    words = {"move", "run", "cast", "gather power"}
    assert legal(s) == {"pass"} | {f"wizard 1: {w}" for w in words if acts}


@pytest.mark.rule("MGD-21", "MGD-28")
@pytest.mark.parametrize(("fatigue", "words"), [(4, {"wizard 1: rally"}), (5, set())])
def test_a_broken_unit_can_only_rally(fatigue, words):
    s = scene(f"w1 c1 broken f{fatigue}", "w1 c2")
    assert legal(s) == {"pass"} | words


@pytest.mark.rule("MGD-21", "MGD-23", "MGD-24", "MGD-25", "MGD-27")
def test_what_an_able_unit_can_do():
    s = scene("w1 c1, ar d1, wa i9", "w1 e2")
    assert legal(s) == {
        "pass",
        *(f"wizard 1: {word}" for word in ("move", "run", "charge", "cast", "gather power")),
        *(f"archers: {word}" for word in ("move", "run", "shoot", "charge")),
        *(f"warriors: {word}" for word in ("move", "run")),
    }


@pytest.mark.rule("MGD-21")
@pytest.mark.parametrize("action", ["move", "shoot", "charge", "cast", "gather"])
def test_token_and_fatigue_are_paid_when_unit_and_action_are_named(action):
    s = scene("ar c1 f2, w1 b1 f2", "w1 d2")
    unit, short = ("wizard 1", "w1") if action in ("cast", "gather") else ("archers", "ar")
    found = outcome(s, f"{unit}: {action}")
    assert found[f"0{short}"].startswith(("c1 f3", "b1 f3"))
    assert found["tokens"] == [5, 6]


@pytest.mark.rule("MGD-21")
def test_fatigue_is_stored_up_to_the_endurance():
    # A broken unit, charged at 5: the combat would make it 6.
    s = scene("w1 c1", "wa c2 f5 broken, w2 i9")
    take(s, "wizard 1: charge", "player_1 warriors")
    assert "1wa" not in outcome(s, "0 dice")
    s = scene("w1 c1", "wa c2 f4 broken, w2 i9")
    take(s, "wizard 1: charge", "player_1 warriors")
    assert outcome(s, "0 dice")["1wa"] == "c2 f5 broken"


# Gather Power and Rally (MGD-27, MGD-28).


@pytest.mark.rule("MGD-27")
@pytest.mark.parametrize(("before", "after"), [(0, " p4"), (1, " p4"), (2, " p4"), (3, " p4")])
def test_gathering_power(before, after):
    s = scene(f"w1 c1 p{before}", "w1 g9")
    assert outcome(s, "wizard 1: gather power") == {
        "0w1": f"c1 f1{after}",
        "tokens": [5, 6],
        "asked": "1 activate",
    }


@pytest.mark.rule("MGD-27")
def test_four_tokens_are_the_most_and_only_mages_gather():
    s = scene("w1 c1 p4, w2 a1 p3, ar d1, wa e1, gu f1", "w1 g9")
    gathering = {words for words in legal(s) if "gather" in words}
    assert gathering == {"wizard 2: gather power"}


@pytest.mark.rule("MGD-28", "MGD-30")
@pytest.mark.parametrize(
    ("unit", "name", "morale"),
    [("w1", "wizard 1", 10), ("ar", "archers", 9), ("wa", "warriors", 10), ("gu", "guard", 11)],
)
@pytest.mark.parametrize("tokens", [0, 2, 3])
def test_rallying(unit, name, morale, tokens):
    m = f" m{tokens}" * (tokens > 0)
    for die in (morale - tokens - 1, morale - tokens):
        if 1 <= die <= 10:
            s = scene(f"{unit} c1 broken{m}", "w1 g9")
            broken = "" if die + tokens < morale else " broken"
            assert outcome(s, f"{name}: rally", dice=str(die)) == {
                f"0{unit}": f"c1 f1{broken}{m}",
                "tokens": [5, 6],
                "asked": "1 activate",
                "dice": 1,
            }


# The Nexus and the end (MGD-22).


@pytest.mark.rule("MGD-22")
@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("w1 e5", "w1 g9", [3, 5]),
        ("w1 d4", "w1 g9", [3, 5]),
        ("w1 f6, wa e4", "w1 g9", [3, 5]),
        ("w1 a1", "gu f5", [2, 6]),
        ("w1 e5", "w1 f6", [2, 5]),
        ("w1 d3, wa g5", "w1 e7, gu c5", [2, 5]),
        ("w1 e5 broken", "w1 g9", [2, 5]),
        ("w1 e5 broken", "w1 f6", [2, 6]),
        ("w1 e5 broken, ar d5", "w1 f6 broken", [3, 5]),
        ("w1 e5 f5", "w1 g9", [3, 5]),
        ("w1 a1", "w1 g9", [2, 5]),
    ],
)
def test_who_alone_is_at_the_nexus_gets_a_point(first, second, points):
    s = scene(first, second, points=[2, 5], passed=[0, 1])
    take(s, "pass")
    assert s.victory_points[:2].tolist() == points


@pytest.mark.rule("MGD-22")
@pytest.mark.parametrize("unit", ["w1", "w2", "ar", "wa", "gu"])
def test_what_a_destroyed_unit_pays(unit):
    worth = {"w1": 4, "w2": 4, "ar": 2, "wa": 3, "gu": 4}[unit]
    name = {"w1": "wizard 1", "w2": "wizard 2", "ar": "archers", "wa": "warriors", "gu": "guard"}
    # Twenty dice more against none: the last hit point is lost for certain, with this stream.
    s = scene("w1 c1 +20", f"{unit} c2 hp1 broken f5, {'wa' if unit != 'wa' else 'gu'} i9")
    take(s, "wizard 1: charge", f"player_1 {name[unit]}")
    outcome(s, "22 dice", dice="1 10 10 10" if unit not in ("wa", "gu") else "1 1 10 10")
    assert s.pool[1, ["w1", "w2", "ar", "wa", "gu"].index(unit)] == 0
    assert s.victory_points[:2].tolist() == [worth, 0]


def last_shot(first, second, points, turn=1, **options):
    """Archers at c1 shoot a wizard with one hit point at c3."""
    s = scene(first, second, points=points, turn=turn, **options)
    take(s, "archers: shoot")
    return s, outcome(s, "player_1 wizard 1", dice="7 6- 6- 6- 6")


@pytest.mark.rule("MGD-22", "ALL-04", "ALL-03")
def test_a_side_without_units_has_lost_whatever_its_points():
    s, found = last_shot("ar c1", "w1 c3 hp1", [0, 9])
    assert found == {
        "1w1": "gone",
        "points": [4, 9],
        "rewards": [1, -1],
        "returns": [1, -1],
        "terminated": [1, 1],
        "over": TERMINATED,
        "asked": "nobody",
        "doing": None,
        "tokens": [5, 0],
        "passed": [0, 1],
        "dice": 5,
    }
    assert legal_ids(s) == []


@pytest.mark.rule("MGD-22", "MGD-26", "ALL-04")
@pytest.mark.parametrize(
    ("points", "returns"), [([1, 1], [0, 0]), ([2, 1], [1, -1]), ([0, 1], [-1, 1])]
)
def test_when_both_lose_their_last_unit_points_decide(points, returns):
    # Both tests passed, no defence, both hit.
    s = scene("w1 c1 hp1", "w1 c2 hp1", points=points)
    take(s, "wizard 1: charge")
    outcome(s, "player_1 wizard 1", dice="9- 9-")
    outcome(s, "1 dice", "1 dice", dice="2- 2- 6+ 6+")
    assert s.victory_points[:2].tolist() == [points[0] + 4, points[1] + 4]
    assert (s.over, s.returns[:2].tolist()) == (TERMINATED, returns)


@pytest.mark.rule("MGD-22", "ALL-04", "ALL-05")
@pytest.mark.parametrize(
    ("points", "returns"), [([3, 3], [0, 0]), ([4, 3], [1, -1]), ([3, 4], [-1, 1])]
)
def test_after_the_sixth_turn_points_decide(points, returns):
    s = scene("w1 c1 f3", "w1 g9 >2", turn=6, passed=[0, 1], points=points)
    changed = {"rewards": returns, "returns": returns} if points[0] != points[1] else {}
    assert outcome(s, "pass") == changed | {
        "0w1": "c1 f1",
        "1w1": "g9",
        "passed": [1, 1],
        "turn": 7,
        "over": TERMINATED,
        "terminated": [1, 1],
        "asked": "nobody",
    }
    assert not s.truncated.any() and legal_ids(s) == []


@pytest.mark.rule("MGD-22")
def test_the_fifth_turn_is_not_the_last_and_the_nexus_pays_in_the_sixth():
    s = scene("w1 c1", "w1 e5", turn=5, passed=[0, 1], points=[1, 0])
    take(s, "pass")
    assert (s.over, s.turn, s.victory_points[:2].tolist()) == (RUNNING, 5, [1, 1])
    s = scene("w1 c1", "w1 e5", turn=6, passed=[0, 1], points=[1, 0])
    take(s, "pass")
    assert (s.over, s.returns[:2].tolist()) == (TERMINATED, [0, 0])


@pytest.mark.rule("MGD-22")
def test_a_side_wins_with_its_last_action_before_the_nexus_pays():
    s, found = last_shot("ar c1, w1 a9", "w1 c3 hp1", [0, 0], turn=6, tokens=[1, 0])
    assert (found.get("turn", 6), s.returns[:2].tolist()) == (6, [1, -1])


@pytest.mark.rule("ALL-04", "MGD-31")
@pytest.mark.parametrize(("points", "reward"), [([7, 3], 4 / 23), ([0, 5], -5 / 23), ([2, 2], 0)])
def test_score_is_the_lead_of_all_there_is(points, reward):
    s = scene("w1 c1", "w1 g9", turn=6, passed=[0, 1], points=points, reward="score")
    take(s, "pass")
    assert s.returns[:2].tolist() == pytest.approx([reward, -reward], abs=1e-6)
    _, found = last_shot("ar c1", "w1 c3 hp1", [0, 9], reward="score")
    assert found["returns"] == pytest.approx([-5 / 23, 5 / 23], abs=1e-6)


@pytest.mark.rule("ALL-02", "ALL-04", "ALL-05")
@pytest.mark.parametrize("scenario", ["nexus", "wizards"])
def test_random_games_end_by_the_sixth_turn_and_pay_once(scenario):
    rng = np.random.default_rng(2)
    for seed in range(10):
        s = GAME.new_state(scenario=scenario)[0]
        GAME.reset(s, np.uint64(seed))
        paid = 0
        while s.over == RUNNING:
            assert s.turn < 6
            GAME.step(s, int(rng.choice(legal_ids(s))))
            paid += s.rewards.any()
        assert s.over == TERMINATED and paid <= 1
        assert s.returns[:2].sum() == 0
