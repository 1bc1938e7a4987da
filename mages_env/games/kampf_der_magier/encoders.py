"""What a seat knows, as numbers: in its own frame, seat ``i`` being ``i`` places to its left."""

from __future__ import annotations

import numpy as np

from mages_env.engine import NOBODY, clear, compiled, helper
from mages_env.games.kampf_der_magier.state import (
    BALL,
    CARDS,
    COPIES,
    JOKER,
    KINDS,
    MAX_PLAYERS,
    MAX_POWER,
    OPEN_PILE,
    POWERS,
    SIGNATURES,
)
from mages_env.layout import Block, Layout

_KINDS = "powers 1 to 13, crystal ball, joker"
_SCALARS = Block(
    "duel",
    (8,),
    "own move (1 or 0); announced power / 48; cards on the table / 55; draw pile / 55; "
    "round / rounds; last round (1 or 0); own lead (empty table and own move); open pile (1 or 0)",
)
_HAND_COUNT = Block("hand_count", (KINDS,), f"own hand: copies / 6 of {_KINDS}")
_UNSEEN = Block(
    "unseen",
    (KINDS,),
    f"copies / 6 neither shown this round nor in the own hand, of {_KINDS}",
)
_SEATS = Block(
    "seats",
    (MAX_PLAYERS, 8),
    "per seat, own first: in the game; hand / 6; pile / 55; earlier rounds' cards / (55 x rounds); "
    "dealer; open pile: power of the top card / 13, it is a joker, it is a crystal ball",
)

STANDARD = Layout(
    _SCALARS,
    _HAND_COUNT,
    Block("hand_at_least", (KINDS, 4), f"own hand has at least 1, 2, 3, 4 of {_KINDS}"),
    _UNSEEN,
    Block("table", (KINDS,), f"on the table: copies / 6 of {_KINDS}"),
    Block("needed", (POWERS,), "cards of each power that beat the announced power, / 8, at most 1"),
    _SEATS,
)
COMPACT = Layout(_SCALARS, _HAND_COUNT, _UNSEEN, _SEATS)
FULL = Layout(
    Block(
        "duel",
        (8,),
        _SCALARS.meaning.replace("own lead (", "a duel to be opened (").replace(
            "own move", "game under way"
        ),
    ),
    Block("to_move", (MAX_PLAYERS,), "1 for the seat to move (absolute seats)"),
    Block("hands", (MAX_PLAYERS, KINDS), f"every hand: copies / 6 of {_KINDS}"),
    Block("draw_pile", (KINDS,), f"draw pile: copies / 6 of {_KINDS}"),
    Block("table", (KINDS,), f"on the table: copies / 6 of {_KINDS}"),
    Block("piles", (MAX_PLAYERS, KINDS), f"collected this round: copies / 6 of {_KINDS}"),
    Block("seats", (MAX_PLAYERS, 8), "per seat, from seat 0: as in the seats' own observations"),
)

_DUEL = STANDARD.start("duel")
_HAND = STANDARD.start("hand_count")
_AT_LEAST = STANDARD.start("hand_at_least")
_SEEN = STANDARD.start("unseen")
_TABLE = STANDARD.start("table")
_NEEDED = STANDARD.start("needed")
_PLAYERS = STANDARD.start("seats")
_C_DUEL, _C_HAND, _C_UNSEEN, _C_SEATS = (
    COMPACT.start(name) for name in ("duel", "hand_count", "unseen", "seats")
)
_F_DUEL, _F_MOVE, _F_HANDS, _F_DRAW, _F_TABLE, _F_PILES, _F_SEATS = (
    FULL.start(block.name) for block in FULL.blocks
)

# Multiplying is several times faster than dividing.
_SIXTH = 1.0 / 6.0
_OF_CARDS = 1.0 / CARDS
_OF_POWER = 1.0 / MAX_POWER
_OF_TOP = 1.0 / POWERS
# By announced power and kind.
_CARDS_NEEDED = np.array(
    [[min(8, power // v + 1) / 8 for v in range(1, POWERS + 1)] for power in range(MAX_POWER + 1)],
    np.float32,
)


@helper
def write_duel(s, seat, out, at):
    mine = s.seat == seat and s.seat != NOBODY
    out[at] = mine
    out[at + 1] = s.power * _OF_POWER
    out[at + 2] = s.table_size * _OF_CARDS
    out[at + 3] = s.draw_pile_size * _OF_CARDS
    out[at + 4] = s.stage / s.rounds
    out[at + 5] = s.stage >= s.rounds - 1
    out[at + 6] = mine and s.table_size == 0
    out[at + 7] = s.variant == OPEN_PILE


@helper
def write_seats(s, first, out, at):
    p = first
    of_all = _OF_CARDS / s.rounds
    for _ in range(s.num_players):
        out[at] = 1.0
        out[at + 1] = s.hand_size[p] * _SIXTH
        out[at + 2] = s.pile_size[p] * _OF_CARDS
        out[at + 3] = s.collected[p] * of_all
        out[at + 4] = s.dealer == p
        if s.variant == OPEN_PILE and s.pile_size[p] > 0:
            top = s.pile[p, s.pile_size[p] - 1]
            if top == JOKER:
                out[at + 6] = 1.0
            elif top == BALL:
                out[at + 7] = 1.0
            else:
                out[at + 5] = (top + 1) * _OF_TOP
        at += 8
        p += 1
        if p == s.num_players:
            p = 0


@helper
def write_cards(s, seat, out, hand, unseen):
    for kind in range(KINDS):
        held = s.hand[seat, kind]
        out[hand + kind] = held * _SIXTH
        out[unseen + kind] = (COPIES[s.deck, kind] - s.shown[kind] - held) * _SIXTH


@helper
def write_counts(cards, size, out, at):
    # int and float: NumPy, interpreted, would reckon in int8 and float32 where Numba does not.
    for i in range(size):
        out[at + int(cards[i])] += 1.0
    for kind in range(KINDS):
        out[at + kind] = float(out[at + kind]) * _SIXTH


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    clear(out)
    write_duel(s, seat, out, _DUEL)
    write_cards(s, seat, out, _HAND, _SEEN)
    for kind in range(KINDS):
        held = s.hand[seat, kind]
        for n in range(4):
            out[_AT_LEAST + kind * 4 + n] = held > n
    write_counts(s.table, s.table_size, out, _TABLE)
    for k in range(POWERS):
        out[_NEEDED + k] = _CARDS_NEEDED[s.power, k]
    write_seats(s, seat, out, _PLAYERS)


@compiled(SIGNATURES.observe)
def observe_compact(s, seat, out):
    """Fills ``COMPACT``."""
    clear(out)
    write_duel(s, seat, out, _C_DUEL)
    write_cards(s, seat, out, _C_HAND, _C_UNSEEN)
    write_seats(s, seat, out, _C_SEATS)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    clear(out)
    write_duel(s, s.seat, out, _F_DUEL)
    if s.seat != NOBODY:
        out[_F_MOVE + s.seat] = 1.0
    write_counts(s.draw_pile, s.draw_pile_size, out, _F_DRAW)
    write_counts(s.table, s.table_size, out, _F_TABLE)
    for p in range(s.num_players):
        for kind in range(KINDS):
            out[_F_HANDS + p * KINDS + kind] = s.hand[p, kind] * _SIXTH
        write_counts(s.pile[p], s.pile_size[p], out, _F_PILES + p * KINDS)
    write_seats(s, 0, out, _F_SEATS)
