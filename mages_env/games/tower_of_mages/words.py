"""Actions and events of Tower of Mages in words, and words back to actions."""

from __future__ import annotations

import re
from typing import Any

from mages_env.engine import NOBODY
from mages_env.games.tower_of_mages.data import (
    COLUMNS,
    DICE,
    DIE,
    EXPLOSION,
    ICONS,
    NAMES,
    NONE,
    ROOM_AT,
    ROOMS_TABLE,
    ROWS,
)
from mages_env.games.tower_of_mages.state import (
    A_CELL,
    A_EXPLODE,
    A_GROUP,
    A_KEEP,
    A_LIBRARY,
    A_PREDICTOR,
    A_REROLL,
    A_ROOM,
    A_SPLIT,
    A_STAIRWELL,
    ACTIONS,
    BUILD,
    COMMON_DICE,
    E_BUILD,
    E_COMMON,
    E_COPY,
    E_CROSS,
    E_DICE,
    E_DUD,
    E_END,
    E_EYE,
    E_FILL,
    E_GROUP,
    E_HOUR,
    E_KEEP,
    E_LOT,
    E_POINTS,
    E_REROLL,
    E_SCORE,
    E_SETUP,
    E_SPLIT,
    E_USE,
    EXPLODE,
    GROUP,
    IN_GROUP_2,
    MARKET,
    NO_ROOM,
    NO_TIME,
    PLACE,
    PREDICT,
    SPLIT,
    SPLITS,
    TOP_ROW,
)

ENDS = {TOP_ROW: "the top row is reached", NO_TIME: "time is up", NO_ROOM: "nothing can be built"}
_UNDERSTOOD = {
    PREDICT: "'Predictor' or 'keep'",
    SPLIT: "the three dice of a group, as in '1 3 5'",
    GROUP: "'group 1' or 'group 2'",
    BUILD: "'4' for the room that die leads to, '4 Library', '4 Stairwell', 'reroll 4' or 'keep'",
    PLACE: "column and row of the base cell, as in '3 0' or 'column 3, row 0'",
    EXPLODE: "an icon, as in 'Fire'",
    MARKET: "'reroll 4' or 'keep'",
}
_KEEP = {
    PREDICT: "keep the Predictors",
    BUILD: "keep the dice and end the page",
    MARKET: "keep the dice",
}
_KEEPING = ("keep", "no", "none", "pass", "done", "end", "fill")


def room_name(room: int) -> str:
    """'Light' ... 'Stairwell', or 'Explosion'."""
    return "Explosion" if room == EXPLOSION else NAMES[room]


def _dice_text(number: int) -> str:
    """The digits of an event's number, apart."""
    return " ".join(str(int(number)))


def dice_list(counts: Any) -> list[int]:
    return [k + 1 for k in range(DIE) for _ in range(int(counts[k]))]


def groups(s: Any, split: int) -> tuple[list[int], list[int]]:
    """The dice of both groups."""
    one, two = (
        [int(s.common[die]) for die in range(COMMON_DICE) if IN_GROUP_2[split, die] == second]
        for second in (0, 1)
    )
    return one, two


def joined(dice: list[int]) -> str:
    return " ".join(map(str, dice))


def _cell_text(cell: int) -> str:
    return f"column {cell % COLUMNS}, row {cell // COLUMNS}"


