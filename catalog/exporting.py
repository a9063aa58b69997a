"""Tools in a provider's format as one document, and what of them the format cannot carry."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.formats import FORMATS, STRICT
from catalog.formats.carried import ALTERED, CARRIED
from catalog.importing.merging import UNSAID, same

Tool = Mapping[str, Any]
# The formats in which a document names its list.
_WRAPPED = {"mcp": "tools", "gemini": "function_declarations", "native": "tools"}


@dataclass(frozen=True, slots=True)
class Exported:
    """A document of tools.

    ``lost`` are the fields that the format cannot carry, with how many tools say something in each;
    ``altered`` is what the format makes of the others; ``not_strict`` are the tools that have no
    strict form.
    """

    content: bytes
    tools: int
    lost: Mapping[str, int]
    altered: Sequence[str]
    not_strict: Sequence[str]
    media_type: str
    ending: str


def export_tools(*, tools: Sequence[Tool], format_name: str, strict: bool = False) -> Exported:
    """Return tools as a document of a format, laid out for reading.

    Toolcrib's own format has every tool; agents are not offered those that are disabled, and the
    others' formats, which cannot say so, leave them out. ``strict`` counts where the format has it.
    Raises ``KeyError`` for an unknown format.
    """
    render = FORMATS[format_name]
    strictly = STRICT.get(format_name) if strict else None
    served = [tool for tool in tools if tool["enabled"] or format_name == "native"]
    made = [(strictly or render)(tool) for tool in served]
    is_text = format_name == "prompt"
    return Exported(
        content=_text(made) if is_text else _json(made, _WRAPPED.get(format_name)),
        tools=len(served),
        lost=_lost(served, format_name),
        altered=ALTERED[format_name],
        not_strict=[
            str(tool["name"])
            for tool, one in zip(served, made, strict=True)
            if strictly is not None and not _is_strict(one)
        ],
        media_type="text/plain; charset=utf-8" if is_text else "application/json",
        ending="txt" if is_text else "json",
    )


def _text(lines: Sequence[object]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _json(items: Sequence[object], key: str | None) -> bytes:
    value = items if key is None else {key: items}
    return json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n"


def _lost(tools: Sequence[Tool], format_name: str) -> dict[str, int]:
    carried = set(CARRIED[format_name])
    counts = {
        field: sum(not same(tool[field], UNSAID[field]) for tool in tools)
        for field in CARRIED["native"]
        if field not in carried
    }
    return {field: count for field, count in counts.items() if count}


def _is_strict(made: object) -> bool:
    if not isinstance(made, Mapping):
        return False
    inner = made.get("function", made)
    return isinstance(inner, Mapping) and inner.get("strict") is True
