"""Attacks: who may declare them, who is asked to duel, and what both cost."""

import pytest

from mages_env.games.mage.state import (
    E_ATTACK,
    E_DONE,
    E_DUEL,
    E_FALL,
    E_HIT,
    E_WOUND,
)

from .scene import act, change, event, legal, scene, view

FIRST, ATTACK, DUELS, SECOND = range(4)


def attacking(*courts, **also):
    """Seat 0's attack phase."""
    also = {"abyss": ""} | also
    return scene([""] * len(courts), courts=list(courts), phase="attack", **also)


# Declaring.


@pytest.mark.rule("MAG-20")
def test_each_untipped_royal_may_attack_any_opponent():
    # Seat 2 is out; JH has attacked before, QH was played this turn.
    s = attacking("KH, JH tipped, QH fresh, QD", "", "", "KS", out=(2,))
    assert legal(s) == {
        *("attack player_1 with KH", "attack player_3 with KH"),
        *("attack player_1 with QD", "attack player_3 with QD"),
        "done",
    }


@pytest.mark.rule("MAG-20")
def test_attackers_are_declared_one_after_another_each_with_its_target():
    s = attacking("KH, QD, JC", "", "")
    act(
        s,
        "attack player_2 with QD",
        court_0="KH 3/3, JC 1/1, QD 2/2 tipped attacks 2",
        events=[event(E_ATTACK, 0, "QD", 2)],
    )
    assert legal(s) == {
        *("attack player_1 with KH", "attack player_2 with KH"),
        *("attack player_1 with JC", "attack player_2 with JC"),
        "done",
    }
    act(
        s,
        "attack player_1 with KH",
        court_0="KH 3/3 tipped attacks 1, JC 1/1, QD 2/2 tipped attacks 2",
        events=[event(E_ATTACK, 0, "KH", 1)],
    )
    # JC stays at home.
    act(
        s,
        "done",
        phase="second",
        life=[30, 27, 28],
        court_0="KH 3/3 tipped, JC 1/1, QD 2/2 tipped",
        events=[
            event(E_DONE, 0, ATTACK),
            event(E_HIT, 1, "KH", 3, 27),
            event(E_HIT, 2, "QD", 2, 28),
        ],
    )


@pytest.mark.rule("MAG-20", "MAG-14")
@pytest.mark.parametrize(("court", "attack"), [("JH+2H+AC", 0), ("JH+9H+5C", -4)])
def test_a_royal_without_attack_may_attack_and_deals_nothing(court, attack):
    s = attacking(court, "")
    health = 2 if attack == 0 else 5
    act(
        s,
        "attack player_1 with JH",
        phase="second",
        court_0=f"{court} {attack}/{health} tipped",
        events=[event(E_ATTACK, 0, "JH", 1), event(E_HIT, 1, "JH", 0, 30)],
    )


@pytest.mark.rule("MAG-20")
def test_a_royal_that_attacked_stays_tipped():
    s = scene(["4S", ""], courts=["KH", ""], vault=10)
    change(s, "done")
    change(s, "attack player_1 with KH")
    change(s, "put 4S on KH")
    assert view(s)["court_0"] == "KH+4S 7/7 tipped" and legal(s) == {"done"}
    change(s, "done")
    assert view(s)["court_0"] == "KH+4S 7/7 tipped"


@pytest.mark.rule("MAG-20", "MAG-07")
def test_no_second_attack_phase():
    s = scene(["", ""], courts=["KH, QH", ""])
    change(s, "done")
    change(s, "attack player_1 with KH")
    change(s, "done")
    assert s.phase == SECOND
    change(s, "done")
    assert s.seat == 1


# Who is asked to duel.


@pytest.mark.rule("MAG-21")
def test_the_attacked_are_asked_clockwise_from_the_attacker():
    s = scene(
        [""] * 4,
        courts=["QD", "KC", "KH, KS, QH", "JS"],
        phase="attack",
        active=2,
    )
    for attack in ("attack player_1 with KH", "attack player_3 with KS"):
        change(s, attack)
    act(
        s,
        "attack player_0 with QH",
        phase="duels",
        to_move=3,
        court_2="QH 2/2 tipped attacks 0, KH 3/3 tipped attacks 1, KS 3/3 tipped attacks 3",
        events=[event(E_ATTACK, 2, "QH", 0)],
    )
    assert legal(s) == {"duel KS with JS", "done"}
    act(s, "done", to_move=0, events=[event(E_DONE, 3, DUELS)])
    assert legal(s) == {"duel QH with QD", "done"}
    act(s, "done", to_move=1, events=[event(E_DONE, 0, DUELS)])
    assert legal(s) == {"duel KH with KC", "done"}
    act(
        s,
        "done",
        to_move=2,
        phase="second",
        life=[28, 27, 30, 27],
        court_2="QH 2/2 tipped, KH 3/3 tipped, KS 3/3 tipped",
        events=[
            event(E_DONE, 1, DUELS),
            event(E_HIT, 0, "QH", 2, 28),
            event(E_HIT, 1, "KH", 3, 27),
            event(E_HIT, 3, "KS", 3, 27),
        ],
    )


