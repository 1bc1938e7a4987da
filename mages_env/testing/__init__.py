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
    counts = dict.fromkeys(("configurations", "games", "decisions", "positions", "forks"), 0)
    counts["configurations"] = len(configs)
    varied = 0
    middles: list[Position] = []
    replayed: list[tuple[dict[str, Any], int]] = []
    for config in configs:
        check_seeds(game, config, seed)
        walks = _walks(game, config, games, seed + 1, invariant)
        middles += [walk[(len(walk) - 1) // 2] for walk in walks[:games]]
        decisions = 0
        for k, walk in enumerate(walks):
            varied += _look_closely(walk, samples if k < games else 2, invariant, counts)
            if decisions < ENOUGH:
                replayed.append((config, walk[0].seed))
            decisions += len(walk) - 1
        counts["forks"] += check_openings(game, config, seed)
        counts["games"] += len(walks)
        counts["decisions"] += decisions
    check_hidden(game, varied, configs[0])
    tell(", ".join(f"{count} {name}" for name, count in counts.items()))
    counts["refusals"] = sum(map(check_refusals, middles))
    for config in configs:
        counts["games"] += check_batch(game, config, seed)
        check_copies(game, config, seed)
    tell(f"{counts['refusals']} refusals, the batch, copies")
    for config in configs[:PETTINGZOO]:
        check_pettingzoo(game, config)
    tell("PettingZoo's own tests")
    counts["compared"] = check_other_process(game, replayed)
    tell(f"interpreted and in another process, {counts['compared']} decisions compared")
    if golden is not None:
        counts["golden"] = check_golden(game, golden)
        tell(f"{counts['golden']} golden games")
    return counts


_spread = configurations


def _walks(
    game: Game, config: dict[str, Any], games: int, seed: int, invariant: Invariant | None
) -> list[list[Position]]:
    walks: list[list[Position]] = []
    for game_seed in seeds(seed, max(games, ENOUGH)):
        if len(walks) >= games and sum(map(len, walks)) >= ENOUGH:
            break
        walks.append(play_checked(game, config, game_seed, invariant))
    return walks


def _look_closely(
    walk: list[Position], samples: int, invariant: Invariant | None, counts: dict[str, int]
) -> int:
    """Sampled positions of a game; how many times a state had anything to redraw."""
    chosen = np.unique(np.linspace(0, len(walk) - 1, samples).astype(int)).tolist()
    varied = 0
    for k, index in enumerate(chosen):
        here = walk[index]
        counts["positions"] += 1
        check_observations(here)
        check_texts(here)
        varied += check_redrawing(here, invariant)
        if not here.mask.any():
            continue
        _check_branches(here, invariant)
        counts["forks"] += check_forks(here)
        if k == len(chosen) // 2:
            check_playable(here, seat_or_first(here.state), invariant)
    return varied


def _check_branches(here: Position, invariant: Invariant | None) -> None:
    actions = np.flatnonzero(here.mask)
    rng = np.random.default_rng([here.seed, here.number])
    for action in rng.permutation(actions)[:BRANCHES].tolist():
        check_observations(advance(here, action, invariant))
