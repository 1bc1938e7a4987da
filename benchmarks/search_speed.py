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
from mages_env.agents.rule_based import rule_based_policy
from mages_env.agents.search import Searcher
from mages_env.game import Game

RESULT = Path(__file__).parent / "results" / "search_speed.json"
ROLLOUTS = ("random", "rule_based")
HORIZONS = ("stage", 12, "end")
MILLISECONDS = 100
BATCH = 4096


def main() -> int:
    args = arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    console = Console()
    document = {"measured": now(), "machine": machine(), "games": {}}
    for name in args.game:
        game = mages_env.get_game(name)
        document["games"][game.name] = figures = measure(game, args, console)
        show(game, figures, console)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--game", nargs="+", default=list(mages_env.games()), help="names, or module:NAME"
    )
    parser.add_argument("--positions", type=int, default=20, help="of each table (default 20)")
    parser.add_argument("--rounds", type=int, default=3, help="of every figure (default 3)")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def cases(game: Game) -> list[tuple[int, str, Any]]:
    """Numbers of players (the usual, the fewest, the most), roll-outs and horizons."""
    players = dict.fromkeys([game.default_players, game.players[0], game.players[-1]])
    rollouts = ROLLOUTS if rule_based_policy(game) else ROLLOUTS[:1]
    horizons = HORIZONS if game.evaluate else ("end",)
    return list(itertools.product(players, rollouts, horizons))


def measure(game: Game, args: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Medians of the rounds."""
    found: dict[Any, list[float]] = {case: [] for case in cases(game)}
    yardstick = []
    work = [(i, case) for i in range(args.rounds) for case in found]
    for i, case in track(work, f"searching {game.title}", console=console, transient=True):
        players, rollout, horizon = case
        if case == work[0][1]:
            yardstick.append(batch_speed(game))
        searcher = Searcher(game, time_ms=MILLISECONDS, rollout=rollout, horizon=horizon)
        if i == 0:
            speed(searcher, game, 1, num_players=players)  # compiles
        found[case].append(speed(searcher, game, args.positions, num_players=players))
    return {
        "batch_decisions_per_second": round(statistics.median(yardstick)),
        "search": [
            {
                "num_players": players,
                "rollout": rollout,
                "horizon": horizon,
                "iterations_per_second": round(statistics.median(rates)),
            }
            for (players, rollout, horizon), rates in found.items()
        ],
    }


def speed(searcher: Searcher, game: Game, count: int, **options: Any) -> float:
    """Iterations per second, the mean over positions."""
    rates = []
    for state in positions(game, count, 1, "random", **options):
        root = np.array([state])
        began = time.perf_counter()
        found = searcher.run(root, int(state["seat"]), 0)
        rates.append(found.iterations / (time.perf_counter() - began))
    return statistics.mean(rates)


def batch_speed(game: Game) -> float:
    """Decisions per second of random play, the usual number of players."""
    env = mages_env.make_vec(game, BATCH, seed=0).reset()
    env.step(env.sample_actions())
    began = time.perf_counter()
    for _ in range(100):
        env.step(env.sample_actions())
    return 100 * BATCH / (time.perf_counter() - began)


def show(game: Game, figures: dict[str, Any], console: Console) -> None:
    table = Table(title=f"{game.title}: search iterations per second, one core")
    for column in ("players", "roll-outs", "horizon", "iterations/s"):
        table.add_column(column, justify="right")
    for one in figures["search"]:
        rate = f"{one['iterations_per_second']:,}"
        table.add_row(str(one["num_players"]), one["rollout"], str(one["horizon"]), rate)
    console.print(table)
    per_second = figures["batch_decisions_per_second"]
    console.print(f"random play in a batch of {BATCH}: {per_second:,} decisions/s", markup=False)


if __name__ == "__main__":
    raise SystemExit(main())
