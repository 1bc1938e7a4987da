"""What a seat knows, as numbers: in its own frame, seat ``i`` being ``i`` places to its left."""

from __future__ import annotations

import numpy as np

from mages_env.engine import NOBODY, clear, compiled, helper
from mages_env.layout import Block, Layout

from .deck import BIND, CHARACTERS, COLUMN, HAND, HIDE, THIS_TURN, TOTAL
from .defeat import allies
from .state import (
    AIM_USE,
    ATTACKER,
    BEAST_USE,
    BOUND_ALL,
    BOUND_ATTACK,
    BOUND_SPELL,
    BY_CANTRIP,
    BY_CARD,
    BY_COMPANION,
    BY_ENEMY,
    CARD,
    COMPANION,
    ENEMY_KINDS,
    FULL_HP,
    HELD,
    ITEM_KINDS,
    KINDS,
    MAGICIAN,
    MAX_PLAYERS,
    MOST_ENEMIES,
    NONE,
    OPPONENT_USE,
    PHASES,
    PLACED_KINDS,
    RULES_1_0,
    SIGNATURES,
    SLOTS,
    STATUS,
    STATUSES,
    STEAL_USE,
    USE,
)

_ASKED = "Preparation, Attack, End, reaction, Dodge, item to be discarded, loot"
_AIMED = (AIM_USE, OPPONENT_USE, STEAL_USE, BEAST_USE)
ATTACK_KINDS = [
    kind for kind in range(KINDS) if USE[kind] in _AIMED or CARD[kind, COLUMN["area"]] != 0
]
"""Cards and enemies that attack; a companion and a cantrip are told by whose they are."""
OF_THIS_TURN = [i for i, (_, _, turns, _) in enumerate(STATUS.tolist()) if turns == THIS_TURN]
"""Statuses that only the seat whose turn it is can have."""
_PUBLIC = (
    Block(
        "table",
        (11,),
        "turns / max_turns; stack / 112; cards of the enemies waiting / 7; rules 1.0; cantrip rule "
        "no_usable, strict, always; own sphere unlocks a level; overflow; teams; the enemy has "
        "attacked this turn",
    ),
    Block("asked", (PHASES,), f"what the seat is asked, zeros if nothing: {_ASKED}"),
    Block(
        "used",
        (9 + len(OF_THIS_TURN),),
        "used this turn: items / 4, Healing, Potion, companion placed, Skill, attacks / 4, more "
        "attacks allowed / 4, cantrip, companion's attack; in force for this turn only, by status",
    ),
    Block(
        "attack",
        (8 + SLOTS,),
        "in progress by a companion; by a cantrip; aimed at a magician, a companion, the enemy, at "
        "many; reflected; dice that modifiers add / 8; aimed at a staff, robe, ring, amulet",
    ),
    Block("attack_with", (len(ATTACK_KINDS),), "card or enemy that attacks"),
    Block("enemy", (len(ENEMY_KINDS),), "hit points / 60 of the tenacious enemy, by card"),
    Block(
        "waiting",
        (MOST_ENEMIES, 2),
        "enemies drawn and not yet resolved, by card and copy: 1 for the first in line and a "
        f"{MOST_ENEMIES}th less for each next; who drew it, (1 + places to the left) / 8",
    ),
    Block("discards", (KINDS,), "copies / 8 in the discard pile, by card"),
)
_HAND = Block("hand", (len(HELD),), "own hand: copies / 8, by card")
_KNOWN = Block("known", (len(HELD),), "copies / 8 known to be in others' hands, by card")
_SEAT_FIELDS = (
    "1 if alive, order of fall / 16 if fallen; its turn; hit points / 60; Magic Shield / 60; AC / "
    "40; 10 + attack bonus, / 40; 10 + arcane level, / 40; hand / 5; its cards known to the "
    "observer / 5; bound: attack, Spells, all; ally; attacks (1/2: first attacker of what was "
    "reflected, drawer of the enemy that attacks); target, or has dodged; drew the enemy on the "
    "table; victor (1/2: is looted); companion attacks; its hit points / 60; damage over time: "
    "mean / 20, turns / 4, by the observer; mean and turns of the companion's"
)
_BASE = 24
_AT_CHARACTER = _BASE
_AT_ITEM = _AT_CHARACTER + CHARACTERS
_AT_COMPANION = _AT_ITEM + len(ITEM_KINDS)
_AT_STATUS = _AT_COMPANION + len(PLACED_KINDS)


