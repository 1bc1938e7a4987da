"""What a seat knows, as numbers: in its own frame, seat ``i`` being ``i`` places clockwise."""

from __future__ import annotations

import numpy as np

from mages_env.engine import NOBODY, clear, compiled, helper
from mages_env.games.mage.cards import may_hold
from mages_env.games.mage.state import (
    ABYSS,
    AGE,
    ATTACHABLE,
    ATTACHED,
    CARDS,
    COURT,
    DECK,
    DIAMOND,
    FACE_DOWN,
    HAND,
    MAX_PLAYERS,
    MINE,
    NONE,
    RANKS,
    ROYAL,
    ROYALS,
    SHOWN,
    SIGNATURES,
    VALUE,
)
from mages_env.layout import Block, Layout

_TURN = Block(
    "turn",
    (15,),
    "own move; own turn; first play phase, attack phase, duels, second play phase, discard (one of "
    "them 1); a spade returns a card; its value / 10; diamond used; Mine / 55; deck / 54; "
    "Abyss / 54; turn / max_turns; first turn of the game",
)
_HAND = Block("hand", (CARDS,), "1 for each card of the own hand")
_SEATS = Block(
    "seats",
    (MAX_PLAYERS, 12),
    "per seat, own first: still in; life / 60 (at most 1); life / 15 (at most 1); vault / 55 (at "
    "most 1); hand / 8; cards of it that not all know / 8, and how many of those were drawn since "
    "the deck was last made, before that but since it last ran out, and before it last ran out; "
    "has the turn; is to move; was the starting player",
)
_ROYAL_ROW = MAX_PLAYERS + 8
_ROYALS = Block(
    "royals",
    (ROYALS, _ROYAL_ROW),
    "per royal in play: owner (6 seats, own first), attack / 20 (-1 to 1), health left / 20 (at "
    "most 1), damage / 20 (at most 1), tipped, played this turn, attacks, how many seats on the "
    "player attacked is / 6, (number of the royal duelled from 1) / 12",
)
_ATTACHED = Block(
    "attached",
    (ATTACHABLE,),
    "hearts, spades, clubs from ace to ten: (number of the royal from 1) / 12 it is attached to",
)
_ABYSS = Block("abyss", (CARDS,), "1 for each card that lies open in the Abyss")
_MINE = Block("mine", (RANKS,), "1 for each diamond in the Mine")

STANDARD = Layout(
    _TURN,
    _HAND,
    Block(
        "known",
        (CARDS,),
        "hand cards that all know: 1 in the own hand, in another one how many seats on / 6",
    ),
    Block(
        "unseen",
        (CARDS,),
        "each other card that is not seen: 1/3 in the deck, or drawn since it was last made; 2/3 "
        "in the deck or any hand; 1 surely in a hand, since before the deck last ran out",
    ),
    _ABYSS,
    _MINE,
    _ATTACHED,
    _ROYALS,
    _SEATS,
    low=-1.0,
)
COMPACT = Layout(
    _TURN,
    _HAND,
    Block(
        "royals",
        (ROYALS, 8),
        "per royal in play: own; how many seats on its owner is / 5; attack / 20 (-1 to 1), health "
        "left / 20 (at most 1), tipped, played this turn, attacks the own seat, attacks another",
    ),
    _SEATS,
    low=-1.0,
)
FULL = Layout(
    Block("turn", (15,), _TURN.meaning.replace("own move; own turn", "under way; no duels")),
    Block("hands", (MAX_PLAYERS, CARDS), "1 for each card of every hand"),
    Block("hands_known", (CARDS,), "1 for each hand card that all know"),
    Block("deck", (CARDS,), "1 for each card of the deck"),
    Block("face_down", (CARDS,), "1 for each card that lies face down in the Abyss"),
    _ABYSS,
    _MINE,
    _ATTACHED,
    Block(
        "royals",
        _ROYALS.shape,
        _ROYALS.meaning.replace("own first", "absolute").replace("on the", "after seat 0 the"),
    ),
    Block("seats", _SEATS.shape, "per seat, from seat 0: as in the seats' own observations"),
    low=-1.0,
)

