"""What the seat to move may do."""

from __future__ import annotations

from mages_env.engine import NOBODY, clear, compiled, helper

from .attack import CATEGORY, EVADE, REFLECT, SPHERE, may_reflect
from .deck import (
    COLUMN,
    COMPANION_CARD,
    HEALING,
    HEX,
    POTION,
    SCROLL,
    SKILL,
    SPELL,
)
from .defeat import allies
from .magicians import sphere
from .state import (
    A_CANTRIP,
    A_COMPANION,
    A_ITEM,
    A_LOOT,
    A_PASS,
    AIM_USE,
    ALWAYS,
    ATTACK,
    ATTACKER,
    BEAST_USE,
    BOUND_ALL,
    BOUND_ATTACK,
    BOUND_SPELL,
    CARD,
    CHOOSE_ITEM,
    CHOOSE_LOOT,
    DEFENDER,
    DISCARD_ID,
    DODGE,
    END,
    ENEMY_TARGET,
    FIRST_ID,
    MOST_ITEMS_A_TURN,
    NONE,
    NUMBER,
    OPPONENT_USE,
    OPPONENTS,
    PLACE_USE,
    PREPARATION,
    REACTION,
    SIGNATURES,
    SLOTS,
    STEAL_USE,
    STRICT,
    TRUTH,
    UNLOCKS,
    USE,
    rule,
)

SLOT, LEVEL, SHIELD, ATTACK_CARD, TARGET = (
    COLUMN[name] for name in ("slot", "level", "shield", "attack_card", "target")
)
ENEMY_BIT = 1 << ENEMY_TARGET
MAGICIANS = (1 << OPPONENTS) - 1


@compiled(rule(1, NUMBER))
def targets(s, p):
    """DM-28, DM-33, DM-35: what ``p`` may attack, a bit each as in the actions."""
    if s.enemy != NONE:
        return ENEMY_BIT
    found = 0
    for d in range(1, s.num_players):
        q = (p + d) % s.num_players
        if s.alive[q] != 0 and not allies(s, p, q):
            if s.hidden[q] == 0:
                found |= 1 << (d - 1)
            if s.companion[q] != NONE and s.mode[q] == ATTACKER:
                found |= 1 << (OPPONENTS + d - 1)
    return found


@helper
def beasts(s, p):
    """Opponents, by bit, whose companion ``p`` may banish."""
    found = 0
    if s.enemy == NONE:
        for d in range(1, s.num_players):
            q = (p + d) % s.num_players
            if s.alive[q] != 0 and not allies(s, p, q) and s.companion[q] != NONE:
                if s.mode[q] == ATTACKER or s.hidden[q] == 0:  # DM-35
                    found |= 1 << (d - 1)
    return found


@helper
def robbed(s, p, aimed):
    """Those of ``aimed`` of whom ``p`` may steal an item."""
    found = 0
    for d in range(1, s.num_players):
        if aimed >> (d - 1) & 1:
            q = (p + d) % s.num_players
            for slot in range(SLOTS):
                if s.items[q, slot] != NONE:
                    found |= 1 << (d - 1)
    return found


@compiled(rule(3, NUMBER))
def aims(s, p, kind, aimed):
    """What a card may be aimed at, of ``targets``; any bit for a card without a target."""
    use = USE[kind]
    if use == AIM_USE:
        return aimed
    if use == OPPONENT_USE:
        return aimed & MAGICIANS
    if use == STEAL_USE:
        return robbed(s, p, aimed)
    if use == BEAST_USE:
        return beasts(s, p)
    return 1


@compiled(rule(2, TRUTH))
def castable(s, p, kind):
    """DM-16, DM-21: an attack card that neither its level nor a bind forbids."""
    bound = int(s.bound[p])
    if CARD[kind, ATTACK_CARD] == 0 or bound & (BOUND_ATTACK | BOUND_ALL):
        return False
    if CARD[kind, CATEGORY] != SPELL:
        return True
    level = int(s.level[p])
    if s.sphere_unlocks_level == UNLOCKS and CARD[kind, SPHERE] == sphere(s, p):
        level += 1
    return not bound & BOUND_SPELL and max(1, level) >= CARD[kind, LEVEL]


@helper
def may_prepare(s, p, kind):
    """DM-07, DM-08: whether the card may be played in the Preparation Phase, target aside."""
    category = CARD[kind, CATEGORY]
    if CARD[kind, SLOT] != NONE:
        return s.items_used < MOST_ITEMS_A_TURN
    if category == HEALING:
        return s.healing_used == 0
    if category == POTION:
        return s.potion_used == 0
    if category == COMPANION_CARD:
        return s.companion_used == 0
    if category == SKILL:
        return s.skill_used == 0
    return CARD[kind, SHIELD] != 0


