"""Configurations to check, and games played at random, every step of them looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mages_env.engine.random import derive_seed
from mages_env.engine.state import ALL, NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.game import Game
from mages_env.testing.contract import ContractError, Position, copied, describe
from mages_env.testing.views import GUARD, check_observations, seat_or_first

Invariant = Callable[[Any], None]
"""Given a state record, raises any exception if it cannot be."""

LONG = 3000
"""Extremes of integer options are left out where games could take more decisions than this."""

MIXED = 4
"""Configurations with every option drawn at random."""

_MASK_POISON = 77


def configurations(game: Game, seed: int = 0) -> list[dict[str, Any]]:
    """A spread of configurations, the default first.

    Every number of players, every value of every choice, the two lowest and the highest value of
    every integer option (in the first of the others that takes it), and a few drawn at random.

    Raises:
        ContractError: an option has a value that no configuration takes.
    """
    found: dict[str, dict[str, Any]] = {}

    def add(options: dict[str, Any], longest: float = float("inf")) -> bool:
        try:
            config = game.resolve_options(**options)
        except ValueError:
            return False
        if game.decision_bound(config) <= longest:
            found.setdefault(repr(config), config)
        return True

    bases: list[dict[str, Any]] = [{}, *({"num_players": n} for n in game.players)]
    choices = [option for option in game.options if not isinstance(option.values, range)]
    bases += [{option.name: value} for option in choices for value in option.values]
    for base in bases:
        if not add(base) and not any(add({**other, **base}) for other in bases):
            raise ContractError("options", f"no game takes {base}", game.name)
    for option in game.options:
        if isinstance(option.values, range):
            for value in dict.fromkeys([*option.values[:2], option.values[-1]]):
                if not any(add({**base, option.name: value}, LONG) for base in bases):
                    problem = f"no game takes {option.name}={value!r}"
                    raise ContractError("options", problem, game.name)
    rng = np.random.default_rng([seed, 1])
    for _ in range(MIXED):
        mixed: dict[str, Any] = {"num_players": int(rng.choice(game.players))}
        for option in choices:
            mixed[option.name] = option.values[rng.integers(len(option.values))]
        add(mixed)
    return list(found.values())


def seeds(seed: int, count: int) -> list[int]:
    """``count`` game seeds, all different, from one."""
    return [int(derive_seed(np.uint64(seed), np.uint64(k))) for k in range(count)]


def random_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def check_invariant(invariant: Invariant | None, state: np.ndarray, where: str) -> None:
    """The game's own invariant, any exception of which is a broken promise."""
    if invariant is None:
        return
    try:
        invariant(state[0])
    except Exception as error:
        problem = str(error) or type(error).__name__
        raise ContractError("invariant", problem, where) from error


def play_checked(
    game: Game, config: dict[str, Any], seed: int, invariant: Invariant | None
) -> list[Position]:
    """Play one random game and check every state and step of it.

    Returns:
        All positions, the last one after the end of the game.
    """
    state = game.new_state(**config)
    game.reset(state[0], np.uint64(seed))
    rng = np.random.default_rng(seed)
    here = look(game, config, seed, 0, state)
    check_invariant(invariant, here.state, str(here))
    check_observations(here, seat_or_first(state))
    positions = [here]
    bound = game.decision_bound(config)
    while here.state[0].over == RUNNING:
        here.require(here.number < bound, "end", f"the game goes on after {bound} decisions")
        here = advance(here, random_action(here.mask, rng), invariant)
        positions.append(here)
    _check_returns(here)
    return positions


def look(game: Game, config: dict[str, Any], seed: int, number: int, state: np.ndarray) -> Position:
    """The position of ``state``, whose mask and header are checked."""
    guarded = np.full(game.num_actions + 2 * GUARD, _MASK_POISON, np.int8)
    mask = guarded[GUARD:-GUARD]
    here = Position(game, config, seed, number, state, mask)
    _check_header(here)
    before = copied(state)
    game.legal(state[0], mask)
    here.same(before, state, "reading", "legal changes the record")
    outside = np.concatenate([guarded[:GUARD], guarded[-GUARD:]])
    here.require((outside == _MASK_POISON).all(), "mask", "legal writes outside the mask")
    strange = np.flatnonzero((mask != 0) & (mask != 1))
    here.require(
        strange.size == 0,
        "mask",
        f"legal leaves entries other than 0 and 1, or unwritten, at {strange[:8].tolist()}",
    )
    over = state[0].over != RUNNING
    here.require(over or mask.any(), "mask", "no action is legal though the game is not over")
    here.require(not (over and mask.any()), "mask", "actions are legal though the game is over")
    return here


