"""Attacks on many at once: area cards, and the enemies."""

from __future__ import annotations

from mages_env.engine import compiled, helper

from .attack import DICE, DRAIN, HAS_DAMAGE, can_react, hurt, own_dice, roll_damage
from .cards import discard_random, report, take_from_hand
from .deck import COLUMN, DISCARD_RANDOM, FULL_DRAIN, MAX_EFFECTS, NO_EFFECT, PUT_DOT, PUT_STATUS
from .defeat import allies, settle_defeats
from .magicians import extra_dice, heal, put_dot, put_status, saves, use_extra_dice
from .state import (
    AFTERMATH,
    ATTACKER,
    BY_CARD,
    BY_ENEMY,
    CARD,
    COMPANION,
    DEFENDER,
    DODGES_DUE,
    E_AIM,
    E_ENEMY_ATTACKS,
    E_ENEMY_DOWN,
    E_REACT,
    E_WAITS,
    EFFECT,
    ENEMY,
    EVERYBODY,
    MAGICIAN,
    NONE,
    REACTION_DUE,
    RULES_1_0,
    RULES_1_5,
    rule,
)

HP, TENACIOUS = COLUMN["hp"], COLUMN["tenacious"]


@helper
def declare_area(s, kind):
    """An area card: on all opponents, or on the enemy alone while there is one (DM-33)."""
    user = int(s.active)
    s.attack_form = BY_CARD
    s.attack_kind = kind
    s.attack_user = user
    s.attack_by = user
    s.attack_target = NONE
    s.attack_slot = NONE
    s.attack_dice = 0
    take_from_hand(s, user, kind)
    s.discards[kind] += 1
    if CARD[kind, DICE] != 0:
        s.attack_dice = extra_dice(s, user)
        use_extra_dice(s, user)
    if s.enemy != NONE:
        s.attack_part = ENEMY
        s.point = REACTION_DUE
    else:
        s.attack_part = EVERYBODY
        s.asked = 0
        s.dodged = 0
        s.point = DODGES_DUE
    report(s, E_AIM, user, kind, NONE, s.attack_part)


@compiled(rule(2))
def begin_enemy_attack(s, kind, drawer):
    """DM-31; ``resume`` says where the game goes on."""
    s.attack_form = BY_ENEMY
    s.attack_kind = kind
    s.attack_user = drawer
    s.attack_by = NONE
    s.attack_target = NONE
    s.attack_part = EVERYBODY
    s.attack_slot = NONE
    s.attack_dice = 0
    s.asked = 0
    s.dodged = 0
    report(s, E_ENEMY_ATTACKS, drawer, kind, 0, 0)
    if kind == s.enemy:
        s.enemy_attacked = 1
    else:
        s.discards[kind] += 1  # DM-05, DM-32
    s.point = DODGES_DUE


@helper
def leave_queue(s, at):
    for i in range(at, s.queue_size - 1):
        s.queue[i, 0] = s.queue[i + 1, 0]
        s.queue[i, 1] = s.queue[i + 1, 1]
    s.queue_size -= 1
    s.queue[s.queue_size, 0] = 0
    s.queue[s.queue_size, 1] = 0


@compiled(rule(1))
def meet_enemy(s, at):
    """The enemy in place ``at`` of the queue attacks; a tenacious one stays on the table."""
    kind = int(s.queue[at, 0])
    drawer = int(s.queue[at, 1])
    leave_queue(s, at)
    if CARD[kind, TENACIOUS] != 0 and s.rules == RULES_1_5:
        s.enemy = kind
        s.enemy_hp = CARD[kind, HP]
        s.enemy_drawer = drawer
    begin_enemy_attack(s, kind, drawer)


@helper
def meet_drawn_enemies(s):
    """DM-31, DM-34: the next drawn enemy in order; False if there is none."""
    while s.queue_waiting < s.queue_size:
        kind = int(s.queue[s.queue_waiting, 0])
        waits = CARD[kind, TENACIOUS] != 0 and s.rules == RULES_1_5 and s.enemy != NONE
        if not waits:
            meet_enemy(s, s.queue_waiting)
            return True
        s.queue_waiting += 1
        report(s, E_WAITS, s.queue[s.queue_waiting - 1, 1], kind, 0, 0)
    return False


