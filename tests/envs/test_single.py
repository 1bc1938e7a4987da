"""The single-agent face: against the AEC environment, which shows the same games move by move."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mages_env
from mages_env.agents.base import Agent
from mages_env.envs.aec import RawEnv
from mages_env.envs.opponents import OpponentBatch
from mages_env.game import IllegalActionError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")


class First(Agent):
    """The legal action with the smallest id, not compiled."""

    name = "first"

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)


class Counter(First):
    """Keeps how many decisions it was asked for at a time."""

    def __init__(self, game):
        super().__init__(game)
        self.asked = []

    def act(self, decisions):
        self.asked.append(len(decisions))
        return super().act(decisions)


def last(mask):
    return int(np.flatnonzero(mask)[-1])


def play(env, seed=None, choose=last):
    """A whole game; returns all that was seen."""
    observation, info = env.reset(seed=seed)
    seen = [(observation, 0.0, info["action_mask"])]
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(choose(env.action_masks()))
        seen.append((observation, reward, info["action_mask"]))
        over = terminated or truncated
    return seen


@pytest.mark.filterwarnings("ignore:.*the game ends with reward")
@pytest.mark.parametrize("opponents", ["random", "rule_based", "first"])
def test_passes_gymnasiums_check(opponents):
    opponents = First(KAMPF) if opponents == "first" else opponents
    env = mages_env.make_single(KAMPF, opponents=opponents, on_illegal="terminate")
    check_env(env, skip_render_check=True)


def test_is_registered():
    env = gymnasium.make("mages/KampfDerMagier-v0", num_players=2)
    observation, info = env.reset(seed=1)
    assert observation.shape == env.observation_space.shape and info["action_mask"].any()


@pytest.mark.parametrize("game,players", [(KAMPF, 3), (toy.GAME, 4)])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_shows_what_the_aec_environment_shows(game, players, seat):
    """Own observations, masks and the reward, on whoever's move it comes."""
    single = mages_env.make_single(game, opponents=First(game), seat=seat, num_players=players)
    aec = RawEnv(game, num_players=players)
    me = f"player_{seat}"
    moves_last = set()
    compared = 0
    for seed in range(16):
        seen = play(single, seed)
        aec.reset(seed)
        expected, paid = [], 0.0
        while aec.agents and not (aec.terminations[me] or aec.truncations[me]):
            if aec.terminations[aec.agent_selection]:
                aec.step(None)
                continue
            view = aec.observe(aec.agent_selection)
            mine = aec.agent_selection == me
            if mine:
                expected.append((view["observation"], paid, view["action_mask"]))
                paid = 0.0
            mover = aec.agent_selection
            action = last(view["action_mask"]) if mine else int(view["action_mask"].argmax())
            aec.step(action)
            paid += aec.rewards[me]
        if not expected:  # out before its first turn: it was shown another game
            continue
        compared += 1
        moves_last.add(mover == me)
        view = aec.observe(me)
        expected.append((view["observation"], paid, view["action_mask"]))
        assert len(seen) == len(expected)
        for (o, r, m), (o_2, r_2, m_2) in zip(seen, expected, strict=True):
            np.testing.assert_array_equal(o, o_2)
            np.testing.assert_array_equal(m, m_2)
            assert r == pytest.approx(r_2)
    assert compared >= 8
    assert False in moves_last  # the reward that arrives on an opponent's move was among them


def test_compiled_and_asked_opponents_side_by_side():
    """Seats after the learner's, in order."""
    counter = Counter(KAMPF)
    env = mages_env.make_single(KAMPF, opponents=["random", counter], seat=1)
    play(env, 3)
    assert counter.asked and set(counter.asked) == {1}
    other = Counter(KAMPF)
    batch = OpponentBatch(KAMPF, 6, ["random", other], seat=1, seed=2)
    batch.reset()
    for _ in range(5):
        batch.step(batch.action_mask.argmax(axis=1))
    assert max(other.asked) > 1  # asked for several games at a time


def test_the_same_seed_gives_the_same_game():
    a, b = (mages_env.make_single(KAMPF, opponents="random") for _ in range(2))
    games = [play(a, 5), play(a), play(b, 5), play(b), play(b, 6)]
    for one, other in ((0, 2), (1, 3)):
        assert len(games[one]) == len(games[other])
        for x, y in zip(games[one], games[other], strict=True):
            np.testing.assert_array_equal(x[0], y[0])
    assert len(games[0]) != len(games[4]) or not np.array_equal(games[0][0][0], games[4][0][0])


