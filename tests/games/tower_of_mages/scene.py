"""Positions written down in words, and the whole of what an action changes in them.

A page is written as one of the slow model, and read back as one: whatever the record holds besides
the pieces (free dots, what fits, icons left, storeys, ...) must be what the model makes of them.
Rooms are strings such as ``"Light 3 0"``, name, column and row of the base cell, in the order they
were built; a crossed out one ends in ``x``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mages_env.engine import ALL, NOBODY
from mages_env.games.tower_of_mages import GAME, data, state

from .slow_tower import ELEMENTS, ICONS, Page, Sheet

SHEET = Sheet()
ROOMS = list(SHEET.shapes)
ENDS = {"": 0, "top": state.TOP_ROW, "time": state.NO_TIME, "nothing": state.NO_ROOM}
SCALARS = ("mark", "hourglasses", "eyes", "bonus", "ended", "score")
PIECES = ("room", "cell", "below", "icon", "crossed", "storey", "chain")


def numbers(words: str) -> list[int]:
    return [int(word) for word in words.split()]


def said(values: Any) -> str:
    return " ".join(map(str, values))


# Pages.


def page(
    *rooms: str,
    mark: int | str = 0,
    dice: str = "",
    filled: str = "0 0 0 0 0 0",
    hourglasses: int = 0,
    eyes: int = 0,
    bonus: int = 0,
    ended: str = "",
    sheet: Sheet = SHEET,
) -> Page:
    """A page; every room must be legal where it is."""
    made = Page(sheet)
    for text in rooms:
        *name, column, row = text.removesuffix(" x").split()
        base = int(column), int(row)
        assert base in made.places(" ".join(name)), f"{text} cannot be built"
        made.build(" ".join(name), base).crossed = text.endswith(" x")
    made.mark = sheet.table.index(mark) if isinstance(mark, str) else mark
    made.dice = sorted(numbers(dice))
    made.filled = dict(zip(ELEMENTS, numbers(filled), strict=True))
    made.hourglasses, made.eyes, made.buildings, made.ended = hourglasses, eyes, bonus, ended
    return made


def fields(made: Page) -> dict[str, list[int]]:
    """What the record holds of the page."""
    columns = made.sheet.columns
    seen: dict[str, list] = {f"piece_{name}": [] for name in PIECES}
    plan, covered = [0] * data.CELLS, [data.FULL_ROW] * data.PLAN_ROWS
    covered[: made.sheet.rows] = [data.EMPTY_ROW] * made.sheet.rows
    place = {None: data.NONE} | {room: n for n, room in enumerate(made.rooms)}
    for room in made.rooms:
        whole = [room, *room.down()]
        chain = sum(32 ** ELEMENTS.index(r.icon) for r in whole if r.icon in ELEMENTS)
        values = (
            ROOMS.index(room.name),
            room.base[0] + columns * room.base[1],
            place[room.below],
            ICONS.index(room.icon) if room.icon else data.NONE,
            int(room.crossed),
            len(whole),
            chain,
        )
        for name, value in zip(PIECES, values, strict=True):
            seen[f"piece_{name}"].append(value)
    for (x, y), room in made.owners.items():
        number = 1 + ROOMS.index(room.name)
        plan[x + columns * y] = -number if room.crossed else number
        covered[y] |= 1 << (x + data.LEFT)
    for name in PIECES:
        seen[f"piece_{name}"] += [0] * (data.MAX_PIECES - len(made.rooms))
    dots = made.dots()
    unused = [0] * (data.MAX_DOTS - len(dots))
    return seen | {
        "mark": made.mark,
        "hourglasses": made.hourglasses,
        "eyes": made.eyes,
        "bonus": made.buildings,
        "ended": ENDS[made.ended],
        "score": made.score or 0,
        "dice": [made.dice.count(die) for die in range(1, 7)],
        "filled": list(made.filled.values()),
        "icons": [len(made.working(icon)) for icon in ICONS],
        "fitting": sum(1 << k for k, name in enumerate(ROOMS) if made.places(name)),
        "plan": plan,
        "covered": covered,
        "num_pieces": len(made.rooms),
        "num_dots": len(dots),
        "dot_cell": [x + columns * y for x, y in dots] + unused,
        "dot_piece": [place[room] for room in dots.values()] + unused,
        "dot_rooms": [
            sum(1 << k for k, name in enumerate(ROOMS) if dot in made.places(name)) for dot in dots
        ]
        + unused,
    }


def put(s: Any, p: int, made: Page) -> None:
    """Writes the page into the record."""
    for name, value in fields(made).items():
        s[name][p] = value


def check_page(s: Any, p: int, made: Page) -> None:
    """All that the record holds of the page, the order of its dots aside."""
    wanted = fields(made)
    found = {name: s[name][p].tolist() for name in wanted}
    for held in (wanted, found):
        held["dots"] = sorted(
            zip(*(held.pop(f"dot_{name}") for name in ("cell", "piece", "rooms")), strict=True)
        )
    for name, value in wanted.items():
        assert found[name] == value, f"{name} of page {p}: {found[name]} instead of {value}"


def read(s: Any, p: int) -> Page:
    """The page in the record, all of which must agree with its pieces."""
    made = Page(SHEET, p)
    for n in range(s.num_pieces[p]):
        made.build(ROOMS[s.piece_room[p, n]], cell_of(int(s.piece_cell[p, n])))
        made.rooms[n].crossed = bool(s.piece_crossed[p, n])
    made.mark, made.hourglasses, made.eyes, made.buildings, ended, made.score = (
        int(s[name][p]) for name in SCALARS
    )
    made.ended = list(ENDS)[ended]
    made.dice = [die for die in range(1, 7) for _ in range(s.dice[p, die - 1])]
    made.filled = dict(zip(ELEMENTS, s.filled[p].tolist(), strict=True))
    check_page(s, p, made)
    return made


def room_words(room: Any) -> str:
    return f"{room.name} {room.base[0]} {room.base[1]}{' x' if room.crossed else ''}"


# Chance: the generator once more.

GAMMA, LAST = 0x9E3779B97F4A7C15, 2**64 - 1


def mixed(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & LAST
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & LAST
    return x ^ (x >> 31)


def thrown(rng: int, count: int) -> list[int]:
    """The next dice of a generator (no draw of six is ever repeated in what is tested here)."""
    return [1 + ((mixed(rng + k * GAMMA & LAST) >> 32) * 6 >> 32) for k in range(1, count + 1)]


def dice_to_come(s: Any, count: int) -> list[int]:
    return thrown(int(s.rng), count)


def rng_of(dice: list[int]) -> int:
    """A state of the generator after which the dice fall like that."""
    return next(rng for rng in range(10**7) if thrown(rng, len(dice)) == dice)


# Positions.


def scene(
    *pages: Page,
    asked: str = "build",
    seat: int = 0,
    building: str = "",
    common: str = "",
    split: int = data.NONE,
    roller: int = 0,
    shared: bool | None = None,
    coming: str = "",
    turn: int = 0,
    **options: Any,
) -> np.record:
    """A position.

    Args:
        building: the room to be placed.
        common: the six common dice, split into groups by ``split``.
        shared: the dice of this round are common, as they are where neither page has ended.
        coming: the next dice to fall.
    """
    s = GAME.new_state(len(pages), **options)[0]
    GAME.reset(s, np.uint64(20080101))
    s.num_events = 0
    s.events[:] = 0
    for p, made in enumerate(pages):
        put(s, p, made)
    s.phase = state.PHASES.index(asked)
    s.seat, s.roller, s.turn, s.split = seat, roller, turn, split
    s.common[:] = sorted(numbers(common)) or 0
    s.building = ROOMS.index(building) if building else data.NONE
    both = len(pages) == 2 and not any(made.ended for made in pages)
    s.shared = both if shared is None else shared
    s.thrown = asked != "predict"
    if coming:
        s.rng = rng_of(numbers(coming))
    for p in range(len(pages)):
        read(s, p)
    return s


def view(s: Any) -> dict[str, Any]:
    """Every field of the record that means anything, in words; of two pages as ``mark_1``."""
    count = int(s.num_players)
    over = s.over != 0
    seen = {
        "rng": int(s.rng),
        "to_move": int(s.seat),
        "over": int(s.over),
        "turn": int(s.turn),
        "stage": int(s.stage),
        "asked": "" if over else state.PHASES[s.phase],
        "building": "" if s.building == data.NONE else ROOMS[s.building],
        "split": int(s.split),
        "common": said(s.common if s.common.any() else []),
        "roller": int(s.roller) if count == 2 and not over else NOBODY,
        "shared": bool(s.shared),
        "thrown": bool(s.thrown),
        "rewards": [round(float(r), 4) for r in s.rewards[:count]],
        "returns": [round(float(r), 4) for r in s.returns[:count]],
        "terminated": s.terminated[:count].tolist(),
        "truncated": s.truncated[:count].tolist(),
        "config": GAME.config(s),
        "events": log(s),
    }
    for p in range(count):
        made = read(s, p)
        suffix = "" if count == 1 else f"_{p}"
        seen |= {
            f"rooms{suffix}": [room_words(room) for room in made.rooms],
            f"mark{suffix}": made.mark,
            f"dice{suffix}": said(made.dice),
            f"filled{suffix}": said(made.filled.values()),
            f"hourglasses{suffix}": made.hourglasses,
            f"eyes{suffix}": made.eyes,
            f"bonus{suffix}": made.buildings,
            f"ended{suffix}": made.ended,
            f"score{suffix}": made.score,
        }
    return seen


def legal_ids(s: Any) -> list[int]:
    mask = np.full(GAME.num_actions, 7, np.int8)
    GAME.legal(s, mask)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def legal(s: Any) -> set[str]:
    """The legal actions in words."""
    return {GAME.action_text(s, action) for action in legal_ids(s)}


def uses(s: Any) -> set[str]:
    """The legal uses of dice: "3", "3 Library", "3 Stairwell"; "reroll 3", "keep"."""
    short = {"room": "{}", "library": "{} Library", "stairwell": "{} Stairwell"}
    short |= {"reroll": "reroll {}", "keep": "keep"}
    found = (GAME.actions.locate(action) for action in legal_ids(s))
    return {short[block].format(place[-1] + 1) for block, place in found}


def cells(s: Any) -> set[tuple[int, int]]:
    """Where the piece may be built: (column, row)."""
    ids = np.array(legal_ids(s), int) - state.A_CELL
    assert ((ids >= 0) & (ids < data.CELLS)).all()
    return {(int(cell) % SHEET.columns, int(cell) // SHEET.columns) for cell in ids}


def do(s: Any, action: str) -> list[tuple]:
    """Takes the action; returns the events."""
    chosen = GAME.parse_action(s, action)
    assert chosen in legal_ids(s), f"{action} is not legal, {legal(s)} are"
    GAME.step(s, chosen)
    return log(s)


def act(s: Any, action: str, **expected: Any) -> None:
    """Takes the action; fails unless the record is then as before but for what is expected.

    ``rng`` is how many dice fall; ``adds`` are rooms built; events are always to be named.
    """
    before = view(s)
    fallen = expected.pop("rng", 0)
    for name in [name for name in expected if name.startswith("adds")]:
        rooms = name.replace("adds", "rooms")
        expected[rooms] = [*expected.get(rooms, before[rooms]), *expected.pop(name)]
    wanted = before | {"rng": before["rng"] + fallen * GAMMA & LAST, "events": None} | expected
    do(s, action)
    found = view(s)
    wrong = [
        f"{name}: {found[name]}, expected {wanted[name]}"
        for name in found
        if found[name] != wanted[name]
    ]
    assert not wrong and wanted.keys() == found.keys(), f"after {action}:\n" + "\n".join(wrong)


# Events, as the slow model words them: seat, what, and what about it.


def digits(number: int) -> list[int]:
    return [int(digit) for digit in str(number)] if number else []


def cell_of(number: int) -> tuple[int, int]:
    return number % data.COLUMNS, number // data.COLUMNS


def room_of(number: int, none: str = "ground") -> str:
    return none if number == data.NONE else [*ROOMS, "Explosion"][number]


WORDINGS = {
    state.E_LOT: lambda a, b, c: ("lot",),
    state.E_SETUP: lambda a, b, c: ("setup", digits(a), b),
    state.E_DICE: lambda a, b, c: ("dice", digits(a)),
    state.E_COMMON: lambda a, b, c: ("common", digits(a) + digits(b)),
    state.E_SPLIT: lambda a, b, c: ("split", digits(a), digits(b)),
    state.E_GROUP: lambda a, b, c: ("group", a, digits(b), digits(c)),
    state.E_USE: lambda a, b, c: ("use", a, b, room_of(c)),
    state.E_BUILD: lambda a, b, c: ("build", room_of(a), cell_of(b), room_of(c)),
    state.E_COPY: lambda a, b, c: ("copy", None if a == data.NONE else ICONS[a]),
    state.E_POINTS: lambda a, b, c: ("points", room_of(a), b),
    state.E_DUD: lambda a, b, c: ("dud",),
    state.E_CROSS: lambda a, b, c: ("cross", ICONS[a], room_of(b), cell_of(c)),
    state.E_REROLL: lambda a, b, c: ("reroll", a, b),
    state.E_KEEP: lambda a, b, c: ("keep",),
    state.E_HOUR: lambda a, b, c: ("hour", a),
    state.E_EYE: lambda a, b, c: ("eye", a, digits(b)),
    state.E_FILL: lambda a, b, c: ("fill", digits(a)),
    state.E_END: lambda a, b, c: ("end", list(ENDS)[a]),
    state.E_SCORE: lambda a, b, c: ("score", a),
}


def log(s: Any) -> list[tuple]:
    found = []
    assert s.num_events <= len(s.events)
    for code, viewer, seat, *rest in s.events[: s.num_events].tolist():
        assert viewer == ALL
        found.append((seat, *WORDINGS[code](*rest)))
    return found
