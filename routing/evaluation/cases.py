"""Labelled cases: a task, and the tools and groups that solving it takes.

One JSON object a line: ``{"task", "expected_tools", "expected_groups", "alternatives", "history",
"phase", "channel", "route", "not_expected", "vague", "tags", "language", "notes", "weight", "path",
"simulation"}``. Only the first two are required. ``alternatives`` names, for an expected tool,
others that do as well: wherever that tool is expected, one of them counts as it. A case without
expected tools says that no tool fits. ``not_expected`` are tools that would be wrong to offer,
``weight`` is how many tasks of the traffic the case stands for. ``path`` is what an agent is
expected to do about it, and ``simulation`` what simulated tools answer: see ``routing.paths``.
Other keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from routing.evaluation.faults import (
    BadInput,
    CaseFault,
    LineFault,
    encodable,
    gettext_noop,
    parsed_text,
)
from routing.paths.expected import ExpectedPath, read_path
from routing.paths.script import Script, read_script
from routing.selection import Channel

MOST_CHARACTERS = 200_000
MOST_NOTES = 2_000
HEAVIEST = 1_000_000
LONGEST_TAG, LONGEST_LANGUAGE = 60, 16
NO_PATH, NO_SCRIPT = ExpectedPath(), Script()


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
    not_expected: tuple[str, ...] = ()
    vague: bool = False
    tags: tuple[str, ...] = ()
    language: str = ""
    notes: str = ""
    weight: float = 1.0
    path: ExpectedPath = NO_PATH
    simulation: Script = field(default=NO_SCRIPT, hash=False)

    @property
    def expected_tools(self) -> tuple[str, ...]:
        """Return the tools that are expected, without those that would do as well."""
        return tuple(need[0] for need in self.needs)

    @property
    def alternatives(self) -> dict[str, tuple[str, ...]]:
        """Return what would do as well as an expected tool, where something would."""
        return {need[0]: need[1:] for need in self.needs if need[1:]}

    @property
    def expects_nothing(self) -> bool:
        """Whether no tool fits the task."""
        return not self.needs


NOT_JSON = gettext_noop("this is not JSON: %(said)s")
NO_CASE = gettext_noop("there is no case in it")


def parse_cases(content: bytes, *, source: str) -> tuple[Case, ...]:
    """Return the cases of a file; blank lines are skipped. Raises ``BadInput`` with all faults."""
    cases: list[Case] = []
    faults: list[LineFault] = []
    # Not splitlines(): a task may hold U+2028 and the like as it is.
    for number, line in enumerate(parsed_text(content, source=source).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{source}:{number}"
        try:
            cases.append(case_of(json.loads(line), where=where))
        except CaseFault as fault:
            faults.append(fault.at(number))
        except (ValueError, RecursionError) as error:
            said = str(getattr(error, "msg", error))
            faults.append(LineFault(number, NOT_JSON, {"said": said}))
    return whole(cases, faults, source=source)


def whole(cases: Sequence[Case], faults: Sequence[LineFault], *, source: str) -> tuple[Case, ...]:
    """Return the cases of a file if there are any and nothing is wrong; raises ``BadInput``."""
    if faults:
        raise BadInput([f"{source}:{fault.line}: {fault}" for fault in faults], lines=faults)
    if not cases:
        raise BadInput([f"{source}: {NO_CASE}"], lines=[LineFault(1, NO_CASE)])
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


def case_of(value: object, *, where: str) -> Case:
    """Return the case that a JSON value says. Raises ``CaseFault``."""
    if not isinstance(value, dict):
        raise CaseFault(gettext_noop("a case is an object"))
    task = value.get("task")
    if not isinstance(task, str) or not task.strip():
        raise CaseFault(gettext_noop("task: a text that is not blank is required"))
    if len(task) > MOST_CHARACTERS or not encodable(task):
        raise CaseFault(gettext_noop("task: at most 200,000 characters, all of them whole"))
    if "expected_tools" not in value:
        raise CaseFault(gettext_noop("expected_tools: required; an empty list where no tool fits"))
    expected = _names(value["expected_tools"], key="expected_tools")
    alternatives = _alternatives(value.get("alternatives"), expected)
    case = Case(
        where=where,
        task=task,
        needs=tuple(tuple(dict.fromkeys((name, *alternatives.get(name, ())))) for name in expected),
        expected_groups=_names(value.get("expected_groups") or [], key="expected_groups"),
        history=_history(value.get("history") or []),
        phase=_optional_text(value.get("phase"), key="phase"),
        channel=_channel(value.get("channel")),
        route=_optional_text(value.get("route"), key="route"),
        not_expected=_names(value.get("not_expected") or [], key="not_expected"),
        vague=_vague(value.get("vague")),
        tags=_names(value.get("tags") or [], key="tags"),
        language=_short(value.get("language"), key="language", most=LONGEST_LANGUAGE),
        notes=_short(value.get("notes"), key="notes", most=MOST_NOTES),
        weight=_weight(value.get("weight")),
        path=read_path(value.get("path")),
        simulation=read_script(value.get("simulation")),
    )
    both = [name for name in case.not_expected if any(name in need for need in case.needs)]
    if both:
        raise CaseFault(
            gettext_noop("not_expected: “%(name)s” is expected as well"), {"name": both[0]}
        )
    if any(len(tag) > LONGEST_TAG for tag in case.tags):
        raise CaseFault(gettext_noop("tags: a tag has at most 60 characters"))
    return case


def _names(value: object, *, key: str) -> tuple[str, ...]:
    """Return names, each once."""
    if not isinstance(value, list) or not all(
        isinstance(name, str) and name and encodable(name) for name in value
    ):
        raise CaseFault(gettext_noop("%(key)s: a list of names is required"), {"key": key})
    return tuple(dict.fromkeys(value))


def _alternatives(value: object, expected: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CaseFault(
            gettext_noop(
                "alternatives: an object from expected tools to lists of names is required"
            )
        )
    strangers = [name for name in value if name not in expected]
    if strangers:
        raise CaseFault(
            gettext_noop("alternatives: “%(name)s” is not expected"), {"name": strangers[0]}
        )
    return {name: _names(names, key=f"alternatives.{name}") for name, names in value.items()}


def _history(value: object) -> tuple[str, ...]:
    """Return a history as texts: its items are texts, or messages whose text is read."""
    if not isinstance(value, list):
        raise CaseFault(gettext_noop("history: a list is required"))
    texts = tuple(map(_history_text, value))
    if sum(map(len, texts)) > MOST_CHARACTERS or not all(map(encodable, texts)):
        raise CaseFault(
            gettext_noop("history: at most 200,000 characters together, all of them whole")
        )
    return texts


def _history_text(item: object) -> str:
    if isinstance(item, dict):
        content = item.get("content")
        if isinstance(content, list):
            parts = [part.get("text") for part in content if isinstance(part, dict)]
            return "\n".join(text for text in parts if isinstance(text, str))
        item = "" if content is None else content
    if not isinstance(item, str):
        raise CaseFault(gettext_noop("history: its items are texts or messages with a content"))
    return item


def _optional_text(value: object, *, key: str) -> str | None:
    if value is not None and not (isinstance(value, str) and encodable(value)):
        raise CaseFault(gettext_noop("%(key)s: no text"), {"key": key})
    return value or None


def _short(value: object, *, key: str, most: int) -> str:
    text = _optional_text(value, key=key) or ""
    if len(text) > most or not encodable(text):
        raise CaseFault(
            gettext_noop("%(key)s: at most %(most)s characters"), {"key": key, "most": most}
        )
    return text


def _vague(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise CaseFault(gettext_noop("vague: true or false is required"))


def _weight(value: object) -> float:
    if value is None:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= HEAVIEST:
        raise CaseFault(gettext_noop("weight: a number above 0 and up to a million is required"))
    return float(value)


def _channel(value: object) -> Channel | None:
    if value is None:
        return None
    if isinstance(value, dict):
        kind, name = value.get("kind"), value.get("value")
        if isinstance(kind, str) and isinstance(name, str) and encodable(kind + name):
            return Channel(kind=kind, value=name)
    raise CaseFault(gettext_noop('channel: {"kind", "value"} is required'))
