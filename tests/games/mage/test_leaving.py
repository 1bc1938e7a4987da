"""Who is out, what becomes of their cards, who has won, and the turn limit."""

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.games.mage import GAME
from mages_env.games.mage.state import (
    E_DAMAGE,
    E_DISCARD,
    E_DONE,
    E_DRAW,
    E_FALL,
    E_HIT,
    E_LIMIT,
    E_OUT,
    E_SHUFFLE,
    E_TURN,
    E_WIN,
)

from .scene import act, cards, change, event, gets, legal, legal_ids, scene, view, words

FIRST, ATTACK, DUELS, SECOND, DISCARD = range(5)


def joined(*places):
    return words(card for place in places for card in cards(place))


@pytest.mark.rule("MAG-24", "ALL-06")
def test_a_player_without_life_is_out():
    # Hand and court go to the Abyss with all that is attached, whoever played it; what it put on
    # others and into the Mine stays; then all is shuffled into the deck.
    s = scene(
        ["5C", "AH 10D", "QC"],
        known=["", "joker1", ""],
        courts=["KH+2S", "JD+4H tipped, QS", "KS+3S"],
        mine="2D",
        abyss="9C 9H",
        life=[30, 5, 30],
        vault=[6, 3, 0],
        diamond_used=True,
    )
    everything = joined(view(s)["deck"], "9C 9H 5C AH 10D joker1 JD 4H QS")
    act(
        s,
        "damage player_1 with 5C",
        hand_0="",
        hand_1="",
        known_1="",
        court_1="",
        abyss="",
        deck=everything,
        life=[30, 0, 30],
        vault=[1, 3, 0],
        rewards=[0, -1, 0],
        returns=[0, -1, 0],
        terminated=[0, 1, 0],
        events=[
            event(E_DAMAGE, 0, "5C", 1, 0),
            event(E_OUT, 1),
            event(E_FALL, 1, "QS"),
            event(E_FALL, 1, "JD"),
            event(E_SHUFFLE, -1, len(everything.split()), 1),
        ],
    )
    # The turn goes on; the others play on.
    assert legal(s) == {"done"}
    change(s, "done")
    assert s.phase == ATTACK and legal(s) == {"attack player_2 with KH", "done"}
    change(s, "done")
    act(
        s,
        "done",
        phase="first",
        active=2,
        to_move=2,
        turn=3,
        diamond_used=False,
        vault=[0, 3, 2],
        events=[
            event(E_DONE, 0, SECOND),
            event(E_TURN, 2, 2),
            gets(2),
            event(E_DRAW, 2, 1, s.deck_size - 1),
        ],
    )


@pytest.mark.rule("MAG-24")
@pytest.mark.parametrize(("life", "out"), [(6, False), (5, True), (2, True)])
def test_life_of_nothing_or_less(life, out):
    s = scene(["5C", "", ""], life=[30, life, 30], vault=5)
    change(s, "damage player_1 with 5C")
    assert (s.terminated[1] == 1) == out and s.life[1] == life - 5 and s.over == RUNNING


@pytest.mark.rule("MAG-24")
def test_the_shuffle_takes_the_deck_however_many_cards_are_left():
    s = scene(["5C", "AH", ""], deck="KD", life=[30, 1, 30], vault=5)
    in_abyss = view(s)["abyss"]
    change(s, "damage player_1 with 5C")
    assert view(s)["deck"] == joined(in_abyss, "KD 5C AH") and view(s)["abyss"] == ""


@pytest.mark.rule("MAG-24", "MAG-15")
def test_cards_on_royals_of_others_stay_though_they_are_curses_of_the_dead():
    s = scene(["", "3C", "5C"], courts=["KH+2H", "", ""], life=[30, 5, 30], vault=3, active=1)
    change(s, "put 3C on KH")
    change(s, "done")
    change(s, "done")
    s.vault[2] = 5
    change(s, "damage player_1 with 5C")
    assert s.terminated[1] and view(s)["court_0"] == "KH+2H+3C 0/2"


@pytest.mark.rule("MAG-24", "MAG-23", "MAG-25")
def test_two_out_at_once_share_their_places():
    # Four players; 1 and 3 fall to attacks of one phase, 2 survives. One shuffle.
    s = scene(
        ["", "AH", "2H", "3H"],
        courts=["KH, QH, JH", "QD", "KD", "JD"],
        phase="attack",
        life=[30, 3, 30, 2],
        abyss="",
    )
    for attack in ("attack player_1 with KH", "attack player_3 with QH", "attack player_2 with JH"):
        change(s, attack)
    assert s.seat == 1
    change(s, "done")
    change(s, "done")
    deck = joined(view(s)["deck"], "AH 3H QD JD")
    act(
        s,
        "done",
        phase="second",
        to_move=0,
        life=[30, 0, 29, 0],
        hand_1="",
        hand_3="",
        court_0="JH 1/1 tipped, QH 2/2 tipped, KH 3/3 tipped",
        court_1="",
        court_3="",
        deck=deck,
        rewards=[0, pytest.approx(-2 / 3), 0, pytest.approx(-2 / 3)],
        returns=[0, pytest.approx(-2 / 3), 0, pytest.approx(-2 / 3)],
        terminated=[0, 1, 0, 1],
        events=[
            event(E_DONE, 3, DUELS),
            event(E_HIT, 2, "JH", 1, 29),
            event(E_HIT, 3, "QH", 2, 0),
            event(E_HIT, 1, "KH", 3, 0),
            event(E_OUT, 1),
            event(E_FALL, 1, "QD"),
            event(E_OUT, 3),
            event(E_FALL, 3, "JD"),
            event(E_SHUFFLE, -1, len(deck.split()), 1),
        ],
    )


