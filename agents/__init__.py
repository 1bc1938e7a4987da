"""Baseline agents: ``make_agent("ismcts", game, iterations=1000)``."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import mages_env
from mages_env.arguments import read_arguments
from mages_env.game import nearest

if TYPE_CHECKING:
    from mages_env.agents.base import Agent
    from mages_env.game import Game

__all__ = ["make_agent", "names"]


class _Entry(NamedTuple):
    module: str  # imported when first asked for: some need torch
    name: str
    first: str = ""  # keyword that may stand without its name in the string form


_AGENTS = {
    "random": _Entry("mages_env.agents.random_agent", "RandomAgent"),
    "rule_based": _Entry("mages_env.agents.rule_based", "RuleBasedAgent"),
    "ismcts": _Entry("mages_env.agents.search", "ISMCTSAgent"),
    "neural": _Entry("mages_env.agents.neural", "NeuralAgent", "path"),
    "sb3": _Entry("mages_env.agents.sb3", "SB3Agent", "path"),
}
_EXTRAS = ("torch", "safetensors", "stable_baselines3", "sb3_contrib")


def names() -> tuple[str, ...]:
    """What ``make_agent`` knows."""
    return tuple(_AGENTS)


def make_agent(spec: str, game: str | Game, **kwargs: Any) -> Agent:
    """The agent of that name for ``game``.

    Args:
        spec: a name, or the form for command lines that brings its arguments along:
            ``"ismcts:iterations=1000,rollout=random"``, ``"neural:runs/kampf.safetensors"``.
        game: a game or its name.
        **kwargs: the agent's own arguments; they go before those in ``spec``.

    Raises:
        ValueError: an unknown name or argument (names the nearest), a value that does not fit, or
            a game for which there is no such agent.
        ImportError: the agent needs the extra ``train``.
    """
    name, _, rest = spec.partition(":")
    entry = _AGENTS.get(name)
    if entry is None:
        raise ValueError(
            f"no agent {name!r}; the agents are {', '.join(_AGENTS)}{nearest(name, _AGENTS)}"
        )
    arguments = _parse(spec, rest, entry.first) | kwargs
    try:
        kind = getattr(importlib.import_module(entry.module), entry.name)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        raise ImportError(
            f"agent {name!r} needs {error.name}: pip install 'mages-env[train]'"
        ) from error
    _check(name, kind, arguments)
    return kind(mages_env.get_game(game), **arguments)


def _parse(spec: str, text: str, first: str) -> dict[str, Any]:
    """``a=1,b=x`` as a dict; the argument ``first`` may stand without its name."""
    parts = re.split(r",(?=\w+=)", text) if text else []
    if first and parts and not parts[0].startswith(f"{first}="):
        parts[0] = f"{first}={parts[0]}"
    return read_arguments(parts, f"agent {spec!r}: argument", {first: str})


def _check(agent: str, kind: type, arguments: dict[str, Any]) -> None:
    parameters = dict(list(inspect.signature(kind).parameters.items())[1:])
    for name in arguments:
        if name not in parameters:
            known = ", ".join(parameters) or "no arguments"
            raise ValueError(
                f"agent {agent!r} has no argument {name!r}; it takes {known}"
                f"{nearest(name, parameters)}"
            )
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty and name not in arguments:
            raise ValueError(f"agent {agent!r} needs {name}=..., or '{agent}:...' as text")
