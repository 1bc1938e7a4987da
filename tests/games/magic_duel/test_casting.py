"""Casting and counter-spelling: who may, with how many dice, and what power is left."""

import json
import re
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest

from mages_env.games.magic_duel import GAME, POWER_CHANCES, power_chances, resolve, roll
from mages_env.games.magic_duel.board import SIGHT

from .scene import SPELLS, legal, legal_ids, outcome, scene, square, take


def cast(spell, target, tokens=0, by="wizard 1"):
    return f"{by}: cast", spell, target, f"{tokens} tokens"


# The action (MGD-02 to MGD-05).


@pytest.mark.rule("MGD-02", "MGD-08", "MGD-21")
@pytest.mark.parametrize(("die", "drained"), [("4", {}), ("5", {"1wa": "d2 f2"})])
def test_a_cast_costs_a_token_and_fatigue_also_when_it_fails(die, drained):
    s = scene("w1 c2", "wa d2")
    found = outcome(s, *cast("drain energy", "player_1 warriors"), dice=die)
    assert found == {"0w1": "c2 f1", "tokens": [5, 6], "asked": "1 activate", "dice": 1} | drained


@pytest.mark.rule("MGD-02", "ALL-01")
def test_spell_target_and_tokens_are_asked_in_this_order():
    s = scene("w1 c2", "wa d2")
    cost = {"0w1": "c2 f1", "tokens": [5, 6], "doing": "0w1 cast"}
    assert outcome(s, "wizard 1: cast") == cost | {"asked": "0 spell"}
    assert outcome(s, "drain") == {"spell": "Drain Energy", "asked": "0 target"}
    assert legal(s) == {"target player_1 warriors"}
    assert outcome(s, "player_1 warriors") == {"target": "1wa", "asked": "0 casting tokens"}


@pytest.mark.rule("MGD-03", "MGD-18")
def test_targets_are_in_sight_and_at_most_seven_squares_away():
    # From b1, i2 is 7 away and h9 is 8, in plain sight. The rock on c4 hides c6.
    s = scene("w1 b1", "w1 c6, ar i2, wa h9, gu d3")
    assert SIGHT[0, square("b1"), square("h9")] == 8
    take(s, "wizard 1: cast", "magic missile")
    assert legal(s) == {"target player_1 archers", "target player_1 guard"}


@pytest.mark.rule("MGD-03", "MGD-04")
def test_a_caster_may_be_its_own_target():
    s = scene("w1 c2", "wa d2")
    found = outcome(s, *cast("unnatural speed", "own wizard 1"), dice="8")
    assert found["0w1"] == "c2 f1 >2"


@pytest.mark.rule("MGD-04")
@pytest.mark.parametrize("wizard", ["wizard 1", "wizard 2"])
@pytest.mark.parametrize("spell", SPELLS)
def test_every_wizard_knows_all_spells_two_of_them_for_enemies(wizard, spell):
    s = scene("w1 c2 hp3 f1, w2 d1 hp3 f1, gu d2 hp7 f1", "w1 e2 hp3 f1, wa f2 hp9 f1")
    take(s, f"{wizard}: cast")
    assert legal(s) == {f"cast {name}" for name in SPELLS}
    take(s, spell)
    if spell in ("Magic Missile", "Drain Energy"):
        assert legal(s) == {"target player_1 wizard 1", "target player_1 warriors"}
    else:
        assert legal(s) == {"target own wizard 1", "target own wizard 2", "target own guard"}


@pytest.mark.rule("MGD-05")
@pytest.mark.parametrize("stored", range(5))
def test_none_to_all_of_the_own_tokens_may_be_spent(stored):
    s = scene(f"w1 c2 p{stored}, w2 d1 p4", "wa d2")
    take(s, "wizard 1: cast", "drain energy", "player_1 warriors")
    tokens = ["spend 0 tokens", "spend 1 token", *(f"spend {n} tokens" for n in (2, 3, 4))]
    assert legal(s) == set(tokens[: stored + 1])


