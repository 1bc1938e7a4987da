"""``python -m mages_env.testing GAME``: run the conformance kit from the command line."""

from __future__ import annotations

import argparse
import sys
import time

from mages_env import get_game
from mages_env.arguments import read_options
from mages_env.testing import (
    PROMISES,
    ContractError,
    check_game,
    golden_configurations,
    write_golden,
)


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0 all promises are kept, 1 one is broken, 2 bad usage."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        game = get_game(given.game)
        configs = None
        if given.option:
            game, options = read_options(game, given.option)
            configs = [game.resolve_options(**options)]
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if given.write_golden:
        for config in configs or golden_configurations(game):
            print(write_golden(game, given.write_golden, config, given.seed))
        return 0
    start = time.monotonic()

    def report(line: str) -> None:
        print(f"{time.monotonic() - start:6.1f} s  {line}", flush=True)

    print(f"checking {game.name}: {len(PROMISES)} promises")
    try:
        check_game(
            game,
            games=given.games,
            samples=given.samples,
            seed=given.seed,
            configurations=configs,
            golden=given.golden,
            report=report,
        )
    except ContractError as error:
        print(f"BROKEN  {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; nothing was found broken so far", file=sys.stderr)
        return 130
    print(f"{game.name} keeps its promises")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m mages_env.testing",
        description="Checks every promise of a game and names the first broken one.",
        epilog="promises:\n" + "\n".join(f"  {k:12} {v}" for k, v in PROMISES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help="its name, or package.module:NAME of a game of your own")
    parser.add_argument("--games", type=int, default=2, help="random games a configuration (2)")
    parser.add_argument("--samples", type=int, default=8, help="positions a game, closely (8)")
    parser.add_argument("--seed", type=int, default=0, help="decides everything drawn (0)")
    parser.add_argument(
        "--option",
        action="append",
        metavar="NAME=VALUE",
        help="check this one configuration instead of a spread; may be repeated",
    )
    parser.add_argument("--golden", metavar="DIR", help="replay the golden games of this folder")
    parser.add_argument(
        "--write-golden",
        metavar="DIR",
        help="write golden games instead: of three configurations, or of the one of --option",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
