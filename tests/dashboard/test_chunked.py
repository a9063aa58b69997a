"""A body without a length is read as well as one with it, and no further than is allowed."""

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest

from dashboard.chunked import with_lengths


class Trickle(BytesIO):
    """A stream that returns three bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(3, size or 0))


def received(stream: BytesIO, **environ: str) -> tuple[str | None, bytes]:
    """Return the length and the body that an application behind the wrapper gets."""
    seen: list[tuple[str | None, bytes]] = []

    def application(environ: dict[str, Any], _start: object) -> Iterable[bytes]:
        seen.append((environ.get("CONTENT_LENGTH"), environ["wsgi.input"].read(100)))
        return []

    wrapped = with_lengths(application, limit=10)
    list(wrapped({"wsgi.input": stream, **environ}, lambda *_: lambda _: None))
    return seen[0]


@pytest.mark.parametrize(
    ("sent", "length", "body"),
    [
        (b"", "0", b""),
        (b"0123456789", "10", b"0123456789"),
        # One byte more than is allowed, by which Django sees that it is too much.
        (b"0123456789" * 9, "11", b"01234567890"),
    ],
)
def test_a_chunked_body_gets_its_length(sent: bytes, length: str, body: bytes) -> None:
    assert received(Trickle(sent), HTTP_TRANSFER_ENCODING="Chunked") == (length, body)


def test_a_body_with_a_length_is_left_alone() -> None:
    stream = BytesIO(b"0123456789abc")

    assert received(stream, CONTENT_LENGTH="13") == ("13", b"0123456789abc")


def test_no_body_is_read_that_is_not_announced() -> None:
    stream = BytesIO(b"never asked for")

    assert received(stream)[0] is None
