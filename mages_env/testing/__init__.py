"""The conformance kit: checks a game, of this suite or of your own, for all that it promises.

    from mages_env.testing import check_game
    check_game(my_game)                      # raises ContractError at the first broken promise

    python -m mages_env.testing my_package.my_game:GAME

``PROMISES`` lists what is checked.
"""

from mages_env.testing.contract import PROMISES, ContractError
from mages_env.testing.golden import golden_configurations, write_golden
from mages_env.testing.kit import check_game
from mages_env.testing.play import configurations

__all__ = [
    "PROMISES",
    "ContractError",
    "check_game",
    "configurations",
    "golden_configurations",
    "write_golden",
]
