"""A tiny game for tests that is played alone: Pig, with its turns counted.

The player rolls a die as often as it likes and adds up the turn; a 1 loses the sum and ends the
turn, holding banks it. What is banked after the last turn is the score; the reward is score / 20.
"""

from typing import Any

from mages_env.engine import (
    ALL,
    NOBODY,
    TERMINATED,
    begin_game,
    begin_step,
    compiled,
    emit,
    end_game,
    helper,
    hide_events,
    pay,
    randbelow,
    seed_stream,
    signatures,
    state_dtype,
)
from mages_env.game import Encoder, Game, Option
from mages_env.layout import Block, Layout

ROLL, HOLD = 0, 1
LIMIT = 30  # a turn's sum that is held by itself
E_TURN, E_ROLL, E_HOLD = 1, 2, 3

OPTIONS = (
    Option("turns", range(1, 11), 3, "turns in a game"),
    Option("reward", ("score",), "score", "score / 20"),
)
ACTIONS = Layout(Block("roll", (1,), "roll the die"), Block("hold", (1,), "bank the turn's sum"))
SEEN = Layout(
    Block("turns_left", (), "turns to go / 10"),
    Block("at_stake", (), "sum of this turn / 60"),
    Block("banked", (), "score / 600"),
)
STATE = state_dtype(
    [option.name for option in OPTIONS],
    [("at_stake", "i4"), ("banked", "i4")],
    max_players=1,
    max_events=3,
)
SIGNATURES = signatures(STATE)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    s.at_stake = 0
    s.banked = 0
    s.seat = 0
    emit(s, E_TURN, ALL, 0, 0, 0, 0)


@compiled(SIGNATURES.legal)
def legal(s, mask):
    mask[ROLL] = s.seat != NOBODY
    mask[HOLD] = s.seat != NOBODY and s.at_stake > 0


@helper
def end_turn(s):
    s.at_stake = 0
    s.turn += 1
    if s.turn == s.turns:
        pay(s, 0, s.banked / 20.0)
        end_game(s, TERMINATED)


@helper
def bank(s):
    s.banked += s.at_stake
    emit(s, E_HOLD, ALL, 0, s.at_stake, s.banked, 0)


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    if action == HOLD:
        bank(s)
        end_turn(s)
        return
    die = 1 + randbelow(s, 6)
    emit(s, E_ROLL, ALL, 0, die, 0, 0)
    s.at_stake += die
    if die == 1:
        end_turn(s)
    elif s.at_stake >= LIMIT:
        bank(s)
        end_turn(s)


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    seed_stream(s, seed)
    hide_events(s, seat)


@helper
def write(s, out):
    out[0] = (s.turns - s.turn) / 10.0
    out[1] = s.at_stake / 60.0
    out[2] = s.banked / 600.0


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    write(s, out)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    write(s, out)


@compiled(SIGNATURES.policy)
def hold_at_20(s, mask, rng):
    return HOLD if s.at_stake >= 20 else ROLL


def to_text(s: Any, seat: int | None) -> str:
    return f"turn {s.turn}, sum {s.at_stake}, banked {s.banked}"


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    return {
        "turn": int(s.turn),
        "over": int(s.over),
        "seat_to_move": int(s.seat),
        "at_stake": int(s.at_stake),
        "banked": int(s.banked),
    }


def action_text(s: Any, action: int) -> str:
    return ("roll", "hold")[action]


def parse_action(s: Any, text: str) -> int:
    if text not in ("roll", "hold"):
        raise ValueError(f"{text!r} is not understood; say roll or hold")
    return ("roll", "hold").index(text)


def event_text(s: Any, row: Any) -> str:
    code, _, _, a, b, _ = (int(n) for n in row)
    return {E_TURN: "the game begins", E_ROLL: f"rolls {a}", E_HOLD: f"holds {a}: {b}"}[code]


GAME = Game(
    name="pig_v0",
    title="Pig",
    summary="Push your luck with one die.",
    dtype=STATE,
    players=range(1, 2),
    default_players=1,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={"seen": Encoder(SEEN, observe)},
    full=Encoder(SEEN, observe_full),
    reset=reset,
    legal=legal,
    step=step,
    determinize=determinize,
    to_text=to_text,
    to_json=to_json,
    action_text=action_text,
    parse_action=parse_action,
    event_text=event_text,
    decision_bound=lambda config: 16 * config["turns"],
    scores=lambda s: [s.banked],
    score_meaning="points banked, the most win",
    score_sum={"score": None},
    perfect_information=True,
)
