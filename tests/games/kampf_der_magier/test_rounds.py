"""Cards, dealing, the end of a round and of the game, places and rewards, the turn limit."""

from collections import Counter

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.games.kampf_der_magier import GAME

from .scene import (
    NAMES,
    act,
    all_cards,
    change,
    deals,
    draws,
    gets,
    legal,
    legal_ids,
    plays,
    plays_ball,
    round_over,
    scene,
    scores,
    view,
    words,
)

DECKS = {  # copies of the powers 1 to 13
    "falling": [6, 6, 5, 5, 5, 4, 4, 3, 3, 3, 3, 2, 2],
    "even": [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3],
}


def begun(seed, num_players=None, **options):
    s = GAME.new_state(num_players, **options)[0]
    GAME.reset(s, np.uint64(seed))
    return s


def play_on(s, rng):
    """A random legal action; returns its id."""
    action = int(rng.choice(legal_ids(s)))
    GAME.step(s, action)
    return action


def dealt(events, dealer, count):
    """Hands by seat from the events of a deal, which are checked."""
    given = events[1:]
    seats = [(dealer + 1 + i // 6) % count for i in range(6 * count)]
    assert [event[2] for event in given] == seats  # KDM-03: clockwise, six at a time
    assert given == [gets(event[2], NAMES[event[3]]) for event in given]
    return {seat: sorted(e[3] for e in given if e[2] == seat) for seat in range(count)}


def fresh_deal(events, dealer, count, deck="falling"):
    """What a deal leaves in the record."""
    hands = dealt(events, dealer, count)
    left = Counter(dict(enumerate([*DECKS[deck], 2, 2])))
    for hand in hands.values():
        left.subtract(hand)
    return {
        **{f"hand_{seat}": words(hand) for seat, hand in hands.items()},
        **{f"pile_{seat}": "" for seat in range(count)},
        "draw_pile": words(sorted(left.elements())),
        "table": "",
        "power": 0,
        "shown": "",
        "dealer": dealer,
        "to_move": (dealer + 1) % count,
    }


@pytest.mark.rule("KDM-01", "KDM-02")
@pytest.mark.parametrize("deck", DECKS)
def test_the_cards(deck):
    counts = Counter(all_cards(begun(0, deck=deck)))
    assert [counts[kind] for kind in range(15)] == [*DECKS[deck], 2, 2]
    assert sum(DECKS[deck]) == 51 and counts.total() == 55


@pytest.mark.rule("KDM-02")
def test_the_falling_deck_is_the_usual_one():
    assert GAME.config(begun(0))["deck"] == "falling"


@pytest.mark.rule("KDM-01", "KDM-11")
@pytest.mark.parametrize("variant", ["classic", "open_pile"])
@pytest.mark.parametrize("deck", DECKS)
def test_no_card_is_lost_or_made(deck, variant):
    rng = np.random.default_rng(3)
    s = begun(3, deck=deck, variant=variant)
    cards = all_cards(s)
    while s.over == RUNNING:
        play_on(s, rng)
        assert all_cards(s) == cards


@pytest.mark.rule("KDM-03")
@pytest.mark.parametrize("count", range(2, 7))
def test_the_deal(count):
    for seed in range(5):
        s = begun(seed, count)
        found = view(s)
        del found["rng"]
        assert found["events"][0] == deals(s.dealer, 0)
        assert found == {
            **fresh_deal(found["events"], int(s.dealer), count),
            "events": found["events"],
            "config": GAME.resolve_options(count),
            "turn": 0,
            "rounds_done": 0,
            "over": RUNNING,
            "collected": [0] * count,
            "rewards": [0.0] * count,
            "returns": [0.0] * count,
            "terminated": [0] * count,
            "truncated": [0] * count,
        }
        assert s.draw_pile_size == 55 - 6 * count


@pytest.mark.rule("KDM-03")
def test_every_card_is_dealt_as_often_as_it_occurs():
    # 2,000 deals of 18 cards: copies x 18 / 55 of each kind a deal, here within 5 %.
    found = np.zeros(15)
    for seed in range(2000):
        found += begun(seed).hand[:3].sum(axis=0)
    np.testing.assert_allclose(
        found, np.array([*DECKS["falling"], 2, 2]) * 2000 * 18 / 55, rtol=0.05
    )


@pytest.mark.rule("KDM-11")
def test_a_round_ends_with_the_last_card():
    # Seat 0 goes out. Seat 1 has 3 hand cards and 2 collected, seat 2 has 1 and the 46 others.
    s = scene(
        ["5", "1 1 2", "9"],
        table="3 1",
        power=1,
        piles={1: "2 ball"},
        draw_pile="",
        rounds_done=1,
        dealer=0,
        turn=40,
        collected=[3, 20, 25],
    )
    events = change(s.copy(), "play 5")["events"]
    assert events[:6] == [
        plays(0, 5, 1),
        round_over(1, winner=0),
        scores(0, 0, 3),
        scores(1, 5, 25),
        scores(2, 47, 72),
        deals(1, 2),
    ]
    act(
        s,
        "play 5",
        turn=41,
        rounds_done=2,
        collected=[3, 25, 72],
        rng=True,
        events=events,
        **fresh_deal(events[5:], 1, 3),  # KDM-12: the next seat deals
    )


@pytest.mark.rule("KDM-11")
def test_the_winner_of_a_round_keeps_the_cards_collected():
    s = scene(["5", "1 1"], piles={0: "2 2 7"}, draw_pile="", rounds_done=1)
    events = [plays(0, 5, 1), round_over(1, winner=0), scores(0, 3, 3), scores(1, 51, 51)]
    act(
        s,
        "play 5",
        hand_0="",
        table="5",
        power=5,
        shows="5",
        turn=1,
        rounds_done=2,
        collected=[3, 51],
        to_move=NOBODY,
        over=TERMINATED,
        rewards=[1.0, -1.0],
        returns=[1.0, -1.0],
        terminated=[1, 1],
        events=events,
    )


@pytest.mark.rule("KDM-11", "KDM-06")
def test_a_crystal_ball_may_be_the_last_card():
    s = scene(["ball", "1 1"], table="13", power=13, draw_pile="", rounds_done=1)
    changed = change(s, "ball")
    assert changed["events"][:2] == [plays_ball(0), round_over(1, winner=0)]
    assert changed["over"] == TERMINATED


@pytest.mark.rule("KDM-11", "KDM-09")
def test_the_last_hand_card_does_not_end_the_round_while_there_is_something_to_draw():
    s = scene(["1 1 1 1 1 1", "3"], draw_pile="9 9")
    act(
        s,
        "1 1 1 1 1 1",
        hand_0="9 9",
        table="1 1 1 1 1 1",
        power=6,
        shows="1 1 1 1 1 1",
        draw_pile="",
        to_move=1,
        turn=1,
        rng=True,
        events=[plays(0, 1, 6), gets(0, "9"), gets(0, "9"), draws(0, 2)],
    )


@pytest.mark.rule("KDM-11")
def test_six_cards_at_once_end_the_round_when_there_is_nothing_to_draw():
    s = scene(["1 1 1 1 1 1", "3"], draw_pile="")
    assert change(s, "1 1 1 1 1 1")["events"][1] == round_over(0, winner=0)


@pytest.mark.rule("KDM-11")
def test_only_the_player_who_has_just_played_ends_the_round():
    # Seat 0 takes and holds on to its one card: nothing ends before it is played.
    s = scene(["2", "1 1"], table="3", power=3, draw_pile="", rest_in_pile_of=1)
    act(s, "take", table="", power=0, pile_0="3", events=[(7, -1, 0, 1, 0, 0)])
    assert change(s, "play 2")["events"][1] == round_over(0, winner=0)


@pytest.mark.rule("KDM-12")
def test_the_lot_names_the_first_dealer():
    # 1,000 games of 4: 250 each, give or take 3.5 standard deviations of 13.7.
    dealers = Counter(int(begun(seed, 4).dealer) for seed in range(1000))
    assert set(dealers) == {0, 1, 2, 3}
    assert all(abs(n - 250) < 48 for n in dealers.values())


@pytest.mark.rule("KDM-12")
@pytest.mark.parametrize(("count", "rounds"), [(2, None), (3, None), (6, None), (3, 1), (2, 5)])
def test_rounds_and_dealers(count, rounds):
    rng = np.random.default_rng(count)
    s = begun(11, count, rounds=rounds)
    first = int(s.dealer)
    dealers, starts = [first], [int(s.seat)]
    while s.over == RUNNING:
        play_on(s, rng)
        for event in view(s)["events"]:
            if event == deals(event[2], len(dealers)):
                dealers.append(event[2])
                starts.append(int(s.seat))
    expected = rounds or count  # as many rounds as players unless asked otherwise
    assert dealers == [(first + i) % count for i in range(expected)]
    assert starts == [(dealer + 1) % count for dealer in dealers]
    assert s.stage == expected
    assert s.over == TERMINATED


def last_card_played(collected, **options):
    """The end of a last round in which nobody collects a card, after totals of ``collected``."""
    count = len(collected)
    s = scene(["5", *["1"] * (count - 1)], rounds_done=count - 1, draw_pile="", **options)
    # Seats but 0 get one card each, the last also what lies in its pile: taken off beforehand.
    pile = int(s.pile_size[count - 1])
    s.collected[:count] = np.array(collected) - [0] + [0, *[-1] * (count - 2), -1 - pile]
    GAME.step(s, GAME.parse_action(s, "play 5"))
    return view(s)


@pytest.mark.rule("KDM-13", "ALL-04")
@pytest.mark.parametrize(
    ("collected", "rewards"),
    [
        ([90, 100], [1, -1]),
        ([100, 90], [-1, 1]),
        ([100, 100], [0, 0]),
        ([100, 110, 120], [1, 0, -1]),
        ([120, 100, 110], [-1, 1, 0]),
        ([100, 100, 110], [0.5, 0.5, -1]),
        ([100, 110, 110], [1, -0.5, -0.5]),
        ([100, 100, 100], [0, 0, 0]),
        ([100, 130, 110, 120], [1, -1, 1 / 3, -1 / 3]),
        ([100, 110, 110, 120], [1, 0, 0, -1]),
        ([140, 130, 120, 110, 100], [-1, -0.5, 0, 0.5, 1]),
        ([100, 110, 100, 110, 100, 120], [0.6, -0.4, 0.6, -0.4, 0.6, -1]),
    ],
)
def test_places(collected, rewards):
    changed = last_card_played(collected)
    assert changed["over"] == TERMINATED
    assert changed["collected"] == collected
    np.testing.assert_allclose(changed["rewards"], rewards, rtol=1e-6)
    assert changed["returns"] == changed["rewards"]
    assert sum(changed["rewards"]) == pytest.approx(0, abs=1e-6)


@pytest.mark.rule("ALL-04")
@pytest.mark.parametrize("rounds", [2, 3])
def test_the_score_as_reward(rounds):
    s = scene(
        ["5", "1"],
        rounds_done=rounds - 1,
        draw_pile="",
        collected=[7, 30],
        reward="score",
        rounds=rounds,
    )
    # Of the 55 cards seat 0 has played one, seat 1 ends with the 54 others.
    changed = change(s, "play 5")
    assert changed["collected"] == [7, 84]
    np.testing.assert_allclose(changed["rewards"], [-7 / (55 * rounds), -84 / (55 * rounds)])


@pytest.mark.rule("ALL-04", "ALL-06", "ALL-03")
@pytest.mark.parametrize("reward", ["rank", "score"])
@pytest.mark.parametrize("variant", ["classic", "open_pile"])
def test_pay_and_leaving_come_with_the_last_action(variant, reward):
    rng = np.random.default_rng(5)
    for seed in range(4):
        s = begun(seed, 4, variant=variant, reward=reward)
        while True:
            play_on(s, rng)
            if s.over != RUNNING:
                break
            assert not s.rewards.any() and not s.returns.any()
            assert not s.terminated.any() and not s.truncated.any()
            assert legal_ids(s)
        assert s.rewards[:4].any()
        assert (s.terminated | s.truncated)[:4].all()
        assert legal_ids(s) == []
        assert s.seat == NOBODY
        if reward == "score":
            np.testing.assert_allclose(s.rewards[:4], -s.collected[:4] / 220, rtol=1e-6)
            assert (s.rewards >= -1).all()


# The turn limit of the variant with open piles.


def at_turn(turn, rounds_done=0, hand="5 6", **options):
    """Seat 0 is to play its 5, the limit is the 10th turn; seat 1 has all cards not named."""
    return scene(
        [hand, "1 1 2"],
        table="3",
        power=3,
        draw_pile="",
        variant="open_pile",
        max_turns=10,
        turn=turn,
        rounds_done=rounds_done,
        **options,
    )


@pytest.mark.rule("KDM-17", "ALL-05")
def test_the_turn_before_the_limit_ends_nothing():
    act(
        at_turn(8),
        "play 5",
        hand_0="6",
        table="3 5",
        power=5,
        shows="5",
        to_move=1,
        turn=9,
        events=[plays(0, 5, 1)],
    )


@pytest.mark.rule("KDM-17", "ALL-05")
def test_the_limit_truncates_and_scores_the_round_as_it_stands():
    # Hand and pile count, the two cards on the table do not, and there is no second round.
    act(
        at_turn(9, collected=[0, 0]),
        "play 5",
        hand_0="6",
        table="3 5",
        power=5,
        shows="5",
        to_move=NOBODY,
        turn=10,
        rounds_done=1,
        collected=[1, 52],
        over=TRUNCATED,
        rewards=[1.0, -1.0],
        returns=[1.0, -1.0],
        truncated=[1, 1],
        events=[plays(0, 5, 1), round_over(0), scores(0, 1, 1), scores(1, 52, 52)],
    )


@pytest.mark.rule("KDM-17", "KDM-13")
def test_places_at_the_limit_go_by_all_rounds():
    changed = change(at_turn(9, rounds_done=1, collected=[51, 0]), "play 5")
    assert changed["collected"] == [52, 52]
    assert "rewards" not in changed  # level: 0 for both
    assert changed["over"] == TRUNCATED


@pytest.mark.rule("KDM-17", "ALL-04")
def test_the_score_at_the_limit():
    changed = change(at_turn(9, reward="score"), "play 5")
    np.testing.assert_allclose(changed["rewards"], [-1 / 110, -52 / 110])


@pytest.mark.rule("KDM-17")
def test_a_round_that_ends_with_the_turn_at_the_limit_is_the_last_one():
    changed = change(at_turn(9, hand="5"), "play 5")
    assert changed["events"] == [
        plays(0, 5, 1),
        round_over(0, winner=0),
        scores(0, 0, 0),
        scores(1, 53, 53),
    ]
    assert changed["over"] == TRUNCATED
    assert changed["truncated"] == [1, 1]
    assert changed["rewards"] == [1.0, -1.0]


@pytest.mark.rule("KDM-17")
def test_a_game_that_ends_with_the_turn_at_the_limit_is_not_truncated():
    changed = change(at_turn(9, rounds_done=1, hand="5"), "play 5")
    assert changed["over"] == TERMINATED
    assert changed["terminated"] == [1, 1]
    assert "truncated" not in changed


@pytest.mark.rule("KDM-17")
def test_taking_is_no_turn_of_its_own():
    s = at_turn(9)
    changed = change(s, "take")
    assert "turn" not in changed and "over" not in changed
    assert change(s, "play 5")["over"] == TRUNCATED


@pytest.mark.rule("KDM-17")
@pytest.mark.parametrize("count", range(2, 7))
def test_a_classic_round_has_at_most_55_turns(count):
    rng = np.random.default_rng(count)
    s = begun(count, count)
    turns = 0
    while s.over == RUNNING:
        done = int(s.stage)
        play_on(s, rng)
        if s.stage != done:
            assert s.turn - turns <= 55
            turns = int(s.turn)


@pytest.mark.rule("KDM-17")
def test_open_piles_can_go_on_for_ever():
    # Each seat takes the 3 and leads it again, as it is now the top card of its pile.
    s = scene(
        ["13 13", "12 12"],
        table="3",
        power=3,
        draw_pile="",
        rest_in_pile_of=0,
        variant="open_pile",
        max_turns=20,
    )
    for turn in range(20):
        assert s.turn == turn and s.over == RUNNING
        change(s, "take")
        change(s, "play top as 3")
    assert s.over == TRUNCATED
    assert s.collected[:2].tolist() == [52, 2]


# What holds in every game.


@pytest.mark.rule("ALL-01")
def test_an_only_move_is_asked_for():
    s = scene(["1", "1"], table="13", power=13, draw_pile="")
    assert legal(s) == {"take the table"}
    change(s, "take")
    assert s.seat == 0 and legal(s) == {"play 1"}


@pytest.mark.rule("ALL-02")
def test_the_seed_decides_the_chance():
    games = []
    for seed in (1, 1, 2):
        rng = np.random.default_rng(0)
        s = begun(seed, variant="open_pile")
        course = [view(s)]
        for _ in range(150):
            play_on(s, rng)
            course.append(view(s))
        games.append(course)
    assert games[0] == games[1]
    assert games[0] != games[2]
