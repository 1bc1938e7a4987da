"""The game in words and as JSON: actions both ways, the board, events."""

import json
import re

import numpy as np
import pytest

from mages_env.engine import RUNNING
from mages_env.game import IllegalActionError
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.state import E_OUT, E_TURN

from .scene import legal_ids, outcome, scene, square, take


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("side", [0, 1])
def test_every_action_is_understood_in_its_own_words(count, side):
    s = GAME.new_state(count)[0]
    GAME.reset(s, np.uint64(5))
    s.seat = s.active = side
    far = GAME.actions.start("far_target")
    texts = [GAME.action_text(s, action) for action in range(far + 5 * (count - 2))]
    assert len(set(texts)) == len(texts)
    for action, text in enumerate(texts):
        assert GAME.parse_action(s, text) == action
    for action in range(GAME.num_actions):
        assert GAME.parse_action(s, f"#{action}") == action


@pytest.mark.parametrize(
    ("texts", "action"),
    [
        (["pass", " PASS. ", "decline", "no"], 0),
        (["wizard 1: cast", "wizard 1 cast", "Wizard 1, cast"], 1 + 4),
        (["wizard 2: gather power", "wizard 2: gather", "wizard 2: power"], 1 + 7 + 5),
        (["archers: shoot", "archers shoot!"], 1 + 14 + 2),
        (["guard: rally"], 1 + 28 + 6),
        (["e5", "to e5", "E5"], 36 + 40),
        (["a1"], 36),
        (["i9"], 36 + 80),
        (["own guard", "target own guard"], 121),
        (["player_1 warriors", "target player_1 warriors", "player_1's warriors"], 125),
        (["opponent 1 warriors"], 125),
        (["magic missile", "cast magic missile", "magic", "missile", "cast missile"], 127),
        (["energy", "cast energy"], 129),
        (["drain energy", "drain"], 130),
        (["combat prowess", "combat", "prowess"], 131),
        (["unnatural speed", "unnatural", "speed"], 132),
        (["0 tokens", "spend 0 tokens"], 133),
        (["1 token", "spend 1 token"], 134),
        (["counter with wizard 1", "counter with wizard 1, 0 tokens"], 138),
        (["counter with wizard 2, 3 tokens", "counter wizard 2 3"], 146),
        (["shoot back", "react"], 148),
        (["0 dice", "0 attack dice", "attack with 0 dice"], 149),
        (["1 die", "1 attack die"], 150),
        (["30 attack dice"], 179),
    ],
)
def test_phrasings(texts, action):
    s = scene("w1 c1", "w1 g9")
    assert {text: GAME.parse_action(s, text) for text in texts} == dict.fromkeys(texts, action)


@pytest.mark.rule("MGD-31")
def test_squares_and_targets_are_named_absolutely_and_numbered_in_the_own_frame():
    s = scene("w1 c1", "w1 g9", to_move=1)
    assert GAME.parse_action(s, "a1") == 36 + 80
    assert GAME.parse_action(s, "player_0 guard") == 126
    s = scene("w1 c1", "w1 a7", "w1 g9", "w1 i3", to_move=1)
    # Side 1 deploys on the left edge: its own a1 is a9, its own e1 is a5.
    assert GAME.parse_action(s, "a9") == 36
    assert GAME.parse_action(s, "a5") == 36 + 4
    assert GAME.parse_action(s, "player_2 guard") == 126
    assert GAME.parse_action(s, "player_3 guard") == 184
    assert GAME.parse_action(s, "player_0 wizard 1") == 185
    assert GAME.action_text(s, 189) == "target player_0 guard"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "fly",
            "wizard 3: cast",
            "guard: fly",
            "j1",
            "a0",
            "e10",
            "own dragon",
            "tokens",
            "#",
        ),
        *("wizard: cast", "1: cast", "own wizard"),
    ],
)
def test_what_is_not_understood(text):
    s = scene("w1 c1", "w1 g9")
    before = s.tobytes()
    with pytest.raises(ValueError, match="is not understood; say for example 'pass'"):
        GAME.parse_action(s, text)
    assert s.tobytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "5 tokens",
        "31 dice",
        "counter with wizard 1, 5 tokens",
        "counter with guard, 1 token",
        "#190",
    ],
)
def test_actions_that_there_are_not(text):
    s = scene("w1 c1", "w1 g9")
    with pytest.raises(ValueError, match="there is no such action; say for example"):
        GAME.parse_action(s, text)


