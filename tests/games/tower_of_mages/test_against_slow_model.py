"""The compiled rules beside an independent model, action by action over random games."""

from collections import Counter

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.games.tower_of_mages import GAME, data

from .scene import check_page, legal_ids, log, numbers
from .slow_tower import ICONS, Chance, Table

FALLS = {  # dice and the lot by event
    "lot": lambda: [[]],
    "setup": lambda dice, mark: [dice, [mark + 1]],
    "dice": lambda dice: [dice],
    "common": lambda dice: [dice],
    "eye": lambda eye, dice: [dice],
    "reroll": lambda die, fallen: [[fallen]],
}


def falls(events):
    return [
        (seat, dice) for seat, what, *rest in events if what in FALLS for dice in FALLS[what](*rest)
    ]


def meaning(s, action):
    """The model's action for an action id."""
    block, place = GAME.actions.locate(action)
    if block in ("room", "library", "stairwell"):
        return "use", place[0] + 1, "room" if block == "room" else block.title()
    if block == "cell":
        return "cell", place[::-1]
    if block == "explode":
        return "explode", ICONS[place[0]]
    if block == "split":
        text = GAME.action_text(s, action).removeprefix("split ")
        one, two = (tuple(numbers(group)) for group in text.split("/"))
        return "split", *sorted([one, two])
    if block in ("reroll", "group"):
        return block, place[0] + 1
    return (block,)


def compare(s, model):
    asked = model.asked
    options = [meaning(s, action) for action in legal_ids(s)]
    assert len(set(options)) == len(options)
    assert frozenset(options) == (asked.options if asked else frozenset())
    assert s.seat == (asked.seat if asked else NOBODY)
    assert log(s) == model.log
    assert s.over == (RUNNING if asked else TERMINATED)
    assert s.turn == model.turns
    for p, page in enumerate(model.pages):
        check_page(s, p, page)
        assert GAME.scores(s)[p] == page.points()
        assert s.rewards[p] == pytest.approx(float(model.rewards[p]), abs=1e-6)
        assert s.returns[p] == s.rewards[p]
        assert s.terminated[p] == (asked is None) and not s.truncated[p]


def play_beside_the_model(seed, sheet=None, likely=None, **asked):
    """One game.

    Args:
        likely: how much likelier than others actions of a block are.

    Returns:
        The last state, the model, and how often things happened.
    """
    rng = np.random.default_rng(seed)
    s = GAME.new_state(**asked)[0]
    GAME.reset(s, np.uint64(seed))
    weights = np.ones(GAME.num_actions)
    for block, weight in (likely or {}).items():
        if block == "height":
            rows = np.repeat(np.arange(data.ROWS), data.COLUMNS)
            weights[GAME.actions.slice("cell")] = np.exp(-weight * rows)
        else:
            weights[GAME.actions.slice(block)] = weight
    chance = Chance()
    chance.tell(falls(log(s)))
    config = GAME.config(s)
    model = Table(config["num_players"], config["reward"], chance, sheet)
    seen = Counter()
    compare(s, model)
    while s.over == RUNNING:
        legal = np.array(legal_ids(s))
        action = int(rng.choice(legal, p=weights[legal] / weights[legal].sum()))
        chosen = meaning(s, action)
        GAME.step(s, action)
        chance.tell(falls(log(s)))
        model.act(chosen)
        assert not chance.coming
        compare(s, model)
        seen.update(event[1] for event in log(s))
        seen.update(f"end {event[2]}" for event in log(s) if event[1] == "end")
    return s, model, seen


MANNERS = {  # how much likelier than others actions of a block are
    "any": {},
    "rooms": {"stairwell": 0.05, "library": 20.0},
    "stairwells": {"stairwell": 4.0, "reroll": 0.1},
    "hoarding": {"stairwell": 0.1, "library": 50.0, "reroll": 0.02, "predictor": 0.05},
    "low": {"height": 1.0, "library": 100.0, "stairwell": 0.1, "explode": [0.01] * 6 + [1, 1]},
    "spending": {"stairwell": 0.1, "reroll": 5.0, "predictor": 20.0},
}


@pytest.mark.parametrize("manner", MANNERS)
def test_alone(manner):
    seen = Counter()
    for seed in range(6):
        _, _, happened = play_beside_the_model(seed, likely=MANNERS[manner])
        assert happened["eye"] == happened["fill"] == 7
        seen += happened
    assert {"build", "use", "cross", "copy", "points"} <= seen.keys()


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("reward", ["rank", "score"])
def test_for_two(manner, reward):
    for seed in (1, 2):
        _, _, happened = play_beside_the_model(
            seed, likely=MANNERS[manner], num_players=2, reward=reward
        )
        assert happened["eye"] == happened["fill"] == 14
        assert happened["split"] == happened["group"] > 0
