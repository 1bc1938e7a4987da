"""Enemies: drawn, met, staying, waiting; and the hidden."""

import pytest

from .scene import act, d20, legal, play, scene, seat, told, view

SPARE = "Minor Healing"
FOUR = "Minor Healing, Healing, Wolf, Troll"
FIVE = "Minor Healing, Healing, Wolf, Troll, Griffon"
OTHER_FIVE = "Minor Healing, Dodge, Dodge, Focus, Owlbear"
ONE = (1, 1)
"""The draw of the only card of a stack."""
UNSAVED = (20, (15, 20))


def next_turn(seat_, turn=6, phase="preparation"):
    return {"active": seat_, "to_move": seat_, "turn": turn, "phase": phase}


@pytest.mark.rule("DM-31", "DM-32", "DM-12")
def test_an_encounter_attacks_everybody_once():
    s = scene([seat(FOUR), seat(SPARE), seat(SPARE)], phase="end", stack="Stirge Swarm")
    act(
        s, "pass", ONE, (4, 3), (4, 4), *d20(10, 9, 20), hp=[53, 60, 53], stack="",
        discards="+Stirge Swarm", **next_turn(1),
        events=[
            "player_0 discards nothing",
            "player_0 draws an enemy: Stirge Swarm",
            "player_0 draws 1",
            "Stirge Swarm attacks all magicians",
            "damage 2d4 = 7",
            "player_0 rolls 10 against 10: not saved",
            "player_1 rolls 9 against 10: saved",
            "player_2 rolls 20 against 10: not saved",
            "player_0 loses 7 hit points, 53 left",
            "player_2 loses 7 hit points, 53 left",
            "player_1's turn",
        ],
    )  # fmt: skip


@pytest.mark.rule("DM-31")
def test_saves_begin_with_the_drawer():
    s = scene([seat(SPARE), seat(FOUR), seat(SPARE)], active=1, phase="end", stack="Goblin Raiders")
    play(s, "pass", ONE, (8, 2), *d20(11, 12, 13))
    saves = [line for line in told(s) if "rolls" in line]
    assert [line[:8] for line in saves] == ["player_1", "player_2", "player_0"]
    lost = [line[:8] for line in told(s) if "loses" in line]
    assert lost == ["player_1", "player_2", "player_0"]


@pytest.mark.rule("DM-31", "DM-22")
def test_dodges_come_clockwise_from_the_drawer():
    s = scene(
        [
            seat("Dodge, Healing"),
            seat("Dodge, Wolf, Troll, Griffon"),
            seat("Dodge", companion="Owlbear attacker 12"),
        ],
        active=1,
        phase="end",
        stack="Hill Giant",
    )
    play(s, "pass", ONE)
    asked = []
    while view(s)["phase"] == "dodge":
        asked.append(view(s)["to_move"])
        if asked[-1] == 1:
            play(s, "pass")
        elif asked[-1] == 2:
            play(s, "play Dodge")
        else:
            # the attacker of player_2 is not saved by the Dodge; AC 12
            play(s, "play Dodge", (8, 1), (8, 2), *[UNSAVED] * 2)
    assert asked == [1, 2, 0]
    found = view(s)
    assert found["hp"] == [60, 57, 60] and found["companion_2"] == "Owlbear attacker 9"


@pytest.mark.rule("DM-31")
def test_a_dodge_saves_the_defender_too():
    mine = seat("Dodge, Minor Healing, Healing, Wolf", companion="Owlbear defender 12")
    s = scene([mine, seat(SPARE)], phase="end", stack="Goblin Raiders")
    play(s, "pass", ONE)
    act(s, "play Dodge", (8, 3), (20, 15), hp=[60, 57], hand_0="-Dodge", discards="+Dodge",
        attack={}, **next_turn(1))  # fmt: skip