@pytest.mark.rule("MGD-05", "MGD-08")
@pytest.mark.parametrize("spent", range(5))
def test_a_die_and_one_more_for_each_token_which_are_gone_even_in_vain(spent):
    s = scene("w1 c2 p4", "gu d2")
    action = cast("drain energy", "player_1 guard", spent)
    found = outcome(s, *action, dice=" ".join(["5-"] * (1 + spent)))
    stored = f" p{4 - spent}" if spent != 2 else ""
    assert found == {
        "0w1": f"c2 f1{stored}",
        "tokens": [5, 6],
        "asked": "1 activate",
        "dice": 1 + spent,
    }


# Who counters (MGD-06).


@pytest.mark.rule("MGD-06", "MGD-18")
@pytest.mark.parametrize(
    ("caster", "target", "asked"),
    [
        ("c3", "e3", True),  # the rock on c4 hides the caster from c6, not the target
        ("e3", "c3", True),  # and the other way round
        ("c3", "c2", False),
    ],
)
def test_a_mage_counters_that_sees_the_caster_or_the_target(caster, target, asked):
    s = scene(f"w1 {caster}, gu {target} f1", "w1 c6")
    take(s, *cast("energy", "own guard"))
    assert GAME.to_json(s, None)["phase"] == ("counter" if asked else "activate")
    assert s.seat == 1


@pytest.mark.rule("MGD-06")
def test_there_is_no_range_to_a_counter():
    s = scene("w1 a1, gu b1 f1", "w1 i1")
    take(s, *cast("energy", "own guard"))
    assert "counter with wizard 1, 0 tokens" in legal(s)


@pytest.mark.rule("MGD-06", "MGD-04")
def test_a_mage_counters_the_spell_that_is_cast_at_itself():
    s = scene("w1 a1", "w1 e2 p0")
    take(s, *cast("magic missile", "player_1 wizard 1"))
    assert legal(s) == {"pass", "counter with wizard 1, 0 tokens"}


@pytest.mark.rule("MGD-06", "MGD-21", "MGD-05")
@pytest.mark.parametrize(
    ("mages", "may"),
    [
        ("w1 d5 p0, w2 e5 p3", {"1": 0, "2": 3}),
        ("w1 d5 p4, w2 e5 f4", {"1": 4, "2": 2}),
        ("w1 d5 f5, w2 e5", {"2": 2}),
        ("w1 d5 broken, w2 e5", {"2": 2}),
        ("w1 d5 f5, w2 e5 broken", {}),
        ("w1 d5 f5, wa e5", {}),
        ("wa e5, ar d5", {}),
    ],
)
def test_who_may_counter_and_with_how_many_tokens(mages, may):
    s = scene("w1 d3, gu d2 f1", mages)
    take(s, *cast("energy", "own guard"))
    words = {
        f"counter with wizard {mage}, {n} token{'s' * (n != 1)}"
        for mage, most in may.items()
        for n in range(most + 1)
    }
    if may:
        assert legal(s) == words | {"pass"}
    else:
        assert GAME.to_json(s, None)["phase"] == "activate"


@pytest.mark.rule("MGD-06", "MGD-05", "MGD-21")
@pytest.mark.parametrize("fatigue", [1, 0, 3, 5])
def test_what_a_counter_costs(fatigue):
    options = {} if fatigue == 1 else {"counter_fatigue": fatigue}
    s = scene("w1 d3, gu d2 f3", "w1 d5 f1 p4", **options)
    action = [*cast("energy", "own guard"), "counter with wizard 1, 3 tokens"]
    found = outcome(s, *action, dice="6 5- 5- 5- 5-")  # MR 1: 6 is enough
    assert found == {
        "0w1": "d3 f1",
        "0gu": "d2 f1",
        "1w1": f"d5 f{min(1 + fatigue, 5)} p1",
        "tokens": [5, 6],
        "asked": "1 activate",
        "dice": 5,
    }


