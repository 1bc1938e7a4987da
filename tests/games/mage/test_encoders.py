"""Every block of the observations says what its meaning says."""

import numpy as np
import pytest

from mages_env.games.mage import GAME
from mages_env.games.mage.state import HAND

from .scene import at, cards, change, scene


def observed(s, seat, encoder="standard"):
    encoder = GAME.encoder(encoder)
    out = np.full(encoder.layout.size, np.nan, np.float32)
    encoder.function(s, seat, out)
    return encoder.layout.views(out)


def observed_full(s):
    out = np.full(GAME.full.layout.size, np.nan, np.float32)
    GAME.full.function(s, out)
    return GAME.full.layout.views(out)


def ones(names, size=54, first=0):
    block = np.zeros(size)
    block[[card - first for card in cards(names)]] = 1
    return block


def unseen(latest, older=(), held=()):
    """The block from the cards of each kind, 1 for each."""
    return sum(k / 3 * np.asarray(c) for k, c in enumerate((latest, older, held), 1) if len(c))


def assert_block(views, name, expected):
    np.testing.assert_allclose(views[name], expected, rtol=1e-6, err_msg=name)


R = ["JH", "QH", "KH", "JS", "QS", "KS", "JC", "QC", "KC", "JD", "QD", "KD"]


def middle():
    """Seat 1 of 3 has attacked; seat 2 is to duel; seat 0 has left."""
    return scene(
        ["", "AH 10D", "3C JC"],
        known=["", "5S joker1", "QC"],
        courts=["", "KH+10S tipped attacks 2, JD fresh", "QD+5H+4C duels KH, KS tipped damage 1"],
        mine="2D 9D",
        abyss="7C 8H joker2",
        life=[-4, 12, 75],
        vault=[0, 22, 4],
        phase="duels",
        active=1,
        to_move=2,
        starter=2,
        turn=30,
        diamond_used=True,
        out=(0,),
    )


DECK = np.ones(54) - ones("AH 10D 3C JC 5S joker1 QC KH 10S JD QD 5H 4C KS 2D 9D 7C 8H joker2")
TURN = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 11 / 55, 35 / 54, 3 / 54, 30 / 300, 0]
SEATS = {  # in, life, life, vault, hand, unknown: all, latest, earlier, old; turn, move, start
    0: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    1: [1, 12 / 60, 12 / 15, 22 / 55, 4 / 8, 2 / 8, 2 / 8, 0, 0, 1, 0, 0],
    2: [1, 1, 1, 4 / 55, 3 / 8, 2 / 8, 2 / 8, 0, 0, 0, 1, 1],
}
ATTACHED = np.zeros(30)
ATTACHED[cards("10S")] = (R.index("KH") + 1) / 12
ATTACHED[cards("5H 4C")] = (R.index("QD") + 1) / 12


def royals(first):
    """Rows as seat ``first`` of 3 sees them."""
    found = np.zeros((12, 14))

    def place(royal, owner, numbers):
        row = found[R.index(royal)]
        row[(owner - first) % 3] = 1
        row[6:] = numbers

    target = (2 - first) % 3 / 6
    place("KH", 1, [13 / 20, 13 / 20, 0, 1, 0, 1, target, 0])
    place("JD", 1, [1 / 20, 1 / 20, 0, 0, 1, 0, 0, 0])
    place("QD", 2, [-2 / 20, 3 / 20, 0, 0, 0, 0, 0, (R.index("KH") + 1) / 12])
    place("KS", 2, [3 / 20, 2 / 20, 1 / 20, 1, 0, 0, 0, 0])
    return found


