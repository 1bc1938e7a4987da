"""Setting up, turns, whose action it is, and the end of the game."""

from __future__ import annotations

from mages_env.engine import (
    NOBODY,
    RUNNING,
    TERMINATED,
    begin_game,
    compiled,
    end_game,
    helper,
    pay,
)
from mages_env.games.magic_duel.board import (
    ABSOLUTE,
    BIT,
    FEWEST_SIDES,
    NEAR_NEXUS,
    OPEN,
    square_at,
)
from mages_env.games.magic_duel.data import (
    ACTION_TOKENS,
    FIRST_POWER_TOKENS,
    NEXUS_POINTS,
    RECOVERY,
    TURNS,
    UNITS,
)
from mages_env.games.magic_duel.state import (
    E_INITIATIVE,
    E_NEXUS,
    E_OUT,
    E_TURN,
    E_TURN_END,
    HIT_POINTS,
    MAGES,
    MODELS,
    MOST_VICTORY_POINTS,
    P_ACTIVATE,
    SCORE,
    SIGNATURES,
    SLOTS,
    UNITS_OF,
    procedure,
)
from mages_env.games.magic_duel.units import d10, models, remove, tell, tire

_DEPLOYED_AT = tuple(square_at(*unit.at) for unit in UNITS)
_ROLLS_TOLD = 3
"""Rolls for the initiative that are told: the first two, and the last."""


@compiled(procedure(0))
def clear_action(s):
    s.actor = -1
    s.deed = -1
    s.spell = -1
    s.target_side = -1
    s.target = -1
    s.goal = -1
    s.casting = 0
    s.counter = 0
    s.shot_back = 0
    s.attack[0] = -1
    s.attack[1] = -1
    for k in range(s.casting_dice.size):
        s.casting_dice[k] = 0
        s.counter_dice[k] = 0


@helper
def roll_initiative(s):
    """MGD-20, MGD-31: high holds it; tied leaders roll again unless one of them held it."""
    leaders = 0  # bits of the sides that still roll
    for side in range(s.num_players):
        if s.terminated[side] == 0:
            leaders |= 1 << side
    rolls = 0
    before = s.num_events
    while leaders & (leaders - 1) != 0:
        rolls += 1
        if rolls <= _ROLLS_TOLD:
            before = s.num_events
        s.num_events = before  # a fourth and later one takes the place of the one before
        highest = 0
        rolling = leaders
        for side in range(s.num_players):
            if rolling >> side & 1 != 0:
                die = d10(s)
                tell(s, E_INITIATIVE, side, die, rolls, 0)
                if die > highest:
                    highest = die
                    leaders = 0
                if die == highest:
                    leaders |= 1 << side
        if s.holder != NOBODY and leaders >> s.holder & 1 != 0:
            leaders = 1 << s.holder
    for side in range(s.num_players):
        if leaders >> side & 1 != 0:
            s.holder = side


@compiled(procedure(0))
def begin_turn(s):
    for side in range(s.num_players):
        out = int(s.terminated[side])
        s.action_tokens[side] = 0 if out else ACTION_TOKENS  # MGD-20
        s.passed[side] = out
        for slot in range(SLOTS):
            s.pool_cap[side, slot] = HIT_POINTS[slot] * models(s, side, slot)  # MGD-12
    roll_initiative(s)
    s.active = s.holder
    s.seat = s.holder
    s.phase = P_ACTIVATE
    tell(s, E_TURN, s.holder, s.turn, 0, 0)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    board = s.num_players - FEWEST_SIDES
    s.free[0] = OPEN[board, 0]
    s.free[1] = OPEN[board, 1]
    for side in range(s.num_players):
        s.victory_points[side] = 0
        for slot in range(SLOTS):
            remove(s, side, slot)
            if slot < UNITS_OF[s.scenario]:
                square = int(ABSOLUTE[board, side, _DEPLOYED_AT[slot]])  # MGD-19, MGD-31
                s.square[side, slot] = square
                s.pool[side, slot] = MODELS[slot] * HIT_POINTS[slot]
                s.free[0] &= ~BIT[square, 0]
                s.free[1] &= ~BIT[square, 1]
                if slot < MAGES:
                    s.power_tokens[side, slot] = FIRST_POWER_TOKENS  # MGD-27
    s.holder = NOBODY
    clear_action(s)
    begin_turn(s)


