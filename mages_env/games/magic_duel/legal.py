"""What the seat to move may do: masks leave out what cannot do anything."""

from __future__ import annotations

from mages_env.engine import NOBODY, clear, compiled
from mages_env.games.magic_duel.board import ABSOLUTE, BESIDE, FEWEST_SIDES, SQUARES
from mages_env.games.magic_duel.casting import MOST_DICE
from mages_env.games.magic_duel.combat import (
    can_charge,
    charge_reach,
    charge_squares,
    combat_dice,
)
from mages_env.games.magic_duel.data import MOST_POWER_TOKENS, SPELLS
from mages_env.games.magic_duel.spells import can_counter, can_enchant
from mages_env.games.magic_duel.state import (
    A_ATTACK,
    A_COUNTER,
    A_PASS,
    A_SHOOT_BACK,
    A_SPELL,
    A_SQUARE,
    A_TOKENS,
    A_UNIT,
    BOW,
    CASTING,
    CHARGING,
    DEEDS,
    ENDURANCE,
    GATHERING,
    MAGES,
    MOVE,
    MOVING,
    P_ACTIVATE,
    P_CHARGE_SQUARE,
    P_COUNTER,
    P_DESTINATION,
    P_REACT,
    P_SPELL,
    P_SPLIT,
    P_TARGET,
    P_TOKENS,
    RALLYING,
    RUN,
    RUNNING,
    SHOOTING,
    SIGNATURES,
    SLOTS,
    TARGET_ID,
    function,
)
from mages_env.games.magic_duel.units import bit, in_bowshot, reach, sight


@compiled(function(2))
def can_shoot(s, side, slot):
    """MGD-24: whether there is an enemy to shoot at."""
    for other in range(s.num_players):
        if other != side:
            for k in range(SLOTS):
                if s.pool[other, k] > 0 and in_bowshot(s, side, slot, s.square[other, k]):
                    return 1
    return 0


@compiled(function(2))
def can_charge_any(s, side, slot):
    """MGD-25: whether there is an enemy to charge."""
    here = s.square[side, slot]
    within = int(RUN[slot]) + int(s.speed[side, slot]) + 1
    near = False
    for other in range(s.num_players):
        if other != side:
            for k in range(SLOTS):
                if s.pool[other, k] > 0:
                    distance = sight(s, here, s.square[other, k])
                    if distance == 1:
                        return 1
                    if distance <= within:
                        near = True
    if near:
        low, high = charge_reach(s, side, slot)
        for other in range(s.num_players):
            if other != side:
                for k in range(SLOTS):
                    if s.pool[other, k] > 0 and can_charge(s, here, s.square[other, k], low, high):
                        return 1
    return 0


@compiled(SIGNATURES.legal)
def allow_activations(s, mask):
    mask[A_PASS] = 1
    side = s.active
    for slot in range(SLOTS):
        if s.pool[side, slot] == 0 or s.fatigue[side, slot] >= ENDURANCE[slot]:  # MGD-21
            continue
        unit = A_UNIT + len(DEEDS) * slot
        if s.broken[side, slot] != 0:
            mask[unit + RALLYING] = 1
            continue
        here = s.square[side, slot]
        if (s.free[0] & BESIDE[here, 0]) | (s.free[1] & BESIDE[here, 1]) != 0:
            mask[unit + MOVING] = 1
            mask[unit + RUNNING] = 1
        if BOW[slot] > 0:
            mask[unit + SHOOTING] = can_shoot(s, side, slot)
        mask[unit + CHARGING] = can_charge_any(s, side, slot)
        if slot < MAGES:
            mask[unit + CASTING] = 1  # Energy on itself is always possible
            if s.power_tokens[side, slot] < MOST_POWER_TOKENS:
                mask[unit + GATHERING] = 1


@compiled(SIGNATURES.legal)
def allow_squares(s, mask):
    """MGD-23, MGD-25: in the frame of the side that moves."""
    side, slot = s.active, s.actor
    if s.phase == P_CHARGE_SQUARE:
        low, high = charge_squares(s)
    else:
        steps = int(MOVE[slot] if s.deed == MOVING else RUN[slot]) + int(s.speed[side, slot])
        low, high = reach(s, s.square[side, slot], steps)
    board = s.num_players - FEWEST_SIDES
    for k in range(SQUARES):
        mask[A_SQUARE + k] = bit(low, high, ABSOLUTE[board, side, k])


@compiled(function(1))
def has_target(s, spell):
    for side in range(s.num_players):
        for slot in range(SLOTS):
            if can_enchant(s, spell, side, slot) != 0:
                return 1
    return 0


@compiled(SIGNATURES.legal)
def allow_targets(s, mask):
    side, slot = s.active, s.actor
    here = s.square[side, slot]
    low, high = s.free[0], s.free[1]
    if s.deed == CHARGING:
        low, high = charge_reach(s, side, slot)
    for ahead in range(s.num_players):
        other = (side + ahead) % s.num_players
        for k in range(SLOTS):
            if s.pool[other, k] > 0:
                if s.deed == CASTING:
                    allowed = can_enchant(s, s.spell, other, k) != 0
                elif ahead == 0:
                    allowed = False
                elif s.deed == SHOOTING:
                    allowed = in_bowshot(s, side, slot, s.square[other, k])
                else:
                    allowed = can_charge(s, here, s.square[other, k], low, high)
                mask[TARGET_ID[ahead, k]] = allowed


@compiled(SIGNATURES.legal)
def legal(s, mask):
    clear(mask)
    if s.seat == NOBODY:
        return
    phase = s.phase
    if phase == P_ACTIVATE:
        allow_activations(s, mask)
    elif phase in (P_DESTINATION, P_CHARGE_SQUARE):
        allow_squares(s, mask)
    elif phase == P_SPELL:
        for spell in range(len(SPELLS)):
            mask[A_SPELL + spell] = has_target(s, spell)
    elif phase == P_TARGET:
        allow_targets(s, mask)
    elif phase == P_TOKENS:
        for tokens in range(int(s.power_tokens[s.active, s.actor]) + 1):  # MGD-05
            mask[A_TOKENS + tokens] = 1
    elif phase == P_COUNTER:
        mask[A_PASS] = 1
        for slot in range(MAGES):
            if can_counter(s, s.seat, slot) != 0:  # MGD-06
                for tokens in range(int(s.power_tokens[s.seat, slot]) + 1):
                    mask[A_COUNTER + MOST_DICE * slot + tokens] = 1
    elif phase == P_REACT:  # MGD-29
        mask[A_PASS] = 1
        mask[A_SHOOT_BACK] = 1
    else:  # MGD-26
        side, slot = s.target_side, s.target
        if phase == P_SPLIT:
            side, slot = s.active, s.actor
        for attack in range(combat_dice(s, side, slot) + 1):
            mask[A_ATTACK + attack] = 1
