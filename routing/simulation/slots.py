"""Fill the slots of a template: names, codes, amounts and dates that fit language and day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache
from random import Random
from string import Formatter
from typing import Any

from routing.simulation.templates import read_corpus


def slots_of(text: str) -> tuple[str, ...]:
    """Return the names of the slots in a text, in order, each once."""
    return tuple(dict.fromkeys(slot for _, slot, _, _ in Formatter().parse(text) if slot))


class Filling:
    """The values of one task's slots; the same slot has the same value in its text and notes."""

    def __init__(self, *, language: str, when: datetime, random: Random) -> None:
        self._language = language
        self._when = when
        self._random = random
        self._values: dict[str, str] = {}

    def fill(self, text: str) -> str:
        """Return the text with its slots filled. Raises ``KeyError`` for a slot without values."""
        for slot in slots_of(text):
            if slot not in self._values:
                self._values[slot] = self._value(slot)
        return text.format_map(self._values)

    @property
    def values(self) -> Mapping[str, str]:
        """Return the values so far, by slot."""
        return dict(self._values)

    def _value(self, slot: str) -> str:
        if (make := _MADE.get(slot)) is not None:
            return make(self._language, self._when, self._random)
        return self._random.choice(_listed(self._language)[slot])


@cache
def _listed(language: str) -> dict[str, list[str]]:
    lists = read_corpus("slots.json")
    return {**lists["any"], **lists[language]}


def _spoken(language: str) -> dict[str, Any]:
    words: dict[str, Any] = read_corpus("calendar.json")[language]
    return words


def _amount(low: int, high: int) -> Callable[..., str]:
    """Return a maker of sums of money, written as the language does."""

    def made(language: str, when: datetime, random: Random) -> str:
        money = f"{random.randrange(low, high) + random.choice((0, 0.5, 0.9, 0.25)):,.2f}"
        if language != "en":
            money = money.translate(str.maketrans(",.", ".,"))
        return str(_spoken(language)["money"]).format(money)

    return made


def _count(language: str, when: datetime, random: Random) -> str:
    count = f"{random.choice((2_000, 3_500, 5_000, 8_000, 12_000, 40_000)):,}"
    return count if language == "en" else count.replace(",", ".")


def _date(language: str, when: datetime, random: Random) -> str:
    words = _spoken(language)
    day = when - timedelta(days=random.randrange(2, 12))
    return str(words["date"]).format(day.day, words["months"][day.month - 1])


def _month(language: str, when: datetime, random: Random) -> str:
    return str(_spoken(language)["months"][(when.month - 2) % 12])


def _month_ahead(language: str, when: datetime, random: Random) -> str:
    ahead = when.month - 1 + random.randrange(1, 5)
    return str(_spoken(language)["months"][ahead % 12])


def _weekday(language: str, when: datetime, random: Random) -> str:
    return str(random.choice(_spoken(language)["weekdays"]))


def _near(shape: str, *, neighbour: str) -> Callable[..., str]:
    """Return a maker of days: the ``neighbour`` of today, or a weekday in a ``shape``."""

    def made(language: str, when: datetime, random: Random) -> str:
        if random.random() < 0.4:
            return str(_spoken(language)[neighbour])
        return str(_spoken(language)[shape]).format(_weekday(language, when, random))

    return made


def _digits(shape: str, low: int, high: int) -> Callable[..., str]:
    """Return a maker of codes: ``shape`` is filled with a number and the year."""

    def made(language: str, when: datetime, random: Random) -> str:
        return shape.format(n=random.randrange(low, high), year=when.year, yy=f"{when:%y}")

    return made


_MADE: Mapping[str, Callable[[str, datetime, Random], str]] = {
    "account": _digits("CL-{n:05}", 100, 900),
    "amount": _amount(40, 9_000),
    "bill": _digits("FV-{yy}-{n:05}", 300, 2_000),
    "contract": _digits("CT-{year}-{n:04}", 20, 400),
    "count": _count,
    "date": _date,
    "day": _near("day", neighbour="yesterday"),
    "days": lambda language, when, random: random.choice(("30", "45", "60", "90")),
    "few": _digits("{n}", 2, 13),
    "invoice": _digits("F-{year}-{n:06}", 2_000, 6_000),
    "month": _month,
    "month_ahead": _month_ahead,
    "next_day": _near("day", neighbour="tomorrow"),
    "number": _digits("{n}", 45_000, 49_000),
    "on_day": _near("on_day", neighbour="yesterday"),
    "on_next_day": _near("on_day", neighbour="tomorrow"),
    "order": _digits("{n}", 51_000, 92_000),
    "po": _digits("PC-{n:06}", 3_000, 6_000),
    "price": _amount(12, 180),
    "quantity": _digits("{n}", 12, 320),
    "rep": _digits("R-{n:03}", 11, 60),
    "small": _digits("{n}", 3, 31),
    "small_count": _digits("{n}", 120, 900),
    "task": _digits("T-{n}", 10_100, 12_000),
    "version": _digits("v2.{n}.0", 4, 31),
    "weekday": _weekday,
    "weeks": _digits("{n}", 2, 9),
    "weight": lambda language, when, random: str(random.randrange(3, 25) * 100),
}
