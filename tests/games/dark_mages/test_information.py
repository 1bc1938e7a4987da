"""What seats know, what nothing may show, and what is redrawn when a state is determinised."""

import numpy as np
import pytest

from mages_env.engine import ALL, RUNNING
from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.state import DECK, MAX_EVENTS
from mages_env.record import Recorder, read_record, replay

from . import invariants
from .scene import act, cards, d20, legal_ids, play, rig, scene, seat, told, view, words

SPARE = "Minor Healing"


def determinized(s, p, seed):
    other = s.copy()
    GAME.determinize(other, p, np.uint64(seed))
    return other


def looks(s, p):
    """All that seat ``p`` is shown; for None what anybody may see."""
    shown = [GAME.to_text(s, p), GAME.to_json(s, p), told(s, p)]
    if p is not None:
        for name, encoder in GAME.encoders.items():
            if name != "duel" or s.num_players == 2:
                out = np.full(encoder.layout.size, np.nan, np.float32)
                encoder.function(s, p, out)
                shown.append(out.tobytes())
        shown.append(legal_ids(s) if s.seat == p else None)
    return shown


def random_states(every, counts=(2, 3, 8), most=400):
    rng = np.random.default_rng(9)
    for count in counts:
        s = GAME.new_state(count)[0]
        GAME.reset(s, np.uint64(count))
        for step in range(most):
            if s.over != RUNNING:
                break
            if step % every == 0:
                yield s
            GAME.step(s, int(rng.choice(legal_ids(s))))


# Whether a seat was asked.

SECRET = ("preparation", "attack", "reaction", "dodge")
"""What a seat is not asked if it could only pass."""


def passing(s, p, action, *dice):
    """Plays ``action``, then passes for ``p`` until others can tell that it is asked.

    Returns:
        The position, what ``p`` was asked, and what the records of the others (and of nobody in
        particular) say.
    """
    recorder = Recorder(GAME, GAME.config(s), 1)
    recorder.state[0] = s
    s = recorder.state[0]
    if dice:
        rig(s, *dice)
    asked = []
    while True:
        recorder.add(GAME.parse_action(s, action))
        invariants.check(s)
        if s.seat != p or view(s)["phase"] not in SECRET:
            break
        asked.append(view(s)["phase"])
        action = "pass"
    record = recorder.record()
    others = [None, *(q for q in range(s.num_players) if q != p)]
    return s, asked, [record.seen_by(q) for q in others]


def assert_alike(one, other, p):
    """Nobody but ``p`` can tell the two positions apart, not even by what is redrawn for it."""
    assert (one.seat, one.phase, one.rng) == (other.seat, other.phase, other.rng)
    for q in range(one.num_players):
        if q != p:
            assert looks(one, q) == looks(other, q)
            assert determinized(one, q, 3).tobytes() == determinized(other, q, 3).tobytes()
    assert looks(one, None) == looks(other, None)


