"""Settings of the training algorithms, read from their source: importing it would load torch."""

from __future__ import annotations

import ast
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ALGORITHMS = {
    "ppo": "mages_env.training.ppo",
    "sb3": "mages_env.training.sb3_ppo",
}


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
        if not self.kind.startswith("tuple"):
            return self._one(self.kind, text)
        inner = self.kind[len("tuple[") :].partition(",")[0]
        return tuple(self._one(inner, part.strip()) for part in text.split(",") if part.strip())

    def _one(self, kind: str, text: str) -> Any:
        try:
            match kind:
                case "int":
                    return int(text.replace("_", ""))
                case "float":
                    return float(text)
                case "bool":
                    return {"true": True, "false": False}[text.lower()]
                case _:
                    return text
        except (ValueError, KeyError):
            raise ValueError(f"{self.option} {text!r} is not a value of kind {self.kind}") from None

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
