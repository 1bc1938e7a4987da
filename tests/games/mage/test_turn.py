"""The deal, the deck, and one turn: what happens by itself, which phases there are, who acts."""

import numpy as np
import pytest

from mages_env.engine import RUNNING
from mages_env.games.mage import GAME
from mages_env.games.mage.state import (
    A_DONE,
    DECK,
    E_ATTACK,
    E_CARD,
    E_DIAMOND_DRAW,
    E_DISCARD,
    E_DONE,
    E_DRAW,
    E_HIT,
    E_SHUFFLE,
    E_START,
    E_TAKE,
    E_TURN,
    HAND,
)

from .scene import NAMES, act, at, cards, change, event, gets, legal, legal_ids, scene, view

FIRST, ATTACK, DUELS, SECOND, DISCARD = range(5)
EVEN = 16.27  # chi-square that 5 degrees of freedom pass once in 160 times


def begun(seed, num_players=2):
    s = GAME.new_state(num_players)[0]
    GAME.reset(s, np.uint64(seed))
    return s


def events(s):
    return [tuple(row) for row in s.events[: s.num_events].tolist()]


# Before the first turn.


@pytest.mark.rule("MAG-03", "MAG-06", "ALL-02")
@pytest.mark.parametrize("count", range(2, 7))
def test_the_deal(count):
    s = begun(4, count)
    found = events(s)
    expected, left = [], 54
    for p in range(count):
        left -= 7
        dealt = [e for e in found if e[0] == E_CARD and e[2] == p]
        assert sorted(e[3] for e in dealt) == cards(at(s, HAND + p)) and len(dealt) == 7
        expected += [*dealt, event(E_DRAW, p, 7, left)]
    starter = int(s.starter)
    expected += [event(E_START, starter), event(E_TURN, starter, 0)]
    assert found == expected  # seat 0 first, no draw for the starting player
    seen = view(s)
    assert [seen[name] for name in ("to_move", "active", "turn", "phase")] == [
        starter,
        starter,
        0,
        "first",
    ]
    assert seen["life"] == [30] * count and seen["vault"] == [0] * count
    assert not any(seen[name] for name in ("abyss", "mine", "spade", "diamond_used", "face_down"))
    assert not any(seen[f"court_{p}"] or seen[f"known_{p}"] for p in range(count))
    assert len(seen["deck"].split()) == 54 - 7 * count


@pytest.mark.rule("MAG-03")
@pytest.mark.parametrize("count", [2, 6])
def test_every_seat_is_as_likely_to_start_and_every_card_to_be_dealt(count):
    games = 3000
    starts = np.zeros(count)
    dealt = np.zeros((count, 54))
    s = GAME.new_state(count)[0]
    for seed in range(games):
        GAME.reset(s, np.uint64(seed))
        starts[s.starter] += 1
        for p in range(count):
            dealt[p, s.where == HAND + p] += 1
    expected = games / count
    assert ((starts - expected) ** 2 / expected).sum() < EVEN
    expected = games * 7 / 54
    assert (np.abs(dealt - expected) < 4.5 * np.sqrt(expected)).all()


# The deck.


def drawn_with_the_ace(s, games):
    """The card that seat 0, which holds AD, draws by it; in many games."""
    action = GAME.parse_action(s, "draw with AD")
    for seed in range(games):
        other = s.copy()
        other.rng = np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
        GAME.step(other, action)
        yield at(other, HAND)


@pytest.mark.rule("MAG-04")
def test_any_card_of_the_deck_is_as_likely_to_be_drawn():
    drawn = dict.fromkeys(["AH", "2H", "3H", "4H", "5H", "6H"], 0)
    s = scene(["AD", ""], deck=" ".join(drawn))
    games = 1200
    for card in drawn_with_the_ace(s, games):
        drawn[card] += 1
    expected = games / 6
    assert sum((n - expected) ** 2 / expected for n in drawn.values()) < EVEN


