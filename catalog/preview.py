"""What a tool that is being typed would look like to a model, and what it would cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.formats import FORMATS
from catalog.forms import ToolForm
from catalog.freezing import TOOL_FIELDS, tool_value
from catalog.models import Tool
from catalog.tokens import tool_tokens

TITLES: Mapping[str, str] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "prompt": "Prompt",
    "native": "Toolcrib",
}


@dataclass(frozen=True, slots=True)
class Preview:
    """A tool in each format, as (format, title, text); nothing while its input schema is faulty."""

    tokens: int | None
    texts: Sequence[tuple[str, str, str]]


def preview_tool(form: ToolForm) -> Preview:
    """Return the preview of a form as it is typed; a field in error shows what was typed."""
    if not form.is_bound:
        value = tool_value(form.instance)
    elif form.is_valid() or "input_schema" not in form.errors:
        as_typed = {name: form[name].value() for name in ("name", "title", "description")}
        cleaned = {
            name: form.cleaned_data[name] for name in TOOL_FIELDS if name in form.cleaned_data
        }
        value = {**tool_value(Tool()), **as_typed, **cleaned}
    else:
        return Preview(None, [(name, title, "") for name, title in TITLES.items()])
    return Preview(tool_tokens(value), _texts(value))


def _texts(value: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, title, _laid_out(FORMATS[name](value))) for name, title in TITLES.items()]


def _laid_out(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
