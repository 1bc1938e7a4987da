"""The demonstration: an opponent is trained, then plays the other agents, within four minutes."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

import mages_env
from mages_env.game import Game
from mages_env.training import tables
from mages_env.training.arena import lineups, record_game, run_matches
from mages_env.training.bars import games_bar
from mages_env.training.playing import Task, make_agents, play_games
from mages_env.training.ratings import ratings
from mages_env.training.results import MatchResult
from mages_env.training.store import Store
from mages_env.training.watch import transcript

GAME = "kampf_der_magier_v0"
SEARCH = "ismcts:iterations=200"
FAST_DEALS, SEARCH_DEALS = 200, 60
SEARCH_SHARE = 0.5
"""Time for the matches with search, as a share of that for training."""
PROCESSES = 2

NEXT = """\
What next:
  mages play kampf --against neural:{model}      play against it
  mages watch {record}                            go through the game
  mages watch {record} --seat 0                   as player_0 saw it
  mages arena kampf neural:{model} rule_based --deals 1000
  mages train kampf --minutes 15                  a stronger one
  mages demo                                      adds to these results"""


def run_demo(out: Path, minutes: float, console: Console) -> None:
    """Train, compare, record a game, and say where everything is.

    Args:
        out: folder for all of it; what is there already is gone on from.
        minutes: for training.
        console: where to write.
    """
    began = time.monotonic()
    game = mages_env.get_game(GAME)
    console.print(Text(f"1. Training by self-play: {game.title}, {minutes:g} minutes", "bold"))
    model = _train(game, out, minutes)
    console.print(Text("\n2. Everybody against everybody, over the same deals", "bold"))
    learned = f"neural:{model}"
    with Store(out / "results.sqlite") as store:
        results = _matches(game, learned, store, 60 * minutes * SEARCH_SHARE)
        rated = ratings(store.games(game.name, game.resolve_options()))
    console.print(tables.results_table(results, game))
    console.print(tables.ratings_table(rated))
    record = _one_game(game, learned, out)
    minutes_taken = (time.monotonic() - began) / 60
    console.print(Text(f"\n3. Saved in {out}, after {minutes_taken:.1f} minutes", "bold"))
    for name, what in (
        (model.name, "the trained opponent"),
        ("learning_curve.png", "how it learned"),
        ("results.sqlite", "every game of the matches"),
        (record.name, "one game, to be watched or replayed"),
        (record.with_suffix(".txt").name, "the same to read"),
    ):
        console.print(Text(f"  {out / name}  {what}"))
    console.print(Text("\n" + NEXT.format(model=model, record=record)))


def _train(game: Game, out: Path, minutes: float) -> Path:
    from mages_env.training import ppo

    args = ppo.Args(minutes=minutes)
    return ppo.train(game, args, out, resume=(out / ppo.RESUME).exists())


def _matches(game: Game, learned: str, store: Store, seconds: float) -> list[MatchResult]:
    """All pairs; those with search as far as the time goes."""
    config = game.resolve_options()
    players = config["num_players"]
    fast = lineups([learned, "rule_based", "random"], "pairs", players)
    slow = lineups([SEARCH, learned, "rule_based", "random"], "field", players)
    with games_bar("Matches") as progress:
        results = run_matches(
            game, fast, FAST_DEALS, options=config, store=store, progress=progress
        )
    deadline = time.monotonic() + seconds
    with games_bar("Matches with search") as progress:
        results += run_matches(
            game,
            slow,
            SEARCH_DEALS,
            options=config,
            store=store,
            progress=progress,
            processes=PROCESSES,
            stop=lambda: time.monotonic() > deadline,
        )
    return sorted(results, key=lambda result: result.lineup)


def _one_game(game: Game, learned: str, out: Path) -> Path:
    """A game of the trained agent against search and rules, as a record and as text."""
    seats = (learned, SEARCH, "rule_based")
    config = game.resolve_options()
    agents = make_agents(game, config, {spec: spec for spec in seats})
    (played,) = play_games(game, config, agents, [Task(seats, seed=0, deal=0)], batch=1)
    record = record_game(game, config, played)
    path = record.save(out / "game.jsonl")
    path.with_suffix(".txt").write_text(transcript(record), encoding="utf-8")
    return path
