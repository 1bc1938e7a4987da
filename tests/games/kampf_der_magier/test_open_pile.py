"""The variant with open piles: using the top card of one's own pile."""

import pytest

from mages_env.engine import TERMINATED

from .scene import (
    act,
    change,
    draws,
    gets,
    legal,
    plays,
    plays_ball,
    round_over,
    scene,
    takes,
    uses_top,
)

OPEN = {"variant": "open_pile", "draw_pile": ""}


@pytest.mark.rule("KDM-14")
def test_the_top_card_alone_or_with_hand_cards_of_its_power():
    # Only the 4 on top counts, not the 9 and the 13 below it; the 3 does not beat the 3.
    s = scene(["3 4 joker", "1"], table="3", power=3, piles={0: "9 13 4"}, **OPEN)
    assert legal(s) == {
        *(f"play joker as {power}" for power in (4, 5, 6, 7)),
        "play 3 joker",
        "play 4",
        "play 4 joker",
        "play top as 4",
        "play top and 4 as 4",
        "play top and joker as 4",
        "play top and 4 joker as 4",
        "take the table",
    }


@pytest.mark.rule("KDM-14")
def test_the_top_card_must_beat_the_power_too():
    s = scene(["5 9", "1"], table="9", power=9, piles={0: "5"}, **OPEN)
    assert legal(s) == {"play top and 5 as 5", "take the table"}


@pytest.mark.rule("KDM-14", "KDM-05")
def test_above_seven_no_joker_goes_with_the_top_card():
    s = scene(["8 joker", "1"], table="8", power=8, piles={0: "8"}, **OPEN)
    assert legal(s) == {"play top and 8 as 8", "take the table"}


@pytest.mark.rule("KDM-14", "KDM-05")
def test_a_joker_on_top_is_any_power_up_to_seven():
    s = scene(["5 8 joker", "1"], table="9", power=9, piles={0: "13 joker"}, **OPEN)
    assert legal(s) == {
        "play 5 joker",
        "play top and 5 as 5",
        "play top and joker as 5",
        "play top and joker as 6",
        "play top and joker as 7",
        "play top and 5 joker as 5",
        "take the table",
    }
    # It leads as any of the seven.
    s = scene(["13", "1"], piles={0: "joker"}, **OPEN)
    assert legal(s) == {"play 13", *(f"play top as {power}" for power in range(1, 8))}


@pytest.mark.rule("KDM-14")
def test_the_classic_game_has_no_top_card():
    s = scene(["3", "1"], piles={0: "4"}, draw_pile="")
    assert legal(s) == {"play 3"}


@pytest.mark.rule("KDM-14")
def test_nobody_uses_the_pile_of_another():
    s = scene(["3", "1", "2"], piles={1: "4"}, **OPEN)
    assert legal(s) == {"play 3"}


@pytest.mark.rule("KDM-14", "KDM-09")
def test_a_play_with_the_top_card():
    # The 4 comes off the pile; jokers lie below wizards. All but two cards are drawn anew.
    s = scene(
        ["4 4 9 10 11 joker", "1 1"],
        table="8",
        power=8,
        piles={0: "2 13 4"},
        draw_pile="3 3 3 3",
        rest_in_pile_of=1,
        variant="open_pile",
    )
    act(
        s,
        "top and 4 joker",
        hand_0="3 3 4 9 10 11",
        pile_0="2 13",
        table="8 joker 4 4",
        power=12,
        shows="4 joker",
        draw_pile="3 3",
        to_move=1,
        turn=1,
        rng=True,
        events=[uses_top(0, "4"), plays(0, 4, 2, 1), gets(0, "3"), gets(0, "3"), draws(0, 2)],
    )


@pytest.mark.rule("KDM-14")
def test_a_joker_on_top_lies_below_the_wizards_played_with_it():
    s = scene(["5 5 9 joker", "1"], piles={0: "2 joker"}, **OPEN)
    act(
        s,
        "top and 5 5 joker",
        hand_0="9",
        pile_0="2",
        table="joker joker 5 5",
        power=20,
        shows="5 5 joker",
        to_move=1,
        turn=1,
        events=[uses_top(0, "joker"), plays(0, 5, 2, 2)],
    )


@pytest.mark.rule("KDM-14", "KDM-09", "KDM-11")
def test_the_top_card_alone_draws_nothing_and_ends_nothing():
    # Seat 0 holds one card; the top card is no hand card, so the round goes on.
    s = scene(["9", "1"], piles={0: "2 7"}, **OPEN)
    act(
        s,
        "top",
        pile_0="2",
        table="7",
        power=7,
        to_move=1,
        turn=1,
        events=[uses_top(0, "7"), plays(0, 7, 1)],
    )
    full = scene(["9 9 9 8 8 8", "1"], piles={0: "7"}, draw_pile="3 3", variant="open_pile")
    assert change(full, "top")["events"] == [uses_top(0, "7"), plays(0, 7, 1)]


