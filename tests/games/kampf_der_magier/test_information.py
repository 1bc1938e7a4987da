"""What a seat knows: its observation, and what is redrawn when a state is determinised for it."""

import numpy as np
import pytest

from mages_env.engine import RUNNING, TERMINATED
from mages_env.games.kampf_der_magier import GAME

from .scene import (
    all_cards,
    change,
    counted,
    draws,
    gets,
    kinds,
    legal_ids,
    plays,
    scene,
    view,
)


def counts(cards):
    return np.bincount(kinds(cards), minlength=15)


def observed(s, seat, encoder="standard"):
    encoder = GAME.encoder(encoder)
    out = np.full(encoder.layout.size, np.nan, np.float32)
    encoder.function(s, seat, out)
    return encoder.layout.views(out)


def observed_full(s):
    out = np.full(GAME.full.layout.size, np.nan, np.float32)
    GAME.full.function(s, out)
    return GAME.full.layout.views(out)


def determinized(s, seat, seed):
    redrawn = s.copy()
    GAME.determinize(redrawn, seat, np.uint64(seed))
    return redrawn


def middle():
    """Seat 1 of 3 to move in the second of three rounds, dealt by seat 0.

    8 7 on the table, power 7; seat 2 has collected 13 joker.
    """
    return scene(
        ["1 1 1 2 9 10", "3 3 7 12 ball joker", "4 4 5 5 6 6"],
        table="8 7",
        power=7,
        piles={2: "13 joker"},
        to_move=1,
        dealer=0,
        rounds_done=1,
        collected=[11, 22, 33],
    )


def test_positions_stand_for_what_is_said():
    s = middle()
    assert all_cards(s) == sorted(kinds(view(s)["shown"]) + list(_hidden(s)))
    assert s.draw_pile_size == 55 - 18 - 4


def _hidden(s):
    for seat in range(s.num_players):
        yield from kinds(counted(s.hand[seat]))
    yield from s.draw_pile[: s.draw_pile_size].tolist()


def assert_block(views, name, expected):
    np.testing.assert_allclose(views[name], expected, rtol=1e-6, err_msg=name)


@pytest.mark.rule("KDM-16")
def test_the_standard_observation():
    seen = observed(middle(), 1)
    mine = counts("3 3 7 12 ball joker")
    deck = np.array([6, 6, 5, 5, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2])
    assert_block(seen, "duel", [1, 7 / 48, 2 / 55, 33 / 55, 1 / 3, 0, 0, 0])
    assert_block(seen, "hand_count", mine / 6)
    assert_block(seen, "hand_at_least", [[n > k for k in range(4)] for n in mine])
    assert_block(seen, "unseen", (deck - mine - counts("8 7 13 joker")) / 6)
    assert_block(seen, "table", counts("8 7") / 6)
    # Cards that beat 7: eight 1s, four 2s (8), three 3s (9), two 4s (8), 5s, 6s and 7s, one 8.
    assert_block(seen, "needed", np.array([8, 4, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]) / 8)
    seats = np.zeros((6, 8))
    seats[0] = [1, 1, 0, 22 / 165, 0, 0, 0, 0]
    seats[1] = [1, 1, 2 / 55, 33 / 165, 0, 0, 0, 0]
    seats[2] = [1, 1, 0, 11 / 165, 1, 0, 0, 0]
    assert_block(seen, "seats", seats)


@pytest.mark.rule("KDM-16")
def test_the_observation_of_a_seat_that_waits():
    seen = observed(middle(), 2)
    assert_block(seen, "duel", [0, 7 / 48, 2 / 55, 33 / 55, 1 / 3, 0, 0, 0])
    assert_block(seen, "hand_count", counts("4 4 5 5 6 6") / 6)
    seats = observed(middle(), 0)["seats"]
    assert_block(seen, "seats", [seats[2], seats[0], seats[1], *seats[3:]])


def test_own_lead_and_last_round():
    s = scene(["1 2", "3"], rounds_done=1)
    assert_block(observed(s, 0), "duel", [1, 0, 0, 52 / 55, 1 / 2, 1, 1, 0])
    assert_block(observed(s, 1), "duel", [0, 0, 0, 52 / 55, 1 / 2, 1, 0, 0])


@pytest.mark.rule("KDM-14", "KDM-16")
@pytest.mark.parametrize(
    ("top", "shown"),
    [("1", [1 / 13, 0, 0]), ("13", [1, 0, 0]), ("joker", [0, 1, 0]), ("ball", [0, 0, 1])],
)
def test_the_top_card_of_an_open_pile_is_seen_by_all(top, shown):
    s = scene(["2", "3", "4"], piles={1: f"9 {top}"}, variant="open_pile")
    for seat in range(3):
        duel, seats = (observed(s, seat)[name] for name in ("duel", "seats"))
        assert duel[7] == 1
        np.testing.assert_allclose(seats[(1 - seat) % 3, 5:], shown, rtol=1e-6)
        assert not seats[(2 - seat) % 3, 5:].any()


def test_the_compact_observation_is_part_of_the_standard_one():
    for seat in range(3):
        standard, compact = observed(middle(), seat), observed(middle(), seat, "compact")
        assert set(compact) < set(standard)
        for name, block in compact.items():
            assert_block(compact, name, standard[name].reshape(block.shape))


def test_the_full_observation():
    seen = observed_full(middle())
    s = middle()
    assert_block(seen, "duel", observed(s, 1)["duel"])
    assert_block(seen, "to_move", [0, 1, 0, 0, 0, 0])
    hands = ["1 1 1 2 9 10", "3 3 7 12 ball joker", "4 4 5 5 6 6", "", "", ""]
    assert_block(seen, "hands", [counts(hand) / 6 for hand in hands])
    assert_block(seen, "draw_pile", np.bincount(s.draw_pile[:33], minlength=15) / 6)
    assert_block(seen, "table", counts("8 7") / 6)
    assert_block(seen, "piles", [counts(c) / 6 for c in ("", "", "13 joker", "", "", "")])
    assert_block(seen, "seats", observed(s, 0)["seats"])


