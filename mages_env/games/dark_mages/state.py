"""Options, action ids, events and the state record of Dark Mages."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numba.core import types

from mages_env.engine import record_type, signatures, state_dtype
from mages_env.game import Option
from mages_env.layout import Block, Layout

from .deck import (
    AIMED,
    COLUMN,
    ENEMY_CARD,
    HAND,
    MOST_PLAYERS,
    ON_COMPANION,
    ON_OPPONENT,
    STANDARD,
    STEAL_ITEM,
    TOTAL,
    load_deck,
)

# `own_deck` imports this package again with a file of its own.
DECK = load_deck(getattr(sys.modules[__package__], "DECK_FILE", STANDARD))
CARD = DECK.table
EFFECT = DECK.effects
STATUS = DECK.statuses
KINDS = len(DECK.cards)
"""Cards are named by kind, a row of ``CARD``; rows from here on are the cantrips."""
NAMES = DECK.names
MAX_PLAYERS = MOST_PLAYERS
SLOTS = 4
STATUSES = max(1, len(STATUS))
_ENEMIES = CARD[CARD[:, COLUMN["category"]] == ENEMY_CARD]
MOST_ENEMIES = max(1, int(_ENEMIES[:, COLUMN["copies"]].sum()))
NONE = -1

FULL_HP = 60  # DM-01
BASE_AC = 10
MOST_ITEMS_A_TURN = 4  # DM-07
TURNS_A_SEAT = 250  # DM-39

# Options by their codes in the record.
RULES_1_5, RULES_1_0 = 0, 1
NO_USABLE, STRICT, ALWAYS = 0, 1, 2
UNLOCKS = 0
OVERFLOWS = 1
TEAMS = (0, 2, 3, 4)
TEAM_COUNT = np.array(TEAMS, np.int64)

OPTIONS = (
    Option("rules", ("1.5", "1.0"), "1.5", "the current rules or the earlier ones", "DM-13"),
    Option(
        "teams",
        TEAMS,
        0,
        "number of equal teams, seats alternating; 0: everyone for themselves",
        "DM-38",
        "",
        lambda config, value: (
            ""
            if value == 0
            or (config["num_players"] % value == 0 and config["num_players"] >= 2 * value)
            else f"{config['num_players']} players do not make {value} equal teams of two or more"
        ),
    ),
    Option(
        "cantrip_rule",
        ("no_usable", "strict", "always"),
        "no_usable",
        "cantrip with no attack card that could be used on others, with none at all, or always",
        "DM-10",
    ),
    Option(
        "sphere_unlocks_level",
        (True, False),
        True,
        "whether the own sphere counts a level more for what may be cast",
        "DM-16",
    ),
    Option(
        "overflow",
        (False, True),
        False,
        "whether damage that a defender cannot take passes on to its magician",
        "DM-27",
    ),
    Option(
        "max_turns",
        range(1, 1_000_001),
        lambda config: TURNS_A_SEAT * config["num_players"],
        "turns after which the game is truncated",
        "DM-39",
        "250 x number of players",
    ),
    Option("reward", ("rank",), "rank", "places from +1 to -1, by team if there are any", "ALL-04"),
)

# Actions. Targets are counted in places to the left of who acts: 1 to 7.
OPPONENTS = MAX_PLAYERS - 1
TARGETS = 2 * OPPONENTS + 1
"""Opponents' magicians, then their companions, then the tenacious enemy."""
ENEMY_TARGET = TARGETS - 1
PASS, PLAY, PLACE, AIM, CAST, STRIKE, ITEM, LOOT, DISCARD = range(9)
"""What an action is, see ``ACTION``."""
PLAIN_USE, PLACE_USE, AIM_USE, OPPONENT_USE, STEAL_USE, BEAST_USE, NO_USE = range(7)
"""How a card is played."""


def _use(kind: int) -> int:
    row = CARD[kind]
    if row[COLUMN["category"]] == ENEMY_CARD:
        return NO_USE
    if row[COLUMN["placed"]]:
        return PLACE_USE
    if (EFFECT[kind, :, 0] == STEAL_ITEM).any():
        return STEAL_USE
    return {AIMED: AIM_USE, ON_OPPONENT: OPPONENT_USE, ON_COMPANION: BEAST_USE}.get(
        int(row[COLUMN["target"]]), PLAIN_USE
    )


