"""Decisions per second of every interface, cold and warm start, memory.

``python -m benchmarks.throughput`` from the repository root; ``--help`` names the options. Play is
uniformly random and legal and the loop is whole: pick from the mask, step, mask and observation of
the next seat, a new game after the end. Every figure is the best of ``--rounds`` rounds, for what
else a machine does can only slow it down; the median, which tells how much that was, stands beside.
The rounds of all interfaces take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from mages_env.engine.kernels import rollout_rows
from mages_env.envs.aec import Env, RawEnv
from mages_env.envs.vector import VectorEnv
from mages_env.game import Game

RESULT = Path(__file__).parent / "results" / "throughput.json"
BATCHES = (1, 64, 1024, 4096)

START_UP = """
import time; began = time.perf_counter()
import mages_env
imported = time.perf_counter()
env = mages_env.make({game!r}); env.reset(seed=0)
env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
stepped = time.perf_counter()
vec = mages_env.make_vec({game!r}, 64); vec.reset(); vec.step(vec.sample_actions())
print(imported - began, stepped - began, time.perf_counter() - began)
"""


def main() -> int:
    args = arguments()
    console = Console()
    document = {"measured": now(), "machine": machine(), "seconds": args.seconds, "games": {}}
    for name in args.game:
        game = mages_env.get_game(name)
        document["games"][game.name] = figures = {}
        figures["start_seconds"] = start_up(game)
        figures["batch_4096_bytes"] = batch_bytes(game)
        rates = measure(game, args, console)
        for name, of in (("decisions_per_second", max), ("median_per_second", statistics.median)):
            figures[name] = {interface: of(found) for interface, found in rates.items()}
        figures["threads_ratio"] = threads_ratio(figures["decisions_per_second"])
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
    parser.add_argument("--seconds", type=float, default=1.0, help="a measurement (default 1)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def measure(game: Game, args: argparse.Namespace, console: Console) -> dict[str, list[float]]:
    """Decisions per second of every round by interface."""
    loops = dict(interfaces(game))
    rates: dict[str, list[float]] = {name: [] for name in loops}
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(game.name, total=args.rounds * len(loops))
        for loop in loops.values():
            loop(0.0)
        for _ in range(args.rounds):
            for name, loop in loops.items():
                decisions, seconds = loop(args.seconds)
                rates[name].append(decisions / seconds)
                progress.update(task, advance=1, description=f"{game.name}: {name}")
    return rates


def interfaces(game: Game) -> Iterator[tuple[str, Callable[[float], tuple[int, float]]]]:
    """Named loops: given seconds to run at least, what was played in how long."""
    yield "AEC env()", aec_loop(Env(game))
    yield "AEC raw_env()", aec_loop(RawEnv(game))
    for threads in (1, 2):
        for num_envs in BATCHES:
            vec = VectorEnv(game, num_envs, seed=1, threads=threads)
            plural = "s" if threads > 1 else ""
            yield f"batch of {num_envs}, {threads} thread{plural}", batch_loop(vec)
    most = game.max_players
    if most > game.default_players:
        vec = VectorEnv(game, BATCHES[-1], seed=1, num_players=most)
        yield f"batch of {BATCHES[-1]}, 1 thread, {most} players", batch_loop(vec)
    yield "roll-outs", rollout_loop(game)


def aec_loop(env: RawEnv) -> Callable[[float], tuple[int, float]]:
    draw = random.Random(0).random
    episode = 0

    def loop(at_least: float) -> tuple[int, float]:
        nonlocal episode
        decisions, began = 0, time.perf_counter()
        while True:
            env.reset(seed=episode)
            episode += 1
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                decisions += 1
            seconds = time.perf_counter() - began
            if seconds >= at_least:
                return decisions, seconds

    return loop


def batch_loop(vec: VectorEnv) -> Callable[[float], tuple[int, float]]:
    vec.reset()

    def loop(at_least: float) -> tuple[int, float]:
        steps, began = 0, time.perf_counter()
        while True:
            for _ in range(20):
                vec.step(vec.sample_actions())
            steps += 20
            seconds = time.perf_counter() - began
            if seconds >= at_least:
                return steps * vec.num_envs, seconds

    return loop


def rollout_loop(game: Game) -> Callable[[float], tuple[int, float]]:
    """Games from the start to the end, neither observed nor seen from Python."""
    states = VectorEnv(game, 64, seed=1).reset().states
    mask = np.zeros(game.num_actions, np.int8)
    rng = np.zeros(1, np.uint64)
    table = game.table()

    def loop(at_least: float) -> tuple[int, float]:
        decisions, began = 0, time.perf_counter()
        while True:
            decisions += rollout_rows(states.copy(), mask, rng, table, 0, len(states))
            seconds = time.perf_counter() - began
            if seconds >= at_least:
                return decisions, seconds

    return loop


def start_up(game: Game) -> dict[str, float]:
    """Seconds until a new process has imported, stepped an AEC env, and stepped a batch too."""
    figures = {}
    with tempfile.TemporaryDirectory() as cache:
        for kind in ("cold", "warm"):
            done = subprocess.run(
                [sys.executable, "-c", START_UP.format(game=game.name)],
                env={**os.environ, "MAGES_CACHE_DIR": cache},
                check=True,
                capture_output=True,
                text=True,
            )
            imported, stepped, batched = map(float, done.stdout.split())
            figures[f"{kind}: import mages_env"] = imported
            figures[f"{kind}: import and first step"] = stepped
            figures[f"{kind}: import, first step, first batch"] = batched
    return figures


def batch_bytes(game: Game) -> int:
    """Bytes of all arrays of a batch of 4,096."""
    vec = VectorEnv(game, 4096)
    return sum(value.nbytes for value in vars(vec).values() if isinstance(value, np.ndarray))


def threads_ratio(rates: dict[str, float]) -> float:
    """How many times faster the largest batch is on two threads than on one."""
    largest = BATCHES[-1]
    return rates[f"batch of {largest}, 2 threads"] / rates[f"batch of {largest}, 1 thread"]


def show(game: Game, figures: dict, console: Console) -> None:
    table = Table("interface", "decisions/s", "median", title=game.title)
    for name, rate in figures["decisions_per_second"].items():
        table.add_row(name, f"{rate:,.0f}", f"{figures['median_per_second'][name]:,.0f}")
    console.print(table)
    for name, seconds in figures["start_seconds"].items():
        console.print(f"{name}: {seconds:.2f} s")
    console.print(
        f"batch of 4,096: {figures['batch_4096_bytes'] / 1e6:.1f} MB; "
        f"2 threads / 1 thread: {figures['threads_ratio']:.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
