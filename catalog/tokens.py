"""Count tokens, as an estimate.

The vocabulary is o200k_base, which OpenAI's models read with; other providers' counts differ by
some 10 %. It lies beside this file, since the library would fetch it over the network.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tiktoken
from tiktoken.load import load_tiktoken_bpe

from catalog.document import canonical_bytes
from catalog.formats import encode

_VOCABULARY = Path(__file__).with_name("o200k_base.tiktoken")
_VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
# How o200k_base splits text before it merges bytes, from the vocabulary's own definition.
_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


@cache
def _encoding() -> tiktoken.Encoding:
    return tiktoken.Encoding(
        name="o200k_base",
        pat_str=_PATTERN,
        mergeable_ranks=load_tiktoken_bpe(str(_VOCABULARY), _VOCABULARY_SHA256),
        special_tokens={},
    )


def count_tokens(text: str) -> int:
    """Return about how many tokens a model reads a text as."""
    return len(_encoding().encode_ordinary(text))


def tool_tokens(tool: Mapping[str, Any]) -> int:
    """Return about how many tokens a tool costs in a request: those of its ``openai`` JSON.

    Only ``name``, ``description`` and ``input_schema`` count. The keys of the schema are sorted
    first, as in the document that the tool is served from.
    """
    schema = json.loads(canonical_bytes(tool["input_schema"]))
    return count_tokens(encode({**tool, "input_schema": schema}, format_name="openai").decode())
