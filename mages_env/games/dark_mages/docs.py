"""What the docs page of Dark Mages has besides that of every game."""

from __future__ import annotations

from collections.abc import Sequence

from .deck import CATEGORIES
from .explain import dice_text, kind_text
from .state import DECK


def deck() -> str:
    """The cards by category, then the characters."""
    parts = []
    for category in CATEGORIES:
        cards = [card for card in DECK.cards if card["category"] == category]
        copies = sum(card["copies"] for card in cards)
        rows = [
            (card["name"], kind_text(card), str(card["copies"]), card["text"], card["source"])
            for card in cards
        ]
        parts.append(f"{category}: {len(cards)} names, {copies} cards")
        parts.append(_table(("name", "kind", "copies", "effect", "source"), rows))
    rows = [
        (one["name"], one["sphere"], one["cantrip"], dice_text(one), one["text"])
        for one in DECK.characters
    ]
    parts.append("Characters")
    parts.append(_table(("name", "sphere", "cantrip", "damage", "and"), rows))
    return "\n\n".join(parts)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


PARTS = {"deck": deck}