_S_TURN, _S_HAND, _S_KNOWN, _S_UNSEEN, _S_ABYSS, _S_MINE = (
    STANDARD.start(block.name) for block in STANDARD.blocks[:6]
)
_S_ATTACHED, _S_ROYALS, _S_SEATS = (STANDARD.start(block.name) for block in STANDARD.blocks[6:])
_C_TURN, _C_HAND, _C_ROYALS, _C_SEATS = (COMPACT.start(block.name) for block in COMPACT.blocks)
_F_TURN, _F_HANDS, _F_KNOWN, _F_DECK, _F_FACE_DOWN, _F_ABYSS, _F_MINE = (
    FULL.start(block.name) for block in FULL.blocks[:7]
)
_F_ATTACHED, _F_ROYALS, _F_SEATS = (FULL.start(block.name) for block in FULL.blocks[7:])

# Multiplying is several times faster than dividing.
_OF_CARDS = 1.0 / CARDS
_OF_DIAMONDS = 1.0 / 55
_OF_ROYALS = 1.0 / ROYALS
# Single ones twice as many at a time.
_ZERO, _THIRD, _TWO_THIRDS, _ONE = (np.float32(thirds / 3) for thirds in range(4))
_EIGHTH = 1.0 / 8
_FIFTH = 1.0 / 5
_SIXTH = 1.0 / 6
_TENTH = 1.0 / 10
_15TH = 1.0 / 15
_20TH = 1.0 / 20
_60TH = 1.0 / 60


@helper
def seats_on(s, seat, p):
    """How many seats clockwise from ``seat`` ``p`` sits."""
    return p - seat if p >= seat else p - seat + s.num_players


@helper
def write_turn(s, seat, out, at):
    out[at] = s.seat == seat and seat != NOBODY
    out[at + 1] = s.active == seat
    out[at + 2 + s.phase] = 1.0
    if s.spade != NONE:
        out[at + 7] = 1.0
        out[at + 8] = VALUE[s.spade] * _TENTH
    out[at + 9] = s.diamond_used
    out[at + 10] = s.mine * _OF_DIAMONDS
    out[at + 11] = s.deck_size * _OF_CARDS
    out[at + 12] = s.abyss_size * _OF_CARDS
    out[at + 13] = s.turn / s.max_turns
    out[at + 14] = s.turn == 0


@helper
def strength(points):
    return max(-1.0, min(1.0, int(points) * _20TH))


@helper
def write_royals(s, first, out, at):
    for r in range(ROYALS):
        place = int(s.where[ROYAL + r])
        if COURT <= place < ATTACHED:
            row = at + r * _ROYAL_ROW
            out[row + seats_on(s, first, place - COURT)] = 1.0
            row += MAX_PLAYERS
            out[row] = strength(s.attack[r])
            out[row + 1] = strength(int(s.health[r]) - int(s.damage[r]))
            out[row + 2] = strength(s.damage[r])
            out[row + 3] = s.tipped[r]
            out[row + 4] = s.fresh[r]
            if s.attacked[r] != NONE:
                out[row + 5] = 1.0
                out[row + 6] = seats_on(s, first, int(s.attacked[r])) * _SIXTH
            out[row + 7] = (int(s.duelled[r]) + 1) * _OF_ROYALS


@helper
def write_seats(s, first, out, at):
    p = first
    for _ in range(s.num_players):
        out[at] = s.terminated[p] == 0
        life = max(0, s.life[p])
        out[at + 1] = min(1.0, life * _60TH)
        out[at + 2] = min(1.0, life * _15TH)
        out[at + 3] = min(1.0, s.vault[p] * _OF_DIAMONDS)
        out[at + 4] = s.hand_size[p] * _EIGHTH
        unknown = s.unknown[p]
        latest = 0
        old = 0
        for k in range(unknown):
            latest += s.drawn[p, k] == s.making
            old += s.drawn[p, k] >= AGE
        out[at + 5] = unknown * _EIGHTH
        out[at + 6] = latest * _EIGHTH
        out[at + 7] = (unknown - latest - old) * _EIGHTH
        out[at + 8] = old * _EIGHTH
        out[at + 9] = s.active == p
        out[at + 10] = s.seat == p
        out[at + 11] = s.starter == p
        at += 12
        p += 1
        if p == s.num_players:
            p = 0


