"""Gymnasium's registry: every game has an id there and is a good environment under it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mages_env

TOWER = "mages/TowerOfMages-v0"


def play(env, seed=0):
    """A whole random game by ``info["action_mask"]``; returns decisions and what was paid."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    decisions, paid, over = 0, [], False
    while not over:
        assert observation in env.observation_space
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        decisions += 1
        paid.append(reward)
        over = terminated or truncated
    assert not truncated and not info["action_mask"].any()
    return decisions, paid


def test_every_game_has_an_id():
    ids = {name for name in gymnasium.registry if name.startswith("mages/")}
    assert len(ids) == len(mages_env.games()) and TOWER in ids
    for name in ids:
        assert gymnasium.make(name).unwrapped.game.name in mages_env.games()


@pytest.mark.filterwarnings("ignore:.*the game ends with reward")
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@pytest.mark.parametrize("options", [{}, {"num_players": 2, "opponents": "random"}])
@pytest.mark.parametrize("wrapped", [True, False])
def test_passes_gymnasiums_check(wrapped, options):
    env = gymnasium.make(TOWER, **options)
    check_env(env if wrapped else env.unwrapped)


def test_an_illegal_action_ends_the_game_with_a_warning():
    env = gymnasium.make(TOWER)
    _, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.warns(UserWarning, match="the game ends with reward -1"):
        _, reward, terminated, truncated, _ = env.step(illegal)
    assert (reward, terminated, truncated) == (-1, True, False)


def test_a_whole_game_alone():
    env = gymnasium.make(TOWER)
    for seed in range(5):
        decisions, paid = play(env, seed)
        assert decisions > 10 and not any(paid[:-1])
        state = env.unwrapped.game_state()[0]
        assert paid[-1] == pytest.approx(env.unwrapped.game.scores(state)[0] / 50)


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_a_whole_game_for_two(seat):
    env = gymnasium.make(TOWER, num_players=2, opponents="random", seat=seat)
    for seed in range(5):
        _, paid = play(env, seed)
        state = env.unwrapped.game_state()[0]
        own = env.unwrapped.seat
        lead = int(state.score[own]) - int(state.score[1 - own])
        assert not any(paid[:-1]) and paid[-1] == np.sign(lead)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_players": 3}, "is for 1 to 2 players"),
        ({"reward": "rank"}, "one player alone has no rank"),
        ({"encoder": "planes"}, "has no encoder 'planes'; it has standard, both, compact"),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        gymnasium.make(TOWER, **options)


def test_options_and_encoders_get_through():
    env = gymnasium.make(TOWER, num_players=2, reward="score", encoder="compact")
    assert env.unwrapped.options == {"num_players": 2, "reward": "score"}
    layout = env.unwrapped.game.encoder("compact").layout
    assert env.observation_space.shape == (layout.size,)
    assert env.action_space.n == 241


def test_the_same_seed_gives_the_same_game():
    env = gymnasium.make(TOWER, num_players=2)
    assert play(env, 3) == play(env, 3)


def test_it_is_drawn():
    env = gymnasium.make(TOWER, render_mode="ansi")
    env.reset(seed=1)
    assert "player_0" in env.render()
