"""Kampf der Magier, a shedding game by Reiner Knizia (Piatnik 2008): see RULES.md."""

from __future__ import annotations

from mages_env.game import Encoder, Game
from mages_env.games.kampf_der_magier import encoders, evaluation, rules, text
from mages_env.games.kampf_der_magier.state import (
    ACTIONS,
    CARDS,
    MAX_PLAYERS,
    OPTIONS,
    STATE,
)

GAME = Game(
    name="kampf_der_magier_v0",
    title="Kampf der Magier",
    summary="A card game for 2 to 6: beat the power on the table or take the cards.",
    dtype=STATE,
    players=range(2, MAX_PLAYERS + 1),
    default_players=3,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={
        "standard": Encoder(encoders.STANDARD, encoders.observe, "for learning"),
        "compact": Encoder(
            encoders.COMPACT, encoders.observe_compact, "counts only, for small nets"
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
    # A turn is a play, and perhaps a take before it.
    decision_bound=lambda config: 2 * (config["max_turns"] or CARDS * config["rounds"]),
    scores=lambda s: s.collected[: s.num_players],
    score_meaning="cards collected, the fewest win",
    score_sum={"rank": 0.0, "score": None},
)
