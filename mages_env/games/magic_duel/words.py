"""Actions and events of Magic Duel in words, and words back to actions.

Squares are named as on a chess board whose side 0 sits at row 1: the Nexus is e5.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from mages_env.engine import NOBODY
from mages_env.games.magic_duel.board import ABSOLUTE, FEWEST_SIDES, FRAME, WIDTH, square_at
from mages_env.games.magic_duel.casting import MOST_DICE
from mages_env.games.magic_duel.data import SPELLS, TURNS, UNITS
from mages_env.games.magic_duel.state import (
    A_ATTACK,
    A_COUNTER,
    A_PASS,
    A_SHOOT_BACK,
    A_SPELL,
    A_SQUARE,
    A_TOKENS,
    A_UNIT,
    ACTIONS,
    D_ATTACK,
    D_CASTING,
    D_COUNTER,
    D_DEFENCE,
    D_HEALING,
    D_HIT,
    D_MISSILES,
    D_PROWESS,
    D_WOUND,
    DEEDS,
    DICE_FACTOR,
    E_ACTIVATE,
    E_BROKEN,
    E_CHARGE,
    E_COUNTER,
    E_DESTROYED,
    E_DICE,
    E_FATIGUE,
    E_GATHER,
    E_HEALED,
    E_INITIATIVE,
    E_MODELS,
    E_MORALE,
    E_MOVE,
    E_NEXUS,
    E_NO_COUNTER,
    E_NO_REACTION,
    E_OUT,
    E_PASS,
    E_POWER,
    E_PROWESS,
    E_RALLY,
    E_REACT,
    E_SPEED,
    E_SPELL,
    E_SPLIT,
    E_SPLIT_MADE,
    E_TARGET,
    E_TOKENS,
    E_TURN,
    E_TURN_END,
    E_WOUNDS,
    MAGES,
    MORALE,
    MOST_COMBAT_DICE,
    SLOTS,
    TARGET_ID,
    TARGET_OF,
)

UNDERSTOOD = (
    "say for example 'pass', 'wizard 1: cast', 'archers: shoot', 'e5', 'healing', 'own guard', "
    "'player_1 warriors', '2 tokens', 'counter with wizard 2, 1 token', 'shoot back', "
    "'7 attack dice' or '#12', an action id"
)
_COUNTERS = (
    "say with which mage, and how many power tokens it spends: 'counter with wizard 1, 0 tokens', "
    "'counter with wizard 2, 3 tokens', or 'pass'"
)
FILES = "abcdefghi"[:WIDTH]
_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
_DICE_FOR = {
    D_HIT: "shooting",
    D_WOUND: "wounding",
    D_DEFENCE: "defending",
    D_ATTACK: "attacking",
    D_CASTING: "casting",
    D_COUNTER: "countering",
    D_MISSILES: "missiles",
    D_HEALING: "healing",
    D_PROWESS: "prowess",
}


def square_name(square: int) -> str:
    """'a1' to 'i9'."""
    y, x = divmod(int(square), WIDTH)
    return f"{FILES[x]}{y + 1}"


def plural(count: int, noun: str, many: str = "") -> str:
    """'1 die', '2 dice'; ``many`` where it is not the noun with an s."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def _seat(s: Any) -> int:
    """The seat in whose frame action ids are."""
    return 0 if s.seat == NOBODY else int(s.seat)


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    if action == A_PASS:
        return "pass"
    if action < A_SQUARE:
        slot, deed = divmod(action - A_UNIT, len(DEEDS))
        return f"{UNITS[slot].name}: {DEEDS[deed]}"
    if TARGET_OF[action] >= 0:
        ahead, slot = divmod(int(TARGET_OF[action]), SLOTS)
        whose = "own" if ahead == 0 else f"player_{(_seat(s) + ahead) % s.num_players}"
        if ahead >= s.num_players:  # an id of larger games
            whose = f"opponent {ahead}"
        return f"target {whose} {UNITS[slot].name}"
    if action < A_SPELL:
        to = ABSOLUTE[s.num_players - FEWEST_SIDES, _seat(s), action - A_SQUARE]
        return f"to {square_name(to)}"
    if action < A_TOKENS:
        return f"cast {SPELLS[action - A_SPELL].name}"
    if action < A_COUNTER:
        return f"spend {plural(action - A_TOKENS, 'token')}"
    if action < A_SHOOT_BACK:
        slot, tokens = divmod(action - A_COUNTER, MOST_DICE)
        return f"counter with {UNITS[slot].name}, {plural(tokens, 'token')}"
    if action == A_SHOOT_BACK:
        return "shoot back"
    return plural(action - A_ATTACK, "attack die", "attack dice")


def _places_of(names: Iterable[str]) -> dict[str, int]:
    """Places of ``names`` by name and by every word that one of them alone has, lower case."""
    lower = [name.lower() for name in names]
    words = Counter(word for name in lower for word in name.split())
    own = {
        word: place
        for place, name in enumerate(lower)
        for word in name.split()
        if words[word] == 1 and not word.isdigit()
    }
    return own | {name: place for place, name in enumerate(lower)}


