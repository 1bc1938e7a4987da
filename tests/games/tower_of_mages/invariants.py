"""What holds in every state of the game, also in a redrawn one."""

from mages_env.engine import NOBODY, RUNNING
from mages_env.games.tower_of_mages.data import (
    COLUMNS,
    DICE,
    ELEMENTS,
    EYES,
    GROUND_DOTS,
    HOURGLASSES,
    ICONS,
    LIBRARY,
    MARKET,
    NAMES,
    NONE,
    NUM_EYES,
    OBSERVATORY,
    PIECES,
    ROWS,
    TOWER_CAP,
)
from mages_env.games.tower_of_mages.state import (
    BUILD,
    EXPLODE,
    GROUP,
    NO_TIME,
    PHASES,
    PLACE,
    PREDICT,
    SPLIT,
    TOP_ROW,
)
from mages_env.games.tower_of_mages.state import (
    MARKET as MARKET_PHASE,
)

GROUND = -1


def check(s):
    """Raises AssertionError with what does not hold."""
    for p in range(s.num_players):
        check_plan(s, p)
        check_dots(s, p)
        check_icons(s, p)
        check_market(s, p)
        check_time(s, p)
        check_unused(s, p)
    check_flow(s)
    check_dice(s)


def at(cell):
    return cell % COLUMNS, cell // COLUMNS


def cells_of(s, p, n):
    x, y = at(int(s.piece_cell[p, n]))
    return [(x + right, y + up) for right, up in PIECES[s.piece_room[p, n]].cells]


def above_dots(s, p, n):
    """Cells right above the top dots of piece ``n``."""
    x, y = at(int(s.piece_cell[p, n]))
    return [(x + right, y + up + 1) for right, up in PIECES[s.piece_room[p, n]].dots]


def check_plan(s, p):
    """TOM-01, TOM-02, TOM-08: inside the plan, no overlap, on a dot, not on its own type."""
    owner = {}
    for n in range(s.num_pieces[p]):
        for x, y in cells_of(s, p, n):
            assert 0 <= x < COLUMNS and 0 <= y < ROWS, f"piece {n} reaches outside, to {x, y}"
            assert (x, y) not in owner, f"pieces {owner.get((x, y))} and {n} overlap at {x, y}"
            owner[x, y] = n
        base = at(int(s.piece_cell[p, n]))
        below = int(s.piece_below[p, n])
        if below == NONE:
            assert base in [(x, 0) for x in GROUND_DOTS], f"piece {n} stands on no dot"
        else:
            assert 0 <= below < n, f"piece {n} stands on {below}, built later"
            assert base in above_dots(s, p, below), f"piece {n} is not on a dot of {below}"
            same = s.piece_room[p, n] == s.piece_room[p, below]
            assert not same, f"piece {n} stands on its own type"
    for cell, held in enumerate(s.plan[p].tolist()):
        n = owner.get(at(cell))
        room = 0 if n is None else 1 + int(s.piece_room[p, n])
        if n is not None and s.piece_crossed[p, n]:
            room = -room
        assert held == room, f"the plan has {held} at {at(cell)}, the pieces {room}"


def occupied(s, p):
    return {cell for n in range(s.num_pieces[p]) for cell in cells_of(s, p, n)}