def random_states(**options):
    """Every 7th state of some games, with what was drawn still in the events."""
    rng = np.random.default_rng(9)
    for count in (2, 3, 6):
        s = GAME.new_state(count, **options)[0]
        GAME.reset(s, np.uint64(count))
        for step in range(10_000):
            if step % 7 == 0:
                yield s
            GAME.step(s, int(rng.choice(legal_ids(s))))
            if s.over != RUNNING:
                yield s
                break


@pytest.mark.rule("KDM-16")
@pytest.mark.parametrize("variant", ["classic", "open_pile"])
def test_determinising_changes_only_what_is_hidden(variant):
    for s in random_states(variant=variant):
        for seat in range(s.num_players):
            before, after = view(s), view(determinized(s, seat, 5))
            for other in range(s.num_players):
                if other != seat:
                    del before[f"hand_{other}"], after[f"hand_{other}"]
            for hidden in ("rng", "draw_pile"):
                del before[hidden], after[hidden]
            before["events"] = [e for e in before["events"] if e[1] in (-1, seat)]
            assert after == before
            assert all_cards(determinized(s, seat, 5)) == all_cards(s)


@pytest.mark.rule("KDM-16")
@pytest.mark.parametrize("variant", ["classic", "open_pile"])
def test_determinising_leaves_no_trace_of_what_was_hidden(variant):
    """Two states that a seat cannot tell apart become the same bytes."""
    rng = np.random.default_rng(0)
    for s in random_states(variant=variant):
        for seat in range(s.num_players):
            other = determinized(s, seat, 77)
            unused = other.draw_pile[other.draw_pile_size :]
            unused[:] = rng.integers(15, size=unused.shape)
            unused = other.events[other.num_events :]
            unused[:] = rng.integers(15, size=unused.shape)
            assert determinized(other, seat, 5).tobytes() == determinized(s, seat, 5).tobytes()


@pytest.mark.rule("KDM-16")
def test_hands_are_redrawn_evenly_from_all_cards_not_seen():
    # 24 cards hidden from seat 0: seat 1 holds 4 of them, seat 2 holds 2.
    drawn_from = "2 2 2 2 3 3 3 6 6 7 8 8 9 10 11 12 12 joker"
    s = scene(["1 1 1", "4 4 5 5", "9 ball"], draw_pile=drawn_from)
    hidden = np.zeros(15)
    np.add.at(hidden, list(_hidden(s)), 1)
    hidden -= s.hand[0]
    assert hidden.sum() == 24
    games = 3000
    hands = np.zeros((3, 15))
    for seed in range(games):
        hands += determinized(s, 0, seed).hand[:3]
    assert hands[0].tolist() == (games * s.hand[0].astype(int)).tolist()
    for seat, size in ((1, 4), (2, 2)):
        expected = games * size * hidden / 24
        deviation = np.sqrt(games * size * np.maximum(hidden, 1) / 24)
        assert (np.abs(hands[seat] - expected) < 4 * deviation).all()
        assert (hands[seat][hidden > 0] > 0).all()


@pytest.mark.rule("KDM-16")
def test_only_its_player_hears_of_a_card_drawn():
    s = scene(["1 1 1 1 1 9", "3"], draw_pile="5")
    change(s, "play 9")
    assert view(determinized(s, 0, 1))["events"] == [plays(0, 9, 1), gets(0, "5"), draws(0, 1)]
    assert view(determinized(s, 1, 1))["events"] == [plays(0, 9, 1), draws(0, 1)]


@pytest.mark.rule("ALL-02")
def test_determinising_reseeds_chance():
    s = middle()
    streams = {int(determinized(s, 0, seed).rng) for seed in range(20)}
    assert len(streams) == 20 and int(s.rng) not in streams


# The estimate of the outcome for searches that stop early.


def estimate(s):
    out = np.full(s.num_players, np.nan, np.float32)
    GAME.evaluate(s, out)
    return out.tolist()


def test_the_estimate_of_a_game_that_is_over_is_its_outcome():
    for options in ({}, {"reward": "score"}, {"variant": "open_pile", "max_turns": 60}):
        for s in random_states(**options):
            if s.over != RUNNING:
                assert estimate(s) == pytest.approx(s.returns[: s.num_players].tolist(), abs=1e-6)


@pytest.mark.parametrize("reward", ["rank", "score"])
def test_the_estimate_prefers_who_has_collected_less(reward):
    known = {"collected": [20, 10, 30], "rounds_done": 1, "reward": reward}
    s = scene(["1", "2", "3"], **known)
    first, second, third = estimate(s)
    assert second > first > third
    worse = estimate(scene(["1", "2", "3"], piles={1: "5 5 6"}, **known))
    assert worse[1] < second and worse[0] > first
    assert sum(worse) == pytest.approx(sum([first, second, third]), abs=1e-6)
    if reward == "rank":
        assert first + second + third == pytest.approx(0, abs=1e-6)
    else:
        # 60 cards counted, two rounds of 55 to come, of 165 in all.
        assert first + second + third == pytest.approx(-170 / 165, abs=1e-6)


def test_the_end_seen_by_everybody():
    s = scene(["5", "1 1"], draw_pile="", rounds_done=1)
    assert change(s, "play 5")["over"] == TERMINATED
    assert_block(observed(s, 0), "duel", [0, 5 / 48, 1 / 55, 0, 1, 1, 0, 0])
    assert not observed_full(s)["to_move"].any()
