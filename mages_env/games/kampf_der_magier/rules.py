"""The rules of Kampf der Magier; ids as in RULES.md."""

from __future__ import annotations

from mages_env.engine import (
    ALL,
    NOBODY,
    TERMINATED,
    TRUNCATED,
    begin_game,
    begin_step,
    clear,
    compiled,
    emit,
    end_game,
    helper,
    hide_events,
    pay,
    pay_places,
    randbelow,
)
from mages_env.engine.random import seed_stream
from mages_env.games.kampf_der_magier.state import (
    A_BALL,
    A_TAKE,
    A_TOP,
    A_TOP_BALL,
    ACTION_CARDS,
    BALL,
    CARDS,
    COPIES,
    E_BALL,
    E_CARD,
    E_DEAL,
    E_DRAW,
    E_PLAY,
    E_ROUND,
    E_SCORE,
    E_TAKE,
    E_TOP,
    HAND,
    JOKER,
    JOKER_REACH,
    KINDS,
    OPEN_PILE,
    PLAY_ID,
    POWERS,
    SCORE,
    SIGNATURES,
    TOP_ID,
)


@helper
def draw(s, p):
    """A card from the draw pile; its order stays undecided until then, which is the same thing."""
    i = randbelow(s, s.draw_pile_size)
    kind = s.draw_pile[i]
    s.draw_pile_size -= 1
    s.draw_pile[i] = s.draw_pile[s.draw_pile_size]
    s.hand[p, kind] += 1
    s.hand_size[p] += 1
    emit(s, E_CARD, p, p, kind, 0, 0)


@helper
def deal(s):
    """KDM-03: all cards into the draw pile, hands from it; the seat after the dealer leads."""
    s.power = 0
    s.table_size = 0
    s.draw_pile_size = 0
    for kind in range(KINDS):
        s.shown[kind] = 0
        for _ in range(COPIES[s.deck, kind]):
            s.draw_pile[s.draw_pile_size] = kind
            s.draw_pile_size += 1
    emit(s, E_DEAL, ALL, s.dealer, s.stage, 0, 0)
    for i in range(1, s.num_players + 1):
        p = (s.dealer + i) % s.num_players
        s.pile_size[p] = 0
        s.hand_size[p] = 0
        for kind in range(KINDS):
            s.hand[p, kind] = 0
        for _ in range(HAND):
            draw(s, p)
    s.seat = (s.dealer + 1) % s.num_players


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    for p in range(s.num_players):
        s.collected[p] = 0
    s.dealer = randbelow(s, s.num_players)  # KDM-12: the first dealer by lot
    deal(s)


@helper
def allow_top(s, mask, v):
    """KDM-14: the top card as power ``v``, alone or with hand cards."""
    p = s.seat
    with_jokers = s.hand[p, JOKER] if v <= JOKER_REACH else 0
    for n in range(s.hand[p, v - 1] + 1):
        for j in range(with_jokers + 1):
            if (1 + n + j) * v > s.power:
                mask[TOP_ID[v, n, j]] = 1


@compiled(SIGNATURES.legal)
def legal(s, mask):
    clear(mask)
    if s.seat == NOBODY:
        return
    p = s.seat
    jokers = s.hand[p, JOKER]
    for v in range(1, POWERS + 1):  # KDM-04, KDM-05
        held = s.hand[p, v - 1]
        with_jokers = jokers if v <= JOKER_REACH else 0
        if (held + with_jokers) * v > s.power:
            for n in range(held + 1):
                for j in range(with_jokers + 1):
                    if (n + j) * v > s.power:
                        mask[PLAY_ID[v, n, j]] = 1
    may_pass = s.table_size > 0 or s.hand[p, BALL] == s.hand_size[p]  # KDM-06, KDM-07
    if may_pass and s.hand[p, BALL] > 0:
        mask[A_BALL] = 1
    if s.table_size > 0:  # KDM-08
        mask[A_TAKE] = 1
    if s.variant == OPEN_PILE and s.pile_size[p] > 0:  # KDM-14
        top = s.pile[p, s.pile_size[p] - 1]
        if top == BALL:
            if may_pass:
                mask[A_TOP_BALL] = 1
        elif top == JOKER:
            for v in range(1, JOKER_REACH + 1):
                allow_top(s, mask, v)
        else:
            allow_top(s, mask, top + 1)


