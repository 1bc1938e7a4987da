"""The functions every version module offers, as PettingZoo's modules do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mages_env.envs.aec import Env, RawEnv
from mages_env.envs.vector import VectorEnv
from mages_env.game import Game

Face = Callable[..., Any]


def faces(game: Game) -> tuple[Face, Face, Face]:
    """``env``, ``raw_env`` and ``vector_env`` of a game."""

    def env(**kwargs: Any) -> Env:
        return Env(game, **kwargs)

    def raw_env(**kwargs: Any) -> RawEnv:
        return RawEnv(game, **kwargs)

    def vector_env(num_envs: int, **kwargs: Any) -> VectorEnv:
        return VectorEnv(game, num_envs, **kwargs)

    for face, made in ((env, Env), (raw_env, RawEnv), (vector_env, VectorEnv)):
        face.__doc__ = f"{made.__name__} of {game.title}: see ``{made.__module__}``."
    return env, raw_env, vector_env
