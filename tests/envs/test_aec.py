"""The AEC environments: ``RawEnv``, and ``Env`` beside PettingZoo's own wrappers around it."""

import copy
import logging
import pickle

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

import mages_env
from mages_env.envs.aec import Env, RawEnv
from mages_env.game import IllegalActionError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
TOY = toy.GAME
GAMES = pytest.mark.parametrize("game", [KAMPF, TOY], ids=["kampf", "toy"])
BOTH = pytest.mark.parametrize("kind", [RawEnv, Env])


def begun(kind, game, seed=0, **options):
    env = kind(game, **options)
    env.reset(seed=seed)
    return env


def legal(env):
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"])


def play(env, rng, decisions):
    """Random legal actions, also for who is out; stops at the end."""
    for _ in range(decisions):
        if not env.agents:
            return
        out = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if out else int(rng.choice(legal(env))))


def same_views(one, other):
    return all(
        np.array_equal(one.observe(agent)[key], other.observe(agent)[key])
        for agent in one.possible_agents
        for key in ("observation", "action_mask")
    )


# Beside PettingZoo's wrappers.


def wrapped(game, **options):
    env = TerminateIllegalWrapper(RawEnv(game, **options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


def outcome(call, *args):
    try:
        return call(*args)
    except Exception as error:
        return type(error)


READ = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


def seen(env):
    """Everything PettingZoo shows of an environment."""
    views = {name: outcome(lambda name=name: copy.deepcopy(getattr(env, name))) for name in READ}
    views["cumulative"] = outcome(lambda: dict(env._cumulative_rewards))
    views["num_agents"] = outcome(lambda: env.num_agents)
    views["state"] = outcome(lambda: env.state().tobytes())
    views["render"] = outcome(env.render)
    for agent in env.possible_agents:
        views[agent] = outcome(
            lambda agent=agent: {k: v.tolist() for k, v in env.observe(agent).items()}
        )
    views["last"] = outcome(lambda: env.last(observe=False)[1:])
    return views


def some_action(env, rng, size):
    """An action to try: mostly legal, else whatever a caller may come up with."""
    alive = not any(
        outcome(lambda name=name: getattr(env, name)[env.agent_selection]) is True
        for name in ("terminations", "truncations")
    )
    kind = rng.random()
    if kind < 0.85:
        if not alive:
            return None
        choices = outcome(lambda: legal(env))
        return int(rng.choice(choices)) if isinstance(choices, np.ndarray) and choices.size else 0
    odd = [None, -1, size, 10**6, np.int64(1), np.int8(0), 1.0, "1", [1]]
    if kind < 0.95:
        return odd[rng.integers(len(odd))]
    return int(rng.integers(size))


@pytest.fixture
def quiet(caplog):
    caplog.set_level(logging.CRITICAL)


@GAMES
@pytest.mark.usefixtures("quiet")
def test_random_scripts_beside_the_wrapper_stack(game):
    for script in range(40):
        rng = np.random.default_rng(script)
        ours, theirs = Env(game, render_mode="ansi"), wrapped(game, render_mode="ansi")
        if rng.random() < 0.8:
            ours.reset(seed=script)
            theirs.reset(seed=script)
        for _ in range(40):
            if rng.random() < 0.02:
                ours.reset(seed=script + 1)
                theirs.reset(seed=script + 1)
            action = some_action(ours, rng, game.num_actions)
            one, other = (outcome(env.step, action) for env in (ours, theirs))
            assert one == other, f"script {script}, action {action!r}"
            assert seen(ours) == seen(theirs), f"script {script}, action {action!r}"


def test_before_reset_beside_the_wrapper_stack():
    ours, theirs = Env(TOY), wrapped(TOY)
    assert seen(ours) == seen(theirs)
    for call in (lambda env: env.step(0), lambda env: env.agent_iter(), lambda env: env.last()):
        one, other = (outcome(call, env) for env in (ours, theirs))
        assert one == other
        assert issubclass(one, (AssertionError, AttributeError))
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before step"):
        ours.step(0)
    with pytest.raises(AttributeError, match="agents cannot be accessed before reset"):
        _ = ours.agents
    with pytest.raises(AttributeError, match="'Env' object has no attribute 'nonsense'"):
        _ = ours.nonsense


def test_agent_iter_beside_the_wrapper_stack():
    for make in (lambda: Env(TOY), lambda: wrapped(TOY)):
        env = make()
        env.reset(seed=1)
        walk = env.agent_iter()
        assert next(iter(walk)) == "player_0"
        with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
            next(iter(env.agent_iter()))
        env.reset(seed=1)
        agents = []
        for agent in env.agent_iter(max_iter=5):
            agents.append(agent)
            play(env, np.random.default_rng(3), 1)
        assert len(agents) == 5
        for _ in env.agent_iter():
            play(env, np.random.default_rng(3), 1)
        assert env.agents == []


def test_a_state_put_in_may_be_iterated_over():
    env = Env(TOY)
    env.set_game_state(begun(Env, TOY).game_state())
    assert next(iter(env.agent_iter())) == "player_0"


def test_step_after_the_end(caplog):
    env = begun(Env, TOY)
    play(env, np.random.default_rng(0), 1000)
    assert env.agents == []
    with caplog.at_level(logging.WARNING):
        env.step(0)
    assert "step() called after all agents are terminated" in caplog.text
    env = begun(RawEnv, TOY)
    play(env, np.random.default_rng(0), 1000)
    with pytest.raises(RuntimeError, match=r"the game is over; reset\(\) begins another"):
        env.step(0)


# Illegal actions.


@BOTH
@pytest.mark.parametrize(
    "action",
    [-1, KAMPF.num_actions, 0.5, None, "7", [0], 2**70, -(2**70), True, False, np.uint64(2**63)],
)
def test_no_action_id(kind, action):
    env = begun(kind, KAMPF)
    before = env.game_state().tobytes()
    with pytest.raises(AssertionError if kind is Env else IllegalActionError) as caught:
        env.step(action)
    text = str(caught.value)
    assert env.agent_selection in text
    assert f"{action!r} is not an action id (0 to {KAMPF.num_actions - 1})" in text
    first = legal(env)[0]
    assert f"legal: {first} ({env.action_text(first)})" in text
    assert env.game_state().tobytes() == before


@BOTH
@pytest.mark.parametrize("kind_of_integer", [int, np.int64, np.int8, np.uint64, np.array])
def test_any_integer_is_an_action(kind, kind_of_integer):
    """Also where PettingZoo's stack refuses it, as it does uint64."""
    env, twin = begun(kind, TOY), begun(kind, TOY)
    env.step(kind_of_integer(2))
    twin.step(2)
    assert env.game_state().tobytes() == twin.game_state().tobytes()


def test_an_illegal_action_raises_and_changes_nothing():
    for kind, options in ((RawEnv, {}), (Env, {"on_illegal": "raise"})):
        env = begun(kind, KAMPF, render_mode="ansi", **options)
        take = env.parse_action("take")
        before, views = env.game_state().tobytes(), seen(env)
        with pytest.raises(
            IllegalActionError, match=rf"player_\d: action {take} \(take the table\) is not legal"
        ):
            env.step(take)
        assert env.game_state().tobytes() == before
        assert seen(env) == views


def test_an_illegal_action_ends_the_checked_game(caplog):
    env = begun(Env, KAMPF)
    agent = env.agent_selection
    with caplog.at_level(logging.WARNING):
        env.step(env.parse_action("take"))
    assert "Illegal move made" in caplog.text
    assert "(take the table) is not legal now; legal:" in caplog.text
    assert all(env.terminations.values())
    assert env.rewards == {a: -1.0 if a == agent else 0.0 for a in env.possible_agents}


def test_more_legal_actions_than_are_listed():
    env = begun(RawEnv, KAMPF, num_players=2, variant="open_pile")
    rng = np.random.default_rng(0)
    while len(legal(env)) <= 12:
        play(env, rng, 1)
    with pytest.raises(IllegalActionError, match=r"and \d+ more$"):
        env.step(-1)


# Observations.


@BOTH
@GAMES
def test_everybody_can_be_observed_at_any_time(kind, game):
    env = begun(kind, game, seed=4)
    rng = np.random.default_rng(4)
    space = env.observation_space("player_0")
    while True:
        for agent in env.possible_agents:
            view = env.observe(agent)
            assert space.contains(view)
            expected = np.empty_like(view["observation"])
            seat = env.possible_agents.index(agent)
            env.encoder.function(env.game_state()[0], seat, expected)
            assert np.array_equal(view["observation"], expected)
            dead = env.terminations.get(agent, True) or env.truncations.get(agent, True)
            to_move = bool(env.agents) and agent == env.agent_selection and not dead
            assert view["action_mask"].any() == to_move
        if not env.agents:
            break
        play(env, rng, 1)
    with pytest.raises(ValueError, match="no agent 'player_9'; the agents are player_0, player_1"):
        env.observe("player_9")


@GAMES
def test_arrays_handed_out_stay_as_they_were(game):
    env = begun(RawEnv, game, seed=2)
    rng = np.random.default_rng(2)
    kept = []
    for _ in range(30):
        for agent in env.possible_agents:
            view = env.observe(agent)
            kept += [(view["observation"], view["observation"].copy())]
            kept += [(view["action_mask"], view["action_mask"].copy())]
        kept.append((env.state(), env.state().copy()))
        play(env, rng, 1)
        if not env.agents:
            break
    assert all(np.array_equal(array, before) for array, before in kept)
    env.reset(seed=2)
    mask = env.observe(env.agent_selection)["action_mask"]
    forbidden = np.flatnonzero(mask == 0)
    mask[:] = 1  # the caller's own array, no licence
    if forbidden.size:
        with pytest.raises(IllegalActionError):
            env.step(int(forbidden[0]))


def test_spaces_before_reset_and_alike_for_all():
    env = Env(KAMPF, num_players=4)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space("player_0")
        assert env.action_space(agent) == gymnasium.spaces.Discrete(KAMPF.num_actions)
    assert env.state_space.shape == (KAMPF.full.layout.size,)
    compact = Env(KAMPF, encoder="compact").observation_space("player_0")["observation"]
    assert compact.shape == (KAMPF.encoder("compact").layout.size,)
    with pytest.raises(ValueError, match=r"no encoder 'compct'.*did you mean 'compact'"):
        Env(KAMPF, encoder="compct")


# Rewards, and seats that leave early (ALL-06).


def with_secrets(kind, *secrets, **options):
    """A toy game in which player p's secret is secrets[p]."""
    env = begun(kind, TOY, num_players=len(secrets), **options)
    state = env.game_state()
    state["secret"][0, : len(secrets)] = secrets
    env.set_game_state(state)
    return env


@BOTH
def test_a_seat_that_leaves_on_anothers_move(kind):
    env = with_secrets(kind, 1, 2, 3)
    env.step(2)  # player_0 guesses player_1's secret
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert env.terminations == {"player_0": False, "player_1": True, "player_2": False}
    assert env.agent_selection == "player_1"  # the dead are stepped first
    observation, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated, info) == (-1.0, True, False, {})
    assert not observation["action_mask"].any()
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    assert env.agent_selection == "player_2"
    assert env.rewards == {"player_0": 0.0, "player_2": 0.0}
    assert env.last()[0]["action_mask"][:7].all()
    env.step(1)  # player_2 guesses player_0's: second place for player_0, player_2 wins
    assert env.rewards == {"player_0": 0.0, "player_2": 1.0}
    assert env.terminations == {"player_0": True, "player_2": True}
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    assert rewards == {"player_0": 0.0, "player_2": 1.0}
    assert env.agents == []


@BOTH
def test_a_seat_that_leaves_on_its_own_move(kind):
    for seed in range(100):
        env = begun(kind, TOY, seed=seed)
        env.step(toy.CROSS)
        if env.terminations["player_0"]:
            break
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    assert env.agent_selection == "player_0"
    assert env.last()[1:3] == (-1.0, True)
    env.step(None)
    assert env.agents == ["player_1", "player_2"]
    assert env.agent_selection == "player_1"


@BOTH
def test_turn_limit_truncates_those_still_in(kind):
    env = with_secrets(kind, 1, 2, 3, max_turns=2)
    env.step(2)
    env.step(None)
    env.step(0)  # wrong, and the last turn
    assert env.truncations == {"player_0": True, "player_2": True}
    assert env.terminations == {"player_0": False, "player_2": False}
    assert env.rewards == {"player_0": 0.5, "player_2": 0.5}


@BOTH
@GAMES
def test_cumulative_rewards_are_what_was_paid_since_the_last_own_step(kind, game):
    for seed in range(5):
        env = begun(kind, game, seed=seed)
        rng = np.random.default_rng(seed)
        owed = dict.fromkeys(env.agents, 0.0)
        paid = dict.fromkeys(env.agents, 0.0)
        while env.agents:
            agent = env.agent_selection
            assert env.last()[1] == owed[agent]
            paid[agent] += owed[agent]
            owed[agent] = 0.0
            play(env, rng, 1)
            for other, reward in env.rewards.items():
                owed[other] += reward
            assert env._cumulative_rewards == {a: owed[a] for a in env.agents}
        returns = env.game_state()["returns"][0, : len(paid)]
        assert np.allclose(list(paid.values()), returns)
        assert abs(sum(paid.values())) < 1e-6


# Seeds and states.


@GAMES
def test_seeds(game):
    def opening(env):
        return env.game_state().tobytes()

    one, other = RawEnv(game), Env(game)
    one.reset(seed=0)
    other.reset(seed=0)
    assert opening(one) == opening(other)  # 0 is a seed
    assert one.game_seed == 0
    firsts = []
    for _ in range(4):  # a sequence goes on from its seed
        one.reset()
        other.reset()
        assert opening(one) == opening(other)
        assert one.game_seed == other.game_seed
        firsts.append(opening(one))
    assert len(set(firsts)) == 4
    other.reset(seed=one.game_seed)
    assert opening(other) == firsts[-1]
    fresh = [RawEnv(game), RawEnv(game)]
    for env in fresh:
        env.reset()
    assert opening(fresh[0]) != opening(fresh[1])
    one.reset(seed=2**64 - 1)
    one.reset(seed=np.int64(5))
    for seed in (-1, 2**64, 1.5, "1"):
        before = opening(one)
        with pytest.raises(ValueError, match=f"seed={seed!r} must be an integer from 0 to"):
            one.reset(seed=seed)
        assert opening(one) == before


@BOTH
@GAMES
def test_state_out_and_in(kind, game):
    env = begun(kind, game, seed=7)
    rng = np.random.default_rng(7)
    play(env, rng, 6)
    while env.terminations[env.agent_selection]:
        env.step(None)
    record = env.game_state()
    twin = kind(game)
    twin.set_game_state(record)
    while twin.terminations[twin.agent_selection]:
        twin.step(None)
    record["turn"] = 999  # a copy
    assert env.game_state()["turn"] != 999
    assert twin.game_seed is None
    assert same_views(env, twin)
    rng_2 = copy.deepcopy(rng)
    play(env, rng, 1000)
    play(twin, rng_2, 1000)
    assert env.game_state().tobytes() == twin.game_state().tobytes()


def test_records_that_do_not_fit():
    env = begun(RawEnv, KAMPF)
    before = env.game_state().tobytes()
    for record, match in (
        (begun(RawEnv, TOY).game_state(), "not one state record of kampf_der_magier_v0"),
        (begun(RawEnv, KAMPF, num_players=4).game_state(), "'num_players': 4.*the environment"),
        (begun(RawEnv, KAMPF, deck="even").game_state(), "'deck': 'even'.*'deck': 'falling'"),
        (KAMPF.new_state(), "no game has begun in it"),
        (np.zeros(3), "not one state record.*dtype float64"),
        (np.repeat(env.game_state(), 2), "^2 records, not one state record"),
    ):
        with pytest.raises(ValueError, match=match):
            env.set_game_state(record)
        assert env.game_state().tobytes() == before


@pytest.mark.parametrize(
    "field,value,match",
    [
        ("seat", 3, "seat=3, which must be from 0 to 2"),
        ("seat", -5, "seat=-5, which must be"),
        ("over", 3, "over=3, which must be 0, 1 or 2"),
        ("over", 1, "seat=0, which must be -1 once over"),
        ("num_events", -1, r"num_events=-1, which must be from 0 to \d+"),
        ("num_events", 9999, "num_events=9999, which must be"),
        ("turn", -1, "turn=-1, which must be at least 0"),
        ("stage", -1, "stage=-1"),
        ("terminated", (2, 0), "terminated=.*, which must be 0 or 1"),
        ("truncated", (-1, 1), "truncated=.*, which must be 0 or 1"),
        ("terminated", (1, 0), "seat=0, which is out already"),
        ("rewards", (np.nan, 0), "rewards=.*not numbers only"),
        ("deck", 7, "option deck has no value with the code 7"),
        ("deck", -1, "option deck has no value with the code -1"),
        ("num_players", 0, "'num_players': 0.*the environment"),
    ],
)
def test_records_with_a_broken_header(field, value, match):
    env = begun(RawEnv, KAMPF)
    before, views = env.game_state().tobytes(), seen(env)
    record = env.game_state()
    record["seat"] = 0
    if isinstance(value, tuple):
        record[field][0, : len(value)] = value
    else:
        record[field] = value
    with pytest.raises(ValueError, match=match):
        env.set_game_state(record)
    assert env.game_state().tobytes() == before
    assert seen(env) == views and env.game_seed == 0


def test_a_record_that_is_over_has_everybody_out():
    env = begun(RawEnv, KAMPF)
    play(env, np.random.default_rng(0), 10_000)
    record = env.game_state()
    RawEnv(KAMPF).set_game_state(record)
    record["terminated"][0, 1] = 0
    with pytest.raises(ValueError, match=r"over=1, but \[1\] are in"):
        env.set_game_state(record)


@BOTH
def test_agents_that_are_not_there(kind):
    env = begun(kind, TOY)
    for agent in ("player_9", 0, ["player_0"]):
        for call in (
            env.to_text,
            env.to_json,
            env.action_space,
            env.observation_space,
            lambda agent: env.information_state(agent, 0),
        ):
            with pytest.raises(ValueError, match=r"no agent .*; the agents are player_0, player_1"):
                call(agent)
    for seed in (None, True, -1, "1"):
        with pytest.raises(ValueError, match="must be an integer from 0 to"):
            env.information_state("player_0", seed)


@BOTH
def test_methods_before_reset(kind):
    env = kind(TOY)
    for name, arguments in (
        ("to_text", ()),
        ("to_json", ("player_0",)),
        ("state", ()),
        ("game_state", ()),
        ("information_state", ("player_0", 0)),
        ("parse_action", ("cross",)),
        ("observe", ("player_0",)),
    ):
        error = AssertionError if kind is Env else RuntimeError
        with pytest.raises(error, match=r"reset\(\) needs to be called before"):
            getattr(env, name)(*arguments)


@GAMES
def test_an_information_state_is_what_its_agent_knows(game):
    env = begun(RawEnv, game, seed=3)
    before = env.game_state().tobytes()
    agent = env.agent_selection
    one, other = env.information_state(agent, 1), env.information_state(agent, 2)
    assert env.game_state().tobytes() == before
    assert one.tobytes() != other.tobytes()
    twin = RawEnv(game)
    for record in (one, other):
        twin.set_game_state(record)
        assert np.array_equal(twin.observe(agent)["observation"], env.observe(agent)["observation"])
        assert np.array_equal(twin.observe(agent)["action_mask"], env.observe(agent)["action_mask"])


@BOTH
def test_copies_keep_seed_sequence_and_settings(kind):
    env = begun(kind, KAMPF, seed=1, encoder="compact", render_mode="ansi", deck="even")
    for twin in (copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert type(twin) is kind
        assert twin.options == env.options and twin.render() == env.render()
        assert same_views(env, twin)
        twin.reset()
        mine = copy.deepcopy(env)
        mine.reset()
        assert mine.game_seed == twin.game_seed
    assert len(pickle.dumps(env)) < 50_000


# Words.


def test_render():
    env = begun(Env, KAMPF, render_mode="ansi")
    seat = env.possible_agents.index(env.agent_selection)
    assert env.render() == KAMPF.to_text(env.game_state()[0], seat)
    assert "Your hand" in env.render()
    play(env, np.random.default_rng(0), 10_000)
    assert env.render() == KAMPF.to_text(env.game_state()[0], None)
    with pytest.raises(ValueError, match="render_mode='rgb' must be None or one of 'ansi'"):
        Env(KAMPF, render_mode="rgb")
    with pytest.warns(UserWarning, match="render_mode"):
        assert begun(Env, KAMPF).render() is None


def test_texts_for_one_agent_and_for_all():
    env = begun(Env, TOY)
    assert "secret" not in env.to_text() and "secret" in env.to_text("player_1")
    assert "secret" not in env.to_json() and "secret" in env.to_json("player_1")
    assert env.parse_action(env.action_text(3)) == env.parse_action(env.action_text(np.int8(3)))
    for action in (-1, TOY.num_actions, True, None, 1.0):
        with pytest.raises(IllegalActionError, match=r"is not an action id \(0 to 6\)"):
            env.action_text(action)
    for text in (3, None, b"cross"):
        with pytest.raises(ValueError, match="is not understood; an action in words is wanted"):
            env.parse_action(text)


def test_metadata_and_names():
    env = Env(KAMPF)
    assert str(env) == env.metadata["name"] == "kampf_der_magier_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.unwrapped is env
    with pytest.raises(ValueError, match="on_illegal='ignore' must be 'terminate' or 'raise'"):
        Env(KAMPF, on_illegal="ignore")
