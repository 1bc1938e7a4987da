"""Going through a recorded game."""

import io

import numpy as np
import pytest
from rich.console import Console

import mages_env
from mages_env.record import Recorder, RecordError
from mages_env.training.watch import steps, transcript, watch

GAME = mages_env.get_game("kampf_der_magier_v0")
CONFIG = GAME.resolve_options(num_players=3, rounds=1)


@pytest.fixture(scope="module")
def record():
    recorder = Recorder(GAME, CONFIG, 11, ("ann", "bob", "cid"))
    mask = np.zeros(GAME.num_actions, np.int8)
    while not recorder.state[0].over:
        GAME.legal(recorder.state[0], mask)
        recorder.add(int(mask.argmax()))
    return recorder.record()


def test_every_decision_is_a_page(record):
    pages = list(steps(record, None, None, False))
    assert len(pages) == len(record.decisions) + 4  # title, deal, end, returns
    for number, (page, decision) in enumerate(zip(pages[2:], record.decisions, strict=False), 1):
        assert f"{number}. player_{decision.seat}: {decision.text} ({decision.legal} legal)" in page
        for event in decision.events:
            assert event.text in page
    assert "player_1 is bob" in pages[0]
    assert "The game is terminated; returns: player_0" in pages[-1]


def test_by_default_the_mover_s_hand_is_shown(record):
    pages = list(steps(record, None, None, False))
    for page, decision in zip(pages[2:], record.decisions, strict=False):
        assert f"player_{decision.seat} (you)" in page


def test_a_seat_sees_only_what_it_knew(record):
    text = "\n".join(steps(record, None, 1, False))
    assert "player_0 gets" not in text
    assert "player_2 gets" not in text
    assert "player_1 gets" in text
    assert "player_0 (you)" not in text
    assert str(record.seed) not in text.split("\n")[0]
    for decision in record.decisions:
        if decision.seat == 1:
            assert decision.text in text


def test_the_public_sees_no_hands(record):
    text = "\n".join(steps(record, None, None, True))
    assert " gets " not in text
    assert "Your hand" not in text
    assert "player_0 draws" in text or "player_0 plays" in text


def test_the_file_of_one_seat_shows_its_view_and_no_other(record):
    view = record.for_seat(2)
    text = "\n".join(steps(view, None, None, False))
    assert "as player_2 saw it" in text
    assert "player_1 gets" not in text
    assert "player_2 gets" in text
    with pytest.raises(RecordError, match="no view of seat 0"):
        list(steps(view, None, 0, False))


def test_the_public_of_one_seat_s_file_is_not_called_its_view(record):
    text = "\n".join(steps(record.for_seat(2), None, None, True))
    assert "saw it" not in text
    assert " gets " not in text
    with pytest.raises(RecordError, match="either what one seat knew or what everybody knew"):
        list(steps(record, None, 1, True))


def test_no_such_seat_is_named(record):
    with pytest.raises(RecordError, match="seat 5"):
        list(steps(record, None, 5, False))


def test_transcript_is_the_whole_game(record):
    text = transcript(record)
    assert text.startswith(GAME.name)
    assert text.count(" legal)") == len(record.decisions)


class Answers:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.out = io.StringIO()
        self.console = Console(file=self.out, width=100)

    def __call__(self, prompt):
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def pages(self):
        return self.out.getvalue().split()


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        (["", "", "q"], "0 1 2"),
        (["3", "q"], "0 1 2 3"),
        (["", "all"], "0 1 2 3 4 5 6 7 8 9"),
        ([], "0"),
    ],
)
def test_paging(answers, shown):
    reader = Answers(*answers)
    watch(iter("0123456789"), reader.console, reader)
    assert reader.pages() == shown.split()


def test_without_a_reader_everything_is_shown():
    reader = Answers()
    watch(iter("0123456789"), reader.console)
    assert reader.pages() == list("0123456789")


@pytest.mark.parametrize("viewer", [None, 1])
def test_from_a_decision_on(record, viewer):
    shown = record if viewer is None else record.for_seat(viewer)
    whole = list(steps(shown, None, None, False))
    assert list(steps(shown, None, None, False, 5)) == whole[:1] + whole[6:]
    assert "5. player_" in whole[6]
    with pytest.raises(
        RecordError, match=f"no decision 999: the game has {len(record.decisions)} dec"
    ):
        list(steps(record, None, None, False, 999))
