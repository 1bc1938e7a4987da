"""Magic Duel in words and in JSON, for one seat or for everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.magic_duel.board import SQUARES, WIDTH, square_at
from mages_env.games.magic_duel.casting import MOST_DICE, power_chances
from mages_env.games.magic_duel.data import (
    ACTION_TOKENS,
    NEXUS,
    OBSTACLES,
    SPELL_RANGE,
    SPELLS,
    TURNS,
    UNITS,
)
from mages_env.games.magic_duel.legal import legal
from mages_env.games.magic_duel.state import (
    A_COUNTER,
    A_SHOOT_BACK,
    A_SPELL,
    ACTIONS,
    DEEDS,
    ENDURANCE,
    HIT_POINTS,
    MAGES,
    OPTIONS,
    P_COUNTER,
    P_SPELL,
    P_SPLIT,
    P_SPLIT_CHARGED,
    P_TOKENS,
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


def _mask(s: Any) -> np.ndarray:
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(s, mask)
    return mask


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
        reward = _options(s)["reward"]
        lines = [f"Turn {s.turn + 1} of {TURNS}, initiative: player_{s.holder}, reward: {reward}"]
    else:
        lines = ["Game over"]
    lines += [board_text(s), "* Nexus, ### obstacle"]
    for side in range(s.num_players):
        lines.append(_side_line(s, side, seat))
        lines += [_unit_line(s, side, k) for k in range(SLOTS) if s.pool[side, k] > 0]
    if s.over == RUNNING:
        lines += [_under_way(s), *_numbers(s)]
    split = _own_split(s, seat)
    if split is not None:
        lines.append(f"Your split: {plural(split, 'attack die', 'attack dice')}")
    return "\n".join(lines)


def _options(s: Any) -> dict[str, Any]:
    return {option.name: option.decode(int(s[option.name])) for option in OPTIONS}


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
    if s.pool_cap[side, slot] > s.pool[side, slot]:  # MGD-12
        said.append(f"can be healed to {int(s.pool_cap[side, slot])}")
    if unit.models > 1:
        said.append(f"{_models(s, side, slot)} of {unit.models} models")
    said.append(f"fatigue {int(s.fatigue[side, slot])}/{unit.endurance}")
    if s.fatigue[side, slot] >= ENDURANCE[slot]:
        said.append("fatigued")
    if s.broken[side, slot]:
        said.append("broken")
    if slot < MAGES:
        said.append(plural(int(s.power_tokens[side, slot]), "power token"))
    for count, one, many in (
        (s.morale_tokens[side, slot], "morale token", ""),
        (s.prowess[side, slot], "combat die more", "combat dice more"),
        (s.speed[side, slot], "square further", "squares further"),
    ):
        if count:
            said.append(plural(int(count), one, many))
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


def _numbers(s: Any) -> list[str]:
    """What the question turns on, all of it public."""
    if s.phase == P_SPELL:
        mask = _mask(s)
        useless = [spell.name for k, spell in enumerate(SPELLS) if not mask[A_SPELL + k]]
        nothing = f"No target in sight within {SPELL_RANGE} squares on which it works: "
        return [nothing + ", ".join(useless)] if useless else []
    if s.phase in (P_TOKENS, P_COUNTER):
        needed = (
            f"A casting die needs {_needed(s)}: difficulty {SPELLS[s.spell].difficulty}, "
            f"magic resistance {UNITS[s.target].magic_resistance}"
        )
        price = f"A counter costs the mage {int(s.counter_fatigue)} fatigue"
        return [f"{needed}. {price}", *(_odds_text(s, *dice) for dice in _castings(s))]
    if s.phase in (P_SPLIT, P_SPLIT_CHARGED):
        sides = (s.active, s.actor), (s.target_side, s.target)
        return [_combat_text(s, *sides), _combat_text(s, *reversed(sides))]
    return []


def _needed(s: Any) -> int:
    """MGD-08."""
    return SPELLS[s.spell].difficulty + UNITS[s.target].magic_resistance


def _castings(s: Any) -> list[tuple[int, int]]:
    """Casting and counter dice that can be chosen now, if that is asked."""
    if s.phase == P_TOKENS:
        return [(1 + k, 0) for k in range(int(s.power_tokens[s.active, s.actor]) + 1)]
    if s.phase == P_COUNTER:
        mages = np.flatnonzero(_mask(s)[A_COUNTER:A_SHOOT_BACK])
        return [(int(s.casting), dice) for dice in range(max(mages % MOST_DICE) + 2)]
    return []


def _odds(s: Any, casting: int, counter: int) -> list[float]:
    """Chances of power 1 or more, 2 or more, ..., as far as it makes a difference (MGD-09)."""
    chances = power_chances(casting, counter, _needed(s))
    most = min(casting, len(SPELLS[s.spell].rows))
    return [float(sum(chances[power:])) for power in range(1, most + 1)]


def _odds_text(s: Any, casting: int, counter: int) -> str:
    if s.phase == P_TOKENS:
        chosen = f"{plural(casting - 1, 'token')} and no counter"
    else:
        chosen = f"counter with {plural(counter - 1, 'token')}" if counter else "no counter"
    odds = (f"{power}+ {100 * p:.3g} %" for power, p in enumerate(_odds(s, casting, counter), 1))
    return f"    {chosen}: power {', '.join(odds)}"


def _combat_text(s: Any, own: tuple[int, int], other: tuple[int, int]) -> str:
    """MGD-26: the dice of one of two units and what they need against the other."""
    unit, enemy = UNITS[own[1]], UNITS[other[1]]
    dice = plural(_combat_dice(s, *own), "combat die", "combat dice")
    defence = f"defence needs {enemy.attack_skill - unit.defence_bonus}"
    attack = "no attack" if s.broken[own] else f"attack needs {enemy.armour - unit.strength}"
    return f"    {unit_name(*own)}: {dice}, {defence}, {attack}"


def _combat_dice(s: Any, side: int, slot: int) -> int:
    """MGD-26, MGD-15."""
    return UNITS[slot].combat_dice * _models(s, side, slot) + int(s.prowess[side, slot])


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
        **_options(s),
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
            "casting_die_needs": None if s.spell < 0 or s.target < 0 else _needed(s),
        },
        "odds": [
            {"casting_dice": n, "counter_dice": m, "power_at_least": _odds(s, n, m)}
            for n, m in _castings(s)
        ],
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
                {"id": int(a), "text": action_text(s, int(a))} for a in np.flatnonzero(_mask(s))
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
        "combat_dice": _combat_dice(s, side, slot),
        "fatigue": int(s.fatigue[side, slot]),
        "broken": bool(s.broken[side, slot]),
        "morale_tokens": int(s.morale_tokens[side, slot]),
        "combat_prowess": int(s.prowess[side, slot]),
        "unnatural_speed": int(s.speed[side, slot]),
    }
    if slot < MAGES:
        unit["power_tokens"] = int(s.power_tokens[side, slot])
    return unit
