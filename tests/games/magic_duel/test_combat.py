"""Shots, charges, combat, reactions and morale."""

import numpy as np
import pytest

from mages_env.games.magic_duel import GAME

from .scene import attack_dice, legal, outcome, scene, take, unit_words
from .slow_board import OBSTACLES, beside, reachable

WON = {"tokens": [5, 6], "asked": "1 activate"}


def phase(s):
    return GAME.to_json(s, None)["phase"]


# Shooting (MGD-24).


@pytest.mark.rule("MGD-24", "MGD-01", "MGD-02")
def test_a_shot():
    # Four archers: warriors are hit on 6 and wounded on 5.
    s = scene("ar c1", "wa c3")
    found = outcome(s, "archers: shoot", "player_1 warriors", dice="6 5 5 6 5 4")
    assert found == WON | {"0ar": "c1 f1", "1wa": "c3 hp9", "dice": 6}


@pytest.mark.rule("MGD-24", "MGD-01")
@pytest.mark.parametrize(
    ("unit", "name", "hit", "wound"),
    [
        ("w1", "wizard 1", 7, 6),
        ("ar", "archers", 6, 4),
        ("wa", "warriors", 6, 5),
        ("gu", "guard", 6, 7),
    ],
)
def test_what_hits_and_what_wounds(unit, name, hit, wound):
    # One archer left; the target is too tired to shoot back.
    for die, second, lost in ((hit, wound, 1), (hit, wound - 1, 0), (hit - 1, 10, 0)):
        s = scene("ar c1 hp1", f"{unit} c3 f5")
        found = outcome(s, "archers: shoot", f"player_1 {name}", dice=f"{die} {second}")
        assert found["dice"] == 1 + (die == hit)
        slot = ["w1", "w2", "ar", "wa", "gu"].index(unit)
        assert s.pool[1, slot] == {"w1": 8, "ar": 4, "wa": 10, "gu": 8}[unit] - lost


@pytest.mark.rule("MGD-24")
@pytest.mark.parametrize(("left", "dice"), [(4, 4), (3, 3), (2, 2), (1, 1)])
def test_a_die_for_each_model(left, dice):
    s = scene(f"ar c1 hp{left}", "wa c3")
    take(s, "archers: shoot")
    assert outcome(s, "player_1 warriors", dice=" ".join(["5-"] * dice))["dice"] == dice


@pytest.mark.rule("MGD-24")
@pytest.mark.parametrize(
    ("before", "wounds", "after"),
    [
        ("hp10", 1, "hp9"),
        ("hp10", 2, "hp8 cap10 m1"),
        ("hp10", 3, "hp7 cap10 m1"),
        ("hp9", 1, "hp8 cap10 m1"),
        ("hp9", 3, "hp6 cap10 m2"),
        ("hp3 m3", 2, "hp1 cap4 m4"),
    ],
)
def test_wounds_models_and_morale_tokens(before, wounds, after):
    s = scene("ar c1", f"wa c3 {before}")
    take(s, "archers: shoot")
    dice = " ".join(["6+"] * wounds + ["5-"] * (4 - wounds) + ["5+"] * wounds)
    assert outcome(s, "player_1 warriors", dice=dice)["1wa"] == f"c3 {after}"


@pytest.mark.rule("MGD-24", "MGD-22")
def test_more_wounds_than_hit_points_destroy():
    s = scene("ar c1", "wa c3 hp1, w1 i9")
    take(s, "archers: shoot")
    found = outcome(s, "player_1 warriors", dice="6+ 6+ 5- 5- 5+ 5+")
    assert found == {
        "asked": "1 activate",
        "1wa": "gone",
        "points": [3, 0],
        "doing": None,
        "dice": 6,
    }


@pytest.mark.rule("MGD-24", "MGD-18")
def test_range_and_sight_of_a_bow():
    # c6 is hidden by the rock on c4, h2 is 5 away, i2 is 6.
    s = scene("ar c2, wa a1", "w1 c6, ar h2, wa i2, gu d2")
    take(s, "archers: shoot")
    assert legal(s) == {"target player_1 archers", "target player_1 guard"}
    s = scene("ar c2", "w1 c6, wa i2")
    assert "archers: shoot" not in legal(s)


