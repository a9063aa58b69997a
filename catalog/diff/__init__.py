"""What changed between two documents, in plain words and in order.

Pure: no Django, no rows. ``changes_between`` gives every change its place, a sentence to translate
(``template % params``) and what went and came; ``json_lines`` shows two values as lines of JSON.
"""

from catalog.diff.change import Change, Kind
from catalog.diff.documents import changes_between, renames_between
from catalog.diff.json_lines import Line, json_lines
from catalog.diff.parts import tool_changes

__all__ = [
    "Change",
    "Kind",
    "Line",
    "changes_between",
    "json_lines",
    "renames_between",
    "tool_changes",
]