@pytest.mark.rule("MAG-04")
def test_the_last_card_drawn_at_the_beginning_of_a_turn_makes_a_new_deck():
    s = scene(["2H", ""], deck="KH", phase="second", active=0)
    abyss = view(s)["abyss"]
    act(
        s,
        "done",
        phase="first",
        to_move=1,
        active=1,
        turn=3,
        hand_1="KH",
        deck=abyss,
        abyss="",
        events=[
            event(E_DONE, 0, SECOND),
            event(E_TURN, 1, 0),
            gets(1, "KH"),
            event(E_DRAW, 1, 1, 0),
            event(E_SHUFFLE, -1, 52, 0),
        ],
    )


# All other cards are in play: the deck and the Abyss can be empty.
ALL_HEARTS = "+".join(["AH", *(f"{n}H" for n in range(2, 11))])
ALL_SPADES = ALL_HEARTS.replace("H", "S")


def bare(hand_0, hand_1, **also):
    """Every card that is not in a hand, and not named, is in play."""
    held = f"{hand_0} {hand_1} {also.get('abyss') or ''} {also.get('deck') or ''}".split()
    clubs = [c for c in ("AC", *(f"{n}C" for n in range(2, 11))) if c not in held]
    diamonds = [d for d in ("AD", *(f"{n}D" for n in range(2, 11))) if d not in held]
    royals = [r for r in ("QC", "JC", "KD", "QD", "JD") if r not in held]
    # The clubs lie on KS with the spades, 55 against at most 54.
    ks = "+".join([ALL_SPADES, *clubs])
    courts = [
        f"KH+{ALL_HEARTS} tipped, QH tipped, JH tipped, KS+{ks} tipped, QS tipped, JS tipped",
        ", ".join(f"{royal} tipped" for royal in ["KC", *royals]),
    ]
    return scene(
        [hand_0, hand_1],
        courts=courts,
        mine=" ".join(diamonds),
        deck=also.pop("deck", ""),
        **also,
    )


@pytest.mark.rule("MAG-04")
def test_an_empty_abyss_is_not_shuffled():
    s = bare("joker1 2D", "joker2", deck="AC", phase="second")
    assert view(s)["abyss"] == ""
    change(s, "done")
    assert events(s)[-2:] == [gets(1, "AC"), event(E_DRAW, 1, 1, 0)]
    assert view(s)["deck"] == "" and view(s)["hand_1"] == "AC joker2"


@pytest.mark.rule("MAG-04")
def test_with_deck_and_abyss_empty_a_draw_does_nothing():
    s = bare("joker1 2D", "joker2 AC", deck="", phase="second")
    change(s, "done")
    assert events(s) == [
        event(E_DONE, 0, SECOND),
        event(E_TURN, 1, int(s.mine)),
        event(E_DRAW, 1, 0, 0),
    ]
    assert view(s)["hand_1"] == "AC joker2"


@pytest.mark.rule("MAG-04")
def test_an_abyss_that_was_empty_is_shuffled_in_when_next_a_card_is_drawn():
    # The deck has run out before; two cards have come to the Abyss since.
    s = bare("joker1 2D", "joker2", deck="", abyss="AC 3D", phase="second")
    act(
        s,
        "discard 2D into the vault",
        hand_0="-2D",
        abyss="+2D",
        vault=[2, 0],
        diamond_used=True,
        events=[(9, -1, 0, cards("2D")[0], 0, 0)],
    )
    change(s, "done")
    drawn = cards(view(s)["hand_1"])
    found = events(s)
    assert found[2] == event(E_SHUFFLE, -1, 3, 0) and found[4] == event(E_DRAW, 1, 1, 2)
    assert found[3][:3] == gets(1)[:3] and found[3][3] in drawn and len(drawn) == 2
    assert sorted(cards(f"{at(s, DECK)} {view(s)['hand_1']}")) == sorted(cards("AC 2D 3D joker2"))


@pytest.mark.rule("MAG-04", "MAG-10")
def test_a_diamond_given_to_draw_may_come_back():
    # Deck and Abyss are empty but for the diamond itself.
    s = bare("2D", "joker2 joker1 AC", deck="")
    act(
        s,
        "draw with 2D",
        hand_0="2D",
        diamond_used=True,
        events=[
            event(E_DIAMOND_DRAW, 0, "2D"),
            event(E_SHUFFLE, -1, 1, 0),
            gets(0, "2D"),
            event(E_DRAW, 0, 1, 0),
        ],
    )


