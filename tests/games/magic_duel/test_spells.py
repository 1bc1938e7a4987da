"""What the six spells do at each power, and to what they cannot do anything."""

import pytest

from mages_env.games.magic_duel import GAME

from .scene import SPELLS, attack_dice, legal, outcome, scene, take

NAMES = {
    "w1": "wizard 1",
    "w2": "wizard 2",
    "ar": "archers",
    "wa": "warriors",
    "gu": "guard",
}
WON = {"tokens": [5, 6], "asked": "1 activate"}


def cast(spell, target, tokens=0):
    return "wizard 1: cast", spell, target, f"{tokens} tokens"


# Magic Missile (MGD-11).


@pytest.mark.rule("MGD-11", "MGD-01", "MGD-24")
def test_a_missile_rolls_for_hits_then_for_wounds_against_armour():
    # A 4 is two hits; 5 reaches the warriors' armour, 4 does not.
    s = scene("w1 c2", "wa d2")
    found = outcome(s, *cast("magic missile", "player_1 warriors"), dice="6 4 5 4")
    assert found == WON | {"0w1": "c2 f1", "1wa": "d2 hp9", "dice": 4}


@pytest.mark.rule("MGD-11", "MGD-01")
@pytest.mark.parametrize(
    ("die", "hits"),
    [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (10, 5)],
)
def test_a_d5_is_half_a_d10_rounded_up(die, hits):
    s = scene("w1 c2", "wa d2")
    found = outcome(s, *cast("magic missile", "player_1 warriors"), dice=f"7 {die}")
    assert found["dice"] == 2 + hits


@pytest.mark.rule("MGD-11", "MGD-09", "MGD-08")
@pytest.mark.parametrize(("power", "hit_dice"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4)])
def test_as_many_d5_of_hits_as_there_is_power_four_at_most(power, hit_dice):
    s = scene("w1 c2 p4", "wa d2")
    success = " ".join(["6+"] * power + ["5-"] * (5 - power))
    ones = " ".join(["2-"] * hit_dice)  # a hit each
    found = outcome(s, *cast("magic missile", "player_1 warriors", 4), dice=f"{success} {ones}")
    assert found["dice"] == 5 + 2 * hit_dice


@pytest.mark.rule("MGD-11", "MGD-22", "MGD-24")
def test_a_missile_that_destroys_a_unit_pays_for_it():
    s = scene("w1 c2", "w1 d2 hp1, wa i9")
    found = outcome(s, *cast("magic missile", "player_1 wizard 1"), "pass", dice="7 4 6 6")
    assert found == WON | {"0w1": "c2 f1", "1w1": "gone", "points": [4, 0], "dice": 4}


@pytest.mark.rule("MGD-11", "MGD-24")
def test_models_that_a_missile_kills_leave_morale_tokens():
    s = scene("w1 c2", "ar d2")
    found = outcome(s, *cast("magic missile", "player_1 archers"), dice="6 4 4 9")
    assert found == WON | {"0w1": "c2 f1", "1ar": "d2 hp2 cap4 m2", "dice": 4}


# Healing (MGD-12).


@pytest.mark.rule("MGD-12")
def test_warriors_that_lost_five_and_are_healed_by_four():
    # Ten at the start of the turn, so ten is the bound of this turn.
    s = scene("w1 c2, wa d2 hp5 cap10", "wa i9", tokens=[1, 0], passed=[0, 1])
    take(s, "wizard 1: cast", "healing", "own warriors")
    found = outcome(s, "0 tokens", dice="4 8 ? ?")
    # Two dice of the next turn's initiative; nine hit points are five models: ten again.
    assert found["0wa"] == "d2 hp9 m2"
    assert s.pool_cap[0, 3] == 10


@pytest.mark.rule("MGD-12")
def test_the_bound_is_that_of_the_models_at_the_start_of_the_turn():
    # Five hit points are three models: six of them in the next turn, whatever there was before.
    s = scene("w1 c2, wa d2 hp5 cap10", "wa i9", tokens=[2, 0], passed=[0, 1])
    take(s, "pass")
    assert s.pool_cap[0, 3] == 6
    s.seat = s.active = 0
    s.phase = 0
    found = outcome(s, *cast("healing", "own warriors"), dice="4 10")
    assert found["0wa"] == "d2 hp6 m2"


@pytest.mark.rule("MGD-12", "MGD-01")
@pytest.mark.parametrize(
    ("before", "die", "after"),
    [
        ("hp5 cap10", 1, "hp6 cap10 m2"),
        ("hp5 cap10", 10, "m2"),
        ("hp7 cap10", 10, "m1"),
        ("hp5 cap6", 9, "hp6 m2"),
    ],
)
def test_what_is_restored(before, die, after):
    s = scene(f"w1 c2, wa d2 {before}", "wa i9")
    found = outcome(s, *cast("healing", "own warriors"), dice=f"4 {die}")
    assert found == WON | {"0w1": "c2 f1", "0wa": f"d2 {after}", "dice": 2}


