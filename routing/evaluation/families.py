"""Sets that were made by the same people from the same source are one family.

What was fitted on a set says nothing new about its family: it is measured there by a fit without
the whole family.
"""

from __future__ import annotations

FAMILIES = {
    "acebench_en": "acebench",
    "acebench_zh": "acebench",
    "banking77": "intents",
    "bfcl": "bfcl",
    "bfcl_multiturn": "bfcl",
    "clinc150": "intents",
    "metatool": "metatool",
    "sealtools": "sealtools",
    "stabletoolbench": "stabletoolbench",
}


def family_of(folder: str) -> str:
    """Return the family of a set by the name of its folder; one that is not known is its own."""
    return FAMILIES.get(folder, folder)