def test_opponents_that_there_are_not():
    """No opponent is the own side, and none has an id of a larger game."""
    two = scene("w1 c1", "w1 g9", to_move=1)
    three = scene("w1 c1", "w1 a7", "w1 g9", to_move=1)
    for s, sides, opponents in (
        (two, "02", "player_0 (opponent 1)"),
        (three, "03", "player_2 (opponent 1), player_0 (opponent 2)"),
    ):
        first, last = sides
        wrong = [f"opponent {first}", f"opponent {last}", f"player_{last}", "opponent 9"]
        for whose in wrong:
            with pytest.raises(ValueError) as refused:
                GAME.parse_action(s, f"{whose} guard")
            assert str(refused.value) == (
                f"'{whose} guard': there is no such action; "
                f"there are own units and those of {opponents}"
            )


@pytest.mark.parametrize("text", ["counter", "counter with wizard", "Counter with 2 tokens"])
def test_a_counter_is_asked_for_in_full(text):
    s = scene("w1 c1", "w1 g9")
    with pytest.raises(ValueError, match="is not understood; say with which mage") as refused:
        GAME.parse_action(s, text)
    forms = re.findall(r"'(counter with .*?|pass)'", str(refused.value).partition(";")[2])
    assert [GAME.parse_action(s, form) for form in forms] == [138, 146, 0]


def test_an_action_that_is_not_legal_now_is_refused_by_the_environment():
    s = scene("w1 c1", "w1 g9")
    mask = np.zeros(GAME.num_actions, np.int8)
    GAME.legal(s, mask)
    error = GAME.illegal_action("player_0", s, mask, GAME.parse_action(s, "archers: shoot"))
    assert isinstance(error, IllegalActionError)
    assert "player_0: action 17 (archers: shoot) is not legal now; legal: 0 (pass)" in str(error)


def test_the_board_and_the_units():
    s = scene(
        "w1 c1 p1 f2, wa e5 hp7 m2 +4 >3",
        "gu e6 hp3 f5 broken",
        tokens=[3, 1],
        points=[4, 0],
        turn=2,
        holder=1,
    )
    assert GAME.to_text(s, 1).splitlines() == [
        "Turn 2 of 6, initiative: player_1, reward: rank",
        "9 .   .   .   .   .   .   .   .   .",
        "8 .   .   .   .   .   .   .   .   .",
        "7 .   .   .   .   .   .   .   .   .",
        "6 .   .   .   ### 1gu .   ### .   .",
        "5 ### .   .   .   0wa .   .   .   ###",
        "4 .   .   ### .   .   ### .   .   .",
        "3 .   .   .   .   .   .   .   .   .",
        "2 .   .   .   .   .   .   .   .   .",
        "1 .   .   0w1 .   .   .   .   .   .",
        "  a   b   c   d   e   f   g   h   i",
        "* Nexus, ### obstacle",
        "> player_0: 4 victory points, 3 of 8 action tokens",
        "    0w1 wizard 1 c1, 8 of 8 HP, fatigue 2/5, 1 power token",
        "    0wa warriors e5, 7 of 10 HP, can be healed to 8, 4 of 5 models, fatigue 0/5, "
        "2 morale tokens, 4 combat dice more, 3 squares further",
        "  player_1 (you): 0 victory points, 1 of 8 action tokens",
        "    1gu guard e6, 3 of 8 HP, can be healed to 4, 2 of 4 models, fatigue 5/5, fatigued, "
        "broken, 2 morale tokens",
        "player_0 is asked: activate",
    ]
    assert "5 ### .   .   .   *" in GAME.to_text(scene("w1 c1", "w1 g9"), None)


@pytest.mark.rule("MGD-31")
def test_the_rocks_of_four_sides():
    rows = GAME.to_text(scene("w1 c1", "w1 a7", "w1 g9", "w1 i3"), None).splitlines()[1:10]
    rocks = {
        (x, 8 - k) for k, row in enumerate(rows) for x in range(9) if row[2 + 4 * x :][:1] == "#"
    }
    assert rocks == {(2, 3), (5, 2), (6, 5), (3, 6)}


