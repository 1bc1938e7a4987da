"""Positions written down in words, dice that are known beforehand, and all that an action changes.

Cards are lists of names, such as ``"Fireball, Dodge, Dodge"``; a companion is
``"Wolf defender 6"``, a status ``"Curse of Weakness 3"``, damage over time ``"Infection 3 of 1"``:
turns left, whose it is.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from mages_env.engine import ALL, RUNNING
from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.deck import COLUMN
from mages_env.games.dark_mages.magicians import refresh
from mages_env.games.dark_mages.state import (
    ATTACKER,
    CARD,
    COMPANION,
    DECK,
    DEFENDER,
    KINDS,
    MAGICIAN,
    NAMES,
    NONE,
    STATUS,
    STATUSES,
)
from mages_env.games.dark_mages.turn import forget_attack

from . import invariants

PHASES = ("preparation", "attack", "end", "reaction", "dodge", "item", "loot")
CHARACTER_NAMES = [character["name"] for character in DECK.characters]
USED = ("items", "healing", "potion", "companion", "skill", "attacks", "cantrip")
GAMMA = 0x9E3779B97F4A7C15
LAST = (1 << 64) - 1

# Dice.


def _thrown(rng: np.ndarray, number: int, sides: int) -> np.ndarray:
    """Throw ``number`` (from 1) of streams at ``rng``: splitmix64, then the high half."""
    x = rng + np.uint64(number * GAMMA & LAST)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return 1 + (((x >> np.uint64(32)) * np.uint64(sides)) >> np.uint64(32)).astype(np.int64)


@lru_cache(None)
def _rng_of(dice: tuple) -> int:
    for power in range(12, 28):
        rng = np.arange(1 << power, 2 << power, dtype=np.uint64)
        for number, (sides, wanted) in enumerate(dice, start=1):
            shown = _thrown(rng, number, sides)
            low, high = (wanted, wanted) if isinstance(wanted, int) else wanted
            rng = rng[(shown >= low) & (shown <= high)]
            if not len(rng):
                break
        else:
            return int(rng[0])
    raise AssertionError(f"no stream of chance shows {dice}")


def rig(s: Any, *dice: tuple) -> None:
    """The next throws are ``(sides, value)`` or ``(sides, (lowest, highest))``."""
    s.rng = np.uint64(_rng_of(dice))


def d20(*values: Any) -> list[tuple]:
    return [(20, value) for value in values]


UNSAVED = (16, 20)
"""Saving throws that do not save, with AC 16 or less."""

# Positions.


def kind(name: str) -> int:
    return NAMES.index(name)


def cards(names: str) -> list[int]:
    return [kind(name) for name in names.split(", ") if name]


def words(kinds: Any) -> str:
    return ", ".join(sorted(NAMES[k] for k in kinds if k != NONE))


def counted(counts: Any) -> str:
    return words(k for k in range(KINDS) for _ in range(counts[k]))


def status_of(card: str) -> int:
    return int(np.flatnonzero(STATUS[:, 3] == kind(card))[0])


def seat(
    hand: str = "",
    character: str = "",
    *,
    hp: int = 60,
    pool: int = 0,
    items: str = "",
    companion: str = "",
    status: str = "",
    dot: str = "",
    companion_dot: str = "",
    known: dict[int, str] | None = None,
    fell: int = 0,
) -> dict[str, Any]:
    """One magician; ``fell``: its number among the fallen; ``known``: what which seats know."""
    return dict(locals())


def scene(
    seats: list[dict[str, Any]],
    *,
    phase: str = "attack",
    active: int = 0,
    enemy: str = "",
    enemy_attacked: bool = False,
    waiting: str = "",
    stack: str | None = None,
    discards: str | None = None,
    turn: int = 5,
    used: str = "",
    extra_attacks: int = 0,
    **options: Any,
) -> np.record:
    """A position in which ``active`` is asked for an action of ``phase``.

    Cards not mentioned are in the stack; if ``stack`` is given, in the discard pile.

    Args:
        enemy: ``"Hydra 16 of 0"``, hit points and who drew it.
        waiting: further enemies, ``"Hydra of 0, Ogre Warlord of 1"``.
        used: what was used this turn, as ``"attacks skill"``.
    """
    count = len(seats)
    s = GAME.new_state(count, **options)[0]
    GAME.reset(s, np.uint64(20110504))
    s.num_events = 0
    left = Counter({k: card["copies"] for k, card in enumerate(DECK.cards)})

    def take(name: str) -> int:
        assert left[kind(name)] > 0, f"no further {name} in the deck"
        left[kind(name)] -= 1
        return kind(name)

    named = [made["character"] for made in seats]
    free = [name for name in CHARACTER_NAMES if name not in named]
    for p, made in enumerate(seats):
        s.character[p] = CHARACTER_NAMES.index(made["character"] or free.pop(0))
        s.hp[p] = 0 if made["fell"] else made["hp"]
        s.pool[p] = made["pool"]
        s.alive[p] = not made["fell"]
        s.fell[p] = made["fell"]
        held = sorted(take(name) for name in filter(None, made["hand"].split(", ")))
        s.hand[p] = NONE
        s.known[p] = 0
        s.hand[p, : len(held)] = held
        s.hand_size[p] = len(held)
        for knower, names in (made["known"] or {}).items():
            for k in cards(names):
                at = next(i for i in range(5) if s.hand[p, i] == k and not s.known[p, i] >> knower)
                s.known[p, at] |= 1 << knower
        s["items"][p] = NONE
        for name in filter(None, made["items"].split(", ")):
            k = take(name)
            s["items"][p, CARD[k, COLUMN["slot"]]] = k
        _put_companion(s, p, made["companion"], take)
        s.status[p] = 0
        for told in filter(None, made["status"].split(", ")):
            name, turns = told.rsplit(" ", 1)
            s.status[p, status_of(name)] = int(turns)
        for part, told in ((MAGICIAN, made["dot"]), (COMPANION, made["companion_dot"])):
            s.dot[p, part] = s.dot_user[p, part] = NONE
            s.dot_turns[p, part] = 0
            if told:
                name, turns, _, user = told.rsplit(" ", 3)
                s.dot[p, part] = kind(name)
                s.dot_turns[p, part] = int(turns)
                s.dot_user[p, part] = NONE if user == "nobody" else int(user)
        refresh(s, p)
    if enemy:
        name, hp, _, drawer = enemy.rsplit(" ", 3)
        s.enemy, s.enemy_hp, s.enemy_drawer = take(name), int(hp), int(drawer)
        s.enemy_attacked = enemy_attacked
    for told in filter(None, waiting.split(", ")):
        name, _, drawer = told.rsplit(" ", 2)
        s.queue[s.queue_size] = take(name), int(drawer)
        s.queue_size += 1
    s.queue_waiting = s.queue_size
    chosen = [] if stack is None else [take(name) for name in filter(None, stack.split(", "))]
    thrown = [] if discards is None else [take(name) for name in filter(None, discards.split(", "))]
    rest = sorted(left.elements())
    if stack is None:
        chosen = rest
    else:
        thrown += rest
    s.stack[:] = 0
    s.stack[: len(chosen)] = chosen
    s.stack_size = len(chosen)
    s.discards[:] = 0
    for k in thrown:
        s.discards[k] += 1
    s.phase = PHASES.index(phase)
    s.active = s.seat = active
    s.turn = turn
    for name in (*USED, "companion_attacked"):
        field = name if name == "companion_attacked" else _field(name)
        s[field] = name in used.split()
    s.extra_attacks = extra_attacks
    forget_attack(s)
    for p in range(count):
        s.returns[p] = 0
        if seats[p]["fell"] and not GAME.config(s)["teams"]:
            s.terminated[p] = 1
            s.returns[p] = 2 * (seats[p]["fell"] - 1) / (count - 1) - 1
    invariants.check(s)
    return s


def _field(used: str) -> str:
    return f"{used}_used"


def _put_companion(s: Any, p: int, told: str, take: Any) -> None:
    s.companion[p] = NONE
    s.mode[p] = s.companion_hp[p] = 0
    if told:
        name, mode, hp = told.rsplit(" ", 2)
        s.companion[p] = take(name)
        s.mode[p] = {"defender": DEFENDER, "attacker": ATTACKER}[mode]
        s.companion_hp[p] = int(hp)


# What a record says.


def _user(number: int) -> str:
    return "nobody" if number == NONE else str(number)


def _companion(s: Any, p: int) -> str:
    if s.companion[p] == NONE:
        return ""
    mode = "attacker" if s.mode[p] == ATTACKER else "defender"
    return f"{NAMES[s.companion[p]]} {mode} {s.companion_hp[p]}"


def _dot(s: Any, p: int, part: int) -> str:
    if s.dot[p, part] == NONE:
        return ""
    return f"{NAMES[s.dot[p, part]]} {s.dot_turns[p, part]} of {_user(s.dot_user[p, part])}"


def _known(s: Any, p: int) -> dict[int, str]:
    held = [(int(s.hand[p, i]), int(s.known[p, i])) for i in range(s.hand_size[p])]
    found = {q: words(k for k, by in held if by >> q & 1) for q in range(s.num_players)}
    return {q: told for q, told in found.items() if told}


def _attack(s: Any) -> dict[str, Any]:
    if s.attack_kind == NONE:
        return {}
    return {
        "with": NAMES[s.attack_kind],
        "user": int(s.attack_user),
        "by": int(s.attack_by),
        "target": int(s.attack_target),
        "part": ("magician", "companion", "enemy", "everybody")[s.attack_part],
        "dice": int(s.attack_dice),
        "dodged": [p for p in range(s.num_players) if s.dodged >> p & 1],
    }


def view(s: Any) -> dict[str, Any]:
    """Every field of the record that means anything, in words."""
    count = s.num_players
    names = ("hp", "pool", "alive", "fell", "ac", "attack_bonus", "level", "bound", "hidden")
    seen: dict[str, Any] = {name: s[name][:count].tolist() for name in names}
    for name in ("rewards", "returns", "terminated", "truncated"):
        seen[name] = s[name][:count].tolist()
    for p in range(count):
        seen[f"hand_{p}"] = words(s.hand[p, : s.hand_size[p]])
        seen[f"known_{p}"] = _known(s, p)
        seen[f"items_{p}"] = words(s["items"][p])
        seen[f"companion_{p}"] = _companion(s, p)
        seen[f"dot_{p}"] = _dot(s, p, MAGICIAN)
        seen[f"companion_dot_{p}"] = _dot(s, p, COMPANION)
        seen[f"status_{p}"] = ", ".join(
            sorted(
                f"{NAMES[STATUS[i, 3]]} {s.status[p, i]}" for i in range(STATUSES) if s.status[p, i]
            )
        )
    waiting = [f"{NAMES[k]} of {by}" for k, by in s.queue[: s.queue_size].tolist()]
    enemy = "" if s.enemy == NONE else f"{NAMES[s.enemy]} {s.enemy_hp} of {s.enemy_drawer}"
    seen |= {
        "characters": [CHARACTER_NAMES[k] for k in s.character[:count]],
        "stack": words(s.stack[: s.stack_size]),
        "discards": counted(s.discards),
        "enemy": enemy,
        "enemy_attacked": int(s.enemy_attacked),
        "waiting": ", ".join(waiting),
        "to_move": int(s.seat),
        "active": int(s.active),
        "phase": PHASES[s.phase],
        "turn": int(s.turn),
        "over": int(s.over),
        "attack": _attack(s),
        "looted": int(s.loot_from),
        "victor": int(s.victor),
        "extra_attacks": int(s.extra_attacks),
        "companion_attacked": int(s.companion_attacked),
        "config": GAME.config(s),
    }
    seen |= {_field(name): int(s[_field(name)]) for name in USED}
    return seen


def told(s: Any, viewer: int | None = None) -> list[str]:
    """The events of the last step in words, those that only one seat sees for that seat."""
    return [
        GAME.event_text(s, event)
        for event in s.events[: s.num_events]
        if event[1] in (ALL, ALL if viewer is None else viewer)
    ]


def legal_ids(s: Any) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def legal(s: Any) -> set[str]:
    """The legal actions in words."""
    return {GAME.action_text(s, action) for action in legal_ids(s)}


def play(s: Any, action: str, *dice: tuple) -> None:
    """Takes the action; with ``dice`` fails unless exactly these are thrown.

    They are given as for ``rig``.
    """
    chosen = GAME.parse_action(s, action)
    assert chosen in legal_ids(s), f"{action} is not legal, {sorted(legal(s))} are"
    if dice:
        rig(s, *dice)
    before = int(s.rng)
    GAME.step(s, chosen)
    invariants.check(s)
    assert s.events[: s.num_events, 1].tolist().count(ALL) > 0, "nothing that all may see"
    if s.over == RUNNING:
        assert legal_ids(s), "nothing is legal"
    if dice:
        thrown = (int(s.rng) - before & LAST) * pow(GAMMA, -1, 1 << 64) & LAST
        assert thrown == len(dice), f"{thrown} throws, not {len(dice)}: {told(s)}"


def act(
    s: Any, action: str, *dice: tuple, events: list[str] | None = None, **expected: Any
) -> None:
    """Takes the action; fails unless the record is then as before but for what is expected.

    Lists of cards may be given as ``"+Fireball, -Dodge"``, compared with before. Without ``dice``
    chance must not be used. ``events``: all that is told, in words.
    """
    wanted = view(s)
    for name, value in expected.items():
        assert name in wanted, name
        changed = isinstance(value, str) and value[:1] in ("+", "-")
        wanted[name] = _moved(wanted[name], value) if changed else value
    before = int(s.rng)
    play(s, action, *dice)
    if not dice:
        assert int(s.rng) == before, f"chance was used: {told(s)}"
    found = view(s)
    wrong = [
        f"{name}: {found[name]}, expected {wanted[name]}"
        for name in found
        if found[name] != wanted[name]
    ]
    assert not wrong, f"after {action}:\n" + "\n".join(wrong) + "\n" + "\n".join(told(s))
    if events is not None:
        assert told(s) == events


def _moved(before: str, moves: str) -> str:
    found = Counter(filter(None, before.split(", ")))
    for move in moves.split(", "):
        found[move[1:]] += 1 if move[0] == "+" else -1
        assert found[move[1:]] >= 0, move
    return ", ".join(sorted(found.elements()))
