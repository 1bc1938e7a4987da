"""The deck: read from JSON, checked, and laid out as the tables that the rules read.

A deck file holds ``cards`` and ``characters`` as ``deck.json`` beside this module does. What a card
does is a list of effects, each one of the primitives in ``PARAMETERS``; no card is known by name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

STANDARD = Path(__file__).with_name("deck.json")
TOTAL = 112  # DM-02
CHARACTERS = 8  # DM-01
HAND = 5
MOST_COPIES = 8
MOST_PLAYERS = 8

CATEGORIES = (
    *("Spell", "Companion", "Skill", "Defense", "Magic Item", "Potion"),
    *("Healing", "Artifact", "Enemy", "Hex", "Scroll"),
)
SPELL, COMPANION_CARD, SKILL, DEFENSE, MAGIC_ITEM, POTION = range(6)
HEALING, ARTIFACT, ENEMY_CARD, HEX, SCROLL = range(6, 11)
CANTRIP = len(CATEGORIES)
"""Category of the eight rows after the cards: the cantrips, by character."""
SLOTS = ("Staff", "Robe", "Ring", "Amulet")
SPHERES = ("Common", "Battle", "Life", "Death", "Nature", "Fire", "Air", "Water", "Earth")
COMMON = 0
RESOLVES = ("attack_roll", "save", "auto")
BY_ROLL, BY_SAVE, AUTO = range(3)
TARGETS = (
    *("self", "opp_or_companion", "opponent", "companion"),
    *("all_opponents", "all", "reaction"),
)
ON_SELF, AIMED, ON_OPPONENT, ON_COMPANION, ON_OPPONENTS, ON_ALL, AS_REACTION = range(len(TARGETS))

STATS = ("ac", "atk", "level", "dice")
MOD_AC, MOD_ATTACK, MOD_LEVEL, MOD_DICE, BIND, HIDE = range(6)
"""Kinds of statuses: the four modifiers, binds, and hiding."""
BINDS = ("attack", "spell", "all")
ROUND, THIS_TURN = 0, -1
"""Turns of a status that ends at the start of its bearer's next turn, and of one that ends with
the turn of its bearer in which it is put on; others end with a later turn of its."""

PARAMETERS: dict[str, tuple[str, ...]] = {
    "damage": ("n", "sides", "flat", "scale"),
    "to_hit": ("bonus",),
    "drain": ("frac",),
    "dot": ("n", "sides", "turns"),
    "mod": ("stat", "delta", "dur"),
    "bind": ("what", "turns", "save"),
    "kill_pct": ("pct",),
    "heal": ("n", "sides", "flat", "scale"),
    "summon": ("hp", "hp_per_level", "ac", "atk", "n", "sides"),
    "body": ("hp", "ac", "n", "sides"),
    "absorb": ("points",),
    "evade": (),
    "reflect": (),
    "extra_attack": ("n",),
    "steal_item": ("save",),
    "steal_card": ("n",),
    "destroy_item": ("pick", "save"),
    "discard_random": ("n", "save"),
    "banish_companion": ("save",),
    "hide": ("dur",),
    "dispel": (),
    "passive": (),
    "area": (),
}
"""The primitives and the parameters each must have."""
PASSIVES = ("atk", "level", "ac", "save", "reduce", "regen", "no_dot", "second_chance")
_OPTIONAL = {"passive": PASSIVES, "body": ("atk",)}
_MAY_BE_0 = {
    "damage": {"flat"},
    "heal": {"n", "sides", "flat"},
    "summon": {"hp", "hp_per_level", "ac", "atk"},
    "body": {"ac", "atk"},
}
MOST = 120
"""Largest number on a card."""
_CARD_KEYS = (
    *("name", "category", "copies", "effects", "resolve", "target", "phase"),
    *("slot", "sphere", "level", "kind", "text", "source"),
)
_CHARACTER_KEYS = ("name", "sphere", "cantrip", "effects", "text")
_COMMANDS = ("pass", "none")

# Effects that are carried out one after the other, in the order of the card: (code, four numbers).
NO_EFFECT, PUT_STATUS, PUT_DOT, KILL, DESTROY_ITEM, DISCARD_RANDOM, STEAL_ITEM = range(7)
STEAL_CARD, BANISH, HEAL, ABSORB, DISPEL, EXTRA_ATTACK = range(7, 13)
MAX_EFFECTS = 6

# Columns of the card table.
COLUMNS = (
    *("category", "resolve", "target", "slot", "sphere", "level", "copies"),
    *("has_damage", "n", "sides", "flat", "scale", "to_hit", "drain", "dice"),
    *("hp", "hp_per_level", "ac", "atk", "placed", "tenacious"),
    *("evade", "reflect", "area", "dot_n", "dot_sides", "shield", "attack_card"),
    *PASSIVES[4:],
    *("passive_atk", "passive_level", "passive_ac", "passive_save"),
)
COLUMN = {name: index for index, name in enumerate(COLUMNS)}
FULL_DRAIN = 1000
"""Drain is kept in thousandths of the damage."""

_RIDERS = {"dot", "mod", "bind", "kill_pct", "destroy_item", "discard_random"}
_OWN = {"heal", "mod", "absorb", "hide", "dispel", "extra_attack"}
_AIMED = {"damage", "to_hit", "drain", *_RIDERS}
_ALLOWED = {
    SPELL: _AIMED | {"heal", "mod", "summon", "absorb", "hide", "dispel", "area"},
    COMPANION_CARD: {"body", *_RIDERS},
    SKILL: _OWN
    | {"steal_item", "steal_card", "banish_companion", "destroy_item"}
    | {"discard_random", "mod", "bind", "dot"},
    DEFENSE: {"evade", "reflect", "absorb"},
    MAGIC_ITEM: {"passive"},
    POTION: _OWN,
    HEALING: _OWN,
    ARTIFACT: {"passive", "area", *_AIMED, *_OWN} - {"to_hit"},
    ENEMY_CARD: {"damage", "body", "area"},
    HEX: {"damage", "drain", *_RIDERS},
    SCROLL: {"damage", "drain", "area", *_RIDERS},
    CANTRIP: _AIMED,
}
_TARGETS = {
    SPELL: {"self", "opp_or_companion", "all_opponents"},
    COMPANION_CARD: {"self"},
    SKILL: {"self", "opponent", "companion"},
    DEFENSE: {"self", "reaction"},
    MAGIC_ITEM: {"self"},
    POTION: {"self"},
    HEALING: {"self"},
    ARTIFACT: {"self", "opp_or_companion", "all_opponents"},
    ENEMY_CARD: {"all"},
    HEX: {"opponent"},
    SCROLL: {"opp_or_companion", "all_opponents"},
}


class DeckError(ValueError):
    """A deck file that cannot be played with; says which card and what is wrong."""


@dataclass(frozen=True)
class Deck:
    """A checked deck.

    Attributes:
        cards: the entries of the file, one a name.
        characters: its eight characters.
        table: (names + 8, columns) int64, one row a card name, then one a cantrip.
        effects: (names + 8, MAX_EFFECTS, 5) int64, what is carried out in the order of the card.
        statuses: (statuses, 4) int64: kind, change or what is bound, turns (0: a round), card.
    """

    cards: tuple[dict[str, Any], ...]
    characters: tuple[dict[str, Any], ...]
    table: np.ndarray
    effects: np.ndarray
    statuses: np.ndarray

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cards, then of the cantrips, by row."""
        return (
            *(card["name"] for card in self.cards),
            *(character["cantrip"] for character in self.characters),
        )


