"""Writes docs/cli.md from the command line's own help: ``python tools/cli_docs.py``."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import typer

from mages_env.training.cli import app

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
INTRO = """\
# Command line

`mages` comes with `pip install "mages-env[train]"`. `mages COMMAND --help` says what is written
here; this page is generated from it. Errors are one line and exit code 2, Ctrl-C is exit code 130
and loses nothing.
"""


def page() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(app)
    parts = [INTRO]
    for name, command in group.commands.items():
        parts.append(f"## mages {name}\n")
        text, _, examples = inspect.cleandoc(command.help).partition("\b\n")
        parts.append(text.strip() + "\n")
        if examples:
            parts.append(f"```\n{examples.strip()}\n```\n")
        rows = [_row(param) for param in command.params if param.name != "help"]
        if rows:
            parts += ["| | | default |", "|---|---|---|", *rows, ""]
    return "\n".join(parts)


def _row(param: Any) -> str:
    spelled = ", ".join(f"`{opt}`" for opt in param.opts)
    if param.param_type_name == "argument":
        spelled = f"`{param.metavar}`"
    elif param.metavar:
        spelled += f" {param.metavar}"
    default = ""
    if isinstance(param.show_default, str):
        default = param.show_default
    elif param.show_default and param.default is not None and param.default is not False:
        value = param.default
        default = " ".join(value) if isinstance(value, list | tuple) else str(value)
    cells = (spelled, param.help or "", default)
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}")
