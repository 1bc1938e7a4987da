"""An attack on one target: declared, answered, rolled or saved against, and carried out."""

from __future__ import annotations

from mages_env.engine import compiled, helper, randbelow

from .cards import discard_random, raid, report, roll, roll_dice, take_from_hand
from .deck import (
    BANISH,
    BY_ROLL,
    BY_SAVE,
    COLUMN,
    COMPANION_CARD,
    DESTROY_ITEM,
    DISCARD_RANDOM,
    FULL_DRAIN,
    KILL,
    MAX_EFFECTS,
    NO_EFFECT,
    PUT_DOT,
    PUT_STATUS,
    SCROLL,
    SKILL,
    SPELL,
    STEAL_CARD,
    STEAL_ITEM,
)
from .defeat import settle_defeats
from .magicians import (
    drop,
    extra_dice,
    heal,
    hurt_companion,
    hurt_enemy,
    hurt_magician,
    lose_companion,
    lose_item,
    put_dot,
    put_status,
    refresh,
    saves,
    sphere,
    use_extra_dice,
)
from .state import (
    ADDED,
    AFTERMATH,
    BY_CARD,
    BY_COMPANION,
    CARD,
    CHOOSE_ITEM,
    COMPANION,
    DEFENDER,
    E_AIM,
    E_DICE,
    E_FUMBLE,
    E_LOSS,
    E_PERCENT,
    E_REACT,
    E_ROLL,
    E_STEAL,
    E_STRIKE,
    EFFECT,
    ENEMY,
    EVERYBODY,
    MAGICIAN,
    NONE,
    NUMBER,
    OVERFLOWS,
    REACTION_DUE,
    RULES_1_5,
    SLOTS,
    TRUTH,
    rule,
)

CATEGORY, RESOLVE, SPHERE, HAS_DAMAGE, SCALE, TO_HIT, DRAIN, DICE = (
    COLUMN[name]
    for name in ("category", "resolve", "sphere", "has_damage", "scale", "to_hit", "drain", "dice")
)
N, SIDES, FLAT, AC, ATK, EVADE, REFLECT = (
    COLUMN[name] for name in ("n", "sides", "flat", "ac", "atk", "evade", "reflect")
)
SPHERE_AC = 3  # DM-14


@helper
def arcane_level(s, p, kind):
    """DM-17: what a Spell is cast with, and the cantrip, which the own sphere does not help."""
    level = int(s.level[p])
    if CARD[kind, CATEGORY] == SPELL and CARD[kind, SPHERE] == sphere(s, p):
        level += 1
    return max(1, level)


@compiled(rule(5))
def declare(s, form, kind, target, part, slot):
    """DM-22: attacker, card and target are open; a card is used up (DM-05)."""
    user = int(s.active)
    s.attack_form = form
    s.attack_kind = kind
    s.attack_user = user
    s.attack_by = user
    s.attack_target = target
    s.attack_part = part
    s.attack_slot = slot
    s.attack_dice = 0
    if form == BY_CARD:
        take_from_hand(s, user, kind)
        s.discards[kind] += 1
        if CARD[kind, DICE] != 0:  # DM-17: Scrolls, and Spells of a sphere
            s.attack_dice = extra_dice(s, user)
            use_extra_dice(s, user)
    report(
        s,
        E_STRIKE if form == BY_COMPANION else E_AIM,
        user,
        kind,
        target,
        4 + slot if slot != NONE else part,
    )
    s.point = REACTION_DUE


@helper
def may_reflect(s):
    """DM-22: a Spell or Scroll aimed at the magician alone."""
    if s.attack_form != BY_CARD or s.attack_part != MAGICIAN:
        return False
    category = CARD[s.attack_kind, CATEGORY]
    return category in (SPELL, SCROLL)


@compiled(rule(1, TRUTH))
def can_react(s, p):
    """Whether the hand has an answer to the attack in progress."""
    if s.attack_part != MAGICIAN and s.attack_part != EVERYBODY:  # DM-25
        return False
    reflectable = may_reflect(s)
    for i in range(s.hand_size[p]):
        kind = int(s.hand[p, i])
        if CARD[kind, EVADE] != 0 or (reflectable and CARD[kind, REFLECT] != 0):
            return True
    return False