@pytest.mark.rule("DM-31")
@pytest.mark.parametrize(("die", "lost"), [(10, 4), (11, 9)])
def test_enemies_of_rules_1_0(die, lost):
    """No Dodge; a save halves, rounded down; everything attacks once and is discarded."""
    mine = seat("Dodge, Minor Healing, Healing, Wolf")
    s = scene([mine, seat(SPARE, companion="Troll defender 15")], phase="end", stack="Hydra",
              rules="1.0")  # fmt: skip
    act(s, "pass", ONE, (10, 9), (20, die), (20, 11), hp=[60 - lost, 60], stack="",
        companion_1="Troll defender 11", discards="+Hydra", **next_turn(1))  # fmt: skip
    assert view(s)["enemy"] == ""


@pytest.mark.rule("DM-31", "DM-34")
def test_enemies_are_met_in_the_order_drawn_after_the_whole_draw():
    s = scene([seat("Healing, Wolf, Troll"), seat(SPARE)], phase="end",
              stack="Goblin Raiders, Stirge Swarm")  # fmt: skip
    act(
        s, "pass", (2, 2), ONE, (4, 1), (4, 1), *[UNSAVED] * 2, (8, 1), *[UNSAVED] * 2, hp=[57, 57],
        stack="", discards="+Goblin Raiders, +Stirge Swarm", **next_turn(1),
    )  # fmt: skip
    lines = [line for line in told(s) if "draws" in line or "attacks" in line]
    assert lines == [
        "player_0 draws an enemy: Stirge Swarm",
        "player_0 draws an enemy: Goblin Raiders",
        "player_0 draws 2",
        "Stirge Swarm attacks all magicians",
        "Goblin Raiders attacks all magicians",
    ]


@pytest.mark.rule("DM-31")
def test_what_was_drawn_is_met_though_the_drawer_has_fallen():
    s = scene([seat("Healing, Wolf, Troll", hp=2), seat(SPARE), seat(SPARE)], phase="end",
              stack="Goblin Raiders, Stirge Swarm")  # fmt: skip
    act(
        s, "pass", (2, 2), ONE, (4, 1), (4, 1), *[UNSAVED] * 3, (8, 1), *[UNSAVED] * 2,
        hp=[0, 57, 57], alive=[0, 1, 1], fell=[1, 0, 0], hand_0="", stack="",
        discards="+Goblin Raiders, +Stirge Swarm, +Healing, +Wolf, +Troll", **next_turn(1),
        terminated=[1, 0, 0], rewards=[-1, 0, 0], returns=[-1, 0, 0],
    )  # fmt: skip


@pytest.mark.rule("DM-32", "DM-05")
def test_an_encounter_is_discarded_when_its_attack_begins():
    mine = seat("Dodge, Healing, Wolf, Troll")
    s = scene([mine, seat(SPARE)], phase="end", stack="Red Dragon")
    play(s, "pass", ONE)
    assert view(s)["phase"] == "dodge" and "Red Dragon" in view(s)["discards"]


@pytest.mark.rule("DM-33")
def test_a_tenacious_enemy_stays():
    s = scene([seat(FOUR), seat(SPARE)], phase="end", stack="Hydra")
    act(s, "pass", ONE, (10, 5), *d20(10, 9), hp=[55, 60], stack="", enemy="Hydra 16 of 0",
        **next_turn(1))  # fmt: skip
    # Not at the end of player_1's turn ...
    s = scene([seat(FIVE), seat(OTHER_FIVE)],
              active=1, phase="end", enemy="Hydra 16 of 0")  # fmt: skip
    act(s, "pass", **next_turn(0))
    # ... but at that of its drawer.
    s = scene([seat(FIVE), seat(SPARE)], phase="end", enemy="Hydra 16 of 0")
    act(s, "pass", (10, 5), *d20(10, 9), hp=[55, 60], **next_turn(1),
        events=["player_0 discards nothing", "player_0 draws 0", "Hydra attacks all magicians",
                "damage 1d10 = 5", "player_0 rolls 10 against 10: not saved",
                "player_1 rolls 9 against 10: saved", "player_0 loses 5 hit points, 55 left",
                "player_1's turn"])  # fmt: skip


