"""Setting up, the phases of a turn, and what lasts for turns."""

import numpy as np
import pytest

from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.deck import COLUMN, ENEMY_CARD
from mages_env.games.dark_mages.state import CARD, NONE

from . import invariants
from .scene import CHARACTER_NAMES, act, d20, legal, play, rig, scene, seat, told, view

SPARE = "Minor Healing"
FIVE = "Minor Healing, Healing, Wolf, Troll, Griffon"
OTHER_FIVE = "Minor Healing, Dodge, Dodge, Magic Shield, Owlbear"
ANSWER = "play Shield of Reflection"


def new_game(count, seed, **options):
    s = GAME.new_state(count, **options)[0]
    GAME.reset(s, np.uint64(seed))
    return s


# Setting up.


@pytest.mark.rule("DM-01")
@pytest.mark.parametrize("count", [2, 5, 8])
def test_characters_are_dealt_at_random_and_all_different(count):
    dealt = []
    for seed in range(100):
        found = view(new_game(count, seed))
        dealt.append(found["characters"])
        assert len(set(found["characters"])) == count
        assert found["hp"] == [60] * count and found["ac"] == [10] * count
        assert found["level"] == [1] * count
        assert all(found[f"items_{p}"] == found[f"companion_{p}"] == "" for p in range(count))
    for p in range(count):
        assert {names[p] for names in dealt} == set(CHARACTER_NAMES)


@pytest.mark.rule("DM-02")
def test_five_cards_each_and_no_enemies():
    aside = 0
    for seed in range(40):
        s = new_game(8, seed)
        invariants.check(s)
        assert s.hand_size[:8].tolist() == [5] * 8 and s.stack_size == 72
        enemies = [k for k in s.stack[:72] if CARD[k, COLUMN["category"]] == ENEMY_CARD]
        assert len(enemies) == 7
        aside += sum("is set aside" in line for line in told(s))
    # 112 / 105 - 1 of the 40 cards of a deal, on average
    assert 60 < aside < 150


@pytest.mark.rule("DM-03")
def test_the_highest_roll_starts():
    """Ties reroll once, then the lot decides among those still tied."""
    rerolled = by_lot = 0
    for seed in range(250):
        s = new_game(8, seed)
        rolls = [line.split() for line in told(s) if "for initiative" in line]
        rolls = [(int(words[0][-1]), int(words[2])) for words in rolls]
        assert [p for p, _ in rolls[:8]] == list(range(8))
        best = [p for p, n in rolls[:8] if n == max(n for _, n in rolls[:8])]
        if len(best) > 1:
            rerolled += 1
            again = rolls[8:]
            assert [p for p, _ in again] == best
            best = [p for p, n in again if n == max(n for _, n in again)]
        else:
            assert len(rolls) == 8
        lot = len(best) > 1
        by_lot += lot
        assert s.active in best
        assert f"player_{s.active} starts" + ", by lot" * lot in told(s)
    assert rerolled > 20 and by_lot > 0


@pytest.mark.rule("DM-03")
def test_play_goes_clockwise():
    s = scene([seat(FIVE), seat(fell=1), seat(SPARE)], phase="end")
    act(s, "pass", active=2, to_move=2, phase="preparation", turn=6)
    s = scene([seat(SPARE), seat(fell=1), seat(FIVE)], phase="end", active=2)
    act(s, "pass", active=0, to_move=0, phase="preparation", turn=6)


@pytest.mark.rule("DM-04", "DM-07")
def test_hit_points_never_exceed_60():
    s = scene([seat("Greater Healing, Dodge, Focus", hp=45), seat()], phase="preparation")
    play(s, "play Greater Healing")
    assert view(s)["hp"] == [60, 60]
    assert "player_0 recovers 15, has 60" in told(s)


# The stack.


