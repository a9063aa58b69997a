"""Alerts: rules over the counts by the hour, what they say, and who is told."""
