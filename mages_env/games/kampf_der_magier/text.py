"""Kampf der Magier in words and in JSON, for one seat or for everybody."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.kampf_der_magier.rules import legal
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP,
    A_TOP_BALL,
    ACTION_CARDS,
    ACTIONS,
    BALL,
    CARDS,
    E_BALL,
    E_CARD,
    E_DEAL,
    E_DRAW,
    E_PLAY,
    E_ROUND,
    E_SCORE,
    E_TAKE,
    E_TOP,
    JOKER,
    JOKER_REACH,
    KINDS,
    OPEN_PILE,
    OPTIONS,
    PLAY_ID,
    POWERS,
    TOP_ID,
)

_NAMED = {
    "j": "joker",
    "joker": "joker",
    "jokers": "joker",
    "b": "ball",
    "ball": "ball",
    "balls": "ball",
    "t": "take",
    "take": "take",
}
_COUNTS = {"one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_FILLERS = {
    *("play", "use", "the", "table", "and", "a", "with", "my", "of", "pile"),
    *("crystal", "card", "cards", "s", ",", "+", "&", ".", "!"),
}
UNDERSTOOD = (
    "say for example '3 3 joker', 'joker as 5', 'ball', 'take' or '#12', an action id; "
    "with the open pile also 'top', 'top and 5 5', 'top as 4' or 'top ball'"
)


def card_name(kind: int) -> str:
    """'1' to '13', 'ball' or 'joker'."""
    return {BALL: "ball", JOKER: "joker"}.get(int(kind)) or str(int(kind) + 1)


def card_names(counts: Any) -> list[str]:
    """Names of the cards in a count by kind, powers rising."""
    return [card_name(kind) for kind in range(KINDS) for _ in range(int(counts[kind]))]


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    if action == A_TAKE:
        return "take the table"
    if action == A_BALL:
        return "play crystal ball"
    if action == A_TOP_BALL:
        return "play top crystal ball"
    v, naturals, jokers = (int(n) for n in ACTION_CARDS[action])
    cards = " ".join([str(v)] * naturals + ["joker"] * jokers)
    if action < A_TOP:
        return f"play {cards}" if naturals else f"play {cards} as {v}"
    return f"play top and {cards} as {v}" if cards else f"play top as {v}"


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text`` (case and filler words do not matter).

    Raises:
        ValueError: not understood, or no such play exists; says what is understood.
    """
    said = text.strip()
    if re.fullmatch(r"#\s*\d+", said):
        action = int(said[1:])
        if action < ACTIONS.size:
            return action
        raise ValueError(f"action ids are #0 to #{ACTIONS.size - 1}, not {said}")
    cards, power, top = _cards_said(said)
    if cards == ["take"] and not top and power is None:
        return A_TAKE
    if cards == ["ball"] and power is None:
        return A_TOP_BALL if top else A_BALL
    if "take" in cards or "ball" in cards:
        raise ValueError(f"{said!r}: a ball is played alone, and so is a take; {UNDERSTOOD}")
    return _parse_play(s, said, cards, power, top)


def _cards_said(said: str) -> tuple[list, int | None, bool]:
    """Cards (powers and names), the power after "as", whether the top card is among them."""
    cards: list = []
    power, top, times, declared = None, False, 0, False
    for word in re.findall(r"\d+\s*[x×]|\d+|[^\W\d]+|\S", said.lower()):
        if word in _COUNTS or word[-1] in "x×":
            times = _COUNTS.get(word) or int(word[:-1] or 1)
        elif word == "as":
            declared = True
        elif word.isdigit() and declared:
            power, declared = int(word), False
        elif word.isdigit() or word in _NAMED:
            card = int(word) if word.isdigit() else _NAMED[word]
            cards += [card] * min(times or 1, CARDS)
            times = 0
        elif word == "top":
            top = True
        elif word not in _FILLERS:
            raise ValueError(f"{word!r} is not understood in {said!r}; {UNDERSTOOD}")
    if declared or times:
        raise ValueError(f"{said!r} lacks a number or a card; {UNDERSTOOD}")
    return cards, power, top


def _parse_play(s: Any, said: str, cards: list, power: int | None, top: bool) -> int:
    naturals = [card for card in cards if card != "joker"]
    jokers = len(cards) - len(naturals)
    if power is None and naturals:
        power = naturals[0]
    elif power is None and top:
        on_top = _top_card(s, said)
        if on_top == BALL and not cards:
            return A_TOP_BALL
        if on_top < POWERS:
            power = on_top + 1
        elif on_top == JOKER and not cards:
            raise ValueError(f"{said!r}: the top card is a joker, say as which power: 'top as 5'")
    if not cards and not top:
        raise ValueError(f"{said!r}: no cards named; {UNDERSTOOD}")
    if power is None:
        raise ValueError(f"{said!r}: say which power the jokers stand for, as in 'joker as 5'")
    if any(card != power for card in naturals):
        raise ValueError(f"{said!r}: cards played together have one power; {UNDERSTOOD}")
    ids = TOP_ID if top else PLAY_ID
    exists = (
        1 <= power <= POWERS and len(naturals) < ids.shape[1] and jokers < ids.shape[2]
    ) and ids[power, len(naturals), jokers] >= 0
    if not exists:
        raise ValueError(
            f"{said!r}: there is no such play (powers 1 to {POWERS}, jokers up to power "
            f"{JOKER_REACH}, two jokers, a hand of six); {UNDERSTOOD}"
        )
    return int(ids[power, len(naturals), jokers])


