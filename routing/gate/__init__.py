"""The gate: a version is held against what is live before it goes live."""
