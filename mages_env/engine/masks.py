"""Reading action masks eight entries at a time: picking a legal action is part of every decision.

A mask lies at ``base`` in a C-contiguous int8 array of any shape and has ``size`` entries, 0 or 1.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from mages_env.engine.compile import INTERPRETED, helper

_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_TOP = np.uint64(56)
_S7 = np.uint64(7)

if INTERPRETED:

    def _eight(mask, at):
        return np.uint64(mask.reshape(-1)[at : at + 8].view(np.uint64)[0])

    def _one(mask, at):
        return mask.reshape(-1)[at]

else:

    def _loader(bits: int, result):
        @intrinsic
        def load(typingctx, mask, at):
            def codegen(context, builder, signature, args):
                data = context.make_array(signature.args[0])(context, builder, args[0]).data
                pointer = builder.gep(data, [args[1]])
                pointer = builder.bitcast(pointer, ir.IntType(bits).as_pointer())
                return builder.load(pointer, align=1)

            return result(mask, types.intp), codegen

        return load

    _eight = _loader(64, types.uint64)
    _one = _loader(8, types.int8)


_BLOCK = 64
_LARGE = 512
"""Masks of this size on are looked through by blocks first; smaller ones gain nothing by it."""


@helper
def _count_block(mask, at):
    """Number of legal ones among the 64 entries from ``at``."""
    total = np.uint64(0)
    for word in range(8):
        total += _eight(mask, at + (word << 3))
    return np.int64((total * _ONES) >> _TOP)


@helper
def count_legal(mask, base, size):
    """Number of legal actions."""
    whole = size >> 3
    total = np.int64(0)
    for word in range(whole):
        total += np.int64((_eight(mask, base + (word << 3)) * _ONES) >> _TOP)
    for a in range(whole << 3, size):
        total += _one(mask, base + a)
    return total


@helper
def _nth_of_few(mask, base, size, n):
    a = 0
    for _ in range(size >> 3):
        counts = _eight(mask, base + a) * _ONES  # byte k: legal ones up to entry k
        here = np.int64(counts >> _TOP)
        if n < here:
            not_above = ((np.uint64(n) * _ONES | _HIGH) - counts) & _HIGH  # counts <= n
            return a + np.int64(((not_above >> _S7) * _ONES) >> _TOP)
        n -= here
        a += 8
    legal = 0
    action = a
    for b in range(a, size):
        legal += _one(mask, base + b)
        action += legal <= n
    return action


@helper
def nth_legal(mask, base, size, n):
    """The legal action with ``n`` legal ones before it; there must be one.

    Where it lies is random, so nothing here branches on single entries.
    """
    if size < _LARGE:
        return _nth_of_few(mask, base, size, n)
    a = 0
    here = _count_block(mask, base)
    while n >= here and a + 2 * _BLOCK <= size:
        n -= here
        a += _BLOCK
        here = _count_block(mask, base + a)
    return a + _nth_of_few(mask, base + a, size - a, n)
