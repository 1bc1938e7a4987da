"""The rules of Mage; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import (
    NOBODY,
    RUNNING,
    TERMINATED,
    TRUNCATED,
    begin_game,
    begin_step,
    compiled,
    end_game,
    helper,
    leave_game,
    pay_places,
    randbelow,
)
from mages_env.games.mage.cards import deal_card, draw, fall, lay_open, make_deck, show, tell
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
    ABYSS,
    ATTACHED,
    ATTACK,
    CARD,
    CARDS,
    CLUB,
    COURT,
    DEALT,
    DECK,
    DIAMOND,
    DISCARD,
    DUELS,
    E_ATTACH,
    E_ATTACK,
    E_CANCEL,
    E_CASH,
    E_DAMAGE,
    E_DIAMOND_DRAW,
    E_DISCARD,
    E_DONE,
    E_DRAW,
    E_DROP,
    E_DUEL,
    E_HEAL,
    E_HIT,
    E_JOKER,
    E_LIMIT,
    E_OUT,
    E_RETURN,
    E_ROYAL,
    E_START,
    E_TAKE,
    E_TURN,
    E_WIN,
    E_WOUND,
    FIRST,
    HAND,
    HAND_LIMIT,
    JOKER,
    KIND,
    LIFE,
    MAX_PLAYERS,
    MINE,
    NONE,
    OF_PLAY,
    OF_STATE,
    ROYAL,
    ROYALS,
    SECOND,
    SHOWN,
    SIGNATURES,
    SPADE,
    TARGET,
    VALUE,
)

_MOST = 32767  # that an event can tell


@helper
def is_in(s, p):
    return s.terminated[p] == 0


@helper
def holds(s, p, card):
    return s.where[card] == HAND + p or s.where[card] == SHOWN + p


@helper
def in_play(s, r):
    return COURT <= s.where[ROYAL + r] < ATTACHED


@helper
def seat_at(s, p, places):
    """The player ``places`` seats on from ``p``, clockwise."""
    q = p + places
    return q if q < s.num_players else q - s.num_players


@helper
def following(s, p):
    """The next player still in, clockwise."""
    p = seat_at(s, p, 1)
    while not is_in(s, p):
        p = seat_at(s, p, 1)
    return p


@helper
def may_attack(s, p, r):
    """MAG-19, MAG-20."""
    return s.where[ROYAL + r] == COURT + p and s.tipped[r] == 0 and s.fresh[r] == 0


@helper
def may_duel(s, p, r):
    """MAG-21."""
    return s.where[ROYAL + r] == COURT + p and s.tipped[r] == 0 and s.duelled[r] == NONE


@compiled(OF_STATE)
def begin_turn(s):
    """The turn of ``active``, up to its first choice."""
    p = s.active
    s.seat = p
    s.phase = FIRST
    s.diamond_used = 0
    s.vault[p] = s.mine  # MAG-05
    for r in range(ROYALS):
        s.damage[r] = 0
        s.fresh[r] = 0
        if s.where[ROYAL + r] == COURT + p:
            s.tipped[r] = 0
    tell(s, E_TURN, p, s.mine, 0, 0)
    if s.turn > 0:  # MAG-06
        draw(s, p)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    s.spade = NONE
    s.abyss_size = 0
    s.mine = 0
    s.making = 0
    for c in range(CARDS):
        s.where[c] = DECK
        s.pool[c] = 0
    s.deck_size = CARDS
    for r in range(ROYALS):
        s.attack[r] = 0
        s.health[r] = 0
        s.damage[r] = 0
        s.tipped[r] = 0
        s.fresh[r] = 0
        s.attacked[r] = NONE
        s.duelled[r] = NONE
    for p in range(s.num_players):
        s.life[p] = LIFE
        s.vault[p] = 0
        s.hand_size[p] = 0
        s.unknown[p] = 0
        for k in range(HAND_LIMIT + 1):
            s.drawn[p, k] = 0
        for _ in range(DEALT):  # MAG-03
            deal_card(s, p)
        tell(s, E_DRAW, p, DEALT, s.deck_size, 0)
    s.starter = randbelow(s, s.num_players)  # MAG-03: by lot
    tell(s, E_START, s.starter, 0, 0, 0)
    s.active = s.starter
    begin_turn(s)


@helper
def allow_attacks(s, p, mask):
    """MAG-20."""
    for r in range(ROYALS):
        if may_attack(s, p, r):
            for i in range(1, s.num_players):
                if is_in(s, seat_at(s, p, i)):
                    mask[A_ATTACK + r * MAX_PLAYERS + i] = 1


@helper
def allow_duels(s, p, mask):
    """MAG-21."""
    for r in range(ROYALS):
        if may_duel(s, p, r):
            for attacker in range(ROYALS):
                if s.attacked[attacker] == p:
                    mask[A_DUEL + r * ROYALS + attacker] = 1


@helper
def lowest_value(s):
    """The lowest value in the Abyss; more than any card's if it is empty."""
    lowest = CARDS
    for c in range(CARDS):
        if s.where[c] == ABYSS:
            lowest = min(lowest, int(VALUE[c]))
    return lowest