@helper
def take_table(s):
    """KDM-08: the table goes onto the taker's pile, who leads the next duel in the same turn."""
    p = s.seat
    for i in range(s.table_size):
        s.pile[p, s.pile_size[p] + i] = s.table[i]
    s.pile_size[p] += s.table_size
    emit(s, E_TAKE, ALL, p, s.table_size, 0, 0)
    s.table_size = 0
    s.power = 0


@helper
def lay(s, kind, count):
    for _ in range(count):
        s.table[s.table_size] = kind
        s.table_size += 1


@helper
def play(s, action):
    """KDM-04 to KDM-06, KDM-14: the cards of ``action`` go onto the table."""
    p = s.seat
    v = ACTION_CARDS[action, 0]
    naturals = ACTION_CARDS[action, 1]
    jokers = ACTION_CARDS[action, 2]
    balls = 0
    if action == A_BALL:
        balls = 1
    s.hand[p, JOKER] -= jokers
    s.hand[p, BALL] -= balls
    if naturals > 0:
        s.hand[p, v - 1] -= naturals
    s.hand_size[p] -= naturals + jokers + balls
    s.shown[JOKER] += jokers
    s.shown[BALL] += balls
    if naturals > 0:
        s.shown[v - 1] += naturals
    if action >= A_TOP:
        s.pile_size[p] -= 1
        top = s.pile[p, s.pile_size[p]]
        emit(s, E_TOP, ALL, p, top, 0, 0)
        if top == BALL:
            balls += 1
        elif top == JOKER:
            jokers += 1
        else:
            naturals += 1
    if balls > 0:
        lay(s, BALL, 1)
        emit(s, E_BALL, ALL, p, 0, 0, 0)
    else:
        lay(s, JOKER, jokers)  # KDM-14: jokers below
        lay(s, v - 1, naturals)
        s.power = v * (naturals + jokers)
        emit(s, E_PLAY, ALL, p, v, naturals, jokers)


@helper
def score_round(s, winner):
    """KDM-11: piles and hands count, the table does not; ``winner`` went out, or NOBODY did."""
    emit(s, E_ROUND, ALL, winner, s.stage, 0, 0)
    for p in range(s.num_players):
        gained = s.pile_size[p] + s.hand_size[p]
        s.collected[p] += gained
        emit(s, E_SCORE, ALL, p, gained, s.collected[p], 0)
    s.stage += 1


@helper
def settle(s, outcome):
    """KDM-13, ALL-04."""
    if s.reward == SCORE:
        for p in range(s.num_players):
            pay(s, p, -s.collected[p] / (CARDS * s.rounds))
    else:
        pay_places(s, s.collected, -1)
    end_game(s, outcome)


@helper
def finish_turn(s):
    p = s.seat
    drawn = min(HAND - s.hand_size[p], s.draw_pile_size)  # KDM-09
    if drawn > 0:
        for _ in range(drawn):
            draw(s, p)
        emit(s, E_DRAW, ALL, p, drawn, 0, 0)
    s.turn += 1
    out_of_turns = s.max_turns > 0 and s.turn >= s.max_turns  # KDM-17
    if s.hand_size[p] == 0:  # KDM-11
        score_round(s, p)
        if s.stage == s.rounds:  # KDM-12
            settle(s, TERMINATED)
        elif out_of_turns:
            settle(s, TRUNCATED)
        else:
            s.dealer = (s.dealer + 1) % s.num_players
            deal(s)
    elif out_of_turns:
        score_round(s, NOBODY)
        settle(s, TRUNCATED)
    else:
        s.seat = (p + 1) % s.num_players  # KDM-10


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    if action == A_TAKE:
        take_table(s)
    else:
        play(s, action)
        finish_turn(s)


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """KDM-16: the other hands are any cards not shown this round and not in the seat's hand."""
    seed_stream(s, seed)
    hide_events(s, seat)
    s.draw_pile_size = 0
    for kind in range(KINDS):
        for _ in range(COPIES[s.deck, kind] - s.shown[kind] - s.hand[seat, kind]):
            s.draw_pile[s.draw_pile_size] = kind
            s.draw_pile_size += 1
    for i in range(s.draw_pile_size, CARDS):  # cards drawn before have left their traces there
        s.draw_pile[i] = 0
    events = s.num_events
    for p in range(s.num_players):
        if p != seat:
            size = s.hand_size[p]
            s.hand_size[p] = 0
            for kind in range(KINDS):
                s.hand[p, kind] = 0
            for _ in range(size):
                draw(s, p)
    s.num_events = events  # redrawing is no event
