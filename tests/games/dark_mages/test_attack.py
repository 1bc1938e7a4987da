"""Attack rolls, levels, dice, saving throws, damage. Seat 0 attacks unless said otherwise."""

import pytest

from .scene import UNSAVED, act, d20, kind, legal, play, rig, scene, seat, told, view

# The spare Healing has the End Phase asked after the attack, so that nothing else happens.
SPARE = "Minor Healing"


def duel(hand, character="", target=None, *, items="", status="", hp=60, **how):
    """Seat 0, with ``hand`` and a spare card, against seat 1."""
    hand = ", ".join(filter(None, [hand, SPARE]))
    mine = seat(hand, character, items=items, status=status, hp=hp)
    return scene([mine, target or seat(SPARE, "Air Conjurer")], **how)


def strikes(s, *dice, with_="Forest Army", **expected):
    """Casts at player_1; the card is used up and the attack made."""
    expected.setdefault("phase", "end")
    act(
        s,
        f"cast {with_} at player_1",
        *dice,
        hand_0=f"-{with_}",
        discards=f"+{with_}",
        attacks_used=1,
        **expected,
    )


@pytest.mark.rule("DM-13")
def test_at_least_the_armor_class_hits():
    s = duel("Forest Army")  # AC 10, nothing added
    strikes(
        s,
        *d20(10),
        (8, 5),
        hp=[60, 55],
        events=[
            "player_0 uses Forest Army on player_1",
            "10 + 0 against AC 10: hit",
            "damage 1d8 = 5",
            "player_1 loses 5 hit points, 55 left",
            "player_0 ends the Attack Phase",
        ],
    )
    strikes(duel("Forest Army"), *d20(9))


@pytest.mark.rule("DM-13")
def test_rules_1_0_want_more_than_the_armor_class():
    strikes(duel("Forest Army", rules="1.0"), *d20(10))
    strikes(duel("Forest Army", rules="1.0"), *d20(11), (8, 5), hp=[60, 55])


@pytest.mark.rule("DM-13")
def test_armor_class_10_and_staff_1():
    """The rule book's example: with a staff + 1 a 9 hits AC 10 (1.5), in 1.0 a 10 does."""
    strikes(duel("Forest Army", items="Staff +1"), *d20(9), (8, 1), hp=[60, 59])
    strikes(duel("Forest Army", items="Staff +1"), *d20(8))
    strikes(duel("Forest Army", items="Staff +1", rules="1.0"), *d20(9))
    strikes(duel("Forest Army", items="Staff +1", rules="1.0"), *d20(10), (8, 1), hp=[60, 59])


@pytest.mark.rule("DM-13")
def test_what_is_added_to_the_roll():
    # own sphere + 1, staff + 3, Curse of Weakness - 3, the card's own + 2
    s = duel("Magic Missile", "Enchanter", items="Staff of the Archmage")
    strikes(s, *d20(4), (6, 1), (6, 2), with_="Magic Missile", hp=[60, 57])
    s = duel("Magic Missile", "Enchanter", items="Staff of the Archmage")
    strikes(s, *d20(3), with_="Magic Missile")
    s = duel("Magic Missile", "Druid", status="Curse of Weakness 3")
    strikes(s, *d20(11), (6, 1), with_="Magic Missile", hp=[60, 59])
    s = duel("Magic Missile", "Druid", status="Curse of Weakness 3")
    strikes(s, *d20(10), with_="Magic Missile")


@pytest.mark.rule("DM-14")
def test_robe_and_modifiers_make_the_armor_class():
    target = seat(SPARE, items="Robe of Protection +2", status="Curse of Frailty 2")
    s = duel("Forest Army", target=target)
    assert view(s)["ac"] == [10, 9]
    strikes(s, *d20(9), (8, 1), hp=[60, 59])
    strikes(duel("Forest Army", target=target), *d20(8))


