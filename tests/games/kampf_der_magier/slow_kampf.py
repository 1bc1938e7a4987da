"""Kampf der Magier once more, slowly, from RULES.md: a referee for the compiled rules.

Plain objects, nothing shared with ``mages_env``: cards are objects of a class, a play is a list of
them, and what is legal is found by trying every set of cards. Chance is told by whoever calls: the
cards drawn, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product


@dataclass(frozen=True, order=True)
class Card:
    """A wizard of some power, or with power 0 a crystal ball or a joker."""

    power: int
    name: str

    @property
    def is_joker(self) -> bool:
        return self.name == "joker"

    @property
    def is_ball(self) -> bool:
        return self.name == "ball"


def card(name: str) -> Card:
    return Card(0 if name in ("ball", "joker") else int(name), name)


def whole_deck(kind: str) -> list[Card]:
    if kind == "even":
        wizards = [power for power in range(1, 13) for _ in range(4)] + [13] * 3
    else:
        wizards = [1] * 6 + [2] * 6 + [3] * 5 + [4] * 5 + [5] * 5 + [6] * 4 + [7] * 4
        wizards += [8] * 3 + [9] * 3 + [10] * 3 + [11] * 3 + [12] * 2 + [13] * 2
    return [card(str(power)) for power in wizards] + [card("ball"), card("joker")] * 2


@dataclass(frozen=True)
class Take:
    pass


@dataclass(frozen=True)
class Play:
    """Cards of the hand, sorted, perhaps the top card of the pile, as one power (0: a ball)."""

    hand: tuple[Card, ...]
    power: int
    top: bool = False


@dataclass
class Player:
    seat: int
    hand: list[Card] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    collected: int = 0


class Chance:
    """The cards that are drawn, in order, each with the seat that draws it."""

    def __init__(self) -> None:
        self.coming: list[tuple[int, Card]] = []

    def tell(self, draws: list[tuple[int, Card]]) -> None:
        assert not self.coming, f"never drawn: {self.coming}"
        self.coming = list(draws)

    def next(self, seat: int) -> Card:
        assert self.coming, f"seat {seat} draws a card that was not told"
        told, drawn = self.coming.pop(0)
        assert told == seat, f"seat {seat} draws, the card was told for seat {told}"
        return drawn


class Table:
    """One game. ``log`` holds what everybody sees of the last action, ``rewards`` what it paid."""

    def __init__(self, num_players, deck, variant, rounds, max_turns, reward, dealer, chance):
        self.players = [Player(seat) for seat in range(num_players)]
        self.deck, self.open_pile = deck, variant == "open_pile"
        self.rounds, self.max_turns, self.reward = rounds, max_turns, reward
        self.chance = chance
        self.dealer = dealer
        self.turns = self.rounds_done = 0
        self.over = ""
        self.rewards = [Fraction(0)] * num_players
        self.log: list[tuple] = []
        self.begin_round()

    def after(self, player: Player) -> Player:
        return self.players[(player.seat + 1) % len(self.players)]

    def begin_round(self) -> None:
        self.draw_pile = whole_deck(self.deck)
        self.seen: list[Card] = []
        self.table: list[Card] = []
        self.power = 0
        self.log.append(("deal", self.dealer, self.rounds_done))
        player = self.players[self.dealer]
        for _ in self.players:
            player = self.after(player)
            player.hand, player.pile = [], []
            for _ in range(6):
                self.draw(player)
        self.active = self.after(self.players[self.dealer])

    def draw(self, player: Player) -> None:
        drawn = self.chance.next(player.seat)
        self.draw_pile.remove(drawn)
        player.hand.append(drawn)
        self.log.append(("card", player.seat, drawn))

    # What is legal.

    def legal(self) -> set[Take | Play]:
        if self.over:
            return set()
        found: set[Take | Play] = set()
        if self.table:
            found.add(Take())
        tops = [False]
        if self.open_pile and self.active.pile:
            tops.append(True)
        hand = sorted(self.active.hand)
        subsets = {chosen for size in range(7) for chosen in combinations(hand, size)}
        alike = [chosen for chosen in subsets if len(set(chosen) - {card("joker")}) <= 1]
        for chosen, top, power in product(alike, tops, range(14)):
            play = Play(chosen, power, top)
            if self.allows(play):
                found.add(play)
        return found

    def cards_of(self, play: Play) -> list[Card]:
        return [*play.hand, *([self.active.pile[-1]] if play.top else [])]

    def allows(self, play: Play) -> bool:
        cards = self.cards_of(play)
        if not cards:
            return False
        if any(one.is_ball for one in cards):
            may_lead = all(one.is_ball for one in self.active.hand)
            return len(cards) == 1 and play.power == 0 and (bool(self.table) or may_lead)
        for one in cards:
            fits = 1 <= play.power <= 7 if one.is_joker else one.power == play.power
            if not fits:
                return False
        return play.power * len(cards) > self.power

    # What happens.

    def act(self, action: Take | Play) -> None:
        self.log = []
        player = self.active
        if isinstance(action, Take):
            self.log.append(("take", player.seat, len(self.table)))
            player.pile += self.table
            self.table = []
            self.power = 0
            return
        cards = self.cards_of(action)
        for one in action.hand:
            player.hand.remove(one)
        self.seen += action.hand
        if action.top:
            self.log.append(("top", player.seat, player.pile.pop()))
        self.table += sorted(cards, key=lambda one: not one.is_joker)
        if cards[0].is_ball:
            self.log.append(("ball", player.seat))
        else:
            self.power = action.power * len(cards)
            jokers = sum(one.is_joker for one in cards)
            self.log.append(("play", player.seat, action.power, len(cards) - jokers, jokers))
        self.end_turn()

    def end_turn(self) -> None:
        player = self.active
        drawn = 0
        while len(player.hand) < 6 and self.draw_pile:
            self.draw(player)
            drawn += 1
        if drawn:
            self.log.append(("draw", player.seat, drawn))
        self.turns += 1
        last_turn = self.turns == self.max_turns and self.open_pile
        if player.hand and not last_turn:
            self.active = self.after(player)
            return
        self.end_round(winner=None if player.hand else player.seat)
        if self.rounds_done == self.rounds and not player.hand:
            self.end_game("terminated")
        elif last_turn:
            self.end_game("truncated")
        else:
            self.dealer = (self.dealer + 1) % len(self.players)
            self.begin_round()

    def end_round(self, winner: int | None) -> None:
        self.log.append(("round", winner, self.rounds_done))
        for player in self.players:
            cards = len(player.pile) + len(player.hand)
            player.collected += cards
            self.log.append(("score", player.seat, cards, player.collected))
        self.rounds_done += 1

    def end_game(self, how: str) -> None:
        self.over = how
        totals = [player.collected for player in self.players]
        if self.reward == "score":
            self.rewards = [Fraction(-total, 55 * self.rounds) for total in totals]
            return
        order = sorted(totals)
        step = Fraction(2, len(totals) - 1)
        for seat, total in enumerate(totals):
            places = [place for place, other in enumerate(order) if other == total]
            self.rewards[seat] = 1 - step * Fraction(sum(places), len(places))
