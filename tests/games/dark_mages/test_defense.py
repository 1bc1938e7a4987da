"""Answers to attacks: Dodge and Shield of Reflection, alone and in chains."""

import pytest

from .scene import UNSAVED, act, d20, legal, play, scene, seat, told, view

SPARE = "Minor Healing"
ANSWER = "play Shield of Reflection"
PLAYED = {"hand_0": "-Forest Army", "discards": "+Forest Army", "attacks_used": 1}


def attack(with_="Forest Army", **but):
    return {"with": with_, "user": 0, "by": 0, "target": 1, "part": "magician", "dice": 0,
            "dodged": []} | but  # fmt: skip


@pytest.mark.rule("DM-22")
def test_the_target_is_asked_before_any_die():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Dodge, Shield of Reflection, Healing")])
    act(
        s, "cast Forest Army at player_1", to_move=1, phase="reaction", attack=attack(), **PLAYED,
        events=["player_0 uses Forest Army on player_1"],
    )  # fmt: skip
    assert legal(s) == {"pass", "play Dodge", ANSWER}


@pytest.mark.rule("DM-22")
def test_a_dodge_and_the_attack_has_no_effect():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Dodge")])
    play(s, "cast Forest Army at player_1")
    act(
        s, "play Dodge", to_move=0, phase="end", attack={}, hand_1="", discards="+Dodge",
        events=["player_0 uses Forest Army on player_1", "player_1 answers with Dodge",
                "player_0 ends the Attack Phase"],
    )  # fmt: skip


@pytest.mark.rule("DM-22")
def test_letting_it_happen():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Dodge")])
    play(s, "cast Forest Army at player_1")
    act(s, "pass", *d20(15), (8, 7), to_move=0, phase="end", attack={}, hp=[60, 53])


@pytest.mark.rule("DM-22")
@pytest.mark.parametrize(
    ("hand", "action", "answers"),
    [
        ("Forest Army", "cast Forest Army at player_1", {"play Dodge", ANSWER}),
        ("Scroll of Thunder", "cast Scroll of Thunder at player_1", {"play Dodge", ANSWER}),
        ("Infection", "cast Infection at player_1", {"play Dodge"}),
        ("", "cast Arcane Bolt at player_1", {"play Dodge"}),
        ("", "companion attacks player_1", {"play Dodge"}),
        ("Scroll of Meteors", "play Scroll of Meteors", {"play Dodge"}),
        ("Orb of Annihilation", "play Orb of Annihilation", {"play Dodge"}),
        ("Sleight of Hand", "use Sleight of Hand on player_1's Staff", {"play Dodge"}),
        ("Mind Raid", "use Mind Raid at player_1", {"play Dodge"}),
    ],
)
def test_what_may_be_answered_with_what(hand, action, answers):
    s = scene(
        [
            seat(", ".join(filter(None, [hand, SPARE])), companion="Wolf attacker 6"),
            seat("Dodge, Shield of Reflection, Healing", items="Staff +1"),
        ]
    )
    play(s, action)
    assert view(s)["to_move"] == 1 and legal(s) == answers | {"pass"}
    before = view(s)
    play(s, "play Dodge")
    after = view(s)
    kept = ("hp", "items_0", "items_1", "companion_1", "dot_1", "hand_0")
    assert [before[name] for name in kept] == [after[name] for name in kept]
    assert after["hand_1"] == "Healing, Shield of Reflection"


