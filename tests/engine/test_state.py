"""What rules do with the header of a record: payments by place, events, the end."""

from itertools import product

import numpy as np
import pytest

from mages_env.engine import (
    ALL,
    NOBODY,
    RUNNING,
    TERMINATED,
    TRUNCATED,
    begin_game,
    begin_step,
    emit,
    end_game,
    hide_events,
    leave_game,
    pay,
    pay_places,
    state_dtype,
)

STATE = state_dtype(
    ["rounds"],
    [("score", "i4", (5,)), ("odd", "i1", (3,)), ("big", "u8")],
    max_players=5,
    max_events=4,
)


def state(num_players=3, **fields):
    record = np.zeros(1, STATE)[0]
    record.num_players = num_players
    for name, value in fields.items():
        record[name][: len(value)] = value
    return record


@pytest.mark.parametrize("num_players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("sign", [1, -1])
def test_places_against_sorting(num_players, sign):
    """ALL-04, for every pattern of ties."""
    for scores in product(range(3), repeat=num_players):
        s = state(num_players, score=scores)
        pay_places(s, s.score, sign)
        order = sorted(scores, reverse=sign > 0)
        for p, score in enumerate(scores):
            places = [k for k, other in enumerate(order) if other == score]
            mean = sum(places) / len(places)
            expected = 1 - 2 * mean / (num_players - 1) if num_players > 1 else 1
            assert s.rewards[p] == pytest.approx(expected, abs=1e-6)
        assert s.returns.tolist() == s.rewards.tolist()
        if num_players > 1:
            assert s.rewards.sum() == pytest.approx(0, abs=1e-6)
        assert not s.rewards[num_players:].any()


def test_places_in_the_open():
    s = state(4, score=(10, 7, 7, 30))
    pay_places(s, s.score, 1)
    assert s.rewards[:4].tolist() == pytest.approx([1 / 3, -2 / 3, -2 / 3, 1])
    s = state(3, score=(5, 5, 5))
    pay_places(s, s.score, -1)
    assert s.rewards.tolist() == [0, 0, 0, 0, 0]


def test_who_leaves_is_out_and_paid_the_places_behind_those_who_stay():
    """ALL-06: 4 and 1 leave together, then 0; 2 and 3 stay to the end."""
    s = state(5, score=(0, 0, 9, 5, 0))
    leave_game(s, 4, 3, 2)
    leave_game(s, 1, 3, 2)
    assert s.rewards.tolist() == [0, -0.75, 0, 0, -0.75]
    assert s.terminated.tolist() == [0, 1, 0, 0, 1] and s.over == RUNNING
    begin_step(s)
    leave_game(s, 0, 2, 1)
    assert s.rewards.tolist() == [0, 0, 0, 0, 0] and s.terminated[0] == 1
    begin_step(s)
    pay_places(s, s.score, 1)
    end_game(s, TRUNCATED)
    assert s.rewards.tolist() == [0, 0, 1, 0.5, 0]
    assert s.returns.tolist() == [0, -0.75, 1, 0.5, -0.75]
    assert s.terminated.tolist() == [1, 1, 0, 0, 1] and s.truncated.tolist() == [0, 0, 1, 1, 0]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_payments_of_a_whole_game_sum_to_nothing(num_players):
    """ALL-04, however many leave at a time."""
    for waves in product(range(num_players), repeat=num_players):
        s = state(num_players)
        for wave in range(num_players):
            leaving = [p for p in range(num_players) if waves[p] == wave]
            staying = sum(other > wave for other in waves)
            for p in leaving:
                leave_game(s, p, staying, len(leaving))
        by_length = state(num_players, score=waves)
        pay_places(by_length, by_length.score, 1)
        assert s.returns.tolist() == pytest.approx(by_length.returns.tolist(), abs=1e-6)
        assert s.returns.sum() == pytest.approx(0, abs=1e-6) and s.terminated[:num_players].all()


def test_payments_add_up_until_the_next_step():
    s = state()
    pay(s, 1, 0.25)
    pay(s, 1, 0.5)
    assert (s.rewards[1], s.returns[1]) == (0.75, 0.75)
    begin_step(s)
    assert (s.rewards[1], s.returns[1]) == (0.0, 0.75)


def test_events_in_order_and_no_more_than_there_is_room_for():
    s = state()
    for k in range(6):
        emit(s, k + 1, ALL, k, 10, 20, -30)
    assert s.num_events == 6  # which the conformance kit reports
    assert s.events.tolist() == [[k + 1, ALL, k, 10, 20, -30] for k in range(4)]
    begin_step(s)
    assert s.num_events == 0


def test_hidden_events_leave_no_trace():
    s = state()
    for code, viewer in ((1, ALL), (2, 0), (3, 1), (4, ALL)):
        emit(s, code, viewer, viewer, code, 0, 0)
    hide_events(s, 1)
    assert s.num_events == 3
    assert s.events[:, 0].tolist() == [1, 3, 4, 0]
    assert not s.events[3].any()
    hide_events(s, 2)
    assert s.events[:, 0].tolist() == [1, 4, 0, 0]
    begin_step(s)
    hide_events(s, 2)  # nothing to hide, but what was there before
    assert s.num_events == 0 and not s.events.any()


def test_hiding_after_too_many_events():
    s = state()
    for k in range(6):
        emit(s, k + 1, 0, 0, 0, 0, 0)
    hide_events(s, 0)
    assert s.num_events == 4


def test_a_new_game_clears_the_header():
    s = state()
    pay(s, 2, 1.0)
    emit(s, 1, ALL, 0, 0, 0, 0)
    s.turn, s.stage = 9, 2
    end_game(s, TERMINATED)
    begin_game(s, 5)
    assert (s.over, s.turn, s.stage, s.num_events) == (RUNNING, 0, 0, 0)
    assert not (s.rewards.any() or s.returns.any() or s.terminated.any() or s.truncated.any())
    rng = int(s.rng)
    begin_game(s, 6)
    assert int(s.rng) != rng
    begin_game(s, 5)
    assert int(s.rng) == rng


def test_the_end_leaves_whoever_was_out_as_they_were():
    s = state(terminated=(0, 1, 0))
    end_game(s, TRUNCATED)
    assert (s.over, s.seat) == (TRUNCATED, NOBODY)
    assert s.terminated[:3].tolist() == [0, 1, 0]
    assert s.truncated[:3].tolist() == [1, 0, 1]
    assert not s.truncated[3:].any()
    s = state()
    end_game(s, TERMINATED)
    assert s.terminated.tolist() == [1, 1, 1, 0, 0] and not s.truncated.any()


def test_records_are_aligned_and_without_gaps():
    assert STATE.isalignedstruct
    assert sum(STATE[name].itemsize for name in STATE.names) == STATE.itemsize
    assert STATE.names[:3] == ("rng", "num_players", "seat")
    assert "rounds" in STATE.names
    assert isinstance(np.zeros(1, STATE)[0], np.record)
    littered = np.full(STATE.itemsize * 2, 0x5A, np.uint8).view(STATE)
    assert littered.copy().tobytes() == littered.tobytes()