# Who has the hidden cards; these and the cards that it has instead in the other position; what it
# is asked for them; the position; what is played; the dice.
HIT = [*d20(15), (8, 3)]
FOREST = "cast Forest Army at player_1"
METEORS = [(6, 1), (6, 1), (6, 1), *d20(20, 20)]
HIDDEN = {"status": "Potion of Invisibility 1"}
BEFORE = seat("Wolf, Troll, Griffon, Owlbear, Brown Bear", **HIDDEN)
PHASES_LEFT_OUT = {
    "preparation": ("Healing", "Dodge", ["preparation"], {"phase": "end", "active": 2},
                    [seat("Dodge"), seat(SPARE, **HIDDEN), BEFORE], "pass"),
    "attack": ("Orb of Annihilation", "Dodge", ["attack"], {"phase": "end", "active": 2},
               [seat("Dodge"), seat(SPARE, **HIDDEN), BEFORE], "pass"),
    "both": ("Focus", "Dodge", ["preparation", "attack"], {"phase": "end", "active": 2},
             [seat("Dodge"), seat(SPARE, **HIDDEN), BEFORE], "pass"),
    "preparation goes on": ("Healing", "Dodge", ["preparation"], {"phase": "preparation"},
                            [seat("Magic Shield"), seat(**HIDDEN), seat(**HIDDEN)],
                            "play Magic Shield"),
    "attack after preparation": ("Scroll of Meteors", "Dodge", ["attack"], {"phase": "preparation"},
                                 [seat("Wolf"), seat(**HIDDEN), seat(**HIDDEN)],
                                 "place Wolf as defender"),
    "Skill after the attack": ("Focus", "Dodge", ["attack"], {"used": "items"},
                               [seat("Forest Army"), seat(SPARE), seat()], FOREST, *HIT),
    "Spell after a Skill": ("Scroll of Meteors", "Dodge", ["attack"], {},
                            [seat("Focus"), seat(SPARE, **HIDDEN), seat(**HIDDEN)], "play Focus"),
    "second attack": ("Fireball", "Dodge", ["attack"],
                      {"extra_attacks": 1, "used": "skill"},
                      [seat("Forest Army"), seat(SPARE), seat()], FOREST, *HIT),
    "Skill after the companion's attack": (
        "Focus", "Dodge", ["attack"], {"used": "attacks"},
        [seat(SPARE, companion="Wolf attacker 6"), seat("Healing"), seat()],
        "companion attacks player_1", *d20(2)),
}  # fmt: skip
ANSWERS_LEFT_OUT = {
    "Dodge of a Spell": ("Dodge", "Wolf", ["reaction"], {},
                         [seat(f"Forest Army, {SPARE}"), seat("Griffon"), seat()], FOREST, *HIT),
    "reflection of a Spell": (
        "Shield of Reflection", "Wolf", ["reaction"], {},
        [seat(f"Forest Army, {SPARE}"), seat("Griffon"), seat()], FOREST, *HIT),
    "Dodge of a Scroll": (
        "Dodge", "Wolf", ["reaction"], {}, [seat(f"Scroll of Thunder, {SPARE}"), seat(), seat()],
        "cast Scroll of Thunder at player_1", *d20(20), (8, 1), (8, 1), (8, 1)),
    "reflection of a Scroll": (
        "Shield of Reflection", "Wolf", ["reaction"], {},
        [seat(f"Scroll of Thunder, {SPARE}"), seat(), seat()],
        "cast Scroll of Thunder at player_1", *d20(20), (8, 1), (8, 1), (8, 1)),
    "Hex": ("Dodge", "Wolf", ["reaction"], {}, [seat(f"Infection, {SPARE}"), seat(), seat()],
            "cast Infection at player_1", *d20(20)),
    "cantrip": ("Dodge", "Wolf", ["reaction"], {}, [seat(SPARE, "Druid"), seat(), seat()],
                "cast Thorn Lash at player_1", *HIT),
    "companion": ("Dodge", "Wolf", ["reaction"], {"used": "attacks"},
                  [seat(SPARE, companion="Giant Spider attacker 6"), seat(), seat()],
                  "companion attacks player_1", *d20(15), (6, 1)),
    "theft": ("Dodge", "Wolf", ["reaction"], {"used": "attacks"},
              [seat(f"Sleight of Hand, {SPARE}"), seat(items="Staff +1"), seat()],
              "use Sleight of Hand on player_1's Staff", *d20(20)),
    "with a defender": (
        "Dodge", "Healing", ["reaction"], {},
        [seat(f"Forest Army, {SPARE}"), seat(companion="Troll defender 15"), seat()], FOREST, *HIT),
    "choice of an item": (
        "Dodge", "Wolf", ["reaction"], {},
        [seat(f"Scroll of Shattering, {SPARE}"), seat(items="Staff +1, Amulet of Warding"), seat()],
        "cast Scroll of Shattering at player_1", *d20(20), (8, 1)),
    "loot": ("Dodge", "Wolf", ["dodge"], {},
             [seat(f"Scroll of Meteors, {SPARE}"), seat(), seat(hp=1, items="Staff +1")],
             "play Scroll of Meteors", *METEORS),
    "area": ("Dodge", "Wolf", ["dodge"], {}, [seat(f"Scroll of Meteors, {SPARE}"), seat(), seat()],
             "play Scroll of Meteors", *METEORS),
    "area, one more is asked": (
        "Dodge", "Wolf", ["dodge"], {},
        [seat(f"Scroll of Meteors, {SPARE}"), seat(), seat("Dodge")], "play Scroll of Meteors"),
    "enemy": ("Dodge", "Wolf", ["dodge"],
              {"phase": "end", "active": 2, "stack": "Goblin Raiders, Wolf"},
              [seat(SPARE), seat(), seat("Healing, Troll, Griffon, Owlbear")], "pass",
              (2, 1), (8, 1), *d20(20, 20, 20)),
}  # fmt: skip


