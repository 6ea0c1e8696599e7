from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kbench.generators.sse import Event, events


def of(*chunks: bytes) -> list[Event]:
    return list(events(chunks))


def test_data_types_and_comments():
    stream = b": hello\n\nevent: delta\ndata: one\n\ndata:two\ndata:  three\n\nid: 7\n\n"
    assert of(stream) == [Event("delta", "one"), Event("", "two\n three")]


def test_an_event_that_the_end_cuts_off_is_none():
    assert of(b"data: whole\n\ndata: half") == [Event("", "whole")]
    assert of(b"data: whole\n\ndata: no empty line\n") == [Event("", "whole")]


def test_line_ends():
    assert of(b"data: a\r\n\r\ndata: b\r\rdata: c\n\n") == [Event("", "a"), Event("", "b"), Event("", "c")]
    assert of(b"data: a\r", b"\n\r", b"\ndata: b\n\n") == [Event("", "a"), Event("", "b")]


def test_broken_bytes_are_replaced():
    assert of(b"data: \xff!\n\n") == [Event("", "\ufffd!")]


#: What a line may hold: no line end.
LINES = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.lists(LINES, min_size=1, max_size=3), max_size=5), st.data())
def test_chunks_may_end_anywhere(messages, data):
    ends = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    stream = "".join("".join(f"data: {line}{ends}" for line in lines) + ends for lines in messages).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert of(*chunks) == [Event("", "\n".join(lines)) for lines in messages]
