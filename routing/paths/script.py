"""What simulated tools answer: per tool a sequence of answers, the last of which goes on.

In JSON ``{"seed": 1, "tools": {"read_order": [{"answer": "retryable"}, {"answer": "ok"}]}}``; the
name ``*`` stands for every tool that is not named. An answer is

- ``ok``, with ``data``, or with data made from the tool's output schema;
- ``malformed``: data that the output schema does not accept, ``data`` or made;
- ``injection``: as ``ok``, with an instruction hidden in a text of it: to call ``tool``, in the
  words of ``text``, one of ``routing.paths.injections``;
- ``slow``: it comes after the tool's time, so that the attempt is over: ``timed_out``;
- ``silent``: nothing is ever heard of the attempt, which stays out until its lease ends;
- ``retryable`` and ``fatal``, with a ``reason``.

``latency_ms``, ``cost`` (USD), ``tokens`` and ``retry_after_ms`` are what is recorded with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeGuard

from routing.evaluation.faults import CaseFault, encodable, gettext_noop
from routing.paths.injections import TEXTS
from routing.policy.arguments import canonical_json, unsafe_places

EVERY_TOOL = "*"
MOST_TOOLS, MOST_ANSWERS = 100, 50
MOST_BYTES = 64 * 1024
"""Data of one answer, as JSON."""
MOST_IN_ALL = 2 * MOST_BYTES
"""A whole script, as JSON."""
DEEPEST = 50
"""Levels of data."""
LONGEST_REASON = 200
MOST_SEED = 2**31 - 1
_LATENCY, _TOKENS, _COST, _RETRY = 2_000_000, 2_000_000_000, 10**9, 86_400_000
_UNKNOWN = gettext_noop("%(key)s: there is no “%(name)s” in it")
_NO_OBJECT = gettext_noop("%(key)s: an object is required")


class Kind(StrEnum):
    """How a simulated tool answers."""

    OK = "ok"
    MALFORMED = "malformed"
    INJECTION = "injection"
    SLOW = "slow"
    SILENT = "silent"
    RETRYABLE = "retryable"
    FATAL = "fatal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a tool; ``has_data`` tells a null that was written from nothing."""

    kind: Kind = Kind.OK
    data: Any = None
    has_data: bool = False
    reason: str = ""
    text: str = ""
    tool: str = ""
    latency_ms: int | None = None
    cost: float | None = None
    tokens: int | None = None
    retry_after_ms: int | None = None

    def record(self) -> dict[str, Any]:
        """Return the answer as JSON; what says nothing is left out."""
        said: dict[str, Any] = {"answer": self.kind.value}
        if self.has_data:
            said["data"] = self.data
        for name in _OPTIONAL:
            value = getattr(self, name)
            if value not in (None, ""):
                said[name] = value
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The answers of tools by name. ``seed`` is what data is made by."""

    seed: int | None = None
    tools: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)

    @property
    def says_nothing(self) -> bool:
        """Tell whether every tool is left to answer as it would without a script."""
        return not self.tools and self.seed is None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the tools that it names, also those that hidden instructions name."""
        named = [name for name in self.tools if name != EVERY_TOOL]
        hidden = [one.tool for answers in self.tools.values() for one in answers if one.tool]
        return tuple(dict.fromkeys([*named, *hidden]))

    def renamed(self, names: Mapping[str, str]) -> Script:
        """Return the script by other names of its tools; one that is not among them stays."""
        return Script(
            seed=self.seed,
            tools={
                names.get(name, name): tuple(
                    replace(one, tool=names.get(one.tool, one.tool)) for one in answers
                )
                for name, answers in self.tools.items()
            },
        )

    def record(self) -> dict[str, Any]:
        """Return the script as JSON; one that says nothing is empty."""
        said: dict[str, Any] = {} if self.seed is None else {"seed": self.seed}
        if self.tools:
            said["tools"] = {
                name: [one.record() for one in answers] for name, answers in self.tools.items()
            }
        return said


def answer_of(tool: str, *, before: int, scripts: Sequence[Script]) -> Answer:
    """Return what a tool answers that has answered ``before`` times in the run.

    Scripts are asked in turn: first whether they name the tool, then what they say of every tool.
    """
    for name in (tool, EVERY_TOOL):
        for script in scripts:
            answers = script.tools.get(name)
            if answers:
                return answers[min(before, len(answers) - 1)]
    return Answer()


def seed_of(scripts: Sequence[Script]) -> int:
    """Return the seed of the first script that has one."""
    return next((script.seed for script in scripts if script.seed is not None), 0)


