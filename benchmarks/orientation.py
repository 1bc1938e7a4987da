"""What a game is like: length, legal actions, scores, whether the seats are level.

``python -m benchmarks.orientation`` from the repository root; ``--help`` names the options. Every
game is played to its end by uniformly random legal moves, for every number of players, with the
usual options and with every other value of each option that has named ones (the reward apart), and
with the usual options by the rule-based player in all seats, too. Where figures from elsewhere are
known they stand beside ours.
"""

from __future__ import annotations

import argparse
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
from mages_env.agents import make_agent
from mages_env.agents.rule_based import rule_based_policy
from mages_env.game import Game, Option

RESULTS = Path(__file__).parent / "results"

REFERENCE = {
    # Of random games by number of players, with the usual options, from independent models of the
    # rules: medians of decisions or turns, mean of the score. That of Mage asks attackers and
    # attacked for "done" where MAG-20 and MAG-21 do not, so its decisions are no measure.
    "kampf_der_magier_v0": ("decisions", {2: 130, 3: 190, 4: 247, 5: 301, 6: 349}),
    "mage_v0": ("turns", {2: 24, 3: 32, 4: 39, 6: 57}),
    "tower_of_mages_v0": ("score", {1: 5}),
}


def measure(
    game: Game, num_players: int, games: int, seed: int, player: str = "random", **options: Any
) -> dict[str, Any]:
    """Play ``games`` games and count.

    Args:
        player: "random", or "rule_based" in all seats.

    Returns:
        ``decisions`` and ``turns`` a game and ``score`` a seat (median, mean, sd, max), the latter
        None for a game without; ``legal`` actions a decision (mean, max), ``truncated`` (share of
        games), ``seat_rewards`` and their ``standard_errors``, and ``seat_z``: the largest
        deviation of a seat's mean reward from the mean of all seats, in standard errors.
    """
    env = mages_env.make_vec(
        game, games, num_players=num_players, seed=seed, autoreset="disabled", **options
    ).reset()
    policy = None if player == "random" else make_agent(player, game).policy
    table = None if policy is None else game.table(policy=policy)
    actions = np.zeros(games, np.int64)
    legal_sum = legal_max = 0
    while (running := env.seat >= 0).any():
        counts = np.count_nonzero(env.action_mask, axis=1)
        legal_sum += int(counts.sum())
        legal_max = max(legal_max, int(counts.max()))
        if table is None:
            actions = env.sample_actions()
        else:
            env.act(table, running, actions)
        env.step(actions)
    length, states = env.final_length, env.final_states
    scores = None if game.scores is None else np.array([game.scores(s) for s in states])
    off = env.returns - env.returns.mean(axis=1, keepdims=True)
    errors = np.maximum(off.std(axis=0) / np.sqrt(games), 1e-12)
    return {
        "player": player,
        "num_players": num_players,
        "options": env.options,
        "games": games,
        "decisions": spread(length),
        "turns": spread(states["turn"]),
        "score": None if scores is None else spread(scores),
        "legal": {"mean": legal_sum / int(length.sum()), "max": legal_max},
        "truncated": float(states["truncated"].any(axis=1).mean()),
        "seat_rewards": env.returns.mean(axis=0).tolist(),
        "standard_errors": errors.tolist(),
        "seat_z": float(np.abs(off.mean(axis=0) / errors).max()),
    }


def spread(values: np.ndarray) -> dict[str, float]:
    """How ``values`` lie."""
    return {
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "sd": float(values.std()),
        "max": float(values.max()),
    }


def configurations(game: Game) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The usual options, then every other value of each that has named ones, rewards apart."""
    yield ()
    for option in game.options:
        if isinstance(option.values, tuple) and option.name != "reward":
            yield from (
                ((option.name, value),) for value in option.values if value != usual(option)
            )


def usual(option: Option) -> Any:
    """The default, where it does not depend on the others."""
    return None if callable(option.default) else option.default


def lines(game: Game) -> Iterator[tuple[str, int, tuple[tuple[str, Any], ...]]]:
    """Who plays, how many seats, which options."""
    allowed = [
        (count, configuration)
        for configuration in configurations(game)
        for count in game.players
        if possible(game, count, dict(configuration))
    ]
    yield from (("random", count, configuration) for count, configuration in allowed)
    if rule_based_policy(game) is not None:
        yield from (("rule_based", n, c) for n, c in allowed if not c)


def possible(game: Game, num_players: int, options: dict[str, Any]) -> bool:
    """Whether the options go together."""
    try:
        game.resolve_options(num_players, **options)
    except ValueError:
        return False
    return True


def reference(
    game: Game, player: str, num_players: int, configuration: tuple = ()
) -> dict[str, float]:
    """What is known of these games, by what it is a figure of; empty where nothing is."""
    if player != "random" or configuration or game.name not in REFERENCE:
        return {}
    figure, known = REFERENCE[game.name]
    return {figure: known[num_players]} if num_players in known else {}


def show(game: Game, results: list[dict[str, Any]], console: Console) -> None:
    caption = (
        "median, longest: decisions a game; turns: median; score: mean; known: decisions, turns or "
        "score from elsewhere; legal: mean number of legal actions; cut: games truncated; z: the "
        "seat whose mean reward is furthest off, in standard errors"
    )
    table = Table(
        title=game.title,
        caption=caption,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        box=SIMPLE_HEAD,
    )
    table.add_column("play", no_wrap=True)
    table.add_column("options", no_wrap=True)
    numbers = ["players", "median", "longest", "turns", "score", "known"]
    numbers += ["legal", "most", "cut", "z"]
    for name in numbers:
        table.add_column(name, justify="right")
    for one in results:
        table.add_row(
            one["player"],
            " ".join(str(value) for _, value in one["configuration"]),
            str(one["num_players"]),
            f"{one['decisions']['median']:.0f}",
            f"{one['decisions']['max']:.0f}",
            f"{one['turns']['median']:.0f}",
            "-" if one["score"] is None else f"{one['score']['mean']:.1f}",
            ", ".join(f"{value:g} {figure[0]}" for figure, value in one["reference"].items())
            or "-",
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
        todo = list(lines(game))
        results = []
        for player, count, configuration in track(
            todo, game.title, console=console, transient=True
        ):
            one = measure(game, count, args.games, args.seed, player, **dict(configuration))
            known = reference(game, player, count, configuration)
            results.append({"configuration": configuration, "reference": known, **one})
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
