"""Drawing actions from masked logits, compiled: only legal actions cost an exponential."""

from __future__ import annotations

import math

import numpy as np

from mages_env.engine import kernel
from mages_env.engine.random import next_u64_from

_S11 = np.uint64(11)
_UNIT = 2.0**-53


@kernel
def sample_masked(logits, mask, rng, actions, log_prob):
    """Draw a legal action in every row by softmax over the legal logits.

    Args:
        logits: (n, A) float32.
        mask: (n, A) int8; a row without a legal action gets action 0 and log-probability 0.
        rng: (n,) uint64, row i draws from ``rng[i]``.
        actions: (n,) int64, filled.
        log_prob: (n,) float32, filled.
    """
    for i in range(logits.shape[0]):
        top = -math.inf
        for a in range(logits.shape[1]):
            if mask[i, a] != 0 and logits[i, a] > top:
                top = logits[i, a]
        total = 0.0
        for a in range(logits.shape[1]):
            if mask[i, a] != 0:
                total += math.exp(logits[i, a] - top)
        left = total * (np.float64(next_u64_from(rng[i : i + 1]) >> _S11) * _UNIT)
        action = 0
        for a in range(logits.shape[1]):
            if mask[i, a] != 0:
                action = a
                left -= math.exp(logits[i, a] - top)
                if left < 0.0:
                    break
        actions[i] = action
        log_prob[i] = logits[i, action] - top - math.log(total) if total > 0.0 else 0.0


@kernel
def best_masked(logits, mask, actions):
    """The legal action with the highest logit in every row, the first of equals; 0 where none."""
    for i in range(logits.shape[0]):
        best = -1
        for a in range(logits.shape[1]):
            if mask[i, a] != 0 and (best < 0 or logits[i, a] > logits[i, best]):
                best = a
        actions[i] = max(best, 0)


@kernel
def masked_probabilities(logits, mask, probabilities):
    """Softmax over the legal logits, 0 elsewhere, into ``probabilities`` (n, A) float32."""
    for i in range(logits.shape[0]):
        top = -math.inf
        for a in range(logits.shape[1]):
            if mask[i, a] != 0 and logits[i, a] > top:
                top = logits[i, a]
        total = 0.0
        for a in range(logits.shape[1]):
            if mask[i, a] != 0:
                total += math.exp(logits[i, a] - top)
        for a in range(logits.shape[1]):
            probabilities[i, a] = math.exp(logits[i, a] - top) / total if mask[i, a] != 0 else 0.0


@kernel
def count_legal(mask, rows, count):
    """How many actions are legal in each of ``rows``, into ``count`` (n,) int64."""
    for k in range(rows.size):
        legal = 0
        for a in range(mask.shape[1]):
            legal += mask[rows[k], a] != 0
        count[k] = legal


@kernel
def list_legal(mask, rows, action, legal, choice):
    """The legal actions of each of ``rows``, and where the action taken stands among them.

    Args:
        mask: (M, A) int8.
        rows: (n,) int64.
        action: (M,) int64, the action taken.
        legal: (n, L) int64, filled from the left; the rest is left as it is.
        choice: (n,) int64, filled.
    """
    for k in range(rows.size):
        i = rows[k]
        found = 0
        for a in range(mask.shape[1]):
            if mask[i, a] != 0:
                legal[k, found] = a
                if a == action[i]:
                    choice[k] = found
                found += 1


def index_legal(mask, rows, action):
    """Legal actions as lists, which are far shorter than masks.

    Args:
        mask: (M, A) int8.
        rows: (n,) int64, which rows.
        action: (M,) int64, the action taken in every row.

    Returns:
        legal (n, L) int64, padded with 0; count (n,) int64; choice (n,) int64, the action taken as
        an index into the row of ``legal``.
    """
    count = np.empty(len(rows), np.int64)
    count_legal(mask, rows, count)
    legal = np.zeros((len(rows), int(count.max(initial=1))), np.int64)
    choice = np.zeros(len(rows), np.int64)
    list_legal(mask, rows, action, legal, choice)
    return legal, count, choice
