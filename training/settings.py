"""Settings of the training algorithms: their ranges, and how the command line reads them.

The fields are read from the source of an algorithm, because importing it would load torch.
"""

from __future__ import annotations

import ast
import importlib.util
import math
from dataclasses import dataclass, fields
from numbers import Integral
from pathlib import Path
from typing import Any

from mages_env.arguments import read_value

ALGORITHMS = {
    "ppo": "mages_env.training.ppo",
    "sb3": "mages_env.training.sb3_ppo",
}

WANTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "tuple[int, ...]": "widths such as 128 or 128,128",
}
"""What a word of the command line must be, by the kind of its setting."""
_TYPES = {"int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class Range:
    """The values that a setting, or each of its values, may have.

    Attributes:
        least: the smallest.
        most: the largest; infinity: any finite one.
        above: ``least`` itself is left out.
    """

    least: float
    most: float = math.inf
    above: bool = False

    def __contains__(self, value: float) -> bool:
        over = value > self.least if self.above else value >= self.least
        return over and value <= self.most and math.isfinite(value)

    def __str__(self) -> str:
        if math.isfinite(self.most):
            return f"from {self.least} to {self.most}"
        return f"{'more than' if self.above else 'at least'} {self.least}"


RANGES = {
    "seed": Range(0, 2**32 - 1),
    **dict.fromkeys(("decisions", "num_envs", "num_steps", "epochs", "minibatch"), Range(1)),
    **dict.fromkeys(("save_every", "evaluate_every", "evaluate_games", "pool_size"), Range(1)),
    **dict.fromkeys(("hidden", "critic_hidden"), Range(1)),
    **dict.fromkeys(("minutes", "threads", "entropy"), Range(0)),
    **dict.fromkeys(("learning_rate", "clip", "max_grad_norm"), Range(0, above=True)),
    **dict.fromkeys(("gamma", "gae_lambda", "past_share", "opponents_share"), Range(0, 1)),
}
"""What each setting that is a number, or several, may be, whatever the algorithm."""


def check_ranges(args: Any) -> None:
    """Whether every setting of an algorithm's ``Args`` is in its range.

    Raises:
        ValueError: names a setting that is not, and its range.
    """
    for field in fields(args):
        if field.name not in RANGES:
            continue
        value, allowed = getattr(args, field.name), RANGES[field.name]
        whole = "float" not in str(field.type)
        for number in value if isinstance(value, tuple) else (value,):
            if whole and not isinstance(number, Integral):
                raise ValueError(f"{field.name}={value} must be a whole number {allowed}")
            if number not in allowed:
                raise ValueError(f"{field.name}={value} must be {allowed}")


@dataclass(frozen=True)
class Setting:
    """A field of an algorithm's ``Args``.

    Attributes:
        name: of the field.
        kind: its annotation, such as "int" or "tuple[int, ...]".
        default: its value.
        meaning: the sentence under it.
    """

    name: str
    kind: str
    default: Any
    meaning: str

    def parse(self, text: str) -> Any:
        """A value from a word of the command line; tuples are separated by commas.

        Raises:
            ValueError: not a value of this kind.
        """
        try:
            if not self.kind.startswith("tuple"):
                return _value(self.kind, text)
            inner = self.kind[len("tuple[") :].partition(",")[0]
            return tuple(_value(inner, part) for part in text.split(",") if part.strip())
        except ValueError:
            raise ValueError(f"{self.option} {text!r} must be {WANTED[self.kind]}") from None

    @property
    def option(self) -> str:
        """As the command line spells it."""
        return "--" + self.name.replace("_", "-")

    @property
    def shown(self) -> str:
        """The default, as it would be typed."""
        if isinstance(self.default, tuple):
            return ",".join(map(str, self.default))
        return str(self.default)


def _value(kind: str, text: str) -> Any:
    wanted = _TYPES.get(kind, str)
    value = read_value(text, wanted)
    if not isinstance(value, wanted):
        raise ValueError
    return value


def settings_of(algorithm: str) -> tuple[Setting, ...]:
    """The settings of an algorithm, in the order of its ``Args``."""
    spec = importlib.util.find_spec(ALGORITHMS[algorithm])
    if spec is None or spec.origin is None:
        raise ValueError(f"algorithm {algorithm!r} is not installed")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    (body,) = (
        node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Args"
    )
    found = []
    for field, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert field.value is not None, f"{field.target.id} has no default"
            meaning = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                meaning = " ".join(str(after.value.value).split())
            found.append(
                Setting(
                    field.target.id,
                    ast.unparse(field.annotation),
                    ast.literal_eval(field.value),
                    meaning,
                )
            )
    return tuple(found)
