"""Results as tables for people and as CSV and JSON for programs."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from mages_env.game import Game
from mages_env.training.ratings import Rating
from mages_env.training.results import MatchResult, Standing


def games_table(games: Sequence[Game]) -> Table:
    """Names, players, options and encoders of games."""
    table = Table(
        title="Games",
        title_justify="left",
        show_lines=True,
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    names = {"game": 19, "options": 20}  # whole at 80 columns
    for column in ("game", "players", "options", "observations", "actions"):
        table.add_column(column, min_width=names.get(column))
    for game in games:
        table.add_row(
            f"{game.name}\n{game.title}\n{escape(game.summary)}",
            f"{span(game.players)}\n(default {game.default_players})",
            "\n".join(option.name for option in game.options),
            "\n".join(f"{name} ({e.layout.size})" for name, e in game.encoders.items()),
            str(game.num_actions),
        )
    return table


def options_table(game: Game) -> Table:
    """The options of a game, what they mean and what they may be."""
    table = Table(title="Options (-o name=value)", title_justify="left")
    for column in ("option", "values", "default", "meaning", "rule"):
        table.add_column(column)
    for option in game.options:
        if isinstance(option.values, range):
            values = span(option.values)
        else:
            values = ", ".join(map(str, option.values))
        default = option.default_text if callable(option.default) else str(option.default)
        table.add_row(option.name, values, default, escape(option.meaning), option.rule)
    for name, (takes, meaning) in game.substitute_texts().items():
        table.add_row(name, f"a {takes}", "none", escape(f"another game: {meaning}"), "")
    return table


def blocks_table(title: str, layout: Any) -> Table:
    """The named blocks of an observation or of the action ids."""
    table = Table(title=title, title_justify="left")
    for column in ("from", "block", "shape", "meaning"):
        table.add_column(column)
    for block in layout.blocks:
        shape = " x ".join(map(str, block.shape)) or "1"
        table.add_row(str(layout.start(block.name)), block.name, shape, escape(block.meaning))
    return table


def span(values: range) -> str:
    """In words."""
    return f"{values[0]} to {values[-1]}" if len(values) > 1 else str(values[0])


def results_table(results: Sequence[MatchResult], game: Game) -> Table:
    """Win rates with their intervals, returns and scores."""
    if all(len(result.lineup) == 1 for result in results):
        return _alone_table(results, game)
    table = Table(title="Matches", title_justify="left", box=SIMPLE_HEAD, padding=0, pad_edge=False)
    table.add_column("agent", overflow="fold")
    table.add_column("against", overflow="fold")
    numbers = ["wins", "95 %", "return", "score", "games", "ms/move"]
    if game.scores is None:
        numbers.remove("score")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    for result in results:
        for standing in _shown(result):
            low, high = standing.win_interval
            row = [
                short(standing.agent),
                against(result, standing),
                f"{standing.win_rate:.1%}",
                f"{100 * low:.1f}–{100 * high:.1f}",
                f"{standing.mean_return:+.2f}",
                str(result.games),
                _milliseconds(standing.seconds_per_decision),
            ]
            if standing.mean_score is not None:
                row.insert(5, f"{standing.mean_score:.1f}")
            table.add_row(*row)
        if not result.standings:
            others = _counted(Counter(result.lineup[1:]))
            table.add_row(short(result.lineup[0]), others, "no deal", "complete")
    notes = [f"wins: first places a seat, ties shared; fair share {_fair(results)}"]
    if game.scores is not None and game.score_meaning:
        notes.append(f"score: {game.score_meaning}")
    if any(result.truncated for result in results):
        notes.append(f"{sum(r.truncated for r in results)} games ended by the turn limit")
    table.caption = "\n".join(notes)
    table.caption_justify = "left"
    return table


def _alone_table(results: Sequence[MatchResult], game: Game) -> Table:
    """Scores, or returns for a game without, of agents that play by themselves."""
    table = Table(title="Games", title_justify="left", box=SIMPLE_HEAD, padding=0, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for column in ("score" if game.scores else "return", "95 %", "games", "ms/move"):
        table.add_column(column, justify="right", no_wrap=True)
    for result in results:
        for standing in result.standings:
            mean, interval = standing.mean_return, standing.return_interval
            if standing.mean_score is not None:
                mean, interval = standing.mean_score, standing.score_interval
            table.add_row(
                short(standing.agent),
                f"{mean:.2f}",
                f"{interval[0]:.2f}–{interval[1]:.2f}" if interval else "-",
                str(result.games),
                _milliseconds(standing.seconds_per_decision),
            )
        if not result.standings:
            table.add_row(short(result.lineup[0]), "-", "-", "0", "-")
    if game.scores is not None and game.score_meaning:
        table.caption = f"score: {game.score_meaning}"
        table.caption_justify = "left"
    return table


def short(label: str) -> str:
    """A label for people: without folders and endings of files, the digest cut to four digits."""
    label = re.sub(r"(?<=[:=])[^@,=]*[/\\\\]", "", label)
    label = re.sub(r"(\.safetensors|\.zip)?@([0-9a-f]{4})[0-9a-f]{4}$", r"@\2", label)
    return label.replace(":", " ", 1)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.1f}" if seconds >= 1e-4 else "<0.1"


def _shown(result: MatchResult) -> Sequence[Standing]:
    """One agent against copies of another needs one line: the rest follows from it."""
    return result.standings[:1] if len(result.standings) == 2 else result.standings


def against(result: MatchResult, standing: Standing) -> str:
    """The others at the table, copies counted: "2 x random"."""
    others = Counter(result.lineup)
    others[standing.agent] -= 1
    return _counted(+others)


def _counted(agents: Counter[str]) -> str:
    return " + ".join(f"{n} x {short(a)}" if n > 1 else short(a) for a, n in agents.items())


def _fair(results: Sequence[MatchResult]) -> str:
    return ", ".join(sorted({f"{result.fair_share:.1%}" for result in results}))


def ratings_table(rated: Sequence[Rating]) -> Table:
    """Skill, best first."""
    table = Table(
        title="Ratings (OpenSkill)", title_justify="left", box=SIMPLE_HEAD, pad_edge=False
    )
    table.add_column("agent", overflow="fold")
    for column in ("skill", "+-", "games"):
        table.add_column(column, justify="right")
    for rating in rated:
        table.add_row(
            short(rating.agent), f"{rating.mu:.1f}", f"{1.96 * rating.sigma:.1f}", str(rating.games)
        )
    return table


def write_csv(path: Path, results: Iterable[MatchResult]) -> None:
    """One line an agent and match."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer: csv.DictWriter | None = None
        for result in results:
            for standing in result.standings:
                row = _flat(result, standing)
                if writer is None:
                    writer = csv.DictWriter(file, list(row))
                    writer.writeheader()
                writer.writerow(row)


def _flat(result: MatchResult, standing: Standing) -> dict[str, Any]:
    row: dict[str, Any] = {
        "game": result.game,
        "options": json.dumps(result.options),
        "lineup": " ".join(result.lineup),
        "deals": result.deals,
        "games": result.games,
        "truncated": result.truncated,
    }
    for name, value in asdict(standing).items():
        if name.endswith("_interval"):
            stem = name.removesuffix("_interval")
            row[f"{stem}_low"], row[f"{stem}_high"] = value or ("", "")
        else:
            row[name] = value
    return row


def write_json(path: Path, results: Iterable[MatchResult], rated: Iterable[Rating]) -> None:
    """Everything, with plain values."""
    document = {
        "matches": [asdict(result) for result in results],
        "ratings": [asdict(rating) for rating in rated],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
