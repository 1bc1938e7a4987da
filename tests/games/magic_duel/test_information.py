"""What a seat knows: its observation, and that a split is hidden until both are made."""

import numpy as np
import pytest

from mages_env.engine import RUNNING
from mages_env.games.magic_duel import GAME
from mages_env.record import Recorder

from .scene import legal_ids, outcome, scene, square, take

SEATS = range(4)


def observed(s, seat, encoder="standard"):
    encoder = GAME.encoder(encoder)
    out = np.full(encoder.layout.size, np.nan, np.float32)
    encoder.function(s, seat, out)
    return encoder.layout.views(out)


def observed_full(s):
    out = np.full(GAME.full.layout.size, np.nan, np.float32)
    GAME.full.function(s, out)
    return GAME.full.layout.views(out)


def determinized(s, seat, seed):
    redrawn = s.copy()
    GAME.determinize(redrawn, seat, np.uint64(seed))
    return redrawn


def assert_block(views, name, expected):
    np.testing.assert_allclose(views[name], expected, rtol=1e-6, err_msg=name)


# What a seat sees.


def one_hot(size, place=-1):
    return [float(k == place) for k in range(size)]


def casting():
    """Side 1 is asked to counter Drain Energy with three dice at its guard."""
    s = scene(
        "w1 c2 f1 p3, wa d2 hp7 cap10 f2 m4 +5 >3",
        "w2 e7 hp2 f5 p0, gu d4 hp3 f4 broken m12, w1 e2",
        turn=3,
        tokens=[4, 0],
        points=[5, 0],
        passed=[0, 1],
        counter_fatigue=2,
    )
    take(s, "wizard 1: cast", "drain energy", "player_1 guard", "2 tokens")
    return s


def unit(at, pool, models, *rest):
    """x, y, hit points and models as they are encoded, in play."""
    x, y = "abcdefghi".index(at[0]), int(at[1]) - 1
    return [1, x / 8, y / 8, pool / 10, models / 5, *rest]


def test_the_observation_of_the_side_that_is_asked():
    seen = observed(casting(), 1)
    assert_block(seen, "game", [1, 2 / 6, 0, 2 / 5, 3 / 5, 2 / 30, 4 / 30, 0, 0, 0])
    assert_block(seen, "phase", one_hot(10, 6))
    assert_block(seen, "deed", one_hot(7, 4))
    assert_block(seen, "spell", one_hot(6, 3))
    # Plays; tokens; may still act; points of 23; initiative; its action; to move.
    sides = [[1, 0, 0, 0, 0, 0, 1], [1, 3 / 8, 1, 5 / 23, 1, 1, 0], [0] * 7, [0] * 7]
    assert_block(seen, "sides", sides)
    units = np.zeros((4, 5, 16))
    # Healing, fatigue / 5, fatigued, broken, morale / 10, half, power / 4, +dice / 20, speed / 4,
    # acts, is the target; the board is turned for side 1: e7 is e3, d4 is f6.
    units[0, 0] = unit("e8", 8, 1, 0, 0, 0, 0, 0, 0, 2 / 4, 0, 0, 0, 0)
    units[0, 1] = unit("e3", 2, 1, 6 / 10, 5 / 5, 1, 0, 0, 1, 0, 0, 0, 0, 0)
    units[0, 4] = unit("f6", 3, 2, 1 / 10, 4 / 5, 0, 1, 1, 1, 0, 0, 0, 0, 1)
    units[1, 0] = unit("g8", 8, 1, 0, 2 / 5, 0, 0, 0, 0, 1 / 4, 0, 0, 1, 0)
    units[1, 3] = unit("f8", 7, 4, 3 / 10, 2 / 5, 0, 0, 4 / 10, 0, 0, 5 / 20, 3 / 4, 0, 0)
    s = casting()
    assert s.pool_cap[1, 1] == 8
    assert_block(seen, "units", units)
    board = np.zeros((3, 9, 9))
    for plane, at, pool in ((0, "e8", 8), (0, "e3", 2), (0, "f6", 3), (1, "g8", 8), (1, "f8", 7)):
        board[plane].flat[square(at)] = pool / 10
    for x, y in ((6, 5), (2, 3), (5, 3), (3, 5), (8, 4), (0, 4)):  # the same, turned
        board[2, y, x] = 1
    assert_block(seen, "board", board)


def test_the_observation_of_the_side_that_waits():
    mine, other = observed(casting(), 0), observed(casting(), 1)
    assert_block(mine, "game", [0, *other["game"][1:]])
    assert_block(mine, "sides", other["sides"][[1, 0, 2, 3]])
    units = other["units"][[1, 0, 2, 3]].copy()
    units[..., 1:3] = np.where(units[..., :1] > 0, 1 - units[..., 1:3], 0)  # the board turned
    assert_block(mine, "units", units)
    assert_block(mine, "board", other["board"][[1, 0, 2], ::-1, ::-1])
    for name in ("phase", "deed", "spell"):
        assert_block(mine, name, other[name])


