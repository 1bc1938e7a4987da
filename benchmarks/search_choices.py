"""Why the defaults of the tree search are what they are.

``python -m benchmarks.search_choices`` from the repository root; ``--help`` names the options.
Measured is the regret of a move: by how much the best action is worth more than the one chosen, if
the rule-based player goes on in all seats; values are means over thousands of games from each
action, redrawn from what the seat knows. Positions come from games of the rule-based player. Every
setting thinks equally long, so that what costs more time has to earn it; one setting at a time
departs from the defaults.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from benchmarks.positions import action_values, positions
from mages_env.agents import make_agent
from mages_env.agents.search import Searcher

GAME = mages_env.get_game("kampf_der_magier_v0")
RESULT = Path(__file__).parent / "results" / "search_choices.json"
PLAYER = "rule_based"
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    *({"exploration": weight} for weight in (0.05, 0.1, 0.2, 0.6, 1.0)),
    *({"horizon": horizon} for horizon in (0, 4, 8, 20, "stage", "end")),
    *({"randomness": probability} for probability in (0.1, 0.3)),
    *({"rollout": "random", "horizon": horizon} for horizon in (4, 12, "stage", "end")),
)


def main() -> int:
    args = arguments()
    console = Console()
    states = positions(GAME, args.positions, args.seed, PLAYER)
    values = np.array(
        [
            action_values(GAME, states[i : i + 1], args.games, args.seed + i, PLAYER)
            for i in track(range(len(states)), "values of actions", console=console)
        ]
    )
    figures = [player(name, states, values) for name in ("random", PLAYER)]
    for setting in track(SETTINGS, "searching", console=console):
        figures.append(searcher(setting, states, values, args.time_ms))
    show(figures, args.time_ms, console)
    document = {
        "measured": now(),
        "machine": machine(),
        "game": GAME.name,
        "positions": args.positions,
        "games_per_action": args.games,
        "time_ms": args.time_ms,
        "regret": figures,
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=400, help="default 400")
    parser.add_argument("--games", type=int, default=4000, help="from each action (default 4000)")
    parser.add_argument("--time-ms", type=float, default=20, help="a move (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="of the positions (default 0)")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


def player(name: str, states: np.ndarray, values: np.ndarray) -> dict[str, Any]:
    """An agent with a compiled policy."""
    policy = make_agent(name, GAME).policy
    assert policy is not None
    mask = np.zeros(GAME.num_actions, np.int8)
    rng = np.zeros(1, np.uint64)
    chosen = []
    for state in states:
        GAME.legal(state, mask)
        chosen.append(policy(state, mask, rng))
    return {"setting": name, **regret(chosen, values)}


def searcher(
    setting: dict[str, Any], states: np.ndarray, values: np.ndarray, time_ms: float
) -> dict[str, Any]:
    searching = Searcher(GAME, time_ms=time_ms, **setting)
    found = [
        searching.run(states[i : i + 1], int(states[i]["seat"]), i) for i in range(len(states))
    ]
    words = ", ".join(f"{name}={value}" for name, value in setting.items())
    return {
        "setting": words or "the defaults",
        **regret([result.action for result in found], values),
        "iterations": round(np.mean([result.iterations for result in found])),
    }


def regret(chosen: list[int], values: np.ndarray) -> dict[str, float]:
    """Mean over the positions and half the width of its 95 % interval."""
    lost = np.nanmax(values, axis=1) - values[np.arange(len(values)), chosen]
    return {
        "regret": round(float(lost.mean()), 5),
        "margin": round(1.96 * float(lost.std()) / math.sqrt(len(lost)), 5),
    }


def show(figures: list[dict[str, Any]], time_ms: float, console: Console) -> None:
    table = Table(title=f"regret of a move, {time_ms:g} ms each")
    for column in ("", "regret", "±", "iterations"):
        table.add_column(column, justify="right" if column else "left")
    for figure in figures:
        iterations = f"{figure['iterations']:,}" if "iterations" in figure else ""
        table.add_row(
            figure["setting"], f"{figure['regret']:.4f}", f"{figure['margin']:.4f}", iterations
        )
    console.print(table)


if __name__ == "__main__":
    raise SystemExit(main())
