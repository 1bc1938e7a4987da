"""The rules of Magic Duel, decision by decision; ids as in RULES.md.

Subjects: ``turn`` (setting up, turns, the end), ``actions``, ``combat`` (shots, charges),
``spells``, ``units`` (what they share) and ``legal`` (what may be done).
"""

from __future__ import annotations

from mages_env.engine import begin_step, compiled, hide_events, randbelow, seed_stream
from mages_env.games.magic_duel.actions import (
    activate,
    choose_spell,
    choose_target,
    go,
    square_meant,
)
from mages_env.games.magic_duel.casting import MOST_DICE
from mages_env.games.magic_duel.combat import (
    choose_goal,
    close_in,
    combat_dice,
    exchange_shots,
    fight,
    react,
    split_charged,
    split_charger,
    test_charge,
)
from mages_env.games.magic_duel.legal import legal
from mages_env.games.magic_duel.spells import (
    cast,
    counter,
    decline_counter,
    offer_counter,
    spend_tokens,
)
from mages_env.games.magic_duel.state import (
    A_ATTACK,
    A_COUNTER,
    A_PASS,
    A_SHOOT_BACK,
    A_SPELL,
    A_TOKENS,
    P_ACTIVATE,
    P_CAST,
    P_CHARGE_SQUARE,
    P_CLOSE,
    P_COUNTER,
    P_DESTINATION,
    P_DONE,
    P_FIGHT,
    P_OFFER,
    P_REACT,
    P_SHOTS,
    P_SPELL,
    P_SPLIT,
    P_SPLIT_CHARGED,
    P_TARGET,
    P_TEST,
    P_TOKENS,
    SIGNATURES,
)
from mages_env.games.magic_duel.turn import finish_action, reset

__all__ = ["determinize", "legal", "reset", "step"]


@compiled(SIGNATURES.step)
def decide(s, action):
    """Carries out what was decided, up to the next thing that happens or is asked."""
    phase = s.phase
    if phase == P_ACTIVATE:
        activate(s, action)
    elif phase == P_DESTINATION:
        go(s, square_meant(s, action))
    elif phase == P_SPELL:
        choose_spell(s, action - A_SPELL)
    elif phase == P_TARGET:
        choose_target(s, action)
    elif phase == P_CHARGE_SQUARE:
        choose_goal(s, square_meant(s, action))
    elif phase == P_TOKENS:
        spend_tokens(s, action - A_TOKENS)
    elif phase == P_COUNTER:
        if action == A_PASS:
            decline_counter(s)
        else:
            counter(s, (action - A_COUNTER) // MOST_DICE, (action - A_COUNTER) % MOST_DICE)
    elif phase == P_REACT:
        react(s, action == A_SHOOT_BACK)
    elif phase == P_SPLIT:
        split_charger(s, action - A_ATTACK)
    else:
        split_charged(s, action - A_ATTACK)


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    decide(s, action)
    # What follows by itself, until there is something to ask.
    if s.phase == P_OFFER:
        offer_counter(s)
    if s.phase == P_CAST:
        cast(s)
    if s.phase == P_TEST:
        test_charge(s)
    if s.phase == P_SHOTS:
        exchange_shots(s)
    if s.phase == P_CLOSE:
        close_in(s)
    if s.phase == P_FIGHT:
        fight(s)
    if s.phase == P_DONE:
        finish_action(s)


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """MGD-26: all that can be hidden is the charger's split, any of which may be the one."""
    seed_stream(s, seed)
    hide_events(s, seat)
    if s.phase == P_SPLIT_CHARGED and seat != s.active:
        s.attack[0] = randbelow(s, combat_dice(s, s.active, s.actor) + 1)
