"""The game in words and as JSON: actions both ways, events, and that nobody is shown too much."""

import json

import numpy as np
import pytest

from mages_env.engine import RUNNING, TRUNCATED
from mages_env.games.kampf_der_magier import GAME
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP_BALL,
    PLAY_ID,
    TOP_ID,
)

from .scene import change, legal_ids, scene


def table(variant="classic", **options):
    """Seat 0 is to lead, with a 4 on its pile."""
    return scene(["1 2 3", "4 5 6"], piles={0: "9 4"}, variant=variant, **options)


@pytest.mark.parametrize("variant", ["classic", "open_pile"])
def test_every_action_is_understood_in_its_own_words(variant):
    s = table(variant)
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    for action, text in enumerate(texts):
        assert GAME.parse_action(s, text) == action
        assert GAME.parse_action(s, f"#{action}") == action


@pytest.mark.parametrize(
    ("texts", "action"),
    [
        (["3", "play 3", " PLAY a 3. ", "play card 3", "one 3", "1x3", "3 as 3"], PLAY_ID[3, 1, 0]),
        (["3 3", "3, 3", "3+3", "3 and 3", "two 3s", "2x3", "2 x 3", "2 × 3s"], PLAY_ID[3, 2, 0]),
        (["13", "the 13"], PLAY_ID[13, 1, 0]),
        (
            ["5 5 joker", "joker 5 5", "5 j 5", "two 5s and a joker", "2x5 + j"],
            PLAY_ID[5, 2, 1],
        ),
        (["joker as 7", "j as 7", "one joker as 7"], PLAY_ID[7, 0, 1]),
        (["joker joker as 6", "both jokers as 6", "2x joker as 6", "j j as 6"], PLAY_ID[6, 0, 2]),
        (["six 1s", "1 1 1 1 1 1", "6x1"], PLAY_ID[1, 6, 0]),
        (["ball", "b", "Crystal Ball", "play the crystal ball", "one ball"], A_BALL),
        (["take", "t", "take the table", "TAKE"], A_TAKE),
    ],
)
def test_phrasings(texts, action):
    assert {text: GAME.parse_action(table(), text) for text in texts} == dict.fromkeys(
        texts, action
    )


@pytest.mark.parametrize(
    ("texts", "action"),
    [
        (["top", "play top", "the top card", "top as 4"], TOP_ID[4, 0, 0]),
        (["top and 4", "4 top", "top 4", "top and 4 as 4"], TOP_ID[4, 1, 0]),
        (["top and joker", "top j"], TOP_ID[4, 0, 1]),
        (["top and two 4s", "top and 4 4 as 4"], TOP_ID[4, 2, 0]),
        (["top ball", "top crystal ball"], A_TOP_BALL),
    ],
)
def test_phrasings_with_the_top_card(texts, action):
    s = table("open_pile")
    assert {text: GAME.parse_action(s, text) for text in texts} == dict.fromkeys(texts, action)


def test_what_the_top_card_is_need_not_be_said():
    ball = scene(["1", "2"], piles={0: "ball"}, variant="open_pile")
    assert GAME.parse_action(ball, "top") == A_TOP_BALL
    joker = scene(["5 5", "2"], piles={0: "joker"}, variant="open_pile")
    assert GAME.parse_action(joker, "top and 5 5") == TOP_ID[5, 2, 0]
    assert GAME.parse_action(joker, "top as 6") == TOP_ID[6, 0, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no cards named"),
        ("play", "no cards named"),
        ("as 5", "no cards named"),
        ("fly", "'fly' is not understood in 'fly'; say for example '3 3 joker'"),
        ("-3", "'-' is not understood"),
        ("3 #12", "'#' is not understood"),
        ("3 4", "cards played together have one power"),
        ("3 3 as 4", "cards played together have one power"),
        ("joker", "say which power the jokers stand for, as in 'joker as 5'"),
        ("joker as", "lacks a number or a card"),
        ("two", "lacks a number or a card"),
        ("joker as 8", "there is no such play (powers 1 to 13, jokers up to power 7"),
        ("8 joker", "there is no such play"),
        ("0", "there is no such play"),
        ("14", "there is no such play"),
        ("999999999999999999999 x 3", "there is no such play"),
        ("3 3 3 3 3 3 3", "there is no such play"),
        ("joker joker joker as 2", "there is no such play"),
        ("ball ball", "a ball is played alone, and so is a take"),
        ("ball 3", "a ball is played alone"),
        ("ball as 3", "a ball is played alone"),
        ("take 3", "so is a take"),
        ("take top", "so is a take"),
        ("#274", "action ids are #0 to #273, not #274"),
        ("top", "there is no top card to use"),
        ("top and joker", "there is no top card to use"),
    ],
)
def test_what_is_not_understood(text, words):
    s = table()
    before = s.tobytes()
    with pytest.raises(ValueError) as refused:
        GAME.parse_action(s, text)
    assert words in str(refused.value)
    assert s.tobytes() == before


