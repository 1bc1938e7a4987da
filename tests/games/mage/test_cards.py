"""Playing cards: what each costs, may be aimed at and does."""

import pytest

from mages_env.games.mage.state import (
    E_ATTACH,
    E_CANCEL,
    E_CASH,
    E_DAMAGE,
    E_DIAMOND_DRAW,
    E_DONE,
    E_DRAW,
    E_DROP,
    E_FALL,
    E_HEAL,
    E_JOKER,
    E_RETURN,
    E_ROYAL,
    E_SHUFFLE,
    E_TAKE,
)

from .scene import NAMES, act, change, event, gets, legal, scene, value, view

VALUES = {  # MAG-01
    **dict.fromkeys(["AH", "AS", "AC", "AD", "JH", "JS", "JC", "JD"], 1),
    **dict.fromkeys(["2H", "2S", "2C", "2D", "QH", "QS", "QC", "QD"], 2),
    **dict.fromkeys(["3H", "3S", "3C", "3D", "KH", "KS", "KC", "KD"], 3),
    **{f"{number}{suit}": number for number in range(4, 11) for suit in "HSCD"},
    **dict.fromkeys(["joker1", "joker2"], 10),
}


def test_there_are_54_cards():
    assert sorted(VALUES) == sorted(NAMES) and len(VALUES) == 54
    assert {name: value(card) for card, name in enumerate(NAMES)} == VALUES


@pytest.mark.rule("MAG-01", "MAG-02")
@pytest.mark.parametrize("card", [name for name in NAMES if name[-1] != "D"])
def test_a_card_can_be_played_when_the_vault_holds_its_value(card):
    royal = "QS" if card != "QS" else "QH"
    assert legal(scene([card, ""], courts=["", royal], vault=VALUES[card] - 1)) == {"done"}
    s = scene([card, ""], courts=["", royal], vault=VALUES[card])
    plays = legal(s) - {"done"}
    assert plays
    for play in plays:
        after = s.copy()
        change(after, play)
        assert after.vault[0] == 0


@pytest.mark.rule("MAG-01", "MAG-02")
@pytest.mark.parametrize("card", ["JD", "QD", "KD"])
def test_royals_of_diamonds_are_royals(card):
    assert legal(scene([card, ""], vault=VALUES[card] - 1)) == {"done"}
    assert legal(scene([card, ""], vault=VALUES[card])) == {f"play {card}", "done"}


@pytest.mark.rule("MAG-02")
@pytest.mark.parametrize("number", range(1, 11))
def test_diamonds_cost_nothing(number):
    card = f"{'A' if number == 1 else number}D"
    s = scene([f"{card} AC", ""])
    assert legal(s) == {
        f"drop {card}",
        f"draw with {card}",
        f"discard {card} into the vault",
        "done",
    }
    change(s, f"discard {card} into the vault")
    assert s.vault[0] == number == VALUES[card]


@pytest.mark.rule("MAG-02", "MAG-07")
def test_any_number_of_cards_while_the_vault_pays():
    s = scene(["JH QS KC 4H", ""], vault=9)
    for card, left in (("KC", 6), ("JH", 5), ("QS", 3)):
        act(
            s,
            f"play {card}",
            hand_0=f"-{card}",
            vault=[left, 0],
            court_0=court_with(view(s)["court_0"], card),
            events=[event(E_ROYAL, 0, card)],
        )
    assert legal(s) == {"done"}  # 3 in the vault, 4 needed


def court_with(court, royal):
    stats = f"{VALUES[royal]}/{VALUES[royal]}"
    royals = [*filter(None, court.split(", ")), f"{royal} {stats} fresh"]
    return ", ".join(sorted(royals, key=lambda text: NAMES.index(text.split()[0].split("+")[0])))


# Diamonds.


@pytest.mark.rule("MAG-09")
def test_dropping_a_diamond_pays_every_player():
    # Seat 2 is out.
    s = scene(["5D 9D", "", "", ""], mine="2D", vault=[2, 3, 0, 1], out=(2,))
    act(
        s,
        "drop 5D",
        hand_0="-5D",
        mine="+5D",
        mine_value=7,
        vault=[7, 8, 0, 6],
        diamond_used=True,
        events=[event(E_DROP, 0, "5D")],
    )
    assert legal(s) == {"done"}  # one diamond a turn


