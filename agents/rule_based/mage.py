"""Mage: every play, attack and duel is priced in points of life, and the best is done.

The prices are round numbers chosen by hand: what a person would tell another, not the best that
can be found (search and learning are for that).
"""

from __future__ import annotations

import numpy as np
from numba import int64

from mages_env.engine import compiled, helper, record_type
from mages_env.games.mage.legal import holds, is_in, may_attack, may_duel
from mages_env.games.mage.state import (
    A_ATTACH,
    A_ATTACK,
    A_CASH,
    A_DAMAGE,
    A_DONE,
    A_DRAW,
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
    FIRST,
    JOKER,
    MAX_PLAYERS,
    NONE,
    RANKS,
    ROYAL,
    ROYALS,
    SECOND,
    SIGNATURES,
    SPADE,
    STATE,
    VALUE,
)

_CHOICE = int64(record_type(STATE), int64)

BODY = 1.0
"""A royal in play, whatever it can do: it may stand in the way."""
POWER = 2.0
"""A point of its attack."""
HEALTH = 0.5
"""A point of its health."""
HIT = 1.0
"""A point of life taken from an opponent."""
HEAL = 0.8
"""A point of life added to one's own."""
PRICE = 0.5
"""A point of the vault spent."""
CASHED = 0.5
"""A point of the diamond given for it, which could pay for something else in another turn."""
SAVED = 100.0
"""Not being out of the game."""
RESERVE = 5
"""Life below which royals stay at home, once the opponents' have attacked."""
DRAWN = 2.0
"""A card from the deck."""

KEEP = np.array(
    [
        *(0.3 * v for v in range(1, RANKS + 1)),  # hearts
        *(0.5 * v for v in range(1, RANKS + 1)),  # spades
        *(0.5 * v for v in range(1, RANKS + 1)),  # clubs
        *(1.0 + 0.5 * v for v in range(1, RANKS + 1)),  # diamonds
        *(3.0, 4.0, 5.0) * 4,  # jacks, queens, kings
        *(2.0,) * 2,  # jokers
    ],
    np.float32,
)
"""What a card is worth in the hand, by card."""


@helper
def worth(attack, health):
    """What a royal in play is worth."""
    return BODY + POWER * max(0, attack) + HEALTH * health


@helper
def attack_of(s, r):
    return max(0, int(s.attack[r]))


@helper
def health_of(s, r):
    return int(s.health[r]) - int(s.damage[r])


@helper
def price_of(s, r):
    return worth(attack_of(s, r), health_of(s, r))


@helper
def owner(s, r):
    """Whose court royal ``r`` is in, or NONE."""
    place = int(s.where[ROYAL + r])
    return place - COURT if COURT <= place < ATTACHED else NONE


@helper
def enemy(s, p, r):
    """Whether royal ``r`` is in an opponent's court."""
    return COURT <= s.where[ROYAL + r] < ATTACHED and s.where[ROYAL + r] != COURT + p


@helper
def seats_on(s, p, q):
    return q - p if q >= p else q - p + s.num_players


@helper
def worst_card(s, p):
    """MAG-08: the card that is missed least."""
    worst = NONE
    for c in range(CARDS):
        if holds(s, p, c) and (worst == NONE or KEEP[c] < KEEP[worst]):
            worst = c
    return worst


@helper
def best_returned(s, spade):
    """MAG-13: the best card that ``spade`` can take from the Abyss, or NONE."""
    best = NONE
    for c in range(CARDS):
        if s.where[c] == ABYSS and VALUE[c] <= VALUE[spade] and c != spade:
            if best == NONE or KEEP[c] > KEEP[best]:
                best = c
    return best


@helper
def club_sums(s, p):
    """Bit k: some clubs of the hand come to k."""
    sums = 1
    for v in range(1, RANKS + 1):
        if holds(s, p, CLUB + v - 1):
            sums |= sums << v
    return sums


@helper
def largest_sum(sums, most):
    while (sums >> most) & 1 == 0:
        most -= 1
    return most


