"""The game with a deck of one's own.

The tables of a deck are constants of the compiled rules. So another deck is another copy of this
package, imported under a name of its own and compiled once, like the standard one.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from mages_env.game import Game

from .deck import DeckError, load_deck

_STANDARD_PACKAGE = __package__.partition("+")[0]


class DeckGame(Game):
    """A game whose pickle holds the path of its deck file, and the digest of what was in it."""

    deck_path: str

    def __reduce__(self) -> tuple:
        return _unpickled, (self.deck_path, self.name)


def _unpickled(path: str, name: str) -> Game:
    game = with_deck(path)
    if game.name != name:
        raise DeckError(
            f"{path} has changed: it makes {game.name}, but {name} was pickled; "
            "put the file back as it was, or make the game anew"
        )
    return game


def with_deck(path: str | os.PathLike) -> Game:
    """Dark Mages with the cards and characters of a deck file.

    It has the form of ``deck.json`` beside this module.

    Raises:
        DeckError: not the path of a file, or of one that is no deck that can be played; says
            what is wrong.
        OSError: no such file.
    """
    if not isinstance(path, str | os.PathLike) or not os.fspath(path) or Path(path).is_dir():
        raise DeckError(f"deck={path!r} must be the path of a deck file")
    file = Path(path).resolve()
    load_deck(file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    package = f"{_STANDARD_PACKAGE}+{digest}"
    standard = _import_copy(package, file).GAME
    values: dict[str, Any] = {field.name: getattr(standard, field.name) for field in fields(Game)}
    values |= {"name": f"{standard.name}+{digest}", "module": package}
    game = DeckGame(**values)
    object.__setattr__(game, "deck_path", str(file))
    return game


def _import_copy(package: str, deck: Path) -> Any:
    """This package once more under the name ``package``, with another deck."""
    if package not in sys.modules:
        folder = Path(__file__).parent
        spec = importlib.util.spec_from_file_location(
            package, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__dict__["DECK_FILE"] = deck
        sys.modules[package] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[package]
            raise
    return sys.modules[package]
