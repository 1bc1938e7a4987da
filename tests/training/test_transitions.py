"""Transitions against a slow reference that keeps a list for every seat of every game."""

import numpy as np
import pytest

import mages_env
from mages_env.envs.vector import VectorEnv
from mages_env.training.transitions import TransitionBuilder
from tests.envs import toy


class Reference:
    """Every decision by its number: what its seat was paid until its next one, and that one."""

    def __init__(self):
        self.reward, self.successor, self.done = {}, {}, {}
        self._last = {}  # (row, seat) -> number of the decision that is still open

    def add(self, numbers, seat, rewards, out):
        for row, mover in enumerate(seat):
            if mover >= 0:
                if (row, mover) in self._last:
                    before = self._last[row, mover]
                    self.successor[before], self.done[before] = numbers[row], False
                self._last[row, mover] = numbers[row]
                self.reward[numbers[row]] = 0.0
            for p in range(rewards.shape[1]):
                if (row, p) in self._last:
                    self.reward[self._last[row, p]] += rewards[row, p]
                    if out[row, p]:
                        self.done[self._last.pop((row, p))] = True


def compare(steps, num_steps, num_players, rollouts):
    """Play ``rollouts`` rollouts of ``steps()`` through both; returns what was found closed."""
    reference = Reference()
    builder = None
    closed = {}
    for rollout in range(rollouts):
        for t in range(num_steps):
            seat, rewards, out = next(steps)
            if builder is None:
                builder = TransitionBuilder(
                    num_steps, len(seat), num_players, number=((), np.int64)
                )
            numbers = (rollout * num_steps + t) * len(seat) + np.arange(len(seat))
            builder.at("number", t)[:] = numbers
            builder.add(t, seat, rewards, out)
            reference.add(numbers.tolist(), seat.tolist(), rewards, out)
        transitions = builder.build()
        number = builder.data["number"]
        for i in np.flatnonzero(transitions.closed):
            assert number[i] not in closed, "a transition came twice"
            after = transitions.successor[i]
            closed[int(number[i])] = (
                float(transitions.reward[i]),
                bool(transitions.done[i]),
                None if after < 0 else int(number[after]),
            )
        builder.carry()
    assert set(closed) == set(reference.done)
    for n, (reward, done, after) in closed.items():
        assert reward == pytest.approx(reference.reward[n], abs=1e-5)
        assert done == reference.done[n]
        assert after == reference.successor.get(n)
    return closed


def random_steps(seed, num_envs, num_players):
    """No game at all: any seat moves, or none, is paid, and leaves, at any time."""
    rng = np.random.default_rng(seed)
    while True:
        seat = rng.integers(-1, num_players, num_envs).astype(np.int32)
        rewards = rng.normal(size=(num_envs, num_players)).astype(np.float32)
        yield seat, rewards, rng.random((num_envs, num_players)) < 0.1


def game_steps(env):
    env.reset()
    players = env.num_players
    while True:
        seat = env.seat.copy()
        env.step(env.sample_actions())
        states = env.states
        out = (states["terminated"] | states["truncated"])[:, :players] != 0
        yield seat, env.rewards.copy(), out | (env.terminated | env.truncated)[:, None]


@pytest.mark.parametrize("num_players", [1, 2, 5])
@pytest.mark.parametrize("num_steps", [1, 7])
def test_any_order_of_seats(num_players, num_steps):
    found = compare(random_steps(num_steps, 6, num_players), num_steps, num_players, 12)
    assert len(found) > 30


@pytest.mark.parametrize("num_steps", [1, 3, 16])
def test_seats_that_leave_early(num_steps):
    """ALL-06: the reward of a seat that is out on another's move is its last decision's."""
    env = VectorEnv(toy.GAME, 9, num_players=4, seed=3)
    found = compare(game_steps(env), num_steps, 4, 96 // num_steps)
    assert sum(done for _, done, _ in found.values()) > 50


def test_a_whole_game_is_paid_to_the_last_decisions():
    env = VectorEnv(mages_env.get_game("kampf_der_magier_v0"), 8, 3, seed=1, rounds=1)
    found = compare(game_steps(env), 16, 3, 30)
    ends = [reward for reward, done, _ in found.values() if done]
    assert len(ends) % 3 == 0 and len(ends) >= 30
    assert sum(ends) == pytest.approx(0.0, abs=1e-4)  # ALL-04
    assert sum(reward > 0 for reward in ends) >= len(ends) / 6  # also those who did not move last
    assert all(reward == 0.0 for reward, done, _ in found.values() if not done)


def test_advantages_are_those_of_each_seat_alone():
    builder = TransitionBuilder(6, 1, 2, name=((), np.int64))
    # Seats 0 1 0 1 0, then the game ends with 1 for seat 0 and -1 for seat 1; a new one begins.
    seats, pays = [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 0]
    for t, (seat, pay) in enumerate(zip(seats, pays, strict=True)):
        over = np.full((1, 2), pay == 1)
        builder.add(t, np.array([seat], np.int32), np.array([[pay, -pay]], np.float32), over)
    transitions = builder.build()
    value = np.array([0, 0, 0.5, 0.1, 0.25, 0.2, 0.75, 0.9], np.float32)  # two empty slots first
    advantage = transitions.advantages(value, gamma=0.9, lam=0.5)
    last = 1 - 0.75  # seat 0's third decision
    second = 0.9 * 0.75 - 0.25 + 0.45 * last
    first = 0.9 * 0.25 - 0.5 + 0.45 * second
    last_1 = -1 - 0.2
    first_1 = 0.9 * 0.2 - 0.1 + 0.45 * last_1
    expected = [0, 0, first, first_1, second, last_1, last, 0]
    np.testing.assert_allclose(advantage, expected, atol=1e-6)
    assert transitions.closed.tolist() == [False, False, True, True, True, True, True, False]


def test_an_open_decision_lends_its_value():
    """At the seam the chain bootstraps from the decision that is carried over."""
    builder = TransitionBuilder(2, 1, 1, name=((), np.int64))
    for t in range(2):
        builder.add(t, np.zeros(1, np.int32), np.zeros((1, 1), np.float32), np.zeros((1, 1), bool))
    advantage = builder.build().advantages(np.array([0, 0.25, 1], np.float32), 1.0, 0.95)
    np.testing.assert_allclose(advantage, [0, 0.75, 0])


def test_what_is_carried_over_survives_a_checkpoint():
    steps = random_steps(5, 4, 3)
    there, here = (TransitionBuilder(5, 4, 3, number=((), np.int64)) for _ in range(2))
    for rollout in range(2):
        for t in range(5):
            seat, rewards, out = next(steps)
            for builder in (there, here) if rollout else (there,):
                builder.at("number", t)[:] = 20 * rollout + 4 * t + np.arange(4)
                builder.add(t, seat, rewards, out)
        if not rollout:
            there.build()
            there.carry()
            here.set_state(there.get_state())
    a, b = there.build(), here.build()
    np.testing.assert_array_equal(a.reward, b.reward)
    np.testing.assert_array_equal(a.successor, b.successor)
    np.testing.assert_array_equal(there.data["number"][a.closed], here.data["number"][b.closed])