def load_deck(path: str | os.PathLike = STANDARD) -> Deck:
    """The deck of a file.

    Raises:
        DeckError: not JSON, an unknown category, primitive, slot or value, a parameter too many or
            too few, a primitive where it means nothing, or totals that are not the game's.
        OSError: no such file.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise DeckError(f"{path} is no deck file: {error}") from None
    if not isinstance(data, dict) or not {"cards", "characters"} <= data.keys():
        raise DeckError(f"{path} is no deck file: it lacks a list of cards and one of characters")
    try:
        return _build(data["cards"], data["characters"])
    except DeckError as error:
        raise DeckError(f"{path}: {error}") from None


def _build(cards: list[dict[str, Any]], characters: list[dict[str, Any]]) -> Deck:
    _check_totals(cards, characters)
    rows = len(cards) + CHARACTERS
    table = np.zeros((rows, len(COLUMNS)), np.int64)
    effects = np.zeros((rows, MAX_EFFECTS, 5), np.int64)
    statuses: list[tuple[int, int, int, int]] = []
    for row, card in enumerate([*cards, *map(_as_card, characters)]):
        _check_card(card)
        _fill_row(table[row], card)
        _fill_effects(table[row], effects[row], statuses, row, card)
    held = sum(c["copies"] for c in cards if c["category"] != "Enemy")
    if held < MOST_PLAYERS * HAND:
        raise DeckError(f"{held} cards that are no enemies cannot fill {MOST_PLAYERS} hands")
    return Deck(
        tuple(cards), tuple(characters), table, effects, np.array(statuses, np.int64).reshape(-1, 4)
    )


def _check_totals(cards: Any, characters: Any) -> None:
    for what, entries, keys, needed in (
        ("card", cards, _CARD_KEYS, _CARD_KEYS[:7]),
        ("character", characters, _CHARACTER_KEYS, _CHARACTER_KEYS[:4]),
    ):
        if not isinstance(entries, list):
            raise DeckError(f"the {what}s are no list")
        for number, entry in enumerate(entries, start=1):
            _check_entry(f"{what} {number}", entry, keys, needed)
    for what, names in (
        ("cards and cantrips", [*(c["name"] for c in cards), *(c["cantrip"] for c in characters)]),
        ("characters", [character["name"] for character in characters]),
    ):
        twice = sorted({str(name) for name in names if names.count(name) > 1})
        if twice:
            raise DeckError(f"{what} of the same name are one entry: {', '.join(twice)}")
    for card in cards:
        _one_of(card, "category", CATEGORIES)
        if type(card["copies"]) is not int or not 1 <= card["copies"] <= MOST_COPIES:
            raise _wrong(card, f"copies={card['copies']!r} must be 1 to {MOST_COPIES}")
    total = sum(card["copies"] for card in cards)
    if total != TOTAL:
        raise DeckError(f"the copies sum to {total}, the deck has {TOTAL} cards")
    if len(characters) != CHARACTERS:
        raise DeckError(f"{len(characters)} characters, the game has {CHARACTERS}")


def _check_entry(which: str, entry: Any, keys: Sequence[str], needed: Sequence[str]) -> None:
    missing = [key for key in needed if not isinstance(entry, dict) or key not in entry]
    if missing:
        raise DeckError(f"{which} lacks {', '.join(missing)}")
    for key in ("name", "cantrip"):
        name = entry.get(key, "-")
        named = isinstance(name, str) and name.isprintable() and name.strip() == name != ""
        if not named or name.lower() in _COMMANDS:
            raise DeckError(
                f"{which}: {key}={name!r} must be a text of one line, without blanks around it, "
                f"and neither of the commands {' and '.join(_COMMANDS)}"
            )
    unknown = [key for key in entry if key not in keys]
    if unknown:
        kind = which.split()[0]
        raise _wrong(entry, f"a {kind} has no {', '.join(unknown)}; it has {', '.join(keys)}")
    effects = entry["effects"]
    if not isinstance(effects, list) or not all(isinstance(effect, dict) for effect in effects):
        raise _wrong(entry, f"effects={effects!r} must be a list of objects")


def _as_card(character: dict[str, Any]) -> dict[str, Any]:
    """The cantrip of a character as a row of the table."""
    return {
        "name": character["cantrip"],
        "category": None,
        "copies": 0,
        "effects": character["effects"],
        "resolve": "attack_roll",
        "target": "opp_or_companion",
        "phase": "attack",
        "sphere": character["sphere"],
    }


def _wrong(card: Mapping[str, Any], problem: str) -> DeckError:
    return DeckError(f"{card['name']}: {problem}")


def _one_of(card: Mapping[str, Any], key: str, values: Any, value: Any = None) -> int:
    value = card.get(key) if value is None else value
    values = tuple(values)
    if not any(type(value) is type(known) and value == known for known in values):
        raise _wrong(card, f"{key}={value!r} must be one of {', '.join(map(repr, values))}")
    return values.index(value)


def _category(card: Mapping[str, Any]) -> int:
    return CANTRIP if card["category"] is None else _one_of(card, "category", CATEGORIES)


def _check_card(card: Mapping[str, Any]) -> None:
    category = _category(card)
    ops = [effect.get("op") for effect in card["effects"]]
    for effect, op in zip(card["effects"], ops, strict=True):
        _check_effect(card, effect, op, _ALLOWED[category])
    for op in set(ops):
        if ops.count(op) > 1 and op not in ("mod", "bind"):
            raise _wrong(card, f"{op} occurs twice")
    if not ops:
        raise _wrong(card, "has no effect")
    if category == CANTRIP:
        if card["sphere"] == SPHERES[COMMON]:  # DM-01, DM-17
            raise _wrong(
                card, "sphere='Common' of its character: only Spells are Common, which is no sphere"
            )
        _one_of(card, "sphere", SPHERES[COMMON + 1 :])
        return
    resolve = _one_of(card, "resolve", RESOLVES)
    _one_of(card, "target", sorted(_TARGETS[category]))
    item = category == MAGIC_ITEM or (category == ARTIFACT and "passive" in ops)
    if item:
        _one_of(card, "slot", SLOTS)
    for key, has, whose in (
        ("slot", item, "Magic Items and Artifacts fill one"),
        ("sphere", category == SPELL, "Spells have one"),
        ("level", category == SPELL, "Spells have one"),
        ("kind", category == ENEMY_CARD, "Enemies have one"),
    ):
        if not has and card.get(key) is not None:
            raise _wrong(card, f"{key}={card[key]!r}, but only {whose}")
    phase = _phase(card, category, item)
    if card["phase"] != phase:
        raise _wrong(card, f"phase={card['phase']!r} must be {phase!r} for a card of its kind")
    if category == SPELL:
        _one_of(card, "sphere", SPHERES)
        _one_of(card, "level", (1, 2, 3))
    if category == ENEMY_CARD:
        tenacious = _one_of(card, "kind", ("encounter", "tenacious"))
        needed = {"area", "body" if tenacious else "damage"}
        if set(ops) != needed or resolve != BY_SAVE:
            raise _wrong(card, f"a {card['kind']} has {' and '.join(sorted(needed))}, and a save")
    _check_shape(card, category, ops, resolve)


def _phase(card: Mapping[str, Any], category: int, item: bool) -> str:
    if category in (SPELL, HEX, SCROLL) or (category == ARTIFACT and not item):
        return "attack"
    if category == DEFENSE and card["target"] == "reaction":
        return "reaction"
    return {SKILL: "any", ENEMY_CARD: "drawn"}.get(category, "preparation")


def _check_shape(card: Mapping[str, Any], category: int, ops: list[str], resolve: int) -> None:
    """What goes with which target."""
    target = card["target"]
    if (target in ("all_opponents", "all")) != ("area" in ops):
        raise _wrong(card, f"target={target!r} and the primitive area go together")
    if "area" in ops and (resolve != BY_SAVE or {"destroy_item", "kill_pct"} & set(ops)):
        raise _wrong(card, "an area card is saved against, and neither kills nor destroys items")
    if target == "self":
        hostile = [op for op in ops if op in _AIMED - {"mod"} or op.startswith("steal")]
        if hostile and category != COMPANION_CARD:
            raise _wrong(card, f"{hostile[0]} means nothing on oneself")
        if resolve != AUTO:
            raise _wrong(card, "what is played on oneself has resolve='auto'")
    elif {"heal", "summon", "absorb", "hide", "dispel", "extra_attack", "passive"} & set(ops):
        raise _wrong(card, f"has a primitive for oneself, but target={target!r}")
    if (target == "companion") != ("banish_companion" in ops):
        raise _wrong(card, "target='companion' and the primitive banish_companion go together")
    if (target == "reaction") != bool({"evade", "reflect"} & set(ops)):
        raise _wrong(card, "target='reaction' goes with evade or reflect, and with nothing else")
    if category == COMPANION_CARD and "body" not in ops:
        raise _wrong(card, "a companion has a body")
    if category == HEX and resolve != BY_SAVE:
        raise _wrong(card, "a Hex is saved against")


def _check_effect(card: Mapping[str, Any], effect: Any, op: Any, allowed: set[str]) -> None:
    if not isinstance(op, str) or op not in PARAMETERS:
        raise _wrong(card, f"unknown primitive {op!r}; there are {', '.join(PARAMETERS)}")
    if op not in allowed:
        raise _wrong(card, f"the primitive {op} means nothing on a card of its kind")
    needed, optional = PARAMETERS[op], _OPTIONAL.get(op, ())
    missing = [name for name in needed if name not in effect]
    unknown = [name for name in effect if name not in ("op", *needed, *optional)]
    if missing or unknown:
        which = f"lacks {', '.join(missing)}" if missing else f"has no {', '.join(unknown)}"
        raise _wrong(card, f"{op} {which}; it takes {', '.join((*needed, *optional)) or 'nothing'}")
    for name, value in effect.items():
        if name in ("op", "frac", "stat", "what", "pick", "dur"):
            continue
        if name in ("scale", "save") and op != "passive":
            if type(value) is not bool:
                raise _wrong(card, f"{op} {name}={value!r} must be true or false")
        elif name == "delta":
            if type(value) is not int or not 0 < abs(value) <= MOST:
                raise _wrong(
                    card, f"{op} delta={value!r} must be a whole number but 0, -{MOST} to {MOST}"
                )
        else:
            least = 0 if name in _MAY_BE_0.get(op, ()) else 1
            most = 100 if name == "pct" else MOST
            if type(value) is not int or not least <= value <= most:
                raise _wrong(
                    card, f"{op} {name}={value!r} must be a whole number from {least} to {most}"
                )
    if op == "mod":
        _one_of(card, "stat", STATS, effect["stat"])
    if op in ("mod", "hide"):
        # The riders of a companion are put on whom it hits.
        own = card["target"] == "self" and card["category"] != "Companion"
        timed = ("turn", "round") if own else ()
        dur = effect["dur"]
        if dur not in timed and not (type(dur) is int and 1 <= dur <= MOST):
            raise _wrong(
                card,
                f"{op} dur={dur!r} must be a number of turns from 1 to {MOST}, or, on a "
                "card played on oneself, 'turn' or 'round'",
            )
    if op == "bind":
        _one_of(card, "what", BINDS, effect["what"])
    if op == "destroy_item":
        _one_of(card, "pick", ("choose", "random"), effect["pick"])
    if op == "drain":
        frac = effect["frac"]
        if type(frac) not in (int, float) or not 1 / FULL_DRAIN <= frac <= 1:
            raise _wrong(card, f"drain frac={frac!r} must be a number from {1 / FULL_DRAIN} to 1")
    if op == "heal":
        thrown = effect["n"] > 0 or effect["scale"]
        if effect["n"] + effect["flat"] == 0 or (thrown and effect["sides"] == 0):
            raise _wrong(card, "heal needs dice, n of them with sides, or flat hit points")
    if op == "summon" and effect["hp"] + effect["hp_per_level"] == 0:
        raise _wrong(card, "summon hp and hp_per_level must not both be 0")
    if op == "passive" and len(effect) == 1:
        raise _wrong(card, f"passive lacks what it does; it takes {', '.join(PASSIVES)}")


def _gets_level_dice(card: Mapping[str, Any]) -> bool:
    """DM-17, DM-18: cantrips and Spells of a sphere."""
    category = _category(card)
    return category == CANTRIP or (category == SPELL and card["sphere"] != "Common")


def _fill_row(row: np.ndarray, card: Mapping[str, Any]) -> None:
    category = _category(card)
    named = {op["op"]: op for op in card["effects"]}
    body = named.get("body") or named.get("summon")
    damage = named.get("damage") or (body if category == ENEMY_CARD else None)
    passive = named.get("passive", {})
    slot, sphere = card.get("slot"), card.get("sphere")
    values = {
        "category": category,
        "resolve": RESOLVES.index(card["resolve"]),
        "target": TARGETS.index(card["target"]),
        "slot": -1 if slot is None else SLOTS.index(slot),
        "sphere": -1 if sphere is None else SPHERES.index(sphere),
        "level": card.get("level") or 0,
        "copies": card["copies"],
        "has_damage": damage is not None,
        "to_hit": named.get("to_hit", {}).get("bonus", 0),
        "drain": round(FULL_DRAIN * named.get("drain", {}).get("frac", 0)),
        "placed": body is not None and category != ENEMY_CARD,
        "tenacious": card.get("kind") == "tenacious",
        "evade": "evade" in named,
        "reflect": "reflect" in named,
        "area": "area" in named,
        "dot_n": named.get("dot", {}).get("n", 0),
        "dot_sides": named.get("dot", {}).get("sides", 0),
        "shield": category == DEFENSE and card["target"] == "self",
        "attack_card": card["phase"] == "attack" and category != CANTRIP,
        "dice": category in (SPELL, SCROLL) and sphere != "Common" and damage is not None,
        **{name: passive.get(name, 0) for name in PASSIVES[4:]},
        **{f"passive_{name}": passive.get(name, 0) for name in PASSIVES[:4] if name != "save"},
        "passive_save": passive.get("save", 0),
    }
    dice = damage or body
    if dice is not None:
        values.update(n=dice["n"], sides=dice["sides"], flat=dice.get("flat", 0))
        values["scale"] = _gets_level_dice(card) and dice.get("scale", False)
    if body is not None:
        values.update(hp=body["hp"], ac=body["ac"], atk=body.get("atk", 0))
        values["hp_per_level"] = body.get("hp_per_level", 0)
    for name, value in values.items():
        row[COLUMN[name]] = value


def _fill_effects(
    row: np.ndarray,
    effects: np.ndarray,
    statuses: list[tuple[int, int, int, int]],
    index: int,
    card: Mapping[str, Any],
) -> None:
    listed = [effect for effect in map(_as_effect, card["effects"]) if effect is not None]
    if len(listed) > MAX_EFFECTS:
        raise _wrong(card, f"more than {MAX_EFFECTS} effects in order")
    for k, (code, *numbers) in enumerate(listed):
        if code == PUT_STATUS:
            kind, change, turns, save = numbers
            numbers = [len(statuses), turns, save, 0]
            statuses.append((kind, change, turns, index))
        if code == HEAL and not _gets_level_dice(card):
            numbers[3] = 0
        effects[k] = [code, *numbers]


def _as_effect(effect: Mapping[str, Any]) -> tuple[int, int, int, int, int] | None:
    op = effect["op"]
    if op == "mod":
        return PUT_STATUS, STATS.index(effect["stat"]), effect["delta"], _turns(effect), 0
    if op == "bind":
        what, turns = BINDS.index(effect["what"]), effect["turns"]
        return PUT_STATUS, BIND, what, turns, int(effect["save"])
    if op == "hide":
        return PUT_STATUS, HIDE, 0, _turns(effect), 0
    if op == "dot":
        return PUT_DOT, effect["turns"], 0, 0, 0
    if op == "kill_pct":
        return KILL, effect["pct"], 0, 0, 0
    if op == "destroy_item":
        return DESTROY_ITEM, int(effect["pick"] == "choose"), int(effect["save"]), 0, 0
    if op == "discard_random":
        return DISCARD_RANDOM, effect["n"], int(effect["save"]), 0, 0
    if op == "steal_item":
        return STEAL_ITEM, 0, int(effect["save"]), 0, 0
    if op == "steal_card":
        return STEAL_CARD, effect["n"], 0, 0, 0
    if op == "banish_companion":
        return BANISH, 0, int(effect["save"]), 0, 0
    if op == "heal":
        return HEAL, effect["n"], effect["sides"], effect["flat"], int(effect["scale"])
    if op == "absorb":
        return ABSORB, effect["points"], 0, 0, 0
    if op == "dispel":
        return DISPEL, 0, 0, 0, 0
    if op == "extra_attack":
        return EXTRA_ATTACK, effect["n"], 0, 0, 0
    return None


def _turns(effect: Mapping[str, Any]) -> int:
    """Turns that a status lasts; ``ROUND`` for a round, ``THIS_TURN`` for that it is put on in."""
    return {"round": ROUND, "turn": THIS_TURN}.get(effect["dur"], effect["dur"])
