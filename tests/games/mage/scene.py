"""Positions written down in words, and the whole of what an action changes in them.

Cards are strings such as ``"AH 10S KD joker1"``, royals in a court such as
``"KH+5S+2C tipped, JD"``. Their order does not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY, RUNNING
from mages_env.games.mage import GAME
from mages_env.games.mage.state import (
    ABYSS,
    ATTACHED,
    CARDS,
    COURT,
    DECK,
    E_CARD,
    FACE_DOWN,
    HAND,
    MINE,
    NONE,
    ROYAL,
    ROYALS,
    SHOWN,
)

from . import invariants

NAMES = [
    *(rank + suit for suit in "HSCD" for rank in ["A", *map(str, range(2, 11))]),
    *(rank + suit for suit in "HSCD" for rank in "JQK"),
    "joker1",
    "joker2",
]
assert len(NAMES) == CARDS
PHASES = ["first", "attack", "duels", "second", "discard"]
FLAGS = ("tipped", "fresh")


def cards(words: str) -> list[int]:
    return [NAMES.index(name) for name in words.split()]


def words(found: Any) -> str:
    return " ".join(NAMES[card] for card in sorted(found))


def value(card: int) -> int:
    """MAG-01."""
    if card >= NAMES.index("joker1"):
        return 10
    if card >= ROYAL:
        return 1 + (card - ROYAL) % 3
    return 1 + card % 10


def scene(
    hands: list[str],
    *,
    courts: list[str] | None = None,
    known: list[str] | None = None,
    mine: str = "",
    abyss: str | None = None,
    deck: str | None = None,
    life: list[int] | None = None,
    vault: int | list[int] = 0,
    phase: str = "first",
    active: int = 0,
    to_move: int | None = None,
    starter: int = 0,
    turn: int = 2,
    diamond_used: bool = False,
    spade: str = "",
    out: tuple[int, ...] = (),
    **options: Any,
) -> np.record:
    """A position with all 54 cards somewhere: those not mentioned are in the deck, or with
    ``deck`` given in the Abyss.

    Args:
        courts: per seat royals with what is attached to them, then ``tipped``, ``fresh``,
            ``damage 2``, ``attacks 1`` (a seat), ``duels KH``.
        known: per seat further hand cards, which all know of.
        vault: the active player's, or every player's.
        out: seats that left before, in order.
    """
    count = len(hands)
    s = GAME.new_state(count, **options)[0]
    GAME.reset(s, np.uint64(20161224))
    s.num_events = 0
    s.making = 0
    s.pool[:] = 0
    s.drawn[:] = 0
    s.where[:] = DECK if deck is None else ABYSS
    left = set(range(CARDS))

    def put(names: str, place: int) -> None:
        for card in cards(names):
            assert card in left, f"{NAMES[card]} is named twice"
            left.remove(card)
            s.where[card] = place

    for seat in range(count):
        put(hands[seat], HAND + seat)
        put(known[seat] if known else "", SHOWN + seat)
        s.unknown[seat] = len(hands[seat].split())
        s.hand_size[seat] = np.isin(s.where, (HAND + seat, SHOWN + seat)).sum()
    put(mine, MINE)
    put(abyss or "", ABYSS)
    put(deck or "", DECK)
    for seat, court in enumerate(courts or []):
        for royal in filter(None, court.split(", ")):
            _place(s, seat, royal, put)
    s.deck_size = (s.where == DECK).sum()
    s.abyss_size = (s.where == ABYSS).sum()
    s.mine = sum(map(value, cards(mine)))
    s.life[:count] = life or [30] * count
    s.vault[:count] = (
        [vault * (p == active) for p in range(count)] if isinstance(vault, int) else vault
    )
    s.phase = PHASES.index(phase)
    s.active = active
    s.seat = active if to_move is None else to_move
    s.starter = starter
    s.turn = turn
    s.diamond_used = diamond_used
    s.spade = NAMES.index(spade) if spade else NONE
    for place, seat in enumerate(out):
        s.terminated[seat] = 1
        s.life[seat] = min(0, s.life[seat])
        s.returns[seat] = 2 * place / (count - 1) - 1
    invariants.check(s)
    return s


def _place(s: np.record, seat: int, text: str, put: Any) -> None:
    stack, *flags = text.split()
    royal, *attached = (NAMES.index(name) for name in stack.split("+"))
    r = royal - ROYAL
    put(NAMES[royal], COURT + seat)
    for card in attached:
        put(NAMES[card], ATTACHED + r)
    s.attack[r], s.health[r] = strength(royal, attached)
    while flags:
        flag = flags.pop(0)
        if flag == "damage":
            s.damage[r] = int(flags.pop(0))
        elif flag == "attacks":
            s.attacked[r] = int(flags.pop(0))
        elif flag == "duels":
            s.duelled[r] = NAMES.index(flags.pop(0)) - ROYAL
        else:
            assert flag in FLAGS, flag
            s[flag][r] = 1


def strength(royal: int, attached: list[int]) -> tuple[int, int]:
    """MAG-12 to MAG-14, MAG-19: attack and health without damage."""
    sums = {suit: sum(value(c) for c in attached if NAMES[c][-1] == suit) for suit in "HSC"}
    attack = value(royal) + sums["S"] - sums["C"]
    return attack, attack + sums["H"]


def _royal(s: Any, r: int) -> str:
    attached = sorted(np.flatnonzero(s.where == ATTACHED + r).tolist())
    text = "+".join(NAMES[card] for card in [ROYAL + r, *attached])
    text += f" {s.attack[r]}/{s.health[r]}"
    text += "".join(f" {flag}" for flag in FLAGS if s[flag][r])
    if s.damage[r]:
        text += f" damage {s.damage[r]}"
    if s.attacked[r] != NONE:
        text += f" attacks {s.attacked[r]}"
    if s.duelled[r] != NONE:
        text += f" duels {NAMES[ROYAL + s.duelled[r]]}"
    return text


def at(s: Any, place: int) -> str:
    return words(np.flatnonzero(s.where == place))


def view(s: Any) -> dict[str, Any]:
    """Every field of the record that means anything, in words; not what can be known of hands."""
    count = s.num_players
    seen = {
        "rng": int(s.rng),
        "to_move": int(s.seat),
        "active": int(s.active),
        "starter": int(s.starter),
        "turn": int(s.turn),
        "over": int(s.over),
        "phase": PHASES[s.phase],
        "diamond_used": bool(s.diamond_used),
        "spade": "" if s.spade == NONE else NAMES[s.spade],
        "deck": at(s, DECK),
        "abyss": at(s, ABYSS),
        "face_down": at(s, FACE_DOWN),
        "mine": at(s, MINE),
        "mine_value": int(s.mine),
        "life": s.life[:count].tolist(),
        "vault": s.vault[:count].tolist(),
        "rewards": s.rewards[:count].tolist(),
        "returns": s.returns[:count].tolist(),
        "terminated": s.terminated[:count].tolist(),
        "truncated": s.truncated[:count].tolist(),
        "config": GAME.config(s),
        "events": [tuple(row) for row in s.events[: s.num_events].tolist()],
    }
    for p in range(count):
        seen[f"hand_{p}"] = at(s, HAND + p)
        seen[f"known_{p}"] = at(s, SHOWN + p)
        court = np.flatnonzero(s.where[ROYAL : ROYAL + ROYALS] == COURT + p)
        seen[f"court_{p}"] = ", ".join(_royal(s, r) for r in court)
    return seen


def legal_ids(s: Any) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def legal(s: Any) -> set[str]:
    """The legal actions in words."""
    return {GAME.action_text(s, action) for action in legal_ids(s)}


def change(s: Any, action: str) -> dict[str, Any]:
    """Takes the action; returns what it changed, and always the events."""
    chosen = GAME.parse_action(s, action)
    assert chosen in legal_ids(s), f"{action} is not legal, {sorted(legal(s))} are"
    before = view(s)
    GAME.step(s, chosen)
    invariants.check(s)
    after = view(s)
    changed = {name: value for name, value in after.items() if value != before[name]}
    changed["events"] = after["events"]
    return changed


def act(s: Any, action: str, **expected: Any) -> None:
    """Takes the action; fails unless the record is then as before but for what is expected.

    Hands, Abyss and the like may be given as ``"+5H -QS"``, compared with before. Cards drawn need
    not be told: where an event ``gets(seat)`` is expected, any card of the deck may be drawn, and
    goes from the deck to the hand.
    """
    wanted = view(s)
    for name, told in expected.items():
        differs = name in MOVABLE and isinstance(told, str) and told[:1] in ("+", "-")
        wanted[name] = _moved(wanted[name], told) if differs else told
    changed = change(s, action)
    found = view(s)
    for k, (told, event) in enumerate(zip(wanted["events"], found["events"], strict=False)):
        if told[0] == E_CARD and told[3] is None and told[:3] == event[:3]:
            drawn = NAMES[event[3]]
            wanted["events"][k] = event
            wanted["deck"] = _moved(wanted["deck"], f"-{drawn}")
            hand = f"hand_{event[2]}"
            wanted[hand] = _moved(wanted[hand], f"+{drawn}")
    drew = any(event[0] == E_CARD for event in found["events"])
    assert drew == ("rng" in changed), "chance is used for draws, and for nothing else"
    wanted["rng"] = found["rng"]
    if not expected.keys() & {"rewards"} and found["over"] == RUNNING:
        wanted["rewards"] = [0.0] * s.num_players
    wrong = [
        f"{name}: {found[name]}, expected {wanted[name]}"
        for name in found
        if found[name] != wanted[name]
    ]
    assert not wrong and wanted.keys() == found.keys(), f"after {action}:\n" + "\n".join(wrong)


MOVABLE = (
    "deck",
    "abyss",
    "mine",
    *(f"{place}_{p}" for place in ("hand", "known") for p in range(6)),
)


def _moved(before: str, moves: str) -> str:
    found = set(cards(before))
    for move in moves.split():
        card = NAMES.index(move[1:])
        assert (card in found) == (move[0] == "-"), move
        found ^= {card}
    return words(found)


def event(code: int, seat: int = NOBODY, *numbers: int | str) -> tuple:
    """An event for all; cards among its numbers by name."""
    told = [NAMES.index(n) if isinstance(n, str) else n for n in numbers]
    return (code, ALL, seat, *told, *[0] * (3 - len(told)))


def gets(seat: int, card: str | None = None) -> tuple:
    """The event that only ``seat`` sees; without a card any card of the deck."""
    return (E_CARD, seat, seat, None if card is None else NAMES.index(card), 0, 0)
