"""Handing over between threads by counters (int64[1]), without Python's lock.

A thread that finds the lock taken goes to sleep, and waking it takes longer than a small kernel.
So counters are raised, and looked at, only while the lock is free.
"""

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic

from mages_env.engine.compile import INTERPRETED, helper, kernel

_LOOKS = 100_000  # some tenths of a millisecond
_GRACE = 25_000  # some ten microseconds; less, and the other thread is still asleep at times

if INTERPRETED:

    def raise_and_watch(raised, to, watched, value):
        raised[0] = to

    def raise_and_pause(raised, to):
        raised[0] = to

    def watch(watched, value):
        return None

else:

    @intrinsic
    def _load(typingctx, counter):
        def codegen(context, builder, signature, args):
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.load_atomic(data, "acquire", 8)

        return types.int64(counter), codegen

    @intrinsic
    def _store(typingctx, counter, value):
        def codegen(context, builder, signature, args):
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            builder.store_atomic(args[1], data, "release", 8)
            return context.get_dummy_value()

        return types.void(counter, types.int64), codegen

    @helper
    def _look_out(watched, value, looks):
        for _ in range(looks):
            if _load(watched) >= value:
                return

    @kernel
    def watch(watched, value):
        """Return as soon as ``watched`` reaches ``value``, or after a moment."""
        _look_out(watched, value, _LOOKS)

    @kernel
    def raise_and_watch(raised, to, watched, value):
        """Raise a counter, then ``watch`` another."""
        _store(raised, to)
        _look_out(watched, value, _LOOKS)

    @kernel
    def raise_and_pause(raised, to):
        """Raise a counter and leave the lock to whoever waits for it."""
        _store(raised, to)
        _look_out(raised, to + 1, _GRACE)
