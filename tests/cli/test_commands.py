"""The commands as typed: tables, files, and one clear line for every mistake."""

import csv
import dataclasses
import importlib
import importlib.util
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import mages_env
from mages_env.record import read_record
from mages_env.training.cli import app
from mages_env.training.settings import ALGORITHMS, settings_of

COMMANDS = ("games", "train", "arena", "play", "watch", "bench", "demo")
SHORT = ["-o", "rounds=1"]


def mages(*words, **how):
    return CliRunner().invoke(app, [str(word) for word in words], **how)


def plain(text):
    """Output without the frames and breaks of tables."""
    return " ".join(re.sub(r"[│┃─━┏┓┗┛┡┩╇┳┴┼├┤╭╮╰╯]", " ", text).split())


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_every_option_and_gives_examples(command):
    shown = plain(mages(command, "--help").output)
    group = typer.main.get_command(app)
    for param in group.commands[command].params:
        assert param.help, f"{command} {param.name} has no help"
        assert max(param.opts, key=len) in shown or param.metavar in shown
    assert f"mages {command}" in shown


def test_help_lists_the_commands():
    shown = plain(mages("--help").output)
    for command in COMMANDS:
        assert command in shown
    assert mages("--version").output == f"mages-env {mages_env.__version__}\n"


def test_games():
    shown = plain(mages("games").output)
    for name in mages_env.games():
        game = mages_env.get_game(name)
        assert game.title in shown
        for option in game.options:
            assert option.name in shown
    detail = plain(mages("games", "kampf").output)
    game = mages_env.get_game("kampf_der_magier_v0")
    for option in game.options:
        assert option.name in detail
        assert option.rule in detail
        assert " ".join(option.meaning.split()[:2]) in detail
    for encoder in game.encoders.values():
        for block in encoder.layout.blocks:
            assert block.name in detail


def test_brackets_in_a_meaning_are_shown():
    assert "[plane, y, x]" in " ".join(plain(mages("games", "magic").output).split())


def arena(*words):
    return mages("arena", "kampf", "random", "rule_based", *SHORT, "--deals", 4, *words)


class TestArena:
    def test_table_and_files(self, here):
        done = arena("--csv", "t.csv", "--json", "t.json")
        assert done.exit_code == 0, done.output
        shown = plain(done.stdout)
        for words in ("rule_based", "2 x random", "fair share 33.3%", "Ratings", "95 %"):
            assert words in shown
        rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
        assert len(rows) == 4
        document = json.loads(Path("t.json").read_text())
        assert len(document["matches"]) == 2
        (row,) = [r for r in rows if r["agent"] == "rule_based" and r["copies"] == "1"]
        match = next(m for m in document["matches"] if m["lineup"][0] == "rule_based")
        assert float(row["win_rate"]) == match["standings"][0]["win_rate"]
        assert 0 < float(row["win_low"]) < float(row["win_rate"]) <= float(row["win_high"])
        assert {r["agent"] for r in document["ratings"]} == {"random", "rule_based"}
        ((count,),) = sqlite3.connect("arena.sqlite").execute("SELECT count(*) FROM games")
        assert count == 24

    def test_a_later_run_adds(self, here):
        assert arena("--json", "one.json").exit_code == 0
        assert arena("--seed", "9", "--json", "two.json").exit_code == 0
        one, two = (json.loads(Path(f"{n}.json").read_text()) for n in ("one", "two"))
        assert [m["deals"] for m in one["matches"]] == [4, 4]
        assert [m["deals"] for m in two["matches"]] == [8, 8]

    def test_records_can_be_watched(self, here):
        assert arena("--records", "games").exit_code == 0
        files = sorted(Path("games").iterdir())
        assert len(files) == 24
        record = read_record(files[0])
        shown = mages("watch", files[0], "--all")
        assert shown.exit_code == 0
        assert f"{len(record.decisions)}. player_" in shown.output

    def test_games_played_before_get_no_record(self, here):
        assert arena().exit_code == 0
        done = arena("--records", "games")
        assert done.exit_code == 0
        assert "Written: arena.sqlite\n" in done.stderr
        assert "24 games were in arena.sqlite already" in done.stderr
        assert not Path("games").exists()

    def test_folders_of_tables_are_made(self, here):
        assert arena("--csv", "a/b/t.csv", "--json", "c/t.json").exit_code == 0
        assert Path("a/b/t.csv").exists() and Path("c/t.json").exists()

    def test_two_processes_give_the_same(self, here):
        words = ["--vs", "field", "--results"]
        assert arena(*words, "one.sqlite").exit_code == 0
        done = arena(*words, "two.sqlite", "--processes", 2)
        assert done.exit_code == 0, done.output
        query = "SELECT seats, game_seed, returns, decisions FROM games ORDER BY game_seed, seats"
        one, two = (
            sqlite3.connect(f"{n}.sqlite").execute(query).fetchall() for n in ("one", "two")
        )
        assert one == two
        assert len(one) == 24


