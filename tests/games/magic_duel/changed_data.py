"""Games with other scenario data beside the slow model, in a process of their own.

The data module is changed before anything else reads it, and the rules run uncompiled, so that no
compiled code is kept of them.
"""

import importlib.util
import sys
from pathlib import Path

NAME = "mages_env.games.magic_duel.data"
PATH = Path(__file__).parents[3] / "mages_env" / "games" / "magic_duel" / "data.py"


def load():
    spec = importlib.util.spec_from_file_location(NAME, PATH)
    data = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = data
    spec.loader.exec_module(data)
    return data


def small(data):
    """Three weak units a side, one of them a mage, on a board with other rocks, and new numbers."""
    unit = data.Unit
    data.UNITS = (
        unit("witch", "wi", (4, 0), 1, 3, 1, 2, 3, 5, 2, 1, 5, 3, 2, 4, 8, 0, 5, True),
        unit("slingers", "sl", (3, 0), 3, 2, 3, 4, 1, 3, 0, 1, 4, 3, 1, 3, 7, 3, 1, False),
        unit("bears", "be", (5, 1), 2, 3, 2, 4, 4, 5, 1, 3, 3, 5, 0, 6, 9, 0, 3, False),
    )
    data.SCENARIOS = {"nexus": 3, "wizards": 1}
    data.OBSTACLES = {2: ((4, 2), (4, 6)), 3: ((0, 0),), 4: ((0, 0), (8, 8), (3, 3))}
    data.NEXUS, data.NEXUS_REACH, data.NEXUS_POINTS = (3, 4), 2, 2
    data.TURNS, data.ACTION_TOKENS = 4, 5
    data.ACTION_FATIGUE, data.RUN_FATIGUE, data.RECOVERY, data.FATIGUE_CAP = 2, 1, 3, 3
    data.COMBAT_FATIGUE, data.REACTION_FATIGUE, data.COUNTER_FATIGUE = 2, 2, 2
    data.FIRST_POWER_TOKENS, data.GATHERED, data.MOST_POWER_TOKENS = 1, 1, 3
    data.SPELL_RANGE = 4
    rows = [(2, 1), (1, 4), (1, 2, 3, 4), (3,), (2, 1), (1, 5)]
    data.SPELLS = tuple(
        spell._replace(difficulty=spell.difficulty - 1, rows=row)
        for spell, row in zip(data.SPELLS, rows, strict=True)
    )


def main():
    data = load()
    small(data)
    from .lockstep import play
    from .slow_duel import Numbers

    numbers = Numbers.of(data)
    assert numbers != Numbers()
    for count, scenario in ((2, "nexus"), (3, "nexus"), (4, "nexus"), (2, "wizards")):
        model = play(count, numbers=numbers, num_players=count, scenario=scenario)
        print(count, scenario, [side.points for side in model.sides], model.turn)


if __name__ == "__main__":
    main()
