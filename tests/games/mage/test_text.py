"""The game in words and as JSON: actions both ways, events, and what is not understood."""

import json

import numpy as np
import pytest

from mages_env.engine import RUNNING
from mages_env.games.mage import GAME
from mages_env.games.mage.state import (
    A_ATTACH,
    A_ATTACK,
    A_CASH,
    A_DAMAGE,
    A_DONE,
    A_DRAW,
    A_DROP,
    A_DUEL,
    A_HAND_DISCARD,
    A_HEAL,
    A_JOKER,
    A_RETURN,
    A_ROYAL,
    A_TAKE,
)

from .scene import cards, change, legal_ids, scene

ROYALS = ["JH", "QH", "KH", "JS", "QS", "KS", "JC", "QC", "KC", "JD", "QD", "KD"]


def table(**options):
    """Seat 2 of 3 to act."""
    return scene(["", "", ""], active=2, **options)


def test_every_action_is_understood_in_its_own_words():
    s = GAME.new_state(6)[0]
    GAME.reset(s, np.uint64(5))
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions == 869
    for action, text in enumerate(texts):
        assert GAME.parse_action(s, text) == action
        assert GAME.parse_action(s, f"#{action}") == action


@pytest.mark.parametrize("count", [2, 3])
def test_players_who_do_not_play_are_not_named(count):
    s = GAME.new_state(count)[0]
    GAME.reset(s, np.uint64(5))
    texts = [GAME.action_text(s, action) for action in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    named = [text for text in texts if "player_" in text]
    assert len(named) == 32 * count  # 10 hearts, 10 clubs, 12 royals


def royal(name):
    return ROYALS.index(name)


def attach(card, target):
    return A_ATTACH + cards(card)[0] * 12 + royal(target)


@pytest.mark.parametrize(
    ("texts", "action"),
    [
        (["play QS", "QS", "play the queen of spades", "Queen of Spades"], A_ROYAL + royal("QS")),
        (["KD", "play K♦", "king of diamonds"], A_ROYAL + royal("KD")),
        (["drop 5D", "drop the 5D into the Mine", "drop five of diamonds"], A_DROP + 4),
        (["draw with AD", "draw AD", "draw a card with the ace of diamonds"], A_DRAW),
        (
            ["discard 10D into the vault", "cash 10D", "discard 10D", "10 of diamonds cash"],
            A_CASH + 9,
        ),
        (["put 4H on KC", "4H on KC", "attach 4H to KC", "4♥ KC"], attach("4H", "KC")),
        (["put AS on JH", "arm AS on JH"], attach("AS", "JH")),
        (
            ["put 10C on QD", "curse 10C QD", "10 of clubs on queen of diamonds"],
            attach("10C", "QD"),
        ),
        (["heal player_2 with 4H", "heal me with 4H", "4H player 2", "4H on me"], A_HEAL + 3 * 6),
        (["heal player_0 with 4H", "4H for player_0", "heal player0 4H"], A_HEAL + 3 * 6 + 1),
        (["damage player_1 with 9C", "9C player_1", "9C on player 1"], A_DAMAGE + 8 * 6 + 2),
        (["return with 8S", "return 8S"], A_RETURN + 7),
        (["take KD", "take the king of diamonds from the Abyss"], A_TAKE + cards("KD")[0]),
        (["take joker 2", "take joker2"], A_TAKE + 53),
        (["take joker 1", "take joker"], A_TAKE + 52),
        (["put joker on KC", "joker KC", "joker 2 on KC", "KC joker 1"], A_JOKER + royal("KC")),
        (["attack player_0 with QH", "QH attacks player_0"], A_ATTACK + royal("QH") * 6 + 1),
        (
            ["duel KC with QH", "QH duels KC", "duel the KC with my queen of hearts"],
            A_DUEL + royal("QH") * 12 + royal("KC"),
        ),
        (["discard 9C from the hand", "discard 9C"], A_HAND_DISCARD + cards("9C")[0]),
        (["discard 9D from the hand"], A_HAND_DISCARD + cards("9D")[0]),
        (["done", "pass", "end turn", "END the phase", " Done. "], A_DONE),
    ],
)
def test_phrasings(texts, action):
    s = table()
    assert {text: GAME.parse_action(s, text) for text in texts} == dict.fromkeys(texts, action)


def test_a_diamond_is_discarded_from_the_hand_where_that_is_asked():
    hand = "AH 2H 3H 4H 5H 6H 7H 9D"
    s = scene([hand, ""], phase="discard")
    assert GAME.parse_action(s, "discard 9D") == A_HAND_DISCARD + cards("9D")[0]


def test_the_only_opponent_need_not_be_named():
    s = scene(["", "", ""], phase="attack", courts=["KH", "", ""], out=(1,))
    assert GAME.parse_action(s, "attack with KH") == A_ATTACK + royal("KH") * 6 + 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no card and nothing to do is named; say for example 'play QH'"),
        ("fly", "'fly' is not understood in 'fly'; say for example"),
        ("play 11H", "'11h' is not understood"),
        ("5H", "5H: say what it is for"),
        ("drop 5H", "5H cannot do that"),
        ("draw with KD", "KD cannot do that"),
        ("heal player_1 with 5S", "5S cannot do that"),
        ("damage player_1 with 5H", "5H cannot do that"),
        ("heal with 5H", "names too much or too little"),
        ("return 5C", "5C cannot do that"),
        ("heal player_7 with 5H", "the players are player_0 to player_2"),
        ("put 5H on 6H", "needs a jack, queen or king as its target"),
        ("joker", "names too much or too little"),
        ("attack player_1 with 5H", "5H cannot do that"),
        ("attack with KH", "names too much or too little"),
        ("duel KC", "names too much or too little"),
        ("duel 5H with QH", "needs a jack, queen or king as its target"),
        ("take", "names too much or too little"),
        ("done KH", "names too much or too little"),
        ("#869", "action ids are #0 to #868, not #869"),
    ],
)
def test_what_is_not_understood(text, words):
    s = table()
    before = s.tobytes()
    with pytest.raises(ValueError) as refused:
        GAME.parse_action(s, text)
    assert words in str(refused.value)
    assert s.tobytes() == before


