"""Tower of Mages once more, slowly, from RULES.md: a referee for the compiled rules.

Plain objects, nothing shared with ``mages_env``, the sheet written out anew. A game is a script
that stops wherever a player is asked. Chance is told by whoever calls.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

ELEMENTS = ("Light", "Fire", "Air", "Water", "Earth", "Dark")
ICONS = (*ELEMENTS, "Predictor", "Distorter")

SHAPES = """
Light        (0,0) (0,1)                | (0,1)
Fire         (0,0) (0,1) (1,1)          | (1,1)
Air          (0,0) (0,1) (-1,1) (1,1)   | (-1,1) (1,1)
Water        (0,0) (1,0) (1,1)          | (1,1)
Earth        (0,0) (1,0) (0,1) (1,1)    | (0,1) (1,1)
Dark         (0,0) (0,1) (-1,1)         | (-1,1)
Laboratory   (0,0) (0,1)                | (0,1)
Predictor    (0,0) (-1,0)               | (-1,0)
Distorter    (0,0) (1,0)                | (1,0)
Tower Cap    (0,0) (0,1)                |
Observatory  (0,0) (-1,1) (0,1) (1,1)   |
Library      (0,0) (1,0) (0,1) (1,1)    | (0,1)
Stairwell    (0,0) (-1,0) (1,0)         | (-1,0) (1,0)
"""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """Cells from the base cell; top dots by the cells they sit on."""

    cells: tuple[Cell, ...]
    dots: tuple[Cell, ...]


def shapes(table: str) -> dict[str, Shape]:
    found = {}
    for line in table.strip().splitlines():
        name, _, rest = line.partition("  ")
        cells, dots = (
            tuple(tuple(int(n) for n in pair.strip("()").split(",")) for pair in part.split())
            for part in rest.split("|")
        )
        found[name] = Shape(cells, dots)
    return found


@dataclass(frozen=True)
class Sheet:
    columns: int = 13
    rows: int = 15
    ground: tuple[int, ...] = (3, 6, 9)
    shapes: dict[str, Shape] = field(default_factory=lambda: shapes(SHAPES))
    table: tuple[str, ...] = (
        *("Light", "Fire", "Air", "Water", "Earth", "Dark", "Explosion", "Laboratory"),
        *("Predictor", "Distorter", "Tower Cap", "Observatory", "Explosion"),
    )
    market: tuple[int, ...] = (-2, -1, 0, 1, 2, 1, 0, -1, -2)
    hourglasses: int = 15
    eyes: tuple[int, ...] = (2, 4, 6, 8, 10, 12, 14)


@dataclass(eq=False)
class Room:
    name: str
    base: Cell
    below: Room | None
    icon: str | None
    crossed: bool = False

    def down(self) -> list[Room]:
        """The rooms between this one and the ground."""
        return [] if self.below is None else [self.below, *self.below.down()]


class Ended(Exception):
    """The page is over."""


class Page:
    def __init__(self, sheet: Sheet, seat: int = 0):
        self.sheet, self.seat = sheet, seat
        self.rooms: list[Room] = []
        self.owners: dict[Cell, Room] = {}
        self.filled = dict.fromkeys(ELEMENTS, 0)
        self.mark = self.hourglasses = self.eyes = self.buildings = 0
        self.dice: list[int] = []
        self.ended = ""
        self.score: int | None = None

    # The plan.

    def cells(self, name: str, base: Cell) -> list[Cell]:
        return [(base[0] + x, base[1] + y) for x, y in self.sheet.shapes[name].cells]

    def dots(self) -> dict[Cell, Room | None]:
        """Cells right above free dots, with the room whose dot it is (None: the ground's)."""
        found: dict[Cell, Room | None] = {(x, 0): None for x in self.sheet.ground}
        for room in self.rooms:
            for x, y in self.sheet.shapes[room.name].dots:
                found[room.base[0] + x, room.base[1] + y + 1] = room
        return {
            cell: room
            for cell, room in found.items()
            if cell not in self.owners and cell[1] < self.sheet.rows
        }

    def places(self, name: str) -> set[Cell]:
        return {
            base
            for base, below in self.dots().items()
            if (below is None or below.name != name)
            and all(
                0 <= x < self.sheet.columns
                and 0 <= y < self.sheet.rows
                and (x, y) not in self.owners
                for x, y in self.cells(name, base)
            )
        }

    def build(self, name: str, base: Cell) -> Room:
        """The piece alone, without its effect."""
        below = self.dots()[base]
        icon = name if name in ICONS else None
        if name == "Laboratory" and below is not None:
            icon = below.icon
        room = Room(name, base, below, icon)
        self.rooms.append(room)
        self.owners.update(dict.fromkeys(self.cells(name, base), room))
        return room

    # Icons and points.

    def working(self, icon: str) -> list[Room]:
        return [room for room in self.rooms if room.icon == icon and not room.crossed]

    def cross_out(self, icon: str) -> Room:
        room = self.working(icon)[0]
        room.crossed = True
        return room

    def value(self, element: str) -> int:
        return self.sheet.market[self.filled[element]]

    def fill(self, dice: list[int]) -> None:
        for die in dice:
            element = ELEMENTS[die - 1]
            self.filled[element] = min(self.filled[element] + 1, len(self.sheet.market) - 1)

    def points(self) -> int:
        scoring = [room.icon for room in self.rooms if room.icon in ELEMENTS and not room.crossed]
        return self.buildings + sum(self.value(icon) for icon in scoring)


@dataclass(frozen=True)
class Asked:
    seat: int
    what: str
    options: frozenset


class Chance:
    """Dice and the lot, in order, each with the seat they fall for."""

    def __init__(self) -> None:
        self.coming: list[tuple[int, list[int]]] = []

    def tell(self, falls: list[tuple[int, list[int]]]) -> None:
        assert not self.coming, f"never thrown: {self.coming}"
        self.coming = list(falls)

    def next(self, seat: int, count: int) -> list[int]:
        assert self.coming, f"seat {seat} throws dice that were not told"
        told, dice = self.coming.pop(0)
        assert (told, len(dice)) == (seat, count), f"seat {seat} throws {count}, not {told, dice}"
        return sorted(dice)

    def lot(self) -> int:
        return self.coming.pop(0)[0]


Script = Generator[Asked | None, tuple, None]
KEEP, PREDICTOR = ("keep",), ("predictor",)


def splits(dice: list[int]) -> frozenset:
    """All ways to halve them, as ("split", the two groups)."""
    found = set()
    for chosen in combinations(range(len(dice)), len(dice) // 2):
        one = tuple(dice[k] for k in chosen)
        two = tuple(dice[k] for k in range(len(dice)) if k not in chosen)
        found.add(("split", *sorted([one, two])))
    return frozenset(found)


class Table:
    """One game. ``log`` holds what everybody sees of the last action, ``rewards`` what it paid."""

    def __init__(self, num_players: int, reward: str, chance: Chance, sheet: Sheet | None = None):
        self.sheet = sheet or Sheet()
        self.pages = [Page(self.sheet, seat) for seat in range(num_players)]
        self.reward, self.chance = reward, chance
        self.turns = 0
        self.common: list[int] = []
        self.rewards = [Fraction(0)] * num_players
        self.log: list[tuple] = []
        self.script = self.play()
        self.asked: Asked | None = next(self.script)

    def act(self, action: tuple) -> None:
        assert self.asked and action in self.asked.options
        self.log = []
        self.asked = self.script.send(action)

    def tell(self, page: Page, *what: object) -> None:
        self.log.append((page.seat, *what))

    def roll(self, page: Page, count: int = 3) -> list[int]:
        return self.chance.next(page.seat, count)

    # The whole game.

    def play(self) -> Script:
        for page in self.pages:
            dice = self.roll(page)
            page.fill(dice)
            page.mark = self.roll(page, 1)[0] - 1
            self.tell(page, "setup", dice, page.mark)
        roller = 0
        if len(self.pages) == 2:
            roller = self.chance.lot()
            self.tell(self.pages[roller], "lot")
        while left := [page for page in self.pages if not page.ended]:
            if len(left) == 2:
                yield from self.common_round(self.pages[roller], self.pages[1 - roller])
            else:
                yield from self.predictors(left[0])
                left[0].dice = self.roll(left[0])
                self.tell(left[0], "dice", left[0].dice[:])
                yield from self.turn(left[0])
            roller = len(self.pages) - 1 - roller
        self.pay()
        yield None

    def common_round(self, roller: Page, chooser: Page) -> Script:
        yield from self.predictors(roller)
        yield from self.predictors(chooser)
        self.common = self.roll(roller, 6)
        self.tell(roller, "common", self.common)
        _, one, two = yield Asked(roller.seat, "split", splits(self.common))
        self.tell(roller, "split", list(one), list(two))
        options = frozenset({("group", 1), ("group", 2)})
        _, number = yield Asked(chooser.seat, "group", options)
        taken, left = (one, two) if number == 1 else (two, one)
        self.tell(chooser, "group", number, list(taken), list(left))
        self.common = []
        chooser.dice, roller.dice = list(taken), list(left)
        yield from self.turn(chooser)
        yield from self.turn(roller)

    def predictors(self, page: Page) -> Script:
        while page.working("Predictor") and page.eyes < len(self.sheet.eyes):
            action = yield Asked(page.seat, "predict", frozenset({PREDICTOR, KEEP}))
            if action == KEEP:
                self.tell(page, "keep")
                return
            self.cross_out(page, "Predictor")
            yield from self.market_phase(page)

    def turn(self, page: Page) -> Script:
        try:
            yield from self.building_phase(page)
            yield from self.time_phase(page)
        except Ended as end:
            page.ended = str(end)
            page.dice = []
            self.tell(page, "end", page.ended)
            while page.eyes < len(self.sheet.eyes):
                yield from self.market_phase(page)
            page.score = page.points()
            self.tell(page, "score", page.score)
        self.turns += 1

    # Phases.

    def building_phase(self, page: Page) -> Script:
        while page.dice:
            uses = {("use", die, what) for die in page.dice for what in self.uses(page, die)}
            rerolls = self.rerolls(page)
            if not uses and not rerolls:
                raise Ended("nothing")
            options = uses | rerolls | (set() if uses else {KEEP})
            action = yield Asked(page.seat, "build", frozenset(options))
            if action == KEEP:
                self.tell(page, "keep")
                raise Ended("nothing")
            if action[0] == "reroll":
                self.reroll(page, action[1])
                continue
            _, die, what = action
            page.dice.remove(die)
            page.mark = (page.mark + die) % len(self.sheet.table)
            room = self.sheet.table[page.mark] if what == "room" else what
            self.tell(page, "use", die, page.mark, room)
            if room == "Explosion":
                yield from self.explosion(page)
            else:
                yield from self.new_room(page, room)

    def uses(self, page: Page, die: int) -> list[str]:
        row = self.sheet.table[(page.mark + die) % len(self.sheet.table)]
        if row == "Explosion":
            return ["room"]
        found = ["room"] if page.places(row) else []
        if page.places("Library") and all(page.working(element) for element in ELEMENTS):
            found.append("Library")
        if page.places("Stairwell"):
            found.append("Stairwell")
        return found

    def rerolls(self, page: Page) -> set:
        return {("reroll", die) for die in page.dice} if page.working("Distorter") else set()

    def reroll(self, page: Page, die: int) -> None:
        self.cross_out(page, "Distorter")
        page.dice.remove(die)
        (fallen,) = self.roll(page, 1)
        page.dice = sorted([*page.dice, fallen])
        self.tell(page, "reroll", die, fallen)

    def cross_out(self, page: Page, icon: str) -> None:
        room = page.cross_out(icon)
        self.tell(page, "cross", icon, room.name, room.base)

    def explosion(self, page: Page) -> Script:
        options = {("explode", icon) for icon in ICONS if page.working(icon)}
        if not options:
            self.tell(page, "dud")
            return
        action = yield Asked(page.seat, "explode", frozenset(options))
        self.cross_out(page, action[1])

    def new_room(self, page: Page, name: str) -> Script:
        options = {("cell", cell) for cell in page.places(name)}
        _, cell = yield Asked(page.seat, "place", frozenset(options))
        room = page.build(name, cell)
        self.tell(page, "build", name, cell, room.below.name if room.below else "ground")
        if name == "Laboratory":
            self.tell(page, "copy", room.icon)
        elif name == "Tower Cap":
            self.earn(
                page, name, sum(page.value(r.icon) for r in room.down() if r.icon in ELEMENTS)
            )
        elif name == "Observatory":
            self.earn(page, name, len(room.down()) // 3)
        elif name == "Library":
            self.earn(page, name, 10)
            for element in ELEMENTS:
                self.cross_out(page, element)
        if any(y == self.sheet.rows - 1 for _, y in page.cells(name, cell)):
            raise Ended("top")

    def earn(self, page: Page, name: str, points: int) -> None:
        page.buildings += points
        self.tell(page, "points", name, points)

    def time_phase(self, page: Page) -> Script:
        page.hourglasses += 1
        self.tell(page, "hour", page.hourglasses)
        if page.hourglasses == self.sheet.hourglasses:
            raise Ended("time")
        if page.hourglasses in self.sheet.eyes[page.eyes :]:
            yield from self.market_phase(page)

    def market_phase(self, page: Page) -> Script:
        page.eyes += 1
        page.dice = self.roll(page)
        self.tell(page, "eye", page.eyes, page.dice[:])
        while rerolls := self.rerolls(page):
            action = yield Asked(page.seat, "market", frozenset(rerolls | {KEEP}))
            if action == KEEP:
                self.tell(page, "keep")
                break
            self.reroll(page, action[1])
        self.tell(page, "fill", page.dice[:])
        page.fill(page.dice)
        page.dice = []

    # The end.

    def pay(self) -> None:
        scores = [page.points() for page in self.pages]
        if self.reward == "score":
            self.rewards = [Fraction(score, 50) for score in scores]
        else:
            one, two = scores
            lead = (one > two) - (one < two)
            self.rewards = [Fraction(lead), Fraction(-lead)]
