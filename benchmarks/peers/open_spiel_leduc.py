"""OpenSpiel's leduc_poker: the C++ state from Python, and its Python rl_environment.

Before every decision the state interface is asked for the observation tensor of the player to
move. Its chance nodes are dealt by this loop; all outcomes are equally likely in this game.
"""

from measuring import main, pick


def state_loop():
    import pyspiel

    game = pyspiel.load_game("leduc_poker")

    def play(games: int = 50) -> int:
        decisions = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    state.observation_tensor()
                    decisions += 1
                state.apply_action(pick(state.legal_actions()))
            state.returns()
        return decisions

    return play


def rl_environment_loop():
    from open_spiel.python import rl_environment

    env = rl_environment.Environment("leduc_poker")
    env.seed(0)

    def play(games: int = 20) -> int:
        decisions = 0
        for _ in range(games):
            step = env.reset()
            while not step.last():
                seen = step.observations
                step = env.step([pick(seen["legal_actions"][seen["current_player"]])])
                decisions += 1
        return decisions

    return play


if __name__ == "__main__":
    main("open_spiel", {"C++ state": state_loop, "rl_environment": rl_environment_loop})
