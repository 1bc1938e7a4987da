"""Compiled machinery that knows no game; what a game's rules import."""

from mages_env.engine.compile import INTERPRETED, compiled, helper, kernel
from mages_env.engine.functions import function_table, record_type, signatures
from mages_env.engine.random import randbelow, randbelow_from, seed_stream
from mages_env.engine.state import (
    ALL,
    EVENT_FIELDS,
    NOBODY,
    RUNNING,
    TERMINATED,
    TRUNCATED,
    begin_game,
    begin_step,
    emit,
    end_game,
    hide_events,
    leave_game,
    pay,
    pay_places,
    state_dtype,
)
from mages_env.engine.views import clear

__all__ = [
    "ALL",
    "EVENT_FIELDS",
    "INTERPRETED",
    "NOBODY",
    "RUNNING",
    "TERMINATED",
    "TRUNCATED",
    "begin_game",
    "begin_step",
    "clear",
    "compiled",
    "emit",
    "end_game",
    "function_table",
    "helper",
    "hide_events",
    "kernel",
    "leave_game",
    "pay",
    "pay_places",
    "randbelow",
    "randbelow_from",
    "record_type",
    "seed_stream",
    "signatures",
    "state_dtype",
]