@helper
def react(s, p, kind):
    """DM-22 to DM-24, against an attack on one magician."""
    take_from_hand(s, p, kind)
    s.discards[kind] += 1
    report(s, E_REACT, p, kind, 0, 0)
    if CARD[kind, EVADE] != 0:
        s.point = AFTERMATH
    else:
        s.attack_target = s.attack_by
        s.attack_by = p
        s.point = REACTION_DUE


@compiled(rule(2, NUMBER))
def roll_damage(s, kind, dice):
    """``dice`` beside the printed ones."""
    n = CARD[kind, N] + dice
    sides = CARD[kind, SIDES]
    added = CARD[kind, FLAT]
    total = roll_dice(s, n, sides) + added
    report(s, E_DICE, NONE, n, sides + ADDED * added, total)
    return total


@compiled(rule(4, NUMBER))
def hurt(s, p, part, damage, defends):
    """Damage to what was hit; returns the hit points lost, with those that pass on (DM-27)."""
    if part == MAGICIAN:
        return hurt_magician(s, p, damage)
    if part == ENEMY:
        return hurt_enemy(s, damage)
    lost = hurt_companion(s, p, damage)
    if defends != 0 and s.overflow == OVERFLOWS and damage > lost:
        lost += hurt_magician(s, p, damage - lost)
    return lost


@helper
def own_dice(s):
    """Dice of the attack in progress beside the printed ones."""
    dice = int(s.attack_dice)
    if s.attack_form != BY_COMPANION and CARD[s.attack_kind, SCALE] != 0:
        dice += arcane_level(s, s.attack_user, s.attack_kind) - 1
    return dice


@helper
def to_hit(s):
    """DM-13, DM-29: the bonus to the attack roll."""
    kind = int(s.attack_kind)
    if s.attack_form == BY_COMPANION:
        return CARD[kind, ATK]
    user = int(s.attack_user)
    bonus = int(s.attack_bonus[user]) + CARD[kind, TO_HIT]
    if CARD[kind, CATEGORY] == SPELL and CARD[kind, SPHERE] == sphere(s, user):
        bonus += 1
    return bonus


@helper
def armour(s, target, part):
    """DM-14: what the attack roll has to reach."""
    if part == ENEMY:
        return CARD[s.enemy, AC]
    if part == COMPANION:
        return CARD[s.companion[target], AC]
    kind = int(s.attack_kind)
    ac = int(s.ac[target])
    spell = s.attack_form == BY_CARD and CARD[kind, CATEGORY] == SPELL
    if spell and CARD[kind, SPHERE] == sphere(s, target):
        ac += SPHERE_AC
    return ac


@helper
def fumble(s):
    """DM-15: the attacker takes the damage of the attack; nobody loots."""
    kind = int(s.attack_kind)
    by = int(s.attack_by)
    companion = s.attack_form == BY_COMPANION
    if companion or CARD[kind, HAS_DAMAGE] != 0:
        report(s, E_FUMBLE, by, COMPANION if companion else MAGICIAN, 0, 0)
        damage = roll_damage(s, kind, own_dice(s))
        hurt(s, by, COMPANION if companion else MAGICIAN, damage, 0)
    settle_defeats(s, NONE)


@helper
def carries_items(s, p):
    count = 0
    for slot in range(SLOTS):
        count += s.items[p, slot] != NONE
    return count


@helper
def lose_random_item(s, p):
    n = randbelow(s, carries_items(s, p))
    for slot in range(SLOTS):
        if s.items[p, slot] != NONE:
            if n == 0:
                lose_item(s, p, slot)
            n -= 1


@compiled(rule(3))
def steal_item(s, thief, p, slot):
    """The item goes into the thief's slot at once, what was there is discarded."""
    kind = int(s.items[p, slot])
    if s.items[thief, slot] != NONE:
        lose_item(s, thief, slot)
    s.items[p, slot] = NONE
    s.items[thief, slot] = kind
    refresh(s, p)
    refresh(s, thief)


@helper
def percent(s, pct):
    """d100 of two d10, tens first, 00 being 100."""
    tens = randbelow(s, 10)
    die = 10 * tens + randbelow(s, 10)
    if die == 0:
        die = 100
    report(s, E_PERCENT, s.attack_by, die, pct, 0)
    return die <= pct


