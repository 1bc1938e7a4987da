"""Magic Duel, a skirmish of mages by the magic rules of Raiders of Arcana: see RULES.md."""

from __future__ import annotations

from mages_env.game import Encoder, Game
from mages_env.games.magic_duel import encoders, evaluation, explain, rules, text, words
from mages_env.games.magic_duel.casting import (
    POWER_CHANCES,
    Casting,
    power_chances,
    resolve,
    roll,
)
from mages_env.games.magic_duel.data import ACTION_TOKENS, OBSTACLES, TURNS
from mages_env.games.magic_duel.state import ACTIONS, OPTIONS, STATE

__all__ = ["GAME", "POWER_CHANCES", "Casting", "power_chances", "resolve", "roll"]


def _decision_bound(config) -> int:
    """Every token buys one action, and a side passes at most once a turn."""
    charge = 6  # unit and action, target, square, reaction, two splits
    casting = 4 + config["num_players"] - 1  # unit and action, spell, target, tokens, counters
    return TURNS * config["num_players"] * (ACTION_TOKENS * max(charge, casting) + 1)


GAME = Game(
    name="magic_duel_v0",
    title="Magic Duel",
    summary="A skirmish for 2 to 4: wizards cast, counter and lead three units for the Nexus.",
    dtype=STATE,
    players=range(min(OBSTACLES), max(OBSTACLES) + 1),
    default_players=2,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={
        "standard": Encoder(encoders.STANDARD, encoders.observe, "for learning"),
        "compact": Encoder(encoders.COMPACT, encoders.observe_compact, "without the board"),
    },
    full=Encoder(encoders.FULL, encoders.observe_full, "everything, for critics"),
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    determinize=rules.determinize,
    evaluate=evaluation.evaluate,
    widening=30.0,
    to_text=text.to_text,
    to_json=text.to_json,
    action_text=words.action_text,
    parse_action=words.parse_action,
    event_text=words.event_text,
    explain=explain.explain,
    decision_bound=_decision_bound,
    scores=lambda s: s.victory_points[: s.num_players],
    score_meaning="victory points; the most win, unless a side has no unit left",
    score_sum={"rank": 0.0, "score": None},
)
