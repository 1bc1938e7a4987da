"""The side-by-side measurement: ratios, failing peers, interruption, what its scripts offer."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benchmarks" / "peers"

pytest.importorskip("rich")


@pytest.fixture
def peers(monkeypatch, tmp_path):
    """The command line module; nothing is installed and no script is run."""
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module("benchmarks.peers.__main__")
    command = ["peers", "--venvs", str(tmp_path), "--out", str(tmp_path / "out.json")]
    monkeypatch.setattr(sys, "argv", command)
    monkeypatch.setattr(module, "ready", lambda folder, peer, pins: Path(peer))
    monkeypatch.setattr(
        module, "measure", lambda contender, *_: line(400 if contender.ours else 100)
    )
    return module


def line(decisions):
    return {
        "decisions": decisions,
        "seconds": 2.5,
        "cpu_seconds": 2.0,
        "first_play_seconds": 0.5,
        "version": "1.0",
    }


def written(tmp_path):
    document = json.loads((tmp_path / "out.json").read_text())
    return document, {(r["library"], r["interface"]): r for r in document["results"]}


def test_rates_and_ratios(peers, tmp_path, capsys):
    assert peers.main() == 0
    document, results = written(tmp_path)
    rlcard = results["rlcard", "env"]
    assert rlcard["median"] == 50.0
    assert len(rlcard["rounds"]) == 3
    assert rlcard["ours_times_as_fast"] == {"env()": 4.0, "raw_env()": 4.0, "batch 4096": 4.0}
    assert results["open_spiel", "C++ MCTSBot"]["ours_times_as_fast"] == {"ISMCTS": 4.0}
    assert document["machine"]["cores"] >= 1
    assert "down to 80% of the core" in capsys.readouterr().out


def test_ratios_compare_the_same_round(peers):
    mine, theirs = (peers.Series(contender) for contender in peers.CONTENDERS[:2])
    mine.rates, theirs.rates = [40.0, 400.0, 40.0], [10.0, 100.0, 1.0, 5.0]
    assert mine.times(theirs) == 4.0


def test_a_peer_that_cannot_be_installed_is_reported(peers, monkeypatch, tmp_path, capsys):
    def ready(folder, peer, pins):
        if peer == "pgx":
            raise peers.InstallError("ERROR: no matching distribution")
        return Path(peer)

    monkeypatch.setattr(peers, "ready", ready)
    assert peers.main() == 0
    _, results = written(tmp_path)
    failed = {library for (library, _), r in results.items() if r["error"]}
    assert failed == {"pgx"}
    assert "no matching distribution" in results["pgx", "batch 4096, scan"]["error"]
    assert "no matching distribution" in capsys.readouterr().out


def test_interrupting_keeps_what_was_measured(peers, monkeypatch, tmp_path):
    def measure(contender, *_):
        if contender.library == "open_spiel":
            raise KeyboardInterrupt
        return line(100)

    monkeypatch.setattr(peers, "measure", measure)
    assert peers.main() == 130
    document, results = written(tmp_path)
    assert document["conditions"]["interrupted"]
    assert results["rlcard", "env"]["rounds"] == [50.0]
    assert results["pgx", "batch 4096, scan"]["rounds"] == []


@pytest.mark.parametrize(
    "script", sorted(p.name for kind in ("leduc", "search") for p in SCRIPTS.glob(f"*_{kind}.py"))
)
def test_scripts_measure_what_the_catalogue_says(script, peers):
    """They import their library only once an interface is chosen, so this needs none."""
    command = [sys.executable, str(SCRIPTS / script), "no such interface"]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2
    wanted = [c.interface for c in peers.CONTENDERS if c.script == script]
    assert wanted
    assert all(interface in refused.stderr for interface in wanted)
