"""``mages train``: its options are the settings of the algorithms."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import typer

from mages_env.training.naming import as_words, configuration, find_game, substituting
from mages_env.training.settings import ALGORITHMS, Setting, settings_of

AGENTS = {"ppo": "neural", "sb3": "sb3"}
"""How ``make_agent`` calls what they train."""
KINDS = {"ppo": "ppo", "sb3": "sb3_ppo"}
"""How checkpoints call it."""
RESUME = "resume.safetensors"

EXAMPLES = """Train an agent; progress, checkpoints, TensorBoard and a learning curve as it goes.

Everything goes into a folder, from which a stopped run goes on with --resume.

\b
mages train kampf --minutes 2
mages train kampf --algo sb3 --decisions 1000000 --out runs/sb3
mages train kampf -p 4 -o variant=open_pile --learning-rate 5e-4 --hidden 512,512
mages train kampf --resume
"""


def register_train(
    app: typer.Typer,
    game_name: Any,
    options: Any,
    players: Any,
    clear_errors: Callable[[str], AbstractContextManager],
    tell: Callable[[str], None],
) -> None:
    """Add the command to ``app``; the first types are those of the arguments all commands share."""
    known = {name: settings_of(name) for name in ALGORITHMS}

    def train(**given: Any) -> None:
        algorithm = given["algo"]
        again = f"Stopped. Go on with: mages train {given['game']} --algo {algorithm} --resume"
        if given["out"] is not None:
            again += f" --out {given['out']}"
        with clear_errors(again):
            if algorithm not in ALGORITHMS:
                raise ValueError(f"--algo {algorithm} must be one of {', '.join(ALGORITHMS)}")
            standard = find_game(given["game"])
            game, config = configuration(standard, given["players"], given["option"])
            substitutes = substituting(standard, given["option"])
            out = given["out"] or Path("runs") / f"{game.name}-{algorithm}"
            settings = _chosen(algorithm, known, given)
            if given["resume"]:
                stored, stored_config = _stored(out, algorithm)
                if "decisions" in settings:
                    stored["minutes"] = 0.0
                settings = stored | settings
                if given["players"] is None and given["option"] == substitutes:
                    config = stored_config
            module = importlib.import_module(ALGORITHMS[algorithm])
            num_players = config.pop("num_players")
            model = module.train(
                game,
                module.Args(**settings),
                out,
                num_players=num_players,
                options=config,
                resume=given["resume"],
            )
            agent = f"{AGENTS[algorithm]}:{model}"
            asked = given["game"] + as_words(substitutes)
            tell(f"Trained: {agent}; play against it: mages play {asked} -a {agent}")

    parameters = [
        _parameter("game", game_name, inspect.Parameter.empty),
        _parameter(
            "algo",
            Annotated[str, typer.Option(metavar="ppo|sb3", help=_ALGO_HELP)],
            "ppo",
        ),
        _parameter(
            "out",
            Annotated[
                Path | None,
                typer.Option(
                    metavar="FOLDER", help="Folder of the run.", show_default="runs/GAME-ALGO"
                ),
            ],
            None,
        ),
        _parameter(
            "resume",
            Annotated[bool, typer.Option("--resume", help=_RESUME_HELP)],
            False,
        ),
        _parameter("players", players, None),
        _parameter("option", options, []),
        *(_setting_parameter(name, known) for name in _names(known)),
    ]
    train.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    train.__annotations__ = {p.name: p.annotation for p in parameters}
    app.command("train", help=EXAMPLES)(train)


_ALGO_HELP = (
    "ppo: self-play PPO on the batch, against past selves too; sb3: MaskablePPO of SB3-contrib."
)


_RESUME_HELP = (
    "Go on with the run in the folder; --minutes and --decisions are the total, from its beginning."
)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _names(known: dict[str, tuple[Setting, ...]]) -> list[str]:
    return list(dict.fromkeys(setting.name for settings in known.values() for setting in settings))


def _find(settings: tuple[Setting, ...], name: str) -> Setting | None:
    return next((setting for setting in settings if setting.name == name), None)


def _setting_parameter(name: str, known: dict[str, tuple[Setting, ...]]) -> inspect.Parameter:
    """An option for a setting of one algorithm or of several; left out, it stays at its default."""
    having = {algo: found for algo, s in known.items() if (found := _find(s, name)) is not None}
    first = next(iter(having.values()))
    defaults = {algo: setting.shown or "none" for algo, setting in having.items()}
    shown = ", ".join(f"{algo}: {value}" for algo, value in defaults.items())
    if len(set(defaults.values())) == 1:
        shown = first.shown or "none"
    panel = "Settings" if len(having) == len(known) else f"Settings of {' and '.join(having)}"
    return _parameter(
        name,
        Annotated[
            str | None,
            typer.Option(
                first.option,
                metavar=first.kind.upper() if first.kind.isalpha() else "A,B,...",
                help=_meaning(having),
                show_default=shown,
                rich_help_panel=panel,
            ),
        ],
        None,
    )


def _meaning(having: dict[str, Setting]) -> str:
    meanings = {setting.meaning for setting in having.values()}
    if len(meanings) == 1:
        return meanings.pop()
    return " ".join(f"{algo}: {setting.meaning}" for algo, setting in having.items())


def _stored(out: Path, algorithm: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings and configuration of the run in a folder, so that they need not be said again.

    Raises:
        ValueError: no run there, or one of another algorithm.
    """
    from mages_env.training import checkpoint

    _, header = checkpoint.load(out / RESUME)
    if header["kind"] != KINDS[algorithm]:
        raise ValueError(f"{out} holds a run of kind {header['kind']!r}, not of --algo {algorithm}")
    settings = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in header["progress"]["args"].items()
    }
    return settings, dict(header["config"])


def _chosen(
    algorithm: str, known: dict[str, tuple[Setting, ...]], given: dict[str, Any]
) -> dict[str, Any]:
    """The settings given, as values.

    Raises:
        ValueError: of the wrong kind, or one that only another algorithm has.
    """
    chosen = {}
    for name in _names(known):
        if given[name] is None:
            continue
        setting = _find(known[algorithm], name)
        if setting is None:
            raise ValueError(
                f"--algo {algorithm} has no setting --{name.replace('_', '-')}; "
                "'mages train --help' lists those it has"
            )
        chosen[name] = setting.parse(given[name])
    return chosen
