"""Magic Duel: every action is priced in victory points, and the best is done.

Blows, shots and spells are priced by their exact chances, positions by what could be done from
them next. The prices were found by trying small changes in games of this player against itself, and
rounded to two digits.
"""

from __future__ import annotations

import numpy as np
from numba import float64, int64

from mages_env.engine import compiled, helper
from mages_env.games.magic_duel.board import (
    ABSOLUTE,
    DISTANCE,
    FEWEST_SIDES,
    NEAR_NEXUS,
    SQUARES,
    square_at,
)
from mages_env.games.magic_duel.casting import MOST_DICE, POWER_CHANCES
from mages_env.games.magic_duel.combat import combat_dice
from mages_env.games.magic_duel.data import (
    ACTION_FATIGUE,
    COMBAT_FATIGUE,
    COMBAT_PROWESS,
    DIE,
    DRAIN_ENERGY,
    ENERGY,
    GATHERED,
    HEALING,
    MAGIC_MISSILE,
    MOST_POWER_TOKENS,
    NEXUS,
    REACTION_FATIGUE,
    RUN_FATIGUE,
    SPELL_RANGE,
    SPELLS,
    TURNS,
    UNITS,
    WIDTH,
)
from mages_env.games.magic_duel.state import (
    A_ATTACK,
    A_COUNTER,
    A_PASS,
    A_SHOOT_BACK,
    A_SPELL,
    A_SQUARE,
    A_TARGET,
    A_TOKENS,
    A_UNIT,
    ARMOUR,
    AT_ENEMIES,
    ATTACK_SKILL,
    BOW,
    CASTING,
    CHARGING,
    DEEDS,
    DEFENCE_BONUS,
    DIFFICULTY,
    EFFECT,
    ENDURANCE,
    GATHERING,
    HIT_POINTS,
    MAGES,
    MODELS,
    MORALE,
    MOST_COMBAT_DICE,
    MOST_FATIGUE,
    MOST_HIT_POINTS,
    MOST_MODELS,
    MOVE,
    MOVING,
    P_ACTIVATE,
    P_CHARGE_SQUARE,
    P_COUNTER,
    P_DESTINATION,
    P_REACT,
    P_SPELL,
    P_SPLIT_CHARGED,
    P_TARGET,
    P_TOKENS,
    RALLYING,
    RECORD,
    RESISTANCE,
    RUN,
    RUNNING,
    SHOOTING,
    SIGNATURES,
    SLOTS,
    STRENGTH,
    TARGET_OF,
)
from mages_env.games.magic_duel.units import bit, models, ready, sight, weakened

VALUE = np.array([12.0, 12.0, 3.3, 4.2, 8.4])
"""A unit: its victory points and what it may yet do, by slot."""
KILLED = 0.6
"""Share of its value that goes with its last hit point; the rest goes point by point."""
WEARINESS = np.array([0.0, 0.015, 0.03, 0.055, 0.099, 0.27])
"""Share of its value that fatigue costs a unit, with five more turns to come."""
TOKEN = 0.0052
"""A power token that a casting takes ..."""
COUNTER_TOKEN = 1.9
"""... or a counter ..."""
GATHERED_TOKEN = 0.71
"""... or that is gathered in the first turn."""
BROKEN = 0.05
"""Share of its value that a unit loses while it is broken."""
HOLD = 0.037
"""Standing at the Nexus if none of the side does ..."""
SUPPORT = 0.031
"""... or if another does."""
APPROACH = np.array([0.027, 0.027, 0.032, 0.053, 0.053])
"""A square nearer to the Nexus, by slot."""
THREAT = 0.37
"""Share of what the worst charge at a square would cost ..."""
FAR_THREAT = 0.21
"""... or of one after a run ..."""
CHANCE = 0.048
"""... and of what the best charge or shot from there would bring."""
IN_RANGE = 0.21
"""A mage that an enemy is in range of."""
SPELL = np.array([0.85, 0.36, 0.37, 0.44, 1.1, 0.026])
"""What a spell brings in all, of what can be foreseen: Combat Prowess serves several combats, while
what the others bring is often countered or undone, and Unnatural Speed hardly ever pays."""
RESTED = 2.8
"""Share of its best charge that a unit brings once it is no longer fatigued."""
HELPLESS = 0.7
"""A fatigued unit that can be charged: it breaks without a test."""
COUNTER = 1
"""Counter dice that a caster reckons with."""
LEAST = 0.0074
"""What an action must bring: less, and the side passes."""
NEVER = -1e9

