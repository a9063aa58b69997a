"""What is wrong with a draft, what could be better, and what to do about it.

Pure: no Django, no rows; each check is a function over a document (see ``checking.CHECKS``). What
needs an encoder or traffic, as pairs that look alike, is found by those above, as ``Finding`` too.
"""

from catalog.health.checking import CHECKS, findings_of, in_order, new_warnings
from catalog.health.finding import Finding, Mend, MendKind, Sentence, Severity

__all__ = [
    "CHECKS",
    "Finding",
    "Mend",
    "MendKind",
    "Sentence",
    "Severity",
    "findings_of",
    "in_order",
    "new_warnings",
]
