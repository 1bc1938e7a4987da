"""Dark Mages: what every action brings is priced in hit points, and the best is done.

The prices are round numbers chosen by hand: what a person would tell another, not the best that
can be found (search and learning are for that).
"""

from __future__ import annotations

import numpy as np
from numba import float64, int64

from mages_env.engine import compiled, helper
from mages_env.games.dark_mages.attack import (
    AC,
    ATK,
    CATEGORY,
    DRAIN,
    REFLECT,
    RESOLVE,
    SCALE,
    SPHERE,
    SPHERE_AC,
    TO_HIT,
    arcane_level,
)
from mages_env.games.dark_mages.attack import (
    DICE as TAKES_DICE,
)
from mages_env.games.dark_mages.deck import (
    ABSORB,
    BANISH,
    BIND,
    BY_ROLL,
    BY_SAVE,
    COLUMN,
    DESTROY_ITEM,
    DISCARD_RANDOM,
    DISPEL,
    EXTRA_ATTACK,
    FULL_DRAIN,
    HEAL,
    HIDE,
    KILL,
    MAX_EFFECTS,
    MOD_AC,
    MOD_ATTACK,
    MOD_DICE,
    MOD_LEVEL,
    ON_OPPONENTS,
    PUT_DOT,
    PUT_STATUS,
    SKILL,
    SPELL,
    STEAL_CARD,
    STEAL_ITEM,
)
from mages_env.games.dark_mages.defeat import allies
from mages_env.games.dark_mages.evaluation import ITEM, WORTH, body_worth, companion_worth
from mages_env.games.dark_mages.legal import ATTACK_CARD, SLOT, TARGET, aims, castable, targets
from mages_env.games.dark_mages.magicians import (
    CHARACTER_ROW,
    REDUCE,
    extra_dice,
    passive,
    sphere,
)
from mages_env.games.dark_mages.rules import HP, HP_PER_LEVEL
from mages_env.games.dark_mages.state import (
    ACTION,
    AIM,
    AIM_USE,
    ATTACKER,
    BY_CANTRIP,
    BY_CARD,
    BY_COMPANION,
    CARD,
    CAST,
    COMPANION,
    DEFENDER,
    DISCARD,
    DODGE,
    EFFECT,
    ENEMY,
    ENEMY_TARGET,
    FULL_HP,
    LOOT,
    MAGICIAN,
    NONE,
    OPPONENT_USE,
    OPPONENTS,
    PASS,
    PLACE,
    PLACE_USE,
    PLAY,
    REACTION,
    RECORD,
    SIGNATURES,
    SLOTS,
    STATUS,
    STATUSES,
    STEAL_USE,
    STRIKE,
    TARGETS,
    USE,
)
from mages_env.games.dark_mages.state import (
    ITEM as ITEM_CHOSEN,
)

DRAIN_WORTH = 0.7
"""A hit point recovered by an attack."""
WEAK = 0.5
"""By how much a hit point of a magician is worth more as the last ones are lost."""
FINISH = 12.0
"""A magician defeated."""
PEST = 0.5
"""A hit point of an enemy that stands in the way."""
FUMBLE = 0.05
"""Chance of taking one's own damage, and of dealing twice as much."""
WASTE = 0.7
"""Share of a healing that may not be wasted."""
ANSWER_PRICE = 3.5
"""A Dodge or a Shield of Reflection spent: it is missing until the end of the own turn."""
DRAWN = 12.0
"""The card that is drawn for one discarded: few are worth keeping for it."""
PLACED = 1.0
"""What a companion must be better than the one that is discarded for it."""
LAST = 0.01
"""The companion attacks last, for its magician may not any more."""
HITS = 0.55
"""Chance that an attack succeeds, for a card held for later."""
IDLE = 0.4
"""What is left of the worth of a card that cannot be cast now."""
SAVED = 0.5
"""Chance that a further save helps."""