def _top_card(s: Any, said: str) -> int:
    """Kind of the card on top of the pile of the seat to move."""
    if s.variant != OPEN_PILE or s.seat == NOBODY or s.pile_size[s.seat] == 0:
        raise ValueError(f"{said!r}: there is no top card to use")
    return int(s.pile[s.seat, s.pile_size[s.seat] - 1])


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a, b, c = (int(n) for n in event)
    who = f"player_{seat}"
    if code == E_DEAL:
        return f"round {a + 1}: {who} deals"
    if code == E_CARD:
        return f"{who} gets {card_name(a)}"
    if code == E_DRAW:
        return f"{who} draws {a}"
    if code == E_TOP:
        return f"{who} uses the top card, {card_name(a)}"
    if code == E_PLAY:
        cards = " ".join(["joker"] * c + [str(a)] * b)
        return f"{who} plays {cards}: power {a * (b + c)}"
    if code == E_BALL:
        return f"{who} plays a crystal ball"
    if code == E_TAKE:
        return f"{who} takes the table: {a} card{'s' * (a != 1)}"
    if code == E_ROUND:
        if seat == NOBODY:
            return f"turn limit: round {a + 1} is scored as it stands"
        return f"{who} has no card left: round {a + 1} is over"
    if code == E_SCORE:
        return f"{who} collected {a}, {b} in all"
    raise ValueError(f"{code} is no event code of this game")


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


def to_text(s: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; None: as anybody may see it."""
    lines = []
    if s.over == RUNNING:
        lines.append(
            f"Round {s.stage + 1} of {s.rounds}, dealt by player_{s.dealer}; "
            f"draw pile {s.draw_pile_size}"
        )
        cards = " ".join(card_name(kind) for kind in s.table[: s.table_size])
        lines.append(f"Table: {cards} (power {s.power})" if cards else "Table: empty")
    else:
        lines.append("Game over" if not s.truncated.any() else "Game over at the turn limit")
    for p in range(s.num_players):
        lines.append(_seat_line(s, p, seat))
    if seat is not None:
        lines.append(f"Your hand: {' '.join(card_names(s.hand[seat])) or 'empty'}")
    return "\n".join(lines)


def _seat_line(s: Any, p: int, seat: int | None) -> str:
    line = f"{'>' if p == s.seat else ' '} player_{p}{' (you)' if p == seat else ''}: "
    if s.over != RUNNING:
        return line + f"{s.collected[p]} collected in all, reward {s.returns[p]:+.3g}"
    line += f"hand {s.hand_size[p]}, pile {s.pile_size[p]}"
    if s.variant == OPEN_PILE and s.pile_size[p] > 0:
        line += f" (top {card_name(s.pile[p, s.pile_size[p] - 1])})"
    if s.stage > 0:
        line += f", earlier rounds {s.collected[p]}"
    return line


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The same as plain values; the legal actions only for the seat to move."""
    seats = []
    for p in range(s.num_players):
        known: dict[str, Any] = {
            "hand_size": int(s.hand_size[p]),
            "pile_size": int(s.pile_size[p]),
            "collected_in_earlier_rounds": int(s.collected[p]),
            "return": float(s.returns[p]),
        }
        if s.variant == OPEN_PILE:
            known["pile"] = [card_name(kind) for kind in s.pile[p, : s.pile_size[p]]]
        seats.append(known)
    view: dict[str, Any] = {
        "num_players": int(s.num_players),
        **{option.name: option.decode(int(s[option.name])) for option in OPTIONS},
        "rounds_completed": int(s.stage),
        "turn": int(s.turn),
        "dealer": int(s.dealer),
        "seat_to_move": None if s.seat == NOBODY else int(s.seat),
        "over": ("no", "terminated", "truncated")[s.over],
        "power": int(s.power),
        "table": [card_name(kind) for kind in s.table[: s.table_size]],
        "draw_pile_size": int(s.draw_pile_size),
        "shown": card_names(s.shown),
        "players": seats,
        "events": visible_events(s, seat),
    }
    if seat is not None:
        view["seat"] = int(seat)
        view["hand"] = card_names(s.hand[seat])
        if seat == s.seat:
            view["legal_actions"] = [
                {"id": int(a), "text": action_text(s, int(a))} for a in _legal_actions(s)
            ]
    return view
