"""The rules of Tower of Mages; ids as in RULES.md. ``p`` is a page, that is its seat."""

from __future__ import annotations

from mages_env.engine import (
    NOBODY,
    begin_game,
    begin_step,
    clear,
    compiled,
    helper,
    hide_events,
    randbelow,
    seed_stream,
)
from mages_env.games.tower_of_mages.building import (
    build,
    cross_out,
    find_fitting,
    six_elements,
    tell,
)
from mages_env.games.tower_of_mages.data import (
    DIE,
    DISTORTER_ICON,
    EMPTY_ROW,
    EXPLOSION,
    FULL_ROW,
    GROUND_DOTS,
    HEIGHT,
    LIBRARY,
    NONE,
    NUM_ICONS,
    PLAN_ROWS,
    ROOM_AT,
    ROW_OF,
    ROWS,
    STAIRWELL,
    TABLE_ROWS,
)
from mages_env.games.tower_of_mages.flow import begin_round, end_page, go_on
from mages_env.games.tower_of_mages.market import fill, group, split_key, throw, written
from mages_env.games.tower_of_mages.state import (
    A_CELL,
    A_EXPLODE,
    A_GROUP,
    A_KEEP,
    A_LIBRARY,
    A_PREDICTOR,
    A_REROLL,
    A_ROOM,
    A_SPLIT,
    A_STAIRWELL,
    BUILD,
    COMMON_DICE,
    CROSSES,
    E_DUD,
    E_GROUP,
    E_KEEP,
    E_LOT,
    E_REROLL,
    E_SETUP,
    E_SPLIT,
    E_USE,
    EXPLODE,
    FILL,
    GROUP,
    IN_GROUP_2,
    MARKET,
    NO_ROOM,
    PLACE,
    PREDICT,
    SHOW,
    SIGNATURES,
    SPLIT,
    SPLITS,
    THROW,
    TOP_ROW,
)

NUM_SPLITS = len(SPLITS)


@helper
def new_page(s, p):
    """TOM-01, TOM-06: an empty plan, three dice in the market, the mark on an element."""
    s.ended[p] = 0
    s.hourglasses[p] = 0
    s.eyes[p] = 0
    s.bonus[p] = 0
    s.score[p] = 0
    s.num_pieces[p] = 0
    clear(s.icons[p])
    clear(s.piece_room[p])
    clear(s.piece_cell[p])
    clear(s.piece_below[p])
    clear(s.piece_icon[p])
    clear(s.piece_crossed[p])
    clear(s.piece_storey[p])
    clear(s.piece_chain[p])
    clear(s.dot_cell[p])
    clear(s.dot_piece[p])
    clear(s.dot_rooms[p])
    clear(s.plan[p])
    clear(s.filled[p])
    clear(s.dice[p])
    s.num_dots[p] = len(GROUND_DOTS)
    for dot in range(len(GROUND_DOTS)):
        s.dot_cell[p, dot] = GROUND_DOTS[dot]
        s.dot_piece[p, dot] = NONE
    for row in range(PLAN_ROWS):
        s.covered[p, row] = EMPTY_ROW if row < ROWS else FULL_ROW
    find_fitting(s, p)
    throw(s, p)
    dice = written(s, p)
    fill(s, p)
    s.mark[p] = randbelow(s, DIE)
    tell(s, p, E_SETUP, dice, s.mark[p], 0)


@compiled(SIGNATURES.reset)
def reset(s, seed):
    begin_game(s, seed)
    s.building = NONE
    s.split = NONE
    for k in range(COMMON_DICE):
        s.common[k] = 0
    for p in range(s.num_players):
        new_page(s, p)
    s.roller = 0
    if s.num_players > 1:  # TOM-21
        s.roller = randbelow(s, s.num_players)
        tell(s, s.roller, E_LOT, 0, 0, 0)
    begin_round(s)
    go_on(s)


# What may be done.


@helper
def allow_dice(s, p, mask):
    fitting = s.fitting[p]
    distorter = s.icons[p, DISTORTER_ICON] > 0
    library = (fitting >> LIBRARY) & 1
    if not six_elements(s, p):
        library = 0
    stairwell = (fitting >> STAIRWELL) & 1
    stuck = 1
    for k in range(DIE):
        if s.dice[p, k] > 0:
            room = ROOM_AT[(s.mark[p] + k + 1) % TABLE_ROWS]
            if room == EXPLOSION:  # TOM-10
                mask[A_ROOM + k] = 1
                stuck = 0
            else:  # TOM-09
                fits = (fitting >> room) & 1
                mask[A_ROOM + k] = fits
                mask[A_LIBRARY + k] = library
                mask[A_STAIRWELL + k] = stairwell
                if fits + library + stairwell > 0:
                    stuck = 0
            mask[A_REROLL + k] = distorter  # TOM-16
    mask[A_KEEP] = stuck  # TOM-12