@pytest.mark.rule("MGD-24")
def test_only_archers_shoot():
    s = scene("w1 c1, wa c2, gu d1, ar d2", "w1 c3")
    assert {words for words in legal(s) if "shoot" in words} == {"archers: shoot"}


# Reactions (MGD-29).


@pytest.mark.rule("MGD-29", "MGD-24")
def test_archers_that_are_shot_at_may_shoot_back_at_the_same_time():
    s = scene("ar c1 hp3", "ar c3 hp3")
    take(s, "archers: shoot", "player_1 archers")
    assert (s.seat, phase(s), legal(s)) == (1, "react", {"pass", "shoot back"})
    # Three dice each, although the first shot kills one of the reactor's models.
    found = outcome(s, "shoot back", dice="6 5- 5- 4 6+ 5- 5- 4+")
    assert found == {
        "0ar": "c1 hp2 cap3 f1 m2",
        "1ar": "c3 hp2 cap3 f1 m2",
        "asked": "1 activate",
        "doing": None,
        "target": None,
        "dice": 8,
    }


@pytest.mark.rule("MGD-29")
def test_a_reaction_may_be_declined():
    s = scene("ar c1", "ar c3")
    take(s, "archers: shoot", "player_1 archers")
    found = outcome(s, "pass", dice="5- 5- 5- 5-")
    assert found == {"asked": "1 activate", "doing": None, "target": None, "dice": 4}


@pytest.mark.rule("MGD-29", "MGD-22")
def test_mutual_shots_kill_both():
    s = scene("ar c1 hp1, wa a9", "ar c3 hp1, wa i9")
    take(s, "archers: shoot", "player_1 archers")
    found = outcome(s, "shoot back", dice="5- 6+ 4+ 6+ 4+")  # the shooter's morale first
    assert (found["0ar"], found["1ar"], found["points"]) == ("gone", "gone", [2, 2])
    assert found["dice"] == 5


@pytest.mark.rule("MGD-29", "MGD-21")
@pytest.mark.parametrize(
    ("target", "asked"),
    [
        ("ar c3 f4", True),
        ("ar c3 f5", False),
        ("ar c3 broken", False),
        ("wa c3", False),
        ("w1 c3", False),
    ],
)
def test_who_shoots_back_at_a_shot(target, asked):
    s = scene("ar c1", f"{target}, gu i9", tokens=[6, 0], passed=[0, 1])
    take(s, "archers: shoot")
    words = [w for w in legal(s) if "guard" not in w]
    take(s, *words)
    assert (phase(s) == "react") == asked
    assert (s.seat == 1) == asked


@pytest.mark.rule("MGD-29", "MGD-25")
@pytest.mark.parametrize(
    ("charger", "target", "asked"),
    [
        ("wa c1", "ar c3", True),
        ("wa c1", "ar c2", False),  # adjacent
        ("wa c1", "ar d2", False),  # diagonally
        ("wa c1", "ar c3 f4", True),
        ("wa c1", "ar c3 broken", False),
        ("wa c1", "gu c3", False),
        ("wa c1 >4", "ar g1", True),
        ("wa c1 >4", "ar h1", True),  # 5 squares
        ("wa c1 >4", "ar i1", False),  # 6: out of range of where the charge began
    ],
)
def test_who_shoots_at_a_charger(charger, target, asked):
    s = scene(charger, f"{target}, w1 i9")
    take(s, "warriors: charge")
    take(s, *[w for w in legal(s) if "wizard" not in w])
    if phase(s) == "charge square":
        take(s, sorted(legal(s))[0])
    assert (phase(s) == "react") == asked
    assert (s.seat == 1) == asked


@pytest.mark.rule("MGD-29", "MGD-25", "MGD-21")
def test_the_shot_at_a_charger_comes_before_the_move_and_costs_fatigue_only():
    s = scene("wa c1", "ar c3, w1 i9", tokens=[6, 0], passed=[0, 1])
    take(s, "warriors: charge", "player_1 archers", "c2")
    assert (s.seat, phase(s)) == (1, "react")
    found = outcome(s, "shoot back", dice="6+ 6+ 5- 5- 5+ 5+")
    assert found == {
        "0wa": "c2 hp8 cap10 f1 m1",
        "1ar": "c3 f1",
        "asked": "0 split of the charger",
        "shot back": 1,
        "dice": 6,
    }
    # Four models are left to fight.
    assert legal(s) == attack_dice(8)


