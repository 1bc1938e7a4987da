"""The batch: autoreset, seeds, threads, final states, refusals."""

import copy
import pickle

import numpy as np
import pytest

import mages_env
from mages_env.engine import compiled
from mages_env.envs.aec import RawEnv
from mages_env.envs.vector import VectorEnv
from mages_env.game import IllegalActionError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
TOY = toy.GAME
MODES = pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
BUFFERS = (
    "observation",
    "action_mask",
    "seat",
    "rewards",
    "terminated",
    "truncated",
    "length",
    "final_length",
    "game_seed",
    "episode",
    "states",
    "final_states",
)


def begun(game=TOY, num_envs=8, **kwargs):
    return VectorEnv(game, num_envs, **kwargs).reset()


def snapshot(vec):
    return {name: getattr(vec, name).tobytes() for name in BUFFERS}


def play(vec, steps):
    for _ in range(steps):
        vec.step(vec.sample_actions())


def until_over(vec):
    """Step until some rows' games have just ended; which ones."""
    while True:
        vec.step(vec.sample_actions())
        over = vec.terminated | vec.truncated
        if over.any():
            return over


# Autoreset, by Gymnasium's names.


def test_same_step_resets_in_the_same_call():
    vec = begun(autoreset="same_step")
    for _ in range(20):
        episodes, seeds = vec.episode.copy(), vec.game_seed.copy()
        over = until_over(vec)
        running = ~over
        assert (vec.episode[over] == episodes[over] + 1).all()
        assert (vec.game_seed[over] != seeds[over]).all()
        assert (vec.length[over] == 0).all() and (vec.length[running] > 0).all()
        assert (vec.seat >= 0).all() and vec.action_mask.any(axis=1).all()
        assert (vec.states["over"] == 0).all()
        assert (vec.final_states["over"][over] != 0).all()
        assert np.allclose(vec.returns.sum(axis=1), 0)


def test_next_step_resets_in_the_next_call_and_ignores_its_action():
    vec = begun(autoreset="next_step")
    over = until_over(vec)
    assert (vec.seat[over] == -1).all()
    assert not vec.action_mask[over].any() and not vec.observation[over].any()
    assert vec.rewards[over].any(axis=1).all()
    episodes = vec.episode.copy()
    actions = vec.sample_actions().copy()
    actions[over] = 10**6
    vec.step(actions)
    assert not (vec.terminated | vec.truncated)[over].any()
    assert not vec.rewards[over].any()
    assert (vec.length[over] == 0).all() and (vec.seat[over] == 0).all()
    assert (vec.episode[over] == episodes[over] + 1).all()


def test_disabled_rows_stay_ended_until_they_are_reset():
    vec = begun(autoreset="disabled", max_turns=3)
    play(vec, 10)
    assert (vec.seat == -1).all() and (vec.episode == 1).all()
    assert not vec.rewards.any() and not (vec.terminated | vec.truncated).any()
    final = vec.final_states.copy()
    rows = np.arange(8) % 3 == 0
    vec.reset(rows=rows)
    assert ((vec.seat >= 0) == rows).all()
    assert (vec.episode == np.where(rows, 2, 1)).all()
    assert (vec.length == 0)[rows].all() and (vec.length == vec.final_length)[~rows].all()
    assert vec.final_states.tobytes() == final.tobytes()


def test_modes_play_the_same_games():
    """Row by row, the games of each mode are those of the others."""
    returns = {}
    for mode in ("same_step", "next_step", "disabled"):
        vec = begun(num_envs=3, autoreset=mode, seed=5)
        seen = [[] for _ in range(3)]
        while min(map(len, seen)) < 5:
            over = vec.seat == -1
            if mode == "disabled" and over.any():
                vec.reset(rows=over)
            vec.step(np.argmax(vec.action_mask[:, ::-1], axis=1) * -1 + TOY.num_actions - 1)
            for row in np.flatnonzero(vec.terminated | vec.truncated):
                seen[row].append((*vec.returns[row].tolist(), int(vec.final_length[row])))
        returns[mode] = [games[:5] for games in seen]
    assert returns["same_step"] == returns["next_step"] == returns["disabled"]