def test_json_of_a_position():
    s = scene("w1 c1 p1 f2, wa d4 hp7 cap10 m2 +4 >3", "gu e6 hp3 f5 broken, w1 i9", points=[4, 0])
    take(s, "warriors: charge", "player_1 guard", "e5")
    seen = GAME.to_json(s, 0)
    assert json.loads(json.dumps(seen)) == seen
    assert (seen["turn"], seen["phase"], seen["seat_to_move"]) == (0, "split of the charger", 0)
    assert seen["action"] == {
        "side": 0,
        "unit": "warriors",
        "kind": "charge",
        "spell": None,
        "target_side": 1,
        "target": "guard",
        "charge_square": "e5",
        "casting_dice": 0,
        "casting_die_needs": None,
    }
    assert seen["odds"] == []
    assert (seen["nexus"], set(seen["obstacles"])) == ("e5", {"c4", "g6", "d6", "f4", "a5", "i5"})
    first, second = seen["players"]
    assert (first["victory_points"], first["action_tokens"], first["out"]) == (4, 5, False)
    assert first["units"][1] == {
        "name": "warriors",
        "square": "e5",
        "hit_points": 7,
        "healing_cap": 10,
        "models": 4,
        "combat_dice": 12,
        "fatigue": 1,
        "broken": False,
        "morale_tokens": 2,
        "combat_prowess": 4,
        "unnatural_speed": 3,
    }
    assert second["units"][0]["power_tokens"] == 2 and "power_tokens" not in first["units"][1]
    assert second["units"][1]["broken"] and second["units"][1]["fatigue"] == 5
    assert [a["id"] for a in seen["legal_actions"]] == legal_ids(s)
    assert "legal_actions" not in GAME.to_json(s, 1)
    public = GAME.to_json(s, None)
    assert set(seen) - set(public) == {"seat", "own_attack_dice", "legal_actions"}


def test_the_end_in_words():
    s = scene("ar c1", "w1 c3 hp1", points=[0, 9])
    take(s, "archers: shoot")
    outcome(s, "player_1 wizard 1", dice="7+ 6- 6- 6- 6+")
    text = GAME.to_text(s, 0)
    assert text.startswith("Game over\n")
    assert "player_0 (you): 4 victory points, reward +1" in text
    assert "player_1: 9 victory points, reward -1" in text
    seen = GAME.to_json(s, 1)
    assert (seen["over"], seen["phase"], seen["seat_to_move"]) == ("terminated", None, None)
    assert [player["out"] for player in seen["players"]] == [False, True]


def told(s, *actions, dice=""):
    """The public events of the last of the actions."""
    outcome(s, *actions, dice=dice)
    return GAME.to_json(s, None)["events"]


def test_events_of_a_cast():
    s = scene("w1 c2 p1", "wa d2, w1 i2", tokens=[4, 2])
    assert told(s, "wizard 1: cast") == ["player_0's wizard 1: cast (3 action tokens left)"]
    assert told(s, "magic missile") == ["player_0's wizard 1: Magic Missile"]
    assert told(s, "player_1 warriors") == ["player_0 chooses as target player_1's warriors"]
    assert told(s, "1 token") == ["player_0's wizard 1: 1 power token, 2 casting dice"]
    assert told(s, "counter with wizard 1", dice="6 8 7 3 5 4") == [
        "player_1's wizard 1: counter with 0 power tokens",
        "player_0 rolls for casting: 6 8 (2 with 6 or more)",
        "player_1 rolls for countering: 7",
        "the 1st casting die cancelled; player_0 casts Magic Missile with power 1",
        "player_0 rolls for missiles: 3, as D5 2: 2",
        "player_0 rolls for wounding: 5 4 (1 with 5 or more)",
        "player_1's warriors: 1 hit point lost, 9 left",
    ]


def test_one_die_and_several_dice_are_cancelled():
    s = scene("w1 c2 p4", "wa d2, w1 i2 p2")
    take(s, "wizard 1: cast", "magic missile", "player_1 warriors", "2 tokens")
    said = told(s, "counter with wizard 1, 1 token", dice="6 8 7 8 7 1 1")
    assert said[3].partition(";")[0] == "the 2nd, 3rd casting dice cancelled"


def test_events_of_spells_and_of_declining():
    s = scene("w1 c2 p1, wa d2 hp5 cap10 f3", "w1 i2")
    take(s, "wizard 1: cast", "healing", "own warriors", "0 tokens")
    assert told(s, "pass", dice="7 3") == [
        "player_1 does not counter",
        "player_0 rolls for casting: 7 (1 with 4 or more)",
        "player_0 casts Healing with power 1",
        "player_0 rolls for healing: 3, as D5 2: 2",
        "player_0's warriors: 2 hit points regained, 7 now",
    ]
    for spell, dice, words in (
        ("energy", "5", "player_0's warriors: fatigue 1 by Energy"),
        ("combat prowess", "8 9", "player_0's warriors: 9 combat dice more"),
        ("unnatural speed", "8", "player_0's warriors: 2 squares further"),
        ("energy", "4", "player_0 casts Energy in vain"),
    ):
        s = scene("w1 c2 p1, wa d2 f3", "w1 i2")
        take(s, "wizard 1: cast", spell, "own warriors", "0 tokens")
        assert told(s, "pass", dice=dice)[-1] == words


