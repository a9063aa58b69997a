"""Datasets of labelled cases: kept, collected from runs, reviewed, and held against releases."""