@pytest.mark.rule("MGD-25", "MGD-29", "MGD-22")
def test_a_charger_that_falls_ends_the_action():
    s = scene("w1 c1 hp1, wa a9", "ar c3, gu i9")
    take(s, "wizard 1: charge")
    outcome(s, "player_1 archers", "c2", dice="9-")
    found = outcome(s, "shoot back", dice="7+ 6- 6- 6- 6+")
    assert found == {
        "0w1": "gone",
        "1ar": "c3 f1",
        "points": [0, 4],
        "asked": "1 activate",
        "doing": None,
        "target": None,
        "goal": None,
        "dice": 5,
    }


# Charging (MGD-25).


def charge_squares(s):
    return {words.removeprefix("to ") for words in legal(s)}


@pytest.mark.rule("MGD-25", "MGD-23", "MGD-16")
@pytest.mark.parametrize("speed", [0, 2, 4])
def test_the_charger_chooses_among_all_squares_beside_the_enemy(speed):
    s = scene("wa d1" + f" >{speed}" * (speed > 0) + ", ar e2", "gu e4, w1 f5")
    take(s, "warriors: charge", "player_1 guard")
    taken = {(4, 1), (4, 3), (5, 4), *OBSTACLES[2]}
    expected = reachable((3, 0), 3 + speed, taken) & set(beside((4, 3)))
    assert charge_squares(s) == {f"{'abcdefghi'[x]}{y + 1}" for x, y in expected}
    if speed == 0:
        assert charge_squares(s) == {"d3", "e3", "f3", "d4"}


@pytest.mark.rule("MGD-25", "MGD-18")
@pytest.mark.parametrize(
    ("charger", "enemies", "may"),
    [
        ("wa c1", "gu c5", False),  # behind the rock on c4
        ("wa c1", "gu d5", True),  # 4 away, d4 is 3 away
        ("wa c1", "gu c2", True),
        ("wa c1", "gu h1", False),
        ("wa c1 >2", "gu h1", True),
        ("wa c1", "gu g1", True),
        ("wa a1, w1 a2, w2 b2, ar b1", "gu a3", False),  # shut in
        ("wa c1, w1 f1, w2 f2", "gu g1", False),  # f1 and f2 are taken
    ],
)
def test_which_enemies_can_be_charged(charger, enemies, may):
    s = scene(charger, enemies)
    assert ("warriors: charge" in legal(s)) == may
    if may:
        take(s, "warriors: charge")
        assert legal(s) == {"target player_1 guard"}


@pytest.mark.rule("MGD-25")
def test_an_adjacent_charger_stays_where_it_is_and_is_not_asked():
    s = scene("wa d3", "gu e4")
    found = outcome(s, "warriors: charge", "player_1 guard")
    assert found == {
        "0wa": "d3 f1",
        "tokens": [5, 6],
        "doing": "0wa charge",
        "target": "1gu",
        "goal": "d3",
        "asked": "0 split of the charger",
    }


@pytest.mark.rule("MGD-25", "ALL-01")
def test_a_single_square_is_not_asked_for():
    # Beside the guard: e3, two steps away; d3, f3, d4 are taken, f4 is a rock; d5, e5, f5 are far.
    s = scene("wa e1", "gu e4, w1 d3, ar f3, w2 d4")
    found = outcome(s, "warriors: charge", "player_1 guard")
    assert (found["goal"], found["0wa"]) == ("e3", "e3 f1")
    assert found["asked"] == "0 split of the charger"


@pytest.mark.rule("MGD-25", "ALL-01")
def test_a_chosen_square():
    s = scene("wa e1", "gu e3")
    take(s, "warriors: charge", "player_1 guard")
    assert phase(s) == "charge square"
    assert charge_squares(s) == {"d2", "e2", "f2", "d3", "f3", "d4", "e4"}
    assert outcome(s, "d3") == {
        "0wa": "d3 f1",
        "goal": "d3",
        "asked": "0 split of the charger",
    }


@pytest.mark.rule("MGD-25")
def test_own_units_and_adjacent_squares_of_one_s_own_are_no_targets():
    s = scene("wa e1, gu e2", "w1 i9")
    assert "warriors: charge" not in legal(s)


# Combat (MGD-26).


