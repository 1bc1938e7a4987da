"""What is checked of arguments and records before an environment takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine.state import NOBODY, RUNNING, TERMINATED, TRUNCATED


def check_header(record: Any) -> None:
    """Refuse a record whose header no game can have; the game's own fields are not looked at.

    Args:
        record: one state record, its ``num_players`` known to be right.

    Raises:
        ValueError: names the field, what it holds and what would be right.
    """
    seats, seat, over = int(record.num_players), int(record.seat), int(record.over)
    if over not in (RUNNING, TERMINATED, TRUNCATED):
        raise ValueError(f"the record holds over={over}, which must be 0, 1 or 2")
    if over == RUNNING and seat == NOBODY:
        raise ValueError("the record holds options only, no game has begun in it")
    if over == RUNNING and not 0 <= seat < seats:
        raise ValueError(f"the record holds seat={seat}, which must be from 0 to {seats - 1}")
    if over != RUNNING and seat != NOBODY:
        raise ValueError(f"the record holds seat={seat}, which must be {NOBODY} once over")
    for name in ("terminated", "truncated"):
        flags = record[name]
        if ((flags != 0) & (flags != 1)).any():
            raise ValueError(f"the record holds {name}={flags.tolist()}, which must be 0 or 1 each")
    out = (record.terminated | record.truncated)[:seats]
    if over == RUNNING and out[seat]:
        raise ValueError(f"the record holds seat={seat}, which is out already")
    if over != RUNNING and not out.all():
        raise ValueError(f"the record holds over={over}, but {np.flatnonzero(out == 0)} are in")
    for name in ("rewards", "returns"):
        if not np.isfinite(record[name]).all():
            raise ValueError(f"the record holds {name}={record[name].tolist()}, not numbers only")
    for name, most in (("num_events", len(record.events)), ("turn", None), ("stage", None)):
        value = int(record[name])
        if value < 0 or (most is not None and value > most):
            allowed = "at least 0" if most is None else f"from 0 to {most}"
            raise ValueError(f"the record holds {name}={value}, which must be {allowed}")


def check_arrays(given: Any, expected: dict[str, np.ndarray]) -> None:
    """Refuse a dict that lacks arrays of ``expected`` or has them in another type or shape.

    Raises:
        ValueError: names the array, what it is and what it must be.
    """
    if not isinstance(given, dict):
        raise ValueError(f"a dict of arrays is wanted, as get_state gives it, not {type(given)}")
    missing = [name for name in expected if name not in given]
    if missing:
        raise ValueError(f"the state lacks {', '.join(missing)}")
    for name, like in expected.items():
        array = given[name]
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name} must be an array, not {type(array)}")
        if array.shape != like.shape or array.dtype != like.dtype:
            raise ValueError(
                f"{name} must be {like.shape} {like.dtype}, not {array.shape} {array.dtype}"
            )
