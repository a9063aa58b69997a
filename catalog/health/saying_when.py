"""Does a group's description say when to use it, or only what it holds?"""

import re

# A description that begins so says when, whatever follows: English, Spanish, Portuguese.
_OPENINGS = """
use uses using used to when whenever for if
usa usar usarse úsese úsalo úsala para cuando si
utiliza utilizar utilize utilice quando se
"""
_ENGLISH_VERBS = """
add adjust analyse analyze answer approve archive arrange ask assign audit book build buy calculate
call cancel change charge check choose classify close collect compare compute configure confirm
convert correct count create debug decide delete deliver deploy describe detect diagnose do draft
edit escalate estimate examine execute explain export extract file find fix follow forecast format
get give handle help identify import inspect install investigate issue keep learn list locate look
make manage match measure merge migrate monitor move negotiate notify open organise organize
pay pick plan prepare process produce publish query quote read receive recommend reconcile record
refund register reject release remind remove rename replace reply report request research reserve
resolve respond restore return review run save schedule search see select sell send set settle ship
show sign solve sort split start stop store summarise summarize test tell trace track transfer
translate understand update upload validate verify view watch work write
"""
# Infinitives of Spanish and Portuguese, told from English nouns ("order") by the words after them.
_INFINITIVE = re.compile(r"\w{2,}(?:[aeiíô]r|[aeií]rse)\Z")
_ROMANCE_WORDS = """
a al ao aos as com con da das de del do dos e el en la las los na no nos o os para por que sin um
uma un una y
"""
_FIRST_WORDS = frozenset(f"{_OPENINGS} {_ENGLISH_VERBS}".split())
_SMALL_WORDS = frozenset(_ROMANCE_WORDS.split())


def says_when(description: str) -> bool:
    """Tell whether a description begins with the task, as “Use to …” or a verb does."""
    words = re.findall(r"\w+", description.casefold())
    return bool(words) and _says_when(words)


def _says_when(words: list[str]) -> bool:
    first, rest = words[0], words[1:]
    is_infinitive = bool(_INFINITIVE.match(first)) and not _SMALL_WORDS.isdisjoint(rest)
    return first in _FIRST_WORDS or is_infinitive
