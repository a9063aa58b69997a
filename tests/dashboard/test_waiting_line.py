"""Overload: the lines before the API and the pages, with real threads."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from threading import Event, Thread, current_thread
from time import monotonic
from typing import Any

import pytest

from dashboard.waiting_line import Line, Streams, with_waiting_lines

API, PAGE = "/api/v1/selections", "/keys"


class Slow:
    """An application that answers when it is let, and counts what it began and closed."""

    def __init__(self) -> None:
        self.may_go = Event()
        self.began: list[str] = []
        self.closed = 0
        self.bodies: list[bytes] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.began.append(environ["PATH_INFO"])
        self.bodies.append(environ["wsgi.input"].read())
        if not environ["PATH_INFO"].startswith("/healthz"):
            assert self.may_go.wait(20)
        start("201 Created", [("X-Own", "yes")])
        return Chunks(self)


class Chunks:
    """What Django returns: chunks that are closed in the end."""

    def __init__(self, of: Slow) -> None:
        self._of = of

    def __iter__(self) -> Any:
        return iter([b"do", b"ne"])

    def close(self) -> None:
        self._of.closed += 1


class Client:
    """Sends requests in threads of their own, as a server's threads do."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.threads: list[Thread] = []
        self.answers: list[tuple[str, dict[str, str], bytes]] = []

    def send(self, path: str, body: bytes = b"", **more: Any) -> None:
        environ = {
            "PATH_INFO": path,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
            **more,
        }

        def run() -> None:
            started: list[Any] = []
            chunks = self.application(environ, lambda *head: started.append(head))
            status, headers = started[0][:2]
            self.answers.append((status, dict(headers), b"".join(chunks)))

        self.threads.append(Thread(target=run))
        self.threads[-1].start()

    def wait(self) -> list[str]:
        """Return the statuses of all answers, in the order in which they came."""
        for thread in self.threads:
            thread.join(20)
            assert not thread.is_alive()
        return [status[:3] for status, _headers, _body in self.answers]


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    end = monotonic() + 10
    while not true():
        assert monotonic() < end
        Event().wait(0.002)


@pytest.fixture
def slow() -> Iterable[Slow]:
    application = Slow()
    yield application
    application.may_go.set()


def client_of(slow: Slow, *, at_once: int = 2, most: int = 5, patience: float = 10) -> Client:
    lines = {
        name: Line(name, at_once=at_once, most=most, patience=patience) for name in ("api", "pages")
    }
    streams = Streams(at_once=1)
    return Client(
        with_waiting_lines(slow, streams=streams, largest_body=100, largest_upload=200, **lines)
    )


def test_as_many_are_worked_on_as_there_are_threads_and_all_that_wait_are_answered(
    slow: Slow,
) -> None:
    client = client_of(slow)
    for _ in range(5):
        client.send(API)
    until(lambda: len(slow.began) == 2)
    Event().wait(0.05)
    assert len(slow.began) == 2
    slow.may_go.set()
    assert client.wait() == ["201"] * 5
    status, headers, body = client.answers[0]
    assert (status, headers, body) == ("201 Created", {"X-Own": "yes"}, b"done")
    assert slow.closed == 5


def test_who_finds_the_line_full_is_turned_away_at_once(slow: Slow) -> None:
    client = client_of(slow)
    for _ in range(5):
        client.send(API)
    until(lambda: len(slow.began) == 2)
    began = monotonic()
    for _ in range(20):
        client.send(API)
    until(lambda: len(client.answers) == 20)
    assert monotonic() - began < 5
    slow.may_go.set()
    assert sorted(client.wait()) == ["201"] * 5 + ["503"] * 20
    # Nothing of what was turned away was begun, and there is room again.
    assert len(slow.began) == 5
    client.send(API)
    assert client.wait()[-1] == "201"


def test_who_is_turned_away_is_told_when_to_come_again(slow: Slow) -> None:
    client = client_of(slow, at_once=1, most=1)
    client.send(API)
    until(lambda: len(slow.began) == 1)
    client.send(API)
    until(lambda: len(client.answers) == 1)
    _status, headers, body = client.answers[0]
    assert headers["Retry-After"] == "1"
    assert headers["Content-Type"] == "application/problem+json"
    assert int(headers["Content-Length"]) == len(body)
    problem = json.loads(body)
    assert (problem["type"], problem["status"]) == ("/problems/overloaded", 503)
    assert "Nothing was done" in problem["detail"]


def test_nobody_waits_longer_than_the_patience_lasts(slow: Slow) -> None:
    client = client_of(slow, at_once=1, patience=0.05)
    client.send(API)
    until(lambda: len(slow.began) == 1)
    for _ in range(3):
        client.send(API)
    until(lambda: len(client.answers) == 3)
    slow.may_go.set()
    # What had begun is answered however long it took; what had not never begins.
    assert client.wait() == ["503", "503", "503", "201"]
    assert len(slow.began) == 1


