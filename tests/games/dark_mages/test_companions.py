"""Companions: defenders, attackers, and what meets them."""

import pytest

from .scene import UNSAVED, act, d20, legal, play, scene, seat, told, view

SPARE = "Minor Healing"
NOT_SAVED = (20, UNSAVED)


@pytest.mark.rule("DM-26", "DM-07")
def test_a_companion_is_placed_as_defender_or_attacker():
    s = scene([seat(f"Wolf, Troll, {SPARE}"), seat()], phase="preparation")
    assert {
        "place Wolf as attacker",
        "place Wolf as defender",
        "place Troll as attacker",
        "place Troll as defender",
    } < legal(s)
    act(
        s, "place Wolf as attacker", hand_0="-Wolf", companion_0="Wolf attacker 6",
        companion_used=1, events=["Wolf is player_0's attacker, 6 hit points"],
    )  # fmt: skip
    # one a turn, and the mode is not for changing
    assert not any(action.startswith("place") for action in legal(s))


@pytest.mark.rule("DM-26")
def test_a_new_companion_replaces_the_old_one():
    mine = seat(f"Troll, {SPARE}", companion="Wolf attacker 2", companion_dot="Infection 2 of 1")
    s = scene([mine, seat()], phase="preparation")
    act(
        s, "place Troll as defender", hand_0="-Troll", companion_0="Troll defender 15",
        companion_used=1, companion_dot_0="", discards="+Wolf",
    )  # fmt: skip