@helper
def place(s, side, playing, alive):
    """Twice the place, from 0, that ties share: who is alive is before who is not, then by points.

    Sides that went out before come after all that play.
    """
    here = (alive >> side & 1) * 1000 + int(s.victory_points[side])
    place = 0
    for other in range(s.num_players):
        if other != side and playing >> other & 1 != 0:
            there = (alive >> other & 1) * 1000 + int(s.victory_points[other])
            if there > here:
                place += 2
            elif there == here:
                place += 1
    return place


@helper
def score(s, side):
    """ALL-04: victory points beyond the mean of the others', in their scale."""
    others = 0
    for other in range(s.num_players):
        if other != side:
            others += int(s.victory_points[other])
    ahead = int(s.victory_points[side]) - others / (s.num_players - 1)
    return ahead / float(MOST_VICTORY_POINTS[s.num_players])


@compiled(procedure(1))
def retire(s, last):
    """MGD-22, MGD-31: sides without a unit are out and paid, all are once the game is over."""
    alive = 0  # bits of the sides
    playing = 0
    for side in range(s.num_players):
        if s.terminated[side] == 0:
            playing |= 1 << side
            for slot in range(SLOTS):
                if s.pool[side, slot] > 0:
                    alive |= 1 << side
    over = last != 0 or alive & (alive - 1) == 0
    if alive == playing and not over:
        return
    for side in range(s.num_players):
        if playing >> side & 1 != 0 and (over or alive >> side & 1 == 0):
            reward = 0.0
            if s.reward == SCORE:
                reward = score(s, side)
            else:
                reward = 1.0 - place(s, side, playing, alive) / (s.num_players - 1)
            pay(s, side, reward)
    for side in range(s.num_players):
        if playing >> side & 1 != 0 and alive >> side & 1 == 0:
            s.terminated[side] = 1
            s.action_tokens[side] = 0
            s.passed[side] = 1
            tell(s, E_OUT, side, 0, 0, 0)
    if over:
        end_game(s, TERMINATED)


@helper
def pass_on(s):
    """MGD-20: the next side clockwise that can act; whether there is one."""
    side = s.active
    for _ in range(s.num_players):
        side = (side + 1) % s.num_players
        if s.passed[side] == 0 and s.action_tokens[side] > 0:
            s.active = side
            s.seat = side
            s.phase = P_ACTIVATE
            return True
    return False


@helper
def end_turn(s):
    holders = 0
    holding = NOBODY
    for side in range(s.num_players):
        near = 0
        for slot in range(SLOTS):
            if s.pool[side, slot] > 0:
                tire(s, side, slot, -RECOVERY)  # MGD-20
                s.prowess[side, slot] = 0
                s.speed[side, slot] = 0
                if s.broken[side, slot] == 0:
                    near |= int(NEAR_NEXUS[s.square[side, slot]])
        if near != 0:
            holders += 1
            holding = side
    tell(s, E_TURN_END, NOBODY, s.turn, 0, 0)
    if holders == 1:  # MGD-22
        s.victory_points[holding] += NEXUS_POINTS
        tell(s, E_NEXUS, holding, NEXUS_POINTS, s.victory_points[holding], 0)
    s.turn += 1
    if s.turn >= TURNS:
        retire(s, 1)
    else:
        begin_turn(s)


@compiled(procedure(0))
def finish_action(s):
    """What follows an action: sides that are out, the next side's action, or the turn's end."""
    clear_action(s)
    retire(s, 0)
    if s.over != RUNNING:
        return
    if not pass_on(s):
        end_turn(s)
