"""Every rule of every game's RULES.md is named by a test of that game, and none that is not there.

A test names the rules it fails without: ``@pytest.mark.rule("KDM-07")``.
"""

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

import mages_env

HERE = Path(__file__).parent
RULE = re.compile(r"\b[A-Z]{2,3}-\d\d\b")


def folder(game):
    return re.sub(r"_v\d+$", "", game)


def stated(game):
    """Ids in bold, where RULES.md states the rule, and ids anywhere in it."""
    text = (files("mages_env.games") / folder(game) / "RULES.md").read_text(encoding="utf-8")
    return set(re.findall(r"\*\*([A-Z]{2,3}-\d\d)\*\*", text)), set(RULE.findall(text))


def named(game):
    """Ids by the tests' marks, with the tests that carry them."""
    found = {}
    for path in sorted((HERE / folder(game)).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for rule in mark.args:
                        found.setdefault(ast.literal_eval(rule), []).append(node.name)
    return found


@pytest.mark.parametrize("game", mages_env.games())
def test_every_rule_has_a_test(game):
    rules, mentioned = stated(game)
    assert rules, "RULES.md states no rule: **ABC-01**"
    assert sorted(mentioned - rules) == [], "mentioned in RULES.md, but stated nowhere"
    assert sorted(rules - named(game).keys()) == [], "no test carries @pytest.mark.rule of these"


@pytest.mark.parametrize("game", mages_env.games())
def test_no_test_names_a_rule_that_is_not_stated(game):
    unknown = {rule: tests for rule, tests in named(game).items() if rule not in stated(game)[0]}
    assert unknown == {}


@pytest.mark.parametrize("game", mages_env.games())
def test_rule_ids_have_no_gaps(game):
    own = sorted(rule for rule in stated(game)[0] if not rule.startswith("ALL-"))
    prefix = own[0].partition("-")[0] + "-"
    assert own == [f"{prefix}{number:02}" for number in range(1, len(own) + 1)]


@pytest.mark.parametrize("game", mages_env.games())
def test_the_code_names_only_rules_that_are_stated(game):
    sources = (files("mages_env.games") / folder(game)).iterdir()
    cited = {
        rule
        for source in sources
        if source.name.endswith(".py")
        for rule in RULE.findall(source.read_text(encoding="utf-8"))
    }
    assert sorted(cited - stated(game)[0]) == []