def _status_columns() -> tuple[np.ndarray, int]:
    """Column of each status that outlasts a turn, and how many there are.

    Binds of the same kind and length, and hiding, are alike: the longest counts.
    """
    columns = np.full(STATUSES, NONE, np.int64)
    found: dict[tuple[int, ...], int] = {}
    for i, (kind, change, turns, card) in enumerate(STATUS.tolist()):
        if turns != THIS_TURN:
            alike = (kind, change, turns) if kind in (BIND, HIDE) else (kind, change, turns, card)
            columns[i] = found.setdefault(alike, len(found))
    return columns, len(found)


STATUS_AT, LASTING = _status_columns()
SEAT_WIDTH = _AT_STATUS + LASTING


def _seats(count: int) -> Block:
    return Block(
        "seats",
        (count, SEAT_WIDTH),
        f"per seat, own first: {_SEAT_FIELDS}; {CHARACTERS} characters; items by card; companion "
        "by card; turns left / 4 by status that outlasts a turn, binds of a kind and length as one",
    )


STANDARD = Layout(*_PUBLIC, _HAND, _KNOWN, _seats(MAX_PLAYERS))
DUEL = Layout(*_PUBLIC, _HAND, _KNOWN, _seats(2))
FULL = Layout(
    *_PUBLIC,
    Block("to_move", (MAX_PLAYERS,), "1 for the seat to move (absolute seats)"),
    Block("stack", (KINDS,), "copies / 8 in the stack, by card"),
    Block("hands", (MAX_PLAYERS, len(HELD)), "every hand: copies / 8, by card"),
    _seats(MAX_PLAYERS),
)
_TABLE, _ASKED_AT, _USED, _ATTACK, _WITH, _ENEMY, _WAITING, _DISCARDS = (
    STANDARD.start(block.name) for block in _PUBLIC
)
_AT_HAND, _AT_KNOWN, _AT_SEATS = (STANDARD.start(name) for name in ("hand", "known", "seats"))
_F_MOVE, _F_STACK, _F_HANDS, _F_SEATS = (
    FULL.start(name) for name in ("to_move", "stack", "hands", "seats")
)


def _positions(kinds: list[int]) -> np.ndarray:
    """Place of each kind in a block that has ``kinds`` only."""
    places = np.full(len(CARD), NONE, np.int64)
    places[kinds] = range(len(kinds))
    return places


HELD_KINDS = len(HELD)
HELD_AT = _positions(HELD)
ITEM_AT = _positions(ITEM_KINDS)
ENEMY_AT = _positions(ENEMY_KINDS)
PLACED_AT = _positions(PLACED_KINDS)
ATTACK_AT = _positions(ATTACK_KINDS)
WAITING_AT = np.cumsum(CARD[:, COLUMN["copies"]] * (ENEMY_AT != NONE))
WAITING_AT -= CARD[:, COLUMN["copies"]]
"""Row of ``waiting`` of the first copy of an enemy."""
OF_THIS_TURN_AT = np.array(OF_THIS_TURN, np.int64)
DOT_MEAN = CARD[:, COLUMN["dot_n"]] * (CARD[:, COLUMN["dot_sides"]] + 1) / 40.0

