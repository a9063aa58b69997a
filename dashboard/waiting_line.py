"""Bounded lines before the API and the pages: overload is answered with 503, and nobody hangs.

As long as a line is short, the server's threads do the work themselves. Beyond that a few threads
of the line's own do it, and the server's only wait for them: so that many requests can wait for a
bounded time, few connections to the database are held, and those for whom there is no place are
told to come again. A request that is turned away has not begun, so that it can be sent again. Its
body is read before it waits: a client that sends slowly holds up nobody's work.

Handing every request over would be simpler, and cost 60 us each, on busy cores milliseconds.

An answer that is made while it is read, a large file, is read by the server's own thread when its
turn is over: a reader may be slow. There is a bound of its own for these.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from routing.api.problems import overloaded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed.wsgi import StartResponse, WSGIApplication

API = "/api/"
# What needs no thread that may be waited for: files, and whether the process is up at all.
UNBOUNDED = ("/static/", "/healthz", "/readyz")
UPLOAD = "multipart/form-data"
PIECE = 64 * 1024
RETRY_AFTER = 1
# How many of the server's threads work themselves, and hold a connection, for each turn: after a
# crowd there are more of them for a while than are needed.
OWN_CONNECTIONS = 4


class Answer(NamedTuple):
    """An answer in full."""

    status: str
    headers: list[tuple[str, str]]
    content: bytes


class Stream(NamedTuple):
    """An answer that is made while it is read, and has to be closed."""

    status: str
    headers: list[tuple[str, str]]
    chunks: Iterable[bytes]


class Streams:
    """Lets ``at_once`` answers be read while they are made.

    ``afterwards`` is called in the thread that read one, which may never do so again: what it was
    given for that, a connection to the database, is not to stay.
    """

    def __init__(self, *, at_once: int, afterwards: Callable[[], None] = lambda: None) -> None:
        self._places = threading.Semaphore(at_once)
        self._afterwards = afterwards

    def read(self, stream: Stream) -> Iterable[bytes] | None:
        """Return the chunks of a stream, nothing where there is no place; it is closed then."""
        if not self._places.acquire(blocking=False):
            _close(stream.chunks)
            return None
        return _Read(stream.chunks, self._done)

    def _done(self) -> None:
        self._places.release()
        self._afterwards()


class _Read:
    """Chunks that are done with when they are closed, or left."""

    def __init__(self, chunks: Iterable[bytes], done: Callable[[], None]) -> None:
        self._chunks = chunks
        self._done: Callable[[], None] | None = done

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    def close(self) -> None:
        """Close what is read, once."""
        done, self._done = self._done, None
        if done is not None:
            try:
                _close(self._chunks)
            finally:
                done()

    def __del__(self) -> None:
        # A server that lost its client before the first chunk may forget to close.
        self.close()


class Line:
    """Works on ``at_once`` requests, and has room for ``most``, those among them.

    ``patience`` is how many seconds a request waits for its turn.
    """

    def __init__(self, name: str, *, at_once: int, most: int, patience: float) -> None:
        self._turns = threading.Semaphore(at_once)
        self._workers = ThreadPoolExecutor(max_workers=at_once, thread_name_prefix=name)
        self._at_once = at_once
        self._most = max(most, at_once)
        self._patience = patience
        self._inside = 0
        self._lock = threading.Lock()
        self._server_threads = _FirstThreads(most=OWN_CONNECTIONS * at_once)

    @contextmanager
    def place(self) -> Iterator[bool]:
        """Hold a place while the block runs; the value is false where there is none."""
        with self._lock:
            has_place = self._inside < self._most
            self._inside += has_place
        try:
            yield has_place
        finally:
            with self._lock:
                self._inside -= has_place

    def answer(
        self, application: WSGIApplication, environ: dict[str, Any]
    ) -> Answer | Stream | None:
        """Return the answer of an application, nothing where no turn came in time."""
        is_short = self._inside <= self._at_once and self._server_threads.has_this()
        if is_short and self._turns.acquire(blocking=False):
            try:
                return _work(application, environ)
            finally:
                self._turns.release()
        end = monotonic() + self._patience
        future = self._workers.submit(self._work_in_turn, application, environ, end)
        try:
            return future.result(timeout=self._patience)
        except TimeoutError:
            if future.cancel():
                return None
            # It has begun, and what it does is done: what it waits for has time-outs of its own.
            return future.result()

    def _work_in_turn(
        self, application: WSGIApplication, environ: dict[str, Any], end: float
    ) -> Answer | Stream | None:
        if not self._turns.acquire(timeout=max(0.0, end - monotonic())):
            return None
        try:
            return _work(application, environ)
        finally:
            self._turns.release()


class _FirstThreads:
    """The threads that came first, up to a number; one that ends makes room for another."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._local = threading.local()
        self._living: weakref.WeakSet[_Token] = weakref.WeakSet()

    def has_this(self) -> bool:
        """Tell whether the thread that asks is among them."""
        if not hasattr(self._local, "token") and len(self._living) < self._most:
            # It lives as long as the thread does.
            self._local.token = _Token()
            self._living.add(self._local.token)
        return hasattr(self._local, "token")