POINT_TURN = 0.4
"""A point of AC or of attack rolls for a turn."""
LEVEL_TURN = 1.0
"""An arcane level for a turn."""
BOUND_TURN = (4.0, 2.5, 6.0)
"""A turn without attack, without Spells, without anything."""
HIDDEN = 5.0
"""A turn in which nobody can choose one."""
ITEM_LOST = 5.0
CARD_LOST = 1.5
KILLED = 30.0
"""A magician dropped to 0 hit points."""
RAIDED = 2.0
"""A card taken from another's hand."""
BANISHED = 8.0
EXTRA = 4.0
BOOST = (0.0, 1.0, 2.5, 2.0)
"""A point of AC, attack rolls, arcane level, and a die, of a card held for later."""
ANSWER = 6.0
"""A Dodge or a Shield of Reflection in hand."""


def _mean(n, sides, flat):
    return n * (sides + 1) / 2 + flat


def _rider(code, a, b, c):
    """What an effect that comes with a hit is worth."""
    if code == PUT_STATUS:
        kind, change, turns, _ = STATUS[a]
        turn = abs(change) * POINT_TURN
        if kind == MOD_LEVEL:
            turn = abs(change) * LEVEL_TURN
        elif kind == BIND:
            turn = BOUND_TURN[change]
        return max(turns, 1) * turn * (SAVED if c else 1)
    if code == KILL:
        return KILLED * a / 100
    if code == DESTROY_ITEM:
        return ITEM_LOST * (SAVED if b else 1)
    if code == DISCARD_RANDOM:
        return CARD_LOST * a * (SAVED if b else 1)
    return 0.0


def _own(code, a, b, c):
    """What an effect on oneself is worth in a card held for later."""
    if code == PUT_STATUS:
        kind, change, _, _ = STATUS[a]
        return HIDDEN if kind == HIDE else BOOST[kind] * change if kind < len(BOOST) else 0.0
    if code == HEAL:
        return _mean(a, b, c)
    return {ABSORB: a, EXTRA_ATTACK: EXTRA * a, STEAL_CARD: RAIDED * a}.get(
        code, {STEAL_ITEM: ITEM_LOST, BANISH: BANISHED}.get(code, 0.0)
    )


_column = {name: CARD[:, column] for name, column in COLUMN.items()}
MEAN = _mean(_column["n"], _column["sides"], _column["flat"])
"""Mean of the printed dice, by kind."""
DIE = (_column["sides"] + 1) / 2
"""Mean of a further die of the same size."""
DAMAGE = _column["has_damage"] != 0
RIDERS = np.array([sum(_rider(*map(int, e[:4])) for e in effects) for effects in EFFECT])
RIDERS += [
    SAVED * sum(int(e[1]) for e in effects if e[0] == PUT_DOT) * dot
    for effects, dot in zip(EFFECT, _mean(_column["dot_n"], _column["dot_sides"], 0), strict=True)
]
"""What the effects beside the damage are worth on a magician that is hit, by kind."""
LATER = np.array([sum(_own(*map(int, e[:4])) for e in effects) for effects in EFFECT])
LATER += ANSWER * (_column["evade"] + _column["reflect"])
"""What the effects of a card on oneself are worth while it is held, by kind."""


@compiled(WORTH(RECORD, int64, int64, float64, float64))
def harm(s, q, part, damage, riders):
    """What it costs the other side if ``q`` is hit."""
    if part == ENEMY:
        return PEST * min(damage, int(s.enemy_hp))
    if part == COMPANION:
        return companion_worth(s, q) * min(1.0, damage / int(s.companion_hp[q]))
    left = int(s.hp[q]) + int(s.pool[q])
    through = max(0.0, damage - passive(s, q, REDUCE))
    worth = min(through, left) * (1.0 + WEAK * (1.0 - int(s.hp[q]) / FULL_HP))
    if through >= left:
        return worth + FINISH
    return worth + riders


