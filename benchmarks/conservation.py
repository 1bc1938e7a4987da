"""Whether Dark Mages keeps its cards and its bounds, on millions of random decisions.

``python -m benchmarks.conservation`` from the repository root; ``--help`` names the options. After
every decision of uniformly random play all 112 cards have to be somewhere, and hit points, Magic
Shield, AC, attack bonus, arcane level, hands and places within what the deck allows. What was
checked is written down after every configuration; the next call goes on from there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import mages_env
from benchmarks.machine import machine, now
from mages_env.engine import RUNNING
from mages_env.games.dark_mages.deck import (
    COLUMN,
    HAND,
    MOD_AC,
    MOD_ATTACK,
    MOD_LEVEL,
    STATS,
    TOTAL,
)
from mages_env.games.dark_mages.state import (
    BASE_AC,
    CARD,
    DECK,
    FULL_HP,
    KINDS,
    NONE,
    SLOTS,
    STATUS,
)

GAME = "dark_mages_v0"
RESULT = Path(__file__).parent / "results" / "conservation_dark_mages.json"
ROWS = 1024
COPIES = np.array([card["copies"] for card in DECK.cards])


class Broken(Exception):
    """Something that has to hold does not; says what, and in how many positions."""


def _bounds(stat: int, base: int) -> tuple[int, int]:
    """Lowest and highest value with the items and statuses of the deck all at once."""
    worn = CARD[:KINDS, COLUMN[f"passive_{STATS[stat]}"]]
    slots = CARD[:KINDS, COLUMN["slot"]]
    items = [[0, *worn[slots == slot].tolist()] for slot in range(SLOTS)]
    changes = STATUS[STATUS[:, 0] == stat, 1]
    return (
        base + sum(map(min, items)) + int(changes[changes < 0].sum()),
        base + sum(map(max, items)) + int(changes[changes > 0].sum()),
    )


MAGICIANS = {
    "hp": (0, FULL_HP),
    "pool": (0, TOTAL),
    "ac": _bounds(MOD_AC, BASE_AC),
    "attack_bonus": _bounds(MOD_ATTACK, 0),
    "level": _bounds(MOD_LEVEL, 1),
    "hand_size": (0, HAND),
    "companion_hp": (0, TOTAL),
}


def cards(states: np.ndarray, players: int) -> np.ndarray:
    """(positions, kinds) copies, wherever they are."""
    rows = len(states)
    found = states["discards"].astype(np.int64).ravel()
    places = (
        (states["stack"], np.arange(TOTAL) < states["stack_size"][:, None]),
        (
            states["hand"][:, :players],
            np.arange(HAND) < states["hand_size"][:, :players, None],
        ),
        (states["items"][:, :players], states["items"][:, :players] != NONE),
        (states["companion"][:, :players], states["companion"][:, :players] != NONE),
        (states["enemy"], states["enemy"] != NONE),
        (
            states["queue"][:, :, 0],
            np.arange(states["queue"].shape[1]) < states["queue_size"][:, None],
        ),
    )
    for kinds, there in places:
        first = np.arange(rows).reshape((rows,) + (1,) * (kinds.ndim - 1)) * KINDS
        found += np.bincount((first + kinds)[there], minlength=rows * KINDS)
    return found.reshape(rows, KINDS)


def check(states: np.ndarray, players: int) -> None:
    """Raises ``Broken`` unless all positions keep cards and bounds."""

    def demand(kept: np.ndarray, what: str) -> None:
        if not kept.all():
            raise Broken(f"{what} in {np.count_nonzero(~kept)} of {len(states)} positions")

    demand((cards(states, players) == COPIES).all(axis=1), "cards are lost or made")
    for name, (low, high) in MAGICIANS.items():
        values = states[name][:, :players]
        demand(((values >= low) & (values <= high)).all(axis=1), f"{name} outside {low} to {high}")
    running = states["over"] == RUNNING
    alive = states["alive"][:, :players] != 0
    standing = states["hp"][:, :players] > 0
    demand(~running | (alive == standing).all(axis=1), "a fallen magician with hit points or such")
    demand(alive[np.arange(len(states)), states["seat"]] | ~running, "a fallen magician is asked")
    demand(states["turn"] <= states["max_turns"], "more turns than the limit")


def configurations(players: int) -> list[dict[str, Any]]:
    """Options that random play is spread over."""
    found: list[dict[str, Any]] = [
        {},
        {"rules": "1.0"},
        {"overflow": True, "cantrip_rule": "always"},
    ]
    if players >= 4 and players % 2 == 0:
        found.append({"teams": 2})
    return found


def run(
    players: int, decisions: int, seed: int, report: Any = None, rows: int = ROWS, **options: Any
) -> dict[str, int]:
    """Checks ``decisions`` (rounded up to whole steps of ``rows`` games) and counts.

    Args:
        report: is called with the number of decisions of every step.

    Returns:
        ``decisions`` and ``games`` that came to their end.

    Raises:
        Broken: something did not hold.
    """
    env = mages_env.make_vec(GAME, rows, num_players=players, seed=seed, **options).reset()
    check(env.states, players)
    done = games = 0
    while done < decisions:
        env.step(env.sample_actions())
        ended = env.terminated | env.truncated
        check(env.states, players)
        check(env.final_states[ended], players)
        games += int(np.count_nonzero(ended))
        done += rows
        if report is not None:
            report(rows)
    return {"decisions": done, "games": games}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.conservation", description=(__doc__ or "").split("\n\n", 1)[1]
    )
    parser.add_argument("--players", type=int, nargs="+", default=list(range(2, 9)))
    parser.add_argument("--decisions", type=int, default=10_000_000, help="a player count (1e7)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true", help="forget what was checked before")
    parser.add_argument("--out", type=Path, default=RESULT)
    args = parser.parse_args()
    console = Console()
    results = []
    if args.out.exists() and not args.again:
        results = json.loads(args.out.read_text(encoding="utf-8"))["results"]
    for players in args.players:
        spread = configurations(players)
        share = -(-args.decisions // len(spread))
        for options in spread:
            known = {"num_players": players, "options": options}
            if any(known.items() <= r.items() and r["decisions"] >= share for r in results):
                continue
            with Progress(console=console, transient=True) as progress:
                task = progress.add_task(f"{players} players {options or ''}", total=share)
                found = run(
                    players, share, args.seed, lambda n, t=task: progress.advance(t, n), **options
                )
            results = [r for r in results if not known.items() <= r.items()] + [known | found]
            document = {
                "measured": now(),
                "machine": machine(),
                "seed": args.seed,
                "results": results,
            }
            args.out.parent.mkdir(parents=True, exist_ok=True)
            args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
            console.print(
                f"{players} players {options or ''}: {found['decisions']:,} decisions, "
                f"{found['games']:,} games, all kept",
                markup=False,
            )


if __name__ == "__main__":
    try:
        main()
    except Broken as broken:
        raise SystemExit(f"BROKEN: {broken}") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was finished is written, the next call goes on") from None