def check_dots(s, p):
    """TOM-08: free dots and what fits on them, found slowly."""
    covered = occupied(s, p)
    free = {(x, 0): GROUND for x in GROUND_DOTS}
    for n in range(s.num_pieces[p]):
        free.update({cell: n for cell in above_dots(s, p, n) if cell[1] < ROWS})
    free = {cell: n for cell, n in free.items() if cell not in covered}
    size = s.num_dots[p]
    held = {
        at(int(cell)): int(piece)
        for cell, piece in zip(s.dot_cell[p, :size], s.dot_piece[p, :size], strict=True)
    }
    assert len(held) == size, "a dot is listed twice"
    assert held == free, f"dots are {held} instead of {free}"
    fitting = set()
    told = {at(int(s.dot_cell[p, dot])): int(s.dot_rooms[p, dot]) for dot in range(size)}
    for (x, y), n in free.items():
        here = 0
        for room, piece in enumerate(PIECES):
            wanted = {(x + right, y + up) for right, up in piece.cells}
            inside = all(0 <= a < COLUMNS and 0 <= b < ROWS for a, b in wanted)
            own_type = n != GROUND and s.piece_room[p, n] == room
            if inside and not own_type and not wanted & covered:
                fitting.add(room)
                here |= 1 << room
        assert told[x, y] == here, f"rooms on {x, y}: {told[x, y]:b} instead of {here:b}"
    bits = {room for room in range(len(PIECES)) if (int(s.fitting[p]) >> room) & 1}
    assert bits == fitting, f"rooms that fit: {bits} instead of {fitting}"


def way_down(s, p, n):
    """Pieces on the way from piece ``n`` to the ground, without itself."""
    below = int(s.piece_below[p, n])
    while below != NONE:
        yield below
        below = int(s.piece_below[p, below])


def check_icons(s, p):
    """TOM-14, TOM-17, TOM-18, TOM-19: icons, what is left of them, and what is below a piece."""
    left = dict.fromkeys(range(len(ICONS)), 0)
    fixed = 0
    for n in range(s.num_pieces[p]):
        name = NAMES[s.piece_room[p, n]]
        below = int(s.piece_below[p, n])
        if name in ICONS:
            icon = ICONS.index(name)
        elif name == "Laboratory" and below != NONE:
            icon = int(s.piece_icon[p, below])
        else:
            icon = NONE
        assert s.piece_icon[p, n] == icon, f"piece {n} has icon {s.piece_icon[p, n]}, not {icon}"
        crossed = s.piece_crossed[p, n]
        assert crossed in (0, 1) and not (crossed and icon == NONE), f"piece {n}: crossed {crossed}"
        if icon != NONE and not crossed:
            left[icon] += 1
        down = [n, *way_down(s, p, n)]
        assert s.piece_storey[p, n] == len(down), f"piece {n}: storey {s.piece_storey[p, n]}"
        for element in range(ELEMENTS):
            count = sum(s.piece_icon[p, k] == element for k in down)
            held = (int(s.piece_chain[p, n]) >> (5 * element)) & 31
            assert held == count, f"below piece {n}: {held} of element {element}, not {count}"
        if name == "Library":
            fixed += 10
        elif name == "Observatory":
            fixed += (len(down) - 1) // 3
    assert s.icons[p].tolist() == list(left.values()), f"icons {s.icons[p]} instead of {left}"
    crossed_elements = sum(
        bool(s.piece_crossed[p, n]) and s.piece_icon[p, n] < ELEMENTS
        for n in range(s.num_pieces[p])
    )
    rooms = s.piece_room[p, : s.num_pieces[p]].tolist()
    assert crossed_elements >= ELEMENTS * rooms.count(LIBRARY), "a Library without six elements"
    caps = [n for n, room in enumerate(rooms) if room == TOWER_CAP]
    most = sum(
        max(MARKET) * sum(0 <= s.piece_icon[p, k] < ELEMENTS for k in way_down(s, p, n))
        for n in caps
    )
    assert abs(int(s.bonus[p]) - fixed) <= most, f"{s.bonus[p]} points for buildings"
    if not caps and OBSERVATORY not in rooms and LIBRARY not in rooms:
        assert s.bonus[p] == 0


def check_market(s, p):
    """TOM-04, TOM-06, TOM-11: no column is ever full, and no more is filled than dice fell."""
    filled = s.filled[p].tolist()
    assert all(0 <= n < len(MARKET) for n in filled), f"columns are filled to {filled}"
    held = DICE if s.phase == MARKET_PHASE and p == s.seat else 0  # dice still to be filled
    thrown = DICE * (1 + int(s.eyes[p])) - held
    assert sum(filled) <= thrown, f"{filled} by {thrown} dice"
    if max(filled) < len(MARKET) - 1:
        assert sum(filled) == thrown, f"{filled} by {thrown} dice"