def splitting(attack=5, count=2, **options):
    """Side 0's warriors (ten dice) charge at the guard of side 1, which is to split its eight."""
    s = scene("wa d4, w1 a1", "gu e6, w1 i9", *["w1 a9", "w1 i1"][: count - 2], **options)
    take(s, "warriors: charge", "player_1 guard", "e5", f"{attack} dice")
    return s


@pytest.mark.rule("MGD-26")
def test_only_the_charger_sees_its_split():
    s = splitting(7, 4)
    own = [0, 0, 0, 1 / 5, 0, 10 / 30, 8 / 30, 7 / 30, 4 / 8, 4 / 8]
    assert_block(observed(s, 0), "game", own)
    for seat in (1, 2, 3):
        seen = observed(s, seat)["game"]
        assert seen[7] == 0
        assert_block({"game": seen[:7]}, "game", [seat == 1, *own[1:7]])
    # e5 is the middle, the same from everywhere.
    assert_block(observed(s, 3), "phase", one_hot(10, 9))
    full = observed_full(s)
    assert_block(full, "game", [1, *own[1:]])


def test_the_compact_observation_is_the_standard_one_without_the_board():
    for s in (casting(), splitting()):
        for seat in (0, 1):
            standard, compact = observed(s, seat), observed(s, seat, "compact")
            assert set(standard) - set(compact) == {"board"}
            for name, block in compact.items():
                assert_block(standard, name, block)


def test_the_full_observation_is_that_of_side_0_and_the_hidden_split():
    s = casting()
    full, mine = observed_full(s), observed(s, 0)
    assert_block(full, "game", [1, *mine["game"][1:]])
    for name in ("phase", "deed", "spell", "sides", "units"):
        assert_block(full, name, mine[name])
    s = splitting(4)
    assert observed_full(s)["game"][7] == np.float32(4 / 30)


@pytest.mark.rule("MGD-31")
def test_sides_are_seen_clockwise_and_lost_ones_are_not_there():
    s = scene("w1 c1", "", "w1 g9, ar e9", "w1 i3", to_move=2, holder=3, points=[1, 9, 3, 4])
    seen = observed(s, 2)
    sides = np.zeros((4, 7))
    sides[0] = [1, 6 / 8, 1, 3 / 57, 0, 1, 1]
    sides[1] = [1, 6 / 8, 1, 4 / 57, 1, 0, 0]
    sides[2] = [1, 6 / 8, 1, 1 / 57, 0, 0, 0]
    sides[3] = [0, 0, 0, 9 / 57, 0, 0, 0]
    assert_block(seen, "sides", sides)
    in_play = seen["units"][..., 0]
    assert np.argwhere(in_play).tolist() == [[0, 0], [0, 2], [1, 0], [2, 0]]
    # Their board is turned by half, so g9 is c1, i3 is a7 and c1 is g9.
    at = (seen["units"][..., 1:3] * 8).round().astype(int)
    assert at[in_play > 0].tolist() == [[2, 0], [4, 0], [0, 6], [6, 8]]


def test_the_observation_of_a_game_that_is_over():
    s = scene("ar c1", "w1 c3 hp1", points=[0, 9], scenario="nexus")
    take(s, "archers: shoot")
    outcome(s, "player_1 wizard 1", dice="7+ 6- 6- 6- 6+")
    for seat in (0, 1):
        seen = observed(s, seat)
        assert_block(seen, "game", [0, 0, 0, 1 / 5, 0, 0, 0, 0, 0, 0])
        for name in ("phase", "deed", "spell"):
            assert not seen[name].any()
        assert not seen["sides"][:, 4:].any()
    assert not observed_full(s)["game"][[0, *range(4, 10)]].any()
    s = scene("w1 c1", "w1 g9", scenario="wizards")
    assert observed(s, 0)["game"][2] == 1


# The split is hidden (MGD-26).


def known(s, seat):
    """Everything that a seat is told, as bytes and words."""
    mask = np.zeros(GAME.num_actions, np.int8)
    if s.seat == seat:
        GAME.legal(s, mask)
    return (
        *(bytes(np.concatenate([v.ravel() for v in observed(s, seat, e).values()]))
          for e in GAME.encoders),
        mask.tobytes(),
        GAME.to_text(s, seat),
        GAME.to_json(s, seat),
        GAME.to_text(s, None),
        GAME.to_json(s, None),
    )  # fmt: skip