@pytest.mark.rule("MAG-04")
def test_a_new_deck_is_shuffled():
    """Any card of the Abyss may come next, the diamond that was given to draw as well."""
    s = scene(["AD", ""], deck="", abyss="AH KD joker1")
    assert set(drawn_with_the_ace(s, 600)) == set(NAMES)


# The beginning of a turn.


@pytest.mark.rule("MAG-05", "MAG-06", "MAG-08")
def test_the_beginning_of_a_turn():
    s = scene(
        ["", "", ""],
        courts=["KH+4H tipped damage 3", "QS tipped damage 1, JD+4S", "KC tipped, QD damage 1"],
        mine="2D 9D",
        vault=[7, 5, 3],
        phase="second",
        diamond_used=True,
    )
    act(
        s,
        "done",
        phase="first",
        to_move=1,
        active=1,
        turn=3,
        diamond_used=False,
        vault=[0, 11, 3],  # what is left of it goes; the Mine's 11 come instead of the 5
        court_0="KH+4H 3/7 tipped",
        court_1="QS 2/2, JD+4S 5/5",
        court_2="KC 3/3 tipped, QD 2/2",
        events=[
            event(E_DONE, 0, SECOND),
            event(E_TURN, 1, 11),
            gets(1),
            event(E_DRAW, 1, 1, s.deck_size - 1),
        ],
    )


@pytest.mark.rule("MAG-19", "MAG-20")
def test_a_royal_may_attack_in_its_owners_next_turn():
    s = scene(["KH", "", ""], vault=3)
    change(s, "play KH")
    change(s, "done")
    assert view(s)["court_0"] == "KH 3/3 fresh"
    change(s, "done")
    assert view(s)["court_0"] == "KH 3/3"
    for _ in range(2):
        change(s, "done")
        change(s, "done")
    change(s, "done")
    assert (s.seat, s.phase) == (0, ATTACK)
    assert legal(s) == {"attack player_1 with KH", "attack player_2 with KH", "done"}


@pytest.mark.rule("MAG-06")
@pytest.mark.parametrize("count", [2, 3, 6])
def test_only_the_starting_player_does_not_draw_and_only_in_the_first_turn(count):
    s = begun(1, count)
    for turn in range(2 * count + 1):
        p = int(s.seat)
        assert p == (s.starter + turn) % count
        drew = [e[:4] for e in events(s) if e[0] == E_DRAW and e[3] == 1]
        assert drew == [(E_DRAW, -1, p, 1)] * (turn > 0)
        for _ in range(2):
            GAME.step(s, A_DONE)
        if s.phase == DISCARD:
            GAME.step(s, legal_ids(s)[0])


# Phases.


@pytest.mark.rule("MAG-07")
def test_play_phases_are_asked_also_of_those_who_can_play_nothing():
    s = scene(["", ""])
    assert legal(s) == {"done"}
    act(s, "done", phase="second", events=[event(E_DONE, 0, FIRST)])
    assert legal(s) == {"done"}
    change(s, "done")
    assert (s.seat, s.phase) == (1, FIRST)


@pytest.mark.rule("MAG-07", "MAG-20")
def test_an_attack_phase_is_asked_if_a_royal_may_attack():
    s = scene(["KD AH", ""], courts=["JH", ""], vault=3)
    act(s, "done", phase="attack", events=[event(E_DONE, 0, FIRST)])
    assert legal(s) == {"attack player_1 with JH", "done"}  # and no card may be played
    act(s, "done", phase="second", events=[event(E_DONE, 0, ATTACK)])
    assert legal(s) == {
        "play KD",
        "put AH on JH",
        "heal player_0 with AH",
        "heal player_1 with AH",
        "done",
    }


@pytest.mark.rule("MAG-07", "MAG-20")
def test_an_attack_phase_ends_by_itself_when_no_royal_may_attack():
    s = scene(["", ""], courts=["JH, KD fresh, QC tipped", "JS tipped"], phase="attack")
    act(
        s,
        "attack player_1 with JH",
        phase="second",
        life=[30, 29],
        court_0="JH 1/1 tipped, QC 2/2 tipped, KD 3/3 fresh",
        events=[event(E_ATTACK, 0, "JH", 1), event(E_HIT, 1, "JH", 1, 29)],
    )


