"""The pages in docs/ say what the code does, and their links lead somewhere."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import mages_env
from mages_env.engine.functions import ROLES
from mages_env.game import Game

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
SECTIONS = (
    "Description",
    "Action Space",
    "Observation Space",
    "Starting State",
    "Rewards",
    "Episode End",
    "Arguments",
    "References",
    "Version History",
)


def page(game):
    return ROOT / "docs" / "games" / f"{re.sub(r'_v[0-9]+$', '', game)}.md"


def test_generated_parts_are_up_to_date():
    command = [sys.executable, "docs/generate.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_check_notices_what_is_out_of_date(tmp_path):
    speeds = (ROOT / "benchmarks" / "results").glob("throughput*.json")
    for source in [ROOT / "README.md", *speeds, *(ROOT / "docs").rglob("*")]:
        if source.suffix in (".md", ".py", ".json"):
            copy = tmp_path / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    stale = tmp_path / "docs" / "games" / "kampf_der_magier.md"
    truth = stale.read_text(encoding="utf-8")
    stale.write_text(truth.replace("`max_turns`", "`max_tunrs`"), encoding="utf-8")
    generate = [sys.executable, str(tmp_path / "docs" / "generate.py")]
    check = subprocess.run([*generate, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 1
    assert f"{Path('docs/games/kampf_der_magier.md')}: out of date" in check.stdout
    # What is written by hand stays: the name in "Episode End" is still wrong.
    subprocess.run(generate, check=True, capture_output=True)
    mended = stale.read_text(encoding="utf-8")
    assert mended.count("`max_tunrs`") == 1
    assert mended.replace("`max_tunrs`", "`max_turns`") == truth


@pytest.mark.parametrize("game", mages_env.games())
def test_a_game_has_a_page_with_all_sections(game):
    text = page(game).read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(SECTIONS)
    assert "RULES.md" in text


@pytest.mark.parametrize("game", mages_env.games())
def test_the_example_of_a_page_runs(game):
    (example,) = re.findall(
        r"```python\n(.*?)```", page(game).read_text(encoding="utf-8"), re.DOTALL
    )
    names = {}
    exec(example, names)
    assert names["env"].agents == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_the_contract_names_everything():
    text = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    header = mages_env.get_game(mages_env.games()[0]).dtype.names
    header = header[: header.index("truncated") + 1]
    parts = [name for name in header if not name.startswith("gap_")]
    wanted = {*parts, *ROLES, *(field.name for field in fields(Game))}
    assert sorted(name for name in wanted if f"`{name}`" not in text) == []