@helper
def replace_enemy(s):
    """DM-33, DM-34: a defeated enemy is discarded, the next attacks; False if there is none."""
    kind = int(s.enemy)
    report(s, E_ENEMY_DOWN, NONE, kind, 0, 0)
    s.discards[kind] += 1
    s.enemy = NONE
    s.enemy_hp = 0
    s.enemy_drawer = NONE
    if s.queue_waiting == 0:
        return False
    s.queue_waiting -= 1
    meet_enemy(s, 0)
    return True


@helper
def first_seat(s):
    """Where Dodges and saves begin: the drawer, or the user's left."""
    start = s.attack_user
    if s.attack_form == BY_CARD:
        start += 1
    return start


@helper
def concerned(s, p):
    """Whether the area attack is on the magician ``p`` or its defender."""
    if s.alive[p] == 0:
        return False
    if s.attack_form == BY_ENEMY:
        return s.hidden[p] == 0  # DM-35
    return not allies(s, s.attack_user, p)  # DM-38


@helper
def next_dodger(s):
    """The next seat that can Dodge, in order; NONE once all had their say."""
    while s.asked < s.num_players:
        p = (first_seat(s) + s.asked) % s.num_players
        s.asked += 1
        if s.attack_form == BY_ENEMY and s.rules == RULES_1_0:
            continue
        if concerned(s, p) and can_react(s, p):
            return p
    return NONE


@helper
def dodge_area(s, p, kind):
    take_from_hand(s, p, kind)
    s.discards[kind] += 1
    s.dodged |= 1 << p
    report(s, E_REACT, p, kind, 0, 0)
    s.point = DODGES_DUE


@helper
def ride_area(s, p, part):
    """Riders of an area card on one that did not save."""
    kind = int(s.attack_kind)
    for i in range(MAX_EFFECTS):
        code = EFFECT[kind, i, 0]
        a = EFFECT[kind, i, 1]
        if code == NO_EFFECT:
            return
        if code == PUT_DOT:
            if part == MAGICIAN or s.companion[p] != NONE:
                put_dot(s, p, part, kind, a, s.attack_by)
        elif part == MAGICIAN and code == PUT_STATUS:
            if EFFECT[kind, i, 3] == 0 or not saves(s, p, MAGICIAN):
                put_status(s, p, a, EFFECT[kind, i, 2], 0)
        elif part == MAGICIAN and code == DISCARD_RANDOM and s.hand_size[p] > 0:
            if EFFECT[kind, i, 2] == 0 or not saves(s, p, MAGICIAN):
                discard_random(s, p, a)


@helper
def resolve_area(s):
    """One damage roll, saves clockwise, damage in that order, defeats together."""
    s.point = AFTERMATH
    kind = int(s.attack_kind)
    enemy = s.attack_form == BY_ENEMY
    full = 0
    if enemy or CARD[kind, HAS_DAMAGE] != 0:
        full = roll_damage(s, kind, own_dice(s))
    halves = enemy and s.rules == RULES_1_0
    hit = 0
    grazed = 0  # DM-31 in 1.0: a save halves
    for d in range(s.num_players):
        p = (first_seat(s) + d) % s.num_players
        if concerned(s, p) and not s.dodged >> p & 1:
            part = MAGICIAN
            if s.companion[p] != NONE and s.mode[p] == DEFENDER:
                part = COMPANION
            if not saves(s, p, part):
                hit |= 1 << (2 * p + part)
            elif halves:
                grazed |= 1 << (2 * p + part)
        if enemy and s.alive[p] != 0 and s.companion[p] != NONE and s.mode[p] == ATTACKER:
            if not saves(s, p, COMPANION):
                hit |= 1 << (2 * p + COMPANION)
            elif halves:
                grazed |= 1 << (2 * p + COMPANION)
    lost = 0
    for d in range(s.num_players):
        p = (first_seat(s) + d) % s.num_players
        for part in (MAGICIAN, COMPANION):
            place = 2 * p + part
            if full > 0 and (hit | grazed) >> place & 1:
                damage = full if hit >> place & 1 else full // 2
                defends = part == COMPANION and s.mode[p] == DEFENDER
                lost += hurt(s, p, part, damage, 1 if defends else 0)
    if not enemy:
        if CARD[kind, DRAIN] > 0:
            heal(s, s.attack_by, lost * CARD[kind, DRAIN] // FULL_DRAIN)
        for d in range(s.num_players):
            p = (first_seat(s) + d) % s.num_players
            for part in (MAGICIAN, COMPANION):
                if hit >> (2 * p + part) & 1 and s.hp[p] > 0:
                    ride_area(s, p, part)
    settle_defeats(s, NONE if enemy else int(s.attack_user))