@pytest.mark.rule("MAG-21")
@pytest.mark.parametrize("court", ["", "KC tipped"])
def test_players_without_a_royal_that_may_duel_are_not_asked(court):
    s = attacking("KH, QH", court, "JS, JD", "KS")
    change(s, "attack player_1 with KH")
    change(s, "attack player_2 with QH")
    assert (s.seat, s.phase) == (2, DUELS)
    # Seat 3 is not attacked.
    change(s, "done")
    assert (s.seat, s.phase) == (0, SECOND)


@pytest.mark.rule("MAG-21")
def test_only_royals_of_the_attacked_and_only_against_attackers_of_their_owner():
    s = attacking("KH, QH", "JS, QC tipped, KD", "JD")
    change(s, "attack player_1 with KH")
    change(s, "attack player_2 with QH")
    assert legal(s) == {"duel KH with JS", "duel KH with KD", "done"}
    change(s, "done")
    assert s.seat == 2 and legal(s) == {"duel QH with JD", "done"}


@pytest.mark.rule("MAG-21")
def test_several_royals_may_duel_one_attacker_each_only_once():
    s = attacking("KH, QH", "JS, QC, KD", abyss="")
    change(s, "attack player_1 with KH")
    change(s, "attack player_1 with QH")
    assert legal(s) == {
        *(
            f"duel {attacker} with {royal}"
            for attacker in ("KH", "QH")
            for royal in ("JS", "QC", "KD")
        ),
        "done",
    }
    act(
        s,
        "duel KH with QC",
        court_1="JS 1/1, QC 2/2 duels KH, KD 3/3",
        events=[event(E_DUEL, 1, "QC", "KH")],
    )
    assert legal(s) == {
        *(f"duel {attacker} with {royal}" for attacker in ("KH", "QH") for royal in ("JS", "KD")),
        "done",
    }
    act(
        s,
        "duel KH with JS",
        court_1="JS 1/1 duels KH, QC 2/2 duels KH, KD 3/3",
        events=[event(E_DUEL, 1, "JS", "KH")],
    )
    assert legal(s) == {"duel KH with KD", "duel QH with KD", "done"}


@pytest.mark.rule("MAG-21", "MAG-22", "MAG-23")
def test_duels_end_by_themselves_when_no_royal_is_left():
    s = attacking("KH+AH", "QC")
    change(s, "attack player_1 with KH")
    act(
        s,
        "duel KH with QC",
        phase="second",
        to_move=0,
        court_0="KH+AH 3/4 tipped damage 2",
        court_1="",
        events=[
            event(E_DUEL, 1, "QC", "KH"),
            event(E_WOUND, 0, "KH", 2),
            event(E_WOUND, 1, "QC", 3),
            event(E_FALL, 1, "QC"),
        ],
        deck=view(s)["deck"],
        abyss="QC",
    )


@pytest.mark.rule("MAG-21")
def test_a_royal_played_in_its_owners_last_turn_may_duel():
    s = scene(["", "KC"], courts=["JH", ""], active=1, vault=3)
    change(s, "play KC")
    change(s, "done")
    change(s, "done")
    change(s, "done")
    change(s, "attack player_1 with JH")
    assert s.seat == 1 and legal(s) == {"duel JH with KC", "done"}


@pytest.mark.rule("MAG-21")
def test_a_royal_that_attacked_in_its_owners_last_turn_may_not_duel():
    s = scene(["", ""], courts=["JH", "KC"], active=1)
    change(s, "done")
    change(s, "attack player_0 with KC")
    change(s, "done")
    change(s, "done")
    change(s, "done")
    act(
        s,
        "attack player_1 with JH",
        phase="second",
        life=[27, 29],
        court_0="JH 1/1 tipped",
        events=[event(E_ATTACK, 0, "JH", 1), event(E_HIT, 1, "JH", 1, 29)],
    )


@pytest.mark.rule("MAG-21", "MAG-14")
def test_a_royal_without_attack_may_duel_and_takes_nothing_away():
    # -2 counts as 0: the attacker is not healed, and does not reach the player.
    s = attacking("QH", "JS+6H+3C")
    change(s, "attack player_1 with QH")
    act(
        s,
        "duel QH with JS",
        phase="second",
        to_move=0,
        court_0="QH 2/2 tipped",
        court_1="JS+6H+3C -2/4 damage 2",
        events=[event(E_DUEL, 1, "JS", "QH"), event(E_WOUND, 1, "JS", 2)],
    )


# Damage.


@pytest.mark.rule("MAG-22")
def test_the_attacker_deals_its_full_attack_to_each_dueller():
    s = attacking("KH+10H", "JS+4H, QC+5H, KD")
    change(s, "attack player_1 with KH")
    change(s, "duel KH with JS")
    change(s, "duel KH with QC")
    act(
        s,
        "duel KH with KD",
        phase="second",
        to_move=0,
        court_0="KH+10H 3/13 tipped damage 6",
        court_1="JS+4H 1/5 damage 3, QC+5H 2/7 damage 3",
        abyss="KD",
        events=[
            event(E_DUEL, 1, "KD", "KH"),
            event(E_WOUND, 0, "KH", 6),
            event(E_WOUND, 1, "JS", 3),
            event(E_WOUND, 1, "QC", 3),
            event(E_WOUND, 1, "KD", 3),
            event(E_FALL, 1, "KD"),
        ],
    )