@helper
def allow_plays(s, p, mask):
    vault = s.vault[p]  # MAG-02
    lowest = NONE
    for c in range(CARDS):
        if not holds(s, p, c):
            continue
        value = VALUE[c]
        if c >= JOKER:
            if value <= vault:  # MAG-17
                for r in range(ROYALS):
                    if in_play(s, r):
                        mask[A_JOKER + r] = 1
        elif c >= ROYAL:
            if value <= vault:  # MAG-19
                mask[A_ROYAL + c - ROYAL] = 1
        elif c >= DIAMOND:
            if s.diamond_used == 0:
                mask[A_DROP + c - DIAMOND] = 1  # MAG-09
                mask[A_DRAW + c - DIAMOND] = 1  # MAG-10
                mask[A_CASH + c - DIAMOND] = 1  # MAG-11
        elif value <= vault:
            for r in range(ROYALS):  # MAG-12 to MAG-15
                if in_play(s, r):
                    mask[A_ATTACH + c * ROYALS + r] = 1
            if SPADE <= c < CLUB:
                if lowest == NONE:
                    lowest = lowest_value(s)
                if lowest <= value:
                    mask[A_RETURN + c - SPADE] = 1
            else:
                at = A_HEAL + c * MAX_PLAYERS if c < SPADE else A_DAMAGE + (c - CLUB) * MAX_PLAYERS
                for i in range(s.num_players):
                    if is_in(s, seat_at(s, p, i)):
                        mask[at + i] = 1


@compiled(SIGNATURES.legal)
def legal(s, mask):
    for a in range(mask.size):
        mask[a] = 0
    p = s.seat
    if p == NOBODY:
        return
    if s.phase == DISCARD:  # MAG-08
        for c in range(CARDS):
            if holds(s, p, c):
                mask[A_HAND_DISCARD + c] = 1
    elif s.spade != NONE:  # MAG-13
        for c in range(CARDS):
            if s.where[c] == ABYSS and VALUE[c] <= VALUE[s.spade] and c != s.spade:
                mask[A_TAKE + c] = 1
    else:
        mask[A_DONE] = 1  # MAG-07
        if s.phase == ATTACK:
            allow_attacks(s, p, mask)
        elif s.phase == DUELS:
            allow_duels(s, p, mask)
        else:
            allow_plays(s, p, mask)


@helper
def into_abyss(s, card):
    s.where[card] = ABYSS
    s.abyss_size += 1


@helper
def joker_of(s, p):
    """The jokers are alike: the one that all know of goes first, as it gives nothing away."""
    for joker in range(JOKER, CARDS):
        if s.where[joker] == SHOWN + p:
            return joker
    return JOKER if s.where[JOKER] == HAND + p else JOKER + 1


