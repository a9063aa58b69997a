"""Names of groups from their tools' own words: what they act on, said by most of them and by few
others.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

from routing.selection.stemming import stems
from routing.selection.text import terms
from routing.suggesting.reading import MOST_READ, Languages, ReadTool
from routing.suggesting.verbs import infinitive

LONGEST = 40
_LATIN = re.compile("[a-z][a-z0-9]*")
# A longer phrase that as many tools share says more; a label was given for this very purpose.
_LONGER, _LABEL = 0.15, 1.4
# What most tools of a catalog say tells none of its groups apart.
_EVERYWHERE, _FEW = 0.6, 8

Phrase = tuple[str, ...]  # of stems


@dataclass(frozen=True, slots=True)
class _Candidate:
    phrase: Phrase
    score: float
    tools: frozenset[int]


class Namer:
    """Names the groups of one catalog; no two the same, and none as one that is ``taken``."""

    def __init__(
        self, tools: Sequence[ReadTool], languages: Languages, *, taken: Collection[str]
    ) -> None:
        self._tools = tools
        self._languages = languages
        self._used = set(taken)
        self._spelling: dict[str, Counter[str]] = {}
        self._objects = [self._phrases(tool.object) for tool in tools]
        self._homes = [{self._stemmed(home.split()) for home in tool.homes} for tool in tools]
        self._said = [self._nouns(tool.description) for tool in tools]
        said = [objects | homes for objects, homes in zip(self._objects, self._homes, strict=True)]
        self._everywhere = Counter(phrase for one in said for phrase in one)
        self._nouns_everywhere = Counter(word for one in self._said for word in one)

    def in_turn(self, clusters: Sequence[Sequence[int]]) -> list[int]:
        """Return in which order to name clusters: a short name goes where most tools bear it."""
        best = [next(iter(self._ranked(members)), None) for members in clusters]
        bearing = [len(one.tools) if one else 0 for one in best]
        return sorted(range(len(clusters)), key=lambda number: -bearing[number])

    def name(self, members: Sequence[int]) -> str:
        """Return a group's name: ``[a-z][a-z0-9_-]*``, unlike every one before."""
        for name in self._names(members):
            if name not in self._used:
                self._used.add(name)
                return name
        raise AssertionError("numbers do not end")

    def _names(self, members: Sequence[int]) -> Iterable[str]:
        ranked = list(islice(self._ranked(members), 8)) or list(islice(self._nouns_of(members), 4))
        spelled = [name for one in ranked if (name := self._spelled(one.phrase))]
        if ranked and len(ranked[0].tools) * 2 < len(members):
            second = self._beside(ranked, members)
            if second and (both := self._spelled(ranked[0].phrase + second)):
                yield both
        yield from spelled[:1]
        yield from (
            both
            for one in ranked[1:]
            if len(one.tools) >= max(2, len(members) / 4)
            and not set(one.phrase) <= set(ranked[0].phrase)
            and (both := self._spelled((*ranked[0].phrase, *one.phrase)))
        )
        first = next(iter(spelled), "group")
        verbs = Counter(self._tools[n].verb for n in members if self._tools[n].verb)
        yield from (f"{first}_{verb}"[:LONGEST] for verb, _ in verbs.most_common(1))
        yield from (f"{first}_{number}" for number in count(1 if first == "group" else 2))

    def _ranked(self, members: Sequence[int]) -> Iterable[_Candidate]:
        """Return what the tools of a group act on or belong to, what names them best first."""
        ubiquitous = len(self._tools) >= _FEW
        found: dict[Phrase, set[int]] = {}
        labels: set[Phrase] = set()
        for number in members:
            labels |= self._homes[number]
            for phrase in self._objects[number] | self._homes[number]:
                found.setdefault(phrase, set()).add(number)
        made = []
        for phrase, holders in found.items():
            share = len(holders) / len(members)
            everywhere = self._everywhere[phrase]
            common = everywhere / len(self._tools) > _EVERYWHERE
            if ubiquitous and common and len(members) < len(self._tools):
                continue
            own = len(holders) / everywhere
            weight = _LABEL if phrase in labels else 1 + _LONGER * (len(phrase) - 1)
            score = share * (0.5 + 0.5 * own) * weight
            made.append(_Candidate(phrase, score, frozenset(holders)))
        return iter(sorted(made, key=lambda one: (-one.score, one.phrase)))

    def _nouns_of(self, members: Sequence[int]) -> Iterable[_Candidate]:
        """Return words of the descriptions, for tools whose names say nothing."""
        counts = Counter(word for number in members for word in self._said[number])
        ranked = sorted(
            counts, key=lambda word: (-(counts[word] ** 2) / self._nouns_everywhere[word], word)
        )
        everyone = frozenset(members)
        return (_Candidate((word,), 0, everyone) for word in ranked)

    def _beside(self, ranked: Sequence[_Candidate], members: Sequence[int]) -> Phrase | None:
        """Return what names those tools best that the best candidate does not name."""
        rest = set(members) - ranked[0].tools
        others = [one for one in ranked[1:] if not set(one.phrase) & set(ranked[0].phrase)]
        best = max(others, key=lambda one: len(one.tools & rest), default=None)
        return best.phrase if best and best.tools & rest else None

    def _phrases(self, words: Sequence[str]) -> set[Phrase]:
        phrase = self._stemmed(words)
        return {
            phrase[start:end]
            for start in range(len(phrase))
            for end in range(start + 1, min(start + 3, len(phrase)) + 1)
        }

    def _stemmed(self, words: Sequence[str]) -> Phrase:
        stemmed = tuple(stems(list(words), self._languages.names))
        for stem, word in zip(stemmed, words, strict=True):
            self._spelling.setdefault(stem, Counter())[word] += 1
        return stemmed

    def _nouns(self, text: str) -> set[str]:
        words = dict.fromkeys(terms(text[:MOST_READ]))
        kept = [
            word for word in words if len(word) > 2 and not infinitive(word, self._languages.prose)
        ]
        return set(self._stemmed(kept))

    def _spelled(self, phrase: Phrase) -> str:
        """Return a phrase as a name, each stem as it is written most often; empty if it cannot."""
        written = [self._written(self._spelling[stem]) for stem in dict.fromkeys(phrase)]
        words = [word for word in written if _LATIN.fullmatch(word)]
        while len("_".join(words)) > LONGEST and len(words) > 1:
            words.pop()
        return "_".join(words)[:LONGEST]

    @staticmethod
    def _written(spellings: Mapping[str, int]) -> str:
        return min(spellings, key=lambda word: (-spellings[word], len(word), word))
