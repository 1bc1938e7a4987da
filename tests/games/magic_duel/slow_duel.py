"""Magic Duel once more, slowly, from RULES.md: a referee for the compiled rules.

Nothing is shared with ``mages_env``. The game is told as a story: ``Duel.play`` goes through turns
and actions and yields a ``Question`` wherever somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from .slow_board import ALL, OBSTACLES, beside, distance, reachable, sees

Square = tuple[int, int]


@dataclass(frozen=True)
class Profile:
    name: str
    at: Square
    models: int
    hit_points: int
    move: int
    run: int
    combat_dice: int
    attack_skill: int
    defence_bonus: int
    strength: int
    target: int
    armour: int
    magic_resistance: int
    endurance: int
    morale: int
    bow: int
    victory_points: int
    mage: bool = False


@dataclass(frozen=True)
class Spell:
    name: str
    difficulty: int
    at_enemies: bool
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Numbers:
    """What the rules leave to the scenario."""

    units: tuple[Profile, ...] = (
        Profile("wizard 1", (2, 0), 1, 8, 2, 3, 2, 4, 1, 0, 7, 6, 1, 5, 10, 0, 4, True),
        Profile("wizard 2", (6, 0), 1, 8, 2, 3, 2, 4, 1, 0, 7, 6, 1, 5, 10, 0, 4, True),
        Profile("archers", (4, 0), 4, 1, 2, 3, 1, 4, 1, 0, 6, 4, 0, 5, 9, 5, 2),
        Profile("warriors", (3, 1), 5, 2, 2, 3, 2, 5, 2, 0, 6, 5, 0, 5, 10, 0, 3),
        Profile("guard", (5, 1), 4, 2, 2, 3, 2, 6, 2, 1, 6, 7, 1, 5, 11, 0, 4),
    )
    wizards: int = 2
    spells: tuple[Spell, ...] = (
        Spell("Magic Missile", 6, True, (1, 2, 3, 4)),
        Spell("Healing", 4, False, (1, 2, 3)),
        Spell("Energy", 5, False, (2, 4, 8)),
        Spell("Drain Energy", 5, True, (2, 4, 8)),
        Spell("Combat Prowess", 7, False, (1, 2)),
        Spell("Unnatural Speed", 7, False, (2, 3, 4)),
    )
    obstacles: dict[int, tuple[Square, ...]] = field(default_factory=lambda: OBSTACLES)
    nexus: Square = (4, 4)
    nexus_reach: int = 1
    nexus_points: int = 1
    turns: int = 6
    action_tokens: int = 8
    action_fatigue: int = 1
    run_fatigue: int = 3
    combat_fatigue: int = 1
    reaction_fatigue: int = 1
    recovery: int = 2
    fatigue_cap: int = 1
    first_power_tokens: int = 4
    gathered: int = 4
    most_power_tokens: int = 4
    spell_range: int = 7

    @classmethod
    def of(cls, data: Any) -> Numbers:
        """The numbers of a module like ``data``."""
        names = {f.name for f in fields(Profile)}
        units = tuple(
            Profile(**{k: v for k, v in unit._asdict().items() if k in names})
            for unit in data.UNITS
        )
        spells = tuple(Spell(*spell) for spell in data.SPELLS)
        obstacles = {count: tuple(squares) for count, squares in data.OBSTACLES.items()}
        rest = {f.name: f.name.upper() for f in fields(cls)}
        for known in ("units", "wizards", "spells", "obstacles"):
            del rest[known]
        return cls(
            units=units,
            wizards=data.SCENARIOS["wizards"],
            spells=spells,
            obstacles=obstacles,
            **{name: getattr(data, constant) for name, constant in rest.items()},
        )


class Dice:
    """splitmix64 from a seed, and D10 from its upper halves (Lemire)."""

    def __init__(self, seed: int) -> None:
        self.state = self._mixed((seed + 0x9E3779B97F4A7C15) % 2**64)

    @staticmethod
    def _mixed(x: int) -> int:
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return x ^ (x >> 31)

    def roll(self) -> int:
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
            product = (self._mixed(self.state) >> 32) * 10
            if product % 2**32 >= 2**32 % 10:
                return product // 2**32 + 1


@dataclass(eq=False)
class Unit:
    profile: Profile
    side: int
    square: Square
    pool: int
    cap: int = 0
    fatigue: int = 0
    broken: bool = False
    morale: int = 0
    prowess: int = 0
    speed: int = 0
    power: int = 0

    @property
    def models(self) -> int:
        return -(-self.pool // self.profile.hit_points)

    @property
    def tired(self) -> bool:
        return self.fatigue >= self.profile.endurance

    @property
    def at_half(self) -> bool:
        p = self.profile
        if p.models == 1:
            return Fraction(self.pool, p.hit_points) <= Fraction(1, 2)
        return Fraction(self.models, p.models) <= Fraction(1, 2)

    @property
    def combat_dice(self) -> int:
        return self.profile.combat_dice * self.models + self.prowess


@dataclass
class Side:
    number: int
    units: list[Unit] = field(default_factory=list)
    tokens: int = 0
    passed: bool = False
    points: int = 0
    out: bool = False
    paid: Fraction = Fraction(0)

    @property
    def can_act(self) -> bool:
        return not self.out and not self.passed and self.tokens > 0


@dataclass(frozen=True)
class Question:
    seat: int
    phase: str
    options: frozenset


class Duel:
    """One game. ``log`` is what happened since somebody decided, as (viewer or None, ...)."""

    def __init__(
        self,
        dice: Dice,
        num_players: int = 2,
        scenario: str = "nexus",
        counter_fatigue: int = 1,
        reward: str = "rank",
        numbers: Numbers | None = None,
    ) -> None:
        self.dice = dice
        self.n = num_players
        self.counter_fatigue, self.reward = counter_fatigue, reward
        self.numbers = numbers or Numbers()
        self.obstacles = self.numbers.obstacles[num_players]
        self.log: list[tuple] = []
        self.turn = 0
        self.holder: int | None = None
        self.over = False
        self.action: dict[str, Any] = {}
        self.sides = [Side(number) for number in range(num_players)]
        quarters = {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}[num_players]
        profiles = self.numbers.units
        if scenario == "wizards":
            profiles = profiles[: self.numbers.wizards]
        for side, turns in zip(self.sides, quarters, strict=True):
            for p in profiles:
                unit = Unit(p, side.number, self.turned(p.at, turns), p.models * p.hit_points)
                unit.power = self.numbers.first_power_tokens if p.mage else 0
                side.units.append(unit)

    @staticmethod
    def turned(square: Square, quarters: int) -> Square:
        """Clockwise: south to west, west to north."""
        x, y = square
        for _ in range(quarters):
            x, y = y, 8 - x
        return x, y

    # Who and where.

    def tell(self, *what: Any, viewer: int | None = None) -> None:
        self.log.append((viewer, *what))

    def everybody(self) -> list[Unit]:
        return [unit for side in self.sides for unit in side.units]

    def enemies(self, side: int) -> list[Unit]:
        return [unit for unit in self.everybody() if unit.side != side]

    def clockwise(self, after: int) -> list[Side]:
        return [self.sides[(after + k) % self.n] for k in range(1, self.n)]

    def sees(self, a: Square, b: Square) -> bool:
        return sees(a, b, self.obstacles)

    def ways(self, unit: Unit, steps: int) -> set[Square]:
        taken = {other.square for other in self.everybody() if other is not unit}
        return reachable(unit.square, steps, taken | set(self.obstacles))

    # Dice and what they do to units.

    def d10(self, count: int) -> list[int]:
        return [self.dice.roll() for _ in range(count)]

    def roll(self, purpose: str, side: int, count: int, needed: int) -> int:
        """How many of the dice are at least ``needed``."""
        dice = self.d10(count)
        if dice:
            self.tell("dice", side, purpose, needed, dice)
        return sum(die >= needed for die in dice)

    def tire(self, unit: Unit, fatigue: int) -> None:
        most = self.numbers.fatigue_cap * unit.profile.endurance
        unit.fatigue = min(max(unit.fatigue + fatigue, 0), most)

    def breaks(self, unit: Unit) -> None:
        unit.broken = True
        self.tell("broken", unit.side, unit.profile.name)

    def test_morale(self, unit: Unit) -> None:
        if not unit.at_half or unit.broken:
            return
        [die] = self.d10(1)
        self.tell("morale", unit.side, unit.profile.name, die, unit.morale)
        if die + unit.morale >= unit.profile.morale:
            self.breaks(unit)

    def hurt(self, unit: Unit, wounds: int, by: int) -> None:
        if not wounds:
            return
        before, lost = unit.models, min(wounds, unit.pool)
        unit.pool -= lost
        self.tell("wounds", unit.side, unit.profile.name, lost, unit.pool)
        if unit.pool == 0:
            self.sides[by].points += unit.profile.victory_points
            self.sides[unit.side].units.remove(unit)
            worth = unit.profile.victory_points
            self.tell("destroyed", unit.side, unit.profile.name, by, worth)
        elif unit.models < before:
            unit.morale += before - unit.models
            fallen = before - unit.models
            self.tell("models", unit.side, unit.profile.name, fallen, unit.morale)

    def goes(self, unit: Unit, to: Square) -> None:
        self.tell("move", unit.side, unit.profile.name, unit.square, to)
        unit.square = to

    # The game.

    def play(self) -> Iterator[Question]:
        for turn in range(self.numbers.turns):
            self.begin_turn(turn)
            assert self.holder is not None
            active: int | None = self.holder
            while active is not None:
                yield from self.one_action(self.sides[active])
                self.action = {}
                self.settle(last=False)
                if self.over:
                    return
                able = [s.number for s in self.clockwise(active) if s.can_act]
                if self.sides[active].can_act:
                    able.append(active)
                active = able[0] if able else None
            self.end_turn()
        self.settle(last=True)

    def begin_turn(self, turn: int) -> None:
        for side in self.sides:
            side.tokens = 0 if side.out else self.numbers.action_tokens
            side.passed = side.out
            for unit in side.units:
                unit.cap = unit.models * unit.profile.hit_points
        self.roll_initiative()
        self.tell("turn", self.holder, turn)

    def roll_initiative(self) -> None:
        leaders = [side.number for side in self.sides if not side.out]
        rolls: list[dict[int, int]] = []
        while len(leaders) > 1:
            dice = dict(zip(leaders, self.d10(len(leaders)), strict=True))
            rolls.append(dice)
            leaders = [side for side in leaders if dice[side] == max(dice.values())]
            if self.holder in leaders:
                leaders = [self.holder]
        self.holder = leaders[0]
        for number, dice in enumerate(rolls, 1):
            if number in (1, 2, len(rolls)):  # no more are told
                for side, die in dice.items():
                    self.tell("initiative", side, die, number)

    def end_turn(self) -> None:
        near = set()
        for unit in self.everybody():
            self.tire(unit, -self.numbers.recovery)
            unit.prowess = unit.speed = 0
            reach = self.numbers.nexus_reach
            if not unit.broken and distance(unit.square, self.numbers.nexus) <= reach:
                near.add(unit.side)
        self.tell("turn end", None, self.turn)
        if len(near) == 1:
            [side] = near
            self.sides[side].points += self.numbers.nexus_points
            self.tell("nexus", side, self.numbers.nexus_points, self.sides[side].points)
        self.turn += 1

    def settle(self, last: bool) -> None:
        """Who is out, and what that pays."""
        playing = [side for side in self.sides if not side.out]
        gone = [side for side in playing if not side.units]
        if last or len(playing) - len(gone) <= 1:
            self.over = True
        leaving = playing if self.over else gone
        if not leaving:
            return
        if self.reward == "score":
            worth = sum(p.victory_points for p in self.numbers.units)
            most = (self.n - 1) * worth + self.numbers.turns * self.numbers.nexus_points
            for side in leaving:
                others = [other.points for other in self.sides if other is not side]
                side.paid = (side.points - Fraction(sum(others), len(others))) / most
        else:
            # Best first: who has units, then by points; those that left before are behind.
            values = {side.number: (bool(side.units), side.points) for side in playing}
            order = sorted(values.values(), reverse=True)
            for side in leaving:
                mine = values[side.number]
                places = [place for place, value in enumerate(order) if value == mine]
                place = Fraction(sum(places), len(places))
                side.paid = 1 - 2 * place / (self.n - 1)
        for side in gone:
            side.out, side.passed, side.tokens = True, True, 0
            self.tell("out", side.number)

    # Actions.

    def one_action(self, side: Side) -> Iterator[Any]:
        chosen = yield self.ask(side.number, "activate", self.activations(side))
        if chosen == ("pass",):
            side.passed = True
            self.tell("pass", side.number)
            return
        _, name, deed = chosen
        [unit] = [unit for unit in side.units if unit.profile.name == name]
        side.tokens -= 1
        more = self.numbers.run_fatigue if deed == "run" else self.numbers.action_fatigue
        self.tire(unit, more)
        self.tell("activate", side.number, name, deed, side.tokens)
        self.action = {"unit": (side.number, name), "deed": deed}
        if deed in ("move", "run"):
            steps = self.steps(unit, deed)
            options = {("to", square) for square in self.ways(unit, steps)}
            _, to = yield self.ask(side.number, "destination", options)
            self.goes(unit, to)
        elif deed == "shoot":
            yield from self.shoot(unit)
        elif deed == "charge":
            yield from self.charge(unit)
        elif deed == "cast":
            yield from self.cast(unit)
        elif deed == "gather power":
            unit.power = min(unit.power + self.numbers.gathered, self.numbers.most_power_tokens)
            self.tell("gather", side.number, name, unit.power)
        else:
            [die] = self.d10(1)
            if die + unit.morale < unit.profile.morale:
                unit.broken = False
            self.tell("rally", side.number, name, die, unit.morale)

    def ask(self, seat: int, phase: str, options: set) -> Question:
        assert options
        return Question(seat, phase, frozenset(options))

    def steps(self, unit: Unit, deed: str) -> int:
        return (unit.profile.move if deed == "move" else unit.profile.run) + unit.speed

    def activations(self, side: Side) -> set:
        found: set = {("pass",)}
        for unit in side.units:
            deeds = []
            if unit.tired:
                continue
            if unit.broken:
                deeds.append("rally")
            else:
                if self.ways(unit, 1):
                    deeds += ["move", "run"]
                if self.shot_targets(unit):
                    deeds.append("shoot")
                if self.charge_targets(unit):
                    deeds.append("charge")
                if unit.profile.mage:
                    deeds.append("cast")  # Energy on itself, if nothing else
                    if unit.power < self.numbers.most_power_tokens:
                        deeds.append("gather power")
            found |= {("act", unit.profile.name, deed) for deed in deeds}
        return found

    def in_bowshot(self, unit: Unit, square: Square) -> bool:
        bow = unit.profile.bow
        near = distance(unit.square, square) <= bow
        return bow > 0 and near and self.sees(unit.square, square)

    def shot_targets(self, unit: Unit) -> list[Unit]:
        return [e for e in self.enemies(unit.side) if self.in_bowshot(unit, e.square)]

    def charge_squares(self, unit: Unit, enemy: Unit) -> set[Square]:
        return self.ways(unit, self.steps(unit, "run")) & set(beside(enemy.square))

    def charge_targets(self, unit: Unit) -> list[Unit]:
        return [
            enemy
            for enemy in self.enemies(unit.side)
            if self.sees(unit.square, enemy.square)
            and (distance(unit.square, enemy.square) == 1 or self.charge_squares(unit, enemy))
        ]

    def aim(self, unit: Unit, targets: list[Unit]) -> Iterator[Any]:
        options = {("target", t.side, t.profile.name) for t in targets}
        _, side, name = yield self.ask(unit.side, "target", options)
        [target] = [t for t in targets if (t.side, t.profile.name) == (side, name)]
        self.tell("target", unit.side, side, name)
        self.action["target"] = (side, name)
        return target

    # Shooting.

    def shot(self, unit: Unit, target: Unit) -> int:
        hits = self.roll("hit", unit.side, unit.models, target.profile.target)
        return self.roll("wound", unit.side, hits, target.profile.armour)

    def reaction(self, actor: Unit, target: Unit) -> Iterator[Any]:
        """Whether the target shoots back; asked only if it can."""
        able = not target.tired and not target.broken and self.in_bowshot(target, actor.square)
        if not able:
            return False
        options = {("pass",), ("shoot back",)}
        chosen = yield self.ask(target.side, "react", options)
        if chosen == ("pass",):
            self.tell("no reaction", target.side, target.profile.name)
            return False
        self.tell("react", target.side, target.profile.name)
        self.tire(target, self.numbers.reaction_fatigue)
        return True

    def shoot(self, unit: Unit) -> Iterator[Any]:
        target = yield from self.aim(unit, self.shot_targets(unit))
        met = yield from self.reaction(unit, target)
        wounds = back = 0
        if met:
            self.test_morale(unit)
        if not unit.broken:
            wounds = self.shot(unit, target)
        if met:
            back = self.shot(target, unit)
        self.hurt(target, wounds, unit.side)
        self.hurt(unit, back, target.side)

    # Charging.

    def charge(self, unit: Unit) -> Iterator[Any]:
        target = yield from self.aim(unit, self.charge_targets(unit))
        goal = unit.square
        far = distance(unit.square, target.square) > 1
        if far:
            squares = self.charge_squares(unit, target)
            goal = min(squares)
            if len(squares) > 1:
                options = {("to", square) for square in squares}
                _, goal = yield self.ask(unit.side, "charge square", options)
                self.tell("charge", unit.side, unit.profile.name, goal)
        self.action["goal"] = goal
        self.test_morale(unit)
        if unit.broken:
            return
        if target.tired and not target.broken:
            self.breaks(target)
        else:
            self.test_morale(target)
        if far and (yield from self.reaction(unit, target)):
            self.hurt(unit, self.shot(target, unit), target.side)
            if unit.pool == 0:
                return
        if far:
            self.goes(unit, goal)
        yield from self.combat(unit, target)

    def combat(self, unit: Unit, target: Unit) -> Iterator[Any]:
        attacks = {}
        for one, phase in ((unit, "split of the charger"), (target, "split of the charged")):
            if one.broken:
                attacks[one] = 0
                continue
            options = {("dice", n) for n in range(one.combat_dice + 1)}
            _, attacks[one] = yield self.ask(one.side, phase, options)
            if one is unit and not target.broken:
                self.tell("split made", one.side)
                self.tell(*self.split(one, attacks[one]), viewer=one.side)
                self.action["attack"] = attacks[one]
        defences = {one: one.combat_dice - attacks[one] for one in attacks}
        for one in attacks:
            self.tell(*self.split(one, attacks[one]))
        pairs = ((unit, target), (target, unit))
        left = dict(attacks)
        for one, other in pairs:
            needed = other.profile.attack_skill - one.profile.defence_bonus
            parried = self.roll("defence", one.side, defences[one], needed)
            left[other] = max(0, left[other] - parried)
        wounds = {}
        for one, other in pairs:
            needed = other.profile.armour - one.profile.strength
            wounds[other] = self.roll("attack", one.side, left[one], needed)
        for one in attacks:
            self.tire(one, self.numbers.combat_fatigue)
        self.hurt(target, wounds[target], unit.side)
        self.hurt(unit, wounds[unit], target.side)

    def split(self, unit: Unit, attack: int) -> tuple:
        return "split", unit.side, unit.profile.name, attack, unit.combat_dice - attack

    # Casting.

    def spell_targets(self, mage: Unit, spell: Spell) -> list[Unit]:
        return [
            unit
            for unit in self.everybody()
            if (unit.side != mage.side) == spell.at_enemies
            and distance(mage.square, unit.square) <= self.numbers.spell_range
            and self.sees(mage.square, unit.square)
            and self.could_do_something(spell, unit)
        ]

    def could_do_something(self, spell: Spell, unit: Unit) -> bool:
        most = max(spell.rows)
        return {
            "Magic Missile": True,
            "Healing": unit.pool < unit.cap,
            "Energy": unit.fatigue > 0,
            "Drain Energy": unit.fatigue < self.numbers.fatigue_cap * unit.profile.endurance,
            "Combat Prowess": unit.prowess < 10 * most,
            "Unnatural Speed": unit.speed < most,
        }[spell.name]

    def cast(self, mage: Unit) -> Iterator[Any]:
        spells = {spell.name: spell for spell in self.numbers.spells}
        options = {("spell", n) for n, spell in spells.items() if self.spell_targets(mage, spell)}
        _, name = yield self.ask(mage.side, "spell", options)
        spell = spells[name]
        self.action["spell"] = name
        self.tell("spell", mage.side, mage.profile.name, name)
        target = yield from self.aim(mage, self.spell_targets(mage, spell))
        options = {("tokens", n) for n in range(mage.power + 1)}
        _, spent = yield self.ask(mage.side, "casting tokens", options)
        mage.power -= spent
        self.action["casting"] = 1 + spent
        self.tell("tokens", mage.side, mage.profile.name, spent)
        side, counter_dice = yield from self.counter(mage, target)
        casting = self.d10(1 + spent)
        threshold = spell.difficulty + target.profile.magic_resistance
        self.tell("dice", mage.side, "casting", threshold, casting)
        counter = self.d10(counter_dice)
        if counter:
            self.tell("dice", side, "counter", 0, counter)
        left = dict(enumerate(casting))
        for die in sorted(counter, reverse=True):
            lower = [k for k in left if left[k] <= die]
            if lower:  # the first of the highest
                del left[max(lower, key=lambda k: (left[k], -k))]
        power = sum(die >= threshold for die in left.values())
        cancelled = sorted(set(range(1 + spent)) - set(left))
        self.tell("power", mage.side, power, cancelled, name)
        if power:
            self.take_effect(mage, spell, spell.rows[min(power, len(spell.rows)) - 1], target)

    def counter(self, mage: Unit, target: Unit) -> Iterator[Any]:
        for side in self.clockwise(mage.side):
            able = [
                unit
                for unit in side.units
                if unit.profile.mage and not unit.tired and not unit.broken
                if self.sees(unit.square, mage.square) or self.sees(unit.square, target.square)
            ]
            if not able:
                continue
            options: set = {("pass",)}
            for unit in able:
                options |= {("counter", unit.profile.name, n) for n in range(unit.power + 1)}
            chosen = yield self.ask(side.number, "counter", options)
            if chosen == ("pass",):
                self.tell("no counter", side.number)
                continue
            _, name, spent = chosen
            [unit] = [unit for unit in able if unit.profile.name == name]
            unit.power -= spent
            self.tire(unit, self.counter_fatigue)
            self.tell("counter", side.number, name, spent)
            return side.number, 1 + spent
        return None, 0

    def take_effect(self, mage: Unit, spell: Spell, row: int, target: Unit) -> None:
        who = (target.side, target.profile.name)
        if spell.name == "Magic Missile":
            hits = self.sum_of("missiles", mage.side, row, halved=True)
            self.hurt(target, self.roll("wound", mage.side, hits, target.profile.armour), mage.side)
        elif spell.name == "Healing":
            before = target.pool
            target.pool += self.sum_of("healing", mage.side, row, halved=True)
            target.pool = min(target.pool, target.cap)
            self.tell("healed", *who, target.pool - before, target.pool)
        elif spell.name == "Combat Prowess":
            dice = self.sum_of("prowess", mage.side, row, halved=False)
            target.prowess = max(target.prowess, dice)
            self.tell("prowess", *who, target.prowess)
        elif spell.name == "Unnatural Speed":
            target.speed = max(target.speed, row)
            self.tell("speed", *who, target.speed)
        else:
            self.tire(target, row if spell.name == "Drain Energy" else -row)
            self.tell("fatigue", *who, spell.name, target.fatigue)

    def sum_of(self, purpose: str, side: int, count: int, halved: bool) -> int:
        dice = self.d10(count)
        self.tell("dice", side, purpose, 0, dice)
        return sum(-(-die // 2) if halved else die for die in dice)


assert len(ALL) == 81