@pytest.mark.rule("MGD-06")
def test_a_counter_may_be_declined():
    s = scene("w1 d3, gu d2 f3", "w1 d5 f1 p4")
    found = outcome(s, *cast("energy", "own guard"), "pass", dice="6")
    assert found == {
        "0w1": "d3 f1",
        "0gu": "d2 f1",
        "tokens": [5, 6],
        "asked": "1 activate",
        "dice": 1,
    }


@pytest.mark.rule("MGD-06", "MGD-20")
def test_a_side_that_has_passed_without_tokens_still_counters():
    s = scene("w1 d3, gu d2 f3", "w1 d5", tokens=[6, 0], passed=[0, 1])
    found = outcome(s, *cast("energy", "own guard"), "counter with wizard 1", dice="6 6")
    assert found == {
        "0w1": "d3 f1",
        "1w1": "d5 f1",
        "tokens": [5, 0],
        "dice": 2,
    }


@pytest.mark.rule("MGD-06")
def test_the_opponent_knows_spell_target_and_casting_dice():
    s = scene("w1 d3, gu d2 f3", "w1 d5")
    take(s, *cast("energy", "own guard", 2))
    told = GAME.to_json(s, 1)["action"]
    assert (told["spell"], told["target"], told["casting_dice"]) == ("Energy", "guard", 3)
    assert "Energy at player_0's guard with 3 casting dice" in GAME.to_text(s, 1)


@pytest.mark.rule("MGD-07")
def test_casting_dice_are_rolled_before_counter_dice():
    s = scene("w1 d3, wa d2 f5", "w1 d5")
    action = [*cast("energy", "own warriors", 1), "counter with wizard 1, 0 tokens"]
    # 5 and 9 against 6: the 9 is left. In another order more or less would be.
    assert outcome(s, *action, dice="5 9 6")["0wa"] == "d2 f3"
    s = scene("w1 d3, wa d2 f5", "w1 d5")
    assert "0wa" not in outcome(s, *action, dice="4 9 9")


# The procedure by itself (MGD-07 to MGD-10).


@pytest.mark.rule("MGD-10", "MGD-07", "MGD-08")
def test_worked_example():
    found = resolve([5, 6, 8], [6], difficulty=4, magic_resistance=1)
    assert found.power == 2
    assert found.cancelled == (1,)


@pytest.mark.rule("MGD-07", "MGD-08")
@pytest.mark.parametrize(
    ("casting", "counter", "threshold", "power", "cancelled"),
    [
        ([9, 2, 8], [10, 1], 7, 1, (0,)),
        ([7, 7], [7], 7, 1, (0,)),
        ([7, 7], [7, 7], 7, 0, (0, 1)),
        ([8, 3], [7], 7, 1, (1,)),  # a die that is no use is cancelled as well
        ([8, 8], [10, 7], 7, 1, (0,)),
        ([3, 8], [1, 9], 7, 0, (1,)),  # the highest counter die first, wherever it lies
        ([10, 6], [6, 10], 5, 0, (0, 1)),
        ([6, 7], [], 7, 1, ()),
        ([], [5], 1, 0, ()),
        ([10, 10, 10, 10, 10], [9] * 5, 11, 0, ()),
        ([10, 10, 10, 10, 10], [9] * 5, 10, 5, ()),
    ],
)
def test_what_counter_dice_cancel(casting, counter, threshold, power, cancelled):
    found = resolve(casting, counter, difficulty=threshold)
    assert (found.power, found.cancelled) == (power, cancelled)
    assert (found.casting, found.counter) == (tuple(casting), tuple(counter))
    split = resolve(casting, counter, difficulty=threshold - 1, magic_resistance=1)
    assert split == found


def left_over(casting, counter):
    """The dice that are left, by MGD-07 once more."""
    left = sorted(casting)
    for die in sorted(counter, reverse=True):
        lower = [other for other in left if other <= die]
        if lower:
            left.remove(max(lower))
    return left