@pytest.mark.rule("KDM-14", "KDM-11")
def test_going_out_with_the_top_card_and_the_last_hand_card():
    # What is left in the pile counts, the cards on the table do not.
    s = scene(["7", "1"], piles={0: "2 7"}, rounds_done=1, **OPEN)
    changed = change(s, "top and 7")
    assert changed["events"][:3] == [uses_top(0, "7"), plays(0, 7, 2), round_over(1, winner=0)]
    assert changed["collected"] == [1, 52]
    assert changed["over"] == TERMINATED


@pytest.mark.rule("KDM-14")
def test_only_one_card_of_the_pile_in_a_play():
    # Three 7s lie there; with the one in the hand two can be played, 14, and not more.
    s = scene(["7", "1"], table="13", power=13, piles={0: "7 7 7"}, **OPEN)
    assert legal(s) == {"play top and 7 as 7", "take the table"}


@pytest.mark.rule("KDM-14", "KDM-08")
def test_the_pile_just_taken_counts_for_the_lead():
    # The table in its order comes on top of the pile: 12 is the new top card, then 6.
    s = scene(["3 12", "1"], table="6 12", power=12, piles={0: "9"}, **OPEN)
    assert legal(s) == {"take the table"}  # the 9 on top does not beat 12, nor does the 12
    act(s, "take", table="", power=0, pile_0="9 6 12", events=[takes(0, 2)])
    assert legal(s) == {"play 3", "play 12", "play top as 12", "play top and 12 as 12"}
    act(
        s,
        "top and 12",
        hand_0="3",
        pile_0="9 6",
        table="12 12",
        power=24,
        shows="12",
        to_move=1,
        turn=1,
        events=[uses_top(0, "12"), plays(0, 12, 2)],
    )


@pytest.mark.rule("KDM-14", "KDM-16")
def test_a_top_card_played_again_is_not_shown_anew():
    s = scene(["3", "1"], piles={0: "9"}, **OPEN)
    before = s.shown.copy()
    change(s, "top")
    assert (s.shown == before).all()


@pytest.mark.rule("KDM-14", "KDM-06")
def test_a_crystal_ball_on_top():
    s = scene(["3 ball", "1"], table="13", power=13, piles={0: "9 ball"}, **OPEN)
    assert legal(s) == {"play crystal ball", "play top crystal ball", "take the table"}
    act(
        s,
        "top ball",
        pile_0="9",
        table="13 ball",
        to_move=1,
        turn=1,
        events=[uses_top(0, "ball"), plays_ball(0)],
    )


@pytest.mark.rule("KDM-07", "KDM-14")
def test_a_duel_opened_with_the_ball_on_top():
    # Refused while the hand holds a wizard, allowed with a hand of crystal balls only.
    s = scene(["3", "1"], piles={0: "ball"}, **OPEN)
    assert legal(s) == {"play 3"}
    s = scene(["ball", "1"], piles={0: "ball"}, **OPEN)
    assert legal(s) == {"play crystal ball", "play top crystal ball"}
    act(
        s,
        "top ball",
        pile_0="",
        table="ball",
        to_move=1,
        turn=1,
        events=[uses_top(0, "ball"), plays_ball(0)],
    )


@pytest.mark.rule("KDM-07", "KDM-14")
def test_a_hand_of_balls_may_lead_with_the_wizard_on_top():
    s = scene(["ball", "1"], piles={0: "4"}, **OPEN)
    assert legal(s) == {"play crystal ball", "play top as 4"}


@pytest.mark.rule("KDM-07", "KDM-14", "KDM-08")
def test_after_taking_a_ball_the_lead_must_be_a_wizard():
    # 2 ball is taken, the ball lies on top and may not open the duel.
    s = scene(["3", "1"], table="2 ball", power=2, **OPEN)
    change(s, "take")
    assert legal(s) == {"play 3"}


@pytest.mark.rule("KDM-14")
def test_the_most_actions_there_can_be():
    # All powers up to 6 single with a joker in the hand, the other joker on top of the pile.
    s = scene(["1 2 3 4 5 joker", "9"], piles={0: "joker"}, **OPEN)
    # 5 wizards and 7 jokers alone, 5 pairs; top alone as 1-7, with joker as 1-7, with each of
    # the 5 wizards, with each wizard and the joker.
    assert len(legal(s)) == (5 + 7 + 5) + (7 + 7 + 5 + 5) == 41
