"""Layouts: offsets, views, JSON and tables from one declaration."""

import numpy as np
import pytest

from mages_env.layout import Block, Layout

LAYOUT = Layout(
    Block("hand", (2, 3), "cards"),
    Block("turn", (), "turns / 10"),
    Block("pile", (4,), "heights"),
    low=-1.0,
    high=2.0,
)


def test_blocks_lie_end_to_end():
    assert LAYOUT.size == 11
    assert [LAYOUT.start(block.name) for block in LAYOUT.blocks] == [0, 6, 7]
    assert LAYOUT.slice("pile") == slice(7, 11)
    assert (LAYOUT.low, LAYOUT.high) == (-1.0, 2.0)
    assert LAYOUT["turn"].size == 1
    with pytest.raises(KeyError, match="nothing"):
        LAYOUT["nothing"]
    with pytest.raises(KeyError, match="nothing"):
        LAYOUT.start("nothing")


def test_names_are_unique():
    with pytest.raises(ValueError, match="block 'hand' is declared twice"):
        Layout(*LAYOUT.blocks, Block("hand", (1,), ""))


def test_views_write_through():
    flat = np.arange(22, dtype=np.float32).reshape(2, 11)
    views = LAYOUT.views(flat)
    assert {name: view.shape for name, view in views.items()} == {
        "hand": (2, 2, 3),
        "turn": (2,),
        "pile": (2, 4),
    }
    views["hand"][1, 1, 2] = -7
    assert flat[1, 5] == -7
    with pytest.raises(ValueError, match="last axis is 10, the layout has 11 entries"):
        LAYOUT.views(flat[:, :10])


def test_json():
    view = LAYOUT.to_json(np.arange(11, dtype=np.float32))
    assert view == {"hand": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "turn": 6.0, "pile": [7, 8, 9, 10]}


def test_locate_is_the_inverse_of_views():
    for index in range(LAYOUT.size):
        flat = np.zeros(LAYOUT.size)
        flat[index] = 1
        name, place = LAYOUT.locate(index)
        assert LAYOUT.views(flat)[name][place] == 1
    for index in (-1, 11):
        with pytest.raises(IndexError, match=f"index {index} is not in 0..10"):
            LAYOUT.locate(index)


def test_table():
    lines = LAYOUT.table().splitlines()
    assert lines[0] == "| from | to | block | shape | meaning |"
    assert lines[2:] == [
        "| 0 | 5 | `hand` | 2x3 | cards |",
        "| 6 | 6 | `turn` | 1 | turns / 10 |",
        "| 7 | 10 | `pile` | 4 | heights |",
    ]


def test_the_digest_text_tells_layouts_apart():
    hand, turn, pile = LAYOUT.blocks
    others = (
        Layout(turn, hand, pile),
        Layout(hand, turn),
        Layout(hand, turn, Block("pile", (2, 2), pile.meaning)),
        Layout(hand, turn, Block("pile", (4,), "heights / 2")),
        Layout(hand, Block("turns", (), turn.meaning), pile),
    )
    texts = {layout.digest_text() for layout in (LAYOUT, *others)}
    assert len(texts) == 6
