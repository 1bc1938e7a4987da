"""Checkpoints: what is written is read, and what is not one is refused with the reason."""

import numpy as np
import pytest
from safetensors.numpy import save_file

import mages_env
from mages_env.agents.neural import NeuralAgent
from mages_env.agents.neural.network import Network, save_weights
from mages_env.training import checkpoint
from mages_env.training.checkpoint import CheckpointError
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")


@pytest.fixture
def saved(tmp_path):
    """A checkpoint for two players and one round."""
    config = KAMPF.resolve_options(2, rounds=1)
    header = checkpoint.describe(KAMPF, config, None) | {"kind": "ppo", "seed": 2**70}
    tensors = {"a": np.arange(6.0).reshape(2, 3), "big": np.array([2**64 - 1], np.uint64)}
    return checkpoint.save(tmp_path / "deep" / "x.safetensors", tensors, header)


def test_round_trip(saved):
    tensors, header = checkpoint.load(saved)
    np.testing.assert_array_equal(tensors["a"], np.arange(6.0).reshape(2, 3))
    assert tensors["big"][0] == 2**64 - 1
    assert header["game"] == "kampf_der_magier_v0" and header["config"]["rounds"] == 1
    assert header["seed"] == 2**70
    assert header["versions"]["mages_env"] == mages_env.__version__
    checkpoint.check(header, saved, KAMPF, KAMPF.resolve_options(2, rounds=1), "ppo")


def test_nothing_half_written_is_left(saved, monkeypatch):
    def broken(fd):
        raise OSError("disk full")

    monkeypatch.setattr(checkpoint.os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save(saved, {"a": np.zeros(1)}, {})
    monkeypatch.undo()
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]
    assert checkpoint.load(saved)[0]["a"].shape == (2, 3)


def test_missing(tmp_path):
    with pytest.raises(CheckpointError, match=r"no checkpoint at .*gone"):
        checkpoint.load(tmp_path / "gone")


@pytest.mark.parametrize("kept", [0, 5, 100, -1])
def test_truncated(saved, kept):
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match="truncated or no safetensors file"):
        checkpoint.load(saved)


def test_foreign_files(tmp_path):
    text = tmp_path / "text"
    text.write_text("not a model at all, but longer than a header's eight bytes")
    with pytest.raises(CheckpointError, match="truncated or no safetensors file"):
        checkpoint.load(text)
    other = tmp_path / "other.safetensors"
    save_file({"a": np.zeros(3)}, other)
    with pytest.raises(CheckpointError, match="without the header of a mages_env checkpoint"):
        checkpoint.load(other)


def test_later_format(saved, monkeypatch):
    monkeypatch.setattr(checkpoint, "FORMAT", 0)
    with pytest.raises(CheckpointError, match=r"has format 1.*update it"):
        checkpoint.load(saved)


def test_made_for_something_else(saved):
    _, header = checkpoint.load(saved)
    with pytest.raises(CheckpointError, match="is for kampf_der_magier_v0, not for toy_v0"):
        checkpoint.check(header, saved, toy.GAME)
    with pytest.raises(CheckpointError, match=r"rounds=1, asked for 3.*"):
        checkpoint.check(header, saved, KAMPF, KAMPF.resolve_options(2, rounds=3))
    with pytest.raises(CheckpointError, match="num_players=2, asked for 3"):
        checkpoint.check(header, saved, KAMPF, KAMPF.resolve_options(3, rounds=1))
    with pytest.raises(CheckpointError, match="holds a 'ppo' model, not a 'sb3_ppo' one"):
        checkpoint.check(header, saved, KAMPF, kind="sb3_ppo")
    with pytest.raises(CheckpointError, match="another layout of the encoder 'standard'"):
        checkpoint.check({**header, "encoder_digest": "0" * 16}, saved, KAMPF)
    with pytest.raises(CheckpointError, match="wants the encoder 'gone'"):
        checkpoint.check({**header, "encoder": "gone"}, saved, KAMPF)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite(tmp_path, value):
    size = KAMPF.encoder("standard").layout.size
    weights = save_weights(Network(size, (8,), KAMPF.num_actions), "policy")
    weights["policy.layers.2.bias"][3] = value
    header = checkpoint.describe(KAMPF, KAMPF.resolve_options(), None)
    header |= {"kind": "ppo", "network": {"hidden": [8]}}
    path = checkpoint.save(tmp_path / "x.safetensors", weights, header)
    with pytest.raises(CheckpointError, match=r"policy\.layers\.2\.bias holds numbers not finite"):
        NeuralAgent(KAMPF, path)
