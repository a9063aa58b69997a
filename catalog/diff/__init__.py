"""What changed between two documents, in plain words and in order.

Pure: no Django, no rows. ``changes_between`` gives every change its place, a sentence to translate
(``template % params``) and what went and came.
"""

from catalog.diff.change import Change, Kind
from catalog.diff.documents import changes_between

__all__ = ["Change", "Kind", "changes_between"]
