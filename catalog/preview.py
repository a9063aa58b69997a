"""What a tool that is being typed would look like to a model, and what it would cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from catalog.document import canonical_bytes
from catalog.formats import FORMATS, TITLES
from catalog.forms import ToolForm
from catalog.freezing import TOOL_FIELDS, tool_value
from catalog.models import Tool
from catalog.tokens import tool_tokens

MOST_CHARACTERS = 10_000  # of one preview; what is beyond nobody reads


@dataclass(frozen=True, slots=True)
class Preview:
    """A tool in each format, as (format, title, text); nothing while its input schema is faulty."""

    tokens: int | None
    texts: Sequence[tuple[str, str, str]]


def preview_tool(form: ToolForm) -> Preview:
    """Return the preview of a form as it is typed; a field in error shows what was typed."""
    if not form.is_bound:
        # What another person's save left of this one's is the form's initial values.
        own = {name: form.initial[name] for name in TOOL_FIELDS if name in form.initial}
        value = {**tool_value(form.instance), **own}
    elif "input_schema" not in form.errors:
        typed = {name: form[name].value() or "" for name in ("name", "title", "description")}
        sound = {name: form.cleaned_data[name] for name in TOOL_FIELDS if name in form.cleaned_data}
        value = {**tool_value(Tool()), **typed, **sound}
    else:
        return Preview(None, [(name, title, "") for name, title in TITLES.items()])
    # Models are served from the document, whose keys are sorted.
    return Preview(tool_tokens(value), _texts(json.loads(canonical_bytes(value))))


def _texts(value: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, title, _laid_out(FORMATS[name](value))) for name, title in TITLES.items()]


def _laid_out(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    left_out = len(text) - MOST_CHARACTERS
    if left_out <= 0:
        return text
    more = _("… and %(count)d more characters") % {"count": left_out}
    return f"{text[:MOST_CHARACTERS]}\n{more}"
