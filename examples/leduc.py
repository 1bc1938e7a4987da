"""Leduc hold'em, the smallest poker with two betting rounds: a game of your own in one file.

Two players, six cards: two jacks, two queens, two kings. Each antes one chip and gets a card; a
round of betting in twos; a card is turned up; a round of betting in fours. Player 0 opens both
rounds, a round has at most two raises, and a player may fold only when facing a bet. Whoever folds
loses; at the showdown a pair with the public card wins, then the higher card; equal cards split.

Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker" (UAI 2005); the details, and
the action ids, are those of ``leduc_poker`` in OpenSpiel 2.0.2, whose known values the tests check.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import (
    ALL,
    NOBODY,
    RUNNING,
    TERMINATED,
    begin_game,
    begin_step,
    compiled,
    emit,
    end_game,
    helper,
    hide_events,
    pay,
    pay_places,
    randbelow,
    seed_stream,
    signatures,
    state_dtype,
)
from mages_env.game import Encoder, Game, Option
from mages_env.layout import Block, Layout

RANKS = "JQK"
CARDS = 6  # card c has rank RANKS[c // 2]
PUBLIC = 2  # index of the public card in ``cards``, after the two players'
ANTE = 1
BETS = np.array([2, 4])  # by round
RAISES = 2  # most in a round
LONGEST = 4  # actions in a round: check, bet, raise, call
SCORE = 1  # index of "score" among the values of the option ``reward``
MAX_LOSS = ANTE + RAISES * int(BETS.sum())
"""Most chips a seat can lose; the reward "score" is chips won / ``MAX_LOSS``."""

FOLD, CALL, RAISE = 0, 1, 2  # a call of nothing is a check, a raise of nothing a bet
ACTIONS = Layout(
    Block("fold", (1,), "give up the chips staked; only when facing a bet"),
    Block("call", (1,), "stake as much as the other player: check or call"),
    Block("raise", (1,), "stake a bet more than the other player: bet or raise"),
)
OPTIONS = (
    Option(
        "reward",
        ("rank", "score"),
        "rank",
        f"+1 for the winner and -1 for the loser, or chips won / {MAX_LOSS}",
        "ALL-04",
    ),
)

# Events: code, then (seat, a).
E_CARD = 1  # seat is dealt card a (only that seat knows)
E_PUBLIC = 2  # card a is turned up
E_FOLD = 3  # seat folds
E_CALL = 4  # seat calls a chips
E_RAISE = 5  # seat raises by a bet, staking a chips more
E_SHOW = 6  # seat shows card a
MAX_EVENTS = 3  # call, two cards shown

STATE = state_dtype(
    [option.name for option in OPTIONS],
    [
        ("stake", "i4", (2,)),  # chips put in, by seat
        ("won", "i4", (2,)),  # chips won, by seat, once over
        ("cards", "i4", (3,)),  # of player 0, of player 1, public; face down until round 1
        ("shown", "i4"),  # 1 after a showdown
        ("street", "i4"),  # betting round, 0 or 1
        ("acted", "i4"),  # actions in this round
        ("raised", "i4"),  # raises in this round
        ("history", "i4"),  # two bits an action, LONGEST of them a round; 0: not yet
    ],
    max_players=2,
    max_events=MAX_EVENTS,
)
SIGNATURES = signatures(STATE)


@helper
def draw(s, taken):
    """A card whose bit in ``taken`` is not set."""
    card = randbelow(s, CARDS)
    while (taken >> card) & 1:
        card = randbelow(s, CARDS)
    return card


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    taken = 0
    for i in range(3):
        s.cards[i] = draw(s, taken)
        taken |= 1 << s.cards[i]
    s.shown = 0
    s.street = 0
    s.acted = 0
    s.raised = 0
    s.history = 0
    for p in range(2):
        s.stake[p] = ANTE
        s.won[p] = 0
        emit(s, E_CARD, p, p, s.cards[p], 0, 0)
    s.seat = 0


@compiled(SIGNATURES.legal)
def legal(s, mask):
    running = s.seat != NOBODY
    mask[FOLD] = running & (s.stake[0] != s.stake[1])
    mask[CALL] = running
    mask[RAISE] = running & (s.raised < RAISES)


@helper
def strength(s, p):
    """Value of the seat's hand at the showdown."""
    rank = s.cards[p] // 2
    return rank + len(RANKS) * (rank == s.cards[PUBLIC] // 2)


@helper
def settle(s, winner):
    """The winner gets the loser's stake; winner NOBODY: each takes back its own."""
    if winner != NOBODY:
        lost = s.stake[1 - winner]
        s.won[winner] = lost
        s.won[1 - winner] = -lost
    if s.reward == SCORE:
        for p in range(2):
            pay(s, p, s.won[p] / MAX_LOSS)
    else:
        pay_places(s, s.won, 1)
    end_game(s, TERMINATED)


@helper
def showdown(s):
    s.shown = 1
    for p in range(2):
        emit(s, E_SHOW, ALL, p, s.cards[p], 0, 0)
    lead = strength(s, 0) - strength(s, 1)
    if lead == 0:
        settle(s, NOBODY)
    else:
        settle(s, 0 if lead > 0 else 1)


@helper
def end_round(s):
    if s.street == 1:
        showdown(s)
    else:
        emit(s, E_PUBLIC, ALL, NOBODY, s.cards[PUBLIC], 0, 0)
        s.street = 1
        s.acted = 0
        s.raised = 0
        s.seat = 0


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    s.turn += 1
    p = s.seat
    if action == FOLD:
        emit(s, E_FOLD, ALL, p, 0, 0, 0)
        settle(s, 1 - p)
        return
    before = s.stake[p]
    s.history |= action << (2 * (LONGEST * s.street + s.acted))
    s.acted += 1
    s.stake[p] = s.stake[1 - p]
    if action == RAISE:
        s.stake[p] += BETS[s.street]
        s.raised += 1
    emit(s, E_CALL if action == CALL else E_RAISE, ALL, p, s.stake[p] - before, 0, 0)
    if action == CALL and s.acted > 1:
        end_round(s)
    else:
        s.seat = 1 - p


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """The other card, unless it was shown, and a public card still face down are redrawn."""
    seed_stream(s, seed)
    hide_events(s, seat)
    if s.shown == 1:
        return
    taken = 1 << s.cards[seat]
    if s.street == 1:
        taken |= 1 << s.cards[PUBLIC]
    other = draw(s, taken)
    s.cards[1 - seat] = other
    if s.street == 0:
        s.cards[PUBLIC] = draw(s, taken | (1 << other))


_RANKS = "jack, queen, king"
_HISTORY = Block(  # entry by entry the bits of the record's ``history``
    "history", (2, LONGEST, 2), "by betting round and place in it: was a call (or check), a raise"
)
STANDARD = Layout(  # all that the seat has seen since the deal: an information state
    Block("card", (3,), f"own card is a {_RANKS}"),
    Block("public", (3,), f"public card is a {_RANKS}; zeros until it is turned up"),
    Block("opens", (1,), "own seat opens both rounds"),
    Block("second_round", (1,), "the public card is turned up"),
    _HISTORY,
)
FULL = Layout(
    Block("cards", (3, 3), f"card of player 0, of player 1, public (even face down): {_RANKS}"),
    Block("to_move", (2,), "1 for the seat to move"),
    Block("second_round", (1,), "the public card is turned up"),
    _HISTORY,
)
_PUBLIC, _OPENS, _ROUND, _BETS = (STANDARD.start(block.name) for block in STANDARD.blocks[1:])
_F_MOVE, _F_ROUND, _F_BETS = (FULL.start(block.name) for block in FULL.blocks[1:])


@helper
def write_bits(bits, out):
    for i in range(out.size):
        out[i] = 1.0 if (bits >> i) & 1 else 0.0


@compiled(SIGNATURES.observe)
def observe(s, seat, out):
    """Fills ``STANDARD``."""
    bits = 1 << (s.cards[seat] // 2)
    if s.street == 1:
        bits |= 1 << (_PUBLIC + s.cards[PUBLIC] // 2)
    bits |= ((seat == 0) << _OPENS) | (s.street << _ROUND) | (s.history << _BETS)
    write_bits(bits, out)


@compiled(SIGNATURES.observe_full)
def observe_full(s, out):
    """Fills ``FULL``."""
    bits = (s.street << _F_ROUND) | (s.history << _F_BETS)
    for i in range(3):
        bits |= 1 << (3 * i + s.cards[i] // 2)
    if s.seat != NOBODY:
        bits |= 1 << (_F_MOVE + s.seat)
    write_bits(bits, out)


WORDS = {"fold": FOLD, "f": FOLD, "call": CALL, "check": CALL, "c": CALL}
WORDS |= {"raise": RAISE, "bet": RAISE, "r": RAISE, "b": RAISE}


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    facing = s.stake[0] != s.stake[1]
    return ("fold", "call" if facing else "check", "raise" if facing else "bet")[action]


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text``: a word, its first letter, or '#' and an id.

    Raises:
        ValueError: not understood; says what is.
    """
    word = text.strip().lower()
    if word.startswith("#") and word[1:].strip() in ("0", "1", "2"):
        return int(word[1:])
    if word not in WORDS:
        raise ValueError(f"{text.strip()!r} is not understood; say one of {', '.join(WORDS)}")
    return WORDS[word]


def card_text(card: int) -> str:
    """'J', 'Q' or 'K'."""
    return RANKS[int(card) // 2]


EVENT_WORDS = {
    E_CARD: "{who} is dealt {card}",
    E_PUBLIC: "{card} is turned up",
    E_FOLD: "{who} folds",
    E_CALL: "{who} calls {a}",
    E_RAISE: "{who} raises, staking {a}",
    E_SHOW: "{who} shows {card}",
}


def event_text(s: Any, event: Any) -> str:
    """One event of ``s.events`` in words."""
    code, _, seat, a = (int(n) for n in event[:4])
    if code == E_CALL and a == 0:
        return f"player_{seat} checks"
    card = card_text(a) if a < CARDS else ""
    return EVENT_WORDS[code].format(who=f"player_{seat}", a=a, card=card)


def to_json(s: Any, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` sees it, None: as anybody may, as plain values."""
    seen = [bool(s.shown) or seat == p for p in range(2)] + [s.street == 1]
    cards = [card_text(c) if known else None for c, known in zip(s.cards, seen, strict=True)]
    history = [(int(s.history) >> shift) & 3 for shift in range(0, 4 * LONGEST, 2)]
    words = [["", "call", "raise"][action] for action in history]
    return {
        "seat": seat,
        "seat_to_move": None if s.seat == NOBODY else int(s.seat),
        "over": bool(s.over != RUNNING),
        "reward": OPTIONS[0].decode(int(s.reward)),
        "round": int(s.street),
        "cards": cards[:PUBLIC],
        "public": cards[PUBLIC],
        "stakes": s.stake.tolist(),
        "history": [[w for w in half if w] for half in (words[:LONGEST], words[LONGEST:])],
        "chips_won": s.won.tolist(),
        "returns": s.returns.tolist(),
        "events": [event_text(s, e) for e in s.events[: s.num_events] if e[1] in (ALL, seat)],
    }


def to_text(s: Any, seat: int | None) -> str:
    """The same in words."""
    table = to_json(s, seat)
    stage = "Game over" if table["over"] else f"Round {table['round'] + 1} of 2"
    lines = [f"{stage}, public card {table['public'] or 'face down'}"]
    for p in range(2):
        won = f", won {s.won[p]:+d}" if table["over"] else ""
        lines.append(
            f"{'>' if p == s.seat else ' '} player_{p}{' (you)' if p == seat else ''}: "
            f"card {table['cards'][p] or '?'}, stake {s.stake[p]}{won}"
        )
    return "\n".join(lines)


GAME = Game(
    name="leduc_v0",
    title="Leduc hold'em",
    summary="A six-card poker for two, small enough to be solved exactly.",
    dtype=STATE,
    players=range(2, 3),
    default_players=2,
    options=OPTIONS,
    actions=ACTIONS,
    encoders={"standard": Encoder(STANDARD, observe, "all that the seat has seen")},
    full=Encoder(FULL, observe_full, "everything, for critics"),
    reset=reset,
    legal=legal,
    step=step,
    determinize=determinize,
    to_text=to_text,
    to_json=to_json,
    action_text=action_text,
    parse_action=parse_action,
    event_text=event_text,
    decision_bound=lambda config: 2 * LONGEST,
    score_sum={"rank": 0.0, "score": 0.0},
)