def exchange(s, p, held, card):
    """``p`` has ``card`` of the stack instead of one that it holds."""
    old, new = cards(f"{held}, {card}")
    s.stack[s.stack[: s.stack_size].tolist().index(new)] = old
    hand = s.hand[p, : s.hand_size[p]]
    hand[hand.tolist().index(old)] = new
    hand.sort()
    invariants.check(s)


def assert_not_shown(p, with_choice, instead, asked, table, seats, action, *dice):
    """Positions that differ in a card of ``p``, which passes in the one and is not asked else."""

    def after(card):
        hands = [dict(made) for made in seats]
        hands[p]["hand"] = ", ".join(filter(None, [hands[p]["hand"], with_choice]))
        s = scene(hands, **table)
        if card != with_choice:
            exchange(s, p, with_choice, card)
        return passing(s, p, action, *dice)

    one, asked_one, seen_one = after(with_choice)
    other, asked_other, seen_other = after(instead)
    assert (asked_one, asked_other) == (asked, [])
    assert seen_one == seen_other
    assert_alike(one, other, p)
    return one, other


@pytest.mark.rule("DM-40", "ALL-01")
@pytest.mark.parametrize("case", PHASES_LEFT_OUT.values(), ids=PHASES_LEFT_OUT)
def test_nothing_shows_whether_a_phase_was_asked(case):
    one, other = assert_not_shown(0, *case)
    # who has cards in hand is asked in the End Phase, whichever they are
    assert view(one)["phase"] == "end" and one.seat == 0
    (one, _, seen_one), (other, _, seen_other) = (passing(s, 0, "pass") for s in (one, other))
    assert seen_one == seen_other
    assert one.seat == other.seat == 1
    assert_alike(one, other, 0)


@pytest.mark.rule("DM-40", "DM-22", "DM-31", "ALL-01")
@pytest.mark.parametrize("case", ANSWERS_LEFT_OUT.values(), ids=ANSWERS_LEFT_OUT)
def test_nothing_shows_whether_a_seat_was_asked_for_an_answer(case):
    one, _ = assert_not_shown(1, *case)
    assert one.seat != 1


@pytest.mark.rule("DM-40", "DM-23", "ALL-01")
@pytest.mark.parametrize("held", ["Dodge", "Shield of Reflection"])
def test_nothing_shows_whether_the_attacker_was_asked_about_a_reflection(held):
    def after(card):
        s = scene([seat(f"Forest Army, {card}"), seat("Shield of Reflection"), seat()])
        play(s, FOREST)
        return passing(s, 0, "play Shield of Reflection", *HIT)

    (one, asked, seen_one), (other, not_asked, seen_other) = after(held), after("Wolf")
    assert (asked, not_asked) == (["reaction"], [])
    assert seen_one == seen_other
    assert_alike(one, other, 0)


