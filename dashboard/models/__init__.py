"""What the pages remember: of their readers, and of alerts."""

from dashboard.models.alerts import (
    AlertAcknowledgement,
    AlertChange,
    AlertDelivery,
    AlertRule,
    AlertSilence,
    AlertState,
    AlertTarget,
)
from dashboard.models.preferences import Preferences
from dashboard.models.saved_view import SavedView

__all__ = [
    "AlertAcknowledgement",
    "AlertChange",
    "AlertDelivery",
    "AlertRule",
    "AlertSilence",
    "AlertState",
    "AlertTarget",
    "Preferences",
    "SavedView",
]