@pytest.mark.rule("MGD-12", "MGD-09")
@pytest.mark.parametrize(("power", "dice"), [(1, 1), (2, 2), (3, 3), (4, 3), (5, 3)])
def test_as_many_d5_of_hit_points_as_power_three_at_most(power, dice):
    s = scene("w1 c2 p4, wa d2 hp1 cap10", "wa i9")
    success = " ".join(["4+"] * power + ["3-"] * (5 - power))
    found = outcome(s, *cast("healing", "own warriors", 4), dice=success + " 3 4 3"[: 2 * dice])
    assert found["0wa"] == f"d2 hp{1 + 2 * dice} cap10 m4"
    assert found["dice"] == 5 + dice


@pytest.mark.rule("MGD-12")
def test_a_single_model_does_not_exceed_what_it_started_with():
    s = scene("w1 c2 hp6", "wa i9")
    assert outcome(s, *cast("healing", "own wizard 1"), dice="5 9")["0w1"] == "c2 f1"


@pytest.mark.rule("MGD-12")
def test_a_unit_at_its_bound_or_destroyed_is_no_target():
    s = scene("w1 c2 hp3, wa d2 hp5, gu d3 hp5 cap8", "wa i9")
    take(s, "wizard 1: cast", "healing")
    # Five of six: one hit point may come back. The guard has lost a model this turn.
    assert legal(s) == {"target own wizard 1", "target own warriors", "target own guard"}
    s = scene("w1 c2, wa d2 hp6, gu d3 hp6", "wa i9")
    take(s, "wizard 1: cast")
    assert "cast Healing" not in legal(s)


# Energy and Drain Energy (MGD-13, MGD-14).


@pytest.mark.rule("MGD-13", "MGD-09")
@pytest.mark.parametrize(("power", "left"), [(1, " f3"), (2, " f1"), (3, ""), (4, ""), (5, "")])
def test_energy_takes_fatigue_off(power, left):
    s = scene("w1 c2 p4, wa d2 f5", "wa i9")
    success = " ".join(["5+"] * power + ["4-"] * (5 - power))
    found = outcome(s, *cast("energy", "own warriors", 4), dice=success)
    assert found == WON | {"0w1": "c2 f1 p0", "0wa": f"d2{left}", "dice": 5}


@pytest.mark.rule("MGD-13")
def test_energy_takes_no_more_than_there_is():
    s = scene("w1 c2, wa d2 f1", "wa i9")
    assert outcome(s, *cast("energy", "own warriors"), dice="5")["0wa"] == "d2"


@pytest.mark.rule("MGD-13", "MGD-02")
def test_energy_on_the_caster_takes_off_what_the_cast_cost():
    s = scene("w1 c2 f2", "wa i9")
    take(s, "wizard 1: cast", "energy")
    assert legal(s) == {"target own wizard 1"}
    s = scene("w1 c2 f2", "wa i9")
    assert outcome(s, *cast("energy", "own wizard 1"), dice="6")["0w1"] == "c2 f1"


@pytest.mark.rule("MGD-14", "MGD-09")
@pytest.mark.parametrize(("power", "fatigue"), [(1, 2), (2, 4), (3, 5), (4, 5), (5, 5)])
def test_drain_energy_adds_fatigue(power, fatigue):
    s = scene("w1 c2 p4", "wa d2")
    success = " ".join(["5+"] * power + ["4-"] * (5 - power))
    found = outcome(s, *cast("drain energy", "player_1 warriors", 4), dice=success)
    assert found == WON | {"0w1": "c2 f1 p0", "1wa": f"d2 f{fatigue}", "dice": 5}


@pytest.mark.rule("MGD-14", "MGD-21")
def test_drain_stops_at_the_endurance_and_breaks_nobody():
    s = scene("w1 c2 p4", "wa d2 f4, w2 i9 f5")
    found = outcome(s, *cast("drain energy", "player_1 warriors", 2), dice="5+ 5+ 5+")
    assert found["1wa"] == "d2 f5"


# Combat Prowess and Unnatural Speed (MGD-15, MGD-16).


@pytest.mark.rule("MGD-15", "MGD-09")
@pytest.mark.parametrize(
    ("success", "dice", "more"),
    [("7", "10", 10), ("7 8", "3 9", 12), ("7 8 9", "10 10", 20), ("7 8 9", "1 1", 2)],
)
def test_prowess_is_rolled_when_cast_and_three_successes_count_as_two(success, dice, more):
    tokens = len(success.split()) - 1
    s = scene("w1 c2 p4, wa d2", "wa i9")
    found = outcome(s, *cast("combat prowess", "own warriors", tokens), dice=f"{success} {dice}")
    stored = {0: " p4", 1: " p3", 2: ""}[tokens]
    assert found == WON | {
        "0w1": f"c2 f1{stored}",
        "0wa": f"d2 +{more}",
        "dice": 1 + tokens + len(dice.split()),
    }


