"""What the spells of Magic Duel are worth: a player against itself with some forbidden.

``python -m benchmarks.spells`` from the repository root; ``--help`` names the options. The player
is the search, with as many iterations on both sides, so that the results do not depend on the
machine; or another. One side may not cast a spell, and both know it, in the tree and in the
roll-outs. Every deal is played with either side so handicapped. Games are kept in a results file in
``runs/`` that is named after the code of the players, so an interrupted run goes on where it ended.
Some spells may be studied with more deals than others: what the JSON file holds of the rest, by the
same players, stays.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from benchmarks.machine import code_digest, machine, now
from mages_env.agents import search
from mages_env.agents.rule_based import magic_duel as player
from mages_env.agents.rule_based.magic_duel import EVERY_SPELL, choose
from mages_env.engine import compiled
from mages_env.game import Game
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.data import ENERGY, SPELLS
from mages_env.games.magic_duel.legal import has_target
from mages_env.games.magic_duel.state import (
    A_SPELL,
    A_UNIT,
    CASTING,
    DEEDS,
    MAGES,
    P_ACTIVATE,
    P_SPELL,
    SIGNATURES,
)
from mages_env.training.arena import run_match
from mages_env.training.intervals import rate_interval
from mages_env.training.store import Store

RESULT = Path(__file__).parent / "results" / "spells.json"
PLAYER = "ismcts:iterations=60"
SIDES = (0, 1)
STUDIES = {
    **{spell.name: 1 << k for k, spell in enumerate(SPELLS)},
    "all six": EVERY_SPELL,
}
"""The spells forbidden, as bits."""

_allow = GAME.legal


@dataclass(frozen=True)
class Handicapped(Game):
    """Magic Duel in which ``side`` may not cast some spells; the rule-based player knows it, too.

    Attributes:
        side: who.
        forbidden: the spells, as bits.
        policy: the rule-based player.
    """

    side: int = 0
    forbidden: int = 0
    policy: Callable | None = None

    def table(self, encoder: str | None = None, policy: Callable | None = None) -> Any:
        return super().table(encoder, policy and self.policy)

    def __reduce__(self) -> tuple:
        return handicapped, (self.side, self.forbidden)


@functools.cache
def handicapped(side: int, forbidden: int) -> Handicapped:
    allowed = EVERY_SPELL & ~forbidden

    @compiled(SIGNATURES.legal)
    def legal(s, mask):
        _allow(s, mask)
        if s.seat != side:
            return
        if s.phase == P_SPELL:
            for spell in range(len(SPELLS)):
                if forbidden >> spell & 1 != 0:
                    mask[A_SPELL + spell] = 0
        elif s.phase == P_ACTIVATE and allowed >> ENERGY & 1 == 0:
            actor = s.actor
            for mage in range(MAGES):  # of any use only with a target for another spell
                cast = A_UNIT + len(DEEDS) * mage + CASTING
                if mask[cast] != 0:
                    mask[cast] = 0
                    s.actor = mage
                    for spell in range(len(SPELLS)):
                        if allowed >> spell & 1 != 0 and has_target(s, spell) != 0:
                            mask[cast] = 1
            s.actor = actor

    @compiled(SIGNATURES.policy)
    def policy(s, mask, rng):
        return choose(s, mask, allowed if s.seat == side else EVERY_SPELL)

    rest = {f.name: getattr(GAME, f.name) for f in fields(GAME)}
    return Handicapped(
        **rest | {"name": f"{GAME.name} player_{side} without {forbidden:06b}", "legal": legal},
        side=side,
        forbidden=forbidden,
        policy=policy,
    )


def main() -> int:
    args = arguments()
    console = Console()
    path = args.results or default_results()
    path.parent.mkdir(parents=True, exist_ok=True)
    console.print(f"games are kept in {path}", markup=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Store(path) as store, Progress(*columns, console=console) as progress:
        studies = [study(name, args, store, progress) for name in args.without]
    console.print(results_table(studies))
    players = {"player": args.player, "code": code(), "seed": args.seed}
    document = {
        "measured": now(),
        "machine": machine(),
        **players,
        "studies": merged(studies, args.out, players),
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 0


def study(name: str, args: argparse.Namespace, store: Store, progress: Progress) -> dict[str, Any]:
    """How often the side that has all spells beats the other, a draw counting half."""
    task = progress.add_task(f"without {name}", total=len(SIDES) * args.deals)
    won: dict[int, list[float]] = {}
    for side in SIDES:
        game = handicapped(side, STUDIES[name])
        lineup = (args.player,) * len(SIDES)
        result = run_match(
            game,
            lineup,
            args.deals,
            args.seed,
            store=store,
            processes=args.processes,
            progress=lambda done, _, before=side * args.deals: progress.update(
                task, completed=before + done
            ),
        )
        for played in store.games(game.name, result.options, lineup):
            won.setdefault(played.game_seed, []).append((1 + played.returns[1 - side]) / 2)
    deals = np.array([np.mean(games) for games in won.values() if len(games) == len(SIDES)])
    low, high = rate_interval(deals, len(SIDES))
    return {
        "forbidden": name,
        "games": len(SIDES) * len(deals),
        "win_rate": float(deals.mean()),
        "interval": [low, high],
        "measurable": low > 0.5,
    }


def merged(studies: list[dict[str, Any]], path: Path, players: dict[str, Any]) -> list[dict]:
    """These studies, and the others of the same players that the file holds."""
    rows = {}
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        if players.items() <= found.items():
            rows = {row["forbidden"]: row for row in found["studies"]}
    rows |= {row["forbidden"]: row for row in studies}
    return [rows[name] for name in STUDIES if name in rows]


def results_table(studies: list[dict[str, Any]]) -> Table:
    table = Table("forbidden to the other side", "games", "win rate", "95 %", "measurable")
    for row in studies:
        low, high = row["interval"]
        table.add_row(
            row["forbidden"],
            str(row["games"]),
            f"{row['win_rate']:.1%}",
            f"{low:.1%} to {high:.1%}",
            "yes" if row["measurable"] else "no",
        )
    return table


def code() -> str:
    """Digest of the game and of the players."""
    return code_digest(f"{search.__name__}.ismcts", player.__name__)


def default_results() -> Path:
    return Path("runs") / f"spells-{code()}.sqlite"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--without", nargs="+", choices=STUDIES, default=list(STUDIES), help="default: all"
    )
    parser.add_argument("--deals", type=int, default=200, help="two games each (default 200)")
    parser.add_argument("--player", default=PLAYER, help=f"on both sides (default {PLAYER})")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default 0)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (default 2)")
    parser.add_argument("--results", type=Path, help="results file to add to")
    parser.add_argument("--out", type=Path, default=RESULT, help="JSON file")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
