"""Whether Dark Mages is level, and how long it takes.

``python -m benchmarks.balance`` from the repository root; ``--help`` names the options. The
rule-based player plays all seats; two variants of it that place companions only as attackers, or
only as defenders, play each other. Each figure stands beside the bounds it is to keep.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from mages_env.agents.rule_based.dark_mages import only_attackers, only_defenders, policy
from mages_env.engine import TRUNCATED
from mages_env.games.dark_mages.state import DECK

GAME = "dark_mages_v0"
RESULT = Path(__file__).parent / "results" / "balance_dark_mages.json"
MEDIAN_TURNS = {2: 90, 4: 150}
MOST_TRUNCATED = 0.01
SHARE = {"character": (0.20, 0.30), "first": (0.46, 0.54), "style": (0.35, 0.65)}


@dataclass(frozen=True)
class Games:
    """Games that were played to their end.

    Attributes:
        share: (games, seats) 1 for the winner, shared among those tied.
        turns: (games,) player turns.
        truncated: (games,) whether ``max_turns`` ended the game.
        characters: (games, seats).
        starter: (games,) seat that had the first turn.
        player: (games, seats) which of the players sat there.
    """

    share: np.ndarray
    turns: np.ndarray
    truncated: np.ndarray
    characters: np.ndarray
    starter: np.ndarray
    player: np.ndarray


def play(players: Sequence[Callable], count: int, seed: int) -> Games:
    """``count`` games; from one to the next all players move a seat on."""
    game = mages_env.get_game(GAME)
    seats = len(players)
    env = mages_env.make_vec(
        game, count, num_players=seats, seed=seed, autoreset="disabled"
    ).reset()
    starter = env.states["active"].copy()
    player = (np.arange(seats) + np.arange(count)[:, np.newaxis]) % seats
    policies = [(p, game.table(policy=p)) for p in dict.fromkeys(players)]
    actions = np.zeros(count, np.int64)
    while (running := env.seat >= 0).any():
        seat = np.maximum(env.seat, 0)
        mover = player[np.arange(count), seat]
        for one, table in policies:
            rows = running & np.array([p is one for p in players])[mover]
            if rows.any():
                env.act(table, rows, actions)
        env.step(actions)
    first = env.returns == env.returns.max(axis=1, keepdims=True)
    states = env.final_states
    return Games(
        first / first.sum(axis=1, keepdims=True),
        states["turn"].copy(),
        states["over"] == TRUNCATED,
        states["character"][:, :seats].copy(),
        starter,
        player,
    )


def rate(values: np.ndarray) -> dict[str, float]:
    """A mean and its standard error."""
    return {"mean": float(values.mean()), "error": float(values.std() / np.sqrt(values.size))}


def length(games: Games) -> dict[str, float]:
    return {
        "median": float(np.median(games.turns)),
        "percentile_95": float(np.percentile(games.turns, 95)),
        "max": float(games.turns.max()),
        "truncated": float(games.truncated.mean()),
    }


def measure(count: int, seed: int) -> dict[str, Any]:
    """All figures, and ``checks``: what, found, low, high."""
    names = [one["name"] for one in DECK.characters]
    two, four = (play([policy] * seats, count, seed + seats) for seats in (2, 4))
    styles = play([only_attackers, only_defenders], count, seed)
    attacker = styles.share[styles.player == 0]
    found: dict[str, Any] = {
        "turns": {"2": length(two), "4": length(four)},
        "characters": {
            name: rate(four.share[four.characters == number]) for number, name in enumerate(names)
        },
        "first_seat": rate(two.share[:, 0]),
        "first_turn": rate(two.share[np.arange(count), two.starter]),
        "attacker_among_defenders": rate(attacker),
        "defender_among_attackers": rate(1 - attacker),
    }
    checks = []
    for seats, most in MEDIAN_TURNS.items():
        turns = found["turns"][str(seats)]
        checks.append((f"{seats} players: median turns", turns["median"], 0, most))
        checks.append((f"{seats} players: truncated", turns["truncated"], 0, MOST_TRUNCATED))
    for name, share in found["characters"].items():
        checks.append((f"4 players: {name} wins", share["mean"], *SHARE["character"]))
    for key, bounds in (
        ("first_seat", "first"),
        ("first_turn", "first"),
        ("attacker_among_defenders", "style"),
        ("defender_among_attackers", "style"),
    ):
        checks.append(
            (f"2 players: {key.replace('_', ' ')} wins", found[key]["mean"], *SHARE[bounds])
        )
    found["checks"] = [
        dict(zip(("what", "found", "low", "high", "met"), (*c, c[2] <= c[1] <= c[3]), strict=True))
        for c in checks
    ]
    return found


def main() -> int:
    args = arguments()
    console = Console()
    found = measure(args.games, args.seed)
    table = Table(title=f"{args.games:,} games of each kind")
    for column in ("what", "found", "low", "high", "met"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for check in found["checks"]:
        table.add_row(
            check["what"],
            *(f"{check[key]:.4g}" for key in ("found", "low", "high")),
            "yes" if check["met"] else "NO",
        )
    console.print(table)
    document = {
        "measured": now(),
        "machine": machine(),
        "command": f"python -m benchmarks.balance --games {args.games} --seed {args.seed}",
        "games": args.games,
        **found,
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20_000, help="of each kind (default 20,000)")
    parser.add_argument("--seed", type=int, default=0, help="default 0")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file to write")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
