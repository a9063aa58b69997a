"""Collect cases from solved runs: told apart by meaning, balanced over groups, to be reviewed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.freezing import freeze
from routing.background import Watch, ask_once, carrying_out, end
from routing.datasets.changing import Taken, add_cases
from routing.datasets.naming import Names, names_of_document
from routing.datasets.rows import digest_of, read_channel
from routing.datasets.splitting import split, task_vectors
from routing.datasets.tracing import Asked, Trace, traces
from routing.evaluation.balancing import Candidate, choose
from routing.evaluation.cases import Case
from routing.evaluation.near import clusters, plain, said_before
from routing.models import EvalCase, EvalCollection, EvalDataset, Run
from routing.selection.stemming import language_of
from routing.selection.stopwords import ENGLISH, PORTUGUESE, SPANISH
from routing.selection.text import words

MOST_COMPARED = 5_000
"""Tasks that are told apart by meaning: about 20 seconds of the encoder."""
CROSS_TOPIC, EXPLORED, MISSED, DISPUTED = "cross-topic", "explored", "missed", "disputed"

_STOP_WORDS = frozenset({*ENGLISH, *SPANISH, *PORTUGUESE})
_CODES = {"english": "en", "spanish": "es", "portuguese": "pt"}

Start = Callable[[EvalCollection], str]


@dataclass(frozen=True, slots=True)
class Found:
    """A trace as a case, with what it is compared by."""

    trace: Trace
    case: Case
    text: str


def ask(
    *,
    dataset: EvalDataset,
    since: datetime,
    until: datetime,
    most: int,
    simulated: bool = True,
    seed: int = 0,
    by: User | None,
    now: datetime,
    start: Start | None = None,
) -> EvalCollection:
    """Have cases collected; returns the search that is open already, where there is one.

    Without ``start`` nobody is handed it: the caller carries it out.
    """
    asked = EvalCollection(
        dataset=dataset,
        since=since,
        until=until,
        most=most,
        simulated=simulated,
        seed=seed,
        asked_by=by,
        asked_at=now,
    )
    return ask_once(asked, start=start, dataset=dataset)


def carry_out(
    one: EvalCollection, *, clock: Callable[[], datetime], stopping: Callable[[], bool]
) -> None:
    """Look at the runs, choose, and put what was chosen up for review: all of it, or nothing.

    Raises ``Stopping``; vectors that were made stay made.
    """
    passed: Counter[str] = Counter()
    document = freeze(one.dataset.catalog)
    found = _sampled(list(_found(one, document, passed)), seed=one.seed, passed=passed)
    known = list(one.dataset.cases.only("digest", "task", "history"))
    texts = [
        *(plain(said_before(case.task, case.history)) for case in known),
        *(each.text for each in found),
    ]
    watch = Watch(one=one, stopping=stopping)
    with carrying_out(one, clock=clock):
        told = clusters(texts, task_vectors(texts, patient=True, progress=watch))
        taken = _chosen(one, found, known, told, passed=passed)
        with transaction.atomic():
            added = add_cases(
                one.dataset,
                taken,
                origin=EvalCase.Origin.RUN,
                state=EvalCase.State.REVIEW,
                by=one.asked_by,
                now=clock(),
            )
            passed["new"] = added.new
            end(one, at=clock(), made=len(texts), total=len(texts), found=dict(passed))
        split(one.dataset)


def newest(dataset: EvalDataset) -> EvalCollection | None:
    """Return the collection that was asked for last."""
    return EvalCollection.objects.filter(dataset=dataset).first()


def _found(
    one: EvalCollection, document: Mapping[str, Any], passed: Counter[str]
) -> Sequence[Found]:
    names = names_of_document(document)
    groups = {group["name"]: frozenset(group["tools"]) for group in document["groups"]}
    always_on = frozenset(document["always_on"])
    asked = Asked(one.dataset.catalog_id, one.since, one.until, one.simulated)
    found = []
    for trace in traces(asked, passed=passed):
        case = _case(trace, names=names, groups=groups, always_on=always_on)
        if case is None:
            passed["gone"] += 1
        else:
            found.append(Found(trace, case, plain(said_before(case.task, case.history))))
    return found


def _case(
    trace: Trace,
    *,
    names: Names,
    groups: Mapping[str, frozenset[str]],
    always_on: frozenset[str],
) -> Case | None:
    """Return a trace as a case in the names of the draft; ``None`` where a tool is there no more.

    Always-on tools ride along with any selection, so that nobody has to choose them.
    """
    if any(tool not in names.tools for tool in trace.tools):
        return None
    tools = list(dict.fromkeys(names.tools[tool] for tool in trace.tools))
    chosen = [tool for tool in tools if tool not in always_on]
    expected = _groups_of(chosen, groups)
    tags = [
        tag
        for tag, is_so in (
            (CROSS_TOPIC, len(expected) > 1),
            (EXPLORED, trace.explored),
            (MISSED, not trace.complete),
        )
        if is_so
    ]
    return Case(
        where=str(trace.run),
        task=trace.task,
        needs=tuple((tool,) for tool in chosen),
        expected_groups=tuple(expected),
        history=trace.history,
        phase=trace.phase if trace.phase in names.phases else None,
        channel=read_channel(trace.channel),
        route=trace.route or None,
        vague=trace.unsure,
        tags=tuple(tags),
        language=_language(trace.task),
    )


def _groups_of(tools: Sequence[str], groups: Mapping[str, frozenset[str]]) -> list[str]:
    """Return few groups that hold the tools: those of tools with one group, then the largest."""
    homes = {tool: [name for name, held in groups.items() if tool in held] for tool in tools}
    found = {of[0] for of in homes.values() if len(of) == 1}
    for of in homes.values():
        if len(of) > 1 and not found.intersection(of):
            found.add(max(of, key=lambda name: sum(name in other for other in homes.values())))
    return [name for name in groups if name in found]


def _language(task: str) -> str:
    said = words(task)
    return _CODES[language_of([task])] if any(word in _STOP_WORDS for word in said) else ""


def _sampled(found: list[Found], *, seed: int, passed: Counter[str]) -> list[Found]:
    """Return as many as are compared by meaning: all that explored, and of the others by dice."""
    if len(found) <= MOST_COMPARED:
        return found
    passed["sampled_out"] = len(found) - MOST_COMPARED
    order = list(range(len(found)))
    Random(seed).shuffle(order)  # noqa: S311 - a fair sample, not a secret
    order.sort(key=lambda place: not found[place].trace.explored)
    return [found[place] for place in sorted(order[:MOST_COMPARED])]


def _chosen(
    one: EvalCollection,
    found: Sequence[Found],
    known: Sequence[EvalCase],
    told: Sequence[int],
    *,
    passed: Counter[str],
) -> list[Taken]:
    """Choose of what was found; ``told`` are the clusters of what is known, then of that."""
    before, own = set(told[: len(known)]), told[len(known) :]
    asked = {case.digest for case in known}
    candidates = [
        Candidate(
            cluster=cluster,
            kind=_kind(each.case),
            explored=each.trace.explored,
            known=cluster in before or digest_of(each.case) in asked,
        )
        for each, cluster in zip(found, own, strict=True)
    ]
    needs: dict[int, set[frozenset[str]]] = defaultdict(set)
    for each, cluster in zip(found, own, strict=True):
        needs[cluster].add(frozenset(each.case.expected_tools))
    chosen = choose(candidates, most=one.most, seed=one.seed)
    fresh = {c.cluster for c in candidates} - before
    passed["tasks"] = len(set(own))
    passed["known"] = len(set(own)) - len(fresh)
    passed["not_needed"] = len(fresh) - len(chosen)
    passed["explored"] = sum(found[pick.place].trace.explored for pick in chosen)
    there = set(
        Run.objects.filter(pk__in=[found[pick.place].trace.run for pick in chosen]).values_list(
            "pk", flat=True
        )
    )
    return [
        Taken(
            case=_weighed(found[pick.place].case, pick.weight, len(needs[own[pick.place]]) > 1),
            run=Run(pk=found[pick.place].trace.run),
            said_at=found[pick.place].trace.said_at,
        )
        for pick in chosen
        if found[pick.place].trace.run in there
    ]


def _kind(case: Case) -> tuple[str, ...]:
    """Return what cases are balanced over: the groups together, and whether it was vague."""
    return (*case.expected_groups, *(("?",) if case.vague else ()))


def _weighed(case: Case, weight: float, disputed: bool) -> Case:
    tags = (*case.tags, *((DISPUTED,) if disputed else ()))
    return replace(case, weight=round(weight, 3), tags=tags)