@pytest.mark.rule("MAG-10", "MAG-04")
def test_giving_a_diamond_to_draw():
    s = scene(["5D 9D", ""], vault=1)
    act(
        s,
        "draw with 9D",
        hand_0="-9D",
        abyss="+9D",
        diamond_used=True,
        events=[event(E_DIAMOND_DRAW, 0, "9D"), gets(0), event(E_DRAW, 0, 1, s.deck_size - 1)],
    )
    assert not any("5D" in action for action in legal(s))


@pytest.mark.rule("MAG-10", "MAG-04")
def test_the_diamond_is_in_the_abyss_before_the_card_is_drawn():
    # The last card of the deck is drawn: what was in the Abyss, and the diamond, is the new deck.
    s = scene(["9D", ""], deck="KH")
    abyss = view(s)["abyss"]
    act(
        s,
        "draw with 9D",
        hand_0="KH",
        deck=" ".join(sorted(f"{abyss} 9D".split(), key=NAMES.index)),
        abyss="",
        diamond_used=True,
        rng=True,
        events=[
            event(E_DIAMOND_DRAW, 0, "9D"),
            gets(0, "KH"),
            event(E_DRAW, 0, 1, 0),
            event(E_SHUFFLE, -1, 52 + 1, 0),
        ],
    )


@pytest.mark.rule("MAG-11")
def test_discarding_a_diamond_for_its_value():
    s = scene(["5D 9D", "", ""], vault=[1, 4, 0])
    act(
        s,
        "discard 9D into the vault",
        hand_0="-9D",
        abyss="+9D",
        vault=[10, 4, 0],
        diamond_used=True,
        events=[event(E_CASH, 0, "9D")],
    )


@pytest.mark.rule("MAG-09", "MAG-10", "MAG-11")
def test_one_diamond_a_turn_in_either_play_phase():
    s = scene(["5D 6D", ""], phase="second")
    assert legal(s) == {
        *("drop 5D", "draw with 5D", "discard 5D into the vault"),
        *("drop 6D", "draw with 6D", "discard 6D into the vault"),
        "done",
    }
    s = scene(["5D 6D", ""])
    change(s, "drop 5D")
    change(s, "done")
    assert s.phase == 3 and legal(s) == {"done"}
    for used in ("draw with 5D", "discard 5D into the vault"):
        s = scene(["5D 6D", ""])
        change(s, used)
        assert not any("6D" in action for action in legal(s))


@pytest.mark.rule("MAG-09")
def test_the_next_player_may_play_a_diamond_again():
    s = scene(["", "5D"], phase="second", diamond_used=True)
    change(s, "done")
    assert s.seat == 1 and {"drop 5D", "draw with 5D"} < legal(s)


# Hearts, spades, clubs.


def board(hand, **also):
    """Seat 1 of 3 to act; royals in every court."""
    return scene(
        ["", hand, ""],
        courts=["KH+3S", "QD tipped", "JS"],
        active=1,
        vault=also.pop("vault", 10),
        life=[20, 30, 10],
        abyss=also.pop("abyss", ""),
        **also,
    )


@pytest.mark.rule("MAG-12", "MAG-15")
def test_where_a_heart_may_go():
    assert legal(board("4H")) == {
        *("put 4H on KH", "put 4H on QD", "put 4H on JS"),
        *(f"heal player_{p} with 4H" for p in range(3)),
        "done",
    }


@pytest.mark.rule("MAG-12")
def test_a_heart_on_a_royal():
    s = board("4H")
    act(
        s,
        "put 4H on QD",
        hand_1="",
        court_1="QD+4H 2/6 tipped",
        vault=[0, 6, 0],
        events=[event(E_ATTACH, 1, "4H", "QD")],
    )


@pytest.mark.rule("MAG-12")
@pytest.mark.parametrize(
    ("seat", "life"), [(0, [29, 30, 10]), (1, [20, 39, 10]), (2, [20, 30, 19])]
)
def test_a_heart_on_a_player(seat, life):
    s = board("9H")
    act(
        s,
        f"heal player_{seat} with 9H",
        hand_1="",
        abyss="+9H",
        life=life,
        vault=[0, 1, 0],
        events=[event(E_HEAL, 1, "9H", seat, life[seat])],
    )


@pytest.mark.rule("MAG-12")
def test_life_has_no_upper_limit():
    s = scene(["10H", ""], life=[500, 30], vault=10)
    change(s, "heal player_0 with 10H")
    assert s.life[0] == 510


@pytest.mark.rule("MAG-13", "MAG-15")
def test_where_a_spade_may_go():
    assert legal(board("4S")) == {"put 4S on KH", "put 4S on QD", "put 4S on JS", "done"}
    assert legal(board("4S", abyss="4C")) == legal(board("4S")) | {"return with 4S"}


