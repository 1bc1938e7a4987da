"""One turn: what may be played, what it does, taking, drawing, whose turn it is then."""

import pytest

from .scene import act, change, draws, gets, legal, plays, plays_ball, scene, takes

TWOS = "2 2 2 2"
"""A hand for seats that only wait."""


@pytest.mark.rule("KDM-04")
def test_any_sum_opens_a_duel():
    s = scene(["1 1 3 3 3 9", TWOS])
    assert legal(s) == {"play 1", "play 1 1", "play 3", "play 3 3", "play 3 3 3", "play 9"}


@pytest.mark.rule("KDM-04")
def test_the_sum_must_exceed_the_power_announced():
    # One 6 and two 3s only equal the power.
    s = scene(["1 1 3 3 3 6", TWOS], table="6", power=6)
    assert legal(s) == {"play 3 3 3", "take the table"}


@pytest.mark.rule("KDM-04")
def test_the_power_to_beat_is_the_last_play_not_the_whole_table():
    s = scene(["7 7 13 1 1 1", TWOS], table="12 13", power=13)
    assert legal(s) == {"play 7 7", "take the table"}


@pytest.mark.rule("KDM-04")
def test_six_cards_of_one_power():
    s = scene(["1 1 1 1 1 1", TWOS], table="5", power=5)
    assert legal(s) == {"play 1 1 1 1 1 1", "take the table"}


@pytest.mark.rule("KDM-04", "KDM-09", "KDM-10")
def test_a_play_of_several_cards():
    s = scene(["3 3 3 9 10 11", TWOS, "4"], table="5", power=5, draw_pile="8 8 8")
    act(
        s,
        "play 3 3",
        hand_0="3 8 8 9 10 11",
        table="5 3 3",
        power=6,
        shows="3 3",
        draw_pile="8",
        to_move=1,
        turn=1,
        rng=True,
        events=[plays(0, 3, 2), gets(0, "8"), gets(0, "8"), draws(0, 2)],
    )


@pytest.mark.rule("KDM-05")
def test_jokers_go_with_powers_up_to_seven():
    s = scene(["7 8 8 8 9 joker", TWOS], table="1", power=1)
    assert legal(s) == {
        *(f"play joker as {power}" for power in range(2, 8)),
        "play 7",
        "play 7 joker",
        "play 8",
        "play 8 8",
        "play 8 8 8",
        "play 9",
        "take the table",
    }


@pytest.mark.rule("KDM-05")
def test_two_jokers_alone_stand_for_one_power():
    # Two 7s beat the 12; a single joker ends at 7.
    s = scene(["13 joker joker", TWOS], table="12", power=12)
    assert legal(s) == {"play joker joker as 7", "play 13", "take the table"}


@pytest.mark.rule("KDM-05")
@pytest.mark.parametrize("power", range(1, 8))
def test_jokers_alone_announce_the_power_asked_for(power):
    s = scene(["9 joker joker", TWOS], draw_pile="")
    act(
        s,
        f"play joker joker as {power}",
        hand_0="9",
        table="joker joker",
        power=2 * power,
        shows="joker joker",
        to_move=1,
        turn=1,
        events=[plays(0, power, 0, 2)],
    )


@pytest.mark.rule("KDM-05")
def test_a_joker_takes_the_power_of_the_wizards_beside_it():
    s = scene(["4 4 13 joker", TWOS], table="11", power=11, draw_pile="")
    act(
        s,
        "play 4 4 joker",
        hand_0="13",
        table="11 joker 4 4",
        power=12,
        shows="4 4 joker",
        to_move=1,
        turn=1,
        events=[plays(0, 4, 2, 1)],
    )


@pytest.mark.rule("KDM-06", "KDM-09")
def test_a_crystal_ball_passes_the_duty_on():
    s = scene(["1 1 1 1 1 ball", "10 11 12 2 2 2", "4"], table="11", power=11, draw_pile="9")
    act(
        s,
        "play crystal ball",
        hand_0="1 1 1 1 1 9",
        table="11 ball",
        shows="ball",
        draw_pile="",
        to_move=1,
        turn=1,
        rng=True,
        events=[plays_ball(0), gets(0, "9"), draws(0, 1)],
    )
    assert legal(s) == {"play 12", "take the table"}  # the 11 is still to be beaten


@pytest.mark.rule("KDM-06")
def test_a_crystal_ball_is_played_alone_and_counts_as_a_card():
    s = scene(
        ["5 ball ball joker", "12 2 2"], table="13", power=13, draw_pile="", rest_in_pile_of=0
    )
    # One ball at a time, and nothing beside it.
    assert legal(s) == {"play crystal ball", "take the table"}
    act(
        s,
        "play crystal ball",
        hand_0="5 ball joker",
        table="13 ball",
        shows="ball",
        to_move=1,
        turn=1,
        events=[plays_ball(0)],
    )
    act(s, "take", table="", power=0, pile_1="13 ball", events=[takes(1, 2)])


@pytest.mark.rule("KDM-07")
def test_a_duel_is_not_opened_with_a_ball_while_the_hand_has_another_card():
    assert "play crystal ball" not in legal(scene(["5 ball ball", TWOS], draw_pile=""))


@pytest.mark.rule("KDM-07", "ALL-03")
@pytest.mark.parametrize("hand", ["ball", "ball ball"])
def test_a_hand_of_crystal_balls_can_move(hand):
    assert legal(scene([hand, TWOS], draw_pile="")) == {"play crystal ball"}