@pytest.mark.rule("MAG-22", "MAG-23")
def test_a_royal_that_falls_deals_its_damage_all_the_same():
    # KH falls to KS alone and hits both; JC falls and does its damage.
    s = attacking("KH", "KS, JC")
    change(s, "attack player_1 with KH")
    change(s, "duel KH with KS")
    act(
        s,
        "duel KH with JC",
        phase="second",
        to_move=0,
        court_0="",
        court_1="",
        abyss="+KH +KS +JC",
        events=[
            event(E_DUEL, 1, "JC", "KH"),
            event(E_WOUND, 0, "KH", 4),
            event(E_WOUND, 1, "KS", 3),
            event(E_WOUND, 1, "JC", 3),
            event(E_FALL, 0, "KH"),
            event(E_FALL, 1, "KS"),
            event(E_FALL, 1, "JC"),
        ],
    )


@pytest.mark.rule("MAG-22")
def test_a_duelled_attacker_deals_no_damage_to_the_player_though_the_dueller_falls():
    s = attacking("KH+10S, QD", "JC")
    change(s, "attack player_1 with KH")
    change(s, "attack player_1 with QD")
    act(
        s,
        "duel KH with JC",
        phase="second",
        to_move=0,
        life=[30, 28],
        court_0="KH+10S 13/13 tipped damage 1, QD 2/2 tipped",
        court_1="",
        abyss="+JC",
        events=[
            event(E_DUEL, 1, "JC", "KH"),
            event(E_HIT, 1, "QD", 2, 28),
            event(E_WOUND, 0, "KH", 1),
            event(E_WOUND, 1, "JC", 13),
            event(E_FALL, 1, "JC"),
        ],
    )


@pytest.mark.rule("MAG-23")
def test_attached_cards_count_in_attack_and_fall_with_their_royal():
    s = attacking("QH+5S+AC", "KS+3S+2H")
    change(s, "attack player_1 with QH")
    act(
        s,
        "duel QH with KS",
        phase="second",
        to_move=0,
        court_0="",
        court_1="KS+2H+3S 6/8 damage 6",
        abyss="+QH +5S +AC",
        events=[
            event(E_DUEL, 1, "KS", "QH"),
            event(E_WOUND, 0, "QH", 6),
            event(E_WOUND, 1, "KS", 6),
            event(E_FALL, 0, "QH"),
        ],
    )


@pytest.mark.rule("MAG-23")
def test_all_damage_is_dealt_after_the_last_assignment():
    # Both players are attacked; nothing is dealt before seat 2 has answered.
    s = attacking("KH, QH", "KS", "JC, JD")
    change(s, "attack player_1 with KH")
    change(s, "attack player_2 with QH")
    act(
        s,
        "duel KH with KS",
        to_move=2,
        court_1="KS 3/3 duels KH",
        events=[event(E_DUEL, 1, "KS", "KH")],
    )
    act(
        s,
        "done",
        phase="second",
        to_move=0,
        life=[30, 30, 28],
        court_0="QH 2/2 tipped",
        court_1="",
        abyss="+KH +KS",
        events=[
            event(E_DONE, 2, DUELS),
            event(E_HIT, 2, "QH", 2, 28),
            event(E_WOUND, 0, "KH", 3),
            event(E_WOUND, 1, "KS", 3),
            event(E_FALL, 0, "KH"),
            event(E_FALL, 1, "KS"),
        ],
    )


@pytest.mark.rule("MAG-22", "MAG-05")
def test_damage_lasts_until_the_next_turn_begins():
    s = attacking("KH+5H", "QC+6H")
    change(s, "attack player_1 with KH")
    change(s, "duel KH with QC")
    assert view(s)["court_0"] == "KH+5H 3/8 tipped damage 2"
    assert view(s)["court_1"] == "QC+6H 2/8 damage 3"
    change(s, "done")
    assert view(s)["court_0"] == "KH+5H 3/8 tipped"
    assert view(s)["court_1"] == "QC+6H 2/8"


@pytest.mark.rule("MAG-18", "MAG-22")
def test_a_wounded_royal_is_finished_off_in_the_second_play_phase():
    s = scene(["2C", ""], courts=["JH+9H", "KC"], phase="attack", vault=2)
    change(s, "attack player_1 with JH")
    change(s, "duel JH with KC")
    assert view(s)["court_1"] == "KC 3/3 damage 1"
    change(s, "put 2C on KC")
    assert view(s)["court_1"] == ""


@pytest.mark.rule("MAG-23")
def test_hits_of_several_attackers_add_up():
    s = attacking("KH, QD+10S, JS", "", "")
    for royal in ("KH", "QD"):
        change(s, f"attack player_2 with {royal}")
    changed = change(s, "attack player_1 with JS")
    assert changed["life"] == [30, 29, 15]