@pytest.mark.rule("MGD-15", "MGD-16")
@pytest.mark.parametrize(("die", "more"), [(3, 8), (8, 8), (9, 9)])
def test_a_second_prowess_keeps_the_higher(die, more):
    s = scene("w1 c2, wa d2 +8", "wa i9")
    take(s, "wizard 1: cast", "combat prowess", "own warriors")
    outcome(s, "0 tokens", dice=f"7 {die}")
    assert s.prowess[0, 3] == more


@pytest.mark.rule("MGD-15", "MGD-26")
def test_prowess_counts_in_every_combat_of_the_turn():
    s = scene("w1 a1 +5", "w1 b1, w2 i9")
    take(s, "wizard 1: charge", "player_1 wizard 1")
    assert legal(s) == attack_dice(7)
    s = scene("w1 a1", "w1 b1 +5, w2 i9")
    take(s, "wizard 1: charge", "player_1 wizard 1", "0 dice")
    assert legal(s) == attack_dice(7)
    outcome(s, "0 dice")
    assert s.prowess[1, 0] == 5
    take(s, "wizard 1: charge", "player_0 wizard 1")
    assert legal(s) == attack_dice(7)


@pytest.mark.rule("MGD-16", "MGD-09")
@pytest.mark.parametrize(("power", "squares"), [(1, 2), (2, 3), (3, 4), (4, 4), (5, 4)])
def test_speed_by_power(power, squares):
    s = scene("w1 c2 p4, wa d2", "wa i9")
    success = " ".join(["7+"] * power + ["6-"] * (5 - power))
    found = outcome(s, *cast("unnatural speed", "own warriors", 4), dice=success)
    assert found == WON | {"0w1": "c2 f1 p0", "0wa": f"d2 >{squares}", "dice": 5}


@pytest.mark.rule("MGD-16")
@pytest.mark.parametrize(("success", "squares"), [("7", 3), ("7 7", 3), ("7 7 7", 4)])
def test_a_second_speed_keeps_the_higher(success, squares):
    tokens = len(success.split()) - 1
    s = scene("w1 c2 p2, wa d2 >3", "wa i9")
    take(s, "wizard 1: cast", "unnatural speed", "own warriors")
    outcome(s, f"{tokens} tokens", dice=success)
    assert s.speed[0, 3] == squares


# What could do nothing is left out of the mask, and nothing else.


@pytest.mark.rule("MGD-12", "MGD-13", "MGD-14", "MGD-15", "MGD-16")
@pytest.mark.parametrize(
    ("spell", "useless", "useful"),
    [
        ("Healing", "hp10", "hp9"),
        ("Energy", "", "f1"),
        ("Combat Prowess", "+20", "+19"),
        ("Unnatural Speed", ">4", ">3"),
    ],
)
def test_own_units_to_which_a_spell_does_nothing(spell, useless, useful):
    for words, allowed in ((useless, False), (useful, True)):
        # The caster itself is always a target of Energy, and of the others with nothing on it.
        s = scene(f"w1 c2 +20 >4, wa d2 {words}", "wa i9")
        take(s, "wizard 1: cast")
        assert (f"cast {spell}" in legal(s)) == (allowed or spell == "Energy")
        if f"cast {spell}" in legal(s):
            take(s, spell)
            assert ("target own warriors" in legal(s)) == allowed


@pytest.mark.rule("MGD-14")
@pytest.mark.parametrize(("fatigue", "allowed"), [(5, False), (4, True)])
def test_drain_on_a_unit_at_its_endurance(fatigue, allowed):
    s = scene("w1 c2", f"wa d2 f{fatigue}")
    take(s, "wizard 1: cast")
    assert ("cast Drain Energy" in legal(s)) == allowed
    assert "cast Magic Missile" in legal(s)


@pytest.mark.rule("MGD-04", "MGD-13")
def test_spells_without_a_target_are_left_out_and_energy_never_is():
    s = scene("w1 c2 +20 >4", "wa i9")
    take(s, "wizard 1: cast")
    assert legal(s) == {"cast Energy"}


@pytest.mark.rule("MGD-15", "MGD-16", "MGD-14")
def test_a_spell_may_be_wasted_where_it_could_do_something():
    # On broken and fatigued units, on those that will not act: nothing is decided for a player.
    s = scene("w1 c2, wa d2 f5 broken", "gu d3 f4 broken", tokens=[6, 0])
    take(s, "wizard 1: cast")
    assert legal(s) == {f"cast {spell}" for spell in SPELLS if spell != "Healing"}
    take(s, "unnatural speed")
    assert legal(s) == {"target own wizard 1", "target own warriors"}
    assert GAME.num_actions == 190
