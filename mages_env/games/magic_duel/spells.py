"""Casting a spell, countering it, and what it does."""

from __future__ import annotations

from mages_env.engine import compiled, helper
from mages_env.games.magic_duel.board import UNSEEN
from mages_env.games.magic_duel.casting import count_power
from mages_env.games.magic_duel.data import (
    COMBAT_PROWESS,
    DRAIN_ENERGY,
    ENERGY,
    HEALING,
    MAGIC_MISSILE,
    SPELL_RANGE,
    UNNATURAL_SPEED,
)
from mages_env.games.magic_duel.state import (
    ARMOUR,
    AT_ENEMIES,
    D_CASTING,
    D_COUNTER,
    D_HEALING,
    D_MISSILES,
    D_PROWESS,
    D_WOUND,
    DICE_FACTOR,
    DIFFICULTY,
    E_COUNTER,
    E_DICE,
    E_FATIGUE,
    E_HEALED,
    E_NO_COUNTER,
    E_POWER,
    E_PROWESS,
    E_SPEED,
    E_TOKENS,
    EFFECT,
    MAGES,
    MOST_EFFECT,
    MOST_FATIGUE,
    MOST_PROWESS,
    P_CAST,
    P_COUNTER,
    P_DONE,
    P_OFFER,
    RESISTANCE,
    function,
    procedure,
)
from mages_env.games.magic_duel.units import d10, ready, roll, sight, tell, tire, wound


@compiled(function(3))
def can_enchant(s, spell, side, slot):
    """MGD-03, MGD-04: whether the actor's spell can be cast on a unit and do anything to it."""
    if s.pool[side, slot] == 0 or (AT_ENEMIES[spell] != 0) == (side == s.active):
        return 0
    here = s.square[s.active, s.actor]
    if sight(s, here, s.square[side, slot]) > SPELL_RANGE:
        return 0
    works = True
    if spell == HEALING:
        works = s.pool[side, slot] < s.pool_cap[side, slot]
    elif spell == ENERGY:
        works = s.fatigue[side, slot] > 0
    elif spell == DRAIN_ENERGY:
        works = s.fatigue[side, slot] < MOST_FATIGUE[slot]
    elif spell == COMBAT_PROWESS:
        works = s.prowess[side, slot] < MOST_PROWESS
    elif spell == UNNATURAL_SPEED:
        works = s.speed[side, slot] < MOST_EFFECT[UNNATURAL_SPEED]
    return 1 if works else 0


@helper
def spend_tokens(s, tokens):
    """MGD-05."""
    s.power_tokens[s.active, s.actor] -= tokens
    s.casting = 1 + tokens
    s.phase = P_OFFER
    tell(s, E_TOKENS, s.active, s.actor, tokens, 0)


@compiled(function(2))
def can_counter(s, side, slot):
    """MGD-06: a mage that is ready and sees the caster or the target."""
    if not ready(s, side, slot):
        return 0
    here = s.square[side, slot]
    sees = (
        sight(s, here, s.square[s.active, s.actor]) != UNSEEN
        or sight(s, here, s.square[s.target_side, s.target]) != UNSEEN
    )
    return 1 if sees else 0


@compiled(procedure(0))
def offer_counter(s):
    """MGD-06, MGD-31: the next side clockwise that can counter is asked, until all were."""
    side = (s.seat + 1) % s.num_players
    while side != s.active:
        for slot in range(MAGES):
            if can_counter(s, side, slot) != 0:
                s.seat = side
                s.phase = P_COUNTER
                return
        side = (side + 1) % s.num_players
    s.phase = P_CAST


@helper
def counter(s, slot, tokens):
    s.power_tokens[s.seat, slot] -= tokens
    tire(s, s.seat, slot, s.counter_fatigue)
    s.counter = 1 + tokens
    s.phase = P_CAST
    tell(s, E_COUNTER, s.seat, slot, tokens, 0)


@helper
def decline_counter(s):
    tell(s, E_NO_COUNTER, s.seat, 0, 0, 0)
    s.phase = P_OFFER


@helper
def roll_into(s, dice, purpose, side, count, threshold):
    """MGD-07: ``count`` dice into ``dice``, told in one event."""
    first = 0
    second = 0
    for k in range(count):
        die = d10(s)
        dice[k] = die
        if k < 4:
            first = first * DICE_FACTOR + die
        else:
            second = second * DICE_FACTOR + die
    if count > 0:
        tell(s, E_DICE, side, purpose * 16 + threshold, first, second)


@helper
def take_effect(s, effect):
    """MGD-11 to MGD-16, with the number of the row that the power reached."""
    side, slot = s.target_side, s.target
    if s.spell == MAGIC_MISSILE:
        hits = roll(s, D_MISSILES, s.active, effect, 0)
        wound(s, s.active, side, slot, roll(s, D_WOUND, s.active, hits, ARMOUR[slot]))
    elif s.spell == HEALING:
        regained = roll(s, D_HEALING, s.active, effect, 0)
        regained = min(regained, int(s.pool_cap[side, slot]) - int(s.pool[side, slot]))
        s.pool[side, slot] += regained
        tell(s, E_HEALED, side, slot, regained, s.pool[side, slot])
    elif s.spell == COMBAT_PROWESS:
        dice = roll(s, D_PROWESS, s.active, effect, 0)
        s.prowess[side, slot] = max(int(s.prowess[side, slot]), dice)
        tell(s, E_PROWESS, side, slot, s.prowess[side, slot], 0)
    elif s.spell == UNNATURAL_SPEED:
        s.speed[side, slot] = max(int(s.speed[side, slot]), effect)
        tell(s, E_SPEED, side, slot, s.speed[side, slot], 0)
    else:
        tire(s, side, slot, -effect if s.spell == ENERGY else effect)
        tell(s, E_FATIGUE, side, slot, s.spell, s.fatigue[side, slot])


@compiled(procedure(0))
def cast(s):
    """MGD-07 to MGD-09: dice, power and effect; ``seat`` is the side that counters, if one does."""
    threshold = int(DIFFICULTY[s.spell]) + int(RESISTANCE[s.target])
    roll_into(s, s.casting_dice, D_CASTING, s.active, s.casting, threshold)
    roll_into(s, s.counter_dice, D_COUNTER, s.seat, s.counter, 0)
    power = count_power(s.casting_dice, s.counter_dice, threshold)
    cancelled = 0
    for k in range(s.casting_dice.size):
        if s.casting_dice[k] < 0:
            cancelled |= 1 << k
    tell(s, E_POWER, s.active, power, cancelled, s.spell)
    if power > 0:
        take_effect(s, int(EFFECT[s.spell, power - 1]))
    s.phase = P_DONE
