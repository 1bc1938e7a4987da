"""Dark Mages in words and in JSON, for one seat or for everybody."""

from __future__ import annotations

import difflib
import re
from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.game import listed_actions

from .deck import COLUMN, SKILL, SLOTS
from .defeat import allies
from .events_text import aimed_at, event_text, player, status_text
from .legal import castable, legal
from .state import (
    ACTION,
    ACTIONS,
    AIM,
    ATTACK,
    ATTACKER,
    BY_COMPANION,
    BY_ENEMY,
    CARD,
    CAST,
    COMPANION,
    DECK,
    ENEMY_TARGET,
    ITEM,
    KINDS,
    LOOT,
    MAGICIAN,
    NAMES,
    NONE,
    OPPONENTS,
    OPTIONS,
    PASS,
    PLACE,
    PLAY,
    STEAL_USE,
    STRIKE,
    TEAMS,
    USE,
)

__all__ = ["action_text", "event_text", "parse_action", "to_json", "to_text"]

ASKED = (
    "Preparation Phase",
    "Attack Phase",
    "End Phase: a card to discard?",
    "an answer to the attack?",
    "a Dodge?",
    "which item is discarded?",
    "an item of the fallen?",
)
UNDERSTOOD = (
    "say an action in the words of the list, such as 'pass', 'play Healing', 'place Wolf as "
    "attacker', 'cast Fireball at player_1', 'companion attacks the enemy', 'take the Ring', or "
    "'#12', an action id; part of the words will do if only one legal action has them"
)