@helper
def may_attack(s, p, kind):
    """DM-08, DM-09, DM-11: whether the card may be played in the Attack Phase, target aside."""
    if CARD[kind, CATEGORY] == SKILL:
        return s.skill_used == 0
    if s.companion_attacked != 0 or s.cantrip_used != 0:
        return False
    return s.attacks_used <= s.extra_attacks and castable(s, p, kind)


@compiled(rule(2, TRUTH))
def may_cantrip(s, p, aimed):
    """DM-10."""
    if s.attacks_used != 0 or s.cantrip_used != 0 or s.companion_attacked != 0:
        return False
    if int(s.bound[p]) & (BOUND_ATTACK | BOUND_ALL):
        return False
    if s.cantrip_rule == ALWAYS:
        return True
    for i in range(s.hand_size[p]):
        kind = int(s.hand[p, i])
        category = CARD[kind, CATEGORY]
        if s.cantrip_rule == STRICT:
            if category in (SPELL, HEX, SCROLL):
                return False
        elif CARD[kind, TARGET] != 0 and castable(s, p, kind) and aims(s, p, kind, aimed) != 0:
            return False
    return True


@helper
def may_play(s, p, kind, phase, aimed):
    allowed = may_prepare(s, p, kind) if phase == PREPARATION else may_attack(s, p, kind)
    return allowed and aims(s, p, kind, aimed) != 0


@compiled(rule(2, TRUTH))
def has_choice(s, p, phase):
    """Whether ``p`` could do anything but pass in this phase."""
    aimed = targets(s, p)
    for i in range(s.hand_size[p]):
        if may_play(s, p, int(s.hand[p, i]), phase, aimed):
            return True
    if phase == PREPARATION:
        return False
    companion = s.companion[p] != NONE and s.mode[p] == ATTACKER and s.companion_attacked == 0
    return aimed != 0 and (companion or may_cantrip(s, p, aimed))


@helper
def allow_targets(mask, start, aimed):
    bit = 0
    while aimed >> bit:
        if aimed >> bit & 1:
            mask[start + bit] = 1
        bit += 1


@helper
def allow_turn(s, mask, p):
    """Preparation and Attack Phase."""
    mask[A_PASS] = 1
    last = NONE
    aimed = targets(s, p)
    for i in range(s.hand_size[p]):
        kind = int(s.hand[p, i])
        if kind != last and may_play(s, p, kind, s.phase, aimed):
            use = USE[kind]
            start = FIRST_ID[kind]
            if use == PLACE_USE:
                mask[start + DEFENDER] = 1
                mask[start + ATTACKER] = 1
            elif use == STEAL_USE:
                for d in range(1, s.num_players):
                    if aimed >> (d - 1) & 1:
                        q = (p + d) % s.num_players
                        for slot in range(SLOTS):
                            if s.items[q, slot] != NONE:
                                mask[start + SLOTS * (d - 1) + slot] = 1
            else:
                allow_targets(mask, start, aims(s, p, kind, aimed))
        last = kind
    if s.phase == ATTACK:
        if may_cantrip(s, p, aimed):
            allow_targets(mask, A_CANTRIP, aimed)
        if s.companion[p] != NONE and s.mode[p] == ATTACKER and s.companion_attacked == 0:
            allow_targets(mask, A_COMPANION, aimed)


@compiled(SIGNATURES.legal)
def legal(s, mask):
    clear(mask)
    if s.seat == NOBODY:
        return
    p = s.seat
    phase = s.phase
    if phase in (PREPARATION, ATTACK):
        allow_turn(s, mask, p)
    elif phase == END:  # DM-12
        mask[A_PASS] = 1
        for i in range(s.hand_size[p]):
            mask[DISCARD_ID[s.hand[p, i]]] = 1
    elif phase in (REACTION, DODGE):  # DM-22
        mask[A_PASS] = 1
        reflectable = phase == REACTION and may_reflect(s)
        for i in range(s.hand_size[p]):
            kind = int(s.hand[p, i])
            if CARD[kind, EVADE] != 0 or (reflectable and CARD[kind, REFLECT] != 0):
                mask[FIRST_ID[kind]] = 1
    elif phase == CHOOSE_ITEM:
        for slot in range(SLOTS):
            mask[A_ITEM + slot] = s.items[s.attack_target, slot] != NONE
    elif phase == CHOOSE_LOOT:  # DM-36
        mask[A_PASS] = 1
        for slot in range(SLOTS):
            mask[A_LOOT + slot] = s.items[s.loot_from, slot] != NONE
