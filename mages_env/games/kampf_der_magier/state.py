"""Cards, options, action ids and the state record of Kampf der Magier."""

from __future__ import annotations

import numpy as np

from mages_env.engine import signatures, state_dtype
from mages_env.game import Option
from mages_env.layout import Block, Layout

MAX_PLAYERS = 6
HAND = 6  # KDM-03, KDM-09
CARDS = 55  # KDM-01

# A card is its kind: 0..12 are wizards of power 1..13.
POWERS = 13
BALL = 13
JOKER = 14
KINDS = 15
JOKER_REACH = 7  # KDM-05: jokers stand for powers up to this
JOKERS = 2

DECK_NAMES = ("falling", "even")
COPIES = np.array(  # KDM-01, KDM-02: by deck and kind
    [
        [6, 6, 5, 5, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2],
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2, 2],
    ],
    dtype=np.int8,
)
MAX_COPIES = tuple(int(n) for n in COPIES.max(axis=0))
MAX_POWER = max(
    v * (MAX_COPIES[v - 1] + (JOKERS if v <= JOKER_REACH else 0)) for v in range(1, POWERS + 1)
)
CLASSIC, OPEN_PILE = 0, 1
RANK, SCORE = 0, 1
TURNS_A_ROUND = 120  # KDM-17

OPTIONS = (
    Option(
        "deck",
        DECK_NAMES,
        "falling",
        "copies of each power: fewer the higher, or four of each (three of power 13)",
        "KDM-02",
    ),
    Option(
        "variant",
        ("classic", "open_pile"),
        "classic",
        "whether collected cards lie face up and the top one may be used",
        "KDM-14",
    ),
    Option(
        "rounds",
        range(1, 101),
        lambda config: config["num_players"],
        "rounds in a game",
        "KDM-12",
        "the number of players",
    ),
    Option(
        "max_turns",
        range(0, 1_000_001),
        lambda config: TURNS_A_ROUND * config["rounds"] if config["variant"] == "open_pile" else 0,
        "turns after which an open-pile game is truncated; 0: no limit, as the classic game has",
        "KDM-17",
        "open pile: 120 x rounds; classic: 0",
        lambda config, value: (
            "the classic game always ends and has no turn limit (0)"
            if config["variant"] == "classic" and value != 0
            else "the open pile can go on for ever and needs a limit of at least 1"
            if config["variant"] == "open_pile" and value == 0
            else ""
        ),
    ),
    Option(
        "reward",
        ("rank", "score"),
        "rank",
        "places from +1 to -1, or minus collected cards / (55 x rounds)",
        "ALL-04",
    ),
)


def _plays(most_naturals, most_jokers, smallest: int) -> list[tuple[int, int, int]]:
    """(power, naturals, jokers) of the hand, ``smallest`` cards or more, at most a hand."""
    return [
        (v, n, j)
        for v in range(1, POWERS + 1)
        for n in range(MAX_COPIES[v - 1] + 1)
        for j in range(3)
        if smallest <= n + j <= HAND
        and (j == 0 or v <= JOKER_REACH)
        and any(n <= a(v) and j <= b(v) for a, b in zip(most_naturals, most_jokers, strict=True))
    ]


def _copies(v: int) -> int:
    return MAX_COPIES[v - 1]


# KDM-04, KDM-05: sets of cards from the hand.
PLAYS = _plays([_copies], [lambda v: 2], 1)
# KDM-14: the same beside a top card, which is one of the naturals or one of the jokers.
TOP_PLAYS = _plays(
    [lambda v: _copies(v) - 1, lambda v: _copies(v) if v <= JOKER_REACH else -1],
    [lambda v: 2, lambda v: 1],
    0,
)

ACTIONS = Layout(
    Block("play", (len(PLAYS),), "cards of one power from the hand, jokers among them (KDM-04)"),
    Block("crystal_ball", (1,), "a crystal ball from the hand (KDM-06)"),
    Block("take", (1,), "take the table and lead the next duel (KDM-08)"),
    Block("top_play", (len(TOP_PLAYS),), "the top card of the own pile with hand cards (KDM-14)"),
    Block("top_crystal_ball", (1,), "a crystal ball from the top of the own pile (KDM-14)"),
)
A_PLAY = ACTIONS.start("play")
A_BALL = ACTIONS.start("crystal_ball")
A_TAKE = ACTIONS.start("take")
A_TOP = ACTIONS.start("top_play")
A_TOP_BALL = ACTIONS.start("top_crystal_ball")

ACTION_CARDS = np.zeros((ACTIONS.size, 3), np.int8)
"""(power, naturals, jokers) from the hand by action id; zeros for the other actions."""
ACTION_CARDS[A_PLAY : A_PLAY + len(PLAYS)] = PLAYS
ACTION_CARDS[A_TOP : A_TOP + len(TOP_PLAYS)] = TOP_PLAYS


def _ids(plays, start: int) -> np.ndarray:
    ids = np.full((POWERS + 1, HAND + 1, 3), -1, np.int16)
    for index, play in enumerate(plays):
        ids[play] = start + index
    return ids


PLAY_ID = _ids(PLAYS, A_PLAY)
"""Action id by (power, naturals, jokers) of the hand, -1 where there is none."""
TOP_ID = _ids(TOP_PLAYS, A_TOP)
"""The same for plays of the top card with hand cards."""

# Events: code, then (seat, a, b, c).
E_DEAL = 1  # seat: the dealer, a: round from 0
E_CARD = 2  # seat got a card of kind a (only that seat knows)
E_DRAW = 3  # seat drew a cards
E_TOP = 4  # seat uses its top card, of kind a
E_PLAY = 5  # seat plays b naturals and c jokers (hand and top) as power a
E_BALL = 6  # seat plays a crystal ball
E_TAKE = 7  # seat takes a cards from the table
E_ROUND = 8  # seat went out and ended round a; seat NOBODY: the turn limit did
E_SCORE = 9  # seat collected a cards in the round, b so far
MAX_EVENTS = 56  # top, play, 6 cards, draw, round, 6 scores, deal, 36 cards

STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("dealer", "i4"),
        ("power", "i4"),  # last announced; 0 while nothing is
        ("draw_pile_size", "i4"),
        ("table_size", "i4"),
        ("hand_size", "i4", (MAX_PLAYERS,)),
        ("pile_size", "i4", (MAX_PLAYERS,)),
        ("collected", "i4", (MAX_PLAYERS,)),  # cards of the rounds completed
        ("hand", "i1", (MAX_PLAYERS, KINDS)),  # cards by kind
        ("shown", "i1", (KINDS,)),  # cards by kind played this round: on the table or in a pile
        ("table", "i1", (CARDS,)),  # kinds in the order played
        ("draw_pile", "i1", (CARDS,)),  # kinds, in no order: a draw picks any of them
        ("pile", "i1", (MAX_PLAYERS, CARDS)),  # kinds in the order taken, last on top
    ],
    max_players=MAX_PLAYERS,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)