@pytest.mark.rule("DM-14")
def test_three_more_against_spells_of_the_own_sphere():
    druid = seat(SPARE, "Druid")
    strikes(duel("Forest Army", target=druid), *d20(12))
    strikes(duel("Forest Army", target=druid), *d20(13), (8, 1), hp=[60, 59])
    # not against other Spells
    strikes(duel("Magic Stone", target=druid), *d20(10), (6, 1), with_="Magic Stone", hp=[60, 57])


@pytest.mark.rule("DM-14")
def test_the_own_sphere_helps_no_saving_throw():
    # Savage Roots (Nature) hits the Druid with 13; its rider is saved against AC 10
    s = duel("Savage Roots", target=seat(SPARE, "Druid"), items="Ring of Arcane +1")
    strikes(
        s, *d20(13), (6, 1), (6, 1), (20, 10), with_="Savage Roots", hp=[60, 58],
        status_1="Savage Roots 1", bound=[0, 1],
    )  # fmt: skip


@pytest.mark.rule("DM-14")
def test_the_own_sphere_does_not_help_against_the_cantrip():
    s = duel("", "Druid", seat(SPARE, "Fire Conjurer"))
    act(
        s, "cast Thorn Lash at player_1", *d20(10), (8, 3),
        hp=[60, 57], attacks_used=1, cantrip_used=1, phase="end",
    )  # fmt: skip
    s = duel("", "Fire Conjurer", seat(SPARE, "Druid"))
    act(s, "cast Ember Dart at player_1", *d20(10), (8, 3),
        hp=[60, 57], attacks_used=1, cantrip_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-15")
def test_a_natural_20_hits_and_doubles():
    target = seat(SPARE, "Druid", items="Robe of Protection +2", status="Potion of Stone Skin 1")
    s = duel("Forest Army", target=target, status="Curse of Weakness 2")
    assert view(s)["ac"][1] == 15  # 18 against this Spell, and - 3
    strikes(s, *d20(20), (8, 4), hp=[60, 52])


@pytest.mark.rule("DM-15")
def test_a_critical_doubles_what_is_added_too_but_no_riders():
    s = duel("Magic Stone")
    strikes(s, *d20(20), (6, 4), with_="Magic Stone", hp=[60, 48])  # 2 x (4 + 2)
    s = duel("Fireball")
    strikes(s, *d20(20), (6, 3), with_="Fireball", hp=[60, 54], dot_1="Fireball 1 of 0")
    s = duel("Acid Ball")
    strikes(
        s, *d20(20), (10, 7), with_="Acid Ball", hp=[60, 46], status_1="Acid Ball 2", ac=[10, 8]
    )


@pytest.mark.rule("DM-15", "DM-20")
def test_a_critical_with_drain():
    s = duel("Vampire Hunger", "Necromancer", hp=40)  # level 2 of its own sphere
    strikes(s, *d20(20), (6, 3), (6, 4), with_="Vampire Hunger", hp=[47, 46])
    # half of what was really lost: 9 of 14
    s = duel("Vampire Hunger", "Necromancer", seat(SPARE, hp=9), hp=40)
    act(
        s, "cast Vampire Hunger at player_1", *d20(20), (6, 3), (6, 4),
        hp=[44, 0], alive=[1, 0], fell=[0, 1], over=1, hand_0="-Vampire Hunger", hand_1="",
        discards=f"+Vampire Hunger, +{SPARE}", attacks_used=1, to_move=-1, rewards=[1, -1],
        returns=[1, -1], terminated=[1, 1], attack=view_attack(s, "Vampire Hunger"),
    )  # fmt: skip


def view_attack(s, with_, **but):
    """What the attack in progress was when the game ended."""
    return {"with": with_, "user": 0, "by": 0, "target": 1, "part": "magician", "dice": 0,
            "dodged": []} | but  # fmt: skip


@pytest.mark.rule("DM-15")
def test_a_natural_1_hurts_the_attacker():
    s = duel("Fireball", "Fire Conjurer", items="Staff of the Archmage, Ring of Arcane +1")
    # 1 + 3 + 1 would not matter; L = 1 + 1 + 1 dice, no damage over time
    strikes(
        s, *d20(1), (6, 6), (6, 5), (6, 4), with_="Fireball", hp=[45, 60],
        events=[
            "player_0 uses Fireball on player_1",
            "1 + 4 against AC 10: fumble",
            "the damage is player_0's own",
            "damage 3d6 = 15",
            "player_0 loses 15 hit points, 45 left",
            "player_0 ends the Attack Phase",
        ],
    )  # fmt: skip


@pytest.mark.rule("DM-15")
def test_a_fumble_rolls_extra_dice_and_passes_robe_and_shield():
    mine = seat(
        f"Magic Stone, {SPARE}", items="Robe of Resistance", pool=3, status="Overcharge 1",
        companion="Wolf defender 6",
    )  # fmt: skip
    s = scene([mine, seat(SPARE)])
    # 3d6 + 2 = 10, robe 2, shield 3; the own defender does not step in
    strikes(s, *d20(1), (6, 4), (6, 2), (6, 2), with_="Magic Stone", hp=[55, 60], pool=[0, 0],
            status_0="")  # fmt: skip


@pytest.mark.rule("DM-15", "DM-36")
def test_a_fumble_that_kills():
    # Earth Golem's owner falls by its own Magic Stone; nobody loots, and the turn is over.
    mine = seat(f"Magic Stone, {SPARE}", items="Staff +1", hp=4, companion="Wolf attacker 6")
    s = scene([mine, seat(SPARE), seat("Healing, Dodge, Dodge, Dodge, Minor Healing")])
    act(
        s, "cast Magic Stone at player_1", *d20(1), (6, 2),
        hp=[0, 60, 60], alive=[0, 1, 1], fell=[1, 0, 0], hand_0="", companion_0="",
        discards=f"+Magic Stone, +{SPARE}, +Wolf", to_move=1, active=1, phase="preparation",
        turn=6, terminated=[1, 0, 0], rewards=[-1, 0, 0], returns=[-1, 0, 0],
    )  # fmt: skip
    assert view(s)["items_0"] == "Staff +1"


@pytest.mark.rule("DM-15")
def test_a_fumble_of_the_last_reflector_leaves_the_turn():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Shield of Reflection", hp=3), seat(SPARE)])
    play(s, "cast Forest Army at player_1")
    act(
        s, "play Shield of Reflection", *d20(1), (8, 3),
        hp=[60, 0, 60], alive=[1, 0, 1], fell=[0, 1, 0], hand_1="", attack={}, to_move=0,
        discards="+Shield of Reflection", phase="end", terminated=[0, 1, 0],
        rewards=[0, -1, 0], returns=[0, -1, 0],
    )  # fmt: skip


@pytest.mark.rule("DM-15")
def test_a_companions_fumble_hits_the_companion():
    s = scene([seat(SPARE, companion="Wolf attacker 6"), seat(SPARE)])
    act(s, "companion attacks player_1", *d20(1), (6, 4), companion_0="Wolf attacker 2",
        companion_attacked=1, phase="end")  # fmt: skip
    s = scene([seat(SPARE, companion="Wolf attacker 6"), seat(SPARE)])
    act(s, "companion attacks player_1", *d20(1), (6, 6), companion_0="", discards="+Wolf",
        companion_attacked=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-16")
def test_a_spell_needs_its_level():
    hand = "Forest Army, Savage Roots, A Murder of Crows, Black Tentacles"

    def castable(*, character="Enchanter", items="", **options):
        s = scene([seat(hand, character, items=items), seat(SPARE)], **options)
        return sorted(a.split(" at ")[0][5:] for a in legal(s) if a.startswith("cast "))

    assert castable() == ["Black Tentacles", "Forest Army"]
    assert castable(items="Ring of Arcane +1") == ["Black Tentacles", "Forest Army", "Savage Roots"]
    assert len(castable(items="Ring of Arcane +2")) == 4
    # the own sphere counts a level more
    assert castable(character="Druid") == ["Black Tentacles", "Forest Army", "Savage Roots"]
    assert len(castable(character="Druid", items="Ring of Arcane +1")) == 4
    without = castable(character="Druid", sphere_unlocks_level=False)
    assert without == ["Black Tentacles", "Forest Army"]


@pytest.mark.rule("DM-16", "DM-17")
def test_the_level_is_at_least_1():
    s = duel("Forest Army", status="Dark Soul 2")
    assert view(s)["level"][0] == 0
    strikes(s, *d20(10), (8, 3), hp=[60, 57])
    # 1 - 1 + 1 for the own sphere: level 1
    s = duel("Forest Army, Savage Roots", "Druid", status="Dark Soul 2")
    assert "cast Savage Roots at player_1" not in legal(s)
    strikes(s, *d20(10), (8, 3), hp=[60, 57])


@pytest.mark.rule("DM-17")
def test_dice_by_level():
    """The rule book's: 1d6 at level 1, 2d6 at level 2; Freeze Arrow without and with ring."""
    s = duel("Freeze Arrow")
    strikes(s, *d20(10), (6, 5), with_="Freeze Arrow", hp=[60, 55], status_1="Freeze Arrow 1",
            attack_bonus=[0, -1])  # fmt: skip
    s = duel("Freeze Arrow", items="Ring of Arcane +1")
    strikes(s, *d20(10), (6, 5), (6, 6), with_="Freeze Arrow", hp=[60, 49],
            status_1="Freeze Arrow 1", attack_bonus=[0, -1])  # fmt: skip


@pytest.mark.rule("DM-17")
@pytest.mark.parametrize("rules", ["1.0", "1.5"])
def test_a_fire_conjurer_of_level_2_rolls_3d6_for_a_fireball(rules):
    s = duel("Fireball", "Fire Conjurer", items="Ring of Arcane +1", rules=rules)
    strikes(s, *d20(11), (6, 5), (6, 6), (6, 1), with_="Fireball", hp=[60, 48],
            dot_1="Fireball 1 of 0")  # fmt: skip


@pytest.mark.rule("DM-17")
def test_the_level_is_not_capped():
    s = duel(
        "Forest Army", "Druid", items="Ring of the Eight Spheres", status="Potion of Arcane Power 1"
    )
    strikes(s, *d20(9), *[(8, 1)] * 6, hp=[60, 54])  # 1 + 3 + 1 + 1


@pytest.mark.rule("DM-17")
def test_common_spells_get_no_dice():
    s = duel("Acid Ball", "Druid", items="Ring of Arcane +2", status="Overcharge 1")
    # and they do not use up what waits for another Spell
    strikes(
        s, *d20(10), (10, 2), with_="Acid Ball", hp=[60, 58], status_1="Acid Ball 2", ac=[10, 8]
    )
    assert view(s)["status_0"] == "Overcharge 1"


@pytest.mark.rule("DM-17")
def test_dice_of_modifiers_are_used_up_together():
    s = duel("Forest Army", status="Overcharge 1, Potion of Fury 1")
    strikes(s, *d20(10), *[(8, 1)] * 4, hp=[60, 56], status_0="")
    # by a Scroll, too
    s = duel("Scroll of Thunder", status="Overcharge 1")
    strikes(s, (20, UNSAVED), *[(8, 1)] * 5, with_="Scroll of Thunder", hp=[60, 55], status_0="")
    # and by an area one
    s = duel("Scroll of Meteors", status="Potion of Fury 1")
    act(
        s,
        "play Scroll of Meteors",
        *[(6, 1)] * 4,
        (20, 12),
        hp=[60, 56],
        status_0="",
        hand_0="-Scroll of Meteors",
        discards="+Scroll of Meteors",
        attacks_used=1,
        phase="end",
    )


@pytest.mark.rule("DM-17")
def test_hexes_orbs_and_the_cantrip_leave_dice_alone():
    s = duel("Infection", status="Overcharge 1")
    strikes(s, *d20(12), with_="Infection", dot_1="Infection 3 of 0")
    s = duel("", "Druid", status="Overcharge 1")
    act(s, "cast Thorn Lash at player_1", *d20(10), (8, 3), hp=[60, 57], attacks_used=1,
        cantrip_used=1, phase="end")  # fmt: skip
    s = duel("Orb of Annihilation", status="Overcharge 1")
    act(s, "play Orb of Annihilation", *[(6, 1)] * 4, (20, 12), hp=[60, 56], attacks_used=1,
        hand_0="-Orb of Annihilation", discards="+Orb of Annihilation", phase="end")  # fmt: skip


@pytest.mark.rule("DM-17")
def test_the_level_heals_and_summons():
    s = duel("Cure Serious Wounds", "Cleric", items="Ring of Arcane +1", hp=20)
    act(s, "play Cure Serious Wounds", (8, 1), (8, 2), (8, 8), hp=[31, 60], attacks_used=1,
        hand_0="-Cure Serious Wounds", discards="+Cure Serious Wounds", phase="end")  # fmt: skip
    s = duel("Cure Serious Wounds", "Druid", hp=58)
    act(s, "play Cure Serious Wounds", (8, 5), hp=[60, 60], attacks_used=1,
        hand_0="-Cure Serious Wounds", discards="+Cure Serious Wounds", phase="end")  # fmt: skip
    s = duel("Summon Skeleton", "Necromancer", items="Ring of Arcane +1")
    act(s, "place Summon Skeleton as attacker", companion_0="Summon Skeleton attacker 11",
        hand_0="-Summon Skeleton", attacks_used=1)  # fmt: skip
    s = duel("Earth Golem", "Druid", items="Ring of Arcane +2")
    act(s, "place Earth Golem as defender", companion_0="Earth Golem defender 15",
        hand_0="-Earth Golem", attacks_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-18")
def test_scrolls_hexes_and_artifacts_need_no_level_and_get_none():
    rings = {"items": "Ring of the Eight Spheres"}
    s = duel("Scroll of Thunder", **rings)
    strikes(s, (20, 10), *[(8, 2)] * 3, with_="Scroll of Thunder", hp=[60, 54])
    s = duel("Scroll of Thunder", status="Dark Soul 2")
    assert "cast Scroll of Thunder at player_1" in legal(s)
    s = duel("Orb of Annihilation", **rings)
    act(s, "play Orb of Annihilation", *[(6, 1)] * 4, (20, 12), hp=[60, 56], attacks_used=1,
        hand_0="-Orb of Annihilation", discards="+Orb of Annihilation", phase="end")  # fmt: skip
    s = scene([seat(SPARE, companion="Troll attacker 15", **rings), seat(SPARE)])
    act(s, "companion attacks player_1", *d20(9), (10, 4), hp=[60, 56], companion_attacked=1,
        phase="end")  # fmt: skip


@pytest.mark.rule("DM-19")
def test_a_saving_throw_is_below_the_armor_class():
    strikes(duel("Scroll of Thunder"), *d20(9), with_="Scroll of Thunder")
    s = duel("Scroll of Thunder")
    strikes(s, *d20(10), *[(8, 1)] * 3, with_="Scroll of Thunder", hp=[60, 57])
    # a save means no effect at all
    s = duel("Scroll of Shattering", target=seat(SPARE, items="Staff +1"))
    strikes(s, *d20(9), with_="Scroll of Shattering")


@pytest.mark.rule("DM-19")
def test_saving_throws_of_rules_1_0():
    """d20 + staff at most AC: the staff makes it harder."""
    strikes(duel("Scroll of Thunder", rules="1.0"), *d20(10), with_="Scroll of Thunder")
    strikes(duel("Scroll of Thunder", rules="1.0"), *d20(11), *[(8, 1)] * 3,
            with_="Scroll of Thunder", hp=[60, 57])  # fmt: skip
    staff = seat(SPARE, items="Staff +2", status="Curse of Weakness 1")
    s = duel("Scroll of Thunder", target=staff, rules="1.0")
    strikes(s, *d20(8), with_="Scroll of Thunder")
    s = duel("Scroll of Thunder", target=staff, rules="1.0")
    strikes(s, *d20(9), *[(8, 1)] * 3, with_="Scroll of Thunder", hp=[60, 57])
    s = duel("Scroll of Thunder", target=staff)  # in 1.5 it means nothing
    strikes(s, *d20(9), with_="Scroll of Thunder")


@pytest.mark.rule("DM-19")
def test_a_saving_throw_goes_by_the_armor_class_of_the_moment():
    target = seat(
        SPARE, items="Robe of Protection +2, Amulet of Warding", status="Curse of Frailty 1"
    )
    strikes(duel("Infection", target=target), *d20(11), with_="Infection")  # 10 + 2 - 3 + 3
    s = duel("Infection", target=target)
    strikes(s, *d20(12), with_="Infection", dot_1="Infection 3 of 0")


@pytest.mark.rule("DM-19", "DM-14")
def test_warding_helps_saves_alone():
    s = duel("Forest Army", target=seat(SPARE, items="Amulet of Warding"))
    strikes(s, *d20(10), (8, 1), hp=[60, 59])


@pytest.mark.rule("DM-20")
def test_damage_passes_robe_then_shield_then_hit_points():
    target = seat(SPARE, items="Robe of Resistance", pool=4, hp=30)
    s = duel("Magic Explosion", target=target, items="Ring of Arcane +1")
    strikes(
        s, *d20(10), (6, 5), (6, 4), (6, 3), with_="Magic Explosion", hp=[60, 24], pool=[0, 0],
        events=[
            "player_0 uses Magic Explosion on player_1",
            "10 + 0 against AC 10: hit",
            "damage 3d6 = 12",
            "6 damage to player_1 is prevented, Magic Shield 0",
            "player_1 loses 6 hit points, 24 left",
            "player_0 ends the Attack Phase",
        ],
    )  # fmt: skip
    # what the robe leaves, the shield takes: 12 - 2 = 10 of 12
    target = seat(SPARE, items="Robe of Resistance", pool=12, hp=30)
    s = duel("Magic Explosion", target=target, items="Ring of Arcane +1")
    strikes(s, *d20(10), (6, 5), (6, 4), (6, 3), with_="Magic Explosion", pool=[0, 2])
    # never less than nothing
    s = duel("Forest Army", target=seat(SPARE, items="Robe of Resistance"))
    strikes(s, *d20(10), (8, 1))


@pytest.mark.rule("DM-20")
def test_what_is_drained_is_what_was_lost():
    target = seat(SPARE, items="Robe of Resistance", pool=4)
    s = duel("Scroll of Life Drain", target=target, hp=30)
    strikes(s, *d20(12), (8, 8), (8, 3), with_="Scroll of Life Drain", hp=[35, 55], pool=[0, 0])
    s = duel("", "Cleric", hp=30)  # Sacred Spark: half, rounded down
    act(s, "cast Sacred Spark at player_1", *d20(10), (6, 5), hp=[32, 55], attacks_used=1,
        cantrip_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-20")
def test_second_chance():
    target = seat(SPARE, items="Amulet of Second Chance", hp=3)
    s = duel("Scroll of Life Drain", target=target, hp=30)
    act(
        s, "cast Scroll of Life Drain at player_1", *d20(12), (8, 8), (8, 3), (20, 13),
        hp=[33, 13], items_1="", hand_0="-Scroll of Life Drain", attacks_used=1, phase="end",
        discards="+Scroll of Life Drain, +Amulet of Second Chance",
    )  # fmt: skip


@pytest.mark.rule("DM-20")
def test_a_death_by_percent_passes_robe_and_shield():
    """d100 of two d10, tens then units; 10 or less drops to 0."""
    target = seat(SPARE, items="Robe of Resistance", pool=100)
    three = {"items": "Ring of Arcane +2"}
    s = duel("Dead Warp", target=target, **three)
    strikes(s, *d20(10), (10, 2), (10, 2), (10, 2), (10, 2), with_="Dead Warp", pool=[0, 98])  # 11
    both = seat(SPARE, items="Amulet of Second Chance", pool=100)
    s = duel("Dead Warp", target=both, **three)
    act(  # 1 and 0: 10
        s, "cast Dead Warp at player_1", *d20(10), (10, 2), (10, 2), (10, 2), (10, 1), (20, 7),
        hp=[60, 7], pool=[0, 96], items_1="", hand_0="-Dead Warp", attacks_used=1, phase="end",
        discards="+Dead Warp, +Amulet of Second Chance",
    )  # fmt: skip
    assert "player_1 loses 60 hit points, 0 left" in told(s)
    s = duel("Dead Warp", target=target, **three)
    strikes(s, *d20(10), (10, 2), (10, 2), (10, 1), (10, 1), with_="Dead Warp", pool=[0, 98])
    assert "d100 shows 100 against 10" in told(s)


@pytest.mark.rule("ALL-02")
def test_percent_is_uniform():
    """All hundred pairs of two d10 show each of 1 to 100 once; 00 is 100."""
    shown = []
    s = duel("Dead Warp", items="Ring of Arcane +2", target=seat(SPARE, pool=1000))
    for tens in range(10):
        for units in range(10):
            one = s.copy()
            rig(one, (20, 15), (10, 2), (10, 3), (10, tens + 1), (10, units + 1))
            play(one, "cast Dead Warp at player_1")
            shown += [line for line in told(one) if line.startswith("d100")]
    assert shown == [f"d100 shows {n} against 10" for n in [100, *range(1, 100)]]


@pytest.mark.rule("DM-20")
def test_no_percent_is_rolled_on_a_target_already_down():
    s = scene([seat(f"Dead Warp, {SPARE}", items="Ring of Arcane +2"), seat(SPARE, hp=2), seat()])
    play(s, "cast Dead Warp at player_1", *d20(10), (10, 2), (10, 2))
    assert view(s)["alive"] == [1, 0, 1]


def test_percent_kills_a_companion_but_no_enemy():
    ring = {"items": "Ring of Arcane +2"}
    s = scene([seat(f"Dead Warp, {SPARE}", **ring), seat(companion="Troll defender 15")])
    act(s, "cast Dead Warp at player_1", *d20(11), (10, 2), (10, 2), (10, 1), (10, 3),
        companion_1="", discards="+Dead Warp, +Troll", hand_0="-Dead Warp", attacks_used=1,
        phase="end")  # fmt: skip
    s = scene([seat(f"Dead Warp, {SPARE}", **ring), seat()], enemy="Hydra 16 of 0")
    act(s, "cast Dead Warp at the enemy", *d20(12), (10, 2), (10, 2), enemy="Hydra 12 of 0",
        discards="+Dead Warp", hand_0="-Dead Warp", attacks_used=1, phase="end")  # fmt: skip


# What else cards do.


def test_windstorm_takes_a_random_item():
    items = "Staff +1, Robe of Protection +1, Amulet of Warding"
    lost = set()
    for place in (1, 2, 3):
        s = duel("Windstorm", "Druid", seat(SPARE, items=items), items="Ring of Arcane +2")
        play(s, "cast Windstorm at player_1", *d20(15), *[(8, 1)] * 3, (20, 15), (3, place))
        lost |= set(items.split(", ")) - set(view(s)["items_1"].split(", "))
    assert lost == set(items.split(", "))
    # saved, with Warding
    s = duel("Windstorm", "Druid", seat(SPARE, items=items), items="Ring of Arcane +2")
    strikes(s, *d20(15), *[(8, 1)] * 3, (20, 13), with_="Windstorm", hp=[60, 57])
    # nothing to lose: no save is rolled
    s = duel("Windstorm", "Druid", items="Ring of Arcane +2")
    strikes(s, *d20(15), *[(8, 1)] * 3, with_="Windstorm", hp=[60, 57])


def test_tidal_wave_takes_a_random_card():
    s = duel("Tidal Wave", "Druid", seat("Dodge, Healing, Wolf"), items="Ring of Arcane +2")
    play(s, "cast Tidal Wave at player_1")
    held = view(s)["hand_1"].split(", ")
    play(s, "pass", *d20(15), *[(10, 1)] * 3, (20, 15), (3, 2))
    left = view(s)["hand_1"].split(", ")
    assert len(left) == 2 and set(left) < set(held)
    s = duel("Tidal Wave", "Druid", seat(""), items="Ring of Arcane +2")
    strikes(s, *d20(15), *[(10, 1)] * 3, with_="Tidal Wave", hp=[60, 57])


def test_oblivion_takes_two_random_cards_or_what_there_is():
    s = duel("Scroll of Oblivion", target=seat("Wolf, Troll, Healing"))
    play(s, "cast Scroll of Oblivion at player_1", *d20(12), (8, 1), (3, 3), (2, 1))
    assert view(s)["hand_1"].count(",") == 0 and view(s)["hand_1"]
    s = duel("Scroll of Oblivion", target=seat("Wolf"))
    play(s, "cast Scroll of Oblivion at player_1", *d20(12), (8, 1), (1, 1))
    assert view(s)["hand_1"] == ""


def test_shattering_lets_the_attacker_choose():
    s = duel("Scroll of Shattering", target=seat(SPARE, items="Staff +1, Amulet of Warding"))
    strikes(s, *d20(13), (8, 2), with_="Scroll of Shattering", hp=[60, 58], phase="item",
            attack=view_attack(s, "Scroll of Shattering"))  # fmt: skip
    assert legal(s) == {"choose the Staff", "choose the Amulet"}
    act(s, "choose the Amulet", items_1="Staff +1", discards="+Amulet of Warding", phase="end",
        attack={}, events=["player_1's Amulet of Warding is discarded",
                           "player_0 ends the Attack Phase"])  # fmt: skip
    s = duel("Scroll of Shattering")  # nothing to choose
    strikes(s, *d20(13), (8, 2), with_="Scroll of Shattering", hp=[60, 58])


@pytest.mark.parametrize(
    ("character", "text", "bonus", "outcome"),
    [
        ("Enchanter", "Arcane Bolt", 2, {"hp": [40, 56]}),
        ("Cleric", "Sacred Spark", 0, {"hp": [42, 56]}),
        ("Druid", "Thorn Lash", 0, {"hp": [40, 56]}),
        ("Necromancer", "Chill Grasp", 0,
         {"hp": [40, 56], "status_1": "Chill Grasp 1", "attack_bonus": [0, -1]}),
        ("Fire Conjurer", "Ember Dart", 0, {"hp": [40, 56]}),
        ("Water Conjurer", "Frost Ray", 0,
         {"hp": [40, 56], "status_1": "Frost Ray 1", "ac": [10, 9]}),
        ("Earth Conjurer", "Stone Shot", 0, {"hp": [40, 55]}),
        ("Air Conjurer", "Static Touch", 0, {"hp": [40, 56]}),
    ],
)  # fmt: skip
@pytest.mark.rule("DM-01")
def test_cantrips(character, text, bonus, outcome):
    sides = 8 if text in ("Thorn Lash", "Ember Dart", "Static Touch") else 6
    target = "Druid" if character != "Druid" else "Cleric"
    s = duel("", character, seat(SPARE, target), hp=40)
    act(s, f"cast {text} at player_1", (20, 10 - bonus), (sides, 4), attacks_used=1,
        cantrip_used=1, phase="end", **outcome)  # fmt: skip
    s = duel("", character, seat(SPARE, target), hp=40)
    act(s, f"cast {text} at player_1", (20, 9 - bonus), attacks_used=1, cantrip_used=1, phase="end")
    assert kind(text) >= 89
