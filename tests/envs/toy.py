"""A tiny game for tests: seats leave in the middle of it, on their own move and on another's.

Every seat has a secret number. A seat guesses that of the next seat still in, who is out if it is
right, or crosses the bridge, which breaks under one in six, who is out. The last one in wins, the
first one out is last. At the turn limit those still in share the places left.
"""

from typing import Any

from mages_env.engine import (
    ALL,
    NOBODY,
    TERMINATED,
    TRUNCATED,
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

MAX_PLAYERS = 5
SECRETS = 6
CROSS = SECRETS  # the action after the guesses
E_SECRET, E_GUESS, E_CROSS, E_OUT = 1, 2, 3, 4

OPTIONS = (
    Option("secrets", range(2, SECRETS + 1), SECRETS, "secrets are numbers below this"),
    Option("bridge", ("weak", "none"), "weak", "whether the bridge breaks under one in six"),
    Option("max_turns", range(1, 1001), 12, "turns after which the game is truncated"),
)
ACTIONS = Layout(
    Block("guess", (SECRETS,), "name the secret of the next seat still in"),
    Block("cross", (1,), "cross the bridge"),
)
SEEN = Layout(
    Block("secret", (SECRETS,), "own secret, one-hot"),
    Block("seats", (MAX_PLAYERS, 3), "own first: in the game, still in, to move"),
    Block("tried", (MAX_PLAYERS, SECRETS), "guesses that were wrong, own first"),
    Block("turn", (), "turns / max_turns"),
)
FULL = Layout(*SEEN.blocks, Block("secrets", (MAX_PLAYERS,), "every secret / 6"))

_SEATS, _TRIED, _TURN, _SECRETS = (
    FULL.start(name) for name in ("seats", "tried", "turn", "secrets")
)

STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("secret", "i1", (MAX_PLAYERS,)),
        ("tried", "i1", (MAX_PLAYERS, SECRETS)),  # 1 where a guess of the seat's secret was wrong
    ],
    max_players=MAX_PLAYERS,
    max_events=6,
)
SIGNATURES = signatures(STATE)


@helper
def is_in(s, p):
    return s.terminated[p] == 0


@helper
def next_in(s, p):
    q = p
    while True:
        q = (q + 1) % s.num_players
        if is_in(s, q):
            return q


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    for p in range(s.num_players):
        s.secret[p] = randbelow(s, s.secrets)
        for v in range(SECRETS):
            s.tried[p, v] = 0
        emit(s, E_SECRET, p, p, s.secret[p], 0, 0)
    s.seat = 0


@compiled(SIGNATURES.legal)
def legal(s, mask):
    for a in range(mask.size):
        mask[a] = 0
    if s.seat == NOBODY:
        return
    other = next_in(s, s.seat)
    for v in range(s.secrets):
        mask[v] = 1 - s.tried[other, v]
    mask[CROSS] = 1


@helper
def count_in(s):
    count = 0
    for p in range(s.num_players):
        count += is_in(s, p)
    return count


@helper
def leave(s, p):
    """``p`` shows its secret, is out and paid for the last place left."""
    emit(s, E_OUT, ALL, p, s.secret[p], 0, 0)
    pay(s, p, 1.0 - 2.0 * (count_in(s) - 1) / (s.num_players - 1))
    s.terminated[p] = 1


@helper
def finish_turn(s):
    s.turn += 1
    left = count_in(s)
    if left == 1:
        leave(s, next_in(s, s.seat))
        end_game(s, TERMINATED)
    elif s.turn >= s.max_turns:
        for p in range(s.num_players):
            if is_in(s, p):
                pay(s, p, 1.0 - (left - 1.0) / (s.num_players - 1))
        end_game(s, TRUNCATED)
    else:
        s.seat = next_in(s, s.seat)


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    if action == CROSS:
        broke = s.bridge == 0 and randbelow(s, 6) == 0
        emit(s, E_CROSS, ALL, s.seat, int(broke), 0, 0)
        if broke:
            leave(s, s.seat)
    else:
        other = next_in(s, s.seat)
        right = s.secret[other] == action
        emit(s, E_GUESS, ALL, s.seat, other, action, int(right))
        if right:
            leave(s, other)
        else:
            s.tried[other, action] = 1
    finish_turn(s)