@pytest.mark.rule("DM-05", "DM-12")
def test_the_stack_runs_out_in_the_middle_of_a_draw():
    s = scene([seat("Healing, Wolf"), seat(OTHER_FIVE)], phase="end", stack="Dodge")
    rest = 112 - 1 - 2 - 5
    assert int(s.discards.sum()) == rest
    # The third and fourth card come from the discard pile; not enemies, as it happens.
    rig(s, (1, 1), (rest, (1, 40)), (rest - 1, (1, 40)))
    play(s, "pass")
    found = view(s)
    assert found["hand_0"].count(",") == 4 and "Dodge" in found["hand_0"]
    assert found["discards"] == "" and int(s.stack_size) == rest - 2
    assert f"the discard pile is shuffled into a new stack of {rest}" in told(s)


@pytest.mark.rule("DM-05")
def test_an_empty_stack_is_left_empty_until_a_draw_is_due():
    s = scene([seat("Healing, Wolf, Troll, Griffon"), seat(OTHER_FIVE)], phase="end", stack="Dodge")
    act(s, "pass", (1, 1), hand_0="+Dodge", stack="", active=1, to_move=1, turn=6,
        phase="preparation")  # fmt: skip


@pytest.mark.rule("DM-05", "DM-12")
def test_what_is_discarded_in_the_end_phase_can_be_drawn_again():
    s = scene([seat(FIVE), seat(OTHER_FIVE)], phase="end", stack="")
    play(s, "discard Wolf")
    assert "player_0 discards Wolf" in told(s)
    assert f"the discard pile is shuffled into a new stack of {112 - 9}" in told(s)


@pytest.mark.rule("DM-05")
def test_with_stack_and_discard_pile_empty_the_draw_stops():
    s = scene([seat("Healing, Wolf"), seat(SPARE)], phase="end", stack="Dodge")
    s.discards[:] = 0  # all others out of the game
    GAME.step(s, GAME.parse_action(s, "pass"))
    assert view(s)["hand_0"] == "Dodge, Healing, Wolf"
    assert "player_0 draws 1" in told(s)
    assert view(s)["active"] == 1


@pytest.mark.rule("DM-06")
def test_there_are_no_further_cards():
    s = new_game(2, 1)
    cards = s.stack[: s.stack_size].tolist() + [k for k in s.hand[:2].ravel() if k != NONE]
    assert len(cards) == 112 and len(set(cards)) == 89


# Preparation.


@pytest.mark.rule("DM-07")
def test_four_items_a_turn():
    hand = "Staff +1, Staff of the Archmage, Robe of Protection +1, Amulet of Purity, "
    hand += "Ring of Arcane +1"
    s = scene([seat(hand), seat()], phase="preparation")
    act(s, "play Staff +1", hand_0="-Staff +1", items_0="Staff +1", items_used=1,
        attack_bonus=[1, 0], events=["player_0 equips Staff +1"])  # fmt: skip
    # replaced again in the same turn; an Artifact with a slot counts
    act(s, "play Staff of the Archmage", hand_0="-Staff of the Archmage", items_used=2,
        items_0="Staff of the Archmage", discards="+Staff +1", attack_bonus=[3, 0])  # fmt: skip
    play(s, "play Robe of Protection +1")
    act(s, "play Amulet of Purity", hand_0="-Amulet of Purity", items_used=4, phase="attack",
        items_0="+Amulet of Purity")  # the fifth is not asked for  # fmt: skip
    s = scene([seat("Staff of the Archmage, Healing"), seat()], phase="preparation")
    s.items_used = 4
    assert legal(s) == {"pass", "play Healing"}


@pytest.mark.rule("DM-07")
def test_nothing_is_taken_off():
    s = scene([seat("Healing", items="Staff +1", companion="Wolf attacker 6"), seat()],
              phase="preparation")  # fmt: skip
    assert legal(s) == {"pass", "play Healing"}


@pytest.mark.rule("DM-07")
@pytest.mark.parametrize(
    ("first", "second", "used"),
    [
        ("Healing", "Minor Healing", "healing"),
        ("Potion of Fury", "Potion of Stone Skin", "potion"),
    ],
)
def test_one_healing_and_one_potion(first, second, used):
    s = scene([seat(f"{first}, {second}, Wolf"), seat()], phase="preparation")
    assert {f"play {first}", f"play {second}"} < legal(s)
    play(s, f"play {first}")
    assert legal(s) == {"pass", "place Wolf as attacker", "place Wolf as defender"}
    assert view(s)[f"{used}_used"] == 1