@pytest.mark.rule("DM-26")
def test_a_summoned_companion_uses_the_same_place():
    s = scene([seat(f"Summon Skeleton, {SPARE}", companion="Wolf attacker 2"), seat()],
              used="companion")  # fmt: skip
    act(s, "place Summon Skeleton as defender", hand_0="-Summon Skeleton", discards="+Wolf",
        companion_0="Summon Skeleton defender 5", attacks_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-27")
@pytest.mark.parametrize("rules", ["1.5", "1.0"])
@pytest.mark.parametrize(
    ("hand", "action", "dice", "left"),
    [
        ("Forest Army", "cast Forest Army at player_1", [(20, 12), (8, 4)], "Troll defender 11"),
        ("Scroll of Thunder", "cast Scroll of Thunder at player_1",
         [(20, 12), (8, 1), (8, 2), (8, 3)], "Troll defender 9"),
        ("", "cast Chill Grasp at player_1", [(20, 12), (6, 4)], "Troll defender 11"),
        ("", "companion attacks player_1", [(20, 10), (6, 4)], None),
    ],
)  # fmt: skip
def test_a_defender_is_met_instead(rules, hand, action, dice, left):
    """Its AC of 11, and nothing happens to its master, riders included."""
    mine = seat(", ".join(filter(None, [hand, SPARE])), "Necromancer", companion="Wolf attacker 6")
    s = scene([mine, seat(SPARE, "Druid", companion="Troll defender 15")], rules=rules)
    before = view(s)
    play(s, action, *dice)
    after = view(s)
    assert after["companion_1"] == (left or "Troll defender 11")
    for name in ("hp", "status_1", "attack_bonus", "hand_1"):
        assert after[name] == before[name]


@pytest.mark.rule("DM-27")
def test_the_defenders_armor_class_counts():
    # the Druid's three against Nature, and its robe, mean nothing to the Troll: AC 11
    target = seat(SPARE, "Druid", companion="Troll defender 15", items="Robe of Protection +2")
    s = scene([seat(f"Forest Army, {SPARE}"), target])
    play(s, "cast Forest Army at player_1", *d20(10))
    s = scene([seat(f"Forest Army, {SPARE}"), target])
    play(s, "cast Forest Army at player_1", *d20(11), (8, 1))
    assert view(s)["companion_1"] == "Troll defender 14"
    # Young Drake, AC 14: saves with 13
    s = scene([seat(f"Scroll of Thunder, {SPARE}"), seat(companion="Young Drake defender 12")])
    play(s, "cast Scroll of Thunder at player_1", *d20(13))
    assert view(s)["companion_1"] == "Young Drake defender 12"


@pytest.mark.rule("DM-27", "DM-21")
def test_infection_on_a_magician_whose_companion_defends():
    s = scene([seat(f"Infection, {SPARE}"), seat(SPARE, companion="Troll defender 15")])
    act(s, "cast Infection at player_1", (20, 10), hand_0="-Infection", discards="+Infection",
        attacks_used=1, phase="end")  # saved against AC 11  # fmt: skip
    s = scene([seat(f"Infection, {SPARE}"), seat(SPARE, companion="Troll defender 15")])
    act(
        s, "cast Infection at player_1", (20, 11), hand_0="-Infection", discards="+Infection",
        companion_dot_1="Infection 3 of 0", attacks_used=1, phase="end",
    )  # fmt: skip


@pytest.mark.rule("DM-27", "DM-30")
def test_an_infected_companion_suffers_in_its_masters_turns():
    full = "Minor Healing, Dodge, Dodge, Dodge, Healing"
    mine = seat(full)
    target = seat(SPARE, companion="Troll defender 8", companion_dot="Infection 2 of 0")
    s = scene([mine, target], phase="end")
    act(s, "pass", (20, 11), (10, 5), companion_1="Troll defender 3", turn=6, active=1, to_move=1,
        companion_dot_1="Infection 1 of 0", phase="preparation",
        events=["player_0 discards nothing", "player_0 draws 0", "player_1's turn",
                "player_1's companion suffers from Infection",
                "player_1's companion rolls 11 against 11: not saved", "damage 1d10 = 5",
                "player_1's companion loses 5 hit points, 3 left"])  # fmt: skip
    target = seat(SPARE, companion="Troll defender 4", companion_dot="Infection 2 of 0")
    s = scene([mine, target], phase="end")
    act(s, "pass", (20, 11), (10, 5), companion_1="", turn=6, active=1, to_move=1,
        companion_dot_1="", phase="preparation", discards="+Troll")  # fmt: skip


@pytest.mark.rule("DM-27")
def test_what_means_nothing_to_a_companion_is_lost():
    shield = {"companion": "Troll defender 15"}
    s = scene([seat(f"Garden Gnome, {SPARE}"), seat(SPARE, **shield)])
    act(s, "cast Garden Gnome at player_1", (20, 11), hand_0="-Garden Gnome", attacks_used=1,
        discards="+Garden Gnome", phase="end")  # fmt: skip
    s = scene([seat(f"Scroll of Oblivion, {SPARE}"), seat(SPARE, **shield)])
    act(s, "cast Scroll of Oblivion at player_1", (20, 11), (8, 3), hand_0="-Scroll of Oblivion",
        attacks_used=1, companion_1="Troll defender 12", discards="+Scroll of Oblivion",
        phase="end")  # fmt: skip
    # a further save is not rolled where it could bring nothing
    s = scene([seat(f"Shadow Trap, {SPARE}"), seat(SPARE, **shield)])
    act(s, "cast Shadow Trap at player_1", (20, 11), (6, 3), hand_0="-Shadow Trap", attacks_used=1,
        companion_1="Troll defender 12", discards="+Shadow Trap", phase="end")  # fmt: skip


@pytest.mark.rule("DM-27", "DM-20")
def test_drain_from_a_defender():
    mine = seat(f"Scroll of Life Drain, {SPARE}", hp=20)
    s = scene([mine, seat(SPARE, companion="Troll defender 5")])
    act(s, "cast Scroll of Life Drain at player_1", (20, 11), (8, 7), (8, 7), hp=[25, 60],
        companion_1="", hand_0="-Scroll of Life Drain", attacks_used=1, phase="end",
        discards="+Scroll of Life Drain, +Troll")  # fmt: skip


@pytest.mark.rule("DM-27", "DM-08")
def test_skills_pass_a_defender():
    target = seat("Dodge", items="Staff +1", companion="Troll defender 15")
    s = scene([seat(f"Sleight of Hand, {SPARE}"), target], used="attacks")
    play(s, "use Sleight of Hand on player_1's Staff")
    play(s, "pass", (20, 10))  # the magician's AC of 10, not the Troll's 11
    assert view(s)["items_0"] == "Staff +1" and view(s)["items_1"] == ""
    s = scene([seat(f"Mind Raid, {SPARE}"), seat("Wolf", companion="Troll defender 15")],
              used="attacks")  # fmt: skip
    act(s, "use Mind Raid at player_1", (1, 1), hand_0="-Mind Raid, +Wolf", hand_1="",
        discards="+Mind Raid", skill_used=1, phase="end", known_0={1: "Wolf"})  # fmt: skip


@pytest.mark.rule("DM-27")
def test_damage_left_over():
    for overflow, hp in ((False, [60, 60]), (True, [60, 53])):
        target = seat(SPARE, companion="Wolf defender 3", items="Robe of Resistance", pool=1)
        s = scene([seat(f"Magic Explosion, {SPARE}", items="Ring of Arcane +1"), target],
                  overflow=overflow)  # fmt: skip
        play(s, "cast Magic Explosion at player_1", *d20(12), (6, 5), (6, 5), (6, 3))
        assert view(s)["hp"] == hp and view(s)["companion_1"] == ""  # 13 - 3, robe 2, shield 1
        assert view(s)["pool"] == [0, 0 if overflow else 1]


@pytest.mark.rule("DM-27")
def test_damage_left_over_by_area_and_enemies():
    target = seat(SPARE, companion="Wolf defender 3")
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), target], overflow=True)
    play(s, "play Scroll of Meteors", (6, 2), (6, 3), (6, 3), NOT_SAVED)
    assert view(s)["hp"] == [60, 55]
    full = "Minor Healing, Dodge, Healing, Dodge"
    s = scene([seat(full), target], overflow=True, phase="end", stack="Hill Giant", rules="1.0")
    # AC 10 saves with 5: half of 9; the Wolf (AC 12) does not with 13: 9 - 3 pass on
    play(s, "pass", (1, 1), (8, 4), (8, 5), (20, 5), (20, 13))
    assert view(s)["hp"] == [56, 54]
    # an attacker never passes damage on
    s = scene([seat(f"Magic Explosion, {SPARE}", items="Ring of Arcane +1"),
               seat(SPARE, companion="Wolf attacker 3")], overflow=True)  # fmt: skip
    play(s, "cast Magic Explosion at player_1's companion", *d20(12), (6, 5), (6, 5), (6, 3))
    assert view(s)["hp"] == [60, 60]


