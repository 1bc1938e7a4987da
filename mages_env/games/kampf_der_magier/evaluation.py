"""What the cards in hand and on the table will cost; for roll-outs that stop early.

All figures are cards collected by the end of the round, fitted by least squares to games between
strong simple players. They hardly differ between 2 and 6 players.
"""

from __future__ import annotations

import math

import numpy as np

from mages_env.engine import RUNNING, compiled, helper
from mages_env.games.kampf_der_magier.state import (
    CARDS,
    JOKER,
    JOKER_REACH,
    KINDS,
    POWERS,
    SCORE,
    SIGNATURES,
)

BURDEN = np.array(
    [
        [0.85, 0.8, 0.8, 0.7, 0.55, 0.35, 0.2, 0.2, 0.0, -0.2, -0.5, -0.7, -1.1, -1.7, -0.4],
        [1.6, 1.4, 1.3, 1.0, 0.75, 0.5, 0.1, 0.2, 0.0, -0.3, -0.55, -0.7, -1.45, -2.9, -0.75],
    ],
    dtype=np.float32,
)
"""Cards that one of this kind in hand costs its holder: [draw pile empty or not, kind]."""

MOVE = -1.6
"""Being to move: the hand is about to get better."""
NEXT_MOVE = -0.6
"""Being next to move."""
STUCK = 1.0
"""A card on the table, to a mover whose hand cannot beat the power."""
NEXT_STUCK = 0.4
"""The same to whoever is next to move."""

ROUND_SPREAD = 15.0
"""Standard deviation of what one seat collects in a round beyond another."""
END_SPREAD = 4.0
"""The same of what is yet to come once the draw pile is empty."""
DRAW_SPREAD = 0.27
"""What a card in the draw pile adds to it."""


@helper
def beats(s, p):
    """Whether the hand has a set that exceeds the announced power."""
    for v in range(1, POWERS + 1):
        cards = s.hand[p, v - 1]
        if v <= JOKER_REACH:
            cards += s.hand[p, JOKER]
        if cards * v > s.power:
            return True
    return False


@helper
def expected_cards(s, p):
    """Cards of all rounds begun that seat ``p`` will collect, up to a sum that all share."""
    cards = np.float32(s.collected[p])
    if s.over == RUNNING:
        cards += s.pile_size[p]
        phase = 1 if s.draw_pile_size > 0 else 0
        burden = np.float32(0.0)
        for kind in range(KINDS):
            burden += s.hand[p, kind] * BURDEN[phase, kind]
        cards += burden * s.num_players / (s.num_players - 1)
        ahead = (p - s.seat) % s.num_players
        if ahead == 0:
            cards += MOVE
            if not beats(s, p):
                cards += STUCK * s.table_size
        elif ahead == 1:
            cards += NEXT_MOVE
            if not beats(s, p):
                cards += NEXT_STUCK * s.table_size
    return cards


@helper
def evaluate_places(s, out):
    """ALL-04: places, each pair of seats decided with the odds of a normal distribution."""
    variance = np.float32(1e-6)
    if s.over == RUNNING:
        spread = END_SPREAD + DRAW_SPREAD * s.draw_pile_size
        variance = spread * spread + (s.rounds - s.stage - 1) * ROUND_SPREAD * ROUND_SPREAD
    scale = 1.0 / math.sqrt(2.0 * variance)
    for p in range(s.num_players):
        out[p] = 0.0
    for p in range(s.num_players):
        cards = expected_cards(s, p)
        for q in range(p + 1, s.num_players):
            lead = math.erf((expected_cards(s, q) - cards) * scale) / (s.num_players - 1)
            out[p] += lead
            out[q] -= lead


@helper
def evaluate_scores(s, out):
    """The score, as if every card of every round ended up with somebody."""
    to_come = 0.0
    if s.over == RUNNING:
        to_come = CARDS * (s.rounds - s.stage)
    for p in range(s.num_players):
        out[p] = expected_cards(s, p)
        to_come += s.collected[p] - out[p]
    for p in range(s.num_players):
        out[p] = -(out[p] + to_come / s.num_players) / (CARDS * s.rounds)


@compiled(SIGNATURES.evaluate)
def evaluate(s, out):
    """Every seat's expected final return, from all hands: meant for redrawn states."""
    if s.reward == SCORE:
        evaluate_scores(s, out)
    else:
        evaluate_places(s, out)
