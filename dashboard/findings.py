"""The findings of a draft, ready to be read: counted, filtered, each with where it is mended."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.health import Finding, Sentence, Severity
from catalog.models import Catalog
from dashboard.reviews import mending_url
from routing.look_alike_findings import CODE as LOOK_ALIKE

SEVERITIES: Mapping[Severity, tuple[Promise, str]] = {
    Severity.ERROR: (_("Errors"), "red"),
    Severity.WARNING: (_("Warnings"), "orange"),
    Severity.HINT: (_("Hints"), "blue"),
}


@dataclass(frozen=True, slots=True)
class Filter:
    """Which findings a page shows; an empty field keeps all."""

    severity: str = ""
    code: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Filter":
        """Return the filter that a URL asks for."""
        return cls(severity=query.get("severity", ""), code=query.get("code", ""))

    def keeps(self, finding: Finding) -> bool:
        """Tell whether the page shows a finding."""
        return self.severity in ("", finding.severity) and self.code in ("", finding.code)


@dataclass(frozen=True, slots=True)
class Count:
    """How many findings there are of a severity, with its title and colour."""

    severity: Severity
    title: Promise
    colour: str
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """A finding with its colour, and the page where it is mended: of a pair, two pages."""

    finding: Finding
    colour: str
    url: str
    other_url: str = ""


def count_severities(findings: Iterable[Finding]) -> list[Count]:
    """Return how many findings there are of each severity, also where there is none."""
    counted = Counter(finding.severity for finding in findings)
    return [Count(one, *words, counted[one]) for one, words in SEVERITIES.items()]


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many findings there are of a code, and what they say, with what differs left open."""

    code: str
    reason: Sentence
    count: int


def count_codes(findings: Sequence[Finding], *, severity: str) -> list[KindCount]:
    """Return how many findings of a severity, or of any, there are of each code, most first."""
    of = Filter(severity=severity)
    kept = [finding for finding in findings if of.keeps(finding)]
    reasons = {finding.code: finding.reason for finding in reversed(kept)}
    return [
        KindCount(code, _left_open(reasons[code]), count)
        for code, count in Counter(finding.code for finding in kept).most_common()
    ]


def _left_open(reason: Sentence) -> Sentence:
    return Sentence(reason.template, dict.fromkeys(reason.params, "…"))


def rows_of(catalog: Catalog, findings: Sequence[Finding]) -> list[Row]:
    """Return the rows of a page of findings."""
    return [
        Row(
            finding=one,
            colour=SEVERITIES[one.severity][1],
            url=mending_url(catalog, one.place),
            other_url=_other_url(catalog, one),
        )
        for one in findings
    ]


def _other_url(catalog: Catalog, finding: Finding) -> str:
    if finding.code != LOOK_ALIKE:
        return ""
    return mending_url(catalog, (finding.place[0], str(finding.reason.params["other"])))