def test_the_standard_observation_of_the_seat_to_move():
    seen = observed(middle(), 2)
    assert_block(seen, "turn", [1, *TURN[1:]])
    assert_block(seen, "hand", ones("3C JC QC"))
    assert_block(seen, "known", ones("QC") + ones("5S joker1") * 2 / 6)
    assert_block(seen, "unseen", unseen(DECK + ones("AH 10D")))
    assert_block(seen, "abyss", ones("7C 8H joker2"))
    assert_block(seen, "mine", ones("2D 9D", 10, 30))
    assert_block(seen, "attached", ATTACHED)
    assert_block(seen, "royals", royals(2))
    assert_block(seen, "seats", [SEATS[2], SEATS[0], SEATS[1], *np.zeros((3, 12))])


def test_the_standard_observation_of_the_seat_whose_turn_it_is():
    seen = observed(middle(), 1)
    assert_block(seen, "turn", [0, 1, *TURN[2:]])
    assert_block(seen, "hand", ones("AH 10D 5S joker1"))
    assert_block(seen, "known", ones("5S joker1") + ones("QC") / 6)
    assert_block(seen, "unseen", unseen(DECK + ones("3C JC")))
    assert_block(seen, "royals", royals(1))
    assert_block(seen, "seats", [SEATS[1], SEATS[2], SEATS[0], *np.zeros((3, 12))])


def test_the_observation_of_a_seat_that_has_left():
    seen = observed(middle(), 0)
    assert_block(seen, "turn", TURN)
    assert not seen["hand"].any()
    assert_block(seen, "unseen", unseen(DECK + ones("AH 10D 3C JC")))


@pytest.mark.parametrize("phase", ["first", "attack", "duels", "second", "discard"])
def test_phases(phase):
    hand = "AH 2H 3H 4H 5H 6H 7H 8H"
    court = "KH attacks 1 tipped, QH" if phase in ("attack", "duels") else "KH, QH"
    to_move = 1 if phase == "duels" else 0
    s = scene([hand, ""], courts=[court, "QD"], phase=phase, to_move=to_move, turn=0)
    for seat in range(2):
        turn = observed(s, seat)["turn"]
        expected = [seat == to_move, seat == 0]
        expected += [name == phase for name in ("first", "attack", "duels", "second", "discard")]
        np.testing.assert_allclose(turn[:7], expected)
        assert turn[14] == 1  # the first turn


def test_a_spade_that_returns_a_card():
    s = scene(["7S", ""], abyss="AH", vault=9)
    change(s, "return with 7S")
    for seat in range(2):
        np.testing.assert_allclose(observed(s, seat)["turn"][7:9], [1, 0.7], rtol=1e-6)


def test_what_can_be_known_of_cards_that_are_not_seen():
    # The deck runs out: 2H, 3H, 4H and KH are in hands since before; 9D is in the deck again.
    s = scene(["9D 2H", "4H", "3H"], deck="KH", abyss="AC 2C")
    in_deck = np.ones(54) - ones("9D 2H 3H 4H KH") + ones("9D")
    change(s, "draw with 9D")
    assert_block(observed(s, 1), "unseen", unseen(in_deck, held=ones("2H 3H KH")))
    rows = observed(s, 1)["seats"]
    np.testing.assert_allclose(rows[:3, 4:9] * 8, [[1, 1, 0, 0, 1]] * 2 + [[2, 2, 0, 0, 2]])
    # A card drawn now is of the new deck.
    change(s, "done")
    change(s, "done")
    rows = observed(s, 0)["seats"]
    np.testing.assert_allclose(rows[1, 4:9] * 8, [2, 2, 1, 0, 1])


def test_what_can_be_known_after_somebody_has_left():
    # The Abyss and the hand of 1 are shuffled into the deck, which has not run out.
    s = scene(["5C", "9H", "2H"], abyss="KD", life=[30, 5, 30], vault=5)
    change(s, "damage player_1 with 5C")
    lately = ones("5C KD")
    assert_block(observed(s, 0), "unseen", unseen(lately, np.ones(54) - lately))
    np.testing.assert_allclose(observed(s, 0)["seats"][2, 4:9] * 8, [1, 1, 0, 1, 0])
    assert_block(observed(s, 2), "unseen", unseen(lately, np.ones(54) - lately - ones("2H")))


