"""A game of the compiled rules and of the slow model, decision by decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.games.magic_duel import GAME, data, state
from mages_env.games.magic_duel.state import ACTIONS, DEEDS, MAGES, PHASES, SLOTS

from .slow_duel import Dice, Duel, Numbers, Question

NAMES = [unit.name for unit in data.UNITS]
SPELLS = [spell.name for spell in data.SPELLS]
TOKENS = ACTIONS.blocks[6].shape[1]
QUARTERS = {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}

EVENTS = {  # what the numbers of an event mean: s seat, u unit, @ square, n number, ...
    state.E_TURN: ("turn", "s", "n"),
    state.E_INITIATIVE: ("initiative", "s", "n", "n"),
    state.E_PASS: ("pass", "s"),
    state.E_ACTIVATE: ("activate", "s", "u", "deed", "n"),
    state.E_MOVE: ("move", "s", "u", "@", "@"),
    state.E_SPELL: ("spell", "s", "u", "spell"),
    state.E_TARGET: ("target", "s", "n", "u"),
    state.E_CHARGE: ("charge", "s", "u", "@"),
    state.E_TOKENS: ("tokens", "s", "u", "n"),
    state.E_COUNTER: ("counter", "s", "u", "n"),
    state.E_NO_COUNTER: ("no counter", "s"),
    state.E_REACT: ("react", "s", "u"),
    state.E_NO_REACTION: ("no reaction", "s", "u"),
    state.E_POWER: ("power", "s", "n", "bits", "spell"),
    state.E_MORALE: ("morale", "s", "u", "n", "n"),
    state.E_BROKEN: ("broken", "s", "u"),
    state.E_RALLY: ("rally", "s", "u", "n", "n"),
    state.E_GATHER: ("gather", "s", "u", "n"),
    state.E_WOUNDS: ("wounds", "s", "u", "n", "n"),
    state.E_MODELS: ("models", "s", "u", "n", "n"),
    state.E_DESTROYED: ("destroyed", "s", "u", "n", "n"),
    state.E_HEALED: ("healed", "s", "u", "n", "n"),
    state.E_FATIGUE: ("fatigue", "s", "u", "spell", "n"),
    state.E_PROWESS: ("prowess", "s", "u", "n"),
    state.E_SPEED: ("speed", "s", "u", "n"),
    state.E_SPLIT_MADE: ("split made", "s"),
    state.E_SPLIT: ("split", "s", "u", "n", "n"),
    state.E_TURN_END: ("turn end", "s", "n"),
    state.E_NEXUS: ("nexus", "s", "n", "n"),
    state.E_OUT: ("out", "s"),
}
DICE = [
    *("hit", "wound", "defence", "attack", "casting", "counter"),
    *("missiles", "healing", "prowess"),
]


BLOCKS = [(ACTIONS.start(block.name), block.name) for block in ACTIONS.blocks]


def square(number: int) -> tuple[int, int]:
    return number % 9, number // 9


def _value(kind: str, number: int) -> Any:
    return {
        "s": lambda: None if number == NOBODY else number,
        "u": lambda: NAMES[number],
        "@": lambda: square(number),
        "n": lambda: number,
        "deed": lambda: DEEDS[number],
        "spell": lambda: SPELLS[number],
        "bits": lambda: [k for k in range(TOKENS) if number >> k & 1],
    }[kind]()


def log(s: Any) -> list[tuple]:
    """The events as the model tells them."""
    found: list[tuple] = []
    room = 0  # dice of one roll are told eight at a time
    assert s.num_events <= len(s.events)
    for code, viewer, *numbers in s.events[: s.num_events].tolist():
        seen_by = None if viewer == -1 else viewer
        if code == state.E_DICE:
            seat, what, first, second = numbers
            dice = _digits(first) + _digits(second)
            purpose, needed = divmod(what, 16)
            this = (seen_by, "dice", seat, DICE[purpose], needed)
            if room and found[-1][:5] == this:
                found[-1][5].extend(dice)
            else:
                found.append((*this, dice))
            room = len(dice) == 8
            continue
        room = 0
        name, *kinds = EVENTS[code]
        values = [_value(kind, n) for kind, n in zip(kinds, numbers, strict=False)]
        found.append((seen_by, name, *values))
    return found


def _digits(packed: int) -> list[int]:
    dice: list[int] = []
    while packed:
        packed, die = divmod(packed, 11)
        dice.insert(0, die)
    return dice


def meaning(action: int, seat: int, count: int) -> tuple:
    """The model's choice for an action id."""
    start, name = max(block for block in BLOCKS if block[0] <= action)
    k = action - start
    if name == "pass":
        return ("pass",)
    if name == "unit_action":
        return "act", NAMES[k // 7], DEEDS[k % 7]
    if name == "square":
        return "to", Duel.turned(square(k), QUARTERS[count][seat])
    if name in ("target", "far_target"):
        ahead, slot = divmod(k, SLOTS)
        ahead += 2 * (name == "far_target")
        return "target", (seat + ahead) % count, NAMES[slot]
    if name == "spell":
        return "spell", SPELLS[k]
    if name == "casting_tokens":
        return "tokens", k
    if name == "counter":
        return "counter", NAMES[k // TOKENS], k % TOKENS
    if name == "shoot_back":
        return ("shoot back",)
    return "dice", k


SIDE_FIELDS = ("action_tokens", "passed", "victory_points", "terminated", "returns")
UNIT_FIELDS = (
    *("square", "pool", "pool_cap", "fatigue", "broken", "morale_tokens", "prowess", "speed"),
)


def legal_ids(s: Any) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    return np.flatnonzero(mask).tolist()


def compare(s: Any, model: Duel, question: Question | None) -> dict[tuple, int]:
    """Fails where they differ; the legal actions' ids by what they mean."""
    assert log(s) == model.log
    assert int(s.rng) == model.dice.state
    assert s.turn == model.turn
    sides = zip(*(s[name].tolist() for name in SIDE_FIELDS), strict=True)
    of_units = zip(
        *(s[name].tolist() for name in UNIT_FIELDS), s.power_tokens.tolist(), strict=True
    )
    for side, found, fields in zip(model.sides, sides, of_units, strict=False):
        assert found[:4] == (side.tokens, side.passed, side.points, side.out or model.over)
        assert abs(found[4] - float(side.paid)) < 1e-6
        *fields, power = fields
        units = {unit.profile.name: unit for unit in side.units}
        for slot, (name, unit) in enumerate(zip(NAMES, zip(*fields, strict=True), strict=True)):
            if name not in units:
                assert unit == (-1, *[0] * 7)
                continue
            expected = units[name]
            assert (square(unit[0]), *unit[1:]) == (
                *(expected.square, expected.pool, expected.cap, expected.fatigue),
                *(expected.broken, expected.morale, expected.prowess, expected.speed),
            )
            if slot < MAGES:
                assert power[slot] == expected.power
    assert not s.truncated.any()
    if question is None:
        assert (s.over, s.seat, legal_ids(s)) == (TERMINATED, NOBODY, [])
        return {}
    assert (s.over, s.seat, s.holder) == (RUNNING, question.seat, model.holder)
    assert PHASES[s.phase] == question.phase
    count = int(s.num_players)
    ids = legal_ids(s)
    named = {meaning(action, question.seat, count): action for action in ids}
    assert len(named) == len(ids)
    assert named.keys() == question.options
    assert _under_way(s) == model.action
    return named


def _under_way(s: Any) -> dict[str, Any]:
    if s.actor < 0:
        return {}
    found: dict[str, Any] = {"unit": (int(s.active), NAMES[s.actor]), "deed": DEEDS[s.deed]}
    if s.spell >= 0:
        found["spell"] = SPELLS[s.spell]
    if s.target >= 0:
        found["target"] = (int(s.target_side), NAMES[s.target])
    if s.casting:
        found["casting"] = int(s.casting)
    if s.goal >= 0:
        found["goal"] = square(int(s.goal))
    if s.attack[0] >= 0:
        found["attack"] = int(s.attack[0])
    return found


def play(
    seed: int,
    likes: Callable[[tuple], float] = lambda choice: 1.0,
    numbers: Numbers | None = None,
    note: Callable[[Any, Duel], None] = lambda s, model: None,
    **asked: Any,
) -> Duel:
    """One game.

    Args:
        likes: how likely a choice is, compared with others.
        note: called after every decision.
    """
    rng = np.random.default_rng(seed)
    s = GAME.new_state(**asked)[0]
    GAME.reset(s, np.uint64(seed))
    model = Duel(Dice(seed), **GAME.config(s), numbers=numbers)
    story = model.play()
    question = next(story, None)
    while True:
        named = compare(s, model, question)
        note(s, model)
        if question is None:
            return model
        choices = sorted(named, key=repr)
        weights = np.array([likes(choice) for choice in choices])
        choice = choices[int(rng.choice(len(choices), p=weights / weights.sum()))]
        GAME.step(s, named[choice])
        model.log = []
        try:
            question = story.send(choice)
        except StopIteration:
            question = None
