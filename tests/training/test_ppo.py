"""Self-play PPO: that it learns, and that a run can be stopped, killed, resumed and repeated."""

import csv
import dataclasses
import math
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import mages_env
from mages_env.training import checkpoint, ppo, sb3_ppo
from mages_env.training.run import MODEL, RESUME
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
SMALL = {
    "num_envs": 64,
    "num_steps": 16,
    "minibatch": 256,
    "hidden": (32,),
    "critic_hidden": (32,),
    "save_every": 3,
    "evaluate_games": 30,
    "pool_size": 3,
    "threads": 1,
}
UPDATE = SMALL["num_envs"] * SMALL["num_steps"]


def settings(updates, **changes):
    return ppo.Args(**{**SMALL, "decisions": updates * UPDATE, **changes})


def train(run_dir, args, **kwargs):
    kwargs = {"num_players": 2, "options": {"rounds": 1}, "quiet": True} | kwargs
    return ppo.train(KAMPF, args, run_dir, **kwargs)


def contents(run_dir):
    """Weights, optimiser, games, pool and generators, without the time it took."""
    tensors, header = checkpoint.load(run_dir / RESUME)
    del header["seconds"], header["progress"]["args"]
    return {name: t.tobytes() for name, t in tensors.items()}, header


def test_learns_one_round_for_two(tmp_path):
    args = ppo.Args(
        decisions=120_000,
        num_envs=128,
        num_steps=32,
        minibatch=1024,
        hidden=(64,),
        critic_hidden=(64,),
        evaluate_every=40_000,
        evaluate_games=300,
        threads=1,
    )
    train(tmp_path / "run", args)
    with (tmp_path / "run" / "progress.csv").open() as file:
        rates = [float(row["random"]) for row in csv.DictReader(file)]
    assert len(rates) == 3
    assert rates[-1] > 0.85  # two players: 0.5 is a fair share, and what it begins with
    picture = (tmp_path / "run" / "learning_curve.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 5_000
    assert list((tmp_path / "run" / "tensorboard").glob("events.*"))


def test_seats_that_leave_early_and_no_estimate(tmp_path):
    """A game without ``evaluate``, three seats, of which some leave in the middle."""
    args = settings(30, evaluate_every=30 * UPDATE, evaluate_games=1000)
    ppo.train(toy.GAME, args, tmp_path / "run", num_players=3, quiet=True)
    with (tmp_path / "run" / "progress.csv").open() as file:
        rates = [float(row["random"]) for row in csv.DictReader(file)]
    assert rates[-1] > 0.37  # three players: a third is a fair share, chance decides much


def test_same_seed_same_result(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(tmp_path / name, settings(4, seed=seed))
    a, b, c = (contents(tmp_path / name) for name in "abc")
    assert a == b
    assert a[0]["policy.layers.0.weight"] != c[0]["policy.layers.0.weight"]


def test_resumed_run_equals_one_in_one_go(tmp_path, monkeypatch):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    args = settings(10, opponents=("random",))
    train(whole, args)

    class Killed(Exception):
        pass

    update = ppo.Learner.update

    def killed(learner):
        if learner.updates == 8:  # saved after 6
            raise Killed
        return update(learner)

    monkeypatch.setattr(ppo.Learner, "update", killed)
    with pytest.raises(Killed):
        train(parts, args)
    monkeypatch.undo()
    train(parts, args, resume=True)
    assert contents(parts) == contents(whole)
    assert (parts / "progress.csv").read_text().count("\n") == 2


KILLED = """
import sys
import mages_env
from mages_env.training import ppo
from tests.training.test_ppo import settings, train
from pathlib import Path
train(Path(sys.argv[1]), settings(100_000, save_every=2))
"""


@pytest.fixture
def endless(tmp_path):
    """A run that goes on for ever, in a process of its own, saved at least once."""
    run_dir = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(run_dir)], stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not (run_dir / MODEL).exists() and time.monotonic() < deadline:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    yield process, run_dir
    process.kill()
    process.wait()
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_killed_run_goes_on(endless):
    process, run_dir = endless
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, before = checkpoint.load(run_dir / RESUME)
    assert before["progress"]["updates"] % 2 == 0  # whole intervals, nothing half done
    updates = before["progress"]["updates"] + 3
    train(run_dir, settings(updates, save_every=2), resume=True)
    _, after = checkpoint.load(run_dir / RESUME)
    assert after["progress"]["updates"] == updates
    assert not list(run_dir.glob("*.partial"))


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt_saves_and_says_how_to_go_on(endless):
    process, run_dir = endless
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode not in (0, None)
    assert "KeyboardInterrupt" in errors
    _, header = checkpoint.load(run_dir / RESUME)
    assert header["decisions"] == header["progress"]["updates"] * UPDATE


def test_stop_in_one_process_tells_the_command(tmp_path, capsys, monkeypatch):
    update = ppo.Learner.update

    def interrupted(learner):
        if learner.updates == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return update(learner)

    monkeypatch.setattr(ppo.Learner, "update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "run", settings(10), quiet=False)
    assert "Stopped after 2,048 decisions" in capsys.readouterr().err
    assert threading.active_count() < 20
    assert checkpoint.load(tmp_path / "run" / RESUME)[1]["progress"]["updates"] == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_refusals_change_nothing(tmp_path):
    run_dir = tmp_path / "run"
    train(run_dir, settings(2))
    before = contents(run_dir)
    with pytest.raises(ValueError, match="already holds a run: resume it"):
        train(run_dir, settings(2))
    with pytest.raises(ValueError, match=r"other settings: hidden=\[32\], asked for \[16\]"):
        train(run_dir, settings(2, hidden=(16,)), resume=True)
    with pytest.raises(ValueError, match="other options: num_players=2, asked for 3"):
        train(run_dir, settings(2), resume=True, num_players=3)
    with pytest.raises(ValueError, match="is for kampf_der_magier_v0, not for toy_v0"):
        ppo.train(toy.GAME, settings(2), run_dir, resume=True, quiet=True)
    with pytest.raises(ValueError, match="no checkpoint at"):
        train(tmp_path / "other", settings(2), resume=True)
    with pytest.raises(ValueError, match=r"no encoder 'stanard'.*'standard'"):
        train(tmp_path / "other", settings(2, encoder="stanard"))
    with pytest.raises(ValueError, match="must not add up to more than 1"):
        train(
            tmp_path / "other",
            settings(2, opponents=("random",), opponents_share=0.9, past_share=0.2),
        )
    with pytest.raises(ValueError, match="num_envs=0 must be at least 1"):
        train(tmp_path / "other", settings(2, num_envs=0))
    assert contents(run_dir) == before
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("module", [ppo, sb3_ppo])
def test_every_number_has_a_range(tmp_path, module):
    for field in dataclasses.fields(module.Args):
        if field.type not in ("int", "float", "tuple[int, ...]"):
            continue
        for value in (-1, math.nan, math.inf, 2.5 if "int" in field.type else -0.1):
            bad = (8, value) if field.type.startswith("tuple") else value
            with pytest.raises(ValueError, match=f"^{field.name}=.* must be "):
                module.train(KAMPF, module.Args(**{field.name: bad}), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_nothing_left_to_do(tmp_path, capsys):
    train(tmp_path / "run", settings(2))
    before = contents(tmp_path / "run")
    train(tmp_path / "run", settings(2), resume=True, quiet=False)
    assert "Nothing left to do" in capsys.readouterr().err
    assert contents(tmp_path / "run") == before


def test_a_run_can_be_made_longer(tmp_path):
    train(tmp_path / "run", settings(2))
    train(tmp_path / "run", settings(5, save_every=1), resume=True)
    assert contents(tmp_path / "run")[1]["decisions"] == 5 * UPDATE


def test_past_selves_are_spread_over_the_run():
    learner = ppo.Learner(KAMPF, settings(1000), KAMPF.resolve_options(2, rounds=1))
    marks = []
    for learner.updates in range(80):
        learner.policy.layers[0].bias.data.fill_(float(learner.updates))
        learner._renew_past()
        marks.append([float(weights["layers.0.bias"][0]) for weights in learner.pool])
    learner.close()
    assert all(1 <= len(mark) <= SMALL["pool_size"] for mark in marks)
    assert marks[-1] == sorted(set(marks[-1]))
    assert marks[-1][0] < 20 and marks[-1][-1] >= 40
