"""The cache of compiled code: never stale, never in the way, not growing without end."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numba
import pytest

from mages_env.engine import INTERPRETED
from mages_env.engine import compile as compiling

ONLY_COMPILED = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

MODULES = {
    "__init__": "",
    "numbers": """
        from mages_env.engine import helper
        from .deeper import offset

        @helper
        def number(x):
            return x + 1 + offset(x)
    """,
    "deeper": """
        from mages_env.engine import helper

        @helper
        def offset(x):
            return 0
    """,
    "rules": """
        from numba import types
        from mages_env.engine import compiled
        from rulebook.numbers import number

        @compiled(types.int64(types.int64))
        def rule(x):
            return number(x) * 10
    """,
}


@pytest.fixture
def package(tmp_path):
    """A package whose rule function uses helpers from other files."""
    folder = tmp_path / "rulebook"
    folder.mkdir()
    for name, source in MODULES.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(source))
    return folder


def run(package, program, cache):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(package.parent), *sys.path]),
        "MAGES_CACHE_DIR": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


RULE = """
    from rulebook.rules import rule
    print(rule(4), sum(rule.stats.cache_hits.values()), sum(rule.stats.cache_misses.values()))
"""


def edit(path, old, new):
    """Change a file but neither its size nor its time stamp, on which other caches rely."""
    stamp = path.stat()
    assert len(old) == len(new) and old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


@ONLY_COMPILED
def test_a_changed_helper_in_another_file_is_never_served_stale(package, tmp_path):
    cache = tmp_path / "cache"
    first = run(package, RULE, cache)
    assert first.stdout.split() == ["50", "0", "1"]
    assert "compiling the rules for this machine" in first.stderr
    again = run(package, RULE, cache)
    assert again.stdout.split() == ["50", "1", "0"]
    assert again.stderr == ""
    edit(package / "numbers.py", "x + 1", "x + 2")
    assert run(package, RULE, cache).stdout.split() == ["60", "0", "1"]
    edit(package / "deeper.py", "return 0", "return x")
    assert run(package, RULE, cache).stdout.split() == ["100", "0", "1"]
    assert run(package, RULE, cache).stdout.split() == ["100", "1", "0"]


@ONLY_COMPILED
def test_without_a_folder_to_write_to_it_goes_on_uncached_and_says_so_once(package, tmp_path):
    cache = tmp_path / "file" / "cache"
    cache.parent.write_text("not a folder")
    done = run(package, "import mages_env.engine.kernels\n" + textwrap.dedent(RULE), cache)
    assert done.stdout.split()[0] == "50"
    assert done.stderr.count("cannot write compiled code") == 1
    assert f"to {cache} (Not a directory)" in done.stderr
    assert "Set MAGES_CACHE_DIR to a folder that can be written" in done.stderr


def test_digests(package, monkeypatch):
    monkeypatch.syspath_prepend(str(package.parent))

    def digest(module):
        compiling.source_digest.cache_clear()
        compiling._imports.cache_clear()
        return compiling.source_digest(module)

    rules, deeper = digest("rulebook.rules"), digest("rulebook.deeper")
    assert digest("rulebook.rules") == rules
    (package / "unused.py").write_text("x = 1")
    assert digest("rulebook.rules") == rules
    edit(package / "numbers.py", "x + 1", "x + 2")
    assert digest("rulebook.rules") != rules
    assert digest("rulebook.deeper") == deeper  # which imports nothing of it
    rules = digest("rulebook.rules")
    monkeypatch.setattr(numba, "__version__", "0.0.1")
    assert digest("rulebook.rules") != rules


def test_the_sources_are_followed_through_packages_and_relative_imports():
    found = compiling.source_files("mages_env.games.kampf_der_magier.rules")
    assert {
        "mages_env.games.kampf_der_magier.rules",
        "mages_env.games.kampf_der_magier.state",
        "mages_env.engine.state",
        "mages_env.engine.random",
    } <= set(found)
    assert all(name.startswith("mages_env") for name in found)
    assert all(path.is_file() for path in found.values())


@ONLY_COMPILED
def test_numba_keeps_its_own_cache_folder(tmp_path, monkeypatch):
    before = numba.config.CACHE_DIR
    monkeypatch.setenv("MAGES_CACHE_DIR", str(tmp_path))
    compiling._module_folder.cache_clear()
    with compiling._cache_folder("tests.envs.toy") as folder:
        assert folder.parent == tmp_path and folder.name.startswith("tests.envs.toy-")
        assert str(folder) == numba.config.CACHE_DIR
    assert before == numba.config.CACHE_DIR
    with pytest.raises(ZeroDivisionError), compiling._cache_folder("tests.envs.toy"):
        raise ZeroDivisionError
    assert before == numba.config.CACHE_DIR
    compiling._module_folder.cache_clear()


def test_old_digests_are_pruned(tmp_path):
    now = time.time()
    ages = {"a": 0, "b": 1, "c": 20, "d": 30, "e": 5}  # days
    for name, days in ages.items():
        folder = tmp_path / f"game.rules-{name}"
        folder.mkdir()
        (folder / "rules.nbc").write_text("")
        os.utime(folder, (now - days * 86400,) * 2)
    (tmp_path / "game.other-x").mkdir()
    os.utime(tmp_path / "game.other-x", (0, 0))
    compiling._prune(tmp_path, "game.rules")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"game.rules-a", "game.rules-b", "game.rules-e", "game.other-x"}


def test_recent_digests_stay_however_many_there_are(tmp_path):
    """Several checkouts may take turns."""
    for name in "abcdef":
        (tmp_path / f"game.rules-{name}").mkdir()
    compiling._prune(tmp_path, "game.rules")
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({"MAGES_CACHE_DIR": "/somewhere"}, "/somewhere"),
        ({"XDG_CACHE_HOME": "/caches"}, "/caches/mages_env/compiled"),
    ],
)
def test_where_the_cache_is(monkeypatch, variables, expected):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("MAGES_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert compiling.cache_root() == Path(expected)
