"""Events from bytes, however they are cut, and never more memory than the limit."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import RemoteProtocolError
from cloche.transports.base import TooLong
from cloche.transports.http.sse_reader import EventReader, Place

LIMIT = 10_000


def events(data: bytes, sizes: list[int], limit: int = LIMIT) -> tuple[list[bytes | TooLong], Place]:
    place = Place()
    reader = EventReader(limit, place)
    found: list[bytes | TooLong] = []
    position, size = 0, itertools.cycle(sizes)
    while position < len(data):
        step = next(size)
        found += reader.feed(data[position : position + step])
        position += step
    return found, place


WRITTEN = [
    (b"data: a\n\n", [b"a"]),
    (b"data:a\n\n", [b"a"]),
    (b"data:  a \n\n", [b" a "]),
    (b"data: a\r\n\r\ndata: b\r\rdata: c\n\n", [b"a", b"b", b"c"]),
    (b"data: a\ndata: b\n\n", [b"a\nb"]),
    (b"event: message\ndata: a\n\n", [b"a"]),
    (b"event: endpoint\ndata: /old\n\ndata: a\n\n", [b"a"]),
    (b": comment\n\n: another\ndata: a\n\n", [b"a"]),
    (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    (b"database: no\ndata: a\n\n", [b"a"]),
    (b"data\n\nid: 1\ndata:\n\n", []),
    (b"data: cut off", []),
    (b"data: cut off\n", []),
    (b"", []),
]


@pytest.mark.parametrize(("data", "found"), WRITTEN, ids=[str(number) for number in range(len(WRITTEN))])
@pytest.mark.parametrize("sizes", [[1000], [1], [2], [3, 1, 4]], ids=["whole", "bytes", "pairs", "mixed"])
def test_events_as_they_are_written(data: bytes, found: list[bytes], sizes: list[int]) -> None:
    assert events(data, sizes)[0] == found


@settings(max_examples=200, database=None, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab:\n\rd ata"), max_size=30)), st.lists(st.integers(1, 7), min_size=1))
def test_how_the_bytes_are_cut_does_not_matter(lines: list[str], sizes: list[int]) -> None:
    data = "\n".join(lines).encode() + b"\n\n"
    assert events(data, sizes)[0] == events(data, [len(data)])[0]


def test_the_place_is_kept() -> None:
    data = b"id: 7\nretry: 250\ndata: a\n\nid: 8\ndata:\n\nid: 9\ndata: never ended\n"
    found, place = events(data, [5])
    assert found == [b"a"]
    assert (place.last_id, place.retry) == ("8", 0.25)


@pytest.mark.parametrize(
    "value", [b"a\x00b", b"caf\xc3\xa9", b"x" * 1025, b" lead", b""], ids=["null", "foreign", "long", "blank", "empty"]
)
def test_an_id_that_cannot_go_into_a_header_is_not_remembered(value: bytes) -> None:
    _, place = events(b"id: 1\ndata: a\n\nid: " + value + b"\ndata: b\n\n", [1000])
    assert place.last_id == "1"


@pytest.mark.parametrize("value", [b"-1", b"1.5", b"soon", b"9" * 30])
def test_a_wait_that_is_no_number_is_ignored(value: bytes) -> None:
    assert events(b"retry: " + value + b"\n\n", [1000])[1].retry is None


@pytest.mark.parametrize("sizes", [[100_000], [1000], [7]], ids=["whole", "chunks", "drops"])
def test_a_long_event_is_skipped_and_the_next_is_read(sizes: list[int]) -> None:
    long = b'data: {"jsonrpc":"2.0","id":1,"result":"' + b"x" * 2 * LIMIT + b'"}\n\n'
    found, _ = events(long + b"data: a\n\n", sizes)
    assert isinstance(found[0], TooLong)
    assert found[0].head.startswith(b'{"jsonrpc":"2.0","id":1,"result"')
    assert found[1:] == [b"a"]


def test_an_event_of_many_lines_is_too_long_as_well() -> None:
    found, _ = events(b"data:\n" * (LIMIT // 2) + b"\ndata: a\n\n", [64])
    assert [type(event) for event in found] == [TooLong, bytes]


@pytest.mark.parametrize("line", [b"x", b": x", b"data: x", b"data: x\n", b"event: x\n"])
def test_what_never_ends_costs_no_memory_and_ends_the_stream(line: bytes) -> None:
    limit = 100_000
    reader = EventReader(limit, Place())
    chunk = line + b"y" * 4096 + (b"\n" if line.endswith(b"\n") else b"")
    tracemalloc.start()
    try:
        with pytest.raises(RemoteProtocolError, match="without end"):
            feed_often(reader, chunk)
        assert tracemalloc.get_traced_memory()[1] < 4 * limit
    finally:
        tracemalloc.stop()


def feed_often(reader: EventReader, chunk: bytes) -> None:
    for _ in range(1000):
        reader.feed(chunk)


def test_comments_may_come_for_ever() -> None:
    reader = EventReader(LIMIT, Place())
    for _ in range(10_000):
        assert reader.feed(b": still here\n\n: and here\n") == []
    assert reader.feed(b"data: a\n\n") == [b"a"]
