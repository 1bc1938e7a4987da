"""The game in words and as JSON: actions both ways, events, positions."""

import json

import numpy as np
import pytest

from mages_env.engine import ALL
from mages_env.games.tower_of_mages import GAME, state

from .scene import SHEET, do, legal, page, scene
from .test_building import NOWHERE, SIX
from .test_information import middle
from .test_turns import STUCK
from .test_two_players import TOP


def asked_for(asked):
    """A position in which that is asked."""
    if asked in ("split", "group"):
        s = scene(page(), page(), asked="split", common="1 2 3 4 5 6")
        if asked == "group":
            do(s, "1 2 4")
        return s
    rooms = ("Distorter 3 0", "Predictor 6 0", "Light 9 0")
    dice = "1 2 3" if asked in ("build", "market") else ""
    building = "Light" if asked == "place" else ""
    return scene(page(*rooms, mark="Light", dice=dice), asked=asked, building=building)


BLOCKS = {
    "predict": ("predictor", "keep"),
    "split": ("split",),
    "group": ("group",),
    "build": ("room", "library", "stairwell", "reroll", "keep"),
    "place": ("cell",),
    "explode": ("explode",),
    "market": ("reroll", "keep"),
}


@pytest.mark.parametrize("asked", state.PHASES)
def test_every_action_is_understood_in_its_own_words(asked):
    s = asked_for(asked)
    for block in BLOCKS[asked]:
        where = GAME.actions.slice(block)
        for action in range(where.start, where.stop):
            assert GAME.parse_action(s, GAME.action_text(s, action)) == action
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    for action in (0, 17, 18, 240):
        assert GAME.parse_action(s, f"#{action}") == action


@pytest.mark.parametrize(
    ("asked", "texts", "action"),
    [
        ("predict", ["predictor", "Use a Predictor", "the predictor"], state.A_PREDICTOR),
        ("predict", ["keep", "no", "pass", "none"], state.A_KEEP),
        ("split", ["1 2 3", "3 2 1", "4 5 6", "1 2 3 / 4 5 6", "split 6 5 4 / 3 2 1"], 229),
        ("split", ["1 3 5", "6 4 2"], 234),
        ("group", ["group 1", "1", "take 1", "take group 1"], state.A_GROUP),
        ("group", ["group 2", "2"], state.A_GROUP + 1),
        ("build", ["1", "use 1", "use 1 for Fire", "1 Fire", "1 for a fire"], 0),
        ("build", ["2 Library", "use 2 for a Library", "LIBRARY 2"], state.A_LIBRARY + 1),
        ("build", ["3 stairwell", "use die 3 for the Stairwell"], state.A_STAIRWELL + 2),
        ("build", ["reroll 3", "Reroll 3!"], state.A_REROLL + 2),
        ("place", ["3 0", "3, 0", "column 3, row 0", "row 0, column 3", "(3, 0)"], 18 + 3),
        ("place", ["12 14", "build at column 12, row 14"], 18 + 12 + 13 * 14),
        ("explode", ["Fire", "explode fire", "explode the Fire"], state.A_EXPLODE + 1),
        ("explode", ["Distorter"], state.A_EXPLODE + 7),
        ("market", ["reroll 2", "2"], state.A_REROLL + 1),
        ("market", ["keep", "keep the dice", "fill"], state.A_KEEP),
    ],
)
def test_phrasings(asked, texts, action):
    s = asked_for(asked)
    found = {text: GAME.parse_action(s, text) for text in texts}
    assert found == dict.fromkeys(texts, action)


@pytest.mark.parametrize(
    ("asked", "text", "words"),
    [
        ("predict", "Distorter", "say 'Predictor' or 'keep', or '#12', an action id"),
        ("predict", "", "'' is not understood"),
        ("split", "1 2", "the three dice of a group, as in '1 3 5'"),
        ("split", "1 1 2", "is not understood"),
        ("split", "1 2 3 / 4 5 5", "is not understood"),
        ("group", "group 3", "'group 1' or 'group 2'"),
        ("build", "7", "'7' is not understood; say '4' for the room that die leads to"),
        ("build", "0", "is not understood"),
        ("build", "1 Water", "is not understood"),
        ("build", "1 2", "is not understood"),
        ("build", "fly", "is not understood"),
        ("place", "3", "column and row of the base cell, as in '3 0' or 'column 3, row 0'"),
        ("place", "13 0", "is not understood"),
        ("place", "0 15", "is not understood"),
        ("explode", "Library", "an icon, as in 'Fire'"),
        ("market", "7", "'reroll 4' or 'keep'"),
        ("build", "#241", "action ids are #0 to #240, not #241"),
    ],
)
def test_what_is_not_understood(asked, text, words):
    s = asked_for(asked)
    before = s.tobytes()
    with pytest.raises(ValueError) as refused:
        GAME.parse_action(s, text)
    assert words in str(refused.value)
    assert s.tobytes() == before


