"""The compiled rules beside an independent model, action by action over random games."""

import numpy as np
import pytest

from mages_env.engine import NOBODY, RUNNING, TERMINATED, TRUNCATED
from mages_env.games.kampf_der_magier import GAME
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP,
    A_TOP_BALL,
    ACTION_CARDS,
    E_BALL,
    E_CARD,
    E_DEAL,
    E_DRAW,
    E_PLAY,
    E_ROUND,
    E_SCORE,
    E_TAKE,
    E_TOP,
)

from .scene import NAMES, legal_ids
from .slow_kampf import Chance, Play, Table, Take, card

EVENTS = {  # what the numbers of an event mean, cards as C
    E_DEAL: ("deal", "seat", "a"),
    E_CARD: ("card", "seat", "C"),
    E_DRAW: ("draw", "seat", "a"),
    E_TOP: ("top", "seat", "C"),
    E_PLAY: ("play", "seat", "a", "b", "c"),
    E_BALL: ("ball", "seat"),
    E_TAKE: ("take", "seat", "a"),
    E_ROUND: ("round", "seat", "a"),
    E_SCORE: ("score", "seat", "a", "b"),
}


def cards(kinds):
    return [card(NAMES[kind]) for kind in kinds]


def log(s):
    found = []
    for code, viewer, seat, a, b, c in s.events[: s.num_events].tolist():
        assert viewer == (seat if code == E_CARD else -1)
        values = {"seat": None if seat == NOBODY else seat, "a": a, "b": b, "c": c}
        name, *fields = EVENTS[code]
        found.append((name, *(card(NAMES[a]) if f == "C" else values[f] for f in fields)))
    return found


def meaning(action):
    """The model's action for an action id."""
    if action == A_TAKE:
        return Take()
    if action in (A_BALL, A_TOP_BALL):
        top = action == A_TOP_BALL
        return Play(() if top else (card("ball"),), 0, top)
    power, wizards, jokers = (int(n) for n in ACTION_CARDS[action])
    hand = [card(str(power))] * wizards + [card("joker")] * jokers
    return Play(tuple(sorted(hand)), power, action >= A_TOP)


MEANINGS = [meaning(action) for action in range(GAME.num_actions)]


def compare(s, model):
    assert {MEANINGS[action] for action in legal_ids(s)} == model.legal()
    assert log(s) == model.log
    assert s.seat == (NOBODY if model.over else model.active.seat)
    assert cards(s.table[: s.table_size]) == model.table
    assert sorted(cards(s.draw_pile[: s.draw_pile_size])) == sorted(model.draw_pile)
    in_piles = sum(len(player.pile) for player in model.players)
    assert len(model.seen) == in_piles + len(model.table)
    assert sorted(cards(np.repeat(np.arange(15), s.shown))) == sorted(model.seen)
    for p, player in enumerate(model.players):
        assert sorted(cards(np.repeat(np.arange(15), s.hand[p]))) == sorted(player.hand)
        assert s.hand_size[p] == len(player.hand)
        assert cards(s.pile[p, : s.pile_size[p]]) == player.pile
        assert s.collected[p] == player.collected
        assert s.rewards[p] == pytest.approx(float(model.rewards[p]), abs=1e-6)
        assert s.returns[p] == s.rewards[p]
        assert s.terminated[p] == (model.over == "terminated")
        assert s.truncated[p] == (model.over == "truncated")
    assert (s.power, s.dealer, s.turn) == (model.power, model.dealer, model.turns)
    assert s.stage == model.rounds_done
    assert s.over == ["", "terminated", "truncated"].index(model.over)


def play_beside_the_model(seed, top=1.0, ball=1.0, note=lambda s: None, **asked):
    """One game.

    Args:
        top, ball: how much likelier than others plays of the top card, or of crystal balls, are.
        note: called with the state after every action.
    """
    likely = np.ones(GAME.num_actions)
    likely[A_TOP:] *= top
    likely[[A_BALL, A_TOP_BALL]] *= ball
    rng = np.random.default_rng(seed)
    s = GAME.new_state(**asked)[0]
    GAME.reset(s, np.uint64(seed))
    chance = Chance()
    chance.tell([(event[1], event[2]) for event in log(s) if event[0] == "card"])
    model = Table(**GAME.config(s), dealer=int(s.dealer), chance=chance)
    compare(s, model)
    while s.over == RUNNING:
        legal = np.array(legal_ids(s))
        action = int(rng.choice(legal, p=likely[legal] / likely[legal].sum()))
        GAME.step(s, action)
        chance.tell([(event[1], event[2]) for event in log(s) if event[0] == "card"])
        model.act(MEANINGS[action])
        assert not chance.coming
        compare(s, model)
        note(s)
    return s


HOARD = 0.02
"""Balls are kept to the end, so that hands of nothing else have to lead (KDM-07)."""


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize(
    ("deck", "reward"), [("falling", "rank"), ("even", "score")], ids=["falling", "even"]
)
def test_classic(count, deck, reward):
    for seed, ball in ((0, 1.0), (1, HOARD)):
        options = {"num_players": count, "deck": deck, "reward": reward}
        s = play_beside_the_model(seed, ball=ball, **options)
        assert s.over == TERMINATED


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize(("deck", "top", "ball"), [("falling", 3.0, 1.0), ("even", 1.0, HOARD)])
def test_open_pile(count, deck, top, ball):
    options = {"num_players": count, "deck": deck, "variant": "open_pile"}
    play_beside_the_model(count, top=top, ball=ball, **options)


@pytest.mark.rule("KDM-07")
@pytest.mark.parametrize(("variant", "seed"), [("classic", 2), ("open_pile", 3)])
def test_leads_with_crystal_balls(variant, seed):
    leads = []

    def note(s):
        leads.append(s.table_size == 1 and s.power == 0)

    options = {"num_players": 2, "rounds": 16, "variant": variant}
    play_beside_the_model(seed, top=0.1, ball=HOARD, note=note, **options)
    assert sum(leads) >= 3


@pytest.mark.parametrize("seed", range(4))
def test_turn_limits(seed):
    """The same game cut one turn before, with and one turn after the end of each of its rounds."""
    asked = {"num_players": 2, "variant": "open_pile", "reward": ("rank", "score")[seed % 2]}
    ends = []

    def note(s):
        if s.stage > len(ends):
            ends.append(int(s.turn))

    play_beside_the_model(seed, note=note, max_turns=10_000, **asked)
    first, last = ends
    for limit, rounds_done, over in (
        (first - 1, 1, TRUNCATED),
        (first, 1, TRUNCATED),
        (first + 1, 2, TRUNCATED),
        (last - 1, 2, TRUNCATED),
        (last, 2, TERMINATED),
        (last + 1, 2, TERMINATED),
    ):
        s = play_beside_the_model(seed, max_turns=limit, **asked)
        assert (s.turn, s.stage, s.over) == (min(limit, last), rounds_done, over)
