"""What a seat knows, as numbers: in its own frame, its deployment at y = 0, sides clockwise."""

from __future__ import annotations

import numpy as np
from numba import types

from mages_env.engine import NOBODY, clear, compiled
from mages_env.games.magic_duel.board import (
    FEWEST_SIDES,
    FRAME,
    MAX_SIDES,
    OPEN,
    SQUARES,
    WIDTH,
    square_at,
)
from mages_env.games.magic_duel.casting import MOST_DICE
from mages_env.games.magic_duel.combat import combat_dice
from mages_env.games.magic_duel.data import (
    ACTION_TOKENS,
    MOST_POWER_TOKENS,
    OBSTACLES,
    SPELLS,
    TURNS,
    UNNATURAL_SPEED,
)
from mages_env.games.magic_duel.state import (
    DEEDS,
    ENDURANCE,
    MAGES,
    MOST_COMBAT_DICE,
    MOST_EFFECT,
    MOST_FATIGUE,
    MOST_HIT_POINTS,
    MOST_MODELS,
    MOST_PROWESS,
    MOST_VICTORY_POINTS,
    P_SPLIT_CHARGED,
    PHASES,
    RECORD,
    SIGNATURES,
    SLOTS,
)
from mages_env.games.magic_duel.units import models, weakened
from mages_env.layout import Block, Layout

_MOST_TOKENS = 10
_GAME = Block(
    "game",
    (10,),
    f"own move; turns completed / {TURNS}; two wizards a side (1 or 0); fatigue of a counter / 5; "
    f"casting dice / {MOST_DICE}; combat dice of the unit that acts and of its target, / "
    f"{MOST_COMBAT_DICE}; own attack dice once chosen / {MOST_COMBAT_DICE}; "
    "where a charge leads to: x / 8, y / 8",
)
_PHASE = Block("phase", (len(PHASES),), f"what is asked, one of: {', '.join(PHASES)}")
_DEED = Block("deed", (len(DEEDS),), f"the action under way, one of: {', '.join(DEEDS)}")
_SPELL = Block("spell", (len(SPELLS),), f"one of: {', '.join(spell.name for spell in SPELLS)}")
_SCALES = " or ".join(map(str, MOST_VICTORY_POINTS[2:])) + ", by the number of sides"
_SIDES = Block(
    "sides",
    (MAX_SIDES, 7),
    f"per side, own first: plays; action tokens / {ACTION_TOKENS}; may still act this turn; "
    f"victory points / {_SCALES}; has the initiative; its action is under way; is to move",
)
_UNITS = Block(
    "units",
    (MAX_SIDES, SLOTS, 16),
    f"per side and unit: in play; x / 8; y / 8; hit points / {MOST_HIT_POINTS}; models / "
    f"{MOST_MODELS}; hit points that Healing can restore / {MOST_HIT_POINTS}; fatigue / "
    f"{int(MOST_FATIGUE.max())}; fatigued; broken; morale tokens / {_MOST_TOKENS}, at most 1; at "
    f"half strength or below; power tokens / {MOST_POWER_TOKENS}; Combat Prowess / {MOST_PROWESS}; "
    f"Unnatural Speed / {MOST_EFFECT[UNNATURAL_SPEED]}; acts; is the target",
)
_BOARD = Block(
    "board",
    (3, WIDTH, WIDTH),
    f"hit points / {MOST_HIT_POINTS} of own units, of others; obstacles: [plane, y, x]",
)

STANDARD = Layout(_GAME, _PHASE, _DEED, _SPELL, _SIDES, _UNITS, _BOARD)
COMPACT = Layout(_GAME, _PHASE, _DEED, _SPELL, _SIDES, _UNITS)
FULL = Layout(
    Block(
        "game",
        _GAME.shape,
        _GAME.meaning.replace("own move", "game under way").replace(
            "own attack dice once chosen", "the charger's attack dice, hidden or not,"
        ),
    ),
    *COMPACT.blocks[1:4],
    Block("sides", _SIDES.shape, _SIDES.meaning.replace("own first", "from side 0")),
    Block("units", _UNITS.shape, _UNITS.meaning + "; as side 0 sees the board"),
)
# The blocks of all three lie at the same places.
_AT_GAME, _AT_PHASE, _AT_DEED, _AT_SPELL, _AT_SIDES, _AT_UNITS, _AT_BOARD = (
    STANDARD.start(block.name) for block in STANDARD.blocks
)
_SIDE_SIZE = _SIDES.shape[-1]
_UNIT_SIZE = _UNITS.shape[-1]