def target_text(s: Any, target: int) -> str:
    """The target of an action, seen from the seat to move."""
    if target == ENEMY_TARGET:
        return "the enemy"
    left = 1 + target % OPPONENTS
    if left < s.num_players:
        who = player((max(0, int(s.seat)) + left) % int(s.num_players))
    else:
        who = f"the player {left} to the left"
    return who + ("'s companion" if target >= OPPONENTS else "")


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    verb, kind, target = (int(n) for n in ACTION[action])
    if verb == PASS:
        return "pass"
    if verb == PLAY:
        return f"play {NAMES[kind]}"
    if verb == PLACE:
        return f"place {NAMES[kind]} as {'attacker' if target == ATTACKER else 'defender'}"
    if verb == AIM:
        if USE[kind] == STEAL_USE:
            whose = target_text(s, target // len(SLOTS))
            return f"use {NAMES[kind]} on {whose}'s {SLOTS[target % len(SLOTS)]}"
        how = "use" if CARD[kind, COLUMN["category"]] == SKILL else "cast"
        return f"{how} {NAMES[kind]} at {target_text(s, target)}"
    if verb == CAST:
        return f"cast {NAMES[KINDS + int(s.character[max(0, s.seat)])]} at {target_text(s, target)}"
    if verb == STRIKE:
        return f"companion attacks {target_text(s, target)}"
    if verb == ITEM:
        return f"choose the {SLOTS[target]}"
    if verb == LOOT:
        return f"take the {SLOTS[target]}"
    return f"discard {NAMES[kind]}"


def _plain(text: str) -> str:
    words = re.findall(r"[a-z0-9_+]+", text.lower().replace("'s", " s"))
    return " ".join(word for word in words if word not in ("the", "a", "my", "cantrip", "please"))


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text`` (case, articles and punctuation do not matter).

    Raises:
        ValueError: not understood, or more than one legal action is meant; says what would do.
    """
    said = text.strip()
    if re.fullmatch(r"#\s*\d+", said):
        action = int(said[1:])
        if action < ACTIONS.size:
            return action
        raise ValueError(f"action ids are #0 to #{ACTIONS.size - 1}, not {said}")
    wanted = _plain(said)
    legal_ids = _legal_actions(s)
    for action in (*legal_ids, *range(ACTIONS.size)):
        if _plain(action_text(s, action)) == wanted:
            return action
    words = set(wanted.split())
    meant = [a for a in legal_ids if words and words <= set(_plain(action_text(s, a)).split())]
    if len(meant) == 1:
        return meant[0]
    if meant:
        names = ", ".join(repr(action_text(s, a)) for a in meant[:8])
        raise ValueError(f"{said!r} may mean {names}; say more")
    for action in range(ACTIONS.size):
        named = ACTION[action, 0] in (PLAY, PLACE, AIM) and _plain(NAMES[ACTION[action, 1]]).split()
        if named and set(named) <= words <= set(_plain(action_text(s, action)).split()):
            raise ValueError(
                f"{said!r} is not possible now: {_why_not(s, int(ACTION[action, 1]))}; "
                f"legal: {listed_actions(action_text, s, legal_ids)}"
            )
    near = difflib.get_close_matches(said, [action_text(s, a) for a in legal_ids], n=2)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    raise ValueError(f"{said!r} is not understood; {hint}{UNDERSTOOD}")


def _why_not(s: Any, kind: int) -> str:
    """Why a card cannot be played."""
    p = int(s.seat)
    if p == NOBODY:
        return "the game is over"
    if kind not in s.hand[p, : s.hand_size[p]]:
        return f"{NAMES[kind]} is not in your hand"
    level, own = int(CARD[kind, COLUMN["level"]]), max(1, int(s.level[p]))
    if s.phase == ATTACK and level > own and not castable(s, p, kind):
        return f"{NAMES[kind]} is of level {level}, your arcane level is {own}"
    return f"you are asked: {ASKED[s.phase]}"


def _team(s: Any, p: int) -> int | None:
    teams = TEAMS[s.teams]
    return p % teams if teams else None


def visible_events(s: Any, seat: int | None) -> list[str]:
    """What ``seat`` (None: anybody) may know of the last step, in order."""
    return [
        event_text(s, event)
        for event in s.events[: min(int(s.num_events), len(s.events))]
        if event[1] in (ALL, ALL if seat is None else seat)
    ]


def _legal_actions(s: Any) -> list[int]:
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(s, mask)
    return np.flatnonzero(mask).tolist()


def _hand(s: Any, p: int) -> list[str]:
    return [NAMES[kind] for kind in s.hand[p, : s.hand_size[p]]]


def _known(s: Any, p: int, seat: int | None) -> list[str]:
    """Cards in the hand of ``p`` that ``seat`` knows of."""
    if seat is None or p == seat:
        return []
    hand, known = s.hand[p].tolist(), s.known[p].tolist()
    return [NAMES[kind] for kind, by in zip(hand, known, strict=True) if by >> seat & 1]


def _statuses(s: Any, p: int) -> list[dict[str, Any]]:
    return [
        {"effect": status_text(i), "turns": turns}
        for i, turns in enumerate(s.status[p].tolist())
        if turns > 0
    ]


def _dot(s: Any, p: int, part: int) -> dict[str, Any] | None:
    if s.dot[p, part] == NONE:
        return None
    user = int(s.dot_user[p, part])
    return {
        "card": NAMES[s.dot[p, part]],
        "turns": int(s.dot_turns[p, part]),
        "user": None if user == NONE else user,
    }


def _companion(s: Any, p: int) -> dict[str, Any] | None:
    kind = int(s.companion[p])
    if kind == NONE:
        return None
    return {
        "name": NAMES[kind],
        "mode": "attacker" if s.mode[p] == ATTACKER else "defender",
        "hit_points": int(s.companion_hp[p]),
        "armor_class": int(CARD[kind, COLUMN["ac"]]),
        "attack_bonus": int(CARD[kind, COLUMN["atk"]]),
        "damage_over_time": _dot(s, p, COMPANION),
    }


def _items(s: Any, p: int) -> dict[str, str]:
    worn = zip(SLOTS, s["items"][p].tolist(), strict=True)
    return {name: NAMES[kind] for name, kind in worn if kind != NONE}


def _attack(s: Any) -> dict[str, Any] | None:
    if s.attack_kind == NONE or s.over != RUNNING:
        return None
    slot = int(s.attack_slot)
    where = 4 + slot if slot != NONE else int(s.attack_part)
    return {
        "with": NAMES[s.attack_kind],
        "of": player(s.attack_user) + ("'s companion" if s.attack_form == BY_COMPANION else ""),
        "on": "all magicians" if s.attack_form == BY_ENEMY else aimed_at(s.attack_target, where),
        "reflected_by": None if s.attack_by in (NONE, s.attack_user) else int(s.attack_by),
        "dodged": [p for p in range(s.num_players) if s.dodged >> p & 1],
    }


def _attack_line(s: Any) -> str | None:
    attack = _attack(s)
    if attack is None:
        return None
    if s.attack_form == BY_ENEMY:
        line = f"In progress: {attack['with']} attacks all magicians"
    else:
        line = f"In progress: {attack['with']} of {attack['of']} on {attack['on']}"
    if attack["reflected_by"] is not None:
        line += f", reflected by {player(attack['reflected_by'])}"
    if attack["dodged"]:
        line += f", dodged by {', '.join(map(player, attack['dodged']))}"
    return line


def _waiting(s: Any) -> list[dict[str, Any]]:
    """Enemies drawn and not yet resolved, the first in line first (DM-34)."""
    queue = s.queue[: s.queue_size].tolist()
    return [{"name": NAMES[kind], "drawn_by": drawer} for kind, drawer in queue]


def to_text(s: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; None: as anybody may see it."""
    lines = []
    if s.over == RUNNING:
        lines.append(
            f"Turn {s.turn + 1}, of {player(s.active)}; stack {s.stack_size}, "
            f"discard pile {int(s.discards.sum())}"
        )
        if s.enemy != NONE:
            lines.append(
                f"Enemy: {NAMES[s.enemy]}, {s.enemy_hp} HP, AC {CARD[s.enemy, COLUMN['ac']]}, "
                f"drawn by {player(s.enemy_drawer)}"
            )
        if s.queue_size:
            waiting = (f"{one['name']}, drawn by {player(one['drawn_by'])}" for one in _waiting(s))
            lines.append(f"Enemies to come: {'; '.join(waiting)}")
        attack = _attack_line(s)
        if attack is not None:
            lines.append(attack)
    else:
        lines.append("Game over" if not s.truncated.any() else "Game over at the turn limit")
    lines += [_seat_line(s, p, seat) for p in range(s.num_players)]
    if seat is not None:
        lines.append(f"Your hand: {', '.join(_hand(s, seat)) or 'empty'}")
        for p in range(s.num_players):
            known = _known(s, p, seat)
            if known:
                lines.append(f"You know of {player(p)}'s hand: {', '.join(known)}")
        if seat == s.seat:
            lines.append(f"You are asked: {ASKED[s.phase]}")
    return "\n".join(lines)


def _seat_line(s: Any, p: int, seat: int | None) -> str:
    mark = ">" if s.over == RUNNING and p == s.active else " "
    character = DECK.characters[int(s.character[p])]["name"]
    team = _team(s, p)
    who = "" if seat is None else " (you)" if p == seat else " (ally)" if allies(s, p, seat) else ""
    side = "" if team is None else f", team {team}"
    line = f"{mark} {player(p)}{who}{side}, {character}: "
    items = ", ".join(_items(s, p).values())
    if s.alive[p] == 0:
        line += f"fell as number {s.fell[p]}" + (f"; {items}" if items else "")
    else:
        line += (
            f"{s.hp[p]} HP, AC {s.ac[p]}, attack {s.attack_bonus[p]:+d}, "
            f"level {max(1, int(s.level[p]))}, hand {s.hand_size[p]}"
        )
        if s.pool[p] > 0:
            line += f", Magic Shield {s.pool[p]}"
        parts = [items, _companion_text(s, p), *_suffering(s, p)]
        line += "".join(f"; {part}" for part in parts if part)
    if s.over != RUNNING:
        line += f"; reward {s.returns[p]:+.3g}"
    return line


def _companion_text(s: Any, p: int) -> str:
    companion = _companion(s, p)
    if companion is None:
        return ""
    text = f"{companion['name']} ({companion['mode']}, {companion['hit_points']} HP"
    suffers = companion["damage_over_time"]
    return text + (f", {suffers['card']} {suffers['turns']}" if suffers else "") + ")"


def _suffering(s: Any, p: int) -> list[str]:
    texts = [f"{status['effect']} {status['turns']}" for status in _statuses(s, p)]
    suffers = _dot(s, p, MAGICIAN)
    return texts + ([f"{suffers['card']} {suffers['turns']}"] if suffers else [])


def _seat_json(s: Any, p: int, seat: int | None) -> dict[str, Any]:
    return {
        "character": DECK.characters[int(s.character[p])]["name"],
        "team": _team(s, p),
        "alive": bool(s.alive[p]),
        "fell": int(s.fell[p]) or None,
        "hit_points": int(s.hp[p]),
        "magic_shield": int(s.pool[p]),
        "armor_class": int(s.ac[p]),
        "attack_bonus": int(s.attack_bonus[p]),
        "arcane_level": max(1, int(s.level[p])),
        "items": _items(s, p),
        "companion": _companion(s, p),
        "statuses": _statuses(s, p),
        "damage_over_time": _dot(s, p, MAGICIAN),
        "hand_size": int(s.hand_size[p]),
        "known_cards": _known(s, p, seat),
        "return": float(s.returns[p]),
    }


def _enemy(s: Any) -> dict[str, Any] | None:
    if s.enemy == NONE:
        return None
    return {
        "name": NAMES[s.enemy],
        "hit_points": int(s.enemy_hp),
        "armor_class": int(CARD[s.enemy, COLUMN["ac"]]),
        "drawn_by": int(s.enemy_drawer),
    }


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The same as plain values; what is asked, and the legal actions, only for the seat to move."""
    view: dict[str, Any] = {
        "num_players": int(s.num_players),
        **{option.name: option.decode(int(s[option.name])) for option in OPTIONS},
        "turn": int(s.turn),
        "turn_of": int(s.active),
        "over": ("no", "terminated", "truncated")[s.over],
        "used_this_turn": {
            "items": int(s.items_used),
            "healing": int(s.healing_used),
            "potion": int(s.potion_used),
            "companion": int(s.companion_used),
            "skill": int(s.skill_used),
            "attacks": int(s.attacks_used),
            "extra_attacks": int(s.extra_attacks),
            "cantrip": int(s.cantrip_used),
            "companion_attack": int(s.companion_attacked),
        },
        "attack_in_progress": _attack(s),
        "enemy": _enemy(s),
        "enemies_to_come": _waiting(s),
        "stack_size": int(s.stack_size),
        "discard_pile": {
            NAMES[kind]: count for kind, count in enumerate(s.discards.tolist()) if count
        },
        "players": [_seat_json(s, p, seat) for p in range(s.num_players)],
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        view["hand"] = _hand(s, seat)
        if seat == s.seat != NOBODY:
            view["asked"] = ASKED[s.phase]
            view["legal_actions"] = [
                {"id": a, "text": action_text(s, a)} for a in _legal_actions(s)
            ]
    return view