@helper
def smallest_diamond(s, p, value):
    """The smallest in hand that is worth ``value`` at least, or NONE."""
    for v in range(max(1, value), RANKS + 1):
        if holds(s, p, DIAMOND + v - 1):
            return v
    return NONE


@helper
def largest_diamond(s, p):
    for v in range(RANKS, 0, -1):
        if holds(s, p, DIAMOND + v - 1):
            return v
    return 0


@helper
def blow(s, p, q):
    """Damage of an attack on ``q`` with all, if it stops the strongest it can."""
    total = 0
    stopped = 0
    for r in range(ROYALS):
        if s.attacked[r] == q or (may_attack(s, p, r) and s.attacked[r] == NONE):
            total += attack_of(s, r)
    low = 1 << 30
    for r in range(ROYALS):
        stopped += may_duel(s, q, r)
    while stopped > 0:
        strongest = 0
        for r in range(ROYALS):
            if s.attacked[r] == q or may_attack(s, p, r):
                key = attack_of(s, r) * ROYALS + r
                if strongest < key < low:
                    strongest = key
        total -= strongest // ROYALS
        low = strongest
        stopped -= 1
    return total


@helper
def risk(s, r, q):
    """What an attack of royal ``r`` on ``q`` brings at least, whatever it duels."""
    attack = attack_of(s, r)
    health = health_of(s, r)
    least = HIT * attack
    price = worth(attack, health)
    together = 0
    fallen = 0.0
    for d in range(ROYALS):
        if may_duel(s, q, d):
            gain = 0.0
            if attack >= health_of(s, d):
                gain = price_of(s, d)
            together += attack_of(s, d)
            fallen += gain
            if attack_of(s, d) >= health:
                gain -= price
            least = min(least, gain)
    if together >= health:
        least = min(least, fallen - price)
    return least


@compiled(_CHOICE)
def choose_attack(s, p):
    purse = s.vault[p]
    if s.diamond_used == 0:
        purse += largest_diamond(s, p)
    clubs = largest_sum(club_sums(s, p), min(55, purse))
    threat = 0
    for r in range(ROYALS):
        if enemy(s, p, r):
            threat += attack_of(s, r)
    exposed = s.life[p] - threat < RESERVE
    best = A_DONE
    most = 0.0
    for q in range(s.num_players):
        if q == p or not is_in(s, q):
            continue
        ends = blow(s, p, q) + clubs >= s.life[q]
        if exposed and not ends:
            continue
        for r in range(ROYALS):
            if may_attack(s, p, r) and attack_of(s, r) > 0:
                gain = SAVED if ends else risk(s, r, q)
                gain += attack_of(s, r) - 0.01 * s.life[q]
                if gain > most:
                    most = gain
                    best = A_ATTACK + r * MAX_PLAYERS + seats_on(s, p, q)
    return best


@compiled(_CHOICE)
def choose_duel(s, p):
    incoming = 0
    for r in range(ROYALS):
        if s.attacked[r] == p:
            met = False
            for d in range(ROYALS):
                met |= s.duelled[d] == r
            if not met:
                incoming += attack_of(s, r)
    saved = SAVED if incoming >= s.life[p] else HIT
    best = A_DONE
    most = 0.0
    for r in range(ROYALS):
        if s.attacked[r] != p:
            continue
        met = False
        left = health_of(s, r)
        for d in range(ROYALS):
            if s.duelled[d] == r:
                met = True
                left -= attack_of(s, d)
        for d in range(ROYALS):
            if may_duel(s, p, d):
                gain = 0.0
                if not met:
                    gain += saved * attack_of(s, r)
                if 0 < left <= attack_of(s, d):
                    gain += price_of(s, r)
                if attack_of(s, r) >= health_of(s, d):
                    gain -= price_of(s, d)
                if gain > most:
                    most = gain
                    best = A_DUEL + d * ROYALS + r
    return best


@helper
def weakest(s, p):
    """The opponent of the lowest life."""
    found = NONE
    for q in range(s.num_players):
        if q != p and is_in(s, q) and (found == NONE or s.life[q] < s.life[found]):
            found = q
    return found


