"""The 95 % intervals hold what they promise, where the games of a deal belong together."""

import numpy as np
import pytest

from mages_env.training.intervals import mean_interval, rate_interval, t_quantile


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262)])
def test_t_quantile(freedom, value):
    assert t_quantile(freedom) == pytest.approx(value, rel=0.01)


def deals_of(rng, deals, games, skill, luck):
    """Shares of deals: the luck of a deal moves all its games alike."""
    rates = np.clip(skill + rng.choice([-luck, luck], size=(deals, 1)), 0.0, 1.0)
    return (rng.random((deals, games)) < rates).mean(axis=1)


@pytest.mark.parametrize(
    ("deals", "games", "skill", "luck"),
    [
        (30, 3, 0.33, 0.0),
        (30, 3, 0.33, 0.3),
        (200, 3, 0.33, 0.3),
        (50, 6, 0.5, 0.4),
        (40, 3, 0.95, 0.0),
        (40, 3, 0.95, 0.05),
    ],
)
def test_intervals_cover_the_truth(deals, games, skill, luck):
    rng = np.random.default_rng(5)
    inside_rate = inside_mean = 0
    repeats = 1000
    for _ in range(repeats):
        shares = deals_of(rng, deals, games, skill, luck)
        low, high = rate_interval(shares, games)
        inside_rate += low <= skill <= high
        low, high = mean_interval(shares)
        inside_mean += low <= skill <= high
    assert 0.93 <= inside_rate / repeats <= 0.985
    assert 0.85 <= inside_mean / repeats <= 0.985  # of a mean of few values near 1


def test_games_of_a_deal_do_not_count_as_independent():
    """Whole deals won or lost: 30 deals of 6 games say as much as 30 games."""
    shares = np.array([0.0, 1.0] * 15)
    low, high = rate_interval(shares, 6)
    alone_low, alone_high = rate_interval(shares, 1)
    assert high - low == pytest.approx(alone_high - alone_low, rel=0.05)


def test_duplicate_play_narrows_the_interval():
    """Every deal split evenly: much surer of 1/2 than as many games by chance."""
    even = rate_interval(np.full(50, 0.5), 2)
    by_chance = rate_interval(np.array([0.0, 1.0] * 50), 1)
    assert even[1] - even[0] < 0.5 * (by_chance[1] - by_chance[0])
    assert even[0] < 0.5 < even[1]


@pytest.mark.parametrize("deals", [1, 2, 10, 100])
def test_all_won_leaves_room_below_only(deals):
    low, high = rate_interval(np.ones(deals), 3)
    assert high == 1.0
    assert 0.0 < low < 1.0
    assert rate_interval(np.zeros(deals), 3) == pytest.approx((0.0, 1.0 - low))


def test_nothing_played_says_nothing():
    assert rate_interval(np.zeros(0), 3) == (0.0, 1.0)
    assert mean_interval(np.zeros(1)) is None