@pytest.mark.rule("MGD-07", "MGD-08")
def test_random_dice_against_the_words_of_the_rule():
    rng = np.random.default_rng(7)
    for _ in range(2000):
        casting = rng.integers(1, 11, rng.integers(6)).tolist()
        counter = rng.integers(1, 11, rng.integers(6)).tolist()
        threshold = int(rng.integers(1, 12))
        found = resolve(casting, counter, difficulty=threshold)
        left = [die for k, die in enumerate(casting) if k not in found.cancelled]
        assert sorted(left) == left_over(casting, counter)
        assert found.power == sum(die >= threshold for die in left)


@pytest.mark.parametrize(
    ("dice", "named"),
    [
        (([0], []), "casting[0]=0 must be an integer from 1 to 10"),
        (([5, 11], []), "casting[1]=11 must be an integer from 1 to 10"),
        (([5], [2, -1]), "counter[1]=-1 must be an integer from 1 to 10"),
        (([5.0], []), "casting[0]=5.0 must"),
        (([True], []), "casting[0]=True must"),
        (([5], None), "counter=None must be a sequence of dice"),
    ],
)
def test_what_is_no_die_is_refused(dice, named):
    with pytest.raises(ValueError, match=re.escape(named)):
        resolve(*dice, difficulty=5)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"difficulty": 4.5}, "difficulty=4.5 must be an integer, at least 0"),
        ({"difficulty": -3}, "difficulty=-3 must"),
        ({"difficulty": "4"}, "difficulty='4' must"),
        ({"difficulty": 4, "magic_resistance": -2}, "magic_resistance=-2 must"),
        ({"difficulty": 4, "tokens": 5}, "tokens=5 must be an integer from 0 to 4"),
        ({"difficulty": 4, "tokens": -1}, "tokens=-1 must"),
        ({"difficulty": 4, "counter_tokens": 5}, "counter_tokens=5 must"),
    ],
)
def test_numbers_that_there_cannot_be_are_refused_before_a_die_is_rolled(asked, named):
    generator = np.random.default_rng(0)
    before = generator.bit_generator.state
    with pytest.raises(ValueError, match=re.escape(named)):
        roll(generator, **asked)
    assert generator.bit_generator.state == before
    if "tokens" not in named:
        with pytest.raises(ValueError, match=re.escape(named)):
            resolve([5], **asked)


def test_dice_come_from_a_generator():
    with pytest.raises(ValueError, match=r"generator=0 must be a numpy\.random\.Generator"):
        roll(0, difficulty=4)


@pytest.mark.rule("MGD-05", "MGD-06", "MGD-07")
def test_rolling_by_itself():
    for tokens, counter_tokens in ((0, None), (2, 0), (4, 4)):
        found = roll(
            np.random.default_rng(5),
            difficulty=6,
            magic_resistance=1,
            tokens=tokens,
            counter_tokens=counter_tokens,
        )
        counters = 0 if counter_tokens is None else 1 + counter_tokens
        rng = np.random.default_rng(5)
        dice = [int(rng.integers(1, 11)) for _ in range(1 + tokens + counters)]
        assert found.casting + found.counter == tuple(dice)
        assert found == resolve(found.casting, found.counter, difficulty=7)


def rolls(count):
    """Every multiset of so many dice with the number of ways to roll it."""
    for dice in combinations_with_replacement(range(1, 11), count):
        ways = factorial(count) // prod(factorial(dice.count(face)) for face in set(dice))
        yield dice, ways


