"""The conformance kit finds what it says it finds: games broken in one way each."""

from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np
import pytest

import mages_env
from mages_env.engine import NOBODY, TRUNCATED, end_game
from mages_env.envs.aec import Env, RawEnv
from mages_env.game import Encoder, IllegalActionError, Option
from mages_env.testing import PROMISES, ContractError, check_game, configurations, write_golden
from mages_env.testing.__main__ import main
from mages_env.testing.faces import check_batch, check_copies, check_pettingzoo
from mages_env.testing.golden import check_golden, golden_configurations
from mages_env.testing.traces import check_other_process
from tests.envs import broken, toy

TOY = toy.GAME
KAMPF = mages_env.get_game("kampf_der_magier_v0")
DEFAULT = TOY.resolve_options()


def broken_promise(game, promise, match, **kwargs):
    kwargs = {"games": 1, "samples": 6, "configurations": [{}], **kwargs}
    with pytest.raises(ContractError, match=match) as caught:
        check_game(game, **kwargs)
    assert caught.value.promise == promise
    assert PROMISES[promise] in str(caught.value)
    assert game.name in caught.value.where


# Rules and views as Python functions around the toy's own.


def also(function, change):
    """``function``, after which ``change`` is made to its first argument, the others given."""

    def changed(s, *args):
        function(s, *args)
        change(s, *args)

    return changed


def with_step(change):
    return replace(TOY, step=also(TOY.step, change))


def with_mask(change):
    return replace(TOY, legal=also(TOY.legal, change))


def with_observation(change):
    return replace(TOY, encoders={"seen": Encoder(toy.SEEN, also(toy.observe, change))})


def with_redrawing(change):
    return replace(TOY, determinize=also(TOY.determinize, change))


def set_field(name, value, s, *_):
    s[name] = value


def empty(s, mask):
    mask[:] = 0


def overrun(s, mask):
    np.lib.stride_tricks.as_strided(mask, (mask.size + 1,))[-1] = 1


def half_written(s, mask):
    mask[: toy.CROSS] = 1


def never_over(s, mask):
    mask[toy.CROSS] = 1


@pytest.mark.parametrize(
    "game, match",
    [
        (with_mask(empty), "no action is legal though the game is not over"),
        (with_mask(never_over), "actions are legal though the game is over"),
        (with_mask(overrun), "writes outside the mask"),
        (replace(TOY, legal=half_written), r"other than 0 and 1, or unwritten, at \[6\]"),
        (with_mask(lambda s, mask: mask.__imul__(2)), "other than 0 and 1"),
    ],
)
def test_masks(game, match):
    broken_promise(game, "mask", match)


def test_a_mask_off_by_one_shows_in_what_it_lets_happen():
    def shifted(s, mask):
        KAMPF.legal(s, mask)
        mask[:] = np.roll(mask, 1)

    def cards_in_hand(s):
        assert (s.hand >= 0).all(), "a card was played that is not in the hand"

    game = replace(KAMPF, legal=shifted)
    broken_promise(game, "invariant", "not in the hand", invariant=cards_in_hand)
    broken_promise(game, "observation", r"is not in \[0.0, 1.0\]")


def emit_many(s, action):
    s.num_events = 7


def keep_events(before):
    def step(s, action):
        kept = int(s.num_events)
        TOY.step(s, action)
        s.num_events = max(kept, s.num_events)

    return step


@pytest.mark.parametrize(
    "game, match",
    [
        (with_step(emit_many), "7 events, the record holds max_events=6"),
        (replace(TOY, step=keep_events(TOY.step)), "keeps events of the step before"),
        (with_step(lambda s, a: s.events[0].put(1, 5)), r"viewer that does not exist: \[5"),
        (with_step(lambda s, a: set_field("num_events", 0, s)), "action . leaves no event for all"),
        (replace(TOY, continues=lambda s, a: True), "action . continues, yet its events do not"),
    ],
)
def test_events(game, match):
    broken_promise(game, "events", match)


def pay_too_much(s, action):
    if s.seat == NOBODY:
        s.rewards[0] += 0.5
        s.returns[0] += 0.5


def pay_early(s, action):
    s.rewards[s.seat] += 0.5
    s.returns[s.seat] += 0.5


def forget_returns(s, action):
    s.returns[:] = 0


@pytest.mark.parametrize(
    "game, match",
    [
        (with_step(pay_too_much), r"sum to 0\.5, score_sum says 0"),
        (with_step(pay_early), r"seat 1 is paid 0\.5 in another step than the one that puts it"),
        (with_step(forget_returns), "returns are not the sum of the rewards"),
        (replace(TOY, score_sum={"rank": 0.0, "score": None}), None),
        (replace(KAMPF, score_sum={"score": None}), "score_sum says nothing about reward='rank'"),
    ],
)
def test_rewards(game, match):
    if match is None:
        check_game(game, games=1, samples=2, configurations=[{}])
    else:
        broken_promise(game, "rewards", match)