@pytest.mark.rule("DM-07")
def test_any_number_of_magic_shields():
    s = scene([seat("Magic Shield, Magic Shield, Healing", pool=5), seat()], phase="preparation")
    act(s, "play Magic Shield", hand_0="-Magic Shield", pool=[12, 0], discards="+Magic Shield",
        events=["player_0 plays Magic Shield",
                "player_0's Magic Shield prevents the next 12 damage"])  # fmt: skip
    act(s, "play Magic Shield", hand_0="-Magic Shield", discards="+Magic Shield")


@pytest.mark.rule("DM-07", "DM-21")
def test_purification_leaves_the_shield():
    mine = seat(
        f"Potion of Purification, {SPARE}",
        hp=30,
        pool=7,
        dot="Infection 2 of 1",
        status="Curse of Weakness 2, Savage Roots 1, Focus 1, Potion of Stone Skin 1",
    )
    s = scene([mine, seat()], phase="preparation")
    # whether 4 hit points are dice or not, no chance is used
    act(s, "play Potion of Purification", hp=[34, 60], dot_0="", potion_used=1, bound=[0, 0],
        status_0="Focus 1, Potion of Stone Skin 1", attack_bonus=[4, 0],
        hand_0="-Potion of Purification", discards="+Potion of Purification")  # fmt: skip


@pytest.mark.rule("DM-07")
def test_what_is_played_when():
    """Preparation has no attacks, the Attack Phase nothing of the Preparation."""
    hand = "Forest Army, Healing, Focus, Wolf, Dodge"
    s = scene([seat(hand, companion="Troll attacker 15"), seat()], phase="preparation")
    assert legal(s) == {"pass", "play Healing", "play Focus", "place Wolf as attacker",
                        "place Wolf as defender"}  # fmt: skip
    s = scene([seat(hand, companion="Troll attacker 15"), seat()])
    assert legal(s) == {"pass", "cast Forest Army at player_1", "play Focus",
                        "companion attacks player_1"}  # fmt: skip


# Attack Phase.


@pytest.mark.rule("DM-08")
@pytest.mark.parametrize("phase", ["preparation", "attack"])
def test_one_skill_a_turn(phase):
    s = scene([seat("Focus, Overcharge, Forest Army, Healing"), seat()], phase=phase)
    assert {"play Focus", "play Overcharge"} < legal(s)
    play(s, "play Focus")
    assert view(s)["skill_used"] == 1 and view(s)["status_0"] == "Focus 1"
    if phase == "preparation":
        play(s, "pass")
    assert legal(s) == {"pass", "cast Forest Army at player_1"}


@pytest.mark.rule("DM-08", "DM-22")
def test_sleight_of_hand():
    s = scene([seat(f"Sleight of Hand, {SPARE}", items="Staff +1"),
               seat(items="Staff +2, Ring of Arcane +1")], phase="preparation")  # fmt: skip
    assert {
        "use Sleight of Hand on player_1's Staff",
        "use Sleight of Hand on player_1's Ring",
    } < legal(s)
    act(
        s, "use Sleight of Hand on player_1's Staff", *d20(10), items_0="Staff +2", skill_used=1,
        items_1="Ring of Arcane +1", discards="+Sleight of Hand, +Staff +1", attack_bonus=[2, 0],
        hand_0="-Sleight of Hand",
        events=["player_0 uses Sleight of Hand on player_1's Staff",
                "player_1 rolls 10 against 10: not saved",
                "player_0 takes Staff +2 of player_1 and equips it",
                "player_0's Staff +1 is discarded"],
    )  # fmt: skip
    assert view(s)["items_used"] == 0  # DM-07
    s = scene([seat(f"Sleight of Hand, {SPARE}"), seat(items="Staff +2")], used="attacks")
    act(s, "use Sleight of Hand on player_1's Staff", *d20(9), skill_used=1, phase="end",
        hand_0="-Sleight of Hand", discards="+Sleight of Hand")  # fmt: skip


