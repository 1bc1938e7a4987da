"""All that a seat is shown of a state, gathered and checked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mages_env.engine.state import ALL, NOBODY, RUNNING
from mages_env.game import Encoder, Game
from mages_env.testing.contract import ContractError, Position, copied

GUARD = 16
"""Entries before and after an output array that rules must not touch."""

_UNTOUCHED = np.float32(-12345.0)


def legal_mask(game: Game, state: np.ndarray) -> np.ndarray:
    """The mask of ``state``, (A,) int8."""
    mask = np.empty(game.num_actions, np.int8)
    game.legal(state[0], mask)
    return mask


def encode(encoder: Encoder, state: np.ndarray, seat: int | None) -> np.ndarray:
    """The observation (D,) of one seat; seat None: of an encoder that takes none."""
    out = np.empty(encoder.layout.size, np.float32)
    _fill(encoder, state, seat, out)
    return out


def _fill(encoder: Encoder, state: np.ndarray, seat: int | None, out: np.ndarray) -> None:
    if seat is None:
        encoder.function(state[0], out)
    else:
        encoder.function(state[0], seat, out)


def shown(game: Game, state: np.ndarray, seat: int | None) -> dict[str, Any]:
    """All that ``seat`` is shown, by kind; seat None: what everybody is."""
    record = state[0]
    views: dict[str, Any] = {
        "to_text": game.to_text(record, seat),
        "to_json": json.dumps(game.to_json(record, seat), allow_nan=False),
        "events": visible_events(record, seat).tolist(),
    }
    if seat is None:
        return views
    for name, encoder in game.encoders.items():
        views[f"observation {name!r}"] = encode(encoder, state, seat).tobytes()
    if record.seat == seat:
        mask = legal_mask(game, state)
        views["mask"] = mask.tobytes()
        views["action_text"] = [game.action_text(record, int(a)) for a in np.flatnonzero(mask)]
    return views


def visible_events(record: Any, seat: int | None) -> np.ndarray:
    """Rows of the last step's events that ``seat`` may know of; None: that everybody may."""
    rows = record.events[: record.num_events]
    return rows[(rows[:, 1] == ALL) | (rows[:, 1] == (ALL if seat is None else seat))]


def check_observations(here: Position, *seats: int) -> None:
    """Every encoder, for ``seats`` or all, and ``full``: whole, finite, in bounds, no more."""
    game = here.game
    for name, encoder in game.encoders.items():
        for seat in seats or range(here.state[0].num_players):
            _check_observation(here, f"observation {name!r} of seat {seat}", encoder, seat)
    _check_observation(here, "observation of everything", game.full, None)


def _check_observation(here: Position, what: str, encoder: Encoder, seat: int | None) -> None:
    layout = encoder.layout
    before = copied(here.state)
    guarded = np.full(layout.size + 2 * GUARD, _UNTOUCHED, np.float32)
    out = guarded[GUARD:-GUARD]
    out[:] = np.nan
    _fill(encoder, here.state, seat, out)
    here.same(before, here.state, "reading", f"{what} changes the record")
    outside = np.concatenate([guarded[:GUARD], guarded[-GUARD:]])
    here.require(
        (outside == _UNTOUCHED).all(), "observation", f"{what} writes outside its {layout.size}"
    )
    for wrong, problem in (
        (np.isnan(out), "is not written"),
        (np.isinf(out), "is infinite"),
        ((out < layout.low) | (out > layout.high), f"is not in [{layout.low}, {layout.high}]"),
    ):
        if wrong.any():
            index = int(np.flatnonzero(wrong)[0])
            block, place = layout.locate(index)
            here.require(
                False, "observation", f"{what}: {block}{list(place)} {problem}: {out[index]}"
            )


def estimates(game: Game, state: np.ndarray) -> np.ndarray:
    """What ``game.evaluate`` says of every seat, (P,) float32."""
    out = np.empty(state[0].num_players, np.float32)
    assert game.evaluate is not None
    game.evaluate(state[0], out)
    return out


def check_scores(here: Position) -> None:
    """``evaluate`` and ``scores``, where the game has them."""
    game, record = here.game, here.state[0]
    before = copied(here.state)
    players = int(record.num_players)
    if game.evaluate is not None:
        guarded = np.full(players + 2 * GUARD, _UNTOUCHED, np.float32)
        out = guarded[GUARD:-GUARD]
        out[:] = np.nan
        game.evaluate(record, out)
        outside = np.concatenate([guarded[:GUARD], guarded[-GUARD:]])
        here.require((outside == _UNTOUCHED).all(), "scores", "evaluate writes outside its array")
        here.require(np.isfinite(out).all(), "scores", f"evaluate says {out.tolist()}")
        if record.over != RUNNING:
            returns = record.returns[:players]
            here.require(
                np.allclose(out, returns, atol=1e-4),
                "scores",
                f"the game is over with returns {returns.tolist()}, evaluate says {out.tolist()}",
            )
    if game.scores is not None:
        scores = np.asarray(game.scores(record), np.float64)
        here.require(
            scores.shape == (players,) and np.isfinite(scores).all(),
            "scores",
            f"scores are {scores.tolist()} for {players} seats",
        )
    here.same(before, here.state, "reading", "evaluate or scores changes the record")


def check_texts(here: Position) -> None:
    """Texts and JSON for every seat and nobody, events and legal actions in words and back."""
    game, record = here.game, here.state[0]
    before = copied(here.state)
    for seat in (None, *range(record.num_players)):
        try:
            shown(game, here.state, seat)
        except (TypeError, ValueError) as error:
            raise ContractError("text", f"view of seat {seat}: {error}", str(here)) from error
    for row in record.events[: record.num_events]:
        text = game.event_text(record, row)
        here.require(
            isinstance(text, str) and text, "text", f"event {row.tolist()} has no words: {text!r}"
        )
    for action in np.flatnonzero(here.mask).tolist():
        text = game.action_text(record, action)
        try:
            parsed = game.parse_action(record, text)
        except ValueError as error:
            raise ContractError(
                "text",
                f"parse_action refuses {text!r}, the words of action {action}: {error}",
                str(here),
            ) from error
        here.require(
            parsed == action, "text", f"action {action} is {text!r}, which is parsed as {parsed}"
        )
    here.same(before, here.state, "reading", "a text or JSON function changes the record")


def seat_or_first(state: np.ndarray) -> int:
    """The seat to move, 0 where nobody is."""
    seat = int(state[0].seat)
    return 0 if seat == NOBODY else seat
