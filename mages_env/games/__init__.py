"""One folder a game: state, rules, encoders, text, and RULES.md with every rule id."""

from __future__ import annotations

import pkgutil
import re
import sys
import types
from pathlib import Path


class _Games(types.ModuleType):
    """This package, callable: ``mages_env.games()`` and ``mages_env.games.mage`` go together."""

    def __call__(self) -> tuple[str, ...]:
        """Names of the games, for ``make`` and the others."""
        modules = pkgutil.iter_modules([str(Path(__file__).parents[1])])
        names = (module.name for module in modules)
        return tuple(sorted(name for name in names if re.fullmatch(r"\w+_v\d+", name)))


sys.modules[__name__].__class__ = _Games
