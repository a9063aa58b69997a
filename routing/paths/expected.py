"""What path a case expects: which tools are called, which are not, and how the run ends.

In JSON ``{"tools_called", "in_order", "only", "tools_not_called", "needs_approval", "final_status",
"stop_reason"}``; what is left out is not looked at. ``tools_called`` are called at least so often
as they are named, in any order unless ``in_order``; between them other tools may be called, unless
``only`` says that none may. An empty list says that nothing is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from routing.evaluation.faults import CaseFault, encodable, gettext_noop

STATUSES = ("solved", "failed", "needs_human", "abandoned")
MOST_TOOLS = 100
LONGEST_REASON, LONGEST_NAME = 200, 128
_UNKNOWN = gettext_noop("%(key)s: there is no “%(name)s” in it")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedPath:
    """A path as a case expects it. ``tools_called`` is ``None`` where nobody said which."""

    tools_called: tuple[str, ...] | None = None
    in_order: bool = False
    only: bool = False
    tools_not_called: tuple[str, ...] = ()
    needs_approval: tuple[str, ...] = ()
    final_status: str = ""
    stop_reason: str = ""

    @property
    def says_nothing(self) -> bool:
        """Tell whether there is nothing to check."""
        return self == ExpectedPath()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the tools that it names, each once."""
        named = (*(self.tools_called or ()), *self.tools_not_called, *self.needs_approval)
        return tuple(dict.fromkeys(named))

    def renamed(self, names: Mapping[str, str]) -> ExpectedPath:
        """Return the path by other names of its tools; one that is not among them stays."""
        called = self.tools_called
        return replace(
            self,
            tools_called=None if called is None else tuple(names.get(one, one) for one in called),
            tools_not_called=tuple(names.get(one, one) for one in self.tools_not_called),
            needs_approval=tuple(names.get(one, one) for one in self.needs_approval),
        )

    def record(self) -> dict[str, Any]:
        """Return the path as JSON; what says nothing is left out, but for an empty list."""
        said: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value or (field.name == "tools_called" and value is not None):
                said[field.name] = list(value) if isinstance(value, tuple) else value
        return said


def read_path(value: object, *, key: str = "path") -> ExpectedPath:
    """Return the path that a JSON value says; of ``None`` one that says nothing.

    Raises ``CaseFault``.
    """
    if value is None:
        return ExpectedPath()
    if not isinstance(value, dict):
        raise CaseFault(gettext_noop("%(key)s: an object is required"), {"key": key})
    known = [field.name for field in fields(ExpectedPath)]
    if strangers := [name for name in value if name not in known]:
        raise CaseFault(_UNKNOWN, {"key": key, "name": str(strangers[0])})
    called = value.get("tools_called")
    path = ExpectedPath(
        tools_called=None if called is None else _names(called, f"{key}.tools_called"),
        in_order=_bool(value.get("in_order"), f"{key}.in_order"),
        only=_bool(value.get("only"), f"{key}.only") or called == [],
        tools_not_called=_names(value.get("tools_not_called") or [], f"{key}.tools_not_called"),
        needs_approval=_names(value.get("needs_approval") or [], f"{key}.needs_approval"),
        final_status=_status(value.get("final_status"), f"{key}.final_status"),
        stop_reason=_text(value.get("stop_reason"), f"{key}.stop_reason"),
    )
    if path.only and path.tools_called is None:
        path = replace(path, tools_called=())
    both = [name for name in path.tools_not_called if name in (path.tools_called or ())]
    if both:
        raise CaseFault(
            gettext_noop("%(key)s.tools_not_called: “%(name)s” is to be called as well"),
            {"key": key, "name": both[0]},
        )
    return path


def _names(value: object, key: str) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [None]
    if len(listed) > MOST_TOOLS or not all(
        isinstance(name, str) and name and len(name) <= LONGEST_NAME and encodable(name)
        for name in listed
    ):
        raise CaseFault(gettext_noop("%(key)s: a list of names is required"), {"key": key})
    return tuple(listed)


def _bool(value: object, key: str) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise CaseFault(gettext_noop("%(key)s: true or false is required"), {"key": key})


def _status(value: object, key: str) -> str:
    if value in (None, ""):
        return ""
    if value not in STATUSES:
        raise CaseFault(
            gettext_noop("%(key)s: one of %(known)s is required"),
            {"key": key, "known": ", ".join(STATUSES)},
        )
    return str(value)


def _text(value: object, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_REASON or not encodable(value):
        raise CaseFault(
            gettext_noop("%(key)s: at most %(most)s characters"),
            {"key": key, "most": LONGEST_REASON},
        )
    return value
