"""Writes the parts of the README and of the pages in docs/ that come from the code or its results.

``python docs/generate.py`` brings them up to date, with ``--check`` it only says which are not. A
part lies between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``; everything else is written by
hand and left as it is. The parts of a game's page are ``GAME_PARTS`` and what ``PARTS`` of the
module ``docs`` in the game's folder adds, where there is one; all of them must be there.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

import mages_env
from mages_env.game import Encoder, Game, Option
from mages_env.testing import PROMISES

DOCS = Path(__file__).resolve().parent


def folder(game: Game) -> str:
    """The game's name without its version: how its folder and its page are called."""
    return re.sub(r"_v\d+$", "", game.name)


def table(head: str, rows: list[list[str]]) -> str:
    columns = head.split("|")
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def code(text: object) -> str:
    return f"`{text}`"


def bounds(values: range) -> str:
    return f"{values[0]:,} to {values[-1]:,}"


# Parts of a game's page.


def facts(game: Game) -> str:
    encoder = game.encoder()
    names = f"player_0 .. player_{game.max_players - 1}"
    kind = "perfect" if game.perfect_information else "imperfect"
    summed = {value: total for value, total in game.score_sum.items() if total is not None}
    rewards = ", ".join(f"{code(value)} sums to {total:g}" for value, total in summed.items())
    free = ", ".join(
        f"{code(value)} has no fixed sum"
        for value, total in game.score_sum.items()
        if total is None
    )
    low, high = encoder.layout.low, encoder.layout.high
    mask = f"action_mask: ({game.num_actions},) int8"
    rows = [
        ["make", code(f'mages_env.make("{game.name}")')],
        ["PettingZoo", code(f"from mages_env import {game.name}")],
        ["players", f"{bounds(game.players)}, {game.default_players} unless asked otherwise"],
        ["agents", code(names)],
        ["action space", code(f"Discrete({game.num_actions})")],
        [
            "observation space",
            code(f"Dict(observation: Box({low:g}, {high:g}, ({encoder.layout.size},)), {mask})"),
        ],
        ["state space", code(f"Box({game.full.layout.size},)")],
        ["information", kind],
        ["rewards", ", ".join(filter(None, [rewards, free]))],
        ["record", f"{game.dtype.itemsize:,} bytes"],
    ]
    return table("what|value", rows)


def actions(game: Game) -> str:
    return game.actions.table()


def observations(game: Game) -> str:
    parts = []
    for number, (name, encoder) in enumerate(game.encoders.items()):
        default = ", the default" if number == 0 else ""
        meaning = f"{encoder.meaning}{default}" if encoder.meaning else default.strip(", ")
        if encoder.players_text:
            meaning = f"{encoder.players_text}: {meaning}"
        parts.append(f"`encoder={name!r}`".replace("'", '"') + f": {meaning}. {_size(encoder)}")
        parts.append(encoder.layout.table())
    return "\n\n".join(parts)


def state(game: Game) -> str:
    return f"{_size(game.full)}\n\n{game.full.layout.table()}"


def _size(encoder: Encoder) -> str:
    layout = encoder.layout
    return (
        f"({layout.size},) float32 in [{layout.low:g}, {layout.high:g}], digest `{encoder.digest}`."
    )


def options(game: Game) -> str:
    players = ["`num_players`", bounds(game.players), str(game.default_players), "seats", ""]
    return table(
        "option|values|default|meaning|rule",
        [players, *(_option(option) for option in game.options), *_substitutes(game)],
    )


def _option(option: Option) -> list[str]:
    default = option.default_text or code(repr(option.default))
    return [code(option.name), option.values_text, default, option.meaning, option.rule]


def _substitutes(game: Game) -> list[list[str]]:
    return [
        [code(name), f"a {takes}", "none", f"another game: {meaning}", ""]
        for name, (takes, meaning) in game.substitute_texts().items()
    ]


def position(game: Game) -> str:
    """A game under way, as the seat to move sees it: the first legal action three times."""
    env = mages_env.make(game)
    env.reset(seed=1)
    lines = []
    for _ in range(3):
        action = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
        lines.append(f"{env.agent_selection}: {env.action_text(action)}")
        env.step(action)
    return "\n".join(["```", *lines, "", env.to_text(env.agent_selection), "```"])


GAME_PARTS: Mapping[str, Callable[[Game], str]] = {
    "facts": facts,
    "actions": actions,
    "observations": observations,
    "state": state,
    "options": options,
    "position": position,
}


# Parts of other pages.


