"""Runs one measuring script in its interpreter and collects the rates of all rounds."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.peers.catalogue import Contender
from benchmarks.peers.venvs import outside_environment

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PATIENCE_SECONDS = 300.0  # beyond the measurement itself: imports and compilation


class MeasureError(Exception):
    """A script ended without a result; the message is the last line it wrote."""


@dataclass
class Series:
    """What was measured of one contender, round by round.

    ``rates`` are per second of processor time: on a core of its own that is the time passed, on a
    shared one it leaves out what other processes took (``core_shares``: processor / passed).
    """

    contender: Contender
    rates: list[float] = field(default_factory=list)
    first_play_seconds: list[float] = field(default_factory=list)
    core_shares: list[float] = field(default_factory=list)
    version: str = ""
    error: str = ""

    @property
    def rate(self) -> float | None:
        return median(self.rates) if self.rates else None

    def add(self, line: dict) -> None:
        self.rates.append(line["decisions"] / line["cpu_seconds"])
        self.first_play_seconds.append(line["first_play_seconds"])
        self.core_shares.append(line["cpu_seconds"] / line["seconds"])
        self.version = line["version"]

    def times(self, other: Series) -> float | None:
        """How many times as fast as ``other``: the median of the rounds that both have."""
        ratios = [mine / theirs for mine, theirs in zip(self.rates, other.rates, strict=False)]
        return median(ratios) if ratios else None


def measure(contender: Contender, python: Path, seconds: float, core: int | None) -> dict:
    """The JSON line of one run.

    Raises:
        MeasureError: the script failed, took too long or printed no result.
    """
    command = [str(python), str(HERE / contender.script), contender.interface]
    command += ["--seconds", str(seconds)]
    if core is not None:
        command += ["--core", str(core)]
    environment = outside_environment()
    if contender.ours:
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS + 5 * seconds,
        )
    except subprocess.TimeoutExpired as late:
        raise MeasureError(f"no result after {late.timeout:.0f} s") from None
    if done.returncode:
        raise MeasureError((done.stderr.strip() or "no message").splitlines()[-1])
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise MeasureError("printed no result") from None
