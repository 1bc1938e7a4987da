"""Matches: duplicate deals, the same results whatever the batch, nothing hidden handed out."""

import numpy as np
import pytest

import mages_env
from mages_env.engine.state import ALL
from mages_env.game import IllegalActionError
from mages_env.record import read_record, replay
from mages_env.training.arena import run_match, run_matches
from mages_env.training.playing import Task, play_games
from mages_env.training.store import Store

from .toys import Chance, Cheat, First, Last, Reader, Spy

GAME = mages_env.get_game("kampf_der_magier_v0")
SHORT = {"num_players": 3, "rounds": 1}


def played(lineup, deals=4, options=SHORT, **how):
    with Store() as store:
        result = run_match(GAME, lineup, deals, options=options, store=store, **how)
        games = store.games(GAME.name, result.options)
    return result, sorted(games, key=lambda game: (game.deal, game.seats))


def outcomes(games):
    return [(g.seats, g.game_seed, g.returns, g.scores, g.decisions) for g in games]


def test_duplicate_deals_cancel_all_luck():
    """Two names for the same deterministic player come out exactly level in every number."""
    first, copy = First(GAME), First(GAME, "copy")
    result, games = played([first, copy, copy], deals=7)
    one, other = result["first"], result["copy"]
    assert one.win_rate == pytest.approx(1 / 3, abs=1e-12) == pytest.approx(other.win_rate)
    assert one.mean_return == pytest.approx(0.0, abs=1e-12)
    assert one.mean_score == pytest.approx(other.mean_score)
    assert one.decisions == pytest.approx(other.decisions)
    assert len({g.returns for g in games}) > 1, "the deals are not all alike"


def test_every_seating_of_a_deal_gets_the_same_deal():
    result, games = played([First(GAME), Last(GAME), Chance(GAME)], deals=3)
    assert result.deals == 3
    assert result.games == len(games) == 18
    assert len({g.game_seed for g in games}) == 3
    assert len({(g.game_seed, g.seats) for g in games}) == 18


def test_results_do_not_depend_on_the_batch_or_on_who_else_plays():
    def lineup():
        return [Chance(GAME), Reader(GAME, "compact"), Spy(GAME)]

    _, one = played(lineup(), batch=1)
    _, few = played(lineup(), batch=5)
    _, all_at_once = played(lineup(), batch=500)
    assert outcomes(one) == outcomes(few) == outcomes(all_at_once)
    with Store() as store:
        matches = [lineup(), [Chance(GAME, "x"), *[First(GAME)] * 2]]
        run_matches(GAME, matches, 4, options=SHORT, store=store)
        config = GAME.resolve_options(**SHORT)
        among = [g for g in store.games(GAME.name, config) if "spy" in g.seats]
    assert outcomes(sorted(among, key=lambda g: (g.deal, g.seats))) == outcomes(one)


def test_another_seed_deals_other_games():
    _, one = played([First(GAME), Chance(GAME), Last(GAME)], seed=0)
    _, other = played([First(GAME), Chance(GAME), Last(GAME)], seed=1)
    assert {g.game_seed for g in one}.isdisjoint(g.game_seed for g in other)


def test_a_game_is_the_one_that_the_environment_plays():
    config = GAME.resolve_options(**SHORT)
    agents = {"first": First(GAME), "last": Last(GAME), "chance": Chance(GAME)}
    (game,) = play_games(GAME, config, agents, [Task(("first", "chance", "last"), 3, 8)], 1)
    env = mages_env.make(GAME, **config)
    env.reset(seed=game.game_seed)
    decisions = [0, 0, 0]
    for action in game.actions:
        decisions[int(env.agent_selection[-1])] += 1
        env.step(action)
    state = env.game_state()[0]
    assert state.over
    assert tuple(state.returns[:3].tolist()) == game.returns
    assert tuple(decisions) == game.decisions


def test_means_and_wins_are_those_of_the_games():
    result, games = played([Chance(GAME), *[First(GAME)] * 2], deals=9)
    returns, wins, scores = [], [], []
    for g in games:
        seat = g.seats.index("chance")
        returns.append(g.returns[seat])
        scores.append(g.scores[seat])
        wins.append((g.returns[seat] == max(g.returns)) / g.returns.count(max(g.returns)))
    standing = result["chance"]
    assert standing.win_rate == pytest.approx(np.mean(wins))
    assert standing.mean_return == pytest.approx(np.mean(returns))
    assert standing.mean_score == pytest.approx(np.mean(scores))
    assert standing.win_interval[0] < standing.win_rate < standing.win_interval[1]
    assert result["first"].copies == 2
    assert result.fair_share == pytest.approx(1 / 3)


