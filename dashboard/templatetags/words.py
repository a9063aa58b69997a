"""Filters that say in the reader's language what is kept as a template with its parameters."""

from collections.abc import Mapping
from typing import Protocol

from django import template
from django.utils.translation import gettext

from catalog.document import SchemaFault
from catalog.health import Finding
from catalog.reading import Remark
from dashboard.failure_words import failure_told
from dashboard.words import SECTIONS
from routing.models import GatePolicy

register = template.Library()


class Sayable(Protocol):
    """A change or a problem: a marked sentence and what it is about."""

    @property
    def template(self) -> str:
        """Return the sentence, marked for translation where it was written."""

    @property
    def params(self) -> Mapping[str, object]:
        """Return what stands in the sentence's places."""


@register.filter
def said(sentence: Sayable) -> str:
    """Return a change or a problem as a sentence in the reader's language.

    A parameter that is itself a sentence is said in that language too.
    """
    params = {name: _param(name, value) for name, value in sentence.params.items()}
    return gettext(sentence.template) % params


def _param(name: str, value: object) -> object:
    if isinstance(value, SchemaFault | Remark):
        return said(value)
    # What a field should be is a few words; all else is as the document has it.
    return gettext(value) if name == "expected" and isinstance(value, str) else value


@register.filter
def in_language(text: str) -> str:
    """Return a text that was marked for translation, in the reader's language."""
    return gettext(text)


register.filter(failure_told)


@register.filter
def place_words(finding: Finding) -> str:
    """Return what a finding is about: the kind of part and its name, or the whole catalog."""
    kind, name = finding.place
    return f"{SECTIONS[kind]} {name}" if name else gettext("The catalog")


@register.filter
def per_hundred(share: float) -> str:
    """Return a share of 1 as a coordinate of 0 to 100, with a point whatever the language."""
    return f"{100 * min(max(share, 0.0), 1.0):.1f}"


@register.filter
def per_hundred_words(share: float) -> str:
    """Return a share of 1 as whole per cent, in the reader's notation."""
    return gettext("%(number)s %%") % {"number": round(100 * share)}


@register.filter
def gate_mode(mode: str) -> str:
    """Return what a gate does, in words."""
    return str(GatePolicy.Mode(mode).label)
