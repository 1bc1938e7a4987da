"""Mage once more, slowly, from RULES.md: a referee for the compiled rules.

Plain objects, nothing shared with ``mages_env``: cards are strings, places are lists of them, an
action is a tuple of words. Chance is told by whoever calls: the cards drawn, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

SUITS = {"H": "heart", "S": "spade", "C": "club", "D": "diamond"}
FACES = {"J": 1, "Q": 2, "K": 3}
PACK = [f"{rank}{suit}" for suit in SUITS for rank in ["A", *range(2, 11), *FACES]]
PACK += ["joker1", "joker2"]


def is_royal(card: str) -> bool:
    return card[0] in FACES


def is_joker(card: str) -> bool:
    return card.startswith("joker")


def suit(card: str) -> str:
    return "" if is_royal(card) or is_joker(card) else SUITS[card[-1]]


def value(card: str) -> int:
    if is_joker(card):
        return 10
    if is_royal(card):
        return FACES[card[0]]
    return 1 if card[0] == "A" else int(card[:-1])


@dataclass(eq=False)
class Royal:
    card: str
    attached: list[str] = field(default_factory=list)
    tipped: bool = False
    damage: int = 0
    new: bool = True
    target: Player | None = None
    foe: Royal | None = None

    def total(self, kind: str) -> int:
        return sum(value(card) for card in self.attached if suit(card) == kind)

    @property
    def attack(self) -> int:
        return value(self.card) + self.total("spade") - self.total("club")

    @property
    def blow(self) -> int:
        return max(0, self.attack)

    @property
    def health(self) -> int:
        return self.attack + self.total("heart")


@dataclass(eq=False)
class Player:
    seat: int
    life: int = 30
    vault: int = 0
    hand: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    court: list[Royal] = field(default_factory=list)
    left: bool = False
    paid: Fraction = Fraction(0)


class Chance:
    """The cards that are drawn, in order, each with the seat that draws it."""

    def __init__(self) -> None:
        self.coming: list[tuple[int, str]] = []

    def next(self, seat: int) -> str:
        assert self.coming, f"seat {seat} draws a card that was not told"
        told, drawn = self.coming.pop(0)
        assert told == seat, f"seat {seat} draws, the card was told for seat {told}"
        return drawn


class Table:
    """One game. ``log`` holds what everybody sees of the last action, ``rewards`` what it paid."""

    def __init__(self, num_players, max_turns, starter, chance):
        self.players = [Player(seat) for seat in range(num_players)]
        self.max_turns = max_turns
        self.chance = chance
        self.deck = set(PACK)
        self.abyss: set[str] = set()
        self.mine: set[str] = set()
        self.turns = 0
        self.over = ""
        self.rewards = [Fraction(0)] * num_players
        self.log: list[tuple] = []
        for player in self.players:
            for _ in range(7):
                self.give(player)
            self.log.append(("draw", player.seat, 7, len(self.deck)))
        self.starter = self.active = self.players[starter]
        self.log.append(("start", starter))
        self.begin_turn()

    # Who is where.

    @property
    def staying(self) -> list[Player]:
        return [player for player in self.players if not player.left]

    def clockwise(self, player: Player) -> list[Player]:
        """The others still in, from the left of ``player``."""
        at = player.seat + 1
        return [other for other in self.players[at:] + self.players[: at - 1] if not other.left]

    @property
    def royals(self) -> list[Royal]:
        """In the order of the pack, which nothing but the log depends on."""
        found = [royal for player in self.players for royal in player.court]
        return sorted(found, key=lambda royal: PACK.index(royal.card))

    def royal(self, card: str) -> Royal:
        return next(royal for royal in self.royals if royal.card == card)

    def owner(self, royal: Royal) -> Player:
        return next(player for player in self.players if royal in player.court)

    # The deck.

    def give(self, player: Player) -> None:
        card = self.chance.next(player.seat)
        self.deck.remove(card)
        player.hand.append(card)

    def shuffle_in(self) -> None:
        if self.abyss:
            left = int(bool(self.deck) or self.mixing)
            self.deck |= self.abyss
            self.abyss = set()
            self.log.append(("shuffle", len(self.deck), left))

    mixing = False

    def draw(self, player: Player) -> None:
        if not self.deck:
            self.shuffle_in()
        if not self.deck:
            self.log.append(("draw", player.seat, 0, 0))
            return
        self.give(player)
        self.log.append(("draw", player.seat, 1, len(self.deck)))
        if not self.deck:
            self.shuffle_in()

    # Turns.

    def begin_turn(self) -> None:
        player = self.active
        self.asked = player
        self.phase = "first"
        self.spade = ""
        self.diamond_used = False
        player.vault = sum(map(value, self.mine))
        for royal in self.royals:
            royal.damage = 0
            royal.new = False
        for royal in player.court:
            royal.tipped = False
        self.log.append(("turn", player.seat, player.vault))
        if self.turns or player is not self.starter:
            self.draw(player)

    def end_turn(self) -> None:
        self.active.vault = 0
        self.turns += 1
        if self.over:
            return
        if self.turns == self.max_turns:
            self.log.append(("limit",))
            self.over = "truncated"
            ranking = [player.life for player in self.staying]
            for player in self.staying:
                better = sum(life > player.life for life in ranking)
                level = ranking.count(player.life)
                self.pay(player, range(better, better + level))
            return
        self.active = self.clockwise(self.active)[0]
        self.begin_turn()

    def pay(self, player: Player, places: range) -> None:
        """The mean of the places, counted from 0."""
        mean = Fraction(sum(places), len(places))
        player.paid = self.rewards[player.seat] = 1 - 2 * mean / (len(self.players) - 1)

    # What is legal.

    def legal(self) -> set[tuple]:
        if self.over:
            return set()
        player = self.asked
        if self.phase == "discard":
            return {("throw", card) for card in player.hand}
        if self.spade:
            return {("take", card) for card in self.returned_by(self.spade)}
        found: set[tuple] = {("done",)}
        if self.phase == "attack":
            for royal in self.attackers():
                found |= {("attack", royal.card, p.seat) for p in self.clockwise(player)}
        elif self.phase == "duels":
            for royal in self.duellers(player):
                found |= {("duel", royal.card, foe.card) for foe in self.attacks_on(player)}
        else:
            for card in player.hand:
                found |= self.uses(player, card)
        return found

    def returned_by(self, spade: str) -> set[str]:
        return {card for card in self.abyss if value(card) <= value(spade) and card != spade}

    def uses(self, player: Player, card: str) -> set[tuple]:
        if suit(card) == "diamond":
            if self.diamond_used:
                return set()
            return {(way, card) for way in ("drop", "draw", "cash")}
        if value(card) > player.vault:
            return set()
        if is_royal(card):
            return {("royal", card)}
        if is_joker(card):
            return {("joker", royal.card) for royal in self.royals}
        found: set[tuple] = {("attach", card, royal.card) for royal in self.royals}
        if suit(card) == "spade":
            if self.returned_by(card):
                found.add(("return", card))
        else:
            way = "heal" if suit(card) == "heart" else "damage"
            found |= {(way, card, other.seat) for other in self.staying}
        return found

    def attackers(self) -> list[Royal]:
        return [r for r in self.active.court if not r.tipped and not r.new]

    def duellers(self, player: Player) -> list[Royal]:
        return [r for r in player.court if not r.tipped and r.foe is None]

    def attacks_on(self, player: Player) -> list[Royal]:
        return [r for r in self.royals if r.target is player]

    # What happens.

    def act(self, action: tuple) -> None:
        self.log = []
        self.rewards = [Fraction(0)] * len(self.players)
        way, *what = action
        getattr(self, f"do_{way}")(self.asked, *what)
        if self.phase == "attack" and not self.attackers():
            self.begin_duels()
        if self.phase == "duels":
            self.ask_to_duel()
        self.check_lives()
        no_discard = self.phase == "discard" and len(self.active.hand) <= 7
        if self.active.left or self.over or no_discard:
            self.end_turn()

    def do_done(self, player: Player) -> None:
        self.log.append(("done", player.seat, self.phase))
        if self.phase == "first":
            self.phase = "attack"
        elif self.phase == "attack":
            self.begin_duels()
        elif self.phase == "duels":
            self.to_ask.pop(0)
        else:
            self.phase = "discard"

    def leave_hand(self, player: Player, card: str) -> None:
        player.hand.remove(card)
        player.known.discard(card)

    def spend(self, player: Player, card: str) -> None:
        self.leave_hand(player, card)
        player.vault -= value(card)

    def do_throw(self, player: Player, card: str) -> None:
        self.leave_hand(player, card)
        self.abyss.add(card)
        self.log.append(("throw", player.seat, card))

    def do_royal(self, player: Player, card: str) -> None:
        self.spend(player, card)
        player.court.append(Royal(card))
        self.log.append(("royal", player.seat, card))

    def do_drop(self, player: Player, card: str) -> None:
        self.leave_hand(player, card)
        self.diamond_used = True
        self.mine.add(card)
        for other in self.staying:
            other.vault += value(card)
        self.log.append(("drop", player.seat, card))

    def do_draw(self, player: Player, card: str) -> None:
        self.leave_hand(player, card)
        self.diamond_used = True
        self.abyss.add(card)
        self.log.append(("diamond", player.seat, card))
        self.draw(player)

    def do_cash(self, player: Player, card: str) -> None:
        self.leave_hand(player, card)
        self.diamond_used = True
        self.abyss.add(card)
        player.vault += value(card)
        self.log.append(("cash", player.seat, card))

    def do_attach(self, player: Player, card: str, target: str) -> None:
        self.spend(player, card)
        royal = self.royal(target)
        royal.attached.append(card)
        self.log.append(("attach", player.seat, card, target))
        spades, clubs = royal.total("spade"), royal.total("club")
        if suit(card) != "heart" and spades == clubs:
            gone = {c for c in royal.attached if suit(c) in ("spade", "club")}
            royal.attached = [c for c in royal.attached if c not in gone]
            self.abyss |= gone
            self.log.append(("cancel", target))
        self.check_royals()

    def do_heal(self, player: Player, card: str, seat: int) -> None:
        self.spend(player, card)
        self.abyss.add(card)
        self.players[seat].life += value(card)
        self.log.append(("heal", player.seat, card, seat, self.players[seat].life))

    def do_damage(self, player: Player, card: str, seat: int) -> None:
        self.spend(player, card)
        self.abyss.add(card)
        self.players[seat].life -= value(card)
        self.log.append(("damage", player.seat, card, seat, self.players[seat].life))

    def do_return(self, player: Player, card: str) -> None:
        self.spend(player, card)
        self.abyss.add(card)
        self.spade = card
        self.log.append(("return", player.seat, card))

    def do_take(self, player: Player, card: str) -> None:
        self.abyss.remove(card)
        player.hand.append(card)
        player.known.add(card)
        self.spade = ""
        self.log.append(("take", player.seat, card))

    def do_joker(self, player: Player, target: str) -> None:
        jokers = sorted(card for card in player.hand if is_joker(card))
        card = min(jokers, key=lambda joker: joker not in player.known)
        self.spend(player, card)
        self.abyss.add(card)
        self.log.append(("joker", player.seat, card, target))
        self.destroy(self.royal(target))

    # Royals.

    def destroy(self, royal: Royal) -> None:
        owner = self.owner(royal)
        owner.court.remove(royal)
        self.abyss |= {royal.card, *royal.attached}
        self.log.append(("fall", owner.seat, royal.card))

    def check_royals(self) -> None:
        for royal in self.royals:
            if royal.health - royal.damage <= 0:
                self.destroy(royal)

    def do_attack(self, player: Player, card: str, seat: int) -> None:
        royal = self.royal(card)
        royal.tipped = True
        royal.target = self.players[seat]
        self.log.append(("attack", player.seat, card, seat))

    def begin_duels(self) -> None:
        self.phase = "duels"
        self.to_ask = [p for p in self.clockwise(self.active) if self.attacks_on(p)]

    def do_duel(self, player: Player, card: str, foe: str) -> None:
        self.royal(card).foe = self.royal(foe)
        self.log.append(("duel", player.seat, card, foe))

    def ask_to_duel(self) -> None:
        while self.to_ask and not self.duellers(self.to_ask[0]):
            self.to_ask.pop(0)
        if self.to_ask:
            self.asked = self.to_ask[0]
            return
        wounds: list[tuple[Royal, int]] = []
        for royal in self.royals:
            if royal.target is None:
                continue
            foes = [foe for foe in self.royals if foe.foe is royal]
            for foe in foes:
                wounds += [(foe, royal.blow), (royal, foe.blow)]
            if not foes:
                royal.target.life -= royal.blow
                target = royal.target
                self.log.append(("hit", target.seat, royal.card, royal.blow, target.life))
        for royal, blow in wounds:
            royal.damage += blow
        for royal in self.royals:
            royal.target = royal.foe = None
            if royal.damage:
                seat = self.owner(royal).seat
                self.log.append(("wound", seat, royal.card, royal.damage))
        self.check_royals()
        self.asked = self.active
        self.phase = "second"

    # The end.

    def check_lives(self) -> None:
        leaving = [player for player in self.staying if player.life <= 0]
        if not leaving:
            return
        ahead = len(self.staying) - len(leaving)
        unseen = False
        for player in leaving:
            player.left = True
            self.log.append(("out", player.seat))
            self.pay(player, range(ahead, ahead + len(leaving)))
            unseen |= not player.known.issuperset(player.hand)
            self.abyss |= set(player.hand)
            player.hand, player.known = [], set()
            for royal in self.royals:
                if royal in player.court:
                    self.destroy(royal)
        if ahead > 1:
            self.mixing = unseen
            self.shuffle_in()
            self.mixing = False
            return
        self.over = "terminated"
        for player in self.staying:
            self.log.append(("win", player.seat))
            self.pay(player, range(1))
            player.left = True