def _check_header(here: Position) -> None:
    s = here.state[0]
    players = int(s.num_players)
    config = here.game.config(s)
    here.require(config == here.config, "state", f"the configuration has become {config}")
    here.require(s.over in (RUNNING, TERMINATED, TRUNCATED), "state", f"over is {s.over}")
    out = (s.terminated[:players] != 0) | (s.truncated[:players] != 0)
    if s.over == RUNNING:
        here.require(0 <= s.seat < players, "state", f"seat {s.seat} is to move")
        here.require(not out[s.seat], "state", f"seat {s.seat} is to move but out")
    else:
        here.require(s.seat == NOBODY, "state", f"the game is over, yet seat is {s.seat}")
        here.require(out.all(), "state", "the game is over, yet a seat is not out")
    both = (s.terminated[:players] != 0) & (s.truncated[:players] != 0)
    here.require(not both.any(), "state", "a seat is both terminated and truncated")
    unlimited = not here.config.get("max_turns", 0)
    here.require(
        not unlimited or not s.truncated.any(), "end", "truncated, though no max_turns is set"
    )
    unused = (s.rewards[players:], s.returns[players:], s.terminated[players:])
    here.require(
        not any(values.any() for values in unused), "state", "seats beyond num_players are touched"
    )
    _check_events(here)


def _check_events(here: Position) -> None:
    s = here.state[0]
    bound = len(s.events)
    here.require(
        0 <= s.num_events <= bound,
        "events",
        f"{s.num_events} events, the record holds max_events={bound}",
    )
    viewers = s.events[: s.num_events, 1]
    here.require(
        ((viewers == ALL) | ((viewers >= 0) & (viewers < s.num_players))).all(),
        "events",
        f"an event is for a viewer that does not exist: {viewers.tolist()}",
    )


def advance(here: Position, action: int, invariant: Invariant | None) -> Position:
    """The position after a legal action, step and state being checked."""
    game = here.game
    state = copied(here.state)
    game.step(state[0], action)
    there = look(game, dict(here.config), here.seed, here.number + 1, state)
    _check_step(here, there, action)
    check_invariant(invariant, there.state, str(there))
    check_observations(there, seat_or_first(state))
    return there


def _check_step(here: Position, there: Position, action: int) -> None:
    game, before, after = here.game, here.state[0], there.state[0]
    again = here.state.copy()  # by fields, while ``there`` was made from bytes
    game.step(again[0], action)
    here.same(
        there.state, again, "bytes", f"action {action} leads elsewhere from the record's bytes"
    )
    players = int(before.num_players)
    littered = copied(here.state)
    littered["rewards"][0, :players] = 9.0
    goes_on = game.continues is not None and bool(game.continues(before, action))
    if not goes_on:
        littered["num_events"] = len(before.events)
    littered["events"][0, int(before.num_events) if goes_on else 0 :] = -9
    game.step(littered[0], action)
    left = littered[0]
    here.require(
        left.num_events == after.num_events
        and (left.events[: left.num_events] == after.events[: after.num_events]).all(),
        "events",
        "step keeps events of the step before",
    )
    here.require(
        (left.rewards == after.rewards).all(), "events", "step keeps rewards of the step before"
    )
    there.require(
        (after.events[: after.num_events, 1] == ALL).any(),
        "events",
        f"action {action} leaves no event for all, so that a seat's record would not show it",
    )
    if goes_on:
        told = before.events[: before.num_events]
        there.require(
            after.num_events >= len(told) and (after.events[: len(told)] == told).all(),
            "events",
            f"action {action} continues, yet its events do not begin with those before",
        )
    was_out = (before.terminated != 0) | (before.truncated != 0)
    is_out = (after.terminated != 0) | (after.truncated != 0)
    there.require((is_out >= was_out).all(), "state", "a seat that was out is in again")
    there.require(after.turn >= before.turn, "state", "turn goes backwards")
    there.require(after.stage >= before.stage, "state", "stage goes backwards")
    paid = np.flatnonzero(after.rewards[:players])
    there.require(np.isfinite(after.rewards).all(), "rewards", "a reward is not finite")
    for p in paid:
        there.require(
            is_out[p] and not was_out[p],
            "rewards",
            f"seat {p} is paid {after.rewards[p]} in another step than the one that puts it out",
        )
    there.require(
        np.allclose(after.returns, before.returns + after.rewards, atol=1e-5),
        "rewards",
        "returns are not the sum of the rewards",
    )


def _check_returns(here: Position) -> None:
    s = here.state[0]
    sums = here.game.score_sum
    kind = here.config.get("reward", next(iter(sums)))
    here.require(kind in sums, "rewards", f"score_sum says nothing about reward={kind!r}")
    total, stated = float(s.returns.sum()), sums[kind]
    if stated is not None:
        here.require(
            abs(total - stated) < 1e-4,
            "rewards",
            f"returns {s.returns[: s.num_players].tolist()} sum to {total:.4g}, "
            f"score_sum says {stated:g}",
        )


def check_seeds(game: Game, config: dict[str, Any], seed: int) -> None:
    """Same seed, same game; another seed, another game; a used record begins like a fresh one."""
    where = f"{describe(game, config)}, seed={seed}"
    openings = []
    for game_seed in seeds(seed, 16):
        fresh, again = game.new_state(**config), game.new_state(**config)
        game.reset(fresh[0], np.uint64(game_seed))
        game.reset(again[0], np.uint64(game_seed))
        if fresh.tobytes() != again.tobytes():
            raise ContractError("seed", "the same seed gives two different games", where)
        openings.append(fresh.tobytes())
    if len(set(openings)) < len(openings):
        raise ContractError("seed", "different seeds give the same record", where)