@pytest.mark.rule("DM-08")
def test_mind_raid_on_an_empty_hand():
    """Nothing forbids it; nothing is taken."""
    s = scene([seat(f"Mind Raid, {SPARE}"), seat()], used="attacks")
    act(s, "use Mind Raid at player_1", skill_used=1, phase="end", hand_0="-Mind Raid",
        discards="+Mind Raid")  # fmt: skip


@pytest.mark.rule("DM-09")
@pytest.mark.parametrize(
    "action",
    [
        "cast Forest Army at player_1",
        "cast Infection at player_1",
        "cast Scroll of Thunder at player_1",
        "play Orb of Annihilation",
        "play Cure Serious Wounds",
    ],
)
def test_one_attack_a_turn(action):
    hand = "Forest Army, Infection, Scroll of Thunder, Orb of Annihilation, Cure Serious Wounds"
    s = scene([seat(hand, companion="Wolf attacker 6"), seat(SPARE)])
    assert action in legal(s)
    rig(s, (20, 5))
    play(s, action)
    assert view(s)["attacks_used"] == 1
    assert legal(s) == {"pass", "companion attacks player_1"}


@pytest.mark.rule("DM-09")
def test_an_attack_is_optional():
    s = scene([seat("Forest Army"), seat()])
    act(s, "pass", phase="end", events=["player_0 ends the Attack Phase"])


@pytest.mark.rule("DM-09", "DM-11")
def test_skill_attack_and_companion_in_any_order():
    mine = seat("Focus, Forest Army, Healing", companion="Wolf attacker 6")
    s = scene([mine, seat(SPARE)])
    play(s, "cast Forest Army at player_1", *d20(5))
    act(s, "companion attacks player_1", *d20(3), companion_attacked=1)
    assert legal(s) == {"pass", "play Focus"}
    act(s, "play Focus", skill_used=1, status_0="Focus 1", attack_bonus=[4, 0], phase="end",
        hand_0="-Focus", discards="+Focus")  # fmt: skip


@pytest.mark.rule("DM-09")
def test_double_cast():
    hand = "Double Cast, Forest Army, Infection, Fireball, Healing"
    s = scene([seat(hand), seat(SPARE)], cantrip_rule="always")
    act(s, "play Double Cast", extra_attacks=1, skill_used=1, hand_0="-Double Cast",
        discards="+Double Cast")  # fmt: skip
    play(s, "cast Forest Army at player_1", *d20(5))
    # one more card, no cantrip
    assert legal(s) == {"pass", "cast Infection at player_1", "cast Fireball at player_1"}
    play(s, "cast Infection at player_1", *d20(5))
    assert view(s)["phase"] == "end"


@pytest.mark.rule("DM-09", "DM-11")
def test_double_cast_after_the_attack():
    s = scene([seat("Double Cast, Infection, Healing"), seat(SPARE)], used="attacks")
    play(s, "play Double Cast")
    assert legal(s) == {"pass", "cast Infection at player_1"}
    # not after the companion's attack, nor after the cantrip
    for used in ("companion_attacked", "attacks cantrip"):
        s = scene([seat("Double Cast, Infection, Healing"), seat(SPARE)], used=used)
        play(s, "play Double Cast")
        assert view(s)["phase"] == "end"


def cantrip(hand, target=None, **how):
    s = scene([seat(hand), target or seat()], **how)
    return "cast Arcane Bolt at player_1" in legal(s)


@pytest.mark.rule("DM-10")
@pytest.mark.parametrize(
    ("hand", "no_usable", "strict"),
    [
        ("Healing, Focus, Wolf", True, True),
        ("Forest Army", False, False),
        ("Savage Roots", True, False),  # its level is too high
        ("Cure Serious Wounds", True, False),  # on oneself
        ("Summon Skeleton", True, False),
        ("Infection", False, False),
        ("Scroll of Meteors", False, False),
        ("Orb of Annihilation", False, True),
        ("Mind Raid", True, True),
    ],
)
def test_the_cantrip_is_for_those_without_attack_cards(hand, no_usable, strict):
    assert cantrip(hand) == no_usable
    assert cantrip(hand, cantrip_rule="no_usable") == no_usable
    assert cantrip(hand, cantrip_rule="strict") == strict
    assert cantrip(hand, cantrip_rule="always")