def leads_to(s: Any, die: int) -> int | None:
    """Room, or EXPLOSION, that a die of the seat to move leads to."""
    if s.seat == NOBODY:
        return None
    return int(ROOM_AT[(int(s.mark[s.seat]) + die) % len(ROOMS_TABLE)])


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    block, place = ACTIONS.locate(action)
    number = place[-1]
    if block == "room":
        room = leads_to(s, number + 1)
        return f"use {number + 1}" + (f" for {room_name(room)}" if room is not None else "")
    if block in ("library", "stairwell"):
        return f"use {number + 1} for {block.title()}"
    if block == "cell":
        return f"build at {_cell_text(action - A_CELL)}"
    if block == "explode":
        return f"explode {ICONS[number]}"
    if block == "predictor":
        return "use a Predictor"
    if block == "reroll":
        return f"reroll {number + 1}"
    if block == "keep":
        return _KEEP.get(int(s.phase), "keep")
    if block == "group":
        return f"take group {number + 1}"
    if s.phase != SPLIT:
        return f"split off dice {joined(list(SPLITS[number]))} of 0 to {COMMON_DICE - 1}"
    one, two = groups(s, number)
    return f"split {joined(one)} / {joined(two)}"


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text`` in the phase that the game is in (case does not matter).

    Raises:
        ValueError: not understood, or no such action exists; says what is understood.
    """
    said = text.strip()
    if re.fullmatch(r"#\s*\d+", said):
        action = int(said[1:])
        if action < ACTIONS.size:
            return action
        raise ValueError(f"action ids are #0 to #{ACTIONS.size - 1}, not {said}")
    if s.seat == NOBODY:
        raise ValueError(f"{said!r}: the game is over")
    words = re.findall(r"[a-z]+", said.lower())
    numbers = [int(n) for n in re.findall(r"\d+", said)]
    meant = _parsed(s, words, numbers)
    if meant is None:
        raise ValueError(
            f"{said!r} is not understood; say {_UNDERSTOOD[int(s.phase)]}, or '#12', an action id"
        )
    return meant


def _parsed(s: Any, words: list[str], numbers: list[int]) -> int | None:
    if any(word in _KEEPING for word in words) and not numbers:
        return A_KEEP
    if s.phase == PLACE and len(numbers) == 2:
        return _parse_cell(words, numbers)
    if s.phase == SPLIT and len(numbers) in (DICE, COMMON_DICE):
        return _parse_split(s, numbers[:DICE], numbers[DICE:])
    if s.phase == GROUP and numbers in ([1], [2]):
        return A_GROUP + numbers[0] - 1
    if s.phase == PREDICT and words and not numbers and words[-1].startswith("predictor"):
        return A_PREDICTOR
    if s.phase == EXPLODE and words and not numbers:
        named = [k for k, icon in enumerate(ICONS) if icon.lower() == words[-1]]
        return A_EXPLODE + named[0] if named else None
    if s.phase in (BUILD, MARKET) and len(numbers) == 1 and 1 <= numbers[0] <= DIE:
        return _parse_die(s, words, numbers[0])
    return None


def _parse_cell(words: list[str], numbers: list[int]) -> int | None:
    column, row = numbers
    if "row" in words and "column" in words and words.index("row") < words.index("column"):
        column, row = row, column
    return A_CELL + row * COLUMNS + column if column < COLUMNS and row < ROWS else None


def _parse_split(s: Any, one: list[int], rest: list[int]) -> int | None:
    for split in range(len(SPLITS)):
        both = groups(s, split)
        for first, second in (both, both[::-1]):
            if sorted(one) == first and (not rest or sorted(rest) == second):
                return A_SPLIT + split
    return None


def _parse_die(s: Any, words: list[str], die: int) -> int | None:
    if "reroll" in words or s.phase == MARKET:
        return A_REROLL + die - 1
    said = " ".join(word for word in words if word not in ("use", "for", "a", "an", "the", "die"))
    if said in ("library", "stairwell"):
        return (A_LIBRARY if said == "library" else A_STAIRWELL) + die - 1
    room = leads_to(s, die)
    if said and room is not None and said != room_name(room).lower():
        return None
    return A_ROOM + die - 1


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a, b, c = (int(n) for n in event)
    who = f"player_{seat}"
    if code == E_LOT:
        return f"{who} is the first to throw the common dice"
    if code == E_SETUP:
        return f"{who} fills the columns of {_columns(a)} and marks {ROOMS_TABLE[b]}"
    if code == E_DICE:
        return f"{who} throws {_dice_text(a)}"
    if code == E_COMMON:
        return f"{who} throws {_dice_text(a)} {_dice_text(b)} for both"
    if code == E_SPLIT:
        return f"{who} splits them: group 1 is {_dice_text(a)}, group 2 is {_dice_text(b)}"
    if code == E_GROUP:
        return f"{who} takes group {a}, {_dice_text(b)}, and leaves {_dice_text(c)}"
    if code == E_USE:
        instead = "" if room_name(c) == ROOMS_TABLE[b] else f", for a {room_name(c)} instead"
        return f"{who} uses {a}: row {b}, {ROOMS_TABLE[b]}{instead}"
    if code == E_BUILD:
        return f"{NAMES[a]} stands on {_room_or(c, 'the ground')} at {_cell_text(b)}"
    if code == E_COPY:
        return f"the Laboratory takes {f'the icon {ICONS[a]}' if a != NONE else 'no icon'}"
    if code == E_POINTS:
        return f"{who} gets {b} for the {NAMES[a]}"
    if code == E_DUD:
        return "the Explosion finds no icon"
    if code == E_CROSS:
        of = "" if NAMES[b] == ICONS[a] else f" of the {NAMES[b]}"
        return f"{who} crosses out {ICONS[a]}{of} at {_cell_text(c)}"
    if code == E_REROLL:
        return f"{who} rerolls {a}: {b}"
    if code == E_KEEP:
        return f"{who}: {_KEEP[a]}"
    if code == E_HOUR:
        return f"{who} crosses out hourglass {a}"
    if code == E_EYE:
        return f"{who} crosses out eye {a} and throws {_dice_text(b)} for the market"
    if code == E_FILL:
        return f"{who} fills the columns of {_columns(a)}"
    if code == E_END:
        return f"{who} ends: {ENDS[a]}"
    if code == E_SCORE:
        return f"{who} has {a} points"
    raise ValueError(f"{code} is no event code of this game")


def _columns(dice: int) -> str:
    names = [ICONS[int(die) - 1] for die in str(dice)]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _room_or(room: int, otherwise: str) -> str:
    return otherwise if room == NONE else NAMES[room]
