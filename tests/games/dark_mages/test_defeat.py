"""Defeat, loot, victory, teams, the turn limit."""

import pytest

from .scene import act, d20, legal, play, scene, seat, told, view

SPARE = "Minor Healing"
FIVE = "Minor Healing, Healing, Wolf, Troll, Griffon"
CAST = "cast Forest Army at player_1"
PLAYED = {"hand_0": "-Forest Army", "attacks_used": 1}
UNSAVED = (20, (15, 20))


def fallen(*seats, count=3):
    return [int(p not in seats) for p in range(count)]


@pytest.mark.rule("DM-36", "DM-04", "ALL-06")
def test_the_fallen_discard_their_hand_and_the_victor_may_take_an_item():
    target = seat("Wolf, Troll", hp=4, items="Staff +2, Amulet of Purity", pool=0,
                  status="Acid Ball 1", dot="Infection 2 of 2")  # fmt: skip
    s = scene([seat(f"Forest Army, {SPARE}", items="Staff +1"), target, seat()])
    act(
        s, CAST, *d20(15), (8, 4), hp=[60, 0, 60], alive=fallen(1), fell=[0, 1, 0], hand_1="",
        discards="+Forest Army, +Wolf, +Troll", status_1="", dot_1="", ac=[10, 10, 10],
        phase="loot", looted=1, victor=0, terminated=[0, 1, 0], rewards=[0, -1, 0],
        returns=[0, -1, 0], **PLAYED,
    )  # fmt: skip
    assert view(s)["items_1"] == "Amulet of Purity, Staff +2"
    assert legal(s) == {"pass", "take the Staff", "take the Amulet"}
    passed = s.copy()
    # equipped at once, and what it replaces is discarded; it does not count as placed
    act(s, "take the Staff", items_0="Staff +2", items_1="Amulet of Purity", discards="+Staff +1",
        attack_bonus=[2, 0, 0], phase="end", looted=-1, victor=-1, rewards=[0, 0, 0],
        events=["player_0 takes Staff +2 of the fallen player_1",
                "player_0's Staff +1 is discarded", "player_0 ends the Attack Phase"])  # fmt: skip
    act(passed, "pass", phase="end", looted=-1, victor=-1, rewards=[0, 0, 0],
        events=["player_0 takes nothing of player_1",
                "player_0 ends the Attack Phase"])  # fmt: skip


@pytest.mark.rule("DM-36")
def test_no_loot_in_rules_1_0():
    target = seat(hp=4, items="Staff +2")
    s = scene([seat(f"Forest Army, {SPARE}"), target, seat()], rules="1.0")
    act(s, CAST, *d20(15), (8, 4), hp=[60, 0, 60], alive=fallen(1), fell=[0, 1, 0],
        discards="+Forest Army", phase="end", terminated=[0, 1, 0], rewards=[0, -1, 0],
        returns=[0, -1, 0], **PLAYED)  # fmt: skip


@pytest.mark.rule("DM-36")
def test_without_items_there_is_nothing_to_choose():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(hp=4), seat()])
    play(s, CAST, *d20(15), (8, 4))
    assert view(s)["phase"] == "end"


@pytest.mark.rule("DM-36")
def test_a_companions_kill_is_not_looted():
    target = seat(hp=4, items="Staff +2")
    s = scene([seat(SPARE, companion="Wolf attacker 6"), target, seat()])
    play(s, "companion attacks player_1", *d20(15), (6, 4))
    assert view(s)["alive"] == [1, 0, 1] and view(s)["phase"] == "end"


@pytest.mark.rule("DM-36")
def test_an_enemys_kill_is_not_looted():
    s = scene([seat("Healing, Wolf, Troll, Griffon"), seat(hp=1, items="Staff +2"), seat(SPARE)],
              phase="end", stack="Goblin Raiders")  # fmt: skip
    play(s, "pass", (1, 1), (8, 1), *[UNSAVED] * 3)
    assert view(s)["alive"] == [1, 0, 1] and view(s)["phase"] == "preparation"
    assert view(s)["active"] == 2