@pytest.mark.rule("MAG-13")
def test_a_spade_on_a_royal():
    s = board("4S")
    act(
        s,
        "put 4S on KH",
        hand_1="",
        court_0="KH+3S+4S 10/10",
        vault=[0, 6, 0],
        events=[event(E_ATTACH, 1, "4S", "KH")],
    )


@pytest.mark.rule("MAG-13")
@pytest.mark.parametrize(
    ("abyss", "offered"),
    [
        ("", False),
        ("5H 6D joker1", False),
        ("4C", True),
        ("KD", True),
        ("4D joker2", True),
    ],
)
def test_returning_needs_a_card_of_at_most_the_value_of_the_spade(abyss, offered):
    # 4S would itself be such a card, and does not count.
    assert ("return with 4S" in legal(board("4S", abyss=abyss))) == offered


@pytest.mark.rule("MAG-13")
def test_returning_a_card_is_two_actions():
    s = board("4S 2H", abyss="3H AS KC QH 5S joker1")
    act(
        s,
        "return with 4S",
        hand_1="-4S",
        abyss="+4S",
        spade="4S",
        vault=[0, 6, 0],
        events=[event(E_RETURN, 1, "4S")],
    )
    # Not the spade itself, nothing above 4; and no other thing to do first.
    assert legal(s) == {"take 3H", "take AS", "take KC", "take QH"}
    act(s, "take KC", known_1="KC", abyss="-KC", spade="", events=[event(E_TAKE, 1, "KC")])
    # The whole of the 4 was paid for a card worth 3.
    assert s.vault[1] == 6 and "play KC" in legal(s) and "heal player_0 with 2H" in legal(s)


@pytest.mark.rule("MAG-13", "MAG-01")
@pytest.mark.parametrize(
    ("spade", "offered"),
    [
        ("10S", "10C 9D 10D joker1 joker2 QH"),
        ("9S", "9D QH"),
        ("2S", "QH"),
    ],
)
def test_values_of_the_cards_returned(spade, offered):
    s = board(spade, abyss="10C 9D 10D joker1 joker2 QH")
    change(s, f"return with {spade}")
    names = {card.replace("joker", "joker ") for card in offered.split()}
    assert legal(s) == {f"take {name}" for name in names}


@pytest.mark.rule("MAG-13", "MAG-07")
def test_cards_returned_may_be_played_at_once_a_spade_too():
    s = scene(["5S", ""], abyss="4S AS", vault=10, phase="second")
    change(s, "return with 5S")
    change(s, "take 4S")
    change(s, "return with 4S")
    assert legal(s) == {"take AS"}  # 5S is worth more
    change(s, "take AS")
    assert s.vault[0] == 1 and view(s)["known_0"] == "AS" and s.phase == 3


@pytest.mark.rule("MAG-13", "MAG-09")
def test_a_diamond_returned_after_the_diamond_of_the_turn_stays_in_the_hand():
    s = scene(["5S", ""], abyss="3D", vault=10, diamond_used=True)
    change(s, "return with 5S")
    change(s, "take 3D")
    assert legal(s) == {"done"}


@pytest.mark.rule("MAG-14", "MAG-15")
def test_where_a_club_may_go():
    assert legal(board("4C")) == {
        *("put 4C on KH", "put 4C on QD", "put 4C on JS"),
        *(f"damage player_{p} with 4C" for p in range(3)),
        "done",
    }


@pytest.mark.rule("MAG-14")
def test_a_club_on_a_royal():
    s = board("4C")
    act(
        s,
        "put 4C on KH",
        hand_1="",
        court_0="KH+3S+4C 2/2",
        vault=[0, 6, 0],
        events=[event(E_ATTACH, 1, "4C", "KH")],
    )


@pytest.mark.rule("MAG-14")
def test_attack_below_zero_is_kept():
    s = scene(["3C 2S", ""], courts=["", "JH+5H"], vault=10)
    act(
        s,
        "put 3C on JH",
        hand_0="-3C",
        court_1="JH+5H+3C -2/3",
        vault=[7, 0],
        events=[event(E_ATTACH, 0, "3C", "JH")],
    )
    # 1 - 3 + 2 = 0
    act(
        s,
        "put 2S on JH",
        hand_0="",
        court_1="JH+5H+2S+3C 0/5",
        vault=[5, 0],
        events=[event(E_ATTACH, 0, "2S", "JH")],
    )