def check_time(s, p):
    """TOM-05, TOM-11, TOM-12, TOM-15."""
    hours, eyes = int(s.hourglasses[p]), int(s.eyes[p])
    assert 0 <= hours <= HOURGLASSES and 0 <= eyes <= NUM_EYES
    passed = sum(number <= hours for number in EYES)
    assert eyes >= passed, f"{eyes} eyes crossed out, {passed} passed"
    assert (hours == HOURGLASSES) <= (s.ended[p] == NO_TIME), "out of time, yet not ended"
    assert 0 <= s.mark[p] < 13

    top = any(y == ROWS - 1 for _, y in occupied(s, p))
    assert top == (s.ended[p] == TOP_ROW), "a piece in the top row ends the page, nothing else"
    assert s.num_pieces[p] <= DICE * min(HOURGLASSES, hours + 1), "more pieces than dice"
    if s.score[p]:
        assert s.ended[p] and eyes == NUM_EYES, "a score before the last Market Phase"
    if s.over != RUNNING:
        value = int(s.bonus[p]) + sum(
            int(s.icons[p, k]) * MARKET[s.filled[p, k]] for k in range(ELEMENTS)
        )
        assert s.ended[p] and eyes == NUM_EYES and s.score[p] == value, "TOM-13"


def check_unused(s, p):
    """Nothing is left behind where nothing is, so that equal games are equal bytes."""
    n, dots = s.num_pieces[p], s.num_dots[p]
    for name in ("room", "cell", "below", "icon", "crossed", "storey", "chain"):
        assert not s[f"piece_{name}"][p, n:].any(), f"piece_{name} beyond {n}"
    for name in ("cell", "piece", "rooms"):
        assert not s[f"dot_{name}"][p, dots:].any(), f"dot_{name} beyond {dots}"


def check_flow(s):
    """Who is asked, and what for."""
    assert (s.building != NONE) == (s.phase == PLACE), f"building {s.building}, phase {s.phase}"
    assert (s.split != NONE) == (s.phase == GROUP)
    common = s.common.tolist()
    assert all(common) == any(common) == (s.phase in (SPLIT, GROUP)), f"common dice {common}"
    assert common == sorted(common)
    if s.over != RUNNING:
        assert s.seat == NOBODY and all(s.ended[: s.num_players])
        return
    assert 0 <= s.phase < len(PHASES), f"phase {s.phase} asks nothing"
    p = s.seat
    assert (s.phase == MARKET_PHASE) >= bool(s.ended[p]), "a page that has ended is asked"
    if s.phase == PREDICT:
        assert s.icons[p, ICONS.index("Predictor")] > 0 and s.eyes[p] < NUM_EYES and not s.thrown
    if s.phase == MARKET_PHASE:
        assert s.icons[p, ICONS.index("Distorter")] > 0
    if s.phase == EXPLODE:
        assert s.icons[p].any()
    if s.phase in (SPLIT, GROUP):
        assert s.shared and s.thrown and (p == s.roller) == (s.phase == SPLIT)
    assert not s.shared or s.num_players == 2


def check_dice(s):
    """TOM-07, TOM-11, TOM-21: how many dice lie where."""
    assert (s.dice >= 0).all()
    for p in range(s.num_players):
        lying = int(s.dice[p].sum())
        if p == s.seat:
            low, high = {BUILD: (1, DICE), PLACE: (0, 2), EXPLODE: (0, 2)}.get(
                int(s.phase), (DICE, DICE) if s.phase == MARKET_PHASE else (0, 0)
            )
            assert low <= lying <= high, f"{lying} dice in phase {s.phase}"
        elif lying:  # the roller waits for the chooser
            assert s.shared and s.thrown and p == s.roller and lying == DICE, f"{lying} dice"
