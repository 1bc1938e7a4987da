"""The contract between a game and everything else: engine, environments, agents, training."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import inspect
import operator
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mages_env.engine.functions import function_table
from mages_env.engine.state import NOBODY
from mages_env.layout import Layout


class IllegalActionError(ValueError):
    """An action that is out of range or not legal now; the state is as it was."""


def valid_seed(seed: Any) -> int:
    """``seed`` as a Python integer.

    Raises:
        ValueError: not an integer from 0 to 2**64 - 1.
    """
    number = _whole(seed, range(2**64))
    if number is None:
        raise ValueError(f"seed={seed!r} must be an integer from 0 to 2**64 - 1")
    return number


def seed_or_entropy(seed: Any) -> int:
    """``seed`` as ``valid_seed`` has it; for None one drawn from the system's entropy."""
    return secrets.randbits(64) if seed is None else valid_seed(seed)


def valid_count(name: str, value: Any, least: int = 1, most: int = sys.maxsize) -> int:
    """``value`` as a Python integer.

    Raises:
        ValueError: not an integer from ``least`` to ``most``.
    """
    number = _whole(value, range(least, most + 1))
    if number is None:
        wanted = f", at least {least}" if most == sys.maxsize else f" from {least} to {most}"
        raise ValueError(f"{name}={value!r} must be an integer{wanted}")
    return number