@pytest.mark.parametrize("seed", [True, -1, 2**64, 1.0, "1"])
def test_no_seeds(seed):
    env = mages_env.make_single(KAMPF)
    env.reset(seed=1)
    before = env.game_state().tobytes()
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        env.reset(seed=seed)
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        OpponentBatch(KAMPF, 2, seed=seed)
    assert env.game_state().tobytes() == before


def test_numpy_seeds():
    env = mages_env.make_single(KAMPF)
    games = []
    for seed in (5, np.int64(5), np.uint64(5)):
        env.reset(seed=seed)
        games.append(env.game_state().tobytes())
    assert len(set(games)) == 1


def test_seats():
    env = mages_env.make_single(KAMPF, seat="rotate")
    env.reset(seed=0)
    seats = [env.seat]
    for _ in range(5):
        env.reset()
        seats.append(env.seat)
    assert seats == [0, 1, 2, 0, 1, 2]
    env = mages_env.make_single(KAMPF, seat="random")
    assert {env.reset(seed=s)[1]["seat"] for s in range(30)} == {0, 1, 2}
    env = mages_env.make_single(KAMPF, seat=2)
    assert env.reset()[1]["seat"] == 2


def test_illegal_actions():
    env = mages_env.make_single(KAMPF, on_illegal="raise", seat=1)
    env.reset(seed=1)
    before, mask = env.game_state().tobytes(), env.action_masks()
    for action in (int(mask.argmin()), -1, KAMPF.num_actions, 2**70, "take", None, 1.5):
        with pytest.raises(IllegalActionError, match=r"player_1: action .*; legal: "):
            env.step(action)
    assert env.game_state().tobytes() == before
    env.step(last(mask))
    env = mages_env.make_single(KAMPF, seat=1)
    env.reset(seed=1)
    for action in (-1, KAMPF.num_actions, 2**70, "take", None, 1.5, [98], True):
        with pytest.raises(IllegalActionError, match=r"player_1: action .* is not an action id"):
            env.step(action)
        with pytest.raises(IllegalActionError, match="is not an action id"):
            env.action_text(action)
    assert env.game_state().tobytes() == before
    with pytest.warns(UserWarning, match=r"player_1: action .*; legal: .*ends with reward -1"):
        _, reward, terminated, _, info = env.step(int(mask.argmin()))
    assert (reward, terminated, info["action_mask"].any()) == (-1.0, True, False)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(last(mask))


def test_step_before_reset():
    with pytest.raises(RuntimeError, match="reset"):
        mages_env.make_single(KAMPF).step(0)


@pytest.mark.parametrize(
    "arguments,message",
    [
        ({"seat": 3}, "'random', 'rotate' or a number from 0 to 2"),
        ({"seat": "first"}, "'random', 'rotate' or a number"),
        ({"opponents": ["random"] * 3}, "one for each of the 2 other seats, not 3"),
        ({"opponents": First(toy.GAME)}, "plays toy_v0, not kampf_der_magier_v0"),
        ({"opponents": "randon"}, "random"),
        ({"opponents": None}, "opponents=None must be the name of an agent, an agent, or a list"),
        ({"opponents": 3}, "opponents=3 must be"),
        ({"opponents": ["random", None]}, r"opponents=\['random', None\] must be"),
        ({"render_mode": "human"}, "None or 'ansi'"),
        ({"on_illegal": "ignore"}, "'terminate' or 'raise'"),
        ({"num_players": 9}, "2 to 6 players"),
        ({"varient": "classic"}, "did you mean 'variant'"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        mages_env.make_single(KAMPF, **arguments)


def test_opponents_made_for_other_options_are_refused():
    agent = First(KAMPF)
    agent.config = KAMPF.resolve_options(3, rounds=1)
    with pytest.raises(ValueError, match="made for rounds=1; asked for rounds=3"):
        mages_env.make_single(KAMPF, opponents=agent)
    mages_env.make_single(KAMPF, opponents=agent, rounds=1)


def test_truncation():
    """KDM-17: the turn limit truncates and pays places."""
    env = mages_env.make_single(KAMPF, variant="open_pile", max_turns=5, rounds=1, seat=0)
    env.reset(seed=3)
    over = False
    while not over:
        _, reward, terminated, over, _ = env.step(last(env.action_masks()))
        assert not terminated
    assert reward != 0.0


def test_render():
    env = mages_env.make_single(KAMPF, render_mode="ansi", seat=2)
    assert env.render() == ""
    env.reset(seed=4)
    state = env.game_state()[0]
    assert env.render() == KAMPF.to_text(state, 2)
