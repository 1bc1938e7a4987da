"""What came of a match: seatings, and standings with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mages_env.training.intervals import mean_interval, rate_interval
from mages_env.training.store import PlayedGame


@dataclass(frozen=True)
class Standing:
    """How an agent did in a match; the intervals are of 95 % and treat a deal as one sample.

    Attributes:
        agent: its label.
        copies: seats it held in each game.
        win_rate: first places a seat; a tie of k counts 1/k to each.
        win_interval: of ``win_rate``.
        mean_return: a seat and game.
        return_interval: of ``mean_return``; None for a single deal.
        mean_score: the game's own score a seat; None where the game has none.
        score_interval: of ``mean_score``; None for a single deal, too.
        decisions: a seat and game, in the mean.
        seconds_per_decision: thinking time.
    """

    agent: str
    copies: int
    win_rate: float
    win_interval: tuple[float, float]
    mean_return: float
    return_interval: tuple[float, float] | None
    mean_score: float | None
    score_interval: tuple[float, float] | None
    decisions: float
    seconds_per_decision: float


@dataclass(frozen=True)
class MatchResult:
    """A line-up's results over all its complete deals in the store.

    Attributes:
        game: name.
        options: the whole configuration.
        lineup: labels, in the order given.
        deals: complete ones, each played from every seating.
        games: in those deals.
        truncated: games of these that the limit of turns ended.
        standings: one for each agent, in the order of the line-up; empty without a complete deal.
    """

    game: str
    options: dict[str, Any]
    lineup: tuple[str, ...]
    deals: int
    games: int
    truncated: int
    standings: tuple[Standing, ...]

    @property
    def fair_share(self) -> float:
        """Win rate a seat among equals."""
        return 1.0 / len(self.lineup)

    def __getitem__(self, agent: str) -> Standing:
        for standing in self.standings:
            if standing.agent == agent:
                return standing
        raise KeyError(agent)


def seatings(lineup: Sequence[str]) -> list[tuple[str, ...]]:
    """Every rotation of a line-up and of its mirror image, each once, so that every agent sits in
    every seat alike and before each other agent as often as after it."""
    found: dict[tuple[str, ...], None] = {}
    for order in (tuple(lineup), tuple(reversed(lineup))):
        for r in range(len(order)):
            found[order[r:] + order[:r]] = None
    return list(found)


def canonical(lineup: Sequence[str]) -> tuple[str, ...]:
    """The same for all line-ups that have the same seatings."""
    return min(seatings(lineup))


def summarise(
    game: str, config: Mapping[str, Any], lineup: Sequence[str], games: Iterable[PlayedGame]
) -> MatchResult:
    """Results of a line-up from its games; deals that were not played from every seating wait."""
    needed = len(seatings(lineup))
    by_deal: dict[int, list[PlayedGame]] = {}
    for played in games:
        by_deal.setdefault(played.game_seed, []).append(played)
    complete = [by_deal[key] for key in sorted(by_deal) if len(by_deal[key]) == needed]
    everything = [played for deal in complete for played in deal]
    agents = dict.fromkeys(lineup) if complete else {}
    return MatchResult(
        game=game,
        options=dict(config),
        lineup=tuple(lineup),
        deals=len(complete),
        games=len(everything),
        truncated=sum(played.truncated for played in everything),
        standings=tuple(_standing(agent, lineup.count(agent), complete) for agent in agents),
    )


def _standing(agent: str, copies: int, deals: list[list[PlayedGame]]) -> Standing:
    def per_deal(value: Callable[[PlayedGame, int], float]) -> np.ndarray:
        return np.array(
            [
                np.mean(
                    [
                        value(played, seat)
                        for played in deal
                        for seat, who in enumerate(played.seats)
                        if who == agent
                    ]
                )
                for deal in deals
            ]
        )

    wins = per_deal(_first_place)
    returns = per_deal(lambda played, seat: played.returns[seat])
    decisions = per_deal(lambda played, seat: played.decisions[seat])
    seconds = per_deal(lambda played, seat: played.seconds[seat])
    mean_score = score_interval = None
    if deals[0][0].scores is not None:
        scores = per_deal(lambda played, seat: played.scores[seat])  # type: ignore[index]
        mean_score, score_interval = float(scores.mean()), mean_interval(scores)
    return Standing(
        agent=agent,
        copies=copies,
        win_rate=float(wins.mean()),
        win_interval=rate_interval(wins, len(deals[0]) * copies),
        mean_return=float(returns.mean()),
        return_interval=mean_interval(returns),
        mean_score=mean_score,
        score_interval=score_interval,
        decisions=float(decisions.mean()),
        seconds_per_decision=float(seconds.sum() / max(1e-9, decisions.sum())),
    )


def _first_place(played: PlayedGame, seat: int) -> float:
    best = max(played.returns)
    return (played.returns[seat] == best) / played.returns.count(best)