USE = np.array([_use(kind) for kind in range(KINDS)], np.int64)
_WIDTH = {PLAIN_USE: (), PLACE_USE: (2,), AIM_USE: (TARGETS,), OPPONENT_USE: (OPPONENTS,)}
_WIDTH |= {STEAL_USE: (OPPONENTS, SLOTS), BEAST_USE: (OPPONENTS,)}
_BLOCKS = {
    PLAIN_USE: ("play", "a card without a target: item, potion, area card, reaction, ..."),
    PLACE_USE: ("place", "a companion, as defender or attacker (DM-26)"),
    AIM_USE: ("aim", "a card at an opponent 1 to 7 to the left, its companion, or the enemy"),
    OPPONENT_USE: ("aim_at_magician", "a card at an opponent 1 to 7 to the left"),
    STEAL_USE: ("aim_at_item", "a card at an opponent's staff, robe, ring or amulet"),
    BEAST_USE: ("aim_at_companion", "a card at an opponent's companion"),
}
KINDS_BY_USE = {use: [k for k in range(KINDS) if USE[k] == use] for use in _BLOCKS}
HELD = [kind for kind in range(KINDS) if USE[kind] != NO_USE]
"""Kinds that a hand can hold."""
ITEM_KINDS = [kind for kind in range(KINDS) if CARD[kind, COLUMN["slot"]] != NONE]
ENEMY_KINDS = [kind for kind in range(KINDS) if USE[kind] == NO_USE]
PLACED_KINDS = KINDS_BY_USE[PLACE_USE]
"""Kinds that can be a companion."""

ACTIONS = Layout(
    Block("pass", (1,), "end the phase, let it happen, take or discard nothing"),
    *(
        Block(name, (len(KINDS_BY_USE[use]), *_WIDTH[use]), meaning)
        for use, (name, meaning) in _BLOCKS.items()
        if KINDS_BY_USE[use]
    ),
    Block("cantrip", (TARGETS,), "the cantrip, targets as for aim (DM-10)"),
    Block("companion", (TARGETS,), "the companion attacks, targets as for aim (DM-11)"),
    Block("item", (SLOTS,), "the target's staff, robe, ring or amulet is discarded"),
    Block("loot", (SLOTS,), "take the fallen magician's staff, robe, ring or amulet (DM-36)"),
    Block("discard", (len(HELD),), "discard a card in the End Phase (DM-12)"),
)
A_PASS = 0
A_CANTRIP, A_COMPANION, A_ITEM, A_LOOT = (
    ACTIONS.start(name) for name in ("cantrip", "companion", "item", "loot")
)
FIRST_ID = np.full(KINDS, NONE, np.int64)
"""First action id with which a card of this kind is played."""
DISCARD_ID = np.full(KINDS, NONE, np.int64)
ACTION = np.zeros((ACTIONS.size, 3), np.int64)
"""By action id: what it is; kind, slot or target; target, mode or target and slot."""


def _fill_actions() -> None:
    for use, (name, _) in _BLOCKS.items():
        width = int(np.prod(_WIDTH[use], dtype=int))
        verb = {PLAIN_USE: PLAY, PLACE_USE: PLACE}.get(use, AIM)
        for index, kind in enumerate(KINDS_BY_USE[use]):
            FIRST_ID[kind] = ACTIONS.start(name) + index * width
            for extra in range(width):
                target = extra + OPPONENTS if use == BEAST_USE else extra
                ACTION[FIRST_ID[kind] + extra] = (verb, kind, target)
    for index, kind in enumerate(HELD):
        DISCARD_ID[kind] = ACTIONS.start("discard") + index
        ACTION[DISCARD_ID[kind]] = (DISCARD, kind, 0)
    for verb, start, count in (
        (CAST, A_CANTRIP, TARGETS),
        (STRIKE, A_COMPANION, TARGETS),
        (ITEM, A_ITEM, SLOTS),
        (LOOT, A_LOOT, SLOTS),
    ):
        for extra in range(count):
            ACTION[start + extra] = (verb, extra, extra)


_fill_actions()

# What the seat to move is asked.
PREPARATION, ATTACK, END, REACTION, DODGE, CHOOSE_ITEM, CHOOSE_LOOT = range(7)
PHASES = 7

