"""Select, and ask the router model before where the selection depends on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.conf import settings

from routing.compiled import CompiledRelease
from routing.llm.asking import ask_router
from routing.llm.circuit import CatalogGuard
from routing.llm.prompt import Question, question
from routing.selection import (
    Circumstances,
    Fallback,
    ModelAnswer,
    Query,
    Selection,
    Strategy,
    select,
)
from routing.selection.strategies.llm import groups_to_choose_from

Ask = Callable[[CompiledRelease, Query, Circumstances], ModelAnswer | None]

_LEFT_OPEN = (Fallback.LOW_CONFIDENCE, Fallback.NO_MATCH)


@dataclass(frozen=True, slots=True)
class Routed:
    """A selection, and what the router model said to it; ``None`` where it was not asked."""

    selection: Selection
    router: ModelAnswer | None


def select_routed(
    *,
    release: CompiledRelease,
    query: Query,
    circumstances: Circumstances,
    ask: Ask,
    in_auto: bool | None = None,
) -> Routed:
    """Return the selection of a query.

    The model is asked first where the strategy in force is ``llm``. Where it is ``auto`` and
    ``in_auto``, ``None`` as the environment has it, it is asked when ``auto`` fell back without it.
    Raises what ``select`` raises, and then without having asked. No transaction may be open: a
    model takes seconds.
    """
    if in_auto is None:
        in_auto = settings.LLM_ROUTER_IN_AUTO
    index = release.index
    strategy = query.strategy or index.settings.strategy
    if strategy is not Strategy.LLM:
        selection = select(query, index, circumstances)
        helps = strategy is Strategy.AUTO and in_auto
        if not helps or selection.fallback not in _LEFT_OPEN:
            return Routed(selection, None)
        answer = ask(release, query, circumstances)
        if answer is None or answer.failure:
            return Routed(selection, answer)
    else:
        answer = ask(release, query, circumstances)
    asked = replace(circumstances, model_answer=answer)
    return Routed(select(query, index, asked), answer)


def ask_once() -> Ask:
    """Return a way to ask that gives the same answer to the same question, and pays for it once.

    It lasts as long as one request of an agent, which may have to begin again.
    """
    answers: dict[tuple[int, Query, Circumstances], ModelAnswer | None] = {}

    def ask(
        release: CompiledRelease, query: Query, circumstances: Circumstances
    ) -> ModelAnswer | None:
        key = (release.pk, query, circumstances)
        if key not in answers:
            answers[key] = ask_router(
                lambda: _question(release, query, circumstances), CatalogGuard(release.catalog_id)
            )
        return answers[key]

    return ask


def _question(
    release: CompiledRelease, query: Query, circumstances: Circumstances
) -> Question | None:
    groups = groups_to_choose_from(query, release.index, circumstances)
    if not groups:
        return None
    return question(
        task=query.task,
        history=query.history,
        groups=groups,
        described={group["name"]: group["description"] for group in release.document["groups"]},
    )