def test_a_joker_on_top_needs_a_power():
    s = scene(["5", "2"], piles={0: "joker"}, variant="open_pile")
    for text in ("top", "top and joker"):
        with pytest.raises(ValueError, match="which power"):
            GAME.parse_action(s, text)


def test_a_play_that_is_not_legal_now_is_refused_by_the_environment():
    # parse_action knows what plays there are; whether one is legal is another question.
    s = scene(["3 9", "2"], table="8", power=8)
    mask = np.zeros(GAME.num_actions, np.int8)
    GAME.legal(s, mask)
    error = GAME.illegal_action("player_0", s, mask, GAME.parse_action(s, "3"))
    assert str(error) == (
        f"player_0: action {PLAY_ID[3, 1, 0]} (play 3) is not legal now; "
        f"legal: {PLAY_ID[9, 1, 0]} (play 9), {A_TAKE} (take the table)"
    )


# Positions.


def middle(**options):
    s = scene(
        ["2 5 ball", "8 8 9", "7 joker"],
        table="3 13",
        power=13,
        piles={1: "1 4"},
        to_move=1,
        dealer=0,
        rounds_done=1,
        collected=[11, 22, 33],
        draw_pile="10 11 12",
        rest_in_pile_of=0,
        **options,
    )
    return s


def test_the_table_for_a_seat():
    assert GAME.to_text(middle(), 1).splitlines() == [
        "Round 2 of 3, dealt by player_0; draw pile 3",
        "Table: 3 13 (power 13)",
        "  player_0: hand 3, pile 40, earlier rounds 11",
        "> player_1 (you): hand 3, pile 2, earlier rounds 22",
        "  player_2: hand 2, pile 0, earlier rounds 33",
        "Your hand: 8 8 9",
    ]


def test_the_table_for_anybody():
    text = GAME.to_text(middle(), None)
    assert text == GAME.to_text(middle(), 1).rpartition("\n")[0].replace(" (you)", "")


def test_the_table_with_open_piles_and_at_the_start_of_a_duel():
    s = scene(["1", "2"], piles={0: "5 joker", 1: "ball"}, variant="open_pile")
    assert GAME.to_text(s, 0).splitlines() == [
        "Round 1 of 2, dealt by player_1; draw pile 50",
        "Table: empty",
        "> player_0 (you): hand 1, pile 2 (top joker)",
        "  player_1: hand 1, pile 1 (top ball)",
        "Your hand: 1",
    ]


def test_the_end_in_words():
    s = scene(["5", "1 1"], draw_pile="", rounds_done=1)
    change(s, "play 5")
    assert GAME.to_text(s, None).splitlines() == [
        "Game over",
        "  player_0: 0 collected in all, reward +1",
        "  player_1: 54 collected in all, reward -1",
    ]
    s = scene(["5 6", "1"], draw_pile="", variant="open_pile", max_turns=1)
    change(s, "play 5")
    assert s.over == TRUNCATED
    assert GAME.to_text(s, None).splitlines()[0] == "Game over at the turn limit"