@helper
def finishing_club(s, p, total):
    """A club of those that come to ``total``."""
    for v in range(RANKS, 0, -1):
        if holds(s, p, CLUB + v - 1) and v <= total:
            sums = 1
            for w in range(1, RANKS + 1):
                if w != v and holds(s, p, CLUB + w - 1):
                    sums |= sums << w
            if (sums >> (total - v)) & 1:
                return v
    return NONE


@compiled(_CHOICE)
def choose_play(s, p):
    vault = int(s.vault[p])
    target = weakest(s, p)
    diamond = 0
    if s.diamond_used == 0:
        diamond = largest_diamond(s, p)
    purse = min(55, vault + diamond)
    life = int(s.life[target])
    sums = club_sums(s, p)
    if largest_sum(sums, purse) >= life:
        total = life
        while (sums >> total) & 1 == 0:
            total += 1
        if total > vault:
            return A_CASH + smallest_diamond(s, p, total - vault) - 1
        club = finishing_club(s, p, total)
        return A_DAMAGE + (club - 1) * MAX_PLAYERS + seats_on(s, p, target)
    if s.phase == FIRST and blow(s, p, target) + largest_sum(sums, purse) >= life:
        return A_DONE

    highest = NONE
    armed = NONE  # the royal that spades go to
    victim = NONE  # the opponents' best
    for r in range(ROYALS):
        q = owner(s, r)
        if q == p:
            rank = attack_of(s, r) + 100 * may_attack(s, p, r)
            if rank > highest:
                highest = rank
                armed = r
        elif q != NONE and (victim == NONE or price_of(s, r) > price_of(s, victim)):
            victim = r

    best = A_DONE
    most = 0.0
    for c in range(CARDS):
        if not holds(s, p, c) or DIAMOND <= c < ROYAL:
            continue
        value = int(VALUE[c])
        need = 0
        if value > vault:
            if value > purse:
                continue
            need = smallest_diamond(s, p, value - vault)
        action = NONE
        gain = 0.0
        if c < SPADE:
            gain = HEAL * value
            action = A_HEAL + c * MAX_PLAYERS
        elif c < CLUB:
            if armed != NONE:
                gain = (POWER + HEALTH) * value
                if s.phase == FIRST and may_attack(s, p, armed):
                    gain += HIT * value
                action = A_ATTACH + c * ROYALS + armed
            taken = best_returned(s, c)
            if taken != NONE and KEEP[taken] - KEEP[c] > gain:
                gain = KEEP[taken] - KEEP[c]
                action = A_RETURN + c - SPADE
        elif c < DIAMOND:
            for r in range(ROYALS):
                if enemy(s, p, r):
                    attack = attack_of(s, r)
                    health = health_of(s, r)
                    lost = worth(attack, health)
                    if value < health:
                        lost -= worth(attack - value, health - value)
                    if lost > gain:
                        gain = lost
                        action = A_ATTACH + c * ROYALS + r
            if s.phase == SECOND and HIT * value > gain:
                gain = HIT * value
                action = A_DAMAGE + (c - CLUB) * MAX_PLAYERS + seats_on(s, p, target)
        elif c < JOKER:
            gain = worth(value, value)
            action = A_ROYAL + c - ROYAL
        elif victim != NONE:
            gain = price_of(s, victim)
            action = A_JOKER + victim
        gain -= PRICE * value + CASHED * need
        if gain > most:
            most = gain
            best = action if need == 0 else A_CASH + need - 1
    if best == A_DONE and s.phase == SECOND and s.diamond_used == 0:
        small = smallest_diamond(s, p, 1)
        if small != NONE and KEEP[DIAMOND + small - 1] < DRAWN:
            return A_DRAW + small - 1
    return best


@compiled(SIGNATURES.policy)
def policy(s, mask, rng):
    p = int(s.seat)
    if s.phase == DISCARD:
        return A_HAND_DISCARD + worst_card(s, p)
    if s.spade != NONE:
        return A_TAKE + best_returned(s, s.spade)
    if s.phase == ATTACK:
        return choose_attack(s, p)
    if s.phase == DUELS:
        return choose_duel(s, p)
    return choose_play(s, p)
