"""Edits of sample documents, and what they are told as."""

import copy
from collections.abc import Callable
from typing import Any

from catalog.diff import Change, changes_between
from catalog.samples import load_sample

Document = dict[str, Any]


def tool(document: Document, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["tools"] if one["name"] == name)
    return found


def group(document: Document, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["groups"] if one["name"] == name)
    return found


def after(edit: Callable[[Document], object], *, sample: str = "back-office") -> list[Change]:
    """Return the changes that an edit of a sample makes."""
    before = load_sample(sample)
    changed = copy.deepcopy(before)
    edit(changed)
    return changes_between(before, changed)


def said(changes: list[Change]) -> list[str]:
    return [str(change) for change in changes]
