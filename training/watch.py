"""A recorded game, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from mages_env import get_game
from mages_env.game import Game
from mages_env.record import Decision, Record, RecordError, replay
from mages_env.training.naming import configuration, find_game, substituting


def steps(
    record: Record, game: Game | None, seat: int | None, public: bool, start: int = 1
) -> Iterator[str]:
    """The game in words: the opening, every decision with the table before it, the end.

    Args:
        record: what to show.
        game: the game, for one that ``mages_env.get_game`` does not know.
        seat: show what this seat knew; None: at every decision what its seat knew.
        public: show only what everybody knew.
        start: the first decision to show, from 1; after the first, the opening is left out.

    Raises:
        RecordError: not the game that was recorded, the view of another seat, a start after the
            end, or both a seat and the public.
    """
    if public and seat is not None:
        raise RecordError("either what one seat knew or what everybody knew, not both")
    if seat is not None:
        try:
            view = record.for_seat(seat)
        except ValueError as error:
            raise RecordError(str(error)) from None
    else:
        view = record
    if public:
        opening, decisions = record.seen_by(None)
        view = replace(view, viewer=None, opening=opening, decisions=decisions)
    count = len(view.decisions)
    if start > 1 and start > count:
        raise RecordError(f"no decision {start}: the game has {count} decisions")
    yield _title(view)
    if view.opening and start == 1:
        yield "\n".join(event.text for event in view.opening)
    if record.viewer is not None:
        for number, shown in enumerate(view.decisions[start - 1 :], start=start):
            yield _decision(number, shown)
    else:
        played = game or _game(record)
        number = 0
        for state, decision in replay(record, played):
            viewer = seat
            if decision is not None:
                known = view is record or decision.seat == seat
                if decision.continues and not known:
                    continue
                number += 1
                if number < start:
                    continue
                viewer = decision.seat if seat is None else seat
            table = played.to_text(state[0], None if public else viewer)
            if decision is None:
                yield table
            else:
                yield f"{table}\n{_decision(number, view.decisions[number - 1])}"
    returns = ", ".join(f"player_{p} {value:+.3g}" for p, value in enumerate(record.returns))
    yield f"The game is {record.outcome}; returns: {returns}"


def played_game(record: Record, name: str | None, settings: Sequence[str]) -> Game | None:
    """The game of a record; None where ``mages_env.get_game`` knows it.

    Args:
        name: of the game, if it is one of the person's own.
        settings: ``name=value`` texts that made it another game, as with another deck.

    Raises:
        ValueError: no such game, or a setting that is an option, which the record holds already.
        OSError: a file that the game is made from cannot be read.
    """
    if name is None and not settings:
        return None
    standard = find_game(name or record.game.partition("+")[0])
    options = [text for text in settings if text not in substituting(standard, settings)]
    if options:
        raise ValueError(
            f"option {options[0]!r}: the options are in the record; only what made it another "
            f"game is asked for, here {' and '.join(standard.substitutes) or 'nothing'}"
        )
    return configuration(standard, None, settings)[0]


def _game(record: Record) -> Game:
    try:
        return get_game(record.game)
    except ValueError as error:
        raise RecordError(
            f"{error}; --game module:NAME names one of your own, -o NAME=VALUE what made it another"
        ) from None


def _title(record: Record) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in record.options.items())
    lines = [f"{record.game} ({settings}), {len(record.decisions)} decisions"]
    if record.seed is not None:
        lines[0] += f", seed {record.seed}"
    if record.agents:
        lines.append(", ".join(f"player_{p} is {name}" for p, name in enumerate(record.agents)))
    if record.viewer is not None:
        lines.append(f"as player_{record.viewer} saw it")
    return "\n".join(lines)


def _decision(number: int, decision: Decision) -> str:
    if decision.text is None:
        head = f"{number}. player_{decision.seat}"
    else:
        head = f"{number}. player_{decision.seat}: {decision.text} ({decision.legal} legal)"
    return "\n".join([head, *(f"   {event.text}" for event in decision.events)])


def transcript(record: Record, game: Game | None = None) -> str:
    """The whole game as text."""
    return "\n\n".join(steps(record, game, None, False)) + "\n"


def watch(
    pages: Iterator[str],
    console: Console,
    read: Callable[[str], str] | None = None,
) -> None:
    """Show pages one after the other.

    Args:
        pages: as ``steps`` gives them.
        console: where to write.
        read: shows a prompt and gives back a line ("q" leaves, "20" goes on that many pages,
            "all" to the end); None: show everything without stopping.
    """
    skip = 0
    for page in pages:
        console.print(Text(page + "\n"))
        if read is None or skip > 0:
            skip -= 1
            continue
        try:
            answer = read("Enter: next, a number: so many on, all, q: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if answer in ("q", "quit"):
            return
        if answer == "all":
            read = None
        elif answer.isdecimal():
            skip = int(answer) - 1
