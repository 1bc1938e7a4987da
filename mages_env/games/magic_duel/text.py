"""Magic Duel in words and in JSON, for one seat or for everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.magic_duel.board import SQUARES, WIDTH, square_at
from mages_env.games.magic_duel.data import ACTION_TOKENS, NEXUS, OBSTACLES, SPELLS, TURNS, UNITS
from mages_env.games.magic_duel.legal import legal
from mages_env.games.magic_duel.state import (
    ACTIONS,
    DEEDS,
    ENDURANCE,
    HIT_POINTS,
    MAGES,
    OPTIONS,
    P_SPLIT_CHARGED,
    PHASES,
    SLOTS,
)
from mages_env.games.magic_duel.words import (
    FILES,
    action_text,
    event_text,
    plural,
    square_name,
    unit_name,
)

_CELL = 4


def visible_events(s: Any, seat: int | None) -> list[str]:
    """What ``seat`` (None: anybody) may know of the last step, in order."""
    return [
        event_text(s, event)
        for event in s.events[: min(int(s.num_events), len(s.events))]
        if event[1] in (ALL, ALL if seat is None else seat)
    ]


def _legal_actions(s: Any) -> np.ndarray:
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(s, mask)
    return np.flatnonzero(mask)


def _models(s: Any, side: int, slot: int) -> int:
    return -(-int(s.pool[side, slot]) // int(HIT_POINTS[slot]))


def board_text(s: Any) -> str:
    """The board, side 0 at the bottom; units as side and short name."""
    cells = ["."] * SQUARES
    cells[square_at(*NEXUS)] = "*"
    for x, y in OBSTACLES[int(s.num_players)]:
        cells[square_at(x, y)] = "###"
    for side in range(s.num_players):
        for slot, unit in enumerate(UNITS):
            if s.pool[side, slot] > 0:
                cells[s.square[side, slot]] = f"{side}{unit.short}"
    rows = [
        f"{y + 1} " + "".join(f"{cell:{_CELL}}" for cell in cells[WIDTH * y : WIDTH * (y + 1)])
        for y in reversed(range(WIDTH))
    ]
    return "\n".join(row.rstrip() for row in [*rows, "  " + (" " * (_CELL - 1)).join(FILES)])


def to_text(s: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; None: as anybody may see it."""
    if s.over == RUNNING:
        lines = [f"Turn {s.turn + 1} of {TURNS}, initiative: player_{s.holder}"]
    else:
        lines = ["Game over"]
    lines += [board_text(s), "* Nexus, ### obstacle"]
    for side in range(s.num_players):
        lines.append(_side_line(s, side, seat))
        lines += [_unit_line(s, side, k) for k in range(SLOTS) if s.pool[side, k] > 0]
    if s.over == RUNNING:
        lines.append(_under_way(s))
    split = _own_split(s, seat)
    if split is not None:
        lines.append(f"Your split: {plural(split, 'attack die', 'attack dice')}")
    return "\n".join(lines)


def _side_line(s: Any, side: int, seat: int | None) -> str:
    who = f"player_{side}{' (you)' if side == seat else ''}"
    line = f"{'>' if side == s.seat else ' '} {who}: "
    line += plural(int(s.victory_points[side]), "victory point")
    if s.over != RUNNING:
        return f"{line}, reward {s.returns[side]:+.3g}"
    if s.terminated[side]:
        return f"{line}, out"
    line += f", {int(s.action_tokens[side])} of {plural(ACTION_TOKENS, 'action token')}"
    return line + (", has passed" if s.passed[side] else "")


def _unit_line(s: Any, side: int, slot: int) -> str:
    unit = UNITS[slot]
    said = [f"    {side}{unit.short} {unit.name} {square_name(s.square[side, slot])}"]
    said.append(f"{int(s.pool[side, slot])} of {unit.models * unit.hit_points} HP")
    if unit.models > 1:
        said.append(f"{_models(s, side, slot)} of {unit.models} models")
    said.append(f"fatigue {int(s.fatigue[side, slot])}/{unit.endurance}")
    if s.fatigue[side, slot] >= ENDURANCE[slot]:
        said.append("fatigued")
    if s.broken[side, slot]:
        said.append("broken")
    if slot < MAGES:
        said.append(plural(int(s.power_tokens[side, slot]), "power token"))
    for count, noun in (
        (s.morale_tokens[side, slot], "morale token"),
        (s.prowess[side, slot], "combat dice more"),
        (s.speed[side, slot], "squares further"),
    ):
        if count:
            said.append(plural(int(count), noun) if noun == "morale token" else f"{count} {noun}")
    return ", ".join(said)