@compiled(WORTH(RECORD, *[int64] * 7))
def gain(s, user, kind, form, q, part, dice, bonus):
    """What an attack brings on average.

    ``dice`` and ``bonus`` come to those that user and card have by themselves.
    """
    if part == MAGICIAN and s.companion[q] != NONE and s.mode[q] == DEFENDER:
        part = COMPANION
    damage = 0.0
    if form == BY_COMPANION or DAMAGE[kind]:
        if form != BY_COMPANION and CARD[kind, SCALE] != 0:
            dice += arcane_level(s, user, kind) - 1
        damage = MEAN[kind] + dice * DIE[kind]
    if part == ENEMY:
        ac = int(CARD[s.enemy, AC])
    elif part == COMPANION:
        ac = int(CARD[s.companion[q], AC])
    else:
        ac = int(s.ac[q])
    rolled = form in (BY_CANTRIP, BY_COMPANION) or CARD[kind, RESOLVE] == BY_ROLL
    odds = 1.0
    if rolled:
        if form == BY_COMPANION:
            bonus += int(CARD[kind, ATK])
        else:
            bonus += int(s.attack_bonus[user]) + CARD[kind, TO_HIT]
            if CARD[kind, CATEGORY] == SPELL:
                if CARD[kind, SPHERE] == sphere(s, user):
                    bonus += 1
                if part == MAGICIAN and CARD[kind, SPHERE] == sphere(s, q):
                    ac += SPHERE_AC
        odds = min(0.95, max(0.05, (21 - s.rules + bonus - ac) * 0.05))
    elif CARD[kind, RESOLVE] == BY_SAVE:
        if part == MAGICIAN:
            ac += int(s.save_bonus[q])
        odds = min(1.0, max(0.0, (21 - ac) * 0.05))
    worth = odds * harm(s, q, part, damage, RIDERS[kind])
    if rolled and part == MAGICIAN:
        worth += FUMBLE * damage  # a natural 20
    if rolled and form != BY_COMPANION:
        worth -= FUMBLE * damage
    if form != BY_COMPANION and CARD[kind, DRAIN] != 0:
        missing = FULL_HP - int(s.hp[user])
        worth += DRAIN_WORTH * min(odds * damage * CARD[kind, DRAIN] / FULL_DRAIN, missing)
    return worth


@compiled(WORTH(RECORD, int64, int64, int64))
def area_gain(s, p, kind, dice):
    """A card on all opponents, or on the enemy alone."""
    if s.enemy != NONE:
        return gain(s, p, kind, BY_CARD, NONE, ENEMY, dice, 0)
    total = 0.0
    for q in range(s.num_players):
        if s.alive[q] != 0 and not allies(s, p, q):
            total += gain(s, p, kind, BY_CARD, q, MAGICIAN, dice, 0)
    return total


@helper
def seat_of(s, p, target):
    """The seat of a target as the actions count them."""
    return NONE if target == ENEMY_TARGET else (p + 1 + target % OPPONENTS) % s.num_players


@helper
def part_of(target):
    if target == ENEMY_TARGET:
        return ENEMY
    return COMPANION if target >= OPPONENTS else MAGICIAN


@compiled(WORTH(RECORD, int64, int64, int64, int64, int64))
def best_gain(s, p, dice, level, bonus, rank):
    """What the best attack card of the hand brings (``rank`` 0), or the second best (1)."""
    best = 0.0
    second = 0.0
    aimed = targets(s, p)
    waiting = extra_dice(s, p) + dice
    for i in range(s.hand_size[p]):
        kind = int(s.hand[p, i])
        if not castable(s, p, kind):
            continue
        more = level if CARD[kind, SCALE] != 0 else 0
        if CARD[kind, TAKES_DICE] != 0:
            more += waiting
        found = 0.0
        if CARD[kind, TARGET] == ON_OPPONENTS:
            found = area_gain(s, p, kind, more)
        elif USE[kind] in (AIM_USE, OPPONENT_USE):
            at = aims(s, p, kind, aimed)
            for target in range(TARGETS):
                if at >> target & 1:
                    q = seat_of(s, p, target)
                    one = gain(s, p, kind, BY_CARD, q, part_of(target), more, bonus)
                    found = max(found, one)
        if found > best:
            second = best
            best = found
        elif found > second:
            second = found
    return second if rank == 1 else best


