"""Ratings over games of any number of seats, by OpenSkill's Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mages_env.training.store import PlayedGame


@dataclass(frozen=True)
class Rating:
    """Skill of an agent: ``mu`` with standard deviation ``sigma``; 25 and 8.3 before any game."""

    agent: str
    mu: float
    sigma: float
    games: int


def ratings(games: Iterable[PlayedGame]) -> list[Rating]:
    """Ratings, best first; they depend on which games there are, not on their order.

    An agent that holds several seats of a game moves by the mean over its seats. Games of one
    agent against itself say nothing and are left out.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skill: dict[str, tuple[float, float]] = {}
    count: dict[str, int] = {}
    for played in sorted(games, key=lambda g: (g.game_seed, g.seats)):
        agents = sorted(set(played.seats))
        if len(agents) < 2:
            continue
        teams = [[model.rating(*skill.get(agent, ()))] for agent in played.seats]
        places = [float(sum(o > mine for o in played.returns)) for mine in played.returns]
        rated = model.rate(teams, ranks=places)
        for agent in agents:
            mine = [team[0] for team, who in zip(rated, played.seats, strict=True) if who == agent]
            skill[agent] = (
                sum(r.mu for r in mine) / len(mine),
                sum(r.sigma for r in mine) / len(mine),
            )
            count[agent] = count.get(agent, 0) + 1
    found = [Rating(agent, mu, sigma, count[agent]) for agent, (mu, sigma) in skill.items()]
    return sorted(found, key=lambda rating: (-rating.mu, rating.agent))
