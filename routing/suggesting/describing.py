"""One line a group that begins with the task, "Use to …", from its tools' own verbs and objects.

Where the names are in the language of the descriptions, their verbs and objects make the line;
else the descriptions' own first words do. It is a first draft for the owner to mend.
"""

import re
from collections.abc import Iterable, Sequence

from routing.selection.stopwords import STOP_WORDS
from routing.selection.text import fold
from routing.suggesting.reading import ReadTool
from routing.suggesting.verbs import INFINITIVES, PLAIN, infinitive

LONGEST = 160
_BEGIN = {"english": "Use to", "spanish": "Usar para", "portuguese": "Usar para"}
_OR = {"english": "or", "spanish": "o", "portuguese": "ou"}
_WORK_WITH = {
    "english": "work with",
    "spanish": "trabajar con",
    "portuguese": "trabalhar com",
}
_MOST_VERBS, _MOST_WORDS = 5, 7
_UNCOUNTED_WORDS = """
access advice code content data feedback help history information infrastructure info inventory mail
media metadata money music news progress software staff status stock storage support text time
traffic travel usage weather work
"""
_UNCOUNTED = frozenset(_UNCOUNTED_WORDS.split())
# A clause ends where a sentence goes on about details.
_CLAUSE = re.compile(r"[.,;:()\[\]\n\u2013\u2014]| - ")

_TURNS = """
and based if including so that using what when where whether which while who whose
cuando cuya cuyas cuyo cuyos donde e que si y para quando cuja cujas cujo cujos onde se
"""
_GOES_ON = frozenset(_TURNS.split())
# What no line ends with, beside the stop words.
_HANGING = STOP_WORDS | {"against", "contra"}


def describe(tools: Sequence[ReadTool], *, language: str) -> str:
    """Return what a group of tools is for, in at most ``LONGEST`` characters where words allow."""
    phrases = _from_names(tools) if _is_named_in(tools, language) else ()
    phrases = phrases or _from_descriptions(tools, language)
    phrases = phrases or [f"{_WORK_WITH[language]} {' '.join(tools[0].object) or tools[0].name}"]
    kept = _as_many_as_fit(phrases)
    return f"{_BEGIN[language]} {_joined(kept, _OR[language])}."


def _is_named_in(tools: Sequence[ReadTool], language: str) -> bool:
    """Tell whether most names have a verb and an object in a language."""
    known = INFINITIVES[language]
    named = sum(bool(tool.verb in known and tool.object_said) for tool in tools)
    return named * 2 > len(tools)


def _from_names(tools: Sequence[ReadTool]) -> list[str]:
    """Return "create, list or update pull requests" a thing, those with most verbs first."""
    verbs: dict[tuple[str, ...], dict[str, None]] = {}
    english = False
    for tool in tools:
        if tool.verb and tool.object_said:
            english = english or tool.verb in INFINITIVES["english"]
            thing = _singular(tuple(tool.object_said.split()))
            verbs.setdefault(thing, {})[PLAIN["english"].get(tool.verb, tool.verb)] = None
    said: list[str] = []
    for thing in sorted(verbs, key=lambda one: -len(verbs[one])):
        done = list(verbs[thing])[:_MOST_VERBS]
        many = english and (len(done) > 1 or done[0] in ("list", "search"))
        noun = _plural(thing) if many else thing
        connective = "or" if english else "o"
        said.append(f"{_joined(done, connective)} {' '.join(noun)}")
    return said


def _singular(thing: tuple[str, ...]) -> tuple[str, ...]:
    last = thing[-1]
    if last.endswith("ies") and len(last) > 4:
        return (*thing[:-1], last.removesuffix("ies") + "y")
    if last.endswith(("sses", "ches", "shes", "xes")):
        return (*thing[:-1], last.removesuffix("es"))
    if len(last) <= 3 or last in _UNCOUNTED:  # "sms", "gas"
        return thing
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return (*thing[:-1], last[:-1])
    return thing


def _plural(thing: tuple[str, ...]) -> tuple[str, ...]:
    last = thing[-1]
    if last in _UNCOUNTED or (last.endswith("s") and not last.endswith(("ss", "us", "is"))):
        return thing
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        last = last[:-1] + "ie"
    elif last.endswith(("s", "x", "ch", "sh")):
        last += "e"
    return (*thing[:-1], last + "s")


def _from_descriptions(tools: Sequence[ReadTool], language: str) -> list[str]:
    clauses = (_clause(tool.description, language) for tool in tools)
    return list(dict.fromkeys(clause for clause in clauses if clause))


def _clause(description: str, language: str) -> str:
    """Return the first words of a description that begins with a verb, with its infinitive."""
    words = _CLAUSE.split(description.strip(), maxsplit=1)[0].split()
    verb = infinitive(fold(words[0]), language) if len(words) > 1 else None
    if verb is None:
        return ""
    # An infinitive that is written already keeps its accents: "añadir".
    first = words[0].lower() if fold(words[0]) == verb else verb
    first = PLAIN[language].get(verb, first)
    goes_on = (n for n, word in enumerate(words) if n > 2 and fold(word) in _GOES_ON)
    rest = words[1 : min(_MOST_WORDS, next(goes_on, len(words)))]
    while len(rest) + 1 < len(words) and rest and fold(rest[-1]) in _HANGING:
        rest.pop()
    return " ".join([first, *rest]) if rest else ""


def _as_many_as_fit(phrases: Iterable[str]) -> list[str]:
    kept: list[str] = []
    length = 0
    for phrase in phrases:
        length += len(phrase) + 2
        if kept and length > LONGEST - 12:
            break
        kept.append(phrase)
    return [kept[0][:400], *kept[1:]]


def _joined(parts: Sequence[str], connective: str) -> str:
    """Return "a", "a or b", "a, b or c"; parts that are lists themselves are told apart by ";"."""
    if len(parts) == 1:
        return parts[0]
    comma = "; " if any("," in part for part in parts) else ", "
    last = f"{comma}{connective} " if comma == "; " else f" {connective} "
    return f"{comma.join(parts[:-1])}{last}{parts[-1]}"
