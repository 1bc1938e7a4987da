"""The distribution as it is installed: version, files, what an import costs."""

import importlib.metadata
import pkgutil
import subprocess
import sys
from importlib.resources import files

import pytest

import mages_env

FOLDERS = importlib.import_module("mages_env.games").__path__
GAMES = [module.name for module in pkgutil.iter_modules(FOLDERS) if module.ispkg]


def test_version_is_the_same_everywhere():
    assert importlib.metadata.version("mages-env") == mages_env.__version__


def test_is_typed():
    assert files("mages_env").joinpath("py.typed").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_brings_its_rules(game):
    assert files(f"mages_env.games.{game}").joinpath("RULES.md").is_file()


def test_import_needs_no_extra():
    extras = {"torch", "stable_baselines3", "sb3_contrib", "typer", "rich", "matplotlib"}
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, mages_env, mages_env.agents; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert extras.isdisjoint(loaded)
