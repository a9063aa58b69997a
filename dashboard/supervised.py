"""A process of the server ends when the one that started it is gone.

Where that was killed alone, by the system for its memory say, its processes would go on serving,
with nobody to replace or to stop them, and hold the port against the next server.
"""

import os
import signal
import threading
import time
from collections.abc import Callable

VARIABLE = "TOOLCRIB_SUPERVISOR"
"""Names the process that serves, for those that it starts."""
_EVERY = 0.5
_GRACE = 10.0


def supervise() -> None:
    """Let the processes that this one starts from now on know whose they are."""
    os.environ[VARIABLE] = str(os.getpid())


def end_when_left_alone() -> None:
    """End this process once its supervisor is gone; of one that has none nothing is asked."""
    said = os.environ.get(VARIABLE, "")
    if said.isdecimal() and int(said) != os.getpid():
        watch = threading.Thread(target=wait_and_end, args=(int(said),), name="left", daemon=True)
        watch.start()


def wait_and_end(
    supervisor: int,
    *,
    parent: Callable[[], int] = os.getppid,
    sleep: Callable[[float], object] = time.sleep,
    end: Callable[[int, int], object] = os.kill,
) -> None:
    """Wait until another process than ``supervisor`` is the parent, then ask this one to end.

    One that is just coming up has the signal handlers of the other and would not listen: after
    some seconds it is not asked any more.
    """
    while parent() == supervisor:
        sleep(_EVERY)
    end(os.getpid(), signal.SIGTERM)
    sleep(_GRACE)
    end(os.getpid(), signal.SIGKILL)
