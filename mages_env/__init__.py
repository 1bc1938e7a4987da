"""Mage games as fast, honest reinforcement learning environments."""

from __future__ import annotations

import difflib
import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from mages_env._version import __version__

if TYPE_CHECKING:
    from mages_env.envs.aec import Env
    from mages_env.envs.vector import VectorEnv
    from mages_env.game import Game

    def games() -> tuple[str, ...]: ...  # the package is callable, which type checkers cannot see
else:
    from mages_env import games

__all__ = ["__version__", "games", "get_game", "make", "make_single", "make_vec"]


def get_game(name: str | Game) -> Game:
    """The ``Game`` of that name; ``package.module:NAME`` finds a game of your own.

    Raises:
        ValueError: no such game; names the nearest ones.
    """
    from mages_env.game import Game

    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise ValueError(f"{name!r} is no game; the games are {', '.join(games())}")
    if ":" in name:
        module, _, attribute = name.partition(":")
        try:
            found = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"no game at {name!r}: {error}") from error
        if not isinstance(found, Game):
            raise ValueError(f"{name!r} is a {type(found).__name__}, not a mages_env.game.Game")
        return found
    standard, own_deck, _ = name.partition("+")
    if own_deck and standard in games():
        raise ValueError(
            f"{name} is {standard} with a deck of its own; pass the game that was made with it"
        )
    if name not in games():
        close = difflib.get_close_matches(name, games(), n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise ValueError(f"no game {name!r}; the games are {', '.join(games())}{hint}")
    return importlib.import_module(f"mages_env.{name}").GAME


def make(name: str | Game, **kwargs: Any) -> Env:
    """A PettingZoo AEC environment, checked: see ``mages_env.envs.aec.Env``."""
    from mages_env.envs.aec import Env

    return Env(get_game(name).substituted(kwargs), **kwargs)


def make_vec(name: str | Game, num_envs: int, **kwargs: Any) -> VectorEnv:
    """A batch of games: see ``mages_env.envs.vector.VectorEnv``."""
    from mages_env.envs.vector import VectorEnv

    return VectorEnv(get_game(name).substituted(kwargs), num_envs, **kwargs)


def make_single(name: str | Game, **kwargs: Any) -> Any:
    """A Gymnasium environment with the opponents inside: see ``mages_env.envs.single``."""
    from mages_env.envs.single import SingleEnv

    return SingleEnv(get_game(name).substituted(kwargs), **kwargs)


def _register() -> None:
    """Enter the games into PettingZoo's registry (where it has one) and Gymnasium's."""
    for name in games():
        base, _, version = name.rpartition("_v")
        if hasattr(pettingzoo, "register"):
            pettingzoo.register("aec", f"mages/{base}-v{version}", f"mages_env.{name}:env")
        gymnasium.register(
            f"mages/{base.title().replace('_', '')}-v{version}",
            "mages_env:make_single",
            kwargs={"name": name},
        )


_register()
