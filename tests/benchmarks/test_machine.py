"""Which games may be put together: those that equal code has played."""

from pathlib import Path

import pytest

from benchmarks.machine import code_digest
from mages_env.engine import compile as compiling

SOURCE = '''"""A module."""


def double(x):
    """Twice that."""
    return x + x  # no product
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("A module.", "One module.", True),
        ('    """Twice that."""\n', "", True),
        ("  # no product", "", True),
        ("return x + x", "return (\n        x + x\n    )", True),
        ("x + x", "x * x", False),
        ("double", "twice", False),
    ],
)
def test_only_code_counts(tmp_path, monkeypatch, old, new, same):
    monkeypatch.syspath_prepend(str(tmp_path))
    module = tmp_path / "doubling.py"

    def digest(source: str) -> str:
        module.write_text(source)
        compiling._imports.cache_clear()
        return code_digest("doubling")

    assert (digest(SOURCE.replace(old, new)) == digest(SOURCE)) == same


def test_tables_beside_the_code_count(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "doubling.py").write_text(SOURCE)
    table = Path(tmp_path / "table.json")
    table.write_text("[1]")
    before = code_digest("doubling")
    table.write_text("[2]")
    assert code_digest("doubling") != before
