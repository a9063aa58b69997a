"""What the pages remember of their readers."""

from dashboard.models.preferences import Preferences

__all__ = ["Preferences"]
