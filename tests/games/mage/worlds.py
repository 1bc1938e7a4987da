"""All deals that fit what a seat has seen, and how likely each is: by enumeration.

Every deal that fits a first position is taken to be equally likely; then the events that the seat
may know of rule deals out and branch them. Nobody's decisions are read into.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from mages_env.games.mage.state import (
    DECK,
    E_ATTACH,
    E_CARD,
    E_CASH,
    E_DAMAGE,
    E_DIAMOND_DRAW,
    E_DISCARD,
    E_DRAW,
    E_DROP,
    E_HEAL,
    E_JOKER,
    E_OUT,
    E_RETURN,
    E_ROYAL,
    E_SHUFFLE,
    E_TAKE,
    HAND,
)

LEAVES_THE_HAND = {
    *(E_ROYAL, E_DROP, E_DIAMOND_DRAW, E_CASH, E_ATTACH),
    *(E_HEAL, E_DAMAGE, E_RETURN, E_JOKER, E_DISCARD),
}

World = tuple[frozenset[int], ...]
"""The deck, then the cards of every hand that not all know; of the own hand none."""


def hidden(s: Any, seat: int) -> World:
    """The deal of the record as ``seat`` does not see it."""
    hands = [set() if p == seat else _at(s, HAND + p) for p in range(s.num_players)]
    return (frozenset(_at(s, DECK)), *map(frozenset, hands))


def _at(s: Any, place: int) -> set[int]:
    return set(np.flatnonzero(s.where == place).tolist())


class Worlds:
    """``weights``: deals that ``seat`` cannot tell apart, with how likely they are (not scaled)."""

    def __init__(self, s: Any, seat: int) -> None:
        self.seat = seat
        self.taken: list[set[int]] = [set() for _ in range(s.num_players)]
        deal = hidden(s, seat)
        worlds: list[World] = [(frozenset().union(*deal), *[frozenset()] * s.num_players)]
        for p in range(s.num_players):
            worlds = [
                self._moved(world, p, chosen)
                for world in worlds
                for chosen in combinations(world[0], len(deal[1 + p]))
            ]
        self.weights = Counter(worlds)

    @staticmethod
    def _moved(world: World, p: int, chosen: Any) -> World:
        """``chosen`` cards go from the deck to the hand of ``p``."""
        new = list(world)
        new[0] = world[0] - set(chosen)
        new[1 + p] = world[1 + p] | set(chosen)
        return tuple(new)

    def see(self, s: Any) -> None:
        """Takes in the events of the last step."""
        events = [tuple(map(int, event)) for event in s.events[: s.num_events]]
        for k, (code, _, p, card, *_) in enumerate(events):
            if code == E_CARD and p == self.seat:
                self._branch(lambda world, card=card: [self._without(world, 0, card)])
            elif code == E_DRAW and p != self.seat and card == 1:
                self._branch(lambda world, p=p: [self._moved(world, p, [c]) for c in world[0]])
            elif code in LEAVES_THE_HAND and p != self.seat and card not in self.taken[p]:
                self._branch(lambda world, p=p, card=card: [self._without(world, 1 + p, card)])
            elif code == E_OUT:
                self._branch(lambda world, p=p: [self._laid_down(world, p)])
            elif code == E_SHUFFLE:
                got = {e[3] for e in events[k:] if e[0] == E_CARD and e[2] == self.seat}
                unseen = set().union(*next(iter(self.weights)))
                added = (got | set().union(*hidden(s, self.seat))) - unseen
                self._branch(lambda world, added=added: [(world[0] | added, *world[1:])])
            if code == E_TAKE:
                self.taken[p].add(card)
            elif code in LEAVES_THE_HAND:
                self.taken[p].discard(card)

    def _branch(self, following: Any) -> None:
        weights: Counter[World] = Counter()
        for world, weight in self.weights.items():
            for new in following(world):
                if new is not None:
                    weights[new] += weight
        self.weights = weights
        assert weights, "nothing fits"

    @staticmethod
    def _without(world: World, place: int, card: int) -> World | None:
        if card not in world[place]:
            return None
        new = list(world)
        new[place] = world[place] - {card}
        return tuple(new)

    @staticmethod
    def _laid_down(world: World, p: int) -> World:
        new = list(world)
        new[0] = world[0] | world[1 + p]
        new[1 + p] = frozenset()
        return tuple(new)