@pytest.mark.rule("DM-36", "DM-21")
def test_a_kill_by_damage_over_time_is_its_users_out_of_turn():
    target = seat("Dodge", hp=3, items="Ring of Arcane +1", dot="Infection 2 of 0")
    s = scene([seat(FIVE), target, seat(SPARE)], phase="end")
    act(
        s, "pass", *d20(10), (10, 3), hp=[60, 0, 60], alive=fallen(1), fell=[0, 1, 0], hand_1="",
        dot_1="", discards="+Dodge", phase="loot", looted=1, victor=0, active=1, turn=6,
        terminated=[0, 1, 0], rewards=[0, -1, 0], returns=[0, -1, 0],
    )  # fmt: skip
    # the turn of the fallen is over
    act(s, "take the Ring", items_0="Ring of Arcane +1", items_1="", level=[2, 1, 1], looted=-1,
        victor=-1, active=2, to_move=2, turn=7, phase="preparation", rewards=[0, 0, 0])  # fmt: skip


@pytest.mark.rule("DM-36")
def test_whose_user_has_fallen_is_looted_by_nobody():
    target = seat("Dodge", hp=3, items="Staff +1", dot="Infection 2 of 3")
    s = scene([seat(FIVE), target, seat(SPARE), seat(fell=1)], phase="end")
    play(s, "pass", *d20(10), (10, 3))
    assert view(s)["active"] == 2 and view(s)["phase"] == "preparation"
    # what a companion left behind is the companion's
    target = seat("Dodge", hp=1, items="Staff +1", dot="Giant Scorpion 2 of nobody")
    s = scene([seat(FIVE), target, seat(SPARE)], phase="end")
    play(s, "pass", *d20(10), (4, 3))
    assert view(s)["active"] == 2 and view(s)["phase"] == "preparation"


@pytest.mark.rule("DM-36")
def test_several_fallen_are_looted_clockwise_from_the_victors_left():
    items = ["Staff +1", "", "Ring of Arcane +1", "Amulet of Purity"]
    s = scene(
        [
            seat(hp=2, items=items[0]),
            seat(SPARE),
            seat(f"Scroll of Meteors, {SPARE}", items="Staff +2"),
            seat(hp=2, items=items[2]),
            seat(hp=2, items=items[3]),
        ],
        active=2,
    )
    play(s, "play Scroll of Meteors", (6, 1), (6, 1), (6, 1), UNSAVED, UNSAVED, UNSAVED, (20, 3))
    assert view(s)["fell"] == [1, 0, 0, 1, 1]
    looted = []
    while view(s)["phase"] == "loot":
        looted.append(view(s)["looted"])
        assert view(s)["to_move"] == 2
        play(s, sorted(legal(s) - {"pass"})[0])
    assert looted == [3, 4, 0]
    assert view(s)["items_2"] == "Amulet of Purity, Ring of Arcane +1, Staff +1"
    assert view(s)["phase"] == "end" and view(s)["active"] == 2


@pytest.mark.rule("DM-36", "DM-37")
def test_a_game_that_is_over_asks_nothing():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(hp=4, items="Staff +2")])
    play(s, CAST, *d20(15), (8, 4))
    found = view(s)
    assert found["over"] == 1 and found["to_move"] == -1 and legal(s) == set()
    assert found["returns"] == [1, -1] and found["terminated"] == [1, 1]


@pytest.mark.rule("DM-20", "DM-36")
def test_second_chance_comes_before_looting():
    target = seat(hp=4, items="Amulet of Second Chance, Staff +2")
    s = scene([seat(f"Forest Army, {SPARE}"), target, seat()])
    act(s, CAST, *d20(15), (8, 8), (20, 1), hp=[60, 1, 60], items_1="Staff +2", phase="end",
        discards="+Forest Army, +Amulet of Second Chance", **PLAYED)  # fmt: skip


@pytest.mark.rule("DM-37", "ALL-04")
def test_everybody_dying_at_once_is_a_draw():
    for count, returns in ((2, [0, 0]), (3, [0, 0, 0])):
        seats = [seat("Healing, Wolf, Troll, Griffon", hp=2), *[seat(SPARE, hp=2)] * (count - 1)]
        s = scene(seats, phase="end", stack="Red Dragon")
        play(s, "pass", (1, 1), (6, 1), (6, 1), *[UNSAVED] * count)
        found = view(s)
        assert found["over"] == 1 and found["returns"] == returns
        assert found["fell"] == [1] * count and found["terminated"] == [1] * count
    # those who fell before stay behind
    seats = [seat("Healing, Wolf, Troll, Griffon", hp=2), seat(fell=1), seat(SPARE, hp=2)]
    s = scene(seats, phase="end", stack="Red Dragon")
    play(s, "pass", (1, 1), (6, 1), (6, 1), UNSAVED, UNSAVED)
    assert view(s)["returns"] == [0.5, -1, 0.5] and view(s)["over"] == 1


