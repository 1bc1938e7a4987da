"""Nim for two or three, a game without secrets: take one to three, whoever takes the last wins."""

from mages_env.engine import (
    TERMINATED,
    begin_game,
    begin_step,
    compiled,
    end_game,
    pay,
    randbelow,
    seed_stream,
    signatures,
    state_dtype,
)
from mages_env.game import Encoder, Game, Option
from mages_env.layout import Block, Layout

MOST = 3
OPTIONS = (Option("heap", range(1, 41), 10, "matches at the start"),)
SEEN = Layout(Block("matches", (), "matches left / 40"), Block("to_move", (), "own move"))
STATE = state_dtype(["heap"], [("matches", "i4")], max_players=3, max_events=1)
SIGNATURES = signatures(STATE)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    s.matches = s.heap
    s.seat = randbelow(s, s.num_players)


@compiled(SIGNATURES.legal)
def legal(s, mask):
    for a in range(mask.size):
        mask[a] = a < s.matches


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    s.matches -= action + 1
    s.turn += 1
    if s.matches == 0:
        for p in range(s.num_players):
            pay(s, p, 1.0 if p == s.seat else -1.0 / (s.num_players - 1))
        end_game(s, TERMINATED)
    else:
        s.seat = (s.seat + 1) % s.num_players


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    out[0] = s.matches / 40
    out[1] = s.seat == seat


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    out[0] = s.matches / 40
    out[1] = 1.0


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    seed_stream(s, seed)


def to_text(s, seat):
    return f"{s.matches} matches"


GAME = Game(
    name="nim_v0",
    title="Nim",
    summary="Take one to three matches; whoever takes the last wins.",
    dtype=STATE,
    players=range(2, 4),
    default_players=2,
    options=OPTIONS,
    actions=Layout(Block("take", (MOST,), "matches to take, less one")),
    encoders={"standard": Encoder(SEEN, observe)},
    full=Encoder(SEEN, observe_full),
    reset=reset,
    legal=legal,
    step=step,
    determinize=determinize,
    to_text=to_text,
    to_json=lambda s, seat: {"matches": int(s.matches)},
    action_text=lambda s, action: f"take {action + 1}",
    parse_action=lambda s, text: int(text.split()[-1]) - 1,
    event_text=lambda s, event: "",
    decision_bound=lambda config: config["heap"],
    perfect_information=True,
)


def position(matches, num_players=2, seat=0):
    state = GAME.new_state(num_players)
    GAME.reset(state[0], 0)
    state[0].matches = matches
    state[0].seat = seat
    return state
