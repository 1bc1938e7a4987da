"""Game records: a game in a file, to be replayed exactly or shown to one seat.

One JSON object a line. First the header: what was played (game, options, seed), by whom, with
which versions, and the events of the deal. Then every decision: seat, action id and words, how
many actions were legal, and the events that followed, which are the dice and the draws. Last the
outcome, so that a file that was cut off is known as such.

    recorder = Recorder(game, env.options, seed)      # or Recorder.of_env(env), .of_row(vec, row)
    recorder.add(action)                              # for every decision
    recorder.record().save("game.jsonl")

    record = read_record("game.jsonl")
    for state, decision in replay(record): ...        # raises at the first divergence
    record.for_seat(1).save("what_player_1_saw.jsonl")

Options, seed and actions alone decide a game, so a recorder plays its own copy of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from mages_env._version import __version__
from mages_env.engine.state import ALL
from mages_env.game import Game, valid_seed

if TYPE_CHECKING:
    from mages_env.envs.aec import RawEnv
    from mages_env.envs.vector import VectorEnv

FORMAT = "mages-env game record"
FORMAT_VERSION = 1
_HEADER = ("game", "options", "seed", "agents", "viewer", "versions", "notes", "opening")
OUTCOMES = ("unfinished", "terminated", "truncated")
"""By ``state.over``."""


class RecordError(ValueError):
    """A file that is no whole record of this format, or a record that cannot be replayed."""


@dataclass(frozen=True)
class Event:
    """One event in words, and as its row of ``state.events`` (columns ``EVENT_FIELDS``)."""

    text: str
    row: tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """One decision; action, text and legal are None where a seat's view leaves them out."""

    seat: int
    action: int | None
    text: str | None
    legal: int | None  # number of legal actions
    events: tuple[Event, ...]
    continues: bool = False  # nobody else can tell that it was asked for