@pytest.mark.rule("MGD-26")
@pytest.mark.parametrize("count", [2, 4])
def test_states_that_differ_in_the_split_look_the_same_to_all_others(count):
    states = [splitting(attack, count) for attack in range(11)]
    for seat in range(1, count):
        first = known(states[0], seat)
        for s in states[1:]:
            assert known(s, seat) == first
    own = [known(s, 0) for s in states]
    assert len({one[0] for one in own}) == len({one[1] for one in own}) == 11
    assert [one[4]["own_attack_dice"] for one in own] == list(range(11))
    assert all(
        f"Your split: {n} attack {'die' if n == 1 else 'dice'}" in one[3]
        for n, one in enumerate(own)
    )


@pytest.mark.rule("MGD-26")
def test_the_split_shows_when_both_are_made():
    s = splitting(7)
    assert GAME.to_json(s, 0)["events"] == [
        "player_0 has split the dice",
        "player_0's warriors: 7 dice to attack, 3 to defend",
    ]
    assert GAME.to_json(s, 1)["events"] == ["player_0 has split the dice"]
    take(s, "2 dice")
    for seat in (0, 1, None):
        assert GAME.to_json(s, seat)["events"][:2] == [
            "player_0's warriors: 7 dice to attack, 3 to defend",
            "player_1's guard: 2 dice to attack, 6 to defend",
        ]


@pytest.mark.rule("MGD-26")
@pytest.mark.parametrize("count", [2, 3])
def test_no_other_seat_reads_the_split_in_its_record_of_the_game(count):
    """Two games that are the same but for one split, up to the decision on the other."""
    rng = np.random.default_rng(6)
    config = GAME.resolve_options(count)
    recorder = Recorder(GAME, config, 3)
    played = []
    while True:
        s = recorder.state[0]
        choices = legal_ids(s)
        charges = [a for a in choices if a in (4, 11, 18, 25, 32)]
        if s.phase == 8 and not s.broken[s.target_side, s.target]:
            break
        action = int(rng.choice(charges or choices))
        played.append(action)
        recorder.add(action)
        assert s.over == RUNNING
    charger, charged = int(s.active), int(s.target_side)
    seen = []
    for split in choices:
        recorder = Recorder(GAME, config, 3)
        for action in [*played, split]:
            recorder.add(action)
        assert recorder.state[0].seat == charged
        record = recorder.record()
        seen.append([list(record.for_seat(seat)._lines()) for seat in range(count)])
    for seat in range(count):
        different = {tuple(lines[seat]) for lines in seen}
        assert len(different) == (len(choices) if seat == charger else 1)


def random_states(count, **options):
    """States of some games, all those with a hidden split among them."""
    rng = np.random.default_rng(9)
    for seed in range(2):
        s = GAME.new_state(count, **options)[0]
        GAME.reset(s, np.uint64(seed))
        step = 0
        while s.over == RUNNING:
            if step % 31 == 0 or s.phase == 9:
                yield s
            GAME.step(s, int(rng.choice(legal_ids(s))))
            step += 1
        yield s


@pytest.mark.rule("MGD-26", "ALL-02")
@pytest.mark.parametrize("count", [2, 4])
def test_determinising_changes_only_what_is_hidden_and_leaves_no_trace_of_it(count):
    rng = np.random.default_rng(0)
    hidden = 0
    for s in random_states(count):
        for seat in range(count):
            redrawn = determinized(s, seat, 5)
            assert known(redrawn, seat) == known(s, seat)
            assert redrawn.rng != s.rng
            rest = redrawn.copy()
            rest.rng, rest.num_events, rest.events = s.rng, s.num_events, s.events
            if s.over == RUNNING and s.phase == 9 and seat != s.active:
                hidden += 1
                rest.attack[0] = s.attack[0]
            assert rest.tobytes() == s.tobytes()
            seen = [e for e in s.events[: s.num_events].tolist() if e[1] in (-1, seat)]
            assert redrawn.events[: redrawn.num_events].tolist() == seen
            # Another state that the seat cannot tell from this one becomes the same.
            other = determinized(s, seat, 77)
            unused = other.events[other.num_events :]
            unused[:] = rng.integers(15, size=unused.shape)
            assert determinized(other, seat, 5).tobytes() == redrawn.tobytes()
    assert hidden > 10


@pytest.mark.rule("MGD-26")
def test_every_split_is_as_likely():
    s = splitting(3)
    found = np.zeros(11)
    for seed in range(2200):
        found[determinized(s, 1, seed).attack[0]] += 1
    assert (abs(found - 200) < 4.5 * 200**0.5).all()
    assert {int(determinized(s, 0, seed).attack[0]) for seed in range(20)} == {3}


@pytest.mark.rule("ALL-02")
def test_determinising_reseeds_chance():
    s = casting()
    streams = {int(determinized(s, 0, seed).rng) for seed in range(20)}
    assert len(streams) == 20 and int(s.rng) not in streams
