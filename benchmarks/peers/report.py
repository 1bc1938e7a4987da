"""The result as a table to read and as JSON to keep."""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import median

from rich.box import SIMPLE_HEAD
from rich.table import Table

from benchmarks.machine import machine
from benchmarks.peers.catalogue import REQUIREMENTS, UNITS
from benchmarks.peers.runs import Series


def as_json(results: list[Series], **conditions) -> dict:
    """Everything measured; ``conditions`` (seconds, rounds, ...) are recorded beside it."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "conditions": conditions,
        "requirements": {peer: list(pins) for peer, pins in REQUIREMENTS.items()},
        "results": [
            {
                "comparison": series.contender.comparison,
                "library": series.contender.library,
                "version": series.version,
                "interface": series.contender.interface,
                "unit": UNITS[series.contender.comparison],
                "median": series.rate,
                "rounds": series.rates,
                "first_play_seconds": series.first_play_seconds,
                "core_shares": series.core_shares,
                "ours_times_as_fast": ratios(series, results),
                "error": series.error or None,
            }
            for series in results
        ],
    }


def as_table(comparison: str, results: list[Series]) -> Table:
    """One row per interface; the last columns say how many times as fast ours is."""
    results = [series for series in results if series.contender.comparison == comparison]
    ours = [series.contender.interface for series in results if series.contender.ours]
    table = Table(
        title=f"Leduc hold'em, {comparison}: {UNITS[comparison]} of one core",
        caption="start: imports, compilation, first call\n"
        f"{', '.join(ours)}: how many times as fast ours is\n{_versions(results)}",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    table.add_column("library and interface", no_wrap=True)
    for name in ("median", "spread", "start", *ours):
        table.add_column(name, justify="right")
    for series in results:
        one = series.contender
        name = f"{one.library} {one.interface}"
        if series.rate is None:
            table.add_row(name, "[red]failed" if series.error else "-")
            continue
        first = f"{median(series.first_play_seconds):.1f} s"
        spread = f"{(max(series.rates) - min(series.rates)) / series.rate:.0%}"
        ratio = ratios(series, results)
        figures = (short(series.rate), spread, first)
        table.add_row(name, *figures, *(_times(ratio.get(interface)) for interface in ours))
    return table


def ratios(peer: Series, results: list[Series]) -> dict[str, float | None]:
    """For each of our interfaces, how many times as fast as ``peer`` it is."""
    if peer.contender.ours:
        return {}
    return {
        ours.contender.interface: ours.times(peer)
        for ours in results
        if ours.contender.ours and ours.contender.comparison == peer.contender.comparison
    }


def short(rate: float) -> str:
    """A rate in three figures: 940, 33.1 k, 2.41 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:#.3g}{letter}".replace(". ", " ")
    return f"{rate:.0f}"


def _versions(results: list[Series]) -> str:
    versions = {s.contender.library: s.version for s in results if s.version}
    return ", ".join(f"{library} {version}" for library, version in versions.items())


def _times(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"
