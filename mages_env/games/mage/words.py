"""Names of cards and players, actions in words and words back to actions."""

from __future__ import annotations

import re
from typing import Any

from mages_env.games.mage.state import (
    A_ATTACH,
    A_ATTACK,
    A_CASH,
    A_DAMAGE,
    A_DONE,
    A_DRAW,
    A_DROP,
    A_DUEL,
    A_HAND_DISCARD,
    A_HEAL,
    A_JOKER,
    A_RETURN,
    A_ROYAL,
    A_TAKE,
    ACTIONS,
    CARD,
    DIAMOND,
    DISCARD,
    FIRST_CARD,
    JOKER,
    KIND,
    RANKS,
    ROYAL,
    SPADE,
    TARGET,
)

_SUITS = "HSCD"
_RANKS = ("A", *map(str, range(2, RANKS + 1)), "J", "Q", "K")
_ROYAL_RANKS = _RANKS[RANKS:]
NAMES = (
    *(rank + suit for suit in _SUITS for rank in _RANKS[:RANKS]),
    *(rank + suit for suit in _SUITS for rank in _ROYAL_RANKS),
    "joker 1",
    "joker 2",
)
"""By card: 7H is the seven of hearts, QS the queen of spades."""

_CARD = {name: card for card, name in enumerate(NAMES)}
_FULL_RANKS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K", "1": "A"} | {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2
    )
}
_SYMBOLS = str.maketrans("♥♠♣♦", "HSCD")
_VERBS = {
    "drop": A_DROP,
    "draw": A_DRAW,
    "cash": A_CASH,
    "heal": A_HEAL,
    "damage": A_DAMAGE,
    "return": A_RETURN,
    "take": A_TAKE,
    "attack": A_ATTACK,
    "attacks": A_ATTACK,
    "duel": A_DUEL,
    "duels": A_DUEL,
    "done": A_DONE,
    "pass": A_DONE,
    "end": A_DONE,
}
_PLAY = {"play", "put", "attach", "arm", "curse", "use", "destroy"}
_FILLERS = {
    *("the", "a", "an", "and", "to", "on", "with", "my", "card", "from", "into", "of", "for", "by"),
    *("turn", "phase", "mine", "abyss", "royal", "it", "its", "value", ",", ".", "!", ":"),
}
UNDERSTOOD = (
    "say for example 'play QH', 'drop 5D', 'draw with 5D', 'discard 5D into the vault', "
    "'put 7S on QH', 'heal player_0 with 4H', 'damage player_1 with 3C', 'return with 8S', "
    "'take KD', 'put joker on KC', 'attack player_1 with QH', 'duel KC with QH', "
    "'discard 9C from the hand', 'done' or '#12', an action id"
)


def card_name(card: int) -> str:
    """'7H', 'QS', 'joker 1'."""
    return NAMES[int(card)]


def names(cards: Any) -> list[str]:
    """Names of several cards."""
    return [card_name(card) for card in cards]


def player_name(seat: int) -> str:
    return f"player_{seat}"


def action_text(s: Any, action: int) -> str:
    """The action in words that ``parse_action`` understands."""
    kind = int(KIND[action])
    card = card_name(CARD[action]) if CARD[action] >= 0 else ""
    royal = card_name(ROYAL + int(TARGET[action]))
    player = _player_at(s, int(TARGET[action]))
    return {
        A_ROYAL: f"play {card}",
        A_DROP: f"drop {card}",
        A_DRAW: f"draw with {card}",
        A_CASH: f"discard {card} into the vault",
        A_ATTACH: f"put {card} on {royal}",
        A_HEAL: f"heal {player} with {card}",
        A_DAMAGE: f"damage {player} with {card}",
        A_RETURN: f"return with {card}",
        A_TAKE: f"take {card}",
        A_JOKER: f"put joker on {royal}",
        A_ATTACK: f"attack {player} with {card}",
        A_DUEL: f"duel {royal} with {card}",
        A_HAND_DISCARD: f"discard {card} from the hand",
        A_DONE: "done",
    }[kind]


def _player_at(s: Any, places: int) -> str:
    if places >= s.num_players:
        return f"nobody ({places} seats on)"
    return player_name((max(0, int(s.seat)) + places) % int(s.num_players))


