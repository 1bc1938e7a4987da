"""What holds in every state of the game, also in a redrawn one."""

from collections import Counter

from mages_env.engine import NOBODY, RUNNING
from mages_env.games.mage.state import (
    ABYSS,
    AGE,
    ATTACHABLE,
    ATTACHED,
    ATTACK,
    CARDS,
    CLUB,
    COURT,
    DECK,
    DIAMOND,
    DISCARD,
    DUELS,
    FACE_DOWN,
    HAND,
    HAND_LIMIT,
    JOKER,
    MAX_PLAYERS,
    MINE,
    NONE,
    ROYAL,
    ROYALS,
    SHOWN,
    SPADE,
    VALUE,
)


def check(s):
    """Raises AssertionError with what does not hold."""
    where = s.where.tolist()
    players = range(s.num_players)
    staying = [p for p in players if not s.terminated[p] and not s.truncated[p]]
    check_places(s, where)
    check_hands(s, where)
    check_royals(s, where)
    check_knowledge(s, where)
    for p in players:
        assert s.vault[p] >= 0, f"player_{p} has a vault of {s.vault[p]}"
        if s.terminated[p] and s.life[p] <= 0:
            assert s.hand_size[p] == 0 and COURT + p not in where, f"player_{p} is out, has cards"
        elif s.over == RUNNING:
            assert s.life[p] > 0, f"player_{p} is in with a life of {s.life[p]}"
    if s.over == RUNNING:
        assert len(staying) >= 2 and s.active in staying and s.seat in staying
        assert s.seat == s.active or s.phase == DUELS, "another seat moves, yet there are no duels"
        assert 0 <= s.turn < s.max_turns
    else:
        assert s.seat == NOBODY and not staying
    if s.phase == DISCARD and s.over == RUNNING:
        assert s.hand_size[s.active] == HAND_LIMIT + 1


def check_places(s, where):
    cards = Counter(where)  # every card has one place by construction; here: one that it can have
    assert len(where) == CARDS
    assert cards[DECK] == s.deck_size and cards[ABYSS] + cards[FACE_DOWN] == s.abyss_size
    assert cards[FACE_DOWN] == 0 or s.over != RUNNING, "a card in the Abyss is not shown"
    beyond = {base + p for base in (HAND, SHOWN, COURT) for p in range(s.num_players, MAX_PLAYERS)}
    assert not beyond & set(where), "a player who does not play has cards"
    mine = [c for c in range(CARDS) if where[c] == MINE]
    assert all(DIAMOND <= c < ROYAL for c in mine), "no diamond, but in the Mine"
    assert s.mine == sum(int(VALUE[c]) for c in mine)
    for c in range(CARDS):
        assert 0 <= where[c] < ATTACHED + ROYALS
        assert ROYAL <= c < JOKER or not COURT <= where[c] < ATTACHED, "no royal, but in a court"
        assert c < ATTACHABLE or where[c] < ATTACHED, "attached, but no heart, spade or club"
    if s.spade != NONE:
        assert SPADE <= s.spade < CLUB and where[s.spade] == ABYSS


def check_hands(s, where):
    for p in range(s.num_players):
        unknown, known = where.count(HAND + p), where.count(SHOWN + p)
        assert unknown == s.unknown[p] and unknown + known == s.hand_size[p] <= HAND_LIMIT + 1


def check_royals(s, where):
    for r in range(ROYALS):
        attached = [c for c in range(CARDS) if where[c] == ATTACHED + r]
        if not COURT <= where[ROYAL + r] < ATTACHED:
            assert not attached, "attached to a royal that is not in play"
            rest = (s.attack, s.health, s.damage, s.tipped, s.fresh)
            assert not any(field[r] for field in rest)
            assert s.attacked[r] == NONE and s.duelled[r] == NONE
            continue
        hearts, spades, clubs = (
            sum(int(VALUE[c]) for c in attached if first <= c < first + SPADE)
            for first in (0, SPADE, CLUB)
        )
        assert s.attack[r] == VALUE[ROYAL + r] + spades - clubs
        assert s.health[r] == VALUE[ROYAL + r] + hearts + spades - clubs
        assert s.health[r] > s.damage[r] >= 0, "a royal without health is in play"
        assert spades != clubs or spades == 0, "spades and clubs of one value on a royal"
        owner = where[ROYAL + r] - COURT
        if s.attacked[r] != NONE:
            assert s.tipped[r] and not s.fresh[r] and owner == s.active != s.attacked[r]
            assert s.phase in (ATTACK, DUELS)
        if s.duelled[r] != NONE:
            assert s.phase == DUELS and not s.tipped[r] and s.attacked[s.duelled[r]] == owner
        if s.fresh[r]:
            assert owner == s.active and not s.tipped[r]


def check_knowledge(s, where):
    """Every hand could be as it is by what all know of it, and the deck too."""
    assert 0 <= s.making < AGE and s.again[0] == NONE
    assert all(again // AGE < age for age, again in enumerate(s.again.tolist()) if again != NONE)
    for c in range(CARDS):
        if where[c] not in (DECK, FACE_DOWN) and not HAND <= where[c] < SHOWN:
            assert s.pool[c] == 0, "known to all, yet noted as if it were not"
        if where[c] == DECK and FACE_DOWN not in where:
            assert may_hold(s, s.making, s.pool[c]), "is in the deck, but has not been put there"
    for p in range(s.num_players):
        pools = [int(s.pool[c]) for c in range(CARDS) if where[c] == HAND + p]
        drawn = s.drawn[p, : s.unknown[p]].tolist()
        for label in sorted(drawn, key=lambda label: (-(label // AGE), label % AGE)):
            fitting = [pool for pool in pools if may_hold(s, label, pool)]
            assert fitting, "a hand cannot be"
            pools.remove(fitting[0])
        assert not s.drawn[p, s.unknown[p] :].any()


def may_hold(s, drawn, pool):
    """Whether a card drawn at one making may have been seen last at another."""
    while pool // AGE != drawn // AGE:
        if s.again[pool // AGE] == NONE:
            return False
        pool = int(s.again[pool // AGE])
    return pool <= drawn