def test_the_json_view():
    view = GAME.to_json(middle(), 1)
    assert view == json.loads(json.dumps(view))  # plain values only
    assert view == {
        "num_players": 3,
        "deck": "falling",
        "variant": "classic",
        "rounds": 3,
        "max_turns": 0,
        "reward": "rank",
        "rounds_completed": 1,
        "turn": 0,
        "dealer": 0,
        "seat_to_move": 1,
        "over": "no",
        "power": 13,
        "table": ["3", "13"],
        "draw_pile_size": 3,
        "shown": view["shown"],
        "players": [
            {
                "hand_size": hand,
                "pile_size": pile,
                "collected_in_earlier_rounds": earlier,
                "return": 0.0,
            }
            for hand, pile, earlier in ((3, 40, 11), (3, 2, 22), (2, 0, 33))
        ],
        "events": [],
        "seat": 1,
        "hand": ["8", "8", "9"],
        "legal_actions": [
            {"id": int(PLAY_ID[8, 2, 0]), "text": "play 8 8"},
            {"id": A_TAKE, "text": "take the table"},
        ],
    }
    assert len(view["shown"]) == 44


def test_the_json_view_of_others_and_of_anybody():
    mine, waiting, public = (GAME.to_json(middle(), seat) for seat in (1, 2, None))
    assert waiting["hand"] == ["7", "joker"]
    assert set(mine) - set(waiting) == {"legal_actions"}
    assert set(waiting) - set(public) == {"seat", "hand"}
    assert all(mine[name] == value for name, value in public.items())


def test_open_piles_in_json():
    players = GAME.to_json(middle(variant="open_pile"), None)["players"]
    assert players[1]["pile"] == ["1", "4"]
    assert players[2]["pile"] == []


@pytest.mark.rule("KDM-16")
@pytest.mark.parametrize("variant", ["classic", "open_pile"])
def test_text_and_json_show_nothing_hidden(variant):
    """They are the same whatever the others hold."""
    rng = np.random.default_rng(1)
    for count in (2, 4):
        s = GAME.new_state(count, variant=variant)[0]
        GAME.reset(s, np.uint64(count))
        while s.over == RUNNING:
            for seat in range(count):
                other = s.copy()
                GAME.determinize(other, seat, np.uint64(rng.integers(2**32)))
                assert GAME.to_text(other, seat) == GAME.to_text(s, seat)
                assert GAME.to_json(other, seat) == GAME.to_json(s, seat)
                assert GAME.to_text(other, None) == GAME.to_text(s, None)
            GAME.step(s, int(rng.choice(legal_ids(s))))


@pytest.mark.rule("KDM-16")
def test_the_others_do_not_read_which_card_was_drawn():
    s = scene(["1 1 1 1 1 9", "3"], draw_pile="5")
    change(s, "play 9")
    drawn = "player_0 gets 5"
    assert drawn in GAME.to_json(s, 0)["events"]
    for seat in (1, None):
        assert GAME.to_json(s, seat)["events"] == ["player_0 plays 9: power 9", "player_0 draws 1"]


def test_events_in_words():
    s = scene(
        ["7 joker", "1 2", "3"],
        table="8 ball",
        power=8,
        piles={0: "7"},
        draw_pile="",
        rest_in_pile_of=2,
        variant="open_pile",
        rounds_done=1,
    )
    changes = [change(s, action) for action in ("top and joker", "take", "2")]
    assert [[GAME.event_text(s, event) for event in changed["events"]] for changed in changes] == [
        ["player_0 uses the top card, 7", "player_0 plays joker 7: power 14"],
        ["player_1 takes the table: 4 cards"],
        ["player_1 plays 2: power 2"],
    ]
    s = scene(["1", "ball", "1"], table="2", power=2, to_move=1, rounds_done=1, draw_pile="")
    words = [GAME.event_text(s, event) for event in change(s, "ball")["events"]]
    assert words[:6] == [
        "player_1 plays a crystal ball",
        "player_1 has no card left: round 2 is over",
        "player_0 collected 1, 1 in all",
        "player_1 collected 0, 0 in all",
        "player_2 collected 52, 52 in all",
        "round 3: player_0 deals",
    ]
    assert len(words) == 6 + 18
    s = scene(["5 6", "1"], draw_pile="", variant="open_pile", max_turns=1)
    words = [GAME.event_text(s, event) for event in change(s, "5")["events"]]
    assert words[1] == "turn limit: round 1 is scored as it stands"
    with pytest.raises(ValueError, match="99 is no event code"):
        GAME.event_text(s, (99, -1, 0, 0, 0, 0))