def ended():
    s = scene(page(*NOWHERE, mark="Dark", dice="1", hourglasses=14, eyes=7, bonus=25))
    do(s, "1")
    return s


def test_once_over_there_is_nothing_to_say():
    s = ended()
    with pytest.raises(ValueError, match="the game is over"):
        GAME.parse_action(s, "keep")
    assert legal(s) == set()
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions


@pytest.mark.rule("TOM-08")
def test_an_action_that_is_not_legal_is_refused_in_words():
    s = scene(page("Tower Cap 6 0", mark="Light"), asked="place", building="Light")
    mask = np.zeros(GAME.num_actions, np.int8)
    GAME.legal(s, mask)
    error = GAME.illegal_action("player_0", s, mask, GAME.parse_action(s, "6 0"))
    assert str(error) == (
        "player_0: action 24 (build at column 6, row 0) is not legal now; "
        "legal: 21 (build at column 3, row 0), 27 (build at column 9, row 0)"
    )


# Positions.

PLAN = """\
14 |.  .  .  .  .  .  .  .  .  .  .  .  .  |   Rooms           Market
13 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Light           -2    -2   [-2]   -2    -2    -2
12 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Fire            -1    -1    x     -1    -1    -1
11 |.  .  .  .  .  .  .  .  .  .  .  .  .  |   > Air             0     0     x     0     0     0
10 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Water           +1    +1    x     +1    +1    +1
 9 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Earth          [+2]   +2    x     +2    +2    +2
 8 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Dark            x     +1    x     +1    +1   [+1]
 7 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Explosion       x     0     x     0    [0]    x
 6 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Laboratory      x     -1    x    [-1]   x     x
 5 |.  .  .  .  .  .  .  .  .  .  .  .  .  |     Predictor       x    [-2]   x     x     x     x
 4 |.  .  .  +  .  .  .  .  .  .  .  .  .  |     Distorter     Light  Fire  Air  Water Earth  Dark
 3 |.  .  .  B  .  .  +  .  +  .  .  .  .  |     Tower Cap       1     2     3     4     5     6
 2 |.  .  .  B  .  .  S--S--S  .  .  .  .  |     Observatory
 1 |.  .  .  l  .  .  F--F  +  .  .  .  .  |     Explosion
 0 |.  .  .  l  .  .  F  .  P--P  .  .  .  |
   +---------------------------------------+
    0  1  2  3  4  5  6  7  8  9  10 11 12
Icons: Light 1, Fire 1, Predictor 1; for buildings 13 points
Laboratories' icons: Light at (3, 2)
"""


@pytest.mark.rule("TOM-03", "TOM-04")
def test_the_page_in_words():
    text = GAME.to_text(scene(middle()), 0)
    assert text.startswith(
        "> player_0: 13 points, turn 4, dice 2 2 5\n"
        f"Time: x x* x 4o 5 6o 7 8o 9 10o 11 12o 13 14o 15\n{PLAN}"
    )
    assert text.endswith("player_0: use a die of 2 2 5 (2 Earth, 5 Laboratory)")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("predict", "player_0: use a Predictor before the dice are thrown?"),
        ("split", "player_0: split 1 2 3 4 5 6 into two groups"),
        ("group", "player_1: take group 1 (1 2 4) or group 2 (3 5 6)"),
        ("build", "player_0: use a die of 1 2 3 (1 Fire, 2 Air, 3 Water)"),
        ("place", "player_0: where is the Light built?\n +\n L\n[L]"),
        ("explode", "player_0: which icon is crossed out by the Explosion?"),
        ("market", "player_0: reroll one of 1 2 3 before they fill the market?"),
    ],
)
def test_what_is_asked_in_words(asked, words):
    assert GAME.to_text(asked_for(asked), 0).endswith(words)


@pytest.mark.rule("TOM-12")
def test_that_no_die_can_be_used_is_said():
    text = GAME.to_text(scene(page(*STUCK, mark="Light", dice="1 2 3")), 0)
    assert text.endswith(
        "player_0: no die of 1 2 3 can be used: reroll one, or keep them and end the page?"
    )