@pytest.mark.rule("MAG-25", "ALL-04", "ALL-03")
def test_the_last_one_in_wins():
    s = scene(["5C 6H", "AH"], courts=["QS", "KH"], life=[1, 5], vault=7, abyss="")
    act(
        s,
        "damage player_1 with 5C",
        hand_0="6H",
        hand_1="",
        court_1="",
        abyss="5C KH",
        face_down="AH",
        life=[1, 0],
        vault=[0, 0],
        to_move=NOBODY,
        over=TERMINATED,
        turn=3,
        rewards=[1, -1],
        returns=[1, -1],
        terminated=[1, 1],
        events=[
            event(E_DAMAGE, 0, "5C", 1, 0),
            event(E_OUT, 1),
            event(E_FALL, 1, "KH"),
            event(E_WIN, 0),
        ],
    )
    assert legal(s) == set()


@pytest.mark.rule("MAG-24", "MAG-25", "MAG-08")
def test_the_active_player_may_kill_itself():
    # Its turn ends at once: no discard, though it holds eight cards; the next player begins.
    s = scene(
        ["", "10C AH 2H 3H 4H 5H 6H", ""],
        courts=["", "JH", "QS+AS tipped damage 1"],
        known=["", "KS", ""],
        active=1,
        life=[30, 10, 30],
        vault=[1, 12, 1],
        abyss="",
        mine="2D",
    )
    deck = joined(view(s)["deck"], "10C AH 2H 3H 4H 5H 6H KS JH")
    act(
        s,
        "damage player_1 with 10C",
        hand_1="",
        known_1="",
        court_1="",
        deck=deck,
        life=[30, 0, 30],
        vault=[1, 0, 2],
        phase="first",
        active=2,
        to_move=2,
        turn=3,
        court_2="QS+AS 3/3",
        rewards=[0, -1, 0],
        returns=[0, -1, 0],
        terminated=[0, 1, 0],
        events=[
            event(E_DAMAGE, 1, "10C", 1, 0),
            event(E_OUT, 1),
            event(E_FALL, 1, "JH"),
            event(E_SHUFFLE, -1, len(deck.split()), 1),
            event(E_TURN, 2, 2),
            gets(2),
            event(E_DRAW, 2, 1, len(deck.split()) - 1),
        ],
    )


@pytest.mark.rule("MAG-24")
def test_the_last_but_one_may_kill_itself_in_the_second_phase():
    s = scene(["10C", "", ""], phase="second", life=[4, 30, -3], vault=10, out=(2,))
    change(s, "damage player_0 with 10C")
    assert s.over == TERMINATED
    assert s.returns[:3].tolist() == [0, 1, -1] and s.rewards[:3].tolist() == [0, 1, 0]
    assert view(s)["events"] == [
        event(E_DAMAGE, 0, "10C", 0, -6),
        event(E_OUT, 0),
        event(E_WIN, 1),
    ]


@pytest.mark.rule("MAG-25", "ALL-04")
def test_ranks_by_order_of_leaving():
    s = scene(["5C 6C 7C", "", "", ""], life=[30, 1, 1, 1], vault=18)
    paid = []
    for seat, card in ((2, "5C"), (3, "6C"), (1, "7C")):
        change(s, f"damage player_{seat} with {card}")
        paid.append(s.rewards[:4].tolist())
    assert paid == [
        pytest.approx([0, 0, -1, 0]),
        pytest.approx([0, 0, 0, -1 / 3]),
        pytest.approx([1, 1 / 3, 0, 0]),
    ]
    assert s.returns[:4].tolist() == pytest.approx([1, 1 / 3, -1, -1 / 3])
    assert s.over == TERMINATED and s.terminated[:4].all()


@pytest.mark.rule("MAG-25", "MAG-24")
def test_the_last_two_opponents_out_at_once():
    s = scene(["", "", ""], courts=["KH, KS", "", ""], phase="attack", life=[1, 3, 2])
    change(s, "attack player_1 with KH")
    changed = change(s, "attack player_2 with KS")
    assert changed["rewards"] == [1, -0.5, -0.5] and changed["over"] == TERMINATED
    assert changed["events"][-3:] == [event(E_OUT, 1), event(E_OUT, 2), event(E_WIN, 0)]
    assert not any(e[0] == E_SHUFFLE for e in changed["events"])