def test_ends():
    broken_promise(replace(TOY, decision_bound=lambda config: 3), "end", "goes on after 3 decis")

    def cut(s, action):
        if s.turn == 5 and s.seat != NOBODY:
            end_game(s, TRUNCATED)

    game = replace(KAMPF, step=also(KAMPF.step, cut))
    broken_promise(game, "end", "truncated, though no max_turns is set")


def move_the_dead(s, action):
    out = np.flatnonzero(s.terminated)
    if s.seat != NOBODY and out.size:
        s.seat = out[0]


@pytest.mark.parametrize(
    "game, match",
    [
        (with_step(partial(set_field, "seat", 4)), "seat 4 is to move"),
        (with_step(move_the_dead), "is to move but out"),
        (with_step(lambda s, a: set_field("turn", 2 - s.turn, s)), "turn goes backwards"),
        (with_step(partial(set_field, "secrets", 3)), "the configuration has become"),
        (with_step(partial(set_field, "over", 7)), "over is 7"),
        (with_step(lambda s, a: s.rewards.put(4, 1.0)), "beyond num_players"),
    ],
)
def test_states(game, match):
    broken_promise(game, "state", match)


def test_seeds():
    broken_promise(
        replace(TOY, reset=lambda s, seed: TOY.reset(s, np.uint64(1))),
        "seed",
        "different seeds give the same record",
    )
    others = iter(range(1000))
    broken_promise(
        replace(TOY, reset=lambda s, seed: TOY.reset(s, np.uint64(next(others)))),
        "seed",
        "the same seed gives two different games",
    )


def test_states_hidden_from_the_record():
    calls = iter(range(10**6))
    game = with_step(lambda s, a: s.secret.put(0, next(calls) % 6))
    broken_promise(game, "bytes", r"leads elsewhere from the record's bytes \(in secret\)")


def leave_out(s, seat, out):
    toy.observe(s, seat, out)
    out[toy.SEEN.start("turn")] = np.nan


@pytest.mark.parametrize(
    "game, match",
    [
        (
            replace(TOY, encoders={"seen": Encoder(toy.SEEN, leave_out)}),
            r"'seen' of seat 0: turn\[0?\] is not written",
        ),
        (with_observation(lambda s, seat, out: out.put(3, np.inf)), r"secret\[3\] is infinite"),
        (
            with_observation(lambda s, seat, out: out.put(6, 1.5)),
            r"seats\[0, 0\] is not in \[0\.0, 1\.0\]: 1\.5",
        ),
        (
            with_observation(
                lambda s, seat, out: np.lib.stride_tricks.as_strided(out, (out.size + 1,)).put(
                    out.size, 1
                )
            ),
            "writes outside its",
        ),
        (
            replace(TOY, full=Encoder(toy.SEEN, lambda s, out: out.put(0, 0))),
            "of everything: .* is not written",
        ),
    ],
)
def test_observations(game, match):
    broken_promise(game, "observation", match)


@pytest.mark.parametrize(
    "game, match",
    [
        (with_observation(lambda s, seat, out: set_field("turn", 3, s)), "observation 'seen' of"),
        (with_mask(lambda s, mask: set_field("turn", 3, s)), "legal changes the record"),
        (replace(TOY, to_text=lambda s, seat: set_field("turn", 3, s) or "x"), "a text or JSON"),
    ],
)
def test_reading(game, match):
    broken_promise(game, "reading", match)


def leak(s, seat, out):
    out[toy.SEEN.start("turn")] = s.secret[(seat + 1) % s.num_players] / 6


def leaky_events(s, seat):
    """Events that are for others only."""
    return {"events": [toy.event_text(s, row) for row in s.events[: s.num_events]]}


def leaky_text(s, seat):
    return f"secrets {s.secret}"


def leaky_mask(s, mask):
    if s.seat != NOBODY:
        mask[toy.CROSS] = s.secret[(s.seat + 1) % s.num_players] % 2
        mask[0] = 1


@pytest.mark.parametrize(
    "game, match",
    [
        (with_observation(leak), r"observation 'seen' for seat 0 changes .*turn\[0?\] from"),
        (replace(TOY, to_json=leaky_events), "to_json for seat 0 changes"),
        (replace(TOY, to_text=leaky_text), "to_text for seat 0 changes"),
        (with_mask(leaky_mask), "mask for seat 0 changes"),
        (with_redrawing(lambda s, seat, seed: s.secret.put(seat, 5)), "for seat 0 changes"),
    ],
)
def test_secrets(game, match):
    broken_promise(game, "secrecy", match)


