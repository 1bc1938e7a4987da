"""What holds in every state of the game, also in a redrawn one."""

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
    USE,
)

# Lists: a NumPy array is slow to be read one number at a time.
COPIES = [card["copies"] for card in DECK.cards]
CATEGORY, SLOT, AC, ATTACK, LEVEL, SAVE = (
    CARD[:, COLUMN[name]].tolist()
    for name in ("category", "slot", "passive_ac", "passive_atk", "passive_level", "passive_save")
)
STATUS_ROWS = STATUS.tolist()


def check_cards(s):
    """All 112 copies are somewhere, every kind in a place it may be in."""
    cards = s.discards.tolist()
    assert min(cards) >= 0
    for kind in s.stack[: s.stack_size].tolist():
        cards[kind] += 1
    sizes, hands, known = s.hand_size.tolist(), s.hand.tolist(), s.known.tolist()
    items, companions = s["items"].tolist(), s.companion.tolist()
    companion_hp, modes = s.companion_hp.tolist(), s.mode.tolist()
    for p in range(s.num_players):
        size = sizes[p]
        hand = hands[p][:size]
        assert hand == sorted(hand) and size <= HAND, f"hand of player_{p}: {hand}"
        assert hands[p][size:] == [NONE] * (HAND - size)
        assert known[p][size:] == [0] * (HAND - size)
        assert all(CATEGORY[k] != ENEMY_CARD for k in hand), "an enemy in a hand"
        assert not any(by >> p & 1 for by in known[p])
        for slot, kind in enumerate(items[p]):
            if kind != NONE:
                assert SLOT[kind] == slot, "an item in a wrong slot"
                cards[kind] += 1
        for kind in hand:
            cards[kind] += 1
        if companions[p] != NONE:
            assert USE[companions[p]] == PLACE_USE and companion_hp[p] > 0
            cards[companions[p]] += 1
        else:
            assert companion_hp[p] == modes[p] == 0
    enemies = s.queue[: s.queue_size, 0].tolist() + ([] if s.enemy == NONE else [int(s.enemy)])
    assert all(CATEGORY[kind] == ENEMY_CARD for kind in enemies)
    for kind in enemies:
        cards[kind] += 1
    for kind in range(KINDS):  # DM-05
        assert cards[kind] == COPIES[kind], f"{cards[kind]} copies of {DECK.cards[kind]['name']}"


def check_magicians(s):
    """Bounds, and what follows from items and statuses."""
    running = s.over == RUNNING
    hp, pool, alive, fell = s.hp.tolist(), s.pool.tolist(), s.alive.tolist(), s.fell.tolist()
    sizes, companions, dots = s.hand_size.tolist(), s.companion.tolist(), s.dot.tolist()
    dot_turns, statuses, items = s.dot_turns.tolist(), s.status.tolist(), s["items"].tolist()
    figures = [s[name].tolist() for name in ("ac", "attack_bonus", "level", "staff", "save_bonus")]
    figures += [s.bound.tolist(), s.hidden.tolist()]
    for p in range(s.num_players):
        assert 0 <= hp[p] <= FULL_HP and pool[p] >= 0  # DM-04
        fallen = alive[p] == 0
        assert fallen == (fell[p] > 0), f"player_{p}: alive {alive[p]}, fell {fell[p]}"
        if fallen:
            assert hp[p] == sizes[p] == pool[p] == 0 and companions[p] == NONE  # DM-36
            assert not any(statuses[p]) and dots[p] == [NONE, NONE]
        elif running:
            assert hp[p] > 0, f"player_{p} stands without hit points"
        for kind, turns in zip(dots[p], dot_turns[p], strict=True):
            assert (kind == NONE) == (turns == 0)
        worn = [kind for kind in items[p] if kind != NONE]
        staff, save = (sum(table[kind] for kind in worn) for table in (ATTACK, SAVE))
        totals = [BASE_AC + sum(AC[kind] for kind in worn), staff]
        totals.append(1 + sum(LEVEL[kind] for kind in worn))
        bound, hidden = 0, 0
        for i, left in enumerate(statuses[p]):
            if left == 0:
                continue
            kind, change, turns, _ = STATUS_ROWS[i]
            assert 0 < left <= max(1, turns + 1), f"status {i} of player_{p}: {left} of {turns}"
            assert turns != ROUND or left == 1
            if kind == BIND:
                bound |= (left <= turns) << change
            elif kind == HIDE:
                hidden = 1
            elif kind < len(totals):
                totals[kind] += change
        found = [figure[p] for figure in figures]
        assert found == [*totals, staff, save, bound, hidden], f"figures of player_{p}: {found}"


def check(s):
    """Raises AssertionError with what does not hold."""
    check_cards(s)
    check_magicians(s)
    if s.enemy != NONE:
        assert s.over != RUNNING or s.enemy_hp > 0, "a defeated enemy on the table"
    else:
        assert s.enemy_hp == 0 and s.enemy_drawer == NONE
    assert 0 <= s.queue_waiting <= s.queue_size and not s.unseen.any()
    if s.attack_kind == NONE:
        assert s.attack_user == s.attack_by == s.attack_target == s.attack_slot == NONE
        assert s.attack_form == s.attack_part == s.attack_dice == s.attack_effect == 0
        assert s.asked == s.dodged == 0
    if s.over == RUNNING:
        assert s.alive[s.seat], "a fallen magician is to move"
        assert s.turn < s.max_turns
