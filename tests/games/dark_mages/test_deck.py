"""The deck as data: what it holds, and files of one's own that are refused or played."""

import copy
import json
import os
import subprocess
import sys
from collections import Counter

import pytest

import mages_env
from mages_env.games.dark_mages import GAME
from mages_env.games.dark_mages.deck import (
    CATEGORIES,
    PARAMETERS,
    SPHERES,
    STANDARD,
    DeckError,
    load_deck,
)
from mages_env.games.dark_mages.explain import cantrip_text, dice_text, effect_text
from mages_env.games.dark_mages.own_deck import with_deck

DATA = json.loads(STANDARD.read_text(encoding="utf-8"))
CARDS = {card["name"]: card for card in DATA["cards"]}


@pytest.mark.rule("DM-06", "DM-02")
def test_totals():
    assert len(CARDS) == len(DATA["cards"]) == 89
    assert sum(card["copies"] for card in DATA["cards"]) == 112
    distinct = Counter(card["category"] for card in DATA["cards"])
    copies = Counter()
    for card in DATA["cards"]:
        copies[card["category"]] += card["copies"]
    assert {name: (distinct[name], copies[name]) for name in CATEGORIES} == {
        "Spell": (32, 40),
        "Companion": (8, 8),
        "Skill": (6, 6),
        "Defense": (3, 9),
        "Magic Item": (11, 16),
        "Potion": (6, 6),
        "Healing": (3, 6),
        "Artifact": (3, 3),
        "Enemy": (7, 7),
        "Hex": (5, 6),
        "Scroll": (5, 5),
    }


def test_spells_of_every_sphere():
    spells = [card for card in DATA["cards"] if card["category"] == "Spell"]
    found = {sphere: [c for c in spells if c["sphere"] == sphere] for sphere in SPHERES}
    assert len(found["Common"]) == 8
    for sphere in SPHERES[1:]:
        assert [c["level"] for c in found[sphere]] == [1, 2, 3]
        assert [c["copies"] for c in found[sphere]] == [2, 1, 1]


@pytest.mark.rule("DM-01")
def test_characters():
    assert [(c["name"], c["sphere"]) for c in DATA["characters"]] == [
        ("Enchanter", "Battle"),
        ("Cleric", "Life"),
        ("Druid", "Nature"),
        ("Necromancer", "Death"),
        ("Fire Conjurer", "Fire"),
        ("Water Conjurer", "Water"),
        ("Earth Conjurer", "Earth"),
        ("Air Conjurer", "Air"),
    ]
    assert sorted(c["sphere"] for c in DATA["characters"]) == sorted(SPHERES[1:])


def test_every_primitive_is_used():
    used = {
        effect["op"]
        for entry in (*DATA["cards"], *DATA["characters"])
        for effect in entry["effects"]
    }
    assert used == set(PARAMETERS)


@pytest.mark.parametrize("name", ["Staff +1", "Staff +2", "Ring of Arcane +1", "Ring of Arcane +2"])
def test_numbers_of_the_rule_book(name):
    (effect,) = CARDS[name]["effects"]
    stat = "atk" if name.startswith("Staff") else "level"
    assert effect == {"op": "passive", stat: int(name[-1])} and CARDS[name]["source"][0] == "N"


def test_every_card_has_a_text_and_a_source():
    for card in DATA["cards"]:
        assert card["text"] and card["source"][0] in "NR"
    spells = [card for card in DATA["cards"] if card["category"] == "Spell"]
    assert all(card["source"][0] == "N" for card in spells)


# Own files.


def changed(tmp_path, change):
    data = copy.deepcopy(DATA)
    cards = {card["name"]: card for card in data["cards"]}
    change(data, cards)
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def _set(card, **values):
    return lambda data, cards: cards[card].update(values)


def _effect(name, **values):
    return lambda data, cards: cards[name]["effects"][0].update(values)


def _last(name, **values):
    return lambda data, cards: cards[name]["effects"][-1].update(values)


