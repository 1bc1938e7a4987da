"""What a game is like under random play: length, legal actions, whether the seats are level.

``python -m benchmarks.orientation`` from the repository root; ``--help`` names the options. Every
game is played to its end by uniformly random legal moves, for every number of players and every
combination of the options that have named values (other than the reward). Where figures from
elsewhere are known they stand beside ours.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

import mages_env
from benchmarks.machine import machine, now
from mages_env.game import Game

RESULTS = Path(__file__).parent / "results"

REFERENCE = {
    # Medians by number of players, from an independent implementation of the rules.
    "kampf_der_magier_v0": {
        (("deck", "falling"), ("variant", "classic")): {2: 130, 3: 190, 4: 247, 5: 301, 6: 349},
    },
}


def measure(game: Game, num_players: int, games: int, seed: int, **options: Any) -> dict[str, Any]:
    """Play ``games`` games at random and count.

    Returns:
        ``decisions`` a game (median, mean, sd, max), ``legal`` actions a decision (mean, max),
        ``truncated`` (share of games), ``seat_rewards`` and their ``standard_errors``, and
        ``seat_z``: the largest deviation of a seat's mean reward from the mean of all seats, in
        standard errors.
    """
    env = mages_env.make_vec(
        game, games, num_players=num_players, seed=seed, autoreset="disabled", **options
    ).reset()
    legal_sum = legal_max = 0
    while (env.seat >= 0).any():
        counts = np.count_nonzero(env.action_mask, axis=1)
        legal_sum += int(counts.sum())
        legal_max = max(legal_max, int(counts.max()))
        env.step(env.sample_actions())
    length = env.final_length
    off = env.returns - env.returns.mean(axis=1, keepdims=True)
    errors = np.maximum(off.std(axis=0) / np.sqrt(games), 1e-12)
    return {
        "num_players": num_players,
        "options": env.options,
        "games": games,
        "decisions": {
            "median": float(np.median(length)),
            "mean": float(length.mean()),
            "sd": float(length.std()),
            "max": int(length.max()),
        },
        "legal": {"mean": legal_sum / int(length.sum()), "max": legal_max},
        "truncated": float(env.final_states["truncated"].any(axis=1).mean()),
        "seat_rewards": env.returns.mean(axis=0).tolist(),
        "standard_errors": errors.tolist(),
        "seat_z": float(np.abs(off.mean(axis=0) / errors).max()),
    }


def configurations(game: Game) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every combination of the options that have named values, rewards apart."""
    named = [o for o in game.options if isinstance(o.values, tuple) and o.name != "reward"]
    for values in itertools.product(*(option.values for option in named)):
        yield tuple(zip((option.name for option in named), values, strict=True))


def reference(game: Game, configuration: tuple[tuple[str, Any], ...], num_players: int) -> Any:
    """The known median number of decisions, or None."""
    return REFERENCE.get(game.name, {}).get(configuration, {}).get(num_players)


def show(game: Game, results: list[dict[str, Any]], console: Console) -> None:
    caption = (
        "known: median from elsewhere; legal: mean number of legal actions; cut: games truncated; "
        "z: the seat whose mean reward is furthest off, in standard errors"
    )
    table = Table(
        title=f"{game.title} under random play",
        caption=caption,
        collapse_padding=True,
        pad_edge=False,
        box=SIMPLE_HEAD,
    )
    table.add_column("options", no_wrap=True)
    for name in ("players", "median", "known", "longest", "legal", "most", "cut", "z"):
        table.add_column(name, justify="right")
    for one in results:
        table.add_row(
            " ".join(str(value) for _, value in one["configuration"]),
            str(one["num_players"]),
            f"{one['decisions']['median']:.0f}",
            str(one["reference_median"] or "-"),
            str(one["decisions"]["max"]),
            f"{one['legal']['mean']:.2f}",
            str(one["legal"]["max"]),
            f"{one['truncated']:.1%}",
            f"{one['seat_z']:.1f}",
        )
    console.print(table)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--game", nargs="+", default=list(mages_env.games()), help="names, or module:NAME"
    )
    parser.add_argument("--games", type=int, default=4000, help="games a line (default 4000)")
    parser.add_argument("--seed", type=int, default=0, help="default 0")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON files")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    console = Console()
    for name in args.game:
        game = mages_env.get_game(name)
        lines = list(itertools.product(configurations(game), game.players))
        results = []
        for configuration, count in track(lines, game.title, console=console, transient=True):
            one = measure(game, count, args.games, args.seed, **dict(configuration))
            known = reference(game, configuration, count)
            results.append({"configuration": configuration, "reference_median": known, **one})
        show(game, results, console)
        document = {"measured": now(), "machine": machine(), "seed": args.seed, "results": results}
        path = args.out / f"orientation_{re.sub(r'_v[0-9]+$', '', game.name)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        console.print(f"written to {path}", markup=False)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped; files of games that were finished are written") from None
