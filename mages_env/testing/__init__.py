"""The conformance kit: checks a game, of this suite or of your own, for all that it promises.

    from mages_env.testing import check_game
    check_game(my_game)                      # raises ContractError at the first broken promise

    python -m mages_env.testing my_package.my_game:GAME

``PROMISES`` lists what is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mages_env.game import Game
from mages_env.testing.contract import PROMISES, ContractError, Position
from mages_env.testing.faces import check_batch, check_copies, check_pettingzoo, check_refusals
from mages_env.testing.golden import check_golden, golden_configurations, write_golden
from mages_env.testing.play import (
    Invariant,
    advance,
    check_seeds,
    configurations,
    play_checked,
    seeds,
)
from mages_env.testing.secrets import (
    check_forks,
    check_hidden,
    check_openings,
    check_playable,
    check_redrawing,
)
from mages_env.testing.traces import check_other_process
from mages_env.testing.views import check_observations, check_texts, seat_or_first

__all__ = [
    "PROMISES",
    "ContractError",
    "check_game",
    "configurations",
    "golden_configurations",
    "write_golden",
]

PETTINGZOO = 3
"""Configurations that go through PettingZoo's own tests, which are slow."""

ENOUGH = 120
"""Decisions a configuration is played for, in more games where they are short."""

BRANCHES = 40
"""Most legal actions of a sampled position that are tried."""


def check_game(
    game: Game,
    *,
    games: int = 2,
    samples: int = 8,
    seed: int = 0,
    configurations: Iterable[Mapping[str, Any]] | None = None,
    golden: str | Path | None = None,
    invariant: Invariant | None = None,
    report: Callable[[str], None] | None = None,
) -> dict[str, int]:
    """Check every promise of a game.

    Args:
        game: the game.
        games: random games a configuration, more where they are short. Every step is looked at.
        samples: positions of each game that are looked at closely: all views, all legal and
            forbidden actions, redrawn states and forks.
        seed: decides everything that is drawn.
        configurations: options (``num_players`` among them) of each; None: a spread over all.
        golden: folder of golden games; a folder without any breaks the promise. None: not asked.
        invariant: given a state record, raises whatever exception if it cannot be, as in
            ``assert state.hand.sum() + ... == 55``.
        report: is told, a line each, what has been checked.

    Returns:
        Counts of what was checked.

    Raises:
        ContractError: the first broken promise.
    """
    configs = (
        _spread(game, seed)
        if configurations is None
        else [game.resolve_options(**config) for config in configurations]
    )
    tell = report or (lambda line: None)
    counts = dict.fromkeys(
        ("configurations", "games", "decisions", "positions", "refusals", "forks"), 0
    )
    counts["configurations"] = len(configs)
    varied = 0
    played: list[tuple[dict[str, Any], int]] = []
    for config in configs:
        check_seeds(game, config, seed)
        until = counts["decisions"] + ENOUGH
        for k, game_seed in enumerate(seeds(seed + 1, max(games, ENOUGH))):
            if k >= games and counts["decisions"] >= until:
                break
            if k == 0 or counts["decisions"] < until:
                played.append((config, game_seed))
            closely = samples if k < games else min(samples, 2)
            varied += _check_one(game, config, game_seed, closely, invariant, counts)
        counts["forks"] += check_openings(game, config, seed)
    check_hidden(game, varied, configs[0])
    tell(", ".join(f"{count} {name}" for name, count in counts.items()))
    for config in configs:
        counts["games"] += check_batch(game, config, seed)
        check_copies(game, config, seed)
    tell("batch and copies")
    for config in configs[:PETTINGZOO]:
        check_pettingzoo(game, config)
    tell("PettingZoo's own tests")
    counts["compared"] = check_other_process(game, played)
    tell(f"interpreted and in another process, {counts['compared']} decisions compared")
    if golden is not None:
        counts["golden"] = check_golden(game, golden)
        tell(f"{counts['golden']} golden games")
    return counts


_spread = configurations


def _check_one(
    game: Game,
    config: dict[str, Any],
    seed: int,
    samples: int,
    invariant: Invariant | None,
    counts: dict[str, int],
) -> int:
    positions = play_checked(game, config, seed, invariant)
    counts["games"] += 1
    counts["decisions"] += len(positions) - 1
    chosen = np.unique(np.linspace(0, len(positions) - 1, samples).astype(int)).tolist()
    varied = 0
    for k, index in enumerate(chosen):
        here = positions[index]
        counts["positions"] += 1
        check_observations(here)
        check_texts(here)
        varied += check_redrawing(here, invariant)
        if not here.mask.any():
            continue
        _check_branches(here, invariant)
        counts["forks"] += check_forks(here)
        if k == len(chosen) // 2:
            counts["refusals"] += check_refusals(here)
            check_playable(here, seat_or_first(here.state), invariant)
    return varied


def _check_branches(here: Position, invariant: Invariant | None) -> None:
    actions = np.flatnonzero(here.mask)
    rng = np.random.default_rng([here.seed, here.number])
    for action in rng.permutation(actions)[:BRANCHES].tolist():
        check_observations(advance(here, action, invariant))
