"""Game records: written, read, replayed, shown to one seat, and refused."""

import json

import numpy as np
import pytest

import mages_env
from mages_env.engine import ALL, RUNNING
from mages_env.envs.aec import RawEnv
from mages_env.envs.vector import VectorEnv
from mages_env.game import IllegalActionError
from mages_env.record import Recorder, RecordError, read_record, replay
from tests.envs import toy

KAMPF = mages_env.get_game("kampf_der_magier_v0")
TOY = toy.GAME


def recorded(game=TOY, seed=3, decisions=1000, agents=None, **options):
    recorder = Recorder(game, game.resolve_options(**options), seed, agents)
    rng = np.random.default_rng(seed)
    mask = np.zeros(game.num_actions, np.int8)
    while recorder.state[0].over == RUNNING and decisions:
        game.legal(recorder.state[0], mask)
        recorder.add(rng.choice(np.flatnonzero(mask)))
        decisions -= 1
    return recorder.record()


def lines(path):
    return path.read_text().splitlines()


def change(path, number, **values):
    """Set values in the JSON object on a line of the file, counted from 1."""
    changed = lines(path)
    changed[number - 1] = json.dumps({**json.loads(changed[number - 1]), **values})
    path.write_text("\n".join(changed) + "\n")


@pytest.fixture
def path(tmp_path):
    return recorded().save(tmp_path / "game.jsonl")


def test_what_the_file_holds(tmp_path):
    record = recorded(KAMPF, agents=["ann", "bob", "cyd"], decisions=10)
    path = record.save(tmp_path / "new" / "folder" / "game.jsonl")
    header, *decisions, ending = map(json.loads, lines(path))
    assert header["format"] == "mages-env game record" and header["format_version"] == 1
    assert header["game"] == "kampf_der_magier_v0"
    assert header["options"] == KAMPF.resolve_options()
    assert header["seed"] == 3 and header["agents"] == ["ann", "bob", "cyd"]
    assert header["versions"]["mages_env"] == mages_env.__version__
    assert header["versions"]["numpy"] == np.__version__
    assert "numba" in header["versions"]
    assert "deals" in header["opening"][0]["text"]
    assert len(decisions) == 10
    state = KAMPF.new_state()
    KAMPF.reset(state[0], np.uint64(3))
    for decision in decisions:
        assert decision["seat"] == state[0].seat
        assert decision["text"] == KAMPF.action_text(state[0], decision["action"])
        KAMPF.step(state[0], decision["action"])
        rows = state[0].events[: state[0].num_events]
        assert [event["row"] for event in decision["events"]] == rows.tolist()
        assert all(event["text"] for event in decision["events"])
    assert ending == {"outcome": "unfinished", "returns": [0.0, 0.0, 0.0]}


@pytest.mark.parametrize("game", [KAMPF, TOY], ids=["kampf", "toy"])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_round_trip_and_replay(tmp_path, game, seed):
    record = recorded(game, seed)
    assert record.outcome in ("terminated", "truncated")
    again = read_record(record.save(tmp_path / "game.jsonl"))
    assert again == record
    state = game.new_state()
    game.reset(state[0], np.uint64(seed))
    for replayed, decision in replay(again, game, words=True):
        assert replayed.tobytes() == state.tobytes()
        if decision is None:
            assert replayed[0].returns[:3].tolist() == list(record.returns)
        else:
            game.step(state[0], decision.action)
    assert state[0].over != RUNNING


def test_the_states_of_a_replay_are_copies():
    states = [state for state, _ in replay(recorded(), TOY)]
    for state in states:
        state["turn"] = 99
    assert len({id(state) for state in states}) == len(states)


def test_along_with_an_aec_environment():
    env = RawEnv(KAMPF, deck="even")
    env.reset(seed=4)
    env.reset()  # some later game of the sequence
    recorder = Recorder.of_env(env, agents=["a", "b", "c"])
    for agent in env.agent_iter():
        view, *_ = env.last()
        if env.terminations[agent]:
            env.step(None)
            continue
        action = int(np.flatnonzero(view["action_mask"])[-1])
        recorder.add(action)
        env.step(action)
    record = recorder.record()
    assert record.seed == env.game_seed
    assert record.options["deck"] == "even"
    *_, (state, _) = replay(record)
    assert state.tobytes() == env.game_state().tobytes()
    with pytest.raises(ValueError, match="record it from the beginning"):
        Recorder.of_env(env)
    env.set_game_state(state)
    with pytest.raises(ValueError, match="only a game begun by reset"):
        Recorder.of_env(env)


