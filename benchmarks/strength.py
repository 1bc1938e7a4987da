"""How well the agents play, by game: whole games, duplicate deals.

``python -m benchmarks.strength`` from the repository root; ``--help`` names the options. Every
deal is played with the first agent in every seat. Games are kept in a results file in ``runs/``
that is named after the code of the agents, so an interrupted run goes on where it ended. Search
with a time budget wants a quiet machine: one core for each process.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import mages_env
from benchmarks.machine import code_digest, machine, now
from mages_env.agents import rule_based, search
from mages_env.game import Game
from mages_env.training.arena import run_match
from mages_env.training.intervals import rate_interval
from mages_env.training.results import MatchResult, canonical
from mages_env.training.store import Store
from mages_env.training.tables import results_table

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Match:
    """A line-up and what its first agent is to reach.

    Attributes:
        lineup: agents.
        required: of the first agent: win rate, or mean score where it plays alone.
        deals: unless told otherwise; each is played from every seating.
        options: of the game.
        mark: a score; the share of games that reach it is reported.
    """

    lineup: tuple[str, ...]
    required: float
    deals: int = 800
    options: Mapping[str, Any] = field(default_factory=dict)
    mark: float | None = None


MATCHES = {
    "kampf_der_magier_v0": (
        Match(("rule_based", "random", "random"), 0.95),
        Match(("ismcts:time_ms=20", "rule_based", "rule_based"), 0.45),
    ),
    "dark_mages_v0": (
        Match(("rule_based", "random"), 0.97),
        Match(("ismcts:time_ms=50", "rule_based"), 0.55, deals=100),
    ),
    "mage_v0": (
        Match(("rule_based", "random"), 0.97),
        Match(("ismcts:time_ms=20", "rule_based"), 0.60, deals=400),
    ),
    "magic_duel_v0": (
        Match(("rule_based", "random"), 0.97),
        Match(("ismcts:time_ms=50", "rule_based"), 0.60, deals=100),
        Match(("rule_based", "rule_based"), 0.50, deals=4000),
    ),
    "tower_of_mages_v0": (
        Match(("random",), 0.0, deals=500, mark=50),
        Match(("rule_based",), 38.0, deals=500, mark=50),
        Match(("ismcts:time_ms=50",), 46.0, deals=500, mark=50),
    ),
}


def main() -> int:
    args = arguments()
    console = Console()
    for name in args.game:
        game = mages_env.get_game(name)
        path = args.results or default_results(game)
        path.parent.mkdir(parents=True, exist_ok=True)
        console.print(f"games are kept in {path}", markup=False)
        with Store(path) as store:
            results = play(game, args, store, console)
            marks = [
                reached(game, match, result, store)
                for match, result in zip(MATCHES[game.name], results, strict=True)
            ]
            seats = [by_seat(game, result, store) for result in results]
        console.print(results_table(results, game))
        for match, mark in zip(MATCHES[game.name], marks, strict=True):
            if mark is not None:
                low, high = mark["interval"]
                console.print(
                    f"{match.lineup[0]}: {mark['share']:.1%} ({low:.1%} to {high:.1%}) "
                    f"of games reach {match.mark:g}",
                    markup=False,
                )
        for match, rates in zip(MATCHES[game.name], seats, strict=True):
            for seat, rate in enumerate(rates):
                low, high = rate["interval"]
                console.print(
                    f"{match.lineup[0]} against itself in seat {seat}: "
                    f"{rate['win_rate']:.1%} ({low:.1%} to {high:.1%})",
                    markup=False,
                )
        deals = "" if args.deals is None else f" --deals {args.deals}"
        document: dict[str, Any] = {
            "measured": now(),
            "machine": machine(),
            "command": f"python -m benchmarks.strength --game {game.name}{deals} "
            f"--seed {args.seed} --processes {args.processes}",
            "matches": [
                {"required": match.required, **asdict(result)}
                | ({} if mark is None else {"reached": mark})
                | ({"seats": rates} if rates else {})
                for match, result, mark, rates in zip(
                    MATCHES[game.name], results, marks, seats, strict=True
                )
            ],
        }
        out = args.out / f"strength_{re.sub(r'_v[0-9]+$', '', game.name)}.json"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        console.print(f"written to {out}", markup=False)
    return 0


def play(game: Game, args: argparse.Namespace, store: Store, console: Console) -> list[MatchResult]:
    """All matches of the game, in order."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    results = []
    with Progress(*columns, console=console) as progress:
        for match in MATCHES[game.name]:
            task = progress.add_task(" / ".join(match.lineup), total=None)
            result = run_match(
                game,
                match.lineup,
                args.deals or match.deals,
                args.seed,
                match.options,
                store=store,
                processes=args.processes,
                progress=lambda done, total, t=task: progress.update(
                    t, completed=done, total=total
                ),
            )
            results.append(result)
    return results


def reached(game: Game, match: Match, result: MatchResult, store: Store) -> dict[str, Any] | None:
    """Share of the first agent's games that reach the match's mark; None where it has none."""
    if match.mark is None:
        return None
    games = store.games(game.name, result.options, canonical(result.lineup))
    there = np.array([played.scores[0] >= match.mark for played in games], float)
    return {
        "score": match.mark,
        "share": float(there.mean()),
        "interval": rate_interval(there, 1),
    }


def by_seat(game: Game, result: MatchResult, store: Store) -> list[dict[str, Any]]:
    """How often each seat wins where all agents are the same; [] where they are not."""
    if len(result.lineup) == 1 or len(set(result.lineup)) > 1:
        return []
    games = store.games(game.name, result.options, canonical(result.lineup))
    returns = np.array([played.returns for played in games])
    first = returns == returns.max(axis=1, keepdims=True)
    rates = first / first.sum(axis=1, keepdims=True)
    return [{"win_rate": float(r.mean()), "interval": rate_interval(r, 1)} for r in rates.T]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--game", nargs="+", choices=MATCHES, default=list(MATCHES), help="default: all"
    )
    parser.add_argument("--deals", type=int, help="of every match, instead of its own number")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default 0)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (default 2)")
    parser.add_argument("--results", type=Path, help="results file to add to")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON files")
    return parser.parse_args()


def default_results(game: Game) -> Path:
    """A file for this state of the game and of the agents."""
    player = f"{rule_based.__name__}.{game.module.rpartition('.')[2]}"
    digest = code_digest(f"{search.__name__}.ismcts", player)
    return Path("runs") / f"strength-{digest}.sqlite"


if __name__ == "__main__":
    raise SystemExit(main())