@pytest.mark.rule("MAG-14")
@pytest.mark.parametrize(("seat", "life"), [(0, [11, 30, 10]), (1, [20, 21, 10]), (2, [20, 30, 1])])
def test_a_club_on_a_player(seat, life):
    s = board("9C")
    act(
        s,
        f"damage player_{seat} with 9C",
        hand_1="",
        abyss="+9C",
        life=life,
        vault=[0, 1, 0],
        events=[event(E_DAMAGE, 1, "9C", seat, life[seat])],
    )


@pytest.mark.rule("MAG-15")
def test_players_who_are_out_are_no_targets():
    s = scene(["4H 4C KD", "", ""], vault=20, out=(1,))
    assert legal(s) == {
        *("heal player_0 with 4H", "heal player_2 with 4H"),
        *("damage player_0 with 4C", "damage player_2 with 4C"),
        *("play KD", "done"),
    }


@pytest.mark.rule("MAG-15", "MAG-17")
def test_without_royals_there_is_nothing_to_attach_to_or_destroy():
    assert legal(scene(["4S joker1", ""], vault=20)) == {"done"}


# Clubs and spades of one value.


@pytest.mark.rule("MAG-16")
@pytest.mark.parametrize(
    ("court", "card", "gone", "left"),
    [
        ("KH+5S", "5C", "5S 5C", "KH 3/3"),
        ("KH+2C", "2S", "2S 2C", "KH 3/3"),
        ("KH+2H+2S+4S", "6C", "2S 4S 6C", "KH+2H 3/5"),
        ("KH+10H+AC+9C tipped", "10S", "10S AC 9C", "KH+10H 3/13 tipped"),
        ("KH+3S+4S+2C", "5C", "3S 4S 2C 5C", "KH 3/3"),
    ],
)
def test_clubs_and_spades_of_equal_total_cancel_out(court, card, gone, left):
    s = scene([card, ""], courts=["", court], vault=10, abyss="")
    act(
        s,
        f"put {card} on KH",
        hand_0="",
        abyss=" ".join(f"+{name}" for name in gone.split()),
        court_1=left,
        vault=[10 - VALUES[card], 0],
        events=[event(E_ATTACH, 0, card, "KH"), event(E_CANCEL, -1, "KH")],
    )


@pytest.mark.rule("MAG-16")
def test_totals_count_and_on_one_royal_only():
    s = scene(["5C 5H", ""], courts=["QH+5S+2S", "KD+6S"], vault=10)
    act(
        s,
        "put 5C on QH",  # 5 against 7, though there is a 5
        hand_0="-5C",
        court_0="QH+2S+5S+5C 4/4",
        vault=[5, 0],
        events=[event(E_ATTACH, 0, "5C", "QH")],
    )
    act(
        s,
        "put 5H on QH",  # hearts cancel nothing
        hand_0="",
        court_0="QH+5H+2S+5S+5C 4/9",
        vault=[0, 0],
        events=[event(E_ATTACH, 0, "5H", "QH")],
    )


@pytest.mark.rule("MAG-16", "MAG-18")
def test_cancelling_comes_before_the_check_of_health():
    # QH 2/2 with 4S is 6/6; without both it is 2/2 again, less than a damage of 3.
    s = scene(["4C", ""], courts=["", "QH+4S damage 3"], vault=10, phase="second", abyss="")
    act(
        s,
        "put 4C on QH",
        hand_0="",
        abyss="+4C +4S +QH",
        court_1="",
        vault=[6, 0],
        events=[event(E_ATTACH, 0, "4C", "QH"), event(E_CANCEL, -1, "QH"), event(E_FALL, 1, "QH")],
    )
    s = scene(["4C", ""], courts=["", "QH+4S damage 1"], vault=10, phase="second", abyss="")
    act(
        s,
        "put 4C on QH",
        hand_0="",
        abyss="+4C +4S",
        court_1="QH 2/2 damage 1",
        vault=[6, 0],
        events=[event(E_ATTACH, 0, "4C", "QH"), event(E_CANCEL, -1, "QH")],
    )


@pytest.mark.rule("MAG-16")
def test_a_cancelled_card_may_be_returned():
    s = scene(["4C 5S", ""], courts=["", "QH+4S"], vault=10, abyss="")
    change(s, "put 4C on QH")
    change(s, "return with 5S")
    assert legal(s) == {"take 4C", "take 4S"}


# Jokers.


