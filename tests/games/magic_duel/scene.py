"""Positions written down in words, dice that come as told, and all that actions change.

A side is its units, ``"w1 c1, wa e5 hp7 f2"``: short name, square, and what is not as at the start:

    hp7     hit points        f2   fatigue        p0  power tokens (2 unless said)
    cap6    what Healing can restore (all of its models' hit points unless said)
    broken  m3  morale tokens     +8  Combat Prowess      >2  Unnatural Speed
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import NOBODY
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.board import BIT, OPEN
from mages_env.games.magic_duel.state import PHASES

from .invariants import check

SHORT = ["w1", "w2", "ar", "wa", "gu"]
FULL = {"w1": 8, "w2": 8, "ar": 4, "wa": 10, "gu": 8}
OF_A_MODEL = {"w1": 8, "w2": 8, "ar": 1, "wa": 2, "gu": 2}
DEEDS = ["move", "run", "shoot", "charge", "cast", "gather power", "rally"]
SPELLS = [
    "Magic Missile",
    "Healing",
    "Energy",
    "Drain Energy",
    "Combat Prowess",
    "Unnatural Speed",
]


def square(name: str) -> int:
    """'e5' is 9 * 4 + 4."""
    return 9 * (int(name[1]) - 1) + "abcdefghi".index(name[0])


def named(number: int) -> str:
    return f"{'abcdefghi'[number % 9]}{number // 9 + 1}"


def models(unit: str, hit_points: int) -> int:
    return -(-hit_points // OF_A_MODEL[unit])


# Positions.


def scene(
    *sides: str,
    turn: int = 1,
    to_move: int = 0,
    holder: int = 0,
    tokens: list[int] | None = None,
    passed: list[int] | None = None,
    points: list[int] | None = None,
    **options: Any,
) -> np.record:
    """Side ``to_move`` is to choose an action in turn ``turn``, counted from 1."""
    count = len(sides)
    s = GAME.new_state(count, **options)[0]
    GAME.reset(s, np.uint64(20080101))
    s.num_events = 0
    s.turn = turn - 1
    s.holder = holder
    s.active = s.seat = to_move
    s.action_tokens[:count] = tokens or [6] * count
    s.passed[:count] = passed or [0] * count
    s.victory_points[:count] = points or [0] * count
    s.free[:] = OPEN[count - 2]
    for field in (s.pool, s.pool_cap, s.fatigue, s.broken, s.prowess, s.speed, s.morale_tokens):
        field[:] = 0
    s.square[:] = -1
    s.power_tokens[:] = 0
    for side, units in enumerate(sides):
        for unit in filter(None, units.split(",")):
            _place(s, side, *unit.split())
        if not units:
            s.terminated[side] = 1
            s.action_tokens[side] = 0
            s.passed[side] = 1
    check(s)
    return s


def _place(s: np.record, side: int, unit: str, at: str, *words: str) -> None:
    k = SHORT.index(unit)
    assert s.free[0] & BIT[square(at), 0] or s.free[1] & BIT[square(at), 1], f"{at} is taken"
    s.square[side, k] = square(at)
    s.free &= ~BIT[square(at)]
    s.pool[side, k] = FULL[unit]
    if k < 2:
        s.power_tokens[side, k] = 2
    cap = 0
    for word in words:
        if word == "broken":
            s.broken[side, k] = 1
        elif word.startswith("hp"):
            s.pool[side, k] = int(word[2:])
        elif word.startswith("cap"):
            cap = int(word[3:])
        else:
            field = {
                "f": s.fatigue,
                "p": s.power_tokens,
                "m": s.morale_tokens,
                "+": s.prowess,
                ">": s.speed,
            }[word[0]]
            field[side, k] = int(word[1:])
    pool = int(s.pool[side, k])
    s.pool_cap[side, k] = cap or models(unit, pool) * OF_A_MODEL[unit]
    lost = models(unit, FULL[unit]) - models(unit, pool)
    s.morale_tokens[side, k] = max(s.morale_tokens[side, k], lost)


def unit_words(s: np.record, side: int, k: int) -> str:
    """The unit as in ``scene``, but with all morale tokens; 'gone' if there is none."""
    unit = SHORT[k]
    pool = int(s.pool[side, k])
    if pool == 0:
        return "gone"
    said = [named(int(s.square[side, k]))]
    cap = int(s.pool_cap[side, k])
    if pool != FULL[unit]:
        said.append(f"hp{pool}")
    if cap != models(unit, pool) * OF_A_MODEL[unit]:
        said.append(f"cap{cap}")
    if s.fatigue[side, k]:
        said.append(f"f{s.fatigue[side, k]}")
    if s.broken[side, k]:
        said.append("broken")
    if k < 2 and s.power_tokens[side, k] != 2:
        said.append(f"p{s.power_tokens[side, k]}")
    for field, sign in ((s.morale_tokens, "m"), (s.prowess, "+"), (s.speed, ">")):
        if field[side, k]:
            said.append(f"{sign}{field[side, k]}")
    return " ".join(said)


def view(s: np.record) -> dict[str, Any]:
    """Every field of the record that means anything, in words."""
    n = int(s.num_players)
    seen: dict[str, Any] = {
        "asked": "nobody" if s.seat == NOBODY else f"{s.seat} {PHASES[s.phase]}",
        "holder": int(s.holder),
        "turn": int(s.turn) + 1,
        "over": int(s.over),
        "tokens": s.action_tokens[:n].tolist(),
        "passed": s.passed[:n].tolist(),
        "points": s.victory_points[:n].tolist(),
        "rewards": s.rewards[:n].tolist(),
        "returns": s.returns[:n].tolist(),
        "terminated": s.terminated[:n].tolist(),
        "truncated": s.truncated[:n].tolist(),
        "config": GAME.config(s),
        "rng": int(s.rng),
    }
    if s.actor >= 0:
        seen["doing"] = f"{s.active}{SHORT[s.actor]} {DEEDS[s.deed]}"
        chosen = {
            "spell": SPELLS[s.spell] if s.spell >= 0 else None,
            "target": f"{s.target_side}{SHORT[s.target]}" if s.target >= 0 else None,
            "goal": named(int(s.goal)) if s.goal >= 0 else None,
            "casting dice": int(s.casting) or None,
            "counter dice": int(s.counter) or None,
            "shot back": int(s.shot_back) or None,
            "attack": int(s.attack[0]) if s.attack[0] >= 0 else None,
        }
        seen |= {name: value for name, value in chosen.items() if value is not None}
    else:
        left = [s.deed, s.spell, s.target_side, s.target, s.goal, *s.attack]
        assert left == [-1] * 7 and not (s.casting or s.counter or s.shot_back), left
    for side in range(n):
        for k, unit in enumerate(SHORT):
            seen[f"{side}{unit}"] = unit_words(s, side, k)
    return seen


# Actions.


def legal_ids(s: np.record) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def legal(s: np.record) -> set[str]:
    """The legal actions in words."""
    return {GAME.action_text(s, action) for action in legal_ids(s)}


def attack_dice(most: int) -> set[str]:
    """The choices of a side that splits so many dice."""
    return {f"{n} attack {'die' if n == 1 else 'dice'}" for n in range(most + 1)}


def take(s: np.record, *actions: str) -> list[str]:
    """Takes actions, all of them legal; returns what everybody may read of them."""
    said = []
    for words in actions:
        chosen = GAME.parse_action(s, words)
        assert chosen in legal_ids(s), f"{words} is not legal, {sorted(legal(s))} are"
        GAME.step(s, chosen)
        check(s)
        said += GAME.to_json(s, None)["events"]
    return said


def outcome(s: np.record, *actions: str, dice: str = "") -> dict[str, Any]:
    """Takes actions while the dice come as told; returns all that is different afterwards.

    ``dice`` in it is the number of dice that were rolled, if any were.
    """
    if dice:
        s.rng = stream(dice)
    before = view(s)
    take(s, *actions)
    after = view(s)
    changed = {
        name: after.get(name)
        for name in {**before, **after}
        if after.get(name) != before.get(name) and name != "rng"
    }
    rolled = (after["rng"] - before["rng"]) * pow(GAMMA, -1, 1 << 64) % (1 << 64)
    if rolled:
        changed["dice"] = rolled
    return changed


# Dice: the generator once more, and where to start it for dice to come as told.

GAMMA = 0x9E3779B97F4A7C15


def coming(rng: int, count: int) -> list[int]:
    """The next D10 of the generator in this state, as if no draw were ever refused."""
    found = []
    for _ in range(count):
        rng = (rng + GAMMA) % (1 << 64)
        x = (rng ^ (rng >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % (1 << 64)
        x ^= x >> 31
        found.append((x >> 32) * 10 // (1 << 32) + 1)
    return found


def stream(dice: str) -> np.uint64:
    """A state of the generator whose next dice are ``dice``: '5', '7+', '3-' or '?' each."""
    wanted = [_faces(word) for word in dice.split()]
    for start in range(0, 1 << 30, 1 << 16):
        states = np.arange(start, start + (1 << 16), dtype=np.uint64)
        for k, (low, high) in enumerate(wanted):
            x = states + np.uint64((k + 1) * GAMMA % (1 << 64))
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            die = ((x ^ (x >> np.uint64(31))) >> np.uint64(32)) * np.uint64(10) >> np.uint64(32)
            states = states[(die + 1 >= low) & (die + 1 <= high)]
        if states.size:
            return states[0]
    raise AssertionError(f"no stream begins with {dice}")


def _faces(word: str) -> tuple[int, int]:
    if word == "?":
        return 1, 10
    if word.endswith("+"):
        return int(word[:-1]), 10
    if word.endswith("-"):
        return 1, int(word[:-1])
    return int(word), int(word)
