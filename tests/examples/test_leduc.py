"""Leduc hold'em: its rules by scenario, the conformance kit, and OpenSpiel's moves and returns."""

from itertools import permutations

import numpy as np
import pytest

import mages_env
from examples.leduc import CALL, FOLD, FULL, GAME, MAX_LOSS, PUBLIC, RAISE, STANDARD
from mages_env.engine import NOBODY, RUNNING, TERMINATED
from mages_env.testing import check_game

J1, J2, Q1, Q2, K1, K2 = range(6)
ACTION = {"f": FOLD, "c": CALL, "r": RAISE}


def begun(cards, reward="rank"):
    """A game whose cards, player 0's, player 1's and the public one, are ``cards``."""
    state = GAME.new_state(reward=reward)
    GAME.reset(state[0], np.uint64(0))
    state["cards"] = cards
    return state[0]


def legal(s):
    mask = np.zeros(3, np.int8)
    GAME.legal(s, mask)
    return "".join(letter for letter, action in ACTION.items() if mask[action])


def played(cards, actions, reward="rank"):
    """The game after ``actions``, as in "crc", each of which was legal."""
    s = begun(cards, reward)
    for letter in actions:
        assert letter in legal(s)
        GAME.step(s, ACTION[letter])
    return s


def observed(s, seat):
    out = np.full(STANDARD.size, np.nan, np.float32)
    GAME.encoder().function(s, seat, out)
    return STANDARD.views(out)


def test_player_0_opens_both_rounds_and_may_not_fold_unasked():
    s = begun((J1, Q1, K1))
    assert (s.seat, legal(s), s.stake.tolist()) == (0, "cr", [1, 1])
    s = played((J1, Q1, K1), "cc")
    assert (s.seat, legal(s), s.street) == (0, "cr", 1)


@pytest.mark.parametrize("first, bet", [("", 2), ("cc", 4)])
def test_bets_and_at_most_two_raises_a_round(first, bet):
    s = played((J1, Q1, K1), first + "r")
    assert (s.seat, legal(s), s.stake.tolist()) == (1, "fcr", [1 + bet, 1])
    s = played((J1, Q1, K1), first + "crr")
    assert (s.seat, legal(s), s.stake.tolist()) == (1, "fc", [1 + 2 * bet, 1 + bet])


def test_a_call_ends_the_round_but_not_the_opening_check():
    assert played((J1, Q1, K1), "c").street == 0
    for actions in ("cc", "rc", "crc", "rrc", "crrc"):
        s = played((J1, Q1, K1), actions)
        assert (s.street, s.stake[0] - s.stake[1]) == (1, 0)
        assert played((J1, Q1, K1), actions + "cc").over == TERMINATED


@pytest.mark.parametrize(
    "cards, winner",
    [
        ((K1, Q1, J1), 0),  # the higher card
        ((Q1, K1, J2), 1),
        ((J1, K1, J2), 0),  # a pair of the lowest beats the highest
        ((K1, Q1, Q2), 1),
        ((Q1, Q2, K1), NOBODY),  # equal cards split
    ],
)
def test_showdown(cards, winner):
    s = played(cards, "ccrc")
    lost = {0: [5, -5], 1: [-5, 5], NOBODY: [0, 0]}[winner]
    assert (s.over, s.seat, s.shown, s.won.tolist()) == (TERMINATED, NOBODY, 1, lost)
    assert s.returns.tolist() == np.sign(lost).tolist()
    assert legal(s) == ""


def test_who_folds_loses_the_stake_whatever_the_cards():
    s = played((K1, J1, K2), "crf")
    assert (s.over, s.shown, s.won.tolist(), s.returns.tolist()) == (1, 0, [-1, 1], [-1, 1])
    assert played((K1, J1, K2), "rrccrf").won.tolist() == [-5, 5]


def test_score_pays_chips_over_the_largest_loss():
    s = played((J1, K1, K2), "crrccrrc", reward="score")
    assert (MAX_LOSS, s.won.tolist(), s.returns.tolist()) == (13, [-13, 13], [-1.0, 1.0])
    s = played((J1, K1, K2), "rf", reward="score")
    np.testing.assert_allclose(s.returns, [1 / 13, -1 / 13])


