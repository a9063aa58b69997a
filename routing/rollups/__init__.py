"""Counts by the hour, kept from spans, so that a chart reads as much as it shows.

``contribution`` says what a run adds to which hours: a pure function of its spans. ``folding``
keeps the sums of it in the database, and ``rebuilding`` makes them again from nothing.
"""
