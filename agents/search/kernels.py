"""The compiled part of information-set tree search; knows no game.

One tree serves all iterations. A node stands for the actions taken since the root. Which actions
are legal differs from one redrawn state to the next, so a child also counts how often it was
*available*, and selection compares only what is available now.

With ``paired``, the n-th game of every action at the root begins in the same redrawn state and
meets the same chance, so that actions are compared by what differs (common random numbers). With
``widening``, not every action is tried at once: the first one is the roll-out policy's, and
others join as visits grow (progressive widening).

Source: P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search"
(IEEE TCIAIG 2012): SO-ISMCTS with UCB1. More than two seats: max^n, each maximises its own value.
"""

from __future__ import annotations

import math

import numpy as np

from mages_env.engine.compile import helper, kernel
from mages_env.engine.functions import (
    bind_determinize,
    bind_evaluate,
    bind_legal,
    bind_policy,
    bind_step,
)
from mages_env.engine.masks import count_legal, nth_legal
from mages_env.engine.random import derive_seed, next_u64_from, randbelow_from
from mages_env.engine.state import RUNNING

NO_NODE = -1
_S11 = np.uint64(11)


def node_dtype(max_players: int) -> np.dtype:
    """Record type of tree nodes: 24 bytes and 4 a seat."""
    fields = [
        ("action", "i4"),  # that leads here
        ("parent", "i4"),
        ("child", "i4"),  # the latest; the others follow as siblings
        ("sibling", "i4"),
        ("visits", "i4"),
        ("available", "i4"),
        ("total", "f4", (max_players,)),  # sum of results by seat
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def add_node(nodes, at, parent, action):
    node = nodes[at]
    node.action = action
    node.parent = parent
    node.child = NO_NODE
    node.sibling = NO_NODE
    node.visits = 0
    node.available = 1
    for p in range(node.total.size):
        node.total[p] = 0.0
    if parent != NO_NODE:
        node.sibling = nodes[parent].child
        nodes[parent].child = at


@helper
def best_child(nodes, parent, mover, mask, exploration):
    """Child with the highest upper bound among those legal by ``mask``, or NO_NODE.

    Takes all of them out of ``mask``, so that it holds what was never tried here. Returns how many
    there are and their visits, too.
    """
    best = NO_NODE
    tried = 0
    visits = 0
    highest = -math.inf
    child = nodes[parent].child
    while child != NO_NODE:
        node = nodes[child]
        if mask[node.action] != 0:
            mask[node.action] = 0
            node.available += 1
            tried += 1
            visits += node.visits
            bound = node.total[mover] / node.visits + exploration * math.sqrt(
                math.log(node.available) / node.visits
            )
            if bound > highest:
                highest = bound
                best = child
        child = node.sibling
    return best, tried, visits


@helper
def random_action(mask, rng):
    return nth_legal(mask, 0, mask.size, randbelow_from(rng, count_legal(mask, 0, mask.size)))


@helper
def random_unit(rng):
    """Uniform float in [0, 1)."""
    return np.float64(next_u64_from(rng) >> _S11) / (1 << 53)


@kernel
def plant(nodes):
    """A tree that is nothing but its root, node 0."""
    add_node(nodes, 0, NO_NODE, 0)


@kernel
def iterate(
    root, seat, iterations, nodes, used, span, exploration, widening, paired, worlds, randomness,
    depth, stages, work, mask, result, rng, table,
):  # fmt: skip
    """Grow the tree by ``iterations`` games.

    Args:
        root: record[1], the position as ``seat`` knows it; never changed.
        seat: who searches.
        iterations: how many.
        nodes: tree nodes, at most all of them are used.
        used: int64[1], number of nodes in use.
        span: float64[2], lowest and highest result so far; scales ``exploration``.
        exploration: weight of the width of the confidence bound, in units of the span.
        widening: t actions are tried at a node once it has widening * t**2 visits; 0: all at once.
        paired: whether games of different actions at the root share their chance.
        worlds: uint64, seeds that chance.
        randomness: probability of a random action in the roll-out instead of the policy's.
        depth: decisions of the roll-out after which the position is evaluated.
        stages: stages after the root's at whose end the position is evaluated.
        work: record[1], scratch.
        mask: int8[A], scratch.
        result: float32[P], scratch.
        rng: uint64[1].
        table: function table; the policy may be empty if ``randomness`` is 1, and the evaluation
            if ``depth`` and ``stages`` are never reached.
    """
    determinize = bind_determinize(table, root)
    legal = bind_legal(table, root)
    step = bind_step(table, root)
    policy = bind_policy(table, root)
    evaluate = bind_evaluate(table, root)
    last_stage = root[0].stage + stages
    s = work[0]
    for _ in range(iterations):
        work[0] = root[0]
        redrawn = not paired
        if redrawn:
            determinize(s, seat, next_u64_from(rng))
        at = 0
        weight = exploration * max(span[1] - span[0], 1e-9)

        growing = False
        while s.over == RUNNING and s.stage < last_stage and not growing:
            legal(s, mask)
            usual = policy(s, mask, rng) if widening > 0.0 and randomness < 1.0 else -1
            child, tried, visits = best_child(nodes, at, s.seat, mask, weight)
            untried = count_legal(mask, 0, mask.size)
            first = usual >= 0 and mask[usual] != 0
            wider = first or (untried > 0 and widening * tried * tried <= visits)
            if child == NO_NODE or (wider and used[0] < nodes.size):
                action = usual
                if not first:
                    action = nth_legal(mask, 0, mask.size, randbelow_from(rng, untried))
                growing = True
                if used[0] < nodes.size:
                    add_node(nodes, used[0], at, action)
                    at = used[0]
                    used[0] += 1
            else:
                at = child
                action = nodes[child].action
            if not redrawn:  # what the root's seat may do is the same in all of its worlds
                rng[0] = derive_seed(worlds, np.uint64(nodes[at].visits))
                determinize(s, seat, next_u64_from(rng))
                redrawn = True
            step(s, action)

        moves = 0
        while s.over == RUNNING and s.stage < last_stage and moves < depth:
            legal(s, mask)
            if randomness >= 1.0 or (randomness > 0.0 and random_unit(rng) < randomness):
                action = random_action(mask, rng)
            else:
                action = policy(s, mask, rng)
            step(s, action)
            moves += 1

        if s.over == RUNNING:
            evaluate(s, result)
        else:
            for p in range(s.num_players):
                result[p] = s.returns[p]
        for p in range(s.num_players):
            span[0] = min(span[0], result[p])
            span[1] = max(span[1], result[p])
        while at != NO_NODE:
            node = nodes[at]
            node.visits += 1
            for p in range(s.num_players):
                node.total[p] += result[p]
            at = node.parent


@kernel
def root_statistics(nodes, visits, available, totals):
    """Visits, availability (A,) and sums of results (A, P) of the root's children, by action."""
    child = nodes[0].child
    while child != NO_NODE:
        node = nodes[child]
        visits[node.action] = node.visits
        available[node.action] = node.available
        for p in range(totals.shape[1]):
            totals[node.action, p] = node.total[p]
        child = node.sibling
