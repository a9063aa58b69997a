"""Which tools are worth serving when no group fits, and which with every selection."""

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray
from routing.suggesting.reading import ReadTool

# So many default tools leave room for others under a cap of seven.
MOST_DEFAULTS = 5
_LOOKS = ("search", "find", "query", "list", "buscar", "consultar", "pesquisar", "listar")
_PERSON_WORDS = """
user users human humans person customer operator question questions clarification input
usuario usuaria persona humano cliente pregunta pessoa pergunta
"""
_PERSONS = frozenset(_PERSON_WORDS.split())
_ASKS = frozenset({"ask", "clarify", "pedir", "perguntar", "preguntar", "prompt", "request"})


def always_on(tools: Sequence[ReadTool]) -> list[int]:
    """Return the tools that any task may need: those that only ask the person, and a bare search.

    Only what reads may be served unasked.
    """
    return [number for number, tool in enumerate(tools) if tool.is_read and _serves_all(tool)]


def _serves_all(tool: ReadTool) -> bool:
    asks = tool.verb in _ASKS or bool(_ASKS & set(tool.object))
    if asks and _PERSONS & set(tool.object):
        return len(tool.object) <= 3
    return tool.name.lower() in ("search", "clarify", "buscar", "pesquisar")


def defaults(
    tools: Sequence[ReadTool], rows: FloatArray, groups: Sequence[Sequence[int]]
) -> list[int]:
    """Return one read-only tool of each of the largest groups, at most ``MOST_DEFAULTS``.

    That which looks things up before any other, of these the one that is most like its group:
    what a person needs who does not know yet where to look.
    """
    chosen = []
    for group in sorted(groups, key=lambda members: -len(members)):
        reading = [number for number in group if tools[number].is_read]
        if not reading:
            continue
        middle = rows[list(group)].mean(axis=0)
        central = {number: float(np.dot(rows[number], middle)) for number in reading}
        chosen.append(min(reading, key=lambda n: (_rank(tools[n].verb), -central[n], n)))
    return sorted(chosen[:MOST_DEFAULTS])


def _rank(verb: str) -> int:
    return _LOOKS.index(verb) if verb in _LOOKS else len(_LOOKS)