@pytest.mark.rule("KDM-07")
def test_after_a_duel_opened_with_a_ball():
    s = scene(["ball ball", "1 1 2", TWOS], draw_pile="")
    act(
        s,
        "play crystal ball",
        hand_0="ball",
        table="ball",
        shows="ball",
        to_move=1,
        turn=1,
        events=[plays_ball(0)],
    )
    # The power is 0: every wizard beats it. And the ball may be taken.
    assert legal(s) == {"play 1", "play 1 1", "play 2", "take the table"}
    act(s, "take", table="", pile_1="ball", events=[takes(1, 1)])
    assert legal(s) == {"play 1", "play 1 1", "play 2"}


@pytest.mark.rule("KDM-07")
def test_a_ball_may_follow_the_ball_that_opened_the_duel():
    s = scene(["3 ball", TWOS], table="ball", power=0, draw_pile="")
    act(
        s,
        "play crystal ball",
        hand_0="3",
        table="ball ball",
        shows="ball",
        to_move=1,
        turn=1,
        events=[plays_ball(0)],
    )


@pytest.mark.rule("KDM-08", "KDM-09")
def test_taking_leads_in_the_same_turn_and_draws_nothing():
    # Seat 1 could beat the 4 and takes all the same; its turn goes on.
    s = scene(
        ["1 1", "5 5 6 6 7", TWOS],
        table="3 4",
        power=4,
        piles={1: "9"},
        draw_pile="8 8 8",
        to_move=1,
    )
    act(s, "take", table="", power=0, pile_1="9 3 4", events=[takes(1, 2)])
    assert legal(s) == {"play 5", "play 5 5", "play 6", "play 6 6", "play 7"}
    act(
        s,
        "play 5",
        hand_1="5 6 6 7 8 8",
        table="5",
        power=5,
        shows="5",
        draw_pile="8",
        to_move=2,
        turn=1,
        rng=True,
        events=[plays(1, 5, 1), gets(1, "8"), gets(1, "8"), draws(1, 2)],
    )


@pytest.mark.rule("KDM-08")
def test_taking_is_always_allowed_unless_the_table_is_empty():
    assert "take the table" in legal(scene(["13", TWOS], table="1", power=1))
    assert "take the table" not in legal(scene(["13", TWOS]))


@pytest.mark.rule("KDM-09")
@pytest.mark.parametrize("left", range(5))
def test_drawing_stops_at_six_or_when_the_draw_pile_is_empty(left):
    # Three cards played: three are drawn while there are three.
    s = scene(["1 1 1 9 10 11", TWOS], draw_pile=" ".join(["5"] * left))
    drawn = min(3, left)
    changed = change(s, "play 1 1 1")
    assert changed["hand_0"] == " ".join([*["5"] * drawn, "9", "10", "11"])
    assert s.draw_pile_size == left - drawn
    assert changed["events"] == [
        plays(0, 1, 3),
        *[gets(0, "5")] * drawn,
        *[draws(0, drawn)] * (drawn > 0),
    ]
    assert changed.get("rng", False) == (drawn > 0)


@pytest.mark.rule("KDM-09")
def test_a_short_hand_is_filled_up_again_to_six():
    s = scene(["1 9", TWOS], draw_pile="5 5 5 5 5")
    assert change(s, "play 1")["hand_0"] == "5 5 5 5 5 9"


@pytest.mark.rule("KDM-10")
@pytest.mark.parametrize("count", range(2, 7))
def test_turns_go_clockwise(count):
    s = scene([f"{power} 9" if power < 4 else f"{power} 1" for power in range(1, count + 1)])
    order = []
    for power in range(1, count + 1):
        order.append(int(s.seat))
        change(s, f"play {power}")
    assert order == list(range(count))
    assert s.seat == 0


@pytest.mark.rule("KDM-15")
def test_the_worked_example():
    # A, B and C are seats 0, 1 and 2. Nothing is left to draw.
    s = scene(
        ["1 5 5 9 joker", "1 2 3 3 4", "1 2 8 12"],
        draw_pile="",
        rest_in_pile_of=2,
    )
    act(
        s,
        "1",
        hand_0="5 5 9 joker",
        table="1",
        power=1,
        shows="1",
        to_move=1,
        turn=1,
        events=[plays(0, 1, 1)],
    )
    act(
        s,
        "3 3",
        hand_1="1 2 4",
        table="1 3 3",
        power=6,
        shows="3 3",
        to_move=2,
        turn=2,
        events=[plays(1, 3, 2)],
    )
    act(
        s,
        "12",
        hand_2="1 2 8",
        table="1 3 3 12",
        power=12,
        shows="12",
        to_move=0,
        turn=3,
        events=[plays(2, 12, 1)],
    )
    act(
        s,
        "5 5 joker",
        hand_0="9",
        table="1 3 3 12 joker 5 5",
        power=15,
        shows="5 5 joker",
        to_move=1,
        turn=4,
        events=[plays(0, 5, 2, 1)],
    )
    assert legal(s) == {"take the table"}  # B cannot beat 15
    act(s, "take", table="", power=0, pile_1="1 3 3 12 joker 5 5", events=[takes(1, 7)])
    assert s.seat == 1 and legal(s) == {"play 1", "play 2", "play 4"}  # and leads