# Multiplying is several times faster than dividing.
_OF_EDGE = 1.0 / (WIDTH - 1)
_OF_TURNS = 1.0 / TURNS
_OF_COUNTER = 1.0 / float(ENDURANCE.max())
_OF_CASTING = 1.0 / MOST_DICE
_OF_COMBAT = 1.0 / MOST_COMBAT_DICE
_OF_ACTIONS = 1.0 / ACTION_TOKENS
_OF_POINTS = 1.0 / MOST_VICTORY_POINTS.astype(float)
_OF_HIT_POINTS = 1.0 / MOST_HIT_POINTS
_OF_MODELS = 1.0 / MOST_MODELS
_OF_FATIGUE = 1.0 / float(MOST_FATIGUE.max())
_OF_MORALE = 1.0 / _MOST_TOKENS
_OF_POWER = 1.0 / MOST_POWER_TOKENS
_OF_PROWESS = 1.0 / MOST_PROWESS
_OF_SPEED = 1.0 / float(MOST_EFFECT[UNNATURAL_SPEED])
_X = (np.arange(SQUARES) % WIDTH * _OF_EDGE).astype(np.float32)
_Y = (np.arange(SQUARES) // WIDTH * _OF_EDGE).astype(np.float32)
_MOST_OBSTACLES = max(len(squares) for squares in OBSTACLES.values())
_BLOCKED = np.full((len(OPEN), _MOST_OBSTACLES), -1, np.int8)
for _sides, _squares in OBSTACLES.items():
    _BLOCKED[_sides - FEWEST_SIDES, : len(_squares)] = [square_at(x, y) for x, y in _squares]

_FLOATS = types.Array(types.float32, 1, "C")


@compiled(types.void(RECORD, types.int64, _FLOATS))
def write_game(s, seat, out):
    """Zeros everywhere, then what is neither a unit's nor the board's."""
    clear(out)
    out[_AT_GAME + 1] = s.turn * _OF_TURNS
    out[_AT_GAME + 2] = s.scenario
    out[_AT_GAME + 3] = s.counter_fatigue * _OF_COUNTER
    most = _OF_POINTS[s.num_players]
    side = seat
    at = _AT_SIDES
    for _ in range(s.num_players):
        if s.terminated[side] == 0:
            out[at] = 1.0
            out[at + 1] = s.action_tokens[side] * _OF_ACTIONS
            out[at + 2] = s.passed[side] == 0 and s.action_tokens[side] > 0
            out[at + 4] = side == s.holder
        out[at + 3] = s.victory_points[side] * most
        at += _SIDE_SIZE
        side += 1
        if side == s.num_players:
            side = 0
    if s.seat == NOBODY:
        return
    out[_AT_GAME] = s.seat == seat
    out[_AT_PHASE + s.phase] = 1.0
    out[_AT_SIDES + (s.active - seat) % s.num_players * _SIDE_SIZE + 5] = 1.0
    out[_AT_SIDES + (s.seat - seat) % s.num_players * _SIDE_SIZE + 6] = 1.0
    if s.deed >= 0:
        out[_AT_DEED + s.deed] = 1.0
        out[_AT_GAME + 5] = combat_dice(s, s.active, s.actor) * _OF_COMBAT
    if s.spell >= 0:
        out[_AT_SPELL + s.spell] = 1.0
        out[_AT_GAME + 4] = s.casting * _OF_CASTING
    if s.target >= 0:
        out[_AT_GAME + 6] = combat_dice(s, s.target_side, s.target) * _OF_COMBAT
    if s.phase == P_SPLIT_CHARGED and s.active == seat:
        out[_AT_GAME + 7] = s.attack[0] * _OF_COMBAT
    if s.goal >= 0:
        goal = FRAME[s.num_players - FEWEST_SIDES, seat, s.goal]
        out[_AT_GAME + 8] = _X[goal]
        out[_AT_GAME + 9] = _Y[goal]


@compiled(types.void(RECORD, types.int64, _FLOATS, types.int64))
def write_units(s, seat, out, board):
    """The units, and those on the board where ``board`` is an offset and not negative."""
    view = s.num_players - FEWEST_SIDES
    side = seat
    at = _AT_UNITS
    for ahead in range(s.num_players):
        for slot in range(SLOTS):
            pool = int(s.pool[side, slot])
            if pool > 0:
                square = FRAME[view, seat, s.square[side, slot]]
                fatigue = int(s.fatigue[side, slot])
                out[at] = 1.0
                out[at + 1] = _X[square]
                out[at + 2] = _Y[square]
                out[at + 3] = pool * _OF_HIT_POINTS
                out[at + 4] = models(s, side, slot) * _OF_MODELS
                out[at + 5] = (int(s.pool_cap[side, slot]) - pool) * _OF_HIT_POINTS
                out[at + 6] = fatigue * _OF_FATIGUE
                out[at + 7] = fatigue >= ENDURANCE[slot]
                out[at + 8] = s.broken[side, slot]
                out[at + 9] = min(1.0, s.morale_tokens[side, slot] * _OF_MORALE)
                out[at + 10] = weakened(s, side, slot)
                if slot < MAGES:
                    out[at + 11] = s.power_tokens[side, slot] * _OF_POWER
                out[at + 12] = s.prowess[side, slot] * _OF_PROWESS
                out[at + 13] = s.speed[side, slot] * _OF_SPEED
                if board >= 0:
                    plane = board if ahead == 0 else board + SQUARES
                    out[plane + int(square)] = pool * _OF_HIT_POINTS
            at += _UNIT_SIZE
        side += 1
        if side == s.num_players:
            side = 0
    if s.actor >= 0:
        ahead = (s.active - seat) % s.num_players
        out[_AT_UNITS + (SLOTS * ahead + s.actor) * _UNIT_SIZE + 14] = 1.0
    if s.target >= 0:
        ahead = (s.target_side - seat) % s.num_players
        out[_AT_UNITS + (SLOTS * ahead + s.target) * _UNIT_SIZE + 15] = 1.0
    if board >= 0:
        for k in range(_MOST_OBSTACLES):
            square = int(_BLOCKED[view, k])
            if square >= 0:
                out[board + 2 * SQUARES + int(FRAME[view, seat, square])] = 1.0


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    write_game(s, seat, out)
    write_units(s, seat, out, _AT_BOARD)


@compiled(SIGNATURES.observe)
def observe_compact(s, seat, out):
    """Fills ``COMPACT``."""
    write_game(s, seat, out)
    write_units(s, seat, out, -1)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    write_game(s, 0, out)
    write_units(s, 0, out, -1)
    out[_AT_GAME] = s.seat != NOBODY
    if s.attack[0] >= 0:
        out[_AT_GAME + 7] = s.attack[0] * _OF_COMBAT
