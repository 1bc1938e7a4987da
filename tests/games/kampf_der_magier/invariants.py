"""What holds in every state of the game, also in a redrawn one."""

from collections import Counter

from mages_env.engine import RUNNING
from mages_env.games.kampf_der_magier.state import BALL, CARDS, COPIES, HAND, KINDS


def check(s):
    """Raises AssertionError with what does not hold."""
    players = range(s.num_players)
    assert (s.hand >= 0).all(), "a hand holds less than no card of a kind"
    cards = Counter()
    for p in players:
        assert s.hand[p].sum() == s.hand_size[p] <= HAND, f"player_{p} holds {s.hand_size[p]} cards"
        cards.update({kind: int(s.hand[p, kind]) for kind in range(KINDS)})
        cards.update(s.pile[p, : s.pile_size[p]].tolist())
    table = s.table[: s.table_size].tolist()
    cards.update(table)
    cards.update(s.draw_pile[: s.draw_pile_size].tolist())
    for kind, copies in enumerate(COPIES[s.deck].tolist()):  # KDM-01, KDM-02
        assert cards[kind] == copies, f"{cards[kind]} cards of kind {kind} instead of {copies}"
    shown = Counter(table)
    for p in players:
        shown.update(s.pile[p, : s.pile_size[p]].tolist())
    assert [shown[kind] for kind in range(KINDS)] == s.shown.tolist(), "shown is not what lies open"
    assert (s.power == 0) == all(kind == BALL for kind in table), f"power {s.power} on {table}"
    if s.draw_pile_size and s.over == RUNNING:  # KDM-09
        idle = [p for p in players if p != s.seat]
        assert all(s.hand_size[p] == HAND for p in idle), "a hand was not filled up"
    assert s.collected[: s.num_players].sum() <= CARDS * s.stage, "more cards were collected"
    assert s.dealer in players and 0 <= s.stage <= s.rounds
