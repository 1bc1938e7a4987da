"""What a card does, in the words of its deck."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mages_env.game import nearest

from .state import DECK


def kind_text(card: Mapping[str, Any]) -> str:
    """Sphere and level of a Spell, slot of an item, kind of an enemy; else empty."""
    if card["category"] == "Spell":
        return f"{card['sphere']} {card['level']}"
    return str(card.get("slot") or card.get("kind") or "")


def explain(name: str) -> str:
    """Kind and effect of a card, a cantrip or a character; upper and lower case are alike.

    Raises:
        ValueError: none is called so; names the nearest.
    """
    wanted = name.strip().lower()
    for card in DECK.cards:
        if card["name"].lower() == wanted:
            kind = kind_text(card)
            category = card["category"] + (f" ({kind})" if kind else "")
            return _level_told(f"{card['name']}, {category}: {effect_text(card)}")
    for one in DECK.characters:
        if wanted in (one["cantrip"].lower(), one["name"].lower()):
            return _level_told(
                f"{one['name']}, of the sphere {one['sphere']}; cantrip {one['cantrip']}: "
                f"{cantrip_text(one)}"
            )
    names = [*DECK.names, *(one["name"] for one in DECK.characters)]
    raise ValueError(f"no card is called {name.strip()!r}{nearest(wanted, names)}")


def dice_text(character: Mapping[str, Any]) -> str:
    """The dice of a cantrip: ``Ld6``, L of which are thrown; ``2d6`` if the level adds none."""
    damage = next((e for e in character["effects"] if e["op"] == "damage"), None)
    if damage is None:
        return ""
    printed = damage["n"]
    if damage["scale"]:  # DM-17
        return f"Ld{damage['sides']}" if printed == 1 else f"(L+{printed - 1})d{damage['sides']}"
    return f"{printed}d{damage['sides']}"


def _level_told(text: str) -> str:
    return f"{text} (L: the arcane level)" if re.search(r"\bL[d+]", text) else text


def cantrip_text(one: Mapping[str, Any]) -> str:
    """Damage of the cantrip, and what else it does."""
    dice, text = dice_text(one), one.get("text")
    if not dice or text is None:
        return _primitives(one)
    return f"{dice} damage" + ("" if text == "none" else f", {text}")


def effect_text(card: Mapping[str, Any]) -> str:
    """The text of the deck file, which may lack it."""
    return str(card.get("text") or _primitives(card))


def _primitives(entry: Mapping[str, Any]) -> str:
    """The effects as RULES.md names them, for a deck without texts."""
    return "; ".join(
        " ".join(
            [effect["op"], *(f"{key}={value}" for key, value in effect.items() if key != "op")]
        )
        for effect in entry["effects"]
    )