def test_an_action_that_is_not_legal_now_is_refused_by_the_environment():
    s = scene(["KD", ""], vault=2)
    mask = np.zeros(GAME.num_actions, np.int8)
    GAME.legal(s, mask)
    error = GAME.illegal_action("player_0", s, mask, GAME.parse_action(s, "play KD"))
    assert str(error) == ("player_0: action 11 (play KD) is not legal now; legal: 868 (done)")


# Positions.


def duels(**also):
    return scene(
        ["", "AH", "3C JC"],
        known=["", "5S", "QC"],
        courts=[
            "",
            "KH+10S tipped attacks 2, JD fresh",
            "QD+5H+4C duels KH, KS tipped damage 1, JS",
        ],
        mine="2D 9D",
        abyss="7C joker2",
        life=[-4, 12, 75],
        vault=[0, 22, 4],
        phase="duels",
        active=1,
        to_move=2,
        starter=2,
        turn=30,
        diamond_used=True,
        out=(0,),
        **also,
    )


def test_the_table_for_a_seat():
    s = duels()
    assert GAME.to_text(s, 2).splitlines() == [
        "Turn 31, player_1's: duels; deck 37, Mine 11",
        "Abyss: 7C joker 2",
        "  player_0: life -4, reward -1",
        "  player_1: life 12, vault 22, hand 2 (5S known)",
        "      KH 13/13 with 10S, tipped, attacks player_2",
        "      JD 1/1, played this turn",
        "> player_2 (you): life 75, vault 4, hand 3 (QC known)",
        "      JS 1/1",
        "      KS 3/2, damage 1, tipped",
        "      QD 0/3 with 5H 4C, duels KH",
        "Your hand: 3C JC QC",
    ]


def test_the_table_for_anybody():
    s = duels()
    assert GAME.to_text(s, None) == GAME.to_text(s, 2).rpartition("\n")[0].replace(" (you)", "")