def _character(name, **values):
    def change(data, cards):
        next(one for one in data["characters"] if one["name"] == name).update(values)

    return change


WRONG = [
    (_effect("Wolf", op="fly"), "Wolf: unknown primitive 'fly'; there are damage, to_hit"),
    (_set("Staff +1", slot="Hat"), "Staff +1: slot='Hat' must be one of 'Staff', 'Robe'"),
    (_set("Staff +1", slot=None), "Staff +1: slot=None must be one of"),
    (_set("Healing", slot="Ring"), "Healing: slot='Ring', but only Magic Items and Artifacts"),
    (_set("Healing", copies=3), "the copies sum to 113, the deck has 112 cards"),
    (_set("Healing", copies=0), "Healing: copies=0 must be 1 to 8"),
    (_set("Healing", category="Food"), "Healing: category='Food' must be one of 'Spell'"),
    (_set("Fireball", sphere="Ice"), "Fireball: sphere='Ice' must be one of"),
    (_set("Fireball", level=4), "Fireball: level=4 must be one of 1, 2, 3"),
    (_set("Fireball", resolve="luck"), "Fireball: resolve='luck' must be one of"),
    (_set("Fireball", target="everyone"), "Fireball: target='everyone' must be one of"),
    (_set("Fireball", phase="preparation"), "Fireball: phase='preparation' must be 'attack'"),
    (_set("Fireball", effects=[]), "Fireball: has no effect"),
    (_set("Hydra", kind="shy"), "Hydra: kind='shy' must be one of 'encounter', 'tenacious'"),
    (_effect("Fireball", n="two"), "Fireball: damage n='two' must be a whole number"),
    (_effect("Fireball", scale=1), "Fireball: damage scale=1 must be true or false"),
    (_effect("Fireball", colour="red"), "Fireball: damage has no colour; it takes n, sides"),
    (lambda d, c: c["Fireball"]["effects"][0].pop("n"), "Fireball: damage lacks n"),
    (lambda d, c: c["Healing"]["effects"].append({"op": "reflect"}), "reflect means nothing"),
    (lambda d, c: c["Fireball"].pop("copies"), "lacks copies"),
    (lambda d, c: d["characters"].pop(), "7 characters, the game has 8"),
    (lambda d, c: d.pop("characters"), "lacks a list of cards and one of characters"),
    (_effect("Infection", turns=0), "Infection: dot turns=0 must be a whole number from 1 to 120"),
    (_effect("Infection", n=0), "Infection: dot n=0 must be a whole number from 1"),
    (_effect("Fireball", sides=0), "Fireball: damage sides=0 must be a whole number from 1"),
    (_effect("Fireball", n=0), "Fireball: damage n=0 must be a whole number from 1"),
    (_effect("Fireball", n=True), "Fireball: damage n=True must be a whole number from 1"),
    (_effect("Fireball", flat=-1), "Fireball: damage flat=-1 must be a whole number from 0"),
    (_effect("Wolf", hp=0), "Wolf: body hp=0 must be a whole number from 1"),
    (_effect("Hydra", sides=0), "Hydra: body sides=0 must be a whole number from 1"),
    (_effect("Earth Golem", hp_per_level=0), "Earth Golem: summon hp and hp_per_level must not"),
    (_effect("Healing", flat=0), "Healing: heal needs dice, n of them with sides, or flat"),
    (_effect("Healing", n=1), "Healing: heal needs dice, n of them with sides"),
    (_effect("Garden Gnome", turns=0), "Garden Gnome: bind turns=0 must be a whole number from 1"),
    (_effect("Curse of Frailty", dur=0), "Curse of Frailty: mod dur=0 must be a number of turns"),
    (_effect("Curse of Frailty", dur=121), "Curse of Frailty: mod dur=121 must be a number of"),
    (_effect("Curse of Frailty", dur="turn"), "Curse of Frailty: mod dur='turn' must be a number"),
    (
        lambda d, c: c["Wolf"]["effects"].append(
            {"op": "mod", "stat": "ac", "delta": -1, "dur": "turn"}
        ),
        "Wolf: mod dur='turn' must be a number of turns",
    ),
    (_effect("Curse of Frailty", delta=0), "Curse of Frailty: mod delta=0 must be a whole number"),
    (_effect("Mind Raid", n=0), "Mind Raid: steal_card n=0 must be a whole number from 1"),
    (_last("Dead Warp", pct=0), "Dead Warp: kill_pct pct=0 must be a whole number from 1 to 100"),
    (_last("Dead Warp", pct=101), "Dead Warp: kill_pct pct=101 must be a whole number from 1 to"),
    (_last("Vampire Hunger", frac=0.0004), "Vampire Hunger: drain frac=0.0004 must be a number"),
    (_last("Vampire Hunger", frac=1.5), "Vampire Hunger: drain frac=1.5 must be a number from"),
    (_last("Vampire Hunger", frac=None), "Vampire Hunger: drain frac=None must be a number from"),
    (_last("Vampire Hunger", frac="half"), "Vampire Hunger: drain frac='half' must be a number"),
    (_last("Vampire Hunger", frac=True), "Vampire Hunger: drain frac=True must be a number from"),
    (_last("Vampire Hunger", frac=float("nan")), "Vampire Hunger: drain frac=nan must be a number"),
    (_set("Staff +1", effects=[{"op": "passive"}]), "Staff +1: passive lacks what it does"),
    (_effect("Staff +1", atk=0), "Staff +1: passive atk=0 must be a whole number from 1"),
    (_set("Fireball", level=True), "Fireball: level=True must be one of 1, 2, 3"),
    (_set("Infection", level=1), "Infection: level=1, but only Spells have one"),
    (_set("Scroll of Thunder", sphere="Fire"), "Scroll of Thunder: sphere='Fire', but only Spells"),
    (_set("Wolf", kind="tenacious"), "Wolf: kind='tenacious', but only Enemies have one"),
    (_effect("Fireball", op=["damage"]), "Fireball: unknown primitive ['damage']"),
    (_set("Fireball", effects=None), "Fireball: effects=None must be a list of objects"),
    (_set("Fireball", effects="damage"), "Fireball: effects='damage' must be a list of objects"),
    (_set("Fireball", effects={"op": "area"}), "Fireball: effects={'op': 'area'} must be a list"),
    (_set("Fireball", effects=["area"]), "Fireball: effects=['area'] must be a list of objects"),
    (_character("Druid", effects=None), "Druid: effects=None must be a list of objects"),
    (_character("Druid", effects=["area"]), "Druid: effects=['area'] must be a list of objects"),
    (_character("Druid", sphere=["Nature"]), "Thorn Lash: sphere=['Nature'] must be one of"),
    (_character("Druid", sphere="Common"), "Thorn Lash: sphere='Common' of its character: only"),
    (_character("Druid", sphere="Ice"), "Thorn Lash: sphere='Ice' must be one of 'Battle', 'Life'"),
    (_character("Druid", cantrip=""), "character 3: cantrip='' must be a text of one line"),
    (_character("Druid", hp=70), "Druid: a character has no hp; it has name, sphere, cantrip"),
    (_set("Healing", category=None), "Healing: category=None must be one of 'Spell'"),
    (_set("Healing", category=["Food"]), "Healing: category=['Food'] must be one of 'Spell'"),
    (_set("Acid Ball", name=""), "card 1: name='' must be a text of one line"),
    (_set("Acid Ball", name=" Acid"), "card 1: name=' Acid' must be a text of one line"),
    (_set("Acid Ball", name=None), "card 1: name=None must be a text of one line"),
    (_set("Acid Ball", name="Pass"), "card 1: name='Pass' must be a text of one line"),
    (_set("Acid Ball", name="none"), "neither of the commands pass and none"),
    (_set("Acid Ball", spere="Fire"), "Acid Ball: a card has no spere; it has name, category"),
    (_set("Fireball", name="Wolf"), "cards and cantrips of the same name are one entry: Wolf"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_wrong_deck_is_refused(tmp_path, change, words):
    with pytest.raises(DeckError) as refused:
        with_deck(changed(tmp_path, change))
    assert words in str(refused.value) and "own.json" in str(refused.value)


@pytest.mark.parametrize("path", [5, [1], b"deck.json", "", "."])
def test_no_path_of_a_file(path):
    with pytest.raises(DeckError, match="must be the path of a deck file"):
        mages_env.make("dark_mages_v0", deck=path)


def test_the_smallest_numbers_are_a_deck(tmp_path):
    def change(data, cards):
        _effect("Fireball", n=1, sides=1, flat=0)(data, cards)
        _effect("Healing", n=1, sides=1, flat=0)(data, cards)
        _effect("Infection", n=1, sides=1, turns=1)(data, cards)
        _last("Dead Warp", pct=100)(data, cards)
        _last("Vampire Hunger", frac=0.001)(data, cards)
        _effect("Wolf", hp=1, ac=0, atk=0)(data, cards)

    assert len(load_deck(changed(tmp_path, change)).cards) == 89


def test_no_deck_file(tmp_path):
    path = tmp_path / "own.json"
    path.write_text("112 cards", encoding="utf-8")
    with pytest.raises(DeckError, match="is no deck file"):
        load_deck(path)
    with pytest.raises(OSError, match="nowhere"):
        load_deck(tmp_path / "nowhere.json")


PLAY_WITH = """
import sys
import numpy as np
import mages_env
from mages_env.testing import check_game
env = mages_env.make("dark_mages_v0", deck=sys.argv[1])
env.reset(seed=3)
game = mages_env.dark_mages_v0.with_deck(sys.argv[1])
s = game.new_state(2)[0]
game.reset(s, np.uint64(1))
texts = [game.action_text(s, a) for a in range(game.num_actions)]
assert "cast Snowball at player_1" in texts and not any("Fireball" in t for t in texts)
rng = np.random.default_rng(2)
while s.over == 0:
    mask = np.zeros(game.num_actions, np.int8)
    game.legal(s, mask)
    game.step(s, int(rng.choice(np.flatnonzero(mask))))
print("played", s.turn > 1)
"""


def run(script, path):
    found = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    return found.stdout.strip(), found.stderr


def test_an_own_deck_is_played(tmp_path):
    path = changed(tmp_path, _set("Fireball", name="Snowball", sphere="Water"))
    said, errors = run(PLAY_WITH, path)
    assert said == "played True", errors


CAST_WITH = """
import importlib
import sys
import numpy as np
from mages_env import dark_mages_v0
game = dark_mages_v0.with_deck(sys.argv[1])
tables = importlib.import_module(game.module + ".state")
for name in ("Acid Ball", "Fireball", "Cure Serious Wounds", "Healing"):
    s = game.new_state(3)[0]
    game.reset(s, np.uint64(1))
    s.hand[:] = tables.NONE
    s.hand_size[:] = 0
    s.hand[s.active, 0] = tables.NAMES.index(name)
    s.hand_size[s.active] = 1
    s.phase = tables.PREPARATION if name == "Healing" else tables.ATTACK
    s.seat = s.active
    s.character[:3] = [0, 6, 7]
    s.level[:] = 3
    s.ac[:] = -99
    s.hp[s.active] = 20
    game.step(s, game.parse_action(s, "play " + name))
    print(name, sorted(s.hp[:3].tolist()))
"""


@pytest.mark.rule("DM-17", "DM-18")
def test_level_dice_of_area_spells_and_of_healing(tmp_path):
    def change(data, cards):
        for name in ("Acid Ball", "Fireball"):
            cards[name].update(
                resolve="save",
                target="all_opponents",
                effects=[
                    {"op": "damage", "n": 1, "sides": 1, "flat": 0, "scale": True},
                    {"op": "area"},
                ],
            )
        for name in ("Cure Serious Wounds", "Healing"):
            _effect(name, n=1, sides=1, flat=0, scale=True)(data, cards)
        cards["Cure Serious Wounds"]["sphere"] = "Nature"

    said, errors = run(CAST_WITH, changed(tmp_path, change))
    assert said.splitlines() == [
        "Acid Ball [20, 59, 59]",  # Common: none
        "Fireball [20, 57, 57]",
        "Cure Serious Wounds [23, 60, 60]",
        "Healing [21, 60, 60]",  # no Spell: none
    ], errors

    def common(data, cards):
        change(data, cards)
        cards["Cure Serious Wounds"]["sphere"] = "Common"

    said, errors = run(CAST_WITH, changed(tmp_path, common))
    assert "Cure Serious Wounds [21, 60, 60]" in said.splitlines(), errors


PICKLE_WITH = """
import json
import pickle
import sys
from pathlib import Path
import mages_env
path = Path(sys.argv[1])
env = mages_env.make("dark_mages_v0", deck=path)
packed = pickle.dumps(env)
print(pickle.loads(packed).metadata["name"] == env.metadata["name"])
path.write_text(path.read_text() + " ")
try:
    pickle.loads(packed)
except ValueError as error:
    print(error)
"""


def test_a_pickle_insists_on_the_deck_it_was_made_with(tmp_path):
    said, errors = run(PICKLE_WITH, changed(tmp_path, lambda data, cards: None))
    same, refused = said.splitlines()
    assert same == "True", errors
    assert "own.json has changed: it makes dark_mages_v0+" in refused


def test_a_game_with_an_own_deck_goes_by_no_name():
    with pytest.raises(ValueError, match=r"is dark_mages_v0 with a deck of its own; pass the game"):
        mages_env.get_game("dark_mages_v0+0123456789ab")


# What a card does, for people.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Acid Ball", "Acid Ball, Spell (Common 1): Hit: 1d10 damage, and the target has -2 AC for "
                      "2 of its turns."),
        (" hydra ", "Hydra, Enemy (tenacious): 16 hit points, AC 12; each magician saves or takes "
                    "1d10 damage now and after each full round."),
        ("MAGIC MISSILE", "Magic Missile, Spell (Battle 1): +2 to this attack roll; hit: Ld6 "
                          "damage. (L: the arcane level)"),
        ("Sacred Spark", "Cleric, of the sphere Life; cantrip Sacred Spark: Ld6 damage, you "
                         "recover half the damage dealt (rounded down) (L: the arcane level)"),
        ("druid", "Druid, of the sphere Nature; cantrip Thorn Lash: Ld8 damage (L: the arcane "
                  "level)"),
    ],
)  # fmt: skip
def test_what_a_card_does(name, words):
    assert GAME.explain(name) == words


