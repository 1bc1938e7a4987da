"""What the README shows runs as it stands there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
LINES = re.findall(r"^mages .*", README, re.MULTILINE)
SHORTER = {"200_000": "20_000", "--deals 20": "--deals 1"}
"""The same at a size that a test can afford."""


def shorter(text):
    for long, short in SHORTER.items():
        text = text.replace(long, short)
    return text


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_code_runs(number, tmp_path):
    code = shorter(BLOCKS[number])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", LINES)
def test_command_lines(line, tmp_path):
    """Those that end by themselves are run; the others are at least understood."""
    command, *rest = shlex.split(shorter(line), comments=True)[1:]
    ends = command in ("games", "arena")
    words = [command, *rest] if ends else [command, "--help"]
    done = subprocess.run(
        [sys.executable, "-m", "mages_env.training.cli", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if not ends:
        assert all(word in done.stdout for word in rest if word.startswith("--"))
