"""The generator inside every state: splitmix64, 64 bits of state, unbiased bounded draws.

Source: G. L. Steele Jr., D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators"
(OOPSLA 2014); bounded draws after D. Lemire, "Fast random integer generation in an interval"
(ACM TOMACS 2019).

A *stream* below is anything with a ``uint64`` field ``rng``: a state record. Agents, which must
not touch the state's stream, carry a ``uint64`` array of length 1 and use the ``_from`` forms.
"""

from __future__ import annotations

import numpy as np

from mages_env.engine.compile import helper

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_SPAN = np.uint64(1 << 32)
_S27, _S30, _S31, _S32 = (np.uint64(n) for n in (27, 30, 31, 32))


@helper
def mix64(x):
    """Scramble 64 bits (the finaliser of splitmix64): uint64 -> uint64."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@helper
def derive_seed(seed, index):
    """Seed number ``index`` of the family that ``seed`` opens; all uint64."""
    return mix64(mix64(np.uint64(seed) + _GAMMA) + np.uint64(index) * _GAMMA)


@helper
def seed_stream(state, seed):
    """Start the state's stream from ``seed`` (uint64)."""
    state.rng = mix64(np.uint64(seed) + _GAMMA)


@helper
def next_u64(state):
    """Next 64 bits of the state's stream."""
    state.rng = state.rng + _GAMMA
    return mix64(state.rng)


@helper
def randbelow(state, n):
    """Uniform integer in ``[0, n)`` from the state's stream, without bias; ``0 < n < 2**32``."""
    bound = np.uint64(n)
    product = (next_u64(state) >> _S32) * bound
    low = product & _LOW
    if low < bound:
        threshold = (_SPAN - bound) % bound
        while low < threshold:
            product = (next_u64(state) >> _S32) * bound
            low = product & _LOW
    return np.int64(product >> _S32)


@helper
def next_u64_from(rng):
    """Next 64 bits of an agent's stream, ``rng``: uint64[1]."""
    rng[0] = rng[0] + _GAMMA
    return mix64(rng[0])


@helper
def randbelow_from(rng, n):
    """Uniform integer in ``[0, n)`` from an agent's stream, ``rng``: uint64[1]."""
    bound = np.uint64(n)
    product = (next_u64_from(rng) >> _S32) * bound
    low = product & _LOW
    if low < bound:
        threshold = (_SPAN - bound) % bound
        while low < threshold:
            product = (next_u64_from(rng) >> _S32) * bound
            low = product & _LOW
    return np.int64(product >> _S32)