@dataclass(frozen=True)
class Record:
    """A game from the deal to where it ended or was left.

    Attributes:
        game: name of the game.
        options: whole configuration, ``num_players`` among it.
        seed: what the game was reset with; None in a seat's view.
        agents: who sat where, or None.
        viewer: the seat whose view this is; None: everything.
        versions: of mages_env, numpy and numba that played it.
        notes: anything else worth keeping, plain values.
        opening: events of the deal.
        decisions: in order; decision k is on line k + 2 of the file.
        outcome: one of ``OUTCOMES``.
        returns: what each seat was paid in all.
    """

    game: str
    options: Mapping[str, Any]
    seed: int | None
    agents: tuple[str, ...] | None
    viewer: int | None
    versions: Mapping[str, str]
    notes: Mapping[str, Any]
    opening: tuple[Event, ...]
    decisions: tuple[Decision, ...]
    outcome: str
    returns: tuple[float, ...]

    def for_seat(self, seat: int) -> Record:
        """The view of one seat, fit to be given to its player.

        Its own decisions, and of everybody else's only the events that the seat may know of,
        those of a decision that nobody can tell of as part of the one before; without the seed,
        from which everything could be worked out.

        Raises:
            ValueError: no such seat, or the record is the view of another.
        """
        if self.viewer not in (None, seat) or not 0 <= seat < self.options["num_players"]:
            raise ValueError(f"this record holds no view of seat {seat}")

        opening, decisions = self.seen_by(seat)
        return replace(self, seed=None, viewer=seat, opening=opening, decisions=decisions)

    def seen_by(self, seat: int | None) -> tuple[tuple[Event, ...], tuple[Decision, ...]]:
        """Opening and decisions as in ``for_seat``; None: as everybody may know them."""

        def seen(events: Sequence[Event]) -> tuple[Event, ...]:
            return tuple(event for event in events if event.row[1] in (ALL, seat))

        opening = seen(self.opening)
        decisions: list[Decision] = []
        for d in self.decisions:
            if d.seat == seat:
                decisions.append(replace(d, events=seen(d.events)))
            elif not d.continues:
                decisions.append(Decision(d.seat, None, None, None, seen(d.events)))
            elif decisions:
                last = decisions[-1]
                decisions[-1] = replace(last, events=last.events + seen(d.events))
            else:
                opening += seen(d.events)
        return opening, tuple(decisions)

    def save(self, path: str | os.PathLike) -> Path:
        """Write the file whole or not at all; an existing one is replaced."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            partial.write_text("".join(line + "\n" for line in self._lines()), encoding="utf-8")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
        return path

    def _lines(self) -> Iterator[str]:
        fields = asdict(self)
        decisions, outcome, returns = (fields.pop(n) for n in ("decisions", "outcome", "returns"))
        yield _to_json({"format": FORMAT, "format_version": FORMAT_VERSION, **fields})
        for decision in decisions:
            if not decision["continues"]:
                del decision["continues"]
            yield _to_json(decision)
        yield _to_json({"outcome": outcome, "returns": returns})


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class Recorder:
    """Records one game by playing it along from the same seed.

    Args:
        game: the game.
        options: its configuration, as ``env.options`` or ``game.config(state)`` give it.
        seed: what the game was reset with.
        agents: names of the players by seat.
        notes: anything else worth keeping, plain values.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        seed: int,
        agents: Sequence[str] | None = None,
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.options = game.resolve_options(**options)
        self.seed = valid_seed(seed)
        if agents is not None and len(agents) != self.options["num_players"]:
            raise ValueError(f"{len(agents)} agents for {self.options['num_players']} seats")
        self.agents = None if agents is None else tuple(agents)
        self.notes = dict(notes or {})
        self.state = game.new_state(**self.options)
        game.reset(self.state[0], np.uint64(self.seed))
        self._mask = np.zeros(game.num_actions, np.int8)
        self._opening = self._events()
        self._decisions: list[Decision] = []

    @classmethod
    def of_env(cls, env: RawEnv, agents: Sequence[str] | None = None) -> Recorder:
        """For a game that has just begun in an AEC environment."""
        if env.game_seed is None:
            raise ValueError("only a game begun by reset() can be recorded, not one put in")
        recorder = cls(env.game, env.options, env.game_seed, agents)
        recorder._check_beginning(env.game_state())
        return recorder

    @classmethod
    def of_row(cls, vec: VectorEnv, row: int, agents: Sequence[str] | None = None) -> Recorder:
        """For a game that has just begun in a row of a batch."""
        recorder = cls(vec.game, vec.options, int(vec.game_seed[row]), agents)
        recorder._check_beginning(vec.states[row : row + 1])
        return recorder

    def _check_beginning(self, state: np.ndarray) -> None:
        if any((state[name] != self.state[name]).any() for name in ("rng", "turn", "seat")):
            raise ValueError("the game has gone on since its reset; record it from the beginning")

    def _events(self, first: int = 0) -> tuple[Event, ...]:
        state = self.state[0]
        rows = state.events[first : min(int(state.num_events), len(state.events))]
        return tuple(
            Event(self.game.event_text(state, row), tuple(int(n) for n in row)) for row in rows
        )

    def add(self, action: int) -> Decision:
        """Record the decision of the seat to move.

        Raises:
            IllegalActionError: not legal here, so it is not the game that was played.
        """
        state = self.state[0]
        self.game.legal(state, self._mask)
        action = int(action)
        if not (0 <= action < self.game.num_actions and self._mask[action]):
            who = f"player_{state.seat}"
            raise self.game.illegal_action(who, state, self._mask, action)
        seat, legal = int(state.seat), int(self._mask.sum())
        text = self.game.action_text(state, action)
        continues = self.game.continues is not None and bool(self.game.continues(state, action))
        told = min(int(state.num_events), len(state.events)) if continues else 0
        self.game.step(state, action)
        decision = Decision(seat, action, text, legal, self._events(told), continues)
        self._decisions.append(decision)
        return decision

    def record(self) -> Record:
        """What has been recorded so far; a game that is not over is marked unfinished."""
        state = self.state[0]
        return Record(
            game=self.game.name,
            options=self.options,
            seed=self.seed,
            agents=self.agents,
            viewer=None,
            versions={
                "mages_env": __version__,
                "numpy": np.__version__,
                "numba": numba.__version__,
            },
            notes=self.notes,
            opening=self._opening,
            decisions=tuple(self._decisions),
            outcome=OUTCOMES[state.over],
            returns=tuple(float(r) for r in state.returns[: state.num_players]),
        )


