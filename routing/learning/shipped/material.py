"""The tasks that shipped numbers are fitted on: parts of public sets, some of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.families import family_of
from routing.selection.arrays import FloatArray

NOTHING_TASKS = (
    "I need a hand with something.",
    "Can you take care of this?",
    "Something is wrong here.",
    "Hello, are you there?",
    "Please do it as we said.",
    "Go on.",
    "Thanks, that was all.",
    "What do you think?",
    "Can we do it the same way as last time?",
    "The customer is upset, please sort it out.",
    "Is it done yet?",
    "Let me know when there is news.",
    "Try again.",
    "I am not sure what I want.",
    "Check it, please.",
    "And the other one?",
    "Fix that as soon as you can.",
    "We have to talk about what happened yesterday.",
    "It is urgent!",
    "Tell me more.",
    "Necesito que me ayudes con una cosa.",
    "¿Puedes encargarte de esto?",
    "Algo no va bien.",
    "Hazlo como siempre.",
    "Sigue, por favor.",
    "¿Cómo va lo de ayer?",
    "El cliente está enfadado, mira a ver.",
    "Gracias, eso era todo.",
    "¿Y el otro?",
    "Avísame cuando sepas algo.",
    "Preciso de ajuda com uma coisa.",
    "Pode tratar disto?",
    "Há qualquer coisa errada.",
    "Faz como da última vez.",
    "Continua, por favor.",
    "Como está aquilo de ontem?",
    "O cliente está chateado, veja isso.",
    "Obrigado, era só isso.",
    "E o outro?",
    "Me avise quando souber de alguma coisa.",
)
"""Sentences that name nothing: no tool of any catalog fits them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Cases of one file, with the document of their catalog; ``weight`` is its say in a fit.

    ``derived`` marks one that was made of another: it says nothing new about tasks and tools, and
    the head is not fitted on it.
    """

    folder: str
    name: str
    document: Mapping[str, Any]
    cases: tuple[Case, ...]
    weight: float = 1.0
    derived: bool = False

    @property
    def family(self) -> str:
        """The family that the part belongs to."""
        return family_of(self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a fit reads: the parts, and the vectors of their texts, by text."""

    parts: tuple[Part, ...]
    vectors: Mapping[str, FloatArray]
    processes: int
    seed: int

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the parts, each once."""
        return tuple(dict.fromkeys(part.family for part in self.parts))


def sample(cases: Sequence[Case], most: int, *, seed: int) -> tuple[Case, ...]:
    """Return at most so many of the cases, drawn by a seed, in their order."""
    if len(cases) <= most:
        return tuple(cases)
    drawn = np.random.default_rng(seed).choice(len(cases), most, replace=False)
    return tuple(cases[place] for place in sorted(drawn.tolist()))


def foreign(part: Part, parts: Sequence[Part], most: int, *, seed: int) -> tuple[Case, ...]:
    """Return cases that no tool of a part's catalog fits.

    They are tasks of other families, most of which ask for what this catalog does not have, and
    sentences that name nothing.
    """
    others = [case for other in parts if other.family != part.family for case in other.cases]
    tasks = [case.task for case in sample(others, most, seed=seed)] + list(NOTHING_TASKS)
    return tuple(Case(where="foreign", task=task, needs=()) for task in tasks)


def with_examples(
    part: Part, *, of_groups: int = 0, of_tools: int = 0, seed: int, most: int
) -> Part:
    """Return a part whose groups or tools have so many example tasks, as owners write them.

    The examples are taken from its cases, which are then left out.
    """
    order = np.random.default_rng(seed).permutation(len(part.cases)).tolist()
    homes = {name: group["name"] for group in part.document["groups"] for name in group["tools"]}
    examples: dict[tuple[str, str], list[str]] = {}
    used: set[int] = set()
    for place in order:
        case = part.cases[place]
        if len(case.needs) != 1:
            continue
        tool = case.needs[0][0]
        for kind, name, most_of in (
            ("groups", homes.get(tool), of_groups),
            ("tools", tool, of_tools),
        ):
            if name is not None and len(found := examples.setdefault((kind, name), [])) < most_of:
                found.append(case.task)
                used.add(place)
    document = dict(part.document)
    for kind in ("groups", "tools"):
        document[kind] = [
            {**entry, "examples": examples.get((kind, entry["name"]), [])}
            for entry in part.document[kind]
        ]
    left = [case for place, case in enumerate(part.cases) if place not in used]
    return replace(part, document=document, cases=sample(left, most, seed=seed), derived=True)


def smaller(part: Part, *, tools: int, seed: int) -> Part:
    """Return a part of a catalog of so many tools, and the cases that they are enough for.

    Most catalogs are far smaller than the public ones.
    """
    chance = np.random.default_rng(seed)
    needed = sorted({name for case in part.cases for need in case.needs for name in need})
    drawn = chance.permutation(needed).tolist()[:tools]
    if part.document["groups"]:
        # Whole groups, so that they look as they do in the whole.
        drawn = []
        groups = part.document["groups"]
        for place in chance.permutation(len(groups)).tolist():
            if len(drawn) < tools:
                drawn.extend(groups[place]["tools"])
    kept = set(drawn)
    document = dict(part.document)
    document["tools"] = [tool for tool in part.document["tools"] if tool["name"] in kept]
    document["groups"] = [
        {**group, "tools": inside}
        for group in part.document["groups"]
        if (inside := [name for name in group["tools"] if name in kept])
    ]
    cases = [case for case in part.cases if all(set(need) <= kept for need in case.needs)]
    return replace(part, document=document, cases=tuple(cases), derived=True)