class TestWhatAgentsSee:
    def hand_overs(self, options=SHORT):
        """Pairs of what the spy was handed and the truth at that decision."""
        spy = Spy(GAME)
        config = GAME.resolve_options(**options)
        agents = {"spy": spy, "chance": Chance(GAME)}
        (game,) = play_games(GAME, config, agents, [Task(("spy", "chance", "chance"), 0, 0)], 1)
        env = mages_env.make(GAME, **config)
        env.reset(seed=game.game_seed)
        handed = iter(spy.seen)
        for action in game.actions:
            if env.agent_selection == "player_0":
                yield next(handed), env.game_state(), game
            env.step(action)

    def test_states_are_redrawn_in_all_that_is_hidden(self):
        other_hands = same_hands = 0
        for decisions, truth, _ in self.hand_overs():
            state, true = decisions.states[0], truth[0]
            assert (state.hand[0] == true.hand[0]).all(), "the own hand is known"
            assert state.rng != true.rng, "the stream of the game is not"
            assert set(state.events[: state.num_events, 1]) <= {ALL, 0}
            if true.hand_size[1] > 1:
                other_hands += (state.hand[1] != true.hand[1]).any()
                same_hands += (state.hand[1] == true.hand[1]).all()
        assert other_hands > 5
        assert same_hands <= other_hands // 4

    def test_nothing_handed_over_is_shared_with_the_game(self):
        """An agent that spoils all it is given changes nothing but its own decision."""

        class Vandal(Spy):
            def act(self, decisions):
                actions = super().act(decisions)
                decisions.states["hand"] = 0
                decisions.states["over"] = 1
                decisions.action_mask[:] = 1
                decisions.seats[:] = 2
                return actions

        _, spoiled = played([Vandal(GAME), Chance(GAME), Last(GAME)])
        _, clean = played([Spy(GAME), Chance(GAME), Last(GAME)])
        assert outcomes(spoiled) == outcomes(clean)

    def test_seeds_of_an_agent_are_its_own(self):
        seeds = [int(d.seeds[0]) for d, _, _ in self.hand_overs()]
        assert len(set(seeds)) == len(seeds)
        for decisions, truth, game in self.hand_overs():
            assert int(decisions.seeds[0]) not in (game.game_seed, int(truth[0].rng))

    def test_an_observation_is_that_of_the_seat(self):
        class Looking(Spy):
            wants_states = False
            encoder = "compact"

        spy = Looking(GAME)
        config = GAME.resolve_options(**SHORT)
        tasks = [Task(("spy", "chance", "chance"), 0, 0)]
        agents = {"spy": spy, "chance": Chance(GAME)}
        (game,) = play_games(GAME, config, agents, tasks, 1)
        env = mages_env.make(GAME, encoder="compact", **config)
        env.reset(seed=game.game_seed)
        handed = iter(spy.seen)
        for action in game.actions:
            if env.agent_selection == "player_0":
                decisions, seen = next(handed), env.observe("player_0")
                assert decisions.states is None
                assert (decisions.observation[0] == seen["observation"]).all()
                assert (decisions.action_mask[0] == seen["action_mask"]).all()
            env.step(action)


def test_an_illegal_action_is_named_and_nothing_is_stored():
    with Store() as store:
        with pytest.raises(IllegalActionError, match=r"agent cheat as player_\d: "):
            lineup = [Cheat(GAME, "cheat"), *[First(GAME)] * 2]
            run_match(GAME, lineup, 1, options=SHORT, store=store)
        assert store.games(GAME.name, GAME.resolve_options(**SHORT)) == []


def test_an_answer_of_the_wrong_form_is_named():
    class Odd(First):
        def act(self, decisions):
            return np.zeros(len(decisions))

    with pytest.raises(ValueError, match=r"agent odd must give \(\d+,\) integers"):
        run_match(GAME, [Odd(GAME, "odd"), *[First(GAME)] * 2], 1, options=SHORT)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"deals": 0}, "must be at least 1"),
        ({"batch": 0}, "must be at least 1"),
        ({"seed": -1}, "must be from 0"),
        ({"options": {"num_players": 4}}, "3 agents does not fit a game of 4"),
        ({"options": {"decks": 1}}, "did you mean 'deck'"),
    ],
)
def test_bad_arguments_are_named(change, message):
    arguments = {"lineup": [First(GAME), *[Last(GAME)] * 2], "deals": 1} | change
    with pytest.raises(ValueError, match=message):
        run_match(GAME, **arguments)


def test_an_agent_made_for_other_options_is_refused():
    trained = First(GAME, "trained")
    trained.config = GAME.resolve_options(num_players=3, deck="even", rounds=1)
    with pytest.raises(ValueError, match="agent trained was made for deck='even'"):
        run_match(GAME, [trained, *[Last(GAME)] * 2], 1, options=SHORT)


def test_two_agents_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two different agents are called 'first'"):
        run_match(GAME, [First(GAME), First(GAME), Last(GAME)], 1, options=SHORT)


def test_records_replay_to_the_same_result(tmp_path):
    _, games = played([First(GAME), Chance(GAME), Last(GAME)], deals=1, records=tmp_path)
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(games) == 6
    by_seats = {game.seats: game for game in games}
    for file in files:
        record = read_record(file)
        for _ in replay(record):
            pass
        assert record.returns == by_seats[record.agents].returns


def test_progress_ends_at_the_whole():
    told = []
    played([First(GAME), *[Last(GAME)] * 2], deals=3, progress=lambda *n: told.append(n))
    assert told[0] == (0, 9)
    assert told[-1] == (9, 9)


def test_stop_ends_early_and_keeps_what_ended():
    with Store() as store:
        lineup = [First(GAME), *[Last(GAME)] * 2]
        run_match(GAME, lineup, 50, options=SHORT, store=store, batch=3, stop=lambda: True)
        config = GAME.resolve_options(**SHORT)
        assert len(store.games(GAME.name, config)) < 150
        result = run_match(GAME, lineup, 2, options=SHORT, store=store)
    assert result.deals == 2
