"""Picking legal actions from masks of any size."""

import numpy as np
import pytest

from mages_env.engine import kernel
from mages_env.engine.masks import count_legal, nth_legal
from mages_env.engine.views import view


@kernel
def every_legal(mask, base, size, out):
    n = count_legal(mask, base, size)
    for k in range(n):
        out[k] = nth_legal(mask, base, size, k)
    return n


@kernel
def double_row(matrix, i):
    row = view(matrix, i * matrix.shape[1], matrix.shape[1])
    for k in range(row.size):
        row[k] *= 2


@pytest.mark.parametrize("size", [1, 3, 7, 8, 9, 16, 39, 275, 511, 512, 513, 647, 869])
@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_nth_legal(size, share):
    rng = np.random.default_rng([size, int(100 * share)])
    masks = (rng.random((20, size)) < share).astype(np.int8)
    for i, mask in enumerate(masks):
        out = np.full(size, -1)
        n = every_legal(masks, i * size, size, out)
        assert out[:n].tolist() == np.flatnonzero(mask).tolist()


def test_a_view_is_the_array_itself():
    matrix = np.arange(6.0).reshape(3, 2)
    double_row(matrix, 1)
    assert matrix.tolist() == [[0, 1], [4, 6], [4, 5]]