@pytest.mark.rule("DM-40", "DM-21")
@pytest.mark.parametrize("hand", ["Healing, Forest Army", "Dodge, Griffon"])
def test_a_phase_that_a_magician_does_not_have_is_not_ended(hand):
    s = scene([seat(SPARE), seat(hand, status="Garden Gnome 1")], phase="end", stack="Wolf, Focus")
    play(s, "discard Minor Healing")
    assert told(s)[-1] == "player_1's turn" and view(s)["phase"] == "end"


@pytest.mark.rule("DM-31", "DM-40")
def test_more_events_than_a_step_can_tell_of():
    """Five enemies drawn at once attack eight magicians and eight companions; nobody saves well."""
    enemies = [card for card in DECK.cards if card["category"] == "Enemy"]
    drawn = ", ".join(card["name"] for card in enemies if card["kind"] == "encounter")
    companions = [card["name"] for card in DECK.cards if card["category"] == "Companion"]

    def after(card, rng):
        seats = [seat(pool=200, companion=f"{name} attacker 90") for name in companions]
        seats[0]["hand"], seats[7]["hand"] = SPARE, "Dodge"
        s = scene(seats, phase="end", stack=f"{drawn}, Healing")
        if card != "Dodge":
            exchange(s, 7, "Dodge", card)
        s.rng = rng
        return passing(s, 7, "discard Minor Healing")

    most = max(range(100), key=lambda rng: int(after("Healing", rng)[0].num_events))
    one, asked, seen_one = after("Dodge", most)
    other, not_asked, seen_other = after("Healing", most)
    assert one.num_events == other.num_events > MAX_EVENTS
    assert (asked, not_asked) == (["dodge"] * 5, [])
    assert seen_one == seen_other
    assert len(told(one)) == MAX_EVENTS
    assert view(one)["active"] == 1
    assert_alike(one, other, 7)
    play(one, "companion attacks player_2")
    assert told(one)[0].startswith("player_1's ") and one.num_events < MAX_EVENTS


@pytest.mark.rule("DM-40")
def test_the_record_of_a_seat_holds_no_decision_that_others_cannot_know_of(tmp_path):
    recorder = Recorder(GAME, {"num_players": 3}, 5)
    rng = np.random.default_rng(5)
    while len(recorder.record().decisions) < 120:
        recorder.add(int(rng.choice(legal_ids(recorder.state[0]))))
    record = recorder.record()
    assert read_record(record.save(tmp_path / "whole.jsonl")) == record
    for _ in replay(record):
        pass
    said = [e for d in record.decisions for e in d.events if e.row[1] == ALL]
    for p in range(3):
        kept = record.for_seat(p)
        others = [d for d in record.decisions if d.seat != p and not d.continues]
        assert [d.seat for d in kept.decisions if d.seat != p] == [d.seat for d in others]
        assert len(others) < sum(d.seat != p for d in record.decisions)
        # nothing is told twice, and nothing is lost
        told_of = [*kept.opening, *(e for d in kept.decisions for e in d.events)]
        public = [e for e in told_of if e.row[1] == ALL]
        assert public[-len(said) :] == said
        assert read_record(kept.save(tmp_path / "view.jsonl")) == kept


@pytest.mark.rule("DM-40")
def test_while_a_seat_is_asked_others_do_not_see_which_answer_it_has():
    def asked(hand):
        s = scene([seat(f"Forest Army, {SPARE}"), seat(f"{hand}, Owlbear"), seat(SPARE)])
        play(s, "cast Forest Army at player_1")
        assert s.seat == 1
        return s

    one, other = asked("Dodge"), asked("Shield of Reflection")
    for p in (0, 2, None):
        assert looks(one, p) == looks(other, p)
    assert looks(one, 1) != looks(other, 1)


