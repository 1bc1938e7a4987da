"""Magic Duel: ``env()``, ``raw_env()`` and ``vector_env()``.

Spaces, options, rewards: docs/games/magic_duel.md. Rules: games/magic_duel/RULES.md.
"""

from mages_env.envs.faces import faces
from mages_env.games.magic_duel import GAME

env, raw_env, vector_env = faces(GAME)

__all__ = ["GAME", "env", "raw_env", "vector_env"]
