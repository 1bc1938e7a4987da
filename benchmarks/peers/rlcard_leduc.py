"""RLCard's leduc-holdem through its Env: reset() and step(), which return the next observation."""

from measuring import main, pick


def env_loop():
    import rlcard

    env = rlcard.make("leduc-holdem", {"seed": 0})

    def play(games: int = 20) -> int:
        decisions = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(pick(list(state["legal_actions"])))
                decisions += 1
        return decisions

    return play


if __name__ == "__main__":
    main("rlcard", {"env": env_loop})