def _under_way(s: Any) -> str:
    """What is asked, and of which action."""
    asked = f"player_{s.seat} is asked: {PHASES[s.phase]}"
    if s.actor < 0:
        return asked
    said = f"{unit_name(s.active, s.actor)}: {DEEDS[s.deed]}"
    if s.spell >= 0:
        said += f" {SPELLS[s.spell].name}"
    if s.target >= 0:
        said += f" at {unit_name(s.target_side, s.target)}"
    if s.goal >= 0:
        said += f" to {square_name(s.goal)}"
    if s.casting > 0:
        said += f" with {plural(int(s.casting), 'casting die', 'casting dice')}"
    return f"{said}; {asked}"


def _own_split(s: Any, seat: int | None) -> int | None:
    """The attack dice that ``seat`` has chosen and the other side does not know yet."""
    hidden = s.phase == P_SPLIT_CHARGED and s.over == RUNNING
    return int(s.attack[0]) if hidden and seat == s.active else None


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The same as plain values; the legal actions only for the seat to move."""

    def named(names: Any, index: int) -> Any:
        return None if index < 0 else names[index]

    view: dict[str, Any] = {
        "num_players": int(s.num_players),
        **{option.name: option.decode(int(s[option.name])) for option in OPTIONS},
        "turn": int(s.turn),
        "initiative": int(s.holder),
        "seat_to_move": None if s.seat == NOBODY else int(s.seat),
        "over": ("no", "terminated", "truncated")[s.over],
        "phase": PHASES[s.phase] if s.over == RUNNING else None,
        "action": {
            "side": int(s.active),
            "unit": named([unit.name for unit in UNITS], s.actor),
            "kind": named(DEEDS, s.deed),
            "spell": named([spell.name for spell in SPELLS], s.spell),
            "target_side": None if s.target < 0 else int(s.target_side),
            "target": named([unit.name for unit in UNITS], s.target),
            "charge_square": None if s.goal < 0 else square_name(s.goal),
            "casting_dice": int(s.casting),
        },
        "nexus": square_name(square_at(*NEXUS)),
        "obstacles": [square_name(square_at(*at)) for at in OBSTACLES[int(s.num_players)]],
        "players": [_side_json(s, side) for side in range(s.num_players)],
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        view["own_attack_dice"] = _own_split(s, seat)
        if seat == s.seat:
            view["legal_actions"] = [
                {"id": int(a), "text": action_text(s, int(a))} for a in _legal_actions(s)
            ]
    return view


def _side_json(s: Any, side: int) -> dict[str, Any]:
    return {
        "victory_points": int(s.victory_points[side]),
        "action_tokens": int(s.action_tokens[side]),
        "passed": bool(s.passed[side]),
        "out": bool(not s.pool[side].any()),
        "return": float(s.returns[side]),
        "units": [_unit_json(s, side, k) for k in range(SLOTS) if s.pool[side, k] > 0],
    }


def _unit_json(s: Any, side: int, slot: int) -> dict[str, Any]:
    unit: dict[str, Any] = {
        "name": UNITS[slot].name,
        "square": square_name(s.square[side, slot]),
        "hit_points": int(s.pool[side, slot]),
        "healing_cap": int(s.pool_cap[side, slot]),
        "models": _models(s, side, slot),
        "fatigue": int(s.fatigue[side, slot]),
        "broken": bool(s.broken[side, slot]),
        "morale_tokens": int(s.morale_tokens[side, slot]),
        "combat_prowess": int(s.prowess[side, slot]),
        "unnatural_speed": int(s.speed[side, slot]),
    }
    if slot < MAGES:
        unit["power_tokens"] = int(s.power_tokens[side, slot])
    return unit