def test_unknown_modes_and_sizes():
    with pytest.raises(
        ValueError, match=r"autoreset='sometimes' must be one of 'next_step', 'same"
    ):
        VectorEnv(TOY, 4, autoreset="sometimes")
    for wrong in (0, -1, "4", 2.5, True, None):
        with pytest.raises(ValueError, match=f"num_envs={wrong!r} must be an integer, at least 1"):
            VectorEnv(TOY, wrong)
        with pytest.raises(ValueError, match=f"threads={wrong!r} must be an integer, at least 1"):
            VectorEnv(TOY, 4, threads=wrong)
    with pytest.raises(ValueError, match=r"no option 'bridg'.*did you mean 'bridge'"):
        VectorEnv(TOY, 4, bridg="none")
    with pytest.raises(ValueError, match="no encoder 'full'"):
        VectorEnv(TOY, 4, encoder="full")


# What is kept of finished games.


@MODES
def test_final_states_and_observations(mode):
    vec = begun(KAMPF, num_envs=4, num_players=2, autoreset=mode)
    over = until_over(vec)
    row = int(np.flatnonzero(over)[0])
    aec = RawEnv(KAMPF, num_players=2)
    for seat in range(2):
        out = vec.final_observation(np.full(4, seat))
        aec.set_game_state(vec.final_states[row])
        expected = aec.observe(f"player_{seat}")["observation"]
        assert np.array_equal(out[row], expected)
    assert vec.final_length[row] == vec.length[row] or mode == "same_step"
    assert np.array_equal(vec.returns[row], vec.final_states["returns"][row, :2])
    assert np.array_equal(vec.rewards[row], vec.returns[row])


def test_rewards_come_with_the_step_that_pays_them():
    """ALL-06: whoever leaves early is paid at once, while the others play on."""
    vec = begun(num_envs=1, autoreset="disabled")
    vec.states["secret"][0, :3] = (1, 2, 3)
    vec.step(np.array([2]))  # player_0 guesses player_1's secret
    assert vec.rewards.tolist() == [[0, -1, 0]]
    assert not vec.terminated[0] and vec.seat[0] == 2
    vec.step(np.array([0]))
    assert vec.rewards.tolist() == [[0, 0, 0]] and vec.seat[0] == 0
    vec.step(np.array([3]))
    assert vec.rewards.tolist() == [[1, 0, 0]]
    assert vec.terminated[0] and not vec.truncated[0]
    assert vec.returns.tolist() == [[1, -1, 0]]


def test_truncated_rows():
    vec = begun(num_envs=1, max_turns=1, bridge="none")
    vec.step(np.array([toy.CROSS]))
    assert vec.truncated[0] and not vec.terminated[0]
    assert vec.rewards.tolist() == [[0, 0, 0]]


# Seeds.


@pytest.mark.parametrize("game", [KAMPF, TOY], ids=["kampf", "toy"])
def test_every_row_is_the_aec_game_of_its_seed(game):
    vec = begun(game, num_envs=3, seed=11)
    envs = [RawEnv(game) for _ in range(3)]
    for _ in range(150):
        fresh = vec.length == 0
        for row, env in enumerate(envs):
            if fresh[row]:
                env.reset(seed=vec.game_seed[row])
            while env.terminations[env.agent_selection]:
                env.step(None)
            view = env.last()[0]
            assert env.agent_selection == f"player_{vec.seat[row]}"
            assert np.array_equal(view["observation"], vec.observation[row])
            assert np.array_equal(view["action_mask"], vec.action_mask[row])
        actions = vec.sample_actions()
        for env, action in zip(envs, actions, strict=True):
            env.step(int(action))
        vec.step(actions)


def test_seeds_begin_the_same_sequence():
    one, other = begun(seed=3), begun(seed=4)
    assert snapshot(one) != snapshot(other)
    first = snapshot(one)
    play(one, 30)
    later = snapshot(one)
    one.reset(seed=3)
    assert {**snapshot(one), "final_states": b"", "final_length": b""} == {
        **first,
        "final_states": b"",
        "final_length": b"",
    }
    play(one, 30)
    assert snapshot(one) == later
    one.reset()  # goes on with the next seeds of the sequence
    assert set(one.game_seed.tolist()).isdisjoint(np.frombuffer(first["game_seed"], np.uint64))
    assert len(set(begun(num_envs=500).game_seed.tolist())) == 500
    for seed in (-1, 2**64, 0.5, True):
        with pytest.raises(ValueError, match="must be an integer from 0 to"):
            VectorEnv(TOY, 2, seed=seed)