def test_events_of_shots_and_breaking():
    s = scene("ar c1 hp1", "ar c3 hp1, w1 i9, wa h9")
    take(s, "archers: shoot", "player_1 archers")
    assert told(s, "shoot back", dice="6 3") == [
        "player_1's archers: shoot back",
        "player_0's archers: morale test, 6 + 3 morale tokens against morale 9: failed",
        "player_0's archers: broken",
        "player_1 rolls for shooting: 3 (0 with 6 or more)",
    ]
    s = scene("ar c1 hp1", "ar c3 hp1, w1 i9, wa h9")
    take(s, "archers: shoot", "player_1 archers")
    assert told(s, "pass", dice="6 4") == [
        "player_1's archers: no shot back",
        "player_0 rolls for shooting: 6 (1 with 6 or more)",
        "player_0 rolls for wounding: 4 (1 with 4 or more)",
        "player_1's archers: 1 hit point lost, 0 left",
        "player_1's archers: destroyed, 2 victory points for player_0",
    ]
    s = scene("ar c1 broken", "w1 i9")
    assert told(s, "archers: rally", dice="3") == [
        "player_0's archers: rally (5 action tokens left)",
        "player_0's archers: rally, 3 + 0 morale tokens against morale 9: passed",
    ]


def test_events_of_a_charge():
    s = scene("w1 c1, ar a9", "gu c3 hp2, w1 i9")
    take(s, "wizard 1: charge", "player_1 guard")
    assert told(s, "c2", dice="7") == [
        "player_0's wizard 1: charge to c2",
        "player_1's guard: morale test, 7 + 3 morale tokens against morale 11: passed",
        "player_0's wizard 1: c1 to c2",
    ]
    assert told(s, "1 dice") == ["player_0 has split the dice"]
    assert told(s, "1 dice", dice="4 1 7 5") == [
        "player_0's wizard 1: 1 die to attack, 1 to defend",
        "player_1's guard: 1 die to attack, 1 to defend",
        "player_0 rolls for defending: 4 (0 with 5 or more)",
        "player_1 rolls for defending: 1 (0 with 2 or more)",
        "player_0 rolls for attacking: 7 (1 with 7 or more)",
        "player_1 rolls for attacking: 5 (1 with 5 or more)",
        "player_1's guard: 1 hit point lost, 1 left",
        "player_0's wizard 1: 1 hit point lost, 7 left",
    ]


def test_events_of_turns_and_of_sides_that_are_out():
    s = scene("w1 c1", "w1 e5", passed=[0, 1], points=[0, 2])
    assert told(s, "pass", dice="3 8") == [
        "player_0 passes for this turn",
        "turn 1 is over",
        "player_1 alone holds the Nexus: 1 victory point, 3 in all",
        "player_0 rolls 3 for the initiative",
        "player_1 rolls 8 for the initiative",
        "turn 2 of 6: player_1 has the initiative",
    ]
    assert told(s, "wizard 1: gather") == [
        "player_1's wizard 1: gather power (7 action tokens left)",
        "player_1's wizard 1: 4 power tokens now",
    ]
    assert GAME.event_text(s, (E_OUT, -1, 1, 0, 0, 0)) == "player_1 has no unit left"
    assert (
        GAME.event_text(s, (E_TURN, -1, 0, 5, 0, 0)) == "turn 6 of 6: player_0 has the initiative"
    )
    with pytest.raises(ValueError, match="99 is no event code"):
        GAME.event_text(s, (99, -1, 0, 0, 0, 0))


def test_every_step_says_something_to_everybody():
    rng = np.random.default_rng(8)
    for count in (2, 4):
        s = GAME.new_state(count)[0]
        GAME.reset(s, np.uint64(count))
        while s.over == RUNNING:
            assert GAME.to_json(s, None)["events"]
            assert s.num_events <= len(s.events)
            GAME.step(s, int(rng.choice(legal_ids(s))))
    assert square("e5") == 40