@pytest.mark.rule("MGD-07", "MGD-08")
@pytest.mark.parametrize(("casting", "counter"), [(n, m) for n in range(6) for m in range(6 - n)])
def test_exact_chances_are_those_of_all_rolls(casting, counter):
    ways = np.zeros((12, casting + 1), int)
    for dice, some in rolls(casting):
        for against, others in rolls(counter):
            left = left_over(dice, against)
            for threshold in range(12):
                ways[threshold, sum(die >= threshold for die in left)] += some * others
    for threshold in range(12):
        chances = power_chances(casting, counter, threshold)
        expected = [Fraction(int(n), 10 ** (casting + counter)) for n in ways[threshold]]
        assert list(chances) == expected
        table = POWER_CHANCES[casting, counter, threshold]
        assert table[: casting + 1] == pytest.approx([float(p) for p in expected], abs=1e-15)
        assert not table[casting + 1 :].any()


@pytest.mark.rule("MGD-07", "MGD-08")
@pytest.mark.parametrize(("casting", "counter"), [(5, 5), (5, 3), (4, 4), (3, 5), (5, 1)])
def test_chances_of_many_dice_against_random_rolls(casting, counter):
    count = 6000
    rng = np.random.default_rng(casting * 10 + counter)
    rolled = rng.integers(1, 11, (count, casting + counter)).tolist()
    left = [left_over(dice[:casting], dice[casting:]) for dice in rolled]
    for threshold in (1, 5, 6, 8, 10, 11):
        chances = power_chances(casting, counter, threshold)
        assert sum(chances) == 1
        found = np.bincount([sum(d >= threshold for d in dice) for dice in left])
        for power, chance in enumerate(chances):
            seen = found[power] if power < len(found) else 0
            deviation = (count * float(chance * (1 - chance))) ** 0.5
            assert abs(seen - count * float(chance)) <= 4.5 * deviation + 1e-9


def test_chances_are_refused_for_dice_that_there_are_not():
    for casting, counter in ((6, 0), (0, 6), (-1, 0), (2.0, 1), (True, 1), ("2", 1)):
        with pytest.raises(ValueError, match="must be an integer from 0 to 5"):
            power_chances(casting, counter, 5)
    for threshold in (-3, 7.5, "7", None, float("nan")):
        with pytest.raises(ValueError, match=r"threshold=.* must be an integer, at least 0"):
            power_chances(2, 1, threshold)
    assert power_chances(2, 1, 99) == (1, 0, 0)
    assert power_chances(2, 0, 0) == (0, 0, 1)


@pytest.mark.rule("MGD-07", "MGD-10")
def test_the_worked_example_as_the_game_plays_it():
    # Energy is difficulty 5, the warriors have no resistance: the same threshold of 5.
    s = scene("w1 d3, wa d2 f5", "w1 d5")
    action = [*cast("energy", "own warriors", 2), "counter with wizard 1, 0 tokens"]
    found = outcome(s, *action, dice="5 6 8 6")
    assert found["0wa"] == "d2 f1"  # power 2
    events = GAME.to_json(s, None)["events"]
    assert "player_0 rolls for casting: 5 6 8 (3 with 5 or more)" in events
    assert "player_1 rolls for countering: 6" in events
    assert "the 2nd casting die cancelled; player_0 casts Energy with power 2" in events
    assert json.dumps(GAME.to_json(s, 0))


@pytest.mark.rule("MGD-08")
@pytest.mark.parametrize(
    ("unit", "die", "succeeds"),
    [("wa", 5, True), ("wa", 4, False), ("gu", 5, False), ("gu", 6, True), ("w2", 5, False)],
)
def test_magic_resistance_holds_for_friends_too(unit, die, succeeds):
    names = {"wa": "warriors", "gu": "guard", "w2": "wizard 2"}
    s = scene(f"w1 d3, {unit} d2 f4", "wa i9")
    found = outcome(s, *cast("energy", f"own {names[unit]}"), dice=str(die))
    assert (f"0{unit}" in found) == succeeds


@pytest.mark.rule("MGD-03", "MGD-05")
def test_the_mask_is_only_what_was_said():
    s = scene("w1 c2 p1", "wa d2")
    take(s, "wizard 1: cast", "drain energy", "player_1 warriors")
    assert legal_ids(s) == [133, 134]
