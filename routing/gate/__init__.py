"""The gate: what is asked of a version before it goes live, and where one stands with it."""