@pytest.mark.rule("DM-37", "DM-39", "ALL-04")
def test_those_who_fall_together_share_their_places():
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat(hp=2), seat(fell=1), seat(hp=2), seat()])
    play(s, "play Scroll of Meteors", *[(6, 1)] * 3, UNSAVED, UNSAVED, (20, 2))
    found = view(s)
    assert found["fell"] == [0, 2, 1, 2, 0] and found["over"] == 0
    assert found["returns"] == [0, -0.25, -1, -0.25, 0]
    assert found["terminated"] == [0, 1, 1, 1, 0]


@pytest.mark.rule("DM-37")
def test_the_last_one_standing_wins():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(hp=1), seat(fell=1)])
    play(s, CAST, *d20(15), (8, 4))
    assert view(s)["returns"] == [1, 0, -1] and view(s)["over"] == 1


# Teams.


@pytest.mark.rule("DM-38")
def test_allies_are_no_targets():
    s = scene([seat(f"Forest Army, Mind Raid, Banish Beast, {SPARE}"), seat(),
               seat("Dodge", companion="Troll attacker 15"), seat()], teams=2)  # fmt: skip
    assert legal(s) == {"pass", *(f"{how} player_{p}" for p in (1, 3) for how in
                                  ("cast Forest Army at", "use Mind Raid at"))}  # fmt: skip
    s = scene([seat(f"Scroll of Meteors, {SPARE}"), seat(), seat("Dodge"), seat()], teams=2)
    act(
        s,
        "play Scroll of Meteors",
        *[(6, 1)] * 3,
        UNSAVED,
        UNSAVED,
        hp=[60, 57, 60, 57],
        hand_0="-Scroll of Meteors",
        discards="+Scroll of Meteors",
        attacks_used=1,
        phase="end",
    )


@pytest.mark.rule("DM-38")
def test_enemies_attack_allies_too():
    s = scene([seat("Healing, Wolf, Troll, Griffon"), seat(SPARE), seat(), seat()], teams=2,
              phase="end", stack="Goblin Raiders")  # fmt: skip
    play(s, "pass", (1, 1), (8, 1), *[UNSAVED] * 4)
    assert view(s)["hp"] == [59] * 4


@pytest.mark.rule("DM-38", "ALL-06")
def test_an_alliance_wins_with_a_dead_member():
    s = scene([seat(f"Forest Army, {SPARE}"), seat(hp=4), seat(fell=2), seat(fell=1)], teams=2)
    act(
        s, CAST, *d20(15), (8, 4), hp=[60, 0, 0, 0], alive=[1, 0, 0, 0], fell=[0, 3, 2, 1],
        over=1, to_move=-1, discards="+Forest Army", terminated=[1] * 4, rewards=[1, -1, 1, -1],
        returns=[1, -1, 1, -1], attack=view(s)["attack"] | {
            "with": "Forest Army", "user": 0, "by": 0, "target": 1, "part": "magician", "dice": 0,
            "dodged": []}, **PLAYED,
    )  # fmt: skip


@pytest.mark.rule("DM-38")
def test_a_fallen_member_is_out_with_its_team():
    six = [seat(f"Forest Army, {SPARE}"), seat(hp=4), seat(), seat(), seat(hp=4), seat()]
    s = scene(six, teams=3)
    play(s, CAST, *d20(15), (8, 4))
    found = view(s)
    assert found["alive"] == [1, 0, 1, 1, 1, 1]
    assert found["terminated"] == [0] * 6 and found["returns"] == [0] * 6
    s = scene([*six[:4], seat(fell=1), six[5]], teams=3)
    play(s, CAST, *d20(15), (8, 4))
    found = view(s)
    # the second of three teams: seats 1 and 4
    assert found["terminated"] == [0, 1, 0, 0, 1, 0] and found["returns"] == [0, -1, 0, 0, -1, 0]


