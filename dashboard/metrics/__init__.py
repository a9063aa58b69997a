"""What the dashboard measures: plain values over a period, beside the period before."""
