"""Every block of the observations says what its meaning says, in one position."""

import numpy as np
import pytest

import mages_env
from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.encoders import HELD_AT, ITEM_AT, PLACED_AT, SEAT_WIDTH
from mages_env.games.dark_mages.state import DECK, ENEMY_KINDS, KINDS, STATUSES

from .scene import cards, kind, play, scene, seat, status_of


def observed(s, p, encoder="standard"):
    encoder = GAME.encoder(encoder)
    out = np.full(encoder.layout.size, np.nan, np.float32)
    encoder.function(s, p, out)
    assert (out >= 0).all() and (out <= 1).all()
    return encoder.layout.views(out)


def eighths(names, places=None):
    block = np.zeros(KINDS if places is None else int(places.max()) + 1)
    for k in cards(names):
        block[k if places is None else places[k]] += 1 / 8
    return block


def assert_same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def middle(count=3):
    """Seat 1, whose turn it is, has attacked seat 0, who is asked for an answer."""
    seats = [
        seat("Dodge, Dodge, Fireball", "Druid", hp=45, pool=6, items="Staff +2",
             companion="Wolf defender 3", status="Acid Ball 2", dot="Infection 2 of 1"),
        seat("Forest Army, Griffon, Troll", "Cleric", hp=30,
             items="Robe of Protection +1, Amulet of Warding", known={0: "Troll"}),
        seat("", "Enchanter", fell=1),
    ]  # fmt: skip
    s = scene(seats[:count], active=1, turn=30, used="skill",
              discards="Healing, Dodge", stack=None)  # fmt: skip
    play(s, "cast Forest Army at player_0")
    assert s.seat == 0
    return s


def test_the_table():
    s = middle()
    found = observed(s, 0)
    stack = 112 - 3 - 2 - 3 - 2 - 1 - 1
    assert_same(found["table"], [0, 30 / 750, stack / 112, 0, 0, 1, 0, 0, 1, 0, 0, 0])
    assert_same(found["asked"], [0, 0, 0, 1, 0, 0, 0])
    assert_same(found["used"], [0, 0, 0, 0, 1, 1 / 4, 0, 0, 0])
    assert_same(found["attack"], [1, 0, 1, 0, 0, 0, 0, 0])
    assert np.flatnonzero(found["attack_with"]).tolist() == cards("Forest Army")
    assert_same(found["discards"], eighths("Healing, Dodge, Forest Army"))
    assert not found["enemy"].any() and not found["waiting"].any()
    for p in (1, 2):
        other = observed(s, p)
        assert not other["asked"].any() and other["table"][0] == (p == 1)


def test_cards():
    found = observed(middle(), 0)
    assert_same(found["hand"], eighths("Dodge, Dodge, Fireball", HELD_AT))
    assert_same(found["known"], eighths("Troll", HELD_AT))
    copies = np.array([card["copies"] for card in DECK.cards]) / 8
    placed = ("Dodge, Dodge, Fireball, Troll, Healing, Dodge, Forest Army, Staff +2, Wolf, "
              "Robe of Protection +1, Amulet of Warding")  # fmt: skip
    assert_same(found["unseen"], copies - eighths(placed))
    assert not observed(middle(), 1)["known"].any()


def test_seats():
    s = middle()
    for p in range(3):
        rows = observed(s, p)["seats"]
        assert rows.shape == (8, SEAT_WIDTH) and not rows[3:].any()
        mine, cleric = rows[(0 - p) % 3], rows[(1 - p) % 3]
        assert_same(mine[:10], [1, 1, 0, 45 / 60, 6 / 60, 8 / 40, 12 / 40, 11 / 40, 0, 3 / 5])
        assert_same(mine[10:26], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3 / 60])
        assert_same(mine[26:31], [5.5 / 20, 2 / 4, p == 1, 0, 0])
        assert_same(cleric[:10], [1, 1, 1, 30 / 60, 0, 11 / 40, 10 / 40, 11 / 40, 3 / 20, 2 / 5])
        assert_same(cleric[10:20], [(p == 0) / 5, 0, 0, 0, 0, 0, 1, 1, 0, 0])
        fallen = rows[(2 - p) % 3]
        assert fallen[1] == 0 and fallen[23] == 1 / 8
        character = mine[31:39]
        assert np.flatnonzero(character).tolist() == [2]
        first = 39 + int(ITEM_AT.max()) + 1
        items = mine[39:first]
        assert np.flatnonzero(items).tolist() == [ITEM_AT[kind("Staff +2")]]
        companion = mine[first : first + int(PLACED_AT.max()) + 1]
        assert np.flatnonzero(companion).tolist() == [PLACED_AT[kind("Wolf")]]
        statuses = mine[-STATUSES:]
        assert np.flatnonzero(statuses).tolist() == [status_of("Acid Ball")]
        assert statuses[status_of("Acid Ball")] == 2 / 4


def test_enemies_teams_and_options():
    s = scene([seat("Healing"), seat(), seat(), seat()], enemy="Hydra 12 of 1", teams=2,
              waiting="Ogre Warlord of 2", rules="1.5", overflow=True, cantrip_rule="always",
              sphere_unlocks_level=False)  # fmt: skip
    found = observed(s, 0)
    assert_same(found["enemy"], np.where(np.array(ENEMY_KINDS) == kind("Hydra"), 12 / 60, 0))
    assert_same(found["waiting"], np.where(np.array(ENEMY_KINDS) == kind("Ogre Warlord"), 1 / 4, 0))
    assert_same(found["table"][3:], [1 / 7, 0, 0, 0, 1, 0, 1, 1, 0])
    assert_same(found["seats"][:4, 15], [0, 0, 1, 0])
    assert_same(found["seats"][:4, 20], [0, 1, 0, 0])


def test_a_duel_has_two_seats():
    s = middle(2)
    for p in range(2):
        small, large = observed(s, p, "duel"), observed(s, p)
        assert small["seats"].shape == (2, SEAT_WIDTH)
        assert_same(small["seats"], large["seats"][:2])
        assert all((small[name] == large[name]).all() for name in small if name != "seats")
    with pytest.raises(ValueError, match="encoder 'duel' is for 2 players, not for 3"):
        mages_env.make(GAME, num_players=3, encoder="duel")


@pytest.mark.rule("DM-40")
def test_everything_for_critics():
    s = middle()
    out = np.full(GAME.full.layout.size, np.nan, np.float32)
    GAME.full.function(s, out)
    found = GAME.full.layout.views(out)
    assert np.flatnonzero(found["to_move"]).tolist() == [0]
    assert_same(found["hands"][0], eighths("Dodge, Dodge, Fireball", HELD_AT))
    assert_same(found["hands"][1], eighths("Griffon, Troll", HELD_AT))
    assert not found["hands"][2:].any()
    assert found["stack"].sum() == s.stack_size / 8
    assert found["seats"].shape == (8, SEAT_WIDTH)
