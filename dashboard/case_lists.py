"""Which cases of a dataset a list shows: those of a state, with some words, with a tag."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from routing.datasets.collecting import CROSS_TOPIC, DISPUTED, EXPLORED, MISSED
from routing.models import EvalCase

VAGUE = "vague"
"""The one tag that a case has as a field of its own."""
UNTAGGED = "-"
"""What is asked for where no tag is wanted."""
MOST_WORDS = 200
MEANINGS: Mapping[str, Promise] = {
    CROSS_TOPIC: gettext_lazy("it needs tools of several groups"),
    EXPLORED: gettext_lazy("from a run that was offered more than the cut leaves"),
    MISSED: gettext_lazy("the selection had not offered all that was then called"),
    DISPUTED: gettext_lazy("tasks that say nearly the same were solved by other tools"),
    VAGUE: gettext_lazy("no tool was sure enough for it"),
}
"""What the tags say that cases from runs get by themselves."""

Cases = QuerySet[EvalCase]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseList:
    """What a list is of. ``state`` is one of ``EvalCase.State``; empty words and tag ask nothing.

    ``upto`` leaves out cases of higher numbers, those that came since; 0 leaves out none.
    """

    state: str
    words: str = ""
    tag: str = ""
    upto: int = 0

    def of(self, cases: Cases) -> Cases:
        """Return the cases that are in the list."""
        rows = cases.filter(state=self.state)
        if self.words:
            rows = rows.filter(task__icontains=self.words)
        if self.upto:
            rows = rows.filter(number__lte=self.upto)
        if not self.tag:
            return rows
        # Databases write the letters of a list of texts in different ways.
        tagged = rows.values_list("pk", "tags", "vague")
        return rows.filter(
            pk__in=[pk for pk, tags, vague in tagged if self._wants(_all_tags(tags, vague=vague))]
        )

    def _wants(self, tags: list[str]) -> bool:
        return not tags if self.tag == UNTAGGED else self.tag in tags


def read_list(said: Mapping[str, str], *, state: str) -> CaseList:
    """Return the list that a URL or a form names; ``state`` is shown where it names none."""
    asked, upto = said.get("state", ""), said.get("upto", "")
    return CaseList(
        state=asked if asked in EvalCase.State.values else state,
        words=said.get("q", "").replace("\0", "")[:MOST_WORDS].strip(),
        tag=said.get("tag", "").replace("\0", "")[:MOST_WORDS],
        upto=int(upto[:9]) if upto.isascii() and upto.isdecimal() else 0,
    )


def tags_of(cases: Cases) -> dict[str, int]:
    """Return the tags of some cases and how many have each, the most frequent first."""
    found: Counter[str] = Counter()
    for tags, vague in cases.order_by().values_list("tags", "vague"):
        found.update(_all_tags(tags, vague=vague))
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def meanings_of(tags: Collection[str]) -> list[tuple[str, Promise]]:
    """Return what those of some tags say that nobody wrote."""
    return [(tag, said) for tag, said in MEANINGS.items() if tag in tags]


def _all_tags(tags: list[str], *, vague: bool) -> list[str]:
    return [*tags, *([VAGUE] if vague else ())]
