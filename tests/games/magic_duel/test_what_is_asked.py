"""What the text says of the decision that is asked for: prices, numbers to reach, odds."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest

from mages_env.games.magic_duel import GAME, resolve

from .scene import scene, take


def asked(s, seat=None):
    """What stands below the units."""
    lines = GAME.to_text(s, seat).splitlines()
    return lines[next(k for k, line in enumerate(lines) if " is asked: " in line) :]


def line_of(s, unit):
    return next(line for line in GAME.to_text(s, None).splitlines() if f"    {unit} " in line)


@pytest.mark.rule("MGD-12")
def test_what_healing_can_restore():
    whole, lost, wounded = (
        scene(f"wa d2 {words}, w1 c2", "w1 i9") for words in ("hp6 cap6", "hp6 cap8", "hp5 cap6")
    )
    assert "6 of 10 HP, 3 of 5 models" in line_of(whole, "0wa")
    assert "6 of 10 HP, can be healed to 8, 3 of 5 models" in line_of(lost, "0wa")
    assert "5 of 10 HP, can be healed to 6, 3 of 5 models" in line_of(wounded, "0wa")


def test_one_die_of_combat_prowess():
    s = scene("wa d2 +1 m1, w1 c2 >2", "w1 i9")
    assert line_of(s, "0wa").endswith(", 1 morale token, 1 combat die more")
    assert line_of(s, "0w1").endswith(", 2 squares further")


@pytest.mark.rule("ALL-04")
def test_what_is_paid():
    for reward in ("rank", "score"):
        s = scene("w1 c1", "w1 i9", reward=reward)
        assert GAME.to_text(s, 0).startswith(f"Turn 1 of 6, initiative: player_0, reward: {reward}")


# Casting.


def casting(spell="magic missile", target="player_1 warriors", **options):
    """Side 1 has a mage with two tokens that can counter, and a fatigued one with four."""
    s = scene("w1 c2 p3, wa d2", "wa d4, gu d3, w1 c3 p2, w2 i9 p4 f5", **options)
    take(s, "wizard 1: cast", spell, target)
    return s


@pytest.mark.rule("MGD-05", "MGD-08")
def test_the_odds_of_a_casting():
    assert asked(casting()) == [
        "player_0's wizard 1: cast Magic Missile at player_1's warriors; "
        "player_0 is asked: casting tokens",
        "A casting die needs 6: difficulty 6, magic resistance 0. A counter costs the mage 1 "
        "fatigue",
        "    0 tokens and no counter: power 1+ 50 %",
        "    1 token and no counter: power 1+ 75 %, 2+ 25 %",
        "    2 tokens and no counter: power 1+ 87.5 %, 2+ 50 %, 3+ 12.5 %",
        "    3 tokens and no counter: power 1+ 93.8 %, 2+ 68.8 %, 3+ 31.2 %, 4+ 6.25 %",
    ]
    seen = GAME.to_json(casting(), None)
    assert seen["action"]["casting_die_needs"] == 6
    assert [(one["casting_dice"], one["counter_dice"]) for one in seen["odds"]] == [
        (dice, 0) for dice in (1, 2, 3, 4)
    ]
    assert seen["odds"][3]["power_at_least"] == [15 / 16, 11 / 16, 5 / 16, 1 / 16]


@pytest.mark.rule("MGD-06", "MGD-07")
def test_the_odds_of_a_counter():
    s = casting()
    take(s, "1 token")
    lines = asked(s)
    assert lines[0].endswith("with 2 casting dice; player_1 is asked: counter")
    assert [line.partition(":")[0].strip() for line in lines[2:]] == [
        "no counter",
        "counter with 0 tokens",
        "counter with 1 token",
        "counter with 2 tokens",
    ]
    odds = GAME.to_json(s, 0)["odds"]
    for counters, one in enumerate(odds[:3]):
        dice = itertools.product(range(1, 11), repeat=2 + counters)
        powers = Counter(resolve(roll[:2], roll[2:], difficulty=6).power for roll in dice)
        ways = [powers[1] + powers[2], powers[2]]
        assert (one["casting_dice"], one["counter_dice"]) == (2, counters)
        assert one["power_at_least"] == pytest.approx([n / 10 ** (2 + counters) for n in ways])
        said = ", ".join(f"{k}+ {n / 10**counters:.3g} %" for k, n in enumerate(ways, 1))
        assert lines[2 + counters].endswith(f": power {said}")


@pytest.mark.rule("MGD-08")
def test_magic_resistance_is_reckoned_with():
    s = casting(target="player_1 guard")
    assert asked(s)[1].startswith("A casting die needs 7: difficulty 6, magic resistance 1.")
    assert asked(s)[2].endswith("power 1+ 40 %")
    assert GAME.to_json(s, 0)["action"]["casting_die_needs"] == 7


@pytest.mark.rule("MGD-09")
def test_power_that_makes_no_difference_is_left_out():
    s = casting("combat prowess", "own warriors")
    assert asked(s)[-1] == "    3 tokens and no counter: power 1+ 87 %, 2+ 52.5 %"


@pytest.mark.rule("MGD-06")
def test_the_price_of_a_counter():
    for price in (0, 5):
        s = casting(counter_fatigue=price)
        take(s, "2 tokens")
        assert asked(s, 1)[1].endswith(f". A counter costs the mage {price} fatigue")


@pytest.mark.rule("MGD-04", "MGD-12")
def test_spells_without_a_target():
    s = scene("w1 a2, wa i1 hp9", "w1 i9")
    take(s, "wizard 1: cast")
    assert asked(s)[1:] == [
        "No target in sight within 7 squares on which it works: Magic Missile, Healing, "
        "Drain Energy"
    ]
    mask = np.zeros(GAME.num_actions, np.int8)
    GAME.legal(s, mask)
    refused = GAME.illegal_action("player_0", s, mask, GAME.parse_action(s, "healing"))
    assert str(refused) == (
        "player_0: action 128 (cast Healing) is not legal now; legal: 129 (cast Energy), "
        "131 (cast Combat Prowess), 132 (cast Unnatural Speed)"
    )
    s = scene("w1 c2, wa d2 hp9", "w1 d4")
    take(s, "wizard 1: cast")
    assert len(asked(s)) == 1


# Combat.


def charge(guard="gu e6"):
    s = scene("wa d4 +3 hp7, w1 a1", f"{guard}, w1 i9")
    take(s, "warriors: charge", "player_1 guard", "e5")
    return s


@pytest.mark.rule("MGD-26", "MGD-15")
def test_the_dice_to_split():
    s = charge()
    warriors = "    player_0's warriors: 11 combat dice, defence needs 4, attack needs 7"
    guard = "    player_1's guard: 8 combat dice, defence needs 3, attack needs 4"
    assert asked(s, 0)[1:] == [warriors, guard]
    take(s, "10 dice")
    assert asked(s, 1)[1:] == [warriors, guard]
    assert asked(s, 0)[1:] == [warriors, guard, "Your split: 10 attack dice"]
    sides = GAME.to_json(s, 1)["players"]
    dice = [{unit["name"]: unit["combat_dice"] for unit in side["units"]} for side in sides]
    assert dice == [{"wizard 1": 2, "warriors": 11}, {"wizard 1": 2, "guard": 8}]
    # The same as is rolled for.
    rolls = [event for event in take(s, "7 dice") if " rolls for " in event]
    found = [
        re.fullmatch(r"(player_.) rolls for (\w+): .* with (\d) or more\)", roll) for roll in rolls
    ]
    assert list(dict.fromkeys(match.groups() for match in found)) == [
        ("player_0", "defending", "4"),
        ("player_1", "defending", "3"),
        ("player_0", "attacking", "7"),
        ("player_1", "attacking", "4"),
    ]


@pytest.mark.rule("MGD-26")
def test_a_broken_unit_has_no_attack():
    assert asked(charge("gu e6 broken"), 0)[2] == (
        "    player_1's guard: 8 combat dice, defence needs 3, no attack"
    )
