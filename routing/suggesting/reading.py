"""What a suggestion reads of a tool: what it does, to what, and what it is said to belong to."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from routing.selection.stemming import language_of
from routing.selection.stopwords import STOP_WORDS
from routing.selection.text import fold, spelled
from routing.selection.texts import content_hash
from routing.suggesting.verbs import INFINITIVES, PLAINEST, infinitive

# The encoder reads so much of a description: the rest seldom says what a tool is about.
MOST_READ = 400
# Words of names that say nothing: identifiers, versions of an interface, what every name could say.
_EMPTY = frozenset({"api", "apis", "function", "id", "ids", "tool", "tools", "v"})
_NUMBERED = re.compile(r"v?\d+\w*|\w*\d{4,}\w*|[0-9a-f]{8}")
# "github.create_issue", "shop: orders", "files/read" and "server__tool" name a home first.
_HOME = re.compile(r"(.+?)(?:__|[.:/]\s*)[^.:/]+")
_LANGUAGES = ("english", "spanish", "portuguese")


@dataclass(frozen=True, slots=True)
class ReadTool:
    """A tool as a suggestion sees it, all words folded.

    ``object`` are the words of its name but the verb, which it is where there are no others;
    ``object_said`` are the same with small words, empty where there are no others;
    ``homes`` what it is said to belong to: its tags, its category, the first part of a name such as
    ``github.create_issue``.
    """

    name: str
    verb: str
    object: tuple[str, ...]
    object_said: str
    homes: tuple[str, ...]
    description: str
    is_read: bool


@dataclass(frozen=True, slots=True)
class Languages:
    """What descriptions are written in, and what names are: code is often English around others."""

    prose: str
    names: str


def read_tools(tools: Sequence[Mapping[str, Any]]) -> tuple[Languages, list[ReadTool]]:
    """Return the languages of some tools, and the tools."""
    prose = language_of(tool.get("description") or "" for tool in tools)
    read = [_read(tool, prose) for tool in tools]
    verbs = Counter(
        one for tool in read for one in _LANGUAGES if tool.verb and tool.verb in INFINITIVES[one]
    )
    names = max((prose, *_LANGUAGES), key=lambda one: verbs[one])
    return Languages(prose, names), read


def text_of(tool: Mapping[str, Any]) -> str:
    """Return what the encoder reads of a tool."""
    return f"{spelled(written_name(tool))}. {(tool.get('description') or '')[:MOST_READ]}".strip()


def texts_of(tools: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return what the encoder reads of tools, by the hash of each text."""
    return {content_hash(text): text for text in map(text_of, tools)}


def written_name(tool: Mapping[str, Any]) -> str:
    """Return a tool's name as its owner wrote it: an import keeps it where it had to be changed."""
    name: str = tool["name"]
    aliases = tool.get("aliases") or ()
    return next((alias for alias in aliases if not alias.isidentifier()), name)


def words_of(text: str) -> list[str]:
    """Return the words of a name or label that say something, folded."""
    told = _told(text)
    return [word for word in told if word not in STOP_WORDS] or told


def _told(text: str) -> list[str]:
    words = fold(spelled(text)).split()
    told = [word for word in words if word not in _EMPTY and not _NUMBERED.fullmatch(word)]
    # A letter by itself says little; an ideogram is a word.
    return [word for word in told if len(word) > 1 or not word.isascii()] or told


def _read(tool: Mapping[str, Any], language: str) -> ReadTool:
    name = written_name(tool)
    verb, said = _verb_and_object(_told(name), language)
    homes = [*(tool.get("tags") or ()), tool.get("category") or ""]
    if home := _HOME.fullmatch(name):
        homes.append(home[1])
    return ReadTool(
        name=tool["name"],
        verb=verb,
        object=tuple([word for word in said if word not in STOP_WORDS] or said or [verb]),
        object_said=" ".join(said),
        homes=tuple(dict.fromkeys(" ".join(words_of(home)) for home in homes if home.strip())),
        description=tool.get("description") or "",
        is_read=tool.get("side_effect") == "read",
    )


def _verb_and_object(words: list[str], language: str) -> tuple[str, list[str]]:
    """Tell the verb from the other words: it stands first, or last as in ``projects_list``.

    "issue" is no verb in ``issue_read``, whose last word can be nothing else.
    """
    if len(words) > 1 and words[-1] in PLAINEST and words[0] not in PLAINEST:
        return words[-1], words[:-1]
    for one in (language, *_LANGUAGES):
        if words and (verb := infinitive(words[0], one)):
            return verb, words[1:]
    for one in (language, *_LANGUAGES):
        if len(words) > 1 and infinitive(words[-1], one) == words[-1]:
            return words[-1], words[:-1]
    within = next((place for place, word in enumerate(words) if word in PLAINEST), None)
    return ("", words) if within is None else (words[within], words[:within] + words[within + 1 :])
