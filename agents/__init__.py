"""Baseline agents: ``make_agent("ismcts", game, iterations=1000)``."""