def test_every_card_can_be_asked_about():
    for card in DATA["cards"]:
        assert card["text"] in GAME.explain(card["name"])
    for one in DATA["characters"]:
        assert GAME.explain(one["name"]) == GAME.explain(one["cantrip"])


def test_a_card_that_is_none():
    with pytest.raises(ValueError, match="no card is called 'Firebal'; did you mean 'Fireball'"):
        GAME.explain("Firebal")
    with pytest.raises(ValueError, match=r"no card is called 'xyzzy'$"):
        GAME.explain("xyzzy")


def test_a_card_without_a_text_is_told_by_its_effects():
    card = {key: value for key, value in CARDS["Acid Ball"].items() if key != "text"}
    assert effect_text(card) == (
        "damage n=1 sides=10 scale=False flat=0; mod stat=ac delta=-2 dur=2"
    )
    druid = next(one for one in DATA["characters"] if one["name"] == "Druid")
    assert cantrip_text({**druid, "text": None}).startswith("damage n=1 sides=8")
    assert dice_text({"effects": [{"op": "damage", "n": 3, "sides": 6, "scale": True}]}) == (
        "(L+2)d6"
    )
    assert dice_text({"effects": [{"op": "damage", "n": 3, "sides": 6, "scale": False}]}) == "3d6"
