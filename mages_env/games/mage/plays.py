"""Playing cards in Mage; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import compiled, helper
from mages_env.games.mage.cards import draw, fall, show, tell
from mages_env.games.mage.legal import is_in, seat_at
from mages_env.games.mage.state import (
    A_ATTACH,
    A_CASH,
    A_DRAW,
    A_DROP,
    A_HAND_DISCARD,
    A_HEAL,
    A_JOKER,
    A_RETURN,
    A_ROYAL,
    ABYSS,
    ATTACHED,
    CARDS,
    CLUB,
    COURT,
    DIAMOND,
    E_ATTACH,
    E_CANCEL,
    E_CASH,
    E_DAMAGE,
    E_DIAMOND_DRAW,
    E_DISCARD,
    E_DROP,
    E_HEAL,
    E_JOKER,
    E_RETURN,
    E_ROYAL,
    HAND,
    JOKER,
    MINE,
    NONE,
    OF_PLAY,
    ROYAL,
    SHOWN,
    SPADE,
    VALUE,
)

_MOST = 32767  # that an event can tell


@helper
def into_abyss(s, card):
    s.where[card] = ABYSS
    s.abyss_size += 1


@helper
def joker_of(s, p):
    """The jokers are alike: the one that all know of goes first, as it gives nothing away."""
    for joker in range(JOKER, CARDS):
        if s.where[joker] == SHOWN + p:
            return joker
    return JOKER if s.where[JOKER] == HAND + p else JOKER + 1


@helper
def attach(s, card, r):
    """MAG-12 to MAG-14, MAG-16, MAG-18."""
    value = int(VALUE[card])
    s.where[card] = ATTACHED + r
    if card < SPADE:
        s.health[r] += value
        return
    if card >= CLUB:
        value = -value
    s.attack[r] += value
    s.health[r] += value
    if s.attack[r] == VALUE[ROYAL + r]:  # MAG-16
        tell(s, E_CANCEL, NONE, ROYAL + r, 0, 0)
        for c in range(SPADE, DIAMOND):
            if s.where[c] == ATTACHED + r:
                into_abyss(s, c)
    if s.health[r] <= s.damage[r]:  # MAG-18
        fall(s, r)


@compiled(OF_PLAY)
def play(s, p, kind, card, target):
    """A card of the hand, for what ``kind`` says; ``target`` as in ``TARGET``."""
    if kind == A_JOKER:
        card = joker_of(s, p)
    value = int(VALUE[card])
    show(s, card)
    if kind == A_HAND_DISCARD:  # MAG-08
        into_abyss(s, card)
        tell(s, E_DISCARD, p, card, 0, 0)
        return
    if DIAMOND <= card < ROYAL:
        s.diamond_used = 1
    else:
        s.vault[p] -= value  # MAG-02
    if kind == A_ROYAL:  # MAG-19
        r = card - ROYAL
        s.where[card] = COURT + p
        s.attack[r] = value
        s.health[r] = value
        s.fresh[r] = 1
        tell(s, E_ROYAL, p, card, 0, 0)
    elif kind == A_DROP:  # MAG-09
        s.where[card] = MINE
        s.mine += value
        for q in range(s.num_players):
            if is_in(s, q):
                s.vault[q] += value
        tell(s, E_DROP, p, card, 0, 0)
    elif kind == A_ATTACH:
        tell(s, E_ATTACH, p, card, ROYAL + target, 0)
        attach(s, card, target)
    else:
        into_abyss(s, card)
        if kind == A_DRAW:  # MAG-10
            tell(s, E_DIAMOND_DRAW, p, card, 0, 0)
            draw(s, p)
        elif kind == A_CASH:  # MAG-11
            s.vault[p] += value
            tell(s, E_CASH, p, card, 0, 0)
        elif kind == A_RETURN:  # MAG-13
            s.spade = card
            tell(s, E_RETURN, p, card, 0, 0)
        elif kind == A_JOKER:  # MAG-17
            tell(s, E_JOKER, p, card, ROYAL + target, 0)
            fall(s, target)
        else:
            target = seat_at(s, p, target)
            if kind == A_HEAL:  # MAG-12
                s.life[target] += value
                tell(s, E_HEAL, p, card, target, min(s.life[target], _MOST))
            else:  # MAG-14
                s.life[target] -= value
                tell(s, E_DAMAGE, p, card, target, min(s.life[target], _MOST))