def test_along_with_a_row_of_a_batch():
    vec = VectorEnv(TOY, 4, seed=6).reset()
    recorder, records = Recorder.of_row(vec, 2), []
    while len(records) < 3:
        actions = vec.sample_actions().copy()
        recorder.add(actions[2])
        vec.step(actions)
        if vec.terminated[2] or vec.truncated[2]:
            records.append(recorder.record())
            assert list(records[-1].returns) == vec.returns[2].tolist()
            recorder = Recorder.of_row(vec, 2)
    assert len({record.seed for record in records}) == 3
    for record in records:
        assert len(list(replay(record, TOY))) == len(record.decisions) + 1
    vec.step(vec.sample_actions())
    with pytest.raises(ValueError, match="record it from the beginning"):
        Recorder.of_row(vec, 2)


def test_only_the_game_that_is_played_can_be_recorded():
    recorder = Recorder(KAMPF, {}, 0)
    with pytest.raises(IllegalActionError, match=r"player_\d: action 134 \(take the table\)"):
        recorder.add(134)
    with pytest.raises(IllegalActionError, match="-1 is not an action id"):
        recorder.add(-1)
    assert recorder.record().decisions == ()
    with pytest.raises(ValueError, match="2 agents for 3 seats"):
        Recorder(KAMPF, {}, 0, agents=["a", "b"])
    with pytest.raises(ValueError, match="seed=-1 must be"):
        Recorder(KAMPF, {}, -1)
    with pytest.raises(ValueError, match="no option 'dek'"):
        Recorder(KAMPF, {"dek": "even"}, 0)


def test_an_unfinished_game_replays_too(tmp_path):
    record = read_record(recorded(decisions=2).save(tmp_path / "game.jsonl"))
    assert record.outcome == "unfinished"
    assert [decision is None for _, decision in replay(record, TOY)] == [False, False, True]


def test_saving_replaces_the_file_whole_or_not_at_all(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        recorded(seed=9).save(path)
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]


# What one seat may see.


@pytest.mark.parametrize("game", [KAMPF, TOY], ids=["kampf", "toy"])
def test_the_view_of_a_seat(tmp_path, game):
    record = recorded(game, agents=["a", "b", "c"])
    for seat in range(3):
        view = record.for_seat(seat)
        assert view.seed is None and view.viewer == seat
        assert len(view.decisions) == len(record.decisions)
        for shown, decision in zip(view.decisions, record.decisions, strict=True):
            assert shown.seat == decision.seat
            mine = decision.seat == seat
            assert (shown.action, shown.text, shown.legal) == (
                (decision.action, decision.text, decision.legal) if mine else (None,) * 3
            )
            viewers = {event.row[1] for event in shown.events}
            assert viewers <= {ALL, seat}
            hidden = [e for e in decision.events if e not in shown.events]
            assert all(event.row[1] not in (ALL, seat) for event in hidden)
        assert {event.row[1] for event in view.opening} <= {ALL, seat}
        assert any(event.row[1] == seat for event in view.opening)
        path = view.save(tmp_path / "view.jsonl")
        again = read_record(path)
        assert again == view and again.for_seat(seat) == view
        with pytest.raises(RecordError, match=rf"what seat {seat} saw, which cannot be replayed"):
            next(replay(again, game))
        with pytest.raises(ValueError, match="holds no view of seat"):
            again.for_seat((seat + 1) % 3)
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"holds no view of seat {seat}"):
            record.for_seat(seat)


def test_two_games_alike_to_a_seat_have_the_same_view():
    """Nothing but what the seat was shown is in it: here, another's secret differs."""
    views = {}
    for seed in range(200):
        recorder = Recorder(TOY, {}, seed)
        secrets = recorder.state["secret"][0, :3].tolist()
        view = recorder.record().for_seat(0)
        views.setdefault(secrets[0], []).append((secrets, view))
    for games in views.values():
        assert len({tuple(secrets) for secrets, _ in games}) > 1
        assert all(view == games[0][1] for _, view in games)


# Files that are no records.


def test_files_that_are_something_else(tmp_path):
    path = tmp_path / "file"
    for content in (b"", b"hello\n", b"{}\n", b"[1, 2]\n", b'{"format": "other"}\n', b"\xff\xfe\n"):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="file is no mages-env game record"):
            read_record(path)
    with pytest.raises(FileNotFoundError):
        read_record(tmp_path / "nothing")


