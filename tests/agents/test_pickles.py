"""Agents go to other processes, where everything compiled lies elsewhere."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np

import mages_env
from mages_env.agents import make_agent
from tests.agents.positions import choices, random_positions

KAMPF = mages_env.get_game("kampf_der_magier_v0")
SPECS = ("random", "rule_based", "ismcts:iterations=40")


def test_copies_play_the_same():
    states = random_positions(KAMPF, 10)
    for spec in SPECS:
        agent = make_agent(spec, KAMPF)
        assert (choices(copy.deepcopy(agent), states) == choices(agent, states)).all()


def test_pickles_play_the_same_in_another_process(tmp_path):
    states = random_positions(KAMPF, 10)
    agents = [make_agent(spec, KAMPF) for spec in SPECS]
    (tmp_path / "agents").write_bytes(pickle.dumps(agents))
    np.save(tmp_path / "states.npy", states.view(np.uint8))
    code = """
import json, pickle, sys
import numpy as np
from tests.agents.positions import choices
with open(sys.argv[1] + "/agents", "rb") as file:
    agents = pickle.load(file)
states = np.load(sys.argv[1] + "/states.npy").view(agents[0].game.dtype)
print(json.dumps([choices(agent, states).tolist() for agent in agents]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [choices(agent, states).tolist() for agent in agents]
