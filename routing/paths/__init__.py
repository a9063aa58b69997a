"""Paths of agents held against what their cases expect, and tools that answer by a script. Pure."""
