"""What the pages remember of their readers."""

from dashboard.models.preferences import Preferences
from dashboard.models.saved_view import SavedView

__all__ = ["Preferences", "SavedView"]