@pytest.mark.rule("DM-33")
def test_an_enemy_whose_drawer_has_fallen_attacks_when_its_turn_would_come():
    s = scene([seat(FIVE), seat(fell=1), seat(SPARE)], phase="end", enemy="Hydra 16 of 1")
    act(s, "pass", (10, 5), *d20(10, 9), hp=[60, 0, 55], **next_turn(2))
    # after the turn of player_2 it does not
    s = scene([seat("Dodge"), seat(fell=1), seat(FIVE)], phase="end", active=2,
              enemy="Hydra 16 of 1")  # fmt: skip
    act(s, "pass", **next_turn(0, phase="attack"))


@pytest.mark.rule("DM-33")
def test_an_enemy_leaves_one_target():
    hand = "Forest Army, Scroll of Thunder, Infection, Scroll of Meteors, Mind Raid"
    others = seat(SPARE, companion="Troll attacker 15", items="Staff +1")
    s = scene([seat(hand, companion="Wolf attacker 6"), others], enemy="Hydra 16 of 0")
    assert legal(s) == {
        "pass",
        "cast Forest Army at the enemy",
        "cast Scroll of Thunder at the enemy",
        "play Scroll of Meteors",
        "companion attacks the enemy",
    }
    s = scene([seat("Infection, Sleight of Hand, Banish Beast, Focus, Healing"), others],
              enemy="Hydra 16 of 0")  # fmt: skip
    assert legal(s) == {"pass", "cast Arcane Bolt at the enemy", "play Focus"}


@pytest.mark.rule("DM-33")
def test_attacks_on_the_enemy():
    # AC 12; no answer, no reflection
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Dodge")], enemy="Hydra 16 of 0")
    act(s, "cast Forest Army at the enemy", *d20(12), (8, 5), enemy="Hydra 11 of 0",
        hand_0="-Forest Army", discards="+Forest Army", attacks_used=1, phase="end")  # fmt: skip
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Dodge")], enemy="Hydra 16 of 0")
    act(s, "cast Forest Army at the enemy", *d20(11), hand_0="-Forest Army",
        discards="+Forest Army", attacks_used=1, phase="end")  # fmt: skip
    # drain and damage act, riders do not
    s = scene([seat(f"Scroll of Life Drain, {SPARE}", hp=10), seat()], enemy="Hydra 9 of 0")
    act(s, "cast Scroll of Life Drain at the enemy", (20, 11), hand_0="-Scroll of Life Drain",
        discards="+Scroll of Life Drain", attacks_used=1, phase="end")  # fmt: skip
    s = scene([seat(f"Scroll of Life Drain, {SPARE}", hp=10), seat()], enemy="Hydra 9 of 0")
    act(s, "cast Scroll of Life Drain at the enemy", (20, 12), (8, 7), (8, 1), hp=[18, 60],
        enemy="Hydra 1 of 0", hand_0="-Scroll of Life Drain", attacks_used=1, phase="end",
        discards="+Scroll of Life Drain")  # fmt: skip
    s = scene([seat(f"Fireball, {SPARE}"), seat()], enemy="Ogre Warlord 9 of 0")
    act(s, "cast Fireball at the enemy", *d20(11), (6, 2), enemy="Ogre Warlord 7 of 0",
        hand_0="-Fireball", discards="+Fireball", attacks_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-33")
def test_an_area_card_is_used_on_the_enemy_alone():
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat("Dodge")], enemy="Hydra 16 of 0")
    act(
        s,
        "play Scroll of Meteors",
        (20, 12),
        (6, 1),
        (6, 2),
        (6, 3),
        enemy="Hydra 10 of 0",
        hand_0="-Scroll of Meteors",
        discards="+Scroll of Meteors",
        attacks_used=1,
        phase="end",
    )
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat("Dodge")], enemy="Hydra 16 of 0")
    act(s, "play Scroll of Meteors", (20, 11), hand_0="-Scroll of Meteors", attacks_used=1,
        discards="+Scroll of Meteors", phase="end")  # fmt: skip


