"""Mage in words and in JSON, for one seat or for everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.mage.legal import legal
from mages_env.games.mage.state import (
    ABYSS,
    ACTIONS,
    AGE,
    ATTACHED,
    CARDS,
    COURT,
    DECK,
    E_ATTACH,
    E_ATTACK,
    E_CANCEL,
    E_CARD,
    E_CASH,
    E_DAMAGE,
    E_DIAMOND_DRAW,
    E_DISCARD,
    E_DONE,
    E_DRAW,
    E_DROP,
    E_DUEL,
    E_FALL,
    E_HEAL,
    E_HIT,
    E_JOKER,
    E_LIMIT,
    E_OUT,
    E_RETURN,
    E_ROYAL,
    E_SHUFFLE,
    E_START,
    E_TAKE,
    E_TURN,
    E_WIN,
    E_WOUND,
    FACE_DOWN,
    HAND,
    MINE,
    NONE,
    OPTIONS,
    PHASES,
    ROYAL,
    ROYALS,
    SHOWN,
)
from mages_env.games.mage.words import action_text, card_name, names, parse_action, player_name

__all__ = ["action_text", "event_text", "parse_action", "to_json", "to_text", "visible_events"]


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a, b, c = (int(n) for n in event)
    words = _EVENT_WORDS.get(code)
    if words is None:
        raise ValueError(f"{code} is no event code of this game")
    return words(player_name(seat), a, b, c)


def _drawn(who: str, a: int, b: int) -> str:
    if a == 0:
        return f"{who} draws nothing: deck and Abyss are empty"
    return f"{who} draws {a}; {b} left in the deck"


_EVENT_WORDS = {
    E_START: lambda who, a, b, c: f"the lot falls on {who} to start",
    E_CARD: lambda who, a, b, c: f"{who} gets {card_name(a)}",
    E_DRAW: lambda who, a, b, c: _drawn(who, a, b),
    E_SHUFFLE: lambda who, a, b, c: (
        f"deck and Abyss are shuffled together: {a} cards"
        if b
        else f"the Abyss is shuffled into a new deck: {a} cards"
    ),
    E_TURN: lambda who, a, b, c: f"{who}'s turn: royals untip, vault {a}",
    E_ROYAL: lambda who, a, b, c: f"{who} plays {card_name(a)} into the court",
    E_DROP: lambda who, a, b, c: f"{who} drops {card_name(a)} into the Mine",
    E_DIAMOND_DRAW: lambda who, a, b, c: f"{who} gives {card_name(a)} to draw a card",
    E_CASH: lambda who, a, b, c: f"{who} discards {card_name(a)} into the vault",
    E_ATTACH: lambda who, a, b, c: f"{who} puts {card_name(a)} on {card_name(b)}",
    E_CANCEL: lambda who, a, b, c: f"clubs and spades on {card_name(a)} cancel out",
    E_HEAL: lambda who, a, b, c: f"{who} heals {player_name(b)} with {card_name(a)}: life {c}",
    E_DAMAGE: lambda who, a, b, c: f"{who} damages {player_name(b)} with {card_name(a)}: life {c}",
    E_RETURN: lambda who, a, b, c: f"{who} plays {card_name(a)} to return a card",
    E_TAKE: lambda who, a, b, c: f"{who} takes {card_name(a)} from the Abyss",
    E_JOKER: lambda who, a, b, c: f"{who} plays a joker on {card_name(b)}",
    E_FALL: lambda who, a, b, c: f"{card_name(a)} of {who} goes to the Abyss",
    E_ATTACK: lambda who, a, b, c: f"{card_name(a)} of {who} attacks {player_name(b)}",
    E_DUEL: lambda who, a, b, c: f"{card_name(a)} of {who} duels {card_name(b)}",
    E_WOUND: lambda who, a, b, c: f"{card_name(a)} of {who} takes {b} damage",
    E_HIT: lambda who, a, b, c: f"{card_name(a)} hits {who} for {b}: life {c}",
    E_DISCARD: lambda who, a, b, c: f"{who} discards {card_name(a)}",
    E_DONE: lambda who, a, b, c: f"{who} is done: {PHASES[a]}",
    E_OUT: lambda who, a, b, c: f"{who} is out",
    E_WIN: lambda who, a, b, c: f"{who} is the last one in and wins",
    E_LIMIT: lambda who, a, b, c: "turn limit: those still in are ranked by life",
}


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


def _at(s: Any, *places: int) -> list[str]:
    return names(np.flatnonzero(np.isin(s.where, places)))


def _in_other_hands(s: Any, seat: int | None) -> list[str]:
    """Cards that must be in hands, as they were not in the deck when it was last made."""
    hidden = (s.where >= HAND) & (s.where < SHOWN) & (s.pool >= AGE)
    if seat is not None:
        hidden &= s.where != HAND + seat
    return names(c for c in np.flatnonzero(hidden) if not _may_be_in_deck(s, int(s.pool[c])))


def _may_be_in_deck(s: Any, pool: int) -> bool:
    while pool >= AGE:
        pool = int(s.again[pool // AGE])
    return pool != NONE


def to_text(s: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; None: as anybody may see it."""
    lines = []
    if s.over == RUNNING:
        lines.append(
            f"Turn {s.turn + 1}, {player_name(s.active)}'s: {PHASES[s.phase]}; "
            f"deck {s.deck_size}, Mine {s.mine}"
        )
        if s.spade != NONE:
            lines.append(f"{card_name(s.spade)} returns a card from the Abyss")
        lines.append(f"Abyss: {' '.join(_at(s, ABYSS)) or 'empty'}")
    else:
        lines.append("Game over" if not s.truncated.any() else "Game over at the turn limit")
    for p in range(s.num_players):
        lines += _seat_lines(s, p, seat)
    if seat is not None:
        lines.append(f"Your hand: {' '.join(_at(s, HAND + seat, SHOWN + seat)) or 'empty'}")
    held = _in_other_hands(s, seat)
    if held and s.over == RUNNING:
        lines.append(f"In {'hands' if seat is None else 'other hands'}, surely: {' '.join(held)}")
    return "\n".join(lines)


