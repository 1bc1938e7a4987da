"""What holds in every state of the game, also in a redrawn one."""

from collections import Counter

from mages_env.engine import RUNNING
from mages_env.games.dark_mages.deck import BIND, COLUMN, ENEMY_CARD, HAND, HIDE, ROUND
from mages_env.games.dark_mages.state import (
    BASE_AC,
    CARD,
    DECK,
    FULL_HP,
    KINDS,
    NONE,
    PLACE_USE,
    STATUS,
    STATUSES,
    USE,
)


def passive(s, p, name):
    return sum(int(CARD[kind, COLUMN[name]]) for kind in s["items"][p] if kind != NONE)


def check_cards(s):
    """All 112 copies are somewhere, every kind in a place it may be in."""
    players = range(s.num_players)
    cards = Counter(s.stack[: s.stack_size].tolist())
    for kind in range(KINDS):
        assert s.discards[kind] >= 0
        cards[kind] += int(s.discards[kind])
    for p in players:
        hand = s.hand[p, : s.hand_size[p]].tolist()
        assert hand == sorted(hand) and len(hand) <= HAND, f"hand of player_{p}: {hand}"
        assert (s.hand[p, len(hand) :] == NONE).all() and (s.known[p, len(hand) :] == 0).all()
        assert all(CARD[k, COLUMN["category"]] != ENEMY_CARD for k in hand), "an enemy in a hand"
        assert all(int(known) >> p & 1 == 0 for known in s.known[p])
        cards.update(hand)
        for slot, kind in enumerate(s["items"][p].tolist()):
            if kind != NONE:
                assert CARD[kind, COLUMN["slot"]] == slot, "an item in a wrong slot"
                cards[kind] += 1
        if s.companion[p] != NONE:
            assert USE[s.companion[p]] == PLACE_USE and s.companion_hp[p] > 0
            cards[int(s.companion[p])] += 1
        else:
            assert s.companion_hp[p] == s.mode[p] == 0
    enemies = s.queue[: s.queue_size, 0].tolist() + ([] if s.enemy == NONE else [int(s.enemy)])
    assert all(CARD[kind, COLUMN["category"]] == ENEMY_CARD for kind in enemies)
    cards.update(enemies)
    for kind, card in enumerate(DECK.cards):  # DM-05
        assert cards[kind] == card["copies"], f"{cards[kind]} copies of {card['name']}"


def check_magician(s, p):
    """Bounds, and what follows from items and statuses."""
    assert 0 <= s.hp[p] <= FULL_HP and s.pool[p] >= 0  # DM-04
    fallen = s.alive[p] == 0
    assert fallen == (s.fell[p] > 0), f"player_{p}: alive {s.alive[p]}, fell {s.fell[p]}"
    if fallen:
        assert s.hp[p] == s.hand_size[p] == s.pool[p] == 0 and s.companion[p] == NONE  # DM-36
        assert not s.status[p].any() and (s.dot[p] == NONE).all()
    elif s.over == RUNNING:
        assert s.hp[p] > 0, f"player_{p} stands without hit points"
    for part in range(2):
        assert (s.dot[p, part] == NONE) == (s.dot_turns[p, part] == 0)
    totals = [BASE_AC + passive(s, p, "passive_ac"), passive(s, p, "passive_atk"), 1]
    totals[2] += passive(s, p, "passive_level")
    bound, hidden = 0, 0
    for i in range(STATUSES):
        kind, change, turns, _ = STATUS[i].tolist()
        left = int(s.status[p, i])
        assert 0 <= left <= max(1, turns + 1), f"status {i} of player_{p}: {left} of {turns}"
        if left and kind == BIND:
            bound |= (left <= turns) << change
        elif left and kind == HIDE:
            hidden = 1
        elif left and kind < len(totals):
            totals[kind] += change
        assert turns != ROUND or left <= 1
    assert [s.ac[p], s.attack_bonus[p], s.level[p]] == totals, f"figures of player_{p}"
    assert s.staff[p] == passive(s, p, "passive_atk")
    assert s.save_bonus[p] == passive(s, p, "passive_save")
    assert (s.bound[p], s.hidden[p]) == (bound, hidden)


def check(s):
    """Raises AssertionError with what does not hold."""
    check_cards(s)
    for p in range(s.num_players):
        check_magician(s, p)
    if s.enemy != NONE:
        assert s.over != RUNNING or s.enemy_hp > 0, "a defeated enemy on the table"
    else:
        assert s.enemy_hp == 0 and s.enemy_drawer == NONE
    assert 0 <= s.queue_waiting <= s.queue_size and not s.unseen.any()
    if s.over == RUNNING:
        assert s.alive[s.seat], "a fallen magician is to move"
        assert s.turn < s.max_turns
