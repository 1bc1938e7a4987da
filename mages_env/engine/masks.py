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
_TOP = np.uint64(56)

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
def nth_legal(mask, base, size, n):
    """The legal action with ``n`` legal ones before it; there must be one."""
    a = 0
    for _ in range(size >> 3):
        here = np.int64((_eight(mask, base + a) * _ONES) >> _TOP)
        if n < here:
            break
        n -= here
        a += 8
    while _one(mask, base + a) == 0 or n > 0:
        n -= _one(mask, base + a)
        a += 1
    return a