@pytest.mark.rule("DM-40")
def test_a_pass_does_not_show_what_could_have_been_played():
    """A pass is seen, but not which cards there were to play."""

    def after(hand):
        s = scene([seat(f"{hand}, Dodge"), seat(SPARE)], phase="preparation")
        GAME.step(s, GAME.parse_action(s, "pass"))
        return s

    one, other = after("Wolf, Forest Army"), after("Healing, Fireball")
    assert looks(one, 1) == looks(other, 1) and looks(one, None) == looks(other, None)


@pytest.mark.rule("DM-40")
def test_what_a_seat_is_shown_depends_on_nothing_that_it_cannot_know():
    rng = np.random.default_rng(3)
    for s in random_states(every=40, counts=(2, 4)):
        for p in range(s.num_players):
            other = determinized(s, p, rng.integers(2**32))
            invariants.check(other)
            assert looks(other, p) == looks(s, p)
            assert looks(other, None) == looks(s, None)


# Determinising.


def hidden_of(s, p):
    """Names in ``view`` that may differ for seat ``p``."""
    return {"stack", *(f"{name}_{q}" for q in range(s.num_players) for name in ("hand", "known"))
            } - {f"hand_{p}"}  # fmt: skip


@pytest.mark.rule("DM-40")
def test_determinising_changes_only_what_is_hidden():
    varied = 0
    for s in random_states(every=12):
        for p in range(s.num_players):
            other = determinized(s, p, 5)
            before, after = view(s), view(other)
            for name in hidden_of(s, p):
                if not name.startswith("known"):
                    varied += before[name] != after[name]
                    assert len(cards(before[name])) == len(cards(after[name]))
                del before[name], after[name]
            assert after == before
    assert varied > 300


@pytest.mark.rule("DM-40")
def test_determinising_leaves_no_trace_of_what_was_hidden():
    for s in random_states(every=12):
        for p in range(s.num_players):
            other = determinized(s, p, 77)
            assert determinized(other, p, 5).tobytes() == determinized(s, p, 5).tobytes()


@pytest.mark.rule("DM-40")
def test_a_redrawn_game_goes_on_with_what_its_seat_was_told():
    """The first question comes after the deal, of which everybody was told its own cards."""
    s = GAME.new_state(3)[0]
    GAME.reset(s, np.uint64(1))
    assert view(s)["phase"] in ("preparation", "attack")
    for p in range(3):
        other = determinized(s, p, 1)
        before = told(s, p)
        assert [GAME.event_text(other, row) for row in other.events[: other.num_events]] == before
        GAME.step(other, 0)
        after = [GAME.event_text(other, row) for row in other.events[: other.num_events]]
        assert after[: len(before)] == before
        assert "ends the" in after[len(before)]


@pytest.mark.rule("DM-40")
def test_what_a_raid_took_is_known_to_the_two():
    s = scene([seat(f"Mind Raid, {SPARE}"), seat("Wolf"), seat("Griffon")], used="attacks")
    act(
        s,
        "use Mind Raid at player_1",
        (1, 1),
        hand_0="-Mind Raid, +Wolf",
        hand_1="",
        discards="+Mind Raid",
        skill_used=1,
        phase="end",
        known_0={1: "Wolf"},
        events=[
            "player_0 uses Mind Raid on player_1",
            "player_0 takes a card from player_1's hand",
            "player_0 ends the Attack Phase",
        ],
    )
    heard = "the card player_0 takes from player_1 is Wolf"
    assert [heard in told(s, p) for p in range(3)] == [True, True, False]
    assert GAME.to_json(s, 1)["players"][0]["known_cards"] == ["Wolf"]
    assert GAME.to_json(s, 2)["players"][0]["known_cards"] == []
    assert "You know of player_0's hand: Wolf" in GAME.to_text(s, 1)
    kept = [
        ["Wolf" in view(determinized(s, p, seed))["hand_0"] for seed in range(40)] for p in (1, 2)
    ]
    assert all(kept[0]) and sum(kept[1]) < 10
    # the thief keeps what it took, of course
    assert all("Wolf" in view(determinized(s, 0, seed))["hand_0"] for seed in range(5))


