"""The registry of checks, and what is asked of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from catalog.document import Problem, check
from catalog.health import groups, phases, providers, rules, selecting, texts, tools
from catalog.health.finding import Finding, Severity
from catalog.health.publishable import publish_refusals
from catalog.health.reading import Reading


def what_stops_a_publish(reading: Reading) -> Iterator[Finding]:
    """Find everything that a publish is refused for."""
    return publish_refusals(reading.problems)


# In the order in which a page lists the findings of one severity.
CHECKS: tuple[Callable[[Reading], Iterator[Finding]], ...] = (
    what_stops_a_publish,
    tools.there_are_tools,
    groups.there_are_groups,
    selecting.there_are_default_tools,
    texts.texts_hold_no_secrets,
    texts.texts_show_what_they_say,
    tools.tools_are_described,
    tools.names_suit_providers,
    providers.arguments_suit_providers,
    providers.schemas_suit_providers,
    tools.tools_are_narrow,
    tools.tools_are_grouped,
    groups.groups_have_tools,
    groups.groups_are_described,
    groups.groups_differ,
    selecting.the_cap_suits,
    selecting.the_strategy_has_material,
    phases.phases_begin_somewhere,
    phases.phases_are_reached,
    phases.phases_have_tools,
    phases.routes_allow_what_they_name,
    rules.rules_change_something,
    rules.rules_can_fire,
    rules.rules_do_not_contradict,
    rules.rules_do_not_repeat,
    tools.dangerous_tools_ask,
    tools.tools_do_not_begin_alike,
    tools.arguments_are_described,
    groups.groups_have_examples,
)
_GRAVITY = list(Severity)


def findings_of(
    document: Mapping[str, Any], *, problems: Iterable[Problem] | None = None
) -> list[Finding]:
    """Return everything that is wrong with a document or could be better, the gravest first.

    ``problems`` are those of ``document.check``, where they are known already: they take the
    longest to find.
    """
    known = check(document) if problems is None else problems
    reading = Reading(document=document, problems=tuple(known))
    return in_order(finding for find in CHECKS for finding in find(reading))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with the gravest first, else as they are."""
    return sorted(findings, key=lambda finding: _GRAVITY.index(finding.severity))


def new_warnings(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """Return the warnings of ``after`` that ``before`` had not, by their code and place."""
    had = {(finding.code, finding.place) for finding in before}
    return [
        finding
        for finding in after
        if finding.severity is Severity.WARNING and (finding.code, finding.place) not in had
    ]