def test_chosen_seeds():
    vec = begun(num_envs=4, seed=1)
    seeds = np.array([5, 5, 6, 2**63], np.uint64)
    vec.reset(game_seeds=seeds)
    assert vec.game_seed.tolist() == seeds.tolist()
    assert np.array_equal(vec.observation[0], vec.observation[1])
    for row in range(4):
        env = RawEnv(TOY)
        env.reset(seed=int(seeds[row]))
        assert np.array_equal(env.last()[0]["observation"], vec.observation[row])
    before = snapshot(vec)
    with pytest.raises(ValueError, match=r"game_seeds has shape \(3,\), not \(4,\)"):
        vec.reset(game_seeds=seeds[:3])
    assert snapshot(vec) == before


def test_a_row_does_not_depend_on_how_many_there_are():
    few, many = begun(KAMPF, num_envs=2, seed=9), begun(KAMPF, num_envs=7, seed=9)
    for _ in range(60):
        actions = np.argmax(many.action_mask, axis=1)
        few.step(actions[:2])
        many.step(actions)
        assert np.array_equal(few.observation, many.observation[:2])
        assert np.array_equal(few.seat, many.seat[:2])


@pytest.mark.parametrize("threads", [2, 3])
@MODES
def test_threads_change_nothing(mode, threads):
    one = begun(KAMPF, num_envs=11, seed=2, autoreset=mode, num_players=2)
    more = begun(KAMPF, num_envs=11, seed=2, autoreset=mode, num_players=2, threads=threads)
    for _ in range(150):
        play(one, 1)
        play(more, 1)
        assert snapshot(one) == snapshot(more)
    seats = np.arange(11) % 3 - 1
    assert np.array_equal(one.observe(seats), more.observe(seats))
    assert np.array_equal(one.observe_full(), more.observe_full())
    assert one.information_states(1).tobytes() == more.information_states(1).tobytes()
    more.close()


def test_more_threads_than_rows():
    vec = begun(num_envs=2, threads=8)
    assert vec.threads == 2
    play(vec, 20)
    vec.close()


# Refusals.


@pytest.mark.parametrize("action", [-1, KAMPF.num_actions, 10**9, None])
def test_an_illegal_action_is_named_with_its_row_and_nothing_is_stepped(action):
    vec = begun(KAMPF, num_envs=5, seed=3)
    actions = vec.sample_actions().copy()
    if action is None:
        action = int(np.flatnonzero(vec.action_mask[3] == 0)[0])
    actions[3] = action
    before = snapshot(vec)
    with pytest.raises(
        IllegalActionError, match=rf"row 3, player_{vec.seat[3]}: action {action} "
    ) as e:
        vec.step(actions)
    first = int(np.flatnonzero(vec.action_mask[3])[0])
    assert f"legal: {first} ({KAMPF.action_text(vec.states[3], first)})" in str(e.value)
    assert snapshot(vec) == before
    play(vec, 1)


def test_without_check_illegal_actions_go_through():
    five = np.array([5, 5])  # no secret, and so no guess, where there are five
    with pytest.raises(IllegalActionError):
        begun(num_envs=2, secrets=5).step(five)
    vec = begun(num_envs=2, secrets=5, check=False)
    vec.step(five)
    assert (vec.seat == 1).all()


@pytest.mark.parametrize(
    "actions",
    [np.zeros(3, np.int64), np.zeros((4, 1), np.int64), np.zeros(4), 0, [True] * 4, ["a"] * 4],
)
def test_actions_of_another_kind(actions):
    vec = begun(num_envs=4)
    before = snapshot(vec)
    with pytest.raises(ValueError, match=r"actions must be \(4,\) integers, not"):
        vec.step(actions)
    assert snapshot(vec) == before


def test_actions_may_be_a_list_or_of_any_integer_type():
    vec = begun(num_envs=2)
    for actions in ([6, 6], np.array([6, 6], np.int8), np.array([6, 6], np.uint64)):
        vec.reset()
        vec.step(actions)


