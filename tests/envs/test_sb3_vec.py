"""The batch as SB3 takes it, against single environments that play the same games."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

import mages_env
from mages_env.agents.base import Agent
from mages_env.envs.sb3_vec import SB3VecEnv
from mages_env.game import IllegalActionError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")


class First(Agent):
    name = "first"

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)


@pytest.mark.parametrize("game", [KAMPF, toy.GAME], ids=lambda game: game.name)
def test_rows_are_single_games(game):
    """Opponents without chance, so that only the game's seed and the seat decide."""
    env = SB3VecEnv(game, 5, First(game), seat="rotate", seed=7)
    env.reset()
    singles = {}

    def begin(row):
        seat = int(env.batch.learner[row])
        single = mages_env.make_single(game, opponents=First(game), seat=seat)
        singles[row] = single
        np.testing.assert_array_equal(
            single.reset(seed=int(env.batch.game_seed[row]))[0], env.batch.observation[row]
        )

    for row in range(5):
        begin(row)
    total, decisions, ended = np.zeros(5), np.zeros(5, int), 0
    seats = set()
    for _ in range(300):
        masks = get_action_masks(env)
        actions = np.array([np.flatnonzero(mask)[-1] for mask in masks])
        observations, rewards, dones, infos = env.step(actions)
        for row, single in singles.items():
            np.testing.assert_array_equal(masks[row], single.action_masks())
            seen, reward, terminated, truncated, _ = single.step(int(actions[row]))
            total[row] += reward
            decisions[row] += 1
            assert reward == pytest.approx(rewards[row])
            assert dones[row] == (terminated or truncated)
            if dones[row]:
                ended += 1
                seats.add(single.seat)
                np.testing.assert_array_equal(infos[row]["terminal_observation"], seen)
                assert infos[row]["episode"]["r"] == pytest.approx(total[row])
                assert infos[row]["episode"]["l"] == decisions[row]
                assert "TimeLimit.truncated" not in infos[row]
                total[row] = decisions[row] = 0
                begin(row)
            else:
                assert infos[row] == {}
                np.testing.assert_array_equal(observations[row], seen)
    assert ended > 10 and seats == {0, 1, 2}


def test_sb3_finds_the_masks():
    env = SB3VecEnv(KAMPF, 4)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (4, KAMPF.num_actions) and masks.any(axis=1).all()
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    with pytest.raises(AttributeError, match="no 'fly'"):
        env.env_method("fly")


def test_sb3_learns_on_it():
    """As the README has it; SB3 counts the episodes that the rows report."""
    env = SB3VecEnv("kampf_der_magier_v0", num_envs=16, opponents="rule_based", rounds=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=1, device="cpu")
    model.learn(1024)
    assert len(model.ep_info_buffer) > 5
    assert all(set(episode) == {"r", "l"} for episode in model.ep_info_buffer)
    action, _ = model.predict(env.reset(), action_masks=get_action_masks(env))
    assert env.action_masks()[np.arange(16), action].all()


def test_seeds():
    first = []
    for seed in (3, 3, 4):
        env = SB3VecEnv(KAMPF, 4)
        env.seed(seed)
        first.append(env.reset())
    np.testing.assert_array_equal(first[0], first[1])
    assert not np.array_equal(first[0], first[2])


def test_fresh_entropy():
    one, other = (SB3VecEnv(KAMPF, 3, seed=None) for _ in range(2))
    assert not np.array_equal(one.reset(), other.reset())
    one.seed(np.int64(3))
    other.seed(3)
    np.testing.assert_array_equal(one.reset(), other.reset())


@pytest.mark.parametrize("seed", [True, -1, "1"])
def test_no_seeds(seed):
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        SB3VecEnv(KAMPF, 2, seed=seed)
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        SB3VecEnv(KAMPF, 2).seed(seed)


@pytest.mark.parametrize("num_envs", [0, "4", 2.5, True, None])
def test_no_numbers_of_games(num_envs):
    with pytest.raises(ValueError, match=f"num_envs={num_envs!r} must be an integer, at least 1"):
        SB3VecEnv(KAMPF, num_envs)


@pytest.mark.parametrize("actions", [np.zeros(4), np.zeros(3, int), np.zeros(4, bool)])
def test_actions_of_another_kind(actions):
    env = SB3VecEnv(KAMPF, 4)
    env.reset()
    with pytest.raises(ValueError, match=r"actions must be \(4,\) integers"):
        env.step(actions)


def test_illegal_actions_name_the_row():
    env = SB3VecEnv(KAMPF, 4, seat=0)
    env.reset()
    actions = env.action_masks().argmax(axis=1)
    actions[2] = env.action_masks()[2].argmin()
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalActionError, match=r"row 2, player_0: action .*; legal: "):
        env.step(actions)
    assert env.batch.states.tobytes() == before