def test_the_table_while_a_card_returns():
    s = scene(["7S", ""], abyss="AH", vault=9)
    change(s, "return with 7S")
    assert GAME.to_text(s, 1).splitlines()[:3] == [
        "Turn 3, player_0's: first play phase; deck 52, Mine 0",
        "7S returns a card from the Abyss",
        "Abyss: AH 7S",
    ]


def test_the_end_in_words():
    s = scene(["5C 6H", "AH"], courts=["KH", ""], life=[1, 5], vault=7)
    change(s, "damage player_1 with 5C")
    lines = GAME.to_text(s, None).splitlines()
    assert [lines[0], *lines[-2:]] == [
        "Game over",
        "  player_0: life 1, reward +1",
        "  player_1: life 0, reward -1",
    ]
    s = scene(["", ""], phase="second", turn=0, max_turns=1)
    change(s, "done")
    assert GAME.to_text(s, 0).splitlines()[0] == "Game over at the turn limit"


def test_the_json_view():
    view = GAME.to_json(duels(), 2)
    assert view == json.loads(json.dumps(view))  # plain values only
    assert len(view.pop("unseen")) == 54 - 3 - 5 - 3 - 2 - 2 - 1
    plain = {"damage": 0, "attached": [], "tipped": False, "played_this_turn": False}
    plain |= {"attacks": None, "duels": None}
    assert view == {
        "num_players": 3,
        "max_turns": 300,
        "reward": "rank",
        "turn": 30,
        "starting_player": 2,
        "active_player": 1,
        "seat_to_move": 2,
        "phase": "duels",
        "diamond_used": True,
        "returning_spade": None,
        "over": "no",
        "mine": ["2D", "9D"],
        "mine_value": 11,
        "deck_size": 37,
        "abyss": ["7C", "joker 2"],
        "abyss_size": 2,
        "surely_in_hands": [],
        "players": [
            {
                "in": False,
                "life": -4,
                "vault": 0,
                "hand_size": 0,
                "known_in_hand": [],
                "court": [],
                "return": -1.0,
            },
            {
                "in": True,
                "life": 12,
                "vault": 22,
                "hand_size": 2,
                "known_in_hand": ["5S"],
                "court": [
                    plain
                    | {"royal": "KH", "attack": 13, "health": 13, "attached": ["10S"]}
                    | {"tipped": True, "attacks": 2},
                    plain | {"royal": "JD", "attack": 1, "health": 1, "played_this_turn": True},
                ],
                "return": 0.0,
            },
            {
                "in": True,
                "life": 75,
                "vault": 4,
                "hand_size": 3,
                "known_in_hand": ["QC"],
                "court": [
                    plain | {"royal": "JS", "attack": 1, "health": 1},
                    plain | {"royal": "KS", "attack": 3, "health": 3, "damage": 1, "tipped": True},
                    plain
                    | {"royal": "QD", "attack": 0, "health": 3, "attached": ["5H", "4C"]}
                    | {"duels": "KH"},
                ],
                "return": 0.0,
            },
        ],
        "events": [],
        "seat": 2,
        "hand": ["3C", "JC", "QC"],
        "legal_actions": [
            {"id": A_DUEL + royal("JS") * 12 + royal("KH"), "text": "duel KH with JS"},
            {"id": A_DONE, "text": "done"},
        ],
    }


def test_the_json_view_of_others_and_of_anybody():
    mine, waiting, public = (GAME.to_json(duels(), seat) for seat in (2, 1, None))
    assert waiting["hand"] == ["AH", "5S"]
    assert set(mine) - set(waiting) == {"legal_actions"}
    assert set(waiting) - set(public) == {"seat", "hand", "unseen"}
    assert all(mine[name] == value for name, value in public.items())
    assert {"AH"} == set(mine["unseen"]) - set(waiting["unseen"])


# Events.


def told(s, *actions):
    """What everybody hears, action by action, and what the seats themselves get."""
    heard = []
    for action in actions:
        change(s, action)
        heard.append(GAME.to_json(s, None)["events"])
    return heard


