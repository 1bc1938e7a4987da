"""Decisions per second including learning, and what is learned in the same time.

``python -m benchmarks.learning`` from the repository root; ``--help`` names the options. Our
self-play PPO and MaskablePPO of sb3-contrib learn Kampf der Magier for three, with the same
network, rollout size, minibatch and epochs, on all cores. MaskablePPO gets the batch as well
(``SB3VecEnv``), and beside it the usual way: environments one by one in a ``DummyVecEnv``. Speeds
are medians of updates made in turn. In self-play every decision is learned from; with opponents
inside only the learner's own, so both are counted.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from mages_env.training import ppo, sb3_ppo
from mages_env.training.reporting import TABLE
from mages_env.training.run import cores

GAME = mages_env.get_game("kampf_der_magier_v0")
RESULT = Path(__file__).parent / "results" / "learning.json"
SINGLES = 16
EVALUATION = {"evaluate_games": 2400, "evaluate_every": 2_000_000}  # +-2 points


@dataclass
class Contender:
    """Something that learns.

    Attributes:
        name: for the table.
        torch_threads: what torch is set to, for the whole process, while it learns.
        update: learns from one rollout; returns decisions learned from and decisions played.
        close: gives back what it used.
    """

    name: str
    torch_threads: int
    update: Callable[[], tuple[int, int]]
    close: Callable[[], None]


def main() -> int:
    args = arguments()
    console = Console()
    document: dict[str, Any] = {"measured": now(), "machine": machine(), "game": GAME.name}
    document["decisions_per_second"] = speeds(args.rounds, console)
    ours, theirs = ("learned", "self-play PPO"), ("learned", "MaskablePPO, batch")
    document["ratio"] = round(
        document["decisions_per_second"][ours[1]][ours[0]]
        / document["decisions_per_second"][theirs[1]][theirs[0]],
        2,
    )
    show(document, console)
    document["curves"] = curves(args.minutes, args.seed)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="updates of each (default 5)")
    parser.add_argument(
        "--minutes", type=float, nargs="+", default=[2.0, 15.0], help="of learning (default 2 15)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the learning (default 0)")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def speeds(rounds: int, console: Console) -> dict[str, dict[str, int]]:
    """Decisions per second, learned from and played, by contender."""
    contenders = [self_play(), on_the_batch(), one_by_one()]
    found: dict[str, list[tuple[float, float]]] = {c.name: [] for c in contenders}
    with console.status("measuring"):
        for turn in range(rounds + 1):
            for contender in contenders:
                torch.set_num_threads(contender.torch_threads)
                began = time.perf_counter()
                learned, played = contender.update()
                seconds = time.perf_counter() - began
                if turn > 0:  # the first one compiles and fills the caches
                    found[contender.name].append((learned / seconds, played / seconds))
    for contender in contenders:
        contender.close()
    return {
        name: {
            what: round(statistics.median(figures))
            for what, figures in zip(("learned", "played"), zip(*pairs, strict=True), strict=True)
        }
        for name, pairs in found.items()
    }


def self_play() -> Contender:
    args = ppo.Args()
    learner = ppo.Learner(GAME, args, GAME.resolve_options())

    def update() -> tuple[int, int]:
        return int(learner.update()["learned_from"]), args.num_envs * args.num_steps

    return Contender("self-play PPO", 1, update, learner.close)


def alike(num_envs: int) -> sb3_ppo.Args:
    """Settings of MaskablePPO with which it does the same work per decision as ours."""
    ours = ppo.Args()
    return sb3_ppo.Args(
        num_envs=num_envs,
        num_steps=ours.num_envs * ours.num_steps // num_envs,
        minibatch=ours.minibatch,
        epochs=ours.epochs,
        hidden=ours.hidden,
    )


def count(args: sb3_ppo.Args) -> tuple[int, int]:
    """Learned from, and played: all seats take about as many decisions as the learner's."""
    learned = args.num_envs * args.num_steps
    return learned, learned * GAME.default_players


def on_the_batch() -> Contender:
    args = alike(ppo.Args().num_envs)
    learner = sb3_ppo.SB3Learner(GAME, args, GAME.resolve_options())

    def update() -> tuple[int, int]:
        learner.update()
        return count(args)

    return Contender("MaskablePPO, batch", cores(), update, learner.close)


def one_by_one() -> Contender:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    args = alike(SINGLES)
    args.num_steps //= 4  # it is slow
    env = DummyVecEnv([lambda: mages_env.make_single(GAME)] * SINGLES)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=args.num_steps,
        batch_size=args.minibatch,
        n_epochs=args.epochs,
        policy_kwargs={"net_arch": list(args.hidden)},
        device="cpu",
    )

    def update() -> tuple[int, int]:
        learned, played = count(args)
        model.learn(learned)
        return learned, played

    return Contender("MaskablePPO, one by one", cores(), update, env.close)


def show(document: dict[str, Any], console: Console) -> None:
    table = Table(title="decisions per second, learning included")
    for column in ("", "learned from", "played"):
        table.add_column(column, justify="right" if column else "left")
    for name, figures in document["decisions_per_second"].items():
        table.add_row(name, f"{figures['learned']:,}", f"{figures['played']:,}")
    console.print(table)
    console.print(f"self-play PPO / MaskablePPO on the batch: {document['ratio']}", markup=False)


def curves(minutes: list[float], seed: int) -> list[dict[str, Any]]:
    """Win rates as they were while learning: ours for each time, MaskablePPO for the first."""
    against = {"opponents": ("rule_based",)}
    runs: list[tuple[str, Any, float, dict[str, Any]]] = [
        ("self-play PPO", ppo, length, {}) for length in minutes
    ]
    runs.append(("MaskablePPO, batch, against rule_based", sb3_ppo, minutes[0], against))
    found = []
    for name, module, length, settings in runs:
        args = module.Args(minutes=length, seed=seed, **EVALUATION, **settings)
        with tempfile.TemporaryDirectory() as folder:
            module.train(GAME, args, Path(folder) / "run")
            with (Path(folder) / "run" / TABLE).open(newline="") as file:
                curve = [
                    {key: float(value) for key, value in row.items()}
                    for row in csv.DictReader(file)
                ]
        found.append({"name": name, "minutes": length, "seed": seed, "curve": curve})
    return found


if __name__ == "__main__":
    raise SystemExit(main())