@helper
def write_cards(s, seat, out):
    """Where each card is, without branches: such loops run over many cards at a time."""
    own, own_known, latest = np.int8(HAND + seat), np.int8(SHOWN + seat), np.int8(s.making)
    for c in range(CARDS):
        place = s.where[c]
        out[_S_HAND + c] = (place == own) | (place == own_known)
    for c in range(CARDS):
        out[_S_ABYSS + c] = s.where[c] == ABYSS
    for c in range(CARDS):
        unseen = (s.where[c] < SHOWN) & (s.where[c] != ABYSS)
        unseen = unseen & (s.where[c] != MINE) & (s.where[c] != own)
        thirds = _THIRD if s.pool[c] == latest else _ONE if s.pool[c] >= AGE else _TWO_THIRDS
        out[_S_UNSEEN + c] = thirds if unseen else _ZERO
    if s.num_players > 2:
        for c in range(CARDS):
            if s.pool[c] >= AGE and s.where[c] != own and may_hold(s, s.making, int(s.pool[c])):
                out[_S_UNSEEN + c] = _TWO_THIRDS
    for k in range(RANKS):
        out[_S_MINE + k] = s.where[DIAMOND + k] == MINE
    for c in range(ATTACHABLE):
        out[_S_ATTACHED + c] = max(0, int(s.where[c]) - ATTACHED + 1) * _OF_ROYALS
    for p in range(s.num_players):
        if s.unknown[p] < s.hand_size[p]:
            value = 1.0 if p == seat else seats_on(s, seat, p) * _SIXTH
            for c in range(CARDS):
                if s.where[c] == SHOWN + p:
                    out[_S_KNOWN + c] = value


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    clear(out)
    write_turn(s, seat, out, _S_TURN)
    write_cards(s, seat, out)
    write_royals(s, seat, out, _S_ROYALS)
    write_seats(s, seat, out, _S_SEATS)


@compiled(SIGNATURES.observe)
def observe_compact(s, seat, out):
    """Fills ``COMPACT``."""
    clear(out)
    write_turn(s, seat, out, _C_TURN)
    for c in range(CARDS):
        out[_C_HAND + c] = s.where[c] == HAND + seat or s.where[c] == SHOWN + seat
    for r in range(ROYALS):
        place = int(s.where[ROYAL + r])
        if COURT <= place < ATTACHED:
            row = _C_ROYALS + r * 8
            out[row] = place == COURT + seat
            out[row + 1] = seats_on(s, seat, place - COURT) * _FIFTH
            out[row + 2] = strength(s.attack[r])
            out[row + 3] = strength(int(s.health[r]) - int(s.damage[r]))
            out[row + 4] = s.tipped[r]
            out[row + 5] = s.fresh[r]
            out[row + 6] = s.attacked[r] == seat
            out[row + 7] = s.attacked[r] != NONE and s.attacked[r] != seat
    write_seats(s, seat, out, _C_SEATS)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    clear(out)
    write_turn(s, s.seat, out, _F_TURN)
    for c in range(CARDS):
        place = int(s.where[c])
        if place == DECK:
            out[_F_DECK + c] = 1.0
        elif place == ABYSS:
            out[_F_ABYSS + c] = 1.0
        elif place == FACE_DOWN:
            out[_F_FACE_DOWN + c] = 1.0
        elif place == MINE:
            out[_F_MINE + c - DIAMOND] = 1.0
        elif place < SHOWN:
            out[_F_HANDS + (place - HAND) * CARDS + c] = 1.0
        elif place < COURT:
            out[_F_HANDS + (place - SHOWN) * CARDS + c] = 1.0
            out[_F_KNOWN + c] = 1.0
        elif place >= ATTACHED:
            out[_F_ATTACHED + c] = (place - ATTACHED + 1) * _OF_ROYALS
    write_royals(s, 0, out, _F_ROYALS)
    write_seats(s, 0, out, _F_SEATS)
