"""mages-env's information-set MCTS on Leduc hold'em (examples/leduc.py)."""

from random import getrandbits

from measuring import main, pick

ITERATIONS = 1000


def ismcts():
    import numpy as np

    from examples.leduc import GAME
    from mages_env.agents import make_agent
    from mages_env.agents.base import Decisions
    from mages_env.envs.aec import RawEnv

    searcher = make_agent("ismcts", GAME, iterations=ITERATIONS)
    env = RawEnv(GAME)

    def play() -> int:
        """Searches at every decision of one random game."""
        iterations = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            searcher.act(
                Decisions(
                    game=GAME,
                    seats=np.array([env.possible_agents.index(agent)], np.int32),
                    action_mask=mask[None],
                    seeds=np.array([getrandbits(64)], np.uint64),
                    states=env.information_state(agent, getrandbits(64)),
                )
            )
            iterations += ITERATIONS
            env.step(int(pick(mask.nonzero()[0])))
        return iterations

    return play


if __name__ == "__main__":
    main("mages-env", {"ISMCTS": ismcts})
