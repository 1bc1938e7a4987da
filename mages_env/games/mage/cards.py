"""Where the cards of Mage go, and what all know of it; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import ALL, compiled, emit, helper, hide_events, randbelow
from mages_env.engine.random import seed_stream
from mages_env.games.mage.state import (
    ABYSS,
    AGE,
    AGES,
    ATTACHABLE,
    ATTACHED,
    CARDS,
    COURT,
    DECK,
    E_CARD,
    E_DRAW,
    E_FALL,
    E_SHUFFLE,
    FACE_DOWN,
    HAND,
    NONE,
    OF_EVENT,
    OF_STATE,
    OF_STATE_AND_NUMBER,
    OF_STATE_AND_TWO,
    ROYAL,
    SHOWN,
    SIGNATURES,
)


@compiled(OF_EVENT)
def tell(s, code, seat, a, b, c):
    """An event for all."""
    emit(s, code, ALL, seat, a, b, c)


@compiled(OF_STATE_AND_NUMBER)
def deal_card(s, p):
    """A card from the deck; its order stays undecided until then, which is the same thing."""
    k = randbelow(s, s.deck_size)
    card = 0
    for c in range(CARDS):
        if s.where[c] == DECK:
            if k == 0:
                card = c
                break
            k -= 1
    s.where[card] = HAND + p
    s.deck_size -= 1
    s.drawn[p, s.unknown[p]] = s.making
    s.unknown[p] += 1
    s.hand_size[p] += 1
    emit(s, E_CARD, p, p, card, 0, 0)


@compiled(OF_STATE)
def age_labels(s):
    """The deck has run out: what is not known is in the hands, and of an older deck now."""
    full = False
    for p in range(s.num_players):
        for k in range(s.unknown[p]):
            full |= s.drawn[p, k] // AGE == AGES - 1
    for c in range(CARDS):
        if HAND <= s.where[c] < SHOWN:
            s.pool[c] = AGE if full else s.pool[c] + AGE
    for p in range(s.num_players):
        for k in range(s.unknown[p]):
            s.drawn[p, k] = AGE if full else s.drawn[p, k] + AGE
    for age in range(AGES - 1, 0, -1):
        again = s.again[age - 1]
        s.again[age] = NONE if full or again == NONE else again + AGE


@compiled(OF_STATE)
def make_deck(s):
    """The Abyss and what there is of the deck become the new deck, MAG-04, MAG-24."""
    if s.abyss_size == 0:
        return
    mixed = s.deck_size > 0
    for c in range(CARDS):
        mixed |= s.where[c] == FACE_DOWN
    if mixed:
        s.making += 1
    else:
        s.making = 0
        age_labels(s)
    for c in range(CARDS):
        if s.where[c] == ABYSS:
            s.pool[c] = s.making
            s.where[c] = DECK
        elif s.where[c] == FACE_DOWN:
            s.where[c] = DECK
    s.deck_size += s.abyss_size
    s.abyss_size = 0
    tell(s, E_SHUFFLE, NONE, s.deck_size, mixed, 0)


@compiled(OF_STATE_AND_NUMBER)
def draw(s, p):
    """MAG-04."""
    if s.deck_size == 0:
        make_deck(s)
    if s.deck_size == 0:
        tell(s, E_DRAW, p, 0, 0, 0)
        return
    deal_card(s, p)
    tell(s, E_DRAW, p, 1, s.deck_size, 0)
    if s.deck_size == 0:
        make_deck(s)


@helper
def may_hold(s, drawn, pool):
    """Whether a card drawn at the making ``drawn`` may be one of those seen last at ``pool``."""
    while pool // AGE > drawn // AGE:
        pool = s.again[pool // AGE]
    return pool // AGE == drawn // AGE and pool <= drawn


@helper
def rank(label):
    """Cards drawn at a making of lower rank may be fewer, or others, than at one of higher."""
    return (AGES - 1 - label // AGE) * AGE + label % AGE


@compiled(OF_STATE_AND_NUMBER)
def show(s, card):
    """``card`` leaves the hand it is in, for all to see: so it is none of the unknown ones.

    Of those it may have been, the one of lowest rank is struck out: any other might as well be
    it, and what is left could then be in its place.
    """
    p = (int(s.where[card]) - HAND) % (SHOWN - HAND)
    s.hand_size[p] -= 1
    if s.where[card] < SHOWN:
        pool = int(s.pool[card])
        found = 0
        lowest = AGES * AGE
        for k in range(s.unknown[p]):
            label = int(s.drawn[p, k])
            if rank(label) < lowest and may_hold(s, label, pool):
                lowest = rank(label)
                found = k
        s.unknown[p] -= 1
        for k in range(found, s.unknown[p]):
            s.drawn[p, k] = s.drawn[p, k + 1]
        s.drawn[p, s.unknown[p]] = 0
    s.pool[card] = 0


@compiled(OF_STATE_AND_NUMBER)
def lay_open(s, p):
    """MAG-24: the hand of ``p`` goes to the Abyss, the part of it that is not known face down."""
    for k in range(s.unknown[p]):
        age = s.drawn[p, k] // AGE
        while s.again[age] != NONE:
            age = s.again[age] // AGE
        if age > 0:
            s.again[age] = s.making + 1
        s.drawn[p, k] = 0
    s.abyss_size += s.hand_size[p]
    s.hand_size[p] = 0
    s.unknown[p] = 0
    for c in range(CARDS):
        if s.where[c] == HAND + p:
            s.where[c] = FACE_DOWN
        elif s.where[c] == SHOWN + p:
            s.where[c] = ABYSS


@compiled(OF_STATE_AND_NUMBER)
def fall(s, r):
    """MAG-18: royal ``r`` goes to the Abyss with everything attached."""
    tell(s, E_FALL, s.where[ROYAL + r] - COURT, ROYAL + r, 0, 0)
    s.where[ROYAL + r] = ABYSS
    s.abyss_size += 1
    for c in range(ATTACHABLE):
        if s.where[c] == ATTACHED + r:
            s.where[c] = ABYSS
            s.abyss_size += 1
    s.attack[r] = 0
    s.health[r] = 0
    s.damage[r] = 0
    s.tipped[r] = 0
    s.fresh[r] = 0
    s.attacked[r] = NONE
    s.duelled[r] = NONE


@compiled(OF_STATE_AND_TWO)
def put(s, drawn, place):
    """One of the cards in the deck that may have been ``drawn`` then (NONE: any) to ``place``."""
    count = 0
    for c in range(CARDS):
        count += s.where[c] == DECK and (drawn == NONE or may_hold(s, drawn, int(s.pool[c])))
    k = randbelow(s, count)
    for c in range(CARDS):
        if s.where[c] == DECK and (drawn == NONE or may_hold(s, drawn, int(s.pool[c]))):
            if k == 0:
                s.where[c] = place
                break
            k -= 1


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """The cards that ``seat`` cannot locate, dealt anew to the places where they may be."""
    seed_stream(s, seed)
    hide_events(s, seat)
    face_down = 0
    for c in range(CARDS):  # all into the deck, and from there to the hands
        place = s.where[c]
        if place == FACE_DOWN:
            face_down += 1
        if place == FACE_DOWN or (HAND <= place < SHOWN and place != HAND + seat):
            s.where[c] = DECK
    last = -1
    while last < AGES * AGE:  # of low rank first: so all dealings that there are are equally likely
        lowest = AGES * AGE
        for p in range(s.num_players):
            if p != seat:
                for k in range(s.unknown[p]):
                    if last < rank(int(s.drawn[p, k])) < lowest:
                        lowest = rank(int(s.drawn[p, k]))
        last = lowest
        for p in range(s.num_players):
            if p != seat:
                for k in range(s.unknown[p]):
                    if rank(int(s.drawn[p, k])) == lowest:
                        put(s, s.drawn[p, k], HAND + p)
    for _ in range(face_down):
        put(s, NONE, FACE_DOWN)
