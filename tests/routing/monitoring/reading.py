"""Read the text format of Prometheus strictly: what is not of version 0.0.4 is refused.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

import re
from collections import defaultdict

_NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
_PAIR = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
_SAMPLE = re.compile(rf"({_NAME})(?:\{{({_PAIR}(?:,{_PAIR})*)\}})? (\+Inf|-?[0-9.]+(?:e-?[0-9]+)?)")
_SUFFIXES = {
    "counter": {""},
    "gauge": {""},
    "summary": {"_sum", "_count"},
    "histogram": {"_bucket", "_sum", "_count"},
}

Series = tuple[str, frozenset[tuple[str, str]]]


def read(text: str) -> dict[Series, float]:
    """Return the value of each series; raises ``AssertionError`` for what no scraper would take."""
    assert text.endswith("\n")
    found: dict[Series, float] = {}
    kinds: dict[str, str] = {}
    family = ""
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
            assert family not in kinds, f"{family} comes twice"
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name == family
            kinds[name] = kind
        else:
            sample = _SAMPLE.fullmatch(line)
            assert sample, line
            name, labels, value = sample.groups()
            assert name.startswith(family), line
            assert name.removeprefix(family) in _SUFFIXES[kinds[family]], line
            assert kinds[family] != "counter" or name.endswith("_total"), line
            series = name, frozenset(_pairs(labels or ""))
            assert series not in found, f"twice: {line}"
            found[series] = float(value)
    _check_histograms(found, kinds)
    return found


def value(found: dict[Series, float], name: str, **labels: str) -> float:
    """Return the value of a series."""
    return found[f"toolcrib_{name}", frozenset(labels.items())]


def _pairs(labels: str) -> list[tuple[str, str]]:
    escapes = {r"\\": "\\", r"\"": '"', r"\n": "\n"}
    pairs = []
    for pair in re.findall(_PAIR, labels):
        name, _, quoted = pair.partition("=")
        said = re.sub(r"\\.", lambda match: escapes[str(match[0])], quoted[1:-1])
        pairs.append((name, said))
    assert len({name for name, _said in pairs}) == len(pairs), labels
    return pairs


def _check_histograms(found: dict[Series, float], kinds: dict[str, str]) -> None:
    for family in (name for name, kind in kinds.items() if kind == "histogram"):
        buckets: dict[frozenset[tuple[str, str]], list[tuple[float, float]]] = defaultdict(list)
        for (name, labels), count in found.items():
            if name == f"{family}_bucket":
                bound = float(dict(labels)["le"])
                rest = frozenset(pair for pair in labels if pair[0] != "le")
                buckets[rest].append((bound, count))
        for labels, bounds in buckets.items():
            assert bounds == sorted(bounds), "bounds and counts rise together"
            assert [count for _bound, count in bounds] == sorted(count for _b, count in bounds)
            assert bounds[-1] == (float("inf"), found[f"{family}_count", labels])
            assert (f"{family}_sum", labels) in found