EVERY_SPELL = (1 << len(SPELLS)) - 1
_CENTRE = square_at(*NEXUS)
_FEW = MOST_MODELS + 1


def _lost(chances: np.ndarray) -> np.ndarray:
    """Share of its value that a unit loses, by its hit points; chances of 0, 1, ... wounds."""
    wounds = np.arange(len(chances))
    share = np.zeros(MOST_HIT_POINTS + 1)
    for pool in range(1, MOST_HIT_POINTS + 1):
        killed = chances[wounds >= pool].sum()
        mean = (chances * np.minimum(wounds, pool)).sum() / pool
        share[pool] = KILLED * killed + (1 - KILLED) * mean
    return share


def _successes(dice: int, chance: float) -> np.ndarray:
    """Chances of 0, 1, ... successes."""
    found = np.array([1.0])
    for _ in range(dice):
        found = np.convolve(found, [1 - chance, chance])
    return found


def _chance(needed: int) -> float:
    return min(max(DIE + 1 - needed, 0), DIE) / DIE


def _missiles(power: int, chance: float) -> np.ndarray:
    """Chances of so many wounds by that many D5 hits."""
    hits = np.array([1.0])
    for _ in range(power):
        hits = np.convolve(hits, [0, *[0.2] * 5])
    wounds = np.zeros(len(hits))
    for n, odds in enumerate(hits):
        wounds[: n + 1] += odds * _successes(n, chance)
    return wounds


BLOW = np.array(
    [
        [_lost(_successes(n, _chance(needed))) for needed in range(DIE + 2)]
        for n in range(MOST_COMBAT_DICE + 1)
    ]
)
"""Share of its value that a unit loses: [attack dice, needed, hit points]."""
SHOT = np.array(
    [
        [_lost(_successes(n, _chance(u.target) * _chance(u.armour))) for u in UNITS]
        for n in range(_FEW)
    ]
)
"""[models that shoot, target, its hit points]."""
MISSILE = np.array(
    [
        [
            _lost(
                _missiles(int(EFFECT[MAGIC_MISSILE, power - 1]) if power else 0, _chance(u.armour))
            )
            for u in UNITS
        ]
        for power in range(MOST_DICE + 1)
    ]
)
"""[power, target, its hit points]."""

_WORTH = {n: float64(RECORD, *[int64] * n) for n in range(1, 7)}
_CHOICE = int64(*SIGNATURES.legal.args)
_ALLOWED = int64(*SIGNATURES.legal.args, int64)


@helper
def turns_left(s):
    """Turns to come after this one, as a share of those after the first."""
    return (TURNS - 1 - s.turn) / (TURNS - 1)


@helper
def weariness(s, side, slot, more):
    """What so much more fatigue would cost a unit (less if negative)."""
    before = int(s.fatigue[side, slot])
    after = min(max(before + more, 0), int(MOST_FATIGUE[slot]))
    return VALUE[slot] * turns_left(s) * (WEARINESS[after] - WEARINESS[before])


@helper
def can_fight_back(s, side, slot):
    """The chance that a unit that is charged will not break (MGD-30)."""
    if s.broken[side, slot] != 0 or s.fatigue[side, slot] >= ENDURANCE[slot]:
        return 0.0
    if weakened(s, side, slot):
        return min(max(int(MORALE[slot]) - 1 - int(s.morale_tokens[side, slot]), 0), DIE) / DIE
    return 1.0


@helper
def blow(dice, slot, target, pool):
    """Value that ``target`` loses by an attack of ``slot`` with so many dice."""
    needed = max(0, int(ARMOUR[target]) - int(STRENGTH[slot]))
    return VALUE[target] * BLOW[min(dice, MOST_COMBAT_DICE), needed, pool]


@compiled(_WORTH[5])
def charge_worth(s, side, slot, other, target, more):
    """What a charge brings with so many combat dice more, if all dice attack."""
    dice = combat_dice(s, side, slot) + more
    dice_back = combat_dice(s, other, target)
    brings = blow(dice, slot, target, s.pool[other, target])
    costs = blow(dice_back, target, slot, s.pool[side, slot])
    steady = can_fight_back(s, other, target)
    worth = brings - steady * costs
    if s.broken[other, target] == 0:
        worth += (1.0 - steady) * BROKEN * VALUE[target]
    if weakened(s, side, slot):
        worth *= can_fight_back(s, side, slot)
    return worth - weariness(s, side, slot, ACTION_FATIGUE + COMBAT_FATIGUE)