def test_pages_do_not_wait_for_agents_nor_probes_for_anybody(slow: Slow) -> None:
    client = client_of(slow, at_once=1, most=1)
    client.send(API)
    client.send(PAGE)
    until(lambda: sorted(slow.began) == [API, PAGE])
    client.send("/healthz")
    until(lambda: len(client.answers) == 1)
    assert client.answers[0][0] == "201 Created"
    # Monitoring reads the database, and a key before that: it waits as a page does.
    client.send("/metrics")
    until(lambda: len(client.answers) == 2)
    assert client.answers[1][0] == "503 Service Unavailable"


def test_a_body_is_read_before_the_wait_as_far_as_one_may_be_long(slow: Slow) -> None:
    slow.may_go.set()
    client = client_of(slow)
    for body in (b"x" * 100, b"x" * 101, b""):
        client.send(API, body)
        client.wait()
    client.send(API, b"left", CONTENT_LENGTH="nonsense")
    client.wait()
    # The longer one is refused by Django for its length, and is not read.
    assert slow.bodies == [b"x" * 100, b"", b"", b""]


def test_a_form_with_a_file_may_be_longer_and_to_a_page_alone(slow: Slow) -> None:
    slow.may_go.set()
    client = client_of(slow)
    upload = {"CONTENT_TYPE": "multipart/form-data; boundary=b"}
    for path, size in ((PAGE, 200), (PAGE, 201), (API, 101)):
        client.send(path, b"x" * size, **upload)
        client.wait()
    assert slow.bodies == [b"x" * 200, b"", b""]


def test_a_fault_of_the_application_reaches_the_server_and_frees_the_place() -> None:
    def broken(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        raise RuntimeError("broken")

    line = Line("api", at_once=1, most=1, patience=1)
    application = with_waiting_lines(
        broken,
        api=line,
        pages=line,
        streams=Streams(at_once=1),
        largest_body=10,
        largest_upload=10,
    )
    for _ in range(3):
        environ = {"PATH_INFO": API, "wsgi.input": BytesIO()}
        with pytest.raises(RuntimeError, match="broken"):
            application(environ, lambda *_head: lambda _chunk: None)


def test_where_nobody_waits_the_threads_of_the_server_work_themselves() -> None:
    worked: list[str] = []

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        worked.append(current_thread().name)
        start("200 OK", [])
        return [b""]

    line = Line("own", at_once=1, most=5, patience=1)
    lined = with_waiting_lines(
        application,
        api=line,
        pages=line,
        streams=Streams(at_once=1),
        largest_body=10,
        largest_upload=10,
    )

    def send() -> None:
        environ = {"PATH_INFO": API, "wsgi.input": BytesIO()}
        lined(environ, lambda *_head: lambda _chunk: None)

    # Threads that have ended make room for others, and hold no connection any more.
    for number in range(20):
        thread = Thread(target=send, name=f"server-{number}")
        thread.start()
        thread.join()
    assert worked == [f"server-{number}" for number in range(20)]
    # Those that live on are but few: the others hand over.
    worked.clear()
    may_end = Event()

    def send_and_stay() -> None:
        send()
        may_end.wait(20)

    threads = [Thread(target=send_and_stay, name=f"server-{number}") for number in range(9)]
    for number, thread in enumerate(threads):
        thread.start()
        until(lambda: len(worked) == number + 1)  # noqa: B023 - it is called at once
    may_end.set()
    for thread in threads:
        thread.join()
    assert worked == [f"server-{number}" for number in range(4)] + ["own_0"] * 5


class Told(list[str]):
    """An answer as Django streams it: what is made of it and when it is closed is written down."""

    streaming = True

    def __iter__(self) -> Any:
        for part in ("a", "b"):
            self.append(part)
            yield part.encode()

    def close(self) -> None:
        self.append("closed")


def test_what_is_made_while_it_is_read_holds_no_turn_and_has_a_bound() -> None:
    told: list[Told] = []
    ended: list[str] = []

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        told.append(Told())
        return told[-1]  # type: ignore[return-value]

    line = Line("own", at_once=1, most=1, patience=1)
    streams = Streams(at_once=2, afterwards=lambda: ended.append(current_thread().name))
    lined = with_waiting_lines(
        application, api=line, pages=line, streams=streams, largest_body=10, largest_upload=10
    )

    def send(method: str = "GET") -> tuple[str, Any]:
        heads: list[Any] = []
        environ = {"PATH_INFO": PAGE, "REQUEST_METHOD": method, "wsgi.input": BytesIO()}

        def start(*head: Any) -> Any:
            heads.append(head)

        chunks = lined(environ, start)
        return heads[0][0], chunks

    _status, first = send()
    assert next(iter(first)) == b"a"
    assert told[0] == ["a"], "the rest is not made yet"
    status, second = send()
    assert status == "200 OK", "no turn is held meanwhile"
    status, _chunks = send()
    assert status.startswith("503")
    assert told[2] == ["closed"], "it was never begun"
    assert send("HEAD") == ("200 OK", [b""])
    assert told[3] == ["closed"]
    first.close()
    first.close()
    assert told[0] == ["a", "closed"]
    assert ended == [current_thread().name]
    del second  # the server lost its client, and forgot it
    assert told[1] == ["closed"]
    assert b"".join(send()[1]) == b"ab"
