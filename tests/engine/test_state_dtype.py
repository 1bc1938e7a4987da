"""Record types of states."""

import pytest

from mages_env.engine import state_dtype


@pytest.mark.parametrize("options, fields", [(["round"], []), ([], [("item", "i4")])])
def test_names_that_records_have_themselves_are_refused(options, fields):
    with pytest.raises(ValueError, match="attributes of their own named"):
        state_dtype(options, fields, max_players=2, max_events=1)
