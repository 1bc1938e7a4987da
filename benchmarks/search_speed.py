"""Iterations per second of information-set tree search, on one core.

``python -m benchmarks.search_speed`` from the repository root; ``--help`` names the options. The
mean over positions out of games between random players; every figure is the median of ``--rounds``
rounds, taken in turn. Random play in the batch is measured beside it, as a yardstick for the load
of the machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from benchmarks.positions import positions
from mages_env.agents.search import Searcher
from mages_env.game import Game

GAME = mages_env.get_game("kampf_der_magier_v0")
RESULT = Path(__file__).parent / "results" / "search_speed.json"
TABLES = {
    "3 players": {"num_players": 3},
    "2 players": {"num_players": 2},
    "6 players": {"num_players": 6},
    "3 players, open pile": {"num_players": 3, "variant": "open_pile"},
}
ROLLOUTS = ("random", "rule_based")
HORIZONS = ("stage", 12, "end")
MILLISECONDS = 100
BATCH = 4096


def main() -> int:
    args = arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    console = Console()
    cases = list(itertools.product(TABLES, ROLLOUTS, HORIZONS))
    found: dict[Any, list[float]] = {case: [] for case in cases}
    yardstick = []
    work = [(i, case) for i in range(args.rounds) for case in cases]
    for i, case in track(work, "searching", console=console):
        name, rollout, horizon = case
        if case == cases[0]:
            yardstick.append(batch_speed())
        searcher = Searcher(GAME, time_ms=MILLISECONDS, rollout=rollout, horizon=horizon)
        if i == 0:
            speed(searcher, GAME, 1, **TABLES[name])  # compiles
        found[case].append(speed(searcher, GAME, args.positions, **TABLES[name]))
    figures = [
        {
            "table": name,
            "rollout": rollout,
            "horizon": horizon,
            "iterations_per_second": round(statistics.median(found[name, rollout, horizon])),
        }
        for name, rollout, horizon in cases
    ]
    document = {
        "measured": now(),
        "machine": machine(),
        "game": GAME.name,
        "batch_decisions_per_second": round(statistics.median(yardstick)),
        "search": figures,
    }
    show(document, console)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=20, help="of each table (default 20)")
    parser.add_argument("--rounds", type=int, default=3, help="of every figure (default 3)")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def speed(searcher: Searcher, game: Game, count: int, **options: Any) -> float:
    """Iterations per second, the mean over positions."""
    rates = []
    for state in positions(game, count, 1, "random", **options):
        root = np.array([state])
        began = time.perf_counter()
        found = searcher.run(root, int(state["seat"]), 0)
        rates.append(found.iterations / (time.perf_counter() - began))
    return statistics.mean(rates)


def batch_speed() -> float:
    """Decisions per second of random play."""
    env = mages_env.make_vec(GAME, BATCH, num_players=3, seed=0).reset()
    env.step(env.sample_actions())
    began = time.perf_counter()
    for _ in range(100):
        env.step(env.sample_actions())
    return 100 * BATCH / (time.perf_counter() - began)


def show(document: dict[str, Any], console: Console) -> None:
    table = Table(title="search iterations per second, one core")
    for column in ("", "roll-outs", *(f"horizon {h}" for h in HORIZONS)):
        table.add_column(column, justify="right" if "horizon" in column else "left")
    rates = iter(document["search"])
    for name, rollout in itertools.product(TABLES, ROLLOUTS):
        row = [f"{next(rates)['iterations_per_second']:,}" for _ in HORIZONS]
        table.add_row(name, rollout, *row)
    console.print(table)
    per_second = document["batch_decisions_per_second"]
    console.print(f"random play in a batch of {BATCH}: {per_second:,} decisions/s", markup=False)


if __name__ == "__main__":
    raise SystemExit(main())
