"""Golden games: records that are kept with a game's tests and must replay word for word.

They hold a digest of every observation too, so that a changed encoder is noticed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from mages_env.engine.state import RUNNING
from mages_env.game import Game
from mages_env.record import Record, Recorder, RecordError, read_record, replay
from mages_env.testing.contract import ContractError
from mages_env.testing.play import random_action
from mages_env.testing.views import encode, legal_mask


def golden_configurations(game: Game) -> list[dict[str, Any]]:
    """The default; the fewest players with the last value of every choice; the most players.

    The last value that goes with the choices before it.
    """
    last: dict[str, Any] = {"num_players": game.players[0]}
    for option in game.options:
        if not isinstance(option.values, range):
            last[option.name] = next(
                value
                for value in reversed(option.values)
                if _goes(game, {**last, option.name: value})
            )
    wanted: list[dict[str, Any]] = [{}, last, {"num_players": game.players[-1]}]
    configs = [game.resolve_options(**options) for options in wanted]
    return [config for k, config in enumerate(configs) if config not in configs[:k]]


def _goes(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.resolve_options(**options)
    except ValueError:
        return False
    return True


def write_golden(game: Game, folder: str | Path, config: dict[str, Any], seed: int) -> Path:
    """Play one random game and keep it in ``folder``, named by what is not default."""
    recorder = Recorder(game, config, seed)
    rng = np.random.default_rng(seed)
    while recorder.state[0].over == RUNNING:
        recorder.add(random_action(legal_mask(game, recorder.state), rng))
    recorder.notes["observations"] = _digests(game, recorder.record())
    return recorder.record().save(Path(folder) / f"{_name(game, config)}.jsonl")


def _name(game: Game, config: dict[str, Any]) -> str:
    chosen: dict[str, Any] = {"num_players": config["num_players"]}
    for option in game.options:
        if config[option.name] != game.resolve_options(**chosen)[option.name]:
            chosen[option.name] = config[option.name]
    values = [str(value) for value in chosen.values()]
    return "_".join([values[0], "players", *values[1:]])


def _digests(game: Game, record: Record) -> dict[str, str]:
    digests = {name: hashlib.sha256() for name in game.encoders}
    for state, decision in replay(record, game, words=True):
        seats = range(record.options["num_players"]) if decision is None else [decision.seat]
        for name, encoder in game.encoders.items():
            for seat in seats:
                digests[name].update(encode(encoder, state, seat).tobytes())
    return {name: digest.hexdigest() for name, digest in digests.items()}


def check_golden(game: Game, folder: str | Path) -> int:
    """Replay every record in ``folder``; how many there were."""
    paths = sorted(Path(folder).glob("*.jsonl"))
    if not paths:
        raise ContractError(
            "golden",
            f"no golden games in {folder}; make some: "
            f"python -m mages_env.testing {game.name} --write-golden {folder}",
            game.name,
        )
    for path in paths:
        try:
            record = read_record(path)
            digests = _digests(game, record)
        except RecordError as error:
            raise ContractError("golden", str(error), str(path)) from error
        if record.outcome == "unfinished":
            raise ContractError("golden", "the recorded game was not finished", str(path))
        kept = record.notes.get("observations", {})
        changed = [name for name, digest in kept.items() if digests.get(name) != digest]
        if changed or not kept:
            raise ContractError(
                "golden", f"observations differ from the record: {', '.join(changed)}", str(path)
            )
    return len(paths)