# Multiplying is several times faster than dividing. Eighths are exact, whatever adds them up, and
# single ones are twice as many at a time.
_EIGHTH = np.float32(0.125)
_OF_HP = 1.0 / FULL_HP
_OF_CARDS = 1.0 / TOTAL
_OF_ENEMIES = 1.0 / MOST_ENEMIES
_FIFTH = 1.0 / HAND


@helper
def unit(x):
    return min(1.0, max(0.0, x))


@helper
def write_attack(s, out):
    kind = s.attack_kind
    if kind != NONE:
        out[_ATTACK] = s.attack_form == BY_COMPANION
        out[_ATTACK + 1] = s.attack_form == BY_CANTRIP
        out[_ATTACK + 2 + s.attack_part] = 1.0
        out[_ATTACK + 6] = s.attack_by != s.attack_user and s.attack_by != NONE
        out[_ATTACK + 7] = unit(s.attack_dice * 0.125)
        if s.attack_slot != NONE:
            out[_ATTACK + 8 + s.attack_slot] = 1.0
        if s.attack_form == BY_CARD or s.attack_form == BY_ENEMY:
            out[_WITH + ATTACK_AT[kind]] = 1.0


@helper
def write_waiting(s, frame, out):
    """DM-34: in which order, and whose, for that decides when they attack."""
    for i in range(s.queue_size):
        kind = int(s.queue[i, 0])
        row = WAITING_AT[kind]
        for j in range(i):
            row += s.queue[j, 0] == kind
        out[_WAITING + 2 * row] = 1.0 - i * _OF_ENEMIES
        left = (int(s.queue[i, 1]) - frame) % s.num_players
        out[_WAITING + 2 * row + 1] = (1 + left) * 0.125


@helper
def write_public(s, frame, out, asked):
    """The blocks that all layouts begin with; ``asked``: the seat whose question is shown."""
    clear(out)
    out[_TABLE] = unit(s.turn / s.max_turns)
    out[_TABLE + 1] = s.stack_size * _OF_CARDS
    out[_TABLE + 2] = unit(s.queue_size / 7.0)
    out[_TABLE + 3] = s.rules == RULES_1_0
    out[_TABLE + 4 + s.cantrip_rule] = 1.0
    out[_TABLE + 7] = s.sphere_unlocks_level == 0
    out[_TABLE + 8] = s.overflow != 0
    out[_TABLE + 9] = s.teams != 0
    out[_TABLE + 10] = s.enemy_attacked
    if s.seat == asked and s.seat != NOBODY:
        out[_ASKED_AT + s.phase] = 1.0
    out[_USED] = s.items_used * 0.25
    out[_USED + 1] = s.healing_used
    out[_USED + 2] = s.potion_used
    out[_USED + 3] = s.companion_used
    out[_USED + 4] = s.skill_used
    out[_USED + 5] = unit(s.attacks_used * 0.25)
    out[_USED + 6] = unit(s.extra_attacks * 0.25)
    out[_USED + 7] = s.cantrip_used
    out[_USED + 8] = s.companion_attacked
    for k in range(OF_THIS_TURN_AT.size):
        out[_USED + 9 + k] = s.status[s.active, OF_THIS_TURN_AT[k]] != 0
    write_attack(s, out)
    if s.enemy != NONE:
        out[_ENEMY + ENEMY_AT[s.enemy]] = unit(s.enemy_hp * _OF_HP)
    write_waiting(s, frame, out)
    for kind in range(KINDS):
        out[_DISCARDS + kind] = s.discards[kind] * _EIGHTH


