"""A person at the table: through the functions, through a pipe, and at a terminal."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

import mages_env
from mages_env.agents.base import Agent
from mages_env.record import read_record, replay
from mages_env.training.play import play

GAME = mages_env.get_game("kampf_der_magier_v0")
CONFIG = GAME.resolve_options(num_players=3, rounds=1)
ROOT = Path(__file__).parents[2]
MAGES = [sys.executable, "-m", "mages_env.training.cli"]


class First(Agent):
    name = "first"

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)


class Script:
    """Answers prompts from what was shown before: functions of the text, or words."""

    def __init__(self, answers, then=None):
        self.out = io.StringIO()
        self.console = Console(file=self.out, width=200)
        self.answers = list(answers)
        self.then = then
        self.prompts = 0
        self.read_up_to = 0

    def __call__(self, prompt):
        self.out.write(prompt)
        self.prompts += 1
        shown = self.out.getvalue()[self.read_up_to :]
        self.read_up_to = len(self.out.getvalue())
        answer = self.answers.pop(0) if self.answers else self.then
        if answer is None:
            raise EOFError
        return answer(shown) if callable(answer) else answer

    @property
    def text(self):
        return self.out.getvalue()


def at_table(script, seat=0, seed=3, path=None):
    return play(GAME, CONFIG, [First(GAME)] * 2, seat, seed, script.console, script, path)


def test_what_is_shown_does_not_tell_who_was_asked_in_secret():
    """An opponent that passes says no more than one that had no choice: one line for both."""
    game = mages_env.get_game("dark_mages_v0")
    config = game.resolve_options(num_players=3, max_turns=6)
    script = Script([], then="pass")
    script.console.width = 10_000  # a line is a line
    record = play(game, config, [First(game)] * 2, 0, 4, script.console, script)
    assert any(d.continues for d in record.decisions if d.seat != 0)
    view = record.for_seat(0)
    lines = [view.opening, *(d.events for d in view.decisions)]
    told = ["; ".join(event.text for event in events) for events in lines if events]
    shown = iter(script.text.splitlines())
    for text in told:  # in this order
        assert any(line.endswith(text) for line in shown), text


def first_listed(shown):
    return "#" + re.findall(r"^  #(\d+)", shown, re.M)[0]


def test_a_whole_game_by_the_list_of_actions(tmp_path):
    class Alternating(Script):
        def __call__(self, prompt):
            self.then = "actions" if self.prompts % 2 == 0 else first_listed
            return super().__call__(prompt)

    script = Alternating([])
    record = at_table(script, path=tmp_path / "game.jsonl")
    assert record.outcome == "terminated"
    assert record.agents == ("you", "first", "first")
    assert read_record(tmp_path / "game.jsonl") == record
    for _ in replay(record):
        pass
    assert "Game over" in script.text
    place = re.search(r"You are (first|number [23] of 3)", script.text)
    assert place, script.text[-500:]
    assert (place[1] == "first") == (record.returns[0] == max(record.returns))


def test_words_of_the_game_are_understood():
    def legal_play(shown):
        return re.findall(r"^  #\d+ +(.*)$", shown, re.M)[0].upper()

    script = Script(["actions", legal_play])
    record = at_table(script)
    assert record.outcome == "unfinished"
    assert record.decisions[0].text in script.text


def test_help_names_the_commands_and_examples_that_work():
    examples = []

    def an_example(shown):
        examples.extend(re.search(r"for example: (.*)$", shown, re.M)[1].split("; "))
        return examples[0]

    script = Script(["?", an_example])
    record = at_table(script)
    assert record.decisions[0].text == examples[0]
    for word in ("actions", "#12", "table", "quit"):
        assert word in script.text


def test_what_a_card_does_can_be_asked():
    game = mages_env.get_game("dark_mages_v0")
    config = game.resolve_options(num_players=2)
    script = Script(["?", "? acid ball", "help Wolf", "?firebal", "? "])
    script.console.width = 10_000
    record = play(game, config, [First(game)], 0, 4, script.console, script)
    assert all(d.seat != 0 for d in record.decisions)
    assert "? NAME     what the card, unit or spell of that name does" in script.text
    for words in (game.explain("Acid Ball"), game.explain("Wolf"), "no card is called 'firebal'"):
        assert words in script.text
    script = Script(["?", "? Wolf"])  # a game that does not say so
    at_table(script)
    assert "NAME" not in script.text and "not understood in '? Wolf'" in script.text


def test_what_a_unit_and_a_spell_are_can_be_asked():
    game = mages_env.get_game("magic_duel_v0")
    script = Script(["? wizard", "help Healing", "?archer"])
    script.console.width = 10_000
    play(game, game.resolve_options(), [First(game)], 0, 4, script.console, script)
    for words in (game.explain("wizard"), game.explain("healing"), "did you mean 'archers'?"):
        assert words in script.text


def test_mistakes_are_explained_and_asked_again():
    before = len(at_table(Script([])).decisions)
    for words, answer in (
        ("frobnicate", "'frobnicate' is not understood"),
        ("take", "take the table) is not legal now; legal: "),
        ("#99999", "99999"),
        ("#-1", "not understood"),
        ("1 2", "have one power"),
    ):
        script = Script([words])
        record = at_table(script)
        assert answer in script.text, words
        assert len(record.decisions) == before, "the mistake moved nothing"
        assert script.prompts == 2


def test_only_what_the_seat_may_know_is_shown():
    class Listing(Script):
        def __call__(self, prompt):
            self.then = "actions" if self.prompts % 2 == 0 else first_listed
            return super().__call__(prompt)

    script = Listing([])
    record = at_table(script, seat=1)
    hidden = [e.text for d in record.decisions for e in d.events if e.row[1] in (0, 2)]
    assert hidden, "others do draw cards"
    assert "player_0 gets" not in script.text
    assert "player_2 gets" not in script.text
    assert "player_1 gets" in script.text
    assert "player_0 draws" in script.text


@pytest.mark.parametrize("leave", ["quit", "exit", None])
def test_leaving_saves_the_game_so_far(tmp_path, leave):
    script = Script(["actions", first_listed, leave])
    record = at_table(script, path=tmp_path / "left.jsonl")
    assert record.outcome == "unfinished"
    assert len(read_record(tmp_path / "left.jsonl").decisions) >= 1
    assert "You have left the table" in script.text


def test_agents_get_no_states_of_the_truth():
    seen = []

    class Spy(First):
        wants_states = True

        def act(self, decisions):
            seen.append(decisions)
            return super().act(decisions)

    spy = Spy(GAME)
    record = play(GAME, CONFIG, [spy, spy], 0, 3, Script([]).console, Script(["actions"]))
    truths = [state for state, d in replay(record) if d is not None and d.seat != 0]
    assert len(seen) == len(truths)
    for decisions, truth in zip(seen, truths, strict=True):
        seat = int(decisions.seats[0])
        assert (decisions.states[0].hand[seat] == truth[0].hand[seat]).all()
        assert (decisions.states[0].hand != truth[0].hand).any()
        assert decisions.states[0].rng != truth[0].rng


def test_through_a_pipe(tmp_path):
    path = tmp_path / "piped.jsonl"
    done = subprocess.run(
        [
            *MAGES,
            *[
                "play",
                "kampf",
                "-a",
                "random",
                "--seat",
                "0",
                "--seed",
                "5",
                "-o",
                "rounds=1",
                "--record",
            ],
            str(path),
        ],
        input="?\nactions\nnonsense\nquit\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "you are player_0" in done.stdout
    assert "'nonsense' is not understood" in done.stdout
    assert f"mages watch {path}" in done.stderr
    assert read_record(path).seed == 5


def test_a_game_of_ones_own_from_play_to_watch(tmp_path, monkeypatch):
    """Leduc hold'em, which the suite does not know: the opponent is the search."""
    monkeypatch.chdir(ROOT)
    path = tmp_path / "own.jsonl"
    words = ["play", "examples.leduc:GAME", "--seat", "0", "--record", path]
    done = subprocess.run([*MAGES, *words], input="check\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "player_1 is ismcts" in done.stdout
    watching = re.search(r"mages (watch .*)", done.stderr)[1].split()
    shown = subprocess.run([*MAGES, *watching], capture_output=True, text=True)
    assert "1. player_" in shown.stdout
    unnamed = subprocess.run([*MAGES, "watch", path], capture_output=True, text=True)
    assert unnamed.returncode == 2
    assert "--game module:NAME" in unnamed.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("leave", [b"quit\n", b"\x04", b"\x03"])
def test_at_a_terminal(tmp_path, leave):
    """Typed at a pseudo-terminal: words, end of input and Ctrl-C all leave with the game saved."""
    import pty

    path = tmp_path / "typed.jsonl"
    pid, terminal = pty.fork()
    if pid == 0:
        command = [*MAGES, "play", "kampf", "-a", "random", "--seat", "0", "--record", str(path)]
        os.execvp(command[0], command)
    try:
        shown = wait_for(terminal, b"for help): ")
        os.write(terminal, b"actions\n")
        shown += wait_for(terminal, b"for help): ")
        shown += wait_for(terminal, b"mages watch", again=leave)
        _, status = os.waitpid(pid, 0)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"Traceback" not in shown
    assert read_record(path).outcome == "unfinished"


def wait_for(terminal, end, again=b"", seconds=60):
    """What is shown up to ``end``; ``again`` is typed until then, as a person would.

    A Ctrl-C that comes just before the program waits for a line is noticed with the next one.
    """
    shown, began, typed = b"", time.monotonic(), 0.0
    while end not in shown:
        assert time.monotonic() - began < seconds, shown
        if again and time.monotonic() - typed > 3:
            os.write(terminal, again)
            typed = time.monotonic()
        if not select.select([terminal], [], [], 2)[0]:
            continue
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other side has closed
            break
    assert end in shown, shown
    return shown


def test_one_opponent_for_each_seat_or_one_for_all():
    done = subprocess.run(
        [*MAGES, "play", "kampf", "-a", "random", "-a", "random", "-p", "4"],
        capture_output=True,
        text=True,
        input="",
    )
    assert done.returncode == 2
    assert "2 opponents for 3 seats" in done.stderr