_SLOT_OF = _places_of(unit.name for unit in UNITS)
_UNIT = "|".join(_SLOT_OF)
_DEED_OF = _places_of(DEEDS)
_DEED = "|".join(_DEED_OF)
_SPELL_OF = _places_of(spell.name for spell in SPELLS)
_SPELL = "|".join(_SPELL_OF)
_PATTERNS = (
    r"#\s*(?P<id>\d+)",
    r"(?P<pass>pass|decline|no|none)",
    r"(?P<back>shoot back|react)",
    rf"(?P<actor>{_UNIT})[:,]? (?P<deed>{_DEED})",
    rf"(?:to )?(?P<file>[{FILES}])(?P<rank>[1-{WIDTH}])",
    rf"(?:cast )?(?P<spell>{_SPELL})",
    rf"counter(?: with)? (?P<mage>{_UNIT})(?:,? (?:and |with )?(?P<spent>\d+)(?: tokens?)?)?",
    r"(?:spend )?(?P<tokens>\d+) tokens?",
    r"(?:attack with )?(?P<dice>\d+)(?: attack)? (?:die|dice)",
    rf"(?:target )?(?:player_(?P<side>\d)(?:'s)?|opponent (?P<ahead>\d)|own) (?P<target>{_UNIT})",
)


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text`` (case and spaces do not matter).

    Raises:
        ValueError: not understood, or there is no such action; says what is understood.
    """
    said = " ".join(text.lower().strip(" .!").split())
    for pattern in _PATTERNS:
        match = re.fullmatch(pattern, said)
        if match:
            groups = {k: v for k, v in match.groupdict().items() if v is not None}
            action = _meant(s, groups)
            if action is None:
                known = _opponents(s) if "target" in groups else UNDERSTOOD
                raise ValueError(f"{text!r}: there is no such action; {known}")
            return action
    known = _COUNTERS if said.startswith("counter") else UNDERSTOOD
    raise ValueError(f"{text!r} is not understood; {known}")


def _meant(s: Any, said: dict[str, str]) -> int | None:
    """The action of the pattern with these groups; None where the numbers fit none."""
    if "pass" in said:
        return A_PASS
    if "back" in said:
        return A_SHOOT_BACK
    if "actor" in said:
        return A_UNIT + len(DEEDS) * _SLOT_OF[said["actor"]] + _DEED_OF[said["deed"]]
    if "file" in said:
        square = square_at(FILES.index(said["file"]), int(said["rank"]) - 1)
        return A_SQUARE + int(FRAME[s.num_players - FEWEST_SIDES, _seat(s), square])
    if "spell" in said:
        return A_SPELL + _SPELL_OF[said["spell"]]
    if "target" in said:
        return _target_meant(s, said)
    if "mage" in said:
        slot, tokens = _SLOT_OF[said["mage"]], int(said.get("spent", 0))
        exists = slot < MAGES and tokens < MOST_DICE
        return A_COUNTER + MOST_DICE * slot + tokens if exists else None
    first, count, number = next(
        (first, count, int(said[kind])) for kind, first, count in _NUMBERED if kind in said
    )
    return first + number if number < count else None


_NUMBERED = (
    ("tokens", A_TOKENS, MOST_DICE),
    ("dice", A_ATTACK, MOST_COMBAT_DICE + 1),
    ("id", 0, ACTIONS.size),
)


def _target_meant(s: Any, said: dict[str, str]) -> int | None:
    ahead = 0
    if "side" in said:
        if int(said["side"]) >= s.num_players:
            return None
        ahead = (int(said["side"]) - _seat(s)) % s.num_players
    elif "ahead" in said:
        ahead = int(said["ahead"])
        if ahead not in range(1, s.num_players):
            return None
    return int(TARGET_ID[ahead, _SLOT_OF[said["target"]]])


def _opponents(s: Any) -> str:
    """Whose units can be named."""
    others = (
        f"player_{(_seat(s) + ahead) % s.num_players} (opponent {ahead})"
        for ahead in range(1, s.num_players)
    )
    return f"there are own units and those of {', '.join(others)}"


def unit_name(seat: int, slot: int) -> str:
    """As in ``player_0's wizard 1``."""
    return f"player_{seat}'s {UNITS[slot].name}"


def _dice(packed: int) -> list[int]:
    dice: list[int] = []
    while packed:
        packed, die = divmod(packed, DICE_FACTOR)
        dice.insert(0, die)
    return dice


