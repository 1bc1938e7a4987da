"""Shots, charges and close combat."""

from __future__ import annotations

from mages_env.engine import ALL, compiled, emit, helper
from mages_env.games.magic_duel.board import BESIDE, DISTANCE, SQUARES, UNSEEN
from mages_env.games.magic_duel.data import COMBAT_FATIGUE, REACTION_FATIGUE
from mages_env.games.magic_duel.state import (
    ARMOUR,
    ATTACK_SKILL,
    CHARGING,
    COMBAT_DICE,
    D_ATTACK,
    D_DEFENCE,
    D_HIT,
    D_WOUND,
    DEFENCE_BONUS,
    E_CHARGE,
    E_NO_REACTION,
    E_REACT,
    E_SPLIT,
    E_SPLIT_MADE,
    ENDURANCE,
    HIT_ON,
    P_CHARGE_SQUARE,
    P_CLOSE,
    P_DONE,
    P_FIGHT,
    P_REACT,
    P_SHOTS,
    P_SPLIT,
    P_SPLIT_CHARGED,
    P_TEST,
    RUN,
    SHOOTING,
    STRENGTH,
    function,
    pair_function,
    procedure,
)
from mages_env.games.magic_duel.units import (
    bit,
    break_unit,
    in_bowshot,
    models,
    reach,
    ready,
    relocate,
    roll,
    sight,
    stands,
    tell,
    tire,
    wound,
)


@compiled(function(4))
def shot(s, side, slot, target_side, target):
    """MGD-24: the wounds that a unit's bows inflict."""
    hits = roll(s, D_HIT, side, models(s, side, slot), HIT_ON[target])
    return roll(s, D_WOUND, side, hits, ARMOUR[target])


@helper
def can_shoot_back(s):
    """MGD-29: whether the target can shoot at the actor, who has not moved yet."""
    here = s.square[s.active, s.actor]
    there = s.square[s.target_side, s.target]
    return (
        ready(s, s.target_side, s.target)
        and in_bowshot(s, s.target_side, s.target, here)
        and (s.deed == SHOOTING or DISTANCE[here, there] > 1)
    )


@compiled(procedure(0))
def ask_reaction(s):
    """MGD-29: the reaction is the target's choice if there can be one."""
    if can_shoot_back(s):
        s.phase = P_REACT
        s.seat = s.target_side
    elif s.deed == SHOOTING:
        s.phase = P_SHOTS
    else:
        s.phase = P_CLOSE


@helper
def react(s, accepted):
    if accepted:
        tell(s, E_REACT, s.target_side, s.target, 0, 0)
        tire(s, s.target_side, s.target, REACTION_FATIGUE)
        s.shot_back = 1
    else:
        tell(s, E_NO_REACTION, s.target_side, s.target, 0, 0)
    s.phase = P_SHOTS


@compiled(procedure(0))
def exchange_shots(s):
    """MGD-24, MGD-29: the shot and the one that answers it, or the one that meets a charge."""
    wounds = 0
    wounds_back = 0
    if s.deed == SHOOTING:
        if s.shot_back == 0 or stands(s, s.active, s.actor) != 0:  # MGD-30
            wounds = shot(s, s.active, s.actor, s.target_side, s.target)
    if s.shot_back != 0:
        wounds_back = shot(s, s.target_side, s.target, s.active, s.actor)
    wound(s, s.active, s.target_side, s.target, wounds)
    wound(s, s.target_side, s.active, s.actor, wounds_back)
    if s.deed == CHARGING and s.pool[s.active, s.actor] > 0:
        s.phase = P_CLOSE
    else:
        s.phase = P_DONE


@compiled(pair_function(2))
def charge_reach(s, side, slot):
    """MGD-25: squares within run and speed, as bits."""
    steps = int(RUN[slot]) + int(s.speed[side, slot])
    return reach(s, s.square[side, slot], steps)


@helper
def can_charge(s, here, there, low, high):
    """MGD-25: an enemy at ``there`` in sight, adjacent or with one of these squares beside it."""
    if sight(s, here, there) == UNSEEN:
        return False
    adjacent = DISTANCE[here, there] == 1
    return adjacent or (low & BESIDE[there, 0]) | (high & BESIDE[there, 1]) != 0


