"""What holds in every state of the game, also in a redrawn one."""

from mages_env.engine import RUNNING
from mages_env.games.magic_duel.board import BIT, OPEN
from mages_env.games.magic_duel.data import (
    ACTION_TOKENS,
    MOST_POWER_TOKENS,
    SPELLS,
    TURNS,
    UNNATURAL_SPEED,
)
from mages_env.games.magic_duel.state import (
    COMBAT_DICE,
    HIT_POINTS,
    MODELS,
    MOST_FATIGUE,
    MOST_PROWESS,
    P_ACTIVATE,
    P_CHARGE_SQUARE,
    P_COUNTER,
    P_REACT,
    P_SPLIT_CHARGED,
    PHASES,
    SLOTS,
    UNITS_OF,
)


def check(s):
    """Raises AssertionError with what does not hold."""
    n = int(s.num_players)
    taken = []
    for side in range(n):
        for slot in range(SLOTS):
            check_unit(s, side, slot)
            if s.pool[side, slot]:
                taken.append(int(s.square[side, slot]))
    assert len(set(taken)) == len(taken), f"two units on a square: {sorted(taken)}"
    for half in range(2):  # MGD-17
        free = int(OPEN[n - 2, half])
        for square in taken:
            free &= ~int(BIT[square, half])
        assert free == s.free[half], "the free squares are not those without obstacle and unit"
    if s.over == RUNNING:
        check_turn(s)


def check_unit(s, side, slot):
    name = f"unit {slot} of side {side}"
    pool, cap = int(s.pool[side, slot]), int(s.pool_cap[side, slot])
    full = int(MODELS[slot] * HIT_POINTS[slot])
    if slot >= UNITS_OF[s.scenario]:
        assert pool == 0, f"{name} is not of this scenario"
    if pool == 0:
        left = (s.pool_cap, s.fatigue, s.broken, s.prowess, s.speed, s.morale_tokens)
        assert not any(field[side, slot] for field in left), f"{name} is gone but has something"
        assert s.square[side, slot] == -1, f"{name} is gone but stands somewhere"
        return
    assert 0 < pool <= cap <= full, f"{name} has {pool} hit points, {cap} at most this turn"
    assert cap % HIT_POINTS[slot] == 0, f"{name} can be healed to {cap}"
    assert 0 <= s.fatigue[side, slot] <= MOST_FATIGUE[slot], f"{name}: {s.fatigue[side, slot]}"
    assert s.broken[side, slot] in (0, 1)
    assert 0 <= s.prowess[side, slot] <= MOST_PROWESS, name
    assert s.speed[side, slot] in (0, *SPELLS[UNNATURAL_SPEED].rows), name
    lost = MODELS[slot] - -(-pool // HIT_POINTS[slot])
    assert s.morale_tokens[side, slot] >= lost, f"{name} has lost {lost} models"
    if slot < s.power_tokens.shape[1]:
        assert 0 <= s.power_tokens[side, slot] <= MOST_POWER_TOKENS, name


def check_turn(s):
    n = int(s.num_players)
    assert 0 <= s.turn < TURNS and 0 <= s.phase < len(PHASES)
    for side in range(n):
        assert 0 <= s.action_tokens[side] <= ACTION_TOKENS
        alive = bool(s.pool[side].any())
        assert alive != bool(s.terminated[side]), f"side {side} is out, or is not, wrongly"
    others = s.phase in (P_COUNTER, P_REACT, P_SPLIT_CHARGED)
    assert (s.seat == s.active) != others, f"seat {s.seat} is asked in phase {s.phase}"
    if s.phase == P_ACTIVATE:
        assert s.actor == s.deed == s.spell == s.target == s.goal == -1
        assert not s.passed[s.seat] and s.action_tokens[s.seat] > 0
    else:
        assert s.pool[s.active, s.actor] > 0
    if s.phase == P_CHARGE_SQUARE:
        assert s.goal == -1
    if s.phase == P_SPLIT_CHARGED:
        dice = COMBAT_DICE[s.actor] * -(-s.pool[s.active, s.actor] // HIT_POINTS[s.actor])
        assert 0 <= s.attack[0] <= dice + s.prowess[s.active, s.actor]
    else:
        assert s.attack[0] == s.attack[1] == -1
    assert not s.casting_dice.any() and not s.counter_dice.any()