@pytest.mark.rule("DM-10")
def test_what_could_be_used_now():
    # silenced: Spells are no use
    mine = seat("Forest Army", status="Curse of Silence 2")
    assert "cast Arcane Bolt at player_1" in legal(scene([mine, seat()]))
    # a Hex is none against an enemy, a Spell is
    s = scene([seat("Infection"), seat()], enemy="Hydra 16 of 0")
    assert legal(s) == {"pass", "cast Arcane Bolt at the enemy"}
    s = scene([seat("Infection, Forest Army"), seat()], enemy="Hydra 16 of 0")
    assert legal(s) == {"pass", "cast Forest Army at the enemy"}
    # a Hex is none where only an attacker can be chosen
    hidden = seat(status="Potion of Invisibility 1", companion="Wolf attacker 6")
    s = scene([seat("Infection"), hidden])
    assert legal(s) == {"pass", "cast Arcane Bolt at player_1's companion"}


@pytest.mark.rule("DM-10")
def test_dice_and_bonus_of_the_cantrip():
    """Staff, modifiers of attack and level; no sphere; no dice of modifiers."""
    mine = seat(SPARE, "Druid", items="Staff +2, Ring of Arcane +1",
                status="Focus 1, Overcharge 1, Potion of Arcane Power 1")  # fmt: skip
    s = scene([mine, seat(items="Robe of Protection +2")])
    act(s, "cast Thorn Lash at player_1", *d20(6), (8, 1), (8, 2), (8, 3), hp=[60, 54],
        attacks_used=1, cantrip_used=1, phase="end")  # fmt: skip
    s = scene([mine, seat(items="Robe of Protection +2")])
    act(s, "cast Thorn Lash at player_1", *d20(5), attacks_used=1, cantrip_used=1, phase="end")


@pytest.mark.rule("DM-10")
@pytest.mark.parametrize("rule", ["no_usable", "strict", "always"])
def test_the_cantrip_is_the_only_attack_of_the_turn(rule):
    s = scene([seat("Forest Army, Focus"), seat(SPARE)], cantrip_rule="always", extra_attacks=1)
    play(s, "cast Arcane Bolt at player_1", *d20(2))
    assert legal(s) == {"pass", "play Focus"}
    s = scene([seat("Focus"), seat(SPARE)], cantrip_rule=rule, extra_attacks=1, used="attacks")
    assert legal(s) == {"pass", "play Focus"}


@pytest.mark.rule("DM-11")
def test_the_companions_attack_ends_the_magicians():
    mine = seat("Forest Army, Focus, Healing", companion="Wolf attacker 6")
    s = scene([mine, seat(SPARE)], extra_attacks=1)
    act(s, "companion attacks player_1", *d20(2), companion_attacked=1)
    assert legal(s) == {"pass", "play Focus"}  # no attack, no second one of the companion


@pytest.mark.rule("DM-11")
def test_a_companion_attacks_in_the_turn_it_came():
    s = scene([seat("Wolf, Focus"), seat(SPARE)], phase="preparation")
    play(s, "place Wolf as attacker")
    play(s, "pass")
    assert "companion attacks player_1" in legal(s)
    s = scene([seat("Summon Skeleton, Focus"), seat(SPARE)])
    play(s, "place Summon Skeleton as attacker")
    act(s, "companion attacks player_1", *d20(9), (6, 3), hp=[60, 57], companion_attacked=1)


# End Phase.


@pytest.mark.rule("DM-12")
def test_one_card_or_none_is_discarded_and_the_hand_filled():
    s = scene(
        [seat("Healing, Wolf, Troll"), seat(SPARE)], phase="end", stack="Dodge, Focus, Fireball"
    )
    assert legal(s) == {"pass", "discard Healing", "discard Wolf", "discard Troll"}
    act(s, "discard Wolf", (3, 1), (2, 1), (1, 1), hand_0="-Wolf, +Dodge, +Focus, +Fireball",
        discards="+Wolf", stack="", active=1, to_move=1, turn=6, phase="preparation")  # fmt: skip
    s = scene([seat(FIVE), seat(SPARE)], phase="end", stack="Dodge, Focus")
    act(s, "pass", active=1, to_move=1, turn=6, phase="preparation")


