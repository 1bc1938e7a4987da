"""Rows as kernels hand them to rule functions: views that own nothing, fetched early, cleared.

An ordinary slice counts references, atomically, which costs more than a small rule function does.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from mages_env.engine.compile import INTERPRETED, helper

_CACHE_LINE = 64  # bytes
_PIECE = 1792  # bytes

if INTERPRETED:

    def view(array, start, size):
        return array.reshape(-1)[start : start + size]

    def prefetch(states, i):
        pass

    def prefetch_row(array, i):
        pass

else:

    @intrinsic
    def view(typingctx, array, start, size):
        """``size`` entries from flat index ``start`` of a C-contiguous array that outlives it."""
        if not (isinstance(array, types.Array) and array.layout == "C"):
            raise errors.TypingError(f"not a C-contiguous array: {array}")
        result = types.Array(array.dtype, 1, "C", readonly=not array.mutable)

        def codegen(context, builder, signature, args):
            source = context.make_array(signature.args[0])(context, builder, args[0])
            made = context.make_array(result)(context, builder)
            populate_array(
                made,
                data=builder.gep(source.data, [args[1]]),
                shape=[args[2]],
                strides=[source.itemsize],
                itemsize=source.itemsize,
                meminfo=None,
            )
            return made._getvalue()

        return result(array, types.intp, types.intp), codegen

    def _fetch(context, builder, data, at):
        """Ask the processor for the cache line ``at`` bytes from ``data``, to write, to keep."""
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        line = builder.gep(builder.bitcast(data, byte), [at])
        builder.call(fetch, [line, flag(1), flag(3), flag(1)])

    @intrinsic
    def prefetch(typingctx, states, i):
        """Ask the processor for state ``i``, which need not exist, while it works on another.

        A batch is larger than its caches, and what a step reads lies here and there in the record.
        All is asked for but the events, which come last and are few in most steps.
        """
        fields = states.dtype.fields
        wanted = fields["events"].offset + _CACHE_LINE

        def codegen(context, builder, signature, args):
            source = context.make_array(signature.args[0])(context, builder, args[0])
            state = builder.gep(source.data, [args[1]])
            for line in range(0, wanted, _CACHE_LINE):
                _fetch(context, builder, state, context.get_constant(types.intp, line))
            return context.get_dummy_value()

        return types.void(states, types.intp), codegen

    @intrinsic
    def prefetch_row(typingctx, array, i):
        """Ask the processor for row ``i`` of a C-contiguous array that is to be filled anew."""

        def codegen(context, builder, signature, args):
            source = context.make_array(signature.args[0])(context, builder, args[0])
            columns = builder.extract_value(source.shape, 1)
            row = builder.gep(source.data, [builder.mul(args[1], columns)])
            size = builder.mul(columns, source.itemsize)
            line = context.get_constant(types.intp, _CACHE_LINE)
            zero = context.get_constant(types.intp, 0)
            with cgutils.for_range_slice(builder, zero, size, line, inc=True) as (at, _):
                _fetch(context, builder, row, at)
            return context.get_dummy_value()

        return types.void(array, types.intp), codegen


@helper
def clear(row):
    """Zeros in a mask or an observation.

    In pieces, because C libraries clear more than 2 KiB by an instruction that starts slowly.
    """
    size = _PIECE // row.itemsize
    done = 0
    while done + size <= row.size:
        piece = row[done : done + size]
        for i in range(size):
            piece[i] = 0
        done += size
    rest = row[done:]
    for i in range(rest.size):
        rest[i] = 0