def read_script(value: object, *, key: str = "simulation") -> Script:
    """Return the script that a JSON value says; of ``None`` an empty one. Raises ``CaseFault``."""
    if value is None:
        return Script()
    if not isinstance(value, dict):
        raise CaseFault(_NO_OBJECT, {"key": key})
    _known(value, ("seed", "tools"), key)
    seed, tools = value.get("seed"), value.get("tools") or {}
    if seed is not None and not _whole(seed, MOST_SEED):
        raise CaseFault(gettext_noop("%(key)s: a whole number is required"), {"key": f"{key}.seed"})
    if not isinstance(tools, dict):
        raise CaseFault(_NO_OBJECT, {"key": f"{key}.tools"})
    if len(tools) > MOST_TOOLS:
        raise CaseFault(
            gettext_noop("%(key)s: at most %(most)s tools"), {"key": key, "most": MOST_TOOLS}
        )
    script = Script(seed=seed, tools=dict(_answers(tools, f"{key}.tools")))
    if len(canonical_json(script.record()).encode()) > MOST_IN_ALL:
        raise CaseFault(
            gettext_noop("%(key)s: at most %(most)s KiB of JSON in all"),
            {"key": key, "most": MOST_IN_ALL // 1024},
        )
    return script


def _answers(tools: Mapping[str, object], key: str) -> Iterator[tuple[str, tuple[Answer, ...]]]:
    for name, listed in tools.items():
        at = f"{key}.{name}"
        if not (isinstance(listed, list) and 0 < len(listed) <= MOST_ANSWERS and encodable(name)):
            raise CaseFault(
                gettext_noop("%(key)s: a list of one to %(most)s answers is required"),
                {"key": at, "most": MOST_ANSWERS},
            )
        yield name, tuple(_answer(one, f"{at}[{place}]") for place, one in enumerate(listed))


def _answer(value: object, key: str) -> Answer:
    if not isinstance(value, dict):
        raise CaseFault(_NO_OBJECT, {"key": key})
    _known(value, ("answer", "data", *_OPTIONAL), key)
    kind = value.get("answer", Kind.OK.value)
    if not isinstance(kind, str) or kind not in set(Kind):
        raise CaseFault(
            gettext_noop("%(key)s.answer: one of %(known)s is required"),
            {"key": key, "known": ", ".join(Kind)},
        )
    data = value.get("data")
    if _is_deeper(data, than=DEEPEST):
        raise CaseFault(
            gettext_noop("%(key)s.data: at most %(most)s levels deep"),
            {"key": key, "most": DEEPEST},
        )
    if any(unsafe_places(data, at="data")) or len(canonical_json(data).encode()) > MOST_BYTES:
        raise CaseFault(
            gettext_noop("%(key)s.data: at most 64 KiB of JSON that a database can hold"),
            {"key": key},
        )
    text = _text(value, "text", key)
    if text and text not in TEXTS:
        raise CaseFault(
            gettext_noop("%(key)s.text: one of %(known)s is required"),
            {"key": key, "known": ", ".join(TEXTS)},
        )
    return Answer(
        kind=Kind(kind),
        data=data,
        has_data="data" in value,
        reason=_text(value, "reason", key),
        text=text,
        tool=_text(value, "tool", key),
        latency_ms=_number(value, "latency_ms", key, most=_LATENCY),
        cost=_number(value, "cost", key, most=_COST, whole=False),
        tokens=_number(value, "tokens", key, most=_TOKENS),
        retry_after_ms=_number(value, "retry_after_ms", key, most=_RETRY),
    )


def _is_deeper(value: object, *, than: int) -> bool:
    """Tell whether lists and objects are nested deeper than a number of levels."""
    level = [value]
    for _ in range(than):
        inner = [one.values() if isinstance(one, dict) else one for one in level if _holds(one)]
        level = [item for items in inner for item in items]
    return any(map(_holds, level))


def _holds(value: object) -> TypeGuard[dict[str, object] | list[object]]:
    return isinstance(value, dict | list)


_OPTIONAL = ("reason", "text", "tool", "latency_ms", "cost", "tokens", "retry_after_ms")


def _known(value: Mapping[str, object], names: Sequence[str], key: str) -> None:
    for name in value:
        if name not in names:
            raise CaseFault(_UNKNOWN, {"key": key, "name": str(name)})


def _text(value: Mapping[str, object], name: str, key: str) -> str:
    said = value.get(name)
    if said is None:
        return ""
    if not isinstance(said, str) or len(said) > LONGEST_REASON or not encodable(said):
        raise CaseFault(
            gettext_noop("%(key)s: at most %(most)s characters"),
            {"key": f"{key}.{name}", "most": LONGEST_REASON},
        )
    return said


def _number(
    value: Mapping[str, object], name: str, key: str, *, most: int, whole: bool = True
) -> Any:
    said = value.get(name)
    if said is None:
        return None
    if not (_whole(said, most) if whole else _whole(said, most, or_part=True)):
        raise CaseFault(
            gettext_noop("%(key)s: a number from 0 to %(most)s is required"),
            {"key": f"{key}.{name}", "most": most},
        )
    return said


def _whole(value: object, most: int, *, or_part: bool = False) -> bool:
    kinds: tuple[type, ...] = (int, float) if or_part else (int,)
    return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value <= most  # type: ignore[operator]