@pytest.mark.rule("DM-12", "DM-31")
def test_a_drawn_enemy_is_not_replaced():
    s = scene([seat("Healing, Wolf, Troll"), seat(SPARE)], phase="end",
              stack="Dodge, Goblin Raiders, Focus")  # fmt: skip
    rig(s, (3, 2), (2, 1), (8, 1), (20, (15, 20)), (20, (15, 20)))
    play(s, "pass")
    assert view(s)["hand_0"].count(",") == 3 and int(s.stack_size) == 1
    assert "player_0 draws 2" in told(s)


@pytest.mark.rule("DM-12", "ALL-01")
def test_with_an_empty_hand_nothing_is_asked_in_the_end_phase():
    s = scene([seat("Forest Army"), seat(SPARE)], stack="Dodge, Fireball, Focus, Wolf, Troll")
    play(s, "cast Forest Army at player_1", (20, 5), *[(n, 1) for n in (5, 4, 3, 2, 1)])
    found = view(s)
    assert found["hand_0"].count(",") == 4 and found["active"] == 1


# What lasts.


def pass_turns(s, count):
    for _ in range(count):
        turn = view(s)["turn"]
        while view(s)["turn"] == turn:
            play(s, "pass")


@pytest.mark.rule("DM-21")
def test_a_modifier_lasts_for_turns_of_its_victim():
    s = scene(
        [seat(FIVE), seat(OTHER_FIVE, status="Acid Ball 2, Curse of Weakness 3")], phase="end"
    )
    found = []
    for _ in range(8):
        found.append((view(s)["ac"][1], view(s)["attack_bonus"][1]))
        pass_turns(s, 1)
    # before, during and after the turns of player_1
    assert found == [(8, -3), (8, -3), (8, -3), (8, -3), (10, -3), (10, -3), (10, 0), (10, 0)]


@pytest.mark.rule("DM-21")
def test_the_same_card_starts_anew_and_others_add_up():
    target = seat(SPARE, status="Curse of Weakness 3, Freeze Arrow 1, Black Tentacles 1")
    s = scene([seat(f"Freeze Arrow, {SPARE}"), target])
    assert view(s)["attack_bonus"][1] == -6
    play(s, "cast Freeze Arrow at player_1", *d20(15), (6, 1))
    assert view(s)["attack_bonus"][1] == -6
    s = scene([seat(f"Black Tentacles, {SPARE}"), target.copy() | {
        "status": "Curse of Weakness 3, Acid Ball 1"}])  # fmt: skip
    act(
        s,
        "cast Black Tentacles at player_1",
        *d20(15),
        (8, 1),
        hp=[60, 59],
        status_1="Acid Ball 1, Black Tentacles 2, Curse of Weakness 3",
        attack_bonus=[0, -5],
        hand_0="-Black Tentacles",
        discards="+Black Tentacles",
        attacks_used=1,
        phase="end",
    )


@pytest.mark.rule("DM-21")
def test_bound_for_the_next_turn():
    s = scene([seat(f"Shadow Trap, {FIVE}".replace(", Griffon", "")), seat(SPARE)])
    act(s, "cast Shadow Trap at player_1", *d20(15), (6, 1), (20, 10), hp=[60, 59],
        status_1="Shadow Trap 1", bound=[0, 1], hand_0="-Shadow Trap", discards="+Shadow Trap",
        attacks_used=1, phase="end")  # fmt: skip
    # a further save
    s = scene([seat(f"Shadow Trap, {SPARE}"), seat(SPARE)])
    play(s, "cast Shadow Trap at player_1", *d20(15), (6, 1), (20, 9))
    assert view(s)["status_1"] == ""
    # no attack card, no cantrip; Skill and companion stay
    mine = seat("Forest Army, Orb of Annihilation, Focus", companion="Wolf attacker 6",
                status="Shadow Trap 1")  # fmt: skip
    s = scene([mine, seat()], cantrip_rule="always")
    assert legal(s) == {"pass", "play Focus", "companion attacks player_1"}


