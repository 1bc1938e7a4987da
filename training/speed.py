"""A quick measurement of throughput; ``benchmarks/throughput.py`` is the thorough one."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from mages_env import make, make_vec
from mages_env.game import Game

_SECONDS = 1.0
_BATCHES = (1, 64, 1024, 4096)


def measure(game: Game, console: Console) -> dict[str, float]:
    """Random legal play with mask and observation, about a second for each interface.

    Returns:
        Decisions a second by interface, as printed.
    """
    loops: dict[str, Callable[[], int]] = {"AEC env()": _aec(game)}
    for size in _BATCHES:
        loops[f"batch of {size:,}"] = _batch(game, size)
    rates = {}
    with console.status("Measuring"):
        for name, loop in loops.items():
            loop()
            began, done = time.perf_counter(), 0
            while (seconds := time.perf_counter() - began) < _SECONDS:
                done += loop()
            rates[name] = done / seconds
    table = Table(
        title=f"{game.title}: random legal play, one thread",
        title_justify="left",
        caption="mask, observation and picking included",
        caption_justify="left",
    )
    table.add_column("interface")
    table.add_column("decisions/s", justify="right")
    for name, rate in rates.items():
        table.add_row(name, f"{rate:,.0f}")
    console.print(table)
    return rates


def _aec(game: Game) -> Callable[[], int]:
    import numpy as np

    env = make(game)
    env.reset(seed=0)
    rng = np.random.default_rng(0)

    def loop() -> int:
        for _ in range(1000):
            if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
                env.reset()
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(legal[rng.integers(len(legal))]))
        return 1000

    return loop


def _batch(game: Game, size: int) -> Callable[[], int]:
    env = make_vec(game, size, check=False)
    env.reset(seed=0)
    steps = max(1, 20_000 // size)

    def loop() -> int:
        for _ in range(steps):
            env.step(env.sample_actions())
        return steps * size

    return loop