class _Token:
    """Stands for a thread."""


def with_waiting_lines(
    application: WSGIApplication,
    *,
    api: Line,
    pages: Line,
    streams: Streams,
    largest_body: int,
    largest_upload: int,
) -> WSGIApplication:
    """Return an application whose API and pages wait in lines of their own.

    ``largest_body`` and, for a form with files that is sent to a page, ``largest_upload`` are the
    bytes beyond which a body is not read.
    """

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path.startswith(UNBOUNDED):
            return application(environ, start_response)
        line = api if path.startswith(API) else pages
        with line.place() as has_place:
            # Read in any case: a client is cut off where its body is left.
            if line is pages and environ.get("CONTENT_TYPE", "").startswith(UPLOAD):
                body = _read_upload(environ, largest=largest_upload, in_memory=largest_body)
            else:
                body = _read_body(environ, largest=largest_body)
            with body as environ["wsgi.input"]:
                if not has_place:
                    return _turn_away(start_response, "Too many requests wait for their turn.")
                done = line.answer(application, environ)
        if done is None:
            return _turn_away(start_response, "No turn came in time.")
        if isinstance(done, Stream):
            chunks = streams.read(done)
            if chunks is None:
                return _turn_away(start_response, "Too many files are being made.")
            start_response(done.status, done.headers)
            return chunks
        start_response(done.status, done.headers)
        return [done.content]

    return answer


def _work(application: WSGIApplication, environ: dict[str, Any]) -> Answer | Stream:
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], _exc_info: object = None
    ) -> Callable[[bytes], object]:
        started[:] = [(status, headers)]
        return _refuse_to_write

    chunks = application(environ, start_response)
    # As Django calls an answer that it does not hold in full.
    if getattr(chunks, "streaming", False) and environ.get("REQUEST_METHOD") != "HEAD":
        ((status, headers),) = started
        return Stream(status, headers, chunks)
    try:
        content = b"" if getattr(chunks, "streaming", False) else b"".join(chunks)
    finally:
        _close(chunks)
    ((status, headers),) = started
    return Answer(status, headers, content)


def _close(chunks: Iterable[bytes]) -> None:
    # Django ends the request by it, and looks after its connections.
    if hasattr(chunks, "close"):
        chunks.close()


def _refuse_to_write(_content: bytes) -> object:
    raise NotImplementedError("Django returns its answers")


def _read_body(environ: dict[str, Any], *, largest: int) -> IO[bytes]:
    """Read the body; what is longer than Django allows is refused by its length alone."""
    stream, parts = environ["wsgi.input"], []
    left = _to_read(environ, largest=largest)
    while left and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return BytesIO(b"".join(parts))


def _read_upload(environ: dict[str, Any], *, largest: int, in_memory: int) -> IO[bytes]:
    """Read the body of a form with files; one that is longer than ``in_memory`` is put on disk."""
    stream = environ["wsgi.input"]
    body = SpooledTemporaryFile(max_size=in_memory)  # noqa: SIM115 - whoever asks closes it
    left = _to_read(environ, largest=largest)
    while left and (part := stream.read(min(left, PIECE))):
        body.write(part)
        left -= len(part)
    body.seek(0)
    return body


def _to_read(environ: dict[str, Any], *, largest: int) -> int:
    """Return how many bytes of a body are read: all, or of one that is too long none."""
    length = environ.get("CONTENT_LENGTH") or "0"
    size = int(length) if length.isdecimal() else 0
    return size if size <= largest else 0


def _turn_away(start_response: StartResponse, why: str) -> Iterable[bytes]:
    problem = overloaded(f"{why} Nothing was done.", retry_after=RETRY_AFTER).response()
    content = problem.content
    headers = [*problem.items(), ("Content-Length", str(len(content)))]
    start_response("503 Service Unavailable", headers)
    return [content]
