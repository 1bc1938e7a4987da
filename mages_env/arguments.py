"""Arguments as command lines spell them: NAME=VALUE."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from mages_env.game import Game

_BOOLEANS = {"true": True, "false": False}


def read_value(text: str, wanted: Any = None) -> Any:
    """What ``text`` stands for.

    Args:
        wanted: the values that it may be, as a tuple (upper and lower case are alike); a range or
            ``int``, for a whole number; ``float``, ``bool`` or ``str``; None: a Python literal
            (true and false in any case) or else text.

    Returns:
        The value; ``text`` as it is if it stands for none, so that whoever checks can show it.
    """
    text = text.strip()
    try:
        if isinstance(wanted, tuple):
            return next((value for value in wanted if str(value).lower() == text.lower()), text)
        if wanted is int or isinstance(wanted, range):
            return int(text)
        if wanted is float:
            return float(text)
        if wanted is str:
            return text
        if wanted is bool or text.lower() in _BOOLEANS:
            return _BOOLEANS.get(text.lower(), text)
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def read_arguments(
    texts: Iterable[str], what: str, wanted: Mapping[str, Any] | None = None, hint: str = ""
) -> dict[str, Any]:
    """The values by name.

    Args:
        texts: each of the form ``name=value``.
        what: they are, for the errors: ``"option"``.
        wanted: by name, as for ``read_value``; of other names None.
        hint: what an error about the form says more.

    Raises:
        ValueError: a text of another form, or a name that is given twice.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise ValueError(f"{what} {text!r} is not of the form name=value{hint}")
        if name in found:
            raise ValueError(f"{what} {name!r} is given twice; say it once")
        found[name] = read_value(value, (wanted or {}).get(name))
    return found


def read_options(game: Game, texts: Iterable[str]) -> tuple[Game, dict[str, Any]]:
    """The game that is asked for, and the keyword arguments of its ``resolve_options``.

    Args:
        game: the game; another one if one of its ``substitutes`` is among the texts.
        texts: its options, each of the form ``name=value``.

    Raises:
        ValueError: a text of another form, a name that is given twice, or a value that makes no
            game. Other names and values are for ``resolve_options`` to check.
        OSError: a file that a substitute is made from cannot be read.
    """
    wanted: dict[str, Any] = {option.name: option.values for option in game.options}
    names = ", ".join([*wanted, *game.substitutes]) or "no options"
    wanted |= {"num_players": game.players, **dict.fromkeys(game.substitutes, str)}
    options = read_arguments(texts, "option", wanted, f"; {game.name} has {names}")
    return game.substituted(options), options
