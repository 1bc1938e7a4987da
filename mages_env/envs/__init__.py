"""Environments over any game of the contract: AEC, batch, single agent."""
