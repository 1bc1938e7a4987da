"""What a training run shows and leaves behind: progress bar, CSV, TensorBoard, learning curve."""

from __future__ import annotations

import csv
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

CURVE = "learning_curve.png"
TABLE = "progress.csv"


class Report:
    """Reports a run into its folder; use it in a ``with`` statement.

    Args:
        run_dir: gets ``progress.csv``, ``learning_curve.png`` and ``tensorboard/``.
        title: for the first line and the picture.
        fair: fair share of wins, drawn into the picture as a line; None: played alone, so that
            evaluations are mean returns, not shares of wins.
        decisions: where a resumed run goes on; later rows of an earlier attempt are dropped.
        quiet: show nothing.
    """

    def __init__(
        self,
        run_dir: Path,
        title: str,
        fair: float | None,
        decisions: int = 0,
        quiet: bool = False,
    ) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.run_dir = run_dir
        self.title = title
        self.fair = fair
        self._table = run_dir / TABLE
        self.rows = [row for row in _read(self._table) if row["decisions"] <= decisions]
        self._writer = SummaryWriter(str(run_dir / "tensorboard"), purge_step=decisions + 1)
        console = Console(stderr=True, quiet=quiet)
        self._bar = Progress(  # fits into 80 columns
            BarColumn(bar_width=12),
            TaskProgressColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._plain = not console.is_terminal
        self._task = self._bar.add_task("starting", total=1.0)
        self._rates = ""

    def __enter__(self) -> Report:
        self.say(self.title)
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
        self._writer.close()
        self.draw()

    def say(self, text: str) -> None:
        """A line above the bar."""
        self._bar.console.print(text, highlight=False)

    def advance(self, share: float, decisions: int, per_second: float) -> None:
        """The bar: share of the run that is done, decisions so far and speed."""
        text = f"{decisions / 1e6:.2f} M, {per_second / 1e3:.0f} k/s{self._rates}"
        self._bar.update(self._task, completed=min(1.0, share), description=text)

    def scalars(self, decisions: int, values: Mapping[str, float]) -> None:
        """To TensorBoard, by decisions."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, decisions)

    def evaluation(self, decisions: int, seconds: float, results: Mapping[str, float]) -> None:
        """A row of the table, which is rewritten whole so that no line is ever half written."""
        row = {"decisions": decisions, "seconds": round(seconds, 1)}
        row |= {name: round(value, 4) for name, value in results.items()}
        self.rows.append(row)
        if self.fair is None:
            self.scalars(decisions, results)
            self._rates = "".join(f"; {name} {value:+.3f}" for name, value in results.items())
        else:
            self.scalars(decisions, {f"win_rate/{name}": rate for name, rate in results.items()})
            won = ", ".join(f"{name} {rate:.0%}" for name, rate in results.items())
            self._rates = f"; wins: {won}" if results else ""
        columns = list(dict.fromkeys(name for r in self.rows for name in r))
        partial = self._table.with_suffix(".partial")
        with partial.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(self.rows)
        partial.replace(self._table)
        self.draw()
        if self._plain:
            self.say(f"{decisions / 1e6:.2f} M decisions, {seconds:.0f} s{self._rates}")

    def draw(self) -> None:
        """The learning curve as a picture."""
        if self.rows:
            draw_curve(self.rows, self.run_dir / CURVE, self.title, self.fair)


def draw_curve(rows: list[dict[str, float]], path: Path, title: str, fair: float | None) -> None:
    """Win rates by decisions, or mean returns where ``fair`` is None, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    millions = [row["decisions"] / 1e6 for row in rows]
    for name in rows[-1]:
        if name not in ("decisions", "seconds"):
            scale, label = (1, f"mean {name}") if fair is None else (100, f"against {name}")
            values = [scale * row.get(name, float("nan")) for row in rows]
            axes.plot(millions, values, marker="o", markersize=3, label=label)
    axes.set(title=title, xlabel="decisions (millions)", xlim=(0, None))
    if fair is None:
        axes.set(ylabel="return")
    else:
        axes.axhline(100 * fair, color="gray", linestyle="--", linewidth=1, label="fair share")
        axes.set(ylabel="games won (%)", ylim=(0, 100))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    partial = path.with_suffix(".partial")
    figure.savefig(partial, format="png")
    partial.replace(path)


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(newline="") as file:
        return [
            {name: float(value) for name, value in row.items() if value}
            for row in csv.DictReader(file)
        ]


@contextmanager
def stop_request() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets instead of interrupting; a second Ctrl-C interrupts.

    Outside the main thread, where signals cannot be caught, the event is never set.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def on_interrupt(signum: int, frame: Any) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
