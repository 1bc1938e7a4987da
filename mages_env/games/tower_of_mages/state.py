"""Options, action ids, phases, events and the state record of Tower of Mages."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from mages_env.engine import record_type, signatures, state_dtype
from mages_env.game import Option
from mages_env.games.tower_of_mages.data import (
    CELLS,
    COLUMNS,
    DICE,
    DIE,
    DISTORTER_ICON,
    MAX_DOTS,
    MAX_PIECES,
    NONE,
    NUM_ICONS,
    PLAN_ROWS,
    PREDICTOR_ICON,
    ROWS,
)
from mages_env.layout import Block, Layout

MAX_PLAYERS = 2
RANK, SCORE = 0, 1

OPTIONS = (
    Option(
        "reward",
        ("rank", "score"),
        lambda config: "score" if config["num_players"] == 1 else "rank",
        "places, +1 and -1, or points / 50",
        "ALL-04",
        "alone 'score', for two 'rank'",
        lambda config, value: (
            "one player alone has no rank; ask for 'score'"
            if value == "rank" and config["num_players"] == 1
            else ""
        ),
    ),
)

# TOM-21: the dice of group 1, which has die 0 of the sorted ones.
COMMON_DICE = 2 * DICE
SPLITS = [(0, *others) for others in combinations(range(1, COMMON_DICE), DICE - 1)]
IN_GROUP_2 = np.array([[die not in one for die in range(COMMON_DICE)] for one in SPLITS], np.int64)
"""Whether a die is in group 2: [split, die]."""

ACTIONS = Layout(
    Block("room", (DIE,), "use a die of this value for the row it leads to (TOM-07, TOM-10)"),
    Block("library", (DIE,), "use a die of this value for a Library (TOM-09)"),
    Block("stairwell", (DIE,), "use a die of this value for a Stairwell (TOM-09)"),
    Block("cell", (ROWS, COLUMNS), "base cell of the piece: row, column (TOM-08)"),
    Block(
        "explode", (NUM_ICONS,), "icon to cross out: six elements, Predictor, Distorter (TOM-10)"
    ),
    Block("predictor", (1,), "cross out a Predictor: hold the next Market Phase now (TOM-15)"),
    Block("reroll", (DIE,), "cross out a Distorter: reroll a die of this value (TOM-16)"),
    Block("keep", (1,), "no Predictor, or keep the dice as they lie (TOM-12, TOM-15, TOM-16)"),
    Block("split", (len(SPLITS),), "which two of dice 1 to 5 join die 0 in group 1 (TOM-21)"),
    Block("group", (2,), "take group 1 or 2 (TOM-21)"),
)
A_ROOM = ACTIONS.start("room")
A_LIBRARY = ACTIONS.start("library")
A_STAIRWELL = ACTIONS.start("stairwell")
A_CELL = ACTIONS.start("cell")
A_EXPLODE = ACTIONS.start("explode")
A_PREDICTOR = ACTIONS.start("predictor")
A_REROLL = ACTIONS.start("reroll")
A_KEEP = ACTIONS.start("keep")
A_SPLIT = ACTIONS.start("split")
A_GROUP = ACTIONS.start("group")

CROSSES = np.full(ACTIONS.size, NONE, np.int64)
"""Icon that an action crosses out."""
CROSSES[ACTIONS.slice("explode")] = range(NUM_ICONS)
CROSSES[ACTIONS.slice("predictor")] = PREDICTOR_ICON
CROSSES[ACTIONS.slice("reroll")] = DISTORTER_ICON

# Phases in which a decision is asked ...
PREDICT = 0  # Predictor or not
SPLIT = 1  # the six common dice into groups
GROUP = 2  # which group
BUILD = 3  # which die, and what for
PLACE = 4  # where
EXPLODE = 5  # which icon
MARKET = 6  # reroll market dice or not
PHASES = ("predict", "split", "group", "build", "place", "explode", "market")
# ... and those that pass by themselves.
THROW = 7  # Predictors are done with: dice for building
TIME = 8  # Time Phase
SHOW = 9  # the next eye and the dice of its Market Phase
FILL = 10  # market dice fill the columns
CLOSE = 11  # remaining Market Phases of a page that has ended
PASS = 12  # the turn is over

# Why a page has ended (TOM-12).
TOP_ROW, NO_TIME, NO_ROOM = 1, 2, 3

# Events: code, then (seat, a, b, c). Dice are the digits of a number, such as 355.
E_LOT = 1  # seat rolls first
E_SETUP = 2  # seat fills columns by dice a and marks row b
E_DICE = 3  # seat throws dice a
E_COMMON = 4  # seat throws the common dice: a the lower three, b the higher
E_SPLIT = 5  # seat splits them: group 1 is a, group 2 is b
E_GROUP = 6  # seat takes group a, dice b, and leaves dice c
E_USE = 7  # seat uses a die of value a, the mark comes to row b; c: room, or EXPLOSION
E_BUILD = 8  # seat builds room a with its base at cell b; c: the room below, or NONE
E_COPY = 9  # the Laboratory just built takes icon a, or NONE
E_POINTS = 10  # seat gets b points for the room a just built
E_DUD = 11  # the Explosion finds nothing
E_CROSS = 12  # seat crosses out icon a of room b with its base at cell c
E_REROLL = 13  # seat rerolls a die of value a: b
E_KEEP = 14  # seat keeps what it was asked for in phase a
E_HOUR = 15  # seat crosses out hourglass a
E_EYE = 16  # seat crosses out eye a and throws market dice b
E_FILL = 17  # seat fills columns by dice a
E_END = 18  # the page of seat has ended; a: why
E_SCORE = 19  # seat has a points
MAX_EVENTS = 42  # a Library in the top row ends a page, and the other can build nothing

STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("phase", "i4"),
        ("roller", "i4"),  # seat that throws the common dice of this round
        ("shared", "i1"),  # this round's dice are common
        ("thrown", "i1"),  # this round's dice have been thrown
        ("building", "i1"),  # room to be placed, NONE
        ("split", "i1"),  # the split to choose a group of, NONE
        ("common", "i1", (COMMON_DICE,)),  # the common dice, sorted, until a group is chosen
        # From here on by page, that is by seat.
        ("ended", "i1", (MAX_PLAYERS,)),  # why, 0 while it has not
        ("mark", "i1", (MAX_PLAYERS,)),  # row of the Rooms table
        ("hourglasses", "i1", (MAX_PLAYERS,)),  # crossed out
        ("eyes", "i1", (MAX_PLAYERS,)),  # crossed out
        ("bonus", "i2", (MAX_PLAYERS,)),  # points for Libraries, Tower Caps, Observatories
        ("score", "i2", (MAX_PLAYERS,)),  # once the page has ended
        ("fitting", "i4", (MAX_PLAYERS,)),  # rooms that have a cell, as bits
        ("dice", "i1", (MAX_PLAYERS, DIE)),  # on the table, by value
        ("filled", "i1", (MAX_PLAYERS, DIE)),  # cells of the market's columns
        ("icons", "i1", (MAX_PLAYERS, NUM_ICONS)),  # not crossed out
        ("num_pieces", "i1", (MAX_PLAYERS,)),
        ("num_dots", "i1", (MAX_PLAYERS,)),
        ("piece_room", "i1", (MAX_PLAYERS, MAX_PIECES)),  # in the order built
        ("piece_cell", "i2", (MAX_PLAYERS, MAX_PIECES)),  # base cell
        ("piece_below", "i1", (MAX_PLAYERS, MAX_PIECES)),  # the piece it stands on, NONE
        ("piece_icon", "i1", (MAX_PLAYERS, MAX_PIECES)),  # NONE if it has none
        ("piece_crossed", "i1", (MAX_PLAYERS, MAX_PIECES)),  # its icon is crossed out
        ("piece_storey", "i1", (MAX_PLAYERS, MAX_PIECES)),  # pieces down to the ground, with it
        ("piece_chain", "i4", (MAX_PLAYERS, MAX_PIECES)),  # elements among them, 5 bits each
        ("dot_cell", "i2", (MAX_PLAYERS, MAX_DOTS)),  # cell right above a free dot
        ("dot_piece", "i1", (MAX_PLAYERS, MAX_DOTS)),  # whose dot it is; NONE: the ground's
        ("dot_rooms", "i2", (MAX_PLAYERS, MAX_DOTS)),  # rooms that may stand on it, as bits
        ("covered", "i4", (MAX_PLAYERS, PLAN_ROWS)),  # rows of the plan as bits
        ("plan", "i1", (MAX_PLAYERS, CELLS)),  # 0, or room + 1 there; -1 - room if crossed out
    ],
    max_players=MAX_PLAYERS,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)
RECORD = record_type(STATE)
CHAIN_BITS = 5
CHAIN_MASK = (1 << CHAIN_BITS) - 1