def read_record(path: str | os.PathLike) -> Record:
    """Read a record file.

    Raises:
        FileNotFoundError: no such file.
        RecordError: a foreign, damaged or cut-off file, or another version of the format; names
            the line.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise RecordError(f"{path} is no {FORMAT}: it is not text") from None
    first = _parse(lines[0]) if lines else None
    if first is None or first.get("format") != FORMAT:
        raise RecordError(f"{path} is no {FORMAT}: its first line is not the header of one")
    if first.get("format_version") != FORMAT_VERSION:
        raise RecordError(
            f"{path} has format version {first.get('format_version')!r}, "
            f"mages_env {__version__} reads version {FORMAT_VERSION}"
        )
    reading = _Lines(path, len(lines))
    header = reading.header(first)
    decisions: list[Decision] = []
    for number, line in enumerate(lines[1:], start=2):
        value = _parse(line)
        if value is not None and "outcome" in value:
            if number != len(lines):
                raise RecordError(f"{path}, line {number + 1}: goes on after the end of the game")
            outcome, returns = reading.ending(number, value, header["options"]["num_players"])
            return Record(**header, decisions=tuple(decisions), outcome=outcome, returns=returns)
        decisions.append(reading.decision(number, value))
    raise RecordError(
        f"{path} is cut off after line {len(lines)} ({len(decisions)} decisions): "
        "the last line of a record is the outcome"
    )


def _parse(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


@dataclass(frozen=True)
class _Lines:
    """Turns parsed lines into parts of a record; what does not fit is named with its line."""

    path: Path
    count: int

    def _damaged(self, number: int, reason: str) -> RecordError:
        cut = " (the file is cut off here)" if number == self.count else ""
        return RecordError(f"{self.path}, line {number}: {reason}{cut}")

    def header(self, value: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in _HEADER if name not in value]
        if missing:
            raise self._damaged(1, f"the header lacks {', '.join(missing)}")
        options = value["options"]
        if not isinstance(options, dict) or not isinstance(options.get("num_players"), int):
            raise self._damaged(1, "options are not an object that has num_players")
        header = {name: value[name] for name in _HEADER}
        header["opening"] = self._events(1, value["opening"])
        header["agents"] = None if value["agents"] is None else tuple(value["agents"])
        return header

    def decision(self, number: int, value: dict[str, Any] | None) -> Decision:
        if value is None:
            raise self._damaged(number, "is not a JSON object")
        try:
            seat, action, text, legal, events = (
                value[name] for name in ("seat", "action", "text", "legal", "events")
            )
        except KeyError as error:
            raise self._damaged(number, f"a decision lacks {error}") from None
        if not isinstance(seat, int) or not isinstance(action, int | None):
            raise self._damaged(number, "seat and action are not integers")
        continues = value.get("continues") is True
        return Decision(seat, action, text, legal, self._events(number, events), continues)

    def _events(self, number: int, events: Any) -> tuple[Event, ...]:
        try:
            return tuple(Event(str(e["text"]), tuple(int(n) for n in e["row"])) for e in events)
        except (TypeError, KeyError, ValueError):
            raise self._damaged(number, "events are not a list of text and row") from None

    def ending(
        self, number: int, value: dict[str, Any], num_players: int
    ) -> tuple[str, tuple[float, ...]]:
        outcome, returns = value["outcome"], value.get("returns")
        if outcome not in OUTCOMES or not isinstance(returns, list) or len(returns) != num_players:
            raise self._damaged(
                number,
                f"the last line has an outcome ({', '.join(OUTCOMES)}) and the returns of "
                f"{num_players} seats",
            )
        return outcome, tuple(float(r) for r in returns)


def replay(
    record: Record, game: Game | None = None, words: bool = False
) -> Iterator[tuple[np.ndarray, Decision | None]]:
    """Play a record again, comparing everything with what was recorded.

    Args:
        record: what to replay; not a seat's view.
        game: the game, for one that ``mages_env.get_game`` does not know.
        words: insist on the same wording of actions and events too.

    Yields:
        (state, decision): the record array of one in which the decision was taken, a copy; at
        the end the last state and None.

    Raises:
        RecordError: another game, options it does not have, a seat's view, or the first
            divergence, with its line in the file and what differed.
    """
    player = _player(record, game)
    _compare(1, "events of the deal", record.opening, player._opening, words)
    for line, decision in enumerate(record.decisions, start=2):
        state = player.state.copy()
        yield state, decision
        if state[0].over:
            raise RecordError(f"line {line}: there is a decision, but the game is over")
        if decision.seat != state[0].seat:
            raise RecordError(
                f"line {line}: seat {decision.seat} decides, but it is not to move: "
                f"seat {state[0].seat} is"
            )
        try:
            played = player.add(-1 if decision.action is None else decision.action)
        except ValueError as error:
            raise RecordError(f"line {line}: {error}") from None
        _compare(line, "number of legal actions", decision.legal, played.legal, words)
        if words:
            _compare(line, "action in words", decision.text, played.text, words)
        _compare(line, "events", decision.events, played.events, words)
    line = len(record.decisions) + 2
    again = player.record()
    _compare(line, "outcome", record.outcome, again.outcome, words)
    _compare(line, "returns", record.returns, again.returns, words)
    yield player.state.copy(), None


def _player(record: Record, game: Game | None) -> Recorder:
    if game is None:
        from mages_env import get_game

        try:
            game = get_game(record.game)
        except ValueError as error:
            raise RecordError(f"line 1: {error}") from None
    if record.game != game.name:
        raise RecordError(f"line 1: a record of {record.game!r}, not of {game.name!r}")
    if record.seed is None:
        raise RecordError(
            f"line 1: this is what seat {record.viewer} saw, which cannot be replayed; "
            "read its decisions and events instead"
        )
    try:
        return Recorder(game, record.options, record.seed, record.agents)
    except (TypeError, ValueError) as error:
        raise RecordError(f"line 1: {error}") from None


def _compare(line: int, what: str, recorded: Any, played: Any, words: bool) -> None:
    if isinstance(recorded, tuple) and not words:
        same = _rows(recorded) == _rows(played)
    else:
        same = recorded == played
    if not same:
        raise RecordError(
            f"line {line}: {what} differ from the record: "
            f"recorded {_shown(recorded)}, played {_shown(played)}"
        )


def _rows(values: tuple) -> list:
    return [value.row if isinstance(value, Event) else value for value in values]


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + "; ".join(e.text if isinstance(e, Event) else repr(e) for e in value) + "]"
    return repr(value)
