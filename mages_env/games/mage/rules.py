"""The rules of Mage; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import (
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
from mages_env.games.mage.cards import deal_card, draw, fall, lay_open, make_deck, tell
from mages_env.games.mage.legal import in_play, is_in, may_attack, may_duel, seat_at
from mages_env.games.mage.plays import play
from mages_env.games.mage.state import (
    A_ATTACK,
    A_DONE,
    A_DUEL,
    A_TAKE,
    AGES,
    ATTACK,
    CARD,
    CARDS,
    COURT,
    DEALT,
    DECK,
    DISCARD,
    DUELS,
    E_ATTACK,
    E_DONE,
    E_DRAW,
    E_DUEL,
    E_HIT,
    E_LIMIT,
    E_OUT,
    E_START,
    E_TAKE,
    E_TURN,
    E_WIN,
    E_WOUND,
    FIRST,
    HAND_LIMIT,
    KIND,
    LIFE,
    NONE,
    OF_STATE,
    ROYAL,
    ROYALS,
    SECOND,
    SHOWN,
    SIGNATURES,
    TARGET,
)

_MOST = 32767  # that an event can tell


@helper
def following(s, p):
    """The next player still in, clockwise."""
    p = seat_at(s, p, 1)
    while not is_in(s, p):
        p = seat_at(s, p, 1)
    return p


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
    for age in range(AGES):
        s.again[age] = NONE
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
