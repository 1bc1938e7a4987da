"""Mage: ``env()``, ``raw_env()`` and ``vector_env()``.

Spaces, options, rewards: docs/games/mage.md. Rules: games/mage/RULES.md.
"""

from mages_env.envs.faces import faces
from mages_env.games.mage import GAME

env, raw_env, vector_env = faces(GAME)

__all__ = ["GAME", "env", "raw_env", "vector_env"]
