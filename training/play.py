"""A person at the terminal against agents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from mages_env.agents import make_agent
from mages_env.agents.base import Agent
from mages_env.engine.state import ALL, RUNNING
from mages_env.game import Game, IllegalActionError
from mages_env.record import Event, Record, Recorder
from mages_env.training.asking import ask, secret_of

HELP = """\
Say in words what you do, for example: {examples}
  actions    your legal actions, each with its number
  #12        take the action of that number
  table      show the table again
  ?          this help{explained}
  quit       leave the table; the game so far is saved"""
EXPLAINED = "\n  ? NAME     what the card, unit or spell of that name does"
PERSON = "you"


class Quit(Exception):
    """The person has left."""


class Seat:
    """The person's seat: what is shown there and asked.

    Args:
        game: the game.
        seat: number of the seat.
        console: where to write.
        read: shows a prompt and gives back a line; EOFError means that there are no more.
    """

    def __init__(self, game: Game, seat: int, console: Console, read: Callable[[str], str]) -> None:
        self.game, self.seat, self.console, self.read = game, seat, console, read

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def show_events(self, events: Sequence[Event], style: str = "") -> None:
        """What this seat may know of a move, in one paragraph."""
        seen = [event.text for event in events if event.row[1] in (ALL, self.seat)]
        if seen:
            self.say("; ".join(seen), style)

    def choose(self, state: Any, mask: np.ndarray) -> int:
        """Ask until there is a legal action.

        Raises:
            Quit: the person leaves, or there is nobody to answer.
        """
        self.say("\n" + self.game.to_text(state, self.seat))
        while True:
            try:
                words = self.read("Your move (? for help): ").strip()
            except (EOFError, KeyboardInterrupt):
                self.say("")
                raise Quit from None
            asked = _asked_about(words) if self.game.explain else ""
            match words.lower():
                case _ if asked:
                    self.explain(asked)
                case "quit" | "exit":
                    raise Quit
                case "" | "?" | "help":
                    legal = np.flatnonzero(mask)[:3]
                    examples = "; ".join(self.game.action_text(state, int(a)) for a in legal)
                    explained = EXPLAINED if self.game.explain else ""
                    self.say(HELP.format(examples=examples, explained=explained))
                case "actions":
                    for action in np.flatnonzero(mask):
                        self.say(f"  #{action:<5}{self.game.action_text(state, int(action))}")
                case "table":
                    self.say(self.game.to_text(state, self.seat))
                case _:
                    try:
                        return self._understand(state, mask, words)
                    except ValueError as error:
                        self.say(str(error), "yellow")

    def explain(self, name: str) -> None:
        """What a card, a unit or a spell does."""
        assert self.game.explain is not None
        try:
            self.say(self.game.explain(name))
        except ValueError as error:
            self.say(str(error), "yellow")

    def _understand(self, state: Any, mask: np.ndarray, words: str) -> int:
        number = words.removeprefix("#").strip()
        if words.startswith("#") and number.isdecimal():
            action = int(number)
        else:
            action = self.game.parse_action(state, words)
        if not (0 <= action < len(mask) and mask[action]):
            raise IllegalActionError(
                str(self.game.illegal_action(PERSON, state, mask, action))
                + " ('actions' lists all)"
            )
        return action


def _asked_about(words: str) -> str:
    """The name in ``? name`` and ``help name``; empty for other words."""
    found = re.fullmatch(r"(?:\?|help\s)\s*(\S.*)", words, re.IGNORECASE)
    return found[1] if found else ""


def opponents(game: Game, specs: Sequence[str], seats: int) -> list[Agent]:
    """Agents for the other seats: one specification for all, one for each, or none for a default.

    Raises:
        ValueError: another number of them, or an unknown agent.
    """
    if seats == 0 and specs:
        raise ValueError(f"{game.title} is played alone here: no --against")
    if len(specs) > 1 and len(specs) != seats:
        raise ValueError(f"{len(specs)} opponents for {seats} seats: name one for all, or {seats}")
    if not specs:
        try:
            return [make_agent("rule_based", game)] * seats
        except ValueError:
            specs = ["ismcts"]
    agents = [make_agent(spec, game) for spec in specs]
    return agents if len(agents) == seats else agents * seats


def play(
    game: Game,
    config: Mapping[str, Any],
    opponents: Sequence[Agent],
    seat: int,
    seed: int,
    console: Console,
    read: Callable[[str], str] | None = None,
    record_path: Path | None = None,
) -> Record:
    """Play one game, to its end or until the person leaves.

    Args:
        game, config: the game and its whole configuration.
        opponents: the agents of the other seats, in order.
        seat: the person's.
        seed: of the game.
        console: where to write.
        read: as for ``Seat``; None: the console's own input.
        record_path: where to save the record, however the game ends; None: nowhere.

    Returns:
        The record, unfinished if the person left.

    Raises:
        ValueError: an opponent that was made for another configuration.
    """
    for agent in opponents:
        agent.check(config)
    at_table: list[Agent | None] = [*opponents[:seat], None, *opponents[seat:]]
    names = [PERSON if agent is None else agent.name for agent in at_table]
    recorder = Recorder(game, config, seed, names)
    person = Seat(game, seat, console, read or console.input)
    alone = "" if opponents else ", alone"
    person.say(f"{game.title}: you are player_{seat}{alone}", "bold")
    for p, name in enumerate(names):
        if p != seat:
            person.say(f"player_{p} is {name}")
    try:
        _rounds(game, recorder, at_table, person)
        person.say("\n" + game.to_text(recorder.state[0], seat))
        person.say(_placing(recorder.record().returns, seat), "bold")
    except Quit:
        person.say("You have left the table.")
    finally:
        record = recorder.record()
        if record_path is not None:
            record.save(record_path)
    return record


def _rounds(game: Game, recorder: Recorder, at_table: Sequence[Agent | None], person: Seat) -> None:
    secrets = np.array([secret_of(recorder.seed)], np.uint64)
    mask = np.zeros((1, game.num_actions), np.int8)
    number = 0
    state = recorder.state
    untold = [*recorder.record().opening]  # until it is known what is told in one breath with it
    style = "cyan"
    while state[0].over == RUNNING:
        game.legal(state[0], mask[0])
        agent = at_table[state[0].seat]
        if agent is None:
            person.show_events(untold, style)
            untold = []
            decision = recorder.add(person.choose(state[0], mask[0]))
        else:
            who = f"player_{state[0].seat} is" if game.continues is None else "the others are"
            with person.console.status(f"{who} thinking"):
                actions = ask(agent, state.copy(), mask.copy(), secrets, np.array([number]))
            decision = recorder.add(int(actions[0]))
        if agent is None or not decision.continues:
            person.show_events(untold, style)
            untold = []
            style = "green" if agent is None else "cyan"
        untold += decision.events
        if game.continues is None:
            person.show_events(untold, style)
            untold = []
        number += 1
    person.show_events(untold, style)


def _placing(returns: Sequence[float], seat: int) -> str:
    if len(returns) == 1:
        return f"The game is over: reward {returns[0]:+.3g}"
    better = sum(value > returns[seat] for value in returns)
    level = sum(value == returns[seat] for value in returns) - 1
    place = "first" if better == 0 else f"number {better + 1} of {len(returns)}"
    return f"You are {place}{' (tied)' if level else ''}: reward {returns[seat]:+.3g}"
