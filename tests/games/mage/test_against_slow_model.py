"""The compiled rules beside an independent model, action by action over random games."""

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest

from mages_env.engine import ALL, NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.games.mage import GAME
from mages_env.games.mage import state as mage
from mages_env.games.mage.state import CARD, KIND, ROYAL, TARGET

from .scene import NAMES, PHASES, legal_ids
from .slow_mage import PACK, Chance, Table

EVENTS = {  # what the numbers of an event mean, cards as C, phases as P
    mage.E_START: ("start", "seat"),
    mage.E_DRAW: ("draw", "seat", "a", "b"),
    mage.E_SHUFFLE: ("shuffle", "a", "b"),
    mage.E_TURN: ("turn", "seat", "a"),
    mage.E_ROYAL: ("royal", "seat", "C"),
    mage.E_DROP: ("drop", "seat", "C"),
    mage.E_DIAMOND_DRAW: ("diamond", "seat", "C"),
    mage.E_CASH: ("cash", "seat", "C"),
    mage.E_ATTACH: ("attach", "seat", "C", "D"),
    mage.E_CANCEL: ("cancel", "C"),
    mage.E_HEAL: ("heal", "seat", "C", "b", "c"),
    mage.E_DAMAGE: ("damage", "seat", "C", "b", "c"),
    mage.E_RETURN: ("return", "seat", "C"),
    mage.E_TAKE: ("take", "seat", "C"),
    mage.E_JOKER: ("joker", "seat", "C", "D"),
    mage.E_FALL: ("fall", "seat", "C"),
    mage.E_ATTACK: ("attack", "seat", "C", "b"),
    mage.E_DUEL: ("duel", "seat", "C", "D"),
    mage.E_WOUND: ("wound", "seat", "C", "b"),
    mage.E_HIT: ("hit", "seat", "C", "b", "c"),
    mage.E_DISCARD: ("throw", "seat", "C"),
    mage.E_DONE: ("done", "seat", "P"),
    mage.E_OUT: ("out", "seat"),
    mage.E_WIN: ("win", "seat"),
    mage.E_LIMIT: ("limit",),
}
WAYS = {
    mage.A_ROYAL: ("royal", "C"),
    mage.A_DROP: ("drop", "C"),
    mage.A_DRAW: ("draw", "C"),
    mage.A_CASH: ("cash", "C"),
    mage.A_ATTACH: ("attach", "C", "R"),
    mage.A_HEAL: ("heal", "C", "seat"),
    mage.A_DAMAGE: ("damage", "C", "seat"),
    mage.A_RETURN: ("return", "C"),
    mage.A_TAKE: ("take", "C"),
    mage.A_JOKER: ("joker", "R"),
    mage.A_ATTACK: ("attack", "C", "seat"),
    mage.A_DUEL: ("duel", "C", "R"),
    mage.A_HAND_DISCARD: ("throw", "C"),
    mage.A_DONE: ("done",),
}


def test_the_model_has_the_same_pack():
    assert sorted(PACK) == sorted(NAMES)


def meaning(s, action):
    """The model's action for an action id."""
    way, *parts = WAYS[int(KIND[action])]
    seat = (s.seat + int(TARGET[action])) % s.num_players
    values = {"C": NAMES[CARD[action]], "R": NAMES[ROYAL + TARGET[action]], "seat": seat}
    return (way, *(values[part] for part in parts))


def log(s):
    """What everybody sees, and the cards drawn."""
    public, drawn = [], []
    for code, viewer, seat, a, b, c in s.events[: s.num_events]:
        if code == mage.E_CARD:
            assert viewer == seat
            drawn.append((seat, NAMES[a]))
            continue
        assert viewer == ALL
        name, *parts = EVENTS[code]
        values = {"seat": seat, "a": a, "b": b, "c": c, "C": NAMES[a % 54], "D": NAMES[b % 54]}
        if "P" in parts:
            values["P"] = PHASES[a]
        public.append((name, *(values[part] for part in parts)))
    return public, drawn


def names(cards):
    return " ".join(sorted(cards, key=NAMES.index))


def places(s):
    """Names of the cards by place."""
    found = defaultdict(list)
    for card, place in enumerate(s.where):
        found[place].append(NAMES[card])
    return defaultdict(str, {place: " ".join(cards) for place, cards in found.items()})


def plain(s):
    """The record with whole numbers and lists, which are read faster."""
    return SimpleNamespace(**{name: s[name].tolist() for name in s.dtype.names})