MISTAKES = {
    "games kanpf": "did you mean 'kampf_der_magier_v0'",
    "games kampff": "did you mean 'kampf_der_magier_v0'",
    "arena kampff random rule_based": "did you mean",
    "arena kampf random rule_bsed": "rule_based",
    "arena kampf random": "two agents or more",
    "arena kampf random rule_based -o rouds=2": "did you mean 'rounds'",
    "arena kampf random rule_based -o rounds": "name=value",
    "arena kampf random rule_based -o rounds=1 -o rounds=2": "option 'rounds' is given twice",
    "arena kampf random rule_based -p 3 -o num_players=4": "number of players is given twice",
    "arena kampf random rule_based --csv .": "--csv . is a folder",
    "arena kampf random rule_based --json text.sqlite/r.json": "--json text.sqlite/r.json cannot",
    "arena kampf random rule_based --records text.sqlite": "--records text.sqlite is a file",
    "play kampf --record .": "--record . is a folder",
    "play kampf --record text.sqlite/game": "--record text.sqlite/game cannot be written",
    "arena kampf random rule_based -p 7": "2 to 6 players",
    "arena kampf random rule_based --vs all": "pairs, field, ffa",
    "arena kampf random rule_based --results text.sqlite": "not an SQLite database",
    "arena kampf random rule_based --results foreign.sqlite": "another program",
    "arena kampf random rule_based --results no/where.sqlite": "lies in no folder",
    "arena kampf random neural:none.safetensors": "none.safetensors",
    "play kampf -a nobody": "nobody",
    "play kampf --seat 3": "must be from 0 to 2",
    "watch none.jsonl": "there is no file none.jsonl; name a game record",
    "watch .": ". is a folder; name a game record",
    "watch cut.jsonl": "no mages-env game record",
    "train kampf --algo dqn": "ppo",
    "train kampf --hidden big": "--hidden 'big' must be widths such as 128 or 128,128",
    "train kampf --num-envs many": "--num-envs 'many' must be a whole number",
    "train kampf --hidden 8,0": "hidden=(8, 0) must be at least 1",
    "train kampf --learning-rate nan": "learning_rate=nan must be more than 0",
    "train kampf --minutes inf": "minutes=inf must be at least 0",
    "train kampf --algo sb3 --threads -1": "threads=-1 must be at least 0",
    "train kampf --gamma 1.5": "gamma=1.5 must be from 0 to 1",
    "train kampf --out text.sqlite": "text.sqlite is a file; name a folder",
    "train kampf --algo sb3 --minibatch 1": "leaves a single decision by itself",
    "train kampf --algo sb3 --num-envs 3 --num-steps 11 --minibatch 8": "num_steps = 33",
    "demo --minutes inf": "minutes=inf must be at least 0",
    "bench nothing": "no game 'nothing'",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes_get_one_clear_line(here, line):
    (here / "text.sqlite").write_text("this is no database, whatever it is called\n" * 20)
    with sqlite3.connect(here / "foreign.sqlite") as db:
        db.execute("CREATE TABLE mine (a)")
    (here / "cut.jsonl").write_text('{"format": "another program\'s"}\n')
    before = {path: path.read_bytes() for path in here.iterdir()}
    done = mages(*line.split())
    assert done.exit_code == 2, done.output
    said = [said for said in done.stderr.splitlines() if not said.startswith("mages_env: compil")]
    assert len(said) == 1
    assert said[0].startswith("mages: ")
    assert MISTAKES[line] in said[0]
    assert {path: path.read_bytes() for path in before} == before
    assert not [path for path in here.rglob("*.jsonl") if path not in before]
    assert not [path for path in here.iterdir() if path.is_dir()]


def test_a_record_that_is_there_is_kept(here):
    words = ["play", "kampf", "-a", "random", "--seat", 0, "--record", "game.jsonl", *SHORT]
    for seed in range(3):
        done = mages(*words, "--seed", seed, input="quit\n")
        assert done.exit_code == 0, done.output
    assert "mages watch game-3.jsonl" in done.stderr
    seeds = [read_record(name).seed for name in ("game.jsonl", "game-2.jsonl", "game-3.jsonl")]
    assert seeds == [0, 1, 2]


def test_a_record_is_watched_from_a_decision_that_there_is(here):
    mages("play", "kampf", "-a", "random", "--record", "game.jsonl", *SHORT, input="quit\n")
    decisions = len(read_record("game.jsonl").decisions)
    done = mages("watch", "game.jsonl", "--from", decisions + 70)
    assert done.exit_code == 2
    assert f"no decision {decisions + 70}: the game has {decisions} decisions" in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="rights")
