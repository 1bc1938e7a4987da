"""A new game, a step, and what a seat cannot know; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import (
    begin_game,
    begin_step,
    compiled,
    emit,
    helper,
    hide_events,
    randbelow,
)
from mages_env.engine.random import seed_stream

from .area import declare_area, dodge_area
from .attack import arcane_level, carry_on, declare, react, steal_item
from .cards import CATEGORY, add_card, discard_from_hand, report, roll, roll_dice, take_from_hand
from .deck import (
    ABSORB,
    CHARACTERS,
    COLUMN,
    DISPEL,
    ENEMY_CARD,
    EXTRA_ATTACK,
    HAND,
    HEAL,
    HEALING,
    MAX_EFFECTS,
    ON_OPPONENTS,
    POTION,
    PUT_STATUS,
    SKILL,
    SPELL,
    TOTAL,
)
from .legal import SLOT, TARGET, legal
from .magicians import dispel, heal, lose_companion, lose_item, put_status, refresh
from .state import (
    ACTION,
    AFTERMATH,
    ATTACK,
    ATTACK_DUE,
    BY_CANTRIP,
    BY_CARD,
    BY_COMPANION,
    CARD,
    CAST,
    CHOOSE_ITEM,
    CHOOSE_LOOT,
    COMPANION,
    DODGE,
    DODGES_DUE,
    DRAW_DUE,
    E_ASIDE,
    E_CHARACTER,
    E_EQUIP,
    E_EXTRA,
    E_GOT,
    E_INITIATIVE,
    E_LOOT,
    E_PLACE,
    E_PLAY,
    E_SHIELD,
    E_STARTS,
    EFFECT,
    END,
    ENEMY,
    ENEMY_TARGET,
    FULL_HP,
    KINDS,
    MAGICIAN,
    NONE,
    NUMBER,
    OPPONENTS,
    PASS,
    PLACE,
    PLACE_USE,
    PLAY,
    PREPARATION,
    PREPARATION_DUE,
    REACTION,
    RESOLVE_DUE,
    SIGNATURES,
    SLOTS,
    STATUSES,
    STEAL_USE,
    STRIKE,
    TURN_BEGINS,
    USE,
    rule,
)
from .turn import advance, begin_first_turn, continues, end_phase, forget_attack

__all__ = ["determinize", "legal", "reset", "step"]

COPIES, HP, HP_PER_LEVEL = (COLUMN[name] for name in ("copies", "hp", "hp_per_level"))


@helper
def clear_table(s):
    for p in range(s.num_players):
        s.hp[p] = FULL_HP
        s.pool[p] = 0
        s.alive[p] = 1
        s.fell[p] = 0
        s.companion[p] = NONE
        s.mode[p] = 0
        s.companion_hp[p] = 0
        s.hand_size[p] = 0
        for i in range(HAND):
            s.hand[p, i] = NONE
            s.known[p, i] = 0
        for slot in range(SLOTS):
            s.items[p, slot] = NONE
        for i in range(STATUSES):
            s.status[p, i] = 0
        for part in range(2):
            s.dot[p, part] = NONE
            s.dot_turns[p, part] = 0
            s.dot_user[p, part] = NONE
        refresh(s, p)
    s.enemy = NONE
    s.enemy_hp = 0
    s.enemy_drawer = NONE
    s.enemy_attacked = 0
    s.queue_size = 0
    s.queue_waiting = 0
    for i in range(s.queue.shape[0]):
        s.queue[i, 0] = 0
        s.queue[i, 1] = 0
    s.loot = 0
    s.loot_from = NONE
    s.victor = NONE
    s.resume = TURN_BEGINS
    forget_attack(s)


@helper
def deal(s):
    """DM-01, DM-02: characters, then hands; an enemy is set aside and shuffled in again."""
    taken = 0
    for p in range(s.num_players):
        n = randbelow(s, CHARACTERS - p)
        for character in range(CHARACTERS):
            if not taken >> character & 1:
                if n == 0:
                    s.character[p] = character
                    taken |= 1 << character
                    report(s, E_CHARACTER, p, character, 0, 0)
                    break
                n -= 1
    s.stack_size = 0
    for kind in range(KINDS):
        s.discards[kind] = 0
        for _ in range(CARD[kind, COPIES]):
            s.stack[s.stack_size] = kind
            s.stack_size += 1
    aside = 0  # kept at the far end of the stack
    for p in range(s.num_players):
        while s.hand_size[p] < HAND:
            i = randbelow(s, s.stack_size)
            kind = int(s.stack[i])
            s.stack_size -= 1
            s.stack[i] = s.stack[s.stack_size]
            if CARD[kind, CATEGORY] == ENEMY_CARD:
                s.stack[TOTAL - 1 - aside] = kind
                aside += 1
                report(s, E_ASIDE, p, kind, 0, 0)
            else:
                add_card(s, p, kind, 0)
                emit(s, E_GOT, p, p, kind, 0, 0)
    for i in range(aside):
        s.stack[s.stack_size] = s.stack[TOTAL - 1 - i]
        s.stack_size += 1


@compiled(rule(1, NUMBER))
def roll_initiative(s, tied):
    """Each of ``tied`` rolls d20; returns those highest. Seats by bit."""
    highest = 0
    best = 0
    for p in range(s.num_players):
        if tied >> p & 1:
            die = roll(s, 20)
            report(s, E_INITIATIVE, p, die, 0, 0)
            if die > highest:
                highest = die
                best = 0
            if die == highest:
                best |= 1 << p
    return best


@helper
def find_starter(s):
    """DM-03: ties roll once more, then the lot decides."""
    best = roll_initiative(s, (1 << s.num_players) - 1)
    if best & (best - 1):
        best = roll_initiative(s, best)
    count = 0
    for p in range(s.num_players):
        count += best >> p & 1
    n = randbelow(s, count) if count > 1 else 0
    for p in range(s.num_players):
        if best >> p & 1:
            if n == 0:
                s.active = p
            n -= 1
    report(s, E_STARTS, s.active, 1 if count > 1 else 0, 0, 0)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    clear_table(s)
    deal(s)
    find_starter(s)
    begin_first_turn(s)


@compiled(rule(2))
def affect_self(s, p, kind):
    """What a card does to its user, in the order of the card."""
    for i in range(MAX_EFFECTS):
        code = EFFECT[kind, i, 0]
        a = EFFECT[kind, i, 1]
        if code == PUT_STATUS:
            put_status(s, p, a, EFFECT[kind, i, 2], 1)
        elif code == HEAL:
            n = a
            if EFFECT[kind, i, 4] != 0:
                n += arcane_level(s, p, kind) - 1
            heal(s, p, roll_dice(s, n, EFFECT[kind, i, 2]) + EFFECT[kind, i, 3])
        elif code == ABSORB:
            s.pool[p] = a
            report(s, E_SHIELD, p, a, 0, 0)
        elif code == DISPEL:
            dispel(s, p)
        elif code == EXTRA_ATTACK:
            s.extra_attacks += a
            report(s, E_EXTRA, p, a, 0, 0)


@helper
def count_use(s, kind):
    """DM-07 to DM-09: what was used this turn."""
    category = CARD[kind, CATEGORY]
    if s.phase == ATTACK and category != SKILL:
        s.attacks_used += 1
    elif CARD[kind, SLOT] != NONE:
        s.items_used += 1
    elif category == HEALING:
        s.healing_used = 1
    elif category == POTION:
        s.potion_used = 1
    elif category == SKILL:
        s.skill_used = 1
    elif USE[kind] == PLACE_USE:
        s.companion_used = 1


@helper
def equip(s, kind):
    """DM-07: what was in the slot is discarded."""
    p = int(s.active)
    slot = CARD[kind, SLOT]
    take_from_hand(s, p, kind)
    report(s, E_EQUIP, p, kind, s.items[p, slot], 0)
    if s.items[p, slot] != NONE:
        lose_item(s, p, slot)
    s.items[p, slot] = kind
    refresh(s, p)


@helper
def place(s, kind, mode):
    """DM-26: a companion, from its card or summoned."""
    p = int(s.active)
    take_from_hand(s, p, kind)
    if s.companion[p] != NONE:
        lose_companion(s, p)
    s.companion[p] = kind
    s.mode[p] = mode
    s.companion_hp[p] = CARD[kind, HP] + CARD[kind, HP_PER_LEVEL] * arcane_level(s, p, kind)
    report(s, E_PLACE, p, kind, mode, s.companion_hp[p])
    if CARD[kind, CATEGORY] == SPELL:
        affect_self(s, p, kind)


@helper
def play(s, kind):
    """A card without a target in the own turn."""
    p = int(s.active)
    if CARD[kind, SLOT] != NONE:
        equip(s, kind)
    elif CARD[kind, TARGET] == ON_OPPONENTS:
        declare_area(s, kind)
    else:
        take_from_hand(s, p, kind)
        s.discards[kind] += 1
        report(s, E_PLAY, p, kind, 0, 0)
        affect_self(s, p, kind)


@helper
def target_seat(s, target):
    """DM-09: the seat of a target as the actions count them, NONE for the enemy."""
    if target == ENEMY_TARGET:
        return NONE
    return (s.active + 1 + target % OPPONENTS) % s.num_players


@helper
def target_part(target):
    if target == ENEMY_TARGET:
        return ENEMY
    return COMPANION if target >= OPPONENTS else MAGICIAN


@helper
def take_turn(s, verb, kind, target):
    """An action of the Preparation or the Attack Phase."""
    s.resume = PREPARATION_DUE if s.phase == PREPARATION else ATTACK_DUE
    s.point = s.resume
    if verb == CAST:
        s.cantrip_used = 1
        s.attacks_used += 1
        row = KINDS + int(s.character[s.active])
        declare(s, BY_CANTRIP, row, target_seat(s, target), target_part(target), NONE)
    elif verb == STRIKE:
        s.companion_attacked = 1
        row = int(s.companion[s.active])
        declare(s, BY_COMPANION, row, target_seat(s, target), target_part(target), NONE)
    else:
        count_use(s, kind)
        if verb == PLACE:
            place(s, kind, target)
        elif verb == PLAY:
            play(s, kind)
        elif USE[kind] == STEAL_USE:
            seat = (s.active + 1 + target // SLOTS) % s.num_players
            declare(s, BY_CARD, kind, seat, MAGICIAN, target % SLOTS)
        else:
            declare(s, BY_CARD, kind, target_seat(s, target), target_part(target), NONE)


@helper
def let_be(s):
    """Pass, whatever was asked."""
    phase = s.phase
    if phase == REACTION:
        s.point = RESOLVE_DUE
    elif phase == DODGE:
        s.point = DODGES_DUE
    elif phase == CHOOSE_LOOT:
        report(s, E_LOOT, s.victor, NONE, s.loot_from, 0)
        s.point = AFTERMATH
    else:
        end_phase(s, phase)


@compiled(SIGNATURES.step)
def step(s, action):
    verb = ACTION[action, 0]
    kind = ACTION[action, 1]
    target = ACTION[action, 2]
    phase = s.phase
    told = s.num_events if continues(s, action) else 0
    begin_step(s)
    s.num_events = told  # those events are still there
    if verb == PASS:
        let_be(s)
    elif phase == REACTION:
        react(s, s.seat, kind)
    elif phase == DODGE:
        dodge_area(s, s.seat, kind)
    elif phase == CHOOSE_ITEM:
        lose_item(s, s.attack_target, target)
        if carry_on(s, s.attack_effect + 1):
            return
        s.point = AFTERMATH
    elif phase == CHOOSE_LOOT:
        report(s, E_LOOT, s.victor, s.items[s.loot_from, target], s.loot_from, 0)
        steal_item(s, s.victor, s.loot_from, target)
        s.point = AFTERMATH
    elif phase == END:
        discard_from_hand(s, s.seat, kind)
        s.point = DRAW_DUE
    else:
        take_turn(s, verb, kind, target)
    advance(s)


@helper
def collect_unseen(s, seat):
    """What ``seat`` cannot place becomes the stack, in order; hands keep what it knows of."""
    bit = 1 << seat
    for i in range(s.stack_size):
        s.unseen[s.stack[i]] += 1
    for p in range(s.num_players):
        if p != seat:
            known = 0
            for i in range(s.hand_size[p]):
                kind = s.hand[p, i]
                if s.known[p, i] & bit:
                    s.hand[p, known] = kind
                    known += 1
                else:
                    s.unseen[kind] += 1
            for i in range(HAND):
                if i >= known:
                    s.hand[p, i] = NONE
                s.known[p, i] = bit if i < known else 0
    s.stack_size = 0
    for kind in range(KINDS):
        for _ in range(s.unseen[kind]):
            s.stack[s.stack_size] = kind
            s.stack_size += 1
        s.unseen[kind] = 0
    for i in range(s.stack_size, TOTAL):
        s.stack[i] = 0


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """DM-40: the other hands are any cards that the seat has not seen, but no enemies."""
    seed_stream(s, seed)
    hide_events(s, seat)
    collect_unseen(s, seat)
    for p in range(s.num_players):
        if p != seat:
            size = int(s.hand_size[p])
            known = 0
            while known < HAND and s.hand[p, known] != NONE:
                known += 1
            s.hand_size[p] = known
            while s.hand_size[p] < size:
                i = randbelow(s, s.stack_size)
                kind = int(s.stack[i])
                if CARD[kind, CATEGORY] != ENEMY_CARD:
                    s.stack_size -= 1
                    s.stack[i] = s.stack[s.stack_size]
                    s.stack[s.stack_size] = 0
                    add_card(s, p, kind, 0)
