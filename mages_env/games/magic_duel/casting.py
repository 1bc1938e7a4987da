"""Casting and counter-spelling (MGD-05 to MGD-10), for the rules and by itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np

from mages_env.engine import helper
from mages_env.game import valid_count
from mages_env.games.magic_duel.data import DIE, MOST_POWER_TOKENS

MOST_DICE = 1 + MOST_POWER_TOKENS  # MGD-05, MGD-06
MOST_THRESHOLD = DIE + 1
"""No die reaches it."""


@helper
def count_power(casting, counter, threshold):
    """MGD-07, MGD-08: the power left; casting dice that are cancelled become negative.

    ``casting`` and ``counter`` are int8 arrays of dice; zeros are no dice.
    """
    for value in range(DIE, 0, -1):  # counter dice from the highest down
        for j in range(counter.size):
            if counter[j] == value:
                highest = -1
                for i in range(casting.size):
                    if 0 < casting[i] <= value and (highest < 0 or casting[i] > casting[highest]):
                        highest = i
                if highest >= 0:
                    casting[highest] = -casting[highest]
    power = 0
    for i in range(casting.size):
        if casting[i] > 0 and casting[i] >= threshold:
            power += 1
    return power


_count_power = getattr(count_power, "py_func", count_power)  # needs no compiling from Python


class Casting(NamedTuple):
    """What became of a casting."""

    power: int
    casting: tuple[int, ...]
    counter: tuple[int, ...]
    cancelled: tuple[int, ...]
    """Places in ``casting`` of the dice that were cancelled."""


def resolve(
    casting: Sequence[int],
    counter: Sequence[int] = (),
    *,
    difficulty: int,
    magic_resistance: int = 0,
) -> Casting:
    """The casting procedure for dice that have been rolled.

    Args:
        casting: the casting dice, each from 1 to 10.
        counter: the counter dice; none if nobody counters.
        difficulty: of the spell, at least 0.
        magic_resistance: of the target, at least 0.

    Raises:
        ValueError: dice or a number that there cannot be.
    """
    threshold = valid_count("difficulty", difficulty, 0)
    threshold += valid_count("magic_resistance", magic_resistance, 0)
    cast, countered = _dice("casting", casting), _dice("counter", counter)
    left = np.array(cast, np.int8)
    power = _count_power(left, np.array(countered, np.int8), threshold)
    cancelled = tuple(int(i) for i in np.flatnonzero(left < 0))
    return Casting(int(power), cast, countered, cancelled)


def _dice(name: str, rolled: Sequence[int]) -> tuple[int, ...]:
    try:
        dice = tuple(rolled)
    except TypeError:
        raise ValueError(f"{name}={rolled!r} must be a sequence of dice") from None
    return tuple(valid_count(f"{name}[{i}]", die, 1, DIE) for i, die in enumerate(dice))


def roll(
    generator: np.random.Generator,
    *,
    difficulty: int,
    magic_resistance: int = 0,
    tokens: int = 0,
    counter_tokens: int | None = None,
) -> Casting:
    """The casting procedure with dice from ``generator``: casting dice first, then counter dice.

    Args:
        tokens: power tokens of the caster that are spent.
        counter_tokens: those of the mage that counters; None if none does.

    Raises:
        ValueError: no generator, or a number that there cannot be; nothing is rolled then.
    """
    if not isinstance(generator, np.random.Generator):
        raise ValueError(f"generator={generator!r} must be a numpy.random.Generator")
    valid_count("difficulty", difficulty, 0)
    valid_count("magic_resistance", magic_resistance, 0)
    dice = 1 + valid_count("tokens", tokens, 0, MOST_POWER_TOKENS)
    counters = 0
    if counter_tokens is not None:
        counters = 1 + valid_count("counter_tokens", counter_tokens, 0, MOST_POWER_TOKENS)
    casting = generator.integers(1, DIE, dice, endpoint=True).tolist()
    counter = generator.integers(1, DIE, counters, endpoint=True).tolist()
    return resolve(casting, counter, difficulty=difficulty, magic_resistance=magic_resistance)


def _ways() -> np.ndarray:
    """Rolls out of ``10 ** (n + m)`` with each power: [n, m, threshold, power].

    Going through the faces from the highest down, a casting die is cancelled exactly if a counter
    die as high or higher is still free, whichever: it could cancel all lower ones as well. So with
    ``n`` casting and ``m`` counter dice so far and ``power`` of the first left over,
    ``m - (n - power)`` counter dice are free.
    """
    size = MOST_DICE + 1
    ways = np.zeros((size, size, MOST_THRESHOLD + 1, size), object)
    high = {(0, 0, 0): 1}  # ordered rolls of the faces so far by (n, m, power)
    for threshold in range(MOST_THRESHOLD, 0, -1):
        if threshold <= DIE:
            wider: dict[tuple[int, int, int], int] = {}
            for (n, m, power), count in high.items():
                for j in range(size - m):
                    free = m + j - (n - power)
                    placed = count * comb(m + j, j)
                    for k in range(size - n):
                        key = (n + k, m + j, power + max(0, k - free))
                        wider[key] = wider.get(key, 0) + placed * comb(n + k, k)
            high = wider
        below = [(threshold - 1) ** k for k in range(size)]
        for (n, m, power), count in high.items():
            for casting in range(n, size):
                some = count * comb(casting, n) * below[casting - n]
                for counter in range(m, size):
                    ways[casting, counter, threshold, power] += (
                        some * comb(counter, m) * below[counter - m]
                    )
    ways[:, :, 0] = ways[:, :, 1]
    return ways


_WAYS = _ways()
POWER_CHANCES = np.array(
    [
        [(_WAYS[n, m] / DIE ** (n + m)).astype(float) for m in range(MOST_DICE + 1)]
        for n in range(MOST_DICE + 1)
    ]
)
"""Chance of each power: [casting dice, counter dice, threshold 0 to 11, power]."""


def power_chances(casting: int, counter: int, threshold: int) -> tuple[Fraction, ...]:
    """Exact chance of power 0, 1, ... for so many casting and counter dice.

    Args:
        casting: 0 to 5 dice.
        counter: 0 to 5 dice.
        threshold: difficulty and magic resistance together, at least 0.

    Raises:
        ValueError: a number of dice, or a threshold, that there cannot be.
    """
    casting = valid_count("casting", casting, 0, MOST_DICE)
    counter = valid_count("counter", counter, 0, MOST_DICE)
    ways = _WAYS[casting, counter, min(valid_count("threshold", threshold, 0), MOST_THRESHOLD)]
    return tuple(Fraction(int(ways[p]), DIE ** (casting + counter)) for p in range(casting + 1))