@pytest.mark.rule("DM-21")
def test_a_bind_acts_in_the_next_turns_only():
    s = scene([seat(f"Shadow Trap, {FIVE}".replace(", Griffon", "").replace("Wolf", "Double Cast")),
               seat("Shield of Reflection", items="Robe of Protection +2")])  # fmt: skip
    play(s, "cast Shadow Trap at player_1")
    # reflected in the own turn: not bound in this turn, but in the next
    play(s, ANSWER, *d20(15), (6, 1), (20, 10))
    assert view(s)["status_0"] == "Shadow Trap 2" and view(s)["bound"] == [0, 0]
    play(s, "pass")
    play(s, "pass")
    found = view(s)
    while found["active"] == 0:
        play(s, "pass")
        found = view(s)
    assert found["status_0"] == "Shadow Trap 1" and found["bound"] == [1, 0]


@pytest.mark.rule("DM-21")
def test_turned_into_a_gnome():
    """Preparation and Attack Phase are left out, End Phase and answers stay."""
    gnome = seat("Forest Army, Healing, Focus, Dodge, Wolf", companion="Troll attacker 15",
                 status="Garden Gnome 1")  # fmt: skip
    s = scene(
        [seat(OTHER_FIVE.replace("Dodge, Dodge", "Fireball, Overcharge")), gnome], phase="end"
    )
    act(s, "pass", active=1, to_move=1, phase="end", turn=6)
    play(s, "pass")
    assert view(s)["status_1"] == "" and view(s)["bound"] == [0, 0]
    s = scene([seat(f"Fireball, {SPARE}"), gnome])
    play(s, "cast Fireball at player_1")
    assert legal(s) == {"pass", "play Dodge"}


@pytest.mark.rule("DM-21")
def test_silenced():
    mine = seat("Forest Army, Infection, Summon Skeleton, Scroll of Thunder, Orb of Annihilation",
                status="Curse of Silence 2")  # fmt: skip
    s = scene([mine, seat()])
    assert legal(s) == {"pass", "cast Infection at player_1", "cast Scroll of Thunder at player_1",
                        "play Orb of Annihilation"}  # fmt: skip


@pytest.mark.rule("DM-21")
def test_this_turn_and_until_the_next():
    s = scene([seat(FIVE, status="Focus 1, Potion of Stone Skin 1"), seat(OTHER_FIVE)], phase="end")
    act(s, "pass", status_0="Potion of Stone Skin 1", attack_bonus=[0, 0], active=1, to_move=1,
        turn=6, phase="preparation")  # fmt: skip
    pass_turns(s, 1)
    assert view(s)["status_0"] == "" and view(s)["ac"] == [10, 10]


@pytest.mark.rule("DM-21")
def test_damage_over_time():
    s = scene([seat(FIVE), seat(SPARE, dot="Infection 3 of 0")], phase="end")
    act(s, "pass", *d20(10), (10, 7), hp=[60, 53], dot_1="Infection 2 of 0", active=1, to_move=1,
        turn=6, phase="preparation")  # fmt: skip
    s = scene([seat(FIVE), seat(SPARE, dot="Infection 1 of 0")], phase="end")
    act(s, "pass", *d20(9), dot_1="", active=1, to_move=1, turn=6, phase="preparation")
    # robe and shield help; nobody is asked for a Dodge
    target = seat("Dodge, Healing", dot="Infection 1 of 0", pool=3, items="Robe of Resistance")
    s = scene([seat("Minor Healing, Focus, Wolf, Troll, Griffon"), target], phase="end")
    act(s, "pass", *d20(10), (10, 7), hp=[60, 58], pool=[0, 0], dot_1="", active=1, to_move=1,
        turn=6, phase="preparation")  # fmt: skip


