"""The course of the game: what comes next until somebody has to choose."""

from __future__ import annotations

from mages_env.engine import RUNNING, compiled, helper

from .area import (
    begin_enemy_attack,
    meet_drawn_enemies,
    next_dodger,
    replace_enemy,
    resolve_area,
)
from .attack import can_react, resolve
from .cards import draw, report, roll_dice
from .deck import COLUMN, HAND
from .defeat import settle_defeats, truncate
from .legal import has_choice
from .magicians import (
    NO_DOT,
    REGEN,
    count_down,
    end_round_statuses,
    heal,
    hurt_companion,
    hurt_magician,
    passive,
    saves,
)
from .state import (
    ACTION,
    AFTERMATH,
    AREA_DUE,
    ATTACK,
    ATTACK_DUE,
    BOUND_ALL,
    CARD,
    CHOOSE_LOOT,
    COMPANION,
    COMPANION_SUFFERS,
    DODGE,
    DODGES_DUE,
    DRAW_DUE,
    E_DICE,
    E_DOT_ACTS,
    E_ENDS_PHASE,
    E_TURN,
    END,
    END_DUE,
    ENEMIES_DUE,
    MAGICIAN,
    NEXT_SEAT,
    NONE,
    PASS,
    PREPARATION,
    PREPARATION_DUE,
    REACTION,
    REACTION_DUE,
    RESOLVE_DUE,
    SLOTS,
    TRUTH,
    TURN_BEGINS,
    TURN_OVER,
    rule,
)

DOT_N, DOT_SIDES = COLUMN["dot_n"], COLUMN["dot_sides"]


@helper
def ask(s, p, phase):
    s.seat = p
    s.phase = phase


@compiled(rule(1, TRUTH))
def continues(s, action):
    """Whether the answer goes on with the events so far (DM-40).

    A card that is answered with belongs to the attack; one played in the own turn shows that
    there was a choice.
    """
    if s.phase in (REACTION, DODGE):
        return True
    return s.phase in (PREPARATION, ATTACK) and ACTION[action, 0] == PASS


@compiled(rule(2))
def suffer(s, p, part):
    """DM-21: damage over time acts, and settles what comes of it."""
    kind = int(s.dot[p, part])
    user = int(s.dot_user[p, part])
    report(s, E_DOT_ACTS, p, kind, 0, part)
    s.dot_turns[p, part] -= 1
    if s.dot_turns[p, part] == 0:
        s.dot[p, part] = NONE
        s.dot_user[p, part] = NONE
    if part == MAGICIAN and passive(s, p, NO_DOT) > 0:
        return
    if saves(s, p, part):
        return
    n = CARD[kind, DOT_N]
    damage = roll_dice(s, n, CARD[kind, DOT_SIDES])
    report(s, E_DICE, NONE, n, CARD[kind, DOT_SIDES], damage)
    if part == MAGICIAN:
        hurt_magician(s, p, damage)
        settle_defeats(s, user)
    else:
        hurt_companion(s, p, damage)


@compiled(rule())
def announce_turn(s):
    """The turn of ``active``, in which nothing was used yet."""
    s.enemy_attacked = 0
    s.items_used = 0
    s.healing_used = 0
    s.potion_used = 0
    s.companion_used = 0
    s.skill_used = 0
    s.attacks_used = 0
    s.extra_attacks = 0
    s.cantrip_used = 0
    s.companion_attacked = 0
    report(s, E_TURN, s.active, 0, 0, 0)


@helper
def begin_turn(s):
    p = int(s.active)
    announce_turn(s)
    end_round_statuses(s, p)
    s.point = AFTERMATH
    s.resume = COMPANION_SUFFERS
    if s.dot[p, MAGICIAN] != NONE:
        suffer(s, p, MAGICIAN)


@helper
def companion_suffers(s):
    p = int(s.active)
    s.point = PREPARATION_DUE
    if s.alive[p] != 0:
        if s.companion[p] != NONE and s.dot[p, COMPANION] != NONE:
            suffer(s, p, COMPANION)
        regenerates = passive(s, p, REGEN)
        if regenerates > 0:
            heal(s, p, regenerates)


@compiled(rule(1))
def end_phase(s, phase):
    """Whether the seat passed or had no choice, so that nobody learns which it was (DM-40)."""
    report(s, E_ENDS_PHASE, s.active, phase, 0, 0)
    s.point = ATTACK_DUE if phase == PREPARATION else END_DUE if phase == ATTACK else DRAW_DUE


