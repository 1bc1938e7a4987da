"""Toy games broken in ways that only compiled rules can be."""

from dataclasses import replace

from mages_env.engine import begin_game, compiled, emit, hide_events, randbelow, seed_stream
from mages_env.game import Encoder
from tests.envs.toy import E_SECRET, GAME, SEEN, SIGNATURES, observe, reset

_TURN = SEEN.start("turn")


@compiled(SIGNATURES.reset)
def forgetful_reset(s, seed):
    """Leaves the guesses of the game before."""
    begin_game(s, seed)
    for p in range(s.num_players):
        s.secret[p] = randbelow(s, s.secrets)
        emit(s, E_SECRET, p, p, s.secret[p], 0, 0)
    s.seat = 0


@compiled(SIGNATURES.observe)
def overflowing_observe(s, seat, out):
    """Sums int8 numbers, which NumPy keeps in int8 and Numba does not."""
    observe(s, seat, out)
    total = s.secret[seat]
    for _ in range(5):
        total = total + total
    out[_TURN] = total / 256.0


@compiled(SIGNATURES.determinize)
def reseed(s, seat, seed):
    """Redraws nothing."""
    seed_stream(s, seed)
    hide_events(s, seat)


@compiled(SIGNATURES.reset)
def open_reset(s, seed):
    """Everybody's secret is 0."""
    reset(s, seed)
    for p in range(s.num_players):
        s.secret[p] = 0
    s.num_events = 0


FORGETS = replace(GAME, name="forgets_v0", reset=forgetful_reset, module=__name__)
OPEN = replace(GAME, name="open_v0", reset=open_reset, determinize=reseed, module=__name__)
OVERFLOWS = replace(
    GAME,
    name="overflows_v0",
    encoders={"seen": Encoder(SEEN, overflowing_observe)},
    module=__name__,
)