@helper
def redraw(s, p):
    """Any secret that was not guessed in vain."""
    v = randbelow(s, s.secrets)
    while s.tried[p, v] == 1:
        v = randbelow(s, s.secrets)
    s.secret[p] = v


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    seed_stream(s, seed)
    hide_events(s, seat)
    for p in range(s.num_players):
        if p != seat and is_in(s, p):  # whoever left has shown its secret
            redraw(s, p)


@helper
def write_seen(s, seat, out):
    for i in range(out.size):
        out[i] = 0.0
    out[s.secret[seat]] = 1.0
    for i in range(s.num_players):
        p = (seat + i) % s.num_players
        at = _SEATS + 3 * i
        out[at] = 1.0
        out[at + 1] = is_in(s, p)
        out[at + 2] = s.seat == p
        for v in range(SECRETS):
            out[_TRIED + SECRETS * i + v] = s.tried[p, v]
    out[_TURN] = s.turn / s.max_turns


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    write_seen(s, seat, out)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    write_seen(s, 0, out)
    for p in range(s.num_players):
        out[_SECRETS + p] = s.secret[p] / 6.0


def to_text(s: Any, seat: int | None) -> str:
    inside = [p for p in range(s.num_players) if is_in(s, p)]
    text = f"turn {s.turn}, in: {inside}, tried: {s.tried[: s.num_players].tolist()}"
    return text if seat is None else f"{text}, secret {s.secret[seat]}"


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    view = {
        "turn": int(s.turn),
        "over": int(s.over),
        "seat_to_move": int(s.seat),
        "in": [bool(is_in(s, p)) for p in range(s.num_players)],
        "tried": s.tried[: s.num_players].tolist(),
    }
    return view if seat is None else {**view, "secret": int(s.secret[seat])}


def action_text(s: Any, action: int) -> str:
    return "cross" if action == CROSS else f"guess {action}"


def parse_action(s: Any, text: str) -> int:
    known = {action_text(s, a): a for a in range(ACTIONS.size)}
    if text not in known:
        raise ValueError(f"{text!r} is not understood; say one of {', '.join(known)}")
    return known[text]


def event_text(s: Any, row: Any) -> str:
    code, _, seat, a, b, c = (int(n) for n in row)
    return {
        E_SECRET: f"player_{seat} has secret {a}",
        E_GUESS: f"player_{seat} guesses {b} for player_{a}: {'right' if c else 'wrong'}",
        E_CROSS: f"player_{seat} crosses, the bridge {'breaks' if a else 'holds'}",
        E_OUT: f"player_{seat} is out and shows {a}",
    }[code]


def invariant(s: Any) -> None:
    """Secrets are in range and were not guessed in vain."""
    for p in range(s.num_players):
        assert 0 <= s.secret[p] < s.secrets, f"player_{p} has secret {s.secret[p]}"
        assert not s.tried[p, s.secret[p]], f"player_{p}'s secret was guessed, yet it is in"


GAME = Game(
    name="toy_v0",
    title="Toy",
    summary="Guess secrets and cross a bridge.",
    dtype=STATE,
    players=range(2, MAX_PLAYERS + 1),
    default_players=3,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={"seen": Encoder(SEEN, observe)},
    full=Encoder(FULL, observe_full),
    reset=reset,
    legal=legal,
    step=step,
    determinize=determinize,
    to_text=to_text,
    to_json=to_json,
    action_text=action_text,
    parse_action=parse_action,
    event_text=event_text,
    decision_bound=lambda config: config["max_turns"],
)
