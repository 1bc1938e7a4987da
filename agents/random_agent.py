"""The uniformly random player."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from mages_env.agents.compiled import CompiledAgent
from mages_env.engine import compiled, randbelow_from, signatures
from mages_env.engine.masks import count_legal, nth_legal
from mages_env.game import Game


def _random(state, mask, rng):
    return nth_legal(mask, 0, mask.size, randbelow_from(rng, count_legal(mask, 0, mask.size)))


@functools.cache
def random_policy(dtype: np.dtype) -> Callable:
    """The compiled policy for games with that record type."""
    return compiled(signatures(dtype).policy)(_random)


class RandomAgent(CompiledAgent):
    """Every legal action with the same probability."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, random_policy(game.dtype), "random")
