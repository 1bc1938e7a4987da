"""What follows by itself: phases, ends of pages, rounds. ``p`` is a page."""

from __future__ import annotations

from numba.core import types

from mages_env.engine import NOBODY, TERMINATED, compiled, end_game, helper, pay, pay_places
from mages_env.games.tower_of_mages.building import six_elements, tell
from mages_env.games.tower_of_mages.data import (
    DICE,
    DIE,
    DISTORTER_ICON,
    EXPLOSION,
    EYE_UNDER,
    GOOD_SCORE,
    HOURGLASSES,
    LIBRARY,
    NUM_EYES,
    PREDICTOR_ICON,
    ROOM_AT,
    STAIRWELL,
    TABLE_ROWS,
)
from mages_env.games.tower_of_mages.market import (
    fill,
    in_digits,
    points,
    throw,
    throw_common,
    written,
)
from mages_env.games.tower_of_mages.state import (
    BUILD,
    CLOSE,
    E_COMMON,
    E_DICE,
    E_END,
    E_EYE,
    E_FILL,
    E_HOUR,
    E_SCORE,
    FILL,
    MARKET,
    NO_ROOM,
    NO_TIME,
    PASS,
    PREDICT,
    RECORD,
    SCORE,
    SHOW,
    SPLIT,
    THROW,
    TIME,
)


@helper
def begin_round(s):
    """TOM-21: both pages share the dice as long as neither has ended."""
    last = s.num_players - 1
    s.thrown = 0
    s.phase = PREDICT
    s.shared = last == 1 and s.ended[0] == 0 and s.ended[last] == 0
    s.seat = s.roller
    if s.ended[s.seat] != 0:
        s.seat = last - s.seat
    if s.ended[s.seat] != 0:
        s.seat = NOBODY


@compiled(types.void(RECORD, types.int64, types.int64))
def end_page(s, p, why):
    """TOM-12: no more building; the remaining Market Phases come next."""
    s.ended[p] = why
    for k in range(DIE):
        s.dice[p, k] = 0
    s.phase = CLOSE
    tell(s, p, E_END, why, 0, 0)


@helper
def settle(s):
    """ALL-04."""
    if s.reward == SCORE:
        for p in range(s.num_players):
            pay(s, p, int(s.score[p]) / GOOD_SCORE)
    else:
        pay_places(s, s.score, 1)
    end_game(s, TERMINATED)


@helper
def usable(s, p):
    """TOM-12: whether some unused die can be used."""
    special = (s.fitting[p] >> STAIRWELL) & 1
    if (s.fitting[p] >> LIBRARY) & 1 and six_elements(s, p):
        special = 1
    for k in range(DIE):
        if s.dice[p, k] > 0:
            room = ROOM_AT[(s.mark[p] + k + 1) % TABLE_ROWS]
            if room == EXPLOSION or special == 1 or (s.fitting[p] >> room) & 1:
                return True
    return False


@compiled(types.void(RECORD))
def go_on(s):
    """All that follows without a decision."""
    while s.phase == PREDICT or s.phase == BUILD or s.phase == MARKET or s.phase >= THROW:
        p = s.seat
        phase = s.phase
        if phase == PREDICT:  # TOM-15
            if s.icons[p, PREDICTOR_ICON] > 0 and s.eyes[p] < NUM_EYES:
                return
            s.phase = THROW
        elif phase == THROW:
            if s.shared == 0:  # TOM-07
                throw(s, p)
                s.thrown = 1
                s.phase = BUILD
                tell(s, p, E_DICE, written(s, p), 0, 0)
            elif p == s.roller:
                s.seat = 1 - p
                s.phase = PREDICT
            else:  # TOM-21
                throw_common(s)
                s.thrown = 1
                s.seat = s.roller
                s.phase = SPLIT
                low = in_digits(s, 0)
                high = in_digits(s, DICE)
                tell(s, s.roller, E_COMMON, low, high, 0)
        elif phase == BUILD:
            if written(s, p) == 0:
                s.phase = TIME
            elif usable(s, p) or s.icons[p, DISTORTER_ICON] > 0:
                return
            else:  # TOM-12
                end_page(s, p, NO_ROOM)
        elif phase == TIME:  # TOM-11
            s.hourglasses[p] += 1
            hour = s.hourglasses[p]
            tell(s, p, E_HOUR, hour, 0, 0)
            if hour == HOURGLASSES:  # TOM-12
                end_page(s, p, NO_TIME)
            elif EYE_UNDER[hour] >= s.eyes[p]:
                s.phase = SHOW
            else:
                s.phase = PASS
        elif phase == SHOW:
            s.eyes[p] += 1
            throw(s, p)
            s.phase = MARKET
            tell(s, p, E_EYE, s.eyes[p], written(s, p), 0)
        elif phase == MARKET:  # TOM-16
            if s.icons[p, DISTORTER_ICON] > 0:
                return
            s.phase = FILL
        elif phase == FILL:
            tell(s, p, E_FILL, written(s, p), 0, 0)
            fill(s, p)
            if s.ended[p] != 0:
                s.phase = CLOSE
            elif s.thrown == 0:
                s.phase = PREDICT
            else:
                s.phase = PASS
        elif phase == CLOSE:  # TOM-12
            if s.eyes[p] < NUM_EYES:
                s.phase = SHOW
            else:
                s.score[p] = points(s, p)
                s.phase = PASS
                tell(s, p, E_SCORE, s.score[p], 0, 0)
        else:
            s.turn += 1
            if s.shared != 0 and p != s.roller:  # TOM-21: the chooser's turn comes first
                s.seat = s.roller
                s.phase = BUILD
            else:
                s.roller = s.num_players - 1 - s.roller
                begin_round(s)
                if s.seat == NOBODY:
                    settle(s)
                    return