@pytest.mark.rule("TOM-21")
def test_two_pages_in_words():
    pages = [middle(dice=""), page(*NOWHERE, ended="top", eyes=7, hourglasses=4, bonus=6)]
    s = scene(*pages, asked="place", building="Light")
    lines = GAME.to_text(s, 1).splitlines()
    heads = [line for line in lines if "player_" in line]
    assert heads == [
        "> player_0: 13 points, turn 4",
        "  player_1 (you): 6 points, ended, the top row is reached",
        "player_0: where is the Light built?",
    ]
    times = [line for line in lines if line.startswith("Time:")]
    assert times[1] == "Time: x x* x x* 5 6* 7 8* 9 10* 11 12* 13 14* 15"
    assert GAME.to_text(s, None) == GAME.to_text(s, 1).replace(" (you)", "")


def test_the_end_in_words():
    text = GAME.to_text(ended(), 0)
    assert text.endswith("Game over; rewards: player_0 +0.5")
    assert "  player_0: 25 points, ended, time is up\n" in text


def test_the_json_view():
    s = scene(middle())
    seen = GAME.to_json(s, 0)
    assert seen == json.loads(json.dumps(seen))  # plain values only
    assert seen == {
        "num_players": 1,
        "reward": "score",
        "turn": 0,
        "seat_to_move": 0,
        "over": "no",
        "asked": "build",
        "building": None,
        "roller": None,
        "common_dice": [],
        "groups": None,
        "pages": [
            {
                "points": 13,
                "points_for_buildings": 13,
                "ended": None,
                "return": 0.0,
                "dice": [2, 2, 5],
                "mark": {"row": 2, "room": "Air"},
                "hourglasses": {"crossed_out": 3, "of": 15},
                "eyes": {"crossed_out": 1, "of": 7},
                "market": {
                    "Light": {"filled": 4, "value": 2},
                    "Fire": {"filled": 0, "value": -2},
                    "Air": {"filled": 8, "value": -2},
                    "Water": {"filled": 1, "value": -1},
                    "Earth": {"filled": 2, "value": 0},
                    "Dark": {"filled": 3, "value": 1},
                },
                "icons": {
                    "Light": 1,
                    "Fire": 1,
                    "Air": 0,
                    "Water": 0,
                    "Earth": 0,
                    "Dark": 0,
                    "Predictor": 1,
                    "Distorter": 0,
                },
                "pieces": [
                    piece("Light", 3, 0, None, "Light", True),
                    piece("Laboratory", 3, 2, 0, "Light"),
                    piece("Fire", 6, 0, None, "Fire"),
                    piece("Predictor", 9, 0, None, "Predictor"),
                    piece("Stairwell", 7, 2, 2, None),
                ],
                "free_dots": seen["pages"][0]["free_dots"],
            }
        ],
        "events": [],
        "seat": 0,
        "legal_actions": [
            {"id": 1, "text": "use 2 for Earth"},
            {"id": 4, "text": "use 5 for Laboratory"},
            {"id": 13, "text": "use 2 for Stairwell"},
            {"id": 16, "text": "use 5 for Stairwell"},
        ],
    }
    dots = [(dot["column"], dot["row"]) for dot in seen["pages"][0]["free_dots"]]
    assert sorted(dots) == [(3, 4), (6, 3), (8, 1), (8, 3)]


def piece(room, column, row, below, icon, crossed=False):
    place = {"room": room, "column": column, "row": row}
    return {**place, "stands_on": below, "icon": icon, "crossed_out": crossed}


@pytest.mark.rule("TOM-21")
def test_the_json_view_of_the_other_and_of_anybody():
    s = asked_for("group")
    mine, waiting, public = (GAME.to_json(s, seat) for seat in (1, 0, None))
    assert set(mine) - set(waiting) == {"legal_actions"}
    assert set(waiting) - set(public) == {"seat"}
    assert all(mine[name] == value for name, value in public.items())
    assert public["groups"] == [[1, 2, 4], [3, 5, 6]]
    assert public["common_dice"] == [1, 2, 3, 4, 5, 6] and public["roller"] == 0
    assert public["events"] == ["player_0 splits them: group 1 is 1 2 4, group 2 is 3 5 6"]
    assert GAME.to_json(asked_for("place"), 0)["building"] == "Light"
    over = GAME.to_json(ended(), None)
    assert (over["over"], over["asked"], over["seat_to_move"]) == ("terminated", None, None)
    assert over["pages"][0]["ended"] == "time is up" and over["pages"][0]["return"] == 0.5


# Events.


def words(s, action):
    do(s, action)
    return GAME.to_json(s, None)["events"]


