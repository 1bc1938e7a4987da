"""Thousands of games in lock-step by random legal moves, with each seat's mean return.

python examples/batch_random.py
"""

import time

import numpy as np

import mages_env

vec = mages_env.make_vec("kampf_der_magier_v0", num_envs=1024, num_players=3, seed=0)
vec.reset()
games, returns = 0, np.zeros(vec.num_players)
start = time.perf_counter()
steps = 300
for _ in range(steps):
    # Row i shows the seat vec.seat[i] what it knows: vec.observation[i], vec.action_mask[i].
    # A policy of yours goes here; vec.step takes one action a row.
    actions = vec.sample_actions()
    vec.step(actions)
    over = vec.terminated | vec.truncated  # these rows show the first decision of a new game
    games += int(over.sum())
    returns += vec.returns[over].sum(axis=0)
seconds = time.perf_counter() - start
print(f"{steps * vec.num_envs / seconds:,.0f} decisions a second, {games:,} games finished")
for seat, mean in enumerate(returns / games):
    print(f"player_{seat}: mean return {mean:+.3f}")
vec.close()