def _whole(value: Any, allowed: range) -> int | None:
    """``value`` as a Python integer if it is one of ``allowed``; neither bool nor float is."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if number in allowed else None


def load_game(module: str, name: str | None = None) -> Game:
    """The ``Game`` that ``module`` declares; ``name`` chooses among several.

    Raises:
        ValueError: the module has no such game.
    """
    declared = {
        id(value): value
        for value in vars(importlib.import_module(module)).values()
        if isinstance(value, Game) and name in (None, value.name)
    }
    if len(declared) != 1:
        raise ValueError(
            f"module {module} declares {len(declared)} games named {name or 'anything'}"
        )
    return next(iter(declared.values()))


@dataclass(frozen=True)
class Option:
    """A keyword argument of the game, kept as an int32 field of that name in the state record.

    Attributes:
        name: keyword and field name.
        values: the choices, first the rule book's; or a ``range`` of integers.
        default: a value, or a function of the options resolved so far (a dict with
            ``num_players`` and the options declared before this one).
        meaning: one sentence.
        rule: rule id, or "".
        default_text: how docs word a computed default.
        refuses: given the options resolved so far and a value asked for, why it cannot be, or "".
    """

    name: str
    values: tuple[Any, ...] | range
    default: Any
    meaning: str
    rule: str = ""
    default_text: str = ""
    refuses: Callable[[Mapping[str, Any], Any], str] | None = None

    @property
    def values_text(self) -> str:
        """The values in words: ``'falling', 'even'`` or ``1 to 100``."""
        if isinstance(self.values, range):
            return f"{self.values[0]:,} to {self.values[-1]:,}"
        return ", ".join(map(repr, self.values))

    def encode(self, value: Any) -> int:
        """The int32 that stands for ``value`` in the record."""
        if isinstance(self.values, range):
            return int(value)
        return self.values.index(value)

    def decode(self, code: int) -> Any:
        """The value that ``code`` in the record stands for.

        Raises:
            ValueError: none does.
        """
        if isinstance(self.values, range):
            return int(code)
        if not 0 <= code < len(self.values):
            raise ValueError(f"option {self.name} has no value with the code {code}")
        return self.values[code]

    def resolve(self, value: Any, config: Mapping[str, Any]) -> Any:
        """``value`` checked, or the default where it is None.

        Raises:
            ValueError: not one of the values; says which there are.
        """
        if value is None:
            return self.default(config) if callable(self.default) else self.default
        if isinstance(self.values, range):
            number = _whole(value, self.values)
            if number is None:
                raise ValueError(
                    f"option {self.name}={value!r} must be an integer from "
                    f"{self.values[0]} to {self.values[-1]}"
                )
            value = number
        elif not any(value is v or (type(value) is type(v) and value == v) for v in self.values):
            raise ValueError(
                f"option {self.name}={value!r} must be one of "
                f"{', '.join(map(repr, self.values))}"
                f"{_of_another_type(value, self.values) or nearest(value, self.values)}"
            )
        reason = self.refuses(config, value) if self.refuses else ""
        if reason:
            raise ValueError(f"option {self.name}={value!r}: {reason}")
        return value


@dataclass(frozen=True)
class Encoder:
    """A named observation.

    Attributes:
        layout: what it holds.
        function: compiled, fills it.
        meaning: a few words.
        players: numbers of players that it shows all of; None: any.
    """

    layout: Layout
    function: Callable
    meaning: str = ""
    players: range | None = None

    @property
    def players_text(self) -> str:
        """``for 2 players``, ``for 2 to 4 players``; empty for any number."""
        if self.players is None:
            return ""
        first, last = self.players[0], self.players[-1]
        return f"for {first} players" if first == last else f"for {first} to {last} players"

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change whenever the layout does."""
        return hashlib.sha256(self.layout.digest_text().encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Game:
    """Everything the rest of the suite knows of a game.

    The compiled functions read and write one state record; see ``docs/contract.md``.

    Attributes:
        name: identifier with version, as in ``mages_env.make(name)``.
        title: what the rule book calls it.
        summary: one sentence.
        dtype: record type of the state, from ``engine.state_dtype``.
        players: allowed numbers of players.
        default_players: number of players unless asked otherwise.
        options: the game's options in the order they are resolved.
        actions: layout of the action ids.
        encoders: named observations, the first is the default.
        full: observation of everything, for ``env.state()`` and critics.
        reset, legal, step, determinize: compiled for ``engine.signatures(dtype)``.
        evaluate: optional compiled estimate of every seat's final return, for cut roll-outs.
        to_text: ``(state, seat) -> str``, what the seat may know; seat None: what everybody may.
        to_json: ``(state, seat) -> dict`` of plain values, likewise.
        action_text: ``(state, action) -> str``.
        parse_action: ``(state, text) -> int``; raises ValueError that says what is understood.
        event_text: ``(state, event row) -> str``.
        explain: ``(name) -> str``, what the card, unit or spell of that name does, for people;
            raises ValueError that names the nearest; None where that is in the rules only.
        continues: ``(state, action) -> bool``, whether nobody else can tell that this decision was
            asked for, so that the events of its step begin with those of the step before; None:
            no decision is.
        perfect_information: no seat has secrets.
        decision_bound: ``(config) -> int``, decisions after which every game is over.
        horizon: decisions that search plays past its tree before ``evaluate`` steps in, unless
            asked otherwise, see ``mages_env.agents.search.search``.
        widening: how sparingly it tries actions; 0: all of them.
        paired: whether it compares actions over the same redrawn states and chance.
        scores: ``(state) -> numbers``, the game's own score of every seat so far, for reports; None
            where it has none.
        score_meaning: what the scores count, and whether the most or the fewest win.
        score_sum: what ``rewards`` sum to over all seats by value of the option ``reward``;
            None where they do not sum to a constant.
        substitutes: keyword arguments of ``make`` and its like that ask for another game, such as
            one with another deck, by name the function that makes it of the argument.
        module: where the game is declared; pickles refer to it.
    """

    name: str
    title: str
    summary: str
    dtype: np.dtype
    players: range
    default_players: int
    options: tuple[Option, ...]
    actions: Layout
    encoders: Mapping[str, Encoder]
    full: Encoder
    reset: Callable
    legal: Callable
    step: Callable
    determinize: Callable
    to_text: Callable[[Any, int | None], str]
    to_json: Callable[[Any, int | None], dict]
    action_text: Callable[[Any, int], str]
    parse_action: Callable[[Any, str], int]
    event_text: Callable[[Any, Any], str]
    decision_bound: Callable[[Mapping[str, Any]], int]
    explain: Callable[[str], str] | None = None
    evaluate: Callable | None = None
    horizon: int = 12
    widening: float = 0.0
    paired: bool = False
    scores: Callable[[Any], Sequence[float]] | None = None
    score_meaning: str = ""
    continues: Callable[[Any, int], bool] | None = None
    perfect_information: bool = False
    score_sum: Mapping[str, float | None] = field(default_factory=lambda: {"rank": 0.0})
    substitutes: Mapping[str, Callable[[Any], Game]] = field(default_factory=dict)
    module: str = ""

    def __post_init__(self) -> None:
        if not self.module:  # the module that declares the game, so that it can be found again
            caller = sys._getframe(2).f_globals.get("__name__", "")
            object.__setattr__(self, "module", caller)

    def __reduce__(self) -> tuple:
        return load_game, (self.module, self.name)

    def substitute_texts(self) -> dict[str, tuple[str, str]]:
        """By name of ``substitutes``: what it takes, and which game that is."""
        return {
            name: (next(iter(inspect.signature(make).parameters)), _first_sentence(make))
            for name, make in self.substitutes.items()
        }

    def substituted(self, keywords: dict[str, Any]) -> Game:
        """The game that ``keywords`` ask for; those of ``substitutes`` are taken out of them."""
        game = self
        for name, make in self.substitutes.items():
            value = keywords.pop(name, None)
            if value is not None:
                game = make(value)
        return game

    @property
    def num_actions(self) -> int:
        return self.actions.size

    @property
    def max_players(self) -> int:
        return self.players[-1]

    def encoder(self, name: str | None = None, num_players: int | None = None) -> Encoder:
        """The encoder of that name, the default for None.

        Raises:
            ValueError: there is none, or not for that number of players.
        """
        if name is None:
            name = next(iter(self.encoders))
        if name not in self.encoders:
            raise ValueError(
                f"{self.name} has no encoder {name!r}; it has "
                f"{', '.join(self.encoders)}{nearest(name, self.encoders)}"
            )
        encoder = self.encoders[name]
        suits = encoder.players is None or num_players is None or num_players in encoder.players
        if not suits:
            raise ValueError(f"encoder {name!r} is {encoder.players_text}, not for {num_players}")
        return encoder

    def table(self, encoder: str | None = None, policy: Callable | None = None) -> Any:
        """Function table for the kernels, with the encoder of that name and an optional policy."""
        return function_table(
            reset=self.reset,
            legal=self.legal,
            step=self.step,
            observe=self.encoder(encoder).function,
            observe_full=self.full.function,
            determinize=self.determinize,
            policy=policy,
            evaluate=self.evaluate,
        )

    def resolve_options(self, num_players: int | None = None, **options: Any) -> dict[str, Any]:
        """The whole configuration: ``num_players`` and every option, defaults filled in.

        Raises:
            ValueError: a number of players, a name or a value that does not fit; names what would.
        """
        count = _whole(self.default_players if num_players is None else num_players, self.players)
        if count is None and _whole(num_players, range(-(2**63), 2**63)) is None:
            raise ValueError(
                f"num_players={num_players!r} must be an integer from "
                f"{self.players[0]} to {self.players[-1]}"
            )
        if count is None:
            raise ValueError(
                f"{self.name} is for {self.players[0]} to {self.players[-1]} players, "
                f"not num_players={num_players!r}"
            )
        names = [option.name for option in self.options]
        for name in options:
            if name not in names:
                known = ", ".join(["num_players", *names])
                raise ValueError(
                    f"{self.name} has no option {name!r}; it has {known}{nearest(name, names)}"
                )
        config: dict[str, Any] = {"num_players": count}
        for option in self.options:
            config[option.name] = option.resolve(options.get(option.name), config)
        return config

    def new_state(self, num_players: int | None = None, **options: Any) -> np.ndarray:
        """An array of one record that holds the configuration; ``reset`` makes a game of it."""
        config = self.resolve_options(num_players, **options)
        state = np.zeros(1, self.dtype)
        state["num_players"] = config["num_players"]
        state["seat"] = NOBODY
        for option in self.options:
            state[option.name] = option.encode(config[option.name])
        return state

    def config(self, state: Any) -> dict[str, Any]:
        """The configuration that a record holds, as ``resolve_options`` gives it."""
        config = {"num_players": int(state["num_players"])}
        for option in self.options:
            config[option.name] = option.decode(int(state[option.name]))
        return config

    def action_id(self, action: Any) -> int:
        """``action`` as a Python integer, be it legal now or not.

        Raises:
            IllegalActionError: no integer (a bool is none), or none of the ids.
        """
        index = _whole(action, range(self.num_actions))
        if index is None:
            raise IllegalActionError(self._no_id(action))
        return index

    def _no_id(self, action: Any) -> str:
        return f"action {action!r} is not an action id (0 to {self.num_actions - 1})"

    def illegal_action(self, agent: str, state: Any, mask: np.ndarray, action: Any) -> Exception:
        """The error for an action that cannot be taken: who, which in words, what was legal."""
        shown = listed_actions(self.action_text, state, np.flatnonzero(mask).tolist())
        index = _whole(action, range(self.num_actions))
        if index is None:
            what = self._no_id(action)
        else:
            what = f"action {index} ({self.action_text(state, index)}) is not legal now"
        return IllegalActionError(f"{agent}: {what}; legal: {shown}")


def listed_actions(
    action_text: Callable[[Any, int], str], state: Any, actions: Sequence[int]
) -> str:
    """Actions with their words, for an error; of many the first and how many there are."""
    shown = ", ".join(f"{a} ({action_text(state, a)})" for a in actions[:_LISTED])
    more = f" and {len(actions) - _LISTED} more" if len(actions) > _LISTED else ""
    return shown + more


_LISTED = 12


def _first_sentence(function: Callable) -> str:
    return " ".join((function.__doc__ or "").partition(".")[0].split())


_TYPES = {str: "a string", int: "an integer"}


def _of_another_type(value: Any, known: tuple[Any, ...]) -> str:
    for one in known:
        if str(one) == str(value):
            right, wrong = (_TYPES.get(type(v), f"a {type(v).__name__}") for v in (one, value))
            return f"; the type is wrong: {one!r} is {right}, {value!r} {wrong}"
    return ""


def nearest(name: Any, known: Iterable[Any]) -> str:
    """End of an error message: those of ``known`` that ``name`` may have meant, in any case."""
    names = {str(k).lower(): str(k) for k in known}
    close = difflib.get_close_matches(str(name).lower(), names, n=3)
    return f"; did you mean {' or '.join(repr(names[c]) for c in close)}?" if close else ""
