"""Named blocks of flat vectors: one declaration gives offsets, views, JSON and the docs table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Block:
    """A named part of a flat vector.

    Attributes:
        name: unique within its layout.
        shape: () for a single number.
        meaning: one sentence, with units and scaling.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Layout:
    """Blocks in order, laid end to end without gaps; observations lie in ``[low, high]``."""

    def __init__(self, *blocks: Block, low: float = 0.0, high: float = 1.0) -> None:
        self.blocks = blocks
        self.low = low
        self.high = high
        self._start: dict[str, int] = {}
        size = 0
        for block in blocks:
            if block.name in self._start:
                raise ValueError(f"block {block.name!r} is declared twice")
            self._start[block.name] = size
            size += block.size
        self.size = size

    def start(self, name: str) -> int:
        """Offset of the block's first entry."""
        return self._start[name]

    def slice(self, name: str) -> slice:
        """Where the block lies in the flat vector."""
        start = self._start[name]
        return slice(start, start + self[name].size)

    def __getitem__(self, name: str) -> Block:
        for block in self.blocks:
            if block.name == name:
                return block
        raise KeyError(name)

    def views(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Reshaped views, by block, of ``flat`` (..., size); writing to one writes to ``flat``."""
        if flat.shape[-1] != self.size:
            raise ValueError(f"last axis is {flat.shape[-1]}, the layout has {self.size} entries")
        return {
            block.name: flat[..., self.slice(block.name)].reshape(flat.shape[:-1] + block.shape)
            for block in self.blocks
        }

    def to_json(self, flat: np.ndarray) -> dict[str, Any]:
        """Nested lists by block name, for one flat vector (size,)."""
        return {name: view.tolist() for name, view in self.views(flat).items()}

    def locate(self, index: int) -> tuple[str, tuple[int, ...]]:
        """Block name and index within the block of one flat index."""
        for block in self.blocks:
            offset = index - self._start[block.name]
            if 0 <= offset < block.size:
                return block.name, tuple(int(i) for i in np.unravel_index(offset, block.shape))
        raise IndexError(f"index {index} is not in 0..{self.size - 1}")

    def table(self) -> str:
        """Markdown table of the blocks, for the docs."""
        lines = ["| from | to | block | shape | meaning |", "|---|---|---|---|---|"]
        for block in self.blocks:
            first = self._start[block.name]
            last = first + block.size - 1
            shape = "x".join(map(str, block.shape)) or "1"
            lines.append(f"| {first} | {last} | `{block.name}` | {shape} | {block.meaning} |")
        return "\n".join(lines)

    def digest_text(self) -> str:
        """Text that changes whenever names, shapes, meanings or order do."""
        return "\n".join(f"{b.name} {b.shape} {b.meaning}" for b in self.blocks)