def fight(charger, charged, splits, dice, first="w1", second="gu", tests=""):
    """A wizard at c1 charges at c2; what changed since the first test."""
    s = scene(f"{first} c1 {charger}, ar a9", f"{second} c2 {charged}, ar i1 f5")
    names = {"w1": "wizard 1", "gu": "guard", "wa": "warriors"}
    outcome(s, f"{names[first]}: charge", f"player_1 {names[second]}", dice=tests)
    found = outcome(s, *splits, dice=dice)
    gone = {"doing", "target", "goal", "attack", "asked"}
    return {name: value for name, value in found.items() if name not in gone}


@pytest.mark.rule("MGD-26", "MGD-01")
@pytest.mark.parametrize(
    ("dice", "wounds"),
    [
        ("1 1 7 7", 2),  # wizards are parried on 4 - 2 = 2, the guard's armour is 7
        ("1 1 7 6", 1),
        ("2 1 7", 1),
        ("1 2 6", 0),
        ("2 2", 0),
    ],
)
def test_the_charger_attacks_the_charged_defends(dice, wounds):
    found = fight("", "hp2", ("2 dice", "0 dice"), dice, tests="7-")
    after = {0: "c2 hp2 f1 m3", 1: "c2 hp1 f1 m3", 2: "gone"}[wounds]
    points = {"points": [4, 0]} if wounds == 2 else {}
    assert found == points | {"0w1": "c1 f2", "1gu": after, "dice": len(dice.split())}


@pytest.mark.rule("MGD-26", "MGD-01")
@pytest.mark.parametrize(
    ("dice", "wounds"),
    [
        ("4 4 5 5", 2),  # the guard is parried on 6 - 1 = 5 and wounds on 6 - 1 = 5
        ("4 4 5 4", 1),
        ("5 4 5", 1),
        ("4 5 4", 0),
        ("5 5", 0),
    ],
)
def test_the_charged_attacks_the_charger_defends(dice, wounds):
    found = fight("", "hp2", ("0 dice", "2 dice"), dice, tests="7-")
    after = {0: "c1 f2", 1: "c1 hp7 f2", 2: "c1 hp6 f2"}[wounds]
    assert found == {"0w1": after, "1gu": "c2 hp2 f1 m3", "dice": len(dice.split())}


@pytest.mark.rule("MGD-26")
@pytest.mark.parametrize(
    ("dice", "mine", "theirs"),
    [
        # Defence of the charger (5+), of the charged (2+), attack of the charger (7+), of the
        # charged (5+): no other order gives this.
        ("4 1 7 5", "c1 hp7 f2", "c2 hp1 f1 m3"),
        ("5 1 7", "c1 f2", "c2 hp1 f1 m3"),
        ("4 2 5", "c1 hp7 f2", "c2 hp2 f1 m3"),
        ("4 1 6 5", "c1 hp7 f2", "c2 hp2 f1 m3"),
        ("5 2", "c1 f2", "c2 hp2 f1 m3"),
    ],
)
def test_order_of_dice_and_both_at_once(dice, mine, theirs):
    found = fight("", "hp2", ("1 dice", "1 dice"), dice, tests="7-")
    assert found == {"0w1": mine, "1gu": theirs, "dice": len(dice.split())}


@pytest.mark.rule("MGD-26", "MGD-01")
def test_warriors_against_a_wizard():
    # Parried on 5 - 1 = 4, wounding on 6; the wizard is parried on 4 - 2 = 2, armour 5.
    for dice, lost, wounds in (("3 1 5 6", 1, 1), ("4 1 4", 0, 0), ("3 1 4 5", 0, 0)):
        found = fight("", "hp2", ("1 dice", "1 dice"), dice, second="wa", tests="5-")
        assert found["0w1"] == ("c1 hp7 f2" if wounds else "c1 f2")
        assert found["1wa"] == f"c2 hp{2 - lost} f1 m4"


