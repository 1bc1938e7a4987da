"""The ``Game`` contract: options, encoders, pickling."""

import pickle
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.engine import INTERPRETED
from mages_env.game import Game, Option, load_game, valid_seed
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
TOY = toy.GAME


def test_defaults_the_computed_ones_included():
    assert KAMPF.resolve_options() == {
        "num_players": 3,
        "deck": "falling",
        "variant": "classic",
        "rounds": 3,
        "max_turns": 0,
        "reward": "rank",
    }
    config = KAMPF.resolve_options(num_players=5, variant="open_pile")
    assert (config["rounds"], config["max_turns"]) == (5, 600)
    config = KAMPF.resolve_options(variant="open_pile", rounds=2)
    assert config["max_turns"] == 240  # from the options before it, given or not
    assert KAMPF.resolve_options(**config) == config
    assert KAMPF.resolve_options(rounds=None)["rounds"] == 3


@pytest.mark.parametrize(
    "options, match",
    [
        ({"variannt": "classic"}, r"no option 'variannt'; it has num_players, deck.*'variant'\?"),
        ({"variant": "open"}, r"variant='open' must be one of 'classic', 'open_pile'; did you"),
        ({"deck": 1}, "deck=1 must be one of 'falling', 'even'$"),
        ({"rounds": 0}, "rounds=0 must be an integer from 1 to 100"),
        ({"rounds": 101}, "rounds=101 must be"),
        ({"rounds": 3.0}, r"rounds=3\.0 must be an integer"),
        ({"rounds": "3"}, "rounds='3' must be an integer"),
        ({"rounds": True}, "rounds=True must be an integer"),
        ({"rounds": np.True_}, "rounds=.*True.* must be an integer"),
        ({"max_turns": 10}, "max_turns=10: the classic game always ends"),
        ({"variant": "open_pile", "max_turns": 0}, "max_turns=0: the open pile can go on"),
        ({"num_players": 1}, "is for 2 to 6 players, not num_players=1"),
        ({"num_players": 7}, "num_players=7"),
        ({"num_players": 3.0}, r"num_players=3\.0"),
        ({"num_players": True}, "num_players=True must be an integer from 2 to 6"),
        ({"num_players": "3"}, "num_players='3' must be an integer from 2 to 6"),
    ],
)
def test_options_that_do_not_fit(options, match):
    with pytest.raises(ValueError, match=match):
        KAMPF.resolve_options(**options)
    for make in (KAMPF.new_state, lambda **o: mages_env.make(KAMPF, **o)):
        with pytest.raises(ValueError, match=match):
            make(**options)


def test_numpy_integers_are_integers():
    config = KAMPF.resolve_options(num_players=np.int64(4), rounds=np.uint8(2))
    assert config["num_players"] == 4 and type(config["num_players"]) is int
    assert config["rounds"] == 2 and type(config["rounds"]) is int


def test_choices_are_told_apart_by_type():
    option = Option("fast", (False, 0, "0"), False, "")
    assert option.resolve(False, {}) is False
    assert option.resolve("0", {}) == "0"
    assert type(option.resolve(0, {})) is int
    with pytest.raises(ValueError, match=r"fast=0\.0 must be one of False, 0, '0'"):
        option.resolve(0.0, {})


@pytest.mark.parametrize(
    "values, value, words",
    [
        (("1.5", "1.0"), 1.5, "the type is wrong: '1.5' is a string, 1.5 a float"),
        ((0, 2, 3), "2", "the type is wrong: 2 is an integer, '2' a string"),
        ((True, False), "True", "the type is wrong: True is a bool, 'True' a string"),
    ],
)
def test_a_value_of_the_wrong_type_is_said_to_be_that(values, value, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Option("asked", values, values[0], "").resolve(value, {})


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int64(7), np.uint64(2**63)])
def test_seeds(seed):
    assert valid_seed(seed) == int(seed)
    assert type(valid_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True, np.array([1, 2])])
def test_no_seeds(seed):
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        valid_seed(seed)