def parse_action(s: Any, text: str) -> int:
    """The action id meant by ``text`` (case and filler words do not matter).

    Raises:
        ValueError: not understood, or no such action exists; says what is understood.
    """
    said = text.strip()
    if re.fullmatch(r"#\s*\d+", said):
        action = int(said[1:])
        if action < ACTIONS.size:
            return action
        raise ValueError(f"action ids are #0 to #{ACTIONS.size - 1}, not {said}")
    words, cards, players = _read(s, said)
    kind = _kind(s, words, cards, players)
    royals = [card for card in cards if ROYAL <= card < JOKER]
    target = 0
    if kind == A_DONE:
        wanted = 0
    elif kind == A_DUEL:
        wanted = 2
        if "with" in words:
            cards = cards[::-1]
        royals = cards[1:]
    else:
        wanted = 2 if kind in (A_ATTACH, A_JOKER) else 1
    aimed = kind in (A_HEAL, A_DAMAGE, A_ATTACK)
    if kind == A_ATTACK and not players:
        players = _only_opponent(s)
    if len(cards) != wanted or len(players) != aimed:
        raise ValueError(f"{said!r} names too much or too little; {UNDERSTOOD}")
    if aimed:
        target = (players[0] - max(0, int(s.seat))) % int(s.num_players)
    elif kind in (A_ATTACH, A_JOKER, A_DUEL):
        if not royals or not ROYAL <= royals[-1] < JOKER:
            raise ValueError(f"{said!r} needs a jack, queen or king as its target; {UNDERSTOOD}")
        target = royals[-1] - ROYAL
    return _action(said, kind, cards[0] if cards else 0, target)


def _action(said: str, kind: int, card: int, target: int) -> int:
    if kind == A_JOKER:
        return A_JOKER + target
    block = ACTIONS[ACTIONS.locate(kind)[0]]
    row = card - FIRST_CARD.get(kind, card)
    if not 0 <= row < block.shape[0]:
        raise ValueError(f"{said!r}: {card_name(card)} cannot do that; {UNDERSTOOD}")
    return kind + row * (*block.shape, 1)[1] + target


def _read(s: Any, said: str) -> tuple[list[str], list[int], list[int]]:
    """Words, cards in the order named, and players (absolute seats)."""
    text = re.sub(
        r"\b(\w+) of (heart|spade|club|diamond)s\b",
        lambda m: _FULL_RANKS.get(m[1], m[1]) + m[2][0],
        said.lower(),
    ).translate(_SYMBOLS)
    words, cards, players = [], [], []
    for word in re.findall(r"player[_ ]?\d+|jokers? ?[12]?\b|\w+|\S", text):
        name = word.upper()
        if name in _CARD:
            cards.append(_CARD[name])
        elif word.startswith("joker"):
            cards.append(JOKER + (word[-1] == "2"))
        elif re.fullmatch(r"player[_ ]?\d+", word):
            players.append(_seat(s, said, int(re.sub(r"\D", "", word))))
        elif word in ("me", "myself"):
            players.append(max(0, int(s.seat)))
        elif word in _VERBS or word in _PLAY or word in ("discard", "vault", "hand", "with"):
            words.append(word)
        elif word not in _FILLERS:
            raise ValueError(f"{word!r} is not understood in {said!r}; {UNDERSTOOD}")
    return words, cards, players


def _seat(s: Any, said: str, seat: int) -> int:
    if seat >= s.num_players:
        raise ValueError(f"{said!r}: the players are player_0 to player_{s.num_players - 1}")
    return seat


def _only_opponent(s: Any) -> list[int]:
    """The player who alone can be attacked, where there is but one."""
    others = [p for p in range(s.num_players) if p != s.seat and not s.terminated[p]]
    return others if len(others) == 1 else []


def _kind(s: Any, words: list[str], cards: list[int], players: list[int]) -> int:
    """Which block of actions is meant."""
    for word in words:
        if word in _VERBS:
            return _VERBS[word]
    if "discard" in words:
        diamond = bool(cards) and DIAMOND <= cards[0] < ROYAL
        from_hand = "hand" in words or (s.phase == DISCARD and "vault" not in words)
        return A_CASH if diamond and not from_hand else A_HAND_DISCARD
    if not cards:
        raise ValueError(f"no card and nothing to do is named; {UNDERSTOOD}")
    if max(cards) >= JOKER:
        return A_JOKER
    if cards[0] >= ROYAL:
        return A_ROYAL
    if players:
        return A_HEAL if cards[0] < SPADE else A_DAMAGE
    if len(cards) > 1:
        return A_ATTACH
    raise ValueError(f"{card_name(cards[0])}: say what it is for; {UNDERSTOOD}")
