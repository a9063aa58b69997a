"""The tasks that shipped numbers are fitted on: parts of public sets, some of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.families import family_of

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
    """Cases of one file, with the document of their catalog; ``weight`` is its say in a fit."""

    folder: str
    name: str
    document: Mapping[str, Any]
    cases: tuple[Case, ...]
    weight: float = 1.0

    @property
    def family(self) -> str:
        """The family that the part belongs to."""
        return family_of(self.folder)


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