@pytest.mark.rule("DM-33")
def test_a_defeated_enemy_is_discarded():
    s = scene([seat(f"Forest Army, {SPARE}"), seat()], enemy="Hydra 5 of 1")
    act(s, "cast Forest Army at the enemy", *d20(12), (8, 5), enemy="", hand_0="-Forest Army",
        discards="+Forest Army, +Hydra", attacks_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-33", "DM-21")
def test_what_is_in_force_goes_on_beside_an_enemy():
    s = scene([seat(FIVE), seat(SPARE, dot="Infection 2 of 0")], phase="end",
              enemy="Hydra 16 of 1")  # fmt: skip
    act(s, "pass", (20, 10), (10, 4), hp=[60, 56], dot_1="Infection 1 of 0", **next_turn(1))


@pytest.mark.rule("DM-34")
def test_a_tenacious_enemy_while_another_is_on_the_table():
    s = scene([seat(FOUR), seat(SPARE)], phase="end", stack="Ogre Warlord", enemy="Hydra 16 of 1")
    act(s, "pass", ONE, stack="", waiting="Ogre Warlord of 0", **next_turn(1),
        events=["player_0 discards nothing", "player_0 draws an enemy: Ogre Warlord",
                "player_0 draws 1", "Ogre Warlord waits", "player_1's turn"])  # fmt: skip


@pytest.mark.rule("DM-34", "DM-33")
def test_the_enemy_that_waited_attacks_at_once_and_the_turn_goes_on():
    """No card of this deck makes one draw outside the End Phase; this is how an enemy comes to
    attack in the middle of a turn."""
    s = scene([seat(f"Forest Army, Focus, {SPARE}"), seat(SPARE)], enemy="Hydra 5 of 0",
              waiting="Ogre Warlord of 1")  # fmt: skip
    act(  # saves begin with its drawer, player_1
        s, "cast Forest Army at the enemy", *d20(12), (8, 5), (8, 3), *d20(10, 8), hp=[60, 57],
        enemy="Ogre Warlord 12 of 1", enemy_attacked=1, waiting="", hand_0="-Forest Army",
        discards="+Forest Army, +Hydra", attacks_used=1,
    )  # fmt: skip
    assert legal(s) == {"pass", "play Focus"}


@pytest.mark.rule("DM-34")
def test_first_come_first_served_and_the_queue_may_be_long():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(SPARE), seat(SPARE)], enemy="Hydra 5 of 0",
              waiting="Ogre Warlord of 2")  # fmt: skip
    play(s, "cast Forest Army at the enemy", *d20(12), (8, 5), (8, 1), *[UNSAVED] * 3)
    saves = [line[:8] for line in told(s) if "against 10" in line]
    assert saves == ["player_2", "player_0", "player_1"]
    assert view(s)["enemy"] == "Ogre Warlord 12 of 2" and view(s)["waiting"] == ""


@pytest.mark.rule("DM-33")
def test_an_enemy_never_attacks_twice_in_a_turn():
    """The one that waited attacks in its drawer's turn, so not again at the end of that turn."""
    s = scene([seat("Forest Army, Wolf, Troll, Griffon, Owlbear"), seat(SPARE)],
              enemy="Hydra 5 of 1", waiting="Ogre Warlord of 0", stack="Dodge")  # fmt: skip
    play(s, "cast Forest Army at the enemy", *d20(12), (8, 5), (8, 3), *d20(8, 8))
    assert view(s)["phase"] == "end"
    act(s, "pass", ONE, hand_0="+Dodge", stack="", enemy_attacked=0, attacks_used=0,
        **next_turn(1))  # fmt: skip


@pytest.mark.rule("DM-34", "DM-32")
def test_an_encounter_drawn_meanwhile_is_met_as_usual():
    s = scene([seat("Healing, Wolf, Troll"), seat(SPARE)], phase="end", enemy="Hydra 16 of 1",
              stack="Ogre Warlord, Goblin Raiders")  # fmt: skip
    other = s.copy()  # whichever is drawn first
    act(s, "pass", (2, 1), ONE, (8, 2), *[UNSAVED] * 2, hp=[58, 58], stack="",
        waiting="Ogre Warlord of 0", discards="+Goblin Raiders", **next_turn(1))  # fmt: skip
    act(other, "pass", (2, 2), ONE, (8, 2), *[UNSAVED] * 2, hp=[58, 58], stack="",
        waiting="Ogre Warlord of 0", discards="+Goblin Raiders", **next_turn(1))  # fmt: skip


