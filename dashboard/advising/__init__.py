"""Advice: what counts say should change in a draft, and the change as one edit on record.

``changes`` are values that say what to change and whether a draft says so already; ``pieces`` joins
findings with them, and ``carrying_out`` makes it.
"""
