"""Matches between agents: duplicate deals, every seat for everybody, results kept in a file.

One agent's games are told from another's by its *label*: the specification it was made from
("ismcts:iterations=200") and, where that names a file, a digest of what is in it.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from mages_env import get_game
from mages_env.agents.base import Agent
from mages_env.game import Game
from mages_env.record import Record, Recorder
from mages_env.training.playing import Task, default_batch, make_agents, play_games
from mages_env.training.results import MatchResult, canonical, seatings, summarise
from mages_env.training.store import PlayedGame, Store, StoreLockedError
from mages_env.training.workers import play_in_processes

VERSUS = {
    "pairs": "each agent against copies of each other one, both ways",
    "field": "the first agent against copies of each other one, both ways",
    "ffa": "free for all: every choice of as many agents as there are seats",
}
SAVE_SECONDS = 0.5

Progress = Callable[[int, int], None]
"""Called with the games finished and the games to play, from time to time."""


def lineups(agents: Sequence[str], vs: str, num_players: int) -> list[tuple[str, ...]]:
    """The line-ups of a tournament, each with the agent first that it is about.

    Raises:
        ValueError: another mode than in ``VERSUS``, too few agents, or one named twice.
    """
    if vs not in VERSUS:
        raise ValueError(f"vs={vs!r} must be one of {', '.join(VERSUS)}")
    agents = tuple(agents)
    if num_players == 1:  # each by itself
        return [(agent,) for agent in dict.fromkeys(agents)]
    if vs == "ffa":
        if len(agents) < num_players:
            raise ValueError(
                f"a free-for-all of {num_players} players needs {num_players} agents or more, "
                f"not {len(agents)}; one may be named several times"
            )
        return list(dict.fromkeys(itertools.combinations(agents, num_players)))
    if len(agents) < 2:
        raise ValueError(f"{vs} needs two agents or more, not {len(agents)}")
    twice = [agent for agent in agents if agents.count(agent) > 1]
    if twice:
        raise ValueError(f"{twice[0]} is named twice; only a free-for-all can use that")
    pairs = itertools.permutations(agents, 2)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for one, other in pairs:
        if vs == "pairs" or agents[0] in (one, other):
            lineup = (one, *[other] * (num_players - 1))
            found.setdefault(canonical(lineup), lineup)
    return list(found.values())


def label_of(agent: str | Agent) -> str:
    """What the agent's games go by; two files' contents make two labels."""
    if not isinstance(agent, str):
        return agent.name
    _, _, arguments = agent.partition(":")
    for argument in filter(None, arguments.split(",")):
        path = Path(argument.partition("=")[2] or argument)
        if path.is_file():
            return f"{agent}@{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"
    return agent


def run_match(
    game: str | Game,
    lineup: Sequence[str | Agent],
    deals: int = 100,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    **how: Any,
) -> MatchResult:
    """Play one line-up; see ``run_matches``, which takes the same arguments.

    Args:
        lineup: the agents at the table, as many as there are players; copies may be among them.
    """
    options = {"num_players": len(lineup), **(options or {})}
    return run_matches(game, [lineup], deals, seed, options, **how)[0]


def run_matches(
    game: str | Game,
    matches: Sequence[Sequence[str | Agent]],
    deals: int = 100,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    *,
    store: Store | None = None,
    progress: Progress | None = None,
    batch: int | None = None,
    processes: int = 1,
    records: str | Path | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[MatchResult]:
    """Play line-ups over the same deals, each from every seating; skip what the store has.

    Finished games are saved as they come: after an exception, KeyboardInterrupt among them, the
    same call goes on where this one ended. A decision's chance follows from its game and number,
    so results do not depend on ``batch``, ``processes`` or the order of play (unless an agent's
    budget is time).

    Args:
        game: the game or its name.
        matches: line-ups of specifications for ``make_agent``, or of agents.
        deals: number of deals.
        seed: decides the deals.
        options: the game's options and ``num_players``.
        store: where results go and earlier ones are found; None: kept nowhere.
        progress: told now and then.
        batch: games in progress at a time; None: few where an agent searches, else many.
        processes: with 2 or more, deals are shared among as many processes of their own, each
            with the games of one line-up and deal at a time.
        records: folder for a game record of every game played now.
        stop: asked after every move of the batch; True ends the matches early.

    Returns:
        One result a line-up, over all its complete deals in the store, from this run or others.

    Raises:
        ValueError: bad arguments, an unknown agent, game or option.
        StoreError: the results file cannot be written.
    """
    game = get_game(game)
    config = game.resolve_options(**(options or {}))
    agents, labelled = _line_up(game, matches, config["num_players"])
    if deals < 1 or processes < 1 or (batch is not None and batch < 1):
        raise ValueError(
            f"deals={deals}, processes={processes} and batch={batch} must be at least 1"
        )
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed={seed} must be from 0 to 2**63 - 1")
    tasks = [
        Task(seats, seed, deal)
        for deal in range(deals)
        for seats in dict.fromkeys(s for lineup in labelled for s in seatings(lineup))
    ]
    with nullcontext(store) if store is not None else Store() as store:
        there = {(g.seats, g.game_seed) for g in store.games(game.name, config)}
        left = [task for task in tasks if (task.seats, task.game_seed) not in there]
        saver = _Saver(store, game, config, records, progress, len(tasks) - len(left), len(tasks))
        if processes > 1:
            finished = play_in_processes(game, config, agents, left, processes, stop)
        else:
            ready = make_agents(game, config, agents)
            finished = play_games(game, config, ready, left, batch or default_batch(ready), stop)
        try:
            for played in finished:
                saver.add(played)
        finally:
            saver.save()
        return [
            summarise(game.name, config, lineup, store.games(game.name, config, canonical(lineup)))
            for lineup in labelled
        ]


def _line_up(
    game: Game, matches: Sequence[Sequence[str | Agent]], num_players: int
) -> tuple[dict[str, str | Agent], list[tuple[str, ...]]]:
    """Agents (or specifications) by label, and the line-ups as labels."""
    agents: dict[str, str | Agent] = {}
    labelled = []
    for lineup in matches:
        if len(lineup) != num_players:
            raise ValueError(
                f"a line-up of {len(lineup)} agents does not fit a game of {num_players} players"
            )
        labels = [label_of(agent) for agent in lineup]
        for label, agent in zip(labels, lineup, strict=True):
            if agents.setdefault(label, agent) != agent:
                raise ValueError(f"two different agents are called {label!r}; rename one")
        labelled.append(tuple(labels))
    return agents, labelled


class _Saver:
    """Saves finished games every ``SAVE_SECONDS``, keeping them while the file is locked."""

    def __init__(
        self,
        store: Store,
        game: Game,
        config: dict[str, Any],
        records: str | Path | None,
        progress: Progress | None,
        done: int,
        total: int,
    ) -> None:
        self.store, self.game, self.config = store, game, config
        self.records = None if records is None else Path(records)
        self.progress = progress or (lambda done, total: None)
        self.done, self.total = done, total
        self.pending: list[PlayedGame] = []
        self.saved_at = time.monotonic()
        self.progress(done, total)

    def add(self, played: PlayedGame) -> None:
        if self.records is not None:
            record_game(self.game, self.config, played).save(self.records / record_name(played))
        self.pending.append(played)
        self.done += 1
        if time.monotonic() - self.saved_at >= SAVE_SECONDS:
            with suppress(StoreLockedError):
                self.save()
            self.saved_at = time.monotonic()

    def save(self) -> None:
        if self.pending:
            self.store.add(self.game.name, self.config, self.pending)
            self.pending = []
        self.progress(self.done, self.total)


def record_game(game: Game, config: Mapping[str, Any], played: PlayedGame) -> Record:
    """The game record of a game that has just been played."""
    recorder = Recorder(game, config, played.game_seed, played.seats)
    for action in played.actions:
        recorder.add(action)
    return recorder.record()


def record_name(played: PlayedGame) -> str:
    """File name that tells the deal and who sat where."""
    seats = "-".join(re.sub(r"\W+", "_", agent) for agent in played.seats)
    return f"seed{played.seed}_deal{played.deal}_{seats[:160]}.jsonl"
