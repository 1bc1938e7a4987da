"""The promises of a game, by name, and the error for a broken one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mages_env.game import Game

PROMISES = {
    "options": "every value of every option makes a game, alone or with some value of another",
    "mask": "the mask is written whole, zeros and ones, never empty before the end, empty after",
    "refusal": "an action that the mask forbids is refused and changes nothing",
    "state": "seat to move, flags, counters and configuration are sound after every legal action",
    "events": "a step leaves its own events and rewards only, one event at least for all to see, "
    "and no more than the record holds",
    "rewards": "a seat is paid once, when it is out, and the returns add up as score_sum says",
    "end": "every game ends within decision_bound, and is truncated only where max_turns is set",
    "seed": "the seed alone decides the game, and another seed gives another game",
    "bytes": "a copy of the record, also one made from its bytes, goes on like the original",
    "observation": "every entry is written, finite and within the layout's bounds, and no other",
    "scores": "evaluate and scores give a finite number to every seat, and evaluate the returns "
    "once the game is over",
    "reading": "legal, observe, texts and JSON change nothing in the record",
    "secrecy": "what a seat is shown depends on nothing that it cannot know",
    "determinize": "what a seat cannot know, and only that, is redrawn, from nothing but what it "
    "knows and the seed",
    "text": "every legal action has words that parse_action takes back, JSON holds plain values",
    "invariant": "the game's own invariant holds, in redrawn states too",
    "interpreted": "compiled and interpreted, here and in another process, the game is the same",
    "batch": "the batch plays the very games that the AEC environment plays",
    "copies": "a copied or pickled environment goes on like the original, apart from it",
    "pettingzoo": "PettingZoo's own tests pass without a warning",
    "golden": "there are golden games, and they replay exactly",
}


class ContractError(AssertionError):
    """A broken promise.

    Attributes:
        promise: its name in ``PROMISES``.
        problem: what was seen.
        where: game, configuration, seed and decision.
    """

    def __init__(self, promise: str, problem: str, where: str) -> None:
        super().__init__(f"{promise}: {problem}\n  promise: {PROMISES[promise]}\n  where: {where}")
        self.promise = promise
        self.problem = problem
        self.where = where


@dataclass(frozen=True)
class Position:
    """A state of a game played at random: decision ``number`` is about to be taken.

    Attributes:
        state: (1,) record, not to be changed.
        mask: (A,) int8.
    """

    game: Game
    config: Mapping[str, Any]
    seed: int
    number: int
    state: np.ndarray
    mask: np.ndarray

    def require(self, condition: Any, promise: str, problem: str) -> None:
        """Raise ``ContractError`` unless ``condition`` holds."""
        if not condition:
            raise ContractError(promise, problem, str(self))

    def same(self, one: np.ndarray, other: np.ndarray, promise: str, problem: str) -> None:
        """Raise ``ContractError`` unless two record arrays of one hold the same bytes."""
        if one.tobytes() != other.tobytes():
            fields = ", ".join(differing_fields(one, other)) or "padding"
            raise ContractError(promise, f"{problem} (in {fields})", str(self))

    def __str__(self) -> str:
        return f"{describe(self.game, self.config)}, seed={self.seed}, decision {self.number}"


def copied(state: np.ndarray) -> np.ndarray:
    """A copy by bytes: NumPy's goes field by field, many times slower."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def describe(game: Game, config: Mapping[str, Any]) -> str:
    """Game and configuration in a line."""
    return f"{game.name}, {options_text(config)}"


def options_text(config: Mapping[str, Any]) -> str:
    """A configuration as keyword arguments."""
    return ", ".join(f"{name}={value!r}" for name, value in config.items())


def differing_fields(one: np.ndarray, other: np.ndarray) -> list[str]:
    """Names of the record fields in which two arrays differ."""
    return [name for name in one.dtype.names or () if one[name].tobytes() != other[name].tobytes()]
