"""The battlefield of Magic Duel in numbers: everything else is computed from these."""

from __future__ import annotations

from typing import NamedTuple

DIE = 10  # MGD-01

# Board, MGD-17: squares (x, y), both from 0; side 0 has y = 0.
WIDTH = 9
INCHES = 3
"""Inches to a square."""
NEXUS = (4, 4)
NEXUS_REACH = 1
OBSTACLES = {  # by number of sides; MGD-31
    2: ((2, 3), (6, 5), (3, 5), (5, 3), (0, 4), (8, 4)),
    3: ((2, 3), (5, 2), (6, 5), (3, 6)),
    4: ((2, 3), (5, 2), (6, 5), (3, 6)),
}
QUARTER_TURNS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Clockwise from south, by number of sides: where each of them deploys (MGD-19, MGD-31)."""


class Unit(NamedTuple):
    """A row of MGD-19."""

    name: str
    short: str
    at: tuple[int, int]  # where side 0 deploys it
    models: int
    hit_points: int  # of a model
    move: int
    run: int
    combat_dice: int  # of a model
    attack_skill: int
    defence_bonus: int
    strength: int
    target: int  # a shot hits it from here on
    armour: int
    magic_resistance: int
    endurance: int  # F: fatigued from here on
    morale: int
    bow: int  # range, 0 without
    victory_points: int
    mage: bool


UNITS = (  # mages come first
    Unit("wizard 1", "w1", (2, 0), 1, 8, 2, 3, 2, 4, 1, 0, 7, 6, 1, 5, 10, 0, 4, True),
    Unit("wizard 2", "w2", (6, 0), 1, 8, 2, 3, 2, 4, 1, 0, 7, 6, 1, 5, 10, 0, 4, True),
    Unit("archers", "ar", (4, 0), 4, 1, 2, 3, 1, 4, 1, 0, 6, 4, 0, 5, 9, 5, 2, False),
    Unit("warriors", "wa", (3, 1), 5, 2, 2, 3, 2, 5, 2, 0, 6, 5, 0, 5, 10, 0, 3, False),
    Unit("guard", "gu", (5, 1), 4, 2, 2, 3, 2, 6, 2, 1, 6, 7, 1, 5, 11, 0, 4, False),
)
SCENARIOS = {"nexus": len(UNITS), "wizards": 2}
"""How many of the units each side has; MGD-31."""

# Turn, MGD-20 to MGD-22.
TURNS = 6
ACTION_TOKENS = 8
ACTION_FATIGUE = 1
RUN_FATIGUE = 3  # MGD-23
COMBAT_FATIGUE = 1
REACTION_FATIGUE = 1
RECOVERY = 2
FATIGUE_CAP = 1
"""Fatigue is stored up to this many times F."""
NEXUS_POINTS = 1

# Power tokens, MGD-27.
FIRST_POWER_TOKENS = 4
GATHERED = 4
MOST_POWER_TOKENS = 4


class Spell(NamedTuple):
    """A spell, MGD-11 to MGD-16."""

    name: str
    difficulty: int
    at_enemies: bool  # MGD-04
    rows: tuple[int, ...]
    """By power, MGD-09: dice, fatigue or squares."""


MAGIC_MISSILE, HEALING, ENERGY, DRAIN_ENERGY, COMBAT_PROWESS, UNNATURAL_SPEED = range(6)
SPELLS = (
    Spell("Magic Missile", 6, True, (1, 2, 3, 4)),  # D5 hits
    Spell("Healing", 4, False, (1, 2, 3)),  # D5 hit points
    Spell("Energy", 5, False, (2, 4, 8)),  # fatigue less
    Spell("Drain Energy", 5, True, (2, 4, 8)),  # fatigue more
    Spell("Combat Prowess", 7, False, (1, 2)),  # D10 combat dice
    Spell("Unnatural Speed", 7, False, (6 // INCHES, 9 // INCHES, 12 // INCHES)),  # squares
)
SPELL_RANGE = 7  # MGD-03

COUNTER_FATIGUE = 1  # MGD-06