@helper
def attach(s, card, r):
    """MAG-12 to MAG-14, MAG-16, MAG-18."""
    value = int(VALUE[card])
    s.where[card] = ATTACHED + r
    if card < SPADE:
        s.health[r] += value
        return
    if card >= CLUB:
        value = -value
    s.attack[r] += value
    s.health[r] += value
    if s.attack[r] == VALUE[ROYAL + r]:  # MAG-16
        tell(s, E_CANCEL, NONE, ROYAL + r, 0, 0)
        for c in range(SPADE, DIAMOND):
            if s.where[c] == ATTACHED + r:
                into_abyss(s, c)
    if s.health[r] <= s.damage[r]:  # MAG-18
        fall(s, r)


@compiled(OF_PLAY)
def play(s, p, kind, card, target):
    """A card of the hand, for what ``kind`` says; ``target`` as in ``TARGET``."""
    if kind == A_JOKER:
        card = joker_of(s, p)
    value = int(VALUE[card])
    show(s, card)
    if kind == A_HAND_DISCARD:  # MAG-08
        into_abyss(s, card)
        tell(s, E_DISCARD, p, card, 0, 0)
        return
    if DIAMOND <= card < ROYAL:
        s.diamond_used = 1
    else:
        s.vault[p] -= value  # MAG-02
    if kind == A_ROYAL:  # MAG-19
        r = card - ROYAL
        s.where[card] = COURT + p
        s.attack[r] = value
        s.health[r] = value
        s.fresh[r] = 1
        tell(s, E_ROYAL, p, card, 0, 0)
    elif kind == A_DROP:  # MAG-09
        s.where[card] = MINE
        s.mine += value
        for q in range(s.num_players):
            if is_in(s, q):
                s.vault[q] += value
        tell(s, E_DROP, p, card, 0, 0)
    elif kind == A_ATTACH:
        tell(s, E_ATTACH, p, card, ROYAL + target, 0)
        attach(s, card, target)
    else:
        into_abyss(s, card)
        if kind == A_DRAW:  # MAG-10
            tell(s, E_DIAMOND_DRAW, p, card, 0, 0)
            draw(s, p)
        elif kind == A_CASH:  # MAG-11
            s.vault[p] += value
            tell(s, E_CASH, p, card, 0, 0)
        elif kind == A_RETURN:  # MAG-13
            s.spade = card
            tell(s, E_RETURN, p, card, 0, 0)
        elif kind == A_JOKER:  # MAG-17
            tell(s, E_JOKER, p, card, ROYAL + target, 0)
            fall(s, target)
        else:
            target = seat_at(s, p, target)
            if kind == A_HEAL:  # MAG-12
                s.life[target] += value
                tell(s, E_HEAL, p, card, target, min(s.life[target], _MOST))
            else:  # MAG-14
                s.life[target] -= value
                tell(s, E_DAMAGE, p, card, target, min(s.life[target], _MOST))


@helper
def no_attacker(s, p):
    for r in range(ROYALS):
        if may_attack(s, p, r):
            return False
    return True


@helper
def call_duels(s):
    """MAG-21: the attacked are asked clockwise, until it is the attacker's move again."""
    s.phase = DUELS
    s.seat = following(s, s.active)


@helper
def asked_to_duel(s, p):
    attacked = False
    able = False
    for r in range(ROYALS):
        attacked |= s.attacked[r] == p
        able |= may_duel(s, p, r)
    return attacked and able


@helper
def finish_phase(s, p):
    """MAG-07."""
    tell(s, E_DONE, p, s.phase, 0, 0)
    if s.phase == FIRST:
        s.phase = ATTACK
    elif s.phase == ATTACK:
        call_duels(s)
    elif s.phase == DUELS:
        s.seat = following(s, p)
    else:
        s.phase = DISCARD


