"""What every measuring script shares: pin, warm up, time, print one JSON line.

Runs inside a peer's interpreter, hence the standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from random import random

WARM_UP_SECONDS = 0.5

Play = Callable[[], int]
"""Plays on for a few milliseconds or more; returns how many decisions were made."""


def main(distribution: str, interfaces: Mapping[str, Callable[[], Play]]) -> None:
    """Measures the interface named on the command line.

    Args:
        distribution: name under which the library was installed, for its version.
        interfaces: what can be measured; each value imports the library, sets up and returns
            the play to be timed. It is called after pinning, so thread pools see one core.
    """
    started = time.perf_counter()
    parser = argparse.ArgumentParser()
    parser.add_argument("interface", choices=interfaces)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--core", type=int)
    args = parser.parse_args()
    if args.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {args.core})

    play = interfaces[args.interface]()
    play()
    first = time.perf_counter() - started
    timed(play, WARM_UP_SECONDS)
    busy = time.process_time()
    decisions, seconds = timed(play, args.seconds)
    busy = time.process_time() - busy
    line = {
        "name": distribution,
        "interface": args.interface,
        "decisions": decisions,
        "seconds": seconds,
        "cpu_seconds": busy,  # less than seconds: other processes had the core
        "first_play_seconds": first,  # imports, compilation and the first call of play
        "version": version(distribution),
    }
    print(json.dumps(line))


def timed(play: Play, at_least: float) -> tuple[int, float]:
    """Decisions made and seconds taken, whole plays only."""
    decisions = 0
    start = time.perf_counter()
    while (seconds := time.perf_counter() - start) < at_least:
        decisions += play()
    return decisions, seconds


def version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "source tree"


def pick(options):
    """One of a sequence, each as likely; the same for all, and cheaper than random.choice."""
    return options[int(random() * len(options))]


def aec_play(env, games: int = 20) -> Play:
    """PettingZoo's documented AEC loop, for its environments and ours alike."""

    def play() -> int:
        decisions = 0
        for _ in range(games):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(pick(observation["action_mask"].nonzero()[0])))
                decisions += 1
        return decisions

    return play