@compiled(SIGNATURES.legal)
def legal(s, mask):
    clear(mask)
    if s.seat == NOBODY:
        return
    p = s.seat
    phase = s.phase
    if phase == BUILD:
        allow_dice(s, p, mask)
    elif phase == PLACE:  # TOM-08
        for dot in range(s.num_dots[p]):
            mask[A_CELL + int(s.dot_cell[p, dot])] = (s.dot_rooms[p, dot] >> s.building) & 1
    elif phase == EXPLODE:  # TOM-10
        for icon in range(NUM_ICONS):
            mask[A_EXPLODE + icon] = s.icons[p, icon] > 0
    elif phase == MARKET:  # TOM-16
        for k in range(DIE):
            mask[A_REROLL + k] = s.dice[p, k] > 0
        mask[A_KEEP] = 1
    elif phase == PREDICT:  # TOM-15
        mask[A_PREDICTOR] = 1
        mask[A_KEEP] = 1
    elif phase == SPLIT:  # TOM-21
        for split in range(NUM_SPLITS):
            key = split_key(s, split)
            new = 1
            for earlier in range(split):
                if split_key(s, earlier) == key:
                    new = 0
            mask[A_SPLIT + split] = new
    else:
        mask[A_GROUP] = 1
        mask[A_GROUP + 1] = 1


# What is done.


@helper
def use_die(s, p, action):
    """TOM-07, TOM-09: the mark moves, whatever is built."""
    k = action % DIE
    s.dice[p, k] -= 1
    s.mark[p] = (s.mark[p] + k + 1) % TABLE_ROWS
    room = ROOM_AT[s.mark[p]]
    if action >= A_STAIRWELL:
        room = STAIRWELL
    elif action >= A_LIBRARY:
        room = LIBRARY
    tell(s, p, E_USE, k + 1, s.mark[p], room)
    if room != EXPLOSION:
        s.building = room
        s.phase = PLACE
        return
    for icon in range(NUM_ICONS):
        if s.icons[p, icon] > 0:
            s.phase = EXPLODE
    if s.phase == BUILD:  # TOM-10
        tell(s, p, E_DUD, 0, 0, 0)


@helper
def place(s, p, cell):
    room = s.building
    s.building = NONE
    build(s, p, room, cell)
    if ROW_OF[cell] + HEIGHT[room] == ROWS:  # TOM-12
        end_page(s, p, TOP_ROW)
    else:
        s.phase = BUILD


@helper
def reroll(s, p, k):
    """TOM-16."""
    s.dice[p, k] -= 1
    die = randbelow(s, DIE)
    s.dice[p, die] += 1
    tell(s, p, E_REROLL, k + 1, die + 1, 0)


@helper
def keep(s, p):
    tell(s, p, E_KEEP, s.phase, 0, 0)
    if s.phase == PREDICT:
        s.phase = THROW
    elif s.phase == MARKET:
        s.phase = FILL
    else:  # TOM-12
        end_page(s, p, NO_ROOM)


@helper
def take_group(s, p, second):
    """TOM-21: a group for the chooser ``p``, whose turn begins; the rest for the roller."""
    taken = group(s, s.split, second)
    left = group(s, s.split, 1 - second)
    for die in range(COMMON_DICE):
        owner = p if IN_GROUP_2[s.split, die] == second else 1 - p
        s.dice[owner, s.common[die] - 1] += 1
        s.common[die] = 0
    s.split = NONE
    s.phase = BUILD
    tell(s, p, E_GROUP, second + 1, taken, left)


@compiled(SIGNATURES.step)
def step(s, action):
    begin_step(s)
    p = s.seat
    if CROSSES[action] != NONE:
        cross_out(s, p, CROSSES[action])
    if action < A_CELL:
        use_die(s, p, action)
    elif action < A_EXPLODE:
        place(s, p, action - A_CELL)
    elif action < A_PREDICTOR:
        s.phase = BUILD
    elif action == A_PREDICTOR:
        s.phase = SHOW
    elif action < A_KEEP:
        reroll(s, p, action - A_REROLL)
    elif action == A_KEEP:
        keep(s, p)
    elif action < A_GROUP:
        s.split = action - A_SPLIT
        s.seat = 1 - p
        s.phase = GROUP
        tell(s, p, E_SPLIT, group(s, s.split, 0), group(s, s.split, 1), 0)
    else:
        take_group(s, p, action - A_GROUP)
    go_on(s)


@compiled(SIGNATURES.determinize)
def determinize(s, seat, seed):
    """Nothing but what the dice will show is unknown to anybody."""
    seed_stream(s, seed)
    hide_events(s, seat)