@pytest.mark.rule("MAG-25")
def test_lower_life_of_two_out_at_once_makes_no_difference():
    s = scene(["", "", ""], courts=["KH+10S, JS", "", ""], phase="attack", life=[1, 1, 1])
    change(s, "attack player_1 with KH")
    change(s, "attack player_2 with JS")
    assert s.life[:3].tolist() == [1, -12, 0]
    assert s.returns[:3].tolist() == [1, -0.5, -0.5]


@pytest.mark.rule("MAG-25", "ALL-04")
def test_all_out_at_once_is_a_tie():
    # No action of this game hits two players and the attacker; the rule is asked all the same, of
    # a position that no game reaches: the attacker is without life when the damage is dealt.
    s = scene(["", ""], courts=["KH, JS", ""], phase="attack", life=[1, 3])
    change(s, "attack player_1 with KH")
    s.life[0] = 0
    changed = change(s, "attack player_1 with JS")
    assert changed["over"] == TERMINATED and s.returns[:2].tolist() == [0, 0]
    assert not any(e[0] == E_WIN for e in changed["events"])


@pytest.mark.rule("MAG-24")
def test_a_dead_player_s_diamonds_stay_in_the_mine():
    s = scene(["5C", "9D", ""], life=[30, 5, 30], active=1, vault=0)
    change(s, "drop 9D")
    change(s, "done")
    for _ in range(4):
        change(s, "done")
    assert s.seat == 0 and s.vault[0] == 9
    change(s, "damage player_1 with 5C")
    assert view(s)["mine"] == "9D" and s.mine == 9


# The turn limit.


@pytest.mark.rule("MAG-26", "ALL-05")
def test_the_turn_limit():
    # The last turn ends with its discard. Equal life ties; who left before comes behind.
    s = scene(
        ["AH 2H 3H 4H 5H 6H 7H 8H", "", "", "", ""],
        phase="second",
        turn=9,
        life=[12, 40, -5, 12, 3],
        max_turns=10,
        vault=4,
        out=(2,),
        abyss="",
    )
    act(s, "done", phase="discard", events=[event(E_DONE, 0, SECOND)])
    act(
        s,
        "discard 8H from the hand",
        hand_0="-8H",
        abyss="8H",
        vault=[0] * 5,
        turn=10,
        to_move=NOBODY,
        over=TRUNCATED,
        rewards=[0.25, 1, 0, 0.25, -0.5],
        returns=[0.25, 1, -1, 0.25, -0.5],
        truncated=[1, 1, 0, 1, 1],
        events=[event(E_DISCARD, 0, "8H"), event(E_LIMIT)],
    )
    assert legal(s) == set()


@pytest.mark.rule("MAG-26")
def test_all_alive_with_equal_life_tie():
    s = scene(["", "", ""], phase="second", turn=0, max_turns=1)
    change(s, "done")
    assert s.over == TRUNCATED and s.returns[:3].tolist() == [0, 0, 0]


@pytest.mark.rule("MAG-26", "MAG-24")
def test_a_turn_that_ends_by_its_player_s_death_counts():
    s = scene(["5C", "", ""], turn=4, max_turns=5, life=[1, 7, 9], vault=5)
    changed = change(s, "damage player_0 with 5C")
    assert changed["over"] == TRUNCATED
    assert s.returns[:3].tolist() == [-1, 0, 1]
    assert (s.terminated[:3].tolist(), s.truncated[:3].tolist()) == ([1, 0, 0], [0, 1, 1])


@pytest.mark.rule("MAG-26")
def test_the_last_one_in_wins_also_in_the_last_turn():
    s = scene(["5C", ""], turn=4, max_turns=5, life=[1, 5], vault=5)
    change(s, "damage player_1 with 5C")
    assert s.over == TERMINATED and s.returns[:2].tolist() == [1, -1]
    s = scene(["5C", ""], turn=4, max_turns=5, life=[1, 5], vault=5)
    change(s, "damage player_0 with 5C")
    assert s.over == TERMINATED and s.returns[:2].tolist() == [-1, 1]


@pytest.mark.rule("MAG-26", "ALL-05")
@pytest.mark.parametrize("count", range(2, 7))
def test_a_group_that_never_attacks_reaches_the_limit(count):
    s = GAME.new_state(count)[0]
    GAME.reset(s, np.uint64(count))
    while s.over == RUNNING:
        GAME.step(s, legal_ids(s)[-1])  # "done", where there is a choice
    assert s.over == TRUNCATED and s.turn == 100 * count
    assert s.returns[:count].tolist() == [0] * count