@compiled(OF_STATE)
def fight(s):
    """MAG-22, MAG-23: all damage at the same moment; then MAG-18."""
    for r in range(ROYALS):
        target = int(s.attacked[r])
        if target == NONE:
            continue
        power = max(0, int(s.attack[r]))
        met = False
        for d in range(ROYALS):
            if s.duelled[d] == r:
                met = True
                s.damage[d] += power
                s.damage[r] += max(0, int(s.attack[d]))
        if not met:
            s.life[target] -= power
            tell(s, E_HIT, target, ROYAL + r, power, min(s.life[target], _MOST))
    for r in range(ROYALS):
        s.attacked[r] = NONE
        s.duelled[r] = NONE
        if s.damage[r] > 0:  # all of it is of this fight (MAG-05)
            tell(s, E_WOUND, s.where[ROYAL + r] - COURT, ROYAL + r, s.damage[r], 0)
    for r in range(ROYALS):
        if in_play(s, r) and s.health[r] <= s.damage[r]:
            fall(s, r)


@helper
def somebody_fell(s):
    for p in range(s.num_players):
        if s.life[p] <= 0 and is_in(s, p):
            return True
    return False


@compiled(OF_STATE)
def leave(s):
    """MAG-24, MAG-25."""
    staying = 0
    leaving = 0
    for p in range(s.num_players):
        if is_in(s, p):
            if s.life[p] > 0:
                staying += 1
            else:
                leaving += 1
    for p in range(s.num_players):
        if is_in(s, p) and s.life[p] <= 0:
            tell(s, E_OUT, p, 0, 0, 0)
            leave_game(s, p, staying, leaving)
            lay_open(s, p)
            for r in range(ROYALS):
                if s.where[ROYAL + r] == COURT + p:
                    fall(s, r)
    if staying > 1:
        make_deck(s)
        return
    for p in range(s.num_players):
        if is_in(s, p):
            tell(s, E_WIN, p, 0, 0, 0)
            leave_game(s, p, 0, 1)
    end_game(s, TERMINATED)


@compiled(OF_STATE)
def end_turn(s):
    s.vault[s.active] = 0  # MAG-08
    s.turn += 1
    if s.over == RUNNING:
        if s.turn >= s.max_turns:  # MAG-26
            tell(s, E_LIMIT, NONE, 0, 0, 0)
            pay_places(s, s.life, 1)
            end_game(s, TRUNCATED)
        else:
            s.active = following(s, s.active)
            begin_turn(s)


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    p = s.seat
    kind = KIND[action]
    card = int(CARD[action])
    target = int(TARGET[action])
    if kind == A_DONE:
        finish_phase(s, p)
    elif kind == A_ATTACK:  # MAG-20
        target = seat_at(s, p, target)
        s.tipped[card - ROYAL] = 1
        s.attacked[card - ROYAL] = target
        tell(s, E_ATTACK, p, card, target, 0)
    elif kind == A_DUEL:  # MAG-21
        s.duelled[card - ROYAL] = target
        tell(s, E_DUEL, p, card, ROYAL + target, 0)
    elif kind == A_TAKE:  # MAG-13
        s.where[card] = SHOWN + p
        s.abyss_size -= 1
        s.hand_size[p] += 1
        s.spade = NONE
        tell(s, E_TAKE, p, card, 0, 0)
    else:
        play(s, p, kind, card, target)
    if s.phase == ATTACK and no_attacker(s, p):
        call_duels(s)
    if s.phase == DUELS:
        while s.seat != s.active and not asked_to_duel(s, s.seat):
            s.seat = following(s, s.seat)
        if s.seat == s.active:
            fight(s)
            s.phase = SECOND
    if somebody_fell(s):
        leave(s)
    if not is_in(s, s.active) or (s.phase == DISCARD and s.hand_size[s.active] <= HAND_LIMIT):
        end_turn(s)
