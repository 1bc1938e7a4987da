"""The game in words and as JSON: actions both ways, events, and what is not understood."""

import json

import numpy as np
import pytest

from mages_env.engine import ALL, RUNNING
from mages_env.games.dark_mages import GAME, deck, state

from .scene import act, d20, kind, legal_ids, play, scene, seat, told

SPARE = "Minor Healing"


def test_every_action_is_understood_in_its_own_words():
    s = GAME.new_state(8)[0]
    GAME.reset(s, np.uint64(5))
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    for action, text in enumerate(texts):
        if action % 37 == 0:
            assert GAME.parse_action(s, text) == action
        assert GAME.parse_action(s, f"#{action}") == action


@pytest.mark.parametrize("count", [2, 3])
def test_players_who_do_not_play_are_not_named(count):
    s = GAME.new_state(count)[0]
    GAME.reset(s, np.uint64(5))
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    named = {word for text in texts for word in text.split() if word.startswith("player_")}
    assert {name[:8] for name in named} == {f"player_{p}" for p in range(count)} - {
        f"player_{s.seat}"
    }


@pytest.mark.parametrize(
    ("texts", "action"),
    [
        (["pass", "PASS", " Pass. "], "pass"),
        (["cast Forest Army at player_1", "forest army player_1", "The Forest Army at player_1!"],
         "cast Forest Army at player_1"),
        (["scroll of meteors", "play the Scroll of Meteors"], "play Scroll of Meteors"),
        (["companion attacks player_2", "companion player_2"], "companion attacks player_2"),
        (["use Mind Raid at player_2", "mind raid player_2"], "use Mind Raid at player_2"),
    ],
)  # fmt: skip
def test_phrasings(texts, action):
    hand = "Forest Army, Scroll of Meteors, Mind Raid"
    s = scene([seat(hand, companion="Wolf attacker 6"), seat(SPARE), seat()])
    wanted = GAME.parse_action(s, action)
    assert wanted in legal_ids(s)
    assert [GAME.parse_action(s, text) for text in texts] == [wanted] * len(texts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not understood"),
        ("fly", "'fly' is not understood"),
        ("forest army", "may mean 'cast Forest Army at player_1', 'cast Forest Army at player_2'"),
        ("cast Forest Armi at player_1", "did you mean 'cast Forest Army at player_1'"),
        ("#9999", "action ids are #0 to #"),
    ],
)  # fmt: skip
def test_what_is_not_understood(text, words):
    s = scene([seat("Forest Army"), seat(SPARE), seat()])
    before = s.tobytes()
    with pytest.raises(ValueError) as refused:
        GAME.parse_action(s, text)
    assert words in str(refused.value)
    assert s.tobytes() == before


