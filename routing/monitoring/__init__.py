"""What Prometheus reads at ``/metrics``: counts of all time, and how things stand now."""
