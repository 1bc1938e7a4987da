"""``check_game``: every check, over a spread of configurations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mages_env.engine.state import RUNNING
from mages_env.game import Game
from mages_env.testing import play
from mages_env.testing.contract import Position, options_text
from mages_env.testing.faces import check_batch, check_copies, check_pettingzoo, check_refusals
from mages_env.testing.golden import check_golden
from mages_env.testing.hidden import (
    check_forks,
    check_hidden,
    check_openings,
    check_playable,
    check_redrawing,
    hides,
)
from mages_env.testing.traces import check_other_process
from mages_env.testing.views import check_observations, check_scores, check_texts, seat_or_first

ENOUGH = 120
"""Decisions a configuration is played for, in more games where they are short."""

BRANCHES = 40
"""Most legal actions of a sampled position that are tried."""

PETTINGZOO = 3
"""Configurations that go through PettingZoo's own tests."""


def check_game(
    game: Game,
    *,
    games: int = 2,
    samples: int = 8,
    seed: int = 0,
    configurations: Iterable[Mapping[str, Any]] | None = None,
    golden: str | Path | None = None,
    invariant: play.Invariant | None = None,
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
    if configurations is None:
        configs = play.configurations(game, seed)
    else:
        configs = [game.resolve_options(**config) for config in configurations]
    run = _Run(game, games, samples, seed, invariant)
    tell = report or (lambda line: None)
    for k, config in enumerate(configs, start=1):
        run.rules(config)
        tell(f"rules, configuration {k} of {len(configs)}: {options_text(config)}")
    check_hidden(game, run.counts["redrawn"], configs[0])
    for k, config in enumerate(configs):
        run.faces(config, pettingzoo=k < PETTINGZOO)
    run.counts["refusals"] = sum(map(check_refusals, run.middles))
    tell(f"environments: {run.counts['refusals']} refusals, batch, copies, PettingZoo's own tests")
    run.counts["compared"] = check_other_process(game, run.replayed)
    tell(f"interpreted and in another process: {run.counts['compared']} decisions compared")
    if golden is not None:
        run.counts["golden"] = check_golden(game, golden)
        tell(f"golden games: {run.counts['golden']} replayed")
    return {"configurations": len(configs), **run.counts}


@dataclass
class _Run:
    game: Game
    games: int
    samples: int
    seed: int
    invariant: play.Invariant | None
    counts: Counter[str] = field(default_factory=Counter)
    middles: list[Position] = field(default_factory=list)
    replayed: list[tuple[dict[str, Any], int]] = field(default_factory=list)

    def rules(self, config: dict[str, Any]) -> None:
        """Random games: every step, and sampled positions closely."""
        play.check_seeds(self.game, config, self.seed)
        decisions = 0
        for k, walk in enumerate(self.walks(config)):
            self.closely(walk, self.samples if k < self.games else 2)
            if k < self.games:
                self.middles.append(walk[(len(walk) - 1) // 2])
            if decisions < ENOUGH:
                self.replayed.append((config, walk[0].seed))
            decisions += len(walk) - 1
            self.counts["games"] += 1
        self.counts["decisions"] += decisions
        self.counts["forks"] += check_openings(self.game, config, self.seed)

    def walks(self, config: dict[str, Any]) -> list[list[Position]]:
        walks: list[list[Position]] = []
        for seed in play.seeds(self.seed + 1, max(self.games, ENOUGH)):
            if len(walks) >= self.games and sum(map(len, walks)) >= ENOUGH:
                break
            walks.append(play.play_checked(self.game, config, seed, self.invariant))
        return walks

    def closely(self, walk: list[Position], samples: int) -> None:
        spread = np.linspace(0, len(walk) - 1, samples).astype(int).tolist()
        # Secrets may be rare: one position that has some is always among them.
        secret = 0
        if not self.game.perfect_information:
            secret = next((index for index, here in enumerate(walk) if hides(here)), 0)
        chosen = sorted({*spread, secret})
        for index in chosen:
            here = walk[index]
            self.counts["positions"] += 1
            check_observations(here)
            check_scores(here)
            check_texts(here)
            self.counts["redrawn"] += check_redrawing(here, self.invariant)
            if here.state[0].over == RUNNING:
                self.branches(here)
                self.counts["forks"] += check_forks(here)
                if index == chosen[len(chosen) // 2]:
                    check_playable(here, seat_or_first(here.state), self.invariant)

    def branches(self, here: Position) -> None:
        actions = np.flatnonzero(here.mask)
        rng = np.random.default_rng([here.seed, here.number])
        for action in rng.permutation(actions)[:BRANCHES].tolist():
            check_observations(play.advance(here, action, self.invariant))

    def faces(self, config: dict[str, Any], pettingzoo: bool) -> None:
        self.counts["games"] += check_batch(self.game, config, self.seed)
        check_copies(self.game, config, self.seed)
        if pettingzoo:
            check_pettingzoo(self.game, config)
