"""Options, action ids, events and the state record of Magic Duel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from mages_env.engine import record_type, signatures, state_dtype
from mages_env.game import Option
from mages_env.games.magic_duel.board import MAX_SIDES, SQUARES
from mages_env.games.magic_duel.casting import MOST_DICE
from mages_env.games.magic_duel.data import (
    COMBAT_PROWESS,
    COUNTER_FATIGUE,
    DIE,
    FATIGUE_CAP,
    NEXUS_POINTS,
    SCENARIOS,
    SPELLS,
    TURNS,
    UNITS,
)
from mages_env.layout import Block, Layout

SLOTS = len(UNITS)
MAGES = sum(unit.mage for unit in UNITS)

# The units' profiles by slot.
MODELS = np.array([unit.models for unit in UNITS], np.int8)
HIT_POINTS = np.array([unit.hit_points for unit in UNITS], np.int8)
MOVE = np.array([unit.move for unit in UNITS], np.int8)
RUN = np.array([unit.run for unit in UNITS], np.int8)
COMBAT_DICE = np.array([unit.combat_dice for unit in UNITS], np.int8)
ATTACK_SKILL = np.array([unit.attack_skill for unit in UNITS], np.int8)
DEFENCE_BONUS = np.array([unit.defence_bonus for unit in UNITS], np.int8)
STRENGTH = np.array([unit.strength for unit in UNITS], np.int8)
HIT_ON = np.array([unit.target for unit in UNITS], np.int8)
ARMOUR = np.array([unit.armour for unit in UNITS], np.int8)
RESISTANCE = np.array([unit.magic_resistance for unit in UNITS], np.int8)
ENDURANCE = np.array([unit.endurance for unit in UNITS], np.int8)
MOST_FATIGUE = FATIGUE_CAP * ENDURANCE
MORALE = np.array([unit.morale for unit in UNITS], np.int8)
BOW = np.array([unit.bow for unit in UNITS], np.int8)
WORTH = np.array([unit.victory_points for unit in UNITS], np.int8)
UNITS_OF = np.array(list(SCENARIOS.values()), np.int8)
"""How many units a side has, by scenario."""

# The spells.
DIFFICULTY = np.array([spell.difficulty for spell in SPELLS], np.int8)
AT_ENEMIES = np.array([spell.at_enemies for spell in SPELLS], np.int8)
EFFECT = np.array(
    [
        [spell.rows[min(power, len(spell.rows)) - 1] for power in range(1, MOST_DICE + 1)]
        for spell in SPELLS
    ],
    np.int8,
)
"""By spell and power less one; power above the table counts as its last row (MGD-09)."""
MOST_EFFECT = EFFECT.max(axis=1)
MOST_PROWESS = DIE * int(MOST_EFFECT[COMBAT_PROWESS])
MOST_COMBAT_DICE = max(u.combat_dice * u.models for u in UNITS) + MOST_PROWESS
MOST_MODELS = int(MODELS.max())
MOST_HIT_POINTS = int((MODELS * HIT_POINTS).max())
MOST_VICTORY_POINTS = np.array(
    [max(0, sides - 1) * int(WORTH.sum()) + NEXUS_POINTS * TURNS for sides in range(MAX_SIDES + 1)],
    np.int8,
)
"""The units of all others and the Nexus in every turn, by number of sides: a scale."""

RANK, SCORE = 0, 1

OPTIONS = (
    Option(
        "scenario",
        tuple(SCENARIOS),
        "nexus",
        "which units each side has: all five, or its two wizards only",
        "MGD-31",
    ),
    Option(
        "counter_fatigue",
        range(0, int(ENDURANCE.max()) + 1),
        COUNTER_FATIGUE,
        "fatigue that a counter-spell costs the mage",
        "MGD-06",
    ),
    Option(
        "reward",
        ("rank", "score"),
        "rank",
        "places from +1 to -1, or victory points beyond the others' / the scale in RULES.md",
        "ALL-04",
    ),
)

# What a unit can do.
MOVING, RUNNING, SHOOTING, CHARGING, CASTING, GATHERING, RALLYING = range(7)
DEEDS = ("move", "run", "shoot", "charge", "cast", "gather power", "rally")

# Phases: what the seat to move is asked.
(
    P_ACTIVATE,
    P_DESTINATION,
    P_SPELL,
    P_TARGET,
    P_CHARGE_SQUARE,
    P_TOKENS,
    P_COUNTER,
    P_REACT,
    P_SPLIT,
    P_SPLIT_CHARGED,
) = range(10)
PHASES = (
    "activate",
    "destination",
    "spell",
    "target",
    "charge square",
    "casting tokens",
    "counter",
    "react",
    "split of the charger",
    "split of the charged",
)
# And what follows without a question, in this order.
P_OFFER, P_CAST, P_TEST, P_SHOTS, P_CLOSE, P_FIGHT, P_DONE = range(len(PHASES), len(PHASES) + 7)

_NEAR_SIDES = 2
ACTIONS = Layout(
    Block("pass", (1,), "pass; no counter-spell; no reaction (MGD-20, MGD-06, MGD-29)"),
    Block("unit_action", (SLOTS, len(DEEDS)), f"unit x {', '.join(DEEDS)} (MGD-21)"),
    Block("square", (SQUARES,), "destination, 9 y + x in the own frame (MGD-23, MGD-25)"),
    Block("target", (_NEAR_SIDES, SLOTS), "own units, those of the next side (MGD-04)"),
    Block("spell", (len(SPELLS),), ", ".join(spell.name for spell in SPELLS)),
    Block("casting_tokens", (MOST_DICE,), "power tokens spent on a casting, from 0 (MGD-05)"),
    Block("counter", (MAGES, MOST_DICE), "mage x power tokens spent on a counter (MGD-06)"),
    Block("shoot_back", (1,), "the reaction (MGD-29)"),
    Block("attack_dice", (MOST_COMBAT_DICE + 1,), "dice for the attack, from 0 (MGD-26)"),
    Block(
        "far_target",
        (MAX_SIDES - _NEAR_SIDES, SLOTS),
        "with more than two sides: units of the second and third side clockwise (MGD-31)",
    ),
)
A_PASS = ACTIONS.start("pass")
A_UNIT = ACTIONS.start("unit_action")
A_SQUARE = ACTIONS.start("square")
A_TARGET = ACTIONS.start("target")
A_SPELL = ACTIONS.start("spell")
A_TOKENS = ACTIONS.start("casting_tokens")
A_COUNTER = ACTIONS.start("counter")
A_SHOOT_BACK = ACTIONS.start("shoot_back")
A_ATTACK = ACTIONS.start("attack_dice")
A_FAR = ACTIONS.start("far_target")

_NEAR_IDS = np.arange(A_TARGET, A_TARGET + _NEAR_SIDES * SLOTS)
_FAR_IDS = np.arange(A_FAR, A_FAR + (MAX_SIDES - _NEAR_SIDES) * SLOTS)
TARGET_ID = np.concatenate([_NEAR_IDS, _FAR_IDS]).reshape(MAX_SIDES, SLOTS).astype(np.int16)
"""Action id by side, clockwise from the own, and slot."""
TARGET_OF = np.full(ACTIONS.size, -1, np.int8)
"""The other way round: ``SLOTS * side + slot`` by action id, -1 for other actions."""
TARGET_OF[TARGET_ID.ravel()] = np.arange(MAX_SIDES * SLOTS)

# Events: code, then (seat, a, b, c). Squares are as side 0 sees them.
E_TURN = 1  # turn a begins, seat has the initiative
E_INITIATIVE = 2  # seat rolls a, the b-th roll
E_PASS = 3  # seat passes
E_ACTIVATE = 4  # unit a does b, c action tokens are left
E_MOVE = 5  # unit a goes from b to c
E_SPELL = 6  # unit a chooses spell b
E_TARGET = 7  # the target is unit b of side a
E_CHARGE = 8  # unit a will charge to b
E_TOKENS = 9  # unit a spends b tokens on its spell
E_COUNTER = 10  # unit a counters with b tokens
E_NO_COUNTER = 11  # seat does not counter
E_REACT = 12  # unit a shoots back
E_NO_REACTION = 13  # unit a does not
E_DICE = 14  # a: 16 x what for + needed; b and c: up to four dice each, see ``roll``
E_POWER = 15  # power a of spell c; b: bits of the cancelled casting dice
E_MORALE = 16  # unit a tests its morale: rolls b with c morale tokens
E_BROKEN = 17  # unit a breaks
E_RALLY = 18  # unit a rolls b with c morale tokens to rally
E_GATHER = 19  # unit a has b power tokens now
E_WOUNDS = 20  # unit a loses b hit points and has c
E_MODELS = 21  # unit a loses b models and has c morale tokens
E_DESTROYED = 22  # unit a is destroyed by side b, which gets c victory points
E_HEALED = 23  # unit a regains b hit points and has c
E_FATIGUE = 24  # spell b brings unit a to fatigue c
E_PROWESS = 25  # unit a has b combat dice more
E_SPEED = 26  # unit a moves b squares further
E_SPLIT_MADE = 27  # seat has split its combat dice
E_SPLIT = 28  # unit a has b dice for the attack and c for the defence
E_TURN_END = 29  # turn a is over
E_NEXUS = 30  # seat alone holds the Nexus, gets a victory points and has b
E_OUT = 31  # seat has no unit left
MAX_EVENTS = 36  # a combat of 60 dice that ends a turn with three rolls for the initiative by four

# What dice are for, in E_DICE.
(
    D_HIT,
    D_WOUND,
    D_DEFENCE,
    D_ATTACK,
    D_CASTING,
    D_COUNTER,
    D_MISSILES,
    D_HEALING,
    D_PROWESS,
) = range(9)
DICE_FACTOR = DIE + 1
"""Dice of an event are digits in this base, the first one leading."""

_UNIT_ARRAY = (MAX_SIDES, SLOTS)
STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("phase", "i4"),
        ("holder", "i4"),  # side that has the initiative, NOBODY at first
        ("active", "i4"),  # side whose action it is
        # The action under way; -1 where there is none or it is not chosen yet.
        ("actor", "i4"),  # slot
        ("deed", "i4"),
        ("spell", "i4"),
        ("target_side", "i4"),
        ("target", "i4"),  # slot
        ("goal", "i4"),  # square a charge leads to
        ("casting", "i4"),  # casting dice, 0 where not chosen yet
        ("counter", "i4"),  # counter dice
        ("shot_back", "i4"),
        ("attack", "i4", (2,)),  # attack dice of charger and charged; hidden, MGD-26
        # Sides.
        ("action_tokens", "i1", (MAX_SIDES,)),
        ("passed", "i1", (MAX_SIDES,)),
        ("victory_points", "i1", (MAX_SIDES,)),
        # Units; a destroyed or absent one has no pool, no square (-1) and zeros.
        ("square", "i1", _UNIT_ARRAY),
        ("pool", "i1", _UNIT_ARRAY),  # hit points of all models
        ("pool_cap", "i1", _UNIT_ARRAY),  # what Healing can restore it to, MGD-12
        ("fatigue", "i1", _UNIT_ARRAY),
        ("broken", "i1", _UNIT_ARRAY),
        ("prowess", "i1", _UNIT_ARRAY),  # combat dice more
        ("speed", "i1", _UNIT_ARRAY),  # squares further
        ("power_tokens", "i1", (MAX_SIDES, MAGES)),
        ("casting_dice", "i1", (MOST_DICE,)),  # scratch
        ("counter_dice", "i1", (MOST_DICE,)),  # scratch
        ("morale_tokens", "i2", _UNIT_ARRAY),
        ("free", "i8", (2,)),  # squares without obstacle and unit, as bits
    ],
    max_players=MAX_SIDES,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)
RECORD = record_type(STATE)
_TWO = types.UniTuple(types.int64, 2)


def procedure(arguments: int) -> Any:
    """Signature of a compiled function of the state and so many integers."""
    return types.void(RECORD, *[types.int64] * arguments)


def function(arguments: int, result: Any = types.int64) -> Any:
    """The same of one that returns an integer."""
    return result(RECORD, *[types.int64] * arguments)


def pair_function(arguments: int) -> Any:
    """The same of one that returns two."""
    return function(arguments, _TWO)
