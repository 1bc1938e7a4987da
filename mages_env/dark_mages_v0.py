"""Dark Mages: ``env()``, ``raw_env()`` and ``vector_env()``.

Spaces, options, rewards: docs/games/dark_mages.md. Rules: games/dark_mages/RULES.md.
"""

from mages_env.envs.faces import faces
from mages_env.games.dark_mages import GAME, with_deck

env, raw_env, vector_env = faces(GAME)

__all__ = ["GAME", "env", "raw_env", "vector_env", "with_deck"]
