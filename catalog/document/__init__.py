"""The frozen value: one canonical JSON document a version, and the rules that it must keep.

Pure: no Django, no rows. ``document.schema.json`` beside this file is the published schema.
"""

from catalog.document.canonical import canonical_bytes, parse, sha256_hex
from catalog.document.checks import check, pattern_problem, schema_problems
from catalog.document.problems import Problem, SchemaFault
from catalog.document.shape import FORMAT, REQUEST_GROUP, STRATEGIES, tool_content

__all__ = [
    "FORMAT",
    "REQUEST_GROUP",
    "STRATEGIES",
    "Problem",
    "SchemaFault",
    "canonical_bytes",
    "check",
    "parse",
    "pattern_problem",
    "schema_problems",
    "sha256_hex",
    "tool_content",
]