@compiled(_WORTH[4])
def best_charge(s, side, slot, more, farther):
    """The best charge within run and speed, as the crow flies; 0 if none is any good."""
    best = 0.0
    if not ready(s, side, slot):
        return best
    here = s.square[side, slot]
    within = int(RUN[slot]) + int(s.speed[side, slot]) + farther + 1
    for other in range(s.num_players):
        if other != side:
            for k in range(SLOTS):
                if s.pool[other, k] > 0 and sight(s, here, s.square[other, k]) <= within:
                    best = max(best, charge_worth(s, side, slot, other, k, more))
    return best


@helper
def shot_worth(s, side, slot, other, target):
    return VALUE[target] * SHOT[models(s, side, slot), target, s.pool[other, target]]


@helper
def can_be_charged(s, side, slot):
    """Whether an enemy that is ready has the unit within a charge, as the crow flies."""
    for other in range(s.num_players):
        if other != side:
            for k in range(SLOTS):
                if ready(s, other, k):
                    distance = sight(s, s.square[other, k], s.square[side, slot])
                    if distance <= int(RUN[k]) + int(s.speed[other, k]) + 1:
                        return True
    return False


@compiled(_WORTH[4])
def effect_worth(s, spell, power, side, slot):
    """What a spell of that power brings the side whose action it is."""
    effect = int(EFFECT[spell, power - 1])
    if spell == MAGIC_MISSILE:
        return VALUE[slot] * MISSILE[power, slot, s.pool[side, slot]]
    if spell == HEALING:
        pool = int(s.pool[side, slot])
        healed = min(3 * effect, int(s.pool_cap[side, slot]) - pool)
        return VALUE[slot] * healed / (int(HIT_POINTS[slot]) * int(MODELS[slot]))
    if spell == ENERGY:
        worth = -weariness(s, side, slot, -effect)
        before = int(s.fatigue[side, slot])
        if before >= ENDURANCE[slot] > before - effect and s.action_tokens[side] > 0:
            s.fatigue[side, slot] = max(0, before - effect)
            worth += RESTED * best_charge(s, side, slot, 0, 0)
            s.fatigue[side, slot] = before
        return worth
    if spell == DRAIN_ENERGY:
        worth = weariness(s, side, slot, effect)
        fatigue = int(s.fatigue[side, slot])
        if fatigue < ENDURANCE[slot] <= fatigue + effect:
            worth += best_charge(s, side, slot, 0, 0)
            if can_be_charged(s, side, slot):
                worth += HELPLESS
        return worth
    if int(s.action_tokens[side]) < (2 if s.phase == P_ACTIVATE else 1):
        return 0.0
    if spell == COMBAT_PROWESS:
        dice = min(11 * effect // 2 - int(s.prowess[side, slot]), MOST_COMBAT_DICE)
        worth = best_charge(s, side, slot, max(0, dice), 0)
    else:
        worth = best_charge(s, side, slot, 0, max(0, effect - int(s.speed[side, slot])))
    if worth > 0.0:
        worth -= best_charge(s, side, slot, 0, 0)
    return worth


@compiled(_WORTH[5])
def spell_worth(s, spell, dice, counter, side, slot):
    """What a spell brings with so many casting and counter dice."""
    threshold = int(DIFFICULTY[spell]) + int(RESISTANCE[slot])
    worth = 0.0
    for power in range(1, dice + 1):
        chance = POWER_CHANCES[dice, counter, threshold, power]
        worth += chance * effect_worth(s, spell, power, side, slot)
    return SPELL[spell] * worth


@helper
def counter_dice(s):
    """Counter dice to reckon with."""
    for other in range(s.num_players):
        if other != s.active:
            for slot in range(MAGES):
                if ready(s, other, slot):
                    return COUNTER
    return 0


@compiled(_WORTH[2])
def best_aim(s, mage, spell):
    """What the spell brings on its best target."""
    best = NEVER
    side = s.active
    here = s.square[side, mage]
    dice = 1 + int(s.power_tokens[side, mage])
    counter = counter_dice(s)
    for other in range(s.num_players):
        if (other != side) == (AT_ENEMIES[spell] != 0):
            for k in range(SLOTS):
                if s.pool[other, k] > 0 and sight(s, here, s.square[other, k]) <= SPELL_RANGE:
                    best = max(best, spell_worth(s, spell, dice, counter, other, k))
    return best - TOKEN * (dice - 1)


@compiled(_WORTH[3])
def place_worth(s, side, slot, square):
    """What it is worth to stand on a square."""
    worth = -APPROACH[slot] * DISTANCE[square, _CENTRE]
    if NEAR_NEXUS[square]:
        worth += HOLD
        for k in range(SLOTS):
            if k != slot and s.pool[side, k] > 0 and NEAR_NEXUS[s.square[side, k]]:
                if s.broken[side, k] == 0:
                    worth += SUPPORT - HOLD
                    break
    within = int(RUN[slot]) + int(s.speed[side, slot]) + 1
    threat = 0.0
    chance = 0.0
    in_range = False
    for other in range(s.num_players):
        if other == side:
            continue
        for k in range(SLOTS):
            if s.pool[other, k] == 0:
                continue
            distance = sight(s, square, s.square[other, k])
            if distance <= SPELL_RANGE:
                in_range = True
            steps = int(RUN[k]) + int(s.speed[other, k]) + 1
            if DISTANCE[square, s.square[other, k]] <= steps + int(RUN[k]) and ready(s, other, k):
                share = THREAT if distance <= steps else FAR_THREAT
                threat = max(threat, share * charge_worth(s, other, k, side, slot, 0))
            if distance <= within:
                chance = max(chance, charge_worth(s, side, slot, other, k, 0))
            elif distance <= BOW[slot]:
                chance = max(chance, shot_worth(s, side, slot, other, k))
    if in_range and slot < MAGES:
        worth += IN_RANGE
    return worth + CHANCE * chance - threat


@compiled(_WORTH[3])
def best_step(s, side, slot, steps):
    """The best of the squares that lie so many steps straight ahead or aside, if they are free."""
    best = NEVER
    here = int(s.square[side, slot])
    y = here // WIDTH
    x = here - WIDTH * y
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            to_x = x + steps * dx
            to_y = y + steps * dy
            if 0 <= to_x < WIDTH and 0 <= to_y < WIDTH:
                square = WIDTH * to_y + to_x
                if bit(s.free[0], s.free[1], square) != 0:
                    best = max(best, place_worth(s, side, slot, square))
    return best


@compiled(_WORTH[2])
def shot_at_best(s, side, slot):
    best = 0.0
    here = s.square[side, slot]
    for other in range(s.num_players):
        if other != side:
            for k in range(SLOTS):
                if s.pool[other, k] > 0 and sight(s, here, s.square[other, k]) <= BOW[slot]:
                    best = max(best, shot_worth(s, side, slot, other, k))
    return best


@compiled(_WORTH[3])
def cast_worth(s, side, mage, spells):
    """What the best of the spells (bits) brings."""
    best = NEVER
    for spell in range(len(SPELLS)):
        if spells >> spell & 1 != 0:
            best = max(best, best_aim(s, mage, spell))
    return best


@helper
def deed_worth(s, side, slot, deed, spells):
    """What a unit's action brings, less what its fatigue costs."""
    worth = 0.0
    if deed == CHARGING:
        return best_charge(s, side, slot, 0, 0)
    if deed == SHOOTING:
        worth = shot_at_best(s, side, slot)
    elif deed == CASTING:
        worth = cast_worth(s, side, slot, spells)
    elif deed == GATHERING:
        more = min(GATHERED, MOST_POWER_TOKENS - int(s.power_tokens[side, slot]))
        worth = GATHERED_TOKEN * more * turns_left(s)
    elif deed == RALLYING:
        odds = min(max(int(MORALE[slot]) - 1 - int(s.morale_tokens[side, slot]), 0), DIE) / DIE
        worth = BROKEN * VALUE[slot] * odds
    else:
        steps = int(MOVE[slot] if deed == MOVING else RUN[slot]) + int(s.speed[side, slot])
        worth = best_step(s, side, slot, steps)
        worth -= place_worth(s, side, slot, s.square[side, slot])
    return worth - weariness(s, side, slot, RUN_FATIGUE if deed == RUNNING else ACTION_FATIGUE)


@compiled(_ALLOWED)
def choose_deed(s, mask, spells):
    side = int(s.seat)
    best = A_PASS
    most = LEAST
    for action in range(A_UNIT, A_UNIT + SLOTS * len(DEEDS)):
        if mask[action] != 0:
            slot = (action - A_UNIT) // len(DEEDS)
            worth = deed_worth(s, side, slot, (action - A_UNIT) % len(DEEDS), spells)
            if worth > most:
                most = worth
                best = action
    return best


@compiled(_CHOICE)
def choose_square(s, mask):
    best = -1
    most = NEVER
    for k in range(SQUARES):
        if mask[A_SQUARE + k] != 0:
            square = int(ABSOLUTE[s.num_players - FEWEST_SIDES, s.active, k])
            worth = place_worth(s, s.active, s.actor, square)
            if worth > most:
                most = worth
                best = A_SQUARE + k
    return best


@compiled(_ALLOWED)
def choose_spell(s, mask, spells):
    best = -1
    most = 2 * NEVER
    for spell in range(len(SPELLS)):
        if mask[A_SPELL + spell] != 0 and spells >> spell & 1 != 0:
            worth = best_aim(s, s.actor, spell)
            if worth > most:
                most = worth
                best = A_SPELL + spell
    return best


@compiled(_CHOICE)
def choose_target(s, mask):
    best = -1
    most = NEVER
    dice = counter = 0
    if s.deed == CASTING:
        dice = 1 + int(s.power_tokens[s.active, s.actor])
        counter = counter_dice(s)
    for action in range(A_TARGET, mask.size):
        if mask[action] != 0:
            other = (s.active + TARGET_OF[action] // SLOTS) % s.num_players
            k = TARGET_OF[action] % SLOTS
            if s.deed == CASTING:
                worth = spell_worth(s, s.spell, dice, counter, other, k)
            elif s.deed == SHOOTING:
                worth = shot_worth(s, s.active, s.actor, other, k)
            else:
                worth = charge_worth(s, s.active, s.actor, other, k, 0)
            if worth > most:
                most = worth
                best = action
    return best


@compiled(_CHOICE)
def choose_tokens(s, mask):
    best = A_TOKENS
    most = NEVER
    counter = counter_dice(s)
    for tokens in range(int(s.power_tokens[s.active, s.actor]) + 1):
        worth = spell_worth(s, s.spell, 1 + tokens, counter, s.target_side, s.target)
        worth -= TOKEN * tokens
        if worth > most:
            most = worth
            best = A_TOKENS + tokens
    return best


@compiled(_CHOICE)
def choose_counter(s, mask):
    """What the caster loses by it, less the tokens and the mage's fatigue."""
    if AT_ENEMIES[s.spell] != 0 and s.target_side != s.seat:
        return A_PASS
    best = A_PASS
    most = 0.0
    free = spell_worth(s, s.spell, s.casting, 0, s.target_side, s.target)
    for slot in range(MAGES):
        for tokens in range(MOST_DICE):
            action = A_COUNTER + MOST_DICE * slot + tokens
            if mask[action] != 0:
                met = spell_worth(s, s.spell, s.casting, 1 + tokens, s.target_side, s.target)
                worth = (
                    free
                    - met
                    - COUNTER_TOKEN * tokens
                    - weariness(s, s.seat, slot, s.counter_fatigue)
                )
                if worth > most:
                    most = worth
                    best = action
    return best


@compiled(_CHOICE)
def choose_reaction(s, mask):
    worth = shot_worth(s, s.target_side, s.target, s.active, s.actor)
    if worth > weariness(s, s.target_side, s.target, REACTION_FATIGUE):
        return A_SHOOT_BACK
    return A_PASS


@compiled(_CHOICE)
def choose_split(s, mask):
    """Against an enemy that attacks with all its dice, if it can."""
    side, slot, other, target = s.active, s.actor, s.target_side, s.target
    if s.phase == P_SPLIT_CHARGED:
        side, slot, other, target = other, target, side, slot
    dice = combat_dice(s, side, slot)
    dice_back = 0 if s.broken[other, target] != 0 else combat_dice(s, other, target)
    parried = min(DIE + 1 - int(ATTACK_SKILL[target]) + int(DEFENCE_BONUS[slot]), DIE) / DIE
    best = dice
    most = NEVER
    for attack in range(dice, -1, -1):
        left = max(0, dice_back - int(parried * (dice - attack) + 0.5))
        worth = blow(attack, slot, target, s.pool[other, target])
        worth -= blow(left, target, slot, s.pool[side, slot])
        if worth > most:
            most = worth
            best = attack
    return A_ATTACK + best


@compiled(_ALLOWED)
def choose(s, mask, spells):
    """The action of the seat to move, if it may cast but these spells (bits)."""
    phase = s.phase
    if phase == P_ACTIVATE:
        return choose_deed(s, mask, spells)
    if phase in (P_DESTINATION, P_CHARGE_SQUARE):
        return choose_square(s, mask)
    if phase == P_SPELL:
        return choose_spell(s, mask, spells)
    if phase == P_TARGET:
        return choose_target(s, mask)
    if phase == P_TOKENS:
        return choose_tokens(s, mask)
    if phase == P_COUNTER:
        return choose_counter(s, mask)
    if phase == P_REACT:
        return choose_reaction(s, mask)
    return choose_split(s, mask)


@compiled(SIGNATURES.policy)
def policy(s, mask, rng):
    return choose(s, mask, EVERY_SPELL)
