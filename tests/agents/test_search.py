"""Information-set tree search."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import mages_env
from examples import leduc
from mages_env.agents import make_agent
from mages_env.agents.search import Searcher, ismcts, search
from tests.agents import nim
from tests.agents.positions import choices, masks, random_positions, redrawn, wins
from tests.envs import toy
from tests.games.kampf_der_magier.scene import scene

KAMPF = mages_env.get_game("kampf_der_magier_v0")
GAMES = {
    "kampf": (KAMPF, {}),
    "kampf of six": (KAMPF, {"num_players": 6}),
    "kampf with an open pile": (KAMPF, {"num_players": 2, "variant": "open_pile"}),
    "kampf for the score": (KAMPF, {"reward": "score"}),
    "leduc": (leduc.GAME, {}),
    "nim of three": (nim.GAME, {"num_players": 3}),
    "guesses, seats leave": (toy.GAME, {"num_players": 4}),
}
KINDS = [
    {},
    {"rollout": "random"},
    {"horizon": "stage", "randomness": 0.2},
    {"horizon": "end"},
]


def equal(a, b):
    return all(
        np.array_equal(getattr(a, f.name), getattr(b, f.name), equal_nan=True) for f in fields(a)
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_a_search_reports(name):
    game, options = GAMES[name]
    for i, state in enumerate(random_positions(game, 5, **options)):
        before = state.copy()
        found = search(game, state, iterations=300, seed=i)
        assert state == before
        (mask,) = masks(game, np.array([state], game.dtype))
        assert found.visits.sum() == found.iterations == 300
        assert not found.visits[mask == 0].any() and mask[found.action]
        assert found.visits[found.action] == found.visits.max()
        assert (found.available[found.visits > 0] <= 300).all()
        assert (found.visits <= found.available).all()
        assert 1 < found.nodes <= 301
        assert found.values.shape == (game.num_actions, state.num_players)
        assert np.isnan(found.values[found.visits == 0]).all()
        seen = found.values[found.visits > 0]
        assert np.isfinite(seen).all() and np.abs(seen).max() <= 1
        if game is not KAMPF or "reward" not in options:
            assert seen.sum(axis=1) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_iterations_and_seed_decide_everything(kind):
    (state,) = random_positions(KAMPF, 1, seed=4)
    first = search(KAMPF, state, iterations=200, seed=7, **kind)
    assert equal(first, search(KAMPF, state, iterations=200, seed=7, **kind))
    assert not equal(first, search(KAMPF, state, iterations=200, seed=8, **kind))


def test_memory_is_clean_for_the_next_search():
    searcher = Searcher(KAMPF, iterations=200)
    one, two = random_positions(KAMPF, 2, seed=5).reshape(2, 1)
    first = searcher.run(one, int(one[0].seat), 1)
    searcher.run(two, int(two[0].seat), 1)
    assert equal(first, searcher.run(one, int(one[0].seat), 1))


@pytest.mark.parametrize("name", GAMES)
def test_hidden_things_have_no_influence(name):
    game, options = GAMES[name]
    agent = make_agent("ismcts", game, iterations=60)
    states = random_positions(game, 12, seed=1, **options)
    expected = choices(agent, states)
    assert masks(game, states)[np.arange(len(states)), expected].all()
    for seed in (1, 2):
        other = redrawn(game, states, seed)
        assert game.perfect_information or (other != states).any()
        assert (choices(agent, other) == expected).all()


def test_forced_moves_need_no_search(monkeypatch):
    agent = make_agent("ismcts", KAMPF, time_ms=10_000)
    monkeypatch.setattr(ismcts, "iterate", None)
    state = scene(["ball ball", "3", "4"], draw_pile="")  # KDM-07: nothing else to lead
    (action,) = choices(agent, np.array([state], KAMPF.dtype))
    assert KAMPF.action_text(state, int(action)) == "play crystal ball"


def test_compiled_and_interpreted_agree():
    code = """
