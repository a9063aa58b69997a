"""Ask the router model, and say what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from django.conf import settings as django_settings

from routing.llm.circuit import Guard, LeftAlone, Ticket
from routing.llm.configuring import BadRouterSetting, RouterSettings, read_settings
from routing.llm.prompt import MOST_GROUPS, Question
from routing.llm.providers import NotInstalled, Provider, connect
from routing.llm.replies import RouterFailure, understood
from routing.selection import ModelAnswer

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """A router model of this process, and how it is reached."""

    settings: RouterSettings
    provider: Provider
    clock: Callable[[], float] = monotonic

    def answer(self, question: Question, guard: Guard) -> ModelAnswer:
        """Ask a question. What fails is told in the answer; nothing is raised."""
        started = self.clock()
        try:
            ticket = guard.admit(model=self.settings.name, seconds=self.settings.timeout)
        except LeftAlone as left:
            return self._failed(str(left), started)
        try:
            return self._asked(question, guard, ticket, started)
        except BaseException:
            guard.settle(ticket, failed=True)
            raise

    def _asked(
        self, question: Question, guard: Guard, ticket: Ticket, started: float
    ) -> ModelAnswer:
        try:
            reply = self.provider.reply(question)
            said = understood(reply, groups=question.groups)
        except RouterFailure as failure:
            guard.settle(ticket, failed=failure.counts)
            logger.warning("The router model %s gave no answer: %s.", self.settings.name, failure)
            return self._failed(
                str(failure), started, tokens_in=failure.tokens_in, tokens_out=failure.tokens_out
            )
        guard.settle(ticket, failed=False)
        return ModelAnswer(
            model=self.settings.name,
            groups=said.groups,
            confidence=said.confidence,
            unknown_groups=said.unknown_groups,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost=self._cost(reply.tokens_in, reply.tokens_out),
            latency_ms=self._took(started),
        )

    def _failed(
        self, failure: str, started: float, *, tokens_in: int = 0, tokens_out: int = 0
    ) -> ModelAnswer:
        return ModelAnswer(
            model=self.settings.name,
            failure=failure,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=self._cost(tokens_in, tokens_out),
            latency_ms=self._took(started),
        )

    def _cost(self, tokens_in: int, tokens_out: int) -> float | None:
        prices = self.settings.prices
        if prices is None or not tokens_in + tokens_out:
            return None
        return prices.cost(tokens_in=tokens_in, tokens_out=tokens_out)

    def _took(self, started: float) -> int:
        return round((self.clock() - started) * 1000)


def ask_router(ask_for: Callable[[], Question | None], guard: Guard) -> ModelAnswer | None:
    """Ask the model that the environment names; ``None`` where it names none.

    ``ask_for`` makes the question, or returns ``None`` where there is nothing to choose from.
    ``guard`` is the circuit that stands before the model.
    """
    try:
        settings = read_settings(django_settings)
        if settings is None:
            return None
        router = router_of(settings)
    except (BadRouterSetting, NotInstalled) as error:
        return ModelAnswer(model=django_settings.LLM_ROUTER.strip()[:200], failure=str(error))
    question = ask_for()
    if question is None:
        failure = "there is no group to choose from"
    elif len(question.groups) > MOST_GROUPS:
        failure = f"{len(question.groups)} groups are more than the {MOST_GROUPS} it is asked about"
    else:
        return router.answer(question, guard)
    return ModelAnswer(model=settings.name, failure=failure)


# Of this process, by their settings. The environment names one, so that there is no more than one.
_routers: dict[RouterSettings, Router] = {}


def router_of(settings: RouterSettings) -> Router:
    """Return this process's router of some settings; raises ``NotInstalled``."""
    router = _routers.get(settings)
    if router is not None:
        return router
    made = Router(settings=settings, provider=connect(settings))
    kept = _routers.setdefault(settings, made)
    if kept is not made:  # another thread was first
        made.provider.close()
    return kept


def close_routers() -> None:
    """Close every connection."""
    while _routers:
        _, router = _routers.popitem()
        router.provider.close()


def connect_router() -> None:
    """Load the provider's SDK now, if a model is named: it takes a second that nobody waits for."""
    with suppress(BadRouterSetting, NotInstalled):
        settings = read_settings(django_settings)
        if settings is not None:
            router_of(settings)