def test_a_report_of_an_attack():
    """14 + 1 against AC 13, hit, 2d8 = 9."""
    druid = seat(f"Forest Army, {SPARE}", "Druid")
    s = scene([druid, seat("", "Cleric", items="Robe of Protection +1",
                           status="Potion of Stone Skin 1", hp=40)])  # fmt: skip
    act(
        s, "cast Forest Army at player_1", *d20(14), (8, 4), (8, 5), hp=[60, 31],
        hand_0="-Forest Army", discards="+Forest Army", attacks_used=1, phase="end",
        events=["player_0 uses Forest Army on player_1", "14 + 1 against AC 14: hit",
                "damage 2d8 = 9", "player_1 loses 9 hit points, 31 left",
                "player_0 ends the Attack Phase"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mine", "action", "dice", "words"),
    [
        (("Magic Stone", "Druid"), "cast Magic Stone at player_1", [(6, 6)], "1d6 + 2 = 8"),
        (("Magic Stone", "Earth Conjurer"), "cast Magic Stone at player_1", [(6, 1), (6, 2)],
         "2d6 + 2 = 5"),
        (("", "Earth Conjurer"), "cast Stone Shot at player_1", [(6, 4)], "1d6 + 1 = 5"),
        (("", "Druid"), "cast Thorn Lash at player_1", [(8, 4)], "1d8 = 4"),
    ],
)  # fmt: skip
def test_what_is_added_to_the_dice_is_told(mine, action, dice, words):
    hand, character = mine
    held = ", ".join(filter(None, [hand, SPARE]))
    s = scene([seat(held, character, items="Amulet of Warding"), seat("", "Cleric")])
    play(s, action, *d20(15), *dice)
    assert f"damage {words}" in told(s) and f"damage {words}" in GAME.to_json(s, 1)["events"]


def test_the_most_that_a_card_may_add_fits_an_event():
    most = deck.MOST + state.ADDED * deck.MOST
    assert deck.MOST < state.ADDED and most == np.int16(most)
    s = scene([seat(SPARE), seat()])
    row = np.array([state.E_DICE, ALL, -1, 3, most, 400], np.int16)
    assert GAME.event_text(s, row) == f"damage 3d{deck.MOST} + {deck.MOST} = 400"


def test_every_kind_of_event_has_words():
    s = scene([seat(SPARE), seat()])
    codes = {value for name, value in vars(state).items() if name.startswith("E_")}
    assert len(codes) == 43
    for code in codes:
        assert GAME.event_text(s, np.array([code, ALL, 0, 1, 1, 1]))
    with pytest.raises(ValueError, match="99 is no event code"):
        GAME.event_text(s, np.array([99, ALL, 0, 0, 0, 0]))


def test_the_table_in_words():
    mine = seat(
        "Dodge, Focus",
        "Druid",
        hp=41,
        pool=5,
        items="Staff +1",
        status="Acid Ball 2",
        companion="Wolf attacker 3",
        companion_dot="Infection 1 of 1",
        dot="Infection 2 of 1",
    )
    s = scene([mine, seat(SPARE, "Cleric", known={0: SPARE}), seat("", "Enchanter", fell=1)],
              enemy="Hydra 9 of 1", waiting="Ogre Warlord of 0")  # fmt: skip
    lines = GAME.to_text(s, 0).splitlines()
    assert lines[0].startswith("Turn 6, of player_0; stack ")
    assert lines[1:4] == [
        "Enemy: Hydra, 9 HP, AC 12, drawn by player_1",
        "Enemies to come: Ogre Warlord, drawn by player_0",
        "> player_0 (you), Druid: 41 HP, AC 8, attack +1, level 1, hand 2, Magic Shield 5; "
        "Staff +1; Wolf (attacker, 3 HP, Infection 1); -2 AC 2; Infection 2",
    ]
    assert lines[-3:] == [
        "Your hand: Focus, Dodge",
        f"You know of player_1's hand: {SPARE}",
        "You are asked: Attack Phase",
    ]
    assert "fell as number 1" in lines[5]
    assert "Focus" not in GAME.to_text(s, None)


@pytest.mark.rule("DM-38")
def test_the_teams_are_in_the_table():
    s = GAME.new_state(4, teams=2)[0]
    GAME.reset(s, np.uint64(8))
    lines = [line[2:] for line in GAME.to_text(s, 1).splitlines() if line[2:8] == "player"]
    heads = [line.rpartition(", ")[0] for line in (line.partition(":")[0] for line in lines)]
    assert heads == [
        "player_0, team 0", "player_1 (you), team 1", "player_2, team 0", "player_3 (ally), team 1",
    ]  # fmt: skip
    assert "player_3, team 1" in GAME.to_text(s, None)
    assert [one["team"] for one in GAME.to_json(s, None)["players"]] == [0, 1, 0, 1]
    alone = scene([seat(), seat()])
    assert "team" not in GAME.to_text(alone, 0) and "ally" not in GAME.to_text(alone, 0)
    assert GAME.to_json(alone, 0)["players"][1]["team"] is None


@pytest.mark.parametrize(
    ("phase", "text", "words"),
    [
        ("preparation", "cast fireball", "is not possible now: you are asked: Preparation Phase"),
        ("preparation", "earth golem", "is not possible now: you are asked: Preparation Phase"),
        ("attack", "earth golem", "Earth Golem is of level 3, your arcane level is 1"),
        ("attack", "cast harm", "Harm is not in your hand"),
    ],
)  # fmt: skip
def test_a_card_that_cannot_be_played_now(phase, text, words):
    hand = f"Earth Golem, Fireball, {SPARE}"
    s = scene([seat(hand, "Druid", hp=40), seat(SPARE), seat()], phase=phase)
    with pytest.raises(ValueError) as refused:
        GAME.parse_action(s, text)
    assert words in str(refused.value)
    assert "; legal: 0 (pass)" in str(refused.value)


def test_an_attack_in_progress():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Shield of Reflection"), seat()])
    play(s, "cast Forest Army at player_1")
    assert "In progress: Forest Army of player_0 on player_1" in GAME.to_text(s, 2)
    assert GAME.to_json(s, 2)["attack_in_progress"] == {
        "with": "Forest Army", "of": "player_0", "on": "player_1", "reflected_by": None,
        "dodged": [],
    }  # fmt: skip
    assert "asked" not in GAME.to_json(s, 2) and GAME.to_json(s, 1)["asked"]


def test_json_can_be_written():
    rng = np.random.default_rng(4)
    s = GAME.new_state(4, teams=2)[0]
    GAME.reset(s, np.uint64(8))
    for _ in range(25):
        if s.over == RUNNING:
            for p in (None, *range(4)):
                found = json.loads(json.dumps(GAME.to_json(s, p)))
                assert found["num_players"] == 4 and len(found["players"]) == 4
            legal = GAME.to_json(s, int(s.seat))["legal_actions"]
            assert [entry["id"] for entry in legal] == legal_ids(s)
            GAME.step(s, int(rng.choice(legal_ids(s))))
            assert told(s)


def test_cantrips_are_cards_without_copies():
    assert kind("Thorn Lash") >= state.KINDS


@pytest.mark.rule("DM-34")
def test_who_drew_an_enemy_that_waits():
    s = scene([seat(SPARE), seat()], enemy="Hydra 9 of 1", waiting="Ogre Warlord of 0")
    for p in (None, 0, 1):
        assert "Ogre Warlord, drawn by player_0" in GAME.to_text(s, p)
        assert GAME.to_json(s, p)["enemies_to_come"] == [{"name": "Ogre Warlord", "drawn_by": 0}]


@pytest.mark.rule("DM-22")
def test_what_a_theft_is_aimed_at():
    s = scene([seat("Sleight of Hand"), seat("Dodge", items="Staff +1, Ring of Arcane +1")])
    play(s, "use Sleight of Hand on player_1's Ring")
    for p in (None, 0, 1):
        assert "In progress: Sleight of Hand of player_0 on player_1's Ring" in GAME.to_text(s, p)
        assert GAME.to_json(s, p)["attack_in_progress"]["on"] == "player_1's Ring"