# Where the game goes on once the answer is carried out.
(
    TURN_BEGINS,
    COMPANION_SUFFERS,
    PREPARATION_DUE,
    ATTACK_DUE,
    END_DUE,
    DRAW_DUE,
    ENEMIES_DUE,
    TURN_OVER,
    NEXT_SEAT,
    REACTION_DUE,
    RESOLVE_DUE,
    DODGES_DUE,
    AREA_DUE,
    AFTERMATH,
) = range(14)

DEFENDER, ATTACKER = 0, 1
MAGICIAN, COMPANION, ENEMY, EVERYBODY = 0, 1, 2, 3
"""What an attack is aimed at."""
BY_CARD, BY_CANTRIP, BY_COMPANION, BY_ENEMY = 0, 1, 2, 3
"""What an attack is made with."""
BOUND_ATTACK, BOUND_SPELL, BOUND_ALL = 1, 2, 4

# Events: code, then (seat, a, b, c). Kinds of cards include the cantrips, from KINDS on.
E_CHARACTER = 1  # seat has the character a
E_GOT = 2  # seat gets a card of kind a (only that seat knows)
E_ASIDE = 3  # an enemy of kind a, dealt to seat, is set aside
E_INITIATIVE = 4  # seat rolls a
E_STARTS = 5  # seat starts; a: 1 by lot
E_TURN = 6  # turn of seat
E_ENDS_PHASE = 7  # seat ends phase a
E_PLAY = 8  # seat plays a
E_EQUIP = 9  # seat equips a; b: kind that is discarded for it, or NONE
E_PLACE = 10  # a becomes seat's companion, mode b, hit points c
E_AIM = 11  # seat uses a on b: seat, or NONE for the enemy; c: MAGICIAN, COMPANION, or 4 + slot
E_STRIKE = 12  # seat's companion, a, attacks b; c as above
E_REACT = 13  # seat answers with a
E_ROLL = 14  # seat rolls a to hit with bonus b against c
E_FUMBLE = 15  # seat takes its own damage; a: MAGICIAN or COMPANION
E_DICE = 16  # damage of a dice; b: their sides + ADDED x what is added to them; c in all
E_SAVE = 17  # seat rolls a against b; c: 2 x (MAGICIAN, COMPANION or ENEMY) + (1: saved)
E_LOSS = 18  # seat loses a hit points, b are left; c: MAGICIAN, COMPANION or ENEMY
E_PREVENTED = 19  # a damage to seat is prevented, b points of its Magic Shield are left
E_HEAL = 20  # seat recovers a, has b
E_STATUS = 21  # seat has status a for b turns
E_DOT = 22  # seat will take damage over time of kind a for b turns; c: MAGICIAN or COMPANION
E_DOT_ACTS = 23  # damage over time of kind a acts on seat; c: MAGICIAN or COMPANION
E_PERCENT = 24  # d100 shows a against b
E_DISCARD = 25  # seat discards a from hand
E_DRAW = 26  # seat draws a cards
E_RESHUFFLE = 27  # the discard pile, a cards, is the new stack
E_ENEMY = 28  # seat draws the enemy a
E_ENEMY_ATTACKS = 29  # the enemy a attacks; seat: who drew it
E_ENEMY_DOWN = 30  # the enemy a is defeated
E_RAID = 31  # seat takes a card from the hand of b
E_RAIDED = 32  # the card that seat took from b is of kind a (only the two know)
E_STEAL = 33  # seat takes the item a of b and equips it
E_ITEM_LOST = 34  # seat's item a is discarded
E_GONE = 35  # seat's companion a is discarded
E_SECOND_CHANCE = 36  # seat has a hit points instead of none
E_FALLS = 37  # seat is defeated
E_LOOT = 38  # seat takes the item a of the fallen b, or NONE
E_SHIELD = 39  # seat's Magic Shield prevents the next a damage
E_DISPEL = 40  # seat is rid of every harmful status
E_EXTRA = 41  # seat may attack with a more cards
E_LIMIT = 42  # the turn limit is reached
E_WAITS = 43  # the enemy a waits until the one on the table is defeated
ADDED = 256
"""Sides and what is added are at most 120 each (``deck.MOST``): together they fit an int16."""
MAX_EVENTS = 160
"""Of further events only the number is kept.

Five enemies drawn at once against eight magicians with companions may come to more; in twenty
million decisions of games of eight, no step left more than 83.
"""

