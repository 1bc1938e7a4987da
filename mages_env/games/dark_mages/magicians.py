"""What a magician's items and statuses come to; saves, damage, recovery, statuses."""

from __future__ import annotations

from mages_env.engine import compiled, helper

from .cards import report, roll
from .deck import BIND, COLUMN, HIDE, MOD_AC, MOD_ATTACK, MOD_DICE, MOD_LEVEL, ROUND
from .state import (
    BASE_AC,
    CARD,
    COMPANION,
    E_DISPEL,
    E_DOT,
    E_GONE,
    E_HEAL,
    E_ITEM_LOST,
    E_LOSS,
    E_PREVENTED,
    E_SAVE,
    E_SECOND_CHANCE,
    E_STATUS,
    ENEMY,
    FULL_HP,
    MAGICIAN,
    NONE,
    NUMBER,
    RULES_1_5,
    SLOTS,
    STATUS,
    STATUSES,
    TRUTH,
    rule,
)

AC = COLUMN["ac"]
REDUCE, REGEN, NO_DOT, SECOND_CHANCE = (
    COLUMN[name] for name in ("reduce", "regen", "no_dot", "second_chance")
)
P_ATTACK, P_LEVEL, P_AC, P_SAVE = (
    COLUMN[f"passive_{name}"] for name in ("atk", "level", "ac", "save")
)
SPHERE = COLUMN["sphere"]
CHARACTER_ROW = len(CARD) - 8


@helper
def acts(s, p, i):
    """Whether status ``i`` is in force; a bind only in the turns after the one it came in."""
    left = int(s.status[p, i])
    return left > 0 and (STATUS[i, 0] != BIND or left <= STATUS[i, 2])  # DM-21


@compiled(rule(1))
def refresh(s, p):
    """What follows from items and statuses."""
    ac = BASE_AC
    staff = 0
    level = 1
    save = 0
    for slot in range(SLOTS):
        kind = int(s.items[p, slot])
        if kind != NONE:
            ac += CARD[kind, P_AC]
            staff += CARD[kind, P_ATTACK]
            level += CARD[kind, P_LEVEL]
            save += CARD[kind, P_SAVE]
    bonus = staff
    bound = 0
    hidden = 0
    for i in range(STATUSES):
        if s.status[p, i] != 0 and acts(s, p, i):
            change = int(STATUS[i, 1])
            kind = STATUS[i, 0]
            if kind == MOD_AC:
                ac += change
            elif kind == MOD_ATTACK:
                bonus += change
            elif kind == MOD_LEVEL:
                level += change
            elif kind == BIND:
                bound |= 1 << change
            elif kind == HIDE:
                hidden = 1
    s.ac[p] = ac  # DM-14
    s.staff[p] = staff
    s.attack_bonus[p] = bonus  # DM-13
    s.level[p] = level
    s.save_bonus[p] = save
    s.bound[p] = bound
    s.hidden[p] = hidden


@helper
def passive(s, p, column):
    """The sum of an effect of the items that ``p`` wears."""
    total = 0
    for slot in range(SLOTS):
        if s.items[p, slot] != NONE:
            total += int(CARD[s.items[p, slot], column])
    return total


@helper
def sphere(s, p):
    return CARD[CHARACTER_ROW + int(s.character[p]), SPHERE]


@helper
def extra_dice(s, p):
    """DM-17: dice that wait for the next Scroll or sphere Spell."""
    total = 0
    for i in range(STATUSES):
        if s.status[p, i] != 0 and STATUS[i, 0] == MOD_DICE:
            total += int(STATUS[i, 1])
    return total


@compiled(rule(4))
def put_status(s, p, i, turns, own_turn):
    """DM-21; ``own_turn``: in a turn of ``p`` itself, which a number of turns leaves out."""
    left = 1
    if turns > 0:
        left = turns + own_turn
    s.status[p, i] = left
    refresh(s, p)
    report(s, E_STATUS, p, i, turns, 0)


@helper
def end_round_statuses(s, p):
    """DM-21: a round ends at the start of the user's next turn."""
    changed = False
    for i in range(STATUSES):
        if s.status[p, i] != 0 and STATUS[i, 2] == ROUND:
            s.status[p, i] = 0
            changed = True
    if changed:
        refresh(s, p)


@helper
def count_down(s, p):
    """DM-21: at the end of a turn of ``p``."""
    changed = False
    for i in range(STATUSES):
        if s.status[p, i] != 0 and STATUS[i, 2] != ROUND:
            s.status[p, i] -= 1
            changed = True
    if changed:
        refresh(s, p)


@compiled(rule(1))
def use_extra_dice(s, p):
    for i in range(STATUSES):
        if STATUS[i, 0] == MOD_DICE:
            s.status[p, i] = 0


