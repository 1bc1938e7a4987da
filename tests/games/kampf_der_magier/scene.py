"""Positions written down in words, and the whole of what an action changes in them.

Cards are strings such as ``"3 3 12 ball joker"``. The order counts on the table and in a pile (the
last one is on top); in a hand and in the draw pile, from which any card may come, it does not.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY
from mages_env.games.kampf_der_magier import GAME
from mages_env.games.kampf_der_magier.state import (
    BALL,
    CARDS,
    COPIES,
    E_BALL,
    E_CARD,
    E_DEAL,
    E_DRAW,
    E_PLAY,
    E_ROUND,
    E_SCORE,
    E_TAKE,
    E_TOP,
    JOKER,
    KINDS,
)

NAMES = [*(str(power) for power in range(1, 14)), "ball", "joker"]
assert NAMES[BALL] == "ball" and NAMES[JOKER] == "joker" and len(NAMES) == KINDS


def kinds(cards: str) -> list[int]:
    return [NAMES.index(name) for name in cards.split()]


def words(cards: Any) -> str:
    return " ".join(NAMES[kind] for kind in cards)


def counted(counts: Any) -> str:
    return " ".join(NAMES[kind] for kind in range(KINDS) for _ in range(counts[kind]))


def scene(
    hands: list[str],
    *,
    table: str = "",
    power: int = 0,
    piles: dict[int, str] | None = None,
    draw_pile: str | None = None,
    rest_in_pile_of: int = -1,
    to_move: int = 0,
    dealer: int = -1,
    collected: list[int] | None = None,
    rounds_done: int = 0,
    turn: int = 0,
    **options: Any,
) -> np.record:
    """A position with all 55 cards somewhere.

    Cards not mentioned are the draw pile. If ``draw_pile`` is given they lie at the bottom of the
    pile of seat ``rest_in_pile_of`` instead. The dealer is the last seat unless named.
    """
    count = len(hands)
    s = GAME.new_state(count, **options)[0]
    GAME.reset(s, np.uint64(20080101))
    s.num_events = 0
    left = Counter(np.repeat(np.arange(KINDS), COPIES[s.deck]).tolist())
    on_piles = [kinds((piles or {}).get(seat, "")) for seat in range(count)]
    for cards in [*map(kinds, hands), kinds(table), *on_piles, kinds(draw_pile or "")]:
        left.subtract(cards)
    assert min(left.values()) >= 0, f"too many of {[NAMES[k] for k, n in left.items() if n < 0]}"
    rest = sorted(left.elements())
    if draw_pile is None:
        drawn_from = rest
    else:
        drawn_from = kinds(draw_pile)
        on_piles[rest_in_pile_of] = rest + on_piles[rest_in_pile_of]
    s.hand[:] = 0
    s.shown[:] = 0
    for seat, hand in enumerate(hands):
        np.add.at(s.hand[seat], kinds(hand), 1)
        s.hand_size[seat] = len(hand.split())
        s.pile_size[seat] = len(on_piles[seat])
        s.pile[seat, : len(on_piles[seat])] = on_piles[seat]
        np.add.at(s.shown, on_piles[seat], 1)
    np.add.at(s.shown, kinds(table), 1)
    s.table_size = len(kinds(table))
    s.table[: s.table_size] = kinds(table)
    s.power = power
    s.draw_pile_size = len(drawn_from)
    s.draw_pile[: len(drawn_from)] = drawn_from
    s.seat = to_move
    s.dealer = dealer % count
    s.collected[:count] = collected or [0] * count
    s.stage = rounds_done
    s.turn = turn
    return s


def view(s: Any) -> dict[str, Any]:
    """Every field of the record that means anything, in words."""
    count = s.num_players
    seen = {
        "rng": int(s.rng),
        "to_move": int(s.seat),
        "dealer": int(s.dealer),
        "turn": int(s.turn),
        "rounds_done": int(s.stage),
        "over": int(s.over),
        "power": int(s.power),
        "table": words(s.table[: s.table_size]),
        "draw_pile": words(sorted(s.draw_pile[: s.draw_pile_size])),
        "shown": counted(s.shown),
        "collected": s.collected[:count].tolist(),
        "rewards": s.rewards[:count].tolist(),
        "returns": s.returns[:count].tolist(),
        "terminated": s.terminated[:count].tolist(),
        "truncated": s.truncated[:count].tolist(),
        "config": GAME.config(s),
        "events": [tuple(row) for row in s.events[: s.num_events].tolist()],
    }
    for seat in range(count):
        seen[f"hand_{seat}"] = counted(s.hand[seat])
        seen[f"pile_{seat}"] = words(s.pile[seat, : s.pile_size[seat]])
    sizes = [len(seen[f"hand_{seat}"].split()) for seat in range(count)]
    assert s.hand_size[:count].tolist() == sizes, "hand sizes do not fit the hands"
    return seen


def all_cards(s: Any) -> list[int]:
    """The cards of the whole table, sorted by kind."""
    seen = view(s)
    places = ["table", "draw_pile"]
    places += [f"{place}_{seat}" for place in ("hand", "pile") for seat in range(s.num_players)]
    return sorted(kind for place in places for kind in kinds(seen[place]))


def legal_ids(s: Any) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def legal(s: Any) -> set[str]:
    """The legal actions in words."""
    return {GAME.action_text(s, action) for action in legal_ids(s)}


def change(s: Any, action: str) -> dict[str, Any]:
    """Takes the action; returns what it changed, and always the events.

    ``rng`` is True where chance was used.
    """
    chosen = GAME.parse_action(s, action)
    assert chosen in legal_ids(s), f"{action} is not legal, {legal(s)} are"
    before = view(s)
    GAME.step(s, chosen)
    after = view(s)
    assert len(all_cards(s)) == CARDS
    changed = {name: value for name, value in after.items() if value != before[name]}
    changed["events"] = after["events"]
    if "rng" in changed:
        changed["rng"] = True
    return changed


def act(s: Any, action: str, *, shows: str = "", **expected: Any) -> None:
    """Takes the action; fails unless the record is then as before but for what is expected.

    ``shows`` are the cards seen for the first time in this round.
    """
    wanted = view(s) | {"events": None, "rng": False} | expected
    if shows:
        wanted["shown"] = words(sorted(kinds(wanted["shown"]) + kinds(shows)))
    changed = change(s, action)
    found = view(s) | {"rng": changed.get("rng", False)}
    wrong = [
        f"{name}: {found[name]}, expected {wanted[name]}"
        for name in found
        if found[name] != wanted[name]
    ]
    assert not wrong and wanted.keys() == found.keys(), f"after {action}:\n" + "\n".join(wrong)


# Events as the record holds them: code, who may see it, seat, and three numbers.


def deals(dealer: int, round_index: int) -> tuple:
    return (E_DEAL, ALL, dealer, round_index, 0, 0)


def gets(seat: int, card: str) -> tuple:
    return (E_CARD, seat, seat, NAMES.index(card), 0, 0)


def draws(seat: int, count: int) -> tuple:
    return (E_DRAW, ALL, seat, count, 0, 0)


def uses_top(seat: int, card: str) -> tuple:
    return (E_TOP, ALL, seat, NAMES.index(card), 0, 0)


def plays(seat: int, power: int, wizards: int, jokers: int = 0) -> tuple:
    return (E_PLAY, ALL, seat, power, wizards, jokers)


def plays_ball(seat: int) -> tuple:
    return (E_BALL, ALL, seat, 0, 0, 0)


def takes(seat: int, count: int) -> tuple:
    return (E_TAKE, ALL, seat, count, 0, 0)


def round_over(round_index: int, winner: int = NOBODY) -> tuple:
    return (E_ROUND, ALL, winner, round_index, 0, 0)


def scores(seat: int, cards: int, so_far: int) -> tuple:
    return (E_SCORE, ALL, seat, cards, so_far, 0)
