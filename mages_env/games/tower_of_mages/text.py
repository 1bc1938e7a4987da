"""Tower of Mages as text and JSON; everybody sees everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, RUNNING
from mages_env.games.tower_of_mages.data import (
    COLUMNS,
    DIE,
    HOURGLASSES,
    ICONS,
    LABORATORY,
    NAMES,
    NONE,
    NUM_EYES,
    PIECES,
    ROOMS_TABLE,
    VALUES,
)
from mages_env.games.tower_of_mages.drawing import (
    market_lines,
    piece_text,
    plan_lines,
    table_lines,
    time_text,
)
from mages_env.games.tower_of_mages.rules import legal
from mages_env.games.tower_of_mages.state import (
    A_KEEP,
    ACTIONS,
    EXPLODE,
    GROUP,
    MARKET,
    OPTIONS,
    PHASES,
    PLACE,
    PREDICT,
    SPLIT,
)
from mages_env.games.tower_of_mages.words import (
    ENDS,
    action_text,
    dice_list,
    event_text,
    groups,
    joined,
    leads_to,
    room_name,
)


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
        return f"split {joined(s.common.tolist())} into two groups"
    if phase == GROUP:
        one, two = groups(s, int(s.split))
        return f"take group 1 ({joined(one)}) or group 2 ({joined(two)})"
    if phase == PLACE:
        return f"where is the {NAMES[s.building]} built?\n{piece_text(int(s.building))}"
    if phase == EXPLODE:
        return "which icon is crossed out by the Explosion?"
    dice = dice_list(s.dice[s.seat])
    if phase == MARKET:
        return f"reroll one of {joined(dice)} before they fill the market?"
    if _mask(s)[A_KEEP]:
        return f"no die of {joined(dice)} can be used: reroll one, or keep them and end the page?"
    ways = ", ".join(f"{die} {room_name(leads_to(s, die) or 0)}" for die in sorted(set(dice)))
    return f"use a die of {joined(dice)} ({ways})"


def _page_lines(s: Any, p: int, seat: int | None) -> list[str]:
    you = " (you)" if p == seat and s.num_players > 1 else ""
    state = f"ended, {ENDS[int(s.ended[p])]}" if s.ended[p] else f"turn {s.hourglasses[p] + 1}"
    if s.dice[p].any():
        state += f", dice {joined(dice_list(s.dice[p]))}"
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
        "groups": list(groups(s, int(s.split))) if s.split != NONE else None,
        "pages": [_page_json(s, p) for p in range(s.num_players)],
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        if seat == s.seat:
            view["legal_actions"] = [
                {"id": int(a), "text": action_text(s, int(a))} for a in np.flatnonzero(_mask(s))
            ]
    return view


def _mask(s: Any) -> np.ndarray:
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(s, mask)
    return mask


def _page_json(s: Any, p: int) -> dict[str, Any]:
    return {
        "points": scores(s)[p],
        "points_for_buildings": int(s.bonus[p]),
        "ended": ENDS[int(s.ended[p])] if s.ended[p] else None,
        "return": float(s.returns[p]),
        "dice": dice_list(s.dice[p]),
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