@helper
def ride(s, p, part, first):
    """Effects in the order of the card; True if it is for the attacker to choose an item."""
    kind = int(s.attack_kind)
    user = NONE if s.attack_form == BY_COMPANION else int(s.attack_by)
    for i in range(first, MAX_EFFECTS):
        code = EFFECT[kind, i, 0]
        a = EFFECT[kind, i, 1]
        if code == NO_EFFECT or part == ENEMY:
            return False
        if part == MAGICIAN:
            if s.hp[p] == 0:
                return False
            if code == PUT_STATUS:
                if EFFECT[kind, i, 3] == 0 or not saves(s, p, MAGICIAN):
                    put_status(s, p, a, EFFECT[kind, i, 2], 1 if p == s.active else 0)
            elif code == PUT_DOT:
                put_dot(s, p, MAGICIAN, kind, a, user)
            elif code == KILL:
                if percent(s, a):
                    drop(s, p)
            elif code == DISCARD_RANDOM:
                if s.hand_size[p] > 0:
                    if EFFECT[kind, i, 2] == 0 or not saves(s, p, MAGICIAN):
                        discard_random(s, p, a)
            elif code == STEAL_CARD:
                raid(s, user, p, a)
            elif code == STEAL_ITEM:
                if EFFECT[kind, i, 2] == 0 or not saves(s, p, MAGICIAN):
                    report(s, E_STEAL, user, s.items[p, s.attack_slot], p, 0)
                    steal_item(s, user, p, s.attack_slot)
            elif code == DESTROY_ITEM and carries_items(s, p) > 0:
                if EFFECT[kind, i, 2] == 0 or not saves(s, p, MAGICIAN):
                    if a != 0:
                        s.attack_effect = i
                        return True
                    lose_random_item(s, p)
        else:
            if s.companion[p] == NONE:
                return False
            if code == PUT_DOT:
                put_dot(s, p, COMPANION, kind, a, user)
            elif code == KILL:
                if percent(s, a):
                    report(s, E_LOSS, p, s.companion_hp[p], 0, COMPANION)
                    lose_companion(s, p)
            elif code == BANISH:
                if EFFECT[kind, i, 2] == 0 or not saves(s, p, COMPANION):
                    lose_companion(s, p)
    return False


@compiled(rule(1, TRUTH))
def carry_on(s, first):
    """The riders from number ``first`` on, then who falls; True if an item is to be chosen."""
    summoned = s.attack_form == BY_COMPANION and CARD[s.attack_kind, CATEGORY] != COMPANION_CARD
    if not summoned and ride(s, int(s.attack_target), int(s.attack_part), first):
        s.seat = s.attack_by
        s.phase = CHOOSE_ITEM
        return True
    settle_defeats(s, NONE if s.attack_form == BY_COMPANION else int(s.attack_by))
    return False


@helper
def resolve(s):
    """Attack roll or saving throw, damage, drain and riders.

    True if the attacker has to choose an item before it can go on.
    """
    kind = int(s.attack_kind)
    target = int(s.attack_target)
    part = int(s.attack_part)
    skill = s.attack_form == BY_CARD and CARD[kind, CATEGORY] == SKILL
    defends = 0
    if part == MAGICIAN and not skill:  # DM-27
        if s.companion[target] != NONE and s.mode[target] == DEFENDER:
            defends = 1
            part = COMPANION
            s.attack_part = COMPANION
    critical = False
    how = BY_ROLL if s.attack_form != BY_CARD else CARD[kind, RESOLVE]
    if how == BY_ROLL:
        die = roll(s, 20)
        bonus = to_hit(s)
        ac = armour(s, target, part)
        report(s, E_ROLL, s.attack_by, die, bonus, ac)
        if die == 1:  # DM-15
            fumble(s)
            return False
        critical = die == 20
        hits = die + bonus >= ac if s.rules == RULES_1_5 else die + bonus > ac
        if not hits and not critical:
            return False
    elif how == BY_SAVE and saves(s, target, part):  # DM-19
        return False
    if s.attack_form == BY_COMPANION or CARD[kind, HAS_DAMAGE] != 0:
        damage = roll_damage(s, kind, own_dice(s))
        if critical:
            damage *= 2
        lost = hurt(s, target, part, damage, defends)
        if CARD[kind, DRAIN] > 0:
            heal(s, s.attack_by, lost * CARD[kind, DRAIN] // FULL_DRAIN)
    return carry_on(s, 0)
