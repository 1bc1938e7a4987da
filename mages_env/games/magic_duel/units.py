"""What rules of all subjects do with units and dice."""

from __future__ import annotations

from mages_env.engine import ALL, compiled, emit, helper, randbelow
from mages_env.games.magic_duel.board import (
    BIT,
    FEWEST_SIDES,
    HALF,
    LAST_LOW_ROW,
    ROW_BITS,
    SHIFT,
    SIGHT,
)
from mages_env.games.magic_duel.data import DIE
from mages_env.games.magic_duel.state import (
    BOW,
    D_HEALING,
    D_MISSILES,
    D_PROWESS,
    DICE_FACTOR,
    E_BROKEN,
    E_DESTROYED,
    E_DICE,
    E_MODELS,
    E_MORALE,
    E_MOVE,
    E_WOUNDS,
    ENDURANCE,
    HIT_POINTS,
    MODELS,
    MORALE,
    MOST_FATIGUE,
    WORTH,
    function,
    pair_function,
    procedure,
)

_FIRST_ROW = (1 << ROW_BITS) - 1


@compiled(procedure(5))
def tell(s, code, seat, a, b, c):
    """An event that everybody sees."""
    emit(s, code, ALL, seat, a, b, c)


@compiled(function(0))
def d10(s):
    return randbelow(s, DIE) + 1  # MGD-01


@compiled(function(4))
def roll(s, purpose, side, count, needed):
    """MGD-01: ``count`` D10, eight to an event; how many are ``needed`` or more, or their sum."""
    result = 0
    first = 0
    second = 0
    held = 0
    for k in range(count):
        die = d10(s)
        if purpose == D_PROWESS:
            result += die
        elif purpose in (D_MISSILES, D_HEALING):
            result += (die + 1) >> 1  # D5
        elif die >= needed:
            result += 1
        if held < 4:
            first = first * DICE_FACTOR + die
        else:
            second = second * DICE_FACTOR + die
        held += 1
        if held == 8 or k == count - 1:
            emit(s, E_DICE, ALL, side, purpose * 16 + max(0, needed), first, second)
            first = 0
            second = 0
            held = 0
    return result


@helper
def sight(s, a, b):
    """MGD-18: the distance of two squares that see each other, else ``UNSEEN``."""
    return int(SIGHT[s.num_players - FEWEST_SIDES, a, b])


@helper
def models(s, side, slot):
    """MGD-24."""
    hit_points = int(HIT_POINTS[slot])
    return (int(s.pool[side, slot]) + hit_points - 1) // hit_points


@helper
def weakened(s, side, slot):
    """MGD-30: at or below half strength, in models, or in hit points where there is but one."""
    if MODELS[slot] == 1:
        return 2 * int(s.pool[side, slot]) <= HIT_POINTS[slot]
    return 2 * models(s, side, slot) <= MODELS[slot]


@helper
def ready(s, side, slot):
    """MGD-21: in play, not fatigued and not broken."""
    return (
        s.pool[side, slot] > 0
        and s.fatigue[side, slot] < ENDURANCE[slot]
        and s.broken[side, slot] == 0
    )


@compiled(procedure(3))
def tire(s, side, slot, fatigue):
    """MGD-21: fatigue up to its cap, never below none."""
    s.fatigue[side, slot] = max(0, min(int(s.fatigue[side, slot]) + fatigue, MOST_FATIGUE[slot]))


@compiled(procedure(2))
def break_unit(s, side, slot):
    s.broken[side, slot] = 1
    tell(s, E_BROKEN, side, slot, 0, 0)


@compiled(function(2))
def stands(s, side, slot):
    """MGD-30: the morale test, where there has to be one; whether the unit is not broken."""
    if weakened(s, side, slot) and s.broken[side, slot] == 0:
        die = d10(s)
        tokens = int(s.morale_tokens[side, slot])
        tell(s, E_MORALE, side, slot, die, tokens)
        if die + tokens >= MORALE[slot]:
            break_unit(s, side, slot)
    return 1 - int(s.broken[side, slot])


@compiled(procedure(3))
def relocate(s, side, slot, square):
    """The unit goes to a free square, or off the board (-1)."""
    here = int(s.square[side, slot])
    for half in range(2):
        bits = s.free[half] | BIT[here, half]
        if square >= 0:
            bits &= ~BIT[square, half]
        s.free[half] = bits
    s.square[side, slot] = square
    if square >= 0:
        tell(s, E_MOVE, side, slot, here, square)


@helper
def remove(s, side, slot):
    """Nothing is left of the unit, no square either."""
    s.square[side, slot] = -1
    s.pool[side, slot] = 0
    s.pool_cap[side, slot] = 0
    s.fatigue[side, slot] = 0
    s.broken[side, slot] = 0
    s.prowess[side, slot] = 0
    s.speed[side, slot] = 0
    s.morale_tokens[side, slot] = 0
    if slot < s.power_tokens.shape[1]:
        s.power_tokens[side, slot] = 0


@compiled(procedure(4))
def wound(s, by, side, slot, wounds):
    """MGD-24: hit points lost to side ``by``, a morale token a model; MGD-22: destroyed by it."""
    if wounds == 0 or s.pool[side, slot] == 0:
        return
    before = models(s, side, slot)
    lost = min(wounds, int(s.pool[side, slot]))
    s.pool[side, slot] -= lost
    tell(s, E_WOUNDS, side, slot, lost, s.pool[side, slot])
    fallen = before - models(s, side, slot)
    if s.pool[side, slot] == 0:
        s.victory_points[by] += WORTH[slot]
        tell(s, E_DESTROYED, side, slot, by, WORTH[slot])
        relocate(s, side, slot, -1)
        remove(s, side, slot)
    elif fallen > 0:
        s.morale_tokens[side, slot] += fallen
        tell(s, E_MODELS, side, slot, fallen, s.morale_tokens[side, slot])


@compiled(pair_function(2))
def reach(s, square, steps):
    """MGD-23: the squares, as bits, that so many steps through free squares lead to."""
    low = BIT[square, 0]
    high = BIT[square, 1]
    for _ in range(steps):
        row = low | (low << 1) | (low >> 1)
        rows_above = high | (high << 1) | (high >> 1)
        up = rows_above << ROW_BITS | row >> LAST_LOW_ROW
        down = row >> ROW_BITS | (rows_above & _FIRST_ROW) << LAST_LOW_ROW
        low = (row | row << ROW_BITS | down) & s.free[0] | BIT[square, 0]
        high = (rows_above | up | rows_above >> ROW_BITS) & s.free[1] | BIT[square, 1]
    return low & s.free[0], high & s.free[1]


@helper
def bit(low, high, square):
    """Whether ``square`` is in the set of these bits, 0 or 1."""
    return ((high if HALF[square] == 1 else low) >> int(SHIFT[square])) & 1


@helper
def in_bowshot(s, side, slot, square):
    """MGD-24: whether the unit can shoot at ``square``, if it can shoot at all."""
    return sight(s, s.square[side, slot], square) <= BOW[slot]
