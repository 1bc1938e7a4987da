"""What seats are shown and what is redrawn: nobody learns more than it may know.

A redrawn record must look the same to its seat, must owe nothing to what the seat cannot know,
and must be playable. ``determinize`` could pass by leaving a secret alone, so games are also
forked: two games that have looked the same to a seat all along must be redrawn alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine.state import RUNNING
from mages_env.game import Game
from mages_env.testing.contract import (
    ContractError,
    Position,
    copied,
    describe,
    differing_fields,
)
from mages_env.testing.play import Invariant, advance, check_invariant, look, random_action, seeds
from mages_env.testing.views import check_observations, encode, legal_mask, shown, visible_events

FORK_STEPS = 6
"""Decisions for which a fork is followed."""

OPENINGS = 48
"""Games whose deals are compared with each other."""

_PUBLIC = (
    "num_players",
    "seat",
    "over",
    "turn",
    "stage",
    "rewards",
    "returns",
    "terminated",
    "truncated",
)


def redrawn(game: Game, state: np.ndarray, seat: int, seed: int) -> np.ndarray:
    """A copy of ``state`` determinized for ``seat``."""
    copy = copied(state)
    game.determinize(copy[0], seat, np.uint64(seed))
    return copy


def hides(here: Position) -> bool:
    """Whether there is anything to redraw for some seat."""
    x, y = seeds(here.seed + here.number, 2)
    return any(
        _differ(redrawn(here.game, here.state, seat, x), redrawn(here.game, here.state, seat, y))
        for seat in range(here.state[0].num_players)
    )


def _differ(one: np.ndarray, other: np.ndarray) -> bool:
    return any(name != "rng" for name in differing_fields(one, other))


def check_redrawing(here: Position, invariant: Invariant | None) -> int:
    """Determinize for every seat.

    Returns:
        For how many seats there was anything to redraw.
    """
    return sum(_check_seat(here, seat, invariant) for seat in range(here.state[0].num_players))


def _check_seat(here: Position, seat: int, invariant: Invariant | None) -> bool:
    game = here.game
    x, y = seeds(here.seed + here.number, 2)
    one, other = redrawn(game, here.state, seat, x), redrawn(game, here.state, seat, y)
    who = f"for seat {seat}"
    here.same(
        one, redrawn(game, here.state, seat, x), "determinize", f"{who}: not alike for one seed"
    )
    here.same(
        other,
        redrawn(game, one, seat, y),
        "determinize",
        f"{who}: the outcome depends on what was hidden before",
    )
    streams = {int(record["rng"][0]) for record in (here.state, one, other)}
    here.require(len(streams) == 3, "determinize", f"{who}: the generator is not seeded anew")
    for name in (*_PUBLIC, *(option.name for option in game.options)):
        here.require((one[name] == here.state[name]).all(), "determinize", f"{who}: {name} changes")
    _check_events(here, one, seat)
    for viewer in (seat, None):
        _check_shown(here, one, viewer, seat)
    check_invariant(invariant, one, f"{here}, redrawn {who}")
    check_observations(Position(game, here.config, here.seed, here.number, one, here.mask))
    varied = _differ(one, other)
    if game.perfect_information:
        full = encode(game.full, here.state, None)
        same = full.tobytes() == encode(game.full, one, None).tobytes()
        here.require(
            same, "determinize", f"{who}: a game of perfect information, yet something changes"
        )
    return varied


def _check_events(here: Position, one: np.ndarray, seat: int) -> None:
    record, hidden = here.state[0], one[0]
    mine = visible_events(record, seat)
    left = hidden.events[: hidden.num_events]
    here.require(
        len(left) == len(mine) and (left == mine).all(),
        "determinize",
        f"for seat {seat}: the events left are not exactly those that the seat may know: "
        f"{len(left)} of {record.num_events}, but {len(mine)} are its own or for all",
    )


def _check_shown(here: Position, one: np.ndarray, viewer: int | None, seat: int) -> None:
    before, after = shown(here.game, here.state, viewer), shown(here.game, one, viewer)
    for kind, view in before.items():
        if view != after[kind]:
            whose = "everybody" if viewer is None else f"seat {viewer}"
            detail = _difference(here.game, kind, view, after[kind])
            here.require(
                False,
                "secrecy",
                f"{kind} for {whose} changes when what seat {seat} cannot know is redrawn{detail}",
            )


def _difference(game: Game, kind: str, before: Any, after: Any) -> str:
    for name, encoder in game.encoders.items():
        if kind == f"observation {name!r}":
            one, other = (np.frombuffer(view, np.float32) for view in (before, after))
            index = int(np.flatnonzero(one != other)[0])
            block, place = encoder.layout.locate(index)
            return f": {block}{list(place)} from {one[index]} to {other[index]}"
    if isinstance(before, str):
        at = next((k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
        return f": ...{before[max(0, at - 30) : at + 30]!r} to {after[max(0, at - 30) : at + 30]!r}"
    return ""


def check_playable(here: Position, seat: int, invariant: Invariant | None) -> None:
    """A redrawn state is played to its end like any other."""
    game, config = here.game, dict(here.config)
    state = redrawn(game, here.state, seat, here.seed)
    there = look(game, config, here.seed, here.number, state)
    rng = np.random.default_rng(here.seed)
    bound = game.decision_bound(config)
    while there.state[0].over == RUNNING:
        there.require(there.number < bound, "end", f"a redrawn game goes on after {bound}")
        there = advance(there, random_action(there.mask, rng), invariant)


def check_forks(here: Position) -> int:
    """Another chance from here on, the same decisions: whoever sees no difference knows none.

    Returns:
        How many pairs of different games were compared.
    """
    other = copied(here.state)
    other["rng"] = seeds(here.seed ^ here.number, 1)[0]
    alike = set(range(here.state[0].num_players))
    return _follow(here, copied(here.state), other, alike, FORK_STEPS)


def check_openings(game: Game, config: dict[str, Any], seed: int) -> int:
    """The same for games that look alike to a seat from the deal on; pairs compared."""
    groups: dict[tuple[int, str], tuple[int, np.ndarray]] = {}
    compared = 0
    for game_seed in seeds(seed, OPENINGS):
        state = game.new_state(**config)
        game.reset(state[0], np.uint64(game_seed))
        for seat in range(config["num_players"]):
            key = (seat, repr(shown(game, state, seat)))
            if key in groups:
                first_seed, first = groups[key]
                here = Position(game, config, first_seed, 0, first, legal_mask(game, first))
                compared += _follow(here, copied(first), copied(state), {seat}, FORK_STEPS)
            else:
                groups[key] = (game_seed, state)
    return compared


def _follow(here: Position, one: np.ndarray, other: np.ndarray, alike: set[int], steps: int) -> int:
    game = here.game
    rng = np.random.default_rng([here.seed, here.number])
    compared = 0
    for step in range(steps):
        if one[0].seat != other[0].seat:  # no secret of the record, though a view may hide it
            break
        for seat in sorted(alike):
            if shown(game, one, seat) != shown(game, other, seat):
                alike.discard(seat)
            elif one.tobytes() != other.tobytes():
                here.same(
                    redrawn(game, one, seat, here.seed),
                    redrawn(game, other, seat, here.seed),
                    "determinize",
                    f"two games that have looked the same to seat {seat} are redrawn "
                    f"differently ({step} decisions on): something it cannot know is kept",
                )
                compared += 1
        common = legal_mask(game, one) & legal_mask(game, other)
        if not alike or not common.any():
            break
        action = random_action(common, rng)
        game.step(one[0], action)
        game.step(other[0], action)
    return compared


def check_hidden(game: Game, varied: int, config: dict[str, Any]) -> None:
    """A game with secrets has something to redraw."""
    if varied == 0 and not game.perfect_information:
        raise ContractError(
            "determinize",
            "nothing but the generator was ever redrawn; set perfect_information "
            "if there are no secrets",
            describe(game, config),
        )
