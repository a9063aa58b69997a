"""Keep what was made, the least used put away first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Shelf(Generic[KeyT, ValueT]):
    """A bounded number of values of this process, each of which stays right while it is kept."""

    def __init__(self, *, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: KeyT, make: Callable[[], ValueT]) -> ValueT:
        """Return the value of a key, made where it is not kept.

        Nobody waits for a value to be made: two threads that miss one both make it.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return made

    def hold(self, size: int) -> None:
        """Keep at least so many values from now on; never fewer than before."""
        with self._lock:
            self._size = max(self._size, size)

    def drop(self, key: KeyT) -> None:
        """Put one value away, if it is kept."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Put everything away."""
        with self._lock:
            self._kept.clear()
