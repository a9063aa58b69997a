"""Objects as they were written: with a key twice, now and then."""

from collections import Counter
from typing import Any


class Doubled(dict[str, Any]):
    """An object in whose text a key occurs twice; ``key`` is the first that does."""

    key = ""


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys each occurred once, or a ``Doubled`` one."""
    made = dict(reversed(pairs))
    if len(made) == len(pairs):
        return dict(pairs)
    doubled = Doubled({key: made[key] for key, _ in pairs})
    counted = Counter(key for key, _ in pairs)
    doubled.key = next(key for key, count in counted.items() if count > 1)
    return doubled