@pytest.mark.rule("MGD-26")
@pytest.mark.parametrize(
    ("unit", "hit_points", "dice"),
    [
        ("w1", 8, 2),
        ("w1", 1, 2),
        ("ar", 4, 4),
        ("ar", 3, 3),
        ("wa", 10, 10),
        ("wa", 9, 10),
        ("wa", 7, 8),
        ("gu", 8, 8),
        ("gu", 5, 6),
    ],
)
def test_combat_dice_by_models(unit, hit_points, dice):
    name = {"w1": "wizard 1", "ar": "archers", "wa": "warriors", "gu": "guard"}[unit]
    s = scene(f"{unit} c1 hp{hit_points}", "w2 c2")
    outcome(s, f"{name}: charge", "player_1 wizard 2", dice="3-" if hit_points == 1 else "")
    assert legal(s) == attack_dice(dice)
    take(s, "0 dice")
    assert (s.seat, phase(s)) == (1, "split of the charged")
    assert legal(s) == attack_dice(2)


@pytest.mark.rule("MGD-26")
def test_a_broken_unit_has_defence_dice_only_and_is_not_asked():
    # All four of the guard's dice of two models parry.
    s = scene("w1 c1, ar a9", "gu c2 hp4 broken")
    outcome(s, "wizard 1: charge", "player_1 guard")
    found = outcome(s, "2 dice", dice="1 1 2 1 7")
    assert found == {
        "0w1": "c1 f2",
        "1gu": "c2 hp3 f1 broken m2",
        "asked": "1 activate",
        "doing": None,
        "target": None,
        "goal": None,
        "dice": 5,
    }


@pytest.mark.rule("MGD-26")
def test_more_parries_than_attacks_do_nothing_else():
    found = fight("", "hp2", ("1 dice", "0 dice"), "2 2 2", tests="7-")
    # One attack die against two parries; the charger's own defence die meets nothing.
    assert found == {"0w1": "c1 f2", "1gu": "c2 hp2 f1 m3", "dice": 3}


@pytest.mark.rule("MGD-26", "MGD-22")
def test_both_fall_at_once():
    s = scene("w1 c1 hp1, ar a9", "w1 c2 hp1, ar i9")
    outcome(s, "wizard 1: charge", "player_1 wizard 1", dice="9- 9-")
    found = outcome(s, "1 dice", "1 dice", dice="2- 2- 6+ 6+")
    assert (found["0w1"], found["1w1"], found["points"]) == ("gone", "gone", [4, 4])
    assert found["asked"] == "1 activate"


# Morale (MGD-30).


@pytest.mark.rule("MGD-30", "MGD-25", "MGD-01")
@pytest.mark.parametrize(
    ("unit", "words", "morale", "tested"),
    [
        ("w1", "", 10, False),
        ("w1", "hp5", 10, False),
        ("w1", "hp4", 10, True),
        ("w1", "hp4 m1", 10, True),
        ("ar", "hp3", 9, False),
        ("ar", "hp2", 9, True),
        ("wa", "hp5", 10, False),  # three models of five
        ("wa", "hp4", 10, True),
        ("wa", "hp3", 10, True),
        ("gu", "hp5", 11, False),
        ("gu", "hp4", 11, True),
        ("gu", "hp2 m6", 11, True),
    ],
)
def test_who_declares_a_charge_at_half_strength_tests(unit, words, morale, tested):
    name = {"w1": "wizard 1", "ar": "archers", "wa": "warriors", "gu": "guard"}[unit]
    s = scene(f"{unit} c1 {words}", "wa c2")
    slot = ["w1", "w2", "ar", "wa", "gu"].index(unit)
    tokens = int(s.morale_tokens[0, slot])
    take(s, f"{name}: charge")
    if not tested:
        assert "dice" not in outcome(s, "player_1 warriors")
        return
    before = s.copy()
    found = outcome(s, "player_1 warriors", dice=str(morale - tokens - 1))
    assert (found["dice"], phase(s)) == (1, "split of the charger")
    s = before
    found = outcome(s, "player_1 warriors", dice=str(min(10, morale - tokens)))
    if morale - tokens > 10:
        assert phase(s) == "split of the charger"
    else:
        assert (found["dice"], found["asked"]) == (1, "1 activate")
        assert s.broken[0, slot] == 1
        assert s.fatigue[0, slot] == 1 and not s.fatigue[1].any()


@pytest.mark.rule("MGD-30", "MGD-25")
def test_a_charger_that_breaks_stays_and_the_charged_does_not_test():
    s = scene("wa d1 hp4", "ar d3 hp2")
    take(s, "warriors: charge", "player_1 archers")
    found = outcome(s, "d2", dice="7")  # three morale tokens
    assert found == {
        "0wa": "d1 hp4 f1 broken m3",
        "asked": "1 activate",
        "doing": None,
        "target": None,
        "dice": 1,
    }


