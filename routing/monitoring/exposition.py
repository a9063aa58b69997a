"""The text format of Prometheus, version 0.0.4."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Kind(StrEnum):
    """What a family is."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of a family; ``suffix`` is what its name has behind that of the family."""

    value: float
    labels: Mapping[str, str] = field(default_factory=dict)
    suffix: str = ""


@dataclass(slots=True)
class Family:
    """Values of one name, in the unit that the name says."""

    name: str
    kind: Kind
    help: str
    samples: list[Sample] = field(default_factory=list)

    def add(self, value: float, suffix: str = "", **labels: str) -> None:
        """Add a value."""
        self.samples.append(Sample(value, labels, suffix))


def histogram(
    family: Family, *, bounds: Sequence[float], counts: Sequence[int], total: float, **labels: str
) -> None:
    """Add a histogram to a family: ``counts`` of each bound, not summed up, and one above all.

    ``total`` is the sum of what was observed.
    """
    upto = 0
    for bound, count in zip((*bounds, float("inf")), counts, strict=True):
        upto += count
        family.add(upto, "_bucket", **labels, le=_number(bound))
    family.add(total, "_sum", **labels)
    family.add(upto, "_count", **labels)


def exposition(families: Iterable[Family]) -> str:
    """Return families as text; those without a value are left out."""
    return "".join(line + "\n" for family in families for line in _lines(family))


def _lines(family: Family) -> Iterator[str]:
    if not family.samples:
        return
    yield f"# HELP {family.name} {_escaped(family.help)}"
    yield f"# TYPE {family.name} {family.kind}"
    for sample in family.samples:
        pairs = [f'{name}="{_quoted(value)}"' for name, value in sample.labels.items()]
        labels = f"{{{','.join(pairs)}}}" if pairs else ""
        yield f"{family.name}{sample.suffix}{labels} {_number(sample.value)}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', '\\"')


def _number(value: float) -> str:
    if value == float("inf"):
        return "+Inf"
    return str(int(value)) if value == int(value) else repr(float(value))
