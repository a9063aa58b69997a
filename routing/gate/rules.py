"""What a catalog asks of a version before it goes live, as a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.models import EvalCase, EvalDataset, GatePolicy

CASE, TASK = "case", "task"
"""What is tried: a case of the gate set, or a task of last week's."""

ENFORCING = frozenset({GatePolicy.Mode.REASON, GatePolicy.Mode.BLOCK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A policy as ``GatePolicy`` has it; ``datasets`` are rows, none of them means all.

    ``chosen`` tells that somebody set it: nobody is made to wait for a check that nobody asked for.
    """

    mode: str
    datasets: tuple[int, ...]
    part: str
    replayed: int
    any_lost: bool
    most_of_a_tool: float | None
    most_lost: float
    most_larger: float | None
    most_diverted: float | None
    chosen: bool

    @property
    def enforces(self) -> bool:
        """Tell whether nothing goes live that was not checked."""
        return self.mode in ENFORCING

    def asked(self) -> dict[str, Any]:
        """Return what a check is made by: one by another does not count."""
        return {"datasets": list(self.datasets), "part": self.part, "replayed": self.replayed}


def gate_set(catalog: Catalog, *, datasets: Sequence[int], part: str) -> QuerySet[EvalCase]:
    """Return the accepted cases that a gate tries: of some datasets or of all, of a part or both.

    What is in no part yet is in none that is named.
    """
    cases = EvalCase.objects.accepted().filter(dataset__catalog=catalog)
    if datasets:
        cases = cases.filter(dataset__in=datasets)
    return cases.filter(part=part) if part else cases


def policy_of(catalog: Catalog) -> GatePolicy:
    """Return the policy of a catalog; one that is not kept yet where nobody set it."""
    found = GatePolicy.objects.filter(catalog=catalog).first()
    return found or GatePolicy(catalog=catalog)


def rules_of(catalog: Catalog) -> Rules:
    """Return what a catalog asks for now. At most two reads."""
    policy = policy_of(catalog)
    kept = policy.pk is not None
    datasets = policy.datasets.order_by("pk").values_list("pk", flat=True) if kept else ()
    return Rules(
        mode=policy.mode,
        datasets=tuple(datasets),
        part=policy.part,
        replayed=policy.replayed,
        any_lost=policy.any_lost,
        most_of_a_tool=policy.most_of_a_tool,
        most_lost=policy.most_lost,
        most_larger=policy.most_larger,
        most_diverted=policy.most_diverted,
        chosen=kept,
    )


def keep_policy(
    policy: GatePolicy, *, datasets: Sequence[EvalDataset], by: User | None, now: datetime
) -> None:
    """Keep what an administrator chose; the audit log has what it was and what it is."""
    with transaction.atomic():
        stored = policy_of(policy.catalog)
        before = _told(stored) if stored.pk else None
        policy.save()
        policy.datasets.set(datasets)
        after = _told(policy)
        if before != after:
            note_deed(
                catalog=policy.catalog,
                action="gate_policy",
                kind="gate",
                before=before,
                after=after,
                by=by,
                now=now,
            )


def _told(policy: GatePolicy) -> dict[str, Any]:
    names = policy.datasets.order_by("name").values_list("name", flat=True)
    return {
        "mode": policy.mode,
        "datasets": list(names),
        "part": policy.part,
        "replayed": policy.replayed,
        "any_lost": policy.any_lost,
        "most_of_a_tool": policy.most_of_a_tool,
        "most_lost": policy.most_lost,
        "most_larger": policy.most_larger,
        "most_diverted": policy.most_diverted,
    }
