"""Runs that name a case of a dataset: read, held against it, and made by scripted agents."""
