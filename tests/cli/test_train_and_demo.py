"""Training from the command line, and the demonstration from end to end, both very short."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import mages_env
from mages_env.record import read_record, replay
from mages_env.training import checkpoint, demo, ppo
from mages_env.training.cli import app
from mages_env.training.store import Store

GAME = mages_env.get_game("kampf_der_magier_v0")
SMALL = ["--num-envs", "8", "--num-steps", "8", "--minibatch", "32", "--hidden", "8"]
SMALL += ["--evaluate-games", "6"]


def mages(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def header(path):
    return checkpoint.load(path / "resume.safetensors")[1]


@pytest.mark.parametrize("algorithm", ["ppo", "sb3"])
def test_settings_options_and_resume_reach_the_run(here, algorithm):
    words = ["--algo", algorithm, "-o", "rounds=1", "-p", 2, *SMALL, "--seed", 7]
    run = here / "runs" / f"{GAME.name}-{algorithm}"
    done = mages("train", "kampf", *words, "--decisions", 64)
    assert done.exit_code == 0, done.output
    agent = re.search(r"Trained: (\S+); play against it: mages play kampf -a (\S+)", done.stderr)
    assert agent[1] == agent[2]
    first = header(run)
    assert first["config"] == GAME.resolve_options(num_players=2, rounds=1)
    args = first["progress"]["args"]
    assert (args["num_envs"], args["hidden"], args["seed"]) == (8, [8], 7)

    again = mages("train", "kampf", *words)
    assert again.exit_code == 2
    assert "--resume" in again.stderr
    none = mages("train", "kampf", "--algo", algorithm, "--resume")
    assert none.exit_code == 0, none.output
    assert "Nothing left to do" in none.stderr
    on = mages("train", "kampf", "--algo", algorithm, "--resume", "--decisions", 192)
    assert on.exit_code == 0, on.output
    assert header(run)["decisions"] > first["decisions"]
    assert header(run)["config"] == first["config"]

    match = ["arena", "kampf", agent[1], "random", "-p", 2, "-o", "rounds=1", "--deals", 3]
    done = mages(*match, "--json", "r.json")
    assert done.exit_code == 0, done.output
    labels = {r["agent"] for r in json.loads((here / "r.json").read_text())["ratings"]}
    assert {label.partition("@")[0] for label in labels} == {agent[1], "random"}
    assert "was made for" in mages("arena", "kampf", agent[1], "random", "-p", 3).stderr


def test_a_run_of_the_other_algorithm_is_named(here):
    assert mages("train", "kampf", *SMALL, "--decisions", 64, "--out", "run").exit_code == 0
    done = mages("train", "kampf", "--algo", "sb3", "--resume", "--out", "run")
    assert done.exit_code == 2
    assert "run holds a run of kind 'ppo', not of --algo sb3" in done.stderr


def test_a_setting_of_the_other_algorithm_is_named(here):
    done = mages("train", "kampf", "--algo", "ppo", "--seat", "0")
    assert done.exit_code == 2
    assert "--algo ppo has no setting --seat" in done.stderr


def test_ctrl_c_saves_and_says_how_to_go_on(here):
    words = ["train", "kampf", *SMALL, "--save-every", "1", "--out", "run"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mages_env.training.cli", *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(1200):
            if (here / "run" / "resume.safetensors").exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "Go on with: mages train kampf --algo ppo --resume --out run" in said
    assert header(here / "run")["decisions"] > 0


@pytest.mark.parametrize("algorithm", ["ppo", "sb3"])
def test_a_run_that_diverges_says_so(here, algorithm):
    words = ["train", "kampf", "--algo", algorithm, "-o", "rounds=1", "-p", 2, *SMALL]
    done = mages(*words, "--learning-rate", "1e30", "--decisions", 10_000)
    assert done.exit_code == 2, done.output
    (said,) = (line for line in done.stderr.splitlines() if line.startswith("mages: "))
    assert "training diverged" in said and "lower learning_rate" in said


def test_decisions_replace_the_minutes_of_a_resumed_run(here):
    words = ["train", "kampf", "-o", "rounds=1", "-p", 2, *SMALL, "--out", "run"]
    assert mages(*words, "--minutes", 0.0001).exit_code == 0
    decisions = header(here / "run")["decisions"]
    on = mages("train", "kampf", "--out", "run", "--resume", "--decisions", decisions + 64)
    assert on.exit_code == 0, on.output
    assert header(here / "run")["decisions"] == decisions + 64


def test_ctrl_c_in_the_demo_names_no_option_it_lacks(here, monkeypatch):
    update = ppo.Learner.update

    def interrupted(learner):
        os.kill(os.getpid(), signal.SIGINT)
        return update(learner)

    monkeypatch.setattr(ppo.Learner, "update", interrupted)
    done = mages("demo", "--minutes", "0.5")
    assert done.exit_code == 130, done.output
    assert "the same command goes on" in done.stderr
    assert "--resume" not in done.stderr


def test_demo(here, monkeypatch):
    monkeypatch.setattr(demo, "FAST_DEALS", 3)
    monkeypatch.setattr(demo, "SEARCH_DEALS", 1)
    monkeypatch.setattr(demo, "PROCESSES", 1)
    monkeypatch.setattr(demo, "LEAST_SEARCH_SECONDS", 60.0)
    monkeypatch.setattr(demo, "SEARCH", "ismcts:iterations=10")
    done = mages("demo", "--minutes", "0.02")
    assert done.exit_code == 0, done.output
    out = here / "demo_out"
    for name in (
        "model.safetensors",
        "learning_curve.png",
        "results.sqlite",
        "game.jsonl",
        "game.txt",
    ):
        assert (out / name).stat().st_size > 0
        assert f"demo_out/{name}" in done.stdout
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    record = read_record(out / "game.jsonl")
    for _ in replay(record):
        pass
    assert record.outcome == "terminated"
    assert record.agents == (
        "neural:demo_out/model.safetensors",
        "ismcts:iterations=10",
        "rule_based",
    )
    for line in ("fair share 33.3%", "Ratings", "What next?", "mages play kampf -a neural:"):
        assert line in done.stdout
    with Store(out / "results.sqlite") as store:
        games = store.games(GAME.name, GAME.resolve_options())
    # 6 line-ups without search, 3 deals each, and 6 with it, one deal, all of 3 seatings
    assert len(games) == 6 * 3 * 3 + 6 * 3
    assert len({agent for game in games for agent in game.seats}) == 4

    assert "mages demo --out demo_out --minutes 0.02" in done.stdout

    again = mages("demo", "--minutes", "0.02")
    assert again.exit_code == 0, again.output
    assert "Nothing left to do" in again.stderr
    with Store(out / "results.sqlite") as store:
        assert store.games(GAME.name, GAME.resolve_options())[: len(games)] == games