@helper
def dispel(s, p):
    """Damage over time, binds and modifiers below 0 end."""
    s.dot[p, MAGICIAN] = NONE
    s.dot_turns[p, MAGICIAN] = 0
    s.dot_user[p, MAGICIAN] = NONE
    for i in range(STATUSES):
        if STATUS[i, 0] == BIND or (STATUS[i, 0] < BIND and STATUS[i, 1] < 0):
            s.status[p, i] = 0
    refresh(s, p)
    report(s, E_DISPEL, p, 0, 0, 0)


@compiled(rule(5))
def put_dot(s, p, part, kind, turns, user):
    """DM-21: one a magician or companion, the new replaces the old."""
    s.dot[p, part] = kind
    s.dot_turns[p, part] = turns
    s.dot_user[p, part] = user
    report(s, E_DOT, p, kind, turns, part)


@compiled(rule(2, TRUTH))
def saves(s, p, part):
    """DM-19: the saving throw of a magician, a companion or the enemy."""
    die = roll(s, 20)
    if part == MAGICIAN:
        against = int(s.ac[p]) + int(s.save_bonus[p])
        if s.rules != RULES_1_5:
            die += int(s.staff[p])
    elif part == COMPANION:
        against = int(CARD[s.companion[p], AC])
    else:
        against = int(CARD[s.enemy, AC])
    saved = die < against if s.rules == RULES_1_5 else die <= against
    report(s, E_SAVE, p, die, against, 2 * part + (1 if saved else 0))
    return saved


@compiled(rule(2))
def heal(s, p, amount):
    gained = min(amount, FULL_HP - int(s.hp[p]))  # DM-04
    s.hp[p] += gained
    report(s, E_HEAL, p, gained, s.hp[p], 0)


@compiled(rule(2))
def lose_item(s, p, slot):
    kind = int(s.items[p, slot])
    s.items[p, slot] = NONE
    s.discards[kind] += 1
    refresh(s, p)
    report(s, E_ITEM_LOST, p, kind, 0, 0)


@compiled(rule(1))
def lose_companion(s, p):
    """DM-26, DM-30: the companion is discarded, and what it suffers from with it."""
    kind = int(s.companion[p])
    s.companion[p] = NONE
    s.mode[p] = 0
    s.companion_hp[p] = 0
    s.dot[p, COMPANION] = NONE
    s.dot_turns[p, COMPANION] = 0
    s.dot_user[p, COMPANION] = NONE
    s.discards[kind] += 1
    report(s, E_GONE, p, kind, 0, 0)


@compiled(rule(1))
def second_chance(s, p):
    """DM-20: at 0 hit points, an amulet may give some instead."""
    for slot in range(SLOTS):
        kind = int(s.items[p, slot])
        if kind != NONE and CARD[kind, SECOND_CHANCE] > 0 and s.hp[p] == 0:
            lose_item(s, p, slot)
            s.hp[p] = min(FULL_HP, roll(s, CARD[kind, SECOND_CHANCE]))
            report(s, E_SECOND_CHANCE, p, s.hp[p], 0, 0)


@compiled(rule(2, NUMBER))
def hurt_magician(s, p, damage):
    """DM-20: robe, Magic Shield, hit points, Second Chance. Returns the hit points lost."""
    left = max(0, damage - passive(s, p, REDUCE))
    absorbed = min(left, int(s.pool[p]))
    s.pool[p] -= absorbed
    left -= absorbed
    if left < damage:
        report(s, E_PREVENTED, p, damage - left, s.pool[p], 0)
    lost = min(left, int(s.hp[p]))
    s.hp[p] -= lost
    report(s, E_LOSS, p, lost, s.hp[p], MAGICIAN)
    if s.hp[p] == 0:
        second_chance(s, p)
    return lost


@compiled(rule(2, NUMBER))
def hurt_companion(s, p, damage):
    """Returns the hit points lost; at none it is discarded (DM-30)."""
    lost = min(damage, int(s.companion_hp[p]))
    s.companion_hp[p] -= lost
    report(s, E_LOSS, p, lost, s.companion_hp[p], COMPANION)
    if s.companion_hp[p] == 0:
        lose_companion(s, p)
    return lost


@helper
def hurt_enemy(s, damage):
    lost = min(damage, int(s.enemy_hp))
    s.enemy_hp -= lost
    report(s, E_LOSS, NONE, lost, s.enemy_hp, ENEMY)
    return lost


@helper
def drop(s, p):
    """``kill_pct``: to 0 hit points, past robe and pool."""
    lost = int(s.hp[p])
    s.hp[p] = 0
    report(s, E_LOSS, p, lost, 0, MAGICIAN)
    second_chance(s, p)
