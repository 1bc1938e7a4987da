"""The generator: known values, unbiased bounded draws, families of seeds."""

import numpy as np
import pytest

from mages_env.engine import compiled, helper, randbelow, randbelow_from, signatures, state_dtype
from mages_env.engine.kernels import nth_seed
from mages_env.engine.random import mix64, next_u64_from, seed_stream

STATE = state_dtype([], [("bound", "i8"), ("drawn", "i8", (1000,))], max_players=2, max_events=1)
MASK = 2**64 - 1


@compiled(signatures(STATE).reset)
def draw(s, seed):
    """A thousand draws below ``bound`` from a fresh stream."""
    seed_stream(s, seed)
    for i in range(s.drawn.size):
        s.drawn[i] = randbelow(s, s.bound)


@helper
def draw_from(rng, bound, out):
    for i in range(out.size):
        out[i] = randbelow_from(rng, bound)


def drawn(seed, bound, count):
    rng, out = np.array([seed], np.uint64), np.empty(count, np.int64)
    draw_from(rng, bound, out)
    return out


def python_mix64(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


@pytest.mark.parametrize(
    "seed, values",
    [
        # http://xoshiro.di.unimi.it/splitmix64.c
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (
            1234567,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821,
            ],
        ),
    ],
)
def test_known_values_of_splitmix64(seed, values):
    rng = np.array([seed], np.uint64)
    assert [int(next_u64_from(rng)) for _ in values] == values


def test_mix64_against_whole_numbers():
    for x in (0, 1, 2**63, MASK, 0x0123456789ABCDEF):
        assert int(mix64(np.uint64(x))) == python_mix64(x)


def test_the_stream_of_a_state_is_the_stream_of_an_agent():
    gamma = 0x9E3779B97F4A7C15
    state = np.zeros(1, STATE)
    state["bound"] = 55
    for seed in (0, 5, MASK):
        draw(state[0], np.uint64(seed))
        start = python_mix64((seed + gamma) & MASK)
        assert np.array_equal(state["drawn"][0], drawn(start, 55, 1000))


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 15, 55, 100])
def test_draws_are_uniform(bound):
    counts = np.bincount(drawn(7, bound, 50_000), minlength=bound)
    assert counts.size == bound
    expected = 50_000 / bound
    chi_square = ((counts - expected) ** 2 / expected).sum()
    degrees = bound - 1
    assert chi_square < degrees + 4 * np.sqrt(2 * degrees) + 10


@pytest.mark.parametrize("bound", [3 << 30, 2**32 - 1, (1 << 31) + 1, 5 * 10**8])
def test_draws_below_big_bounds_are_uniform(bound):
    """Where a product without rejection would be off by whole tenths."""
    values = drawn(11, bound, 60_000)
    assert values.min() >= 0 and values.max() < bound
    for groups, label in ((values * 10 // bound, 10), (values % 3, 3)):
        counts = np.bincount(groups, minlength=label)
        expected = 60_000 / label
        assert ((counts - expected) ** 2 / expected).sum() < 35


def test_pairs_of_draws_are_uniform():
    values = drawn(3, 6, 72_000)
    counts = np.bincount(values[::2] * 6 + values[1::2], minlength=36)
    assert ((counts - 1000) ** 2 / 1000).sum() < 80  # chi-square, 35 degrees, p = .00002


def test_families_of_seeds():
    def python_nth_seed(seed, index):
        gamma = 0x9E3779B97F4A7C15
        opened = python_mix64((seed + gamma) & MASK)
        return python_mix64((opened + index * gamma) & MASK)

    seen = set()
    for seed in (0, 1, 2, 2**63, MASK):
        for index in range(200):
            found = int(nth_seed(np.uint64(seed), np.uint64(index)))
            assert found == python_nth_seed(seed, index)
            seen.add(found)
    assert len(seen) == 1000
