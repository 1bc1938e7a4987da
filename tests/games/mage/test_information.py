"""What a seat knows, and what is redrawn when a state is determinised for it."""

import numpy as np
import pytest

from mages_env.engine import ALL, RUNNING
from mages_env.games.mage import GAME
from mages_env.games.mage.state import (
    A_CASH,
    A_DAMAGE,
    A_DONE,
    A_DRAW,
    A_DROP,
    A_HAND_DISCARD,
    A_RETURN,
    A_ROYAL,
    A_TAKE,
    ATTACHED,
    COURT,
    DECK,
    E_DRAW,
    HAND,
    KIND,
    ROYAL,
    ROYALS,
)

from .scene import NAMES, at, cards, change, event, gets, legal_ids, scene, view, words
from .worlds import Worlds, hidden


def determinized(s, seat, seed):
    redrawn = s.copy()
    GAME.determinize(redrawn, seat, np.uint64(seed))
    return redrawn


def random_states(every=9, counts=(2, 3, 6)):
    """States of whole games, with what was drawn still in the events."""
    rng = np.random.default_rng(9)
    for count in counts:
        s = GAME.new_state(count)[0]
        GAME.reset(s, np.uint64(count))
        for step in range(10_000):
            if step % every == 0:
                yield s
            GAME.step(s, int(rng.choice(legal_ids(s))))
            if s.over != RUNNING:
                yield s
                break


# What stays and what goes.


def test_determinising_changes_only_what_is_hidden():
    varied = 0
    for s in random_states():
        for seat in range(s.num_players):
            other = determinized(s, seat, 5)
            before, after = view(s), view(other)
            for name in ("rng", "deck", "face_down", *(f"hand_{p}" for p in range(s.num_players))):
                if name != f"hand_{seat}":
                    assert name == "rng" or len(before[name].split()) == len(after[name].split())
                    varied += before[name] != after[name]
                    del before[name], after[name]
            before["events"] = [e for e in before["events"] if e[1] in (ALL, seat)]
            assert after == before
            assert legal_ids(other) == legal_ids(s) or s.seat != seat
    assert varied > 1000


def looks(s, seat):
    """All that ``seat`` is shown."""
    shown = []
    for encoder in GAME.encoders.values():
        out = np.full(encoder.layout.size, np.nan, np.float32)
        encoder.function(s, seat, out)
        shown.append(out.tobytes())
    mask = legal_ids(s) if s.seat == seat else None
    return [*shown, mask, GAME.to_text(s, seat), GAME.to_json(s, seat)]


def test_what_a_seat_is_shown_depends_on_nothing_that_it_cannot_know():
    rng = np.random.default_rng(3)
    for s in random_states(every=40):
        for seat in range(s.num_players):
            other = determinized(s, seat, rng.integers(2**32))
            assert looks(other, seat) == looks(s, seat)
            assert GAME.to_text(other, None) == GAME.to_text(s, None)
            assert GAME.to_json(other, None) == GAME.to_json(s, None)


def test_determinising_leaves_no_trace_of_what_was_hidden():
    """Two states that a seat cannot tell apart become the same bytes."""
    rng = np.random.default_rng(0)
    for s in random_states():
        for seat in range(s.num_players):
            other = determinized(s, seat, 77)
            unused = other.events[other.num_events :]
            unused[:] = rng.integers(15, size=unused.shape)
            assert determinized(other, seat, 5).tobytes() == determinized(s, seat, 5).tobytes()


@pytest.mark.rule("ALL-02")
def test_determinising_reseeds_chance():
    s = scene(["AH", "2H"])
    streams = {int(determinized(s, 0, seed).rng) for seed in range(20)}
    assert len(streams) == 20 and int(s.rng) not in streams


def test_only_its_player_hears_of_a_card_drawn():
    s = scene(["AD", "3H"], deck="KH AH")
    change(s, "draw with AD")
    drawn = at(s, HAND)
    assert gets(0, drawn) in view(determinized(s, 0, 1))["events"]
    heard = view(determinized(s, 1, 1))["events"]
    assert len(heard) == 2 and heard[1] == event(E_DRAW, 0, 1, 1)
    assert f"player_0 gets {drawn}" in GAME.to_json(s, 0)["events"]
    for seat in (1, None):
        assert not any("gets" in line for line in GAME.to_json(s, seat)["events"])


# What can be known of hands.


@pytest.mark.rule("MAG-13")
def test_a_card_taken_is_known_as_long_as_it_is_in_that_hand():
    s = scene(["5S AH 4H", "", ""], abyss="KD", vault=20)
    change(s, "return with 5S")
    change(s, "take KD")
    for seat in (1, 2):
        assert {at(determinized(s, seat, seed), HAND + 6) for seed in range(20)} == {"KD"}
        assert "(KD known)" in GAME.to_text(s, seat)
    change(s, "play KD")
    assert "known" not in GAME.to_text(s, 1) and view(s)["known_0"] == ""


