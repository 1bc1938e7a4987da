"""A game that one plays alone, through everything that knows of opponents."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from rich.console import Console

import mages_env
from mages_env.agents.compiled import CompiledAgent
from mages_env.agents.search import search
from mages_env.testing import check_game
from mages_env.training import ppo
from mages_env.training.arena import lineups, run_matches
from mages_env.training.play import opponents, play
from mages_env.training.ratings import ratings
from mages_env.training.store import Store
from mages_env.training.tables import results_table
from tests.envs import pig

PIG = pig.GAME


def hold_at_20():
    return CompiledAgent(PIG, pig.hold_at_20, "hold_at_20")


def test_conforms():
    assert check_game(PIG, games=1)["decisions"] > 100


@pytest.mark.filterwarnings("ignore:.*is not legal now")
def test_gymnasium_environment():
    env = mages_env.make_single(PIG, turns=2)
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=5)
    paid, over = 0.0, False
    while not over:
        hold = info["action_mask"][pig.HOLD] and observation[1] * 60 >= 20
        observation, reward, over, truncated, info = env.step(int(hold))
        paid += reward
        assert not truncated and info["seat"] == 0
    assert paid == pytest.approx(env.game_state()[0]["banked"] / 20)


def test_matches_are_of_one_agent_each():
    assert lineups(["random", "other", "random"], "pairs", 1) == [("random",), ("other",)]
    with Store() as store:
        agents = [[hold_at_20()], ["random"]]
        better, worse = run_matches(PIG, agents, deals=300, store=store)
        assert ratings(store.games(PIG.name, PIG.resolve_options())) == []
    for result in (better, worse):
        assert result.games == result.deals == 300
        (standing,) = result.standings
        low, high = standing.score_interval
        assert low < standing.mean_score < high
        assert standing.mean_score == pytest.approx(20 * standing.mean_return, abs=1e-4)
    # Holding at 20 is known to bring 8.14 points a turn.
    low, high = better["hold_at_20"].score_interval
    assert low - 1 < 3 * 8.14 < high + 1
    assert better["hold_at_20"].mean_score > worse["random"].mean_score + 5
    console = Console(width=100, record=True)
    console.print(results_table([better, worse], PIG))
    text = console.export_text()
    assert "hold_at_20" in text and f"{worse['random'].mean_score:.2f}" in text
    assert "wins" not in text


def test_play_alone_at_the_terminal():
    with pytest.raises(ValueError, match="played alone"):
        opponents(PIG, ["random"], 0)
    words = iter(["roll", "hold"] * 200)
    console = Console(record=True, width=100)
    config = PIG.resolve_options()
    record = play(PIG, config, opponents(PIG, [], 0), 0, 1, console, lambda _: next(words))
    text = console.export_text()
    assert len(record.returns) == 1
    assert f"The game is over: reward {record.returns[0]:+.3g}" in text


def test_search_prefers_to_hold_much():
    state = PIG.new_state(turns=1)
    PIG.reset(state[0], np.uint64(3))
    state["at_stake"] = 29
    assert search(PIG, state, iterations=2000, exploration=1.4).action == pig.HOLD
    state["at_stake"] = 3
    assert search(PIG, state, iterations=2000, exploration=1.4).action == pig.ROLL


def test_ppo_learns_alone(tmp_path):
    args = ppo.Args(
        decisions=60_000, num_envs=64, minibatch=512, evaluate_every=20_000, evaluate_games=200
    )
    ppo.train(PIG, args, tmp_path, quiet=True)
    rows = (tmp_path / "progress.csv").read_text().splitlines()
    assert rows[0] == "decisions,seconds,return"
    first, last = (float(row.split(",")[2]) for row in (rows[1], rows[-1]))
    assert last > 0.9  # random play has 0.6
    assert last > first - 0.1
    assert (tmp_path / "learning_curve.png").is_file()
