"""Information-set search over any game of the contract."""