@pytest.mark.rule("DM-40")
def test_known_until_a_card_of_that_name_leaves_the_hand_openly():
    mine = seat("Magic Shield, Magic Shield, Healing, Wolf", known={1: "Magic Shield, Wolf"})
    s = scene([mine, seat()], phase="preparation")
    play(s, "play Healing")
    assert view(s)["known_0"] == {1: "Magic Shield, Wolf"}
    act(s, "play Magic Shield", hand_0="-Magic Shield", discards="+Magic Shield", pool=[12, 0],
        known_0={1: "Wolf"})  # fmt: skip
    # several ways: placed, equipped, discarded, used as an answer
    act(s, "place Wolf as attacker", hand_0="-Wolf", companion_0="Wolf attacker 6",
        companion_used=1, known_0={})  # fmt: skip
    s = scene([seat("Dodge, Dodge, Focus", known={1: "Dodge"}), seat(SPARE)], phase="end",
              stack="Fireball, Griffon, Owlbear")  # fmt: skip
    play(s, "discard Dodge")
    assert view(s)["known_0"] == {}


@pytest.mark.rule("DM-40")
def test_for_all_but_the_two_nothing_is_known_of_a_hand_that_was_raided():
    target = seat("Wolf, Troll, Griffon", known={2: "Wolf", 0: "Troll"})
    s = scene([seat(f"Mind Raid, {SPARE}"), target, seat()], used="attacks")
    act(s, "use Mind Raid at player_1", (3, 1), skill_used=1, phase="end",
        hand_0="-Mind Raid, +" + (taken := words(sorted(cards("Wolf, Troll, Griffon"))[:1])),
        hand_1=f"-{taken}", discards="+Mind Raid", known_0={1: taken},
        known_1={0: "Troll"} if taken != "Troll" else {})  # fmt: skip


@pytest.mark.rule("DM-40")
@pytest.mark.parametrize(
    ("knew", "knows"),
    [
        ("Magic Shield, Magic Shield", "Magic Shield"),
        ("Magic Shield", ""),
        ("", ""),
        ("Magic Shield, Magic Shield, Wolf", "Magic Shield, Wolf"),
        ("Wolf", "Wolf"),
    ],
)
@pytest.mark.parametrize("which", [0, 1])
def test_a_thief_that_takes_a_card_knows_one_less_of_that_name(knew, knows, which):
    target = seat("Magic Shield, Magic Shield, Wolf", known={0: knew})
    s = scene([seat(f"Mind Raid, {SPARE}"), target, seat()], used="attacks")
    at = s.hand[1, :3].tolist().index(cards("Magic Shield")[0]) + which
    act(s, "use Mind Raid at player_1", (3, at + 1), hand_0="-Mind Raid, +Magic Shield",
        hand_1="-Magic Shield", discards="+Mind Raid", known_0={1: "Magic Shield"},
        known_1={0: knows} if knows else {}, skill_used=1, phase="end")  # fmt: skip


@pytest.mark.rule("DM-40")
def test_determinising_keeps_discards_and_what_was_looted():
    s = scene([seat(f"Forest Army, {SPARE}"), seat("Wolf", hp=3, items="Staff +2"), seat("Dodge")])
    play(s, "cast Forest Army at player_1", *d20(15), (8, 5))
    play(s, "take the Staff")
    for p in range(3):
        for seed in range(5):
            other = view(determinized(s, p, seed))
            assert other["items_0"] == "Staff +2" and other["discards"] == view(s)["discards"]
            assert "Wolf" not in other["hand_2"] and "Wolf" not in other["stack"]


