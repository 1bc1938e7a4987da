"""Tower of Mages in words and in JSON; everybody sees everything."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.tower_of_mages.data import (
    COLUMNS,
    DICE,
    DIE,
    EXPLOSION,
    HOURGLASSES,
    ICONS,
    LABORATORY,
    NAMES,
    NONE,
    NUM_EYES,
    PIECES,
    ROOM_AT,
    ROOMS_TABLE,
    ROWS,
    VALUES,
)
from mages_env.games.tower_of_mages.drawing import market_lines, plan_lines, table_lines, time_text
from mages_env.games.tower_of_mages.rules import legal
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
    OPTIONS,
    PHASES,
    PLACE,
    PREDICT,
    SPLIT,
    SPLITS,
    TOP_ROW,
)

_ENDS = {TOP_ROW: "the top row is reached", NO_TIME: "time is up", NO_ROOM: "nothing can be built"}
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


def _dice(counts: Any) -> list[int]:
    return [k + 1 for k in range(DIE) for _ in range(int(counts[k]))]


def _groups(s: Any, split: int) -> tuple[list[int], list[int]]:
    """The dice of both groups."""
    one, two = (
        [int(s.common[die]) for die in range(COMMON_DICE) if IN_GROUP_2[split, die] == second]
        for second in (0, 1)
    )
    return one, two


def _joined(dice: list[int]) -> str:
    return " ".join(map(str, dice))


def _cell_text(cell: int) -> str:
    return f"column {cell % COLUMNS}, row {cell // COLUMNS}"


def _leads_to(s: Any, die: int) -> int | None:
    """Room, or EXPLOSION, that a die of the seat to move leads to."""
    if s.seat == NOBODY:
        return None
    return int(ROOM_AT[(int(s.mark[s.seat]) + die) % len(ROOMS_TABLE)])


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    block, place = ACTIONS.locate(action)
    number = place[-1]
    if block == "room":
        room = _leads_to(s, number + 1)
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
        return f"split off dice {_joined(list(SPLITS[number]))} of 0 to {COMMON_DICE - 1}"
    one, two = _groups(s, number)
    return f"split {_joined(one)} / {_joined(two)}"


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
    action = _parsed(s, words, numbers)
    if action is None:
        raise ValueError(
            f"{said!r} is not understood; say {_UNDERSTOOD[int(s.phase)]}, or '#12', an action id"
        )
    return action


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
        groups = _groups(s, split)
        for first, second in (groups, groups[::-1]):
            if sorted(one) == first and (not rest or sorted(rest) == second):
                return A_SPLIT + split
    return None


def _parse_die(s: Any, words: list[str], die: int) -> int | None:
    if "reroll" in words or s.phase == MARKET:
        return A_REROLL + die - 1
    said = " ".join(word for word in words if word not in ("use", "for", "a", "an", "the", "die"))
    if said in ("library", "stairwell"):
        return (A_LIBRARY if said == "library" else A_STAIRWELL) + die - 1
    room = _leads_to(s, die)
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
        way = f"to row {b} ({ROOMS_TABLE[b]})"
        instead = "" if room_name(c) == ROOMS_TABLE[b] else f", for a {room_name(c)}"
        return f"{who} uses {a} {way}{instead}"
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
        return f"{who} ends: {_ENDS[a]}"
    if code == E_SCORE:
        return f"{who} has {a} points"
    raise ValueError(f"{code} is no event code of this game")


def _columns(dice: int) -> str:
    names = [ICONS[int(die) - 1] for die in str(dice)]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _room_or(room: int, otherwise: str) -> str:
    return otherwise if room == NONE else NAMES[room]


def visible_events(s: Any, seat: int | None) -> list[str]:
    """What ``seat`` (None: anybody) may know of the last step, in order."""
    return [
        event_text(s, event)
        for event in s.events[: min(int(s.num_events), len(s.events))]
        if event[1] in (ALL, ALL if seat is None else seat)
    ]


def scores(s: Any) -> list[int]:
    """TOM-13: points of every seat by the market as it stands."""
    return [
        int(s.bonus[p]) + sum(int(s.icons[p, k]) * int(VALUES[s.filled[p, k]]) for k in range(DIE))
        for p in range(s.num_players)
    ]


def _pieces(s: Any, p: int) -> list[tuple[int, int, int, bool]]:
    return [
        (
            int(s.piece_room[p, n]),
            int(s.piece_cell[p, n]) % COLUMNS,
            int(s.piece_cell[p, n]) // COLUMNS,
            bool(s.piece_crossed[p, n]),
        )
        for n in range(s.num_pieces[p])
    ]


def _dots(s: Any, p: int) -> list[int]:
    return [int(cell) for cell in s.dot_cell[p, : s.num_dots[p]]]


def _asked_text(s: Any) -> str:
    """What the seat to move is asked."""
    phase = int(s.phase)
    if phase == PREDICT:
        return "use a Predictor before the dice are thrown?"
    if phase == SPLIT:
        return f"split {_joined(s.common.tolist())} into two groups"
    if phase == GROUP:
        one, two = _groups(s, int(s.split))
        return f"take group 1 ({_joined(one)}) or group 2 ({_joined(two)})"
    if phase == PLACE:
        return f"where is the {NAMES[s.building]} built?\n{_piece_lines(int(s.building))}"
    if phase == EXPLODE:
        return "which icon is crossed out by the Explosion?"
    dice = _dice(s.dice[s.seat])
    if phase == MARKET:
        return f"reroll one of {_joined(dice)} before they fill the market?"
    ways = ", ".join(f"{die} {room_name(_leads_to(s, die) or 0)}" for die in sorted(set(dice)))
    return f"use a die of {_joined(dice)} ({ways})"


def _piece_lines(room: int) -> str:
    from mages_env.games.tower_of_mages.drawing import piece_text

    return piece_text(room)


def _page_lines(s: Any, p: int, seat: int | None) -> list[str]:
    you = " (you)" if p == seat and s.num_players > 1 else ""
    state = f"ended, {_ENDS[int(s.ended[p])]}" if s.ended[p] else f"turn {s.hourglasses[p] + 1}"
    lines = [
        f"{'>' if p == s.seat else ' '} player_{p}{you}: {scores(s)[p]} points, {state}",
        f"Time: {time_text(int(s.hourglasses[p]), int(s.eyes[p]))}",
    ]
    plan = plan_lines(_pieces(s, p), _dots(s, p))
    rooms = ["Rooms", *table_lines(int(s.mark[p]))]
    market = ["Market", *market_lines(s.filled[p].tolist())]
    for k, line in enumerate(plan):
        right = f"   {rooms[k] if k < len(rooms) else '':<13}"
        right += f"   {market[k] if k < len(market) else ''}"
        lines.append(f"{line:<{len(plan[0])}}{right}".rstrip())
    icons = [f"{icon} {s.icons[p, k]}" for k, icon in enumerate(ICONS) if s.icons[p, k]]
    lines.append(f"Icons: {', '.join(icons) or 'none'}; for buildings {s.bonus[p]} points")
    labs = [
        f"{_icon_name(int(s.piece_icon[p, n])) or 'none'} at ({x}, {y})"
        for n, (room, x, y, _) in enumerate(_pieces(s, p))
        if room == LABORATORY
    ]
    if labs:
        lines.append(f"Laboratories' icons: {', '.join(labs)}")
    return lines


def _icon_name(icon: int) -> str | None:
    return None if icon == NONE else ICONS[icon]


def to_text(s: Any, seat: int | None) -> str:
    """The pages, what is asked, and a legend."""
    lines = []
    for p in range(s.num_players):
        lines += [*_page_lines(s, p, seat), ""]
    legend = ", ".join(f"{piece.letter} {piece.name}" for piece in PIECES)
    lines.append(f"{legend}; small: crossed out; +: free dot")
    if s.over == RUNNING:
        lines.append(f"player_{s.seat}: {_asked_text(s)}")
    else:
        rewards = ", ".join(f"player_{p} {s.returns[p]:+.3g}" for p in range(s.num_players))
        lines.append(f"Game over; rewards: {rewards}")
    return "\n".join(lines)


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The same as plain values; the legal actions only for the seat to move."""
    running = s.over == RUNNING
    view: dict[str, Any] = {
        "num_players": int(s.num_players),
        **{option.name: option.decode(int(s[option.name])) for option in OPTIONS},
        "turn": int(s.turn),
        "seat_to_move": int(s.seat) if running else None,
        "over": ("no", "terminated", "truncated")[s.over],
        "asked": PHASES[s.phase] if running else None,
        "building": NAMES[s.building] if s.building != NONE else None,
        "roller": int(s.roller) if s.shared else None,
        "common_dice": [int(die) for die in s.common if die],
        "groups": list(_groups(s, int(s.split))) if s.split != NONE else None,
        "pages": [_page_json(s, p) for p in range(s.num_players)],
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        if seat == s.seat:
            view["legal_actions"] = [
                {"id": int(a), "text": action_text(s, int(a))} for a in _legal_actions(s)
            ]
    return view


def _legal_actions(s: Any) -> np.ndarray:
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(s, mask)
    return np.flatnonzero(mask)


def _page_json(s: Any, p: int) -> dict[str, Any]:
    return {
        "points": scores(s)[p],
        "points_for_buildings": int(s.bonus[p]),
        "ended": _ENDS[int(s.ended[p])] if s.ended[p] else None,
        "return": float(s.returns[p]),
        "dice": _dice(s.dice[p]),
        "mark": {"row": int(s.mark[p]), "room": ROOMS_TABLE[s.mark[p]]},
        "hourglasses": {"crossed_out": int(s.hourglasses[p]), "of": HOURGLASSES},
        "eyes": {"crossed_out": int(s.eyes[p]), "of": NUM_EYES},
        "market": {
            ICONS[k]: {"filled": int(s.filled[p, k]), "value": int(VALUES[s.filled[p, k]])}
            for k in range(DIE)
        },
        "icons": {icon: int(s.icons[p, k]) for k, icon in enumerate(ICONS)},
        "pieces": [
            {
                "room": NAMES[room],
                "column": column,
                "row": row,
                "stands_on": None if s.piece_below[p, n] == NONE else int(s.piece_below[p, n]),
                "icon": _icon_name(int(s.piece_icon[p, n])),
                "crossed_out": crossed,
            }
            for n, (room, column, row, crossed) in enumerate(_pieces(s, p))
        ],
        "free_dots": [{"column": cell % COLUMNS, "row": cell // COLUMNS} for cell in _dots(s, p)],
    }
