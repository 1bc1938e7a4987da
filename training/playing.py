"""Games between agents, many at a time in a batch."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mages_env import make_vec
from mages_env.agents.base import Agent
from mages_env.engine.state import TRUNCATED
from mages_env.game import Game
from mages_env.training.asking import ask, secret_of
from mages_env.training.results import canonical
from mages_env.training.store import PlayedGame

_FAST_BATCH, _SEARCH_BATCH = 1024, 16


@dataclass(frozen=True)
class Task:
    """A game to play: who sits where, and what is dealt."""

    seats: tuple[str, ...]
    seed: int
    deal: int

    @property
    def game_seed(self) -> int:
        digest = hashlib.blake2b(f"{self.seed} {self.deal}".encode(), digest_size=8)
        return int.from_bytes(digest.digest(), "little")


def make_agents(
    game: Game, config: Mapping[str, Any], agents: Mapping[str, str | Agent]
) -> dict[str, Agent]:
    """The agents by label, made where only a specification was given.

    Raises:
        ValueError: an unknown agent, or one that was made for another configuration.
    """
    made = {
        label: _make(agent, game) if isinstance(agent, str) else agent
        for label, agent in agents.items()
    }
    for agent in made.values():
        agent.check(config)
    return made


def _make(spec: str, game: Game) -> Agent:
    from mages_env.agents import make_agent

    return make_agent(spec, game)


def default_batch(agents: Mapping[str, Agent]) -> int:
    """Games at a time: search takes decisions one by one, and few games at a time end sooner."""
    searching = any(agent.wants_states and agent.policy is None for agent in agents.values())
    return _SEARCH_BATCH if searching else _FAST_BATCH


def play_games(
    game: Game,
    config: Mapping[str, Any],
    agents: Mapping[str, Agent],
    tasks: Iterable[Task],
    batch: int,
    stop: Callable[[], bool] | None = None,
) -> Iterator[PlayedGame]:
    """Play games ``batch`` at a time and yield each as it ends.

    Args:
        game, config: the game and its whole configuration.
        agents: by label, all that ``tasks`` name.
        tasks: the games.
        batch: games in progress at a time.
        stop: asked after every move of the batch; True ends the play, games in progress are lost.
    """
    waiting = list(reversed(list(tasks)))
    n = min(batch, len(waiting))
    if n == 0:
        return
    labels = list(agents)
    env = make_vec(game, n, autoreset="disabled", **config)
    players = config["num_players"]
    current: list[Task | None] = [None] * n
    seated = np.zeros((n, players), np.int64)
    game_seeds, secrets = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    decisions = np.zeros((n, players), np.int64)
    seconds = np.zeros((n, players))
    actions = np.zeros(n, np.int64)
    taken: list[list[int]] = [[] for _ in range(n)]

    def begin(rows: Iterable[int]) -> None:
        fresh = np.zeros(n, np.bool_)
        for row in rows:
            if waiting:
                task = waiting.pop()
                current[row] = task
                seated[row] = [labels.index(label) for label in task.seats]
                game_seeds[row] = task.game_seed
                secrets[row] = secret_of(task.game_seed)
                taken[row] = []
                fresh[row] = True
        if fresh.any():
            decisions[fresh] = 0
            seconds[fresh] = 0.0
            env.reset(rows=fresh, game_seeds=game_seeds)

    begin(range(n))
    while (env.seat >= 0).any():
        running = np.flatnonzero(env.seat >= 0)
        movers = seated[running, env.seat[running]]
        for index, label in enumerate(labels):
            rows = running[movers == index]
            if len(rows) == 0:
                continue
            began = time.perf_counter()
            actions[rows] = ask(
                agents[label],
                env.states[rows],
                env.action_mask[rows],
                secrets[rows],
                env.length[rows],
            )
            seconds[rows, env.seat[rows]] += (time.perf_counter() - began) / len(rows)
            decisions[rows, env.seat[rows]] += 1
        for row in running:
            taken[row].append(int(actions[row]))
        env.step(actions)
        ended = running[env.seat[running] < 0]
        for row in ended:
            task, state = current[row], env.states[row]
            assert task is not None
            scores = None if game.scores is None else _floats(game.scores(state))
            yield PlayedGame(
                lineup=canonical(task.seats),
                seats=task.seats,
                seed=task.seed,
                deal=task.deal,
                game_seed=task.game_seed,
                returns=_floats(state.returns[:players]),
                scores=scores,
                decisions=tuple(decisions[row].tolist()),
                seconds=_floats(seconds[row]),
                truncated=bool(state.over == TRUNCATED),
                actions=tuple(taken[row]),
            )
        begin(ended)
        if stop is not None and stop():
            return


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
