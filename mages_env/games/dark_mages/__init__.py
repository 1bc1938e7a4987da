"""Dark Mages, a card and dice duel: see RULES.md."""

from __future__ import annotations

from mages_env.game import Encoder, Game

from . import encoders, evaluation, explain, rules, text, turn
from .own_deck import with_deck
from .state import ACTIONS, MAX_PLAYERS, OPTIONS, STATE

DECISIONS_A_TURN = 200
"""More than a turn can take: six cards, two attacks, and everybody's answers to eight enemies."""

GAME = Game(
    name="dark_mages_v0",
    title="Dark Mages",
    summary="A card and dice duel for 2 to 8 magicians, everyone for themselves or in teams.",
    dtype=STATE,
    players=range(2, MAX_PLAYERS + 1),
    default_players=2,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={
        "standard": Encoder(encoders.STANDARD, encoders.observe, "for any number of players"),
        "duel": Encoder(
            encoders.DUEL, encoders.observe_duel, "two seats instead of eight", range(2, 3)
        ),
    },
    full=Encoder(encoders.FULL, encoders.observe_full, "everything, for critics"),
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    determinize=rules.determinize,
    evaluate=evaluation.evaluate,
    to_text=text.to_text,
    to_json=text.to_json,
    action_text=text.action_text,
    parse_action=text.parse_action,
    event_text=text.event_text,
    explain=explain.explain,
    continues=turn.continues,
    substitutes={"deck": with_deck},
    decision_bound=lambda config: DECISIONS_A_TURN * config["max_turns"],
)
