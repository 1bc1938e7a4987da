"""Games and options by the words of the command line."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import mages_env
from mages_env.game import Game, Option


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


def configuration(game: Game, num_players: int | None, settings: Iterable[str]) -> dict[str, Any]:
    """The whole configuration from ``name=value`` texts.

    Raises:
        ValueError: a text of another form, an unknown option, a value or number of players that
            does not fit; names what would.
    """
    options: dict[str, Any] = {}
    known = {option.name: option for option in game.options}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(
                f"option {setting!r} is not of the form name=value; "
                f"{game.name} has {', '.join(known) or 'no options'}"
            )
        name = name.strip()
        if name in options:
            raise ValueError(f"option {name!r} is given twice; say it once")
        options[name] = _value(known.get(name), text.strip())
    if "num_players" in options:
        if num_players is not None:
            raise ValueError("the number of players is given twice; say it once")
        num_players = _integer(options.pop("num_players"))
    return game.resolve_options(num_players=num_players, **options)


def _value(option: Option | None, text: str) -> Any:
    if option is not None and not isinstance(option.values, range):
        for value in option.values:
            if str(value).lower() == text.lower():
                return value
        return text
    return _integer(text) if option is not None else text


def _integer(text: Any) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