def games() -> str:
    rows = []
    for game in map(mages_env.get_game, mages_env.games()):
        sizes = [str(game.num_actions), str(game.encoder().layout.size)]
        page = f"[{game.title}](games/{folder(game)}.md)"
        rows.append([page, code(game.name), bounds(game.players), *sizes, game.summary])
    return table("game|name|players|actions|observation|what it is", rows)


def games_with_rules() -> str:
    rows = []
    for game in map(mages_env.get_game, mages_env.games()):
        page = f"[{game.title}](docs/games/{folder(game)}.md)"
        rules = f"[RULES.md](mages_env/games/{folder(game)}/RULES.md)"
        rows.append([page, code(game.name), bounds(game.players), str(game.num_actions), rules])
    return table("game|name|players|actions|rules", rows)


def speeds() -> str:
    """From the results of benchmarks.throughput, the latest first."""
    results = (DOCS.parent / "benchmarks" / "results").glob("throughput*.json")
    found = [json.loads(result.read_text(encoding="utf-8")) for result in results]
    found.sort(key=lambda measured: measured["measured"], reverse=True)
    return "\n\n".join(map(speeds_of_one_machine, found))


def speeds_of_one_machine(measured: Mapping) -> str:
    rows = []
    for game in map(mages_env.get_game, mages_env.games()):
        found = measured["games"][game.name]
        rate = found["decisions_per_second"]
        large = "batch of 4096, 1 thread"
        batch = millions(rate[large])
        if "median_per_second" in found:
            batch += f", median {millions(found['median_per_second'][large])}"
        most = f"{large}, {game.max_players} players"
        if most in rate:
            batch += f" ({game.max_players} players: {millions(rate[most])})"
        aec = [f"{rate[f'AEC {env}()'] / 1000:.0f}" for env in ("env", "raw_env")]
        start = found["start_seconds"]
        seconds = [start[f"{kind}: import and first step"] for kind in ("cold", "warm")]
        rows.append(
            [
                f"{game.title}, {game.default_players}",
                batch,
                " / ".join(aec),
                f"{seconds[0]:.0f} s / {seconds[1]:.1f} s",
            ]
        )
    head = (
        "game, players|batch of 4,096, M decisions/s|AEC `env()` / `raw_env()`, 1,000 decisions/s"
    )
    where = f"{measured['machine']['cpu']}, {measured['measured'].split()[0]}:"
    return f"{where}\n\n" + table(f"{head}|first step: compiling / later starts", rows)


def millions(rate: float) -> str:
    return f"{rate / 1e6:.2f}"


def promises() -> str:
    return table("promise|what is checked", [[code(name), text] for name, text in PROMISES.items()])


PAGES: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    DOCS.parent / "README.md": {"games": games_with_rules, "speeds": speeds},
    DOCS / "index.md": {"games": games},
    DOCS / "contract.md": {"promises": promises},
}


def filled(text: str, parts: Mapping[str, Callable[[], str]], page: Path) -> str:
    """``text`` with its parts as the code has them now.

    Raises:
        SystemExit: the page lacks a part, or has one that nothing generates.
    """
    there = re.findall(r"<!-- begin (\w+) -->", text)
    if sorted(there) != sorted(parts):
        raise SystemExit(f"{page}: has the parts {sorted(there)}, must have {sorted(parts)}")
    for name, make in parts.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise SystemExit(f"{page}: {end} is missing")
        text = f"{before}{begin}\n\n{make()}\n\n{end}{after}"
    return text


def pages() -> dict[Path, Mapping[str, Callable[[], str]]]:
    """Every page with generated parts, and how they are made."""
    found = dict(PAGES)
    for name in mages_env.games():
        game = mages_env.get_game(name)
        found[DOCS / "games" / f"{folder(game)}.md"] = {
            part: (lambda make=make, game=game: make(game)) for part, make in GAME_PARTS.items()
        } | own_parts(game)
    return found


def own_parts(game: Game) -> Mapping[str, Callable[[], str]]:
    """What only this game's page has."""
    module = f"{game.module}.docs"
    return importlib.import_module(module).PARTS if importlib.util.find_spec(module) else {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if out of date")
    check = parser.parse_args().check
    stale = []
    for page, parts in pages().items():
        if not page.is_file():
            raise SystemExit(f"{page} is missing; start from the page of another game")
        text = page.read_text(encoding="utf-8")
        wanted = filled(text, parts, page)
        if wanted != text:
            stale.append(page.relative_to(DOCS.parent))
            if not check:
                page.write_text(wanted, encoding="utf-8")
    for page in stale:
        print(f"{page}: {'out of date' if check else 'brought up to date'}")
    if stale and check:
        print("run: python docs/generate.py", file=sys.stderr)
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