def test_order_and_shapes():
    vec = VectorEnv(TOY, 4)
    with pytest.raises(RuntimeError, match=r"reset\(\) needs to be called before step\(\)"):
        vec.step(np.zeros(4, np.int64))
    vec.reset()
    before = snapshot(vec)
    for call, match in (
        (lambda: vec.reset(rows=np.ones(3, bool)), r"rows has shape \(3,\), not \(4,\)"),
        (lambda: vec.reset(seed=1, rows=np.ones(4, bool)), "seed= begins all rows anew"),
        (lambda: vec.observe(np.zeros(3)), r"seats must be \(4,\) integers below 3"),
        (lambda: vec.observe(np.full(4, 3)), "integers below 3"),
        (lambda: vec.observe(np.zeros(4, int), out=np.zeros((3, 55))), "out must be"),
        (lambda: vec.observe_full(out=np.zeros((4, 2), np.float32)), "out must be"),
        (lambda: vec.act(None, np.ones(4), np.zeros(4, np.int64)), "rows must be .* bool"),
        (lambda: vec.act(None, np.ones(4, bool), np.zeros(4)), "actions must be .* int64"),
    ):
        with pytest.raises(ValueError, match=match):
            call()
    assert snapshot(vec) == before


# Views.


def test_observations_of_any_seat():
    vec = begun(KAMPF, num_envs=6)
    play(vec, 9)
    assert np.array_equal(vec.observe(vec.seat), vec.observation)
    out = np.full_like(vec.observation, np.nan)
    seats = np.array([0, 1, 2, -1, 0, 1])
    assert vec.observe(seats, out=out) is out
    assert not out[3].any()
    for row in (0, 1, 2, 4, 5):
        expected = np.empty(out.shape[1], np.float32)
        vec.encoder.function(vec.states[row], seats[row], expected)
        assert np.array_equal(out[row], expected)
    full = vec.observe_full()
    expected = np.empty(full.shape[1], np.float32)
    KAMPF.full.function(vec.states[4], expected)
    assert np.array_equal(full[4], expected)


def test_information_states_are_what_the_seats_to_move_know():
    vec = begun(KAMPF, num_envs=16)
    play(vec, 20)
    before = snapshot(vec)
    states = vec.information_states(seed=1)
    assert snapshot(vec) == before
    assert states.tobytes() == vec.information_states(seed=1).tobytes()
    assert states.tobytes() != vec.information_states(seed=2).tobytes()
    assert (states["hand"] != vec.states["hand"]).any()
    seen = copy.copy(vec)
    seen.states = states
    assert np.array_equal(seen.observe(vec.seat), vec.observation)


def test_spaces():
    vec = begun(KAMPF, num_envs=3, encoder="compact")
    assert vec.single_observation_space.shape == vec.observation.shape[1:]
    assert vec.single_action_space.n == vec.action_mask.shape[1]
    assert all(vec.single_observation_space.contains(row) for row in vec.observation)


def test_the_buffers_are_reused():
    vec = begun(num_envs=3)
    arrays = [getattr(vec, name) for name in BUFFERS]
    play(vec, 5)
    assert all(getattr(vec, name) is array for name, array in zip(BUFFERS, arrays, strict=True))


def test_memory_of_4096_games():
    vec = VectorEnv(KAMPF, 4096, num_players=6)
    held = sum(value.nbytes for value in vars(vec).values() if isinstance(value, np.ndarray))
    assert held < 100e6


# Playing.


def test_sampled_actions_are_legal_and_uniform():
    vec = begun(num_envs=6000, bridge="none")
    vec.states["tried"][:, 1, 2] = 1
    counts = np.bincount(vec.sample_actions(), minlength=7)
    expected = 6000 / 7  # the mask was taken before
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi-square, 6 degrees, p = .001
    vec.step(np.full(6000, toy.CROSS))
    assert (vec.action_mask[np.arange(6000), vec.sample_actions()] == 1).all()


@compiled(toy.SIGNATURES.policy)
def lowest(s, mask, rng):
    for a in range(mask.size):
        if mask[a]:
            return a
    return -1