def test_a_turn_in_words():
    made = page("Light 3 0", "Predictor 6 0", mark="Light", dice="6 3", hourglasses=1)
    s = scene(made, coming="1 2 2")
    assert words(s, "3") == ["player_0 uses 3: row 3, Water"]
    assert words(s, "3 2") == ["Water stands on Light at column 3, row 2"]
    assert words(s, "6") == ["player_0 uses 6: row 9, Distorter"]
    assert words(s, "9 0") == [
        "Distorter stands on the ground at column 9, row 0",
        "player_0 crosses out hourglass 2",
        "player_0 crosses out eye 1 and throws 1 2 2 for the market",
    ]
    assert words(s, "reroll 1")[:2] == [
        "player_0 crosses out Distorter at column 9, row 0",
        f"player_0 rerolls 1: {GAME.to_json(s, None)['events'][1][-1]}",
    ]


def test_setting_up_in_words():
    s = GAME.new_state(2)[0]
    GAME.reset(s, np.uint64(0))
    market = [SHEET.table[die - 1] for die in event_dice(s, 0)]
    lines = GAME.to_json(s, None)["events"]
    assert lines[0] == (
        f"player_0 fills the columns of {market[0]}, {market[1]} and {market[2]} "
        f"and marks {SHEET.table[s.mark[0]]}"
    )
    assert lines[2] == f"player_{s.roller} is the first to throw the common dice"
    thrown = " ".join(str(die) for die in s.common)
    assert lines[3] == f"player_{s.roller} throws {thrown} for both"


def event_dice(s, k):
    return [int(digit) for digit in str(s.events[k, 3])]


def test_rooms_with_effects_in_words():
    s = scene(page(*SIX, mark="Dark", dice="2 2 2"))
    assert words(s, "2 Library") == ["player_0 uses 2: row 7, Laboratory, for a Library instead"]
    assert words(s, "4 4") == [
        "Library stands on Fire at column 4, row 4",
        "player_0 gets 10 for the Library",
        "player_0 crosses out Light at column 3, row 0",
        "player_0 crosses out Fire at column 3, row 2",
        "player_0 crosses out Air at column 6, row 0",
        "player_0 crosses out Water at column 7, row 2",
        "player_0 crosses out Earth at column 9, row 0",
        "player_0 crosses out Dark at column 10, row 2",
    ]
    s = scene(page("Fire 3 0", dice="1"), asked="place", building="Laboratory")
    assert words(s, "4 2")[1] == "the Laboratory takes the icon Fire"
    s = scene(page("Fire 3 0", dice="1"), asked="place", building="Laboratory")
    assert words(s, "6 0")[1] == "the Laboratory takes no icon"
    s = scene(page("Fire 3 0 x", "Laboratory 4 2", mark="Dark", dice="1 1"))
    assert words(s, "1") == ["player_0 uses 1: row 6, Explosion"]
    assert words(s, "fire") == ["player_0 crosses out Fire of the Laboratory at column 4, row 2"]
    s = scene(page("Tower Cap 3 0", mark="Dark", dice="1 2"))
    assert words(s, "1") == ["player_0 uses 1: row 6, Explosion", "the Explosion finds no icon"]


def test_keeping_in_words():
    assert words(asked_for("predict"), "keep")[0] == "player_0: keep the Predictors"
    assert words(asked_for("market"), "keep") == [
        "player_0: keep the dice",
        "player_0 fills the columns of Light, Fire and Air",
    ]
    lines = words(scene(page(*STUCK, mark="Light", dice="1 2 3", eyes=7)), "keep")
    assert lines[:2] == [
        "player_0: keep the dice and end the page",
        "player_0 ends: nothing can be built",
    ]


def test_the_ends_in_words():
    assert GAME.to_json(ended(), None)["events"][-3:] == [
        "player_0 crosses out hourglass 15",
        "player_0 ends: time is up",
        "player_0 has 25 points",
    ]
    s = scene(page(*TOP, eyes=7), asked="place", building="Light")
    assert words(s, "4 13")[1] == "player_0 ends: the top row is reached"


def test_two_players_in_words():
    s = asked_for("group")
    assert words(s, "group 2") == ["player_1 takes group 2, 3 5 6, and leaves 1 2 4"]
    with pytest.raises(ValueError, match="99 is no event code"):
        GAME.event_text(None, (99, ALL, 0, 0, 0, 0))


def test_own_dice_in_words():
    made = page("Light 3 0", mark=0)
    s = scene(made, asked="place", building="Light", coming="3 4 4")
    assert words(s, "6 0")[1:] == ["player_0 crosses out hourglass 1", "player_0 throws 3 4 4"]