def test_a_path_without_the_right_to_write_is_named_first(here):
    here.joinpath("closed").mkdir(mode=0o555)
    done = arena("--csv", "closed/t.csv")
    assert done.exit_code == 2
    assert "--csv closed/t.csv cannot be written" in done.stderr
    assert not Path("arena.sqlite").exists()


def test_a_locked_results_file_is_named(here, monkeypatch):
    monkeypatch.setattr("mages_env.training.store.WAIT_SECONDS", 0.05)
    other = sqlite3.connect("arena.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    done = arena()
    assert done.exit_code == 2
    assert "locked by another program" in done.stderr


def test_mistyped_commands_and_options_are_met_with_the_nearest():
    done = mages("gmes")
    assert done.exit_code == 2
    assert "games" in plain(done.output)
    done = mages("train", "kampf", "--learning-rat", "1")
    assert done.exit_code == 2
    assert "--learning-rate" in plain(done.output)


def test_bench_measures_every_interface(monkeypatch):
    monkeypatch.setattr("mages_env.training.speed._SECONDS", 0.01)
    shown = plain(mages("bench").output)
    for words in ("AEC", "batch of 1", "batch of 4,096"):
        assert words in shown


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_settings_are_those_of_the_algorithm(algorithm):
    """What is read from the source is what the dataclass is, and every field says what it means."""
    fields = dataclasses.fields(importlib.import_module(ALGORITHMS[algorithm]).Args)
    settings = settings_of(algorithm)
    assert [(f.name, f.default) for f in fields] == [(s.name, s.default) for s in settings]
    for setting in settings:
        assert setting.meaning.endswith((".", ";", ")")), setting.name
        if setting.default not in ("", ()):
            assert setting.parse(setting.shown) == setting.default


def test_help_is_quick_to_load():
    """Neither torch nor SB3 is imported for anything but training."""
    code = (
        "import sys; from typer.testing import CliRunner; from mages_env.training.cli import app\n"
        "assert CliRunner().invoke(app, ['train', '--help']).exit_code == 0\n"
        "print([m for m in ('torch', 'stable_baselines3', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_documentation_is_the_help():
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("cli_docs", root / "tools" / "cli_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (root / "docs" / "cli.md").read_text() == module.page(), "run tools/cli_docs.py"
