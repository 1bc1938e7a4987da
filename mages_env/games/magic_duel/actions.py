"""Choosing an action and what belongs to no other subject: moving, gathering, rallying."""

from __future__ import annotations

from mages_env.engine import compiled, helper
from mages_env.games.magic_duel.board import ABSOLUTE, FEWEST_SIDES
from mages_env.games.magic_duel.combat import aim_charge, ask_reaction
from mages_env.games.magic_duel.data import (
    ACTION_FATIGUE,
    GATHERED,
    MOST_POWER_TOKENS,
    RUN_FATIGUE,
)
from mages_env.games.magic_duel.state import (
    A_PASS,
    A_SQUARE,
    A_UNIT,
    CASTING,
    CHARGING,
    DEEDS,
    E_ACTIVATE,
    E_GATHER,
    E_PASS,
    E_RALLY,
    E_SPELL,
    E_TARGET,
    GATHERING,
    MORALE,
    P_DESTINATION,
    P_DONE,
    P_SPELL,
    P_TARGET,
    P_TOKENS,
    RALLYING,
    RUNNING,
    SHOOTING,
    SLOTS,
    TARGET_OF,
    procedure,
)
from mages_env.games.magic_duel.units import d10, relocate, tell, tire


@helper
def gather(s):
    """MGD-27."""
    tokens = min(int(s.power_tokens[s.active, s.actor]) + GATHERED, MOST_POWER_TOKENS)
    s.power_tokens[s.active, s.actor] = tokens
    s.phase = P_DONE
    tell(s, E_GATHER, s.active, s.actor, tokens, 0)


@helper
def rally(s):
    """MGD-28."""
    die = d10(s)
    tokens = int(s.morale_tokens[s.active, s.actor])
    if die + tokens < MORALE[s.actor]:
        s.broken[s.active, s.actor] = 0
    s.phase = P_DONE
    tell(s, E_RALLY, s.active, s.actor, die, tokens)


@compiled(procedure(1))
def activate(s, action):
    """MGD-20, MGD-21: pass, or a unit and what it does; token and fatigue are paid at once."""
    side = s.active
    if action == A_PASS:
        s.passed[side] = 1
        s.phase = P_DONE
        tell(s, E_PASS, side, 0, 0, 0)
        return
    s.actor = (action - A_UNIT) // len(DEEDS)
    s.deed = (action - A_UNIT) % len(DEEDS)
    s.action_tokens[side] -= 1
    tire(s, side, s.actor, RUN_FATIGUE if s.deed == RUNNING else ACTION_FATIGUE)
    tell(s, E_ACTIVATE, side, s.actor, s.deed, s.action_tokens[side])
    if s.deed == GATHERING:
        gather(s)
    elif s.deed == RALLYING:
        rally(s)
    elif s.deed == CASTING:
        s.phase = P_SPELL
    elif s.deed == SHOOTING or s.deed == CHARGING:
        s.phase = P_TARGET
    else:
        s.phase = P_DESTINATION


@helper
def square_meant(s, action):
    """The square of an action, which is in the frame of the side to act."""
    return int(ABSOLUTE[s.num_players - FEWEST_SIDES, s.active, action - A_SQUARE])


@helper
def go(s, square):
    """MGD-23."""
    relocate(s, s.active, s.actor, square)
    s.phase = P_DONE


@helper
def choose_spell(s, spell):
    s.spell = spell
    s.phase = P_TARGET
    tell(s, E_SPELL, s.active, s.actor, spell, 0)


@compiled(procedure(1))
def choose_target(s, action):
    s.target_side = (s.active + TARGET_OF[action] // SLOTS) % s.num_players
    s.target = TARGET_OF[action] % SLOTS
    tell(s, E_TARGET, s.active, s.target_side, s.target, 0)
    if s.deed == CASTING:
        s.phase = P_TOKENS
    elif s.deed == SHOOTING:
        ask_reaction(s)
    else:
        aim_charge(s)
