"""The header that every game's state record begins with, and what rules do with it.

A state is one NumPy record. The header comes first, then the game's options, then its own fields,
then the events of the last step. All arrays are sized for the game's maximum of players.
"""

from __future__ import annotations

import numpy as np

from mages_env.engine.compile import helper
from mages_env.engine.random import seed_stream

EVENT_FIELDS = ("code", "viewer", "seat", "a", "b", "c")
"""Columns of an event row; ``viewer`` is -1 for all, else the only seat that may know of it."""

ALL = -1
"""Viewer of a public event."""

NOBODY = -1
"""``state.seat`` once the game is over."""

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
"""Values of ``state.over``."""


def state_dtype(options, fields, *, max_players: int, max_events: int) -> np.dtype:
    """Record type of a game's state.

    Args:
        options: names of the game's options; each becomes an int32 field of that name.
        fields: the game's own fields, as for ``np.dtype``.
        max_players: sizes the per-seat header arrays.
        max_events: most events one step can leave (checked by the conformance kit).

    Returns:
        An aligned structured dtype whose scalars are ``np.record`` (fields as attributes). Gaps
        of alignment are fields of their own, since NumPy copies fields only: so equal states are
        equal bytes.

    Raises:
        ValueError: a field that cannot be read as an attribute, such as ``round`` or ``item``.
    """
    header = [
        ("rng", "u8"),  # state of the generator
        ("num_players", "i4"),
        ("seat", "i4"),  # seat to move; NOBODY once over
        ("over", "i4"),  # RUNNING, TERMINATED or TRUNCATED
        ("turn", "i4"),  # turns completed, as the game's rules count them
        ("stage", "i4"),  # self-contained parts (rounds) completed; search may stop there
        ("rewards", "f4", (max_players,)),  # paid by the last step
        ("returns", "f4", (max_players,)),  # paid since reset
        ("terminated", "i1", (max_players,)),
        ("truncated", "i1", (max_players,)),
    ]
    taken = [
        name for name in (*options, *(field[0] for field in fields)) if hasattr(np.record, name)
    ]
    if taken:
        raise ValueError(f"NumPy's records have attributes of their own named {taken}; rename them")
    config = [(name, "i4") for name in options]
    events = [("num_events", "i4"), ("events", "i2", (max_events, len(EVENT_FIELDS)))]
    return np.dtype((np.record, _without_gaps(header + config + list(fields) + events)))


def _without_gaps(fields: list) -> np.dtype:
    aligned = np.dtype(fields, align=True)
    assert aligned.fields is not None
    filled: list[tuple] = []
    end = 0
    for field in [*fields, None]:
        start = aligned.itemsize if field is None else aligned.fields[field[0]][1]
        if start > end:
            filled.append((f"gap_{end}", "i1", (start - end,)))
        if field is not None:
            filled.append(field)
            end = start + aligned[field[0]].itemsize
    return np.dtype(filled, align=True)


@helper
def begin_game(state, seed):
    """Header of a new game: seeds the stream, nobody out, nothing paid, no events."""
    seed_stream(state, seed)
    state.over = RUNNING
    state.turn = 0
    state.stage = 0
    state.num_events = 0
    for p in range(state.num_players):
        state.rewards[p] = 0.0
        state.returns[p] = 0.0
        state.terminated[p] = 0
        state.truncated[p] = 0


@helper
def begin_step(state):
    """Clears what the last step left: its events and rewards."""
    state.num_events = 0
    for p in range(state.num_players):
        state.rewards[p] = 0.0


@helper
def emit(state, code, viewer, seat, a, b, c):
    """Append an event; past the bound it is only counted, which the conformance kit reports."""
    k = state.num_events
    if k < state.events.shape[0]:
        row = state.events[k]
        row[0] = code
        row[1] = viewer
        row[2] = seat
        row[3] = a
        row[4] = b
        row[5] = c
    state.num_events = k + 1


@helper
def hide_events(state, seat):
    """Drop the events that ``seat`` may not know of, and wipe what earlier steps left behind."""
    events = state.events
    kept = 0
    for k in range(min(state.num_events, events.shape[0])):
        if events[k, 1] == ALL or events[k, 1] == seat:
            if kept < k:
                for column in range(events.shape[1]):
                    events[kept, column] = events[k, column]
            kept += 1
    for k in range(kept, events.shape[0]):
        for column in range(events.shape[1]):
            events[k, column] = 0
    state.num_events = kept


@helper
def pay(state, seat, reward):
    """Add ``reward`` to what ``seat`` is paid by this step."""
    state.rewards[seat] += np.float32(reward)
    state.returns[seat] += np.float32(reward)


@helper
def pay_places(state, scores, sign):
    """ALL-04: +1 for first place to -1 for last, evenly spaced, ties share the mean.

    The seat with the highest ``sign * scores[seat]`` is first: -1 where the fewest win. Seats that
    have left before (``leave_game``) have their places behind these.
    """
    n = state.num_players
    for p in range(n):
        if state.terminated[p] != 0:
            continue
        better = 0
        level = 0
        for q in range(n):
            if state.terminated[q] != 0:
                continue
            if sign * scores[q] > sign * scores[p]:
                better += 1
            elif scores[q] == scores[p]:
                level += 1
        place = better + 0.5 * (level - 1)
        pay(state, p, 1.0 - 2.0 * place / max(1, n - 1))


@helper
def leave_game(state, seat, staying, leaving):
    """ALL-06: ``seat`` is terminated and paid the place behind the ``staying`` seats.

    ``leaving`` seats, this one among them, leave at the same moment and share the mean.
    """
    place = staying + 0.5 * (leaving - 1)
    pay(state, seat, 1.0 - 2.0 * place / max(1, state.num_players - 1))
    state.terminated[seat] = 1


@helper
def end_game(state, outcome):
    """Everybody still in is out: ``outcome`` is TERMINATED or TRUNCATED."""
    state.over = outcome
    state.seat = NOBODY
    for p in range(state.num_players):
        if state.terminated[p] == 0 and state.truncated[p] == 0:
            if outcome == TRUNCATED:
                state.truncated[p] = 1
            else:
                state.terminated[p] = 1
