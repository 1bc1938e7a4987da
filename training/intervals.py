"""95 % intervals for results of duplicate play, where the games of one deal belong together."""

from __future__ import annotations

import math

import numpy as np

Z = 1.959964
_T_FEW = {1: 12.7062, 2: 4.3027}


def t_quantile(freedom: int) -> float:
    """97.5 % quantile of Student's t, to 1 %; from 3 degrees on by the Cornish-Fisher expansion."""
    if freedom in _T_FEW:
        return _T_FEW[freedom]
    v, z = freedom, Z
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def mean_interval(deal_means: np.ndarray) -> tuple[float, float] | None:
    """Interval of a mean over deals; None for fewer than two deals.

    Args:
        deal_means: (D,) the mean of each deal's games.
    """
    deals = len(deal_means)
    if deals < 2:
        return None
    mean = float(np.mean(deal_means))
    half = t_quantile(deals - 1) * float(np.std(deal_means, ddof=1)) / math.sqrt(deals)
    return mean - half, mean + half


def rate_interval(deal_means: np.ndarray, games_per_deal: int) -> tuple[float, float]:
    """Interval of a rate between 0 and 1 over deals.

    Wilson's interval for as many independent games as would vary as much as the deals do (Korn
    and Graubard, "Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data", Survey Methodology 24, 1998). One more deal, whose games
    are independent, is taken into the variance, so that it is never 0 by accident of few deals.

    Args:
        deal_means: (D,) the mean of each deal's games, each between 0 and 1.
        games_per_deal: games behind each of them.
    """
    deals = len(deal_means)
    if deals == 0:
        return 0.0, 1.0
    rate = float(np.clip(np.mean(deal_means), 0.0, 1.0))
    spread = rate * (1.0 - rate)
    if spread < 1e-12:
        games = float(deals * games_per_deal)
    else:
        squares = float(np.sum((deal_means - rate) ** 2)) + spread / games_per_deal
        games = spread / (squares / deals / deals)
        if deals > 1:
            games *= (Z / t_quantile(deals - 1)) ** 2
    centre = (rate + Z**2 / (2 * games)) / (1 + Z**2 / games)
    half = Z / (1 + Z**2 / games) * math.sqrt(spread / games + Z**2 / (4 * games**2))
    return (
        0.0 if rate == 0.0 else max(0.0, centre - half),
        1.0 if rate == 1.0 else min(1.0, centre + half),
    )
