"""Tower of Mages, a roll-and-write game by Robin Gibson (Metal Snail): see RULES.md."""

from __future__ import annotations

from mages_env.game import Encoder, Game
from mages_env.games.tower_of_mages import encoders, evaluation, rules, text, words
from mages_env.games.tower_of_mages.data import DICE, HOURGLASSES, MAX_PIECES, NUM_EYES
from mages_env.games.tower_of_mages.state import ACTIONS, MAX_PLAYERS, OPTIONS, STATE

# A turn asks for a Predictor once in vain, and for each die what to use it for and where. A
# Predictor or Distorter crossed out is a piece; a throw for the market may be kept.
_DECISIONS_A_PAGE = HOURGLASSES * (1 + 2 * DICE) + MAX_PIECES + NUM_EYES + 1

GAME = Game(
    name="tower_of_mages_v0",
    title="Tower of Mages",
    summary="A roll-and-write game for 1 or 2: build a tower of element rooms, make them valuable.",
    dtype=STATE,
    players=range(1, MAX_PLAYERS + 1),
    default_players=1,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={
        "standard": Encoder(encoders.STANDARD, encoders.observe, "the own plan as planes, tables"),
        "compact": Encoder(encoders.COMPACT, encoders.observe_compact, "no planes, for small nets"),
    },
    full=Encoder(encoders.FULL, encoders.observe_full, "everything, for critics"),
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    determinize=rules.determinize,
    evaluate=evaluation.evaluate,
    to_text=text.to_text,
    to_json=text.to_json,
    action_text=words.action_text,
    parse_action=words.parse_action,
    event_text=words.event_text,
    # With two players each round is split and chosen from besides.
    decision_bound=lambda config: (
        config["num_players"] * _DECISIONS_A_PAGE + (config["num_players"] - 1) * 2 * HOURGLASSES
    ),
    scores=text.scores,
    score_meaning="points of the page by the market as it stands, the most win",
    score_sum={"rank": 0.0, "score": None},
    perfect_information=True,
)
