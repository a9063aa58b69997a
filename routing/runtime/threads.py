"""Run a handler that blocks, for so long and no longer.

Each gets a thread of its own: one that does not come back in time is left behind, told to stop, and
holds up neither the agent nor the end of the process.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any

from routing.runtime.effects import Ended, Execute
from routing.runtime.values import Call


def start(execute: Execute, *, done: Callable[[Ended], None]) -> None:
    """Run a handler in a thread with the caller's context; ``done`` is called there at its end."""
    context = contextvars.copy_context()

    def work() -> None:
        began = time.monotonic()
        try:
            value = context.run(invoke, execute)
        except BaseException as error:
            fault = error if isinstance(error, Exception) else RuntimeError(repr(error))
            done(Ended(error=fault, seconds=time.monotonic() - began))
        else:
            done(Ended(value=value, seconds=time.monotonic() - began))

    threading.Thread(target=work, name=f"tool {execute.call.tool}", daemon=True).start()


def invoke(execute: Execute) -> Any:
    """Call a handler with its call and the arguments by name."""
    return execute.handler(execute.call, **execute.call.arguments)


def run(execute: Execute) -> Ended:
    """Run a handler and wait for it, at most its time."""
    ended: list[Ended] = []
    finished = threading.Event()

    def done(end: Ended) -> None:
        ended.append(end)
        finished.set()

    try:
        start(execute, done=done)
        finished.wait(execute.timeout)
    except BaseException:
        execute.call.stopping.set()
        raise
    return ended[0] if ended else late(execute)


def late(execute: Execute) -> Ended:
    """Tell a handler to stop, and say that it was not in time."""
    call: Call = execute.call
    call.stopping.set()
    return Ended(timed_out=True, seconds=execute.timeout or 0.0)