@pytest.mark.rule("MAG-17", "MAG-15")
@pytest.mark.parametrize("joker", ["joker1", "joker2"])
def test_a_joker_destroys_a_royal(joker):
    s = board(joker)
    assert legal(s) == {"put joker on KH", "put joker on QD", "put joker on JS", "done"}
    act(
        s,
        "put joker on KH",
        hand_1="",
        court_0="",
        abyss=f"+{joker} +KH +3S",
        vault=[0, 0, 0],
        events=[event(E_JOKER, 1, joker, "KH"), event(E_FALL, 0, "KH")],
    )


@pytest.mark.rule("MAG-17")
def test_a_joker_may_destroy_an_own_royal():
    s = board("joker1")
    change(s, "put joker on QD")
    assert view(s)["court_1"] == ""


@pytest.mark.rule("MAG-17")
def test_of_two_jokers_the_one_that_all_know_of_is_played():
    for hidden, shown in (("joker1", "joker2"), ("joker2", "joker1")):
        s = scene([hidden, ""], known=[shown, ""], courts=["", "KH"], vault=10)
        change(s, "put joker on KH")
        assert (view(s)["hand_0"], view(s)["known_0"]) == (hidden, "")


# Health.


@pytest.mark.rule("MAG-18")
@pytest.mark.parametrize("card", ["2C", "9C"])
def test_a_royal_without_health_falls_with_everything_attached(card):
    s = scene([card, ""], courts=["JC", "JH+5H+4C"], vault=10, abyss="AD")
    act(
        s,
        f"put {card} on JH",
        hand_0="",
        court_1="",
        abyss=f"+JH +5H +4C +{card}",
        vault=[10 - VALUES[card], 0],
        events=[event(E_ATTACH, 0, card, "JH"), event(E_FALL, 1, "JH")],
    )


@pytest.mark.rule("MAG-18")
def test_damage_of_the_turn_counts_against_health():
    def damaged(hand):
        return scene([hand, ""], courts=["", "KH+4S damage 6"], vault=10, phase="second", abyss="")

    s = damaged("AC")  # 6 health, 6 damage
    change(s, "put AC on KH")
    assert view(s)["court_1"] == "" and view(s)["abyss"] == "4S AC KH"
    s = damaged("AH AC")  # 7, 6
    change(s, "put AH on KH")
    change(s, "put AC on KH")
    assert view(s)["court_1"] == "KH+AH+4S+AC 6/7 damage 6"


@pytest.mark.rule("MAG-18")
def test_an_own_royal_may_be_cursed_to_death():
    s = scene(["5C", ""], courts=["KH", ""], vault=5, abyss="")
    change(s, "put 5C on KH")
    assert view(s)["court_0"] == "" and view(s)["abyss"] == "5C KH"


@pytest.mark.rule("MAG-18", "MAG-19")
def test_a_royal_may_fall_in_the_turn_it_is_played():
    s = scene(["QH 2C", ""], vault=4, abyss="")
    change(s, "play QH")
    change(s, "put 2C on QH")
    assert view(s)["court_0"] == "" and view(s)["abyss"] == "2C QH"


# Royals.


@pytest.mark.rule("MAG-19")
@pytest.mark.parametrize("card", [f"{rank}{suit}" for suit in "HSCD" for rank in "JQK"])
def test_playing_a_royal(card):
    points = VALUES[card]
    s = scene([card, ""], vault=5)
    act(
        s,
        f"play {card}",
        hand_0="",
        court_0=f"{card} {points}/{points} fresh",
        vault=[5 - points, 0],
        events=[event(E_ROYAL, 0, card)],
    )
    # It may not attack: the attack phase is over at once.
    act(s, "done", phase="second", events=[event(E_DONE, 0, 0)])


@pytest.mark.rule("MAG-19")
def test_a_royal_may_be_armed_in_the_turn_it_is_played():
    s = scene(["QH 3S", ""], vault=5)
    change(s, "play QH")
    change(s, "put 3S on QH")
    assert view(s)["court_0"] == "QH+3S 5/5 fresh"


@pytest.mark.rule("MAG-19")
def test_a_royal_comes_back_from_the_abyss_like_new():
    # It attacked, was armed and damaged, and is destroyed, returned and played again in one turn.
    s = scene(
        ["joker1 3S", ""],
        courts=["KH+AH+5S tipped damage 4", "QD"],
        phase="second",
        vault=16,
        abyss="",
    )
    change(s, "put joker on KH")
    change(s, "return with 3S")
    change(s, "take KH")
    act(
        s,
        "play KH",
        known_0="",
        court_0="KH 3/3 fresh",
        vault=[0, 0],
        events=[event(E_ROYAL, 0, "KH")],
    )
