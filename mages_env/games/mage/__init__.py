"""Mage, a duel game with one pack of cards: see RULES.md."""

from __future__ import annotations

from mages_env.game import Encoder, Game
from mages_env.games.mage import cards, encoders, evaluation, legal, rules, text
from mages_env.games.mage.state import ACTIONS, MAX_PLAYERS, OPTIONS, STATE

DECISIONS_A_TURN = 200
"""More than a turn can have: 8 cards, at most 65 returned for as many points of the vault and
played again, 12 attacks, 12 duels, the ends of phases."""

GAME = Game(
    name="mage_v0",
    title="Mage",
    summary="A duel game for 2 to 6: royals fight, number cards are magic, the last one in wins.",
    dtype=STATE,
    players=range(2, MAX_PLAYERS + 1),
    default_players=2,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={
        "standard": Encoder(encoders.STANDARD, encoders.observe, "for learning"),
        "compact": Encoder(
            encoders.COMPACT,
            encoders.observe_compact,
            "without what is known of cards elsewhere, for small nets",
        ),
    },
    full=Encoder(encoders.FULL, encoders.observe_full, "everything, for critics"),
    reset=rules.reset,
    legal=legal.legal,
    step=rules.step,
    determinize=cards.determinize,
    evaluate=evaluation.evaluate,
    widening=4.0,
    to_text=text.to_text,
    to_json=text.to_json,
    action_text=text.action_text,
    parse_action=text.parse_action,
    event_text=text.event_text,
    decision_bound=lambda config: DECISIONS_A_TURN * config["max_turns"],
)
