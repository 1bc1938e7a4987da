"""What the docs page of Tower of Mages has besides that of every game."""

from __future__ import annotations

from mages_env.games.tower_of_mages.drawing import sheet_text


def sheet() -> str:
    """The sheet, drawn from ``data``."""
    return f"```\n{sheet_text()}\n```"


PARTS = {"sheet": sheet}