@pytest.mark.rule("DM-40")
def test_hands_are_redrawn_from_all_unseen_cards_but_enemies():
    """Every card that the seat cannot place is as likely as its copies among them."""
    s = scene(
        [seat(SPARE), seat("Wolf")], stack="Dodge, Dodge, Dodge, Griffon, Hydra, Goblin Raiders"
    )
    found = [view(determinized(s, 0, seed))["hand_1"] for seed in range(1000)]
    share = {name: found.count(name) / 1000 for name in set(found)}
    assert set(share) == {"Dodge", "Griffon", "Wolf"}
    assert 0.54 < share["Dodge"] < 0.66 and 0.15 < share["Wolf"] < 0.25


@pytest.mark.rule("DM-40")
def test_a_draw_takes_any_card_of_the_stack():
    s = scene([seat("Healing, Wolf, Troll, Griffon"), seat(SPARE)], phase="end",
              stack="Dodge, Focus, Fireball, Owlbear")  # fmt: skip
    drawn = []
    for rng in range(400):
        one = s.copy()
        one.rng = rng * 977
        GAME.step(one, GAME.parse_action(one, "pass"))
        drawn += set(view(one)["hand_0"].split(", ")) - {"Healing", "Wolf", "Troll", "Griffon"}
    assert len(drawn) == 400 and all(60 < drawn.count(name) < 140 for name in set(drawn))
    assert len(set(drawn)) == 4


@pytest.mark.rule("DM-40")
def test_only_its_player_hears_of_a_card_drawn():
    s = scene([seat("Healing, Wolf, Troll, Griffon"), seat(SPARE)], phase="end", stack="Dodge")
    play(s, "pass", (1, 1))
    assert "player_0 gets Dodge" in told(s, 0)
    assert not any("Dodge" in line for line in told(s, 1) + told(s))
    assert not any(event[1] not in (ALL, 0) for event in s.events[: s.num_events].tolist())


@pytest.mark.rule("DM-40")
def test_what_is_open_to_all():
    mine = seat("Dodge, Focus", hp=41, pool=5, items="Staff +1", companion="Wolf attacker 3",
                status="Acid Ball 2", dot="Infection 2 of 1")  # fmt: skip
    s = scene([mine, seat(SPARE), seat(fell=1)], enemy="Hydra 9 of 1", waiting="Ogre Warlord of 0",
              used="attacks skill")  # fmt: skip
    for p in (None, 0, 1, 2):
        found = GAME.to_json(s, p)
        first = found["players"][0]
        assert first["hit_points"] == 41 and first["magic_shield"] == 5 and first["hand_size"] == 2
        assert first["items"] == {"Staff": "Staff +1"} and first["armor_class"] == 8
        assert first["companion"]["name"] == "Wolf" and first["companion"]["hit_points"] == 3
        assert first["statuses"] == [{"effect": "-2 AC", "turns": 2}]
        assert first["damage_over_time"] == {"card": "Infection", "turns": 2, "user": 1}
        assert found["players"][2]["fell"] == 1
        assert found["enemy"]["name"] == "Hydra"
        assert found["enemies_to_come"] == [{"name": "Ogre Warlord", "drawn_by": 0}]
        assert found["used_this_turn"]["attacks"] == found["used_this_turn"]["skill"] == 1
        assert found["stack_size"] == s.stack_size
        assert ("hand" in found) == (p is not None)
        if p != 0:
            assert "Focus" not in str(found) and "Focus" not in GAME.to_text(s, p)


@pytest.mark.rule("ALL-02", "ALL-03")
def test_the_same_seed_and_actions_give_the_same_game():
    games = []
    for _ in range(2):
        s = GAME.new_state(3)[0]
        GAME.reset(s, np.uint64(31))
        rng = np.random.default_rng(1)
        for _ in range(150):
            if s.over == RUNNING:
                ids = legal_ids(s)
                assert ids
                GAME.step(s, int(rng.choice(ids)))
        games.append(s.tobytes())
    assert games[0] == games[1]
