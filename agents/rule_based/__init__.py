"""Players that follow rules of thumb, one module a game, named like the game's folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

from mages_env.agents.compiled import CompiledAgent
from mages_env.game import Game

_HOME = "mages_env.games."


def rule_based_policy(game: Game) -> Callable | None:
    """The compiled policy of the game's rule-based player; None where there is none."""
    folder = game.module.removeprefix(_HOME)
    if folder == game.module or folder not in _modules():
        return None
    return importlib.import_module(f"{__name__}.{folder}").policy


def why_none(game: Game) -> str:
    """What to say of a game without a rule-based player."""
    folder, own_deck, _ = game.module.removeprefix(_HOME).partition("+")
    if own_deck and folder in _modules():
        return (
            f"{game.name} has no rule-based player because it has a deck of its own: "
            "the rule-based player knows the cards of the standard deck alone"
        )
    return f"{game.name} has no rule-based player"


def _modules() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__)]


class RuleBasedAgent(CompiledAgent):
    """The rule-based player of a game that comes with the package.

    Raises:
        ValueError: the game has none.
    """

    def __init__(self, game: Game) -> None:
        policy = rule_based_policy(game)
        if policy is None:
            raise ValueError(
                f"{why_none(game)}; games with one: {', '.join(_modules())}. "
                "A compiled policy of your own plays as mages_env.agents.compiled.CompiledAgent"
            )
        super().__init__(game, policy, "rule_based")