@pytest.mark.rule("DM-28")
def test_an_attacker_may_be_chosen_as_target():
    hand = "Forest Army, Scroll of Thunder, Infection, Scroll of Meteors"
    s = scene([seat(hand, companion="Wolf attacker 6"), seat(SPARE, companion="Troll attacker 15"),
               seat(SPARE, companion="Owlbear defender 12")], cantrip_rule="always")  # fmt: skip
    assert legal(s) == {
        "pass",
        *(
            f"{how} {whom}"
            for how in (
                "cast Forest Army at",
                "cast Scroll of Thunder at",
                "cast Arcane Bolt at",
                "companion attacks",
            )
            for whom in ("player_1", "player_2", "player_1's companion")
        ),
        "cast Infection at player_1",
        "cast Infection at player_2",
        "play Scroll of Meteors",
    }
    # the magician with an attacker is met itself
    play(s, "cast Forest Army at player_1", *d20(11), (8, 4))
    assert view(s)["hp"] == [60, 56, 60]


@pytest.mark.rule("DM-28")
def test_area_cards_leave_attackers_alone():
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat(companion="Troll attacker 15"),
               seat(companion="Wolf defender 6")])  # fmt: skip
    act(
        s, "play Scroll of Meteors", (6, 1), (6, 1), (6, 2), (20, 10), (20, 12),
        hp=[60, 56, 60], companion_2="Wolf defender 2", hand_0="-Scroll of Meteors",
        discards="+Scroll of Meteors", attacks_used=1, phase="end",
    )  # fmt: skip