def test_a_record_holds_its_configuration():
    options = {"num_players": 4, "deck": "even", "variant": "open_pile", "reward": "score"}
    state = KAMPF.new_state(**options)
    assert KAMPF.config(state[0]) == KAMPF.resolve_options(**options)
    KAMPF.reset(state[0], np.uint64(3))
    assert KAMPF.config(state[0]) == KAMPF.resolve_options(**options)


def test_encoders():
    assert KAMPF.encoder() is KAMPF.encoder("standard")
    with pytest.raises(ValueError, match=r"no encoder 'stand'; it has standard, compact; did you"):
        KAMPF.encoder("stand")
    digests = {encoder.digest for encoder in KAMPF.encoders.values()}
    assert len(digests) == 2 and all(len(digest) == 16 for digest in digests)


@pytest.mark.parametrize(
    "players, match",
    [(range(2, 3), "is for 2 players, not for 4"), (range(2, 4), "is for 2 to 3 players")],
)
def test_an_encoder_is_refused_for_players_that_it_does_not_show(players, match):
    encoders = {**KAMPF.encoders, "few": replace(KAMPF.encoder("compact"), players=players)}
    game = replace(KAMPF, encoders=encoders)
    batch = partial(mages_env.make_vec, num_envs=2)
    for make in (mages_env.make, mages_env.make_single, batch):
        assert make(game, num_players=2, encoder="few").encoder is encoders["few"]
        assert make(game, num_players=4).encoder is encoders["standard"]
        with pytest.raises(ValueError, match=f"encoder 'few' {match}"):
            make(game, num_players=4, encoder="few")
    agent = make_agent("random", game)
    agent.encoder = "few"
    agent.check(game.resolve_options(2))
    with pytest.raises(ValueError, match=f"encoder 'few' {match}"):
        agent.check(game.resolve_options(4))


def test_a_game_pickles_as_a_reference():
    assert pickle.loads(pickle.dumps(KAMPF)) is KAMPF
    assert pickle.loads(pickle.dumps(TOY)) is TOY
    assert len(pickle.dumps(TOY)) < 200


def test_a_game_knows_the_module_that_declares_it():
    assert TOY.module == "tests.envs.toy"
    assert load_game("tests.envs.toy") is TOY
    with pytest.raises(ValueError, match="declares 0 games named other_v0"):
        load_game("tests.envs.toy", "other_v0")
    with pytest.raises(ValueError, match=r"tests\.envs\.broken declares \d+ games named anything"):
        load_game("tests.envs.broken")


@pytest.mark.parametrize("make", [mages_env.make, mages_env.make_single, mages_env.get_game])
@pytest.mark.parametrize("name", [None, 3, ["kampf_der_magier_v0"]])
def test_no_games(make, name):
    with pytest.raises(ValueError, match=r"is no game; the games are .*kampf_der_magier_v0"):
        make(name)


def test_get_game():
    assert mages_env.get_game(TOY) is TOY
    assert mages_env.get_game("tests.envs.toy:GAME") is TOY
    assert "kampf_der_magier_v0" in mages_env.games()
    for name, match in (
        ("kampf_der_magier", r"no game 'kampf_der_magier'; .* did you mean 'kampf_der_magier_v0'"),
        ("tests.envs.toy:NONE", "no game at 'tests.envs.toy:NONE'"),
        ("tests.envs.none:GAME", "no game at 'tests.envs.none:GAME'"),
        ("tests.envs.toy:STATE", "is a RecordDType|is a .*, not a mages_env.game.Game"),
    ):
        with pytest.raises(ValueError, match=match):
            mages_env.get_game(name)


def test_the_games_package_lists_the_games_as_well():
    import mages_env.games.mage as mage

    assert mages_env.games.mage is mage
    assert mages_env.games()[-1] == "tower_of_mages_v0"


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_policy_or_encoder_that_is_not_compiled_is_refused():
    with pytest.raises(ValueError, match=r"policy function .* is not compiled; decorate it with"):
        TOY.table(policy=lambda s, mask, rng: 0)
    with pytest.raises(ValueError, match="legal function is compiled as"):
        replace(TOY, legal=TOY.reset).table()


def test_games_cannot_be_changed():
    with pytest.raises(AttributeError):
        TOY.name = "other"
    assert isinstance(TOY, Game)
