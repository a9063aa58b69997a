"""Labelled cases: a task, and the tools and groups that solving it takes.

One JSON object a line: ``{"task", "expected_tools", "expected_groups", "alternatives", "history",
"phase", "channel", "route"}``. Only the first two are required. ``alternatives`` names, for an
expected tool, others that do as well: wherever that tool is expected, one of them counts as it. A
case without expected tools says that no tool fits. Other keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from routing.evaluation.faults import BadInput, encodable, parsed_text
from routing.selection import Channel

MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case; ``where`` says where it was read.

    ``needs`` has an entry for each expected tool: the names that meet it, itself first.
    ``expected_groups`` is empty where nobody said which.
    """

    where: str
    task: str
    needs: tuple[tuple[str, ...], ...]
    expected_groups: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    phase: str | None = None
    channel: Channel | None = None
    route: str | None = None

    @property
    def expects_nothing(self) -> bool:
        """Whether no tool fits the task."""
        return not self.needs


class _Fault(ValueError):
    """What is wrong with one case."""


def parse_cases(content: bytes, *, source: str) -> tuple[Case, ...]:
    """Return the cases of a file; blank lines are skipped. Raises ``BadInput`` with all faults."""
    cases: list[Case] = []
    faults: list[str] = []
    # Not splitlines(): a task may hold U+2028 and the like as it is.
    for number, line in enumerate(parsed_text(content, source=source).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{source}:{number}"
        try:
            cases.append(_case(json.loads(line), where=where))
        except _Fault as fault:
            faults.append(f"{where}: {fault}")
        except (ValueError, RecursionError) as error:
            faults.append(f"{where}: this is not JSON: {getattr(error, 'msg', error)}")
    if not cases and not faults:
        faults.append(f"{source}: there is no case in it")
    if faults:
        raise BadInput(faults)
    return tuple(cases)


def check_cases(cases: Sequence[Case], document: Mapping[str, Any]) -> None:
    """Raise ``BadInput`` if a case names what the catalog does not have.

    A phase counts only where the catalog has phases: elsewhere it has no meaning.
    """
    known = {
        part: {entry["name"] for entry in document.get(part, ())}
        for part in ("tools", "groups", "phases", "routes")
    }
    faults: list[str] = []
    for case in cases:
        named = [
            *(("tool", name, known["tools"]) for need in case.needs for name in need),
            *(("group", name, known["groups"]) for name in case.expected_groups),
        ]
        if case.phase is not None and known["phases"]:
            named.append(("phase", case.phase, known["phases"]))
        if case.route is not None:
            named.append(("route", case.route, known["routes"]))
        faults += [
            f"{case.where}: the catalog has no {kind} {name!r}"
            for kind, name, names in named
            if name not in names
        ]
        if case.route is None and known["routes"]:
            faults.append(f"{case.where}: the catalog has routes, so that a case must name one")
    if faults:
        raise BadInput(faults)


def _case(value: object, *, where: str) -> Case:
    if not isinstance(value, dict):
        raise _Fault("a case is an object")
    task = value.get("task")
    if not isinstance(task, str) or not task.strip():
        raise _Fault("task: a text that is not blank is required")
    if len(task) > MOST_CHARACTERS or not encodable(task):
        raise _Fault("task: at most 200,000 characters, all of them whole")
    if "expected_tools" not in value:
        raise _Fault("expected_tools: required; an empty list where no tool fits")
    expected = _names(value["expected_tools"], key="expected_tools")
    alternatives = _alternatives(value.get("alternatives"), expected)
    return Case(
        where=where,
        task=task,
        needs=tuple(tuple(dict.fromkeys((name, *alternatives.get(name, ())))) for name in expected),
        expected_groups=_names(value.get("expected_groups") or [], key="expected_groups"),
        history=_history(value.get("history") or []),
        phase=_optional_text(value.get("phase"), key="phase"),
        channel=_channel(value.get("channel")),
        route=_optional_text(value.get("route"), key="route"),
    )


def _names(value: object, *, key: str) -> tuple[str, ...]:
    """Return names, each once."""
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise _Fault(f"{key}: a list of names is required")
    return tuple(dict.fromkeys(value))


def _alternatives(value: object, expected: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _Fault("alternatives: an object from expected tools to lists of names is required")
    strangers = [name for name in value if name not in expected]
    if strangers:
        raise _Fault(f"alternatives: {strangers[0]!r} is not expected")
    return {name: _names(names, key=f"alternatives.{name}") for name, names in value.items()}


def _history(value: object) -> tuple[str, ...]:
    """Return a history as texts: its items are texts, or messages whose text is read."""
    if not isinstance(value, list):
        raise _Fault("history: a list is required")
    texts = tuple(map(_history_text, value))
    if sum(map(len, texts)) > MOST_CHARACTERS or not all(map(encodable, texts)):
        raise _Fault("history: at most 200,000 characters together, all of them whole")
    return texts


def _history_text(item: object) -> str:
    if isinstance(item, dict):
        content = item.get("content")
        if isinstance(content, list):
            parts = [part.get("text") for part in content if isinstance(part, dict)]
            return "\n".join(text for text in parts if isinstance(text, str))
        item = "" if content is None else content
    if not isinstance(item, str):
        raise _Fault("history: its items are texts or messages with a content")
    return item


def _optional_text(value: object, *, key: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _Fault(f"{key}: no text")
    return value or None


def _channel(value: object) -> Channel | None:
    if value is None:
        return None
    if isinstance(value, dict):
        kind, name = value.get("kind"), value.get("value")
        if isinstance(kind, str) and isinstance(name, str):
            return Channel(kind=kind, value=name)
    raise _Fault('channel: {"kind", "value"} is required')
