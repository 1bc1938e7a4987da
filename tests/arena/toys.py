"""Agents that need nothing but the contract of an agent."""

from __future__ import annotations

import numpy as np

from mages_env.agents.base import Agent, Decisions


class First(Agent):
    """The legal action with the smallest id: deterministic."""

    def __init__(self, game, name="first"):
        super().__init__(game)
        self.name = name

    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.action_mask.argmax(axis=1)


class Last(First):
    """The legal action with the largest id."""

    def __init__(self, game, name="last"):
        super().__init__(game, name)

    def act(self, decisions):
        size = decisions.action_mask.shape[1]
        return size - 1 - decisions.action_mask[:, ::-1].argmax(axis=1)


class Chance(First):
    """Any legal action, from the seeds it is given."""

    def __init__(self, game, name="chance"):
        super().__init__(game, name)

    def act(self, decisions):
        masks, seeds = decisions.action_mask, decisions.seeds
        return np.array(
            [
                np.random.default_rng(seed).choice(np.flatnonzero(mask))
                for mask, seed in zip(masks, seeds, strict=True)
            ]
        )


class Reader(Chance):
    """Takes observations, and decides by them."""

    def __init__(self, game, encoder, name="reader"):
        super().__init__(game, name)
        self.encoder = encoder

    def act(self, decisions):
        turn = decisions.observation.sum(axis=1) * 1000
        legal = [np.flatnonzero(mask) for mask in decisions.action_mask]
        return np.array([ids[int(t) % len(ids)] for ids, t in zip(legal, turn, strict=True)])


class Spy(Chance):
    """Keeps all it is handed."""

    wants_states = True

    def __init__(self, game, name="spy"):
        super().__init__(game, name)
        self.seen = []

    def act(self, decisions):
        self.seen.append(decisions)
        return super().act(decisions)


class Cheat(First):
    """Does what the rules forbid."""

    def act(self, decisions):
        return decisions.action_mask.argmin(axis=1)
