"""The deck as data: what it holds, and files of one's own that are refused or played."""

import copy
import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from mages_env.games.dark_mages.deck import (
    CATEGORIES,
    PARAMETERS,
    SPHERES,
    STANDARD,
    DeckError,
    load_deck,
)
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
    (_set("Fireball", name="Wolf"), "cards and cantrips of the same name are one entry: Wolf"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_wrong_deck_is_refused(tmp_path, change, words):
    with pytest.raises(DeckError) as refused:
        with_deck(changed(tmp_path, change))
    assert words in str(refused.value) and "own.json" in str(refused.value)


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


def test_an_own_deck_is_played(tmp_path):
    path = changed(tmp_path, _set("Fireball", name="Snowball", sphere="Water"))
    found = subprocess.run(
        [sys.executable, "-c", PLAY_WITH, str(path)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert found.stdout.strip() == "played True", found.stderr