def test_another_format_version(path):
    change(path, 1, format_version=2)
    with pytest.raises(RecordError, match=r"format version 2, mages_env .* reads version 1"):
        read_record(path)


def test_files_cut_off_anywhere(path):
    whole = path.read_bytes()
    newlines = [k for k, byte in enumerate(whole) if byte == ord("\n")]
    for length in (*newlines[:-1], newlines[0] + 20, newlines[2] + 5, len(whole) - 5):
        path.write_bytes(whole[:length])
        with pytest.raises(RecordError, match="cut off"):
            read_record(path)
    path.write_bytes(whole[: newlines[0] // 2])
    with pytest.raises(RecordError, match="is no mages-env game record"):
        read_record(path)


@pytest.mark.parametrize(
    "number, values, match",
    [
        (1, {"options": 5}, "line 1: options are not an object that has num_players"),
        (1, {"opening": [{"text": "x"}]}, "line 1: events are not a list of text and row"),
        (2, {"events": [1]}, "line 2: events are not a list of text and row"),
        (2, {"seat": "0"}, "line 2: seat and action are not integers"),
        (2, {"action": 1.5}, "line 2: seat and action are not integers"),
        (-1, {"outcome": "won"}, r"the last line has an outcome \(unfinished, terminated"),
        (-1, {"returns": [1.0]}, "the returns of 3 seats"),
    ],
)
def test_damaged_lines(path, number, values, match):
    change(path, number if number > 0 else len(lines(path)), **values)
    with pytest.raises(RecordError, match=match):
        read_record(path)


def test_missing_values(path):
    content = lines(path)
    header = json.loads(content[0])
    del header["seed"], header["notes"]
    path.write_text("\n".join([json.dumps(header), *content[1:]]))
    with pytest.raises(RecordError, match="line 1: the header lacks seed, notes"):
        read_record(path)
    path.write_text("\n".join([content[0], '{"seat": 0}', *content[1:]]))
    with pytest.raises(RecordError, match="line 2: a decision lacks 'action'"):
        read_record(path)
    path.write_text("\n".join([content[0], "[]", *content[1:]]))
    with pytest.raises(RecordError, match="line 2: is not a JSON object"):
        read_record(path)
    path.write_text("\n".join([*content, content[1]]))
    with pytest.raises(RecordError, match=r"line \d+: goes on after the end of the game"):
        read_record(path)


# Records that do not replay.


def replay_all(path, game=TOY, words=False):
    return list(replay(read_record(path), game, words))


def test_another_game(path):
    with pytest.raises(RecordError, match="a record of 'toy_v0', not of 'kampf_der_magier_v0'"):
        replay_all(path, KAMPF)
    with pytest.raises(RecordError, match="line 1: no game 'toy_v0'; the games are"):
        replay_all(path, None)


@pytest.mark.parametrize(
    "number, values, match",
    [
        (1, {"seed": 4}, "line 1: events of the deal differ from the record: recorded .*played"),
        (1, {"seed": -4}, "line 1: seed=-4 must be an integer"),
        (1, {"options": {"num_players": 3, "wind": 1}}, "line 1: toy_v0 has no option 'wind'"),
        (3, {"seat": 0}, "line 3: seat 0 decides, but it is not to move: seat 1 is"),
        (3, {"action": 99}, r"line 3: player_1: action 99 is not an action id"),
        (3, {"legal": 1}, "line 3: number of legal actions differ from the record: recorded 1, pl"),
        (3, {"events": []}, r"line 3: events differ from the record: recorded \[\], played \[play"),
        (-1, {"outcome": "unfinished"}, "outcome differ from the record: recorded 'unfinished'"),
        (-1, {"returns": [0, 0, 0.5]}, r"returns differ .* recorded \[0\.0; 0\.0; 0\.5\], played"),
    ],
)
def test_the_first_divergence_is_named(path, number, values, match):
    number = number if number > 0 else len(lines(path))
    change(path, number, **values)
    with pytest.raises(RecordError, match=match) as caught:
        replay_all(path)
    assert f"line {number}" in str(caught.value)


def test_decisions_after_the_end(path):
    content = lines(path)
    path.write_text("\n".join([*content[:-1], content[-2], content[-1]]))
    with pytest.raises(RecordError, match="there is a decision, but the game is over"):
        replay_all(path)


def test_wording_counts_only_where_it_is_asked_for(path):
    change(path, 2, text="go on")
    replay_all(path)
    with pytest.raises(RecordError, match=r"line 2: action in words differ .*recorded 'go on'"):
        replay_all(path, words=True)
