"""Games shared among processes: the same results, clean ends."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import mages_env
from mages_env.training.arena import run_match
from mages_env.training.store import Store

from .toys import First

GAME = mages_env.get_game("kampf_der_magier_v0")


def test_agents_must_be_specifications():
    with pytest.raises(ValueError, match="agent first is an object"):
        run_match(GAME, [First(GAME), "random", "random"], 1, processes=2)


def test_several_processes_play_the_same_games():
    options = {"num_players": 3, "rounds": 1}
    lineup = ["ismcts:iterations=20", "rule_based", "random"]

    def played(**how):
        with Store() as store:
            run_match(GAME, lineup, 3, options=options, store=store, **how)
            games = store.games(GAME.name, GAME.resolve_options(**options))
        return sorted((g.game_seed, g.seats, g.returns, g.decisions) for g in games)

    one = played()
    assert len(one) == 18
    assert played(processes=2) == one


def test_stop_keeps_what_was_finished():
    with Store() as store:
        run_match(GAME, ["random"] * 2, 40, store=store, processes=2, stop=lambda: True)
        games = store.games(GAME.name, GAME.resolve_options(num_players=2))
    assert len(games) < 40


def test_a_process_that_dies_is_reported_and_what_was_finished_is_kept():
    def kill_one(done, total):
        if done >= 2:
            for child in multiprocessing.active_children()[:1]:
                child.kill()

    with Store() as store:
        with pytest.raises(ChildProcessError, match="has died"):
            run_match(GAME, ["random"] * 2, 500, store=store, processes=2, progress=kill_one)
        assert len(store.games(GAME.name, GAME.resolve_options(num_players=2))) >= 2


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_keeps_what_was_finished(tmp_path):
    """As at a terminal, which sends it to every process."""
    file = tmp_path / "results.sqlite"
    words = ["arena", "kampf", "ismcts:iterations=200", "rule_based", "--deals", "1000"]
    words += ["--processes", "2", "--results", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "mages_env.training.cli", *words],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_games(file, 4)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert f"What was played is in {file}; the same command goes on" in said
    with Store(file) as store:
        assert len(store.games(GAME.name, GAME.resolve_options())) >= 4


def wait_for_games(file, wanted):
    for _ in range(1200):
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
                if db.execute("SELECT count(*) FROM games").fetchone()[0] >= wanted:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.05)
    raise AssertionError("no games were written")
