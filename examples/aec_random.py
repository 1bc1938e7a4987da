"""One game by random legal moves, one seat at a time: PettingZoo's AEC loop.

python examples/aec_random.py
"""

import numpy as np

import mages_env

rng = np.random.default_rng(0)
env = mages_env.make("kampf_der_magier_v0", num_players=3, render_mode="ansi")
env.reset(seed=0)
returns = dict.fromkeys(env.possible_agents, 0.0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    returns[agent] += reward  # what this seat was paid since its last decision
    if terminated or truncated:
        action = None
    else:
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        print(f"{agent}: {env.action_text(action)}")
    env.step(action)
print(env.render())
print("returns:", returns)
env.close()
