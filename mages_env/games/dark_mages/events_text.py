"""What happened, in the words of a report at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import state as game
from .deck import BIND, BINDS, HIDE, SLOTS, STATS
from .state import ADDED, COMPANION, DEFENDER, ENEMY, NAMES, NONE, RULES_1_5, STATUS

PHASE_NAMES = ("Preparation", "Attack Phase", "End Phase")
_STAT_NAMES = {"ac": "AC", "atk": "to attack rolls", "level": "arcane level", "dice": "dice"}
_BIND_NAMES = {
    "attack": "no attack",
    "spell": "no Spells",
    "all": "neither Preparation nor Attack Phase",
}


def player(seat: int) -> str:
    """``player_0``; the enemy for NONE."""
    return "the enemy" if seat == NONE else f"player_{int(seat)}"


def part_of(seat: int, part: int) -> str:
    """A magician, its companion, or the enemy."""
    if part == ENEMY:
        return "the enemy"
    return player(seat) + ("'s companion" if part == COMPANION else "")


def status_text(index: int) -> str:
    """What a status does: ``-2 AC``, ``no Spells``, ``hidden``."""
    kind, change, _, _ = (int(n) for n in STATUS[index])
    if kind == BIND:
        return _BIND_NAMES[BINDS[change]]
    if kind == HIDE:
        return "hidden"
    return f"{change:+d} {_STAT_NAMES[STATS[kind]]}"


def lasting(turns: int) -> str:
    """How long a status is put on for."""
    return {-1: "this turn", 0: "until its next turn"}.get(turns) or (
        f"{turns} turn{'s' * (turns != 1)}"
    )


def signed(bonus: int) -> str:
    return f"{'-' if bonus < 0 else '+'} {abs(bonus)}"


def aimed_at(seat: int, where: int) -> str:
    """The target of a declaration; ``where`` as in ``E_AIM``."""
    if where >= 4:
        return f"{player(seat)}'s {SLOTS[where - 4]}"
    if where == game.EVERYBODY:
        return "all opponents"
    return part_of(seat, where)


def _character(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{player(seat)} is the {game.DECK.characters[a]['name']}"


def _starts(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{player(seat)} starts{', by lot' * a}"


def _ends(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{player(seat)} {'discards nothing' if a == game.END else f'ends the {PHASE_NAMES[a]}'}"


def _equip(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{player(seat)} equips {NAMES[a]}{f' in place of {NAMES[b]}' if b != NONE else ''}"


def _place(s: Any, seat: int, a: int, b: int, c: int) -> str:
    mode = "defender" if b == DEFENDER else "attacker"
    return f"{NAMES[a]} is {player(seat)}'s {mode}, {c} hit points"


def _roll(s: Any, seat: int, a: int, b: int, c: int) -> str:
    hits = a + b >= c if s.rules == RULES_1_5 else a + b > c
    outcome = {1: "fumble", 20: "critical hit"}.get(a) or ("hit" if hits else "miss")
    return f"{a} {signed(b)} against AC {c}: {outcome}"


def _dice(s: Any, seat: int, a: int, b: int, c: int) -> str:
    added, sides = divmod(b, ADDED)
    return f"damage {a}d{sides}{f' + {added}' if added else ''} = {c}"


def _save(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{part_of(seat, c // 2)} rolls {a} against {b}: {'saved' if c & 1 else 'not saved'}"


def _loss(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{part_of(seat, c)} loses {a} hit point{'s' * (a != 1)}, {b} left"


def _reshuffle(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"the discard pile is shuffled into a new stack of {a}"


def _status(s: Any, seat: int, a: int, b: int, c: int) -> str:
    return f"{player(seat)}: {status_text(a)} ({NAMES[STATUS[a, 3]]}), {lasting(b)}"


def _loot(s: Any, seat: int, a: int, b: int, c: int) -> str:
    if a == NONE:
        return f"{player(seat)} takes nothing of {player(b)}"
    return f"{player(seat)} takes {NAMES[a]} of the fallen {player(b)}"


def _words(template: str) -> Callable[[Any, int, int, int, int], str]:
    """Wording by template: who, the card a, the numbers, and whose the third number says."""

    def word(s: Any, seat: int, a: int, b: int, c: int) -> str:
        card = NAMES[a] if 0 <= a < len(NAMES) else ""
        return template.format(
            who=player(seat), card=card, a=a, b=b, other=player(b), whose=part_of(seat, c)
        )

    return word


WORDS: dict[int, Callable[[Any, int, int, int, int], str]] = {
    game.E_CHARACTER: _character,
    game.E_GOT: _words("{who} gets {card}"),
    game.E_ASIDE: _words("{card}, dealt to {who}, is set aside"),
    game.E_INITIATIVE: _words("{who} rolls {a} for initiative"),
    game.E_STARTS: _starts,
    game.E_TURN: _words("{who}'s turn"),
    game.E_ENDS_PHASE: _ends,
    game.E_PLAY: _words("{who} plays {card}"),
    game.E_EQUIP: _equip,
    game.E_PLACE: _place,
    game.E_AIM: lambda s, seat, a, b, c: f"{player(seat)} uses {NAMES[a]} on {aimed_at(b, c)}",
    game.E_STRIKE: lambda s, seat, a, b, c: f"{player(seat)}'s {NAMES[a]} attacks {aimed_at(b, c)}",
    game.E_REACT: _words("{who} answers with {card}"),
    game.E_ROLL: _roll,
    game.E_FUMBLE: lambda s, seat, a, b, c: f"the damage is {part_of(seat, a)}'s own",
    game.E_DICE: _dice,
    game.E_SAVE: _save,
    game.E_LOSS: _loss,
    game.E_PREVENTED: _words("{a} damage to {who} is prevented, Magic Shield {b}"),
    game.E_HEAL: _words("{who} recovers {a}, has {b}"),
    game.E_STATUS: _status,
    game.E_DOT: lambda s, seat, a, b, c: f"{part_of(seat, c)}: {NAMES[a]}, {lasting(b)}",
    game.E_DOT_ACTS: _words("{whose} suffers from {card}"),
    game.E_PERCENT: _words("d100 shows {a} against {b}"),
    game.E_DISCARD: _words("{who} discards {card}"),
    game.E_DRAW: _words("{who} draws {a}"),
    game.E_RESHUFFLE: _reshuffle,
    game.E_ENEMY: _words("{who} draws an enemy: {card}"),
    game.E_ENEMY_ATTACKS: _words("{card} attacks all magicians"),
    game.E_ENEMY_DOWN: _words("{card} is defeated"),
    game.E_RAID: lambda s, seat, a, b, c: f"{player(seat)} takes a card from {player(a)}'s hand",
    game.E_RAIDED: _words("the card {who} takes from {other} is {card}"),
    game.E_STEAL: _words("{who} takes {card} of {other} and equips it"),
    game.E_ITEM_LOST: _words("{who}'s {card} is discarded"),
    game.E_GONE: _words("{who}'s companion {card} is discarded"),
    game.E_SECOND_CHANCE: _words("{who} has {a} hit points instead"),
    game.E_FALLS: _words("{who} is defeated"),
    game.E_LOOT: _loot,
    game.E_SHIELD: _words("{who}'s Magic Shield prevents the next {a} damage"),
    game.E_DISPEL: _words("{who} is rid of every harmful status"),
    game.E_EXTRA: _words("{who} may attack with {a} more"),
    game.E_LIMIT: _words("the turn limit is reached"),
    game.E_WAITS: _words("{card} waits"),
}


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a, b, c = (int(n) for n in event)
    if code not in WORDS:
        raise ValueError(f"{code} is no event code of this game")
    return WORDS[code](s, seat, a, b, c)