@pytest.mark.rule("DM-38")
def test_a_team_is_ranked_by_the_fall_of_its_last_member():
    # team of 0, 3; of 1, 4 (4 fell first); of 2, 5 (both fell)
    s = scene([seat(f"Forest Army, {SPARE}"), seat(hp=4), seat(fell=3), seat(fell=1), seat(fell=2),
               seat(fell=4)], teams=3)  # fmt: skip
    play(s, CAST, *d20(15), (8, 4))
    found = view(s)
    assert found["over"] == 1
    # second: the last of its members fell as number 5; the third team's place was paid before
    assert [found["returns"][p] for p in (0, 1, 3, 4)] == [1, 0, 1, 0]


@pytest.mark.rule("DM-38", "DM-37")
def test_teams_that_fall_together():
    s = scene([seat("Healing, Wolf, Troll, Griffon", hp=2), seat(SPARE, hp=2), seat(fell=1),
               seat(fell=2)], teams=2, phase="end", stack="Red Dragon")  # fmt: skip
    play(s, "pass", (1, 1), (6, 1), (6, 1), UNSAVED, UNSAVED)
    assert view(s)["over"] == 1 and view(s)["returns"] == [0, 0, 0, 0]


@pytest.mark.rule("DM-38", "DM-36")
def test_allies_are_looted_by_the_victor_of_another_team_only():
    # reflected at the user: the reflector of the other team takes
    s = scene([seat(f"Forest Army, {SPARE}", hp=2, items="Staff +1"), seat("Shield of Reflection"),
               seat(SPARE), seat(SPARE)], teams=2)  # fmt: skip
    play(s, CAST)
    play(s, "play Shield of Reflection", *d20(15), (8, 4))
    assert view(s)["victor"] == 1 and view(s)["looted"] == 0


# The turn limit.


@pytest.mark.rule("DM-39", "ALL-05")
def test_the_turn_limit():
    """After the End Phase, before an enemy attacks again; the living by hit points."""
    s = scene([seat(FIVE, hp=30), seat(SPARE, hp=40), seat(SPARE, hp=40), seat(fell=1), seat(hp=1)],
              phase="end", turn=8, max_turns=9, enemy="Hydra 16 of 0")  # fmt: skip
    before = view(s)
    act(
        s, "pass", over=2, turn=9, to_move=-1, truncated=[1, 1, 1, 0, 1],
        returns=[0, 0.75, 0.75, -1, -0.5], rewards=[0, 0.75, 0.75, 0, -0.5],
        events=["player_0 discards nothing", "player_0 draws 0", "the turn limit is reached"],
    )  # fmt: skip
    assert before["hp"] == view(s)["hp"] and legal(s) == set()


@pytest.mark.rule("DM-39")
def test_drawn_enemies_come_before_the_limit():
    s = scene([seat("Healing, Wolf, Troll, Griffon", hp=5), seat(SPARE, hp=4)], phase="end",
              turn=8, max_turns=9, stack="Goblin Raiders")  # fmt: skip
    play(s, "pass", (1, 1), (8, 2), UNSAVED, (20, 3))
    assert view(s)["hp"] == [3, 4] and view(s)["over"] == 2 and view(s)["returns"] == [-1, 1]


@pytest.mark.rule("DM-39", "DM-38")
def test_teams_at_the_limit_go_by_the_sum_of_their_hit_points():
    s = scene([seat(FIVE, hp=30), seat(SPARE, hp=20), seat(fell=1), seat(SPARE, hp=11)], teams=2,
              phase="end", turn=8, max_turns=9)  # fmt: skip
    play(s, "pass")
    assert view(s)["returns"] == [-1, 1, -1, 1] and view(s)["truncated"] == [1, 1, 1, 1]


@pytest.mark.rule("DM-39", "ALL-04")
def test_equal_hit_points_at_the_limit_are_a_tie():
    s = scene([seat(FIVE, hp=30), seat(SPARE, hp=30)], phase="end", turn=499)
    play(s, "pass")
    found = view(s)
    assert found["over"] == 2 and found["returns"] == [0, 0] and found["config"]["max_turns"] == 500
    assert "the turn limit is reached" in told(s)


@pytest.mark.rule("DM-39")
def test_one_turn_before_the_limit_play_goes_on():
    s = scene([seat(FIVE), seat(SPARE)], phase="end", turn=498)
    play(s, "pass")
    assert view(s)["over"] == 0 and view(s)["active"] == 1
