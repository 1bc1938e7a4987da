"""Views that own nothing: what kernels hand to rule functions, row by row.

An ordinary slice counts references, atomically, which costs more than a small rule function does.
"""

from __future__ import annotations

from numba.core import errors, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from mages_env.engine.compile import INTERPRETED

if INTERPRETED:

    def view(array, start, size):
        return array.reshape(-1)[start : start + size]

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
