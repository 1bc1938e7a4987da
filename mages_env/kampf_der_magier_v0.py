"""Kampf der Magier: ``env()``, ``raw_env()`` and ``vector_env()``.

Spaces, options, rewards: docs/games/kampf_der_magier.md. Rules: games/kampf_der_magier/RULES.md.
"""

from mages_env.envs.faces import faces
from mages_env.games.kampf_der_magier import GAME

env, raw_env, vector_env = faces(GAME)

__all__ = ["GAME", "env", "raw_env", "vector_env"]