@compiled(pair_function(0))
def charge_squares(s):
    """MGD-25: the squares that the charge under way may lead to, as bits."""
    there = int(s.square[s.target_side, s.target])
    low, high = charge_reach(s, s.active, s.actor)
    return low & BESIDE[there, 0], high & BESIDE[there, 1]


@compiled(procedure(0))
def aim_charge(s):
    """MGD-25: where the charge leads to, which is asked if there are several squares."""
    here = int(s.square[s.active, s.actor])
    there = int(s.square[s.target_side, s.target])
    s.phase = P_TEST
    s.goal = here
    if DISTANCE[here, there] > 1:
        low, high = charge_squares(s)
        squares = 0
        for square in range(SQUARES):
            if bit(low, high, square) != 0:
                squares += 1
                s.goal = square
        if squares > 1:
            s.goal = -1
            s.phase = P_CHARGE_SQUARE


@helper
def choose_goal(s, square):
    s.goal = square
    s.phase = P_TEST
    tell(s, E_CHARGE, s.active, s.actor, square, 0)


@compiled(procedure(0))
def test_charge(s):
    """MGD-25: the charger's morale, then the charged unit's; then the reaction."""
    if stands(s, s.active, s.actor) == 0:
        s.phase = P_DONE
        return
    if s.broken[s.target_side, s.target] == 0:
        if s.fatigue[s.target_side, s.target] >= ENDURANCE[s.target]:  # MGD-30
            break_unit(s, s.target_side, s.target)
        else:
            stands(s, s.target_side, s.target)
    ask_reaction(s)


@helper
def close_in(s):
    if s.goal != s.square[s.active, s.actor]:
        relocate(s, s.active, s.actor, s.goal)
    s.phase = P_SPLIT
    s.seat = s.active


@helper
def combat_dice(s, side, slot):
    """MGD-26, MGD-15."""
    return int(COMBAT_DICE[slot]) * models(s, side, slot) + int(s.prowess[side, slot])


@helper
def split_charger(s, attack):
    """MGD-26: hidden until the other side has split its dice, if it has a choice."""
    s.attack[0] = attack
    if s.broken[s.target_side, s.target] != 0:
        s.attack[1] = 0
        s.phase = P_FIGHT
    else:
        tell(s, E_SPLIT_MADE, s.active, 0, 0, 0)
        dice = combat_dice(s, s.active, s.actor)
        emit(s, E_SPLIT, s.active, s.active, s.actor, attack, dice - attack)
        s.phase = P_SPLIT_CHARGED
        s.seat = s.target_side


@helper
def split_charged(s, attack):
    s.attack[1] = attack
    s.phase = P_FIGHT


@compiled(procedure(0))
def fight(s):
    """MGD-26: defence dice of the charger, of the charged, attack dice likewise, then the harm."""
    side, slot = s.active, s.actor
    other_side, other = s.target_side, s.target
    attack = s.attack[0]
    defence = combat_dice(s, side, slot) - attack
    other_attack = s.attack[1]
    other_defence = combat_dice(s, other_side, other) - other_attack
    emit(s, E_SPLIT, ALL, side, slot, attack, defence)
    emit(s, E_SPLIT, ALL, other_side, other, other_attack, other_defence)
    needed = int(ATTACK_SKILL[other]) - int(DEFENCE_BONUS[slot])
    other_needed = int(ATTACK_SKILL[slot]) - int(DEFENCE_BONUS[other])
    other_attack -= roll(s, D_DEFENCE, side, defence, needed)
    attack -= roll(s, D_DEFENCE, other_side, other_defence, other_needed)
    needed = int(ARMOUR[other]) - int(STRENGTH[slot])
    other_needed = int(ARMOUR[slot]) - int(STRENGTH[other])
    wounds = roll(s, D_ATTACK, side, attack, needed)
    other_wounds = roll(s, D_ATTACK, other_side, other_attack, other_needed)
    tire(s, side, slot, COMBAT_FATIGUE)
    tire(s, other_side, other, COMBAT_FATIGUE)
    wound(s, side, other_side, other, wounds)
    wound(s, other_side, side, slot, other_wounds)
    s.phase = P_DONE
