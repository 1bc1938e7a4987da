"""Cards, options, action ids and the state record of Mage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import float32, int64, void

from mages_env.engine import record_type, signatures, state_dtype
from mages_env.game import Option
from mages_env.layout import Block, Layout

MAX_PLAYERS = 6
DEALT = 7  # MAG-03
HAND_LIMIT = 7  # MAG-08
LIFE = 30  # MAG-03
TURNS_A_PLAYER = 100  # MAG-26

# MAG-01: a card is a number from 0 to 53. Its suit or kind counts as listed.
CARDS = 54
RANKS = 10
HEART, SPADE, CLUB, DIAMOND, ROYAL, JOKER = 0, 10, 20, 30, 40, 52
"""First card of each: ace to ten of a suit; jack, queen, king of hearts, spades, clubs, diamonds;
the two jokers."""
ATTACHABLE = 30  # hearts, spades, clubs
ROYALS = 12
JOKER_VALUE = 10

VALUE = np.array(
    [*range(1, RANKS + 1)] * 4 + [1, 2, 3] * 4 + [JOKER_VALUE] * 2,
    np.int8,
)
"""MAG-01: value by card."""

# Where a card is.
DECK = 0
ABYSS = 1
FACE_DOWN = 2  # in the Abyss, not shown (MAG-24)
MINE = 3
HAND = 4  # + player
SHOWN = HAND + MAX_PLAYERS  # + player: in the hand, and all know it (MAG-13)
COURT = SHOWN + MAX_PLAYERS  # + player: a royal in play
ATTACHED = COURT + MAX_PLAYERS  # + royal

# A turn; the duels are other seats' moves.
FIRST, ATTACK, DUELS, SECOND, DISCARD = range(5)
PHASES = ("first play phase", "attack phase", "duels", "second play phase", "discard")

NONE = -1


class _Reward(Option):
    """ALL-04: by rank and nothing else."""

    def resolve(self, value: Any, config: Mapping[str, Any]) -> Any:
        if value == "score":
            raise ValueError("option reward='score': Mage has no score, it pays by 'rank' only")
        return super().resolve(value, config)


OPTIONS = (
    Option(
        "max_turns",
        range(1, 1_000_001),
        lambda config: TURNS_A_PLAYER * config["num_players"],
        "turns after which the game is truncated",
        "MAG-26",
        "100 x players",
    ),
    _Reward("reward", ("rank",), "rank", "places from +1 to -1; Mage has no score", "ALL-04"),
)

_OF_HEARTS_SPADES_CLUBS = "(hearts, spades, clubs from ace to ten)"
_PLAYERS = "player (own seat first, then clockwise)"
_ROYALS = "royal (J, Q, K of hearts, spades, clubs, diamonds)"

ACTIONS = Layout(
    Block("royal", (ROYALS,), f"play a {_ROYALS} (MAG-19)"),
    Block("drop", (RANKS,), "a diamond to the Mine (MAG-09)"),
    Block("draw", (RANKS,), "a diamond to the Abyss, draw a card (MAG-10)"),
    Block("discard", (RANKS,), "a diamond to the Abyss, its value to the vault (MAG-11)"),
    Block(
        "attach",
        (ATTACHABLE, ROYALS),
        f"card {_OF_HEARTS_SPADES_CLUBS} on {_ROYALS} (MAG-12 to MAG-14)",
    ),
    Block("heal", (RANKS, MAX_PLAYERS), f"heart on {_PLAYERS} (MAG-12)"),
    Block("damage", (RANKS, MAX_PLAYERS), f"club on {_PLAYERS} (MAG-14)"),
    Block("return", (RANKS,), "a spade to the Abyss, then take a card (MAG-13)"),
    Block("take", (CARDS,), "the card that the spade returns from the Abyss (MAG-13)"),
    Block("joker", (ROYALS,), f"a joker destroys the {_ROYALS} (MAG-17)"),
    Block("attack", (ROYALS, MAX_PLAYERS), f"{_ROYALS} attacks {_PLAYERS} (MAG-20)"),
    Block("duel", (ROYALS, ROYALS), "own royal duels the attacking royal (MAG-21)"),
    Block("hand_discard", (CARDS,), "a hand card to the Abyss at the end of the turn (MAG-08)"),
    Block("done", (1,), "end the phase (MAG-07, MAG-20, MAG-21)"),
)
(
    A_ROYAL,
    A_DROP,
    A_DRAW,
    A_CASH,
    A_ATTACH,
    A_HEAL,
    A_DAMAGE,
    A_RETURN,
    A_TAKE,
    A_JOKER,
    A_ATTACK,
    A_DUEL,
    A_HAND_DISCARD,
    A_DONE,
) = (ACTIONS.start(block.name) for block in ACTIONS.blocks)

KIND = np.zeros(ACTIONS.size, np.int16)
"""By action id: the first id of its block."""
FIRST_CARD = {
    A_ROYAL: ROYAL,
    A_DROP: DIAMOND,
    A_DRAW: DIAMOND,
    A_CASH: DIAMOND,
    A_ATTACH: HEART,
    A_HEAL: HEART,
    A_DAMAGE: CLUB,
    A_RETURN: SPADE,
    A_TAKE: 0,
    A_ATTACK: ROYAL,
    A_DUEL: ROYAL,
    A_HAND_DISCARD: 0,
}
"""By block of actions: the card that its first row names."""
CARD = np.full(ACTIONS.size, NONE, np.int8)
"""By action id: the card played, taken, discarded, attacking or duelling; -1 where there is none
(done), or where it may be either joker."""
TARGET = np.full(ACTIONS.size, NONE, np.int8)
"""By action id: the royal or the player (relative to the seat to move) aimed at, -1 for none."""
for _block in ACTIONS.blocks:
    for _i in range(_block.size):
        _a = ACTIONS.start(_block.name) + _i
        KIND[_a] = ACTIONS.start(_block.name)
        if KIND[_a] == A_JOKER:
            TARGET[_a] = _i
        elif len(_block.shape) == 2:
            TARGET[_a] = _i % _block.shape[1]
        if int(KIND[_a]) in FIRST_CARD:
            CARD[_a] = FIRST_CARD[int(KIND[_a])] + _i // (*_block.shape, 1)[1]

# Events: code, then (seat, a, b, c).
E_START = 1  # the lot makes seat the starting player
E_CARD = 2  # seat got card a (only that seat knows)
E_DRAW = 3  # seat drew a cards, b are left in the deck
E_SHUFFLE = 4  # the Abyss is shuffled into a new deck of a cards; b: with what was left of the old
E_TURN = 5  # seat's turn begins with a in the vault
E_ROYAL = 6  # seat plays royal a
E_DROP = 7  # seat drops diamond a into the Mine
E_DIAMOND_DRAW = 8  # seat gives diamond a to draw
E_CASH = 9  # seat gives diamond a for its value
E_ATTACH = 10  # seat attaches card a to royal b
E_CANCEL = 11  # clubs and spades on royal a cancel out
E_HEAL = 12  # seat heals player b with card a, to a life of c
E_DAMAGE = 13  # seat damages player b with card a, to a life of c
E_RETURN = 14  # seat plays spade a to return a card
E_TAKE = 15  # seat takes card a from the Abyss
E_JOKER = 16  # seat plays joker a on royal b
E_FALL = 17  # royal a of seat goes to the Abyss with everything attached
E_ATTACK = 18  # royal a of seat attacks player b
E_DUEL = 19  # royal a of seat duels royal b
E_WOUND = 20  # royal a of seat takes b damage
E_HIT = 21  # royal a deals b damage to seat, to a life of c
E_DISCARD = 22  # seat discards card a
E_DONE = 23  # seat is done with phase a
E_OUT = 24  # seat is out
E_WIN = 25  # seat is the last one in
E_LIMIT = 26  # the turn limit is reached
MAX_EVENTS = 52  # the deal for six: start, 42 cards and 6 draws, turn, card, draw

# Makings of the deck have labels: AGE x how often the deck has run out since, plus how many makings
# there had been since it ran out.
AGE = 8
AGES = 16

STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("starter", "i4"),
        ("active", "i4"),  # whose turn it is; ``seat`` is another in the duels
        ("phase", "i4"),
        ("diamond_used", "i4"),  # 1: this turn's diamond has been played
        ("spade", "i4"),  # the spade whose card is still to be taken, or NONE
        ("deck_size", "i4"),
        ("abyss_size", "i4"),
        ("mine", "i4"),  # its value
        ("life", "i4", (MAX_PLAYERS,)),
        ("vault", "i4", (MAX_PLAYERS,)),
        ("hand_size", "i4", (MAX_PLAYERS,)),
        ("unknown", "i4", (MAX_PLAYERS,)),  # hand cards that only their holder knows
        ("where", "i1", (CARDS,)),
        # Royals in play; zeros, and NONE for the last two, for the others.
        ("attack", "i1", (ROYALS,)),  # may be below 0
        ("health", "i1", (ROYALS,)),  # without the damage
        ("damage", "i1", (ROYALS,)),  # this turn's
        ("tipped", "i1", (ROYALS,)),
        ("fresh", "i1", (ROYALS,)),  # played this turn
        ("attacked", "i1", (ROYALS,)),  # the player it attacks
        ("duelled", "i1", (ROYALS,)),  # the royal it duels
        # Who can know what: see RULES.md.
        ("making", "i4"),
        ("pool", "i1", (CARDS,)),  # of cards not known to all
        ("drawn", "i1", (MAX_PLAYERS, HAND_LIMIT + 1)),  # of ``unknown`` hand cards
        ("again", "i1", (AGES,)),  # by age: label from which on they may be in the deck again
    ],
    max_players=MAX_PLAYERS,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)
_RECORD = record_type(STATE)
OF_STATE = void(_RECORD)
OF_STATE_AND_NUMBER = void(_RECORD, int64)
OF_STATE_AND_TWO = void(_RECORD, int64, int64)
OF_EVENT = void(_RECORD, int64, int64, int64, int64, int64)
OF_PLAY = void(_RECORD, int64, int64, int64, int64)
OF_BLOCK = void(_RECORD, int64, float32[::1], int64)  # seat, observation, where the block begins