@pytest.mark.rule("DM-22", "ALL-01")
def test_without_an_answer_nobody_is_asked():
    # a Shield of Reflection is none to a Hex
    s = scene([seat(f"Infection, {SPARE}"), seat("Shield of Reflection, Healing")])
    act(s, "cast Infection at player_1", (20, UNSAVED), dot_1="Infection 3 of 0",
        hand_0="-Infection", discards="+Infection", attacks_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-23", "DM-24")
def test_a_reflected_attack_meets_its_user():
    s = scene(
        [
            seat(f"Forest Army, {SPARE}", "Druid", items="Staff +1, Ring of Arcane +1"),
            seat("Shield of Reflection", "Air Conjurer", items="Staff of the Archmage"),
        ]
    )
    play(s, "cast Forest Army at player_1")
    # the caster's level and bonus: 3 dice, staff + 1, sphere + 1; against AC 10 + 3 of a Druid
    act(
        s, ANSWER, *d20(11), (8, 1), (8, 2), (8, 3), hp=[54, 60], hand_1="", to_move=0,
        discards="+Shield of Reflection", phase="end", attack={},
        events=[
            "player_0 uses Forest Army on player_1",
            "player_1 answers with Shield of Reflection",
            "11 + 2 against AC 13: hit",
            "damage 3d8 = 6",
            "player_0 loses 6 hit points, 54 left",
            "player_0 ends the Attack Phase",
        ],
    )  # fmt: skip


@pytest.mark.rule("DM-23")
def test_a_chain_of_reflections_ended_by_a_dodge():
    s = scene(
        [
            seat(f"Forest Army, Shield of Reflection, {SPARE}"),
            seat("Shield of Reflection, Shield of Reflection"),
        ]
    )
    act(s, "cast Forest Army at player_1", to_move=1, phase="reaction", attack=attack(), **PLAYED)
    act(s, ANSWER, to_move=0, attack=attack(by=1, target=0), hand_1="-Shield of Reflection",
        discards="+Shield of Reflection")  # fmt: skip
    act(s, ANSWER, to_move=1, attack=attack(), hand_0="-Shield of Reflection",
        discards="+Shield of Reflection")  # fmt: skip
    act(s, ANSWER, *d20(12), (8, 2), to_move=0, attack={}, hand_1="", phase="end", hp=[58, 60],
        discards="+Shield of Reflection",
        events=["player_0 uses Forest Army on player_1",
                "player_1 answers with Shield of Reflection",
                "player_0 answers with Shield of Reflection",
                "player_1 answers with Shield of Reflection",
                "12 + 0 against AC 10: hit",
                "damage 1d8 = 2",
                "player_0 loses 2 hit points, 58 left",
                "player_0 ends the Attack Phase"])  # fmt: skip
    # with a Dodge at its end
    s = scene(
        [
            seat(f"Forest Army, Shield of Reflection, {SPARE}"),
            seat("Shield of Reflection, Dodge"),
        ]
    )
    for answer in ("cast Forest Army at player_1", ANSWER, ANSWER):
        play(s, answer)
    assert legal(s) == {"pass", "play Dodge"}
    act(s, "play Dodge", to_move=0, attack={}, hand_1="", discards="+Dodge", phase="end")


@pytest.mark.rule("DM-23")
def test_whoever_is_reflected_at_may_dodge():
    s = scene([seat(f"Forest Army, Dodge, {SPARE}"), seat("Shield of Reflection")])
    play(s, "cast Forest Army at player_1")
    act(s, ANSWER, to_move=0, attack=attack(by=1, target=0), hand_1="",
        discards="+Shield of Reflection")  # fmt: skip
    assert legal(s) == {"pass", "play Dodge"}
    act(s, "play Dodge", hand_0="-Dodge", discards="+Dodge", phase="end", attack={})


@pytest.mark.rule("DM-24", "DM-27")
def test_a_reflected_spell_meets_the_casters_defender():
    s = scene([seat(f"Fireball, {SPARE}", companion="Troll defender 15"),
               seat("Shield of Reflection")])  # fmt: skip
    play(s, "cast Fireball at player_1")
    act(
        s, ANSWER, *d20(11), (6, 5), companion_0="Troll defender 10", attack={}, hand_1="",
        companion_dot_0="Fireball 1 of 1", to_move=0, phase="end", discards="+Shield of Reflection",
    )  # fmt: skip


@pytest.mark.rule("DM-24")
def test_the_last_reflector_counts_as_attacker():
    # drain
    s = scene([seat(f"Vampire Hunger, {SPARE}", "Necromancer"),
               seat("Shield of Reflection", hp=20)])  # fmt: skip
    play(s, "cast Vampire Hunger at player_1")
    # 10 + 1 would not hit a Necromancer (AC 13)
    act(s, ANSWER, *d20(12), (6, 4), (6, 5), hp=[51, 24], hand_1="", attack={}, to_move=0,
        phase="end", discards="+Shield of Reflection")  # fmt: skip
    # damage over time
    s = scene([seat(f"Fireball, {SPARE}"), seat("Shield of Reflection", "Druid")])
    play(s, "cast Fireball at player_1")
    act(s, ANSWER, *d20(12), (6, 4), hp=[56, 60], dot_0="Fireball 1 of 1", hand_1="", attack={},
        to_move=0, phase="end", discards="+Shield of Reflection")  # fmt: skip
    # fumble: the reflector takes the damage
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Shield of Reflection")])
    play(s, "cast Forest Army at player_1")
    act(s, ANSWER, *d20(1), (8, 6), hp=[60, 54], hand_1="", attack={}, to_move=0, phase="end",
        discards="+Shield of Reflection")  # fmt: skip
    # choice of an item
    s = scene([seat(f"Scroll of Shattering, {SPARE}", items="Staff +1, Amulet of Purity"),
               seat("Shield of Reflection")])  # fmt: skip
    play(s, "cast Scroll of Shattering at player_1")
    act(
        s,
        ANSWER,
        *d20(10),
        (8, 2),
        hp=[58, 60],
        hand_1="",
        to_move=1,
        phase="item",
        discards="+Shield of Reflection",
        attack=attack("Scroll of Shattering", by=1, target=0),
    )
    act(s, "choose the Staff", items_0="Amulet of Purity", discards="+Staff +1", attack={},
        to_move=0, phase="end", attack_bonus=[0, 0])  # fmt: skip


@pytest.mark.rule("DM-24", "DM-36")
def test_a_kill_by_reflection_is_looted_out_of_turn():
    s = scene([seat(f"Forest Army, {SPARE}", hp=3, items="Staff +1"),
               seat("Shield of Reflection", items="Staff +2, Amulet of Purity"),
               seat("Healing, Dodge")])  # fmt: skip
    play(s, "cast Forest Army at player_1")
    act(
        s, ANSWER, *d20(12), (8, 3), hp=[0, 60, 60], alive=[0, 1, 1], fell=[1, 0, 0], hand_1="",
        hand_0="", discards=f"+Shield of Reflection, +{SPARE}", attack={}, phase="loot", looted=0,
        victor=1, terminated=[1, 0, 0], rewards=[-1, 0, 0], returns=[-1, 0, 0],
    )  # fmt: skip
    assert view(s)["active"] == 0 and legal(s) == {"pass", "take the Staff"}
    # The turn of the fallen is over.
    act(s, "take the Staff", items_0="", items_1="Amulet of Purity, Staff +1", discards="+Staff +2",
        attack_bonus=[0, 1, 0], active=1, to_move=1, phase="attack", looted=-1, victor=-1,
        turn=6, attacks_used=0, rewards=[0, 0, 0])  # fmt: skip


@pytest.mark.rule("DM-24", "DM-35")
def test_a_reflected_attack_reaches_the_hidden():
    s = scene([seat(f"Forest Army, {SPARE}", status="Potion of Invisibility 1"),
               seat("Shield of Reflection")])  # fmt: skip
    play(s, "cast Forest Army at player_1")
    act(s, ANSWER, *d20(12), (8, 3), hp=[57, 60], hand_1="", attack={}, to_move=0, phase="end",
        discards="+Shield of Reflection")  # fmt: skip


@pytest.mark.rule("DM-24", "DM-21")
def test_what_is_reflected_in_the_own_turn_lasts_through_the_next():
    s = scene([seat(f"Freeze Arrow, {SPARE}"), seat("Shield of Reflection")])
    play(s, "cast Freeze Arrow at player_1")
    act(s, ANSWER, *d20(12), (6, 3), hp=[57, 60], status_0="Freeze Arrow 2", attack_bonus=[-1, 0],
        hand_1="", attack={}, to_move=0, phase="end", discards="+Shield of Reflection")  # fmt: skip


@pytest.mark.rule("DM-25")
def test_no_answer_to_an_attack_on_an_attacker():
    target = seat("Dodge, Shield of Reflection", companion="Troll attacker 15")
    s = scene([seat(f"Forest Army, {SPARE}"), target])
    act(s, "cast Forest Army at player_1's companion", *d20(11), (8, 4), **PLAYED, phase="end",
        companion_1="Troll attacker 11")  # fmt: skip
    s = scene([seat(f"Banish Beast, {SPARE}"), target], used="attacks")
    act(s, "use Banish Beast at player_1's companion", *d20(11), companion_1="", skill_used=1,
        hand_0="-Banish Beast", discards="+Banish Beast, +Troll", phase="end")  # fmt: skip


@pytest.mark.rule("DM-25")
def test_who_has_a_defender_may_answer():
    target = seat("Dodge, Shield of Reflection", companion="Troll defender 15")
    s = scene([seat(f"Forest Army, {SPARE}"), target])
    play(s, "cast Forest Army at player_1")
    assert legal(s) == {"pass", "play Dodge", ANSWER}
    act(s, "play Dodge", hand_1="-Dodge", discards="+Dodge", attack={}, to_move=0, phase="end")
    s = scene([seat(f"Banish Beast, {SPARE}"), target], used="attacks")
    act(s, "use Banish Beast at player_1's companion", *d20(10), skill_used=1,
        hand_0="-Banish Beast", discards="+Banish Beast", phase="end")  # fmt: skip


@pytest.mark.rule("DM-22")
def test_the_attack_of_a_summoned_companion_is_not_reflected():
    """It is a Spell card that attacks, but as a companion."""
    s = scene(
        [seat(SPARE, companion="Summon Skeleton attacker 5"), seat("Shield of Reflection")],
        used="attacks",
    )
    play(s, "companion attacks player_1", *d20(2))
    assert s.seat == 0
    s = scene(
        [seat(SPARE, companion="Summon Skeleton attacker 5"), seat("Shield of Reflection, Dodge")],
        used="attacks",
    )
    play(s, "companion attacks player_1")
    assert s.seat == 1 and legal(s) == {"pass", "play Dodge"}


@pytest.mark.rule("DM-22")
def test_dodges_of_an_area_card_come_clockwise_from_the_users_left():
    s = scene(
        [seat("Dodge"), seat(f"Scroll of Meteors, {SPARE}"), seat("Healing"), seat("Dodge")],
        active=1,
    )
    area = attack("Scroll of Meteors", user=1, by=1, target=-1, part="everybody")
    act(s, "play Scroll of Meteors", to_move=3, phase="dodge", attack=area, attacks_used=1,
        hand_1="-Scroll of Meteors", discards="+Scroll of Meteors")  # fmt: skip
    act(s, "play Dodge", to_move=0, attack=area | {"dodged": [3]}, hand_3="", discards="+Dodge")
    # one damage roll; player_2 saves not, player_0 neither
    act(
        s, "pass", (6, 1), (6, 2), (6, 3), *d20(12, 11), hp=[54, 60, 54, 60], attack={},
        to_move=1, phase="end",
        events=[
            "player_1 uses Scroll of Meteors on all opponents",
            "player_3 answers with Dodge",
            "damage 3d6 = 6",
            "player_2 rolls 12 against 10: not saved",
            "player_0 rolls 11 against 10: not saved",
            "player_2 loses 6 hit points, 54 left",
            "player_0 loses 6 hit points, 54 left",
            "player_1 ends the Attack Phase",
        ],
    )  # fmt: skip


@pytest.mark.rule("DM-22", "ALL-01")
def test_a_declared_card_is_used_up_even_if_dodged():
    s = scene([seat(f"Orb of Annihilation, {SPARE}"), seat("Dodge")])
    play(s, "play Orb of Annihilation")
    play(s, "play Dodge")
    assert view(s)["hp"] == [60, 60] and "Orb of Annihilation" in view(s)["discards"]
    # damage is rolled for nobody, or not at all: nothing is lost
    assert not any("loses" in line for line in told(s))