def test_act_asks_a_compiled_policy_where_it_is_told_to():
    vec = begun(num_envs=5, autoreset="disabled")
    rows = np.array([True, False, True, True, False])
    actions = np.full(5, 99, np.int64)
    assert vec.act(TOY.table(policy=lowest), rows, actions) is actions
    assert actions.tolist() == [0, 99, 0, 0, 99]
    for _ in range(30):
        vec.step(vec.act(TOY.table(policy=lowest), np.ones(5, bool), np.zeros(5, np.int64)))
    assert (vec.seat == -1).all()
    actions[:] = 99
    vec.act(TOY.table(policy=lowest), np.ones(5, bool), actions)
    assert (actions == 99).all()  # nobody is to move


def test_going_on_from_a_saved_state():
    vec = begun(KAMPF, num_envs=5, seed=8)
    play(vec, 40)
    saved = vec.get_state()
    twin = VectorEnv(KAMPF, 5, seed=99)
    twin.set_state(saved)
    for _ in range(200):
        play(vec, 1)
        play(twin, 1)
        assert snapshot(vec) == snapshot(twin)


def test_states_that_do_not_fit():
    vec = begun(KAMPF, num_envs=5, seed=8)
    saved = vec.get_state()
    bad_code = begun(KAMPF, num_envs=5)
    bad_code.states["deck"][2] = 9
    before = {name: array.tobytes() for name, array in saved.items()}
    play(vec, 3)
    now = vec.get_state()
    for wrong, match in (
        ({}, "the state lacks observation, action_mask"),
        (None, "a dict of arrays is wanted"),
        ({k: v for k, v in saved.items() if k != "rng"}, "the state lacks rng$"),
        ({**saved, "seat": saved["seat"].tolist()}, "seat must be an array, not <class 'list'>"),
        ({**saved, "seat": saved["seat"][:3]}, r"seat must be \(5,\) int32, not \(3,\) int32"),
        ({**saved, "rng": saved["rng"].astype(float)}, r"rng must be .*uint64, not .*float64"),
        ({**saved, "seed": np.zeros(0, np.uint64)}, r"seed must be \(1,\) uint64"),
        (begun(KAMPF, num_envs=6).get_state(), r"must be \(5, .*not \(6, "),
        (begun(TOY, num_envs=5).get_state(), "observation must be"),
        (begun(KAMPF, num_envs=5, deck="even").get_state(), "'deck': 'even'.* in row 0"),
        (bad_code.get_state(), "option deck has no value with the code 9"),
    ):
        with pytest.raises(ValueError, match=match):
            vec.set_state(wrong)
        assert all(
            now[name].tobytes() == array.tobytes() for name, array in vec.get_state().items()
        )
    vec.set_state(saved)
    assert {name: array.tobytes() for name, array in vec.get_state().items()} == before


def test_before_reset():
    for call in (VectorEnv.sample_actions, lambda vec: vec.step(np.zeros(3, int))):
        with pytest.raises(RuntimeError, match=r"reset\(\) needs to be called before"):
            call(VectorEnv(TOY, 3))


def test_fresh_entropy():
    one, other = (begun(num_envs=3, seed=None) for _ in range(2))
    assert not np.array_equal(one.game_seed, other.game_seed)


def test_an_action_too_big_is_shown_as_given():
    vec = begun(num_envs=2)
    with pytest.raises(IllegalActionError, match="action 18446744073709551615 is not an action id"):
        vec.step(np.array([0, 2**64 - 1], np.uint64))


@pytest.mark.parametrize("seed", [True, -1, "1", None])
def test_seeds_of_information_states_are_checked(seed):
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        begun().information_states(seed)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_copies_and_pickles_go_on_like_the_original(threads, copied):
    vec = mages_env.make_vec("kampf_der_magier_v0", 8, seed=3, threads=threads).reset()
    for _ in range(20):
        vec.step(vec.sample_actions())
    other = copied(vec)
    for _ in range(80):
        actions = vec.sample_actions()
        assert (other.sample_actions() == actions).all()
        vec.step(actions)
        other.step(actions)
        assert other.states.tobytes() == vec.states.tobytes()
        assert (other.observation == vec.observation).all()
    vec.step(vec.sample_actions())
    assert other.states.tobytes() != vec.states.tobytes()
