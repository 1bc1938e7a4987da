"""Rule-based players: one module a game, named like the folder of the game."""
