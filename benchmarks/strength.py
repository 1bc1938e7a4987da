"""How well the agents play Kampf der Magier: full games of three, duplicate deals.

``python -m benchmarks.strength`` from the repository root; ``--help`` names the options. Every
deal is played with the first agent in every seat. Games are kept in a results file in ``runs/``
that is named after the code of the agents, so an interrupted run goes on where it ended. Search
with a time budget wants a quiet machine: one core for each process.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import mages_env
from benchmarks.machine import machine, now
from mages_env.agents import rule_based, search
from mages_env.engine.compile import source_digest
from mages_env.training.arena import run_match
from mages_env.training.store import Store
from mages_env.training.tables import results_table

GAME = mages_env.get_game("kampf_der_magier_v0")
RESULT = Path(__file__).parent / "results" / "strength_kampf_der_magier.json"
MATCHES = (
    # line-up, win rate of the first agent to be reached
    (("rule_based", "random", "random"), 0.95),
    (("ismcts:time_ms=20", "rule_based", "rule_based"), 0.45),
)


def main() -> int:
    args = arguments()
    console = Console()
    results = []
    path = args.results or default_results()
    path.parent.mkdir(parents=True, exist_ok=True)
    console.print(f"games are kept in {path}", markup=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, Store(path) as store:
        for lineup, _ in MATCHES:
            task = progress.add_task(" / ".join(lineup), total=None)
            result = run_match(
                GAME,
                lineup,
                args.deals,
                args.seed,
                store=store,
                processes=args.processes,
                progress=lambda done, total, t=task: progress.update(
                    t, completed=done, total=total
                ),
            )
            results.append(result)
    console.print(results_table(results, GAME))
    document: dict[str, Any] = {
        "measured": now(),
        "machine": machine(),
        "command": f"python -m benchmarks.strength --deals {args.deals} --seed {args.seed} "
        f"--processes {args.processes}",
        "matches": [
            {"required_win_rate": required, **asdict(result)}
            for (_, required), result in zip(MATCHES, results, strict=True)
        ],
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--deals", type=int, default=800, help="of every match, three games each (default 800)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default 0)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (default 2)")
    parser.add_argument("--results", type=Path, help="results file to add to")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def default_results() -> Path:
    """A file for this state of the game and of the agents."""
    players = source_digest(f"{rule_based.__name__}.{GAME.module.rpartition('.')[2]}")
    digest = source_digest(f"{search.__name__}.ismcts")[:8] + players[:8]
    return Path("runs") / f"strength-{digest}.sqlite"


if __name__ == "__main__":
    raise SystemExit(main())
