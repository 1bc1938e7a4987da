"""Defeat, victory, places, and the turn limit."""

from __future__ import annotations

from mages_env.engine import TERMINATED, TRUNCATED, compiled, end_game, helper, pay

from .cards import discard_from_hand, report
from .magicians import lose_companion, refresh
from .state import (
    COMPANION,
    E_FALLS,
    E_LIMIT,
    MAGICIAN,
    NONE,
    NUMBER,
    RULES_1_5,
    STATUSES,
    TEAM_COUNT,
    rule,
)


@helper
def sides(s):
    """How many compete: teams, or all players (DM-38)."""
    teams = TEAM_COUNT[s.teams]
    return teams if teams > 0 else s.num_players


@helper
def allies(s, p, q):
    """Seats of a team alternate; without teams everybody is alone."""
    teams = TEAM_COUNT[s.teams]
    return p == q or (teams > 0 and p % teams == q % teams)


@compiled(rule(1, NUMBER))
def living(s, side):
    """Living members of a side."""
    count = 0
    n = sides(s)
    for p in range(side, s.num_players, n):
        count += int(s.alive[p])
    return count


@compiled(rule(1, NUMBER))
def total_hp(s, side):
    count = 0
    n = sides(s)
    for p in range(side, s.num_players, n):
        count += int(s.hp[p])
    return count


@compiled(rule(3))
def pay_side(s, side, twice_place, out):
    """ALL-04: the members of a side get its place, 0 being the first; ties share the mean."""
    n = sides(s)
    for p in range(side, s.num_players, n):
        pay(s, p, 1.0 - twice_place / (n - 1))
        if out != 0:
            s.terminated[p] = 1


@helper
def fall(s, p):
    """DM-36: hand and companion are discarded, character and items stay."""
    report(s, E_FALLS, p, 0, 0, 0)
    while s.hand_size[p] > 0:
        discard_from_hand(s, p, s.hand[p, s.hand_size[p] - 1])
    if s.companion[p] != NONE:
        lose_companion(s, p)
    s.alive[p] = 0
    s.pool[p] = 0
    for i in range(STATUSES):
        s.status[p, i] = 0
    for part in (MAGICIAN, COMPANION):
        s.dot[p, part] = NONE
        s.dot_turns[p, part] = 0
        s.dot_user[p, part] = NONE
    refresh(s, p)


@compiled(rule(1))
def settle_defeats(s, victor):
    """DM-36 to DM-38: whoever has no hit points left falls, all of them together.

    ``victor`` may loot them; NONE where nobody may.
    """
    n = sides(s)
    before = 1
    for p in range(s.num_players):
        before += 1 - int(s.alive[p])
    standing = 0  # sides by bit
    fallen = 0  # seats by bit
    for p in range(s.num_players):
        if s.alive[p] != 0:
            standing |= 1 << (p % n)
            if s.hp[p] == 0:
                fallen |= 1 << p
    if fallen == 0:
        return
    for p in range(s.num_players):
        if fallen >> p & 1:
            fall(s, p)
            s.fell[p] = before
    left = 0
    beaten = 0
    for side in range(n):
        if standing >> side & 1:
            if living(s, side) > 0:
                left += 1
            else:
                beaten += 1
    for side in range(n):
        if standing >> side & 1:
            if living(s, side) == 0:
                pay_side(s, side, 2 * left + beaten - 1, 1)
            elif left == 1:
                pay_side(s, side, 0, 1)
    if left <= 1:
        end_game(s, TERMINATED)
        return
    if victor != NONE and s.alive[victor] != 0 and s.rules == RULES_1_5:
        s.victor = victor
        s.loot |= fallen


@helper
def truncate(s):
    """DM-39: the living, who come before the fallen, by hit points."""
    report(s, E_LIMIT, NONE, 0, 0, 0)
    n = sides(s)
    for side in range(n):
        if living(s, side) > 0:
            own = total_hp(s, side)
            better = 0
            level = 0
            for other in range(n):
                if living(s, other) > 0:
                    if total_hp(s, other) > own:
                        better += 1
                    elif total_hp(s, other) == own:
                        level += 1
            pay_side(s, side, 2 * better + level - 1, 0)
    end_game(s, TRUNCATED)
