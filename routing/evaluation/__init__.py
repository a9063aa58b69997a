"""Evaluations: strategies held against labelled cases. Pure: no Django, no files, no clock."""