@helper
def item_worth(s, p, slot):
    return 0.0 if s.items[p, slot] == NONE else ITEM[s.items[p, slot]]


@helper
def harmed(s, p):
    """What it is worth to be rid of all that harms."""
    total = 0.0
    if s.dot[p, MAGICIAN] != NONE:
        total += RIDERS[s.dot[p, MAGICIAN]]
    for i in range(STATUSES):
        if s.status[p, i] != 0 and (STATUS[i, 0] == BIND or STATUS[i, 1] < 0):
            total += RIDERS[STATUS[i, 3]]
    return total


@compiled(WORTH(RECORD, int64, int64))
def own_gain(s, p, kind):
    """A card played on oneself."""
    if CARD[kind, SLOT] != NONE:
        return ITEM[kind] - item_worth(s, p, CARD[kind, SLOT])
    total = 0.0
    for i in range(MAX_EFFECTS):
        code = EFFECT[kind, i, 0]
        a = EFFECT[kind, i, 1]
        if code == HEAL:
            n = a
            if EFFECT[kind, i, 4] != 0:
                n += arcane_level(s, p, kind) - 1
            amount = n * (EFFECT[kind, i, 2] + 1) * 0.5 + EFFECT[kind, i, 3]
            total += min(amount, FULL_HP - int(s.hp[p])) - WASTE * amount
        elif code == ABSORB:
            total += a - int(s.pool[p]) - WASTE * a
        elif code == DISPEL:
            total += harmed(s, p)
        elif code == EXTRA_ATTACK:
            total += best_gain(s, p, 0, 0, 0, 1)
        elif code == PUT_STATUS:
            change = STATUS[a, 1]
            stat = STATUS[a, 0]
            if stat == HIDE:
                total += HIDDEN
            elif stat == MOD_AC:
                total += POINT_TURN * change
            else:
                dice = change if stat == MOD_DICE else 0
                level = change if stat == MOD_LEVEL else 0
                bonus = change if stat == MOD_ATTACK else 0
                total += best_gain(s, p, dice, level, bonus, 0) - best_gain(s, p, 0, 0, 0, 0)
    return total


@helper
def skill_gain(s, p, kind, q, slot):
    """A Skill on the magician ``q``, or on its companion."""
    code = EFFECT[kind, 0, 0]
    if code == BANISH:
        return companion_worth(s, q) * (21 - CARD[s.companion[q], AC]) * 0.05
    brings = RAIDED
    if code == STEAL_ITEM:
        brings = 2.0 * item_worth(s, q, slot) - item_worth(s, p, slot)
    if CARD[kind, RESOLVE] == BY_SAVE:
        brings *= (21 - int(s.ac[q]) - int(s.save_bonus[q])) * 0.05
    return brings


@compiled(WORTH(RECORD, int64, int64, int64))
def placed_worth(s, p, kind, mode):
    """A card as a companion."""
    hp = CARD[kind, HP]
    if CARD[kind, HP_PER_LEVEL] != 0:
        hp += CARD[kind, HP_PER_LEVEL] * arcane_level(s, p, kind)
    return body_worth(kind, mode, hp)


@compiled(WORTH(RECORD, int64, int64))
def kept(s, p, kind):
    """What a card is worth in the hand."""
    if CARD[kind, SLOT] != NONE:
        return max(0.0, ITEM[kind] - item_worth(s, p, CARD[kind, SLOT]))
    if USE[kind] == PLACE_USE:
        brings = max(placed_worth(s, p, kind, DEFENDER), placed_worth(s, p, kind, ATTACKER))
        brings = max(0.0, brings - companion_worth(s, p))
    else:
        brings = LATER[kind] + HITS * RIDERS[kind]
        if DAMAGE[kind]:
            dice = arcane_level(s, p, kind) - 1 if CARD[kind, SCALE] != 0 else 0
            brings += HITS * (MEAN[kind] + dice * DIE[kind])
    if CARD[kind, ATTACK_CARD] != 0 and not castable(s, p, kind):
        brings *= IDLE
    return brings