@pytest.mark.rule("DM-21")
def test_new_damage_over_time_replaces_the_old():
    target = seat(SPARE, dot="Infection 3 of 2", companion="Wolf attacker 6",
                  companion_dot="Giant Scorpion 2 of nobody")  # fmt: skip
    s = scene([seat(f"Fireball, {SPARE}"), target, seat(SPARE)])
    act(s, "cast Fireball at player_1", *d20(15), (6, 1), hp=[60, 59, 60], attacks_used=1,
        dot_1="Fireball 1 of 0", hand_0="-Fireball", discards="+Fireball", phase="end")  # fmt: skip


@pytest.mark.rule("DM-21")
def test_the_start_of_a_turn():
    """Rounds end, damage over time of the magician, of its companion, then regeneration."""
    target = seat(
        SPARE, hp=3, items="Amulet of Regeneration", status="Potion of Stone Skin 1",
        dot="Infection 3 of 0", companion="Troll defender 15", companion_dot="Infection 2 of 0",
    )  # fmt: skip
    s = scene([seat(FIVE.replace("Troll", "Focus")), target], phase="end")
    # saved against AC 10 without the potion, not against 13
    act(
        s, "pass", (20, 11), (10, 2), (20, 12), (10, 5), hp=[60, 3], status_1="", ac=[10, 10],
        dot_1="Infection 2 of 0", companion_dot_1="Infection 1 of 0", active=1, to_move=1, turn=6,
        companion_1="Troll defender 10", phase="preparation",
        events=[
            "player_0 discards nothing",
            "player_0 draws 0",
            "player_1's turn",
            "player_1 suffers from Infection",
            "player_1 rolls 11 against 10: not saved",
            "damage 1d10 = 2",
            "player_1 loses 2 hit points, 1 left",
            "player_1's companion suffers from Infection",
            "player_1's companion rolls 12 against 11: not saved",
            "damage 1d10 = 5",
            "player_1's companion loses 5 hit points, 10 left",
            "player_1 recovers 2, has 3",
        ],
    )  # fmt: skip


@pytest.mark.rule("DM-21")
def test_purity():
    """Neither save nor damage while worn, the turns count, the companion is not helped."""
    target = seat(SPARE, items="Amulet of Purity", dot="Infection 3 of 0",
                  companion="Owlbear defender 12", companion_dot="Infection 2 of 0")  # fmt: skip
    s = scene([seat(FIVE), target], phase="end")
    act(
        s,
        "pass",
        (20, 12),
        (10, 5),
        dot_1="Infection 2 of 0",
        companion_1="Owlbear defender 7",
        companion_dot_1="Infection 1 of 0",
        active=1,
        to_move=1,
        turn=6,
        phase="preparation",
    )


@pytest.mark.rule("DM-21", "DM-31", "DM-33")
def test_durations_end_after_drawn_enemies_and_before_one_that_attacks_again():
    mine = seat("Healing, Wolf, Troll, Griffon", status="Acid Ball 1")
    s = scene([mine, seat(SPARE)], phase="end", stack="Goblin Raiders")
    act(s, "pass", (1, 1), (8, 5), *d20(8, 5), hp=[55, 60], stack="", discards="+Goblin Raiders",
        status_0="", ac=[10, 10], active=1, to_move=1, turn=6, phase="preparation")  # fmt: skip
    s = scene([seat(FIVE, status="Acid Ball 1"), seat(SPARE)], phase="end", enemy="Hydra 16 of 0")
    act(s, "pass", (10, 5), *d20(8, 5), status_0="", ac=[10, 10], active=1, to_move=1, turn=6,
        phase="preparation")  # fmt: skip


@pytest.mark.rule("DM-21")
def test_level_and_ring_in_the_attack_phase():
    s = scene([seat(f"Dark Soul, {SPARE}", items="Ring of Arcane +2"), seat(SPARE)])
    act(s, "cast Dark Soul at player_1", *d20(15), (8, 1), (8, 1), (8, 1), hp=[60, 57],
        level=[3, 0], status_1="Dark Soul 2", hand_0="-Dark Soul", discards="+Dark Soul",
        attacks_used=1, phase="end")  # fmt: skip
