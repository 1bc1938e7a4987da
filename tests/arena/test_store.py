"""Results files: a later run adds, a killed one loses nothing, foreign files are left alone."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mages_env
from mages_env.training import store as store_module
from mages_env.training.arena import run_match
from mages_env.training.store import PlayedGame, Store, StoreError, StoreLockedError

from .toys import Chance, First, Last

GAME = mages_env.get_game("kampf_der_magier_v0")
SHORT = {"num_players": 3, "rounds": 1}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "results.sqlite"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(store_module, "WAIT_SECONDS", 0.05)


def match(store, deals, lineup=None, **how):
    lineup = lineup or [First(GAME), Chance(GAME), Last(GAME)]
    return run_match(GAME, lineup, deals, options=SHORT, store=store, **how)


class Counting(First):
    """Counts its decisions."""

    taken = 0

    def act(self, decisions):
        self.taken += len(decisions)
        return super().act(decisions)


def test_a_later_run_adds_and_replays_nothing(file):
    counting = Counting(GAME)
    lineup = [counting, *[Last(GAME)] * 2]
    with Store(file) as store:
        match(store, 3, lineup)
    before = counting.taken
    with Store(file) as store:
        again = match(store, 3, lineup)
        assert counting.taken == before, "all deals were there"
        more = match(store, 5, lineup)
    assert again.deals == 3
    assert more.deals == 5
    assert counting.taken > before
    assert more["first"].mean_score == match(None, 5, lineup)["first"].mean_score


def test_another_seed_adds_to_the_same_line_up(file):
    with Store(file) as store:
        match(store, 3)
        assert match(store, 2, seed=1).deals == 5


def test_other_options_are_kept_apart(file):
    with Store(file) as store:
        match(store, 2)
        lineup = [First(GAME), Chance(GAME), Last(GAME)]
        other = run_match(GAME, lineup, 1, options=SHORT | {"deck": "even"}, store=store)
    assert other.deals == 1


def test_results_of_another_version_do_not_count(file, monkeypatch):
    with Store(file) as store:
        match(store, 2)
        monkeypatch.setattr(store_module, "__version__", "99.0")
        assert match(store, 1).deals == 1


def test_a_row_holds_all_there_is_to_know(file):
    with Store(file) as store:
        match(store, 1)
    rows = sqlite3.connect(file).execute("SELECT * FROM games").fetchall()
    names = [row[1] for row in sqlite3.connect(file).execute("PRAGMA table_info(games)")]
    assert len(rows) == 6
    row = dict(zip(names, rows[0], strict=True))
    assert row["game"] == GAME.name
    assert row["version"] == mages_env.__version__
    for name in ("options", "lineup", "seats", "returns", "scores", "decisions", "seconds"):
        assert row[name].startswith(("[", "{")), name
    assert '"rounds": 1' in row["options"]


def test_deals_not_played_from_every_seat_wait(file):
    with Store(file) as store:
        whole = match(store, 2)
        store._db.execute("DELETE FROM games WHERE id = (SELECT max(id) FROM games WHERE deal = 1)")
        config = GAME.resolve_options(**SHORT)
        assert len(store.games(GAME.name, config)) == whole.games - 1
        assert match(store, 1).deals == 1
        assert match(store, 2).standings[0].win_rate == whole.standings[0].win_rate


KILLED = """
import sys, time
sys.path.insert(0, {folder!r})
import mages_env
from mages_env.training import arena
from mages_env.training.arena import run_match
from mages_env.training.store import Store
from toys import Chance, First, Last

class Slow(First):
    def act(self, decisions):
        time.sleep(0.001)
        return super().act(decisions)

game = mages_env.get_game("kampf_der_magier_v0")
arena.SAVE_SECONDS = 0.0
with Store({file!r}) as store:
    run_match(game, [Slow(game), Chance(game), Last(game)], 2000, options={options!r},
              store=store, batch=6)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_stopped_loses_nothing(file, by):
    script = KILLED.format(folder=str(Path(__file__).parent), file=str(file), options=SHORT)
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    try:
        wait_for_games(file, 20)
        os.kill(process.pid, by)
        process.wait(30)
    finally:
        process.kill()
        process.wait()
    with Store(file) as store:
        config = GAME.resolve_options(**SHORT)
        kept = store.games(GAME.name, config)
        assert 20 <= len(kept) < 12000
        complete = match(store, 8)
    assert complete.deals >= 8
    fresh = match(None, 8)
    with Store(file) as store:
        seeds = {g.game_seed for g in store.games(GAME.name, config) if g.deal < 8}
        merged = [g for g in store.games(GAME.name, config) if g.game_seed in seeds]
    assert len(merged) == fresh.games == 48


def wait_for_games(file, wanted):
    for _ in range(600):
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
                if db.execute("SELECT count(*) FROM games").fetchone()[0] >= wanted:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.05)
    raise AssertionError("no games were written")


def test_a_locked_file_is_named(file, impatient):
    Store(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreLockedError, match=r"results\.sqlite is locked by another program"):
        Store(file)
    other.execute("ROLLBACK")
    Store(file).close()


def test_games_that_end_while_the_file_is_locked_are_kept(file, monkeypatch):
    monkeypatch.setattr("mages_env.training.arena.SAVE_SECONDS", 0.0)
    with Store(file) as store:
        add, refused = store.add, []

        def locked_at_first(*args):
            if len(refused) < 3:
                refused.append(args)
                raise StoreLockedError("locked")
            add(*args)

        monkeypatch.setattr(store, "add", locked_at_first)
        assert match(store, 4, batch=4).deals == 4
    assert len(refused) == 3


def test_a_file_that_stays_locked_is_an_error_at_the_end(file, impatient):
    other = sqlite3.connect(file, isolation_level=None)

    def progress(done, total):
        if not other.in_transaction:
            other.execute("BEGIN EXCLUSIVE")

    with Store(file) as store, pytest.raises(StoreLockedError, match="locked"):
        match(store, 1, progress=progress)
    other.execute("ROLLBACK")
    with Store(file) as store:
        assert match(store, 1).deals == 1


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 30, b"%PDF-1.7"])
def test_a_file_that_is_no_database_is_left_alone(file, content):
    file.write_bytes(content)
    with pytest.raises(StoreError, match="no results file"):
        Store(file)
    assert file.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(file):
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE mine (a)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="database of another program"):
        Store(file)
    assert file.read_bytes() == before


def test_another_schema_is_named(file):
    Store(file).close()
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="schema 7, this version of mages-env reads schema 1"):
        Store(file)


def test_places_that_cannot_be_written_are_named(tmp_path):
    with pytest.raises(StoreError, match="is a folder or lies in no folder"):
        Store(tmp_path)
    with pytest.raises(StoreError, match="is a folder or lies in no folder"):
        Store(tmp_path / "nowhere" / "results.sqlite")
    with pytest.raises(StoreError, match="there is no results file"):
        Store(tmp_path / "none.sqlite", must_exist=True)


def test_adding_is_all_or_nothing(file):
    good = PlayedGame(("a",), ("a",), 0, 0, 1, (0.0,), None, (1,), (0.0,), False)
    bad = PlayedGame(("a",), ("a",), 0, 1, 2, (0.0,), None, (1,), (0.0,), None)  # type: ignore
    with Store(file) as store:
        with pytest.raises((StoreError, TypeError)):
            store.add("g", {}, [good, bad])
        assert store.games("g", {}) == []
        store.add("g", {}, [good])
        store.add("g", {}, [good])
        assert store.games("g", {}) == [good]
