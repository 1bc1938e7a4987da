"""Games and options by the words of the command line."""

from __future__ import annotations

import difflib
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import mages_env
from mages_env.arguments import read_options
from mages_env.game import Game


def find_game(text: str) -> Game:
    """A game by its name, by a beginning that only one has, or as ``module:NAME``.

    Modules are also looked for in the current folder.

    Raises:
        ValueError: none, or several; names the nearest.
    """
    if ":" in text:
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
        return mages_env.get_game(text)
    names = [name for name in mages_env.games() if name.startswith(text)]
    if len(names) > 1 and text not in names:
        raise ValueError(f"{text!r} may be {' or '.join(names)}; say more of the name")
    if not names:
        _suggest(text)
    return mages_env.get_game(text if text in names or not names else names[0])


def _suggest(text: str) -> None:
    """Refuse a mistyped beginning; whole names are compared by ``get_game``."""
    beginnings = {
        beginning: name
        for name in mages_env.games()
        for beginning in (name.partition("_")[0], name[: len(text)])
    }
    close = difflib.get_close_matches(text.lower(), beginnings, n=3)
    if close:
        names = dict.fromkeys(repr(beginnings[beginning]) for beginning in close)
        raise ValueError(
            f"no game {text!r}; the games are {', '.join(mages_env.games())}; "
            f"did you mean {' or '.join(names)}?"
        )


def configuration(
    game: Game, num_players: int | None, settings: Iterable[str]
) -> tuple[Game, dict[str, Any]]:
    """The game and its whole configuration from ``name=value`` texts.

    The game is another one if one of its ``substitutes`` is among them.

    Raises:
        ValueError: a text of another form, an unknown option, a value or number of players that
            does not fit; names what would.
        OSError: a file that the game is made from cannot be read.
    """
    game, options = read_options(game, settings)
    if num_players is not None:
        if "num_players" in options:
            raise ValueError("the number of players is given twice; say it once")
        options["num_players"] = num_players
    return game, game.resolve_options(**options)


def as_words(settings: Iterable[str]) -> str:
    """``name=value`` texts as they are given to a command, each with a space before it."""
    return "".join(f" -o {shlex.quote(text)}" for text in settings)


def substituting(game: Game, settings: Iterable[str]) -> list[str]:
    """Those of the ``name=value`` texts that ask for another game, as with another deck."""
    return [text for text in settings if text.partition("=")[0].strip() in game.substitutes]
