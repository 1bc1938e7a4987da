"""OpenSpiel's C++ search bots on leduc_poker, called from Python.

ISMCTSBot searches information sets, as ours does. MCTSBot sees all cards: it redraws nothing, and
the tree it is left with is so small that few iterations need a roll-out. It is here to show how
much the hidden cards cost.
"""

from measuring import main, pick

ITERATIONS = 1000
UCT_C = 2.0


def start(make_bot):
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    bot = make_bot(pyspiel, game, pyspiel.RandomRolloutEvaluator(1, 0))

    def play() -> int:
        """Searches at every decision of one random game."""
        iterations = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                bot.step(state)
                iterations += ITERATIONS
            state.apply_action(pick(state.legal_actions()))
        return iterations

    return play


def ismcts(pyspiel, game, evaluator):
    return pyspiel.ISMCTSBot(0, evaluator, UCT_C, ITERATIONS)


def mcts(pyspiel, game, evaluator):
    return pyspiel.MCTSBot(game, evaluator, UCT_C, ITERATIONS, 100, False, 0, False)


if __name__ == "__main__":
    main(
        "open_spiel",
        {"C++ ISMCTSBot": lambda: start(ismcts), "C++ MCTSBot": lambda: start(mcts)},
    )
