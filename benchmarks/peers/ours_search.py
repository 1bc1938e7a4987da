"""mages-env's information-set MCTS on Leduc hold'em (examples/leduc.py)."""

from measuring import main

ITERATIONS = 1000


def ismcts():
    raise NotImplementedError("to be written when mages_env.agents is there")


if __name__ == "__main__":
    main("mages-env", {"ISMCTS": ismcts})
