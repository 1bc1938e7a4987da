"""The compiled rules beside an independent model, action by action over random games."""

from collections import Counter

import numpy as np
import pytest

from mages_env.agents.rule_based import rule_based_policy
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


def at_random(rng, likely=None):
    """Chooses at random; ``likely``: how much likelier than others actions of a block are."""
    weights = np.ones(GAME.num_actions)
    for block, weight in (likely or {}).items():
        if block == "height":
            rows = np.repeat(np.arange(data.ROWS), data.COLUMNS)
            weights[GAME.actions.slice("cell")] = np.exp(-weight * rows)
        else:
            weights[GAME.actions.slice(block)] = weight

    def choose(s, legal):
        return int(rng.choice(legal, p=weights[legal] / weights[legal].sum()))

    return choose


def by_rules_of_thumb(rng, at_random):
    """Chooses like the rule-based player, which sees Libraries and the end of time; or at random.

    Args:
        at_random: share of the decisions.
    """
    policy = rule_based_policy(GAME)
    stream = np.zeros(1, np.uint64)

    def choose(s, legal):
        if rng.random() < at_random:
            return int(rng.choice(legal))
        mask = np.zeros(GAME.num_actions, np.int8)
        mask[legal] = 1
        return int(policy(s, mask, stream))

    return choose


def play_beside_the_model(seed, choose, sheet=None, **asked):
    """One game; returns how often things happened."""
    s = GAME.new_state(**asked)[0]
    GAME.reset(s, np.uint64(seed))
    config = GAME.config(s)
    chance = Chance()
    chance.tell(falls(log(s)))
    model = Table(config["num_players"], config["reward"], chance, sheet)
    compare(s, model)
    seen = Counter()
    while s.over == RUNNING:
        action = choose(s, np.array(legal_ids(s)))
        chosen = meaning(s, action)
        GAME.step(s, action)
        chance.tell(falls(log(s)))
        model.act(chosen)
        assert not chance.coming
        compare(s, model)
        seen.update(event[1] for event in log(s))
        seen.update(f"{event[1]} {event[2]}" for event in log(s) if event[1] in ("end", "points"))
    assert seen["eye"] == seen["fill"] == len(model.sheet.eyes) * len(model.pages)
    return seen


MANNERS = {
    "any": {},
    "rooms": {"stairwell": 0.05, "library": 20.0},
    "stairwells": {"stairwell": 4.0, "reroll": 0.1},
    "hoarding": {"stairwell": 0.1, "library": 50.0, "reroll": 0.02, "predictor": 0.05},
    "low": {"height": 1.0, "library": 100.0, "stairwell": 0.1, "explode": [0.01] * 6 + [1, 1]},
    "spending": {"stairwell": 0.1, "reroll": 5.0, "predictor": 20.0},
}


@pytest.mark.rule("TOM-12")
@pytest.mark.parametrize("manner", MANNERS)
def test_alone_at_random(manner):
    seen = Counter()
    for seed in range(5):
        rng = np.random.default_rng(seed)
        seen += play_beside_the_model(seed, at_random(rng, MANNERS[manner]))
    assert {"build", "use", "cross", "copy", "points"} <= seen.keys()


@pytest.mark.rule("TOM-21")
@pytest.mark.parametrize("manner", MANNERS)
def test_for_two_at_random(manner):
    for seed, reward in ((1, "rank"), (2, "score")):
        rng = np.random.default_rng(seed)
        choose = at_random(rng, MANNERS[manner])
        seen = play_beside_the_model(seed, choose, num_players=2, reward=reward)
        assert seen["split"] == seen["group"] > 0 and seen["score"] == 2


@pytest.mark.rule("TOM-12", "TOM-19")
def test_alone_by_rules_of_thumb():
    seen = Counter()
    for seed in range(10):
        rng = np.random.default_rng(seed)
        seen += play_beside_the_model(seed, by_rules_of_thumb(rng, 0.1 * (seed % 2)))
    assert {"end top", "end time", "points Library", "points Tower Cap", "dice"} <= seen.keys()


@pytest.mark.rule("TOM-12", "TOM-19", "TOM-21")
def test_for_two_by_rules_of_thumb():
    seen = Counter()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        seen += play_beside_the_model(seed, by_rules_of_thumb(rng, 0.1 * (seed % 2)), num_players=2)
    assert {"points Library", "dice", "common"} <= seen.keys()