@pytest.mark.rule("DM-28")
def test_enemies_hit_an_attacker_as_well_as_its_master():
    mine = seat("Minor Healing, Dodge, Healing, Dodge", companion="Brown Bear attacker 10")
    s = scene([mine, seat(SPARE, companion="Wolf defender 6")], phase="end", stack="Goblin Raiders")
    play(s, "pass")  # player_0 could dodge
    # player_0: AC 10, its attacker: AC 11, player_1's defender: AC 12; only the magician saves
    act(
        s, "pass", (8, 4), (20, 9), (20, 11), (20, 12), companion_0="Brown Bear attacker 6",
        companion_1="Wolf defender 2", active=1, to_move=1, phase="preparation", turn=6, attack={},
    )  # fmt: skip


@pytest.mark.rule("DM-29")
@pytest.mark.parametrize(("die", "hits"), [(5, True), (4, False)])
def test_a_companion_attacks_with_its_own_bonus(die, hits):
    """Brown Bear + 5 against AC 10; staff, sphere, modifiers and level of its master do nothing."""
    mine = seat(
        SPARE,
        companion="Brown Bear attacker 10",
        items="Staff of the Archmage, Ring of Arcane +2",
        status="Focus 1, Overcharge 1",
    )
    s = scene([mine, seat(SPARE)])
    dice = [(20, die), *([(8, 8)] if hits else [])]
    act(s, "companion attacks player_1", *dice, hp=[60, 52 if hits else 60], companion_attacked=1,
        phase="end")  # fmt: skip


@pytest.mark.rule("DM-29")
def test_a_companions_hit_carries_its_riders():
    mine = seat(SPARE, companion="Giant Scorpion attacker 8")
    s = scene([mine, seat(SPARE)])
    act(s, "companion attacks player_1", *d20(20), (6, 3), hp=[60, 54], companion_attacked=1,
        dot_1="Giant Scorpion 2 of nobody", phase="end")  # fmt: skip
    s = scene([mine, seat(SPARE, companion="Troll attacker 15")])
    act(s, "companion attacks player_1's companion", *d20(10), (6, 3), phase="end",
        companion_1="Troll attacker 12", companion_attacked=1,
        companion_dot_1="Giant Scorpion 2 of nobody")  # fmt: skip


@pytest.mark.rule("DM-29")
def test_defenders_do_not_attack():
    s = scene([seat(f"Forest Army, {SPARE}", companion="Troll defender 15"), seat(SPARE)])
    assert not any(action.startswith("companion") for action in legal(s))


@pytest.mark.rule("DM-30", "DM-36")
def test_a_companion_goes_with_its_hit_points_or_its_master():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(SPARE, companion="Wolf attacker 3")])
    act(
        s,
        "cast Forest Army at player_1's companion",
        *d20(12),
        (8, 3),
        companion_1="",
        hand_0="-Forest Army",
        discards="+Forest Army, +Wolf",
        attacks_used=1,
        phase="end",
    )
    s = scene([seat(f"Forest Army, {SPARE}"), seat(companion="Wolf attacker 3", hp=2), seat(SPARE)])
    play(s, "cast Forest Army at player_1", *d20(12), (8, 3))
    assert view(s)["companion_1"] == "" and "Wolf" in view(s)["discards"]


@pytest.mark.rule("DM-14", "DM-29")
def test_a_summoned_companion_attacks_with_no_sphere():
    """It is a card of Death, but a Necromancer's AC is not higher against it."""
    mine = seat(SPARE, "Cleric", companion="Summon Skeleton attacker 5")
    s = scene([mine, seat(SPARE, "Necromancer")], used="attacks")
    play(s, "companion attacks player_1", *d20(2))
    assert any("against AC 10: miss" in line for line in told(s))