# A batch is as fast as memory is: an int8 holds a row of CARD (at most 112 cards and 8 cantrips),
# the copies of a card, and the turns of a status (at most one more than ``MOST``).
STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        # the table
        ("character", "i1", (MAX_PLAYERS,)),
        ("hp", "i2", (MAX_PLAYERS,)),
        ("pool", "i2", (MAX_PLAYERS,)),  # Magic Shield
        ("alive", "i1", (MAX_PLAYERS,)),
        ("fell", "i1", (MAX_PLAYERS,)),  # 0, or 1 + how many fell before
        ("items", "i1", (MAX_PLAYERS, SLOTS)),
        ("companion", "i1", (MAX_PLAYERS,)),
        ("mode", "i1", (MAX_PLAYERS,)),
        ("companion_hp", "i2", (MAX_PLAYERS,)),
        ("status", "i1", (MAX_PLAYERS, STATUSES)),  # turns left, 0: not in force
        ("dot", "i1", (MAX_PLAYERS, 2)),  # damage over time of magician and companion: kind
        ("dot_turns", "i1", (MAX_PLAYERS, 2)),
        ("dot_user", "i1", (MAX_PLAYERS, 2)),  # whose kill it would be, or NONE
        # what follows from items and statuses
        ("ac", "i2", (MAX_PLAYERS,)),
        ("attack_bonus", "i2", (MAX_PLAYERS,)),
        ("staff", "i2", (MAX_PLAYERS,)),
        ("level", "i2", (MAX_PLAYERS,)),  # before the own sphere, may be below 1
        ("save_bonus", "i2", (MAX_PLAYERS,)),
        ("bound", "i1", (MAX_PLAYERS,)),
        ("hidden", "i1", (MAX_PLAYERS,)),
        # cards
        ("hand_size", "i1", (MAX_PLAYERS,)),
        ("hand", "i1", (MAX_PLAYERS, HAND)),  # kinds, rising; NONE beyond
        ("known", "u1", (MAX_PLAYERS, HAND)),  # which seats know the card: bit by seat
        ("discards", "i1", (KINDS,)),  # by kind
        ("stack_size", "i4"),
        ("stack", "i1", (TOTAL,)),  # kinds, in no order: a draw picks any of them
        # enemies
        ("enemy", "i4"),  # the tenacious one on the table, or NONE
        ("enemy_hp", "i4"),
        ("enemy_drawer", "i4"),
        ("enemy_attacked", "i4"),  # in this turn
        ("queue_size", "i4"),  # drawn, not yet resolved
        ("queue_waiting", "i4"),  # the first of them, waiting for the one on the table
        ("queue", "i1", (MOST_ENEMIES, 2)),  # kind, drawer
        # the turn
        ("active", "i4"),
        ("phase", "i4"),
        ("point", "i4"),
        ("resume", "i4"),
        ("items_used", "i4"),
        ("healing_used", "i4"),
        ("potion_used", "i4"),
        ("companion_used", "i4"),
        ("skill_used", "i4"),
        ("attacks_used", "i4"),
        ("extra_attacks", "i4"),
        ("cantrip_used", "i4"),
        ("companion_attacked", "i4"),
        # the attack in progress
        ("attack_kind", "i4"),  # row of CARD, or NONE
        ("attack_form", "i4"),
        ("attack_user", "i4"),
        ("attack_by", "i4"),  # who counts as attacker: the last reflector (DM-24)
        ("attack_target", "i4"),
        ("attack_part", "i4"),
        ("attack_slot", "i4"),
        ("attack_dice", "i4"),
        ("attack_effect", "i4"),  # the effect that waits for a choice of item
        ("asked", "i4"),  # area: seats that had their say
        ("dodged", "i4"),  # area: bit by seat
        ("loot", "i4"),  # fallen whose items the victor may still choose from: bit by seat
        ("loot_from", "i4"),
        ("victor", "i4"),
        ("unseen", "i1", (KINDS,)),  # scratch of determinize, else zeros
    ],
    max_players=MAX_PLAYERS,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)
RECORD = record_type(STATE)


def rule(numbers: int = 0, result: Any = types.void) -> Any:
    """Signature of a rule function: the record, then so many int64."""
    return result(RECORD, *[types.int64] * numbers)


NUMBER = types.int64
TRUTH = types.boolean