@pytest.mark.rule("MGD-30", "MGD-25")
@pytest.mark.parametrize(
    ("charged", "dice", "after"),
    [
        ("hp4", "6", "d3 hp4 m3"),
        ("hp4", "7", "d3 hp4 broken m3"),
        ("hp5", "", "d3 hp5 m2"),
        ("f5", "", "d3 f5 broken"),
        ("hp4 f5", "", "d3 hp4 f5 broken m3"),
        ("hp4 broken", "", "d3 hp4 broken m3"),
        ("f4", "", "d3 f4"),
    ],
)
def test_the_charged_breaks_or_tests(charged, dice, after):
    s = scene("wa d1", f"wa d3 {charged}")
    take(s, "warriors: charge", "player_1 warriors")
    found = outcome(s, "d2", dice=dice)
    assert unit_words(s, 1, 3) == after
    assert found.get("dice", 0) == len(dice.split())
    # The charge goes on against a broken unit as well.
    assert found["asked"] == "0 split of the charger"
    assert found["0wa"] == "d2 f1"


@pytest.mark.rule("MGD-30", "MGD-25")
def test_the_charger_tests_first():
    # 6 and 7 of three morale tokens: in the other order the charger would break.
    s = scene("wa d1 hp4", "wa d3 hp4")
    take(s, "warriors: charge", "player_1 warriors")
    found = outcome(s, "d2", dice="6 7")
    assert (found["0wa"], found["1wa"]) == ("d2 hp4 f1 m3", "d3 hp4 broken m3")


@pytest.mark.rule("MGD-30", "MGD-29")
def test_archers_that_break_when_charged_do_not_shoot_back():
    s = scene("wa d1", "ar d3 hp2, w1 i9")
    take(s, "warriors: charge", "player_1 archers")
    assert outcome(s, "d2", dice="7")["asked"] == "0 split of the charger"
    s = scene("wa d1", "ar d3 hp2, w1 i9")
    take(s, "warriors: charge", "player_1 archers")
    assert outcome(s, "d2", dice="6")["asked"] == "1 react"


@pytest.mark.rule("MGD-30", "MGD-29")
@pytest.mark.parametrize(
    ("hit_points", "die", "shoots"), [(2, "6", True), (2, "7", False), (1, "5", True)]
)
def test_a_shooter_at_half_strength_that_meets_a_reaction_tests_first(hit_points, die, shoots):
    s = scene(f"ar c1 hp{hit_points}", "ar c3, w1 i9")
    take(s, "archers: shoot", "player_1 archers")
    mine = "5- " * hit_points if shoots else ""
    found = outcome(s, "shoot back", dice=f"{die} {mine}5- 5- 5- 6 4")
    broken = "" if shoots else " broken"
    left = hit_points - 1
    assert found["dice"] == 1 + (hit_points if shoots else 0) + 5
    if left:
        assert found["0ar"] == f"c1 hp{left} cap{hit_points} f1{broken} m{4 - left}"
    else:
        assert found["0ar"] == "gone"


@pytest.mark.rule("MGD-30")
def test_a_shot_without_a_reaction_needs_no_test():
    s = scene("ar c1 hp1", "ar c3 hp1, w1 i9")
    take(s, "archers: shoot", "player_1 archers")
    assert outcome(s, "pass", dice="5-")["dice"] == 1
    s = scene("ar c1 hp1", "wa c3 hp1, w1 i9")
    take(s, "archers: shoot")
    assert outcome(s, "player_1 warriors", dice="5-")["dice"] == 1


@pytest.mark.rule("MGD-30", "MGD-28")
def test_models_lost_weigh_on_every_later_test():
    rng = np.random.default_rng(4)
    for _ in range(40):
        tokens, die = int(rng.integers(1, 9)), int(rng.integers(1, 11))
        s = scene(f"wa d1 hp4 m{tokens}", "gu d3")
        tokens = max(tokens, 3)
        take(s, "warriors: charge", "player_1 guard")
        outcome(s, "d2", dice=str(die))
        assert s.broken[0, 3] == (die + tokens >= 10)
