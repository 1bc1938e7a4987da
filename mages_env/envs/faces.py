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
        return Env(game.substituted(kwargs), **kwargs)

    def raw_env(**kwargs: Any) -> RawEnv:
        return RawEnv(game.substituted(kwargs), **kwargs)

    def vector_env(num_envs: int, **kwargs: Any) -> VectorEnv:
        return VectorEnv(game.substituted(kwargs), num_envs, **kwargs)

    for face, made in ((env, Env), (raw_env, RawEnv), (vector_env, VectorEnv)):
        face.__doc__ = _docstring(game, made)
    return env, raw_env, vector_env


def _docstring(game: Game, made: type) -> str:
    """What ``help`` says; the game's page in docs/games/ says more."""
    lines = [
        f"{game.title}: {game.summary}",
        "",
        f"Makes a ``{made.__module__}.{made.__name__}``, which takes more arguments than these.",
        "",
        "Args:",
        f"    num_players: {game.players[0]} to {game.players[-1]}; {game.default_players}"
        " unless asked otherwise.",
    ]
    for option in game.options:
        default = option.default_text or repr(option.default)
        lines.append(f"    {option.name}: {option.values_text}; default {default}.")
        lines.append(f"        {option.meaning[:1].upper()}{option.meaning[1:]}.")
    for name, (takes, meaning) in game.substitute_texts().items():
        lines.append(f"    {name}: a {takes}, for another game: {meaning}.")
    actions, observed = game.num_actions, game.encoder().layout.size
    lines += ["", f"{actions} actions; observations of {observed} numbers."]
    return "\n".join(lines)