def test_observation_tells_the_own_card_and_the_betting_only():
    # J against K, a bet and a call, Q turned up, a check: player 1 is to move.
    s = played((J1, K1, Q1), "rcc")
    own = observed(s, 1)
    assert own["card"].tolist() == [0, 0, 1]
    assert own["public"].tolist() == [0, 1, 0]
    assert (own["opens"].tolist(), own["second_round"].tolist()) == ([0], [1])
    assert own["history"].tolist() == [[[0, 1], [1, 0], [0, 0], [0, 0]], [[1, 0]] + [[0, 0]] * 3]
    assert observed(played((J1, K1, Q1), "rc"[:1]), 0)["public"].tolist() == [0, 0, 0]


def test_full_observation_shows_every_card():
    out = np.zeros(FULL.size, np.float32)
    GAME.full.function(played((J1, K1, Q1), "r"), out)
    full = FULL.views(out)
    assert full["cards"].argmax(axis=1).tolist() == [0, 2, 1]
    assert full["to_move"].tolist() == [0, 1]


def test_redrawn_cards_are_all_those_the_seat_cannot_know():
    def redrawn(actions, seat):
        s = played((J1, K1, Q1), actions)
        found = set()
        for seed in range(400):
            copy = np.array([s], GAME.dtype)
            GAME.determinize(copy[0], seat, np.uint64(seed))
            found.add(tuple(copy[0].cards.tolist()))
        return found

    deals = set(permutations(range(6), 3))
    assert redrawn("r", 0) == {d for d in deals if d[0] == J1}
    assert redrawn("rc", 1) == {d for d in deals if d[1] == K1 and d[PUBLIC] == Q1}
    assert redrawn("rccc", 1) == {(J1, K1, Q1)}  # the showdown hides nothing


def test_words():
    s = played((J1, K1, Q1), "rr")
    assert [GAME.action_text(s, a) for a in range(3)] == ["fold", "call", "raise"]
    assert [GAME.parse_action(s, text) for text in ("Fold", " c ", "bet", "#1")] == [0, 1, 2, 1]
    with pytest.raises(ValueError, match="'all in' is not understood; say one of fold"):
        GAME.parse_action(s, "all in")
    assert GAME.to_text(s, 0).splitlines() == [
        "Round 1 of 2, public card face down",
        "> player_0 (you): card J, stake 3",
        "  player_1: card ?, stake 5",
    ]
    assert GAME.to_json(s, None)["history"] == [["raise", "raise"], []]
    over = played((J1, K1, Q1), "rcrc")
    assert GAME.to_json(over, None)["events"] == [
        "player_1 calls 4",
        "player_0 shows J",
        "player_1 shows K",
    ]
    assert GAME.to_text(over, None).splitlines()[0] == "Game over, public card Q"


def test_conformance():
    def three_different_cards(s):
        assert len(set(s.cards.tolist())) == 3

    check_game(GAME, invariant=three_different_cards)


def test_found_by_its_import_path():
    assert mages_env.get_game("examples.leduc:GAME") is GAME


def test_openspiel_has_the_same_moves_and_returns():
    pyspiel = pytest.importorskip("pyspiel")

    def compare(theirs, ours):
        if theirs.is_terminal():
            assert (ours.over, ours.won.tolist()) == (TERMINATED, theirs.returns())
            return 1
        assert (ours.over, ours.seat) == (RUNNING, theirs.current_player())
        assert [ACTION[letter] for letter in legal(ours)] == theirs.legal_actions()
        histories = 1
        for action in theirs.legal_actions():
            after = np.array([ours], GAME.dtype)
            GAME.step(after[0], action)
            child = theirs.child(action)
            if child.is_chance_node():
                child.apply_action(int(ours.cards[PUBLIC]))
            histories += compare(child, after[0])
        return histories

    game = pyspiel.load_game("leduc_poker")
    histories = 0
    for cards in permutations(range(6), 3):
        root = game.new_initial_state()
        root.apply_action(cards[0])
        root.apply_action(cards[1])
        histories += compare(root, begun(cards))
    assert histories == 10_200