def keep_one_secret(s, seat, seed):
    kept = int(s.secret[2])
    TOY.determinize(s, seat, seed)
    s.secret[2] = kept


def keep_everything(s, seat, seed):
    kept = s.secret.copy()
    TOY.determinize(s, seat, seed)
    s.secret[:] = kept


def keep_events_of_others(s, seat, seed):
    count, rows = int(s.num_events), s.events.copy()
    TOY.determinize(s, seat, seed)
    s.num_events = count
    s.events[:] = rows


def count_on(s, seat, seed):
    others = np.arange(5) != seat
    before = s.secret.copy()
    TOY.determinize(s, seat, seed)
    s.secret[others] = (before[others] + s.secret[others]) % 6


_calls = count()


def count_calls(s, seat, seed):
    TOY.determinize(s, seat, np.uint64(next(_calls)))


@pytest.mark.parametrize(
    "redrawing, match",
    [
        (keep_one_secret, r"looked the same to seat \d are redrawn differently.*\(in secret\)"),
        (keep_everything, "are redrawn differently"),
        (keep_events_of_others, "the events left are not exactly"),
        (count_on, "the outcome depends on what was hidden before"),
        (also(TOY.determinize, partial(set_field, "rng", 5)), "generator is not seeded anew"),
        (also(TOY.determinize, partial(set_field, "turn", 5)), "turn changes"),
        (count_calls, "not alike for one seed"),
    ],
)
def test_redrawing(redrawing, match):
    broken_promise(replace(TOY, determinize=redrawing), "determinize", match)


def test_perfect_information():
    game = replace(TOY, perfect_information=True)
    broken_promise(game, "determinize", "a game of perfect information, yet something changes")

    broken_promise(broken.OPEN, "determinize", "nothing but the generator was ever redrawn")


def test_an_invariant_holds_in_redrawn_states_too():
    def any_secret(s, seat, seed):
        TOY.determinize(s, seat, seed)
        s.secret[np.arange(5) != seat] = 6

    game = replace(TOY, determinize=any_secret, full=Encoder(toy.FULL, toy.observe_full))
    broken_promise(game, "invariant", "has secret 6", invariant=toy.invariant)


@pytest.mark.parametrize(
    "game, match",
    [
        (replace(TOY, action_text=lambda s, a: "cross"), "action 0 is 'cross', .*parsed as 6"),
        (replace(TOY, action_text=lambda s, a: f"go {a}"), "refuses 'go 0', .*say one of"),
        (replace(TOY, to_json=lambda s, seat: {"turn": s.turn}), "int32 is not JSON"),
        (replace(TOY, to_json=lambda s, seat: {"turn": float("nan")}), "not JSON compliant"),
        (replace(TOY, event_text=lambda s, row: ""), r"event \[1, 0, 0, .* has no words"),
    ],
)
def test_texts(game, match):
    broken_promise(game, "text", match)


def wrong_estimate(s, out):
    out[:] = 0.25


def short_estimate(s, out):
    out[1:] = 0


@pytest.mark.parametrize(
    "game, match",
    [
        (replace(TOY, evaluate=wrong_estimate), r"is over with returns .*, evaluate says \[0\.25"),
        (replace(TOY, evaluate=short_estimate), r"evaluate says \[nan, 0\.0"),
        (replace(TOY, scores=lambda s: s.secret), r"scores are \[.*\] for 3 seats"),
    ],
)
def test_scores(game, match):
    broken_promise(game, "scores", match)


def test_options():
    never = Option(
        "wind",
        ("calm", "storm"),
        "calm",
        "",
        refuses=lambda config, value: "no"[: value == "storm"],
    )
    with pytest.raises(ContractError, match=r"no game takes \{'wind': 'storm'\}"):
        configurations(replace(TOY, options=(*toy.OPTIONS, never)))
    spread = configurations(KAMPF)
    assert {config["num_players"] for config in spread} == set(KAMPF.players)
    for option in KAMPF.options[:2]:
        assert {config[option.name] for config in spread} == set(option.values)
    assert {1, 2} <= {config["rounds"] for config in spread}
    assert any(config["max_turns"] == 1 for config in spread)  # only the open pile takes it


def test_refusals(monkeypatch):
    step = RawEnv.step

    def lenient(self, action):
        try:
            step(self, action)
        except IllegalActionError:
            self._state["turn"] += 1

    monkeypatch.setattr(RawEnv, "step", lenient)
    broken_promise(TOY, "refusal", "action .* is accepted against the mask")

    def sloppy(self, action):
        try:
            step(self, action)
        except IllegalActionError:
            self._state["turn"] += 1
            raise

    monkeypatch.setattr(RawEnv, "step", sloppy)
    broken_promise(TOY, "refusal", r"action .* changes the record \(in turn\)")


