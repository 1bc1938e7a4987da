"""Results of games in one SQLite file, which any number of runs add to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mages_env import __version__

APPLICATION_ID = 0x4D616765  # "Mage"
SCHEMA = 1
WAIT_SECONDS = 5.0

_TABLE = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    options TEXT NOT NULL,      -- JSON, every option and num_players
    lineup TEXT NOT NULL,       -- JSON, the agents whatever their seats
    seats TEXT NOT NULL,        -- JSON, the agent of each seat
    seed INTEGER NOT NULL,      -- of the run
    deal INTEGER NOT NULL,      -- number of the deal in the run
    game_seed TEXT NOT NULL,    -- hexadecimal; env.reset(seed=...) deals the same
    returns TEXT NOT NULL,      -- JSON, by seat
    scores TEXT,                -- JSON, by seat; NULL where the game has none
    decisions TEXT NOT NULL,    -- JSON, by seat
    seconds TEXT NOT NULL,      -- JSON, thinking time by seat
    truncated INTEGER NOT NULL,
    version TEXT NOT NULL,      -- of mages-env
    played_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (game, options, seats, game_seed, version)
) STRICT
"""
_COLUMNS = (
    "game, options, lineup, seats, seed, deal, game_seed, returns, scores, decisions, seconds, "
    "truncated, version"
)


class StoreError(RuntimeError):
    """A results file that cannot be used; the message says why and what to do."""


class StoreLockedError(StoreError):
    """Another program is writing to the file, and goes on doing so."""


@dataclass(frozen=True)
class PlayedGame:
    """One finished game; everything by seat.

    Attributes:
        lineup: the agents whatever their seats, ``results.canonical`` of ``seats``.
        seats: the agent of each seat.
        seed, deal: of the run that dealt it.
        game_seed: ``env.reset(seed=game_seed)`` deals the same.
        returns: paid in all.
        scores: the game's own, None where it has none.
        decisions: taken.
        seconds: of thinking.
        truncated: ended by the limit of turns.
        actions: every decision in order; not kept in the file, () when read from it.
    """

    lineup: tuple[str, ...]
    seats: tuple[str, ...]
    seed: int
    deal: int
    game_seed: int
    returns: tuple[float, ...]
    scores: tuple[float, ...] | None
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    truncated: bool
    actions: tuple[int, ...] = ()


class Store:
    """A results file, made if it is not there; ``":memory:"`` keeps nothing.

    Raises:
        StoreError: locked, no database, another program's database, another schema, or a place
            that cannot be written. Nothing was changed then.
    """

    def __init__(self, path: str | Path = ":memory:", *, must_exist: bool = False) -> None:
        self.path = str(path)
        if self.path != ":memory:":
            file = Path(path)
            if file.is_dir() or not file.absolute().parent.is_dir():
                raise StoreError(f"{path} is a folder or lies in no folder; name a results file")
            if must_exist and not file.is_file():
                raise StoreError(f"there is no results file {path}")
        with self._explained():
            self._db = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)
            try:
                self._check()
            except BaseException:
                self._db.close()
                raise

    def _check(self) -> None:
        with self._writing():
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            (schema,) = self._db.execute("PRAGMA user_version").fetchone()
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application == APPLICATION_ID and schema == SCHEMA:
                return
            if application == APPLICATION_ID:
                raise StoreError(
                    f"{self.path} holds results in schema {schema}, this version of mages-env "
                    f"reads schema {SCHEMA}; name another file"
                )
            if application or tables:
                raise StoreError(
                    f"{self.path} is the database of another program; name another results file"
                )
            self._db.execute(_TABLE)
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StoreLockedError(
                    f"results file {self.path} is locked by another program; "
                    "close it there or name another file"
                ) from error
            if code == sqlite3.SQLITE_NOTADB:
                raise StoreError(
                    f"{self.path} is no results file (not an SQLite database); name another file"
                ) from error
            raise StoreError(f"results file {self.path}: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add(self, game: str, options: Mapping[str, Any], games: Iterable[PlayedGame]) -> None:
        """Add games, all or none; those already there stay as they are.

        Raises:
            StoreLockedError: another program writes to the file.
            StoreError: the file cannot be written.
        """
        config = _options_text(options)
        rows = [
            (
                game,
                config,
                json.dumps(played.lineup),
                json.dumps(played.seats),
                played.seed,
                played.deal,
                f"{played.game_seed:016x}",
                json.dumps(played.returns),
                None if played.scores is None else json.dumps(played.scores),
                json.dumps(played.decisions),
                json.dumps([round(s, 6) for s in played.seconds]),
                int(played.truncated),
                __version__,
            )
            for played in games
        ]
        marks = ", ".join("?" * len(rows[0])) if rows else ""
        with self._explained(), self._writing():
            self._db.executemany(f"INSERT OR IGNORE INTO games ({_COLUMNS}) VALUES ({marks})", rows)

    def games(
        self, game: str, options: Mapping[str, Any], lineup: tuple[str, ...] | None = None
    ) -> list[PlayedGame]:
        """The games of that configuration by this version of the package, in the order added.

        Args:
            game: its name.
            options: the whole configuration, as ``Game.resolve_options`` gives it.
            lineup: only these agents, as ``results.canonical`` orders them; None: all.
        """
        query = (
            "SELECT lineup, seats, seed, deal, game_seed, returns, scores, decisions, seconds, "
            "truncated FROM games WHERE game = ? AND options = ? AND version = ?"
        )
        values = [game, _options_text(options), __version__]
        if lineup is not None:
            query += " AND lineup = ?"
            values.append(json.dumps(lineup))
        with self._explained():
            rows = self._db.execute(query + " ORDER BY id", values).fetchall()
        return [
            PlayedGame(
                lineup=tuple(json.loads(row[0])),
                seats=tuple(json.loads(row[1])),
                seed=row[2],
                deal=row[3],
                game_seed=int(row[4], 16),
                returns=tuple(json.loads(row[5])),
                scores=None if row[6] is None else tuple(json.loads(row[6])),
                decisions=tuple(json.loads(row[7])),
                seconds=tuple(json.loads(row[8])),
                truncated=bool(row[9]),
            )
            for row in rows
        ]

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _options_text(options: Mapping[str, Any]) -> str:
    return json.dumps(dict(options), sort_keys=True)