def _dice_text(who: str, a: int, b: int, c: int) -> str:
    purpose, needed = divmod(a, 16)
    dice = _dice(b) + _dice(c)
    rolled = f"{who} rolls for {_DICE_FOR[purpose]}: {' '.join(map(str, dice))}"
    if purpose in (D_MISSILES, D_HEALING):
        halves = [(die + 1) // 2 for die in dice]
        return f"{rolled}, as D5 {' '.join(map(str, halves))}: {sum(halves)}"
    if purpose == D_PROWESS:
        return f"{rolled}: {sum(dice)}"
    if purpose == D_COUNTER:
        return rolled
    return f"{rolled} ({sum(die >= needed for die in dice)} with {needed} or more)"


def _test_text(seat: int, slot: int, die: int, tokens: int) -> str:
    return (
        f"{die} + {plural(tokens, 'morale token')} against morale {MORALE[slot]}: "
        f"{'passed' if die + tokens < MORALE[slot] else 'failed'}"
    )


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a, b, c = (int(n) for n in event)
    who = f"player_{seat}"
    if code in _UNIT_EVENTS:
        return _UNIT_EVENTS[code](unit_name(seat, a), b, c)
    if code in _SIDE_EVENTS:
        return _SIDE_EVENTS[code](who, a, b, c)
    if code == E_MORALE:
        return f"{unit_name(seat, a)}: morale test, {_test_text(seat, a, b, c)}"
    if code == E_RALLY:
        return f"{unit_name(seat, a)}: rally, {_test_text(seat, a, b, c)}"
    raise ValueError(f"{code} is no event code of this game")


def _power_text(who: str, power: int, cancelled: int, spell: int) -> str:
    places = [_ORDINALS[k] for k in range(MOST_DICE) if cancelled >> k & 1]
    lost = ""
    if places:
        dice = "die" if len(places) == 1 else "dice"
        lost = f"the {', '.join(places)} casting {dice} cancelled; "
    outcome = f"with power {power}" if power else "in vain"
    return f"{lost}{who} casts {SPELLS[spell].name} {outcome}"


_UNIT_EVENTS = {
    E_ACTIVATE: lambda unit, b, c: f"{unit}: {DEEDS[b]} ({plural(c, 'action token')} left)",
    E_MOVE: lambda unit, b, c: f"{unit}: {square_name(b)} to {square_name(c)}",
    E_SPELL: lambda unit, b, c: f"{unit}: {SPELLS[b].name}",
    E_CHARGE: lambda unit, b, c: f"{unit}: charge to {square_name(b)}",
    E_TOKENS: lambda unit, b, c: (
        f"{unit}: {plural(b, 'power token')}, {plural(1 + b, 'casting die', 'casting dice')}"
    ),
    E_COUNTER: lambda unit, b, c: f"{unit}: counter with {plural(b, 'power token')}",
    E_REACT: lambda unit, b, c: f"{unit}: shoot back",
    E_NO_REACTION: lambda unit, b, c: f"{unit}: no shot back",
    E_BROKEN: lambda unit, b, c: f"{unit}: broken",
    E_GATHER: lambda unit, b, c: f"{unit}: {plural(b, 'power token')} now",
    E_WOUNDS: lambda unit, b, c: f"{unit}: {plural(b, 'hit point')} lost, {c} left",
    E_MODELS: lambda unit, b, c: f"{unit}: {plural(b, 'model')} lost, {plural(c, 'morale token')}",
    E_DESTROYED: lambda unit, b, c: (
        f"{unit}: destroyed, {plural(c, 'victory point')} for player_{b}"
    ),
    E_HEALED: lambda unit, b, c: f"{unit}: {plural(b, 'hit point')} regained, {c} now",
    E_FATIGUE: lambda unit, b, c: f"{unit}: fatigue {c} by {SPELLS[b].name}",
    E_PROWESS: lambda unit, b, c: f"{unit}: {plural(b, 'combat die', 'combat dice')} more",
    E_SPEED: lambda unit, b, c: f"{unit}: {plural(b, 'square')} further",
    E_SPLIT: lambda unit, b, c: f"{unit}: {plural(b, 'die', 'dice')} to attack, {c} to defend",
}
"""Words of an event about a unit, from its name and two numbers."""

_SIDE_EVENTS = {
    E_TURN: lambda who, a, b, c: f"turn {a + 1} of {TURNS}: {who} has the initiative",
    E_INITIATIVE: lambda who, a, b, c: (
        f"{who} rolls {a} for the initiative{' once more' if b > 1 else ''}"
    ),
    E_PASS: lambda who, a, b, c: f"{who} passes for this turn",
    E_TARGET: lambda who, a, b, c: f"{who} chooses as target {unit_name(a, b)}",
    E_NO_COUNTER: lambda who, a, b, c: f"{who} does not counter",
    E_DICE: _dice_text,
    E_POWER: _power_text,
    E_SPLIT_MADE: lambda who, a, b, c: f"{who} has split the dice",
    E_TURN_END: lambda who, a, b, c: f"turn {a + 1} is over",
    E_NEXUS: lambda who, a, b, c: (
        f"{who} alone holds the Nexus: {plural(a, 'victory point')}, {b} in all"
    ),
    E_OUT: lambda who, a, b, c: f"{who} has no unit left",
}
"""Words of the other events, from the side's name and three numbers."""