def compare(s, model):
    """Fails where they differ; returns the legal actions."""
    legal = legal_ids(s)
    s = plain(s)
    assert {meaning(s, action) for action in legal} == model.legal()
    at = places(s)
    assert log(s)[0] == model.log
    assert s.seat == (NOBODY if model.over else model.asked.seat)
    assert (s.active, s.starter) == (model.active.seat, model.starter.seat)
    assert (s.turn, s.over) == (model.turns, ["", "terminated", "truncated"].index(model.over))
    if not model.over:
        assert PHASES[s.phase] == model.phase
        assert s.diamond_used == model.diamond_used
        assert ("" if s.spade < 0 else NAMES[s.spade]) == model.spade
        assert at[mage.ABYSS] == names(model.abyss)
    assert at[mage.DECK] == names(model.deck) and s.deck_size == len(model.deck)
    assert names(f"{at[mage.ABYSS]} {at[mage.FACE_DOWN]}".split()) == names(model.abyss)
    assert at[mage.MINE] == names(model.mine)
    for player in model.players:
        p = player.seat
        assert (s.life[p], s.vault[p]) == (player.life, player.vault)
        assert at[mage.HAND + p] == names(set(player.hand) - player.known)
        assert at[mage.SHOWN + p] == names(player.known)
        assert s.rewards[p] == pytest.approx(float(model.rewards[p]), abs=1e-6)
        assert s.returns[p] == pytest.approx(float(player.paid), abs=1e-6)
        assert s.terminated[p] == player.left
        assert s.truncated[p] == (model.over == "truncated" and not player.left)
        assert at[mage.COURT + p] == names(royal.card for royal in player.court)
        for royal in player.court:
            compare_royal(s, at, royal)
    return legal


def compare_royal(s, at, royal):
    r = NAMES.index(royal.card) - ROYAL
    assert at[mage.ATTACHED + r] == names(royal.attached)
    assert (s.attack[r], s.health[r], s.damage[r]) == (royal.attack, royal.health, royal.damage)
    assert (s.tipped[r], s.attacked[r]) == (royal.tipped, getattr(royal.target, "seat", -1))
    assert s.fresh[r] == royal.new
    duelled = "" if s.duelled[r] < 0 else NAMES[ROYAL + s.duelled[r]]
    assert duelled == (royal.foe.card if royal.foe else "")


def play_beside_the_model(seed, weights=None, **asked):
    """One random game; ``weights``: how much likelier than others some kinds of actions are."""
    likely = np.ones(GAME.num_actions)
    for kind, weight in (weights or {}).items():
        likely[kind == KIND] = weight
    rng = np.random.default_rng(seed)
    s = GAME.new_state(**asked)[0]
    GAME.reset(s, np.uint64(seed))
    chance = Chance()
    chance.coming = log(plain(s))[1]
    model = Table(s.num_players, s.max_turns, int(s.starter), chance)
    legal = np.array(compare(s, model))
    while s.over == RUNNING:
        action = int(rng.choice(legal, p=likely[legal] / likely[legal].sum()))
        chosen = meaning(plain(s), action)
        GAME.step(s, action)
        chance.coming = log(plain(s))[1]
        model.act(chosen)
        assert not chance.coming
        legal = np.array(compare(s, model))
    return s


FIGHT = {
    mage.A_ATTACK: 3.0,
    mage.A_DUEL: 3.0,
    mage.A_ROYAL: 8.0,
    mage.A_DAMAGE: 0.3,
    mage.A_DROP: 3.0,
}
MAGIC = {
    mage.A_ATTACH: 0.2,
    mage.A_RETURN: 5.0,
    mage.A_JOKER: 5.0,
    mage.A_DROP: 3.0,
    mage.A_DONE: 0.5,
}
PEACE = {mage.A_ATTACK: 0.0001, mage.A_DAMAGE: 0.0001, mage.A_DROP: 0.2}


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("weights", [{}, FIGHT, MAGIC], ids=["even", "fight", "magic"])
def test_whole_games(count, weights):
    for seed in range(2):
        s = play_beside_the_model(seed, weights, num_players=count)
        assert s.over == TERMINATED


@pytest.mark.parametrize("count", range(2, 7))
def test_games_that_are_cut(count):
    s = play_beside_the_model(count, PEACE, num_players=count, max_turns=9 * count)
    assert s.over == TRUNCATED and s.turn == 9 * count
