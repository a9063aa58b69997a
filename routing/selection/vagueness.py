"""Sentences that ask for something without saying what.

A task near to them gives no hint at any tool, however it may brush one by a word such as "order".
The default encoder maps a sentence and its translations to nearly the same vector, so that English
stands for all languages.
"""

from __future__ import annotations

VAGUE_TASKS = (
    "I need help with something.",
    "Could you deal with that one for us?",
    "There is a problem.",
    "It does not work as it should.",
    "What is the situation?",
    "Tell me how this is going.",
    "I have a question.",
    "They are waiting for an answer from us.",
    "Do whatever is necessary.",
    "Give me some information about it.",
)
