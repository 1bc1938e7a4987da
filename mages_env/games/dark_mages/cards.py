"""Stack, discard pile and hands."""

from __future__ import annotations

from mages_env.engine import ALL, compiled, emit, helper, randbelow

from .deck import COLUMN, ENEMY_CARD, HAND
from .state import (
    CARD,
    E_DISCARD,
    E_DRAW,
    E_ENEMY,
    E_GOT,
    E_RAID,
    E_RAIDED,
    E_RESHUFFLE,
    KINDS,
    NONE,
    NUMBER,
    rule,
)

CATEGORY = COLUMN["category"]


@compiled(rule(5))
def report(s, code, seat, a, b, c):
    """An event for all to see."""
    emit(s, code, ALL, seat, a, b, c)


@compiled(rule(1, NUMBER))
def roll(s, sides):
    return 1 + randbelow(s, sides)


@compiled(rule(2, NUMBER))
def roll_dice(s, n, sides):
    """The sum of ``n`` dice."""
    total = 0
    for _ in range(n):
        total += 1 + randbelow(s, sides)
    return total


@compiled(rule(3))
def add_card(s, p, kind, known):
    """A card into the hand, in its place; ``known``: seats beside its owner that saw it, by bit."""
    at = int(s.hand_size[p])
    while at > 0 and (
        s.hand[p, at - 1] > kind or (s.hand[p, at - 1] == kind and s.known[p, at - 1] > known)
    ):
        s.hand[p, at] = s.hand[p, at - 1]
        s.known[p, at] = s.known[p, at - 1]
        at -= 1
    s.hand[p, at] = kind
    s.known[p, at] = known
    s.hand_size[p] += 1


@compiled(rule(2))
def drop_slot(s, p, at):
    """The card in place ``at`` leaves the hand."""
    last = int(s.hand_size[p]) - 1
    for i in range(at, last):
        s.hand[p, i] = s.hand[p, i + 1]
        s.known[p, i] = s.known[p, i + 1]
    s.hand[p, last] = NONE
    s.known[p, last] = 0
    s.hand_size[p] = last


@compiled(rule(1))
def sort_hand(s, p):
    """Brings a hand whose knowledge has changed into the order of ``add_card``."""
    size = int(s.hand_size[p])
    s.hand_size[p] = 0
    for i in range(size):
        add_card(s, p, s.hand[p, i], s.known[p, i])


@compiled(rule(2))
def take_from_hand(s, p, kind):
    """A card leaves the hand openly: of its kind, whoever knew of any knows one less (DM-40)."""
    found = NONE
    known = 0
    for i in range(s.hand_size[p]):
        if s.hand[p, i] == kind:
            found = i
            known |= int(s.known[p, i])
    if known != 0:
        lost = int(s.known[p, found])
        for i in range(found):
            if s.hand[p, i] == kind:
                less = int(s.known[p, i]) & ~lost
                s.known[p, i] -= less
                lost |= less
    drop_slot(s, p, found)
    if known != 0:
        sort_hand(s, p)


@compiled(rule(2))
def discard_from_hand(s, p, kind):
    take_from_hand(s, p, kind)
    s.discards[kind] += 1
    report(s, E_DISCARD, p, kind, 0, 0)


@compiled(rule(2))
def discard_random(s, p, n):
    """Random cards of the hand, one after the other."""
    for _ in range(n):
        if s.hand_size[p] > 0:
            discard_from_hand(s, p, s.hand[p, randbelow(s, s.hand_size[p])])


@helper
def raid(s, thief, victim, n):
    """Random cards of the victim's hand to the thief; only the two see which."""
    for _ in range(n):
        if s.hand_size[victim] == 0 or s.hand_size[thief] >= HAND:
            return
        at = randbelow(s, s.hand_size[victim])
        kind = int(s.hand[victim, at])
        knew = 1 << thief
        known = int(s.known[victim, at]) & knew
        drop_slot(s, victim, at)
        for i in range(s.hand_size[victim]):  # nobody else knows any more what is still there
            mine = int(s.known[victim, i]) & knew
            if mine != 0 and known == 0 and s.hand[victim, i] == kind:
                mine = 0  # cards of a name are alike: the thief has one of those that it knew of
                known = knew
            s.known[victim, i] = mine
        sort_hand(s, victim)
        add_card(s, thief, kind, 1 << victim)
        report(s, E_RAID, thief, victim, 0, 0)
        emit(s, E_RAIDED, thief, thief, kind, victim, 0)
        emit(s, E_RAIDED, victim, thief, kind, victim, 0)


@helper
def draw_kind(s):
    """The top card of the stack, NONE if there is no card (DM-05)."""
    if s.stack_size == 0:
        for kind in range(KINDS):
            for _ in range(s.discards[kind]):
                s.stack[s.stack_size] = kind
                s.stack_size += 1
            s.discards[kind] = 0
        if s.stack_size == 0:
            return NONE
        report(s, E_RESHUFFLE, NONE, s.stack_size, 0, 0)
    i = randbelow(s, s.stack_size)
    kind = int(s.stack[i])
    s.stack_size -= 1
    s.stack[i] = s.stack[s.stack_size]
    return kind


@helper
def draw(s, p, n):
    """DM-12: the number is fixed first; a drawn enemy counts and waits to be resolved."""
    drawn = 0
    for _ in range(n):
        kind = draw_kind(s)
        if kind == NONE:
            break
        drawn += 1
        if CARD[kind, CATEGORY] == ENEMY_CARD:
            s.queue[s.queue_size, 0] = kind
            s.queue[s.queue_size, 1] = p
            s.queue_size += 1
            report(s, E_ENEMY, p, kind, 0, 0)
        else:
            add_card(s, p, kind, 0)
            emit(s, E_GOT, p, p, kind, 0, 0)
    report(s, E_DRAW, p, drawn, 0, 0)
