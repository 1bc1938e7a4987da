"""The demonstration: an opponent is trained, then plays the other agents, within four minutes."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

import mages_env
from mages_env.game import Game
from mages_env.training import tables
from mages_env.training.arena import label_of, lineups, record_game, run_matches
from mages_env.training.bars import games_bar
from mages_env.training.playing import Task, make_agents, play_games
from mages_env.training.ratings import ratings
from mages_env.training.results import MatchResult
from mages_env.training.store import Store
from mages_env.training.watch import transcript

GAME = "kampf_der_magier_v0"
SEARCH = "ismcts:iterations=200"
FAST_DEALS, SEARCH_DEALS = 200, 60
SEARCH_SHARE, LEAST_SEARCH_SECONDS = 0.5, 20.0
"""Time for the matches with search: that share of the time for training."""
PROCESSES = 2

SAVED = """\
  {out}/model.safetensors   the trained opponent
  {out}/learning_curve.png  how it learned
  {out}/results.sqlite      every game of the matches
  {out}/game.jsonl          one game, to be watched or replayed
  {out}/game.txt            the same to read"""
NEXT = """\
What next?
  Play against it:    mages play kampf -a neural:{out}/model.safetensors
  Watch the game:     mages watch {out}/game.jsonl
  As one seat saw it: mages watch {out}/game.jsonl --seat 0
  Surer results:      mages demo --out {out} --minutes {minutes:g} (goes on with the matches)
  A stronger one:     mages train kampf --minutes 15
  All there is:       mages --help"""


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
    agents = [f"neural:{_train(game, out, minutes)}", SEARCH, "rule_based", "random"]
    console.print(Text("\n2. Everybody against everybody, over the same deals", "bold"))
    with Store(out / "results.sqlite") as store:
        results = _matches(game, agents, store, 60 * minutes * SEARCH_SHARE)
        rated = ratings(store.games(game.name, game.resolve_options()))
    console.print(tables.results_table(results, game))
    console.print(tables.ratings_table(rated))
    _one_game(game, agents[:3], out)
    taken = (time.monotonic() - began) / 60
    console.print(Text(f"\n3. Saved after {taken:.1f} minutes", "bold"))
    console.print(Text(SAVED.format(out=out)), soft_wrap=True)
    console.print(Text("\n" + NEXT.format(out=out, minutes=minutes)), soft_wrap=True)


def _train(game: Game, out: Path, minutes: float) -> Path:
    from mages_env.training import ppo

    args = ppo.Args(minutes=minutes)
    return ppo.train(game, args, out, resume=(out / ppo.RESUME).exists())


def _matches(game: Game, agents: list[str], store: Store, seconds: float) -> list[MatchResult]:
    """All pairs; those with search as far as the time goes."""
    config = game.resolve_options()
    players = config["num_players"]
    quick = [agent for agent in agents if agent != SEARCH]
    with games_bar("Matches") as progress:
        results = run_matches(
            game,
            lineups(quick, "pairs", players),
            FAST_DEALS,
            options=config,
            store=store,
            progress=progress,
        )
    deadline = time.monotonic() + max(seconds, LEAST_SEARCH_SECONDS)
    with games_bar("Matches with search") as progress:
        results += run_matches(
            game,
            lineups([SEARCH, *quick], "field", players),
            SEARCH_DEALS,
            options=config,
            store=store,
            progress=progress,
            processes=PROCESSES,
            stop=lambda: time.monotonic() > deadline,
        )
    order = [label_of(agent) for agent in agents]
    return sorted(results, key=lambda result: [order.index(agent) for agent in result.lineup])


def _one_game(game: Game, seats: list[str], out: Path) -> None:
    """A game of the trained agent against search and rules, as a record and as text."""
    config = game.resolve_options()
    agents = make_agents(game, config, {spec: spec for spec in seats})
    (played,) = play_games(game, config, agents, [Task(tuple(seats), seed=0, deal=0)], batch=1)
    record = record_game(game, config, played)
    path = record.save(out / "game.jsonl")
    path.with_suffix(".txt").write_text(transcript(record), encoding="utf-8")
