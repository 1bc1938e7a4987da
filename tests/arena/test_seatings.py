"""Who sits where, and which line-ups a tournament has."""

from collections import Counter
from itertools import permutations

import pytest

from mages_env.training.arena import lineups
from mages_env.training.results import canonical, seatings


@pytest.mark.parametrize("lineup", ["AB", "ABB", "ABC", "AABB", "ABCD", "AAAB", "ABCDE", "AAA"])
def test_every_agent_has_every_seat_alike(lineup):
    counts = Counter()
    for seats in seatings(lineup):
        assert sorted(seats) == sorted(lineup)
        counts.update(enumerate(seats))
    for agent in set(lineup):
        of_seats = {counts[seat, agent] for seat in range(len(lineup))}
        assert len(of_seats) == 1


@pytest.mark.parametrize("lineup", ["ABC", "ABCD", "ABCDE", "AABC"])
def test_everybody_moves_before_each_other_one_as_often_as_after_it(lineup):
    before = Counter()
    for seats in seatings(lineup):
        before.update(zip(seats, seats[1:] + seats[:1], strict=True))
    for one, other in permutations(set(lineup), 2):
        assert before[one, other] == before[other, one]


def test_no_seating_is_played_twice():
    assert seatings("ABB") == [("A", "B", "B"), ("B", "B", "A"), ("B", "A", "B")]
    assert seatings("AAA") == [("A", "A", "A")]
    assert len(seatings("ABC")) == 6


def test_canonical_is_the_same_for_all_seatings():
    for seats in seatings("CABA"):
        assert canonical(seats) == canonical("CABA")
    assert canonical("AABB") != canonical("ABAB")


def test_pairs_are_both_ways_and_level_for_two_players():
    assert lineups("ABC", "pairs", 3) == [
        ("A", "B", "B"),
        ("A", "C", "C"),
        ("B", "A", "A"),
        ("B", "C", "C"),
        ("C", "A", "A"),
        ("C", "B", "B"),
    ]
    assert lineups("ABC", "pairs", 2) == [("A", "B"), ("A", "C"), ("B", "C")]


def test_field_is_about_the_first():
    assert lineups("ABC", "field", 3) == [
        ("A", "B", "B"),
        ("A", "C", "C"),
        ("B", "A", "A"),
        ("C", "A", "A"),
    ]


def test_free_for_all_has_every_choice():
    assert lineups("ABCD", "ffa", 3) == [tuple("ABC"), tuple("ABD"), tuple("ACD"), tuple("BCD")]
    assert lineups("AAB", "ffa", 3) == [tuple("AAB")]


@pytest.mark.parametrize(
    ("agents", "vs", "message"),
    [
        ("AB", "all", "must be one of pairs, field, ffa"),
        ("A", "pairs", "two agents or more, not 1"),
        ("ABA", "pairs", "A is named twice"),
        ("AB", "ffa", "3 agents or more, not 2"),
    ],
)
def test_what_cannot_be_played_is_named(agents, vs, message):
    with pytest.raises(ValueError, match=message):
        lineups(agents, vs, 3)
