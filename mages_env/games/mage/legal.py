"""What may be done in Mage; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import NOBODY, clear, compiled, helper
from mages_env.games.mage.state import (
    A_ATTACH,
    A_ATTACK,
    A_CASH,
    A_DAMAGE,
    A_DONE,
    A_DRAW,
    A_DROP,
    A_DUEL,
    A_HAND_DISCARD,
    A_HEAL,
    A_JOKER,
    A_RETURN,
    A_ROYAL,
    A_TAKE,
    ABYSS,
    ATTACHED,
    ATTACK,
    CARDS,
    CLUB,
    COURT,
    DIAMOND,
    DISCARD,
    DUELS,
    HAND,
    JOKER,
    MAX_PLAYERS,
    NONE,
    ROYAL,
    ROYALS,
    SHOWN,
    SIGNATURES,
    SPADE,
    VALUE,
)


@helper
def is_in(s, p):
    return s.terminated[p] == 0


@helper
def holds(s, p, card):
    return s.where[card] == HAND + p or s.where[card] == SHOWN + p


@helper
def in_play(s, r):
    return COURT <= s.where[ROYAL + r] < ATTACHED


@helper
def seat_at(s, p, places):
    """The player ``places`` seats on from ``p``, clockwise."""
    q = p + places
    return q if q < s.num_players else q - s.num_players


@helper
def may_attack(s, p, r):
    """MAG-19, MAG-20."""
    return s.where[ROYAL + r] == COURT + p and s.tipped[r] == 0 and s.fresh[r] == 0


@helper
def may_duel(s, p, r):
    """MAG-21."""
    return s.where[ROYAL + r] == COURT + p and s.tipped[r] == 0 and s.duelled[r] == NONE


@helper
def allow_attacks(s, p, mask):
    """MAG-20."""
    for r in range(ROYALS):
        if may_attack(s, p, r):
            for i in range(1, s.num_players):
                if is_in(s, seat_at(s, p, i)):
                    mask[A_ATTACK + r * MAX_PLAYERS + i] = 1


@helper
def allow_duels(s, p, mask):
    """MAG-21."""
    for r in range(ROYALS):
        if may_duel(s, p, r):
            for attacker in range(ROYALS):
                if s.attacked[attacker] == p:
                    mask[A_DUEL + r * ROYALS + attacker] = 1


@helper
def lowest_value(s):
    """The lowest value in the Abyss; more than any card's if it is empty."""
    lowest = CARDS
    for c in range(CARDS):
        if s.where[c] == ABYSS:
            lowest = min(lowest, int(VALUE[c]))
    return lowest


@helper
def allow_plays(s, p, mask):
    vault = s.vault[p]  # MAG-02
    lowest = NONE
    for c in range(CARDS):
        if not holds(s, p, c):
            continue
        value = VALUE[c]
        if c >= JOKER:
            if value <= vault:  # MAG-17
                for r in range(ROYALS):
                    if in_play(s, r):
                        mask[A_JOKER + r] = 1
        elif c >= ROYAL:
            if value <= vault:  # MAG-19
                mask[A_ROYAL + c - ROYAL] = 1
        elif c >= DIAMOND:
            if s.diamond_used == 0:
                mask[A_DROP + c - DIAMOND] = 1  # MAG-09
                mask[A_DRAW + c - DIAMOND] = 1  # MAG-10
                mask[A_CASH + c - DIAMOND] = 1  # MAG-11
        elif value <= vault:
            for r in range(ROYALS):  # MAG-12 to MAG-15
                if in_play(s, r):
                    mask[A_ATTACH + c * ROYALS + r] = 1
            if SPADE <= c < CLUB:
                if lowest == NONE:
                    lowest = lowest_value(s)
                if lowest <= value:
                    mask[A_RETURN + c - SPADE] = 1
            else:
                at = A_HEAL + c * MAX_PLAYERS if c < SPADE else A_DAMAGE + (c - CLUB) * MAX_PLAYERS
                for i in range(s.num_players):
                    if is_in(s, seat_at(s, p, i)):
                        mask[at + i] = 1


@compiled(SIGNATURES.legal)
def legal(s, mask):
    clear(mask)
    p = s.seat
    if p == NOBODY:
        return
    if s.phase == DISCARD:  # MAG-08
        for c in range(CARDS):
            if holds(s, p, c):
                mask[A_HAND_DISCARD + c] = 1
    elif s.spade != NONE:  # MAG-13
        for c in range(CARDS):
            if s.where[c] == ABYSS and VALUE[c] <= VALUE[s.spade] and c != s.spade:
                mask[A_TAKE + c] = 1
    else:
        mask[A_DONE] = 1  # MAG-07
        if s.phase == ATTACK:
            allow_attacks(s, p, mask)
        elif s.phase == DUELS:
            allow_duels(s, p, mask)
        else:
            allow_plays(s, p, mask)