# Being hidden.


@pytest.mark.rule("DM-35")
def test_the_hidden_cannot_be_chosen():
    hand = "Forest Army, Infection, Mind Raid, Sleight of Hand, Banish Beast"
    hidden = {"status": "Potion of Invisibility 1", "items": "Staff +1"}
    s = scene(
        [
            seat(hand, companion="Wolf attacker 6"),
            seat(SPARE, companion="Troll defender 15", **hidden),
        ]
    )
    # only hidden targets, nothing to do but to pass: not even the cantrip
    assert legal(s) == {"pass"}
    s = scene(
        [
            seat(hand, companion="Wolf attacker 6"),
            seat(SPARE, companion="Troll attacker 15", **hidden),
        ]
    )
    assert legal(s) == {
        "pass",
        "cast Forest Army at player_1's companion",
        "companion attacks player_1's companion",
        "use Banish Beast at player_1's companion",
    }


@pytest.mark.rule("DM-35", "DM-10")
def test_with_invisible_targets_only_the_attack_phase_is_not_asked():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(status="Potion of Invisibility 1")],
              phase="preparation")  # fmt: skip
    act(s, "pass", phase="end",
        events=["player_0 ends the Preparation", "player_0 ends the Attack Phase"])  # fmt: skip


@pytest.mark.rule("DM-35")
def test_area_cards_hit_the_hidden():
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat(status="Potion of Invisibility 1")])
    act(
        s,
        "play Scroll of Meteors",
        (6, 1),
        (6, 1),
        (6, 1),
        (20, 10),
        hp=[60, 57],
        hand_0="-Scroll of Meteors",
        discards="+Scroll of Meteors",
        attacks_used=1,
        phase="end",
    )


@pytest.mark.rule("DM-35", "DM-31")
def test_enemies_pass_the_hidden_but_hit_their_attackers():
    """They are not asked for a Dodge either."""
    mine = seat("Healing, Wolf, Troll, Griffon")
    hidden = seat("Dodge", companion="Owlbear attacker 12", status="Potion of Invisibility 1")
    other = seat("Minor Healing", companion="Brown Bear defender 10",
                 status="Potion of Invisibility 1")  # fmt: skip
    one_hidden = {"phase": "end", "stack": "Goblin Raiders"}
    s = scene([mine, hidden], **one_hidden)
    play(s, "pass", ONE, (8, 3), *d20(9, 12))
    found = view(s)
    assert found["companion_1"] == "Owlbear attacker 9" and found["hp"] == [60, 60]
    s = scene([mine, other], **one_hidden)
    play(s, "pass", ONE, (8, 3), *d20(9))
    assert view(s)["companion_1"] == "Brown Bear defender 10"


@pytest.mark.rule("DM-35")
def test_the_hidden_may_attack():
    s = scene([seat(f"Forest Army, {SPARE}", status="Potion of Invisibility 1"), seat(SPARE)])
    assert "cast Forest Army at player_1" in legal(s)


@pytest.mark.rule("DM-35", "DM-21")
def test_hiding_ends_with_the_start_of_the_next_turn():
    s = scene(
        [seat(f"Potion of Invisibility, {FOUR}"), seat(OTHER_FIVE)],
        phase="preparation",
        stack="Dodge",
    )
    play(s, "play Potion of Invisibility")
    assert view(s)["hidden"] == [1, 0] and view(s)["status_0"] == "Potion of Invisibility 1"
    while view(s)["active"] == 0:
        play(s, "pass")
    assert view(s)["hidden"] == [1, 0]
    while view(s)["active"] == 1:
        play(s, "pass")
    assert view(s)["hidden"] == [0, 0] and view(s)["status_0"] == ""
