"""Ratings tell the stronger from the weaker and do not depend on the order of games."""

import random

from mages_env.training.ratings import ratings
from mages_env.training.store import PlayedGame


def game(number, seats, returns):
    count = len(seats)
    return PlayedGame(
        seats, seats, 0, number, number, returns, None, (1,) * count, (0.0,) * count, False
    )


def season():
    rng = random.Random(1)
    skill = {"good": 2.0, "fair": 1.0, "poor": 0.0}
    games = []
    for number in range(300):
        seats = tuple(rng.sample(list(skill), 3))
        luck = {agent: value + rng.gauss(0, 1) for agent, value in skill.items()}
        order = sorted(skill, key=luck.get)
        games.append(game(number, seats, tuple(float(order.index(a) - 1) for a in seats)))
    return games


def test_the_stronger_is_rated_higher():
    rated = ratings(season())
    assert [r.agent for r in rated] == ["good", "fair", "poor"]
    assert rated[0].mu - rated[1].mu > rated[0].sigma
    assert all(r.games == 300 for r in rated)


def test_order_of_games_does_not_matter():
    games = season()
    assert ratings(games) == ratings(reversed(games))


def test_copies_at_one_table_count_once():
    games = [game(n, ("a", "b", "b"), (1.0, -0.5, -0.5)) for n in range(20)]
    rated = {r.agent: r for r in ratings(games)}
    assert rated["a"].mu > 25 > rated["b"].mu
    assert rated["b"].games == 20


def test_an_agent_alone_says_nothing():
    assert ratings([game(0, ("a", "a"), (1.0, -1.0))]) == []