def _seat_lines(s: Any, p: int, seat: int | None) -> list[str]:
    line = f"{'>' if p == s.seat else ' '} {player_name(p)}{' (you)' if p == seat else ''}: "
    if s.over != RUNNING or s.terminated[p]:
        return [line + f"life {s.life[p]}, reward {s.returns[p]:+.3g}"]
    line += f"life {s.life[p]}, vault {s.vault[p]}, hand {s.hand_size[p]}"
    known = _at(s, SHOWN + p)
    if known:
        line += f" ({' '.join(known)} known)"
    return [line, *(f"      {_royal_text(s, r)}" for r in _court(s, p))]


def _court(s: Any, p: int) -> list[int]:
    return np.flatnonzero(s.where[ROYAL : ROYAL + ROYALS] == COURT + p).tolist()


def _royal_text(s: Any, r: int) -> str:
    left = int(s.health[r]) - int(s.damage[r])
    text = f"{card_name(ROYAL + r)} {max(0, int(s.attack[r]))}/{left}"
    attached = _at(s, ATTACHED + r)
    if attached:
        text += f" with {' '.join(attached)}"
    if s.damage[r]:
        text += f", damage {s.damage[r]}"
    if s.tipped[r]:
        text += ", tipped"
    if s.fresh[r]:
        text += ", played this turn"
    if s.attacked[r] != NONE:
        text += f", attacks {player_name(s.attacked[r])}"
    if s.duelled[r] != NONE:
        text += f", duels {card_name(ROYAL + int(s.duelled[r]))}"
    return text


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The same as plain values; the legal actions only for the seat to move."""
    view: dict[str, Any] = {
        "num_players": int(s.num_players),
        **{option.name: option.decode(int(s[option.name])) for option in OPTIONS},
        "turn": int(s.turn),
        "starting_player": int(s.starter),
        "active_player": int(s.active),
        "seat_to_move": None if s.seat == NOBODY else int(s.seat),
        "phase": PHASES[s.phase],
        "diamond_used": bool(s.diamond_used),
        "returning_spade": None if s.spade == NONE else card_name(s.spade),
        "over": ("no", "terminated", "truncated")[s.over],
        "mine": _at(s, MINE),
        "mine_value": int(s.mine),
        "deck_size": int(s.deck_size),
        "abyss": _at(s, ABYSS),
        "abyss_size": int(s.abyss_size),
        "surely_in_hands": _in_other_hands(s, seat),
        "players": [_player_json(s, p) for p in range(s.num_players)],
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        view["hand"] = _at(s, HAND + seat, SHOWN + seat)
        view["unseen"] = names(_unseen(s, seat))
        if seat == s.seat:
            view["legal_actions"] = [
                {"id": int(a), "text": action_text(s, int(a))} for a in _legal_actions(s)
            ]
    return view


def _unseen(s: Any, seat: int) -> np.ndarray:
    places = [DECK, FACE_DOWN, *(HAND + p for p in range(s.num_players) if p != seat)]
    return np.flatnonzero(np.isin(s.where[:CARDS], places))


def _player_json(s: Any, p: int) -> dict[str, Any]:
    return {
        "in": not s.terminated[p],
        "life": int(s.life[p]),
        "vault": int(s.vault[p]),
        "hand_size": int(s.hand_size[p]),
        "known_in_hand": _at(s, SHOWN + p),
        "court": [
            {
                "royal": card_name(ROYAL + r),
                "attack": max(0, int(s.attack[r])),
                "health": int(s.health[r]),
                "damage": int(s.damage[r]),
                "attached": _at(s, ATTACHED + r),
                "tipped": bool(s.tipped[r]),
                "played_this_turn": bool(s.fresh[r]),
                "attacks": None if s.attacked[r] == NONE else int(s.attacked[r]),
                "duels": None if s.duelled[r] == NONE else card_name(ROYAL + int(s.duelled[r])),
            }
            for r in _court(s, p)
        ],
        "return": float(s.returns[p]),
    }