@compiled(rule(1, TRUTH))
def turn_asks(s, phase):
    """Preparation, Attack and End Phase: whether the seat has a choice; what comes else."""
    p = int(s.active)
    if s.alive[p] == 0:
        s.point = TURN_OVER
        return False
    if phase != END and int(s.bound[p]) & BOUND_ALL:  # DM-21
        s.point = END_DUE
        return False
    asks = s.hand_size[p] > 0 if phase == END else has_choice(s, p, phase)
    if not asks:
        end_phase(s, phase)
    return asks


@compiled(rule())
def begin_first_turn(s):
    """Nobody suffers from anything yet, and with a full hand some phase has a choice."""
    announce_turn(s)
    for phase in (PREPARATION, ATTACK, END):
        if turn_asks(s, phase):
            ask(s, s.active, phase)
            return


@helper
def enemy_due(s):
    """DM-33: the enemy attacks again when the turn of its drawer is over, or would have come."""
    if s.enemy != NONE and s.enemy_drawer == s.active and s.enemy_attacked == 0:
        s.resume = NEXT_SEAT
        begin_enemy_attack(s, s.enemy, s.enemy_drawer)


@helper
def end_turn(s):
    """DM-21, DM-33, DM-39."""
    p = int(s.active)
    count_down(s, p)
    s.turn += 1
    if s.turn >= s.max_turns:
        truncate(s)
        return
    s.point = NEXT_SEAT
    enemy_due(s)


@helper
def next_seat(s):
    s.active = (s.active + 1) % s.num_players
    if s.alive[s.active] != 0:
        s.point = TURN_BEGINS
    else:
        enemy_due(s)


@helper
def loot_asks(s):
    """DM-36: clockwise from the victor's left; True if the victor has something to choose."""
    if s.loot != 0:
        for d in range(1, s.num_players):
            p = (s.victor + d) % s.num_players
            if s.loot >> p & 1:
                s.loot ^= 1 << p
                for slot in range(SLOTS):
                    if s.items[p, slot] != NONE:
                        s.loot_from = p
                        return True
    s.loot_from = NONE
    s.victor = NONE
    return False


@compiled(rule())
def forget_attack(s):
    s.attack_kind = NONE
    s.attack_form = 0
    s.attack_user = NONE
    s.attack_by = NONE
    s.attack_target = NONE
    s.attack_part = 0
    s.attack_slot = NONE
    s.attack_dice = 0
    s.attack_effect = 0
    s.asked = 0
    s.dodged = 0


@compiled(rule())
def advance(s):
    """Plays on from ``point`` until a seat has a choice, or the game is over."""
    while s.over == RUNNING:
        point = s.point
        if point == TURN_BEGINS:
            begin_turn(s)
        elif point == COMPANION_SUFFERS:
            companion_suffers(s)
        elif point <= END_DUE:
            phase = point - PREPARATION_DUE + PREPARATION
            if turn_asks(s, phase):
                ask(s, s.active, phase)
                return
        elif point == DRAW_DUE:
            draw(s, s.active, HAND - int(s.hand_size[s.active]))
            s.point = ENEMIES_DUE
        elif point == ENEMIES_DUE:
            s.resume = ENEMIES_DUE
            if not meet_drawn_enemies(s):
                s.point = TURN_OVER
        elif point == TURN_OVER:
            end_turn(s)
        elif point == NEXT_SEAT:
            next_seat(s)
        elif point == REACTION_DUE:
            s.point = RESOLVE_DUE
            if s.attack_target != NONE and can_react(s, s.attack_target):
                ask(s, s.attack_target, REACTION)
                return
        elif point == RESOLVE_DUE:
            s.point = AFTERMATH
            if resolve(s):
                return
        elif point == DODGES_DUE:
            p = next_dodger(s)
            if p != NONE:
                ask(s, p, DODGE)
                return
            s.point = AREA_DUE
        elif point == AREA_DUE:
            resolve_area(s)
        elif point == AFTERMATH:
            forget_attack(s)
            if loot_asks(s):
                ask(s, s.victor, CHOOSE_LOOT)
                return
            s.point = s.resume
            if s.enemy != NONE and s.enemy_hp == 0:
                replace_enemy(s)