def test_batch_and_aec():
    with pytest.raises(ContractError, match="observation of batch and AEC differ") as caught:
        check_batch(broken.FORGETS, DEFAULT, 0)
    assert caught.value.promise == "batch"


def test_other_process():
    with pytest.raises(
        ContractError, match=r"differ in .*observation 'seen' for seat \d"
    ) as caught:
        check_other_process(broken.OVERFLOWS, [(DEFAULT, seed) for seed in range(6)])
    assert caught.value.promise == "interpreted"
    with pytest.raises(ContractError, match="declare it in a module that can be imported"):
        check_other_process(replace(TOY, module="__main__"), [(DEFAULT, 0)])


def test_copies(monkeypatch):
    monkeypatch.setattr(RawEnv, "__copy__", lambda self: self)
    with pytest.raises(ContractError, match="stepping the copy changes the original") as caught:
        check_copies(TOY, DEFAULT, 0)
    assert "copy.copy" in caught.value.where


def test_pettingzoo(monkeypatch):
    observe = Env.observe
    monkeypatch.setattr(
        Env,
        "observe",
        lambda self, agent: {k: v.astype(np.float64) for k, v in observe(self, agent).items()},
    )
    with pytest.raises(ContractError, match=r"Out of bounds observation|dtype") as caught:
        check_pettingzoo(TOY, DEFAULT)
    assert caught.value.promise == "pettingzoo"


def golden_line(path, number, old, new):
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    path.write_text("".join(lines))


@pytest.mark.parametrize(
    "number, old, new, match",
    [
        (1, '"seen": "', '"seen": "0', "observations differ from the record: seen"),
        (1, "holds", "stands", None),
        (2, '"text": "', '"text": "Please ', "line 2: action in words differ"),
        (2, '"legal": 7', '"legal": 6', "line 2: number of legal actions differ"),
    ],
)
def test_golden_games(tmp_path, number, old, new, match):
    path = write_golden(TOY, tmp_path, TOY.resolve_options(bridge="none"), seed=4)
    assert path.name == "3_players_none.jsonl"
    assert check_golden(TOY, tmp_path) == 1
    if match:
        golden_line(path, number, old, new)
        with pytest.raises(ContractError, match=match):
            check_golden(TOY, tmp_path)


def test_golden_games_of_options_that_do_not_go_together():
    """The last value that two players can have; without one that is refused, the very last."""

    def refuses(config, value):
        return (
            "the bridge breaks with two" if value == "none" and config["num_players"] == 2 else ""
        )

    secrets, bridge, turns = TOY.options
    picky = replace(TOY, options=(secrets, replace(bridge, refuses=refuses), turns))
    for game, value in ((TOY, "none"), (picky, "weak")):
        default, last, most = golden_configurations(game)
        assert default == game.resolve_options()
        assert last == game.resolve_options(num_players=2, bridge=value)
        assert most == game.resolve_options(num_players=5)


@pytest.mark.parametrize("name", mages_env.games())
def test_every_game_has_golden_configurations(name):
    game = mages_env.get_game(name)
    fewest = [c for c in golden_configurations(game) if c["num_players"] == game.players[0]]
    assert fewest and all(game.resolve_options(**config) == config for config in fewest)


def test_command_line(capsys, tmp_path):
    name = "tests.envs.toy:GAME"
    assert main([name, "--option", "max_turns=4", "--games", "1", "--samples", "2"]) == 0
    assert "toy_v0 keeps its promises" in capsys.readouterr().out
    assert main([name, "--option", "max_turns=4", "--golden", str(tmp_path)]) == 1
    assert "BROKEN  golden: no golden games in" in capsys.readouterr().err
    assert main([name, "--write-golden", str(tmp_path)]) == 0
    written = capsys.readouterr().out.split()
    assert len(written) == 3 and all("players" in path for path in written)
    rules = ["dark_mages_v0", "--option", "rules=1.0", "--option", "max_turns=1"]
    assert main([*rules, "--write-golden", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split()[-1].endswith("2_players_1.0_1.jsonl")
    for bad, match in (
        ([name, "--option", "max_turn=4"], "did you mean 'max_turns'?"),
        ([name, "--option", "max_turns"], "'max_turns' is not of the form name=value"),
        (["tests.envs.toy:NO"], "no game at"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(bad)
        assert caught.value.code == 2
        assert match in capsys.readouterr().err
