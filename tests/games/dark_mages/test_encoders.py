"""Every block of the observations says what its meaning says, in one position."""

import numpy as np
import pytest

import mages_env
from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.deck import COLUMN
from mages_env.games.dark_mages.encoders import (
    ATTACK_KINDS,
    HELD_AT,
    ITEM_AT,
    LASTING,
    OF_THIS_TURN,
    PLACED_AT,
    SEAT_WIDTH,
    STATUS_AT,
    WAITING_AT,
)
from mages_env.games.dark_mages.state import CARD, DECK, ENEMY_KINDS, KINDS

from .scene import cards, d20, kind, play, scene, seat, status_of


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
    assert_same(found["table"], [30 / 750, stack / 112, 0, 0, 1, 0, 0, 1, 0, 0, 0])
    assert_same(found["asked"], [0, 0, 0, 1, 0, 0, 0])
    assert_same(found["used"], [0, 0, 0, 0, 1, 1 / 4, 0, 0, 0, *[0] * len(OF_THIS_TURN)])
    assert_same(found["attack"], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert [ATTACK_KINDS[k] for k in np.flatnonzero(found["attack_with"])] == cards("Forest Army")
    assert_same(found["discards"], eighths("Healing, Dodge, Forest Army"))
    assert not found["enemy"].any() and not found["waiting"].any()
    for p in (1, 2):
        assert not observed(s, p)["asked"].any()


def test_what_is_in_force_for_this_turn_only():
    s = scene([seat("Healing, Dodge", status="Focus 1, Potion of Stone Skin 1"), seat()])
    for p in range(2):
        found = observed(s, p)
        now = [OF_THIS_TURN[k] for k in np.flatnonzero(found["used"][9:])]
        assert now == [status_of("Focus")]
        lasting = np.flatnonzero(found["seats"][p, -LASTING:]).tolist()
        assert lasting == [STATUS_AT[status_of("Potion of Stone Skin")]]


def test_cards():
    found = observed(middle(), 0)
    assert_same(found["hand"], eighths("Dodge, Dodge, Fireball", HELD_AT))
    assert_same(found["known"], eighths("Troll", HELD_AT))
    assert not observed(middle(), 1)["known"].any()


@pytest.mark.rule("DM-22", "DM-40")
@pytest.mark.parametrize(
    ("mine", "theirs", "action", "flags", "card"),
    [
        ("Sleight of Hand", "Staff +1, Ring of Arcane +1", "use Sleight of Hand on player_1's Ring",
         [2, 10], "Sleight of Hand"),
        ("Healing", "", "cast Thorn Lash at player_1", [1, 2], None),
        ("Healing", "", "companion attacks player_1", [0, 2], None),
    ],
)  # fmt: skip
def test_what_attacks_and_what_it_is_aimed_at(mine, theirs, action, flags, card):
    """A cantrip is that of the attacker's character, a companion is the attacker's."""
    s = scene([seat(mine, "Druid", companion="Wolf attacker 6"), seat("Dodge", items=theirs)])
    play(s, action)
    for p in range(2):
        found = observed(s, p)
        assert np.flatnonzero(found["attack"]).tolist() == flags
        named = [ATTACK_KINDS[k] for k in np.flatnonzero(found["attack_with"])]
        assert named == ([] if card is None else cards(card))
        assert_same(found["seats"][[p, 1 - p], 13], [1, 0])
        assert_same(found["seats"][[p, 1 - p], 14], [0, 1])


def test_every_card_that_can_attack_has_a_place():
    names = {DECK.cards[k]["name"] for k in ATTACK_KINDS}
    for card in DECK.cards:
        at_others = card["target"] in ("opp_or_companion", "opponent", "companion", "all",
                                       "all_opponents")  # fmt: skip
        assert at_others == (card["name"] in names), card["name"]


def test_seats():
    s = middle()
    for p in range(3):
        rows = observed(s, p)["seats"]
        assert rows.shape == (8, SEAT_WIDTH) and not rows[3:].any()
        mine, cleric = rows[(0 - p) % 3], rows[(1 - p) % 3]
        assert_same(mine[:9], [1, 0, 45 / 60, 6 / 60, 8 / 40, 12 / 40, 11 / 40, 3 / 5, 0])
        assert_same(mine[9:19], [0, 0, 0, 0, 0, 1, 0, 0, 0, 3 / 60])
        assert_same(mine[19:24], [5.5 / 20, 2 / 4, p == 1, 0, 0])
        assert_same(cleric[:8], [1, 1, 30 / 60, 0, 11 / 40, 10 / 40, 11 / 40, 2 / 5])
        assert_same(cleric[8:19], [(p == 0) / 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
        fallen = rows[(2 - p) % 3]
        assert_same(fallen[:8], [1 / 16, 0, 0, 0, 10 / 40, 10 / 40, 11 / 40, 0])
        character = mine[24:32]
        assert np.flatnonzero(character).tolist() == [2]
        first = 32 + int(ITEM_AT.max()) + 1
        items = mine[32:first]
        assert np.flatnonzero(items).tolist() == [ITEM_AT[kind("Staff +2")]]
        companion = mine[first : first + int(PLACED_AT.max()) + 1]
        assert np.flatnonzero(companion).tolist() == [PLACED_AT[kind("Wolf")]]
        statuses = mine[-LASTING:]
        acid_ball = STATUS_AT[status_of("Acid Ball")]
        assert np.flatnonzero(statuses).tolist() == [acid_ball]
        assert statuses[acid_ball] == 2 / 4


@pytest.mark.rule("DM-24", "DM-36")
def test_first_attacker_and_looted():
    s = scene([seat("Forest Army, Dodge"), seat("Shield of Reflection"),
               seat(hp=1, items="Staff +1")])  # fmt: skip
    play(s, "cast Forest Army at player_1")
    play(s, "play Shield of Reflection")
    found = observed(s, 0)
    assert_same(found["attack"][:8], [0, 0, 1, 0, 0, 0, 1, 0])
    assert_same(found["seats"][:3, 13], [1 / 2, 1, 0])
    assert_same(found["seats"][:3, 14], [1, 0, 0])
    s = scene([seat("Forest Army"), seat("Healing"), seat(hp=1, items="Staff +1")])
    play(s, "cast Forest Army at player_2", *d20(15), (8, 5))
    assert_same(observed(s, 0)["seats"][:3, 16], [1, 0, 1 / 2])


def test_alike_binds_are_one():
    trap, roots = STATUS_AT[status_of("Shadow Trap")], STATUS_AT[status_of("Savage Roots")]
    assert trap == roots != STATUS_AT[status_of("Curse of Silence")]
    s = scene([seat("Healing", status="Shadow Trap 1, Savage Roots 2"), seat()])
    assert observed(s, 1)["seats"][1, -LASTING:][trap] == 2 / 4
    assert_same(observed(s, 1)["seats"][1, 9:12], [1, 0, 0])


@pytest.mark.rule("DM-35")
def test_hidden_is_a_status():
    s = scene([seat("Healing", status="Potion of Invisibility 1"), seat()])
    place = STATUS_AT[status_of("Potion of Invisibility")]
    assert [observed(s, 1)["seats"][i, -LASTING:][place] for i in (0, 1)] == [0, 1 / 4]


def test_enemies_teams_and_options():
    s = scene([seat("Healing"), seat(), seat(), seat()], enemy="Hydra 12 of 1", teams=2,
              waiting="Ogre Warlord of 2", rules="1.5", overflow=True, cantrip_rule="always",
              sphere_unlocks_level=False)  # fmt: skip
    found = observed(s, 0)
    assert_same(found["enemy"], np.where(np.array(ENEMY_KINDS) == kind("Hydra"), 12 / 60, 0))
    ogre = WAITING_AT[kind("Ogre Warlord")]
    for p in range(4):
        waiting = observed(s, p)["waiting"]
        assert np.flatnonzero(waiting[:, 0]).tolist() == [ogre]
        assert_same(waiting[ogre], [1, (1 + (2 - p) % 4) / 8])
    assert_same(found["table"][2:], [1 / 7, 0, 0, 0, 1, 0, 1, 1, 0])
    assert_same(found["seats"][:4, 12], [0, 0, 1, 0])
    assert_same(found["seats"][:4, 15], [0, 1, 0, 0])


@pytest.mark.rule("DM-34")
def test_enemies_wait_in_line():
    waiting = "Ogre Warlord of 1, Hydra of 0"
    s = scene([seat("Healing"), seat()], enemy="", waiting=waiting)
    rows = observed(s, 1)["waiting"]
    assert len(rows) == sum(CARD[k, COLUMN["copies"]] for k in ENEMY_KINDS) == 7
    assert_same(rows[WAITING_AT[kind("Ogre Warlord")]], [1, 1 / 8])
    assert_same(rows[WAITING_AT[kind("Hydra")]], [6 / 7, 2 / 8])


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
