"""What is counted, by section: one row of an hour, or of some, holds the counts of one section.

A chart reads the sections that it shows and no others. Keys of counts are words joined by ``:`` and
``>``, which names of groups and tools do not contain.
"""

from enum import StrEnum

HOURS_A_DAY = 24
HOURS_A_WEEK = 7 * HOURS_A_DAY
CONFIDENCE_BINS = 20
MILLION = 1_000_000
"""Confidences add up as whole millionths, so that a sum does not hang on its order."""

_FEWEST, _MOST = 4, 26
_PARTS = 8


class Section(StrEnum):
    """A part of an hour's counts.

    ``SELECTIONS``: ``n``; ``estimated`` and ``confidence`` (their number, their sum in millionths);
    ``opened`` and ``groups`` (those that served groups, and how many); ``offered`` (tools);
    ``tokens_selected``, ``tokens_catalog``; ``explored``; ``fallback:<reason>``,
    ``decided:<strategy>``; ``chose:<groups>`` (those that opened so many groups of their own
    choice: neither by a fallback nor all there are); of those that were expanded ``expanded``,
    ``unopened``, ``more_groups`` and ``more_tokens``; of those with calls ``complete`` or
    ``incomplete``. By the hour of the selection, whenever the rest came.

    ``CONFIDENCE``: estimated ones, of a bin of 1/20: ``served:<bin>`` and ``fell:<bin>``; of those
    served as proposed that have calls ``labelled:<bin>``, ``complete:<bin>`` and ``sum:<bin>`` (in
    millionths).

    ``LATENCY``: ``<low>:<width>`` in microseconds.

    ``ASKED``: ``group:<name>`` and ``from:<group served>><group asked for>``, by the hour of
    asking; where nothing was served the first is empty.

    ``BEGAN``: ``runs:<group>``, runs whose first selection served a group, and
    ``asked:<group>><another>``, those of them that asked for another; by the hour of that
    selection.

    ``TOOLS``: ``offered:<tool>`` (by selections), ``added:<tool>`` (by expansions), ``used:<tool>``
    (allowed calls), ``used_added:<tool>`` (those that only an expansion had offered),
    ``missed:<tool>`` (calls refused since it was not offered), ``tried:<tool>`` (all others,
    allowed or not).

    ``CALLS``: ``decision:<decision>``, ``refused:<reason>``, ``status:<status>`` of results.

    ``RUNS``: ``n``, ``outcome:<last one>``, ``silent`` (failed, or needed a person, and never asked
    for a group); by the hour in which the run began. A run counts from its first span on.

    ``FACTS``: in how many runs something is so, each run once, by the hour in which it began; what
    has no count in an hour need not be looked for there. ``outcome:<last one>``, ``silent``,
    ``began:<group of the first selection>``, ``group:<served>``, ``strategy:<>``, ``decided:<>``,
    ``release:<id>``, ``fallback:<reason or nothing>``, ``confidence:<bin>``, ``explored``,
    ``asked:<group>``, ``expanded``, ``decision:<>``, ``refused:<reason>``, ``called:<tool>``,
    ``missed:<tool>``, ``status:<>``.
    """

    SELECTIONS = "selections"
    CONFIDENCE = "confidence"
    LATENCY = "latency"
    ASKED = "asked"
    BEGAN = "began"
    TOOLS = "tools"
    CALLS = "calls"
    RUNS = "runs"
    FACTS = "facts"


def confidence_bin(confidence: float) -> int:
    """Return the bin of 1/20 that a confidence of 0 to 1 lies in, 0 to 19."""
    return min(CONFIDENCE_BINS - 1, int(confidence * CONFIDENCE_BINS + 1e-9))


def latency_bin(microseconds: int) -> str:
    """Return ``<low>:<width>`` of the bin that a latency lies in.

    From 16 µs to two minutes four binary digits are kept, so a bin is at most 1/8 of its value:
    finer ones would be most of what charts of months add up.
    """
    octave = min(max(microseconds.bit_length(), _FEWEST), _MOST)
    width = (1 << octave) // (2 * _PARTS)
    return f"{microseconds - microseconds % width}:{width}"
