"""MaskablePPO through the run loop, its agent, and the loader of SB3's own files."""

import csv

import numpy as np
import pytest

import mages_env
from mages_env.agents.base import Decisions
from mages_env.agents.sb3 import SB3Agent
from mages_env.training import checkpoint, sb3_ppo
from mages_env.training.checkpoint import CheckpointError
from mages_env.training.run import MODEL, RESUME
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
SMALL = {
    "num_envs": 64,
    "num_steps": 32,
    "minibatch": 256,
    "hidden": (32,),
    "evaluate_every": 8 * 64 * 32,
    "evaluate_games": 200,
    "threads": 1,
}
UPDATE = SMALL["num_envs"] * SMALL["num_steps"]


def settings(updates, **changes):
    return sb3_ppo.Args(**{**SMALL, "decisions": updates * UPDATE, **changes})


def train(run_dir, args, **kwargs):
    kwargs = {"num_players": 2, "options": {"rounds": 1}, "quiet": True} | kwargs
    return sb3_ppo.train(KAMPF, args, run_dir, **kwargs)


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory):
    """A short run."""
    folder = tmp_path_factory.mktemp("sb3") / "run"
    train(folder, settings(16))
    return folder


def rates(run_dir):
    with (run_dir / "progress.csv").open() as file:
        return [float(row["random"]) for row in csv.DictReader(file)]


def test_learns(run_dir):
    assert len(rates(run_dir)) == 2
    assert rates(run_dir)[-1] > 0.65  # two players: 0.5 is a fair share, and what it begins with
    assert (run_dir / "learning_curve.png").stat().st_size > 5_000


def test_goes_on(run_dir, tmp_path):
    """Weights and optimiser are those of before; the run is one interval longer."""
    folder = tmp_path / "run"
    folder.mkdir()
    for name in (MODEL, RESUME, "progress.csv"):
        (folder / name).write_bytes((run_dir / name).read_bytes())
    args = settings(17)
    learner = sb3_ppo.SB3Learner(KAMPF, args, KAMPF.resolve_options(2, rounds=1))
    learner.load(folder)
    learner.close()
    before, header = checkpoint.load(run_dir / RESUME)
    assert learner.decisions == header["decisions"] == 16 * UPDATE
    tensors = learner.model() | learner.get_state()[0]
    assert set(tensors) == set(before)
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(tensor, before[name])
    train(folder, args, resume=True)
    assert checkpoint.load(folder / RESUME)[1]["decisions"] == 17 * UPDATE
    assert len(rates(folder)) == len(rates(run_dir)) + 1
    with pytest.raises(ValueError, match=r"other settings: hidden=\[32\], asked for \[8\]"):
        train(folder, settings(17, hidden=(8,)), resume=True)


def test_agent_plays_what_was_trained(run_dir):
    agent = SB3Agent(KAMPF, run_dir / MODEL)
    learner = sb3_ppo.SB3Learner(KAMPF, settings(16), KAMPF.resolve_options(2, rounds=1))
    learner.load(run_dir)
    env = learner.env
    observation, mask = env.reset(), env.action_masks()
    seeds = np.arange(len(mask), dtype=np.uint64)
    expected = learner.act(observation, mask.astype(np.int8), seeds.copy())
    learner.close()
    seats = env.batch.learner
    asked = Decisions(KAMPF, seats, mask.astype(np.int8), seeds, observation)
    np.testing.assert_array_equal(agent.act(asked), expected)
    probabilities = agent.probabilities(observation, mask)
    assert (probabilities[~mask] == 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    agent.check(KAMPF.resolve_options(2, rounds=1))
    with pytest.raises(ValueError, match="made for num_players=2"):
        agent.check(KAMPF.resolve_options(3, rounds=1))


def test_zips_need_trust(run_dir, tmp_path):
    learner = sb3_ppo.SB3Learner(KAMPF, settings(16), KAMPF.resolve_options(2, rounds=1))
    learner.load(run_dir)
    learner.ppo.learning_rate = 1e-3  # a function of ours would have to be pickled
    learner.ppo.lr_schedule = None
    path = tmp_path / "model.zip"
    learner.ppo.save(path)
    learner.close()
    with pytest.raises(CheckpointError, match=r"runs whatever code it holds.*trust=True"):
        SB3Agent(KAMPF, path)
    with pytest.raises(CheckpointError, match="no model at"):
        SB3Agent(KAMPF, tmp_path / "none.zip", trust=True)
    with pytest.raises(CheckpointError, match=r"was trained on Box.*toy_v0 with"):
        SB3Agent(toy.GAME, path, trust=True)
    agent = SB3Agent(KAMPF, path, trust=True)
    observation = np.random.default_rng(0).random((20, KAMPF.encoder().layout.size), np.float32)
    same = SB3Agent(KAMPF, run_dir / MODEL)
    np.testing.assert_allclose(agent.logits(observation), same.logits(observation), atol=1e-6)


def test_opponents_of_any_kind_and_seats(tmp_path):
    """Against a model that is not compiled, from seat 1."""
    model = train(tmp_path / "first", settings(1))
    args = settings(1, opponents=(f"sb3:{model}",), seat="1", evaluate_games=20)
    train(tmp_path / "second", args)
    assert checkpoint.load(tmp_path / "second" / MODEL)[1]["decisions"] == UPDATE
