"""Agents that play from files: neural ones of this project, and SB3's."""

import numpy as np
import pytest
import torch

import mages_env
from mages_env.agents.base import Decisions
from mages_env.agents.neural import NeuralAgent
from mages_env.agents.neural.network import Network, save_weights
from mages_env.agents.neural.sampling import index_legal, sample_masked
from mages_env.envs.vector import VectorEnv
from mages_env.training import checkpoint
from mages_env.training.checkpoint import CheckpointError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
CONFIG = KAMPF.resolve_options()


def write(path, kind="ppo", **changes):
    """A model with random weights."""
    torch.manual_seed(3)
    network = Network(KAMPF.encoder().layout.size, [24, 24], KAMPF.num_actions)
    header = checkpoint.describe(KAMPF, CONFIG, None) | {
        "kind": kind,
        "network": {"hidden": [24, 24]},
    }
    return checkpoint.save(path, save_weights(network, "policy"), header | changes)


@pytest.fixture
def model(tmp_path):
    return write(tmp_path / "model.safetensors")


@pytest.fixture(scope="module")
def position():
    """150 rows in the middle of their games: observation, mask, seat."""
    env = VectorEnv(KAMPF, 150, seed=4).reset()
    for _ in range(40):
        env.step(env.sample_actions())
    return env.observation.copy(), env.action_mask.copy(), env.seat.copy()


def decisions(position, rows, seed=0):
    observation, mask, seat = position
    seeds = np.random.default_rng(seed).integers(2**64, size=len(seat), dtype=np.uint64)
    return Decisions(KAMPF, seat[rows], mask[rows], seeds[rows], observation[rows])


def test_probabilities(model, position):
    agent = NeuralAgent(KAMPF, model)
    observation, mask, _ = position
    p = agent.probabilities(observation, mask)
    assert p.shape == mask.shape and p.dtype == np.float32
    assert (p[mask == 0] == 0).all() and (p[mask == 1] > 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-5)
    logits = torch.from_numpy(agent.logits(observation))
    expected = logits.masked_fill(torch.from_numpy(mask) == 0, -torch.inf).softmax(dim=1)
    np.testing.assert_allclose(p, expected.numpy(), atol=1e-6)


def test_draws_follow_the_probabilities(model, position):
    agent = NeuralAgent(KAMPF, model)
    row = int(position[1].sum(axis=1).argmax())
    p = agent.probabilities(position[0][[row]], position[1][[row]])[0]
    many = np.full(20_000, row)
    seeds = np.random.default_rng(1).integers(2**64, size=len(many), dtype=np.uint64)
    observation, mask, seat = (part[many] for part in position)
    actions = agent.act(Decisions(KAMPF, seat, mask, seeds, observation))
    share = np.bincount(actions, minlength=len(p)) / len(many)
    assert (np.abs(share - p) < 5 * np.sqrt(p / len(many)) + 1e-9).all()
    best = NeuralAgent(KAMPF, model, deterministic=True)
    assert best.act(decisions(position, np.array([row])))[0] == p.argmax()


def test_a_decision_does_not_depend_on_its_company(model, position):
    agent = NeuralAgent(KAMPF, model)
    everyone = agent.act(decisions(position, np.arange(150)))
    assert (position[1][np.arange(150), everyone] == 1).all()
    for rows in (np.arange(1), np.arange(150)[::-1], np.array([7, 3]), np.arange(20, 61)):
        np.testing.assert_array_equal(agent.act(decisions(position, rows)), everyone[rows])
    assert (agent.act(decisions(position, np.arange(150), seed=1)) != everyone).any()


def test_log_probabilities_and_lists_of_legal_actions(position):
    _, mask, _ = position
    logits = np.random.default_rng(2).normal(size=mask.shape).astype(np.float32) * 3
    rng = np.arange(len(mask), dtype=np.uint64)
    actions, log_prob = np.zeros(len(mask), np.int64), np.zeros(len(mask), np.float32)
    sample_masked(logits, mask, rng, actions, log_prob)
    masked = torch.from_numpy(logits).masked_fill(torch.from_numpy(mask) == 0, -torch.inf)
    expected = masked.log_softmax(dim=1).numpy()[np.arange(len(mask)), actions]
    np.testing.assert_allclose(log_prob, expected, atol=1e-5)
    rows = np.array([5, 3, 99])
    legal, count, choice = index_legal(mask, rows, actions)
    for k, row in enumerate(rows):
        np.testing.assert_array_equal(legal[k, : count[k]], np.flatnonzero(mask[row]))
        assert legal[k, choice[k]] == actions[row]


def test_nobody_moves():
    actions, log_prob = np.full(1, 9), np.ones(1, np.float32)
    logits, mask = np.ones((1, 4), np.float32), np.zeros((1, 4), np.int8)
    sample_masked(logits, mask, np.zeros(1, np.uint64), actions, log_prob)
    assert actions[0] == 0 and log_prob[0] == 0.0


def test_refusals(tmp_path, model):
    agent = NeuralAgent(KAMPF, model)
    with pytest.raises(ValueError, match=r"made for num_players=3, rounds=3; asked for .*=2, .*=1"):
        agent.check(KAMPF.resolve_options(2, rounds=1))
    NeuralAgent(KAMPF, model, strict=False).check(KAMPF.resolve_options(2))
    with pytest.raises(CheckpointError, match="is for kampf_der_magier_v0, not for toy_v0"):
        NeuralAgent(toy.GAME, model)
    with pytest.raises(CheckpointError, match="no checkpoint"):
        NeuralAgent(KAMPF, tmp_path / "none.safetensors")
    other = write(tmp_path / "other.safetensors", network={"hidden": [24]})
    with pytest.raises(CheckpointError, match=r"does not fit the network: policy\.layers\.2"):
        NeuralAgent(KAMPF, other)
    with pytest.raises(CheckpointError, match="holds a 'sb3_ppo' model, not a 'ppo' one"):
        NeuralAgent(KAMPF, write(tmp_path / "sb3.safetensors", kind="sb3_ppo"))


def test_by_name(model):
    agent = mages_env.agents.make_agent(f"neural:{model}", KAMPF)
    assert isinstance(agent, NeuralAgent)
    env = mages_env.make_single(KAMPF, opponents=agent)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
