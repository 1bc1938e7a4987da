"""Every example runs as its page says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "examples" / "own_game.md").read_text(encoding="utf-8")


def output(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_aec_random():
    lines = output("examples/aec_random.py").splitlines()
    assert lines[0].startswith("player_")
    assert re.fullmatch(r"returns: \{'player_0': .*\}", lines[-1])
    assert sum(map(float, re.findall(r": (-?[\d.]+)", lines[-1]))) == 0.0


def test_batch_random():
    lines = output("examples/batch_random.py").splitlines()
    assert re.fullmatch(r"[\d,]+ decisions a second, [\d,]+ games finished", lines[0])
    means = [float(line.rpartition(" ")[2]) for line in lines[1:]]
    assert len(means) == 3
    assert abs(sum(means)) < 0.002


def test_leduc_exploitability(tmp_path):
    path = tmp_path / "figures.json"
    table = output("-m", "examples.leduc_exploitability", "--cfr", "20", "--json", str(path))
    assert re.search(r"uniform +4\.7472 +2\.3736 +-0\.0781", table)
    assert '"exploitability": 2.37' in path.read_text()


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_code_of_own_game(code, tmp_path):
    output("-c", code)


def test_every_file_is_listed():
    listed = re.findall(r"\]\((\w+\.\w+)\)", (ROOT / "examples" / "README.md").read_text())
    found = {path.name for path in (ROOT / "examples").glob("*.*")} - {"README.md"}
    assert found == set(listed)


def test_the_example_game_needs_the_public_contract_only():
    imports = re.findall(r"^from (mages_env\S*)", (ROOT / "examples/leduc.py").read_text(), re.M)
    assert set(imports) == {"mages_env.engine", "mages_env.game", "mages_env.layout"}
