"""What a unit is and what a spell does, from the tables of ``data``."""

from __future__ import annotations

from mages_env.game import nearest
from mages_env.games.magic_duel.data import SPELL_RANGE, SPELLS, UNITS, Spell, Unit
from mages_env.games.magic_duel.state import A_SPELL
from mages_env.games.magic_duel.words import plural

_EFFECTS = (
    "{} x D5 hits, each a wound if a D10 reaches the target's armour",
    "{} x D5 hit points back, at most to those of its models at the start of the turn",
    "{} fatigue less",
    "{} fatigue more, at most until it is fatigued",
    "{} x D10 combat dice more until the turn ends",
    "{} squares further with every move, run and charge until the turn ends",
)
"""Of the spells in their order, MGD-11 to MGD-16."""


def explain(name: str) -> str:
    """Profile of a unit or effect of a spell; a word of the name is enough, in any case.

    Raises:
        ValueError: none is called so; names the nearest.
    """
    texts = {unit.name: _unit_text(unit) for unit in UNITS}
    texts |= {spell.name: _spell_text(spell) for spell in SPELLS}
    wanted = " ".join(name.lower().split())
    found = [known for known in texts if known.lower() == wanted]
    found = found or [known for known in texts if wanted in known.lower().split()]
    if not found:
        hint = nearest(wanted, texts)
        raise ValueError(f"no unit and no spell is called {name.strip()!r}{hint}")
    alike: dict[str, list[str]] = {}
    for known in found:
        alike.setdefault(texts[known], []).append(known)
    return "\n".join(f"{', '.join(names)}: {text}" for text, names in alike.items())


def _unit_text(unit: Unit) -> str:
    """A row of MGD-19."""
    said = [
        f"{plural(unit.models, 'model')} of {plural(unit.hit_points, 'hit point')}",
        f"moves {unit.move}, runs {unit.run} squares",
        f"a bow for {unit.bow} squares" if unit.bow else "no bow",
        f"{plural(unit.combat_dice, 'combat die', 'combat dice')} a model",
        f"attack skill {unit.attack_skill} (what the enemy's defence dice need)",
        f"defence bonus {unit.defence_bonus} (lowers what its own need)",
        f"strength {unit.strength} (lowers the armour it strikes)",
        f"armour {unit.armour} (what wounds it)",
        f"shots hit it with {unit.target}",
        f"magic resistance {unit.magic_resistance}",
        f"fatigued at {unit.endurance}",
        f"morale {unit.morale}",
        plural(unit.victory_points, "victory point"),
    ]
    if unit.mage:
        said.append("casts and counters")
    return ", ".join(said)


def _spell_text(spell: Spell) -> str:
    place = SPELLS.index(spell)
    powers = ", ".join(str(row + 1) for row in range(len(spell.rows)))
    effect = _EFFECTS[place].format(", ".join(map(str, spell.rows)))
    return (
        f"action #{A_SPELL + place}, at {'an enemy' if spell.at_enemies else 'an own'} unit in "
        f"sight within {SPELL_RANGE} squares, difficulty {spell.difficulty} + its magic "
        f"resistance; power {powers} or more: {effect}"
    )
