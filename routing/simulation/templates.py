"""The written tasks: templates with slots, and what each task really needs.

One file a catalog and language lies in ``corpus``. A template says the task's ``text``; its
``steps`` are what an agent has to do, in order, with the tools of each step and the note that the
agent carries on in its history. A template that ``turns_out`` is vague: what it is about shows only
on the way, as one of the file's ``findings``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES: tuple[str, ...] = ("en", "es", "pt")


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a task: its ``tools`` in the order of use, and the ``note`` left behind."""

    tools: tuple[str, ...]
    note: str | None
    phase: str | None


@dataclass(frozen=True, slots=True)
class Template:
    """A task with slots. ``paths`` are the ways that it can go: one, unless the task is vague.

    ``channel`` is where part of such tasks comes in (kind, value). ``from_half``: only asked in the
    second half of the month.
    """

    name: str
    catalog: str
    language: str
    text: str
    paths: tuple[tuple[Step, ...], ...]
    channel: tuple[str, str] | None = None
    route: str | None = None
    vague: bool = False
    off_topic: bool = False
    from_half: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Reasons:
    """What an agent says when it asks for a group: what it still has to do, in its language."""

    opening: Mapping[str, str]
    conjunction: Mapping[str, str]
    needs: Mapping[str, Mapping[str, Mapping[str, str]]]

    def why(self, *, catalog: str, language: str, tools: tuple[str, ...]) -> str:
        """Return one sentence that names what ``tools`` are needed for.

        A catalog whose agents write in one language only has the reasons in that one.
        """
        spoken = self.needs[catalog]
        used = language if language in spoken else next(iter(spoken))
        need = self.conjunction[used].join(spoken[used][tool] for tool in tools)
        return self.opening[used].format(need=need)


@cache
def load_templates() -> tuple[Template, ...]:
    """Return every template of the corpus, by catalog and language, in the files' order."""
    folder = files("routing.simulation.corpus")
    # A file of tasks is named for its catalog and language; the others have one dot.
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.count(".") == 2)
    return tuple(template for name in names for template in _templates(read_corpus(name)))


@cache
def load_reasons() -> Reasons:
    """Return what agents say when they ask for a group."""
    value = read_corpus("reasons.json")
    return Reasons(opening=value["opening"], conjunction=value["and"], needs=value["needs"])


@cache
def read_corpus(name: str) -> dict[str, Any]:
    """Return a file of the corpus as it was written."""
    text = files("routing.simulation.corpus").joinpath(name).read_text(encoding="utf-8")
    value: dict[str, Any] = json.loads(text)
    return value


def _templates(value: Mapping[str, Any]) -> list[Template]:
    findings = {name: _steps(steps) for name, steps in value.get("findings", {}).items()}
    return [
        Template(
            name=f"{value['catalog']}/{value['language']}/{entry['id']}",
            catalog=value["catalog"],
            language=value["language"],
            text=entry["text"],
            paths=(
                tuple(findings[name] for name in entry["turns_out"])
                if "turns_out" in entry
                else (_steps(entry["steps"]),)
            ),
            channel=_channel(entry.get("channel")),
            route=entry.get("route"),
            vague=entry.get("vague", False),
            off_topic=entry.get("off_topic", False),
            from_half=entry.get("from_half", False),
            weight=entry.get("weight", 1.0),
        )
        for entry in value["templates"]
    ]


def _steps(steps: list[dict[str, Any]]) -> tuple[Step, ...]:
    return tuple(
        Step(tools=tuple(step["tools"]), note=step.get("note"), phase=step.get("phase"))
        for step in steps
    )


def _channel(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    kind, _, value = text.partition(":")
    return kind, value
