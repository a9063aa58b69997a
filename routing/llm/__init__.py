"""The router model: a small model that reads a task and one line a group, and names the groups.

It is asked before a selection begins (``selecting``), since the selection core does no I/O. What it
said is an argument of the selection and is kept with it, so that a selection can be made again
without a model. See docs/llm-router.md.
"""
