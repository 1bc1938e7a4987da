"""Tower of Mages: ``env()``, ``raw_env()`` and ``vector_env()``.

Spaces, options, rewards: docs/games/tower_of_mages.md. Rules: games/tower_of_mages/RULES.md.
"""

from mages_env.envs.faces import faces
from mages_env.games.tower_of_mages import GAME

env, raw_env, vector_env = faces(GAME)

__all__ = ["GAME", "env", "raw_env", "vector_env"]