@pytest.mark.rule("MAG-07", "MAG-20")
@pytest.mark.parametrize("court", ["", "KH fresh", "KH tipped"])
def test_an_attack_phase_is_over_at_once_without_a_royal_that_may_attack(court):
    s = scene(["", ""], courts=[court, "QD"])
    act(s, "done", phase="second", events=[event(E_DONE, 0, FIRST)])


@pytest.mark.rule("MAG-07")
def test_the_second_play_phase_takes_what_the_first_left_in_the_vault():
    s = scene(["QH 2H", ""], vault=5)
    change(s, "play QH")
    change(s, "done")
    assert s.vault[0] == 3 and "put 2H on QH" in legal(s)


# The end of a turn.


@pytest.mark.rule("MAG-08")
def test_a_hand_of_seven_ends_the_turn_without_a_discard():
    s = scene(["AH 2H 3H 4H 5H 6H 7H", ""], phase="second")
    change(s, "done")
    assert s.seat == 1 and view(s)["hand_0"] == "AH 2H 3H 4H 5H 6H 7H"


@pytest.mark.rule("MAG-08", "ALL-01")
def test_a_player_with_eight_discards_one_of_its_choice():
    s = scene(
        ["AH 10S 3C 4D KD joker1", ""],
        known=["QS joker2", ""],
        phase="second",
        vault=3,
        mine="2D",
    )
    act(s, "done", phase="discard", events=[event(E_DONE, 0, SECOND)])
    held = ["AH", "10S", "3C", "4D", "KD", "QS", "joker 1", "joker 2"]
    assert legal(s) == {f"discard {name} from the hand" for name in held}
    after = s.copy()
    change(after, "discard QS from the hand")
    assert view(after)["known_0"] == "joker2"
    act(
        s,
        "discard 4D from the hand",
        hand_0="-4D",
        abyss="+4D",
        phase="first",
        to_move=1,
        active=1,
        turn=3,
        vault=[0, 2],
        events=[
            event(E_DISCARD, 0, "4D"),
            event(E_TURN, 1, 2),
            gets(1),
            event(E_DRAW, 1, 1, s.deck_size - 1),
        ],
    )


@pytest.mark.rule("MAG-08")
def test_the_discard_goes_before_the_next_player_draws():
    # The last card of the deck: the discarded one is part of the new deck.
    s = scene(["AH 2H 3H 4H 5H 6H 7H 8H", ""], phase="discard", deck="KH", active=0)
    change(s, "discard 8H from the hand")
    assert "8H" in view(s)["deck"] and view(s)["hand_1"] == "KH" and view(s)["abyss"] == ""


@pytest.mark.rule("MAG-08")
def test_a_hand_never_passes_eight():
    hand = "AH 2H 3H 4H 5H 6H 4S 4D"
    s = scene([hand, ""], vault=10, abyss="2C")
    change(s, "draw with 4D")
    assert s.hand_size[0] == 8
    change(s, "return with 4S")
    change(s, "take 2C")
    assert s.hand_size[0] == 8
    for count in (2, 6):
        largest = 0
        for seed in range(6):
            rng = np.random.default_rng(seed)
            s = begun(seed, count)
            while s.over == RUNNING:
                GAME.step(s, int(rng.choice(legal_ids(s))))
                largest = max(largest, s.hand_size.max())
        assert largest == 8


@pytest.mark.rule("MAG-08")
def test_the_vault_of_the_player_whose_turn_ends_becomes_nothing():
    s = scene(["9D", "", ""], phase="second", mine="2D", vault=[2, 1, 1])
    change(s, "discard 9D into the vault")
    assert s.vault[0] == 11
    change(s, "done")
    assert s.vault[:3].tolist() == [0, 2, 1]


def test_turns_pass_over_players_who_are_out():
    s = scene(["", "", "", ""], phase="second", active=1, out=(2, 0))
    change(s, "done")
    assert (s.seat, s.active, s.turn) == (3, 3, 3)
    change(s, "done")
    change(s, "done")
    assert s.seat == 1


def test_a_card_taken_is_told_to_all():
    s = scene(["3S", ""], abyss="AC", vault=3)
    change(s, "return with 3S")
    changed = change(s, "take AC")
    assert changed["events"] == [event(E_TAKE, 0, "AC")]