import json
from examples import leduc
from mages_env.agents.search import search
from tests.agents import nim
from tests.agents.positions import random_positions
states = [(nim.GAME, nim.position(9, 3)[0]), (leduc.GAME, random_positions(leduc.GAME, 1)[0])]
print(json.dumps([search(game, state, iterations=150).visits.tolist() for game, state in states]))
"""
    printed = []
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(json.loads(done.stdout))
    assert printed[0] == printed[1]
    assert [sum(visits) for visits in printed[0]] == [150, 150]


# Known best moves.


@pytest.mark.parametrize("rollout", ["random", "rule_based"])
@pytest.mark.parametrize("horizon", [0, 12, "stage", "end"])
def test_finds_the_play_that_wins_alone(rollout, horizon):
    # Last round, nothing to draw. The joker ends it at once with 20 cards to 21; taking the six
    # first and going out with the joker then would share the first place.
    state = scene(
        ["joker", "1", "13"],
        table="6",
        power=6,
        draw_pile="",
        rest_in_pile_of=2,
        collected=[20, 20, 0],
        rounds_done=2,
    )
    found = search(KAMPF, state, iterations=300, rollout=rollout, horizon=horizon)
    assert KAMPF.action_text(state, found.action) == "play joker as 7"
    assert found.values[found.action] == pytest.approx([1, 0, -1], abs=1e-3)


def test_plays_for_the_place_of_all_seats():
    # As above, but seat 2 ends with 18 cards as well if seat 0 does not take another.
    state = scene(
        ["13", "2", "3 3"],
        table="8",
        power=8,
        draw_pile="",
        rest_in_pile_of=1,
        collected=[18, 0, 16],
        rounds_done=2,
    )
    found = search(KAMPF, state, iterations=500)
    assert KAMPF.action_text(state, found.action) == "play 13"
    assert found.values[found.action] == pytest.approx([0.5, -1, 0.5], abs=1e-3)


@pytest.mark.parametrize("matches", [5, 6, 7, 9, 10, 11, 13])
def test_nim_of_two_is_played_perfectly(matches):
    found = search(nim.GAME, nim.position(matches), iterations=5000, seed=matches)
    assert found.action + 1 == matches % 4
    assert found.values[found.action] == pytest.approx([1, -1], abs=0.35)


def test_every_seat_plays_for_itself():
    # Nim of three with five matches. Whoever leaves four lets the next one leave three or fewer,
    # and the third takes them; whoever leaves three or two lets the next one take them.
    found = search(nim.GAME, nim.position(5, 3), iterations=4000)
    one, two, three = found.values
    assert one == pytest.approx([-0.5, -0.5, 1], abs=0.2)
    assert two == pytest.approx([-0.5, 1, -0.5], abs=0.2)
    assert three == pytest.approx([-0.5, 1, -0.5], abs=0.2)


def test_a_pair_in_leduc_is_never_folded():
    # Nobody can have the same pair, so it cannot lose.
    pairs = 0
    for state in random_positions(leduc.GAME, 150, seed=2):
        own = state.cards[state.seat] // 2
        if state.street == 1 and own == state.cards[leduc.PUBLIC] // 2:
            found = search(leduc.GAME, state, iterations=300)
            assert leduc.GAME.action_text(state, found.action) != "fold"
            if found.visits[leduc.FOLD]:
                assert found.values[leduc.FOLD, state.seat] == -1
            assert found.values[found.action, state.seat] > 0.9  # but for roll-outs
            pairs += 1
    assert pairs > 5


# Budgets and memory.


def test_widening_tries_actions_sparingly_and_the_usual_one_first():
    usual = make_agent("rule_based", KAMPF)
    states = random_positions(KAMPF, 5, choice=9)
    for state, mask, first in zip(
        states, masks(KAMPF, states), choices(usual, states), strict=True
    ):
        single = search(KAMPF, state, iterations=1, widening=4.0)
        assert single.visits.argmax() == first
        # t + 1 actions at the earliest after 4 t**2 visits.
        for iterations, most in ((4, 1), (16, 2), (36, 3), (400, 10)):
            found = search(KAMPF, state, iterations=iterations, widening=4.0)
            assert found.visits[first] > 0
            assert 1 <= np.count_nonzero(found.visits) <= most
        everything = search(KAMPF, state, iterations=400, widening=0.0)
        assert np.count_nonzero(everything.visits) == mask.sum()


def test_a_full_tree_is_searched_on():
    (state,) = random_positions(KAMPF, 1, seed=6, choice=6)
    found = search(KAMPF, state, iterations=5000, max_nodes=KAMPF.num_actions + 1)
    assert found.nodes == KAMPF.num_actions + 1
    assert found.visits.sum() == 5000
    assert found.values[found.action, state.seat] > -1


@pytest.fixture
def clock(monkeypatch):
    """A clock that advances by a millisecond every 10 iterations; and the iterations done."""
    chunks = []
    real = ismcts.iterate

    def counted(root, seat, iterations, *rest):
        chunks.append(iterations)
        real(root, seat, iterations, *rest)

    monkeypatch.setattr(ismcts, "iterate", counted)
    monkeypatch.setattr(ismcts.time, "perf_counter", lambda: sum(chunks) / 10_000)
    return chunks


@pytest.mark.parametrize("time_ms", [20, 0.5, 300])
def test_time_budget(clock, time_ms):
    (state,) = random_positions(KAMPF, 1)
    found = search(KAMPF, state, time_ms=time_ms)
    assert found.iterations == sum(clock) == found.visits.sum()
    assert found.iterations == pytest.approx(max(32, 10 * time_ms), abs=2)


@pytest.mark.parametrize("budget", [{"time_ms": 1000}, {"iterations": 10_000}])
def test_an_interrupt_waits_for_a_twentieth_of_a_second_at_most(clock, budget):
    (state,) = random_positions(KAMPF, 1)
    search(KAMPF, state, **budget)
    assert sum(clock) == pytest.approx(10_000, abs=2)
    assert max(clock) <= 501


def test_after_an_interrupt_the_next_search_is_as_ever(monkeypatch):
    (state,) = random_positions(KAMPF, 1)
    root = np.array([state], KAMPF.dtype)
    searcher = Searcher(KAMPF, iterations=200)
    expected = searcher.run(root, int(state.seat), 3)
    real = ismcts.iterate

    def interrupted(*args):
        real(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ismcts, "iterate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            searcher.run(root, int(state.seat), 3)
    assert equal(searcher.run(root, int(state.seat), 3), expected)


# Refusals.


def test_states_that_cannot_be_searched():
    state = scene(["1 2", "3", "4"])
    with pytest.raises(ValueError, match="seat 1 is not to move, seat 0 is"):
        search(KAMPF, state, seat=1)
    with pytest.raises(ValueError, match="state must be one record of kampf_der_magier_v0, not 2"):
        search(KAMPF, np.zeros(2, KAMPF.dtype))
    with pytest.raises(ValueError, match="not begun"):
        search(KAMPF, KAMPF.new_state())
    with pytest.raises(ValueError, match="record of kampf_der_magier_v0"):
        search(KAMPF, nim.position(3))
    with pytest.raises(ValueError, match="seed=-1 must be an integer"):
        search(KAMPF, state, seed=-1)
    over = nim.position(1)
    nim.GAME.step(over[0], 0)
    with pytest.raises(ValueError, match="the game is over"):
        search(nim.GAME, over)


# Strength.


def test_search_beats_random_at_leduc():
    random = make_agent("random", leduc.GAME)
    strong = make_agent("ismcts", leduc.GAME, iterations=200)
    assert wins(leduc.GAME, [strong, random], 150)[0] > 0.55


def test_search_beats_the_others_at_kampf():
    search_agent = make_agent("ismcts", KAMPF, iterations=150)
    rule_based = make_agent("rule_based", KAMPF)
    random = make_agent("random", KAMPF)
    assert wins(KAMPF, [search_agent, random, random], 8)[0] > 0.9
    assert wins(KAMPF, [search_agent, rule_based], 40)[0] > 0.55
