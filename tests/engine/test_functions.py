"""Function tables: which functions they take."""

import numpy as np
import pytest

from mages_env.engine import INTERPRETED, compiled, function_table, signatures, state_dtype

STATE = state_dtype([], [("x", "i4")], max_players=2, max_events=1)
OTHER = state_dtype([], [("y", "i8")], max_players=2, max_events=1)
pytestmark = pytest.mark.skipif(INTERPRETED, reason="interpreted, a table is a tuple of functions")


@compiled(signatures(STATE).step)
def step(s, action):
    s.x += action


@compiled(signatures(STATE).observe)
def observe(s, seat, out):
    out[0] = s.x + seat


def test_tables_hold_addresses_by_role():
    table = function_table(step=step, observe=observe)
    assert table.dtype == np.uint64 and table.size == 8
    assert np.count_nonzero(table) == 2
    assert np.array_equal(table, function_table(observe=observe, step=step, legal=None))


def test_unknown_roles():
    with pytest.raises(ValueError, match=r"unknown roles \['jump'\]; roles are \['reset', 'legal'"):
        function_table(step=step, jump=step)


def test_functions_compiled_for_another_role():
    with pytest.raises(ValueError, match=r"legal function is compiled as .*int64.*, not as"):
        function_table(legal=step)
    with pytest.raises(ValueError, match="observe_full function is compiled as"):
        function_table(observe_full=observe)


def test_functions_that_are_not_compiled():
    with pytest.raises(ValueError, match=r"@compiled\(signatures\(STATE\)\.step\)"):
        function_table(step=lambda s, action: None)


def test_record_types_are_told_apart():
    assert signatures(STATE).step != signatures(OTHER).step
    assert signatures(STATE).step == signatures(STATE).step