@pytest.mark.rule("MAG-04")
def test_when_the_deck_has_run_out_its_cards_are_in_hands():
    # Seat 1 knows: 9D went back into the deck, KH and 2H and 3H are in the other hands.
    s = scene(["9D 2H", "4H", "3H"], deck="KH", abyss="AC 2C")
    change(s, "draw with 9D")
    assert set(cards(at(s, DECK))) > set(cards("9D AC 2C"))
    for seed in range(50):
        s2 = determinized(s, 1, seed)
        held = cards(f"{at(s2, HAND)} {at(s2, HAND + 2)}")
        assert sorted(held) == cards("2H 3H KH") and len(cards(at(s2, HAND))) == 2
    assert GAME.to_text(s, 1).endswith("In other hands, surely: 2H 3H KH")
    assert GAME.to_text(s, None).endswith("In hands, surely: 2H 3H 4H KH")


def small(hands, deck, abyss="", **also):
    """Few cards unseen: those not named are in play, the jokers apart, which are in the Abyss."""
    named = set(" ".join([*hands, deck, abyss]).split())
    rest = {suit: [name for name in NAMES[:40] if name[-1] == suit] for suit in "HSCD"}
    rest = {suit: [name for name in names if name not in named] for suit, names in rest.items()}
    royals = [name for name in NAMES[ROYAL : ROYAL + ROYALS] if name not in {*named, "KH", "KS"}]
    courts = [
        "+".join(["KH", *rest["H"]]) + " tipped",
        ", ".join(
            f"{royal} tipped" for royal in ["+".join(["KS", *rest["S"], *rest["C"]]), *royals]
        ),
    ]
    courts += [""] * (len(hands) - 2)
    return scene(hands, deck=deck, abyss=abyss, courts=courts, mine=" ".join(rest["D"]), **also)


PLAYED = (A_ROYAL, A_DROP, A_DRAW, A_CASH, A_RETURN, A_TAKE, A_DONE, A_HAND_DISCARD)


def watched(s, seed, steps, kinds):
    """Random actions of some kinds; after each, the state and what every seat in thinks of it."""
    rng = np.random.default_rng(seed)
    minds = [Worlds(s, seat) for seat in range(s.num_players)]
    for _ in range(steps):
        actions = [a for a in legal_ids(s) if int(KIND[a]) in kinds] or legal_ids(s)
        GAME.step(s, int(rng.choice(actions)))
        if s.over != RUNNING:
            return
        for mind in minds:
            if not s.terminated[mind.seat]:
                mind.see(s)
                yield mind


def redrawn(s, seat, times):
    found = {}
    for seed in range(times):
        deal = hidden(determinized(s, seat, seed), seat)
        found[deal] = found.get(deal, 0) + 1
    return found


POSITIONS = [
    (["2D 5S", "3D JC"], "4D JD", "3C"),
    (["2D 5S JS", "3D JC QC"], "4D", "3C"),
    (["2D 5S", "3D", "QD"], "4D", "3C"),
]


@pytest.mark.rule("MAG-04", "MAG-13")
@pytest.mark.parametrize("position", range(len(POSITIONS)))
def test_redrawn_deals_are_those_that_fit_and_equally_likely(position):
    """The deals that fit what each seat has seen, by enumeration; nobody leaves."""
    hands, deck, abyss = POSITIONS[position]
    compared, spread, freedom = 0, 0.0, 0
    for seed in range(5):
        s = small(hands, deck, abyss)
        for step, mind in enumerate(watched(s, seed, 30, PLAYED)):
            fits = mind.weights
            assert hidden(s, mind.seat) in fits
            if len(fits) > 40 or step % 4:
                continue
            times = 12 * len(fits) + 60
            found = redrawn(s, mind.seat, times)
            assert found.keys() == fits.keys()
            assert len(set(fits.values())) == 1
            expected = times / len(fits)
            spread += sum((n - expected) ** 2 / expected for n in found.values())
            freedom += len(fits) - 1
            compared += len(fits) > 1
    assert compared > 10
    assert abs(spread - freedom) < 4 * np.sqrt(2 * freedom)


@pytest.mark.rule("MAG-24", "MAG-04")
@pytest.mark.parametrize("count", [3, 4])
def test_redrawn_deals_when_somebody_has_left(count):
    """The deals that fit, though they are not all as likely as they are redrawn."""
    compared = 0
    for seed in range(3):
        s = small(["2D 5S", "3D JC", "2C", "3C"][:count], "4D 10C", life=[3] * count)
        for mind in watched(s, seed, 24, (*PLAYED, A_DAMAGE)):
            fits = mind.weights
            assert hidden(s, mind.seat) in fits
            found = redrawn(s, mind.seat, 6)
            assert found.keys() <= fits.keys()
            if s.terminated.any() and len(fits) <= 12 and compared < 20:
                assert redrawn(s, mind.seat, 400).keys() == fits.keys()
                compared += 1
    assert compared > 10


def test_places_that_are_told_apart():
    """A guard of the enumeration: what it reads as hidden is all that a view leaves out."""
    s = small(["2D 5S", "3D JC"], "4D JD", "3C")
    deal = hidden(s, 0)
    assert words(deal[0]) == "4D JD" and words(deal[2]) == "3D JC" and not deal[1]
    assert sum(map(len, deal)) == 4
    assert not np.isin(s.where, [COURT + 2, ATTACHED + 1]).any()
