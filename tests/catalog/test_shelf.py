"""What was made is kept, up to a number."""

from itertools import count

from catalog.shelf import Shelf


def test_a_value_is_made_once() -> None:
    numbers = count(1)
    shelf: Shelf[str, int] = Shelf(size=2)

    assert [shelf.get(key, lambda: next(numbers)) for key in "aab"] == [1, 1, 2]


def test_the_one_that_was_not_used_for_longest_goes() -> None:
    shelf: Shelf[str, str] = Shelf(size=2)
    for key in "abac":
        shelf.get(key, lambda: "first")

    assert [shelf.get(key, lambda: "again") for key in "acb"] == ["first", "first", "again"]


def test_nothing_is_kept_after_all_is_put_away() -> None:
    shelf: Shelf[str, str] = Shelf(size=2)
    shelf.get("a", lambda: "first")
    shelf.clear()

    assert shelf.get("a", lambda: "again") == "again"
