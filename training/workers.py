"""Games shared among processes of their own, for agents that think long."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from mages_env.agents.base import Agent
from mages_env.game import Game
from mages_env.training.playing import Task, make_agents, play_games
from mages_env.training.results import canonical
from mages_env.training.store import PlayedGame

_TURN_SECONDS = 0.2
_worker: dict[str, Any] = {}


def play_in_processes(
    game: Game,
    config: Mapping[str, Any],
    agents: Mapping[str, str | Agent],
    tasks: Sequence[Task],
    processes: int,
    stop: Callable[[], bool] | None = None,
) -> Iterator[PlayedGame]:
    """As ``playing.play_games``, one line-up's games of a deal at a time in each process.

    Raises:
        ValueError: an agent that is given as an object, which another process cannot make.
        ChildProcessError: one of the processes has died.
    """
    for label, agent in agents.items():
        if not isinstance(agent, str):
            raise ValueError(
                f"agent {label} is an object; several processes need specifications such as "
                "'ismcts:iterations=200'"
            )
    make_agents(game, config, agents)  # errors, and compiling, once and here
    context = multiprocessing.get_context("spawn")
    halt = context.Event()
    if not tasks:
        return
    chunks = [list(chunk) for _, chunk in itertools.groupby(tasks, _together)]
    pool = ProcessPoolExecutor(
        min(processes, len(chunks)),
        context,
        initializer=_begin,
        initargs=(game, dict(config), dict(agents), halt),
    )
    waiting = iter(chunks)
    running: set[Future] = {
        pool.submit(_play, chunk) for chunk in itertools.islice(waiting, 2 * processes)
    }
    try:
        while running and not (stop is not None and stop()):
            done, running = wait(running, _TURN_SECONDS, FIRST_COMPLETED)
            for future in done:
                yield from future.result()
                running |= {pool.submit(_play, chunk) for chunk in itertools.islice(waiting, 1)}
        halt.set()
        for future in running:
            if not future.cancel():
                yield from future.result()
    except BrokenProcessPool as error:
        raise ChildProcessError(
            "a process that played games has died, perhaps for want of memory; what was finished "
            "before is saved, and the same call goes on"
        ) from error
    finally:
        halt.set()
        pool.shutdown(cancel_futures=True)


def _together(task: Task) -> tuple:
    return task.deal, canonical(task.seats)


def _begin(
    game: Game, config: dict[str, Any], agents: Mapping[str, str | Agent], halt: Any
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to end
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _worker.update(game=game, config=config, halt=halt, agents=make_agents(game, config, agents))


def _play(tasks: list[Task]) -> list[PlayedGame]:
    return list(
        play_games(
            _worker["game"],
            _worker["config"],
            _worker["agents"],
            tasks,
            len(tasks),
            _worker["halt"].is_set,
        )
    )
