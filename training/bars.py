"""Progress on the error stream, for whatever takes more than two seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_PLAIN_SECONDS = 10.0


@contextmanager
def games_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of games played, or a line every ten seconds where there is no terminal.

    Yields:
        What to call with the games done and the games to play.
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task(title, total=None)
    told = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal told
        bar.update(task, completed=done, total=total)
        if not console.is_terminal and time.monotonic() - told >= _PLAIN_SECONDS:
            told = time.monotonic()
            console.print(f"{title}: {done} of {total} games", highlight=False)

    with bar:
        yield progress
