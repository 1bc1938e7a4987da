"""The command ``mages``: reads the line, hands on to the modules beside it, words the errors."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

if find_spec("typer") is None or find_spec("rich") is None:
    print(
        "mages: the command line needs the extra 'train': pip install 'mages-env[train]'",
        file=sys.stderr,
    )
    sys.exit(2)

import typer
from rich.console import Console
from rich.text import Text

import mages_env
from mages_env.training.files import check_folder, check_readable, check_writable, unused
from mages_env.training.naming import as_words, configuration, find_game, substituting
from mages_env.training.train_command import register_train

app = typer.Typer(
    name="mages",
    help="Mage games as research environments: train, compare, play, watch.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
INTERRUPTED = 130

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's name or its beginning ('kampf'), or module:NAME for one of your own.",
        show_default=False,
    ),
]
Options = Annotated[
    list[str],
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, as often as you like; 'mages games GAME' names them.",
        show_default=False,
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="Number of players.", show_default="the game's own"),
]
Seed = Annotated[int, typer.Option(help="Decides the deals: the same seed, the same games.")]


@contextmanager
def clear_errors(going_on: str = "") -> Iterator[None]:
    """Turns expected errors into one line and exit code 2, Ctrl-C into a way to go on."""
    from mages_env.training.store import StoreError

    try:
        yield
    except KeyboardInterrupt:
        tell(going_on or "Stopped.")
        raise typer.Exit(INTERRUPTED) from None
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError as error:
        fail(f"not enough memory ({error})")
    except (ValueError, FloatingPointError, StoreError) as error:
        fail(str(error))
    except ModuleNotFoundError as error:
        fail(f"{error.name} is not installed: pip install 'mages-env[train]'")
    except ImportError as error:
        fail(str(error))


def tell(text: str) -> None:
    """A line to the person, beside the output proper."""
    Console(stderr=True, soft_wrap=True).print(Text(text))


def fail(text: str) -> None:
    """The error line, and out."""
    Console(stderr=True, soft_wrap=True).print(Text(f"mages: {text}", style="red"))
    raise typer.Exit(2)


def _version(asked: bool) -> None:
    if asked:
        print(f"mages-env {mages_env.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command()
def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Only this one, in detail.", show_default=False),
    ] = None,
) -> None:
    """The games: players, options and what they mean, observations, actions.

    \b
    mages games             all, at a glance
    mages games kampf       one, with every option and block
    """
    from mages_env.training import tables

    console = Console()
    with clear_errors():
        if name is None:
            console.print(tables.games_table([find_game(n) for n in mages_env.games()]))
            return
        game = find_game(name)
    console.print(Text(f"{game.title} ({game.name})\n{game.summary}", style="bold"))
    console.print(f"{tables.span(game.players)} players, default {game.default_players}\n")
    console.print(tables.options_table(game))
    for encoder_name, encoder in game.encoders.items():
        title = f"Observation {encoder_name!r}: {encoder.layout.size} numbers"
        if encoder.players_text:
            title += f", {encoder.players_text}"
        console.print(tables.blocks_table(title, encoder.layout))
    console.print(tables.blocks_table(f"Actions: {game.num_actions}", game.actions))


register_train(app, GameName, Options, Players, clear_errors, tell)


@app.command()
def arena(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="random, rule_based, ismcts:iterations=200, ismcts:time_ms=20, neural:FILE, "
            "sb3:FILE.",
            show_default=False,
        ),
    ],
    deals: Annotated[
        int, typer.Option(min=1, help="Deals; each is played from every seating.")
    ] = 100,
    vs: Annotated[
        str,
        typer.Option(
            metavar="pairs|field|ffa",
            help="pairs: one of each against copies of each other; field: the first agent so "
            "against the others and they against it; ffa: all different at one table.",
        ),
    ] = "pairs",
    players: Players = None,
    option: Options = [],  # noqa: B006 - typer wants it
    seed: Seed = 0,
    results: Annotated[
        Path, typer.Option(metavar="FILE", help="SQLite file that results are added to.")
    ] = Path("arena.sqlite"),
    processes: Annotated[
        int, typer.Option(min=1, help="Processes to share the deals, for agents that think long.")
    ] = 1,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table there too.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write results and ratings there too.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep a record of every game played now, for 'watch'."),
    ] = None,
) -> None:
    """Matches between agents over duplicate deals, with 95 % intervals and ratings.

    Every deal is played from every seating, so that the luck of the deal cancels.

    Results are added to a file: deals that are there are not played again; a stopped run goes on.

    \b
    mages arena kampf rule_based random
    mages arena kampf ismcts:time_ms=20 rule_based --deals 500 --processes 2
    mages arena kampf neural:runs/kampf/model.safetensors rule_based random --vs field
    mages arena kampf rule_based random -p 4 -o variant=open_pile --json results.json
    """
    from mages_env.training import tables
    from mages_env.training.arena import lineups, run_matches
    from mages_env.training.bars import games_bar
    from mages_env.training.ratings import ratings
    from mages_env.training.store import Store

    with clear_errors(f"Stopped. What was played is in {results}; the same command goes on."):
        found, config = configuration(find_game(game), players, option)
        matches = lineups(agents, vs, config["num_players"])
        for path, spelled in ((csv, "--csv"), (json, "--json")):
            if path is not None:
                check_writable(path, spelled)
        if records is not None:
            check_folder(records, "--records")
        finished: list[int] = []
        with Store(results) as store:
            with games_bar("Arena") as show:

                def progress(done: int, total: int) -> None:
                    finished.append(done)
                    show(done, total)

                outcome = run_matches(
                    found,
                    matches,
                    deals,
                    seed,
                    config,
                    store=store,
                    progress=progress,
                    processes=processes,
                    records=records,
                )
            rated = ratings(store.games(found.name, config))
        console = Console()
        console.print(tables.results_table(outcome, found))
        if rated:
            console.print(tables.ratings_table(rated))
        if csv is not None:
            tables.write_csv(csv, outcome)
        if json is not None:
            tables.write_json(json, outcome, rated)
        earlier, played = finished[0], finished[-1] - finished[0]
        written = [results, csv, json, records if played else None]
        tell(f"Written: {', '.join(str(path) for path in written if path is not None)}")
        if records is not None and earlier:
            tell(
                f"{earlier} games were in {results} already, so they were not played and have no "
                "record; another --results plays them again"
            )


@app.command()
def play(
    game: GameName,
    against: Annotated[
        list[str],
        typer.Option(
            "--against",
            "-a",
            metavar="AGENT",
            help="An opponent; once for all seats, or once for each.",
            show_default="rule_based, or ismcts for a game without",
        ),
    ] = [],  # noqa: B006 - typer wants it
    seat: Annotated[
        int | None, typer.Option(help="Your seat, from 0.", show_default="by lot")
    ] = None,
    players: Players = None,
    option: Options = [],  # noqa: B006 - typer wants it
    seed: Annotated[
        int | None, typer.Option(help="Deal this game.", show_default="a new one")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the game there; a file that is there is kept, this one gets a number.",
            show_default="records/GAME-SEED.jsonl",
        ),
    ] = None,
) -> None:
    """Play at the terminal, in words; '?' there helps, 'quit' saves and leaves.

    In some games '? NAME' says what the card, unit or spell of that name does.

    \b
    mages play kampf
    mages play kampf --against ismcts:time_ms=200 --seat 0
    mages play kampf -a random -a neural:demo_out/model.safetensors -o rounds=1
    """
    with clear_errors():
        from mages_env.training.play import opponents
        from mages_env.training.play import play as play_game

        standard = find_game(game)
        found, config = configuration(standard, players, option)
        agents = opponents(found, against, config["num_players"] - 1)
        if seat is None:
            seat = secrets.randbelow(config["num_players"])
        if not 0 <= seat <= len(agents):
            raise ValueError(f"--seat {seat} must be from 0 to {len(agents)}")
        if seed is None:
            seed = secrets.randbits(32)
        path = record or Path("records") / f"{found.name}-{seed}.jsonl"
        check_writable(path, "--record")
        path = unused(path)
        play_game(found, config, agents, seat, seed, Console(), _reader(), path)
        own = f" --game {game}" if ":" in game else ""
        own += as_words(substituting(standard, option))
        tell(f"Saved; go through it: mages watch {path}{own}")


def _reader() -> Callable[[str], str]:
    """Plain input, with editing and history where the terminal has them."""
    if find_spec("readline") is not None and sys.stdin.isatty():
        import readline  # noqa: F401
    return input


@app.command()
def watch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A game record.", show_default=False)
    ],
    seat: Annotated[
        int | None,
        typer.Option(help="Only what this seat knew.", show_default="what each mover knew"),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="Only what everybody knew.")] = False,
    start: Annotated[int, typer.Option("--from", min=1, help="Begin with this decision.")] = 1,
    whole: Annotated[bool, typer.Option("--all", help="Do not stop after each decision.")] = False,
    game: Annotated[
        str | None,
        typer.Option(help="module:NAME, for a record of your own game.", show_default=False),
    ] = None,
    option: Annotated[
        list[str],
        typer.Option(
            "--option",
            "-o",
            metavar="NAME=VALUE",
            help="What made it another game, such as deck=FILE; the record holds the options.",
            show_default=False,
        ),
    ] = [],  # noqa: B006 - typer wants it
) -> None:
    """Go through a recorded game, decision by decision.

    \b
    mages watch demo_out/game.jsonl
    mages watch demo_out/game.jsonl --seat 1 --from 20
    mages watch demo_out/game.jsonl --all > game.txt
    mages watch game.jsonl -o deck=my_deck.json
    """
    from mages_env.record import read_record
    from mages_env.training.watch import played_game, steps
    from mages_env.training.watch import watch as show

    with clear_errors():
        check_readable(file, "a game record")
        record = read_record(file)
        pages = steps(record, played_game(record, game, option), seat, public, start)
        read = None if whole or not sys.stdin.isatty() else _reader()
        show(pages, Console(), read)


@app.command()
def bench(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")] = "kampf_der_magier_v0",
    full: Annotated[
        bool,
        typer.Option("--full", help="The whole benchmark of the source tree, which takes minutes."),
    ] = False,
) -> None:
    """Decisions a second on this machine, of every interface.

    \b
    mages bench
    mages bench kampf --full
    """
    from mages_env.training.speed import measure

    with clear_errors():
        found = find_game(game)
        if not full:
            measure(found, Console())
            return
        root = Path(mages_env.__file__).parent.parent
        if not (root / "benchmarks" / "throughput.py").is_file():
            raise ValueError("--full needs a source tree, which has the folder benchmarks/")
        command = [sys.executable, "-m", "benchmarks.throughput", "--game", found.name]
        raise typer.Exit(subprocess.run(command, cwd=root).returncode)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where everything is saved.")] = Path(
        "demo_out"
    ),
    minutes: Annotated[
        float, typer.Option(min=0.01, help="Time for training; matches take about as long again.")
    ] = 2.0,
) -> None:
    """Train an opponent for Kampf der Magier, then let it play the others: about four minutes.

    Saves model, learning curve, results and one game. Run again, it goes on from there.
    """
    from mages_env.training.demo import run_demo

    with clear_errors(f"Stopped. What there is so far is in {out}; the same command goes on."):
        run_demo(out, minutes, Console())


def main() -> None:
    """Entry point of the command."""
    app()


if __name__ == "__main__":
    main()
