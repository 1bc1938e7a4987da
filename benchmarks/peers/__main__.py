"""Command line: ``python -m benchmarks.peers``, from the repository root."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.peers import report
from benchmarks.peers.catalogue import CONTENDERS, OURS, REQUIREMENTS, UNITS
from benchmarks.peers.runs import ROOT, MeasureError, Series, measure
from benchmarks.peers.venvs import DEFAULT_FOLDER, InstallError, ready

QUIET = 0.95
"""Share of its core that a measurement gets on a machine with nothing else to do, at least."""


def main() -> int:
    args = arguments()
    console = Console()
    chosen = [c for c in CONTENDERS if args.only is None or c.library in (OURS, *args.only)]
    results = [Series(c) for c in chosen if args.comparison in ("all", c.comparison)]
    interrupted = False
    try:
        compare(results, args, console)
    except KeyboardInterrupt:
        interrupted = True
        console.print("interrupted; keeping what was measured")
    for comparison in UNITS:
        if args.comparison in ("all", comparison):
            console.print(report.as_table(comparison, results))
    for series in results:
        if series.error:
            name = f"{series.contender.library} {series.contender.interface}"
            console.print(f"{name}: {series.error}", style="red", markup=False)
    shares = [share for series in results for share in series.core_shares]
    if min(shares, default=1.0) < QUIET:
        console.print(f"not a quiet machine: down to {min(shares):.0%} of the core", style="yellow")
    if not any(series.rates for series in results):
        console.print("nothing was measured, nothing written")
        return 130 if interrupted else 1

    conditions = {"seconds": args.seconds, "rounds": args.rounds, "core": args.core}
    document = report.as_json(results, **conditions, interrupted=interrupted)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {args.out}", markup=False)
    return 130 if interrupted else 0


def compare(results: list[Series], args: argparse.Namespace, console: Console) -> None:
    """Fills ``results``: environments first, then every contender in turn, round after round.

    A library that cannot be installed or measured is left with its error; the others go on.
    """
    libraries = list(dict.fromkeys(series.contender.library for series in results))
    pythons = {OURS: Path(sys.executable)}
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        peers = [library for library in libraries if library != OURS]
        task = progress.add_task("environments", total=len(peers))
        for peer in peers:
            progress.update(task, description=f"environment: {peer}")
            try:
                pythons[peer] = ready(args.venvs, peer, REQUIREMENTS[peer])
            except (InstallError, OSError) as error:
                for series in results:
                    if series.contender.library == peer:
                        series.error = f"cannot install: {error}"
            progress.advance(task)

        task = progress.add_task("rounds", total=args.rounds * len(results))
        for number in range(1, args.rounds + 1):
            for series in results:
                one = series.contender
                name = f"round {number}: {one.comparison}, {one.library} {one.interface}"
                progress.update(task, description=name)
                if not series.error:
                    try:
                        python = pythons[one.library]
                        series.add(measure(one, python, args.seconds, args.core))
                    except MeasureError as error:
                        series.error = str(error)
                progress.advance(task)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description="Measure mages-env beside other libraries on Leduc hold'em.",
    )
    add = parser.add_argument
    add("--seconds", type=float, default=3.0, help="per measurement, after warm-up (default 3)")
    add("--rounds", type=int, default=3, help="times each is measured, in turn (default 3)")
    add("--comparison", choices=("all", *UNITS), default="all", help="what to compare")
    add("--only", nargs="+", choices=REQUIREMENTS, help="these peers and ours")
    add("--core", type=int, default=last_core(), help="core to run on (default: the last one)")
    add(
        "--venvs",
        type=Path,
        default=DEFAULT_FOLDER,
        help="default ~/.cache/mages_env/peers",
    )
    out = ROOT / "benchmarks" / "results" / "peers.json"
    add("--out", type=Path, default=out, help="default benchmarks/results/peers.json")
    args = parser.parse_args()
    if args.rounds < 1 or args.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    args.venvs = args.venvs.expanduser().resolve()
    return args


def last_core() -> int | None:
    """The last core this process may use; None where cores cannot be chosen."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


if __name__ == "__main__":
    sys.exit(main())