@compiled(WORTH(RECORD, int64, int64))
def answer_gain(s, p, kind):
    """A Dodge or a Shield of Reflection against the attack in progress."""
    attack = int(s.attack_kind)
    form = int(s.attack_form)
    user = int(s.attack_user)
    dice = int(s.attack_dice)
    if form == BY_CARD and CARD[attack, CATEGORY] == SKILL:
        return skill_gain(s, user, attack, p, int(s.attack_slot)) - ANSWER_PRICE
    brings = gain(s, user, attack, form, p, MAGICIAN, dice, 0) - ANSWER_PRICE
    if CARD[kind, REFLECT] != 0:
        brings += gain(s, user, attack, form, int(s.attack_by), MAGICIAN, dice, 0)
    return brings


@compiled(WORTH(RECORD, int64, int64))
def brings(s, action, style):
    """What an action of the seat to move brings; passing brings nothing.

    ``style``: the only mode in which companions are placed; NONE: either.
    """
    p = int(s.seat)
    verb = ACTION[action, 0]
    kind = ACTION[action, 1]
    target = ACTION[action, 2]
    if verb == PASS:
        return 0.0
    if verb == DISCARD:
        return DRAWN - kept(s, p, kind)
    if verb == ITEM_CHOSEN:
        return item_worth(s, int(s.attack_target), kind)
    if verb == LOOT:
        return item_worth(s, int(s.loot_from), kind) - item_worth(s, p, kind)
    if verb == PLACE:
        if style != NONE and target != style:
            return -1.0
        return placed_worth(s, p, kind, target) - companion_worth(s, p) - PLACED
    if verb == PLAY and s.phase in (REACTION, DODGE):
        return answer_gain(s, p, kind)
    if verb == PLAY and CARD[kind, TARGET] != ON_OPPONENTS:
        return own_gain(s, p, kind)
    if verb == AIM and CARD[kind, CATEGORY] == SKILL:
        if USE[kind] == STEAL_USE:
            return skill_gain(s, p, kind, seat_of(s, p, target // SLOTS), target % SLOTS)
        return skill_gain(s, p, kind, seat_of(s, p, target), 0)
    form = BY_CARD
    dice = 0
    if verb == CAST:
        form = BY_CANTRIP
        kind = CHARACTER_ROW + int(s.character[p])
    elif verb == STRIKE:
        form = BY_COMPANION
        kind = int(s.companion[p])
    elif CARD[kind, TAKES_DICE] != 0:
        dice = extra_dice(s, p)
    if verb == PLAY:
        return area_gain(s, p, kind, dice)
    found = gain(s, p, kind, form, seat_of(s, p, target), part_of(target), dice, 0)
    return LAST * found if verb == STRIKE else found


_MASK = SIGNATURES.policy.args[1]


@compiled(int64(RECORD, _MASK, int64))
def best(s, mask, style):
    """The action that brings most."""
    found = NONE
    most = 0.0
    for action in range(mask.size):
        if mask[action] != 0:
            one = brings(s, action, style)
            if found == NONE or one > most:
                found = action
                most = one
    return found


@compiled(SIGNATURES.policy)
def policy(s, mask, rng):
    return best(s, mask, NONE)


@compiled(SIGNATURES.policy)
def only_attackers(s, mask, rng):
    """As ``policy``, but companions are placed as attackers alone."""
    return best(s, mask, ATTACKER)


@compiled(SIGNATURES.policy)
def only_defenders(s, mask, rng):
    """As ``policy``, but companions are placed as defenders alone."""
    return best(s, mask, DEFENDER)
