"""The guarded client for libraries that speak to asynchronous ones only."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import httpx2

ReturnT = TypeVar("ReturnT")


class ThreadedTransport(httpx2.AsyncBaseTransport):
    """Sends each request through a synchronous transport, in a thread of its own.

    The guard's clock is one of a thread: everything of a request happens in the same. A request
    that is given up ends in its thread when its time is over, and holds nobody up. Runs on asyncio.
    """

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        sent = httpx2.Request(
            method=request.method,
            url=request.url,
            headers=request.headers,
            content=await request.aread(),
            extensions=request.extensions,
        )
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="outgoing")
        try:
            answer = await _run(thread, lambda: self._inner.handle_request(sent))
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return httpx2.Response(
            status_code=answer.status_code,
            headers=answer.headers,
            stream=_ThreadedStream(answer, thread),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        self._inner.close()


class _ThreadedStream(httpx2.AsyncByteStream):
    """The bytes of an answer, each piece read in the thread of its request."""

    def __init__(self, answer: httpx2.Response, thread: ThreadPoolExecutor) -> None:
        self._answer = answer
        self._thread = thread

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream = self._answer.stream
        if not isinstance(stream, httpx2.SyncByteStream):
            raise TypeError("A synchronous transport answers with a synchronous stream.")
        pieces: Iterator[bytes] = iter(stream)
        while (piece := await _run(self._thread, lambda: next(pieces, None))) is not None:
            yield piece

    async def aclose(self) -> None:
        """Let go of the connection, once the thread is done with it."""
        self._thread.submit(self._answer.close)
        self._thread.shutdown(wait=False)


async def _run(thread: ThreadPoolExecutor, work: Callable[[], ReturnT]) -> ReturnT:
    return await asyncio.get_running_loop().run_in_executor(thread, work)
