"""How well self-play PPO plays Kampf der Magier after so many minutes of training.

``python -m benchmarks.trained_strength`` from the repository root; ``--help`` names the options.
The settings are the default ones of ``mages train kampf --minutes ...``, so the first figure is the
demo's opponent. Three players, full games, duplicate deals. Runs and games are kept in ``--runs``:
called again, it goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

import mages_env
from benchmarks.machine import machine, now
from mages_env.training import ppo
from mages_env.training.arena import run_match
from mages_env.training.reporting import TABLE
from mages_env.training.results import MatchResult
from mages_env.training.store import Store
from mages_env.training.tables import results_table

GAME = mages_env.get_game("kampf_der_magier_v0")
RESULT = Path(__file__).parent / "results" / "trained_strength_kampf_der_magier.json"
OPPONENTS = ("rule_based", "random")


def main() -> int:
    args = arguments()
    console = Console()
    results: list[MatchResult] = []
    document: dict[str, Any] = {"measured": now(), "machine": machine(), "runs": []}
    for minutes in args.minutes:
        run_dir = args.runs / f"kampf_{minutes:g}_minutes"
        console.print(f"training for {minutes:g} minutes in {run_dir}", markup=False)
        model = trained(run_dir, minutes, args.seed)
        with Store(run_dir / "results.sqlite") as store:
            matches = [
                run_match(GAME, [f"neural:{model}", rival, rival], args.deals, 0, store=store)
                for rival in OPPONENTS
            ]
        results += matches
        curve = (run_dir / TABLE).read_text(encoding="utf-8").splitlines()
        document["runs"].append(
            {"minutes": minutes, "curve": curve, "matches": [asdict(match) for match in matches]}
        )
    console.print(results_table(results, GAME))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--minutes", type=float, nargs="+", default=[2.0, 15.0], help="of training (2 15)"
    )
    parser.add_argument("--deals", type=int, default=1000, help="deals a match (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the training (default 0)")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of the runs")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def trained(run_dir: Path, minutes: float, seed: int) -> Path:
    """The model of a run, trained or gone on with as far as needed."""
    resume = (run_dir / ppo.RESUME).exists()
    return ppo.train(GAME, ppo.Args(minutes=minutes, seed=seed), run_dir, resume=resume)


if __name__ == "__main__":
    raise SystemExit(main())