def test_events_of_cards_in_words():
    s = scene(
        ["AD 4H 5H 3S 5S 2C 7C joker1", "6H"],
        courts=["JH", "QD+2S, KS"],
        deck="9H 8H",
        vault=40,
    )
    assert told(
        s,
        *("draw with AD", "heal me with 4H", "put 3S on JH", "put 2C on QD"),
        *("damage player_1 with 7C", "joker KS", "return with 5S", "take AH"),
    ) == [
        ["player_0 gives AD to draw a card", "player_0 draws 1; 1 left in the deck"],
        ["player_0 heals player_0 with 4H: life 34"],
        ["player_0 puts 3S on JH"],
        ["player_0 puts 2C on QD", "clubs and spades on QD cancel out"],
        ["player_0 damages player_1 with 7C: life 23"],
        ["player_0 plays a joker on KS", "KS of player_1 goes to the Abyss"],
        ["player_0 plays 5S to return a card"],
        ["player_0 takes AH from the Abyss"],
    ]


def test_events_of_turns_and_fights_in_words():
    s = scene(
        ["QS 3D", "AC 2C 3C 4C 5C 6C 7C", ""],
        courts=["KH, JH, JD", "QD", ""],
        vault=2,
        deck="9H",
        abyss="10H 10C",
        life=[30, 30, 1],
    )
    assert told(
        s,
        *("play QS", "drop 3D", "done", "attack player_1 with KH", "attack player_2 with JH"),
        *("done", "duel KH with QD", "done", "done", "done", "discard 7C"),
    )[:8] == [
        ["player_0 plays QS into the court"],
        ["player_0 drops 3D into the Mine"],
        ["player_0 is done: first play phase"],
        ["KH of player_0 attacks player_1"],
        ["JH of player_0 attacks player_2"],
        ["player_0 is done: attack phase"],
        [
            "QD of player_1 duels KH",
            "JH hits player_2 for 1: life 0",
            "KH of player_0 takes 2 damage",
            "QD of player_1 takes 3 damage",
            "QD of player_1 goes to the Abyss",
            "player_2 is out",
            "deck and Abyss are shuffled together: 42 cards",
        ],
        [
            "player_0 is done: second play phase",
            "player_1's turn: royals untip, vault 3",
            "player_1 draws 1; 41 left in the deck",
        ],
    ]


def test_events_of_the_end_in_words():
    s = scene(["AH 2H 3H 4H 5H 6H 7H 9D", ""], phase="discard", turn=4, max_turns=5)
    assert told(s, "discard 9D") == [
        ["player_0 discards 9D", "turn limit: those still in are ranked by life"]
    ]
    s = scene(["5C", ""], life=[9, 5], vault=5)
    assert told(s, "damage player_1 with 5C")[0][1:] == [
        "player_1 is out",
        "player_0 is the last one in and wins",
    ]


def test_events_of_the_deck_in_words():
    s = scene(["", ""], deck="9H", phase="second")
    assert told(s, "done") == [
        [
            "player_0 is done: second play phase",
            "player_1's turn: royals untip, vault 0",
            "player_1 draws 1; 0 left in the deck",
            "the Abyss is shuffled into a new deck: 53 cards",
        ]
    ]
    assert "player_1 gets 9H" in GAME.to_json(s, 1)["events"]
    empty = (3, -1, 1, 0, 0, 0)
    assert GAME.event_text(s, empty) == "player_1 draws nothing: deck and Abyss are empty"
    with pytest.raises(ValueError, match="99 is no event code"):
        GAME.event_text(s, (99, -1, 0, 0, 0, 0))


def test_words_for_everything_that_happens():
    """Whole games: every legal action and every event has words, every action's are taken back."""
    rng = np.random.default_rng(1)
    for count in (2, 4):
        s = GAME.new_state(count)[0]
        GAME.reset(s, np.uint64(count))
        while s.over == RUNNING:
            actions = legal_ids(s)
            for action in actions:
                assert GAME.parse_action(s, GAME.action_text(s, action)) == action
            GAME.step(s, int(rng.choice(actions)))
            assert all(GAME.to_json(s, None)["events"])