@helper
def write_seats(s, first, out, at, count):
    """``count`` seats from ``first`` on, as it knows them."""
    p = first
    for i in range(min(count, s.num_players)):
        out[at] = 1.0 if s.alive[p] != 0 else s.fell[p] * 0.0625
        out[at + 1] = s.active == p
        out[at + 2] = s.hp[p] * _OF_HP
        out[at + 3] = unit(s.pool[p] * _OF_HP)
        out[at + 4] = unit(s.ac[p] * 0.025)
        out[at + 5] = unit((10 + int(s.attack_bonus[p])) * 0.025)
        out[at + 6] = unit((10 + int(s.level[p])) * 0.025)
        out[at + 7] = s.hand_size[p] * _FIFTH
        known = 0
        for j in range(s.hand_size[p]):
            known += (int(s.known[p, j]) >> first) & 1
        out[at + 8] = known * _FIFTH
        bound = int(s.bound[p])
        out[at + 9] = bound & BOUND_ATTACK != 0
        out[at + 10] = bound & BOUND_SPELL != 0
        out[at + 11] = bound & BOUND_ALL != 0
        out[at + 12] = i > 0 and allies(s, first, p)
        if s.attack_kind != NONE:
            out[at + 13] = 1.0 if s.attack_by == p else 0.5 * (s.attack_user == p)
            out[at + 14] = s.attack_target == p or (s.dodged >> p) & 1 != 0
        out[at + 15] = s.enemy_drawer == p
        out[at + 16] = 1.0 if s.victor == p else 0.5 * (s.loot_from == p)
        out[at + 17] = s.mode[p] == ATTACKER
        out[at + 18] = unit(s.companion_hp[p] * _OF_HP)
        if s.dot[p, MAGICIAN] != NONE:
            out[at + 19] = unit(DOT_MEAN[s.dot[p, MAGICIAN]])
            out[at + 20] = unit(s.dot_turns[p, MAGICIAN] * 0.25)
            out[at + 21] = s.dot_user[p, MAGICIAN] == first
        if s.dot[p, COMPANION] != NONE:
            out[at + 22] = unit(DOT_MEAN[s.dot[p, COMPANION]])
            out[at + 23] = unit(s.dot_turns[p, COMPANION] * 0.25)
        out[at + _AT_CHARACTER + int(s.character[p])] = 1.0
        for slot in range(SLOTS):
            if s.items[p, slot] != NONE:
                out[at + _AT_ITEM + ITEM_AT[s.items[p, slot]]] = 1.0
        if s.companion[p] != NONE:
            out[at + _AT_COMPANION + PLACED_AT[s.companion[p]]] = 1.0
        for k in range(STATUSES):
            if s.status[p, k] != 0 and STATUS_AT[k] != NONE:
                place = at + _AT_STATUS + STATUS_AT[k]
                out[place] = max(out[place], np.float32(min(1.0, s.status[p, k] * 0.25)))
        at += SEAT_WIDTH
        p += 1
        if p == s.num_players:
            p = 0


@helper
def write_cards(s, seat, out):
    """Own hand, and cards known in others' hands."""
    for p in range(s.num_players):
        for i in range(s.hand_size[p]):
            if p == seat:
                out[_AT_HAND + HELD_AT[s.hand[p, i]]] += _EIGHTH
            elif (int(s.known[p, i]) >> seat) & 1:
                out[_AT_KNOWN + HELD_AT[s.hand[p, i]]] += _EIGHTH


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    write_public(s, seat, out, seat)
    write_cards(s, seat, out)
    write_seats(s, seat, out, _AT_SEATS, MAX_PLAYERS)


@compiled(SIGNATURES.observe)
def observe_duel(s, seat, out):
    """Fills ``DUEL``."""
    write_public(s, seat, out, seat)
    write_cards(s, seat, out)
    write_seats(s, seat, out, _AT_SEATS, 2)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    write_public(s, 0, out, s.seat)
    if s.seat != NOBODY:
        out[_F_MOVE + s.seat] = 1.0
    for i in range(s.stack_size):
        out[_F_STACK + int(s.stack[i])] += _EIGHTH
    for p in range(s.num_players):
        at = _F_HANDS + p * HELD_KINDS
        for i in range(s.hand_size[p]):
            out[at + HELD_AT[s.hand[p, i]]] += _EIGHTH
    write_seats(s, 0, out, _F_SEATS, MAX_PLAYERS)
