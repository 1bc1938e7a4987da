"""Agents by name."""

import subprocess
import sys
from dataclasses import replace

import pytest

import mages_env
from mages_env import agents
from mages_env.agents import make_agent
from mages_env.agents.rule_based import rule_based_policy
from mages_env.games import dark_mages
from tests.agents import nim

KAMPF = "kampf_der_magier_v0"


def test_names():
    assert agents.names() == ("random", "rule_based", "ismcts", "neural", "sb3")


def test_a_game_by_name_or_itself():
    game = mages_env.get_game(KAMPF)
    assert make_agent("random", KAMPF).game is game
    assert make_agent("random", game).game is game


@pytest.mark.parametrize(
    ("spec", "kwargs", "name"),
    [
        ("random", {}, "random"),
        ("rule_based", {}, "rule_based"),
        ("ismcts", {}, "ismcts(1000)"),
        ("ismcts:iterations=50", {}, "ismcts(50)"),
        ("ismcts:time_ms=20", {}, "ismcts(20 ms)"),
        ("ismcts:time_ms=2.5,rollout=random", {}, "ismcts(2.5 ms, rollout=random)"),
        ("ismcts:horizon=stage", {"iterations": 9}, "ismcts(9, horizon=stage)"),
        ("ismcts:iterations=50", {"iterations": 60}, "ismcts(60)"),
        ("ismcts:max_nodes=1000,exploration=1", {}, "ismcts(1000, exploration=1, max_nodes=1000)"),
    ],
)
def test_names_say_what_differs_from_the_usual(spec, kwargs, name):
    assert make_agent(spec, KAMPF, **kwargs).name == name


@pytest.mark.parametrize(
    ("spec", "kwargs", "message"),
    [
        ("ismct", {}, "no agent 'ismct'; the agents are random.*did you mean 'ismcts'"),
        ("", {}, "no agent ''"),
        ("ismcts:iteration=3", {}, "no argument 'iteration'.*did you mean 'iterations'"),
        ("ismcts", {"rolout": "random"}, "no argument 'rolout'.*did you mean 'rollout'"),
        ("random:seed=1", {}, "'random' has no argument 'seed'; it takes no arguments"),
        ("ismcts:20", {}, "argument '20' is not of the form name=value"),
        ("ismcts:iterations=0", {}, "iterations=0 must be a whole number, at least 1"),
        ("ismcts:iterations=2.5", {}, "iterations=2.5 must be a whole number"),
        ("ismcts:iterations=many", {}, "iterations='many' must be a whole number"),
        ("ismcts:iterations=True", {}, "iterations=True must be a whole number"),
        ("ismcts:time_ms=-1", {}, "time_ms=-1 must be a number, at least 0"),
        ("ismcts:time_ms=20,iterations=5", {}, "exclude each other"),
        ("ismcts:exploration=x", {}, "exploration='x' must be a number"),
        ("ismcts:randomness=2", {}, "randomness=2 must be a number, at least 0, at most 1"),
        ("ismcts:rollout=neural", {}, "rollout='neural' must be one of rule_based, random"),
        ("ismcts:horizon=soon", {}, "horizon='soon' must be a number, 'stage' or 'end'"),
        ("ismcts:horizon=-1", {}, "horizon=-1 must be a whole number, at least 0"),
        ("ismcts:max_nodes=10", {}, "max_nodes=10 must be a whole number, at least 275"),
    ],
)
def test_bad_specifications(spec, kwargs, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, KAMPF, **kwargs)


def test_games_that_lack_something():
    with pytest.raises(ValueError, match=r"nim_v0 has no rule-based player; .*kampf_der_magier"):
        make_agent("rule_based", nim.GAME)
    own = replace(
        dark_mages.GAME, name="dark_mages_v0+0123", module="mages_env.games.dark_mages+0123"
    )
    with pytest.raises(ValueError, match="no rule-based player because it has a deck of its own"):
        make_agent("rule_based", own)
    with pytest.raises(ValueError, match="no rule-based player because it has a deck of its own"):
        make_agent("ismcts", own, rollout="rule_based")
    with pytest.raises(ValueError, match="nim_v0 has no rule-based player"):
        make_agent("ismcts", nim.GAME, rollout="rule_based")
    with pytest.raises(ValueError, match="nim_v0 has no evaluation, only 'end' will do"):
        make_agent("ismcts", nim.GAME, horizon="stage")
    assert rule_based_policy(nim.GAME) is None
    assert make_agent("ismcts", nim.GAME).name == "ismcts(1000)"


def test_a_path_needs_no_name_and_may_hold_anything():
    pytest.importorskip("torch")
    for spec in ("neural:no/such, file=1.safetensors", "neural:path=no/such, file=1.safetensors"):
        with pytest.raises(ValueError, match=r"no/such, file=1\.safetensors"):
            make_agent(spec, KAMPF)
    with pytest.raises(ValueError, match=r"'neural' needs path=\.\.\., or 'neural:\.\.\.'"):
        make_agent("neural", KAMPF)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_agents_imports_nothing_heavy():
    heavy = ("torch", "stable_baselines3", "typer", "rich", "matplotlib")
    code = f"""
import sys
from mages_env.agents import make_agent
for name in ("random", "rule_based", "ismcts"):
    make_agent(name, {KAMPF!r})
print([name for name in {heavy} if name in sys.modules])
"""
    done = run(code)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_missing_extra_is_named():
    code = f"""
import sys
sys.modules["torch"] = None
from mages_env.agents import make_agent
try:
    make_agent("neural:x.safetensors", {KAMPF!r})
except ImportError as error:
    print(error)
"""
    done = run(code)
    assert "'neural' needs torch: pip install 'mages-env[train]'" in done.stdout, done.stderr
