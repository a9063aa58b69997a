"""A process of the server ends when the one that started it was killed."""

import os
import signal

from dashboard.supervised import wait_and_end


def test_it_ends_once_another_process_is_its_parent_and_not_before() -> None:
    parents = iter([7, 7, 1])
    waits: list[float] = []
    ended: list[tuple[int, int]] = []

    wait_and_end(
        7,
        parent=lambda: next(parents),
        sleep=waits.append,
        end=lambda *said: ended.append(said),
    )

    assert len(waits) == 3  # twice for its parent, and once for this process to end
    assert ended == [(os.getpid(), signal.SIGTERM), (os.getpid(), signal.SIGKILL)]