def test_what_can_be_known_when_a_hand_from_before_is_shuffled_in():
    # The deck runs out; then seat 1 leaves, which holds one of 2H, 4H and KH. Seat 2 still holds
    # one of them and nothing newer.
    s = scene(["9D 5C", "4H", "2H"], deck="KH", abyss="AC 2C", life=[30, 5, 30], vault=5)
    change(s, "draw with 9D")
    change(s, "damage player_1 with 5C")
    older = ones("2H 4H")
    newer = np.ones(54) - ones("2H 4H KH 5C")
    assert_block(observed(s, 0), "unseen", unseen(ones("5C"), newer + older))
    np.testing.assert_allclose(observed(s, 0)["seats"][2, 4:9] * 8, [1, 1, 0, 0, 1])
    held = set()
    for seed in range(60):
        other = s.copy()
        GAME.determinize(other, 0, np.uint64(seed))
        held.add(at(other, HAND + 2))
    assert held == {"2H", "4H"}


def test_the_compact_observation():
    s = middle()
    for seat in range(3):
        seen, whole = observed(s, seat, "compact"), observed(s, seat)
        for name in ("turn", "hand", "seats"):
            assert_block(seen, name, whole[name])
    rows = np.zeros((12, 8))
    rows[R.index("KH")] = [0, 2 / 5, 13 / 20, 13 / 20, 1, 0, 1, 0]
    rows[R.index("JD")] = [0, 2 / 5, 1 / 20, 1 / 20, 0, 1, 0, 0]
    rows[R.index("QD")] = [1, 0, -2 / 20, 3 / 20, 0, 0, 0, 0]
    rows[R.index("KS")] = [1, 0, 3 / 20, 2 / 20, 1, 0, 0, 0]
    assert_block(observed(s, 2, "compact"), "royals", rows)
    rows = observed(s, 1, "compact")["royals"]
    np.testing.assert_allclose(rows[R.index("KH")], [1, 0, 0.65, 0.65, 1, 0, 0, 1], rtol=1e-6)


def test_the_full_observation():
    s = middle()
    seen = observed_full(s)
    assert_block(seen, "turn", [1, 0, *TURN[2:]])
    hands = ["", "AH 10D 5S joker1", "3C JC QC", "", "", ""]
    assert_block(seen, "hands", [ones(hand) for hand in hands])
    assert_block(seen, "hands_known", ones("5S joker1 QC"))
    assert_block(seen, "deck", DECK)
    assert not seen["face_down"].any()
    assert_block(seen, "abyss", ones("7C 8H joker2"))
    assert_block(seen, "mine", ones("2D 9D", 10, 30))
    assert_block(seen, "attached", ATTACHED)
    assert_block(seen, "royals", royals(0))
    assert_block(seen, "seats", [SEATS[0], SEATS[1], SEATS[2], *np.zeros((3, 12))])


def test_the_full_observation_of_the_end():
    s = scene(["5C", "AH"], life=[30, 5], vault=5)
    change(s, "damage player_1 with 5C")
    seen = observed_full(s)
    assert seen["turn"][0] == 0
    assert_block(seen, "face_down", ones("AH"))


def test_large_numbers_stay_within_bounds():
    court = "KH+10S+9S+8S+10H+9H damage 25, JC+8H+7H+6H+5H+4H+10C+7C+8C tipped"
    s = scene(["", ""], courts=[court, ""], life=[1000, 30], vault=[200, 0])
    row = observed(s, 0)["royals"]
    np.testing.assert_allclose(row[R.index("KH")][6:9], [1, 1, 1])
    assert row[R.index("JC")][6] == -1
    np.testing.assert_allclose(observed(s, 0)["seats"][0, 1:4], [1, 1, 1])
