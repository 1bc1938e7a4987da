"""Rule functions as values: how one kernel serves every game and is still cached on disk.

A *function table* is a ``uint64`` array of machine addresses, one per role of the contract.
A kernel turns an entry into a callable with ``bind_step(table, states)`` and the like; the types
follow from the record type of ``states``. (Passing the compiled functions themselves costs about
20 us an argument and call; an array costs 0.05 us.) Interpreted, a table is a tuple of functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from mages_env.engine.compile import INTERPRETED

_MASK = types.Array(types.int8, 1, "C")
_FLOATS = types.Array(types.float32, 1, "C")
_STREAM = types.Array(types.uint64, 1, "C")


@dataclass(frozen=True)
class Signatures:
    """Numba signatures of the contract's functions for one record type."""

    reset: Any  # (state, seed: uint64)
    legal: Any  # (state, mask: int8[A])
    step: Any  # (state, action: int64)
    observe: Any  # (state, seat: int64, out: float32[D])
    observe_full: Any  # (state, out: float32[F])
    determinize: Any  # (state, seat: int64, seed: uint64)
    policy: Any  # (state, mask: int8[A], rng: uint64[1]) -> int64
    evaluate: Any  # (state, out: float32[P])


def record_type(dtype: np.dtype) -> Any:
    """Numba type of a state record."""
    return numba.from_dtype(dtype)


def signatures(dtype: np.dtype) -> Signatures:
    """Signatures for the state records of ``dtype`` (as made by ``state_dtype``)."""
    return _signatures(record_type(dtype))


def _signatures(record: Any) -> Signatures:
    return Signatures(
        reset=types.void(record, types.uint64),
        legal=types.void(record, _MASK),
        step=types.void(record, types.int64),
        observe=types.void(record, types.int64, _FLOATS),
        observe_full=types.void(record, _FLOATS),
        determinize=types.void(record, types.int64, types.uint64),
        policy=types.int64(record, _MASK, _STREAM),
        evaluate=types.void(record, _FLOATS),
    )


ROLES = tuple(field.name for field in fields(Signatures))


def function_table(**functions: Callable | None) -> Any:
    """Table of rule functions by role; roles left out stay empty and must not be bound.

    Raises:
        ValueError: a role that does not exist, or a function that was not compiled for it.
    """
    unknown = sorted(set(functions) - set(ROLES))
    if unknown:
        raise ValueError(f"unknown roles {unknown}; roles are {list(ROLES)}")
    if INTERPRETED:
        return tuple(functions.get(role) for role in ROLES)
    return np.array([_address(functions.get(role), role) for role in ROLES], dtype=np.uint64)


def _address(function: Any, role: str) -> int:
    if function is None:
        return 0
    compiled = getattr(function, "overloads", None)
    if not compiled:
        raise ValueError(
            f"{role} function {function!r} is not compiled; decorate it with "
            f"@compiled(signatures(STATE).{role})"
        )
    (result,) = compiled.values()
    wanted = getattr(_signatures(result.signature.args[0]), role)
    if result.signature.args != wanted.args or result.signature.return_type != wanted.return_type:
        raise ValueError(f"{role} function is compiled as {result.signature}, not as {wanted}")
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def _binder(role: str) -> Any:
    index = ROLES.index(role)
    if INTERPRETED:
        return lambda table, states: table[index]

    @intrinsic
    def bind(typingctx, table, states):
        function_type = types.FunctionType(getattr(_signatures(states.dtype), role))

        def codegen(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            entry = builder.gep(array.data, [context.get_constant(types.intp, index)])
            pointer_type = context.get_value_type(types.voidptr)
            value = cgutils.create_struct_proxy(function_type)(context, builder)
            value.jit_addr = builder.inttoptr(builder.load(entry), pointer_type)
            return value._getvalue()

        return function_type(table, states), codegen

    return bind


bind_reset = _binder("reset")
bind_legal = _binder("legal")
bind_step = _binder("step")
bind_observe = _binder("observe")
bind_observe_full = _binder("observe_full")
bind_determinize = _binder("determinize")
bind_policy = _binder("policy")
bind_evaluate = _binder("evaluate")
