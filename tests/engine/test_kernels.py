"""Kernels, on the toy game: what they refuse, fill and return."""

import numpy as np
import pytest

from mages_env.engine.kernels import (
    CHANGED,
    ILLEGAL,
    determinize_rows,
    first_illegal,
    nth_seed,
    observe_rows,
    refresh_one,
    reset_one,
    reset_rows,
    rollout_rows,
    step_one,
)
from tests.envs import toy

GAME = toy.GAME
TABLE = GAME.table()
SIZE = toy.SEEN.size


def begun(seed=0):
    states = GAME.new_state(bridge="none")
    mask, observation = np.full(7, 9, np.int8), np.full(SIZE, np.nan, np.float32)
    reset_one(states, np.uint64(seed), mask, observation, TABLE)
    return states, mask, observation


def test_reset_one_fills_what_the_first_seat_sees():
    states, mask, observation = begun()
    assert mask.tolist() == [1] * 7
    expected = np.empty(SIZE, np.float32)
    toy.observe(states[0], 0, expected)
    assert np.array_equal(observation, expected)


@pytest.mark.parametrize("action", [-1, -(2**40), 7, 2**40])
def test_step_one_refuses_what_is_out_of_range(action):
    states, mask, observation = begun()
    before = states.tobytes()
    shown = np.full(7, 9, np.int8)
    assert step_one(states, action, mask, observation, shown, TABLE) == ILLEGAL
    assert states.tobytes() == before and (shown == 9).all()


def test_step_one_tells_the_next_seat_or_that_something_changed():
    states, mask, observation = begun()
    states["secret"][0, :3] = (1, 2, 3)
    shown = np.full(7, 9, np.int8)
    assert step_one(states, 0, mask, observation, shown, TABLE) == 1
    assert np.array_equal(shown, mask)
    mask[3] = 0
    assert step_one(states, 3, mask, observation, shown, TABLE) == ILLEGAL
    mask[3] = 1
    assert step_one(states, 3, mask, observation, shown, TABLE) == CHANGED  # player_2 is out
    assert states["seat"][0] == 0
    assert step_one(states, 2, mask, observation, shown, TABLE) == CHANGED  # the end
    assert not mask.any() and not shown.any()
    refresh_one(states, mask, observation, TABLE)
    assert not mask.any() and not observation.any()


def test_first_illegal():
    mask = np.ones((4, 3), np.int8)
    mask[2, 1] = 0
    seat = np.zeros(4, np.int32)
    for actions, row in (([0, 1, 2, 1], -1), ([0, 1, 1, 9], 2), ([0, -1, 1, 3], 1), ([3] * 4, 0)):
        assert first_illegal(seat, mask, np.array(actions)) == row
    seat[2] = -1
    assert first_illegal(seat, mask, np.array([0, 1, 1, 1])) == -1


def test_rows_outside_the_slice_are_left_alone():
    states = np.repeat(GAME.new_state(), 5)
    before = states.copy()
    rows = np.array([True, True, False, True, True])
    episode, game_seed = np.full(5, 7), np.zeros(5, np.uint64)
    mask, observation = np.full((5, 7), 9, np.int8), np.full((5, SIZE), 9, np.float32)
    seat = np.full(5, 9, np.int32)
    reset_rows(states, rows, np.uint64(3), episode, game_seed, mask, observation, seat, TABLE, 1, 4)
    touched = [1, 3]
    for row in range(5):
        if row in touched:
            seed = nth_seed(nth_seed(np.uint64(3), np.uint64(row)), np.uint64(7))
            assert game_seed[row] == seed
            assert (episode[row], seat[row]) == (8, 0)
            fresh = GAME.new_state()
            toy.reset(fresh[0], np.uint64(seed))
            assert states[row].tobytes() == fresh[0].tobytes()
        else:
            assert states[row].tobytes() == before[row].tobytes()
            assert (episode[row], seat[row], game_seed[row]) == (7, 9, 0)
            assert (mask[row] == 9).all() and (observation[row] == 9).all()


def test_observing_and_redrawing_rows():
    states = np.repeat(begun()[0], 3)
    out = np.full((3, SIZE), np.nan, np.float32)
    observe_rows(states, np.array([2, -1, 0]), out, TABLE, 0, 3)
    expected = np.empty(SIZE, np.float32)
    toy.observe(states[0], 2, expected)
    assert np.array_equal(out[0], expected) and not out[1].any()
    seeds = np.array([1, 1, 2], np.uint64)
    redrawn = states.copy()
    determinize_rows(redrawn, np.array([0, 1, 2]), seeds, TABLE, 0, 3)
    for row in range(3):
        one = states[row : row + 1].copy()
        toy.determinize(one[0], row, seeds[row])
        assert redrawn[row].tobytes() == one.tobytes()


def test_rollouts_end():
    states = np.repeat(begun()[0], 20)
    decisions = rollout_rows(states, np.zeros(7, np.int8), np.array([5], np.uint64), TABLE, 0, 19)
    assert (states["over"][:19] != 0).all() and states["over"][19] == 0
    assert decisions == states["turn"].sum()
